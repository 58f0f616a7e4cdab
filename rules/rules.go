// Package rules is the contract that every game fulfills, and what follows from
// it for all of them: replaying, counting positions, and comparing what was
// seen with what is legal. Each game's rulebook is a package below this one.
package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"diceref/scoring"
	"diceref/table"
)

// Player is a seat, counted from 0 in turn order.
type Player int

// Two that are no seats.
const (
	Nature Player = -1 // the dice (or the bag) decide what comes next
	Nobody Player = -2 // the game is over
)

// Move is one act in a game's own terms. Moves are immutable values that marshal to
// the JSON of `diceref watch` ({"action":"place","to":[2,3],...}).
type Move interface {
	// Actor is who acts; Nature for a roll that was seen.
	Actor() Player
	// String is the move in the game's notation, which the game's ParseMove reads.
	String() string
}

// State is a position of a game, not necessarily a legal or a complete one.
// States are immutable: Apply returns a new one.
type State interface {
	// ToMove is whose act is awaited: a seat, Nature or Nobody.
	ToMove() Player
	// Legal lists the legal moves in a fixed order; complete is false where a
	// full list is impossible (where a flicked die comes to rest).
	Legal() (moves []Move, complete bool)
	// Propose returns lines of moves, legal or not, each of which would make the
	// table look as observed. It considers only readings with a square and those the game needs.
	Propose(seen table.Observation) [][]Move
	// Check returns nil for a legal move, else an Illegal with every reason at once.
	Check(Move) error
	// Apply plays a move whether or not it is legal: players may keep an illegal
	// move. The error is for moves that make no sense at all (no such die or player).
	Apply(Move) (State, error)
	// Score is one sheet per player, in seat order.
	Score() []scoring.Sheet
	// Expect is what should be on the table now.
	Expect() table.View
	// Show is the state as JSON-marshalable data for one player (Nobody: a
	// bystander); hidden cards of others are left out.
	Show(to Player) any
}

// Reason is one cause of illegality. Whoever looks for what may be played meets far more of
// them than anybody reads, so that the sentence is made only when it is read.
type Reason struct {
	Code   string        // of RULES.md, for example BX-VALUE
	Square *table.Square // where, if anywhere
	format string
	args   []any
}

// Text is one sentence that names the die and the square.
func (r Reason) Text() string { return fmt.Sprintf(r.format, r.args...) }

// Illegal is the error of an illegal move: every reason that applies, the first one first.
type Illegal []Reason

// Error joins the reasons' sentences.
func (e Illegal) Error() string {
	s := make([]string, len(e))
	for i, r := range e {
		s[i] = r.Text()
	}
	return strings.Join(s, " ")
}

// Code is the code of the first reason.
func (e Illegal) Code() string {
	if len(e) == 0 {
		return ""
	}
	return e[0].Code
}

// Codes lists every reason's code in order.
func (e Illegal) Codes() []string {
	s := make([]string, len(e))
	for i, r := range e {
		s[i] = r.Code
	}
	return s
}

// Note adds a reason; of each code only the first counts. The order is that of RULES.md 0.3.
func (e *Illegal) Note(code string, sq *table.Square, format string, args ...any) {
	if false {
		_ = fmt.Sprintf(format, args...) // has go vet look at the formats
	}
	if !slices.ContainsFunc(*e, func(old Reason) bool { return old.Code == code }) {
		*e = append(*e, Reason{Code: code, Square: sq, format: format, args: args})
	}
}

// Add notes a reason that is on no square.
func (e *Illegal) Add(code, format string, args ...any) { e.Note(code, nil, format, args...) }

// At notes a reason that is on a square.
func (e *Illegal) At(sq table.Square, code, format string, args ...any) {
	e.Note(code, &sq, format, args...)
}

// Err is what Check returns: nil where no reason was noted.
func (e Illegal) Err() error {
	if len(e) == 0 {
		return nil
	}
	return e
}

// Setup is what is agreed before the first move.
type Setup struct {
	Players int
	Options map[string]any // house rules by name, as given; see HouseRule
	// Owners gives each seat's colors (Dice Box); nil: the game's default.
	Owners [][]table.Color
	// Seed makes what the program itself decides (demo decks, random play) repeatable.
	Seed uint64
	// Files are what the owner filled in for a game whose printed parts the program
	// cannot know, by file name (cards.json and customers.json of DiceCreams!).
	Files map[string]json.RawMessage
}

// HouseRule is one switch of a game: a name, its default, and what it accepts.
type HouseRule struct {
	Name    string
	Default any
	Values  []any  // allowed values; empty: any of the default's type that Check accepts
	Text    string // what it changes, in one sentence

	// Check refuses a value of a rule without Values, with what is allowed; it may be nil.
	Check func(any) error `json:"-"`
}

// Game is a rulebook.
type Game interface {
	Name() table.Game
	HouseRules() []HouseRule
	// New sets up a match; it refuses unknown or ill-typed options by name.
	New(Setup) (State, error)
	// ParseMove reads the notation that Move.String writes.
	ParseMove(string) (Move, error)
}

// CheckPlayers refuses a number of players that the game does not allow.
func CheckPlayers(g table.Game, n int) error {
	p := g.Kit().Players
	if n < p[0] || n > p[1] {
		return fmt.Errorf("%s is for %d to %d players, not %d", g.Kit().Title, p[0], p[1], n)
	}
	return nil
}
