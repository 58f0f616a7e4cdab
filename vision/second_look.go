package vision

import (
	"image"
	"math"
	"slices"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
)

// The usual find network hesitates on a table with a pattern: checks, chips of stone and leaves look
// like dice to it, or hide them, and so they do the grid's lines. Another was trained on from it on
// tables of any pattern. That one is worse at what the usual one knows well, hands and steep sides
// (README.md has the figures), so it is asked only where the usual one is in trouble, and looks at the
// rest of the picture if it is in less.
//
// Where no game is known, a third network looks alone (judge.go). Where that one is in doubt, it looks once more, smaller: what a cloth shows looks like a die at one scale, a die at both.
// The logits of both looks are averaged.
//
// A loose die that is in doubt after that is looked at once more, closer: small dice show more then, and what only looked like one shows less.
const (
	secondScale = 0.75 // of the first look's
	secondShare = 0.35 // of the second look's word

	closerFrom, closerTo = 0.25, 0.6 // scores of tops that are in doubt
	closerTop            = 21.0      // half diagonal of tops there, network pixels
	closerAround         = 4.5       // half diagonals to each side that are looked at
	closerReach          = 0.5       // half diagonals within which it is the same top
	closerMost           = 4         // tops of a picture: more are no slip
)

// countTops counts the tops that are in doubt, and those that are not.
func countTops(tops []detect.Top) (doubts, plain int) {
	for _, t := range tops {
		switch {
		case t.Score >= closerTo:
			plain++
		case t.Score >= closerFrom:
			doubts++
		}
	}
	return doubts, plain
}

// lookSmaller brings in what a second look shows where the first leaves loose dice in doubt.
func (s *scene) lookSmaller(tops []detect.Top) ([]detect.Top, error) {
	if !s.inTrouble(tops) {
		return tops, nil
	}
	m, err := s.finder.Look(s.px, s.whole(), int(float64(s.firstLong())*secondScale))
	if err != nil {
		return nil, err
	}
	others := m.Peaks(s.width, s.height)
	blend(tops, m, 1-secondShare)
	blend(others, s.maps, secondShare)
	both := detect.Once(slices.Concat(others, tops))
	return slices.DeleteFunc(both, func(t detect.Top) bool { return t.Score < s.maps.Least }), nil
}

// blend makes of the tops' scores the mean with what other maps show there, in logits; share is that of their own.
func blend(tops []detect.Top, other *detect.Maps, share float64) {
	for i := range tops {
		t := &tops[i]
		t.Score = detect.Sigmoid(share*math.Log(t.Score/(1-t.Score)) + (1-share)*other.HeatAbout(t.At))
	}
}

// lookTwice looks by the usual network, and where that is in trouble by the one for patterned tables.
func (s *scene) lookTwice(look func() ([]detect.Top, error)) ([]detect.Top, error) {
	unseen := *s
	tops, err := look()
	if err != nil || s.anybodys() || !s.inTrouble(tops) {
		return tops, err
	}
	patterned, err := s.r.patterned.get()
	if err != nil {
		return nil, err
	}
	usual := *s
	*s = unseen
	s.finder = patterned
	others, err := look()
	if err == nil && s.plainer(others, &usual, tops) {
		return others, nil
	}
	*s = usual
	return tops, err
}

// inTrouble says whether a look leaves dice or the grid in doubt. A few tops on a board or beside it
// always are: sides, prints and stickers.
func (s *scene) inTrouble(tops []detect.Top) bool {
	doubts, _ := countTops(tops)
	if s.kit.Layout == table.Loose {
		return doubts > 0
	}
	return doubts > closerMost || s.gridTold() < plainGrid
}

// plainer says whether the scene, as these tops tell it, is told better than before: its grid, or where
// that is told alike, its dice. Half the doubts must be gone, and not only by leaving out what
// was in doubt, unless there was more of that than slips are.
func (s *scene) plainer(tops []detect.Top, before *scene, was []detect.Top) bool {
	if now, then := s.gridTold(), before.gridTold(); now != then {
		return now > then
	}
	doubts, plain := countTops(tops)
	doubted, told := countTops(was)
	return 2*doubts <= doubted && (plain > told || doubted > closerMost)
}

// How well a grid is told, where there is to be one.
const (
	noGrid = iota
	unsureGrid
	plainGrid
)

func (s *scene) gridTold() int {
	switch {
	case s.kit.Layout == table.Loose || s.grid != nil && s.grid.Sure():
		return plainGrid
	case s.grid != nil:
		return unsureGrid
	}
	return noGrid
}

// lookCloser looks again at the tops in doubt, and takes what it finds there without doubt.
func (s *scene) lookCloser(tops []detect.Top) ([]detect.Top, error) {
	usual, looks := middleSize(tops), 0
	if usual == 0 {
		return tops, nil
	}
	for i, t := range tops {
		if t.Score < closerFrom || t.Score >= closerTo || t.Cut || looks == closerMost {
			continue
		}
		looks++
		r := closerAround * usual
		box := image.Rect(int(t.At.X-r), int(t.At.Y-r), int(t.At.X+r), int(t.At.Y+r))
		box = box.Intersect(s.whole())
		if box.Dx() < detect.NetStride || box.Dy() < detect.NetStride {
			continue
		}
		m, err := s.finder.LookAt(s.px, box, math.Max(closerTop/usual, s.maps.Scale))
		if err != nil {
			return nil, err
		}
		for _, c := range m.Peaks(s.width, s.height) {
			if c.Score >= closerTo && geometry.Distance(c.At, t.At) < closerReach*t.Size {
				tops[i] = c
			}
		}
	}
	return tops, nil
}
