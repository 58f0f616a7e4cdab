package dicecreams

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Kind is what sort of act a Move is.
type Kind uint8

// The acts. Draw, Roll and Reveal are what the pouch, the dice and the deck decide.
const (
	Draw    Kind = iota // dice from the pouch onto the Fridge, rolled
	Take                // one Fridge die, placed at once
	Discard             // one Fridge die set aside for a Sprinkle
	Bump                // Sprinkles change a placed die
	Buy                 // two Sprinkles for one more die
	Roll                // the die that a bonus or two Sprinkles draw
	Set                 // places the drawn die, or sets it aside
	Reveal              // the card that fills the display
	Gain                // Sprinkles of a bonus
	Serve               // a token on a Customer
	Away                // a completed card and its dice
	Second              // the second token, or none
	Done                // ends the own draft step
	Melt                // every placed die with what it shows now
	Toss                // discards an IceCream without dice
	Clean               // the last dice go, the first player token moves
	Find                // what is learned of a drawn die that nobody had seen
)

var kindNames = [...]string{
	"draw", "take", "discard", "bump", "buy", "roll", "set", "reveal",
	"gain", "serve", "away", "second", "done", "melt", "toss", "clean", "find",
}

// String is the act's name, as worked cases and the notation write it.
func (k Kind) String() string { return kindNames[k] }

// None is the destination or the Customer that is none.
const None = "none"

// Aside is where a drawn die goes that is not placed.
const Aside = "aside"

// Move is one act.
type Move struct {
	Seat  rules.Player // Nature for Draw, Roll, Reveal and Find
	Kind  Kind
	Die   table.Die    // Take, Discard, Roll: the die as it lay or fell; Find: what is known of it now
	Card  string       // the card it is about; for Take and Set where the die goes: "" nowhere, Aside
	Spot  int          // on that card, from 0
	Delta int          // pips bought with Sprinkles
	Top   int          // what the placed die shows, 0: what it should
	Count int          // Gain: Sprinkles
	Next  rules.Player // Clean: who leads next
	// List holds the dice of a Draw ("green4,blue1,?": one was not seen), the values of a Melt
	// ("mint-1.0=3 mint-1.2=-"), or the Customers of Serve and Second ("Ada", "Ada,Ben", "none").
	List string
}

// Actor is who acts.
func (m Move) Actor() rules.Player { return m.Seat }

// String is the notation: "nature draw green4,blue1", "A take green4 mint-1.0 +1",
// "A discard blue1", "A bump mint-1.0 -1", "A buy", "nature roll green4",
// "A set mint-1.0", "A set aside", "nature reveal mint-1", "A gain 1", "A serve Ada",
// "A away mint-1", "A second none", "A done", "A melt mint-1.0=3", "A toss mint-1", "A clean B",
// "nature find green4", or "nature find green?" where its color alone is known.
func (m Move) String() string {
	b := append(make([]byte, 0, 40), m.Seat.String()...)
	b = append(append(b, ' '), m.Kind.String()...)
	word := func(s string) { b = append(append(b, ' '), s...) }
	switch m.Kind {
	case Draw, Serve, Second, Melt:
		if m.List != "" {
			word(m.List)
		}
	case Take, Discard, Roll, Find:
		word(dieText(m.Die))
	case Reveal, Away, Toss:
		word(m.Card)
	case Gain:
		word(strconv.Itoa(m.Count))
	case Clean:
		word(m.Next.String())
	}
	if m.Kind != Take && m.Kind != Set && m.Kind != Bump || m.Card == "" {
		return string(b)
	}
	if m.Card == Aside {
		word(Aside)
	} else {
		word(m.Card + "." + strconv.Itoa(m.Spot))
	}
	if m.Delta != 0 {
		word(fmt.Sprintf("%+d", m.Delta))
	}
	if m.Top != 0 {
		word("=" + strconv.Itoa(m.Top))
	}
	return string(b)
}

// dieText names a die by what is known of it: "green4", "green?", "?".
func dieText(d table.Die) string {
	name := ""
	if d.Color != table.NoColor {
		name = d.Color.String()
	}
	if d.Face == 0 {
		return name + "?"
	}
	return name + strconv.Itoa(d.Face)
}

// parseDie reads "green4".
func parseDie(s string) (table.Die, error) {
	if n := len(s) - 1; n > 0 && s[n] >= '1' && s[n] <= '6' {
		for _, c := range scoring.Flavours {
			if c.String() == s[:n] {
				return table.Die{Color: c, Face: int(s[n] - '0')}, nil
			}
		}
	}
	return table.Die{}, fmt.Errorf("%.20q is not a Flavour (expected one of green, blue, yellow, black, orange and its value, such as green4)", s)
}

// parsePart reads a die of which not all may be known: "green4", "green?", "?".
func parsePart(s string) (table.Die, error) {
	name, part := strings.CutSuffix(s, "?")
	if !part {
		return parseDie(s)
	}
	if name == "" {
		return table.Die{}, nil
	}
	d, err := parseDie(name + "1")
	d.Face = 0
	return d, err
}

// parseDice reads "green4,blue1,?".
func parseDice(s string) ([]table.Die, error) {
	var dice []table.Die
	for _, w := range strings.Split(s, ",") {
		d, err := parsePart(w)
		if err != nil {
			return nil, err
		}
		dice = append(dice, d)
	}
	return dice, nil
}

// parseMove reads what String writes.
func parseMove(text string) (Move, error) {
	w := strings.Fields(text)
	if len(w) < 2 {
		return Move{}, fmt.Errorf("cannot read the move %.60q (expected a player and an act such as %q)", text, "A discard green4")
	}
	m := Move{Seat: rules.Nature}
	if w[0] != rules.Nature.String() {
		var err error
		if m.Seat, err = rules.ParsePlayer(w[0]); err != nil {
			return Move{}, err
		}
	}
	kind := -1
	for k, name := range kindNames {
		if name == w[1] {
			kind = k
		}
	}
	if kind < 0 {
		return Move{}, fmt.Errorf("unknown act %.30q (expected one of %s)", w[1], strings.Join(kindNames[:], ", "))
	}
	m.Kind = Kind(kind)
	if err := m.parseRest(w[2:]); err != nil {
		return Move{}, fmt.Errorf("cannot read the move %.60q: %w", text, err)
	}
	return m, nil
}

// words is how many words follow the act: at least and at most.
var words = map[Kind][2]int{
	Draw: {1, 1}, Take: {1, 4}, Discard: {1, 1}, Bump: {2, 2}, Buy: {0, 0}, Roll: {1, 1}, Set: {1, 3}, Find: {1, 1},
	Reveal: {1, 1}, Gain: {1, 1}, Serve: {1, 1}, Away: {1, 1}, Second: {1, 1}, Done: {0, 0}, Melt: {0, 200}, Toss: {1, 1}, Clean: {1, 1},
}

func (m *Move) parseRest(w []string) (err error) {
	if n := words[m.Kind]; len(w) < n[0] || len(w) > n[1] {
		return fmt.Errorf("%v takes %d to %d words more, not %d", m.Kind, n[0], n[1], len(w))
	}
	switch m.Kind {
	case Draw:
		m.List = w[0]
		_, err = parseDice(w[0])
		return err
	case Find:
		m.Die, err = parsePart(w[0])
		return err
	case Serve, Second, Melt:
		m.List = strings.Join(w, " ")
		return nil
	case Reveal, Away, Toss:
		m.Card = w[0]
		return nil
	case Gain:
		if m.Count, err = strconv.Atoi(w[0]); err != nil {
			return fmt.Errorf("%.20q is not a number", w[0])
		}
		return nil
	case Clean:
		m.Next, err = rules.ParsePlayer(w[0])
		return err
	case Take, Discard, Roll:
		if m.Die, err = parseDie(w[0]); err != nil {
			return err
		}
		w = w[1:]
	}
	return m.parsePlace(w)
}

// parsePlace reads "mint-1.0 +1 =5" or "aside".
func (m *Move) parsePlace(w []string) (err error) {
	if len(w) == 0 {
		return nil
	}
	if w[0] == Aside {
		m.Card = Aside
	} else {
		card, spot, ok := strings.Cut(w[0], ".")
		if m.Spot, err = strconv.Atoi(spot); err != nil || !ok || card == "" {
			return fmt.Errorf("%.40q is not a spot (expected a card and a spot from 0 such as mint-1.0)", w[0])
		}
		m.Card = card
	}
	for _, s := range w[1:] {
		switch {
		case s[0] == '=' && len(s) == 2 && s[1] >= '1' && s[1] <= '6':
			m.Top = int(s[1] - '0')
		case s[0] == '+' || s[0] == '-':
			if m.Delta, err = strconv.Atoi(s); err != nil {
				return fmt.Errorf("%.20q is not a number of pips", s)
			}
		default:
			return fmt.Errorf("%.20q is neither pips bought (+1) nor a value seen (=5)", s)
		}
	}
	return nil
}

// MarshalJSON writes the act in the keys of the worked cases.
func (m Move) MarshalJSON() ([]byte, error) {
	v := map[string]any{"action": m.Kind.String()}
	switch m.Kind {
	case Draw:
		v["dice"] = strings.Split(m.List, ",")
	case Take, Discard, Roll, Find:
		v["die"] = dieText(m.Die)
	case Reveal, Away, Toss:
		v["card"] = m.Card
	case Gain:
		v["sprinkles"] = m.Count
	case Serve, Second:
		v["customers"] = strings.Split(m.List, ",")
	case Melt:
		v["values"] = strings.Fields(m.List)
	case Clean:
		v["next"] = m.Next.String()
	}
	if m.Kind == Take || m.Kind == Set || m.Kind == Bump {
		if m.Card == Aside {
			v["to"] = Aside
		} else if m.Card != "" {
			v["to"] = []any{m.Card, m.Spot}
		}
		if m.Delta != 0 {
			v["sprinkle_delta"] = m.Delta
		}
		if m.Top != 0 {
			v["top"] = m.Top
		}
	}
	return json.Marshal(v)
}
