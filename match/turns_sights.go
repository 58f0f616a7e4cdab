package match

import (
	"math"
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// sight is something that was seen or said, or a move that holds whatever has happened.
type sight struct {
	diceflick.Glimpse
	fact rules.Move
	kept keptSight
	gone scoring.Holes // as it is told: dice that had left before it, as it came in, or until the turn was over
}

// is says whether that flick was seen.
func (s sight) is(f diceflick.Flick) bool { return s.Flick != nil && s.Flick.String() == f.String() }

// moves says whether it may as well have been that flick, which missed and moved a die.
func (s sight) moves(f diceflick.Flick) bool {
	return s.Instead != nil && slices.EqualFunc(s.Instead.Shifts, f.Shifts, func(a, b diceflick.Shift) bool { return a == b }) && !f.Rests
}

// diceDoubt is how much a reading leaves open.
type diceDoubt struct {
	none   float64 // there is no die at all
	others []diceflick.Maybe
}

// doubt notes what a reading that is not sure leaves open.
func (a *turns) doubt(obs table.Observation, at table.Square) {
	const (
		phantom = 0.3 // of readings of no confidence at all
		sharper = 2   // the power of a reader's probabilities that fits how often it errs
		least   = 0.002
	)
	delete(a.doubts, at)
	i := slices.IndexFunc(obs.Dice, func(r table.Reading) bool { return r.Square != nil && *r.Square == at })
	if i < 0 || obs.Dice[i].Sure {
		return
	}
	r := &obs.Dice[i]
	d, sum := diceDoubt{none: phantom * (1 - r.Confidence)}, 0.0
	for _, die := range likely(obs.Game.Kit(), *r) {
		p := math.Pow(r.Colors[die.Color]*r.Faces[die.Face], sharper)
		sum += p
		d.others = append(d.others, diceflick.Maybe{Die: die, Chance: p})
	}
	for i := range d.others {
		d.others[i].Chance *= (1 - d.none) / sum
	}
	d.others = slices.DeleteFunc(d.others, func(o diceflick.Maybe) bool { return !(o.Chance >= least) })
	if a.doubts == nil {
		a.doubts = map[table.Square]diceDoubt{}
	}
	a.doubts[at] = d
}

// clearly keeps what agrees with a die that was clearly seen where it was told under doubt.
func (a *turns) clearly(at table.Square, die table.Die) {
	for i := range a.seen {
		if f := a.seen[i].Flick; f != nil && f.Rests && f.To == at && f.Die == die {
			a.seen[i].Doubt, a.seen[i].Others = 0, nil
			a.seen[i].kept = a.seen[i].keep()
		}
	}
	if set, ok := a.set.Condition(func(h belief.Hypothesis[diceflick.Glimpse]) bool {
		return h.World.(*diceflick.Turns).State.Arena().Dice[at.Index()] == die
	}); a.on && ok {
		a.set = set
	}
}

// othersThan is what a die may be besides what it is told as.
func othersThan(told table.Die, list []diceflick.Maybe) []diceflick.Maybe {
	return slices.DeleteFunc(slices.Clone(list), func(o diceflick.Maybe) bool { return o.Die == told })
}

// left is the dice that were gone after a flick, but for one from the hole in which its die lies.
func left(f diceflick.Flick) (holes scoring.Holes) {
	for _, s := range f.Shifts {
		if s.Off && (!f.Rests || s.From != f.To) {
			holes |= scoring.HoleSet(s.From)
		}
	}
	return holes
}

// sightsOf is what was seen and said, as it is told by now: which flicks were seen, what had left before, and what was scored
// as the end of a turn was declared.
func sightsOf(seen []sight, told []rules.Move) (list []sight) {
	var rested []sight
	var scores []diceflick.Score
	var took scoring.Holes
	for _, mv := range told {
		switch mv := mv.(type) {
		case diceflick.Flick:
			if wasSeen := slices.ContainsFunc(seen, func(s sight) bool { return s.is(mv) || s.moves(mv) }); !mv.Rests && !wasSeen {
				took |= left(mv)
			} else if mv.Rests || len(mv.Shifts) > 0 {
				rested = append(rested, sight{Glimpse: diceflick.Glimpse{Flick: &mv, Took: took, Left: left(mv)}, gone: took | left(mv)})
				took = 0
			}
		case diceflick.Score:
			took |= mv.Removed
			if n := len(rested); n > 0 {
				rested[n-1].gone |= mv.Removed
			}
			scores = append(scores, mv)
		}
	}
	for _, s := range seen {
		if s.Score != nil {
			i := slices.IndexFunc(scores, func(mv diceflick.Score) bool { return mv.By == s.Score.By })
			if i >= 0 {
				s.Score, scores = &scores[i], scores[i+1:]
			}
		}
		if s.Flick == nil || !s.Flick.Rests {
			if s.Flick != nil && len(rested) > 0 && rested[0].Flick.String() == s.Flick.String() {
				rested = rested[1:]
			}
			list = append(list, s)
			continue
		}
		i := slices.IndexFunc(rested, func(r sight) bool { return r.Flick.Rests && r.Flick.To == s.Flick.To || s.moves(*r.Flick) })
		if i < 0 {
			continue // nothing came to rest there
		}
		for k := range rested[:i] {
			rested[k].At = s.At
		}
		if s.moves(*rested[i].Flick) {
			list, rested = append(append(list, rested[:i]...), s), rested[i+1:]
			continue
		}
		if s.Flick.Die != rested[i].Flick.Die {
			s.Doubt, s.Others = 0, nil // it is known by now
		}
		list, s.Flick, s.Left = append(list, rested[:i]...), rested[i].Flick, s.Left&rested[i].gone|rested[i].Left // what lies there after all was overlooked
		list, rested = append(list, s), rested[i+1:]
	}
	for _, r := range rested {
		if len(seen) > 0 {
			r.At = seen[len(seen)-1].At
		}
		list = append(list, r)
	}
	return list
}
