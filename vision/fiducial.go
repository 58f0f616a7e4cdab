package vision

import (
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
)

// A printed board has fiducials beside its corners. They tell the grid's place and
// numbering without the network, and where nothing else would: on an empty board in
// bad light, under a full one, askew.

// fiducial is a mark as it was seen.
type fiducial struct {
	number  int
	corners [4]table.Point // of the picture, in the order of calibration.Fiducial
}

// Limits of what is taken for a mark, and for a grid.
const (
	fiducialLong     = 1280 // pixels: larger pictures are looked at smaller
	leastFiducial    = 11.0 // pixels a side
	leastContrast    = 28.0 // gray levels between its black and its white
	leastFiducials   = 3
	mostFiducialMiss = 0.08 // squares that a corner may lie off where the others put it
)

// byFiducials finds the grid by its marks: at least three that agree on one. Nil if
// there is none.
func (s *scene) byFiducials() *calibration.Profile {
	s.marks = findFiducials(s.img)
	var at, seen []table.Point
	had := [calibration.Fiducials]bool{}
	for _, m := range s.marks {
		if had[m.number] {
			s.marks = nil // two of a kind: two boards, or no board at all
			return nil
		}
		had[m.number] = true
		c := calibration.Fiducial(m.number)
		at, seen = append(at, c[:]...), append(seen, m.corners[:]...)
	}
	if len(s.marks) < leastFiducials {
		return nil
	}
	h, err := calibration.FitHomography(at, seen, nil)
	if err != nil {
		return nil
	}
	var q [4]table.Point
	for i, p := range [4]table.Point{{}, {X: table.Size}, {X: table.Size, Y: table.Size}, {Y: table.Size}} {
		q[i] = h.Apply(p)
	}
	cam, err := calibration.FromQuad(s.width, s.height, q)
	if err != nil {
		return nil
	}
	sights := make([]calibration.Sight, len(at))
	for i := range at {
		sights[i] = calibration.Sight{X: at[i].X, Y: at[i].Y, At: seen[i], Sigma: 0.7}
	}
	cam = calibration.Refine(cam, sights).Camera
	for _, v := range sights {
		p, next := cam.Project(v.X, v.Y, 0), cam.Project(v.X+0.5, v.Y+0.5, 0)
		pitch := math.Sqrt2 * math.Hypot(next.X-p.X, next.Y-p.Y)
		if off := math.Hypot(p.X-v.At.X, p.Y-v.At.Y); !(off <= mostFiducialMiss*pitch+1) { // also where it is not a number
			return nil
		}
	}
	return &calibration.Profile{Game: s.obs.Game, Camera: cam}
}

// numberByFiducials has a grid that was found without them begin at the corner that the
// marks in view tell.
func (s *scene) numberByFiducials() {
	if s.grid == nil || len(s.marks) == 0 {
		return
	}
	best, least := 0, 0.5 // squares off, on average
	for k := range 4 {
		cam := s.grid.Camera.Turned(k)
		off := 0.0
		for _, m := range s.marks {
			c := calibration.Fiducial(m.number)
			x, y, ok := cam.Place(middle(m.corners), 0)
			if !ok {
				return
			}
			off += math.Hypot(x-(c[0].X+c[2].X)/2, y-(c[0].Y+c[2].Y)/2) / float64(len(s.marks))
		}
		if off < least {
			best, least = k, off
		}
	}
	s.grid.Turn(best)
}

func middle(q [4]table.Point) table.Point {
	return table.Point{X: (q[0].X + q[1].X + q[2].X + q[3].X) / 4, Y: (q[0].Y + q[1].Y + q[2].Y + q[3].Y) / 4}
}

// withoutFiducials drops the tops that the network sees on marks: to it they look much
// like dice.
func (s *scene) withoutFiducials(tops []detect.Top) []detect.Top {
	if s.kit.Layout != table.Board {
		return tops
	}
	var levels grays
	if s.grid != nil && slices.ContainsFunc(tops, func(t detect.Top) bool { _, ok := s.markPlace(t.At); return ok }) {
		gray := gocv.NewMat()
		defer gray.Close()
		gocv.CvtColor(s.img, &gray, gocv.ColorBGRToGray)
		levels = newGrays(gray)
	}
	return slices.DeleteFunc(slices.Clone(tops), func(t detect.Top) bool {
		for _, m := range s.marks {
			if c := middle(m.corners); math.Hypot(t.At.X-c.X, t.At.Y-c.Y) < 0.75*math.Hypot(m.corners[0].X-c.X, m.corners[0].Y-c.Y) {
				return true
			}
		}
		place, ok := s.markPlace(t.At)
		if !ok {
			return false
		}
		_, ok = levels.read(place)
		return ok
	})
}

// markPlace is where the mark would stand that a top seems to stand on.
func (s *scene) markPlace(at table.Point) (q [4]table.Point, ok bool) {
	if s.grid == nil {
		return q, false
	}
	x, y, ok := s.grid.Camera.Place(at, 0)
	if !ok {
		return q, false
	}
	for n := range calibration.Fiducials {
		c := calibration.Fiducial(n)
		if x < c[0].X || y < c[0].Y || x > c[2].X || y > c[2].Y {
			continue
		}
		for k, p := range c {
			q[k] = s.grid.Camera.Project(p.X, p.Y, 0)
		}
		return q, true
	}
	return q, false
}

// findFiducials looks for marks in a picture of three channels.
func findFiducials(img gocv.Mat) []fiducial {
	gray, small, dark := gocv.NewMat(), gocv.NewMat(), gocv.NewMat()
	defer gray.Close()
	defer small.Close()
	defer dark.Close()
	gocv.CvtColor(img, &gray, gocv.ColorBGRToGray)
	look, scale := gray, 1.0
	if long := max(img.Cols(), img.Rows()); long > fiducialLong {
		scale = float64(long) / fiducialLong
		gocv.Resize(gray, &small, image.Pt(int(float64(img.Cols())/scale), int(float64(img.Rows())/scale)), 0, 0, gocv.InterpolationArea)
		look = small
	}
	block := max(look.Cols(), look.Rows())/24 | 1
	gocv.AdaptiveThreshold(look, &dark, 255, gocv.AdaptiveThresholdMean, gocv.ThresholdBinaryInv, max(block, 11), 9)
	contours := gocv.FindContours(dark, gocv.RetrievalList, gocv.ChainApproxSimple)
	defer contours.Close()
	p := newGrays(look)
	var out []fiducial
	for i := range contours.Size() {
		q, ok := squareOutline(contours.At(i))
		if !ok {
			continue
		}
		m, ok := p.read(q)
		if !ok || sameFiducial(out, m) {
			continue
		}
		out = append(out, m)
	}
	sharpen(look, out)
	for i := range out {
		for k := range out[i].corners { // middles of pixels, of the smaller picture and of the whole one
			c := &out[i].corners[k]
			c.X, c.Y = (c.X+0.5)*scale-0.5, (c.Y+0.5)*scale-0.5
		}
	}
	return out
}

// squareOutline is a contour's quadrilateral, clockwise, if it is about one.
func squareOutline(c gocv.PointVector) (q [4]table.Point, ok bool) {
	if c.Size() < 4 {
		return q, false
	}
	box := gocv.BoundingRect(c)
	if w, h := float64(box.Dx()), float64(box.Dy()); min(w, h) < leastFiducial*0.7 || max(w, h) > 6*min(w, h) || gocv.ContourArea(c) < 0.5*leastFiducial*leastFiducial {
		return q, false
	}
	poly := gocv.ApproxPolyDP(c, 0.05*gocv.ArcLength(c, true), true)
	defer poly.Close()
	if poly.Size() != 4 {
		return q, false
	}
	for i := range q {
		p := poly.At(i)
		q[i] = table.Point{X: float64(p.X), Y: float64(p.Y)}
	}
	turns := [4]float64{}
	least, most := math.Inf(1), 0.0
	for i := range q {
		a, b, c := q[i], q[(i+1)%4], q[(i+2)%4]
		turns[i] = (b.X-a.X)*(c.Y-b.Y) - (b.Y-a.Y)*(c.X-b.X)
		side := math.Hypot(b.X-a.X, b.Y-a.Y)
		least, most = min(least, side), max(most, side)
	}
	if turns[0] < 0 { // counterclockwise
		q[1], q[3] = q[3], q[1]
		for i := range turns {
			turns[i] = -turns[i]
		}
	}
	convex := turns[0] > 0 && turns[1] > 0 && turns[2] > 0 && turns[3] > 0
	return q, convex && least >= leastFiducial*0.6 && most <= 4*least
}

// grays are the levels of a gray picture.
type grays struct {
	data          []uint8
	width, height int
}

func newGrays(gray gocv.Mat) grays {
	data, err := gray.DataPtrUint8()
	if err != nil || !gray.IsContinuous() {
		return grays{}
	}
	return grays{data, gray.Cols(), gray.Rows()}
}

// at is the picture between its pixels; outside it goes on as at its border.
func (p grays) at(x, y float64) float64 {
	x, y = min(max(x, 0), float64(p.width-1)), min(max(y, 0), float64(p.height-1))
	i, j := min(int(x), p.width-2), min(int(y), p.height-2)
	fx, fy := x-float64(i), y-float64(j)
	row := p.data[j*p.width+i:]
	next := p.data[(j+1)*p.width+i:]
	return (float64(row[0])*(1-fx)+float64(row[1])*fx)*(1-fy) + (float64(next[0])*(1-fx)+float64(next[1])*fx)*fy
}

// read reads the cells within a quadrilateral.
func (p grays) read(q [4]table.Point) (fiducial, bool) {
	h, err := calibration.QuadTo(q)
	if err != nil || p.data == nil || p.width < 2 || p.height < 2 {
		return fiducial{}, false
	}
	const n = calibration.FiducialCells
	var level [n][n]float64
	darkest, lightest := 255.0, 0.0
	for row := range n {
		for col := range n {
			sum := 0.0
			for _, d := range [...][2]float64{{0, 0}, {-0.2, -0.2}, {0.2, -0.2}, {-0.2, 0.2}, {0.2, 0.2}} {
				at := h.Apply(table.Point{X: (float64(col) + 0.5 + d[0]) / n, Y: (float64(row) + 0.5 + d[1]) / n})
				sum += p.at(at.X, at.Y)
			}
			level[row][col] = sum / 5
			darkest, lightest = min(darkest, level[row][col]), max(lightest, level[row][col])
		}
	}
	if lightest-darkest < leastContrast {
		return fiducial{}, false
	}
	var white [n][n]bool
	for row := range n {
		for col := range n {
			white[row][col] = level[row][col] > (darkest+lightest)/2
		}
	}
	number, quarters, ok := calibration.FiducialOf(white)
	if !ok {
		return fiducial{}, false
	}
	m := fiducial{number: number}
	for k := range m.corners { // turned back
		m.corners[k] = q[(k+quarters)%4]
	}
	return m, true
}

// sameFiducial says whether a mark was seen already: its black has two borders where it is small.
func sameFiducial(known []fiducial, m fiducial) bool {
	for _, o := range known {
		if o.number == m.number && math.Hypot(o.corners[0].X-m.corners[0].X, o.corners[0].Y-m.corners[0].Y) < leastFiducial/2 {
			return true
		}
	}
	return false
}

// sharpen moves the corners of marks to parts of a pixel.
func sharpen(gray gocv.Mat, marks []fiducial) {
	for i := range marks {
		c := &marks[i].corners
		side := math.Hypot(c[1].X-c[0].X, c[1].Y-c[0].Y)
		reach := min(max(int(side/10), 2), 6)
		at := gocv.NewMatWithSize(4, 1, gocv.MatTypeCV32FC2)
		v, err := at.DataPtrFloat32()
		if err == nil {
			for k, p := range c {
				v[2*k], v[2*k+1] = float32(p.X), float32(p.Y)
			}
			gocv.CornerSubPix(gray, &at, image.Pt(reach, reach), image.Pt(-1, -1), gocv.NewTermCriteria(gocv.Count+gocv.EPS, 20, 0.02))
			for k := range c {
				p := table.Point{X: float64(v[2*k]), Y: float64(v[2*k+1])}
				if math.Hypot(p.X-c[k].X, p.Y-c[k].Y) <= float64(reach) {
					c[k] = p
				}
			}
		}
		at.Close()
	}
}
