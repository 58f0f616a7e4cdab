// Package register tells how a camera has moved and how the light has changed between a reference, that is how a
// table is known to look, and a frame, and gives the frame as the reference's camera would have seen it in the
// reference's light. What still differs then is something on the table. It knows no dice and no boards.
package register

// Width is how wide pictures ought to be that are registered, pixels: wider is finer and costs more.
const Width = 320

// How sure a motion must be.
const (
	// goodAgreement is the share of marks that agree on a motion that need not be looked for any further.
	goodAgreement = 0.5
	// leastAgreement is the share below which a motion is not believed: by chance a tenth agree, a hand over half
	// of the picture leaves half.
	leastAgreement = 0.35
	// clearlyMore is by how much more of the marks must agree on a jump than on a camera that has not jumped: a table
	// with a pattern looks alike from here and there.
	clearlyMore = 0.1
	// leastSpread is in how many parts of the picture at least the marks must agree on a jump, see spread.
	leastSpread = 6
	// searchEvery is how many seconds pass from one search all over to the next.
	searchEvery = 0.5
)

// Picture is a small picture in color: blue, green, red bytes, row by row.
type Picture struct {
	Pix           []byte
	Width, Height int
}

// Colors is some of a pixel's colors: 1 blue, 2 green, 4 red.
type Colors uint8

// Thumb is a picture laid on the reference with the light divided out.
type Thumb struct {
	Pix           []byte // blue, green, red; at half the size of the pictures
	Width, Height int
	// Known is which pixels the frame shows. The others are as in the reference.
	Known []bool
	// Burnt is in which of its colors each pixel is too bright to tell: it may be brighter there than it is given.
	Burnt []Colors
	// Exposure is how bright the reference is next to a well exposed picture, at most 1. In little light things differ by as
	// much less.
	Exposure float64
}

// View is what is told of a frame. Its slices are good until the next one.
type View struct {
	Motion    Motion  // from the reference to the frame
	Agreement float64 // share of the marks that agree with it, 0 to 1
	Shown     float64 // share of the reference that the frame shows
	// Lost says that the motion is not known: it is as it was before. Nothing is laid on the reference then.
	Lost bool
	// Fresh says that the reference is this very frame: the first, or one after the view had gone.
	Fresh bool
	Thumb Thumb
}

// Register follows one camera. The zero value has seen nothing.
type Register struct {
	width, height int
	// Within, if set, is where marks are looked for, in places of the reference: what moves with the table
	// that matters. It counts from the next Learn on.
	Within func(x, y float64) bool

	fine   []byte // the reference, of full size
	thumb  Picture
	planes []plane
	marks  [][]mark

	grays   []Gray // of the frame, from fine to coarse
	details []plane
	made    int // how many of the details are made

	motion   Motion
	light    light
	sharp    Picture  // the frame at half its size,
	small    Picture  // and softened
	burnt    []Colors // in which the sharp one's pixels are burnt or touch one that is
	view     View
	searched float64 // when it was last searched all over
	frame    Picture
}

// See registers the next frame, t seconds after some beginning.
func (r *Register) See(p Picture, t float64) *View {
	r.frame = p
	if p.Width != r.width || p.Height != r.height {
		r.begin(p)
		return &r.view
	}
	r.take(p)
	m, agreement := r.follow()
	if agreement < leastAgreement && t-r.searched >= searchEvery {
		r.searched = t
		if far, a := r.closer(search(r.detail(r.last()), r.marks[r.last()], r.motion, anywhere, farTurn)); a > agreement+clearlyMore {
			m, agreement = far, a
		}
	}
	r.view.Fresh, r.view.Agreement = false, agreement
	r.view.Lost = agreement < leastAgreement && len(r.marks[0]) >= leastMarks
	if !r.view.Lost {
		r.motion = m
	}
	r.view.Motion = r.motion
	if !r.view.Lost {
		r.lay()
	}
	return &r.view
}

// last is the number of the coarsest level.
func (r *Register) last() int { return len(r.grays) - 1 }

// Anew makes the frame that was seen last the reference.
func (r *Register) Anew() *View {
	r.begin(r.frame)
	return &r.view
}

// begin starts from a first frame.
func (r *Register) begin(p Picture) {
	*r = Register{width: p.Width, height: p.Height, frame: p, motion: Still, sharp: r.sharp, small: r.small, burnt: r.burnt, grays: r.grays, details: r.details}
	r.fine = append([]byte(nil), p.Pix...)
	r.take(p)
	r.thumb = Picture{append([]byte(nil), r.small.Pix...), r.small.Width, r.small.Height}
	r.remake()
	n := r.thumb.Width * r.thumb.Height
	r.light.shape(r.thumb.Width, r.thumb.Height)
	exposure := r.thumb.exposure()
	r.light.doubt = float32(max(lightDoubt*exposure, leastDoubt))
	r.view = View{Motion: Still, Agreement: 1, Shown: 1, Fresh: true, Thumb: Thumb{
		Pix: make([]byte, 3*n), Width: r.thumb.Width, Height: r.thumb.Height, Known: make([]bool, n), Burnt: make([]Colors, n), Exposure: exposure,
	}}
	r.lay()
}

// coarsest is the width below which a picture is not halved any more.
const coarsest = 80

// take makes a frame's small pictures; the details follow when they are wanted.
func (r *Register) take(p Picture) {
	halve(p, &r.sharp)
	r.sharp.soften(&r.small)
	r.burnt = r.sharp.burnt(r.burnt)
	levels := 1
	for w := p.Width; w/2 >= coarsest; w /= 2 {
		levels++
	}
	if len(r.grays) != levels {
		r.grays, r.details = make([]Gray, levels), make([]plane, levels)
	}
	grayOf(p, &r.grays[0])
	r.made = 0
	for i := 1; i < levels; i++ {
		r.grays[i-1].halve(&r.grays[i])
	}
}

// detail is the frame's detail at a level.
func (r *Register) detail(level int) *plane {
	if r.made&(1<<level) == 0 {
		r.made |= 1 << level
		r.details[level].of(&r.grays[level])
	}
	return &r.details[level]
}

// remake makes what is known of the reference from its picture.
func (r *Register) remake() {
	var gray, half Gray
	grayOf(Picture{r.fine, r.width, r.height}, &gray)
	r.planes, r.marks = make([]plane, len(r.grays)), make([][]mark, len(r.grays))
	for i := range r.planes {
		r.planes[i].of(&gray)
		r.marks[i] = marksOf(&r.planes[i], r.Within)
		gray.halve(&half)
		gray, half = half, Gray{}
	}
}

// Steps of alignment.
const (
	finerSteps  = 4 // at a level where the one before has brought it near
	bendSteps   = 2 // there, where the view may bend
	finestSteps = 5 // at the last one
)

// follow finds the motion from where the view was before, and looks further where that does not agree.
func (r *Register) follow() (Motion, float64) {
	m, agreement := r.refine(r.motion, min(1, r.last()))
	if agreement >= goodAgreement {
		return m, agreement
	}
	if near, a := r.closer(search(r.detail(r.last()), r.marks[r.last()], r.motion, nearby, 0)); a > agreement+clearlyMore {
		return near, a
	}
	return m, agreement
}

// closer looks closely at candidates and gives the best.
func (r *Register) closer(list []candidate) (best Motion, agreement float64) {
	best = r.motion
	for _, c := range list {
		m := c.m
		for level := r.last(); level > min(1, r.last()); level-- {
			m = align(r.detail(level), r.marks[level], m, finerSteps, true)
		}
		if m, a := r.refine(m, min(1, r.last())); a > agreement && spread(r.detail(0), r.marks[0], &m) >= leastSpread {
			best, agreement = m, a
		}
	}
	return best, agreement
}

// refine draws a motion tight from a level on.
func (r *Register) refine(m Motion, level int) (Motion, float64) {
	for ; level > 0; level-- {
		m = align(r.detail(level), r.marks[level], m, finerSteps, true)
		m = align(r.detail(level), r.marks[level], m, bendSteps, false)
	}
	m = align(r.detail(0), r.marks[0], m, finestSteps, false)
	return m, agreement(r.detail(0), r.marks[0], &m)
}

// wellExposed is the mean gray level of a picture in which things differ as they do in good light: a dark cloth has as much.
const wellExposed = 70.0

// exposure is how bright a picture is next to a well exposed one, at most 1.
func (p *Picture) exposure() float64 {
	sum := 0
	for _, v := range p.Pix {
		sum += int(v)
	}
	return min(float64(sum)/float64(len(p.Pix))/wellExposed, 1)
}

// halve puts a picture at half its size into h.
func halve(p Picture, h *Picture) {
	h.Width, h.Height = p.Width/2, p.Height/2
	h.Pix = sized(h.Pix, 3*h.Width*h.Height)
	for y := range h.Height {
		up, down := p.Pix[6*y*p.Width:3*(2*y+1)*p.Width], p.Pix[3*(2*y+1)*p.Width:3*(2*y+2)*p.Width]
		row := h.Pix[3*y*h.Width : 3*(y+1)*h.Width]
		for x := range h.Width {
			a, b, out := up[6*x:6*x+6:6*x+6], down[6*x:6*x+6:6*x+6], row[3*x:3*x+3:3*x+3]
			for c := range 3 {
				out[c] = uint8((int(a[c]) + int(a[c+3]) + int(b[c]) + int(b[c+3]) + 2) / 4)
			}
		}
	}
}

// soften puts a picture into s with each pixel mixed with its neighbors, by halves. What is as fine as a pixel looks
// otherwise from each place between pixels; what is left then looks the same from all.
func (p *Picture) soften(s *Picture) {
	s.Width, s.Height = p.Width, p.Height
	s.Pix = sized(s.Pix, len(p.Pix))
	row := 3 * p.Width
	column := make([]int32, row)
	for y := range p.Height {
		up, at, down := p.Pix[max(y-1, 0)*row:], p.Pix[y*row:], p.Pix[min(y+1, p.Height-1)*row:]
		for i := range column {
			column[i] = int32(up[i]) + 2*int32(at[i]) + int32(down[i])
		}
		out := s.Pix[y*row : (y+1)*row]
		for i := range out {
			left, right := max(i-3, i%3), min(i+3, row-3+i%3)
			out[i] = uint8((column[left] + 2*column[i] + column[right] + 8) >> 4)
		}
	}
}
