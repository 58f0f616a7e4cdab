package rules

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"diceref/table"
)

// Verdict is what a comparison of the table with the rules concludes.
type Verdict string

// The verdicts. Only Unchanged, Explained, Illegal and TakenBack may be acted
// upon; the other two ask the players.
const (
	Unchanged   Verdict = "unchanged"   // the table is as it was
	Explained   Verdict = "explained"   // Line, all of it legal, leads from the state to what is seen
	IllegalAct  Verdict = "illegal"     // Line leads there (after Back acts were taken back), and an act in it is illegal: Why and At
	TakenBack   Verdict = "taken back"  // the latest Back acts were undone; then Line, if any, was played
	Ambiguous   Verdict = "ambiguous"   // several stories are about as likely: Ask, Stories
	Unexplained Verdict = "unexplained" // no story fits: Ask
)

// ReconcileOptions is what Reconcile may know besides the state and the view.
type ReconcileOptions struct {
	// Earlier are the positions before the latest acts that can be taken back, the
	// latest first. nil: nothing can be taken back. A position that is nil is none to go
	// back to by itself: that the act after it was taken back leaves no trace.
	Earlier []State
	// LastIllegal says that the latest act was illegal, so that it is likely to be taken back.
	LastIllegal bool
	// Before are the readings that the state was concluded from. Only the dice beside
	// the grid matter: a change among them can be a reroll. nil: not known.
	Before []table.Reading
	// Margin is by how much the most likely story must beat the next one, in natural
	// logarithms of likelihood (3: 20 to 1). 0: DefaultMargin.
	Margin float64
}

// DefaultMargin lets a story stand if it is 20 times as likely as any other.
const DefaultMargin = 3.0

// The price of believing something before looking, as -ln of its likelihood. Moves
// are common, illegal acts rare, and dice that change by themselves rarer still.
const (
	priceAct     = 1.0 // a legal act of a player
	priceIllegal = 4.0 // an illegal act
	priceRare    = 6.0 // a die on the board moved or turned against all rules
	priceNature  = 0.5 // a roll
	priceSecond  = 1.0 // more for every act after the first: it was not seen on its own
	priceBack    = 2.0 // an act taken back
	priceRedress = 0.5 // an illegal act taken back
	priceLoose   = 2.5 // more for an act that only dice beside the grid tell of: without clear evidence it is not thought of
	priceOther   = 5.0 // another act in place of a legal one
	maxMisfit    = 5.0 // a story that needs readings more wrong than this explains nothing
)

// rareCodes are acts that nobody makes as a move: dice on the board changed.
var rareCodes = []string{"BX-MOVED", "DD-TURNED", "DD-MOVE-SWAP"}

// Story is one way in which the table may have come to look as it does.
type Story struct {
	Verdict  Verdict
	Back     int     // acts that were taken back first
	Line     []Move  // acts in order
	After    State   // the position that it leads to
	Why      Illegal // reasons of the first illegal act, which is Line[At]
	At       int
	Misreads []Misread // readings that must be wrong if the story is true
	Misfit   float64   // how wrong, as -ln of the likelihood; 0: the view is exactly as expected
	Cost     float64   // Misfit and how unlikely the story is in itself
}

// Rare says whether the story is of a breach that nobody commits: dice on the board changed by
// themselves. Where another story is about as likely, it is the other.
func (s Story) Rare() bool {
	return s.Why != nil && slices.Contains(rareCodes, s.Why.Code())
}

// Misread is a square on which a story disagrees with what was read there.
type Misread struct {
	Square table.Square
	Read   table.Die // no color: nothing was read
	Is     table.Die // no color: nothing there
}

// Result is the most likely story, or a question.
type Result struct {
	Story          // the most likely; its Verdict says whether it may be acted upon
	Margin float64 // by how much it beats the next, at most 99
	// Ask is the question to the players and Stories are their choices, the
	// most likely first, where the verdict is Ambiguous or Unexplained.
	Ask     string
	Stories []Story
}

// String says in a few words what the story tells.
func (s Story) String() string {
	var parts []string
	if s.Back > 0 {
		parts = append(parts, map[bool]string{true: "the last move was taken back", false: fmt.Sprintf("the last %d moves were taken back", s.Back)}[s.Back == 1])
	}
	for i, m := range s.Line {
		text := m.String()
		if len(s.Why) > 0 && i == s.At {
			text += " (" + s.Why.Code() + ")"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return "nothing has changed"
	}
	return strings.Join(parts, ", then ")
}

// Reconcile compares what was seen with what the state and the rules lead to.
//
// A reading is evidence, not truth: every story pays for the readings that it calls
// wrong, by their confidence, and for being unlikely in itself. The cheapest
// story wins if it beats every other one by the margin; otherwise the players are
// asked. So a doubtful face that only a breach of the rules would explain leads to a
// question and not to an accusation. Stories that break a conservation law (more
// dice of a color than there are) are not considered.
//
// The view must be settled: no hand in it and nothing moving. It may hold several
// acts since the state, up to two at once.
func Reconcile(now State, seen table.Observation, opt ReconcileOptions) Result {
	if opt.Margin == 0 {
		opt.Margin = DefaultMargin
	}
	if seen.Game.Kit().Layout != table.Loose && seen.Grid != nil && !seen.Grid.Found {
		return Result{Story: Story{Verdict: Unexplained, After: now}, Ask: "I cannot see the board."}
	}
	r := reconciler{seen: seen, opt: opt, told: map[string]bool{}}
	r.from(now, 0)
	for i, earlier := range opt.Earlier {
		if earlier != nil {
			r.from(earlier, i+1)
		}
	}
	return r.conclude(now)
}

type reconciler struct {
	seen    table.Observation
	opt     ReconcileOptions
	stories []Story
	told    map[string]bool // stories by their words
}

// from collects the stories that begin at a position, back acts before the present one.
func (r *reconciler) from(base State, back int) {
	r.tell(base, back, nil)
	if w, ok := base.(LooseWatcher); ok && back == 0 {
		if line := w.ProposeLoose(r.opt.Before, r.seen.Dice); line != nil {
			if r.tell(base, back, line) {
				r.stories[len(r.stories)-1].Cost += priceLoose
			}
		}
	}
	for _, line := range base.Propose(r.seen) {
		r.tell(base, back, line)
	}
	p := newPatcher(ExpectedBoard(base.Expect()), r.seen)
	for _, part := range p.parts() {
		for _, view := range p.views(part) {
			for _, line := range base.Propose(view) {
				r.tell(base, back, line)
				if back == 0 {
					r.tellMore(base, line, p)
				}
			}
		}
	}
}

// tellMore looks for a second act after a legal first one.
func (r *reconciler) tellMore(base State, line []Move, p *patcher) {
	next, why, _, err := play(base, line)
	if err != nil || why != nil || next.ToMove() == Nobody {
		return
	}
	for _, more := range next.Propose(p.whole()) {
		r.tell(base, 0, slices.Concat(line, more))
	}
}

// play applies a line; why are the reasons of its first illegal act, which is line[at].
func play(s State, line []Move) (after State, why Illegal, at int, err error) {
	for i, m := range line {
		if e := s.Check(m); e != nil && why == nil {
			var ill Illegal
			if !errors.As(e, &ill) {
				return nil, nil, 0, e
			}
			why, at = ill, i
		}
		if s, err = s.Apply(m); err != nil {
			return nil, nil, 0, err
		}
	}
	return s, why, at, nil
}

// tell adds a story unless it is known already or cannot have happened.
func (r *reconciler) tell(base State, back int, line []Move) bool {
	s := Story{Back: back, Line: line}
	var err error
	if s.After, s.Why, s.At, err = play(base, line); err != nil {
		return false
	}
	words := s.String()
	if r.told[words] {
		return false
	}
	r.told[words] = true
	view := s.After.Expect()
	if !possible(r.seen.Game, view) {
		return false
	}
	switch {
	case s.Why != nil:
		s.Verdict = IllegalAct
	case back > 0:
		s.Verdict = TakenBack
	case len(line) > 0:
		s.Verdict = Explained
	default:
		s.Verdict = Unchanged
	}
	s.Misfit, s.Misreads = misfit(view, r.seen)
	if _, ok := base.(LooseWatcher); ok && back == 0 && len(line) == 0 {
		s.Misfit += looseMisfit(r.opt.Before, r.seen.Dice)
	}
	s.Cost = s.Misfit + r.price(s)
	r.stories = append(r.stories, s)
	return true
}

// price is how unlikely a story is in itself.
func (r *reconciler) price(s Story) float64 {
	cost, acts := 0.0, 0
	for i, m := range s.Line {
		switch {
		case m.Actor() == Nature:
			cost += priceNature
			continue
		case i == s.At && s.Rare():
			cost += priceRare
		case s.Why != nil && i == s.At:
			cost += priceIllegal
		default:
			cost += priceAct
		}
		if acts++; acts > 1 {
			cost += priceSecond
		}
	}
	for i := range s.Back {
		if i == 0 && r.opt.LastIllegal {
			cost += priceRedress
		} else {
			cost += priceBack
		}
	}
	if s.Back > 0 && len(s.Line) > 0 && !(s.Back == 1 && r.opt.LastIllegal) {
		cost += priceOther
	}
	return cost
}

// conclude takes the cheapest story if it fits and stands out.
func (r *reconciler) conclude(now State) Result {
	slices.SortStableFunc(r.stories, func(a, b Story) int { return cmp.Compare(a.Cost, b.Cost) })
	fitting := slices.DeleteFunc(slices.Clone(r.stories), func(s Story) bool { return s.Misfit > maxMisfit })
	if len(fitting) == 0 {
		return Result{Story: Story{Verdict: Unexplained, After: now}, Ask: r.ask(now), Stories: first(r.stories, 3)}
	}
	res := Result{Story: fitting[0], Margin: 99}
	// A story that does not fit by itself still casts doubt on one that is no better.
	if len(r.stories) > 1 {
		other := r.stories[0]
		if other.String() == res.Story.String() {
			other = r.stories[1]
		}
		res.Margin = min(other.Cost-res.Cost, 99)
	}
	if res.Margin >= r.opt.Margin {
		return res
	}
	close := slices.DeleteFunc(slices.Clone(r.stories), func(s Story) bool { return s.Cost-res.Cost >= r.opt.Margin })
	res.Stories = first(close, 6)
	res.Verdict = Ambiguous
	words := make([]string, len(res.Stories))
	for i, s := range res.Stories {
		words[i] = s.String()
	}
	res.Ask = "What happened: " + strings.Join(words, ", or ") + "?"
	return res
}

func first(s []Story, n int) []Story { return slices.Clone(s[:min(n, len(s))]) }

// ask says what on the table nothing explains.
func (r *reconciler) ask(now State) string {
	var parts []string
	board := SeenBoard(r.seen)
	before := ExpectedBoard(now.Expect())
	c := Compare(before, board)
	for _, sq := range c.Gone {
		parts = append(parts, fmt.Sprintf("the %s %d on %s is gone", before[sq.Index()].Color, before[sq.Index()].Face, sq))
	}
	for _, sq := range c.Come {
		parts = append(parts, fmt.Sprintf("a %s %d lies on %s", board[sq.Index()].Color, board[sq.Index()].Face, sq))
	}
	for _, sq := range c.Changed {
		parts = append(parts, fmt.Sprintf("%s shows a %s %d instead of the %s %d", sq, board[sq.Index()].Color, board[sq.Index()].Face,
			before[sq.Index()].Color, before[sq.Index()].Face))
	}
	if len(parts) > 4 {
		parts = append(parts[:4], "and more")
	}
	if len(parts) == 0 {
		return "What happened next to the board?"
	}
	return "What happened: " + strings.Join(parts, "; ") + "?"
}

// possible checks the conservation law that every board obeys: no more dice of a
// color than the game has.
func possible(g table.Game, v table.View) bool {
	kit := g.Kit().Dice
	if kit == nil {
		return true
	}
	var n [10]int
	for _, d := range v.Squares {
		if n[d.Color]++; n[d.Color] > kit[d.Color] {
			return false
		}
	}
	return true
}
