package match

import (
	"slices"

	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/table"
)

// A die beside the board that is not read after a hand, though nothing else has changed, may only not be read: too little
// is known of it yet to say that it was played. Where it is still the only one that is missing two views later, it was.

// slipped is a die that may have been played out of view.
type slipped struct {
	spare
	seq   int64 // of the last record before
	views int   // since then, in which all other dice of the game were read
}

const enoughSlipped = 2 // views after which a die that may have been played was

// noteSlipped notes the one die that has gone from those beside the board in a view in which nothing else has
// changed. Where it lay so near another that one may hide the other, it may have gone nowhere.
func (m *Match) noteSlipped(obs table.Observation) {
	gone, came := m.sinceBeside(obs)
	if m.setting.Game != table.DessertDice { // else whose the dice are says who has played
		return
	}
	if m.slipped == nil && len(gone) == 1 && len(came) == 0 && !gone[0].away && !gone[0].afar && m.allBut(1, obs) && !crowded(gone[0].Reading, readingsOf(m.supply)) {
		m.slipped = &slipped{spare: gone[0], seq: m.seq}
	}
}

// allBut says whether just so many of all dice of the game are not read.
func (m *Match) allBut(n int, obs table.Observation) bool {
	for _, in := range m.setting.Game.Kit().Dice {
		n -= in
	}
	return n+len(onGrid(obs).Dice)+len(besideAll(obs)) == 0
}

// followSlipped counts the views in which a die that may have been played is the only one that is not read. It is
// forgotten once it has come back, or is no longer searched for.
func (m *Match) followSlipped(obs table.Observation) {
	s := m.slipped
	if s == nil || s.seq == m.seq {
		return
	}
	there := slices.ContainsFunc(m.supply, func(o spare) bool { return o.away && o.Die == s.Die && o.At == s.At })
	if !there || !m.allBut(1, obs) {
		m.slipped = nil
		return
	}
	s.views++
}

// tellSlipped says that a die was played out of view some acts ago, and corrects who has made those: that is asked. It reports
// whether there is such a die.
func (m *Match) tellSlipped(obs table.Observation) bool {
	s := m.slipped
	if s == nil || s.views < enoughSlipped-1 || s.seq == m.seq || !m.allBut(1, obs) || len(m.pending(nil)) > 0 {
		return false
	}
	if gone, _ := m.sinceBeside(obs); !slices.ContainsFunc(gone, func(o spare) bool { return o.Die == s.Die && o.At == s.At }) {
		return false
	}
	m.slipped = nil
	stack := m.line.before(s.seq + 1)
	by := stack[len(stack)-1].ToMove()
	was, is := m.withTurn(s.seq, by)
	if is == nil {
		return false
	}
	ask := phrase("played-unseen", "die", s.Die, "player", m.name(by))
	m.forget()
	m.askNow(ask, []offer{{says: phrase("yes")}, {says: phrase("no")}})
	for i, e := range is {
		ev, words := m.eventAt(e.stack[0], e.moves[len(e.moves)-1])
		ev.Type = TypeCorrect
		if m.emit(ByCamera, Act{Kind: actCorrect, Ref: e.seq, Moves: wordsOf(e.moves)}, ev, words) != nil {
			return false
		}
		is[i].stack = nil
	}
	first := is[0].seq
	m.putQuestion(ask, []offer{
		{says: phrase("yes"), amend: &amendment{first, m.seq, movesOf(is)}},
		{says: phrase("no"), amend: &amendment{first, m.seq, movesOf(was)}},
	}, m.seq)
	m.lose([]spare{s.spare})
	m.lost[len(m.lost)-1].seq = first
	return true
}

// withTurn is the acts after a record as they were told, and as they are with one that nobody saw before them: each is of
// the next player, and stands in its entry with the position before it. nil where that cannot be, or breaks more rules.
func (m *Match) withTurn(seq int64, by rules.Player) (was, is []entry) {
	stack := m.line.before(seq + 1)
	now, t := stack[len(stack)-1], m.line
	pass := dessertdice.Act{By: by, Kind: dessertdice.Pass}
	for _, e := range m.line.acts {
		if e.seq <= seq {
			continue
		}
		if e.kind != actPlay || len(e.moves) != 1 {
			return nil, nil
		}
		next := entry{seq: e.seq}
		if len(was) == 0 {
			next.moves = []rules.Move{pass}
			now = played(now, next.moves)
		}
		if now == nil {
			return nil, nil
		}
		mv, ok := e.moves[0].(dessertdice.Act)
		if !ok {
			return nil, nil
		}
		mv.By = now.ToMove()
		next.moves, next.stack = append(next.moves, mv), []rules.State{now}
		was, is = append(was, e), append(is, next)
		if now = played(now, []rules.Move{mv}); now == nil {
			return nil, nil
		}
	}
	for _, e := range is {
		if t.apply(Record{Act: Act{Kind: actCorrect, Ref: e.seq, Moves: wordsOf(e.moves)}}) != nil {
			return nil, nil
		}
	}
	if t.breaches() > m.line.breaches()+1 { // nobody passes within the rules
		return nil, nil
	}
	return was, is
}

func movesOf(acts []entry) (line []rules.Move) {
	for _, e := range acts {
		line = append(line, e.moves...)
	}
	return line
}

// standsIn says whether a move stands for a turn of Dessert Dice that nobody saw.
func standsIn(mv rules.Move) bool {
	a, ok := mv.(dessertdice.Act)
	return ok && a.Kind == dessertdice.Pass
}
