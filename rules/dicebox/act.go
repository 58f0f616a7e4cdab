package dicebox

import (
	"encoding/json"
	"fmt"
	"strings"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Kind is what somebody did.
type Kind uint8

// The acts of Dice Box. Seed and Hand are nature's: they say what was rolled.
const (
	Place  Kind = iota // a die from the hand onto the grid
	Reroll             // all own dice
	Pass               // which is right only without dice
	Shift              // a die on the grid was moved, or turned where it lies: never allowed
	Draft              // four players: one die of a color is chosen before the game
	Seed               // the Seed was rolled and lies in the center
	Hand               // what a player's dice show
)

// Act is a move of Dice Box, legal or not. Acts are comparable values.
type Act struct {
	By   rules.Player
	Kind Kind
	// Die is, for Place, the die as it was seen to arrive; for Shift what is on To
	// afterwards; for Seed the Seed; for Draft only the color counts; for Reroll and Pass a
	// die that was seen in the hand before, if any.
	Die      table.Die
	Named    int // Place: the value that the player named, 0 for that of Die
	From, To table.Square
	Dice     Dice         // Reroll: the outcome, if Known; Hand: all of them
	Known    bool         // Reroll: Dice is the outcome
	Of       rules.Player // Hand: whose
}

// Dice counts dice by color (in the order RYBW) and face.
type Dice [4][7]int8

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
				s = append(s, word(table.Die{Color: scoring.BoxColors[c], Face: f}))
			}
		}
	}
	return s
}

const letters = "RYBW"

// seedColor is the color the Seed shows.
const seedColor = table.Black

var center = table.Square{Row: 2, Col: 2}

// word writes a die: R4, or S4 for the Seed.
func word(d table.Die) string {
	letter := byte('S')
	if i := scoring.BoxColor(d.Color); i >= 0 {
		letter = letters[i]
	} else if d.Color != seedColor {
		letter = '?'
	}
	return string([]byte{letter, '0' + byte(d.Face)})
}

// Actor is who acts; Nature for what was rolled.
func (a Act) Actor() rules.Player { return a.By }

// String writes the act: "A place R4 d3" ("named 5" if another value was named), "A reroll", "A reroll to R2 Y3",
// "A pass", "A shift c3 d3 R4", "A draft R", "seed 4", "hand A R1 Y3". "A reroll had Y4" and
// "A pass had Y4" name a die that was seen in the hand.
func (a Act) String() string {
	who := a.By.String()
	switch a.Kind {
	case Place:
		s := who + " place " + word(a.Die) + " " + a.To.String()
		if a.Named != 0 && a.Named != a.Die.Face {
			s += fmt.Sprintf(" named %d", a.Named)
		}
		return s
	case Reroll:
		if a.Known {
			return strings.TrimSpace(who + " reroll" + a.had() + " to " + strings.Join(a.Dice.list(), " "))
		}
		return who + " reroll" + a.had()
	case Shift:
		return who + " shift " + a.From.String() + " " + a.To.String() + " " + word(a.Die)
	case Draft:
		return who + " draft " + word(a.Die)[:1]
	case Seed:
		return fmt.Sprintf("seed %d", a.Die.Face)
	case Hand:
		return strings.TrimSpace("hand " + a.Of.String() + " " + strings.Join(a.Dice.list(), " "))
	}
	return who + " pass" + a.had()
}

// had writes the die that was seen in the hand before, if any.
func (a Act) had() string {
	if a.Die.Color == table.NoColor {
		return ""
	}
	return " had " + word(a.Die)
}

// MarshalJSON writes the act as `diceref watch` tells it; a reroll has no color or face.
func (a Act) MarshalJSON() ([]byte, error) {
	type wire struct {
		Action string        `json:"action"`
		From   *table.Square `json:"from,omitempty"`
		To     *table.Square `json:"to,omitempty"`
		Color  table.Color   `json:"color,omitempty"`
		Face   int           `json:"face,omitempty"`
		Of     string        `json:"of,omitempty"`
		Dice   []string      `json:"dice,omitempty"`
	}
	w := wire{Action: [...]string{"place", "reroll", "pass", "move", "draft", "seed", "hand"}[a.Kind]}
	switch a.Kind {
	case Place:
		w.To, w.Color, w.Face = &a.To, a.Die.Color, a.Die.Face
	case Shift:
		w.From, w.To, w.Color, w.Face = &a.From, &a.To, a.Die.Color, a.Die.Face
		if a.From == a.To {
			w.Action, w.From = "turn", nil
		}
	case Draft:
		w.Color = a.Die.Color
	case Seed:
		w.To, w.Color, w.Face = &center, a.Die.Color, a.Die.Face
	case Hand:
		w.Of, w.Dice = a.Of.String(), a.Dice.list()
	}
	return json.Marshal(w)
}

// parseAct reads what Act.String writes.
func parseAct(text string) (Act, error) {
	f := strings.Fields(text)
	bad := func(want string) (Act, error) {
		return Act{}, fmt.Errorf("cannot read the act %.80q (expected %s)", text, want)
	}
	if len(f) < 2 {
		return bad("a player and what they did, such as A place R4 d3")
	}
	switch f[0] {
	case "seed":
		face := oneFace(f[1])
		if face == 0 || len(f) != 2 {
			return bad("seed 1 to seed 6")
		}
		return Act{By: rules.Nature, Kind: Seed, Die: table.Die{Color: seedColor, Face: face}, To: center}, nil
	case "hand":
		of, err := rules.ParsePlayer(f[1])
		if err != nil {
			return Act{}, err
		}
		d, err := parseDice(f[2:])
		return Act{By: rules.Nature, Kind: Hand, Of: of, Dice: d}, err
	}
	by, err := rules.ParsePlayer(f[0])
	if err != nil {
		return Act{}, err
	}
	return parsePlayers(Act{By: by}, f[1], f[2:], bad)
}

func parsePlayers(a Act, verb string, args []string, bad func(string) (Act, error)) (Act, error) {
	var err error
	if (verb == "pass" || verb == "reroll") && len(args) > 1 && args[0] == "had" {
		if a.Die, err = parseDie(args[1]); err != nil {
			return Act{}, err
		}
		args = args[2:]
	}
	switch {
	case verb == "pass" && len(args) == 0:
		a.Kind = Pass
	case verb == "reroll" && len(args) == 0:
		a.Kind = Reroll
	case verb == "reroll" && args[0] == "to":
		a.Kind, a.Known = Reroll, true
		a.Dice, err = parseDice(args[1:])
	case verb == "place" && (len(args) == 2 || len(args) == 4 && args[2] == "named"):
		if len(args) == 4 {
			if a.Named = oneFace(args[3]); a.Named == 0 {
				return bad("a face from 1 to 6 after named")
			}
		}
		if a.Die, err = parseDie(args[0]); err == nil {
			a.To, err = rules.ParseSquare(args[1])
		}
	case verb == "shift" && len(args) == 3:
		a.Kind = Shift
		if a.From, err = rules.ParseSquare(args[0]); err != nil {
			return Act{}, err
		}
		if a.To, err = rules.ParseSquare(args[1]); err == nil {
			a.Die, err = parseDie(args[2])
		}
	case verb == "draft" && len(args) == 1 && len(args[0]) == 1 && strings.Contains(letters, args[0]):
		a.Kind = Draft
		a.Die.Color = scoring.BoxColors[strings.Index(letters, args[0])]
	default:
		return bad("place R4 d3, reroll, reroll to R2 Y3, pass, shift c3 d3 R4 or draft R")
	}
	if err != nil {
		return Act{}, err
	}
	return a, nil
}

func oneFace(s string) int {
	if len(s) == 1 && s[0] >= '1' && s[0] <= '6' {
		return int(s[0] - '0')
	}
	return 0
}

// parseDie reads a die of this game, such as R3, or S3 for the Seed.
func parseDie(s string) (table.Die, error) {
	t, err := rules.ParseToken(s)
	if err != nil {
		return table.Die{}, err
	}
	return dieOf(t)
}

// dieOf turns a token into a die of this game.
func dieOf(t rules.Token) (table.Die, error) {
	if t.Letter == 'S' && t.Face != 0 {
		return table.Die{Color: seedColor, Face: t.Face}, nil
	}
	i := strings.IndexByte(letters, t.Letter)
	if i < 0 || t.Face == 0 {
		return table.Die{}, fmt.Errorf("%s is not a die of Dice Box (expected a color of R, Y, B, W or S for the Seed, and a face)", t)
	}
	return table.Die{Color: scoring.BoxColors[i], Face: t.Face}, nil
}

// parseDice reads dice of a hand, which the Seed is never part of.
func parseDice(words []string) (Dice, error) {
	var d Dice
	if len(words) > 100 {
		return d, fmt.Errorf("%d dice are too many", len(words))
	}
	for i, w := range words {
		die, err := parseDie(w)
		if err == nil && die.Color == seedColor {
			err = fmt.Errorf("%s is the Seed, which is in no hand", w)
		}
		if err != nil {
			return d, fmt.Errorf("die %d: %w", i, err)
		}
		d[scoring.BoxColor(die.Color)][die.Face]++
	}
	return d, nil
}

// Places implements rules.Placement.
func (a Act) Places() (table.Die, bool) { return a.Die, a.Kind == Place }

// Leaves implements rules.Placement.
func (a Act) Leaves() (table.Square, bool) { return a.From, a.Kind == Shift }

// Rolls implements rules.Placement.
func (a Act) Rolls() bool { return a.Kind == Reroll }

// Choices implements rules.Placement.
func (a Act) Choices(_ rules.State, breach bool) float64 {
	const places, anywhere, rolls = 40, 800, 100
	switch {
	case a.Kind == Reroll && breach:
		return rolls
	case a.Kind == Reroll:
		return 1
	case breach:
		return anywhere
	}
	return places
}

// Disturbs implements rules.Placement.
func (a Act) Disturbs() bool { return a.Kind == Shift }

// Owned implements rules.Placement.
func (a Act) Owned() bool { return true }
