// Package league is tournaments of games with two and more players at a table: who plays whom in the next round, and who
// stands where. It knows neither matches nor pages: it is told what happened, event by event, and always comes to the same.
package league

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The formats.
const (
	Swiss      = "swiss"       // those who stand alike play each other
	RoundRobin = "round-robin" // until everybody has played everybody
)

// Limits of what one league holds.
const (
	MostPlayers = 256
	MostRounds  = 256
	MostSeats   = 8  // at a table
	LongestName = 40 // letters of a league's name
)

// Rules is how a league is played.
type Rules struct {
	Name   string `json:"name"`
	Format string `json:"format"`
	Game   string `json:"game,omitempty"` // empty: any
	Least  int    `json:"least"`          // players at a table
	Most   int    `json:"most"`
	Seed   uint64 `json:"seed"` // of the lots that are drawn where nothing else decides
}

// Event is something that happened in a league. Exactly one of the pointers is set.
type Event struct {
	At     time.Time `json:"at"`
	Who    string    `json:"who,omitempty"` // who did it
	New    *New      `json:"new,omitempty"`
	Round  *Round    `json:"round,omitempty"`
	Result *Entry    `json:"result,omitempty"`
	Player *Player   `json:"player,omitempty"`
}

// New begins a league.
type New struct {
	Rules
	Players []string `json:"players"`
}

// Entry is what a referee says about a table's result.
type Entry struct {
	Round int `json:"round"` // from 1
	Table int `json:"table"` // from 0
	// Places are those of the table's players, in their order: 1 is the best, equal ones are shared, 0 is for somebody
	// who was not there. Empty: what the match says counts again.
	Places []int `json:"places,omitempty"`
}

// Player is somebody who takes part.
type Player struct {
	Name string `json:"name"`
	Out  bool   `json:"out,omitempty"` // no longer
}

// Round is one round.
type Round struct {
	Number int       `json:"number"` // from 1
	At     time.Time `json:"at"`     // when it was paired
	Tables []Table   `json:"tables"`
	Byes   []string  `json:"byes,omitempty"` // who does not play in it
}

// Table is who plays at one table of a round.
type Table struct {
	ID      string   `json:"id,omitempty"`   // of a hall's table; empty: any
	Name    string   `json:"name,omitempty"` // as people call it
	Players []string `json:"players"`        // in turn order
	Places  []int    `json:"places,omitempty"`
	Entered bool     `json:"entered,omitempty"` // the places are what a referee says
}

// Done says whether the table has a result.
func (t Table) Done() bool { return len(t.Places) > 0 }

// League is everything that is known of a league.
type League struct {
	Rules
	Players []Player // in the order in which they came
	Rounds  []Round
	lots    map[string]int // the lot of each player
}

// Errors that a page can say in other words.
var (
	ErrOpen   = errors.New("league: the last round is not over: every table needs a result")
	ErrOver   = errors.New("league: everybody has played everybody")
	ErrFew    = errors.New("league: there are too few players for a table")
	ErrRound  = errors.New("league: that round is not the next one")
	ErrPlaces = errors.New("league: the places do not fit the table")
	ErrTwice  = errors.New("league: somebody of that name takes part already, or has left already")
	ErrFixed  = errors.New("league: who plays whom is fixed in a round robin of two at a table; nobody can join it later")
	ErrSeats  = errors.New("league: a table cannot have so many players")
	ErrName   = errors.New("league: the league needs a name of at most 40 letters")
)

// Refusal is why something cannot be done in a league.
type Refusal struct{ why string }

func (r *Refusal) Error() string { return "league: " + r.why }

// Refused makes a Refusal.
func Refused(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// Apply makes an event part of the league. One that cannot be changes nothing.
func (l *League) Apply(e Event) error {
	switch {
	case e.New != nil:
		return l.begin(*e.New)
	case l.Name == "":
		return Refused("it has not begun")
	case e.Round != nil:
		return l.add(*e.Round)
	case e.Result != nil:
		return l.enter(*e.Result)
	case e.Player != nil:
		return l.turn(*e.Player)
	}
	return Refused("an event of another version")
}

func (l *League) begin(n New) error {
	n.Name = strings.TrimSpace(n.Name)
	switch {
	case l.Name != "":
		return Refused("it has begun already")
	case n.Name == "" || utf8.RuneCountInString(n.Name) > LongestName:
		return ErrName
	case n.Format != Swiss && n.Format != RoundRobin:
		return Refused("unknown format %.20q: use %s or %s", n.Format, Swiss, RoundRobin)
	case n.Least < 2 || n.Most < n.Least || n.Most > MostSeats:
		return fmt.Errorf("%w: from 2 to %d can play", ErrSeats, MostSeats)
	case len(n.Players) > MostPlayers:
		return Refused("at most %d players can take part", MostPlayers)
	}
	now := League{Rules: n.Rules}
	for _, name := range n.Players {
		if err := now.turn(Player{Name: name}); err != nil {
			return err
		}
	}
	*l = now
	return nil
}

// turn has a player come, go, or come back.
func (l *League) turn(p Player) error {
	if i := slices.IndexFunc(l.Players, func(o Player) bool { return o.Name == p.Name }); i >= 0 {
		if l.Players[i].Out == p.Out {
			return fmt.Errorf("%w: %q", ErrTwice, p.Name)
		}
		l.Players = slices.Clone(l.Players)
		l.Players[i].Out = p.Out
		return nil
	}
	switch {
	case slices.ContainsFunc(l.Players, func(o Player) bool { return strings.EqualFold(o.Name, p.Name) }):
		return fmt.Errorf("%w: %q", ErrTwice, p.Name) // in other letters
	case strings.TrimSpace(p.Name) != p.Name || p.Name == "":
		return Refused("a player needs a name")
	case p.Out:
		return Refused("nobody is called %q", p.Name)
	case len(l.Players) >= MostPlayers:
		return Refused("at most %d players can take part", MostPlayers)
	case l.fixed() && len(l.Rounds) > 0:
		return ErrFixed
	}
	l.Players = append(slices.Clip(l.Players), p)
	l.lots = nil
	return nil
}

// fixed says whether all rounds are known beforehand.
func (l *League) fixed() bool { return l.Format == RoundRobin && l.Most == 2 }

// add notes a round.
func (l *League) add(r Round) error {
	if r.Number != len(l.Rounds)+1 || r.Number > MostRounds {
		return ErrRound
	}
	seen := map[string]bool{}
	check := func(name string) error {
		if seen[name] || !slices.Contains(l.Players, Player{Name: name}) {
			return Refused("%q cannot play in round %d, or plays twice", name, r.Number)
		}
		seen[name] = true
		return nil
	}
	for _, t := range r.Tables {
		if len(t.Players) < l.Least || len(t.Players) > l.Most || t.Done() {
			return Refused("a table has from %d to %d players", l.Least, l.Most)
		}
		for _, name := range t.Players {
			if err := check(name); err != nil {
				return err
			}
		}
	}
	for _, name := range r.Byes {
		if err := check(name); err != nil {
			return err
		}
	}
	l.Rounds = append(slices.Clip(l.Rounds), r)
	return nil
}

// enter notes what a referee says about a table.
func (l *League) enter(e Entry) error {
	if e.Round < 1 || e.Round > len(l.Rounds) || e.Table < 0 || e.Table >= len(l.Rounds[e.Round-1].Tables) {
		return Refused("there is no such table")
	}
	if len(e.Places) > 0 {
		if err := checkPlaces(e.Places, len(l.Rounds[e.Round-1].Tables[e.Table].Players)); err != nil {
			return err
		}
	}
	l.set(e.Round, e.Table, e.Places, len(e.Places) > 0)
	return nil
}

// checkPlaces refuses places that cannot be: 1 is there unless nobody came, and whoever comes after two is third.
func checkPlaces(places []int, players int) error {
	if len(places) != players {
		return ErrPlaces
	}
	for _, p := range places {
		better := 0
		for _, o := range places {
			if o > 0 && o < p {
				better++
			}
		}
		if p < 0 || p > 0 && p != better+1 {
			return ErrPlaces
		}
	}
	return nil
}

// Played tells the result of a table's match. It counts unless a referee has said otherwise, and while it is told.
func (l *League) Played(round, table int, places []int) error {
	if t := l.Rounds[round-1].Tables[table]; t.Entered {
		return nil
	} else if err := checkPlaces(places, len(t.Players)); err != nil {
		return err
	}
	l.set(round, table, places, false)
	return nil
}

// set changes a table without touching what others may hold of the league.
func (l *League) set(round, table int, places []int, entered bool) {
	l.Rounds = slices.Clone(l.Rounds)
	r := &l.Rounds[round-1]
	r.Tables = slices.Clone(r.Tables)
	r.Tables[table].Places, r.Tables[table].Entered = slices.Clone(places), entered
}

// Places is the places of players by their points; those of the winners come first.
func Places(points []int, won []bool) []int {
	before := func(a, b int) bool { return won[a] && !won[b] || won[a] == won[b] && !won[a] && points[a] > points[b] }
	places := make([]int, len(points))
	for i := range places {
		places[i] = 1
		for k := range points {
			if before(k, i) {
				places[i]++
			}
		}
	}
	return places
}

// lot is what decides where nothing else does: the same for a player all the time.
func (l *League) lot(name string) int {
	if l.lots == nil {
		l.lots = map[string]int{}
		r := rand.New(rand.NewPCG(l.Seed, 0))
		for i, p := range l.Players { // who comes later changes nobody's lot
			l.lots[p.Name] = r.IntN(1<<30)*MostPlayers + i
		}
	}
	return l.lots[name]
}
