package vision

import (
	"errors"
	"image"

	"gocv.io/x/gocv"
)

// pixels is a picture's memory, BGR, and the same picture at half the size, and so on: what is
// drawn small of it is drawn from the half that is next to that size, with few samples.
type pixels struct {
	mat           gocv.Mat
	data          []uint8
	width, height int
	half          *pixels // nil where the picture is small
}

// The least size of a half, pixels: a picture's light is told from one so small.
const leastHalfWidth, leastHalfHeight = 160, 120

// pixelsOf gets at a picture's memory and halves it. The halves are in the recognizer's memory
// until the next picture.
func (r *Recognizer) pixelsOf(img gocv.Mat) (*pixels, error) {
	data, err := img.DataPtrUint8()
	if err != nil {
		return nil, errors.New("vision: cannot get at the picture's memory")
	}
	first := &pixels{mat: img, data: data, width: img.Cols(), height: img.Rows()}
	for p, k := first, 0; p.width >= 2*leastHalfWidth && p.height >= 2*leastHalfHeight; p, k = p.half, k+1 {
		if k == len(r.halves) {
			r.halves = append(r.halves, gocv.NewMat())
		}
		p.half = &pixels{width: p.width / 2, height: p.height / 2}
		even := p.mat.Region(image.Rect(0, 0, 2*p.half.width, 2*p.half.height)) // exact halves are made much faster
		gocv.Resize(even, &r.halves[k], image.Pt(p.half.width, p.half.height), 0, 0, gocv.InterpolationArea)
		even.Close()
		p.half.mat = r.halves[k]
		if p.half.data, err = p.half.mat.DataPtrUint8(); err != nil {
			return nil, errors.New("vision: cannot get at the picture's memory")
		}
	}
	return first, nil
}

// smallest is the last of the halves.
func (p *pixels) smallest() *pixels {
	for p.half != nil {
		p = p.half
	}
	return p
}

// nearest is the half from which a picture scaled by a factor is drawn best: not smaller, and
// less than twice as large. far is how many pixels of the picture one of its own is wide.
func (p *pixels) nearest(scale float64) (q *pixels, far int) {
	q, far = p, 1
	for q.half != nil && scale*float64(2*far) <= 1 {
		q, far = q.half, 2*far
	}
	return q, far
}
