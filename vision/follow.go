package vision

import (
	"image"
	"math"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/camera"
	"diceref/vision/register"
)

// follower knows where what was seen before lies in the present frame. Places of its reference are given
// in pixels of a frame of full size, as the camera saw them when the reference was made.
type follower struct {
	reg           register.Register
	small         gocv.Mat
	halves        []gocv.Mat // of a frame on the way to the small one, each half of the one before
	view          *register.View
	width, height float64         // of a frame
	held          register.Motion // the view's motion, but for what is less than leastMove
	// world is the motion from the first reference to the present one.
	world register.Motion
	// While the view is lost, it is looked whether the camera at least sees one and the same.
	probe   register.Register
	probing bool
	since   float64
}

const (
	// lostTime is for how long a lost view must be one and the same before the table is looked for in it:
	// a hand before the lens is gone by then.
	lostTime = 1.0
	// leastShown is the share of the reference that a frame must still show; with less, a new one is made.
	leastShown = 0.7
)

func newFollower() follower {
	return follower{small: gocv.NewMat(), world: register.Still, held: register.Still}
}

func (f *follower) close() {
	f.small.Close()
	for i := range f.halves {
		f.halves[i].Close()
	}
}

// see registers a frame. With moved the reference is another: what lay in the one before lies where it
// says now, if it is where it was last seen; with gone that is not known.
func (f *follower) see(img *camera.Picture, t float64) (moved *calibration.Homography, gone bool, err error) {
	f.shrink(img.Small())
	pix, err := f.small.DataPtrUint8()
	if err != nil {
		return nil, false, err
	}
	f.width, f.height = float64(img.Width), float64(img.Height)
	p := register.Picture{Pix: pix, Width: f.small.Cols(), Height: f.small.Rows()}
	f.view = f.reg.See(p, t)
	switch {
	case f.view.Lost:
		if !f.seesOneThing(p, t) {
			return nil, false, nil
		}
		gone = true
	case f.view.Shown >= leastShown:
		f.probing = false
		f.hold()
		return nil, false, nil
	}
	h := f.here()
	f.world = f.view.Motion.Mul(f.world)
	f.probing = false
	f.view = f.reg.Anew()
	f.held = register.Still
	return &h, gone, nil
}

// shrink makes a frame as small as it is registered: by halves, which OpenCV is quick at, and then what is left.
func (f *follower) shrink(img gocv.Mat) {
	width := min(register.Width, img.Cols())
	height := max(1, (img.Rows()*width+img.Cols()/2)/img.Cols())
	for n := 0; img.Cols() >= 2*width && img.Rows() >= 2*height; n++ {
		if n == len(f.halves) {
			f.halves = append(f.halves, gocv.NewMat())
		}
		gocv.Resize(img, &f.halves[n], image.Pt(img.Cols()/2, img.Rows()/2), 0, 0, gocv.InterpolationArea)
		img = f.halves[n]
	}
	gocv.Resize(img, &f.small, image.Pt(width, height), 0, 0, gocv.InterpolationLinear)
}

// dark says whether there is little light: three quarters of the frame's green is below what makes reading hard.
func (f *follower) dark() bool {
	pix, err := f.small.DataPtrUint8()
	if err != nil {
		return false
	}
	bright := 0
	for i := 1; i < len(pix); i += 3 {
		if pix[i] >= darkBelow {
			bright++
		}
	}
	return 12*bright < len(pix)
}

// seesOneThing says whether the camera has seen the same for long, other than before.
func (f *follower) seesOneThing(p register.Picture, t float64) bool {
	if v := f.probe.See(p, t); !f.probing || v.Lost {
		f.probe.Anew()
		f.probing, f.since = true, t
	}
	return t-f.since >= lostTime
}

// hold lets what is told stay where it is while the camera does not move to speak of.
func (f *follower) hold() {
	from, ok := f.held.Inverse()
	if !ok || f.moves(f.inPixels(f.view.Motion.Mul(from))) {
		f.held = f.view.Motion
	}
}

// inPixels is a motion between pixels of full size.
func (f *follower) inPixels(m register.Motion) calibration.Homography {
	to := calibration.Homography{f.width, 0, f.width / 2, 0, f.width, f.height / 2, 0, 0, 1}
	from, _ := to.Inverse()
	return to.Mul(m).Mul(from)
}

// here takes a place of the reference to where it is in the present frame; there is none for pictures that are
// taken on purpose, and each is for itself.
func (f *follower) here() calibration.Homography {
	if f.view == nil {
		return register.Still
	}
	return f.inPixels(f.held)
}

// back takes a place of the present frame to the reference.
func (f *follower) back() calibration.Homography {
	m, ok := f.here().Inverse()
	if !ok {
		return register.Still
	}
	return m
}

// leastMove is how far a place half way to the picture's corners must have moved, in shares of its width, for
// anything to be told elsewhere: less is not known so well, and a known grid is drawn tight by its lines anyway.
const leastMove = 0.0015

// moves says whether a mapping of pixels moves anything to speak of.
func (f *follower) moves(h calibration.Homography) bool {
	for _, k := range [...][2]float64{{1, 1}, {3, 1}, {1, 3}, {3, 3}} {
		p := table.Point{X: k[0] * f.width / 4, Y: k[1] * f.height / 4}
		if q := h.Apply(p); math.Hypot(q.X-p.X, q.Y-p.Y) > leastMove*f.width {
			return true
		}
	}
	return false
}

func movedCorners(h calibration.Homography, c [4]table.Point) [4]table.Point {
	for i := range c {
		c[i] = h.Apply(c[i])
	}
	return c
}

// movedDice is readings where a mapping has them.
func movedDice(h calibration.Homography, dice []table.Reading) []table.Reading {
	out := make([]table.Reading, len(dice))
	for i, d := range dice {
		d.At, d.Outline = h.Apply(d.At), movedCorners(h, d.Outline)
		out[i] = d
	}
	return out
}

// movedProfile is the profile of a grid that a mapping has elsewhere; as it is where that cannot be told.
func (f *follower) movedProfile(h calibration.Homography, game table.Game, p *calibration.Profile) *calibration.Profile {
	if p == nil || !f.moves(h) {
		return p
	}
	cam := p.Camera.Scaled(f.width, f.height)
	q, err := calibration.FromGrid(game, int(f.width), int(f.height), movedCorners(h, cam.Corners()))
	if err != nil {
		return p
	}
	moved := *p
	moved.Camera = q.Camera
	return &moved
}
