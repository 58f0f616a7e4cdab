// Package book keeps leagues in the journal: who plays whom, and, from the matches that were played at the tables, who
// stands where. A journal that many programs share has one book, whichever of them writes in it.
package book

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"diceref/match"
	"diceref/match/league"
	"diceref/table"
)

// Book is the leagues of a journal.
type Book struct {
	journal *match.Journal
	clock   func() time.Time

	mu    sync.Mutex
	shown map[string]shown
}

// shown is a league as it was told, and until when it is told so.
type shown struct {
	until time.Time
	view  View
}

// Open opens the leagues of a journal.
func Open(j *match.Journal) *Book {
	return &Book{journal: j, clock: time.Now, shown: map[string]shown{}}
}

// Headline is a league in a list.
type Headline struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Game    string    `json:"game,omitempty"`
	Format  string    `json:"format"`
	Began   time.Time `json:"began"`
	Players int       `json:"players"`
	Rounds  int       `json:"rounds"`
}

// ErrConflict: somebody else has changed the league at the same moment.
var ErrConflict = errors.New("league: somebody else has just changed this league: look again")

// kept is a league as the journal has it.
type kept struct {
	league.League
	id     string
	seq    int64 // of the last event
	began  time.Time
	judges map[[2]int]string // who entered a result, by round and table
}

func (b *Book) read(id string) (k kept, err error) {
	events, err := b.journal.League(id)
	if err != nil {
		return k, err
	}
	k.id, k.judges = id, map[[2]int]string{}
	for _, text := range events {
		var e league.Event
		if err := json.Unmarshal(text, &e); err != nil {
			return k, fmt.Errorf("league: cannot read event %d: %w", k.seq+1, err)
		}
		if err := k.Apply(e); err != nil {
			return k, fmt.Errorf("league: event %d: %w", k.seq+1, err)
		}
		if e.New != nil {
			k.began = e.At
		}
		if e.Result != nil {
			k.judges[[2]int{e.Result.Round, e.Result.Table}] = e.Who
		}
		k.seq++
	}
	return k, nil
}

// List is all leagues, the newest first. One that cannot be read is left out.
func (b *Book) List() ([]Headline, error) {
	ids, err := b.journal.Leagues()
	if err != nil {
		return nil, err
	}
	list := []Headline{}
	for _, id := range slices.Backward(ids) {
		k, err := b.read(id)
		if err != nil {
			continue
		}
		list = append(list, Headline{id, k.Name, k.Game, k.Format, k.began, len(k.Players), len(k.Rounds)})
	}
	return list, nil
}

// Find is the league of an ID or a name; of several with one name the newest. Empty: the newest of all.
func (b *Book) Find(name string) (string, error) {
	list, err := b.List()
	if err != nil {
		return "", err
	}
	for _, h := range list {
		if name == "" || h.ID == name || strings.EqualFold(h.Name, name) {
			return h.ID, nil
		}
	}
	return "", fmt.Errorf("%w: %.60q", match.ErrNoLeague, name)
}

// Wanted is a league that somebody wants to begin. What is left out is chosen.
type Wanted struct {
	Name    string   `json:"name"`
	Format  string   `json:"format"` // empty: Swiss
	Game    string   `json:"game"`   // empty: any
	Least   int      `json:"least"`  // players at a table; 0: as few as the game allows
	Most    int      `json:"most"`   // 0: as many as the game has, at most 4
	Players []string `json:"players"`
}

// rules are the rules of a league, with what was left out.
func (w Wanted) rules() (r league.Rules, err error) {
	r = league.Rules{Name: strings.TrimSpace(w.Name), Format: w.Format, Game: w.Game, Least: w.Least, Most: w.Most}
	fewest, most := 2, league.MostSeats
	if r.Game != "" {
		game, err := table.ParseGame(r.Game)
		if err != nil {
			return r, league.Refused("%s", err)
		}
		seats := game.Kit().Players
		fewest, most = max(2, seats[0]), min(most, seats[1])
	}
	if r.Format == "" {
		r.Format = league.Swiss
	}
	if r.Most == 0 {
		r.Most = min(4, most)
	}
	if r.Least == 0 {
		r.Least = fewest
	}
	if r.Least < fewest || r.Most > most {
		return r, fmt.Errorf("%w: in this game, from %d to %d players", league.ErrSeats, fewest, most)
	}
	if err := match.CheckNames([]string{r.Name}); err != nil {
		return r, league.ErrName
	}
	var seed [8]byte
	rand.Read(seed[:])
	r.Seed = binary.LittleEndian.Uint64(seed[:])
	return r, nil
}

// New begins a league and returns its ID.
func (b *Book) New(who string, w Wanted) (string, error) {
	r, err := w.rules()
	if err != nil {
		return "", err
	}
	if len(w.Players) > league.MostPlayers {
		return "", league.Refused("at most %d players can take part", league.MostPlayers)
	}
	players := make([]string, len(w.Players))
	for i, p := range w.Players {
		players[i] = strings.TrimSpace(p)
	}
	if err := match.CheckNames(players); err != nil {
		return "", err
	}
	now := b.clock().UTC()
	e := league.Event{At: now, Who: who, New: &league.New{Rules: r, Players: players}}
	if err := new(league.League).Apply(e); err != nil {
		return "", err
	}
	text, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	var four [4]byte
	rand.Read(four[:])
	id := "league-" + now.Format("2006-01-02") + "-" + hex.EncodeToString(four[:])
	return id, b.journal.BeginLeague(id, now, text)
}

// add notes an event that follows what was read.
func (b *Book) add(k kept, e league.Event) error {
	next := k.League
	if err := next.Apply(e); err != nil {
		return err
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	err = b.journal.AddToLeague(k.id, k.seq+1, text)
	if errors.Is(err, match.ErrBehind) {
		return ErrConflict
	}
	b.mu.Lock()
	delete(b.shown, k.id)
	b.mu.Unlock()
	return err
}

// Round pairs the next round. Number is the one that is expected, so that what is sent twice is done once; 0: any.
func (b *Book) Round(id, who string, number int, places []league.Place) (league.Round, error) {
	k, _, err := b.played(id)
	if err != nil {
		return league.Round{}, err
	}
	if number != 0 && number != len(k.Rounds)+1 {
		return league.Round{}, ErrConflict
	}
	r, err := k.Next(b.clock().UTC(), places)
	if err != nil {
		return r, err
	}
	return r, b.add(k, league.Event{At: r.At, Who: who, Round: &r})
}

// Last is the last round of a league, as it was paired, and its rules; round 0: none was paired yet.
func (b *Book) Last(id string) (rules league.Rules, r league.Round, err error) {
	k, err := b.read(id)
	if n := len(k.Rounds); n > 0 {
		r = k.Rounds[n-1]
	}
	return k.Rules, r, err
}

// Enter corrects a result, or enters one that no match has told.
func (b *Book) Enter(id, who string, e league.Entry) error {
	k, err := b.read(id)
	if err != nil {
		return err
	}
	return b.add(k, league.Event{At: b.clock().UTC(), Who: who, Result: &e})
}

// Turn has a player come, go, or come back.
func (b *Book) Turn(id, who string, p league.Player) error {
	p.Name = strings.TrimSpace(p.Name)
	if err := match.CheckNames([]string{p.Name}); err != nil {
		return err
	}
	k, err := b.read(id)
	if err != nil {
		return err
	}
	return b.add(k, league.Event{At: b.clock().UTC(), Who: who, Player: &p})
}
