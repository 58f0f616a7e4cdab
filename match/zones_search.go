package match

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"diceref/rules"
	"diceref/table"
)

// The price of believing something before looking, as -ln of its likelihood, as in
// rules.Reconcile: acts are common, illegal ones rare.
const (
	priceFirst    = 1.0           // the first act since the view before
	priceMore     = 2.0           // every further one: it was not seen on its own
	priceBreach   = 3.0           // more for an illegal act
	priceAfter    = 1.5           // more for an illegal act after another that was not seen on its own
	priceBack     = 2.0           // an act taken back
	priceRedress  = 0.5           // an illegal act taken back
	priceUnshown  = 0.5           // an act taken back that was only said: no view has shown it
	priceInstead  = 3.0           // more for another act in place of a legal one
	priceIgnore   = 9.0           // a whole view was misread
	maxMisfit     = 5.0           // a story that needs readings more wrong than this explains nothing
	maxActs       = 6             // in one story
	maxLooked     = 8_000         // ways on, for all tales of a view,
	maxTaken      = 100_000       // and how often stories may take one
	worthALook    = maxMisfit + 3 // a story this wrong may still cast doubt on another
	leastGain     = 0.5           // an act that makes the view fit no better than this is not told: it was not seen
	mostQuestions = 7
	leastLead     = 5.0 // of a tale that accuses somebody of what was not clearly seen
	clearly       = 1.0 // a view is not more wrong than this
	mostTales     = 24  // that are kept while nobody knows which is true,
	keepWithin    = 6.0 // if they are not less likely than the most likely by more than this
)

// hypothesis is what may have happened since the last act that was told: a story of the
// present view, and of those before it that were doubtful.
type hypothesis struct {
	rules.Story
	begin   rules.State // where the view began,
	start   rules.State // and its story: there, or what was taken back to
	before  []rules.Story
	stack   []rules.State // the position that it has led to, and those that a takeback may lead to, the latest last
	acts    []rules.Move  // what led to each of them; the first may be missing
	lost    []lostDie     // that are not seen now,
	dim     bool          // nor were all before its last story,
	wrong   rules.Move    // its latest act if that is illegal,
	plain   bool          // its illegal act was seen on its own
	sofar   float64       // cost of the stories before
	said    int           // how many of the acts that were said it tells of
	told    bool          // its latest act was only said: no view has shown it
	skips   bool          // to it a view before was wholly misread,
	against bool          // the last one, which the rules nearly explained otherwise
	borne   int           // by so many clear views in a row, see borneOut
	unshown int           // so many dice of heaps the view before did not show to which it has led,
	buried  int           // and so many are known not to show now
}

// lostDie is a die that was not seen where it should be, and that was asked about.
type lostDie struct {
	at zoneKey
	table.Die
}

// at is the position that a tale has led to.
func (t *hypothesis) at() rules.State { return t.stack[len(t.stack)-1] }

// accuses says whether a tale tells of a breach of the rules in a view before this
// one that was not clearly to be seen, and was not taken back, or of several in such views.
func (t hypothesis) accuses() bool {
	breaches := 0
	for i, s := range t.before {
		if s.Why == nil || t.backAfter(i) {
			continue
		}
		if breaches++; breaches > 1 || s.Misfit > clearly {
			return true
		}
	}
	return false
}

// whole is the tale with the story of its view as one of the past.
func (t hypothesis) whole() []rules.Story {
	list := slices.Clone(t.before)
	if len(t.Line) > 0 || t.Back > 0 {
		list = append(list, t.Story)
	}
	return list
}

// since is what of the story of its view no view has shown on its own.
func (t hypothesis) since() rules.Story {
	s := t.Story
	if t.plain {
		s.Line = s.Line[s.At+1:]
	}
	return s
}

// String describes the tale in a few words.
func (t hypothesis) String() string {
	var parts []string
	for _, s := range t.whole() {
		parts = append(parts, s.String())
	}
	if len(parts) == 0 {
		return t.Story.String()
	}
	const most = 3
	if n := len(parts); n > most {
		parts = append([]string{"…"}, parts[n-most:]...)
	}
	return strings.Join(parts, thenWord)
}

// ruling is the most likely tale, or a question.
type ruling struct {
	hypothesis
	ask   Phrase
	tales []hypothesis                          // the choices, the most likely first, where it is ambiguous
	all   func(more ...hypothesis) []hypothesis // whatever is worth to be remembered, of more tales too
	// changed says that the most likely story, though it does not explain the view, is that something happened.
	changed bool
	tired   bool    // not all that may have happened was looked at
	lead    float64 // by how much it is likelier than what leads elsewhere,
	ahead   float64 // and than what begins elsewhere
}

// bases are the tales that the present view goes on from.
func (m *Match) bases(g zoneGame) []hypothesis {
	if m.openTales() != nil && len(m.zones.maybe) > 0 {
		return m.zones.maybe
	}
	stack, acts := m.backByZones(g)
	return []hypothesis{{stack: stack, acts: acts, lost: m.zones.lost, wrong: m.latestWrong(), told: !m.zones.seenBefore(g, m.line.now()), unshown: sum(m.zones.hidden)}}
}

// latestWrong is the latest act if it was illegal.
func (m *Match) latestWrong() rules.Move {
	n := len(m.line.acts)
	if !m.lastIllegal() || n == 0 || len(m.line.acts[n-1].moves) == 0 {
		return nil
	}
	moves := m.line.acts[n-1].moves
	return moves[len(moves)-1]
}

// explainFrom looks for the most likely story of how the table came to look as it does, from these tales.
func (m *Match) explainFrom(g zoneGame, seen *spread, bases []hypothesis) ruling {
	z := &zoneSearch{g: g, seen: seen, halfway: m.zones.halfway, name: m.placeOf, known: m.line.now(), said: m.waiting(), best: math.Inf(1)}
	z.search(z.rounds(bases))
	z.goFrom(&bases[0])
	return z.conclude(bases)
}

// laidOver is what the rules allow and what explains a view but for dice that lay there before and are
// not seen: something lies over them, over all at once. False: nothing does.
func (m *Match) laidOver(g zoneGame, seen *spread) (hypothesis, bool) {
	dim := *seen
	bases := m.bases(g)
	veiled := slices.Clone(bases)
	for i := range veiled {
		b := &veiled[i]
		b.lost = slices.Clone(b.lost)
		for _, p := range g.piles(b.at()) {
			if p.heap || !seen.drawn[p.at] {
				continue
			}
			gone, _ := unmatched(p.dice, seen.in[p.at], false)
			for _, d := range gone {
				if d.Color != table.NoColor {
					d.Face = 0 // it may have come to show another meanwhile
				}
				b.lost = append(b.lost, lostDie{p.at, d})
			}
		}
	}
	r := m.explainFrom(g, &dim, veiled)
	if r.Verdict != rules.Explained || r.Misfit > clearly && len(seen.out) > 0 {
		return hypothesis{}, false
	}
	t := r.hypothesis
	t.Misfit, t.Cost = t.Misfit+costUnseen, t.Cost+costUnseen
	if i := slices.IndexFunc(bases, func(b hypothesis) bool { return b.at() == t.begin }); i >= 0 {
		t.lost, t.dim = bases[i].lost, len(bases[i].lost) > 0 // what is over the others goes away
	}
	return t, true
}

// backByZones is the present position, the last, and those that may be taken back to,
// and the acts that led to them.
func (m *Match) backByZones(g zoneGame) (list []rules.State, acts []rules.Move) {
	stack := m.line.stack()
	list = []rules.State{stack[len(stack)-1]}
	defer func() { acts = append([]rules.Move{nil}, acts...) }()
	skip := 0
	for i := len(m.line.acts) - 1; i >= 0 && len(list) <= mostBack; i-- {
		switch e := m.line.acts[i]; {
		case e.kind == actTakeback:
			skip++
		case e.nature():
			if len(e.moves) > 0 && g.stands(e.moves[len(e.moves)-1]) {
				return list, acts
			}
		case skip > 0:
			skip--
		default:
			n := len(stack) - 1 - len(list)
			last := e.moves[len(e.moves)-1]
			if n < 0 || g.stands(last) {
				return list, acts
			}
			list = append([]rules.State{stack[n]}, list...)
			acts = append([]rules.Move{last}, acts...)
		}
	}
	return list, acts
}

// zoneSearch gathers stories, shorter ones first.
type zoneSearch struct {
	g         zoneGame
	seen      *spread
	halfway   *spread // a view before this one, in the middle of an act
	name      func(zoneKey) where
	said      []saidAct
	known     rules.State // the last position that was told
	base      *hypothesis // that the stories go on from
	stories   []hypothesis
	crossings map[string]map[string]*crossing // by what they are not seen to hold, and by position;
	met       map[string]*crossing            // those of the base
	looked    int                             // ways on
	taken     int                             // and how often stories took one
	tired     bool                            // some were left out
	best      float64                         // the least cost of a story that fits
	now       float64                         // misfit of the position that the base has led to, if nothing has happened
}

// round is the stories of so many acts that begin at a position, back acts before the one that a tale has led to.
type round struct {
	base  *hypothesis
	back  int
	at    *crossing
	acts  int
	now   float64 // as in zoneSearch
	fit   float64
	price float64 // of so many acts that are like any other
}

// rounds lists what there is to search, the most likely stories first.
func (z *zoneSearch) rounds(bases []hypothesis) (list []round) {
	for i := range bases {
		z.goFrom(&bases[i])
		now := z.fit(z.crossing(z.base.at()))
		for back := range z.base.stack {
			r := round{base: z.base, back: back, at: z.crossing(z.base.stack[len(z.base.stack)-1-back]), now: now, fit: now}
			if back > 0 {
				r.fit = min(now, z.fit(r.at))
			}
			first := z.undoing(back)
			for r.acts = range maxActs + 1 {
				if r.price = first; r.acts > 0 {
					r.price += priceFirst + float64(r.acts-1)*priceMore
				}
				if r.acts > 0 && back > 0 && (back > 1 || z.base.wrong == nil && !z.base.told) {
					r.price += priceInstead
				}
				list = append(list, r)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b round) int { return cmp.Compare(a.price, b.price) })
	return list
}

// undoing is the price of a tale of which so many acts are taken back.
func (z *zoneSearch) undoing(back int) float64 {
	price := z.base.sofar
	for i := range back {
		switch {
		case i == 0 && z.base.wrong != nil:
			price += priceRedress
		case i == 0 && z.base.told:
			price += priceUnshown
		default:
			price += priceBack
		}
	}
	if n := len(z.base.stack); back > 0 && samePiles(z.g.piles(z.base.stack[n-1-back]), z.g.piles(z.base.stack[n-back])) {
		price += priceInstead // the act that is taken back left no trace
	}
	return price
}

// search tells stories until none can be as likely as those found.
func (z *zoneSearch) search(rounds []round) {
	for _, r := range rounds {
		z.goFrom(r.base)
		if r.price >= z.bound() {
			continue
		}
		if z.exhausted() {
			return
		}
		z.now = r.now
		z.deepen(&node{back: r.back, said: r.base.said, at: r.at, fit: r.fit, price: r.price}, r.acts)
	}
}

// bound is the price from which on a story says nothing against those found.
func (z *zoneSearch) bound() float64 {
	near := max(z.best, min(z.base.sofar, z.best+leastLead-rules.DefaultMargin))
	return min(near, z.base.sofar+worthALook) + rules.DefaultMargin
}

// node is a position on the way of a story.
type node struct {
	back  int
	said  int // acts that were said, of the story and before
	seen  int // acts that were not
	at    *crossing
	line  []rules.Move  // like path, in a list that nodes share one after the other
	path  []*crossing   // before each act of the line
	why   rules.Illegal // of line[bad]
	bad   int
	fit   float64 // the best misfit of the positions before
	price float64 // of the whole story
}

// deepen tells the stories that have so many more acts than the node.
func (z *zoneSearch) deepen(n *node, acts int) {
	z.heard(n, acts)
	z.learn(n, acts)
	if acts == 0 {
		z.tell(n)
		return
	}
	how := rightly
	switch {
	case n.why != nil:
		how = astray
	case len(n.line) <= 1:
		how = anyhow
	}
	for _, w := range z.ways(n.at, how) {
		if z.exhausted() {
			return
		}
		next := *n
		next.price += w.price
		if n.back > 0 && len(n.line) == 0 {
			next.price += z.g.instead(z.base.acts[len(z.base.acts)-n.back], z.base.wrong != nil, w.mv, z.seen)
		}
		next.seen++
		if !z.judge(&next, w) || next.price >= z.bound()+priceMore || !z.play(&next, w) {
			continue
		}
		if acts > 1 {
			next.fit = min(n.fit, z.fit(next.at))
		}
		z.deepen(&next, acts-1)
	}
}

// judge adds to a node what it costs that its next act is illegal; false: it tells of
// one that was already.
func (z *zoneSearch) judge(n *node, w *way) bool {
	err := w.illegal(n.at)
	if err == nil {
		return true
	}
	var why rules.Illegal
	if n.why != nil || !errors.As(err, &why) {
		return false
	}
	n.why, n.bad = why, len(n.line)
	n.price += priceBreach
	if len(n.line) > 0 {
		n.price += priceAfter
	}
	return true
}

// play adds an act to a node; false where it cannot be played at all.
func (z *zoneSearch) play(n *node, w *way) bool {
	z.taken++
	to := z.take(n.at, w)
	if to != nil {
		n.path, n.line, n.at = append(n.path, n.at), append(n.line, w.line...), to
	}
	return to != nil
}

// exhausted says whether the search has done all that it may, and notes that it was not enough.
func (z *zoneSearch) exhausted() bool {
	z.tired = z.tired || z.looked > maxLooked || z.taken > maxTaken
	return z.tired
}

// tell notes a story, unless one that is a part of it explains the view as well.
func (z *zoneSearch) tell(n *node) {
	if g, ok := z.g.(learner); ok && g.vain(n.line) {
		return
	}
	fit := z.fit(n.at)
	if n.back == 0 && len(n.line) == 0 {
		fit = z.now
	}
	if fit > worthALook {
		return
	}
	s := rules.Story{Back: n.back, Line: slices.Clone(n.line), After: n.at.State, Why: n.why, At: n.bad}
	buried := z.stillBuried(z.base, s)
	if short := z.short(n.at.State, buried); short > 0 && z.g.counts(z.base.stack[len(z.base.stack)-1-n.back], s, short) {
		fit += costUnseen // what came to a heap, or out of it, is not there
		if z.short(n.at.State, z.seen.hiding()) > 0 {
			fit -= costBuried // that was paid
		}
	}
	if fit > worthALook || n.seen > 0 && fit > n.fit-leastGain || n.back > 0 && fit > z.now-leastGain {
		return
	}
	s.Misfit, s.Cost = fit, fit+n.price+priceUnheard*float64(len(z.said)-n.said)
	plain := s.Why != nil && len(s.Line) > 1 && n.back == 0 && z.sawIllegal(n)
	if plain {
		s.Cost -= priceMore // it was seen on its own
	}
	switch {
	case s.Why != nil:
		s.Verdict = rules.IllegalAct
	case s.Back > 0:
		s.Verdict = rules.TakenBack
	case len(s.Line) > 0:
		s.Verdict = rules.Explained
	default:
		s.Verdict = rules.Unchanged
	}
	if s.Misfit <= maxMisfit {
		enough := s.Cost
		if s.Why != nil && s.Back == 0 {
			enough += leastLead - rules.DefaultMargin // see conclude: it is to lead by more
		}
		z.best = min(z.best, enough)
	}
	stack, acts := retrace(z.base.stack, z.base.acts, s, z.g.stands)
	first := max(0, len(stack)-1-mostBack)
	stack, acts = stack[first:], acts[first:]
	z.stories = append(z.stories, hypothesis{Story: s, start: z.base.stack[len(z.base.stack)-1-n.back], stack: stack, acts: acts, before: z.base.before, lost: z.lost(n.at.State), dim: len(z.base.lost) > 0, plain: plain, begin: z.base.at(), said: n.said, skips: z.base.skips, against: z.base.against, borne: z.base.borne, unshown: z.seen.unshown(z.g, n.at.State), buried: buried})
}

// short is how many dice fewer are seen than there are, beyond those of heaps that are known not to show
// and those that were not seen before; 0 where none are.
func (z *zoneSearch) short(s rules.State, buried int) int {
	return max(0, allDice(z.g.piles(s))-z.seen.total-buried-len(z.lost(s)))
}

// sawIllegal says whether the illegal act of a story was seen on its own, in the
// middle of what might still have become a legal one.
func (z *zoneSearch) sawIllegal(n *node) bool {
	if z.halfway == nil {
		return false
	}
	at := n.at
	if n.bad+1 < len(n.path) {
		at = n.path[n.bad+1]
	}
	return misfitZones(z.g.piles(at.State), z.halfway, maxMisfit) <= clearly
}

// lost lists the dice that are not seen where they are in a position.
func (z *zoneSearch) lost(s rules.State) (list []lostDie) {
	for _, p := range z.g.piles(s) {
		if p.heap || !z.seen.drawn[p.at] {
			continue
		}
		var wrong []misplaced
		fitPile(p.dice, z.seen.in[p.at], prices{unseen: costUnseen, phantom: costPhantom}, priceIgnore, &wrong)
		for _, w := range wrong {
			if w.read.Color == table.NoColor {
				list = append(list, lostDie{p.at, w.is})
			}
		}
	}
	return list
}
