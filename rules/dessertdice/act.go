package dessertdice

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"diceref/rules"
	"diceref/table"
)

// Kind is what somebody did.
type Kind uint8

// The acts of Dessert Dice. Supply and Card are no acts of a player's turn: they
// say what the camera or the players know of the supply and of the cards.
const (
	Place  Kind = iota // a die from the supply onto the board
	Tip                // a die from square to square, the rulebook's "move"
	Pass               // nothing, which is never allowed
	Turn               // a die on the board shows another top without having moved, which is never allowed
	Supply             // nature: what is in the supply
	Card               // a player's card is turned over at the end
)

// Act is a move of Dessert Dice, legal or not. Acts are comparable values.
type Act struct {
	By   rules.Player
	Kind Kind
	// Die is, for Place, the die as it was named in the supply; for Tip and Turn the
	// color that arrived (NoColor: not told) with the top it shows (0: not told).
	Die      table.Die
	Top      int // Place: the top that was seen, 0 for that of Die
	From, To table.Square
	Supply   Dice // Supply: every die of it
	Card     byte // Card: one of scoring.DessertLetters
}

// Dice counts dice by color (in the order RYGPK) and face.
type Dice [5][7]uint8

// Count is the number of dice.
func (d *Dice) Count() int {
	n := 0
	for c := range d {
		n += d.ofColor(c)
	}
	return n
}

func (d *Dice) ofColor(c int) int {
	n := 0
	for _, k := range d[c] {
		n += int(k)
	}
	return n
}

// list writes the dice as letters and faces, sorted.
func (d *Dice) list() []string {
	s := []string{}
	for c := range d {
		for f, k := range d[c] {
			for range k {
				s = append(s, word(table.Die{Color: colors[c], Face: f}))
			}
		}
	}
	return s
}

var (
	colors  = [5]table.Color{table.Red, table.Yellow, table.Green, table.Purple, table.Black}
	letters = "RYGPK"
	kit     = [5]int{6, 6, 6, 6, 1}
)

// colorIndex is the color's place in colors, -1 if the game has no such dice.
func colorIndex(c table.Color) int {
	for i := range colors {
		if colors[i] == c {
			return i
		}
	}
	return -1
}

func word(d table.Die) string {
	i := colorIndex(d.Color)
	if i < 0 {
		return fmt.Sprintf("?%d", d.Face)
	}
	return string([]byte{letters[i], '0' + byte(d.Face)})
}

// Actor is who acts.
func (a Act) Actor() rules.Player { return a.By }

// top is the face that the die shows after the act, 0 if not told.
func (a Act) top() int {
	if a.Kind == Place && a.Top != 0 {
		return a.Top
	}
	return a.Die.Face
}

// String writes the act: "A place R3 e1" ("as 5" if it arrived with another top),
// "B move c3 d3 R4", "B move c3 d3", "A pass", "A turn c3 R4", "supply R3 R5 ...", "A card J".
func (a Act) String() string {
	who := a.By.String()
	switch a.Kind {
	case Place:
		s := who + " place " + word(a.Die) + " " + a.To.String()
		if a.Top != 0 && a.Top != a.Die.Face {
			s += fmt.Sprintf(" as %d", a.Top)
		}
		return s
	case Tip:
		s := who + " move " + a.From.String() + " " + a.To.String()
		switch {
		case a.Die.Color != table.NoColor:
			s += " " + word(a.Die)
		case a.Die.Face != 0:
			s += fmt.Sprintf(" %d", a.Die.Face)
		}
		return s
	case Turn:
		return who + " turn " + a.To.String() + " " + word(a.Die)
	case Supply:
		return strings.TrimSpace("supply " + strings.Join(a.Supply.list(), " "))
	case Card:
		return who + " card " + string(rune(a.Card))
	}
	return who + " pass"
}

// MarshalJSON writes the act as `diceref watch` tells it.
func (a Act) MarshalJSON() ([]byte, error) {
	type wire struct {
		Action string        `json:"action"`
		From   *table.Square `json:"from,omitempty"`
		To     *table.Square `json:"to,omitempty"`
		Color  table.Color   `json:"color,omitempty"`
		Face   int           `json:"face,omitempty"`
		Dice   []string      `json:"dice,omitempty"`
		Card   string        `json:"card,omitempty"`
	}
	w := wire{Action: [...]string{"place", "move", "pass", "turn", "supply", "card"}[a.Kind]}
	switch a.Kind {
	case Place, Turn:
		w.To, w.Color, w.Face = &a.To, a.Die.Color, a.top()
	case Tip:
		w.From, w.To, w.Color, w.Face = &a.From, &a.To, a.Die.Color, a.Die.Face
	case Supply:
		w.Dice = a.Supply.list()
	case Card:
		w.Card = string(rune(a.Card))
	}
	return json.Marshal(w)
}

// parseAct reads what Act.String writes.
func parseAct(text string) (Act, error) {
	f := strings.Fields(text)
	bad := func(want string) (Act, error) {
		return Act{}, fmt.Errorf("cannot read the act %.80q (expected %s)", text, want)
	}
	if len(f) > 0 && f[0] == "supply" {
		d, err := parseDice(f[1:])
		return Act{By: rules.Nature, Kind: Supply, Supply: d}, err
	}
	if len(f) < 2 {
		return bad("a player and what they did, such as A place R3 e1")
	}
	by, err := rules.ParsePlayer(f[0])
	if err != nil {
		return Act{}, err
	}
	a, args := Act{By: by}, f[2:]
	switch f[1] {
	case "pass":
		a.Kind = Pass
		if len(args) != 0 {
			return bad("A pass")
		}
	case "place":
		return parsePlace(a, args, bad)
	case "move":
		return parseTip(a, args, bad)
	case "turn":
		if len(args) != 2 {
			return bad("A turn c3 R4")
		}
		a.Kind = Turn
		if a.To, err = rules.ParseSquare(args[0]); err == nil {
			a.Die, err = parseDie(args[1])
		}
	case "card":
		if len(args) != 1 || len(args[0]) != 1 || !strings.Contains("JSPI", args[0]) {
			return bad("A card J, or S, P, I")
		}
		a.Kind, a.Card = Card, args[0][0]
	default:
		return bad("place, move, pass, turn, card or supply")
	}
	return a, err
}

func parsePlace(a Act, args []string, bad func(string) (Act, error)) (Act, error) {
	if len(args) != 2 && (len(args) != 4 || args[2] != "as") {
		return bad("A place R3 e1, or A place R3 e1 as 5")
	}
	var err error
	if a.Die, err = parseDie(args[0]); err != nil {
		return Act{}, err
	}
	if a.To, err = rules.ParseSquare(args[1]); err != nil {
		return Act{}, err
	}
	if len(args) == 4 {
		if a.Top = oneFace(args[3]); a.Top == 0 {
			return bad("a face from 1 to 6 after as")
		}
	}
	return a, nil
}

func parseTip(a Act, args []string, bad func(string) (Act, error)) (Act, error) {
	if len(args) != 2 && len(args) != 3 {
		return bad("A move c3 d3 R4")
	}
	a.Kind = Tip
	var err error
	if a.From, err = rules.ParseSquare(args[0]); err != nil {
		return Act{}, err
	}
	if a.To, err = rules.ParseSquare(args[1]); err != nil {
		return Act{}, err
	}
	if len(args) == 3 {
		if a.Die.Face = oneFace(args[2]); a.Die.Face == 0 {
			a.Die, err = parseDie(args[2])
		}
	}
	return a, err
}

func oneFace(s string) int {
	if len(s) == 1 && s[0] >= '1' && s[0] <= '6' {
		return int(s[0] - '0')
	}
	return 0
}

// parseDie reads a die of this game, such as R3.
func parseDie(s string) (table.Die, error) {
	t, err := rules.ParseToken(s)
	if err != nil {
		return table.Die{}, err
	}
	return dieOf(t)
}

// dieOf turns a token into a die of this game.
func dieOf(t rules.Token) (table.Die, error) {
	i := strings.IndexByte(letters, t.Letter)
	if i < 0 || t.Letter == 0 || t.Face == 0 {
		return table.Die{}, fmt.Errorf("%s is not a die of Dessert Dice (expected a color of R, Y, G, P, K and a face)", t)
	}
	return table.Die{Color: colors[i], Face: t.Face}, nil
}

func parseDice(words []string) (Dice, error) {
	var d Dice
	if len(words) > 250 {
		return d, fmt.Errorf("%d dice are too many", len(words))
	}
	for i, w := range words {
		die, err := parseDie(w)
		if err != nil {
			return d, fmt.Errorf("die %d: %w", i, err)
		}
		d[colorIndex(die.Color)][die.Face]++
	}
	return d, nil
}

// Places implements rules.Placement.
func (a Act) Places() (table.Die, bool) { return a.Die, a.Kind == Place }

// Leaves implements rules.Placement.
func (a Act) Leaves() (table.Square, bool) { return a.From, a.Kind == Tip }

// Rolls implements rules.Placement.
func (a Act) Rolls() bool { return false }

// Choices implements rules.Placement.
func (a Act) Choices(at rules.State, breach bool) float64 {
	const tips, slides, near, places, anywhere, swaps = 40, 60, 150, 300, 800, 8000
	switch {
	case a.Kind == Tip && breach && a.swaps(at):
		return swaps // which die comes and which one goes
	case a.Kind == Tip && !breach:
		return tips
	case a.Kind == Tip && slices.Contains(rules.Around(a.From), a.To):
		if s, ok := at.(*State); ok && s.dice()[a.From.Index()] == a.Die {
			return slides
		}
		return near // turned on the way
	case breach:
		return anywhere
	}
	return places
}

// swaps says whether another die arrives than the one that leaves.
func (a Act) swaps(at rules.State) bool {
	s, ok := at.(*State)
	return ok && s.board[a.From.Index()].color != a.Die.Color
}

// Disturbs implements rules.Placement.
func (a Act) Disturbs() bool { return a.Kind == Turn }

// Owned implements rules.Placement.
func (a Act) Owned() bool { return false }
