package vision

import (
	"image"
	"math"

	"diceref/vision/detect"
	"diceref/vision/geometry"
)

// A loose die that the first look hesitates about is looked at once more, closer: small dice
// show more then, and what only looked like one shows less.
const (
	closerFrom, closerTo = 0.25, 0.6 // scores of tops that are looked at closer
	closerTop            = 21.0      // half diagonal of tops there, network pixels
	closerAround         = 4.5       // half diagonals to each side that are looked at
	closerReach          = 0.5       // half diagonals within which it is the same top
	closerMost           = 4         // tops of a picture: more are no slip
	nextLook             = 1.5       // how much larger the next look at all is then
	partAround           = 60        // network pixels around a part of it: more than a top hides of another
)

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

// lookNearer looks at all again, half as large again each time, where more loose tops are in doubt
// than can be looked at one by one: small dice on a checkered cloth are hardly told from its squares,
// and smaller ones are hardly seen at all. Such a look counts if more tops are seen without doubt, and no more
// than half as many with one as were, or than came out of doubt: what is no die stays in doubt.
func (s *scene) lookNearer(tops []detect.Top) ([]detect.Top, error) {
	for scale := s.maps.Scale * nextLook; middleSize(tops)*scale <= mostTopSeen; scale *= nextLook {
		doubts, plain := countTops(tops)
		if doubts <= closerMost {
			break
		}
		next, err := s.lookInParts(s.finder, s.whole(), scale)
		if err != nil {
			return nil, err
		}
		if still, seen := countTops(next); seen <= plain || still > max(doubts/2, seen-plain) {
			break
		}
		tops = next
	}
	return tops, nil
}

// lookInParts looks at a region of the picture, one part after the other, none larger than the first look:
// all at once would take several times the memory.
func (s *scene) lookInParts(by *detect.Finder, region image.Rectangle, scale float64) (tops []detect.Top, err error) {
	n := int(math.Ceil(float64(max(region.Dx(), region.Dy())) * scale / (firstLong - 2*partAround)))
	around := int(partAround / scale)
	for part := range n * n {
		row, col := part/n, part%n
		own := image.Rect(col*region.Dx()/n, row*region.Dy()/n, (col+1)*region.Dx()/n, (row+1)*region.Dy()/n).Add(region.Min)
		m, err := by.LookAt(s.px, own.Inset(-around).Intersect(s.whole()), scale)
		if err != nil {
			return nil, err
		}
		for _, t := range m.Peaks(s.width, s.height) {
			if image.Pt(int(t.At.X), int(t.At.Y)).In(own) {
				tops = append(tops, t)
			}
		}
	}
	return detect.Once(tops), nil
}

// whole is all of the picture.
func (s *scene) whole() image.Rectangle { return image.Rect(0, 0, s.width, s.height) }

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
