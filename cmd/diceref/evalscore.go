package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"diceref/table"
)

// mark is how one picture was read, against its answers.
type mark struct {
	picture  *knownPicture
	seen     table.Observation
	failed   error
	gridOK   bool
	allRight bool
	dice     int // that had to be read
	missed   int
	faces    int // right
	colors   int // right, of those whose color is known
	colored  int // dice found whose color is known
	right    int // color, face and square
	sure     int // of those that had to be read
	wrong    int // sure, and wrong or not there at all
	invented int
	faults   []fault
}

// fault is one thing that went wrong, for the contact sheet.
type fault struct {
	text string
	at   table.Point
	size float64 // pixels
}

// compare marks a reading of a picture.
func compare(p *knownPicture, o table.Observation) mark {
	m := mark{picture: p, seen: o}
	turn := m.compareGrid()
	used := make([]bool, len(o.Dice))
	for i := range p.dice {
		d := &p.dice[i]
		best := nearest(d, o.Dice, used)
		must := !d.optional && (d.square != nil || p.corners == nil)
		if must {
			m.dice++
		}
		if best < 0 {
			if must {
				m.missed++
				m.fault(d.at, d.reach, "missed "+dieText(d.color, d.face))
			}
			continue
		}
		used[best] = true
		m.compareDie(d, &o.Dice[best], turn, must)
	}
	for i := range o.Dice {
		r := &o.Dice[i]
		if used[i] || p.excused(r) {
			continue
		}
		m.invented++
		text := "invented "
		if r.Sure {
			m.wrong++
			text = "sure but invented "
		}
		m.fault(r.At, 20, text+dieText(r.Color, r.Face))
	}
	grid := p.corners == nil || m.gridOK
	m.allRight = grid && m.missed == 0 && m.right == m.dice && !m.inventedWhereItCounts(used)
	return m
}

// inventedWhereItCounts ignores what was invented beside a board.
func (m *mark) inventedWhereItCounts(used []bool) bool {
	for i := range m.seen.Dice {
		r := &m.seen.Dice[i]
		if !used[i] && !m.picture.excused(r) && (r.Square != nil || m.picture.corners == nil) {
			return true
		}
	}
	return false
}

// excused says whether a reading that matches no die may be one that need not be read.
func (p *knownPicture) excused(r *table.Reading) bool {
	for _, d := range p.dice {
		if d.optional && math.Hypot(d.at.X-r.At.X, d.at.Y-r.At.Y) < 4*d.reach {
			return true
		}
	}
	return false
}

func (m *mark) compareDie(d *knownDie, r *table.Reading, turn int, must bool) {
	face := d.face == r.Face
	color := d.color == table.NoColor || d.color == r.Color
	place := m.picture.corners == nil || sameSquare(d.square, r.Square, turn)
	right := face && color && place
	if must {
		m.faces += one(face)
		m.colored += one(d.color != table.NoColor)
		m.colors += one(color && d.color != table.NoColor)
		m.right += one(right)
		m.sure += one(r.Sure)
	}
	if right || d.optional {
		return
	}
	text := dieText(d.color, d.face) + " as " + dieText(r.Color, r.Face)
	if !place {
		text += fmt.Sprintf(" on %v, not %v", squareText(r.Square), squareText(turned(d.square, turn)))
	}
	if r.Sure {
		m.wrong++
		text = "sure but wrong: " + text
	}
	m.fault(d.at, d.reach, text)
}

func (m *mark) fault(at table.Point, size float64, text string) {
	m.faults = append(m.faults, fault{text, at, size})
}

// compareGrid returns by how many quarters the found grid's numbering is turned.
func (m *mark) compareGrid() (turn int) {
	want := m.picture.corners
	if want == nil {
		return 0
	}
	if m.seen.Grid == nil || !m.seen.Grid.Found || len(want) != 4 {
		m.fault(table.Point{X: float64(m.seen.Width) / 2, Y: float64(m.seen.Height) / 2}, float64(m.seen.Height)/4, "no grid found")
		return 0
	}
	pitch, best := 0.0, math.Inf(1)
	for i := range want {
		pitch += math.Hypot(want[i].X-want[(i+1)%4].X, want[i].Y-want[(i+1)%4].Y) / 20
	}
	for k := range 4 {
		worst := 0.0
		for i, c := range m.seen.Grid.Corners {
			w := want[(i+k)%4]
			worst = max(worst, math.Hypot(c.X-w.X, c.Y-w.Y))
		}
		if worst < best {
			best, turn = worst, k
		}
	}
	m.gridOK = best < pitch/3
	if !m.gridOK {
		m.fault(want[0], pitch, fmt.Sprintf("grid off by %.2f squares", best/pitch))
	}
	return turn
}

// turned is the square in a numbering that starts turn corners further clockwise.
func turned(s *table.Square, turn int) *table.Square {
	if s == nil {
		return nil
	}
	t := *s
	for range turn {
		t = table.Square{Row: table.Size - 1 - t.Col, Col: t.Row}
	}
	return &t
}

func sameSquare(want, got *table.Square, turn int) bool {
	if want == nil || got == nil {
		return want == nil && got == nil
	}
	return *turned(want, turn) == *got
}

func squareText(s *table.Square) string {
	if s == nil {
		return "none"
	}
	return s.String()
}

func dieText(c table.Color, face int) string {
	if face == 0 {
		return strings.TrimSpace(c.String() + " -")
	}
	return strings.TrimSpace(fmt.Sprintf("%v %d", c, face))
}

func nearest(d *knownDie, readings []table.Reading, used []bool) int {
	best, least := -1, d.reach
	for i := range readings {
		if used[i] {
			continue
		}
		if v := math.Hypot(d.at.X-readings[i].At.X, d.at.Y-readings[i].At.Y); v < least {
			best, least = i, v
		}
	}
	return best
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// tally sums up marks.
type tally struct {
	pictures, grids, gridsOK, allRight                                     int
	dice, missed, faces, colors, colored, right, invented, sure, sureWrong int
	failed                                                                 int
	ms                                                                     []float64
}

func (t *tally) add(m *mark) {
	t.pictures++
	if m.failed != nil {
		t.failed++
	}
	if m.picture.corners != nil {
		t.grids++
		t.gridsOK += one(m.gridOK)
	}
	t.allRight += one(m.allRight)
	t.dice += m.dice
	t.missed += m.missed
	t.faces += m.faces
	t.colors += m.colors
	t.colored += m.colored
	t.right += m.right
	t.invented += m.invented
	t.sure += m.sure
	t.sureWrong += m.wrong
	t.ms = append(t.ms, m.seen.MS.Read)
}

// report prints one line a tier and game, and one a tier.
func report(w io.Writer, marks []mark) error {
	groups := map[string]*tally{}
	var order []string
	count := func(key string, m *mark) {
		if groups[key] == nil {
			groups[key] = &tally{}
			order = append(order, key)
		}
		groups[key].add(m)
	}
	for i := range marks {
		m := &marks[i]
		group := m.picture.group
		if m.picture.hand {
			group += "+hand"
		}
		count(group+"\t"+string(m.picture.game), m)
		count(group+"\tall", m)
	}
	slices.Sort(order)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "tier\tgame\tpictures\tgrids\tall right\tdice\tright\tfaces\tcolors\tmissed\tinvented\tsure\tsure+wrong\tms\t")
	for _, key := range order {
		g := groups[key]
		slices.Sort(g.ms)
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%d\t%s\t%s\t%s\t%d\t%d\t%s\t%d\t%.0f\t\n", key, g.pictures, share(g.gridsOK, g.grids), share(g.allRight, g.pictures),
			g.dice, share(g.right, g.dice), share(g.faces, g.dice-g.missed), share(g.colors, g.colored), g.missed, g.invented, share(g.sure, g.dice), g.sureWrong, g.ms[len(g.ms)/2])
	}
	return t.Flush()
}

func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f%%", 100*float64(n)/float64(of))
}
