package measure

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"diceref/table"
)

// Mark is the result for one picture, compared with its answers.
type Mark struct {
	Picture  *Picture
	Seen     table.Observation
	Failed   error // why it could not be read at all
	GridOK   bool  // corners within a third of a square
	AllRight bool  // the grid, and every die that had to be read
	Dice     int   // that had to be read: on the grid, or loose if there is none
	Missed   int
	Right    int // color, face and square
	Sure     int // of those that had to be read
	Wrong    int // sure, and wrong or not there at all
	Invented int
	Faults   []Fault
	Outcomes []Outcome // of the readings that were seen, in their order

	extras
	faces, colors, colored int // right faces and colors, dice whose color is known
}

// Outcome says what a reading was worth.
type Outcome uint8

const (
	Excused Outcome = iota // of a die that need not be read
	Right
	Wrong  // there is a die, but another
	Absent // there is none
)

// Fault is one thing that went wrong.
type Fault struct {
	Text string
	At   table.Point // picture pixels
	Size float64     // of what is meant, pixels
}

// Compare marks a reading of a picture.
func Compare(p *Picture, o table.Observation) Mark {
	m := Mark{Picture: p, Seen: o, Outcomes: make([]Outcome, len(o.Dice))}
	turn := m.compareGrid()
	used := make([]bool, len(o.Dice))
	for i := range p.dice {
		d := &p.dice[i]
		best := nearest(d, o.Dice, used)
		must := !d.optional && (d.square != nil || p.Corners == nil)
		if must {
			m.Dice++
		}
		if best < 0 {
			m.compareBeside(d, nil)
			if must {
				m.Missed++
				m.fault(d.at, d.reach, "missed "+dieText(d.color, d.face))
			}
			continue
		}
		used[best] = true
		m.compareBeside(d, &o.Dice[best])
		m.Outcomes[best] = m.compareDie(d, &o.Dice[best], turn, must)
	}
	for i := range o.Dice {
		r := &o.Dice[i]
		if used[i] || p.excused(r) {
			continue
		}
		m.Invented++
		m.Outcomes[i] = Absent
		text := "invented "
		if r.Sure {
			m.Wrong++
			text = "sure but not there "
		}
		m.fault(r.At, 20, text+dieText(r.Color, r.Face))
	}
	m.compareMarkers(turn)
	grid := p.Corners == nil || m.GridOK
	m.AllRight = grid && m.Missed == 0 && m.Right == m.Dice && !m.inventedWhereItCounts(used)
	return m
}

// inventedWhereItCounts ignores what was invented beside a board.
func (m *Mark) inventedWhereItCounts(used []bool) bool {
	for i := range m.Seen.Dice {
		r := &m.Seen.Dice[i]
		if !used[i] && !m.Picture.excused(r) && (r.Square != nil || m.Picture.Corners == nil) {
			return true
		}
	}
	return false
}

// excused says whether a reading that matches no die may be one that need not be read.
func (p *Picture) excused(r *table.Reading) bool {
	for _, d := range p.dice {
		if d.optional && math.Hypot(d.at.X-r.At.X, d.at.Y-r.At.Y) < 4*d.reach {
			return true
		}
	}
	return false
}

func (m *Mark) compareDie(d *Die, r *table.Reading, turn int, must bool) Outcome {
	face := d.face == r.Face
	color := d.color == table.NoColor || d.color == r.Color
	place := m.Picture.Corners == nil || sameSquare(d.square, r.Square, turn)
	right := face && color && place
	if must {
		m.faces += one(face)
		m.colored += one(d.color != table.NoColor)
		m.colors += one(color && d.color != table.NoColor)
		m.Right += one(right)
		m.Sure += one(r.Sure)
	}
	switch {
	case d.optional:
		return Excused
	case right:
		return Right
	}
	text := dieText(d.color, d.face) + " as " + dieText(r.Color, r.Face)
	if !place {
		text += fmt.Sprintf(" on %v, not %v", squareText(r.Square), squareText(turned(d.square, turn)))
	}
	if r.Sure {
		m.Wrong++
		text = "sure but wrong: " + text
	}
	m.fault(d.at, d.reach, text)
	return Wrong
}

func (m *Mark) fault(at table.Point, size float64, text string) {
	m.Faults = append(m.Faults, Fault{text, at, size})
}

// compareGrid returns by how many quarters the found grid's numbering is turned.
func (m *Mark) compareGrid() (turn int) {
	want := m.Picture.Corners
	if want == nil {
		return 0
	}
	if m.Seen.Grid == nil || !m.Seen.Grid.Found || len(want) != 4 {
		m.fault(table.Point{X: float64(m.Seen.Width) / 2, Y: float64(m.Seen.Height) / 2}, float64(m.Seen.Height)/4, "no grid found")
		return 0
	}
	pitch, best := 0.0, math.Inf(1)
	for i := range want {
		pitch += math.Hypot(want[i].X-want[(i+1)%4].X, want[i].Y-want[(i+1)%4].Y) / 20
	}
	for k := range 4 {
		worst := 0.0
		for i, c := range m.Seen.Grid.Corners {
			w := want[(i+k)%4]
			worst = max(worst, math.Hypot(c.X-w.X, c.Y-w.Y))
		}
		if worst < best {
			best, turn = worst, k
		}
	}
	m.GridOK = best < pitch/3
	if !m.GridOK {
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

func nearest(d *Die, readings []table.Reading, used []bool) int {
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
	extras
	ms []float64
}

func (t *tally) add(m *Mark) {
	t.pictures++
	if m.Failed != nil {
		t.failed++
	}
	if m.Picture.Corners != nil {
		t.grids++
		t.gridsOK += one(m.GridOK)
	}
	t.allRight += one(m.AllRight)
	t.dice += m.Dice
	t.missed += m.Missed
	t.faces += m.faces
	t.colors += m.colors
	t.colored += m.colored
	t.right += m.Right
	t.invented += m.Invented
	t.sure += m.Sure
	t.sureWrong += m.Wrong
	t.Markers += m.Markers
	t.MarkersRight += m.MarkersRight
	t.MarkersWrong += m.MarkersWrong
	t.Beside += m.Beside
	t.BesideSeen += m.BesideSeen
	t.ms = append(t.ms, m.Seen.MS.Read)
}

// Report prints one line per tier and game, and one per tier.
func Report(w io.Writer, marks []Mark) error {
	groups := map[string]*tally{}
	var order []string
	count := func(key string, m *Mark) {
		if groups[key] == nil {
			groups[key] = &tally{}
			order = append(order, key)
		}
		groups[key].add(m)
	}
	for i := range marks {
		m := &marks[i]
		group := m.Picture.Group
		if m.Picture.Hand {
			group += "+hand"
		}
		count(group+"\t"+string(m.Picture.Game), m)
		count(group+"\tall", m)
	}
	slices.Sort(order)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "tier\tgame\tpictures\tgrids\tall right\tdice\tright\tfaces\tcolors\tmissed\tinvented\tsure\tsure+wrong\tmarkers\twrong\tbeside\tms\t")
	for _, key := range order {
		g := groups[key]
		slices.Sort(g.ms)
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%d\t%s\t%s\t%s\t%d\t%d\t%s\t%d\t%s\t%d\t%s\t%.0f\t\n", key, g.pictures, share(g.gridsOK, g.grids), share(g.allRight, g.pictures),
			g.dice, share(g.right, g.dice), share(g.faces, g.dice-g.missed), share(g.colors, g.colored), g.missed, g.invented, share(g.sure, g.dice), g.sureWrong,
			share(g.MarkersRight, g.Markers), g.MarkersWrong, share(g.BesideSeen, g.Beside), g.ms[len(g.ms)/2])
	}
	return t.Flush()
}

func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f%%", 100*float64(n)/float64(of))
}
