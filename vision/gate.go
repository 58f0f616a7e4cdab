package vision

import "diceref/table"

// How a Gate judges. Times are in seconds, so that a camera of 5 frames a second and
// one of 30 are judged alike; the minimums in frames keep slow ones honest.
const (
	baseAge    = 0.09 // movement is judged against a frame at least so old
	holdTime   = 0.15 // nothing may have moved for this long before a frame is read,
	holdFrames = 2    // nor in so many frames,
	slowFrame  = 0.25 // unless a frame lasts so long: then one is enough
	firstHold  = 0.35 // as holdTime, before the first reading: cameras look for their exposure
	voteAfter  = 0.09 // from a reading to the one that confirms it, and to a third that decides
	moreAfter  = 0.19 // from reading to reading when more are wanted than these
	votes      = 2    // readings after a change
	// No hand lies perfectly still for so long: what does is a part of the table now.
	handTimeout = 2.5
	refresh     = 1.0 // a view that is still the same follows the light this often

	handShare = 0.006 // of the picture, in one piece that reaches the border: a hand or an arm
	bumpShare = 0.5   // of the picture: the camera or the light changed, no hand is so large
	pushShare = 0.08  // of the picture, away from its border: so much moves under no hand that is smaller
	sameShare = 0.2   // of the picture: an older view that differs more is of no help
	keptViews = 3     // settled views that are remembered
)

// Verdict is what a Gate says of a frame.
type Verdict struct {
	Look table.Look
	Read bool // the frame is to be read
	New  bool // for the first time since something changed
	// Bumped says that most of the view is not as it was when it was last read: the camera
	// or the board was moved.
	Bumped bool
}

// Gate decides from thumbnails how each frame looks and which frames are read:
// the first that is still after any change, another to vote, and more as long as the
// readings are in doubt. A view that is the same as the one read is not read again.
type Gate struct {
	cmp   comparer
	base  thumb   // movement is judged against it
	baseT float64 // its time
	views []thumb // settled views, the newest last: that which was read last
	viewT float64

	lastT   float64
	movedT  float64 // when something last moved
	still   int     // frames since
	handT   float64 // since when a hand lies still, if hand
	hand    bool
	rested  []rest // hands that have held still since the table was free
	readT   float64
	reads   int // of the present view
	wanted  int
	stirred bool // something moved since the last reading
	laidOn  bool // a hand seems to be in view: it was looked whether the camera has moved rather,
	bumped  bool // and so it has
}

// See judges the next frame by its thumbnail (width times height BGR pixels, as
// Thumbnail makes them) and its time in seconds.
func (g *Gate) See(pix []byte, width int, t float64) Verdict {
	step := t - g.lastT
	g.lastT = t
	if len(pix) != len(g.base.pix) || width != g.cmp.width { // the first, or another size
		*g = Gate{cmp: comparer{width: width, noise: 1}, lastT: t, movedT: t, stirred: true}
		g.setBase(pix, t)
		return Verdict{Look: table.LookMoving}
	}
	moved := g.cmp.compare(&g.base, pix)
	g.cmp.learn(moved)
	if t-g.baseT >= baseAge {
		g.setBase(pix, t)
	}
	if moved.pieces > 0 {
		g.movedT, g.still, g.hand, g.stirred, g.laidOn, g.bumped = t, 0, false, true, false, false
		return Verdict{Look: table.LookMoving}
	}
	g.still++
	change := g.change(pix)
	if change.hand() || g.hand && change.border >= handShare/2 && !change.pushed() {
		if !g.hand {
			g.hand = true
			g.noteHand(pix)
		}
		if t-g.handT < handTimeout {
			return Verdict{Look: table.LookHand}
		}
	}
	if !g.settled(t, step) {
		return Verdict{Look: table.LookMoving}
	}
	g.rested = g.rested[:0]
	v := Verdict{Look: table.LookStill, Read: g.due(change, t)}
	if v.Read {
		v.Bumped = change.pushed()
		g.reads++
		v.New = g.reads == 1
		g.readT, g.stirred, g.hand = t, false, false
	}
	if v.Read && g.reads == 1 {
		g.keepView(pix, t)
	} else if change.pieces == 0 && t-g.viewT >= refresh {
		g.views[len(g.views)-1].set(pix)
		g.viewT = t
	}
	return v
}

// Want says how many readings of the present view are wanted in all, in place of the
// usual two: more where they are in doubt. It holds until the view changes.
func (g *Gate) Want(readings int) { g.wanted = readings }

// rest is a view in which a hand holds still, and since when it does.
type rest struct {
	view  thumb
	since float64
}

// noteHand counts how long a hand has been lying still: from now on, or from before, where it lies
// as it did before something else moved.
func (g *Gate) noteHand(pix []byte) {
	g.handT = g.movedT
	for i := range g.rested {
		if r := &g.rested[i]; g.cmp.compare(&r.view, pix).border < handShare {
			g.handT = r.since
			return
		}
	}
	if len(g.rested) == keptViews {
		g.rested = append(g.rested[:0], g.rested[1:]...)
	}
	r := rest{since: g.movedT}
	r.view.set(pix)
	g.rested = append(g.rested, r)
}

// settled says whether nothing has moved for long enough.
func (g *Gate) settled(t, step float64) bool {
	hold := holdTime
	if len(g.views) == 0 {
		hold = firstHold
	}
	return t-g.movedT >= hold && (g.still >= holdFrames || step >= slowFrame)
}

// due says whether a settled frame is to be read.
func (g *Gate) due(change difference, t float64) bool {
	if len(g.views) == 0 || g.stirred || change.pieces > 0 {
		g.reads, g.wanted = 0, votes
		return true
	}
	after := voteAfter
	if g.reads > votes {
		after = moreAfter
	}
	return g.reads < g.wanted && t-g.readT >= after
}

// change compares a frame with the view that was read last. Where a hand seems to have
// come it may as well have gone: then an older view knows the table without it.
func (g *Gate) change(pix []byte) difference {
	if len(g.views) == 0 {
		return difference{}
	}
	newest := len(g.views) - 1
	d := g.cmp.compare(&g.views[newest], pix)
	for i := newest - 1; i >= 0 && d.hand(); i-- {
		if older := g.cmp.compare(&g.views[i], pix); older.border < handShare && older.share <= sameShare {
			d.border = 0
		}
	}
	if d.hand() && !g.laidOn {
		g.laidOn, g.bumped = true, g.cmp.bumped(d, &g.views[newest], pix)
	}
	d.bumped = g.bumped
	return d
}

func (g *Gate) setBase(pix []byte, t float64) {
	g.base.set(pix)
	g.baseT = t
}

// keepView remembers a view that is being read.
func (g *Gate) keepView(pix []byte, t float64) {
	var view thumb
	if len(g.views) == keptViews {
		view, g.views = g.views[0], append(g.views[:0], g.views[1:]...)
	}
	view.set(pix)
	g.views = append(g.views, view)
	g.viewT = t
}

// hand says whether the difference looks like a hand or another large thing that
// reaches in over the border.
func (d difference) hand() bool { return d.border >= handShare && !d.pushed() }

// pushed says whether the camera or the board was moved rather: all of the table lies
// elsewhere, and what differs at the border is a part of it.
func (d difference) pushed() bool {
	return d.bumped || d.share > bumpShare || d.inside >= pushShare && d.inside > d.border
}
