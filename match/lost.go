package match

import (
	"slices"

	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/rules/dicebox"
	"diceref/table"
)

// Where all dice of a game are in view, none can go without coming somewhere else. One that
// left its place while a hand was over the table, and nothing else changed, was played and is
// overlooked where it lies now: whoever acts next is the next player. That is asked as soon as
// somebody acts, not before: who thinks with a die in the hand has not played yet.

// lost is a die that has left its place and lies nowhere that is seen.
type lost struct {
	die  table.Die
	from *table.Square // the square that it left; nil: it lay beside the board
	seq  int64         // the record of the turn that stands for how it was played; 0: none yet
}

// leastGlimpse is the confidence from which on one picture alone tells where a lost die lies.
const leastGlimpse = 0.3

// besideAll is the dice beside the board, each once: a doubled reading is of one die.
func besideAll(obs table.Observation) (list []table.Reading) {
	near := reachOf(obs) / 2
	for _, r := range beside(obs) {
		if !slices.ContainsFunc(list, func(o table.Reading) bool { return dist(o.At, r.At) < near }) {
			list = append(list, r)
		}
	}
	return list
}

// unpaired is the dice that went and those that came between two readings of the dice
// beside a board, wherever each of them lies.
func unpaired(before, now []table.Reading) (gone, came []table.Reading) {
	gone = slices.Clone(before)
	for _, same := range []func(a, b table.Reading) bool{
		func(a, b table.Reading) bool { return a.Die == b.Die },
		func(a, b table.Reading) bool { return a.Color == b.Color && sameFace(a, b) >= apart },
	} {
		came = nil
		for _, r := range now {
			if i := slices.IndexFunc(gone, func(g table.Reading) bool { return same(g, r) }); i >= 0 {
				gone = slices.Delete(gone, i, i+1)
			} else {
				came = append(came, r)
			}
		}
		now = came
	}
	return gone, came
}

// noteBeside keeps the dice beside the board while all dice of the game are in view.
func (m *Match) noteBeside(obs table.Observation) {
	kit := m.setting.Game.Kit()
	if kit.Layout != table.Board {
		return
	}
	all := 0
	for _, n := range kit.Dice {
		all += n
	}
	now, board, read := besideAll(obs), m.line.now().Expect().Squares, boardOf(obs)
	known := func(sq table.Square) bool { return slices.Contains(m.faint, sq) && read[sq].Color == table.NoColor }
	if len(now)+len(board) == all && !slices.ContainsFunc(differing([]boardMap{board, read}), func(sq table.Square) bool { return !known(sq) }) {
		m.supply, m.lost = now, nil
	}
}

// noneTaken says whether all dice that lay beside the board still lie there, so that none was placed.
func (m *Match) noneTaken(obs table.Observation) bool {
	gone, came := unpaired(m.supply, besideAll(obs))
	return m.supply != nil && len(gone)+len(came) == 0
}

// otherLeft is the answers to a placement of a die other than the one that has left those
// beside the board: it is misread, or was turned on its way. nil where they agree, or
// where more has changed beside the board.
func (m *Match) otherLeft(s rules.Story, obs table.Observation) []offer {
	if m.supply == nil || len(s.Line) != 1 || s.Back > 0 || m.lost != nil {
		return nil
	}
	gone, came := unpaired(m.supply, besideAll(obs))
	if len(came) > 0 || len(gone) != 1 || !gone[0].Sure {
		return nil
	}
	switch a := s.Line[0].(type) {
	case dessertdice.Act:
		if a.Kind != dessertdice.Place || a.Die == gone[0].Die {
			return nil
		}
		turned, left := a, a
		left.Die = gone[0].Die
		if left.Die.Color == a.Die.Color {
			turned.Die, turned.Top = left.Die, a.Die.Face
		}
		return []offer{m.asked(rules.Story{Line: []rules.Move{left}}), m.asked(rules.Story{Line: []rules.Move{turned}})}
	case dicebox.Act:
		left := a
		if left.Die = gone[0].Die; a.Kind == dicebox.Place && a.Die != left.Die {
			return []offer{m.asked(rules.Story{Line: []rules.Move{left}}), m.asked(s)}
		}
	}
	return nil
}

// withoutStrangers leaves out what is read as dice on empty squares though no such dice have
// left those beside the board, and none of their color any square: prints and shadows.
func (m *Match) withoutStrangers(obs table.Observation) table.Observation {
	if m.supply == nil {
		return obs
	}
	now := besideAll(obs)
	gone, came := unpaired(m.supply, now)
	want, read := m.line.now().Expect().Squares, boardOf(obs)
	var left []table.Color // of dice that have left a square, or seem to
	if m.lost != nil {
		left = append(left, m.lost.die.Color)
	}
	for sq, d := range want {
		if read[sq] != d {
			left = append(left, d.Color)
		}
	}
	var strange []table.Square
	plain := len(came)+len(left) == 0 // the dice that were placed are known one by one
	for sq, d := range read {
		if _, full := want[sq]; full {
			continue
		}
		if i := slices.IndexFunc(gone, func(g table.Reading) bool { return g.Die == d }); i >= 0 {
			gone = slices.Delete(gone, i, i+1)
		} else if plain || !slices.Contains(left, d.Color) && len(ofColor(now, d.Color)) >= len(ofColor(m.supply, d.Color)) {
			strange = append(strange, sq)
		}
	}
	if len(strange) == 0 || len(gone) > 0 {
		return obs // the die that has gone may be misread
	}
	obs.Dice = slices.DeleteFunc(slices.Clone(obs.Dice), func(r table.Reading) bool { return r.Square != nil && slices.Contains(strange, *r.Square) })
	return obs
}

// against is by how many dice a story differs from what has left those beside the board.
func (m *Match) against(s rules.Story, obs table.Observation) int {
	gone, came := unpaired(m.supply, besideAll(obs))
	if m.supply == nil || len(came) > 0 || s.Back > 0 {
		return 0
	}
	wrong := 0
	for _, mv := range s.Line {
		a := actOf(mv)
		if a.From != nil {
			continue
		}
		if i := slices.IndexFunc(gone, func(g table.Reading) bool { return g.Die == table.Die{Color: a.Color, Face: a.Face} }); i >= 0 {
			gone = slices.Delete(gone, i, i+1)
		} else {
			wrong++
		}
	}
	return wrong + len(gone)
}

// noteTaken strikes out the dice beside the board that a line has brought onto it, and the
// lost die that it has played.
func (m *Match) noteTaken(line []rules.Move) {
	for _, mv := range line {
		a := actOf(mv)
		if m.lost != nil && m.lost.playedBy(a) {
			m.lost = nil
		}
		if i := slices.IndexFunc(m.supply, func(r table.Reading) bool { return r.Die == table.Die{Color: a.Color, Face: a.Face} }); a.From == nil && i >= 0 {
			m.supply = slices.Delete(slices.Clone(m.supply), i, i+1)
		}
	}
}

// noteLost notes the one die that has gone from a view in which nothing else has changed.
// It reports whether there is such a die.
func (m *Match) noteLost(obs table.Observation) bool {
	if m.supply == nil || m.lost != nil {
		return false
	}
	gone, came := unpaired(m.supply, besideAll(obs))
	want, read := m.line.now().Expect().Squares, boardOf(obs)
	squares := differing([]boardMap{want, read})
	switch {
	case len(came) > 0 || len(gone)+len(squares) != 1:
	case len(gone) == 1 && gone[0].Sure:
		m.lost = &lost{die: gone[0].Die}
	case len(squares) == 1 && read[squares[0]].Color == table.NoColor && m.setting.Game == table.DessertDice:
		m.lost = &lost{die: want[squares[0]], from: &squares[0]}
	}
	return m.lost != nil
}

// withLost is the view with the dice that are known to lie on the board though they are
// hardly seen, and with the lost die: where a picture of it shows that it lies now, or else
// on the square that it left, so that what else has happened can be told.
func (m *Match) withLost(obs table.Observation) table.Observation {
	if m.lost != nil {
		r, from := m.glimpse(obs), m.lost.from
		switch {
		case from != nil && boardOf(obs)[*from] == m.lost.die:
			m.lost = nil // it was only hidden
		case r != nil:
			if m.lost.seq > 0 && m.tellFound(*r) {
				m.lost = nil
			}
			obs = withDie(obs, *r.Square, r.Die)
			if !slices.Contains(m.faint, *r.Square) {
				m.faint = append(m.faint, *r.Square)
			}
		case from != nil && boardOf(obs)[*from].Color == table.NoColor:
			obs = withDie(obs, *from, m.lost.die)
		}
	}
	want, read := m.line.now().Expect().Squares, boardOf(obs)
	for _, sq := range m.faint {
		if die, there := want[sq]; there && read[sq].Color == table.NoColor && !m.wentOn(sq, die, obs) {
			obs = withDie(obs, sq, die)
		}
	}
	return obs
}

// wentOn says whether a faint die may have left its square: one has come to those beside
// the board, or one of its color to a neighboring square.
func (m *Match) wentOn(from table.Square, die table.Die, obs table.Observation) bool {
	want := m.line.now().Expect().Squares
	for sq, d := range boardOf(obs) {
		if _, full := want[sq]; !full && d.Color == die.Color && max(abs(sq.Row-from.Row), abs(sq.Col-from.Col)) == 1 {
			return true
		}
	}
	before := m.supply
	if before == nil {
		before = besideAll(m.seen.obs)
	}
	return len(ofColor(besideAll(obs), die.Color)) > len(ofColor(before, die.Color))
}

// noteFaint notes the dice that a story takes for lying on the board though they are not seen.
func (m *Match) noteFaint(s rules.Story, obs table.Observation) {
	if m.setting.Game.Kit().Layout != table.Board || s.Back > 0 {
		return
	}
	read := boardOf(obs)
	for sq := range m.line.now().Expect().Squares {
		if read[sq].Color == table.NoColor && !slices.Contains(m.faint, sq) {
			m.faint = append(m.faint, sq)
		}
	}
}

func withDie(obs table.Observation, at table.Square, d table.Die) table.Observation {
	dice := slices.DeleteFunc(slices.Clone(obs.Dice), func(r table.Reading) bool { return r.Square != nil && *r.Square == at })
	obs.Dice = append(dice, certain(table.Reading{Square: &at}, d))
	return obs
}

// glimpse is the reading of the lost die in any picture of the view: on an empty square, where
// it may have been placed, or moved. nil where there is none, or more than one.
func (m *Match) glimpse(obs table.Observation) (found *table.Reading) {
	want := m.line.now().Expect().Squares
	for _, view := range append([]table.Observation{obs}, m.ballot.reads...) {
		for _, r := range view.Dice {
			if r.Square == nil || r.Confidence < leastGlimpse || !m.lost.mayBe(r) {
				continue
			}
			if _, full := want[*r.Square]; full {
				continue
			}
			if found != nil && *found.Square != *r.Square {
				return nil
			}
			if found == nil || found.Confidence < r.Confidence {
				found = &r
			}
		}
	}
	return found
}

// mayBe says whether a reading on a square may be of the lost die.
func (l *lost) mayBe(r table.Reading) bool {
	if l.from == nil {
		return r.Die == l.die
	}
	step := abs(l.from.Row-r.Square.Row) + abs(l.from.Col-r.Square.Col)
	return step == 1 && r.Color == l.die.Color && r.Face != l.die.Face && r.Face != 7-l.die.Face
}

// playedBy says whether an act plays the lost die.
func (l *lost) playedBy(a act) bool {
	if a.To == nil || (l.from == nil) != (a.From == nil) || l.from != nil && *l.from != *a.From {
		return false
	}
	return l.mayBe(table.Reading{Square: a.To, Die: table.Die{Color: a.Color, Face: a.Face}})
}

// move is how the lost die was played, by whom, if it lies as read.
func (l *lost) move(by rules.Player, r table.Reading) rules.Move {
	a := dessertdice.Act{By: by, Kind: dessertdice.Place, Die: r.Die, To: *r.Square}
	if l.from != nil {
		a.Kind, a.From = dessertdice.Tip, *l.from
	}
	return a
}

// tellFound tells where a die lies whose turn was told as unseen.
func (m *Match) tellFound(r table.Reading) bool {
	stack := m.line.before(m.lost.seq)
	before := stack[len(stack)-1]
	mv := m.lost.move(before.ToMove(), r)
	if m.setting.Game == table.DiceBox {
		mv = dicebox.Act{By: before.ToMove(), Kind: dicebox.Place, Die: r.Die, To: *r.Square}
	}
	e, words := m.eventAt(before, mv)
	e.Type = TypeCorrect
	if err := m.emit(ByCamera, Act{Kind: actCorrect, Ref: m.lost.seq, Moves: []string{mv.String()}}, e, words); err != nil {
		return false
	}
	m.forget()
	return true
}

// lostFirst is the story in which the lost die was played before anything else; nil: there is none.
func (m *Match) lostFirst(stories []rules.Story) *rules.Story {
	if m.lost == nil || m.lost.seq > 0 {
		return nil
	}
	for i, s := range stories {
		if len(s.Line) != 2 || s.Back > 0 || s.Why != nil {
			continue
		}
		if m.lost.playedBy(actOf(s.Line[0])) {
			return &stories[i]
		}
	}
	return nil
}

// turnUnseen tells an act as the next player's, where the die that was played before it is
// lost: that this was so is asked. It reports whether there was such a turn.
func (m *Match) turnUnseen(s rules.Story, obs table.Observation) bool {
	if m.lost == nil || m.lost.seq > 0 || s.Back > 0 || len(s.Line) != 1 || !m.staysLost(s.Line[0], obs) {
		return false
	}
	now := m.line.now()
	by := now.ToMove()
	var pass rules.Move = dessertdice.Act{By: by, Kind: dessertdice.Pass}
	if m.setting.Game == table.DiceBox {
		pass = dicebox.Act{By: by, Kind: dicebox.Pass}
	}
	after, err := now.Apply(pass)
	if by < 0 || err != nil {
		return false
	}
	r := rules.Reconcile(after, onGrid(obs), rules.ReconcileOptions{})
	if r.Verdict != rules.Explained && r.Verdict != rules.IllegalAct || len(r.Line) != 1 {
		return false
	}
	ask := phrase("played-unseen", "die", m.lost.die, "player", m.name(by))
	m.forget()
	m.askNow(ask, []offer{{says: phrase("yes")}, {says: phrase("no")}})
	if m.emit(ByCamera, Act{Kind: actPlay, Moves: []string{pass.String()}}, nil, "") != nil {
		return false
	}
	m.lost.seq = m.seq
	if !m.play(ByCamera, r.Line) {
		return false
	}
	inForce := append([]rules.Move{pass}, r.Line...)
	m.putQuestion(ask, []offer{
		{says: phrase("yes"), amend: &amendment{m.lost.seq, m.seq, inForce}},
		{says: phrase("no"), amend: &amendment{m.lost.seq, m.seq, s.Line}},
	}, m.seq)
	m.noteTaken(r.Line)
	m.beside.placed(r.Line, obs, m.seen.obs)
	return true
}

// staysLost says whether the lost die is lost even with the act: nothing else has gone or
// come beside the board than what the act tells of.
func (m *Match) staysLost(mv rules.Move, obs table.Observation) bool {
	a := actOf(mv)
	gone, came := unpaired(m.supply, besideAll(obs))
	var went []table.Die
	for _, r := range gone {
		went = append(went, r.Die)
	}
	if a.From == nil {
		i := slices.Index(went, table.Die{Color: a.Color, Face: a.Face})
		if i < 0 {
			return false
		}
		went = slices.Delete(went, i, i+1)
	}
	if m.lost.from != nil {
		return len(came)+len(went) == 0
	}
	return len(came) == 0 && len(went) == 1 && went[0] == m.lost.die
}
