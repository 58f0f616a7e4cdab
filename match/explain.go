package match

import (
	"math"

	"diceref/rules"
	"diceref/table"
)

// Costs of a difference between what a line of moves leads to and what was read,
// in units of how many times less likely it makes the line (natural logarithm).
const (
	costSure    = 9.0 // a reading on which the program would act says otherwise
	costMissing = 5.0 // a die that ought to lie there was not seen
	costPhantom = 4.0 // a die that was not sure was seen where none ought to lie
	costLine    = 0.5 // every move: fewer are likelier
	costIllegal = 3.0 // an illegal move is less likely than a takeback, or than a misread doubtful die
	mostCost    = 4.5 // above this nothing is explained
	margin      = 2.0 // by which the best must beat the next
)

// candidate is one story of what happened, with what it costs to believe it.
type candidate struct {
	finding
	cost float64
}

// reconcile explains a settled view: as no change, as the last play taken back, or
// as a line of moves. Where two stories are about as likely it asks.
func reconcile(stack []rules.State, obs table.Observation) finding {
	now := stack[len(stack)-1]
	list := []candidate{{finding{verdict: unchanged}, misfit(now, obs)}}
	// An act that left the board as it was, a roll, stands once it was seen.
	if n := len(stack); n > 1 && !equalBoards(stack[n-2].Expect().Squares, now.Expect().Squares) {
		list = append(list, candidate{finding{verdict: takenBack}, misfit(stack[n-2], obs) + costLine})
	}
	for _, v := range variants(obs) {
		for _, line := range proposals(now, v) {
			if c, ok := tell(now, line, obs); ok {
				list = append(list, c)
			}
		}
	}
	return choose(list)
}

// proposals are the lines that the game itself thinks of, and, where it knows of
// none because several acts came at once, one act after the other.
func proposals(now rules.State, seen table.Observation) [][]rules.Move {
	if lines := now.Propose(seen); len(lines) > 0 {
		return lines
	}
	goal := rules.SeenBoard(seen)
	if rules.Compare(rules.ExpectedBoard(now.Expect()), goal).Count() < 2 {
		return nil
	}
	return chains(now, goal, 0)
}

const (
	mostChanges = 3  // acts in one view; more are no story but a mess
	mostChains  = 60 // lines looked at
)

// chains explains a board by several acts, each of which fills a square or brings
// a die from one square to another.
func chains(s rules.State, goal rules.Board, depth int) (lines [][]rules.Move) {
	have := rules.ExpectedBoard(s.Expect())
	c := rules.Compare(have, goal)
	if c.Count() == 0 {
		return [][]rules.Move{nil}
	}
	if depth == mostChanges || len(c.Changed) > 0 || len(c.Come) > mostChanges-depth || len(c.Gone) > len(c.Come) {
		return nil
	}
	for _, come := range c.Come {
		next := have
		next[come.Index()] = goal[come.Index()]
		steps := []rules.Board{next}
		for _, gone := range c.Gone {
			moved := next
			moved[gone.Index()] = table.Die{}
			steps = append(steps, moved)
		}
		for _, board := range steps {
			lines = append(lines, chain(s, board, goal, depth)...)
			if len(lines) > mostChains {
				return lines
			}
		}
	}
	return lines
}

// chain is the lines that begin with one act that leads to the board step.
func chain(s rules.State, step, goal rules.Board, depth int) (lines [][]rules.Move) {
	for _, first := range s.Propose(asSeen(step)) {
		at, ok := s, true
		for _, mv := range first {
			next, err := at.Apply(mv)
			if ok = err == nil; !ok {
				break
			}
			at = next
		}
		if !ok {
			continue
		}
		for _, rest := range chains(at, goal, depth+1) {
			lines = append(lines, append(first[:len(first):len(first)], rest...))
		}
	}
	return lines
}

// asSeen is a board as if it had been read.
func asSeen(b rules.Board) table.Observation {
	var obs table.Observation
	for i, d := range b {
		if d.Color != table.NoColor {
			sq := table.SquareAt(i)
			obs.Dice = append(obs.Dice, table.Reading{Die: d, Square: &sq, Confidence: 1, Sure: true})
		}
	}
	return obs
}

// tell plays a line and says what it costs to believe it.
func tell(s rules.State, line []rules.Move, obs table.Observation) (candidate, bool) {
	cost := 0.0
	for _, mv := range line {
		if mv.Actor() != rules.Nature {
			cost += costLine
			if s.Check(mv) != nil {
				cost += costIllegal
			}
		}
		next, err := s.Apply(mv)
		if err != nil {
			return candidate{}, false
		}
		s = next
	}
	return candidate{finding{verdict: explained, line: line}, cost + misfit(s, obs)}, true
}

// choose takes the cheapest story if no other comes close.
func choose(list []candidate) finding {
	best := 0
	for i := range list {
		if list[i].cost < list[best].cost {
			best = i
		}
	}
	b := list[best]
	if b.cost > mostCost {
		return finding{}
	}
	var offers []offer
	for i, c := range list {
		if i != best && c.cost < b.cost+margin && !sameStory(b.finding, c.finding) {
			offers = append(offers, c.offer())
		}
	}
	if len(offers) > 0 {
		return finding{verdict: ambiguous, ask: "What happened on the table?", offers: append([]offer{b.offer()}, offers...)}
	}
	return b.finding
}

func sameStory(a, b finding) bool {
	if a.verdict != b.verdict || len(a.line) != len(b.line) {
		return false
	}
	for i := range a.line {
		if a.line[i].String() != b.line[i].String() {
			return false
		}
	}
	return true
}

func (f finding) offer() offer {
	return offer{words: f.words(), line: f.line, back: f.verdict == takenBack}
}

func (f finding) words() string {
	switch f.verdict {
	case unchanged:
		return "nothing"
	case takenBack:
		return "the last move was taken back"
	}
	text := ""
	for i, mv := range f.line {
		if i > 0 {
			text += ", then "
		}
		text += mv.String()
	}
	return text
}

// misfit is how badly what was read fits what ought to lie on the board.
func misfit(s rules.State, obs table.Observation) float64 {
	want := s.Expect().Squares
	cost := 0.0
	found := map[table.Square]bool{}
	for i := range obs.Dice {
		r := &obs.Dice[i]
		if r.Square == nil || found[*r.Square] {
			continue
		}
		found[*r.Square] = true
		w, ok := want[*r.Square]
		switch {
		case ok:
			cost += unlike(r, w)
		case r.Sure:
			cost += costSure
		default:
			cost += costPhantom
		}
	}
	for sq := range want {
		if !found[sq] {
			cost += costMissing
		}
	}
	return cost
}

// unlike is what it costs to believe that a reading is of the die d.
func unlike(r *table.Reading, d table.Die) float64 {
	if r.Die == d {
		return 0
	}
	if r.Sure {
		return costSure
	}
	p := max(1-r.Confidence, 0.02) / 6 // where the reader tells no more
	if sum(r.Faces[:]) > 0 && sum(r.Colors[:]) > 0 {
		p = r.Faces[d.Face] * r.Colors[d.Color]
	}
	read := max(r.Confidence, 0.05)
	return min(max(math.Log(read/max(p, 1e-5)), 0), costSure)
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// variants are the observation as read, and with each doubtful die as its next likely readings.
func variants(obs table.Observation) []table.Observation {
	list := []table.Observation{obs}
	for i, r := range obs.Dice {
		if r.Square == nil || r.Sure {
			continue
		}
		for c, pc := range r.Colors {
			for f, pf := range r.Faces {
				d := table.Die{Color: table.Color(c), Face: f}
				if c == 0 || d == r.Die || pc*pf < 0.02 {
					continue
				}
				v := obs
				v.Dice = append([]table.Reading{}, obs.Dice...)
				v.Dice[i].Die = d
				list = append(list, v)
			}
		}
	}
	if len(list) > 40 {
		list = list[:40] // a view this doubtful is asked about anyway
	}
	return list
}
