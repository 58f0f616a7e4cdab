package vision

import (
	"math"

	"diceref/table"
	"diceref/vision/camera"
	"diceref/vision/detect"
	"diceref/vision/pixels"
)

// The networks know tables as people see them: the far side up. A picture that
// lies on its side or upside down is turned, once its grid says how it lies, and
// read so. One that was taken from above is read the way up in which less is in doubt.

// uprightTilt is the tilt in degrees below which no side of a picture is up.
const uprightTilt = 15

// overhead says whether a grid was seen from above.
func (s *scene) overhead() bool { return s.grid != nil && s.grid.Camera.Tilt() < uprightTilt }

// quartersOff is by how many quarters the picture must be turned clockwise to be
// upright; 0 where nothing tells.
func (s *scene) quartersOff() int {
	byDice := quartersTo(-s.down.X, -s.down.Y)
	if s.grid == nil {
		return byDice
	}
	if s.overhead() {
		return 0
	}
	const mid = table.Size / 2.0
	cam := &s.grid.Camera
	low, high := cam.Project(mid, mid, 0), cam.Project(mid, mid, 1)
	quarters := quartersTo(high.X-low.X, high.Y-low.Y)
	if s.doubtUpright = quarters == 0 && byDice == 2; s.doubtUpright {
		return byDice // a full board hides its lattice, and may be fitted the wrong way up
	}
	return quarters
}

// quartersTo is by how many quarters a picture must be turned clockwise whose uprights
// point along (dx, dy).
func quartersTo(dx, dy float64) int {
	switch {
	case math.IsNaN(dx) || math.Abs(math.Abs(dx)-math.Abs(dy)) < 0.15*math.Hypot(dx, dy):
		return 0 // aslant: any turn is as good
	case math.Abs(dx) < math.Abs(dy) && dy > 0:
		return 2
	case math.Abs(dx) > math.Abs(dy) && dx < 0:
		return 1
	case math.Abs(dx) > math.Abs(dy):
		return 3
	}
	return 0
}

// evidence is how much was read.
func (s *scene) evidence() float64 {
	sum := 0.0
	for i := range s.obs.Dice {
		sum += s.obs.Dice[i].Confidence
	}
	return sum
}

// readUpright reads a picture the way up that the networks know. The scene that is returned may be one
// of the picture turned, and tells of that.
func (s *scene) readUpright(k Known) (*scene, error) {
	if s.kit.Layout == table.Loose && k.Profile == nil {
		return readLoose(s, k)
	}
	within := k // and what the board's marks tell
	tops, err := s.look(&within)
	if err != nil {
		return nil, err
	}
	turn := s.quartersOff() // as the grid tells
	if k.Profile == nil && turn != 0 {
		if u, err := s.readTurned(k, turn); err != nil || u.grid != nil {
			return u, err
		}
		if s.px, err = s.r.halves.Of(s.img); err != nil { // the memory was the other's since
			return nil, err
		}
	}
	if k.Profile == nil && !k.AsItLies && s.overhead() {
		if u, err := s.readClearer(tops, k); u != nil || err != nil {
			return u, err
		}
		if s.px, err = s.r.halves.Of(s.img); err != nil {
			return nil, err
		}
	}
	if err := s.readTops(tops, within); err != nil || k.Profile != nil || turn != 0 {
		return s, err
	}
	if turn = s.quartersOff(); turn == 0 { // as the dice tell
		return s, nil
	}
	u, err := s.readTurned(k, turn)
	if err == nil && (s.grid != nil && u.grid == nil || s.doubtUpright && u.evidence() < s.evidence()) {
		return s, nil
	}
	return u, err
}

// readClearer reads a picture the other way up if less is in doubt there, and is nil otherwise. What lies
// over the grid is told if either way shows it.
func (s *scene) readClearer(tops []detect.Top, k Known) (*scene, error) {
	s.handSeen = s.covered(s.maps, unplaced(tops))
	u := s.turned(2)
	defer u.img.Close()
	others, err := u.look(&k)
	if err != nil || u.grid == nil {
		return nil, err
	}
	u.handSeen = s.handSeen || u.covered(u.maps, unplaced(others))
	if s.handSeen = u.handSeen; doubtOf(others) > clearer*doubtOf(tops) {
		return nil, nil
	}
	return u, u.readTops(others, k)
}

// clearer is the share of doubt that is plainly less.
const clearer = 0.97

// doubtOf is how little the find network knows of what it may have found.
func doubtOf(tops []detect.Top) (sum float64) {
	for i := range tops {
		sum += tops[i].Score * (1 - tops[i].Score)
	}
	return sum
}

// readTurned reads the picture turned clockwise by 1 to 3 quarters.
func (s *scene) readTurned(k Known, quarters int) (*scene, error) {
	u := s.turned(quarters)
	defer u.img.Close()
	return u, u.read(k)
}

// turned is the same picture turned clockwise by 1 to 3 quarters, yet to be read. Its image is to be closed.
func (s *scene) turned(quarters int) *scene {
	u := newScene(s.r, camera.Turned(s.img, table.Unturned(s.width, s.height).Turned(quarters)), s.obs.Game)
	u.turn = s.turn.Turned(quarters)
	return u
}

// toldOf is what was read in a scene, told of another scene's picture: both show the same, each turned in its way.
func (s *scene) toldOf(other *scene) table.Observation {
	return s.turn.Back().Then(other.turn).Observation(s.obs)
}

// Which of the two ends of its leaning is down, the sides of loose dice tell: where a
// die's side is seen its color goes on, beyond its other edges the table begins. And what
// lies closer is larger.
const (
	leastLean  = 0.2  // in shares of a die's side; less hardly matters
	plainLean  = 0.33 // and above which the ends are told more easily than the way it leans
	plainDown  = 0.1  // evidence that tells
	plainerOne = 0.2  // and of a little leaning
	nearer     = 150  // what growing by a part of itself each pixel is worth as such evidence
	goesOn     = 0.3  // usual difference between the hues of a top and its side
)

// downOf is where down is in a picture of loose dice; zero where nothing tells. It is in doubt
// where the dice plainly lean, but neither way: then it is there or at the other end.
func (s *scene) downOf(px *pixels.Picture, dice []placed, tops []surface) (down table.Point, doubt bool) {
	l, ok := s.lean(dice)
	long := math.Hypot(l.dx, l.dy)
	if !ok || long < leastLean {
		return table.Point{}, false
	}
	sum, n := 0.0, 0
	for i := range dice {
		if d := &dice[i]; d.Score >= 0.4 && !d.Cut && tops[i].ok {
			ahead, ok1 := continues(px, d, &tops[i].body, l.dx*d.Size, l.dy*d.Size)
			behind, ok2 := continues(px, d, &tops[i].body, -l.dx*d.Size, -l.dy*d.Size)
			if ok1 && ok2 {
				sum, n = sum+ahead-behind, n+1
			}
		}
	}
	either := func() (table.Point, bool) {
		if long < plainLean {
			return table.Point{}, false
		}
		return table.Point{X: l.dx, Y: l.dy}, true
	}
	if n < 1 {
		return either()
	}
	evidence, bar := sum/float64(n), plainDown
	if sh, ok := shapeOf(dice); ok {
		evidence += nearer * (sh.size[1]*l.dx + sh.size[2]*l.dy) / long
	}
	if long < plainLean || n == 1 {
		bar = plainerOne
	}
	switch {
	case math.Abs(evidence) < bar:
		return either()
	case evidence < 0:
		return table.Point{X: -l.dx, Y: -l.dy}, false
	}
	return table.Point{X: l.dx, Y: l.dy}, false
}
