package vision

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/camera"
	"diceref/vision/eye"
	"diceref/vision/motion"
)

// session is the following of one source.
type session struct {
	w    *Watcher
	what eye.Watch
	info camera.Info
	rec  recognizer

	follow follower
	judge  motion.Judge
	seen   between
	small  gocv.Mat
	saved  *calibration.Profile   // given by the client
	found  *calibration.Profile   // of the grid as it was found last
	former *calibration.Profile   // of the grid before the camera seemed to move
	unsure bool                   // found may be another grid
	once   bool                   // no other search has found it since
	ground Ground                 // of that grid, over all views
	last   table.Observation      // the last reading,
	lastAt calibration.Homography // from the reference to the frame in which it was read
	// markers are an arena's stickers as they were learned, numbered as in what is told.
	markers   []table.MarkerReading
	otherwise bool // the calibration is numbered otherwise, see takeUp
	// heeded is how often lessons and dice had been told when it was read.
	heeded int
	swung  bool // the camera has moved, and nothing tells where to
	// patience notices that nothing is concluded for long.
	patience patience
	// Where the grid's corners were when it was last found: its numbering stays.
	numbered bool
	corners  [4]table.Point
	frame    int       // the present one
	since    int       // see table.Grid
	paced    time.Time // when the first frame was told, for a file at its own speed
	began    float64   // the time of that frame, seconds
	shown    time.Time // when the last picture was sent
}

func (s *session) close() {
	s.follow.close()
	s.small.Close()
}

// warmUp is how much of a file an eye looks at before the frame at which it takes over, in
// seconds, so that it knows the table without a hand over it.
const warmUp = 5.0

// see looks at a frame and tells what it shows.
func (s *session) see(ctx context.Context, f camera.Taken) error {
	if !s.info.Live && f.T < float64(s.what.Resume)/s.info.FPS-warmUp {
		return nil
	}
	s.frame = f.Index
	if s.info.Live {
		s.frame += s.what.Resume
	}
	verdict, err := s.look(f)
	if err != nil {
		return err
	}
	if verdict.Read {
		if err := s.readFrame(f.Picture, verdict); err != nil {
			return err
		}
	}
	s.notePatience(verdict, f.T)
	o := s.observation(f, verdict)
	if o.Frame < s.what.Resume { // told by an eye before this one: seen again to know the table
		return nil
	}
	s.pace(ctx, o.T)
	if err := s.w.voice.Observe(o); err != nil {
		return err
	}
	return s.show(o, f.Picture)
}

// readFrame reads a frame in all its pixels.
func (s *session) readFrame(p *camera.Picture, v motion.Verdict) error {
	img, err := p.Full()
	if err != nil {
		return fmt.Errorf("cannot read a frame: %w", err)
	}
	return s.read(img, v)
}

// look judges a frame before any die is read.
func (s *session) look(f camera.Taken) (motion.Verdict, error) {
	if s.info.Posed {
		s.found, s.former, s.unsure = nil, nil, false
		return motion.Verdict{Look: table.LookStill, Read: true, New: true}, nil
	}
	moved, gone, err := s.follow.see(f.Picture, f.T)
	if err != nil {
		return motion.Verdict{}, err
	}
	if moved != nil {
		s.moveAll(*moved, gone)
	}
	if _, _, told := s.w.taught(); told > s.heeded { // what lies there may look different now
		s.judge.Again()
	}
	v := s.judge.See(s.follow.view, f.T)
	s.seen.note(&s.follow.view.Thumb, v)
	return v, nil
}

// moveAll takes what is known of the table to another reference. Where it is gone from there, the grid is
// looked for anew; zones that were drawn for it hold no more.
func (s *session) moveAll(h calibration.Homography, gone bool) {
	f := &s.follow
	s.found, s.former = f.movedProfile(h, s.what.Game, s.found), f.movedProfile(h, s.what.Game, s.former)
	s.saved = f.movedProfile(h, s.what.Game, s.saved)
	s.corners = movedCorners(h, s.corners)
	s.lastAt = h.Mul(s.lastAt)
	s.seen = between{}
	if !gone {
		return
	}
	s.since = 0
	if s.found != nil {
		if !s.unsure {
			s.former = s.found
		}
		s.found, s.unsure = nil, false
	}
	if s.what.Game.Kit().Layout == table.Loose {
		s.swung = true
	} else if s.numbered {
		s.patience.left()
	}
}

// notePatience takes a frame into account for what keeps the table from being read.
func (s *session) notePatience(v motion.Verdict, t float64) {
	if s.info.Posed {
		return
	}
	useful := s.what.Game.Kit().Layout == table.Loose || s.last.Grid != nil && s.last.Grid.Found
	s.patience.note(v, useful, s.follow.dark, t)
}

// observation is what is told of a frame: what was read in it, or last.
func (s *session) observation(f camera.Taken, v motion.Verdict) table.Observation {
	o := s.last
	o.Game, o.Frame, o.T = s.what.Game, f.Index, f.T
	if s.info.Live {
		o.Frame, o.T = f.Index+s.what.Resume, f.T+s.what.Since
	}
	o.Width, o.Height = f.Picture.Width, f.Picture.Height
	o.Look, o.Read, o.Posed = v.Look, v.Read, s.info.Posed
	if !v.Read {
		s.toPresent(&o)
	}
	if !v.Read {
		o.MS = table.Timing{}
	}
	if o.Dice == nil {
		o.Dice = []table.Reading{}
	}
	o.Trouble = s.patience.now
	if s.swung {
		o.Trouble = &table.Warning{Code: "moved", Text: "the camera or the table has moved: check the picture and the zones"}
	}
	if o.Trouble != nil {
		o.Warnings = warned(o.Warnings, *o.Trouble)
	}
	if o.Grid == nil && s.what.Game.Kit().Layout != table.Loose {
		o.Grid = &table.Grid{Rows: table.Size, Cols: table.Size}
	}
	return o
}

// toPresent takes what was read in an earlier frame to where it is in this one.
func (s *session) toPresent(o *table.Observation) {
	from, ok := s.lastAt.Inverse()
	if !ok {
		return
	}
	h := s.follow.here().Mul(from)
	if !s.follow.moves(h) {
		return
	}
	o.Dice = movedDice(h, o.Dice)
	if o.Grid != nil && o.Grid.Found {
		g := *o.Grid
		g.Corners = movedCorners(h, g.Corners)
		o.Grid = &g
	}
}

// read reads a frame, with the grid where it was as long as it is there. What lies beside
// the grid is looked for once a view.
func (s *session) read(img gocv.Mat, v motion.Verdict) error {
	c := capture{img: img, here: s.follow.here(), back: s.follow.back(), cal: s.found, first: s.found == nil}
	if c.cal == nil {
		c.cal = s.saved
	}
	k := s.known(&c, v)
	o, used, err := s.readGrid(img, k, v.New, c.here)
	if err != nil {
		return fmt.Errorf("cannot read a frame: %w", err)
	}
	if used == nil {
		c.cal = nil
	}
	learned := learnMarkers(c.cal, s.last, o)
	if o.Grid != nil && o.Grid.Found {
		s.followGrid(&o, &c, used != nil)
	}
	if k.Over != nil {
		if v.New {
			s.uncover(c.back, o.Dice)
		}
		s.judge.Seen(overGrid(o.Grid, k.Over), slices.ContainsFunc(o.Hidden, table.Square.On))
	}
	s.judge.Want(s.wanted(o))
	s.heed(o)
	if s.follow.view != nil {
		o.Sooner = s.seen.read(movedDice(c.back, o.Dice), o.Hidden, &s.follow.view.Thumb, img.Cols())
		if take := s.judge.Changed(); v.New && take != nil {
			s.follow.reg.Learn(take)
		}
	}
	s.keepOwned(&o, k.Dice != nil, v)
	s.last, s.lastAt = o, c.here
	if learned {
		return s.tellLearned(o.Markers)
	}
	return nil
}

// capture is a frame that is read, and where it was taken from.
type capture struct {
	img        gocv.Mat
	here, back calibration.Homography // from the reference to this frame, and back
	cal        *calibration.Profile   // where the grid is known to lie in the reference; nil: it is not
	first      bool                   // no grid has been found in the view before
}

// known is what is known of a frame before it is read.
func (s *session) known(c *capture, v motion.Verdict) Known {
	k := Known{Profile: s.follow.movedProfile(c.here, s.what.Game, c.cal), AsItLies: !s.info.Posed, Tops: s.what.Tops}
	k.Lessons, k.Dice, s.heeded = s.w.taught()
	if s.judge.Covered() {
		k.Over = s.covers(c.back)
	}
	if c.cal != nil && !s.info.Posed {
		k.Ground = &s.ground
	}
	if c.cal != nil && !v.New && s.last.Grid != nil && s.last.Grid.Found && !s.last.Grid.Unsure {
		before := s.last
		s.toPresent(&before)
		k.BoardOnly, k.Before = true, before.Dice
	}
	return k
}

// followGrid has a grid that was found keep its numbers, and be known from then on; expected says that it was found where it was known to lie.
func (s *session) followGrid(o *table.Observation, c *capture, expected bool) {
	if !s.numbered && s.saved != nil { // wherever it lies now, [0,0] is the corner that was said
		cam := s.saved.Camera.Scaled(float64(c.img.Cols()), float64(c.img.Rows()))
		s.numbered, s.corners = true, cam.Corners()
	}
	if s.numbered {
		before := movedCorners(c.here, s.corners)
		NumberLike(o, before)
		if !expected && !near(before, o.Grid.Corners) { // nobody has seen how it came there
			s.since = 0
		}
	}
	if s.since == 0 && !s.info.Posed {
		s.since = s.frame + 1
	}
	o.Grid.Since = s.since
	s.numbered, s.corners = true, movedCorners(c.back, o.Grid.Corners)
	if s.found != nil || s.saved != nil && c.cal != nil {
		return
	}
	if p, err := calibration.FromGrid(s.what.Game, c.img.Cols(), c.img.Rows(), s.corners); err == nil {
		p.Markers = s.markers
		s.found, s.former, s.unsure, s.once = p, nil, o.Grid.Unsure, c.first
		if s.otherwise { // it is numbered as what is told, the ground was not
			s.ground = Ground{}
		}
	}
}

// keepOwned keeps the tops of the owner's dice where somebody asks for them, and leaves them out of what is told otherwise.
func (s *session) keepOwned(o *table.Observation, owned bool, v motion.Verdict) {
	if !owned {
		return
	}
	if v.Look == table.LookStill {
		s.w.keepTops(o.Dice)
	}
	if !s.what.Tops {
		o.Dice = withoutTops(o.Dice)
	}
}

// near says whether a grid's corners lie about where those of another do: by less than a quarter of a side elsewhere.
func near(a, b [4]table.Point) bool {
	for i := range a {
		side := math.Hypot(a[i].X-a[(i+1)%4].X, a[i].Y-a[(i+1)%4].Y)
		if math.Hypot(a[i].X-b[i].X, a[i].Y-b[i].Y) > side/4 {
			return false
		}
	}
	return true
}

// readGrid reads a frame with the grid that is known. Where it is doubtful, it is looked for anew; where that
// finds less, the grid is where it was: it has gone, or its lines are not where they were, only if
// a grid is found elsewhere without doubt.
func (s *session) readGrid(img gocv.Mat, k Known, fresh bool, here calibration.Homography) (o table.Observation, cal *calibration.Profile, err error) {
	cal = k.Profile
	o, err = s.rec.ReadKnown(img, s.what.Game, k)
	if err != nil || s.what.Game.Kit().Layout == table.Loose || !doubtful(o) && !(fresh && s.mayLieElsewhere(o)) {
		return o, cal, err
	}
	if cal != nil {
		var anew table.Observation
		anew, err = s.rec.ReadKnown(img, s.what.Game, k.elsewhere())
		if err == nil && (o.Grid == nil || !o.Grid.Found || !doubtful(anew)) {
			s.found, cal, o = nil, nil, anew
		}
		return o, cal, err
	}
	if s.former != nil && !s.info.Posed {
		k.Profile, k.Ground = s.follow.movedProfile(here, s.what.Game, s.former), &s.ground
		var before table.Observation
		before, err = s.rec.ReadKnown(img, s.what.Game, k)
		if err == nil && !doubtful(before) {
			s.found, s.former, cal, o = s.former, nil, s.former, before
		}
	}
	return o, cal, err
}

// mayLieElsewhere says whether the grid was found unsurely, or by one search alone while no die on it is surely
// read: now and then a frame around the squares is taken for their outline.
func (s *session) mayLieElsewhere(o table.Observation) bool {
	on := slices.DeleteFunc(slices.Clone(o.Dice), func(d table.Reading) bool { return d.Square == nil })
	return s.unsure || s.once && len(on) > 0 && !slices.ContainsFunc(on, func(d table.Reading) bool { return d.Sure })
}

// doubtful says whether a grid was not found surely, or is hidden in part where no hand moves.
func doubtful(o table.Observation) bool {
	return o.Grid == nil || !o.Grid.Found || o.Grid.Unsure || slices.ContainsFunc(o.Warnings, func(w table.Warning) bool { return w.Code == "hand" })
}

// Readings of one view that are wanted.
const (
	usualReadings  = 2
	unsureReadings = 3 // another look at dice that it is not sure of, once
	mostReadings   = 6 // as long as the last two do not agree, or the grid is not found
)

// wanted says how many readings of a view are wanted after this one. Where there is a
// grid, dice beside it do not count: they are many, and little depends on them.
func (s *session) wanted(o table.Observation) int {
	gridded := s.what.Game.Kit().Layout != table.Loose
	if gridded && (o.Grid == nil || !o.Grid.Found) {
		return mostReadings
	}
	want := usualReadings
	count := map[string]int{}
	add := func(dice []table.Reading, n int) {
		for _, d := range dice {
			if d.Square != nil || !gridded {
				count[key(d)] += n
			}
		}
	}
	add(s.last.Dice, -1)
	add(o.Dice, 1)
	for _, n := range count {
		if n != 0 {
			return mostReadings
		}
	}
	for _, d := range o.Dice {
		if !d.Sure && (d.Square != nil || !gridded) {
			want = unsureReadings
		}
	}
	return want
}

func key(r table.Reading) string {
	place := ""
	if r.Square != nil {
		place = r.Square.String()
	}
	return fmt.Sprintf("%s %v %d", place, r.Color, r.Face)
}

// pace holds a file up to its own speed where that is wanted.
func (s *session) pace(ctx context.Context, t float64) {
	if !s.what.Realtime || s.info.Live {
		return
	}
	if s.paced.IsZero() {
		s.paced, s.began = time.Now(), t
	}
	due := s.paced.Add(time.Duration((t - s.began) * float64(time.Second)))
	select {
	case <-time.After(time.Until(due)):
	case <-ctx.Done():
	}
}

// show sends the frame's picture if one is wanted by now.
func (s *session) show(o table.Observation, p *camera.Picture) error {
	view := s.w.wanted()
	if !view.On || time.Since(s.shown) < time.Duration(view.EveryMS)*time.Millisecond {
		return nil
	}
	s.shown = time.Now()
	img := p.Small()
	if img.Cols() < p.Width && !(view.Width > 0 && view.Width <= img.Cols()) {
		var err error
		if img, err = p.Full(); err != nil {
			return fmt.Errorf("cannot show a frame: %w", err)
		}
	}
	if view.Width > 0 && view.Width < img.Cols() {
		gocv.Resize(img, &s.small, image.Pt(view.Width, max(1, img.Rows()*view.Width/img.Cols())), 0, 0, gocv.InterpolationLinear)
		img = s.small
	}
	buf, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, img, []int{gocv.IMWriteJpegQuality, 80})
	if err != nil {
		return fmt.Errorf("cannot encode a picture: %w", err)
	}
	defer buf.Close()
	return s.w.voice.Show(eye.Picture{Frame: o.Frame, T: o.T, JPEG: buf.GetBytes()})
}
