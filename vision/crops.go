package vision

import (
	"math"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
)

// Crops as the face network wants them: squared up, so that the top's side takes
// two thirds of the crop's.
const (
	cropSize   = 40
	cropMargin = 1.5
)

// pixels is a picture's memory, BGR, as the crops are drawn from it.
type pixels struct {
	data          []uint8
	width, height int
}

func pixelsOf(img *gocv.Mat) (pixels, error) {
	data, err := img.DataPtrUint8()
	return pixels{data, img.Cols(), img.Rows()}, err
}

// crop draws the outline squared up and turned by quarters into dst: planes red,
// green, blue of cropSize², 0..1. It returns false for an outline that is no quadrilateral.
func (p *pixels) crop(outline [4]table.Point, quarter int, dst []float32) bool {
	var src [4]table.Point
	side := 0.0
	for k := range src {
		src[k] = outline[(k+quarter)%4]
		n := outline[(k+1)%4]
		side += math.Hypot(n.X-outline[k].X, n.Y-outline[k].Y) / 4
	}
	h, err := calibration.QuadTo(src)
	if err != nil {
		return false
	}
	// From crop pixels to the unit square: the crop's middle is (½,½).
	const step = cropMargin / cropSize
	const start = 0.5 - cropMargin/2
	n := min(max(int(math.Round(side*step/1.2)), 1), 4)
	plane := cropSize * cropSize
	scale := 1 / (255 * float64(n*n))
	for y := 0; y < cropSize; y++ {
		for x := 0; x < cropSize; x++ {
			var b, g, r float64
			for sy := 0; sy < n; sy++ {
				for sx := 0; sx < n; sx++ {
					u := start + step*(float64(x)+(float64(sx)+0.5)/float64(n))
					v := start + step*(float64(y)+(float64(sy)+0.5)/float64(n))
					w := h[6]*u + h[7]*v + h[8]
					p.add((h[0]*u+h[1]*v+h[2])/w, (h[3]*u+h[4]*v+h[5])/w, &b, &g, &r)
				}
			}
			i := y*cropSize + x
			dst[i], dst[plane+i], dst[2*plane+i] = float32(r*scale), float32(g*scale), float32(b*scale)
		}
	}
	return true
}

// add samples the picture between pixels; beyond its border the border goes on.
func (p *pixels) add(x, y float64, b, g, r *float64) {
	x, y = min(max(x-0.5, 0), float64(p.width-1)), min(max(y-0.5, 0), float64(p.height-1))
	if !(x >= 0 && y >= 0) { // NaN
		return
	}
	x0, y0 := int(x), int(y)
	fx, fy := x-float64(x0), y-float64(y0)
	i := (y0*p.width + x0) * 3
	right, down := 3, p.width*3
	if x0 == p.width-1 {
		right = 0
	}
	if y0 == p.height-1 {
		down = 0
	}
	w00, w10, w01, w11 := (1-fx)*(1-fy), fx*(1-fy), (1-fx)*fy, fx*fy
	a, c, d, e := p.data[i:i+3], p.data[i+right:i+right+3], p.data[i+down:i+down+3], p.data[i+down+right:i+down+right+3]
	*b += w00*float64(a[0]) + w10*float64(c[0]) + w01*float64(d[0]) + w11*float64(e[0])
	*g += w00*float64(a[1]) + w10*float64(c[1]) + w01*float64(d[1]) + w11*float64(e[1])
	*r += w00*float64(a[2]) + w10*float64(c[2]) + w01*float64(d[2]) + w11*float64(e[2])
}
