package diceflick

import (
	"cmp"
	"math"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Watched is a game as one follows it who sees the arena now and then: what is there, nearly always as it is.
type Watched struct {
	turns *Turns
	// gone is dice that are not seen any more: whether they were scored or knocked out is not known yet.
	gone scoring.Holes
	// missed: the last flick was seen to miss, as it moved dice or knocked them out, and nobody has said so.
	missed bool
	// hidden is for how many seconds nobody saw the arena at most, since something was last seen to change, or was said.
	hidden float64
}

var _ rules.Follower[View] = (*Watched)(nil)

// Watch begins to watch a game from a position that is certain.
func Watch(s *State) *Watched { return &Watched{turns: Follow(s)} }

// State is the game as it stands, but for dice that are gone.
func (w *Watched) State() *State { return w.turns.State }

// Takings is the last of the scores that have led here and are not 0; nil: there is none.
func (w *Watched) Takings() *Taking { return w.turns.takings }

// Rested is a world in which so many dice have come to rest since the game began.
func (w *Watched) Rested(n int) *Watched {
	next, t := *w, *w.turns
	t.rested, t.takings = n, nil
	next.turns = &t
	return &next
}

// Gone is dice that are gone, and that no move has taken away yet.
func (w *Watched) Gone() scoring.Holes { return w.gone }

// Missed: the last flick was seen to miss, as it moved dice or knocked them out, and nobody has said so.
func (w *Watched) Missed() bool { return w.missed }

// Without is the same game in which these dice are gone, and in which the last flick was seen to miss, or not.
func (w *Watched) Without(gone scoring.Holes, missed bool) *Watched {
	return &Watched{turns: w.turns, gone: gone, missed: missed, hidden: w.hidden}
}

// Hidden is for how many seconds nobody saw the arena at most, since something was last seen to change, or was said.
func (w *Watched) Hidden() float64 { return w.hidden }

// HiddenFor is the same game of which nobody saw the arena for so many seconds at least.
func (w *Watched) HiddenFor(seconds float64) *Watched {
	next := *w
	next.hidden = max(w.hidden, seconds)
	return &next
}

// Habit is what is known of what these people say, and what they do not.
func (w *Watched) Habit() [5]float64 {
	h := w.turns.habit
	return [5]float64{h.nextSaid, h.nextUnsaid, h.missSaid, h.missUnsaid, float64(h.others)}
}

// Knowing is the same game of people of whom that is known.
func (w *Watched) Knowing(n [5]float64) *Watched {
	next, t := *w, *w.turns
	t.habit = habit{n[0], n[1], n[2], n[3], int(n[4])}
	next.turns = &t
	return &next
}

// From goes on from another position with what is known of the people.
func (w *Watched) From(s *State) *Watched { return &Watched{turns: w.turns.From(s)} }

// At is the same with an equal position.
func (w *Watched) At(s *State) *Watched {
	next := *w
	next.turns = w.turns.At(s)
	return &next
}

// Key implements rules.Follower.
func (w *Watched) Key() string {
	return w.turns.Key() + string([]byte{byte(w.gone), byte(w.gone >> 8), byte(w.gone >> 16), byte(w.gone >> 24), boolByte(w.missed)})
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// Join is the same game with what is known of the people in either of two ways that have led to it, the other with that share.
func (w *Watched) Join(other rules.Follower[View], share float64) rules.Follower[View] {
	o, is := other.(*Watched)
	if !is {
		return w
	}
	return &Watched{turns: w.turns.Join(o.turns, share).(*Turns), gone: w.gone, missed: w.missed, hidden: w.hidden}
}

// Do is the game after a move that is certain.
func (w *Watched) Do(mv rules.Move) (*Watched, rules.Move, error) {
	next, done, err := w.turns.Do(mv)
	if err != nil {
		return nil, nil, err
	}
	return &Watched{turns: next, gone: w.gone, missed: w.missed, hidden: w.hidden}, done, nil
}

// How likely it is that just this happens between two views, for what walk does not weigh.
const (
	early      = 0.02  // somebody has flicked before anybody looked
	inHole     = 0.04  // a die that comes in comes to rest in just this hole
	sticker    = 0.05  // a sticker is taken for a die, and not surely, as a die has left it
	reread     = 0.002 // the same, though it was in view before, and taken for none
	unseen     = 0.004 // a die that lies there was not seen
	overlooked = 0.005 // dice are not seen as another one comes in, and are scored in this turn
	pushed     = 0.04  // a die that comes in moves another one to just that neighboring hole, or turns it, and it shows just that face
	farther    = 0.002 // the same, to another hole
	another    = 0.05  // one more die has come in, and nobody saw the arena in between
	alike      = 0.1   // a die that comes in is just like one that is gone then
	sameHole   = 0.002 // a die that comes in is just like one that has left, and comes to rest in the hole of that
)

// Limits of what a view may show.
const (
	leastMisfit = 0.05 // below it nothing else may lie in a hole than before
	mostArenas  = 40   // that a view may show, in all holes together
	mostOrders  = 3    // dice that came in at once, in any order
)

// Follow implements rules.Follower.
func (w *Watched) Follow(v View) []rules.Course[View] { return w.FollowAbove(v, math.Inf(-1)) }

// FollowAbove is Follow without most of the courses that are less likely than a bound, as a logarithm.
func (w *Watched) FollowAbove(v View, least float64) []rules.Course[View] {
	f := &watching{view: v, least: least}
	if v.Holes == nil {
		f.hear(w)
		return f.found
	}
	before := w.arena()
	arenas := v.arenas(scene{before, stickers(w.turns.State.arena.Markers)})
	if v.Before != nil {
		f.hearFirst(w, arenas)
		return f.found
	}
	for _, a := range arenas {
		if a.log < f.least {
			break
		}
		f.come(w, before, a)
	}
	return f.found
}

// hearFirst is how the game may have gone on if a word was said before the arena showed again: all that has changed had changed by
// then, or only the dice that are gone had left.
func (f *watching) hearFirst(w *Watched, arenas []arena) {
	word, look := *f.view.Before, f.view
	look.Before = nil
	inTurn := func(from *Watched, first, then View) {
		for _, c := range from.FollowAbove(first, f.least) {
			for _, o := range c.After.(*Watched).FollowAbove(then, f.least-c.Log) {
				f.note(rules.Course[View]{Line: append(slices.Clone(c.Line), o.Line...), Log: c.Log + o.Log + ln(.5), After: o.After})
			}
		}
	}
	inTurn(w, look, word)
	var known []scoring.Holes
	for _, a := range arenas {
		left := w.gone | scoring.HoleSet(Changes(w.arena(), a.dice).Removed...)
		if a.log < f.least || slices.Contains(known, left) {
			continue
		}
		known = append(known, left)
		inTurn(w.HiddenFor(look.Hidden).Without(left, w.missed), word, look)
	}
}

// arena is the dice that are still in the arena.
func (w *Watched) arena() [25]table.Die {
	dice := w.turns.State.arena.Dice
	for _, at := range w.gone.Squares() {
		dice[at.Index()] = table.Die{}
	}
	return dice
}

// scene is what lay in the arena, and the holes with stickers.
type scene struct {
	dice     [25]table.Die
	stickers scoring.Holes
}

// arena is what may lie in it.
type arena struct {
	dice [25]table.Die
	log  float64
}

// arenas lists what may lie in the arena by what is seen, the likeliest first.
func (v View) arenas(before scene) (list []arena) {
	if known, ok := v.maybe[before]; ok {
		return known // most hypotheses differ in whose turn it is, and not in the arena
	}
	defer func() { v.maybe[before] = list }()
	list = []arena{{dice: before.dice}}
	for i, is := range before.dice {
		stays := v.Holes.Misfit(i, is, false)
		if stays < leastMisfit {
			for k := range list {
				list[k].log -= stays
			}
			continue
		}
		options := append(slices.Clone(v.Holes.Likely(i)), table.Die{})
		if v.Holes.Misfit(i, table.Die{}, true) > 0 && !slices.Contains(options, is) {
			options = append(options, is)
		}
		var next []arena
		for _, a := range list {
			for _, d := range options {
				b := a
				b.dice[i] = d
				cost := v.Holes.Misfit(i, d, d != is)
				if at := table.SquareAt(i); d.Color == table.NoColor && before.stickers.Has(at) && !v.Holes.Sure(at) {
					cost = min(cost, -ln(uncovered(is)))
				}
				b.log -= cost
				next = append(next, b)
			}
		}
		slices.SortStableFunc(next, func(a, b arena) int { return cmp.Compare(b.log, a.log) })
		list = next[:min(len(next), mostArenas)]
	}
	list = slices.DeleteFunc(list, func(a arena) bool { return !a.possible() })
	return slices.DeleteFunc(list, func(a arena) bool { return a.log < list[0].log-cutOff })
}

// uncovered is how likely a sticker is taken for a die, where that lay on it.
func uncovered(lay table.Die) float64 {
	if lay.Color == table.NoColor {
		return reread
	}
	return sticker
}

// possible says whether the game has so many dice of each color.
func (a arena) possible() bool {
	kit := table.DiceFlick.Kit().Dice
	var count [len(table.Colors) + 1]int
	for _, d := range a.dice {
		if count[d.Color]++; d.Color != table.NoColor && count[d.Color] > kit[d.Color] {
			return false
		}
	}
	return true
}

// watching looks for the ways to a view.
type watching struct {
	view  View
	least float64
	found []rules.Course[View]
}

func (f *watching) note(c rules.Course[View]) {
	f.least = max(f.least, c.Log-cutOff)
	f.found = append(f.found, c)
}

// hear is how the game has gone on until a word was said.
func (f *watching) hear(w *Watched) {
	if f.view.Say == SayMiss && w.missed {
		h := w.turns.habit
		next := *w.turns
		next.habit.missUnsaid--
		next.habit.missSaid++
		p := silent(h.missSaid, h.missUnsaid-1)
		f.note(rules.Course[View]{Log: ln(1-p) - ln(p), After: &Watched{turns: &next, gone: w.gone}})
	}
	for _, u := range w.accounts(0, 0, 0) {
		g := Glimpse{At: f.view.At, Took: u.took, Say: f.view.Say, Shown: f.view.Shown}
		switch f.view.Say {
		case SayMiss:
			g.Flick = &Flick{}
		case SayNext:
			score := Score{Seen: true}
			if f.view.Score != nil {
				score = *f.view.Score
			}
			score.Removed = u.took
			g.Score = &score
		}
		f.on(w, g, u)
	}
}

// hidden is for how many seconds nobody saw the arena at most, since something was last seen to change.
func (f *watching) hidden(w *Watched) float64 { return max(w.hidden, f.view.Hidden) }

// account is which of the dice that are not seen any more have left the arena; the others lie there.
type account struct {
	took, lies scoring.Holes
	log        float64
}

// accounts lists which dice may have left: of those that were not seen before, but for some that are back, and of those that are
// not seen now for the first time. These may have been scored after a die came in, so that it is not known yet.
func (w *Watched) accounts(back, now scoring.Holes, hidden float64) []account {
	gone := w.gone &^ back
	list := []account{{took: gone}}
	if now != 0 {
		list = append(list, account{took: gone, lies: now, log: ln(max(overlooked, w.turns.bothUnseen(hidden)))})
	}
	for _, at := range (gone | now).Squares() {
		if scoring.HoleSet(at) == now {
			continue
		}
		lies := scoring.HoleSet(at)
		list = append(list, account{took: gone &^ lies, lies: lies, log: ln(unseen)})
	}
	return list
}

// on adds the ways that a glimpse ends, with these dice accounted for.
func (f *watching) on(w *Watched, g Glimpse, u account) (list []rules.Course[View]) {
	g.times, g.Hidden = f.view.times, f.hidden(w)
	for _, c := range w.turns.FollowAbove(g, f.least-u.log) {
		next := &Watched{turns: c.After.(*Turns), gone: u.lies}
		if n := len(c.Line); n > 0 && g.Say == "" {
			mv, flick := c.Line[n-1].(Flick)
			if next.missed = flick && !mv.Rests; next.missed {
				c.Log += ln(silent(w.turns.habit.missSaid, w.turns.habit.missUnsaid))
				next.turns.habit.missUnsaid++
			}
		}
		list = append(list, rules.Course[View]{Line: c.Line, Log: c.Log + u.log, After: next})
	}
	for _, c := range list {
		f.note(c)
	}
	return list
}

// come is how the game may have gone on until the arena looked like this.
func (f *watching) come(w *Watched, before [25]table.Die, a arena) {
	var back scoring.Holes // dice that were only not seen
	for _, at := range w.gone.Squares() {
		if i := at.Index(); a.dice[i].Color != table.NoColor && a.dice[i] == w.turns.State.arena.Dice[i] {
			back |= scoring.HoleSet(at)
		}
	}
	for _, at := range back.Squares() {
		before[at.Index()] = a.dice[at.Index()]
		a.log += ln(unseen)
	}
	f.explain(w, back, before, a)
	for _, at := range back.Squares() {
		a, before := a, before
		before[at.Index()] = table.Die{}
		a.log += ln(sameHole) - ln(unseen)
		f.explain(w, back&^scoring.HoleSet(at), before, a)
	}
}

// explain is how the game may have gone on until the arena looked like this, once these dice are back that were not seen.
func (f *watching) explain(w *Watched, back scoring.Holes, before [25]table.Die, a arena) {
	c := Changes(before, a.dice)
	switch {
	case c.None() && back == 0:
		f.note(rules.Course[View]{Log: a.log, After: w.HiddenFor(f.view.Hidden)})
		return
	case len(c.Landed) == 0 && len(c.Moved) == 0:
		f.note(rules.Course[View]{Log: a.log, After: w.HiddenFor(f.view.Hidden).Without(w.gone&^back|scoring.HoleSet(c.Removed...), w.missed)})
		return
	case len(c.Landed) > mostOrders:
		return
	}
	if f.view.First {
		a.log += ln(early)
	}
	f.wasThere(w, c, back, before, a)
	if len(c.Landed) > 0 {
		a.log += float64(len(c.Landed)-1) * ln(another)
		for _, o := range c.swaps(a.dice) {
			f.comeIn(w, o, back, a.log)
		}
		return
	}
	for _, o := range c.instead(a.dice) {
		log := a.log
		if left := o.Removed[len(o.Removed)-1]; before[left.Index()] == o.Landed[0].Die {
			log += ln(alike)
		}
		f.comeIn(w, o, back, log)
	}
	f.shaken(w, c, before, a)
	more := float64(len(c.Moved)-1) * ln(pushed)
	f.each(w, c, back, a.log+ln(nudges)+more, func(c Change, u account) {
		mv := Flick{Shifts: c.shifts()}
		f.on(w, Glimpse{At: f.view.At, Flick: &mv, Took: u.took, Left: scoring.HoleSet(c.Removed...)}, u)
	})
}

// comeIn is how the game may have gone on with dice that came in, once these are back.
func (f *watching) comeIn(w *Watched, c Change, back scoring.Holes, log float64) {
	log += float64(len(c.Landed))*ln(inHole) + c.pushing()
	f.each(w, c, back, log, func(c Change, u account) { f.land(w, c, u) })
}

// each tells of a change what of it is left by each of the accounts.
func (f *watching) each(w *Watched, c Change, back scoring.Holes, log float64, tell func(Change, account)) {
	for _, u := range w.accounts(back, scoring.HoleSet(c.Removed...), f.hidden(w)) {
		if u.log += log; u.log >= f.least {
			left := c
			left.Removed = slices.DeleteFunc(slices.Clone(c.Removed), u.lies.Has)
			tell(left, u)
		}
	}
}

// pushing is how likely a die that comes in moves just these, as a logarithm.
func (c Change) pushing() float64 { return c.moving(pushed, farther) }

// moving is how likely just these dice have moved, as a logarithm, if one is so likely to be in a neighboring hole, or turned, and in another.
func (c Change) moving(near, far float64) (log float64) {
	for _, m := range c.Moved {
		if rows, cols := m.From.Row-m.To.Row, m.From.Col-m.To.Col; max(rows, -rows, cols, -cols) > 1 {
			log += ln(far)
		} else {
			log += ln(near)
		}
	}
	return log
}

// instead lists what else may have happened where dice seem to have moved or turned: a die like it came in, and the old one is gone.
func (c Change) instead(after [25]table.Die) []Change {
	list := c.asLanded(after)
	for i, m := range c.Moved {
		if m.From != m.To {
			continue
		}
		o := Change{Landed: []Placed{{m.To, after[m.To.Index()]}}, Removed: append(slices.Clone(c.Removed), m.From)}
		o.Moved = append(append(o.Moved, c.Moved[:i]...), c.Moved[i+1:]...)
		list = append(list, o)
	}
	return list
}

// swaps is a change and those that look just like it, in which one of the dice of the color of a die that came in did so, and
// not that one.
func (c Change) swaps(after [25]table.Die) []Change {
	list := []Change{c}
	for i, l := range c.Landed {
		for k, m := range c.Moved {
			if after[m.To.Index()].Color != l.Die.Color {
				continue
			}
			o := Change{Landed: slices.Clone(c.Landed), Moved: slices.Clone(c.Moved), Removed: c.Removed}
			o.Landed[i] = Placed{m.To, after[m.To.Index()]}
			o.Moved[k] = Shift{From: m.From, To: l.At, Face: l.Die.Face}
			list = append(list, o)
		}
	}
	return list
}

// land is how dice may have come in, in any order.
func (f *watching) land(w *Watched, c Change, u account) {
	for i, l := range c.Landed {
		shifts, left := c.shifts(), scoring.Holes(0)
		for _, s := range shifts {
			if s.Off && s.From != l.At {
				left |= scoring.HoleSet(s.From)
			}
		}
		if u.took.Has(l.At) {
			shifts = append(shifts, Shift{From: l.At, Off: true})
		}
		mv := Flick{Die: l.Die, Rests: true, To: l.At, Shifts: shifts}
		g := Glimpse{At: f.view.At, Flick: &mv, Took: u.took, Left: left}
		if len(c.Landed) == 1 {
			f.on(w, g, u)
			return
		}
		first := &watching{view: f.view, least: f.least}
		rest := Change{Landed: append(slices.Clone(c.Landed[:i]), c.Landed[i+1:]...)}
		for _, way := range first.on(w, g, u) {
			then := &watching{view: f.view, least: f.least}
			next := way.After.(*Watched)
			then.land(next, rest, account{lies: next.gone, log: way.Log})
			for _, end := range then.found {
				end.Line = append(slices.Clone(way.Line), end.Line...)
				f.note(end)
			}
		}
	}
}

// stickers is the holes with stickers.
func stickers(k scoring.Markers) scoring.Holes {
	return k.Center | k.Bonus | k.Upgrade[0] | k.Upgrade[1] | k.Upgrade[2]
}
