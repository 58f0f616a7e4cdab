package vision

import (
	"image"
	"math"
	"slices"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
)

// Loose dice have no grid that says which way up a picture is. What leans is read the way up that
// the dice themselves tell. What was taken from above can be read as it lies; but where anything is
// in doubt then, it is read both ways that it can lie on its longer side, and the same picture is
// read the same however it was turned.

// sameDie is how far apart two readings of one die may lie, in its diagonals.
const sameDie = 0.25

// looseReader reads a picture of loose dice in one turn or several.
type looseReader struct {
	s    *scene
	k    Known
	ways []*way
}

// way is a way up that a picture was looked at.
type way struct {
	*scene
	quarters int // that it was turned by, clockwise
	tops     []detect.Top
	told     bool
}

func readLoose(s *scene, k Known) (*scene, error) {
	l := &looseReader{s: s, k: k}
	defer l.close()
	w, err := l.look(0)
	if err == nil && w.leansPlainly() && w.turnsOff() != 0 {
		w, err = l.look(w.turnsOff())
	}
	if err != nil {
		return nil, err
	}
	upright := w.leansPlainly() && w.turnsOff() == 0
	if !w.doubtDown {
		if err := l.read(w); err != nil || upright || w.beyondDoubt {
			return w.scene, err
		}
	}
	return l.readBoth()
}

// readBoth looks at the picture both ways up that its dice leave open, or that it can lie on its
// longer side, and reads it the way up that they tell then, or where they do not, both ways. What
// they tell alike does not hang on which way up they lie.
func (l *looseReader) readBoth() (*scene, error) {
	var both [2]*way
	quarters := l.s.onLongSide()
	if first := l.ways[0]; first.doubtDown {
		quarters = first.turnsOff() % 2
	}
	for i := range both {
		var err error
		if both[i], err = l.look(quarters + 2*i); err != nil {
			return nil, err
		}
	}
	var best *way
	for _, w := range l.ways {
		if w.uprightness() > 0 && (best == nil || w.uprightness() > best.uprightness()) {
			best = w
		}
	}
	if best != nil {
		return best.scene, l.read(best)
	}
	for _, w := range both {
		w.doubtDown = false
		if err := l.read(w); err != nil {
			return nil, err
		}
	}
	if both[1].evidence() > both[0].evidence() {
		both[0], both[1] = both[1], both[0]
	}
	both[0].compare(both[1].finder, both[1].toldOf(both[0].scene))
	return both[0].scene, nil
}

// look looks at the picture turned by some quarters, unless that has been done.
func (l *looseReader) look(quarters int) (*way, error) {
	for _, w := range l.ways {
		if w.quarters == quarters {
			return w, nil
		}
	}
	w := &way{scene: l.s, quarters: quarters}
	if quarters != 0 {
		w.scene = l.s.turned(quarters)
	}
	l.ways = append(l.ways, w)
	var err error
	if w.tops, err = w.scene.look(&l.k); err == nil {
		w.tellDown(w.tops)
	}
	return w, err
}

// read reads the dice one way up, unless that has been done.
func (l *looseReader) read(w *way) (err error) {
	if w.told {
		return nil
	}
	w.told = true
	if w.px, err = w.r.halves.Of(w.img); err != nil { // the memory was another way's since
		return err
	}
	return w.readTops(w.tops, l.k)
}

func (l *looseReader) close() {
	for _, w := range l.ways {
		if w.quarters != 0 {
			w.img.Close()
		}
	}
}

// leastAlone is the confidence below which a die that only one way up shows is not told on a patterned
// table: nearly all such are print there.
const leastAlone = 0.95

// compare takes of two readings of a die the one that is surer of itself. Only where they are one,
// it is sure. The other reading is told of the same picture, and was found by that finder.
func (s *scene) compare(by *detect.Finder, other table.Observation) {
	patterned := s.finder == s.r.patterned.loaded || by == s.r.patterned.loaded
	s.obs.Dice = slices.DeleteFunc(s.obs.Dice, func(d table.Reading) bool {
		return patterned && d.Confidence < leastAlone && readingAt(other.Dice, &d) == nil
	})
	for i := range s.obs.Dice {
		d := &s.obs.Dice[i]
		o := readingAt(other.Dice, d)
		d.Sure = o != nil && o.Die == d.Die && (d.Sure || o.Sure)
		if o != nil && o.Die != d.Die && o.Confidence > d.Confidence {
			*d = *o
			d.Sure = false
		}
	}
}

// readingAt is the reading of a loose die that is told where another is; nil if none is.
func readingAt(dice []table.Reading, d *table.Reading) *table.Reading {
	reach := geometry.Distance(d.Outline[0], d.Outline[2]) * sameDie
	for i := range dice {
		if o := &dice[i]; geometry.Distance(o.At, d.At) < reach {
			return o
		}
	}
	return nil
}

// tellDown tells from the tops that were found which way a picture of loose dice lies.
func (s *scene) tellDown(tops []detect.Top) {
	dice := unplaced(detect.Alike(tops, nil))
	looks := make([]surface, len(dice))
	for i := range dice {
		looks[i].body = bodyOf(s.px, dice[i].Outline)
	}
	s.down, s.doubtDown = s.downOf(s.px, dice, looks)
}

// leansPlainly says whether it is plain where down is.
func (s *scene) leansPlainly() bool {
	return !s.doubtDown && math.Hypot(s.down.X, s.down.Y) >= plainLean
}

// uprightness is how plainly the dice say that down is down.
func (s *scene) uprightness() float64 {
	if s.doubtDown || s.turnsOff() != 0 {
		return 0
	}
	return math.Hypot(s.down.X, s.down.Y)
}

// turnsOff is by how many quarters clockwise a picture must be turned for what its dice tell to be down.
func (s *scene) turnsOff() int {
	switch x, y := s.down.X, s.down.Y; {
	case math.Abs(x) > math.Abs(y) && x > 0:
		return 1
	case math.Abs(x) > math.Abs(y):
		return 3
	case y < 0:
		return 2
	}
	return 0
}

// onLongSide is by how many quarters clockwise, 0 or 1, a picture must be turned to lie on a longer
// side; a square one is turned so that it is more unlike in light above and below than left and right.
func (s *scene) onLongSide() int {
	w, h := s.width, s.height
	if w != h {
		return min(max(h-w, 0), 1)
	}
	bright := func(r image.Rectangle) float64 {
		part := s.img.Region(r)
		defer part.Close()
		m := part.Mean()
		return m.Val1 + m.Val2 + m.Val3
	}
	upDown := bright(image.Rect(0, 0, w, h/2)) - bright(image.Rect(0, h-h/2, w, h))
	leftRight := bright(image.Rect(0, 0, w/2, h)) - bright(image.Rect(w-w/2, 0, w, h))
	if math.Abs(upDown) < math.Abs(leftRight) {
		return 1
	}
	return 0
}
