package vision

import (
	"math"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
	"diceref/vision/pixels"
)

// What is printed flat on a board, a mat or a card, and the side of a die, may look
// just like a top. What is around it tells them apart: a die that stands shows its
// sides, its edges and its shadow.

const (
	standWeight   = 1.5
	flatWeight    = 1.5  // and as much more, on no square, of what is below sureStands: print is more common there than dice that look flat
	asideWeight   = 1.2  // of what may be a side
	sureStands    = -1.0 // logarithm of odds below which nothing is sure
	sideStands    = 2.0  // and below which a top that may be a side is one
	standMost     = 5.0  // logarithm of odds
	plainlyStands = 4.5  // logarithm of odds of what stands beyond doubt
	// standsOnSquare is the same of one in a square, where little but dice lies.
	standsOnSquare = 2.0
	leastVote      = 0.4 // score of the find network that a top must have to tell of the dice or of print

	// What is on no square may be a picture of a die, whose size is any. The odds of standing
	// and of the find network together that it must have to be sure: if its size is just
	// the other dice's, more if it is off by unlikeSize (a logarithm, squared), and where they do
	// not tell.
	sureAlike    = -0.5
	sureUnlike   = 2.0
	unlikeSize   = 0.13
	sureOnItsOwn = 3.5
	sizeAmong    = 2   // other dice that tell their size
	sizeScore    = 0.6 // of the find network, that such a one has
)

// askStanding asks once about all n tops but those that are cut off. On a grid they are asked
// about before they are placed: what is there must not say where and how large the dice are.
func (s *scene) askStanding(n int, get func(i int) *detect.Top) error {
	var asked []*detect.Top
	var outlines [][4]table.Point
	for i := range n {
		if t := get(i); !t.Cut {
			asked, outlines = append(asked, t), append(outlines, t.Outline)
		}
	}
	odds, err := s.r.stander.Odds(s.px, outlines)
	if err != nil {
		return err
	}
	if err := s.markShown(asked, outlines); err != nil {
		return err
	}
	for k, t := range asked {
		t.Stands = min(max(odds[k]+t.Shown, -standMost), standMost)
	}
	return nil
}

// markStanding looks in all turns at what one look leaves in any doubt.
// One that may as well be the side of another is taken for that if it does not stand.
func (s *scene) markStanding(dice []placed) error {
	if s.grid == nil {
		if err := s.askStanding(len(dice), func(i int) *detect.Top { return &dice[i].Top }); err != nil {
			return err
		}
	}
	var again []int
	var outlines [][4]table.Point
	for i := range dice {
		d := &dice[i]
		enough := plainlyStands
		if d.square != nil && !d.contested {
			enough = standsOnSquare
		}
		if math.Abs(d.Stands) < enough && !d.Cut {
			again, outlines = append(again, i), append(outlines, d.Outline)
		}
	}
	odds, err := s.r.stander.Odds(s.px, pixels.InTurns(outlines, 1, 2, 3))
	if err != nil {
		return err
	}
	for k, v := range odds {
		d := &dice[again[k%len(again)]]
		d.Stands += v + d.Shown
	}
	for _, i := range again {
		dice[i].Stands /= 4
	}
	if err := s.askFinely(dice); err != nil {
		return err
	}
	for i := range dice {
		d := &dice[i]
		d.side = d.side || d.contested && !d.Cut && d.Stands < sideStands
	}
	return nil
}

// standingOf is what is left of what says that a top stands, as a logarithm of odds: print need not
// be in the middle of a square, so that no place speaks for a die.
func standingOf(t *detect.Top) float64 { return t.Stands - max(t.Low, 0) }

// likelyPrint says whether a top is likelier print than a die's.
func likelyPrint(t *detect.Top) bool { return standingOf(t)+logit(t.Score) < 0 }

// votes says whether a top may say how large the dice are.
func votes(t *detect.Top) bool { return t.Score >= leastVote && !likelyPrint(t) }

// markUnlike tells of tops on no square how far their size is off the other dice's that plainly stand. Anybody's dice are of
// any size: it tells nothing of them.
func (s *scene) markUnlike(dice []placed) {
	for i := range dice {
		d := &dice[i]
		if d.square != nil {
			continue
		}
		var others []detect.Top
		var sizes []float64
		for j := range dice {
			if o := &dice[j]; i != j && o.Score >= sizeScore && !o.Cut && !o.side && o.standsItself() {
				others, sizes = append(others, o.Top), append(sizes, math.Log(o.Size))
			}
		}
		d.unlike = math.Inf(1)
		if len(others) >= sizeAmong && !s.anybodys() {
			d.unlike = math.Abs(math.Log(d.Size) - detect.SizePlane(others, geometry.Median(sizes))(d.At))
		}
	}
}

// standsItself says whether a top is plainly no print, whatever its size.
func (d *placed) standsItself() bool {
	return d.square != nil || d.Stands+logit(d.Score) >= sureAlike+sureUnlike
}

// surelyThere says whether it is plainly no print.
func (d *placed) surelyThere() bool {
	if d.square != nil {
		return standingOf(&d.Top)+d.twin >= sureStands && d.short == 0
	}
	if d.Fine || d.Odd || d.unbacked || d.half && d.Stands < plainlyStands {
		return false
	}
	bar := sureOnItsOwn
	if e := d.unlike / unlikeSize; !math.IsInf(e, 1) {
		bar = sureAlike + sureUnlike*min(e*e, 1)
	}
	return d.Stands+logit(d.Score) >= bar
}

// contestedStill says whether a top may yet be the side of another die: not one that stands
// beyond all doubt and is plainly seen.
func (d *placed) contestedStill() bool {
	return d.contested && (d.Stands < standMost || d.Score < plainTop)
}
