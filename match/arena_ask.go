package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/table"
)

// mostAnswers is how many ways in which something may have happened are offered.
const mostAnswers = 5

// openQuestion is what is to be asked where a hypothesis is told that is not plain, and the answers: the hypotheses
// that tell something else, that one first.
func (m *Match) openQuestion(best belief.Hypothesis) (ask Phrase, offers []offer) {
	const worth = 0.002 // asking
	ways := []belief.Hypothesis{best}
	var chances []float64
	for _, h := range m.arena.set.Hypotheses() {
		i := slices.IndexFunc(ways, func(w belief.Hypothesis) bool { return slices.Equal(shows(w.Line), shows(h.Line)) })
		if i < 0 {
			ways, i = append(ways, h), len(ways)
		}
		for len(chances) < len(ways) {
			chances = append(chances, 0)
		}
		chances[i] += h.Chance
	}
	var kept []belief.Hypothesis
	for i, h := range ways {
		if (i == 0 || chances[i] >= worth) && len(kept) < mostAnswers {
			kept = append(kept, h)
		}
	}
	if len(kept) < 2 {
		return ask, nil
	}
	ask, says := m.difference(kept)
	for i, h := range kept {
		offers = append(offers, offer{says: says[i], story: rules.Story{Line: h.Line}})
	}
	return ask, offers
}

// difference is the question in which of several ways things have gone, and how each of them is called.
func (m *Match) difference(ways []belief.Hypothesis) (ask Phrase, says []Phrase) {
	common := 0 // moves with which all begin
	for common < len(ways[0].Line) && !slices.ContainsFunc(ways, func(h belief.Hypothesis) bool {
		return len(h.Line) <= common || h.Line[common].String() != ways[0].Line[common].String()
	}) {
		common++
	}
	now := played(m.certain(), ways[0].Line[:common])
	tails := make([][]rules.Move, len(ways))
	for i, h := range ways {
		tails[i] = h.Line[common:]
	}
	for _, kind := range []func(*Match, rules.State, [][]rules.Move) (Phrase, []Phrase){
		(*Match).whichDie, (*Match).whoFlicked, (*Match).whoScored, (*Match).whichScored,
	} {
		if ask, says = kind(m, now, tails); says != nil && !alikeWords(says) {
			return ask, says
		}
	}
	says = nil
	for _, tail := range tails {
		says = append(says, Phrase{Kind: kindActs, text: m.wordsFrom([]rules.State{now}, rules.Story{Line: tail})})
	}
	return phrase("which", "parts", says), says
}

// alikeWords says whether two answers are in the same words.
func alikeWords(says []Phrase) bool {
	list := make([]string, len(says))
	for i, p := range says {
		list[i] = p.String()
	}
	slices.Sort(list)
	return len(slices.Compact(list)) < len(says)
}

// firstFlick is the first die that a line brings in; nil: it brings in none.
func firstFlick(line []rules.Move) *diceflick.Flick {
	for _, mv := range line {
		if f, is := mv.(diceflick.Flick); is && f.Rests {
			return &f
		}
	}
	return nil
}

// whichDie asks which die has come to rest in a hole.
func (m *Match) whichDie(_ rules.State, tails [][]rules.Move) (ask Phrase, says []Phrase) {
	first := firstFlick(tails[0])
	if first == nil {
		return ask, nil
	}
	dice := map[table.Die]bool{}
	for _, tail := range tails {
		f := firstFlick(tail)
		if f == nil || f.To != first.To || f.By != first.By {
			return ask, nil
		}
		dice[f.Die] = true
		says = append(says, phrase("die", "die", f.Die))
	}
	return phrase("which-die", "square", first.To), says
}

// whoFlicked asks whose flick brought a die in: whether a turn was over before.
func (m *Match) whoFlicked(now rules.State, tails [][]rules.Move) (ask Phrase, says []Phrase) {
	first := firstFlick(tails[0])
	if first == nil {
		return ask, nil
	}
	for _, tail := range tails {
		f := firstFlick(tail)
		if f == nil || f.To != first.To || f.Die != first.Die {
			return ask, nil
		}
		p := phrase("by", "player", m.name(f.By))
		if e := m.latestScore(now, tail, f); e != nil {
			p = phrase("by-after", "player", m.name(f.By), "who", e.Player, "count", *e.Score)
		}
		says = append(says, p)
	}
	return phrase("who-flicked", "die", first.Die, "square", first.To), says
}

// latestScore is the last score of a line before a flick; nil: there is none.
func (m *Match) latestScore(now rules.State, line []rules.Move, before *diceflick.Flick) (e *Event) {
	for _, mv := range line {
		if f, is := mv.(diceflick.Flick); is && before != nil && f.String() == before.String() {
			return e
		}
		if _, is := mv.(diceflick.Score); is {
			e, _ = m.told(now, mv)
		}
		next, err := now.Apply(mv)
		if err != nil {
			return e
		}
		now = next
	}
	return e
}

// whoScored asks who has taken dice out, and in which round.
func (m *Match) whoScored(now rules.State, tails [][]rules.Move) (ask Phrase, says []Phrase) {
	var points int
	for i, tail := range tails {
		e := m.latestScore(now, tail, nil)
		if e == nil || len(e.Removed) == 0 || i > 0 && *e.Score != points {
			return ask, nil
		}
		points = *e.Score
		says = append(says, phrase("in-round", "player", e.Player, "round", e.Round))
	}
	return phrase("who-scored", "count", points), says
}

// whichScored asks which dice a player has taken out.
func (m *Match) whichScored(now rules.State, tails [][]rules.Move) (ask Phrase, says []Phrase) {
	who := ""
	for i, tail := range tails {
		e := m.latestScore(now, tail, nil)
		if e == nil || i > 0 && e.Player != who {
			return ask, nil
		}
		who = e.Player
		p := phrase("no-holes", "count", *e.Score)
		if len(e.Removed) > 0 {
			p = phrase("holes", "holes", e.Removed, "count", *e.Score)
		}
		says = append(says, p)
	}
	return phrase("dice-scored", "player", who), says
}

// amending is the answers as what they put right of what has been told.
func (m *Match) amending(offers []offer) []offer {
	acts := m.line.acts[m.arena.from:]
	for k := range offers {
		o := &offers[k]
		line, i := o.story.Line, 0
		for n, e := range acts {
			same := i+len(e.moves) <= len(line) && slices.Equal(wordsOf(e.moves), wordsOf(line[i:i+len(e.moves)]))
			if !same || n == len(acts)-1 {
				o.amend = &amendment{first: e.seq, last: m.seq, moves: line[i:]}
				break
			}
			i += len(e.moves)
		}
		if len(acts) > 0 && o.amend == nil {
			o.amend = &amendment{first: acts[0].seq, last: m.seq, moves: line}
		}
	}
	return offers
}

// answeredArena keeps what may have happened by the answer that was given: what the match tells by now.
func (m *Match) answeredArena() {
	a := &m.arena
	if m.setting.Game != table.DiceFlick || !a.on {
		return
	}
	var line []rules.Move
	for _, e := range m.line.acts[min(a.from, len(m.line.acts)):] {
		line = append(line, e.moves...)
	}
	set, ok := a.set.Condition(alike(belief.Hypothesis{Line: line}))
	m.dismiss = nil
	if !ok {
		m.believeAnew()
		return
	}
	a.set, a.told, a.asked = set, wordsOf(line), false
	m.settleBelief()
}
