package vision

import (
	"image"
	"math"
	"slices"

	"diceref/vision/detect"
)

// The find network knows tops of about one size, so that a picture is a pyramid of levels to it, each half as
// large as the one before: however large a die is, it has the right size on one of them. The first look is the
// level on which most pictures' dice have it; a die that fills a third of a picture is not seen on it, but perhaps
// its pips are. So the coarser levels, which cost a third of it all together, are looked at where nothing
// on it is beyond doubt, and one counts if it shows a top plainer than any that the first look shows. Where the dice may be
// anybody's, so is the next finer level, which costs four times as much as the first look; it shows what is printed
// as plainly as dice, so that what is seen on it alone is never sure.
const (
	octave     = 2.0
	coarsest   = 40   // network pixels that the longer side of the last level has at least
	bestTop    = 17.0 // half diagonal, network pixels, of the tops that a level knows best
	noDoubt    = 0.83 // score from which on a top of the first look tells that dice have the right size on it
	partAround = 60   // network pixels around a part of a level that is looked at in parts: more than a top hides of another
)

// lookCoarser adds what the coarser levels show of loose dice that are too large for the first look, which found these tops.
func (s *scene) lookCoarser(tops []detect.Top) ([]detect.Top, error) {
	first := plainest(tops)
	if first >= noDoubt {
		return tops, nil
	}
	err := s.onCoarser(func(seen []detect.Top) {
		large := slices.DeleteFunc(seen, func(t detect.Top) bool {
			return t.Size*s.maps.Scale < octave*bestTop || t.Score < sureScore
		})
		if plainest(large) > first {
			tops = detect.Once(append(tops, large...))
		}
	})
	return tops, err
}

// lookFiner adds what the next finer level shows of dice that are too small for the first look, which found these tops: of anybody's dice, and
// where more is in doubt than can be looked at one by one. In a known game that may be a cloth's pattern instead, so that more must come out of doubt than stays in it.
func (s *scene) lookFiner(tops []detect.Top) ([]detect.Top, error) {
	first := plainest(tops)
	doubts, plain := countTops(tops)
	if doubts <= closerMost && (!s.anybodys() || first >= noDoubt) || s.maps.Scale*octave > mostBlownUp {
		return tops, nil
	}
	seen, err := s.onFiner()
	if still, told := countTops(seen); !s.anybodys() && (told <= plain || still > max(doubts/2, told-plain)) {
		return tops, err // what is no die stays in doubt
	}
	small := slices.DeleteFunc(seen, func(t detect.Top) bool {
		return t.Size*s.maps.Scale > bestTop || t.Score < sureScore
	})
	if plainest(small) <= first {
		return tops, err
	}
	for i := range small {
		small[i].Fine = !slices.ContainsFunc(tops, func(t detect.Top) bool { return t.Score >= sureScore && t.Covers(&small[i]) })
	}
	return detect.Once(append(tops, small...)), err
}

// onFiner is what the next finer level shows, which is looked at once.
func (s *scene) onFiner() (tops []detect.Top, err error) {
	if s.finer == nil {
		if tops, err = s.lookInParts(s.finder, s.whole(), s.maps.Scale*octave); err != nil {
			return nil, err
		}
		s.finer = &tops
	}
	return slices.Clone(*s.finer), nil
}

// onCoarser tells what each coarser level than the first look's shows.
func (s *scene) onCoarser(tell func([]detect.Top)) error {
	for scale := s.maps.Scale / octave; scale*float64(max(s.width, s.height)) >= coarsest; scale /= octave {
		m, err := s.finder.LookAt(s.px, s.whole(), scale)
		if err != nil {
			return err
		}
		tell(m.Peaks(s.width, s.height))
	}
	return nil
}

// missed tells what kept loose dice from the first look, which saw none. One that only the next finer level shows is too far away for
// it; one that only a coarser level shows has the right size for it, but not the edges. What no level shows is no die: the table
// is empty.
func (s *scene) missed() (code string, err error) {
	if s.maps.Scale*octave <= mostBlownUp {
		finer, err := s.onFiner()
		if err != nil || plainest(finer) >= sureScore {
			return "too-far", err
		}
	}
	best := 0.0
	err = s.onCoarser(func(seen []detect.Top) { best = max(best, plainest(seen)) })
	if best >= sureScore {
		code = "blurred"
	}
	return code, err
}

// plainest is the score of the top that is seen best.
func plainest(tops []detect.Top) (score float64) {
	for _, t := range tops {
		score = max(score, t.Score)
	}
	return score
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
