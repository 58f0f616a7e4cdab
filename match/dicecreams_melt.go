package match

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"diceref/rules"
	"diceref/rules/dicecreams"
	"diceref/scoring"
	"diceref/table"
)

// wrongMelt is the melting as the dice show it.
func (o *outlook) wrongMelt() []dicecreams.Move {
	list := o.s.Melting()
	if len(list) == 0 {
		return nil
	}
	wrong, aside := false, o.cameAside(list)
	for p := range o.places {
		wrong = o.asSeen(rules.Player(p), list, &aside) || wrong
	}
	if !wrong {
		return nil
	}
	return []dicecreams.Move{o.s.MeltOf(list)}
}

// cameAside counts the dice of each color that have come to those set aside, beyond those of a list that
// should have gone there.
func (o *outlook) cameAside(list []dicecreams.Melted) (n [10]int) {
	n = colorsOf(o.seen.in[asideKey])
	for i, k := range o.s.Aside() {
		n[scoring.Flavours[i]] -= k
	}
	for _, l := range list {
		if l.After == 0 {
			n[l.Die.Color]--
		}
	}
	return n
}

// asSeen puts into a list what a player's dice show, and says whether one did not melt rightly.
// Dice go to those that should show them first, then to others that should lie there still. One that
// should lie there still and does not was taken away only if dice of its color have come to those set aside:
// else it was not seen.
func (o *outlook) asSeen(p rules.Player, list []dicecreams.Melted, aside *[10]int) (wrong bool) {
	rest := slices.Clone(o.at(p).dice)
	take := func(shows func(r *table.Reading) bool) (face int) {
		i := slices.IndexFunc(rest, func(r table.Reading) bool { return shows(&r) })
		if i < 0 {
			return 0
		}
		face = rest[i].Face
		rest = slices.Delete(rest, i, i+1)
		return face
	}
	rightly := func(l dicecreams.Melted) bool {
		due := table.Die{Color: l.Die.Color, Face: l.After}
		return l.After != 0 && take(func(r *table.Reading) bool { return r.Die == due }) != 0
	}
	var open []int
	for i, l := range list {
		if l.Owner == p && !rightly(l) {
			open = append(open, i)
		}
	}
	slices.SortStableFunc(open, func(i, k int) int { return cmp.Compare(min(list[k].After, 1), min(list[i].After, 1)) }) // what should have gone comes last
	for _, i := range open {
		l := &list[i]
		maybe := func(r *table.Reading) bool {
			return !r.Sure && r.Color == l.Die.Color && r.Faces[l.After] > unlikelyFace
		}
		if l.After != 0 && take(maybe) != 0 {
			continue // nobody is accused of a face that was not surely read
		}
		after := take(func(r *table.Reading) bool { return r.Color == l.Die.Color })
		if after == 0 && l.After != 0 {
			if aside[l.Die.Color]--; aside[l.Die.Color] < 0 {
				continue
			}
		}
		wrong = wrong || after != l.After
		l.After = after
	}
	return wrong
}

// melts says whether the view may be one in the middle of the melting: of the dice that are surely
// read, each shows what one at its place did or is to show, and no two the same one.
func (o *outlook) melts() bool {
	list := o.s.Melting()
	for p := range o.places {
		sure := slices.DeleteFunc(slices.Clone(o.at(rules.Player(p)).dice), func(r table.Reading) bool { return !r.Sure })
		if !eachMelts(sure, slices.DeleteFunc(slices.Clone(list), func(l dicecreams.Melted) bool { return l.Owner != rules.Player(p) })) {
			return false
		}
	}
	return true
}

// eachMelts pairs the dice that are seen with those of a list that may melt into them.
func eachMelts(seen []table.Reading, list []dicecreams.Melted) bool {
	if len(seen) == 0 {
		return true
	}
	d, told := seen[0].Die, map[dicecreams.Melted]bool{}
	for i, l := range list {
		kind := dicecreams.Melted{Die: l.Die, After: l.After} // which card it is on makes no difference
		if told[kind] || d.Color != l.Die.Color || d.Face != l.Die.Face && d.Face != l.After {
			continue
		}
		if told[kind] = true; eachMelts(seen[1:], slices.Delete(slices.Clone(list), i, i+1)) {
			return true
		}
	}
	return false
}

// wrongly counts the dice that melt otherwise than they should, and more where none of
// those that should change did: that was no melting.
func wrongly(state rules.State, m dicecreams.Move) (n int) {
	const none = 4
	s, ok := state.(*dicecreams.State)
	if !ok {
		return 0
	}
	type held struct {
		owner rules.Player
		table.Die
	}
	// How many dice of a kind there are beyond those that there should be.
	before, after := map[held]int{}, map[held]int{}
	list, seen := s.Melting(), strings.Fields(m.List)
	for i, l := range list {
		face := 0
		if i < len(seen) {
			_, value, _ := strings.Cut(seen[i], "=")
			face, _ = strconv.Atoi(value) // a dash for a die that goes is 0
		}
		before[held{l.Owner, l.Die}]++
		after[held{l.Owner, table.Die{Color: l.Die.Color, Face: face}}]++
		right := held{l.Owner, table.Die{Color: l.Die.Color, Face: l.After}}
		before[right]--
		after[right]--
	}
	due, left := 0, 0
	for _, more := range after {
		n += max(0, more)
	}
	for k, more := range before {
		due += max(0, more)
		left += max(0, min(more, after[k]))
	}
	if n > 0 && left == due {
		return n + none
	}
	return n
}
