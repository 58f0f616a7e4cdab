package match

import (
	"fmt"
	"slices"
	"strings"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/table"
)

// A game by zones is followed by hypotheses as one on a board is (boards.go): only what is observed differs, and that players say
// what no camera sees.

// oddView is how well the likeliest way must fit a view, as a logarithm, that anything is believed by it: one that fits less says that a
// die was surely misread, or that something lies over several. It is believed if the one before was odd, too.
const oddView = -8.0

// zoneView is what is remembered of views by zones beside what is believed.
type zoneView struct {
	dismiss *table.Observation // a view that an undo, or the word to go on, has put out of force
	held    *Phrase            // what would have been asked of a picture in which dice were hidden
}

// followsZones says whether a camera follows the zones of the table.
func (m *Match) followsZones() bool {
	_, zoned := m.line.start.(rules.Zoned)
	return zoned && len(m.setting.Zones) > 0
}

// zonesNow is the world in which a match is as it was told, up to a record; 0: as of now.
func (m *Match) zonesNow(before int64) *belief.Zones {
	was := m.line.start.(rules.Zoned)
	at := replayed{Zones: belief.InZones(was)}
	for moves, state := range m.movesTold(before) {
		is := state.(rules.Zoned)
		for _, mv := range moves {
			if !at.demands(mv) {
				at = replayed{Zones: belief.InZones(was)} // it was not told that this has followed
			}
			if at.play(mv) != nil {
				break
			}
		}
		if len(at.due) == 0 && at.State().Key() != is.Key() {
			at = replayed{Zones: belief.InZones(is)}
		}
		was = is
	}
	if len(at.due) > 0 {
		return belief.InZones(was)
	}
	return at.Rested()
}

// replayed is a world to which moves lead. What the rules demand after a move is made with it, and is a move of its own next.
type replayed struct {
	*belief.Zones
	due []rules.Move // made already, and still to come
}

// demands says whether a move is not another one than the rules demand next.
func (r *replayed) demands(mv rules.Move) bool {
	return len(r.due) == 0 || r.due[0].String() == mv.String()
}

func (r *replayed) play(mv rules.Move) error {
	if len(r.due) > 0 && r.demands(mv) {
		r.due = r.due[1:]
		return nil
	}
	next, forced, err := r.After(mv)
	if err != nil {
		return fmt.Errorf("match: %w", err)
	}
	r.Zones, r.due = next, forced
	return nil
}

// syncZones takes what is told for what has happened.
func (m *Match) syncZones() {
	b := &m.course
	now := m.zonesNow(0)
	if b.on {
		now = now.Knowing(b.best().World.(*belief.Zones))
	}
	b.beginAt(belief.New[*belief.Layout](now))
}

// layout is what readings show by zone.
func (m *Match) layout(reads []table.Observation, before *belief.Layout) *belief.Layout {
	return belief.LayoutOf(reads, m.seatedZones(), m.line.start.(rules.Zoned), before)
}

func layoutsOf(s belief.Beliefs) belief.Set[*belief.Layout] {
	set, _ := s.(belief.Set[*belief.Layout])
	return set
}

// lastLayout is the last view by which something is believed; nil: there was none.
func (b *course) lastLayout() *belief.Layout {
	if b.read > 0 && !b.lost {
		return b.lies
	}
	return b.lain
}

// concludeByZones says what happened in a view of zones, if the votes tell. It reports whether that accounts for it.
func (m *Match) concludeByZones(final bool) bool {
	obs, b := m.ballot.count(), &m.course
	m.syncCourse()
	if d := m.zones.dismiss; d != nil {
		if sameLoose(obs, *d) {
			b.lies, b.read = m.layout(m.ballot.reads, b.lain), len(m.ballot.reads)
			m.seen = seen{true, obs}
			return true // what an undo has put out of force is not told again
		}
		m.zones.dismiss = nil
	}
	if why, many := m.foreignDice(obs); many {
		return m.doubtful(why, nil)
	}
	if b.tellsMore(m.ballot.reads) {
		m.observeZones()
	}
	if b.lost {
		return m.askOrHold(m.zonesUnexplained())
	}
	if m.zones.held = nil; !m.tellOrAsk(final) {
		return false
	}
	m.seen = seen{true, obs}
	if b.made() >= beyondDoubt*b.set.Began(b.acts()) {
		m.unheardOf()
	}
	return m.trouble == nil
}

// observeZones takes in a view with all of its readings, and then what was said and could not have happened before.
func (m *Match) observeZones() {
	b := &m.course
	lies := m.layout(m.ballot.reads, b.lain)
	set, ok := layoutsOf(b.earlier).Observe(lies)
	was := b.earlier
	if afresh := ok && stands(set.Best().Line) > stands(was.Ways()[0].Line); afresh && b.maybe != nil {
		if next, is := layoutsOf(b.maybe).Observe(lies); is && stands(next.Best().Line) == stands(b.maybe.Ways()[0].Line) {
			set, was = next, b.maybe // how the table was seen to stand is borne out
		}
	}
	if b.read == 0 {
		b.since, b.netted, b.picked = len(b.acts()), false, false
	}
	b.lies, b.read = lies, len(m.ballot.reads)
	const (
		blind = 3 // views in which dice are hidden, one after the other
		many  = 3 // dice that are not seen any more
	)
	best := set.Best()
	gone := hiding(best.World.(*belief.Zones), lies)
	if b.lain != nil {
		gone -= hiding(was.Ways()[0].World.(*belief.Zones), b.lain)
	}
	covered := b.lain != nil && gone >= many
	b.hidden = covered || gone > 0 && onlyHidden(best.World.(*belief.Zones)) && !anew(best.Line)
	odd := (covered || best.Fits < oddView) && (b.odd == 0 || b.hidden && b.odd < blind) || stands(best.Line) > stands(was.Ways()[0].Line)
	if b.lost = !ok || best.Fits < lostTrack || odd; b.lost {
		b.tried = set
		return
	}
	b.tried = nil
	b.set = set.Afresh(b.since)
	m.settleTakenBack()
	for _, s := range m.waiting()[min(b.words, len(m.line.said)):] {
		if set, ok := layoutsOf(b.set).Observe(&belief.Layout{Said: s.word()}); ok {
			b.set = set
		}
	}
}

// hiding is how many of the dice that ought to be in view by a world are not.
func hiding(w *belief.Zones, l *belief.Layout) (n int) {
	for _, p := range w.State().Piles() {
		if l.Drawn[p.At] {
			n += len(p.Dice)
		}
	}
	return n - l.Total
}

// blurredZones says whether ways that are worth mentioning differ in a zone in which something is not surely read, or not at all.
func (m *Match) blurredZones(worth float64) bool {
	b := &m.course
	if b.lies == nil || len(b.lies.Out) > 0 {
		return true
	}
	best := b.best().World.(*belief.Zones).State().Piles()
	unsure := func(r table.Reading) bool { return !r.Sure }
	for _, w := range b.set.Ways() {
		for i, p := range w.World.(*belief.Zones).State().Piles() {
			if w.Chance < worth || !b.lies.Drawn[p.At] || slices.Equal(p.Dice, best[i].Dice) {
				continue
			}
			if read := b.lies.In[p.At]; max(len(p.Dice), len(best[i].Dice)) > len(read) || slices.ContainsFunc(read, unsure) {
				return true
			}
		}
	}
	return false
}

// misreadBefore says in words which readings of the view that shows a move last the rules have put right.
func (b *course) misreadBefore(mv rules.Move) string {
	told := b.acts()
	w, ok := belief.LikeliestWay(b.set, append(told[:len(told):len(told)], mv))
	zones, is := w.World.(*belief.Zones)
	if !ok || !is || len(belief.Acts(w.Line)) > len(told)+1 {
		return ""
	}
	var parts []string
	for _, s := range zones.Slips() {
		if s.Read != nil && s.Is != (table.Die{}) && s.N == 0 && s.Is.Face != s.Read.Face {
			parts = append(parts, fmt.Sprintf("%s read as %s", looseWords(s.Is), looseWords(*s.Read)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (By the rules: " + strings.Join(parts, ", ") + ".)"
}

// tellLearned tells what is known by now of dice that were drawn and that nobody had seen.
func (m *Match) tellLearned() {
	b := &m.course
	best, ok := belief.LikeliestWay(b.set, b.acts())
	if !ok {
		return
	}
	is := best.World.(*belief.Zones).State()
	if b.chance(func(w belief.Way) bool { return w.World.(*belief.Zones).State().Key() == is.Key() }) < beyondDoubt {
		return
	}
	learned, _ := stillToLearn(m.line.now().(rules.Zoned), belief.Disturbances(best.Line), is.Key())
	for _, mv := range learned {
		b.telling = true
		err := m.playOne(ByCamera, mv)
		if b.telling = false; err != nil {
			return
		}
	}
}

// stillToLearn is which of these moves make one state of another, if any do. The others are known in it already: who takes a die has seen it.
func stillToLearn(now rules.Zoned, of []rules.Move, key string) ([]rules.Move, bool) {
	if now.Key() == key {
		return nil, true
	}
	for i, mv := range of {
		if now.Check(mv) != nil {
			continue
		}
		if next, err := now.Apply(mv); err == nil {
			if rest, ok := stillToLearn(next.(rules.Zoned), of[i+1:], key); ok {
				return append([]rules.Move{mv}, rest...), true
			}
		}
	}
	return nil, false
}

// goOnFrom has play go on from how the table was seen, if that is likely, and it is not known how it has come to that: nobody is to be
// accused of what nobody saw.
func (m *Match) goOnFrom() {
	const likely = 0.05
	b := &m.course
	told := len(b.moves())
	since := func(w belief.Way) []rules.Move { return w.Line[min(told, len(w.Line)):] }
	ways := b.set.Ways()
	i := slices.IndexFunc(ways, func(w belief.Way) bool { return w.Begins(b.acts()) && anew(since(w)) })
	if i < 0 || ways[i].Chance < likely || !borneOut(ways[i].Line) {
		return
	}
	b.set, _ = b.set.Where(func(w belief.Way) bool { return w.Begins(b.acts()) && anew(since(w)) })
	b.earlier = b.set
	m.tellBoard(enoughAtLast)
}

// remarkGuessed says what of the acts that are told next no view has shown. It is false where that could not be written down.
func (m *Match) remarkGuessed(next []rules.Move) bool {
	const possible = 0.001 // before the view
	b := &m.course
	line, n := append(b.acts(), next...), len(b.acts())
	for n < len(line) && b.earlier.Began(line[:n+1]) >= possible {
		n++
	}
	best, ok := belief.LikeliestWay(b.set, line)
	if n == len(line) || !ok {
		return true
	}
	g, is := best.World.(*belief.Zones).State().(rules.Guesser)
	if !is {
		return true
	}
	var why Phrase
	switch guess, die := g.Guessed(withDisturbances(best.Line, n, len(line)-n)); guess {
	case rules.GuessedDie:
		why = phrase("take-unseen", "die", die)
	case rules.NoGuess:
		return true
	case rules.GuessedRoll:
		why = phrase("roll-unseen")
	case rules.GuessedTurn:
		why = phrase("turn-unseen")
	case rules.GuessedMuch:
		why = phrase("much-unseen")
	}
	return m.question != nil && m.question.Kind == why.Kind || m.remark(why) == nil
}

// borneOut says whether enough acts have followed since play went on from how the table was seen.
func borneOut(line []rules.Move) bool {
	const enough = 2
	n := len(line)
	for n > 0 && !anew(line[n-1:]) {
		n--
	}
	return len(line)-n >= enough
}

// stands is how often it does in moves.
func stands(line []rules.Move) (n int) {
	for _, mv := range line {
		if anew([]rules.Move{mv}) {
			n++
		}
	}
	return n
}

// anew says whether play goes on from how the table was seen, as nothing explains it.
func anew(line []rules.Move) bool {
	return slices.ContainsFunc(line, func(mv rules.Move) bool { _, is := mv.(rules.Afresh); return is })
}

// onlyHidden says whether all that is read that does not fit a view may be something which is hardly a die.
func onlyHidden(w *belief.Zones) bool {
	return !slices.ContainsFunc(w.Slips(), func(s belief.KeptSlip) bool { return s.Read != nil && s.Sure && s.N == 0 })
}

// askOrHold asks about a view that is not believed. Of a single picture in which dice are only hidden the next one most likely tells more.
func (m *Match) askOrHold(ask Phrase) bool {
	b, last := &m.course, m.ballot.reads[len(m.ballot.reads)-1]
	if !last.Posed || b.odd > 0 || !b.hidden {
		return m.doubtful(ask, nil)
	}
	m.zones.held = &ask
	return false
}

// standsAnew tells that play goes on from how the table stands.
func (m *Match) standsAnew(mv rules.Afresh) error {
	e := &Event{Type: TypeStands, Player: m.name(mv.Afresh())}
	text := fmt.Sprintf("I missed how this happened. The game goes on from what is on the table, and it is %s's turn.", e.Player)
	return m.emit(ByCamera, Act{Kind: actPlay, Moves: []string{mv.String()}}, e, text)
}

// foreignDice tells of a conservation law that a view breaks: more dice, surely read, than the game has.
func (m *Match) foreignDice(obs table.Observation) (why Phrase, many bool) {
	count, all, most := map[table.Color]int{}, 0, 0
	for _, r := range obs.Dice {
		if r.Sure {
			count[r.Color]++
			all++
		}
	}
	if kit := m.setting.Game.Kit().Dice; kit != nil {
		for _, c := range table.Colors {
			if count[c] > kit[c] {
				return phrase("too-many", "count", count[c], "color", c, "of", kit[c]), true
			}
		}
		return why, false
	}
	for _, p := range m.line.now().(rules.Zoned).Piles() {
		most += len(p.Dice)
	}
	return phrase("foreign-dice", "count", all, "of", most), all > most
}

// zonesUnexplained says what is in each zone that ought not to be.
func (m *Match) zonesUnexplained() Phrase {
	const enough = 5
	if ask, is := strangeFridge(m.line.now(), m.course.lies); is {
		return ask
	}
	b, parts, most := &m.course, []Phrase{}, 0
	for _, p := range m.line.now().(rules.Zoned).Piles() {
		if most += len(p.Dice); !b.lies.Drawn[p.At] || p.Heap {
			continue
		}
		left, where := slices.Clone(p.Dice), m.placeOf(zoneKey{p.At.Kind, p.At.Seat})
		for _, r := range b.lies.In[p.At] {
			k := slices.IndexFunc(left, func(d table.Die) bool {
				return d.Face == r.Face && (d.Color == table.NoColor || d.Color == r.Color)
			})
			if k < 0 {
				parts = append(parts, phrase("zone-found", "die", r.Die, "zone", where))
			} else {
				left = slices.Delete(left, k, k+1)
			}
		}
		for _, d := range left {
			parts = append(parts, phrase("zone-lost", "die", d, "zone", where))
		}
	}
	if b.lies.Total < most {
		parts = append(parts, phrase("seen-of", "count", b.lies.Total, "of", most))
	}
	if n := len(b.lies.Out); n > 0 {
		parts = append(parts, phrase("outside", "count", n))
	}
	return phrase("not-explained", "parts", few(parts, enough))
}

// outOfForce has a view ignored for as long as the table looks like it.
func (m *Match) outOfForce(obs table.Observation) {
	if m.followsZones() {
		m.zones.dismiss = &obs
	}
}

// askHeld asks what was not asked of a picture as the next one was to tell.
func (m *Match) askHeld() {
	if ask := m.zones.held; ask != nil && m.ask == "" {
		m.askNow(*ask, nil)
	}
}

// playForced records what is bound to follow and cannot be seen.
func (m *Match) playForced() error {
	if !m.followsZones() || m.ended {
		return nil
	}
	const most = 12 // one after the other
	for range most {
		mv := m.line.now().(rules.Zoned).Forced()
		if mv == nil {
			return nil
		}
		if err := m.playOne(ByRules, mv); err != nil {
			return err
		}
	}
	return nil
}
