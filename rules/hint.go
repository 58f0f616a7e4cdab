package rules

import (
	"strings"

	"diceref/table"
)

// Hint is one thing that is worth a look now, for those who ask for help: "red 4
// fits on d3 and e2". It says what the rules allow, not what is wise; for that ask
// a Suggester.
type Hint struct {
	Key    string      `json:"key"`              // what sort of hint; each game's Hints lists its own
	Dice   []table.Die `json:"dice,omitempty"`   // what it is about: any one of them, or all; color "" or face 0 where it does not matter
	From   []string    `json:"from,omitempty"`   // where those are now: squares (c3) or players (B)
	To     []string    `json:"to,omitempty"`     // where they may go, or what is meant: squares (c3) or spots of cards (mint-1.0)
	For    string      `json:"for,omitempty"`    // what it counts for: a dessert's letter, a Customer, a player
	Points int         `json:"points,omitempty"` // what it brings, or comes to
	Acts   []string    `json:"acts,omitempty"`   // legal acts that do it: one for each of To in that order, or one
	Text   string      `json:"text"`             // the same in English, without a full stop
}

// Hinter is a state that can point out what is worth a look.
type Hinter interface {
	// Hints is for the player whose turn it is, the most worth first, never what others keep
	// secret; empty where there is nothing to point out.
	Hints() []Hint
}

// mostHints is how many hints are of help at once.
const mostHints = 16

// FewHints keeps the first of a list that may be long.
func FewHints(list []Hint) []Hint { return list[:min(len(list), mostHints)] }

// And lists names in a sentence: "d3, e1 and e2".
func And(names []string) string {
	n := len(names) - 1
	if n < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n], ", ") + " and " + names[n]
}
