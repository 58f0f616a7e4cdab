package detect

import (
	"math"

	"diceref/table"
)

// The channels of the find network's answer; see README.md.
const (
	ChTop = iota
	ChTopDX
	ChTopDY
	ChLogSize
	ChSumRe
	ChSumIm
	ChProductRe
	ChProductIm
	ChLattice
	ChInside
	MapChannels
)

const CellSize = 4 // network pixels a cell of the maps is wide

// Maps is what the find network says about one view of a picture.
type Maps struct {
	W, H  int       // in cells
	Data  []float32 // channel by channel, row by row
	Scale float64   // network pixels a picture pixel
	Least float64   // height of a peak that is looked at any further
	x, y  float64   // the view's top left corner in the picture
	In    [2]int    // cells that show the picture, not padding
}

func (m *Maps) Channel(c int) []float32 { return m.Data[c*m.W*m.H : (c+1)*m.W*m.H] }

// Picture turns a place in cells (a cell's middle at i+0.5) into picture pixels.
func (m *Maps) Picture(cx, cy float64) table.Point {
	return table.Point{X: m.x + cx*CellSize/m.Scale, Y: m.y + cy*CellSize/m.Scale}
}

// Cell is the inverse of picture.
func (m *Maps) Cell(p table.Point) (cx, cy float64) {
	return (p.X - m.x) * m.Scale / CellSize, (p.Y - m.y) * m.Scale / CellSize
}

// At samples a channel between cells; outside it gives the nearest border's value.
func (m *Maps) At(ch []float32, cx, cy float64) float64 {
	cx, cy = min(max(cx-0.5, 0), float64(m.W-1)), min(max(cy-0.5, 0), float64(m.H-1))
	x0, y0 := int(cx), int(cy)
	x1, y1 := min(x0+1, m.W-1), min(y0+1, m.H-1)
	fx, fy := cx-float64(x0), cy-float64(y0)
	a := float64(ch[y0*m.W+x0])*(1-fx) + float64(ch[y0*m.W+x1])*fx
	b := float64(ch[y1*m.W+x0])*(1-fx) + float64(ch[y1*m.W+x1])*fx
	return a*(1-fy) + b*fy
}

func Sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// HeatAbout is the highest logit of a top about a place in the picture.
func (m *Maps) HeatAbout(p table.Point) float64 {
	heat, most := m.Channel(ChTop), math.Inf(-1)
	x, y := m.Cell(p)
	for dy := -1.0; dy <= 1; dy++ {
		for dx := -1.0; dx <= 1; dx++ {
			most = max(most, m.At(heat, x+dx, y+dy))
		}
	}
	return most
}
