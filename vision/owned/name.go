package owned

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"diceref/table"
)

// Name is what a face shows, as its owner says: a number from "1" to "6", "burst", "none" (no top of a die), or one or
// several icons ("jello tart+popsicle"). The empty name is none that was given yet.
type Name string

// Names that are neither numbers nor icons.
const (
	Burst Name = "burst"
	NoDie Name = "none"
)

const (
	mostIcons = 4  // on one face
	mostWord  = 24 // letters of an icon's name
)

// icons are what is printed on a game's own dice, in the order of its faces where there is one for each. The sixth
// cheese is the face with six pips, and so on; a dessert is on more than one face.
var icons = map[table.Game][]string{
	table.DessertDice:   {"jello tart", "sweet roll", "popsicle", "ice cream"},
	table.FromageATrois: {"gouda", "swiss", "bleu", "cheddar", "american", "brie"},
}

// Icons are what is printed on a game's own dice; nil where its dice have numbers, or anything.
func Icons(game table.Game) []string { return icons[game] }

// ParseFace reads what somebody said that a face shows: a name, before which icons may have the number of the face that they are on.
func ParseFace(game table.Game, text string) (name Name, face int, err error) {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if n, err := strconv.Atoi(first); err == nil && strings.TrimSpace(rest) != "" && n >= 1 && n <= 6 {
		name, err = ParseName(game, rest)
		if err == nil && name.Icons() == nil {
			err = fmt.Errorf("only icons have the number of their face before them, not %q", rest)
		}
		return name, n, err
	}
	name, err = ParseName(game, text)
	return name, 0, err
}

// ParseName reads what somebody said that a face of a game's dice shows.
func ParseName(game table.Game, text string) (Name, error) {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	switch text {
	case "":
		return "", errors.New("say what it shows: a number from 1 to 6, burst, none (no die), or the icon's name")
	case string(Burst), "blast":
		return Burst, nil
	case string(NoDie), "no die":
		return NoDie, nil
	}
	if n, err := strconv.Atoi(text); err == nil {
		if n < 1 || n > 6 {
			return "", fmt.Errorf("a face has a number from 1 to 6, not %.10s", text)
		}
		return Name(strconv.Itoa(n)), nil
	}
	var words []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == '+' || r == ',' || r == '&' }) {
		word, err := parseIcon(game, strings.TrimSpace(word))
		if err != nil {
			return "", err
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if len(words) == 0 || len(words) > mostIcons {
		return "", fmt.Errorf("a face has 1 to %d icons, joined by +", mostIcons)
	}
	slices.Sort(words)
	return Name(strings.Join(words, "+")), nil
}

// parseIcon reads the name of one icon. Those of a game are told by their beginning.
func parseIcon(game table.Game, word string) (string, error) {
	known := icons[game]
	for _, k := range known {
		if word != "" && strings.HasPrefix(k, word) {
			return k, nil
		}
	}
	if known != nil {
		return "", table.Unknown("icon", word, known)
	}
	if word == "" || len(word) > mostWord || strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != ' ' && r != '-'
	}) {
		return "", fmt.Errorf("%.30q is no name for an icon: take up to %d letters, digits, spaces and hyphens", word, mostWord)
	}
	return word, nil
}

// number is the face that a name is by itself; false for icons, which are on faces that only their owner knows.
func (n Name) number(game table.Game) (int, bool) {
	if n == Burst {
		return 0, true
	}
	if face, err := strconv.Atoi(string(n)); err == nil {
		return face, true
	}
	if game == table.FromageATrois {
		if i := slices.Index(icons[game], string(n)); i >= 0 {
			return i + 1, true
		}
	}
	return 0, false
}

// Icons are the icons of a name; none for numbers, a burst and no die.
func (n Name) Icons() []string {
	if _, plain := n.number(""); plain || n == NoDie || n == "" {
		return nil
	}
	return strings.Split(string(n), "+")
}
