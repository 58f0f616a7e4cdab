package match

import (
	"slices"
	"strconv"
	"strings"

	"diceref/rules"
	"diceref/rules/dicecreams"
	"diceref/table"
)

// wrongMelt is the melting as the dice show it.
func (o *outlook) wrongMelt() []dicecreams.Move {
	list := o.s.Melting()
	if len(list) == 0 {
		return nil
	}
	wrong := false
	for p := range o.places {
		wrong = o.asSeen(rules.Player(p), list) || wrong
	}
	if !wrong {
		return nil
	}
	return []dicecreams.Move{o.s.MeltOf(list)}
}

// asSeen puts into a list what a player's dice show, those that melted rightly first,
// and says whether one did not.
func (o *outlook) asSeen(p rules.Player, list []dicecreams.Melted) (wrong bool) {
	rest := make([]table.Die, 0, len(list))
	for _, r := range o.like(o.seen.in[placeKey(p)]) {
		rest = append(rest, r.Die)
	}
	take := func(d table.Die) bool {
		i := slices.Index(rest, d)
		if i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		}
		return i >= 0
	}
	var open []int
	for i, l := range list {
		if l.Owner == p && (l.After == 0 || !take(table.Die{Color: l.Die.Color, Face: l.After})) {
			open = append(open, i)
		}
	}
	for _, i := range open {
		l := &list[i]
		k := slices.IndexFunc(rest, func(d table.Die) bool { return d.Color == l.Die.Color })
		after := 0
		if k >= 0 {
			after = rest[k].Face
			rest = slices.Delete(rest, k, k+1)
		}
		wrong = wrong || after != l.After
		l.After = after
	}
	return wrong
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
