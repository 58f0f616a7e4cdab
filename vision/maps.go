package vision

import (
	"math"

	"diceref/table"
)

// The channels of the find network's answer; see README.md.
const (
	chTop = iota
	chTopDX
	chTopDY
	chLogSize
	chSumRe
	chSumIm
	chProductRe
	chProductIm
	chLattice
	chInside
	mapChannels
)

const cellSize = 4 // network pixels a cell of the maps is wide

// maps is what the find network says about one view of a picture.
type maps struct {
	w, h  int       // in cells
	data  []float32 // channel by channel, row by row
	scale float64   // network pixels a picture pixel
	x, y  float64   // the view's top left corner in the picture
	in    [2]int    // cells that show the picture, not padding
	mask  parts     // of what lies inside a grid, see findGrid
}

func (m *maps) channel(c int) []float32 { return m.data[c*m.w*m.h : (c+1)*m.w*m.h] }

// picture turns a place in cells (a cell's middle at i+0.5) into picture pixels.
func (m *maps) picture(cx, cy float64) table.Point {
	return table.Point{X: m.x + cx*cellSize/m.scale, Y: m.y + cy*cellSize/m.scale}
}

// cell is the inverse of picture.
func (m *maps) cell(p table.Point) (cx, cy float64) {
	return (p.X - m.x) * m.scale / cellSize, (p.Y - m.y) * m.scale / cellSize
}

// at samples a channel between cells; outside it gives the nearest border's value.
func (m *maps) at(ch []float32, cx, cy float64) float64 {
	cx, cy = min(max(cx-0.5, 0), float64(m.w-1)), min(max(cy-0.5, 0), float64(m.h-1))
	x0, y0 := int(cx), int(cy)
	x1, y1 := min(x0+1, m.w-1), min(y0+1, m.h-1)
	fx, fy := cx-float64(x0), cy-float64(y0)
	a := float64(ch[y0*m.w+x0])*(1-fx) + float64(ch[y0*m.w+x1])*fx
	b := float64(ch[y1*m.w+x0])*(1-fx) + float64(ch[y1*m.w+x1])*fx
	return a*(1-fy) + b*fy
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
