package rules

import (
	"fmt"
	"strings"

	"diceref/table"
)

// Stands says how a board stands where nothing explains how it came to: the players say
// that it is so, and play goes on from there. Nature's move, for the games with a board.
type Stands struct {
	Dice Board
	Next Player // whose turn it is; Nobody: whoever's it was
}

// Actor implements Move.
func (m Stands) Actor() Player { return Nature }

// String writes "stands c3=black5 d3=red4 next=B".
func (m Stands) String() string {
	words := []string{standsWord}
	for i, d := range m.Dice {
		if d.Color != table.NoColor {
			words = append(words, fmt.Sprintf("%s=%s%d", table.SquareAt(i), d.Color, d.Face))
		}
	}
	if m.Next != Nobody {
		words = append(words, nextWord+m.Next.String())
	}
	return strings.Join(words, " ")
}

const (
	standsWord = "stands"
	nextWord   = "next="
)

// MarshalJSON writes {"action":"stands","dice":{"c3":"black 5"}}.
func (m Stands) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteString(`{"action":"stands","dice":{`)
	comma := ""
	for i, d := range m.Dice {
		if d.Color != table.NoColor {
			fmt.Fprintf(&b, `%s"%s":"%s %d"`, comma, table.SquareAt(i), d.Color, d.Face)
			comma = ","
		}
	}
	b.WriteString("}}")
	return []byte(b.String()), nil
}

// ParseStands reads what Stands.String writes; ok is false for other acts.
func ParseStands(text string) (m Stands, ok bool, err error) {
	words := strings.Fields(text)
	m.Next = Nobody
	if len(words) == 0 || words[0] != standsWord {
		return m, false, nil
	}
	for _, w := range words[1:] {
		if who, is := strings.CutPrefix(w, nextWord); is {
			if m.Next, err = ParsePlayer(who); err != nil {
				return m, true, err
			}
			continue
		}
		if err := m.add(w); err != nil {
			return m, true, err
		}
	}
	return m, true, nil
}

// add reads one die, such as c3=black5.
func (m *Stands) add(word string) error {
	at, what, _ := strings.Cut(word, "=")
	sq, err := ParseSquare(at)
	if err != nil {
		return err
	}
	n := len(what) - 1
	if n < 1 || face(what[n]) == 0 {
		return fmt.Errorf("cannot read the die %.20q (expected one such as red4)", what)
	}
	c, err := table.ParseColor(what[:n])
	if err != nil {
		return err
	}
	if m.Dice[sq.Index()].Color != table.NoColor {
		return fmt.Errorf("two dice on %s", sq)
	}
	m.Dice[sq.Index()] = table.Die{Color: c, Face: face(what[n])}
	return nil
}

// Check refuses a board that the game's dice cannot make, and a player whom it has not.
func (m Stands) Check(g table.Game, players int) error {
	if m.Next != Nobody && (m.Next < 0 || players > 0 && int(m.Next) >= players) {
		return fmt.Errorf("%s is not a player of this match", m.Next)
	}
	kit, n := g.Kit().Dice, map[table.Color]int{}
	for i, d := range m.Dice {
		if d.Color == table.NoColor {
			continue
		}
		if n[d.Color]++; n[d.Color] > kit[d.Color] {
			return fmt.Errorf("%d %s dice, but the game has %d", n[d.Color], d.Color, kit[d.Color])
		}
		if d.Face < 1 || d.Face > 6 {
			return fmt.Errorf("the die on %s has no face", table.SquareAt(i))
		}
	}
	return nil
}
