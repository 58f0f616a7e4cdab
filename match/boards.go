package match

import (
	"iter"
	"math"
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/table"
)

// A board is followed by hypotheses (package belief): each is a line of moves that may have led to what was seen. What is told is
// where they agree; where they do not, the players are asked.

// course is what is believed of the course of a game on a board or by zones.
type course struct {
	on   bool
	set  belief.Beliefs // what may have happened since the start below
	told []toldMove     // since then, as the set has it
	// before is the last view that is over, and earlier what was believed then; sight is the view under way.
	earlier       belief.Beliefs
	before, sight *belief.Sight
	// lain and lies are the same by zones.
	lain, lies   *belief.Layout
	tried, maybe belief.Beliefs // by zones: what the view under way, and the one before, would tell, if it were believed
	hidden       bool           // dice that are not seen are all that the view under way, which is not believed, lacks
	odd          int            // so many views before were not believed
	since        int            // so many acts had been told before the view under way
	netted       bool           // in it, what was taken back before anything was told of it counts no more
	picked       bool           // in it, of ways that differ in that alone, the likeliest is told
	words        int            // so many of the acts that were said, and that wait, have been heard
	open         int            // views since what is told was beyond doubt
	counted      bool           // the view under way is one of them
	asked        bool           // it was asked what happened in it
	askedOf      int64          // the first record that the last question was about of which an answer was in force
	read         int            // readings of the view under way that are believed
	lost         bool           // nothing that is believed explains it
	stray        bool           // something was told that the belief does not know of: by players, or by undoing
	telling      bool           // what is told now is what is believed
	knocked      map[string]bool
	waits        float64 // since when nothing is told, as something covers what it rests on; 0: it does not
}

// toldMove is a move that was told, and the record that tells it; 0: it was taken back before anything was told of it.
type toldMove struct {
	move rules.Move
	seq  int64
	as   rules.Move // what stands in the journal instead of it; nil: what does so usually
}

// How likely what has happened must be.
const (
	enoughToAsk  = 0.4    // to go on with it, once it was asked about
	enoughAtLast = 0.95   // to tell it once the view is over, if it was plain to see, or two have left it open
	another      = 0.1    // another way must be for it to be asked about while the view stands
	stillSure    = 0.9    // of what was told: else what has happened since is asked
	refuted      = 0.05   // what was told is put right where no more speaks for it
	certainly    = 0.9999 // not to be put right any more
	settledAfter = 12     // moves told since: nor are earlier ones put right
	openTooLong  = 6      // the same, by zones, after which the likeliest is gone on with
	stillOpen    = 2      // views after which it is asked what has happened
	lostTrack    = -25.0  // as a logarithm: nothing that is believed explains a board that fits it less
)

func (b *course) moves() (line []rules.Move) {
	for _, t := range b.told {
		line = append(line, t.move)
	}
	return line
}

// acts is the same without what is nobody's.
func (b *course) acts() []rules.Move { return belief.Acts(b.moves()) }

// noteCourse notes a record that was not told out of what is believed.
func (m *Match) noteCourse(r Record) {
	b := &m.course
	switch r.Act.Kind {
	case actPlay, actTakeback, actUndo, actRedo, actCorrect, actOrder:
		b.stray = b.stray || !b.telling
	case actSeats:
		b.on = false
	}
	if r.Act.Heard {
		m.awaitNoMore()
	}
}

// worldNow is the world in which a match is as it was told, up to a record; 0: as of now. owners is whose dice lie where.
func (m *Match) worldNow(before int64, owners [4][4]uint8) *belief.Board {
	w := belief.OnBoard(m.line.start).Owned(owners)
	for moves, is := range m.movesTold(before) {
		for _, mv := range moves {
			next, err := w.After(mv)
			if err != nil {
				next = belief.OnBoard(is).Owned(owners)
			}
			w = next
		}
	}
	return w
}

// movesTold is the moves of each act up to a record, as belief takes them, and the position after it; before 0: of all acts.
func (m *Match) movesTold(before int64) iter.Seq2[[]rules.Move, rules.State] {
	return func(yield func([]rules.Move, rules.State) bool) {
		for _, e := range m.line.acts {
			if before > 0 && e.seq >= before {
				return
			}
			moves := e.moves
			if e.kind == actTakeback {
				moves = []rules.Move{belief.TakenBack{}}
			}
			if !yield(moves, e.stack[len(e.stack)-1]) {
				return
			}
		}
	}
}

// syncCourse takes what players have told, or put right, for what has happened.
func (m *Match) syncCourse() {
	b := &m.course
	if b.on && !b.stray {
		return
	}
	if m.followsZones() {
		m.syncZones()
		return
	}
	const least = 0.001
	var owners [4][4]uint8
	if b.on {
		owners = b.best().World.(*belief.Board).Owners()
	}
	now := m.worldNow(0, owners)
	set, ok := belief.Through(sightsOf(b.set), now, least)
	if !ok {
		set = belief.New[*belief.Sight](now)
	}
	b.beginAt(set)
	if b.before == nil && m.seen.ok {
		b.before = belief.SightOf([]table.Observation{m.seen.obs}, nil)
	}
}

// beginAt begins anew with a set.
func (b *course) beginAt(set belief.Beliefs) {
	before, lain := b.lastSight(), b.lastLayout()
	*b = course{on: true, set: set, earlier: set, before: before, sight: before, lain: lain, lies: lain, knocked: b.knocked}
}

// lastSight is the last view by which something is believed; nil: there was none.
func (b *course) lastSight() *belief.Sight {
	if b.read > 0 && !b.lost {
		return b.sight
	}
	return b.before
}

// nextView ends the view under way.
func (b *course) nextView() {
	if b.read == 0 {
		return // nothing was read
	}
	b.forget()
	if !b.lost {
		b.before, b.lain = b.sight, b.lies
	}
	b.maybe = nil
	if b.lost && b.tried != nil {
		b.maybe = b.tried
	}
	if b.odd++; !b.lost {
		b.odd = 0
	}
	b.earlier, b.read, b.lost, b.counted, b.asked = b.set, 0, false, false, false
}

// forget forgets what is certain.
func (b *course) forget() {
	acts, n := b.acts(), 0
	const atMost = 40 // moves are remembered for the sake of a die that nobody has seen
	for n < len(acts) && (!hiddenFirst(acts[n:]) || len(acts)-n > atMost) && (len(acts)-n > settledAfter || b.set.Began(acts[:n+1]) >= certainly) {
		n++
	}
	if n == 0 || b.set.Began(acts[:n]) == 0 {
		return
	}
	b.set = b.set.Without(acts[:n])
	if b.tried != nil && b.tried.Began(acts[:n]) == 0 {
		b.tried = nil
	} else if b.tried != nil {
		b.tried = b.tried.Without(acts[:n])
	}
	for n > 0 {
		if len(belief.Acts([]rules.Move{b.told[0].move})) > 0 {
			n--
		}
		b.told = b.told[1:]
	}
}

// believe concludes what a view of a board shows. It reports whether that accounts for it.
func (m *Match) believe(obs table.Observation, final bool) bool {
	m.syncCourse()
	b := &m.course
	if b.tellsMore(m.ballot.reads) {
		sight := belief.SightOf(m.ballot.reads, b.before)
		set, ok := sightsOf(b.earlier).Observe(sight)
		if b.lost = !ok || set.Best().Fits < lostTrack; !b.lost {
			b.set = set
		}
		b.sight, b.read = sight, len(m.ballot.reads)
	}
	if b.lost {
		return m.doubtful(unexplained(m.line.now().Expect().Squares, obs), nil)
	}
	return m.tellOrAsk(final)
}

// tellOrAsk tells what is known by now, and asks what is open if waiting will not tell. It reports whether the view is accounted for.
func (m *Match) tellOrAsk(final bool) bool {
	b := &m.course
	if m.waitsForHidden() {
		return final
	}
	before := len(b.told)
	if !m.putBoardRight() || !m.locate() || !m.tellBoard(beyondDoubt) {
		return false
	}
	if m.followsZones() && len(b.told) > before && !b.counted {
		b.open = 0 // what was open is told, and what is open now is something else
	}
	if m.followsZones() {
		m.tellLearned()
	} else {
		m.askDisturbed()
	}
	if b.made() >= max(beyondDoubt*b.set.Began(b.acts()), stillSure) {
		b.open = 0
		if m.ask != "" && (m.about == 0 || b.set.Began(b.acts()) >= beyondDoubt) && !m.asksOfDisturbed() {
			m.forget() // it has settled itself
		}
		return true
	}
	if m.onlyBeside() {
		return final
	}
	if final && !b.counted {
		b.open++
		b.counted = true
	}
	if final && b.open >= openTooLong && m.followsZones() {
		m.goOnFrom()
	}
	late := b.open >= stillOpen || b.asked && final
	if (late || final && !m.blurred()) && !b.asked && !m.tellBoard(enoughAtLast) {
		return false
	}
	alike, hidden := 0.0, false
	glanced := final && len(m.ballot.reads) <= quickReads
	if !late && (glanced || m.stoodLong()) {
		if alike, hidden = m.looksAlike(); hidden && !b.asked && !m.tellBoard(enoughAtLast) {
			return false
		}
	}
	switch {
	case late && !b.asked && b.made() >= enoughAtLast*b.set.Began(b.acts()):
		b.open = 0
	case hidden && b.made() >= enoughAtLast*b.set.Began(b.acts()) && (b.asked || b.made() >= stillSure):
		b.open = 0
	case late, alike >= another, m.stoodVeryLong() && !b.nearlyTold():
		m.askBoard(hidden || glanced || late && (!m.followsZones() || b.open >= openTooLong) || m.followsZones() && alike >= another)
	}
	return final
}

// waitsForHidden says whether what has happened rests on squares that are covered: a die may have come there. It is waited for, as
// hands go as a rule, but not for long.
func (m *Match) waitsForHidden() bool {
	b := &m.course
	told := b.acts()
	if m.followsZones() || !b.sight.Covered() || b.chance(func(w belief.Way) bool {
		return w.Begins(told) && slices.ContainsFunc(belief.Acts(w.Line)[len(told):], func(mv rules.Move) bool { _, unseen := mv.(belief.Unseen); return unseen })
	}) < another {
		b.waits = 0
		return false
	}
	if b.waits == 0 {
		b.waits = m.t
	}
	return m.t-b.waits < stuckAfter
}

// likelySquares is how the board most likely lies by what was seen before.
func (m *Match) likelySquares() map[table.Square]table.Die {
	b := &m.course
	if !b.on || b.stray || m.followsZones() {
		return m.line.now().Expect().Squares
	}
	return b.earlier.Ways()[0].World.(*belief.Board).State().Expect().Squares
}

// tellsMore says whether something was read in a view since it was believed, and not just the same.
func (b *course) tellsMore(reads []table.Observation) bool {
	n := len(reads)
	return b.read == 0 || n > 1 && n != b.read && !alike(reads[n-1], reads[n-2])
}

// alike says whether two readings show the same, as surely.
func alike(a, b table.Observation) bool {
	return slices.EqualFunc(a.Dice, b.Dice, func(x, y table.Reading) bool {
		return x.Die == y.Die && x.Sure == y.Sure && math.Abs(x.Confidence-y.Confidence) < 0.01 && (x.Square == nil) == (y.Square == nil) && (x.Square == nil || *x.Square == *y.Square)
	})
}

// looksAlike is the probability of ways that differ from the likeliest in what is told, though all in which the board differs was
// surely read, if it does but for dice that nobody sees: no other view is likely to tell. hidden says whether there are such dice.
func (m *Match) looksAlike() (p float64, hidden bool) {
	b := &m.course
	best, ok := belief.LikeliestWay(b.set, b.acts())
	if !ok {
		return 0, false
	}
	made := outcome(traced(belief.Acts(best.Line)))
	if zones, is := best.World.(*belief.Zones); is {
		return b.chance(func(w belief.Way) bool {
			return zones.LooksAs(w.World.(*belief.Zones)) && !slices.Equal(outcome(belief.Acts(w.Line)), made)
		}), false
	}
	board := best.World.(*belief.Board)
	isUnseen := func(mv rules.Move) bool { _, unseen := mv.(belief.Unseen); return unseen }
	lost := slices.ContainsFunc(b.acts(), isUnseen)
	hides := slices.ContainsFunc(traced(belief.Acts(best.Line)), isUnseen)
	p = b.chance(func(h belief.Way) bool {
		line, other := traced(belief.Acts(h.Line)), h.World.(*belief.Board)
		if slices.Equal(outcome(line), made) {
			return false
		}
		differ := differing([]boardMap{board.State().Expect().Squares, other.State().Expect().Squares})
		unseen := lost || slices.ContainsFunc(line, isUnseen) || slices.ContainsFunc(traced(belief.Acts(best.Line)), isUnseen)
		if slices.ContainsFunc(differ, func(sq table.Square) bool {
			return !b.sight.Sure(sq) && !board.Hides(sq.Index()) && !other.Hides(sq.Index()) && !(unseen && b.sight.Unread(sq))
		}) {
			return false
		}
		hides = hides || slices.ContainsFunc(line, isUnseen)
		return true
	})
	return p, hides
}

// blurred says whether ways differ in a square, or a zone, of which the reading is not sure: another view is likely to tell.
func (m *Match) blurred() bool {
	const worth = 0.002
	b := &m.course
	if m.followsZones() {
		return m.blurredZones(worth)
	}
	board := b.best().World.(*belief.Board).State().Expect().Squares
	return slices.ContainsFunc(b.set.Ways(), func(h belief.Way) bool {
		differ := differing([]boardMap{board, h.World.(*belief.Board).State().Expect().Squares})
		return h.Chance >= worth && slices.ContainsFunc(differ, func(sq table.Square) bool {
			return b.sight.Squares[sq.Index()].Die.Color != table.NoColor && !b.sight.Sure(sq)
		})
	})
}

// nearlyTold says whether what has happened will be told as soon as another view does not speak against it.
func (b *course) nearlyTold() bool {
	told := b.acts()
	return b.set.Made(append(told, b.set.Next(told, enoughAtLast)...)) >= enoughAtLast*b.set.Began(told)
}

// onlyBeside says whether all that is open is what was done beside the board, within the rules, since the last act that was told, as
// who has rolled: the next act mostly tells.
func (m *Match) onlyBeside() bool {
	const worth = 0.01
	b := &m.course
	if m.followsZones() {
		return false
	}
	told := b.acts()
	return !slices.ContainsFunc(b.set.Ways(), func(h belief.Way) bool {
		return h.Chance >= worth && (!h.Begins(told) || !h.World.(*belief.Board).Beside(belief.Acts(h.Line)[len(told):]))
	})
}

// stoodVeryLong says whether a view has stood for so long that it tells nothing more.
func (m *Match) stoodVeryLong() bool {
	return len(m.ballot.reads) >= mostReads && m.t-m.ballot.since >= math.Max(1, m.patience)
}

// finishCourse goes on with the likeliest where no other view will tell, and asks.
func (m *Match) finishCourse() {
	const likely = 0.9
	b := &m.course
	if !b.on || b.stray || b.lost || m.ended {
		return
	}
	if m.tellBoard(likely); b.made() < likely*b.set.Began(b.acts()) {
		m.askBoard(true)
	}
}

// passOver takes a view for one of which nothing is to be told.
func (b *course) passOver(reads []table.Observation) {
	b.sight, b.read = belief.SightOf(reads, b.before), len(reads)
}

// best is the likeliest hypothesis.
func (b *course) best() belief.Way { return b.set.Ways()[0] }

// chance is the probability of what holds for some hypotheses.
func (b *course) chance(holds func(belief.Way) bool) (p float64) {
	for _, w := range b.set.Ways() {
		if holds(w) {
			p += w.Chance
		}
	}
	return p
}

// sightsOf is a set of which boards are observed.
func sightsOf(s belief.Beliefs) belief.Set[*belief.Sight] {
	set, _ := s.(belief.Set[*belief.Sight])
	return set
}
