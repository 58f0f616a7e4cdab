// Package motion judges frames that were registered: what moves on a table, where a hand lies over it,
// what has settled, and which frames are worth reading. It knows no dice and no boards.
package motion

import (
	"math"

	"diceref/table"
	"diceref/vision/register"
)

// How a Judge judges. Times are in seconds, so that a camera of 5 frames a second and
// one of 30 are judged alike; the minimums in frames keep slow ones honest.
const (
	// baseAge is how old at least the frame is against which movement is judged. Older sees slower things.
	baseAge = 0.09
	// holdTime is how long nothing may have moved before a frame is read, holdFrames in how many frames
	// besides, unless a frame lasts for slowFrame: then one is enough. Longer waits for a die that still
	// rocks, shorter tells sooner.
	holdTime   = 0.15
	holdFrames = 2
	slowFrame  = 0.25
	// firstHold is holdTime before the first reading: cameras look for their exposure.
	firstHold = 0.35
	// voteAfter is from a reading to the one that confirms it, and to a third that decides; moreAfter
	// from reading to reading when more are wanted than these.
	voteAfter = 0.09
	moreAfter = 0.19
	// votes is how many readings are made after a change.
	votes = 2
	// handTimeout is how long a hand may lie perfectly still: what does for longer is a part of the table.
	handTimeout = 2.5
	// handShare is the least part of a picture, in one piece that reaches the border, that is a hand or an arm.
	handShare = 0.006
	// mostShare is the part of the picture of which more differs under no hand.
	mostShare = 0.5
	// refresh is how often a view that is still the same is taken anew, for what its light does to single dice.
	refresh = 1.0
	// sameShare is the part of the picture of which less differs where an older view is of help.
	sameShare = 0.2
	// steady is by how much, in shares of the picture's width, a camera that stands still seems to move from one frame to the
	// next at most: half a pixel of 800.
	steady = 0.0006
	// keptViews is how many settled views are remembered.
	keptViews = 3
)

// Verdict is what a Judge says of a frame.
type Verdict struct {
	Look table.Look
	Read bool // the frame is to be read
	New  bool // for the first time since something changed
	// Hitch is what keeps the frame from being read, if anything does.
	Hitch Hitch
}

// Hitch is what keeps a frame from being read.
type Hitch int

// The hitches.
const (
	Free    Hitch = iota
	Covered       // a hand or another large thing lies or moves over the table
	Shaken        // the camera moves, and so much with it all over that it cannot be worked out, or the view is lost
	Lit           // so much moves all over before a camera that stands still: light and shadows
)

// Judge decides how each frame looks and which frames are read: the first that is still after any
// change, another to vote, and more as long as the readings are in doubt. A view that is the same as
// the one read is not read again. The zero value has seen nothing.
type Judge struct {
	cmp    comparer
	moved  difference // since the base
	change difference // since the view that was read last
	older  difference
	base   register.Thumb
	baseT  float64
	begun  bool
	views  []*register.Thumb // settled views, the newest last: that which was read last
	viewT  float64           // when it was seen

	lastT   float64
	movedT  float64 // when something last moved where it matters,
	asideT  float64 // and elsewhere
	still   int     // frames since
	handT   float64 // since when a hand lies still, if hand
	hand    bool
	covered cover
	hides   bool            // what rests there hides something that is played with
	rested  []rest          // hands that have held still since the table was free
	motion  register.Motion // of the camera, in the last frame
	moves   bool            // it moved since the one before
	readT   float64
	reads   int // of the present view
	wanted  int
	stirred bool // something moved since the last reading
}

// Heed says where it matters what moves or lies there, for each pixel of a thumb; nil: everywhere. A hand that rests at the
// table's edge, and what goes on behind it, hides nothing then and keeps nothing from being read. It holds as long as what
// frames are registered against.
func (j *Judge) Heed(where []bool, width int) {
	j.cmp.heed = nil
	if where == nil {
		j.covered.clear()
		return
	}
	height := len(where) / width
	cw := (width + cell - 1) / cell
	j.cmp.heed = make([]bool, cw*((height+cell-1)/cell))
	for i, is := range where {
		if is {
			j.cmp.heed[i/width/cell*cw+i%width/cell] = true
		}
	}
}

// Changed says for each pixel of a thumb whether it differs from the view that was read before the last. What is going on aside
// is no change of the table.
func (j *Judge) Changed() []bool {
	n := len(j.views)
	if n < 2 {
		return nil
	}
	now := j.views[n-1]
	j.cmp.compare(j.views[n-2], now, &j.older)
	busy := j.busyAside(j.lastT)
	cw, ch := (now.Width+cell-1)/cell, (now.Height+cell-1)/cell
	take := make([]bool, now.Width*now.Height)
	for i := range take {
		x, y := i%now.Width/cell, i/now.Width/cell
		for ny := max(y-1, 0); ny <= min(y+1, ch-1) && !take[i]; ny++ {
			for nx := max(x-1, 0); nx <= min(x+1, cw-1); nx++ {
				of := j.older.of[ny*cw+nx]
				take[i] = take[i] || of > 0 && !(busy && j.older.pieces[of-1].aside)
			}
		}
	}
	return take
}

// See judges the next frame, t seconds after some beginning.
func (j *Judge) See(v *register.View, t float64) Verdict {
	step := t - j.lastT
	j.lastT = t
	if !j.begun || v.Fresh { // the first, or nothing is where it was
		j.cmp.heed = nil
		j.covered.clear()
		*j = Judge{covered: j.covered, cmp: j.cmp, motion: v.Motion, begun: true, lastT: t, movedT: t, stirred: true}
		if j.cmp.noise == 0 {
			j.cmp.noise = 1
		}
		j.setBase(&v.Thumb, t)
		return Verdict{Look: table.LookMoving}
	}
	if v.Lost {
		j.stir(t)
		return Verdict{Look: table.LookMoving, Hitch: Shaken}
	}
	now := &v.Thumb
	j.moves = between(&j.motion, &v.Motion) > steady
	j.motion = v.Motion
	j.compareFrames(now, t, step)
	if t-j.baseT >= baseAge {
		j.setBase(now, t)
	}
	if j.moved.matters() {
		j.stir(t)
		return Verdict{Look: table.LookMoving, Hitch: j.hitch()}
	}
	if len(j.moved.pieces) > 0 {
		j.asideT = t
	}
	j.still++
	border := j.handOver(now)
	if border >= handShare || j.hand && !j.covered.any && border >= handShare/2 {
		if !j.hand {
			j.hand = true
			j.noteHand(now)
		}
		if t-j.handT < handTimeout {
			return Verdict{Look: table.LookHand, Hitch: Covered}
		}
	}
	if !j.settled(t, step) {
		return Verdict{Look: table.LookMoving}
	}
	return j.rests(now, t)
}

// rests judges a frame in which nothing moves and no hand lies, and keeps what it shows.
func (j *Judge) rests(now *register.Thumb, t float64) Verdict {
	j.rested = j.rested[:0]
	j.covered.rest()
	same := len(j.views) > 0 && len(j.change.pieces) == 0 // then it replaces the last view
	aged := same && t-j.viewT >= refresh
	if aged {
		j.stirred = j.stirred || j.faint(now)
	}
	out := Verdict{Look: table.LookStill, Read: j.due(t)}
	if out.Read {
		j.reads++
		out.New = j.reads == 1
		j.readT, j.stirred, j.hand = t, false, false
	}
	switch {
	case out.New && !same:
		j.keepView(now)
		j.viewT = t
	case out.New || aged:
		keepBut(j.views[len(j.views)-1], now, j.covered.mask())
		j.viewT = t
	}
	return out
}

// compareFrames finds what moves, and how the table differs from the view that was read last, without what rests over it.
func (j *Judge) compareFrames(now *register.Thumb, t, step float64) {
	j.cmp.compare(&j.base, now, &j.moved)
	j.cmp.learn(&j.moved)
	j.change.pieces = j.change.pieces[:0]
	if len(j.views) == 0 {
		return
	}
	last := j.views[len(j.views)-1]
	j.cmp.compare(last, now, &j.change)
	if j.cmp.heed == nil || len(j.moved.pieces)+len(j.change.pieces) == 0 && !j.covered.any {
		return
	}
	if j.change.share() > mostShare { // another light, or another table
		return
	}
	j.covered.begin(t, &j.moved, &j.change)
	if j.covered.note(t, step, (now.Width+cell-1)/cell, j.cmp.heed, j.hides) {
		j.stirred = true // it is in view again
	}
	if mask := j.covered.mask(); mask != nil {
		j.cmp.join(last, now, &j.change, mask, minPiece)
		j.cmp.measure(&j.base, now, &j.moved, j.cmp.floor(now))
		j.cmp.join(&j.base, now, &j.moved, mask, minPiece)
	}
}

// faint says whether something has changed that is too faint to be seen moving: small dice whose new face looks much like the one
// before. It is only worth another reading, as a shadow may do the same.
func (j *Judge) faint(now *register.Thumb) bool {
	j.cmp.faintly(j.views[len(j.views)-1], now, &j.older, j.covered.mask())
	return j.older.matters()
}

// Covers says whether something rests over a place of a thumb, and keeps it from being judged, and whether that moves.
func (j *Judge) Covers(x, y float64) (covers, moves bool) {
	c, v := &j.covered, &j.base
	if !c.any || x < 0 || y < 0 || x >= float64(v.Width) || y >= float64(v.Height) {
		return false, false
	}
	i := int(y)/cell*((v.Width+cell-1)/cell) + int(x)/cell
	return c.near[i], c.near[i] && j.lastT-c.moved[i] < stillTime
}

// Uncover has something that was seen about a place of a thumb be a part of the table, and not of what rests over that.
func (j *Judge) Uncover(x, y, radius float64) {
	if !j.covered.any {
		return
	}
	view, cw := j.views[len(j.views)-1], (j.base.Width+cell-1)/cell
	for row := max(int(y-radius), 0); row < min(int(y+radius)+1, j.base.Height); row++ {
		for col := max(int(x-radius), 0); col < min(int(x+radius)+1, j.base.Width); col++ {
			i := row*j.base.Width + col
			copy(view.Pix[3*i:3*i+3], j.base.Pix[3*i:3*i+3])
			view.Known[i], view.Burnt[i] = j.base.Known[i], j.base.Burnt[i]
			k := row/cell*cw + col/cell
			j.covered.over[k], j.covered.spent[k] = false, 0
		}
	}
	j.covered.widen(cw)
}

// Covered says whether something rests over a part of the table.
func (j *Judge) Covered() bool { return j.covered.any }

// Seen tells what a reading has found under what rests over a part of the table: whether it hides anything that is played with.
// What lies on the board and hides nothing of it is a part of it.
func (j *Judge) Seen(touches, hides bool) {
	if j.hides = hides; touches && !hides && j.lastT-j.covered.stirT >= handTimeout {
		j.covered.clear()
		j.stirred = true
	}
}

// between is how far apart two motions take the middle of a picture, in shares of its width. Light that plays over its edges
// seems to move these more.
func between(a, b *register.Motion) float64 {
	p, q := a.Apply(table.Point{}), b.Apply(table.Point{})
	return math.Hypot(p.X-q.X, p.Y-q.Y)
}

// hitch is what moves: a hand and what it moves are one piece or few, a picture that shakes moves all over, and so does light that
// falls through leaves.
func (j *Judge) hitch() Hitch {
	most := 0.0
	for _, p := range j.moved.pieces {
		most = max(most, p.size)
	}
	switch {
	case most >= j.moved.share()*j.moved.pixels/2:
		return Covered
	case j.moves:
		return Shaken
	}
	return Lit
}

// stir notes that something moves.
func (j *Judge) stir(t float64) { j.movedT, j.still, j.hand, j.stirred = t, 0, false, true }

// Want says how many readings of the present view are wanted in all, in place of the
// usual two: more where they are in doubt. It holds until the view changes.
func (j *Judge) Want(readings int) { j.wanted = readings }

// Again has the present view be read anew.
func (j *Judge) Again() { j.stirred = true }

// rest is a view in which a hand holds still, and since when it does.
type rest struct {
	view  register.Thumb
	since float64
}

// noteHand counts how long a hand has been lying still: from now on, or from before, where it lies
// as it did before something else moved.
func (j *Judge) noteHand(now *register.Thumb) {
	j.handT = j.movedT
	for i := range j.rested {
		r := &j.rested[i]
		if j.cmp.compare(&r.view, now, &j.older); j.older.border(false) < handShare {
			j.handT = r.since
			return
		}
	}
	if len(j.rested) == keptViews {
		j.rested = append(j.rested[:0], j.rested[1:]...)
	}
	r := rest{since: j.movedT}
	keep(&r.view, now)
	j.rested = append(j.rested, r)
}

// settled says whether nothing has moved for long enough.
func (j *Judge) settled(t, step float64) bool {
	hold := holdTime
	if len(j.views) == 0 {
		hold = firstHold
	}
	return t-j.movedT >= hold && (j.still >= holdFrames || step >= slowFrame)
}

// busyAside says whether something goes on where it does not matter: it has just moved, or a hand lies there, as far as is known.
func (j *Judge) busyAside(t float64) bool {
	hold := holdTime
	if j.change.border(true) >= handShare {
		hold = handTimeout
	}
	return t-j.asideT < hold
}

// due says whether a settled frame is to be read.
func (j *Judge) due(t float64) bool {
	if len(j.views) == 0 || j.stirred || j.change.matters() || len(j.change.pieces) > 0 && !j.busyAside(t) {
		j.reads, j.wanted = 0, votes
		return true
	}
	after := voteAfter
	if j.reads > votes {
		after = moreAfter
	}
	return j.reads < j.wanted && t-j.readT >= after
}

// handOver tells how large a hand seems to lie over the view that was read last. Where one seems to have come it may as well have
// gone: then an older view knows the table without it.
func (j *Judge) handOver(now *register.Thumb) (border float64) {
	newest := len(j.views) - 1
	if newest < 0 || j.change.share() > mostShare {
		return 0
	}
	border = j.change.border(false)
	for i := newest - 1; i >= 0 && border >= handShare; i-- {
		if j.cmp.compare(j.views[i], now, &j.older); j.older.border(false) < handShare && j.older.share() <= sameShare {
			return 0
		}
	}
	return border
}

func (j *Judge) setBase(t *register.Thumb, at float64) {
	keep(&j.base, t)
	j.baseT = at
}

// keepView remembers a view that is being read, and what is covered in it as it was seen last.
func (j *Judge) keepView(now *register.Thumb) {
	view := new(register.Thumb)
	if len(j.views) == keptViews {
		view, j.views = j.views[0], append(j.views[:0], j.views[1:]...)
	}
	if n := len(j.views); n > 0 {
		keep(view, j.views[n-1])
	}
	keepBut(view, now, j.covered.mask())
	j.views = append(j.views, view)
}
