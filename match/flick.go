package match

import (
	"math"
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// flickTurn is what a turn of DICE Flick has shown that is not an act yet:
// dice that left the arena, until the player says that the turn is over.
type flickTurn struct {
	gone    scoring.Holes
	unclear scoring.Holes     // holes of which it cannot be told whether their die is still there
	moved   []diceflick.Shift // dice that moved or turned without a flick to explain it
	early   []diceflick.Shift // the same of dice that have left since then
}

// follow notes what a view shows in which no die has come in.
func (f *flickTurn) follow(c diceflick.Change, after [25]table.Die) {
	for _, s := range f.moved {
		if after[s.From.Index()].Color == table.NoColor && after[s.To.Index()].Color == table.NoColor {
			f.early = append(f.early, s)
		}
	}
	f.gone, f.moved = scoring.HoleSet(c.Removed...), c.Moved
}

// ended is the turn as it is known at its end: a die that had moved before it left has left
// the hole in which it lay then.
func (f flickTurn) ended() flickTurn {
	for _, s := range f.early {
		if f.gone.Has(s.From) {
			f.gone = f.gone&^scoring.HoleSet(s.From) | scoring.HoleSet(s.To)
			f.moved = append(f.moved[:len(f.moved):len(f.moved)], s)
		}
	}
	return f
}

// concludeFlick compares a settled arena with what ought to lie in it. A die that
// came from outside is a flick; dice that left wait for the word "next".
func (m *Match) concludeFlick(obs table.Observation, final bool) bool {
	m.learnMarkers(m.line.now().(*diceflick.State))
	m.clearUp(obs)
	state := m.line.now().(*diceflick.State)
	arena := state.Arena()
	after := m.believed(arena, obs)
	if m.knownByCount(after, obs) {
		return m.concludeFlick(obs, final)
	}
	c := m.goneRather(m.withoutPhantoms(state, m.changesSince(state, after), obs), obs)
	if m.endHidden(state, c) || m.cameBackSame(c.Landed) {
		return m.concludeFlick(obs, final)
	}
	if !m.seen.ok && len(c.Landed) > 0 && len(m.line.acts) == m.natures() {
		m.beforeFirst(state, c.Landed)
		return true
	}
	switch len(c.Landed) {
	case 0:
		if m.scoredUnseen(c) {
			return true
		}
		if m.movedOrFlicked(state, obs, c) {
			return true
		}
		// Else shifts without a flicked die are a miss's, which is declared.
		m.flick.follow(c, after)
		return true
	case 1:
		return m.landed(state, obs, c, final)
	}
	return m.manyLanded(state, obs, c, final)
}

// changesSince is what has changed in the arena since the last flick. Dice that had left before are not among those that lie
// elsewhere now: what has come in since is flicked.
func (m *Match) changesSince(state *diceflick.State, after [25]table.Die) diceflick.Change {
	before, taken := state.Arena().Dice, scoring.Holes(0)
	if gone := m.flick.gone &^ m.flick.unclear; gone != 0 && !m.nextToCome() {
		scored := state.Explain(gone).Legal() // else one that lies there as before was only not seen for a while
		for _, at := range gone.Squares() {
			if i := at.Index(); scored || after[i] != before[i] {
				before[i] = table.Die{}
				taken |= scoring.HoleSet(at)
			}
		}
	}
	c := diceflick.Changes(before, after)
	c.Removed = append(c.Removed, taken.Squares()...)
	return c
}

// natures counts the acts in force that only tell what was found on the table.
func (m *Match) natures() (n int) {
	for _, e := range m.line.acts {
		if e.nature() {
			n++
		}
	}
	return n
}

// beforeFirst: what is read in an arena before anybody has flicked is a sticker or a die
// left over. That is told, and nothing of it counts until it looks otherwise.
func (m *Match) beforeFirst(state *diceflick.State, found []diceflick.Placed) {
	var offers []offer
	for _, l := range found {
		m.fix[l.At] = fix{From: []table.Die{l.Die}, sure: true, lies: true}
		offers = append(offers, offer{says: phrase("die-flicked", "die", l.Die, "square", l.At), weak: true, story: rules.Story{Line: []rules.Move{diceflick.Flick{By: state.ToMove(), Die: l.Die, Rests: true, To: l.At}}}})
	}
	m.askNow(phrase("before-first", "die", found[0].Die, "square", found[0].At), offers)
	m.about = m.seq
}

// manyLanded: several dice have come in since the arena was last seen at rest. That
// they came is plain; which came first is asked, and the order as read goes in meanwhile.
func (m *Match) manyLanded(state *diceflick.State, obs table.Observation, c diceflick.Change, final bool) bool {
	if m.oneByOne(obs, c) {
		return true
	}
	if m.pushedUnseen(state, c) {
		return m.concludeFlick(obs, final)
	}
	ask := phrase("which-first", "count", len(c.Landed))
	var answers []offer
	for _, order := range orders(c.Landed) {
		if line := m.flicksInOrder(state, order, asShifts(c)); line != nil {
			answers = append(answers, offer{says: phrase("die-on", "die", order[0].Die, "square", order[0].At), story: rules.Story{Line: line}})
		}
	}
	if len(answers) == 0 {
		return m.doubtful(ask, nil)
	}
	if !final && len(m.ballot.reads) < enoughReads {
		return false
	}
	if m.playAsking(ByCamera, ask, answers) != nil {
		return false
	}
	m.flick = flickTurn{}
	return true
}

// flicksInOrder is the flicks of dice that came in one after the other. Dice that had left
// before were scored, and the flicks are the next player's. nil: it cannot have been so.
func (m *Match) flicksInOrder(state *diceflick.State, order []diceflick.Placed, shifts []diceflick.Shift) (line []rules.Move) {
	by := state.ToMove()
	must, may := state.FlicksLeft()
	if may == 0 || m.flick.gone != 0 && must == 0 {
		if m.nextToCome() {
			return nil
		}
		line = append(line, diceflick.Score{By: by, Seen: true, Removed: m.flick.gone})
		by = (by + 1) % rules.Player(len(m.setting.Players))
		shifts = without(shifts, m.flick.gone)
	} else if len(order) > may {
		return nil
	}
	line = append(line, flicksOf(by, order, shifts)...)
	if played(state, line) == nil {
		return nil
	}
	return line
}

// believed is the arena as it was read. A die that seems to have turned on the
// spot on an unclear reading is taken for what lay there; in a hole that once was
// found to hold no die, only a sticker, nothing lies until it is read clearly.
func (m *Match) believed(arena scoring.Arena, obs table.Observation) [25]table.Die {
	before, markers := arena.Dice, arena.Markers
	after := diceflick.SeenArena(obs)
	m.flick.unclear = 0
	m.putBack(before, &after, obs)
	for i := range obs.Dice {
		r := &obs.Dice[i]
		if r.Square == nil || !r.Square.On() || m.isClear(r) {
			continue
		}
		at := r.Square.Index()
		switch b := before[at]; {
		case b.Color == table.NoColor && m.phantoms[*r.Square]:
			after[at] = table.Die{}
		case b.Color != table.NoColor:
			if !mayBe(*r, b) && (m.pushedOn(before, *r.Square, obs) || !holdsMarker(markers, *r.Square) && r.Colors[b.Color] < otherColor) {
				break // what pushed it lies there, or has knocked it out
			}
			after[at] = b
			if mayBe(*r, b) {
				break
			}
			if holdsMarker(markers, *r.Square) { // the die is gone, and its sticker shows
				after[at] = table.Die{}
				m.phantoms[*r.Square] = true
			} else {
				m.flick.unclear |= scoring.HoleSet(*r.Square)
			}
		}
	}
	return after
}

// otherColor is the probability of a color below which a die that lies in the hole of one of that color is another.
const otherColor = 0.02

// pushedOn says whether the die of a hole, or one of its color, lies clearly in one beside it, in which none lay.
func (m *Match) pushedOn(before [25]table.Die, from table.Square, obs table.Observation) bool {
	return slices.ContainsFunc(obs.Dice, func(r table.Reading) bool {
		return r.Square != nil && r.Square.On() && r.Color == before[from.Index()].Color && before[r.Square.Index()].Color == table.NoColor && !far(from, *r.Square) && m.isClear(&r)
	})
}

// putBack undoes what looks like a die that moved to a hole beside its own on an
// unclear reading: more likely it was read in the wrong hole. Whether it is there is unclear.
func (m *Match) putBack(before [25]table.Die, after *[25]table.Die, obs table.Observation) {
	for i := range obs.Dice {
		r := &obs.Dice[i]
		if r.Square == nil || !r.Square.On() || before[r.Square.Index()].Color != table.NoColor || m.isClear(r) {
			continue
		}
		for k, b := range before {
			from := table.SquareAt(k)
			if b == after[r.Square.Index()] && after[k].Color == table.NoColor && max(abs(from.Row-r.Square.Row), abs(from.Col-r.Square.Col)) == 1 {
				after[k], after[r.Square.Index()] = b, table.Die{}
				m.flick.unclear |= scoring.HoleSet(from)
				break
			}
		}
	}
}

// mayBe says whether a reading may be of a die, if not likely.
func mayBe(r table.Reading, d table.Die) bool {
	return r.Die == d || d.Color != table.NoColor && r.Faces[d.Face]*r.Colors[d.Color] >= unlikelySame
}

// unlikelySame is the probability below which a doubtful reading casts doubt on
// the die that lay in its hole.
const unlikelySame = 0.1

// isClear says whether a reading is sure, or so much likelier than any other that
// it stands (rules.DefaultMargin). Where a sticker was once taken for a die more is asked.
func (m *Match) isClear(r *table.Reading) bool {
	least := 0.9
	if r.Square != nil && m.phantoms[*r.Square] {
		least = 0.95
	}
	if r.Sure {
		return true
	}
	if r.Confidence <= least {
		return false
	}
	best, next := 0.0, 0.0
	for _, pc := range r.Colors {
		for _, pf := range r.Faces {
			switch p := pc * pf; {
			case p > best:
				best, next = p, best
			case p > next:
				next = p
			}
		}
	}
	return best > least && best > next*math.Exp(rules.DefaultMargin)
}

// withoutPhantoms leaves out doubtful dice that cannot have been flicked: before the
// first flick, where another die clearly was, or where no flick is left.
func (m *Match) withoutPhantoms(state *diceflick.State, c diceflick.Change, obs table.Observation) diceflick.Change {
	var clearly, doubtfully []diceflick.Placed
	for _, l := range c.Landed {
		replaces := state.Arena().Dice[l.At.Index()].Color != table.NoColor // a phantom takes no die away
		if replaces || m.unsureAt(obs, []diceflick.Placed{l}) == nil {
			clearly = append(clearly, l)
		} else {
			doubtfully = append(doubtfully, l)
		}
	}
	if _, may := state.FlicksLeft(); (may > 0 || !m.nextToCome()) && len(clearly) == 0 && len(doubtfully) == 1 && m.seen.ok {
		return c
	}
	for _, l := range doubtfully {
		m.phantoms[l.At] = true
	}
	c.Landed = clearly
	return c
}

// goneRather takes dice for gone that seem to lie in other holes now, where none is clearly read, though
// none has come in that could have pushed them: more likely they were scored, and something else looks
// like a die. Whether they are gone is unclear.
func (m *Match) goneRather(c diceflick.Change, obs table.Observation) diceflick.Change {
	if len(c.Landed) > 0 {
		return c
	}
	var moved []diceflick.Shift
	for _, s := range c.Moved {
		unclear := slices.ContainsFunc(obs.Dice, func(r table.Reading) bool { return r.Square != nil && *r.Square == s.To && !m.isClear(&r) })
		if s.From == s.To || !unclear {
			moved = append(moved, s)
			continue
		}
		c.Removed = append(c.Removed, s.From)
		m.flick.unclear |= scoring.HoleSet(s.From)
	}
	c.Moved = moved
	return c
}

// landed records one flicked die with all that it did. Where the flicks of the
// turn are used up, the die is the next player's: the turn before has ended
// without a word.
func (m *Match) landed(state *diceflick.State, obs table.Observation, c diceflick.Change, final bool) bool {
	m.turns.doubt(obs, c.Landed[0].At)
	if m.unsureAt(obs, c.Landed) != nil && !final && !m.stoodLong() {
		return false // what it is may be read better yet
	}
	line := []rules.Move{}
	by := state.ToMove()
	shifts := asShifts(c)
	must, may := state.FlicksLeft()
	l := c.Landed[0]
	scored := m.flick.gone != 0 && must == 0
	if (may == 0 || scored) && !m.quiet() {
		if before := m.neverLeft(l, longAgo); before != nil {
			return m.doubtful(phrase("all-along", "die", l.Die, "square", l.At), []offer{
				{says: phrase("yes"), amend: before}, {says: phrase("no-flicked"), story: rules.Story{Line: []rules.Move{diceflick.Flick{By: by, Die: l.Die, Rests: true, To: l.At, Shifts: shifts}}}},
			})
		}
	}
	if may == 0 && !scored && m.nextToCome() {
		return m.extraFlick(state, diceflick.Flick{By: by, Die: l.Die, Rests: true, To: l.At, Shifts: shifts})
	}
	if took := m.flick.gone & scoring.HoleSet(c.Removed...); (may == 0 || took != 0) && !m.nextToCome() {
		flick := diceflick.Flick{By: by, Die: l.Die, Rests: true, To: l.At, Shifts: without(shifts, took)}
		if told := m.likeliestTurn(diceflick.Glimpse{Flick: &flick, Took: took, Left: left(flick)}); told != nil {
			m.flick.gone, m.flick.moved = 0, nil
			return m.play(ByCamera, told) && m.doubtLanded(l, obs)
		}
		if scored && took != 0 && !state.Explain(took).Legal() {
			return m.askScored(state, took, flick, shifts)
		}
	}
	if may == 0 || scored {
		took := m.flick.gone & scoring.HoleSet(c.Removed...)
		line = append(line, diceflick.Score{By: by, Seen: true, Removed: took})
		by = (by + 1) % rules.Player(len(m.setting.Players))
		shifts = without(shifts, took)
	}
	if len(line) == 0 && must == diceflick.Flicks && len(c.Removed) > 0 {
		if answers := m.leftSince(diceflick.Flick{By: by, Die: l.Die, Rests: true, To: l.At}, c); answers != nil {
			m.flick = flickTurn{}
			return m.playAsking(ByCamera, phrase("left-since"), answers) == nil
		}
	}
	flick := diceflick.Flick{By: by, Die: l.Die, Rests: true, To: l.At, Shifts: shifts}
	line = append(line, flick)
	if ask, answers := m.flickDoubt(state, flick, c, len(line) == 1); answers != nil {
		if m.playAsking(ByCamera, ask, answers) != nil {
			return false
		}
	} else if !m.play(ByCamera, line) {
		return m.doubtful(phrase("cannot-be", "die", l.Die, "square", l.At), nil)
	}
	m.flick.gone, m.flick.moved = 0, nil
	return m.doubtLanded(l, obs)
}

// nextToCome says whether the end of this turn is still to be declared, so that
// nothing that is seen before is the next player's.
func (m *Match) nextToCome() bool {
	return slices.ContainsFunc(m.queue, func(d Declaration) bool { return d.Say == SayNext })
}

// extraFlick records a flick beyond those of the turn. Where the bonus marker is
// not known it may have earned this one: that is asked, and nobody accused.
func (m *Match) extraFlick(state *diceflick.State, mv diceflick.Flick) bool {
	arena := state.Arena()
	if arena.Markers.Bonus != 0 {
		return m.play(ByCamera, []rules.Move{mv})
	}
	if m.remark(phrase("one-more")) != nil {
		return false
	}
	e, text := &Event{Player: m.name(mv.By)}, ""
	text = m.flickEvent(e, mv)
	return m.emit(ByCamera, Act{Kind: actPlay, Moves: []string{mv.String()}}, e, text) == nil
}

// asShifts tells what became of the other dice, as a flick does.
func asShifts(c diceflick.Change) []diceflick.Shift {
	list := append([]diceflick.Shift(nil), c.Moved...)
	for _, at := range c.Removed {
		list = append(list, diceflick.Shift{From: at, Off: true})
	}
	return list
}

func without(shifts []diceflick.Shift, holes scoring.Holes) []diceflick.Shift {
	var rest []diceflick.Shift
	for _, s := range shifts {
		if !s.Off || !holes.Has(s.From) {
			rest = append(rest, s)
		}
	}
	return rest
}

// unsureAt finds a reading of one of the dice that landed on which the program would not act.
func (m *Match) unsureAt(obs table.Observation, dice []diceflick.Placed) *table.Reading {
	for i := range obs.Dice {
		r := &obs.Dice[i]
		if r.Square == nil || m.isClear(r) {
			continue
		}
		for _, l := range dice {
			if l.At == *r.Square {
				return r
			}
		}
	}
	return nil
}

// learnMarkers notes stickers that show in holes and are not known yet.
func (m *Match) learnMarkers(state *diceflick.State) {
	arena := state.Arena()
	known, news := arena.Markers, false
	for _, r := range m.ballot.markers() {
		sq := table.Square{Row: r.Row, Col: r.Col}
		if !sq.On() || holdsMarker(known, sq) || arena.Dice[sq.Index()].Color != table.NoColor {
			continue
		}
		if slot := markerSlot(&known, r.Marker); slot != nil && *slot == 0 {
			*slot, news = scoring.HoleSet(sq), true
		}
	}
	if news {
		if err := m.playOne(ByCamera, diceflick.Markers{Markers: known}); err != nil {
			m.trouble = err
		}
	}
}

func holdsMarker(k scoring.Markers, sq table.Square) bool {
	return (k.Center | k.Bonus | k.Upgrade[0] | k.Upgrade[1] | k.Upgrade[2]).Has(sq)
}

// markerSlot is where a marker of that name belongs; nil for an unknown name.
func markerSlot(k *scoring.Markers, name string) *scoring.Holes {
	switch name {
	case table.CenterMarker:
		return &k.Center
	case table.BonusMarker:
		return &k.Bonus
	}
	for i, c := range scoring.Upgrades {
		if c.String() == name {
			return &k.Upgrade[i]
		}
	}
	return nil
}
