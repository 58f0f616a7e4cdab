// Package pixels gets at the pixels of pictures, and draws small crops from them at the scale that suits. It knows no dice.
package pixels

import (
	"errors"
	"image"

	"gocv.io/x/gocv"
)

// Picture is a picture's memory, BGR, and the same picture at half the size, and so on: what is
// drawn small of it is drawn from the half that is next to that size, with few samples.
type Picture struct {
	Mat           gocv.Mat
	Data          []uint8
	Width, Height int
	Half          *Picture // nil where the picture is small
}

// LeastHalfWidth and LeastHalfHeight are the least size of a half, pixels: a picture's light is told from one so small.
const LeastHalfWidth, LeastHalfHeight = 160, 120

// Memory holds the halves of one picture after the other. It is outside Go, so close it.
type Memory struct{ halves []gocv.Mat }

// Close frees the memory.
func (m *Memory) Close() {
	for i := range m.halves {
		m.halves[i].Close()
	}
}

// Of gets at a picture's pixels and halves it. The halves are there until the next picture.
func (m *Memory) Of(img gocv.Mat) (*Picture, error) {
	data, err := img.DataPtrUint8()
	if err != nil {
		return nil, errors.New("vision: cannot get at the picture's memory")
	}
	first := &Picture{Mat: img, Data: data, Width: img.Cols(), Height: img.Rows()}
	for p, k := first, 0; p.Width >= 2*LeastHalfWidth && p.Height >= 2*LeastHalfHeight; p, k = p.Half, k+1 {
		if k == len(m.halves) {
			m.halves = append(m.halves, gocv.NewMat())
		}
		p.Half = &Picture{Width: p.Width / 2, Height: p.Height / 2}
		even := p.Mat.Region(image.Rect(0, 0, 2*p.Half.Width, 2*p.Half.Height)) // exact halves are made much faster
		gocv.Resize(even, &m.halves[k], image.Pt(p.Half.Width, p.Half.Height), 0, 0, gocv.InterpolationArea)
		even.Close()
		p.Half.Mat = m.halves[k]
		if p.Half.Data, err = p.Half.Mat.DataPtrUint8(); err != nil {
			return nil, errors.New("vision: cannot get at the picture's memory")
		}
	}
	return first, nil
}

// Smallest is the last of the halves.
func (p *Picture) Smallest() *Picture {
	for p.Half != nil {
		p = p.Half
	}
	return p
}

// Nearest is the half from which a picture scaled by a factor is drawn best: not smaller, and
// less than twice as large. far is how many pixels of the picture one of its own is wide.
func (p *Picture) Nearest(scale float64) (q *Picture, far int) {
	q, far = p, 1
	for q.Half != nil && scale*float64(2*far) <= 1 {
		q, far = q.Half, 2*far
	}
	return q, far
}
