package scoring

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"diceref/table"
)

// Icons is a set of the desserts of Dessert Dice that a face shows, one bit each.
type Icons uint8

// The four desserts.
const (
	JelloTart Icons = 1 << iota
	SweetRoll
	Popsicle
	IceCream
)

// DessertLetters are the desserts' letters, in the order of their bits.
const DessertLetters = "JSPI"

// DessertNames are the desserts' names, in the order of their bits.
var DessertNames = [4]string{"Jello Tart", "Sweet Roll", "Popsicle", "Ice Cream"}

// ParseIcons reads letters in any order ("JS"); the empty text is not an icon.
func ParseIcons(s string) (Icons, error) {
	var set Icons
	for _, c := range s {
		i := strings.IndexRune(DessertLetters, c)
		if i < 0 {
			return 0, fmt.Errorf("%q is not a dessert (expected letters of %s)", c, DessertLetters)
		}
		set |= 1 << i
	}
	return set, nil
}

// Profile says which icons each face of each color shows, by table.Color and face.
// Which icons the printed dice have is not known (RULES.md 1.1): a profile is data.
type Profile [10][7]Icons

// The dice letters of Dessert Dice by color; P is purple.
var dessertLetter = map[string]table.Color{"R": table.Red, "Y": table.Yellow, "G": table.Green, "P": table.Purple, "K": table.Black}

func sameForAll(faces [7]Icons) (p Profile) {
	for c := range p {
		p[c] = faces
	}
	return p
}

const allIcons = JelloTart | SweetRoll | Popsicle | IceCream

// The profiles that ship (RULES.md 1.1).
var (
	pairs = sameForAll([7]Icons{
		1: JelloTart | SweetRoll, 2: JelloTart | Popsicle, 3: JelloTart | IceCream,
		4: SweetRoll | Popsicle, 5: SweetRoll | IceCream, 6: Popsicle | IceCream,
	})
	simple = sameForAll([7]Icons{1: JelloTart, 2: SweetRoll, 3: Popsicle, 4: IceCream, 5: allIcons})
)

// ParseProfile accepts "pairs", "simple", or an object color -> face -> icons (as
// decoded JSON, or as its text) in which "*" stands for the colors, and the faces
// of a color, that have no entry of their own.
func ParseProfile(v any) (*Profile, error) {
	switch v := v.(type) {
	case string:
		switch {
		case v == "pairs":
			return &pairs, nil
		case v == "simple":
			return &simple, nil
		case strings.HasPrefix(v, "{"):
			var m map[string]any
			if err := json.Unmarshal([]byte(v), &m); err != nil {
				return nil, fmt.Errorf("profile: %w", err)
			}
			return customProfile(m)
		}
	case map[string]any:
		return customProfile(v)
	}
	text, _ := json.Marshal(v) // it came as JSON, or is a text
	return nil, fmt.Errorf("profile cannot be %.40s (expected pairs, simple or an object color -> face -> icons)", text)
}

func customProfile(m map[string]any) (*Profile, error) {
	p := new(Profile)
	if star, ok := m["*"]; ok {
		var faces [7]Icons
		if err := readFaces(star, "*", &faces); err != nil {
			return nil, err
		}
		*p = sameForAll(faces)
	}
	for _, key := range slices.Sorted(maps.Keys(m)) { // the same error every time
		if key == "*" {
			continue
		}
		color, ok := dessertColor(key)
		if !ok {
			return nil, fmt.Errorf("profile: %.20q is not a color (expected R, Y, G, P, K or *)", key)
		}
		if err := readFaces(m[key], key, &p[color]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// dessertColor reads a letter or a name.
func dessertColor(key string) (table.Color, bool) {
	if c, ok := dessertLetter[key]; ok {
		return c, true
	}
	c, err := table.ParseColor(key)
	return c, err == nil && slices.Contains(slices.Collect(maps.Values(dessertLetter)), c)
}

func readFaces(v any, key string, faces *[7]Icons) error {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("profile: %.20s is not an object face -> icons", key)
	}
	for _, f := range slices.Sorted(maps.Keys(m)) {
		text, isText := m[f].(string)
		if len(f) != 1 || f[0] < '1' || f[0] > '6' || !isText {
			return fmt.Errorf("profile: %.20s has %.20q (expected faces 1 to 6 with a text of letters)", key, f)
		}
		set, err := ParseIcons(text)
		if err != nil {
			return fmt.Errorf("profile: %s, face %s: %w", key, f, err)
		}
		faces[f[0]-'0'] = set
	}
	return nil
}

// ClusterRule holds the house rules for clusters: the zero value is the rulebook's reading.
type ClusterRule struct {
	Literal   bool // cluster: literal; every die beside another one counts
	Singleton int  // what a lone die scores, 0 or 1
}

// Clusters scores a board for each of the four desserts, in the order of DessertLetters (RULES.md 1.7).
func Clusters(board *[table.Size * table.Size]table.Die, p *Profile, rule ClusterRule) (points [4]int) {
	var m0, m1, m2, m3 uint32
	for sq := range board {
		d := &board[sq]
		if d.Color == table.NoColor || int(d.Color) >= len(p) || d.Face < 1 || d.Face > 6 {
			continue
		}
		icons := uint32(p[d.Color][d.Face])
		m0 |= (icons & 1) << sq
		m1 |= (icons >> 1 & 1) << sq
		m2 |= (icons >> 2 & 1) << sq
		m3 |= (icons >> 3 & 1) << sq
	}
	points = [4]int{Cluster(m0, rule), Cluster(m1, rule), Cluster(m2, rule), Cluster(m3, rule)}
	return points
}

const (
	westColumn = 0b00001_00001_00001_00001_00001
	eastColumn = westColumn << 4
	wholeBoard = 1<<25 - 1
)

// spread adds the edge neighbors of every square in the set.
func spread(m uint32) uint32 {
	return (m | m<<5 | m>>5 | (m&^eastColumn)<<1 | (m&^westColumn)>>1) & wholeBoard
}

// Cluster is the score of a set of squares (bit 0 = [0,0], row by row): the largest
// edge-connected part of at least two, else 0.
func Cluster(set uint32, rule ClusterRule) int {
	best := 0
	for rest := set & wholeBoard; rest != 0; {
		part := rest & -rest
		for {
			next := spread(part) & rest
			if next == part {
				break
			}
			part = next
		}
		rest &^= part
		n := bits.OnesCount32(part)
		switch {
		case n < 2:
		case rule.Literal:
			best += n
		default:
			if best = max(best, n); bits.OnesCount32(rest) <= best {
				return best // what is left cannot be larger
			}
		}
	}
	if best == 0 && set != 0 {
		return rule.Singleton
	}
	return best
}

// ClusterSquares are the squares that a Cluster of the same set counts: of parts of
// equal size the first.
func ClusterSquares(set uint32, rule ClusterRule) []table.Square {
	var best uint32
	for rest := set & wholeBoard; rest != 0; {
		part := rest & -rest
		for next := spread(part) & rest; next != part; next = spread(part) & rest {
			part = next
		}
		rest &^= part
		switch n := bits.OnesCount32(part); {
		case n < 2:
		case rule.Literal:
			best |= part
		case n > bits.OnesCount32(best):
			best = part
		}
	}
	if best == 0 && rule.Singleton > 0 {
		best = set & -set
	}
	return Holes(best).Squares()
}

// DessertWinners lists the winning seats in ascending order: the highest score;
// among equals the latest placement (number of the turn, -1: never placed), else shared (RULES.md 1.7).
func DessertWinners(scores, lastPlaced []int) []int {
	var win []int
	for seat := range scores {
		if len(win) > 0 {
			first := win[0]
			d := scores[seat] - scores[first]
			if d == 0 {
				d = lastPlaced[seat] - lastPlaced[first]
			}
			if d < 0 {
				continue
			}
			if d > 0 {
				win = win[:0]
			}
		}
		win = append(win, seat)
	}
	return win
}
