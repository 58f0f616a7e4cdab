package fromage

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"diceref/rules"
	"diceref/scoring"
)

// Kind is what sort of act a Move is.
type Kind uint8

// The acts of a turn.
const (
	Roll Kind = iota
	Keep
	Steal
	Compensate
	Fromage
	End
)

var kindNames = [...]string{"roll", "keep", "steal", "compensate", "fromage", "end"}

// String is the act's name, as worked cases and the notation write it.
func (k Kind) String() string { return kindNames[k] }

func parseKind(name string) (Kind, bool) {
	for k, n := range kindNames {
		if n == name {
			return Kind(k), true
		}
	}
	return 0, false
}

// stranger stands for a player who does not sit at the table.
const stranger rules.Player = -3

// Take is one die taken for a Fromage.
type Take struct {
	From rules.Player
	Face int
}

// maxTakes is how many takes a Move keeps; a Fromage has two.
const maxTakes = 4

// Move is one act of a turn.
type Move struct {
	Seat rules.Player
	Kind Kind
	// Dice are the dice rolled, kept, stolen or taken from the Cart, the set of a
	// Fromage, or what went back at the end.
	Dice  scoring.Faces
	From  rules.Player   // who is robbed (Steal)
	Takes [maxTakes]Take // Fromage
	NTake int            // how many takes were named, also beyond maxTakes
	// Points are the points taken as an answer, or what the player says the
	// returned dice earned; 0 is an answer too, so Pointed says whether any were named.
	Points   int
	Pointed  bool
	Returned bool // End names in Dice what went back
}

// Actor is who acts.
func (m Move) Actor() rules.Player { return m.Seat }

// String is the notation: "B roll 11236", "B keep 11", "B steal A 22",
// "A compensate 11", "A compensate 2 points", "B fromage A2 C5 112255", "B end",
// "B end 111222 claims 6"; a dash stands for no dice.
func (m Move) String() string {
	var b strings.Builder
	b.WriteString(m.Seat.String())
	b.WriteByte(' ')
	b.WriteString(m.Kind.String())
	switch m.Kind {
	case Steal:
		b.WriteByte(' ')
		b.WriteString(m.From.String())
	case Fromage:
		for _, t := range m.Takes[:min(m.NTake, maxTakes)] {
			fmt.Fprintf(&b, " %v%d", t.From, t.Face)
		}
	}
	switch {
	case m.Kind == Compensate && m.Pointed && m.Dice.Len() == 0:
	case m.Kind == End && !m.Returned:
	default:
		b.WriteByte(' ')
		b.WriteString(digits(m.Dice))
	}
	switch {
	case !m.Pointed:
	case m.Kind == Compensate:
		fmt.Fprintf(&b, " %d points", m.Points)
	case m.Kind == End:
		fmt.Fprintf(&b, " claims %d", m.Points)
	}
	return b.String()
}

func digits(f scoring.Faces) string {
	if f.Len() == 0 {
		return "-"
	}
	s := make([]byte, 0, 8)
	for face := 1; face <= 6; face++ {
		for range f[face] {
			s = append(s, '0'+byte(face))
		}
	}
	return string(s)
}

func parseDigits(s string) (f scoring.Faces, err error) {
	if s == "-" {
		return f, nil
	}
	if len(s) > Dice {
		return f, fmt.Errorf("%.30q is more than %d dice", s, Dice)
	}
	for i := range len(s) {
		if s[i] < '1' || s[i] > '6' {
			return f, fmt.Errorf("%.30q is not a list of dice (expected faces 1 to 6 such as 1126)", s)
		}
		f[s[i]-'0']++
	}
	return f, nil
}

// parseMove reads what String writes.
func parseMove(text string) (Move, error) {
	w := strings.Fields(text)
	if len(w) < 2 {
		return Move{}, fmt.Errorf("cannot read the move %.60q (expected a player and an act such as %q)", text, "B keep 11")
	}
	seat, err := rules.ParsePlayer(w[0])
	if err != nil {
		return Move{}, err
	}
	kind, ok := parseKind(w[1])
	if !ok {
		return Move{}, fmt.Errorf("unknown act %.30q (expected one of %s)", w[1], strings.Join(kindNames[:], ", "))
	}
	m := Move{Seat: seat, Kind: kind}
	if err := m.parseRest(w[2:]); err != nil {
		return Move{}, fmt.Errorf("cannot read the move %.60q: %w", text, err)
	}
	return m, nil
}

func (m *Move) parseRest(w []string) (err error) {
	if m.Kind == Steal {
		if len(w) == 0 {
			return fmt.Errorf("a steal names the player robbed")
		}
		if m.From, err = rules.ParsePlayer(w[0]); err != nil {
			return err
		}
		w = w[1:]
	}
	for m.Kind == Fromage && len(w) > 0 && len(w[0]) == 2 && w[0][0] >= 'A' {
		if m.NTake == maxTakes {
			return fmt.Errorf("a Fromage takes two dice, not more than %d", maxTakes)
		}
		t := &m.Takes[m.NTake]
		if t.From, err = rules.ParsePlayer(w[0][:1]); err != nil {
			return err
		}
		if t.Face = int(w[0][1] - '0'); t.Face < 1 || t.Face > 6 {
			return fmt.Errorf("%q names no face from 1 to 6", w[0])
		}
		m.NTake++
		w = w[1:]
	}
	if n := len(w); n >= 2 && m.Kind == Compensate && w[n-1] == "points" {
		m.Pointed = true
		if m.Points, err = strconv.Atoi(w[n-2]); err != nil {
			return fmt.Errorf("%.20q is not a number of points", w[n-2])
		}
		w = w[:n-2]
		if len(w) == 0 {
			return nil
		}
	} else if n >= 2 && m.Kind == End && w[n-2] == "claims" {
		m.Pointed = true
		if m.Points, err = strconv.Atoi(w[n-1]); err != nil {
			return fmt.Errorf("%.20q is not a number of points", w[n-1])
		}
		w = w[:n-2]
	}
	if m.Kind == End && len(w) == 0 {
		return nil
	}
	if len(w) != 1 {
		return fmt.Errorf("it wants one list of dice such as 1126, or - for none")
	}
	m.Returned = m.Kind == End
	m.Dice, err = parseDigits(w[0])
	return err
}

// MarshalJSON writes the act in the keys of the worked cases, with seats for players.
func (m Move) MarshalJSON() ([]byte, error) {
	v := struct {
		Action string   `json:"action"`
		Dice   []int    `json:"dice,omitempty"`
		From   *string  `json:"from,omitempty"`
		Takes  [][2]any `json:"takes,omitempty"`
		Set    []int    `json:"set,omitempty"`
		Return *[]int   `json:"return,omitempty"`
		Points *int     `json:"points,omitempty"`
		Claim  *int     `json:"score_claim,omitempty"`
	}{Action: m.Kind.String()}
	dice := m.Dice.List()
	switch m.Kind {
	case Fromage:
		v.Set = dice
		for _, t := range m.Takes[:min(m.NTake, maxTakes)] {
			v.Takes = append(v.Takes, [2]any{t.From.String(), t.Face})
		}
	case End:
		if m.Returned {
			v.Return = &dice
		}
		if m.Pointed {
			v.Claim = &m.Points
		}
	case Steal:
		from := m.From.String()
		v.From, v.Dice = &from, dice
	default:
		v.Dice = dice
		if m.Pointed {
			v.Points = &m.Points
		}
	}
	return json.Marshal(v)
}
