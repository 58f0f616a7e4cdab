package match

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"diceref/calibration"
	"diceref/rules"
)

// The price of believing something before looking, as -ln of its likelihood, as in
// rules.Reconcile: acts are common, illegal ones rare.
const (
	priceFirst    = 1.0 // the first act since the view before
	priceMore     = 2.0 // every further one: it was not seen on its own
	priceBreach   = 3.0 // more for an illegal act
	priceAfter    = 1.5 // more for an illegal act after another that was not seen on its own
	priceBack     = 2.0 // an act taken back
	priceRedress  = 0.5 // an illegal act taken back
	priceInstead  = 3.0 // more for another act in place of a legal one
	maxMisfit     = 5.0 // a story that needs readings more wrong than this explains nothing
	maxActs       = 6   // in one story
	maxPositions  = 20_000
	worthALook    = maxMisfit + 3 // a story this wrong may still cast doubt on another
	leastGain     = 0.5           // an act that makes the view fit no better than this is not told: it was not seen
	mostQuestions = 7
)

// explain looks for the likeliest story of how the table came to look as it does.
func (m *Match) explain(g zoneGame, seen *spread) rules.Result {
	now := m.line.now()
	z := &zoneSearch{g: g, seen: seen, halfway: m.zones.halfway, redress: m.lastIllegal(), name: m.zoneName}
	z.now = z.fit(now)
	z.from(now, 0)
	for i, s := range m.earlierByZones(g) {
		z.from(s, i+1)
	}
	return z.conclude(now)
}

// earlierByZones are the positions that a takeback may lead to, the latest first.
func (m *Match) earlierByZones(g zoneGame) (list []rules.State) {
	stack := m.line.stack()
	skip := 0
	for i := len(m.line.acts) - 1; i >= 0 && len(list) < mostBack; i-- {
		switch e := m.line.acts[i]; {
		case e.kind == actTakeback:
			skip++
		case e.nature():
		case skip > 0:
			skip--
		default:
			n := len(stack) - 2 - len(list)
			if n < 0 || g.stands(e.moves[len(e.moves)-1]) {
				return list
			}
			list = append(list, stack[n])
		}
	}
	return list
}

// zoneSearch gathers stories, shorter ones first.
type zoneSearch struct {
	g       zoneGame
	seen    *spread
	halfway *spread // a view before this one, in the middle of an act
	redress bool    // the latest act was illegal
	name    func(zoneKey) string
	stories []rules.Story
	looked  int // positions
	best    float64
	now     float64 // misfit of the present position
}

// from searches the stories that begin at a position, back acts before the present
// one, deeper and deeper until none can be as likely as those found.
func (z *zoneSearch) from(base rules.State, back int) {
	z.best = worthALook
	first := 0.0
	for i := range back {
		if i == 0 && z.redress {
			first += priceRedress
		} else {
			first += priceBack
		}
	}
	for depth := 0; depth <= maxActs && z.looked < maxPositions; depth++ {
		price := first
		if depth > 0 {
			price += priceFirst + float64(depth-1)*priceMore
			if back > 0 && !(back == 1 && z.redress) {
				price += priceInstead
			}
		}
		if price >= z.best+rules.DefaultMargin {
			break
		}
		z.deepen(&node{base: base, back: back, at: base, fit: min(z.now, z.fit(base)), price: price}, depth)
	}
}

// node is a position on the way of a story.
type node struct {
	base  rules.State
	back  int
	at    rules.State
	line  []rules.Move
	why   rules.Illegal // of line[bad]
	bad   int
	fit   float64 // the best misfit of the positions before
	price float64 // of the whole story
}

func (z *zoneSearch) fit(s rules.State) float64 { return misfitZones(z.g.piles(s), z.seen, worthALook) }

// deepen tells the stories that have so many more acts than the node.
func (z *zoneSearch) deepen(n *node, acts int) {
	if acts == 0 {
		z.tell(n)
		return
	}
	moves := z.g.toward(n.at, z.seen)
	if n.why == nil && len(n.line) <= 1 {
		moves = append(slices.Clone(moves), z.g.astray(n.at, z.seen)...)
	}
	for _, mv := range moves {
		if z.looked++; z.looked > maxPositions {
			return
		}
		next := *n
		next.price += z.g.price(n.at, mv)
		if err := n.at.Check(mv); err != nil {
			var why rules.Illegal
			if n.why != nil || !errors.As(err, &why) {
				continue
			}
			next.why, next.bad = why, len(n.line)
			next.price += priceBreach
			if len(n.line) > 0 {
				next.price += priceAfter
			}
		}
		after, err := n.at.Apply(mv)
		if err != nil {
			continue
		}
		next.at, next.line = after, append(n.line[:len(n.line):len(n.line)], mv)
		if acts > 1 {
			next.fit = min(n.fit, z.fit(after))
		}
		z.deepen(&next, acts-1)
	}
}

// tell notes a story, unless one that is a part of it explains the view as well.
func (z *zoneSearch) tell(n *node) {
	fit := z.fit(n.at)
	if fit > worthALook || len(n.line) > 0 && fit > n.fit-leastGain || n.back > 0 && fit > z.now-leastGain {
		return
	}
	s := rules.Story{Back: n.back, Line: n.line, After: n.at, Why: n.why, At: n.bad, Misfit: fit, Cost: fit + n.price}
	if s.Why != nil && len(s.Line) > 1 && sawIllegal(z.g, z.halfway, n.base, s) {
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
		z.best = min(z.best, s.Cost)
	}
	z.stories = append(z.stories, s)
}

// conclude takes the likeliest story if it fits and stands out.
func (z *zoneSearch) conclude(now rules.State) rules.Result {
	slices.SortStableFunc(z.stories, func(a, b rules.Story) int { return cmp.Compare(a.Cost, b.Cost) })
	i := slices.IndexFunc(z.stories, func(s rules.Story) bool { return s.Misfit <= maxMisfit })
	if i < 0 || z.looked >= maxPositions {
		return rules.Result{Story: rules.Story{Verdict: rules.Unexplained, After: now}, Ask: z.ask(now)}
	}
	res := rules.Result{Story: z.stories[i], Margin: 99}
	told := []string{digest(res.After)}
	close := []rules.Story{res.Story}
	for k, s := range z.stories {
		if k == i || s.Cost-res.Cost >= rules.DefaultMargin {
			continue
		}
		if d := digest(s.After); !slices.Contains(told, d) { // another way to the same position is no other story
			res.Margin = min(res.Margin, s.Cost-res.Cost)
			told, close = append(told, d), append(close, s)
		}
	}
	if len(close) == 1 {
		return res
	}
	res.Verdict, res.Stories = rules.Ambiguous, close[:min(len(close), mostQuestions)]
	words := make([]string, len(res.Stories))
	for i, s := range res.Stories {
		words[i] = s.String()
	}
	res.Ask = "What happened: " + strings.Join(words, ", or ") + "?"
	return res
}

// ask says what on the table nothing explains.
func (z *zoneSearch) ask(now rules.State) string {
	var parts []string
	most := 0
	for _, p := range z.g.piles(now) {
		most += len(p.dice)
		if z.seen.drawn[p.at] && !p.heap {
			parts = append(parts, z.differs(p)...)
		}
	}
	if z.seen.total < most-z.seen.hidden {
		parts = append(parts, fmt.Sprintf("%d of %d dice are seen", z.seen.total, most))
	}
	if n := len(z.seen.out); n > 0 {
		parts = append(parts, fmt.Sprintf("%d lie outside every zone", n))
	}
	const enough = 5
	if len(parts) > enough {
		parts = append(parts[:enough], "and more")
	}
	return strings.Join(append([]string{"What happened? Is a die misread, or has somebody moved one"}, parts...), "; ") + "."
}

// differs tells what is not as it was in one pile.
func (z *zoneSearch) differs(p pile) (parts []string) {
	left, more := unmatched(p.dice, z.seen.in[p.at])
	where := z.name(p.at)
	for _, d := range left {
		parts = append(parts, fmt.Sprintf("%s is gone from %s", looseWords(d), where))
	}
	for _, r := range more {
		parts = append(parts, fmt.Sprintf("%s came to %s", looseWords(r.Die), where))
	}
	return parts
}

// zoneName is what the players call the zones of a key.
func (m *Match) zoneName(at zoneKey) string {
	if at.kind == calibration.ZonePlace {
		return m.name(rules.Player(at.seat)) + "'s place"
	}
	for _, z := range m.setting.Zones {
		if z.Kind == at.kind {
			return "the " + z.Name
		}
	}
	return "the " + at.kind
}
