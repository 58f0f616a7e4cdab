package book

import (
	"errors"
	"slices"
	"strings"
	"time"

	"diceref/match"
	"diceref/match/league"
	"diceref/table"
)

// View is a league as pages and files show it.
type View struct {
	ID        string            `json:"id"`
	Name      string            `json:"name"`
	Format    string            `json:"format"`
	Game      string            `json:"game,omitempty"`
	Title     string            `json:"title,omitempty"` // of the game
	Least     int               `json:"least"`
	Most      int               `json:"most"`
	Began     time.Time         `json:"began"`
	Seq       int64             `json:"seq"` // of the last event
	Rounds    []Round           `json:"rounds"`
	Standings []league.Standing `json:"standings"`
	// Wait is why no round can be paired now: open (the last one is not over), over (everybody has played everybody) or
	// few (players); empty: one can.
	Wait string `json:"wait,omitempty"`
}

// Round is one round.
type Round struct {
	Number int       `json:"number"`
	At     time.Time `json:"at"`
	Tables []Table   `json:"tables"`
	Byes   []string  `json:"byes"`
}

// The states of a table.
const (
	Waiting = "waiting" // nobody has begun
	Playing = "playing"
	Stopped = "stopped" // its match ended without a result: a referee has to say what counts
	Done    = "done"
)

// Table is who plays at one table of a round.
type Table struct {
	ID      string   `json:"id,omitempty"` // of the hall's table
	Name    string   `json:"name,omitempty"`
	Players []string `json:"players"`
	State   string   `json:"state"`
	Places  []int    `json:"places,omitempty"`
	Points  []int    `json:"points,omitempty"` // in the match
	Match   string   `json:"match,omitempty"`
	Who     string   `json:"who,omitempty"` // entered the result; empty: the match has told it
	Entered bool     `json:"entered,omitempty"`
}

// A league is told as it was for a moment, and for longer where it takes long to look at its matches: one that goes on is
// replayed to see whether it is over, which should not take more than a part of the time.
const (
	fresh = 2 * time.Second
	rests = 20 // times as long as it took
)

// View is a league with all that its matches tell.
func (b *Book) View(id string) (View, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s, ok := b.shown[id]; ok && b.clock().Before(s.until) {
		return s.view, nil
	}
	began := time.Now()
	k, tables, err := b.played(id)
	if err != nil {
		return View{}, err
	}
	v := k.view(tables)
	b.shown[id] = shown{b.clock().Add(max(fresh, rests*time.Since(began))), v}
	return v, nil
}

func (k kept) view(tables [][]Table) View {
	v := View{
		ID: k.id, Name: k.Name, Format: k.Format, Game: k.Game, Least: k.Least, Most: k.Most, Began: k.began, Seq: k.seq,
		Rounds: []Round{}, Standings: k.Standings(),
	}
	if k.Game != "" {
		v.Title = table.Game(k.Game).Kit().Title
	}
	for i, r := range k.Rounds {
		v.Rounds = append(v.Rounds, Round{r.Number, r.At, tables[i], append([]string{}, r.Byes...)})
	}
	_, err := k.Next(time.Time{}, nil)
	for wait, why := range map[string]error{"open": league.ErrOpen, "over": league.ErrOver, "few": league.ErrFew} {
		if errors.Is(err, why) {
			v.Wait = wait
		}
	}
	return v
}

// played is a league with the results of its matches, and its tables as they are shown.
func (b *Book) played(id string) (k kept, tables [][]Table, err error) {
	k, err = b.read(id)
	if err != nil || len(k.Rounds) == 0 {
		return k, nil, err
	}
	matches, err := b.journal.Since(k.Rounds[0].At, k.wants)
	if err != nil {
		return k, nil, err
	}
	slices.Reverse(matches) // the oldest first
	used := map[string]bool{}
	for i, r := range k.Rounds {
		until := time.Time{}
		if i+1 < len(k.Rounds) {
			until = k.Rounds[i+1].At
		}
		var shown []Table
		for n, t := range r.Tables {
			s := Table{ID: t.ID, Name: t.Name, Players: t.Players, State: Waiting, Places: t.Places, Who: k.judges[[2]int{r.Number, n}], Entered: t.Entered}
			if m := matchOf(t, r.At, until, matches, used); m != nil {
				used[m.ID] = true
				s.Match, s.Points, s.State = m.ID, pointsOf(t.Players, *m), stateOf(*m)
				if s.State == Done {
					if err := k.Played(i+1, n, placesOf(t.Players, *m)); err != nil {
						return k, nil, err
					}
				}
			}
			if now := k.Rounds[i].Tables[n]; now.Done() {
				s.Places, s.State = now.Places, Done
			}
			if !t.Entered {
				s.Who = ""
			}
			shown = append(shown, s)
		}
		tables = append(tables, shown)
	}
	return k, tables, nil
}

// wants says whether a match may be one of the league's: of its game, at a table of one of its rounds, begun after that.
func (k kept) wants(s match.Setting) bool {
	return (k.Game == "" || string(s.Game) == k.Game) && slices.ContainsFunc(k.Rounds, func(r league.Round) bool {
		return !s.Created.Before(r.At) && slices.ContainsFunc(r.Tables, func(t league.Table) bool {
			return (t.ID == "" || t.ID == s.Table) && len(t.Players) == len(s.Players)
		})
	})
}

// matchOf is the match that a table's players have played: the first that is over with a result, or else the last one
// that they have begun; nil: none. It is of this round if it began before the next one was paired; until is zero if there
// is none.
func matchOf(t league.Table, since, until time.Time, matches []match.Summary, used map[string]bool) (found *match.Summary) {
	for i, m := range matches {
		then := !m.Began.Before(since) && (until.IsZero() || m.Began.Before(until))
		there := t.ID == "" || t.ID == m.Table
		if m.Deleted || m.Trouble != "" || used[m.ID] || !then || !there || !samePlayers(t.Players, m.Players) {
			continue
		}
		found = &matches[i]
		if stateOf(m) == Done {
			break
		}
	}
	return found
}

func stateOf(m match.Summary) string {
	switch {
	case m.Phase == match.PhaseOver && !m.Unsettled && m.Lost == 0:
		return Done
	case m.Phase == match.PhaseOver:
		return Stopped
	}
	return Playing
}

// seatOf is where a player sits in a match; -1: nowhere.
func seatOf(name string, in []match.Result) int {
	return slices.IndexFunc(in, func(r match.Result) bool { return strings.EqualFold(strings.TrimSpace(r.Name), name) })
}

func samePlayers(names []string, in []match.Result) bool {
	return len(names) == len(in) && !slices.ContainsFunc(names, func(n string) bool { return seatOf(n, in) < 0 })
}

// pointsOf is the points of players in a match, in their order here.
func pointsOf(names []string, m match.Summary) []int {
	points := make([]int, len(names))
	for i, n := range names {
		points[i] = m.Players[seatOf(n, m.Players)].Points
	}
	return points
}

// placesOf is the places of players in a match, in their order here.
func placesOf(names []string, m match.Summary) []int {
	all := m.Places()
	places := make([]int, len(names))
	for i, n := range names {
		places[i] = all[seatOf(n, m.Players)]
	}
	return places
}
