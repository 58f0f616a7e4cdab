package vision

import (
	"image"
	"math"

	"diceref/table"
)

// The find network knows tops of about one size. So it looks at a picture at every scale, as a pyramid of
// levels, each half as large as the one before: each die is of the right size on one of them, however large it
// is, and dice of unlike sizes may lie side by side. What all levels see is one list, in which
// the plainer of two that lie on one place stays. A level costs a quarter of the one before; finer
// ones than the first cost four times as much, so that they are looked at only around what the level before leaves
// in doubt, or saw too small to tell.
const (
	octave      = 2.0
	coarsest    = 40   // network pixels that the longer side of the last level has at least
	finestScale = 2.0  // network pixels a picture pixel: more show nothing more
	topsAround  = 4.5  // half diagonals to each side of a top that are looked at again
	partAround  = 60   // network pixels around a part of a level: more than a top hides of another
	bestTop     = 17.0 // half diagonal, network pixels, of the tops that a level knows best
	doubtFrom   = 0.25 // scores of tops that are in doubt
	doubtTo     = 0.6
	avg         = 0.0
	rankFit     = 1.0
	heedFit     = 4.0  // how fast a level is heeded less the more octaves a top's size is off the ideal one there
	notSeen     = -2.0 // what a level says (a logarithm of odds) that shows a top of that size nowhere near
)

// levelView is a part of a picture as the find network sees it on one level.
type levelView struct {
	*maps
	own image.Rectangle // where all that lies around a top is seen
}

// lookAtLevels looks at the whole picture on every level below the first, m, and around tops in doubt on those above.
func (s *scene) lookAtLevels(m *maps) ([]top, error) {
	whole := image.Rect(0, 0, s.width, s.height)
	views := []levelView{{m, whole}}
	long := float64(max(s.width, s.height))
	for scale := m.scale / octave; scale*long >= coarsest; scale /= octave {
		level, err := s.finder.lookAt(s.px, whole, scale)
		if err != nil {
			return nil, err
		}
		views = append(views, levelView{level, whole})
	}
	tops := s.seenBy(views)
	for scale := m.scale * octave; scale <= finestScale; scale *= octave {
		parts, all := s.unclear(tops, scale)
		if len(parts) == 0 {
			break
		}
		for _, part := range parts {
			level, err := s.finder.lookAt(s.px, part, scale)
			if err != nil {
				return nil, err
			}
			views = append(views, levelView{level, s.inner(part, int(partAround/scale))})
		}
		next := s.seenBy(views)
		if all && !clears(tops, next) {
			break
		}
		tops = next
	}
	return tops, nil
}

// clears says whether a finer look at all of a picture counts: no fewer tops are seen without doubt, and no more
// are in doubt. A pattern only shows more of what is in doubt.
func clears(before, after []top) bool {
	doubts, plain := countTops(before)
	still, seen := countTops(after)
	return seen >= plain && still <= doubts
}

// seenBy lists what some views show, each top once. How plainly it is seen is told by all of them that show the place,
// each heeded as its size there suits the network: what one alone takes for a die hardly is one.
func (s *scene) seenBy(views []levelView) (tops []top) {
	for _, v := range views {
		for _, t := range v.peaks(s.width, s.height) {
			if v.shows(t.at) {
				tops = append(tops, t)
			}
		}
	}
	tops = once(tops)
	if avg == 0 {
		return tops
	}
	for i := range tops {
		t := &tops[i]
		var sum, heed float64
		for _, v := range views {
			if v.shows(t.at) {
				w := math.Exp(-heedFit * square(v.misfit(t.size)))
				sum, heed = sum+w*v.opinion(t), heed+w
			}
		}
		t.score = sigmoid(sum / heed)
	}
	return tops
}

func (v *levelView) shows(p table.Point) bool { return image.Pt(int(p.X), int(p.Y)).In(v.own) }

// unclear is the parts of a picture that are looked at on a finer level: those around tops in doubt and around tops that
// were too small to tell on the level before, or where many are, all of it: there others were not seen at all. No part
// is larger there than the first look.
func (s *scene) unclear(tops []top, scale float64) (parts []image.Rectangle, all bool) {
	var boxes []image.Rectangle
	for _, t := range tops {
		seen := t.size * scale
		if seen > mostTopSeen || t.score >= doubtTo && seen >= octave*leastTopSeen || t.score < doubtFrom {
			continue
		}
		r := math.Max(topsAround*t.size, partAround/scale)
		boxes = append(boxes, image.Rect(int(t.at.X-r), int(t.at.Y-r), int(t.at.X+r), int(t.at.Y+r)))
	}
	all = len(boxes) > fewDoubts
	n := int(math.Ceil(float64(max(s.width, s.height)) * scale / (firstLong - 2*partAround)))
	around := int(partAround / scale)
	for part := range n * n {
		row, col := part/n, part%n
		own := image.Rect(col*s.width/n, row*s.height/n, (col+1)*s.width/n, (row+1)*s.height/n)
		var box image.Rectangle
		for _, b := range boxes {
			if mid := b.Min.Add(b.Max).Div(2); mid.In(own) {
				box = box.Union(b)
			}
		}
		if all {
			box = own.Inset(-around)
		}
		box = box.Intersect(image.Rect(0, 0, s.width, s.height))
		if box.Dx() >= netStride && box.Dy() >= netStride {
			parts = append(parts, box)
		}
	}
	return parts, all
}

// inner is what a look at a part sees with all that lies around it.
func (s *scene) inner(part image.Rectangle, around int) image.Rectangle {
	inner := part.Inset(min(around, part.Dx()/4, part.Dy()/4))
	if part.Min.X == 0 {
		inner.Min.X = 0
	}
	if part.Min.Y == 0 {
		inner.Min.Y = 0
	}
	if part.Max.X == s.width {
		inner.Max.X = s.width
	}
	if part.Max.Y == s.height {
		inner.Max.Y = s.height
	}
	return inner
}

func square(x float64) float64 { return x * x }

// countTops counts the tops that are in doubt, and those that are not.
func countTops(tops []top) (doubts, plain int) {
	for _, t := range tops {
		switch {
		case t.score >= doubtTo:
			plain++
		case t.score >= doubtFrom:
			doubts++
		}
	}
	return doubts, plain
}
