package scoring

import (
	"fmt"
	"math/bits"

	"diceref/table"
)

// Holes is a set of an arena's holes: bit i is the hole that table.SquareAt(i) names.
type Holes uint32

// The whole arena, its first row and its first column.
const (
	AllHoles  Holes = 1<<(table.Size*table.Size) - 1
	firstRow  Holes = 1<<table.Size - 1
	firstCol  Holes = 1 | 1<<5 | 1<<10 | 1<<15 | 1<<20
	lastCol         = firstCol << (table.Size - 1)
	holeCount       = table.Size * table.Size
)

// HoleSet is the set of the holes given; those off the arena are left out.
func HoleSet(squares ...table.Square) Holes {
	var h Holes
	for _, s := range squares {
		h |= hole(s)
	}
	return h
}

func hole(s table.Square) Holes {
	if !s.On() {
		return 0
	}
	return 1 << s.Index()
}

// Has says whether the hole is in the set.
func (h Holes) Has(s table.Square) bool { return h&hole(s) != 0 }

// Count is the number of holes in the set.
func (h Holes) Count() int { return bits.OnesCount32(uint32(h)) }

// Squares lists the holes row by row; the empty set gives an empty, not a nil list.
func (h Holes) Squares() []table.Square {
	list := make([]table.Square, 0, h.Count())
	for ; h != 0; h &= h - 1 {
		list = append(list, table.SquareAt(h.first()))
	}
	return list
}

func (h Holes) first() int { return bits.TrailingZeros32(uint32(h)) }

func (h Holes) beside() Holes {
	return (h<<5 | h>>5 | (h&^lastCol)<<1 | (h&^firstCol)>>1) & AllHoles
}

func (h Holes) cornerwise() Holes {
	wide := (h&^lastCol)<<1 | (h&^firstCol)>>1
	return (wide<<5 | wide>>5) & AllHoles
}

// row and col are the full line of five holes through hole i.
func row(i int) Holes { return firstRow << (i / table.Size * table.Size) }
func col(i int) Holes { return firstCol << (i % table.Size) }

// Upgrades lists the colors that have an upgrade marker, in the order of Markers.Upgrade.
var Upgrades = [3]table.Color{table.Blue, table.Yellow, table.Green}

// upgradeIndex is the place of a color in Upgrades, -1 for the other colors.
func upgradeIndex(c table.Color) int {
	for i, u := range Upgrades {
		if u == c {
			return i
		}
	}
	return -1
}

// Markers are the stickers in an arena's holes (RULES.md 5.1); an empty set: not there, or not known.
type Markers struct {
	Center, Bonus Holes
	Upgrade       [3]Holes // by Upgrades
}

// DefaultMarkers knows of the center marker alone: where the others lie differs
// from arena to arena and is read from the empty one.
func DefaultMarkers() Markers { return Markers{Center: HoleSet(table.Square{Row: 2, Col: 2})} }

// Check refuses two stickers in one hole.
func (m Markers) Check() error {
	var seen Holes
	for i, h := range [...]Holes{m.Center, m.Bonus, m.Upgrade[0], m.Upgrade[1], m.Upgrade[2]} {
		if h&seen != 0 {
			name := [...]string{"center", "bonus", "blue", "yellow", "green"}[i]
			return fmt.Errorf("the %s marker cannot share hole %v with another marker", name, table.SquareAt(h.first()))
		}
		seen |= h
	}
	return nil
}

// Arena is a DICE Flick box at the start of a scoring.
type Arena struct {
	Dice    [holeCount]table.Die // by Square.Index; table.NoColor: empty hole
	Markers Markers
	Landed  Holes // where a die flicked this turn came to rest; matters only with ArenaRules that bar older dice
	Spent   Holes // uncovered upgrade markers that cannot score any more this turn
}

// ArenaRules are the house rules that change what an arena is worth; the zero value is the rulebook's.
type ArenaRules struct {
	FlatBlast      bool // centre_doubles_blast false: a blast die on the center marker is worth 6
	FreshCenter    bool // old_centre_scores false: the center die scores alone only if it landed there this turn
	FreshBlast     bool // old_blast_scores false: a blast die chooses a line only if it landed this turn
	DiagonalMarker bool // diagonal_marker: an upgrade marker also touches dice at its corners
}

// BlastPoints is what a blast die always counts, MarkerPoints an upgrade marker (RULES.md 5.5).
const (
	BlastPoints  = 6
	MarkerPoints = 2
)

// board is an arena as bit sets. A hole holds a die or shows a marker, never
// both, so an item is known by its hole.
type board struct {
	color    [3]Holes // dice by Upgrades
	white    Holes
	pink     Holes
	marker   [3]Holes // markers that can score, by Upgrades
	dice     Holes
	markers  Holes
	center   Holes // the center die's hole if it may be scored alone
	chooser  Holes // blast dice that may choose a line
	plane    [4]Holes
	diagonal bool
}

func (a *Arena) board(r ArenaRules) board {
	b := board{diagonal: r.DiagonalMarker}
	for i := range a.Dice {
		d, h := &a.Dice[i], Holes(1)<<i
		switch d.Color {
		case table.NoColor:
			continue
		case table.White:
			b.white |= h
		case table.Pink:
			b.pink |= h
		case table.Blue:
			b.color[0] |= h
		case table.Yellow:
			b.color[1] |= h
		case table.Green:
			b.color[2] |= h
		}
		b.dice |= h
		b.worth(h, a.points(i, r))
	}
	for i, m := range a.Markers.Upgrade {
		if m &^= b.dice | a.Spent; m != 0 {
			b.marker[i] = m
			b.markers |= m
			b.worth(m, MarkerPoints)
		}
	}
	b.center, b.chooser = a.Markers.Center&b.dice, b.pink
	if r.FreshCenter {
		b.center &= a.Landed
	}
	if r.FreshBlast {
		b.chooser &= a.Landed
	}
	return b
}

// points is what the die in hole i counts.
func (a *Arena) points(i int, r ArenaRules) int {
	d, p := a.Dice[i], a.Dice[i].Face
	if d.Color == table.Pink {
		p = BlastPoints
	}
	if a.Markers.Center&(1<<i) != 0 && (d.Color != table.Pink || !r.FlatBlast) {
		p *= 2
	}
	return p
}

// worth notes the points of a hole's item, bit by bit, so that a set is summed by four population counts.
func (b *board) worth(h Holes, points int) {
	for i := range b.plane {
		if points>>i&1 != 0 {
			b.plane[i] |= h
		}
	}
}

func (b *board) sum(h Holes) int {
	return (h & b.plane[0]).Count() + 2*(h&b.plane[1]).Count() + 4*(h&b.plane[2]).Count() + 8*(h&b.plane[3]).Count()
}

// touch is the items of s that touch one of h; m is the uncovered marker in s, or none.
func (b *board) touch(h, s, m Holes) Holes {
	t := h.beside()
	if b.diagonal {
		t |= (h & m).cornerwise()
		if h&m.cornerwise() != 0 {
			t |= m
		}
	}
	return t & s
}

// combined is the items of s that lie in a connected group of three or more.
// Such a group has an item with two neighbors, and all of its others touch one of those.
func (b *board) combined(s, m Holes) Holes {
	n, e := s<<5&s, (s&^lastCol)<<1&s
	so, w := s>>5&s, (s&^firstCol)>>1&s
	hubs := n&so | e&w | (n|so)&(e|w)
	if b.diagonal && m&s != 0 {
		corner := m.cornerwise() & s
		hubs |= corner & (n | so | e | w)
		if corner.Count()+(m.beside()&s).Count() >= 2 {
			hubs |= m
		}
	}
	return hubs | b.touch(hubs, s, m)
}

// More dice than these are no arena of this game: the set has 3 jokers and 2 blast dice.
// A best score is told of arenas with more of either, as long as it is found in a moment.
const (
	maxJokers  = 8
	maxBlasts  = 3
	bestJokers = 12
)

// Check refuses arenas that the game cannot lead to; only of the others is it told what explains a removed set.
func (a *Arena) Check() error { return a.checkCounts(maxJokers, maxBlasts) }

// CheckBest refuses arenas whose best score would take too long to find.
func (a *Arena) CheckBest() error { return a.checkCounts(bestJokers, holeCount) }

func (a *Arena) checkCounts(jokers, blasts int) error {
	if err := a.CheckDice(); err != nil {
		return err
	}
	white, pink := 0, 0
	for i := range a.Dice {
		switch a.Dice[i].Color {
		case table.White:
			white++
		case table.Pink:
			pink++
		}
	}
	if white > jokers || pink > blasts {
		return fmt.Errorf("impossible arena: %d white and %d pink dice, but the set has 3 and 2", white, pink)
	}
	return nil
}

// CheckDice refuses dice and markers that the game does not have, however many there
// are: claims can be judged in any other arena.
func (a *Arena) CheckDice() error {
	if err := a.Markers.Check(); err != nil {
		return err
	}
	for i := range a.Dice {
		d := a.Dice[i]
		if d.Color != table.NoColor && d.Color != table.White && d.Color != table.Pink && upgradeIndex(d.Color) < 0 {
			return fmt.Errorf("hole %v: DICE Flick has no %v dice", table.SquareAt(i), d.Color)
		}
		if d.Color != table.NoColor && d.Color != table.Pink && (d.Face < 1 || d.Face > 6) {
			return fmt.Errorf("hole %v: a die shows 1 to 6, not %d", table.SquareAt(i), d.Face)
		}
	}
	return nil
}

// choice is one way to score: which jokers count as which color, which line each blast die takes.
type choice struct {
	jokers [3]Holes
	lines  [holeCount]Holes // by the blast die's hole; empty: none of its own
	items  Holes
	score  int
}

// search looks for the best choice.
type search struct {
	*board
	swept [1 << len(allLines)]bool // sets of lines that were tried, in whatever order
	now   choice
	top   choice
}

// allLines are the rows and columns of the arena.
var allLines = [2 * table.Size]Holes{row(0), row(5), row(10), row(15), row(20), col(0), col(1), col(2), col(3), col(4)}

// best tries every choice of lines with every assignment of the jokers that could still
// be the best. Combinations go first: an item is worth the same in either scoring, so
// that they never lose anything.
func (b *board) best() choice {
	s := search{board: b, top: choice{score: -1}}
	s.sweep(0, 0)
	return s.top
}

// sweep lets one more of the blast dice that no line has taken yet take a line, until none
// is left. A line is the same whichever of the blast dice in it takes it.
func (s *search) sweep(lines int, taken Holes) {
	if s.swept[lines] {
		return
	}
	s.swept[lines] = true
	left := s.chooser &^ taken
	if left == 0 {
		s.assign(s.white, taken&(s.dice|s.markers)|s.center)
		return
	}
	for k, line := range allLines {
		if left&line != 0 {
			die := &s.now.lines[(left & line).first()]
			*die = line
			s.sweep(lines|1<<k, taken|line)
			*die = 0
		}
	}
}

// assign gives each of these jokers a color, unless what was chosen so far is no better
// than the best choice even if they could be of every color at once.
func (s *search) assign(jokers, base Holes) {
	s.now.items = base
	for c := range s.color {
		s.now.items |= s.combined(s.color[c]|s.marker[c]|s.now.jokers[c]|jokers, s.marker[c])
	}
	s.now.score = s.sum(s.now.items)
	if s.now.score <= s.top.score {
		return
	}
	if jokers == 0 {
		s.top = s.now
		return
	}
	next := jokers & (s.color[0] | s.color[1] | s.color[2] | s.markers).beside()
	if next == 0 { // those that no color lies beside matter least
		next = jokers
	}
	joker := next & -next
	for c := range s.now.jokers {
		s.now.jokers[c] |= joker
		s.assign(jokers&^joker, base)
		s.now.jokers[c] &^= joker
	}
}

// BestScore is the highest total that one turn's scoring of the arena can bring
// (RULES.md 5.5), exactly; the arena must satisfy CheckBest.
func BestScore(a *Arena, r ArenaRules) int {
	b := a.board(r)
	return b.best().score
}
