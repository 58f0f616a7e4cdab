package match

import (
	"math"
	"slices"
	"strings"

	"diceref/rules"
	"diceref/rules/dicecreams"
	"diceref/scoring"
	"diceref/table"
)

// A draw of DiceCreams! of which a die was not seen is recorded with what is known of it, once play
// goes on. What that die is, is learned from a later view, from a player who takes it, or from what
// it melts: that is appended as an act of its own, Find. What nobody learns stays unknown.

// hazyDraws lists draws of which one die is not seen; of the others as many as do not lie on the
// Fridge were taken since.
func (o *outlook) hazyDraws(seen []table.Die) (list []dicecreams.Move) {
	taken := append(o.saidDice(seen), o.passedDice()...)
	for p := range o.places {
		taken = append(taken, o.places[p].come...)
	}
	var add func(dice, more []table.Die)
	add = func(dice, more []table.Die) {
		if len(dice) == o.s.DrawCount()-1 {
			list = append(list, dicecreams.DrawOf(append(slices.Clone(dice), table.Die{})))
			return
		}
		for i, d := range more {
			if !slices.Contains(more[:i], d) {
				add(append(slices.Clone(dice), d), more[i+1:])
			}
		}
	}
	if len(seen) < o.s.DrawCount() {
		add(seen, taken)
	}
	return list
}

// hazy says whether an act is a draw of which not all dice were seen, and what there is to ask then.
func hazy(mv rules.Move) (ask Phrase, is bool) {
	m, ok := mv.(dicecreams.Move)
	if !ok || m.Kind != dicecreams.Draw || !strings.Contains(m.List, "?") {
		return ask, false
	}
	of := len(strings.Split(m.List, ","))
	return phrase("fridge-count", "count", of-strings.Count(m.List, "?"), "of", of), true
}

// unfinished: before anybody takes a die, the one that is missing may yet come.
func (creamZones) unfinished(st rules.Story) (ask Phrase, is bool) {
	if n := len(st.Line); n > 0 {
		return hazy(st.Line[n-1])
	}
	return ask, false
}

// early: the same, where nothing else has happened.
func (g creamZones) early(_ rules.State, st rules.Story) bool {
	_, is := g.unfinished(st)
	return is
}

// learned lists what the dice that were drawn and not seen may be: one that is on the Fridge now, or
// that was taken off it, or one that has melted others. One that went away at once with the IceCream that it
// completed no view has shown.
func (creamZones) learned(state rules.State, seen *spread) []rules.Move {
	if s, ok := state.(*dicecreams.State); !ok || s.Unseen() == 0 {
		return nil
	}
	o := lookOut(state, seen)
	if o == nil {
		return nil
	}
	known := o.s.Fridge()
	var dice []table.Die
	_, more := unmatched(known, seen.in[fridgeKey], false)
	for _, r := range more {
		if plainly(r) {
			dice = append(dice, r.Die)
		}
	}
	if by, drafting := o.s.Drafter(); drafting {
		dice = append(dice, slices.DeleteFunc(slices.Clone(o.maybe[by]), func(d table.Die) bool { return slices.Contains(o.fridge.gone, d) })...)
		if !seen.accuses {
			dice = append(dice, o.completing(by)...)
		}
	}
	for _, l := range o.s.Melting() {
		dice = append(dice, table.Die{Color: l.Die.Color})
	}
	var moves []dicecreams.Move
	for _, d := range dice {
		moves = append(moves, dicecreams.Move{Seat: rules.Nature, Kind: dicecreams.Find, Die: d})
	}
	return o.allowed(moves)
}

// vain: a die whose color alone is known has melted others, and one that was on the Fridge when that
// was emptied had been taken.
func (creamZones) vain(line []rules.Move) bool {
	for i, mv := range line {
		found, ok := mv.(dicecreams.Move)
		if !ok || found.Kind != dicecreams.Find {
			continue
		}
		bears := func(mv rules.Move) bool {
			m := mv.(dicecreams.Move)
			return m.Kind == dicecreams.Melt && found.Die.Face == 0 || (m.Kind == dicecreams.Take || m.Kind == dicecreams.Discard) && m.Die == found.Die
		}
		clean := func(mv rules.Move) bool { return mv.(dicecreams.Move).Kind == dicecreams.Clean }
		if (found.Die.Face == 0 || slices.ContainsFunc(line[i:], clean)) && !slices.ContainsFunc(line[i:], bears) {
			return true
		}
	}
	return false
}

// plainly says whether a die is read surely, or as good as.
func plainly(r *table.Reading) bool {
	return r.Sure || math.Log(r.Confidence/(1-r.Confidence)) > rules.DefaultMargin
}

// besides leaves out as many doubtful readings, which nothing that should be there explains, as
// there are dice that were not seen: it may be those.
func (p *pile) besides(got []table.Reading) []table.Reading {
	if p.unseen == 0 {
		return got
	}
	_, more := unmatched(p.dice, got, false)
	more = slices.DeleteFunc(more, plainly)
	more = more[max(0, len(more)-p.unseen):] // the least sure
	var rest []table.Reading
	for i := range got {
		if !slices.Contains(more, &got[i]) {
			rest = append(rest, got[i])
		}
	}
	return rest
}

// findNamed takes a die that a player names for one of those that were drawn and not seen.
func (m *Match) findNamed(s *dicecreams.State, act dicecreams.Move) error {
	found := dicecreams.Move{Seat: rules.Nature, Kind: dicecreams.Find, Die: act.Die}
	if s.Unseen() == 0 || m.openTales() != nil || s.Check(found) != nil {
		return nil
	}
	return m.playOne(ByRules, found)
}

// rolls lists what the die that is drawn may show: it is in the tray, or was placed already,
// and may have melted since. Where none is seen it may have gone with its IceCream, but nobody is
// accused by the help of a die that no view has shown.
func (o *outlook) rolls(by rules.Player) (moves []dicecreams.Move) {
	dice := append(slices.Clone(o.tray), o.fresh(by)...)
	for _, d := range o.fresh(by) {
		for d.Face++; d.Face <= 6; d.Face++ {
			if !slices.Contains(dice, d) {
				dice = append(dice, d)
			}
		}
	}
	if len(dice) == 0 && !o.seen.accuses {
		dice = o.completing(by)
	}
	for _, d := range dice {
		moves = append(moves, dicecreams.Move{Seat: rules.Nature, Kind: dicecreams.Roll, Die: d})
	}
	for _, r := range o.seen.in[trayKey] {
		for _, d := range likely(table.DiceCreams.Kit(), r) {
			moves = append(moves, dicecreams.Move{Seat: rules.Nature, Kind: dicecreams.Roll, Die: d})
		}
	}
	return moves
}

// completing lists what a drawn die may have been that no view has shown, as it went away at once with the
// IceCream that it completed: dice of its color have come to those set aside. What it showed says which Customers are satisfied.
func (o *outlook) completing(by rules.Player) (dice []table.Die) {
	aside := colorsOf(o.seen.in[asideKey])
	for i, n := range o.s.Aside() {
		c := scoring.Flavours[i]
		if aside[c] > n && slices.ContainsFunc(o.s.Open(by, c), o.s.Full) {
			for face := 1; face <= 6; face++ {
				dice = append(dice, table.Die{Color: c, Face: face})
			}
		}
	}
	return dice
}
