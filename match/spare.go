package match

import (
	"math"
	"slices"

	"diceref/table"
)

// spare is a die beside the board, as it was surely read last, where it was seen last. That it
// is missing tells something only while it is not shy: some are read in one view and not in
// the next, though nobody has touched them.
type spare struct {
	table.Reading
	shy  int  // views in which it has to be read surely until that it is missing tells anything
	away bool // it was not in the latest view
	new  bool // it was seen in one view only
	// beyond says that where it lies is out of the picture since the camera has moved: it has not gone.
	beyond bool
	// afar says that it was last read before the camera moved far.
	afar bool
	// views is in how many views one after the other it was read, be it surely or not, and back how often it was
	// read again after it had been away.
	views, back int
}

// shyViews is for how many views a die is shy that was not surely read, was away for a while, or
// lies so near another when it is first seen that one may hide the other.
const shyViews = 3

// steadyViews is in how many views one after the other a die is read that is missed though it is shy; more where
// it has come and gone.
const steadyViews = 5

// steady says whether a die has been read in view after view up to the latest, so that it would be read now if it still
// lay there.
func (s spare) steady() bool { return !s.away && s.views >= steadyViews*(1+s.back) }

// solid is the dice that are not shy.
func solid(list []spare) (some []spare) {
	for _, s := range list {
		if s.shy == 0 {
			some = append(some, s)
		}
	}
	return some
}

func readingsOf(list []spare) (some []table.Reading) {
	for _, s := range list {
		some = append(some, s.Reading)
	}
	return some
}

// besideAll is the dice beside the board, each once: a doubled reading is of one die.
func besideAll(obs table.Observation) (list []table.Reading) {
	near := reachOf(obs) / 2
	for _, r := range beside(obs) {
		if !slices.ContainsFunc(list, func(o table.Reading) bool { return dist(o.At, r.At) < near }) {
			list = append(list, r)
		}
	}
	return list
}

// paired finds for each die beside the board the reading of it, -1 if there is none: of
// the same die where it lay, then of what may be it there, then of one like it anywhere.
func paired(before []spare, now []table.Reading, reach float64) []int {
	of := make([]int, len(before))
	for i := range of {
		of[i] = -1
	}
	for _, same := range []func(a, b table.Reading) bool{
		func(a, b table.Reading) bool { return a.Die == b.Die && dist(a.At, b.At) < reach },
		func(a, b table.Reading) bool {
			return dist(a.At, b.At) < reach && (!a.Sure || !b.Sure || a.Color == b.Color && sameFace(a, b) >= apart)
		},
		func(a, b table.Reading) bool { return a.Die == b.Die },
		func(a, b table.Reading) bool { return a.Color == b.Color && sameFace(a, b) >= apart },
	} {
		for i, s := range before {
			if of[i] >= 0 {
				continue
			}
			for k, r := range now {
				if same(s.Reading, r) && !slices.Contains(of, k) && (of[i] < 0 || dist(s.At, r.At) < dist(s.At, now[of[i]].At)) {
					of[i] = k
				}
			}
		}
	}
	return of
}

// sinceBeside is the dice that have gone from beside the board, and the readings of others
// there, since they were seen last.
func (m *Match) sinceBeside(obs table.Observation) (gone []spare, came []table.Reading) {
	now := besideAll(obs)
	of := paired(m.supply, now, reachOf(obs))
	for i, k := range of {
		if k < 0 {
			gone = append(gone, m.supply[i])
		}
	}
	for k, r := range now {
		if !slices.Contains(of, k) {
			came = append(came, r)
		}
	}
	return gone, came
}

// hasLeft says whether a die has gone from beside the board that plainly lay there.
func (m *Match) hasLeft(d table.Die, obs table.Observation) bool {
	gone, _ := m.sinceBeside(obs)
	return slices.ContainsFunc(solid(gone), func(s spare) bool { return s.Die == d })
}

// allInView says whether just the dice of a game with a board are seen, on it and beside it: whatever
// seems to lie over it hides none, and is not a hand with a die in it.
func (m *Match) allInView(obs table.Observation) bool {
	kit := m.setting.Game.Kit()
	if kit.Layout != table.Board || obs.Grid == nil || !obs.Grid.Found {
		return false
	}
	seen := append(onGrid(obs).Dice, besideAll(obs)...)
	return !slices.ContainsFunc(table.Colors[:], func(c table.Color) bool { return len(ofColor(seen, c)) != kit.Dice[c] })
}

// noteBeside keeps the dice beside the board. All of them are known once all dice of the game
// were in view, be it one after the other.
func (m *Match) noteBeside(obs table.Observation) {
	kit := m.setting.Game.Kit()
	if kit.Layout != table.Board {
		return
	}
	all := 0
	for _, n := range kit.Dice {
		all += n
	}
	now, board, read := besideAll(obs), m.line.now().Expect().Squares, boardOf(obs)
	if len(now)+len(board) == all && len(m.plainlyOther(read)) == 0 {
		for _, l := range m.lost {
			if l.at == nil {
				m.notLost(l)
			}
		}
		m.supply, m.allKnown, m.slipped = renewed(m.supply, now, reachOf(obs)), true, nil
		return
	}
	m.followSpares(now, reachOf(obs))
	m.followSlipped(obs)
	m.allKnown = m.allKnown || !slices.ContainsFunc(table.Colors[:], func(c table.Color) bool { return m.missing(c) != 0 })
}

// renewed is the dice beside the board as all of them are read now.
func renewed(before []spare, now []table.Reading, reach float64) []spare {
	list := make([]spare, len(now))
	for k, r := range now {
		list[k] = spare{Reading: r, new: true}
		if !r.Sure || crowded(r, now) {
			list[k].shy = shyViews
		}
	}
	for i, k := range paired(before, now, reach) {
		if k >= 0 {
			list[k] = before[i].seen(now[k], reach)
		}
	}
	return list
}

// crowded says whether another die lies closer than dice do that a hand has set side by side.
func crowded(r table.Reading, all []table.Reading) bool {
	const near = 1.15 // sides of its top in the picture
	side := math.Sqrt(dist(r.Outline[0], r.Outline[2]) * dist(r.Outline[1], r.Outline[3]) / 2)
	return slices.ContainsFunc(all, func(o table.Reading) bool { return o.At != r.At && dist(o.At, r.At) < near*side })
}

// seen is the die as a reading of it within reach of its place, or elsewhere, leaves it.
func (s spare) seen(r table.Reading, reach float64) spare {
	if s.views++; s.away {
		s.views, s.back = 1, s.back+1
	} else if dist(s.At, r.At) >= reach { // it was rolled, or pushed about
		s.views = 1
	}
	if s.away || !r.Sure {
		s.shy = shyViews
	} else {
		s.shy = max(s.shy-1, 0)
	}
	s.away, s.new, s.beyond, s.afar, s.At = false, false, false, false, r.At
	if r.Sure || !s.Sure {
		s.Reading = r
	}
	return s
}

// followSpares notes what a view tells of the dice beside the board in which some are not read.
func (m *Match) followSpares(now []table.Reading, reach float64) {
	of := paired(m.supply, now, reach)
	list := slices.Clone(m.supply)
	dim := dimmer(m.supply, now, of)
	var back []table.Reading
	for k, r := range now {
		if !slices.Contains(of, k) && r.Sure {
			back = append(back, r)
		}
	}
	for i, k := range of {
		if k >= 0 {
			list[i] = list[i].seen(now[k], reach)
			continue
		}
		if list[i].away = true; len(back) > 0 || dim && list[i].new { // they were rolled, or pushed about
			list[i].shy = shyViews
		}
	}
	m.supply = list
	shy := min(len(list), shyViews) // not at first sight
	back = m.turnedOver(back, reach)
	for _, r := range m.foundLost(back) {
		if m.missing(r.Color) > 0 { // it was not seen before, or has been taken back from the board
			m.supply = append(m.supply, spare{Reading: r, shy: shy})
		}
	}
	m.strikeOut()
}

// dimmer says whether dice beside the board that were surely read are less so now: then others that
// were seen once only may not be read at all. of pairs them, see paired.
func dimmer(before []spare, now []table.Reading, of []int) bool {
	for i, k := range of {
		if k >= 0 && before[i].Sure && !now[k].Sure {
			return true
		}
	}
	return false
}

// hardlyRead says whether dice of a color are not all surely read, so that another one beside them may be
// overlooked.
func hardlyRead(c table.Color, dice []table.Reading) bool {
	return slices.ContainsFunc(dice, func(r table.Reading) bool { return r.Color == c && !r.Sure })
}

// turnedOver notes dice that show another face than before: one of the color has gone for each.
// It leaves the other readings.
func (m *Match) turnedOver(came []table.Reading, reach float64) (others []table.Reading) {
	for _, r := range came {
		i := slices.IndexFunc(m.supply, func(s spare) bool { return s.away && s.Color == r.Color && dist(s.At, r.At) < reach })
		if i < 0 {
			i = slices.IndexFunc(m.supply, func(s spare) bool { return s.away && s.Color == r.Color })
		}
		if i < 0 {
			others = append(others, r)
			continue
		}
		m.supply[i] = spare{Reading: r, shy: shyViews}
	}
	return others
}

// missing is how many dice of a color are neither on the board nor known beside it; fewer
// than none where some are counted twice.
func (m *Match) missing(c table.Color) int {
	n := m.offBoard(c)
	for _, l := range m.lost {
		if l.die.Color == c && l.from == nil && l.at == nil {
			n--
		}
	}
	return n - len(ofColor(readingsOf(m.supply), c))
}

// offBoard is how many dice of a color do not lie on the board.
func (m *Match) offBoard(c table.Color) int {
	return m.setting.Game.Kit().Dice[c] - countColor(m.line.now().Expect().Squares, c)
}

// strikeOut strikes out dice that are on the board by now, whoever brought them there.
func (m *Match) strikeOut() {
	for _, c := range table.Colors {
		for m.missing(c) < 0 {
			i := slices.IndexFunc(m.supply, func(s spare) bool { return s.Color == c && s.away })
			if i < 0 {
				break
			}
			m.supply = slices.Delete(slices.Clone(m.supply), i, i+1)
		}
	}
}

// most likely is which of the dice was placed, or turned, as d: one like it, else one of its
// color, rather a shy one; -1: none.
func likeliest(list []spare, d table.Die) int {
	for _, may := range []func(spare) bool{
		func(s spare) bool { return s.Die == d },
		func(s spare) bool { return s.Color == d.Color && s.shy > 0 },
		func(s spare) bool { return s.Color == d.Color },
	} {
		if i := slices.IndexFunc(list, may); i >= 0 {
			return i
		}
	}
	return -1
}
