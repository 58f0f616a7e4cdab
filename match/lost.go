package match

import (
	"maps"
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
	at   *table.Square // where it is told to lie, though nobody saw it there; nil: nowhere
}

const (
	leastGlimpse = 0.3 // the confidence from which on one picture alone says where a lost die lies
	mostLost     = 2   // dice that are searched for at once
	mostAway     = 3   // dice that may have gone unaccounted for: of more, some are only not seen
)

// noneTaken says whether all dice of a color that lay beside the board still lie there, so that none was
// placed.
func (m *Match) noneTaken(c table.Color, obs table.Observation) bool {
	gone, _ := m.sinceBeside(obs)
	return m.allKnown && m.missing(c) <= 0 && len(ofColor(readingsOf(gone), c)) == 0
}

// otherLeft is the answers to a placement of a die other than the one that has left those
// beside the board: it is misread, or was turned on its way. nil where they agree, or
// where more has changed beside the board.
func (m *Match) otherLeft(s rules.Story, obs table.Observation) []offer {
	if !m.allKnown || len(s.Line) != 1 || s.Back > 0 || len(m.lost) > 0 {
		return nil
	}
	all, came := m.sinceBeside(obs)
	gone := solid(all)
	if len(came) > 0 || len(gone) != 1 || len(all) > 1 && slices.ContainsFunc(all, func(g spare) bool { return g.Color == actOf(s.Line[0]).Color && g.shy > 0 }) {
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

// unlikely orders stories that explain a view about as well.
func (m *Match) unlikely(s rules.Story, obs table.Observation) int {
	n := m.against(s, obs)
	if s.Rare() {
		n += table.Size * table.Size // after all others
	}
	return n
}

// against is by how many dice a story differs from what has left those beside the board.
func (m *Match) against(s rules.Story, obs table.Observation) int {
	gone, came := m.sinceBeside(obs)
	if len(m.supply) == 0 {
		return 0
	}
	if s.Back > 0 {
		return m.notBack(s, came)
	}
	if len(came) > 0 {
		return 0
	}
	wrong := 0
	for _, mv := range s.Line {
		a := actOf(mv)
		if a.From != nil {
			continue
		}
		if i := slices.IndexFunc(gone, func(g spare) bool { return g.Die == table.Die{Color: a.Color, Face: a.Face} }); i >= 0 {
			gone = slices.Delete(gone, i, i+1)
		} else {
			wrong++
		}
	}
	return wrong + len(gone) - beyond(gone)
}

// notBack is how many of the dice that a story takes off the board have not come to those
// beside it.
func (m *Match) notBack(s rules.Story, came []table.Reading) int {
	off := map[table.Color]int{}
	for _, d := range m.line.now().Expect().Squares {
		off[d.Color]++
	}
	for _, d := range s.After.Expect().Squares {
		off[d.Color]--
	}
	wrong := 0
	for c, n := range off {
		wrong += max(n-len(ofColor(came, c)), 0)
	}
	return wrong
}

// noteTaken strikes out the dice beside the board that a line has brought onto it, and the
// lost dice that it has played. Of others that have gone with them nothing is believed: they
// may be in the hand of who is next.
func (m *Match) noteTaken(line []rules.Move, obs table.Observation) {
	taken, _ := m.accounted(line, obs)
	looked := len(m.lost)
	for _, mv := range line {
		m.lost = slices.DeleteFunc(slices.Clone(m.lost), func(l *lost) bool { return l.playedBy(actOf(mv)) })
	}
	if n := len(m.line.acts); n > 0 && (len(m.lost) < looked || slices.ContainsFunc(taken, func(s spare) bool { return s.away })) {
		m.late = m.line.acts[n-1].seq
	}
	m.strike(taken)
}

// strike leaves dice out of those beside the board.
func (m *Match) strike(dice []spare) {
	m.supply = slices.DeleteFunc(slices.Clone(m.supply), func(s spare) bool {
		return slices.ContainsFunc(dice, func(d spare) bool { return d.At == s.At && d.Die == s.Die })
	})
}

// accounted is which of the dice that have gone from beside the board a line has brought onto
// it, and which of the others are missing: none where many are not seen, or where dice were
// turned over or rolled.
func (m *Match) accounted(line []rules.Move, obs table.Observation) (taken, missing []spare) {
	gone, came := m.sinceBeside(obs)
	for _, mv := range line {
		if a := actOf(mv); a.To != nil && a.From == nil {
			if i := likeliest(gone, table.Die{Color: a.Color, Face: a.Face}); i >= 0 {
				taken = append(taken, gone[i])
				gone = slices.Delete(gone, i, i+1)
			}
		}
	}
	if len(gone)-beyond(gone) > mostAway || slices.ContainsFunc(came, func(r table.Reading) bool { return r.Sure }) {
		return taken, nil
	}
	return taken, slices.DeleteFunc(gone, func(s spare) bool { return s.shy > 0 && !s.steady() })
}

// lose notes that dice have gone. Where many have, what is beside the board is no longer known.
func (m *Match) lose(dice []spare) {
	for _, s := range dice {
		m.lost = append(m.lost[:len(m.lost):len(m.lost)], &lost{die: s.Die})
	}
	m.strike(dice)
	if len(m.pending(nil)) > mostLost {
		m.supply, m.allKnown, m.lost = nil, false, nil
	}
}

// pending is the lost dice of which no turn was told yet, and which none of these acts plays.
func (m *Match) pending(line []rules.Move) (list []*lost) {
	for _, l := range m.lost {
		if l.seq == 0 && !slices.ContainsFunc(line, func(mv rules.Move) bool { return l.playedBy(actOf(mv)) }) {
			list = append(list, l)
		}
	}
	return list
}

// noteLost notes the dice that have gone from a view in which nothing else has changed.
// It reports whether there are such dice.
func (m *Match) noteLost(obs table.Observation) bool {
	if !m.allKnown {
		return false
	}
	_, gone := m.accounted(nil, obs)
	beside := besideAll(obs)
	dim := dimmer(m.supply, beside, paired(m.supply, beside, reachOf(obs)))
	gone = slices.DeleteFunc(gone, func(s spare) bool { return !s.steady() && (dim && s.new || hardlyRead(s.Color, beside)) })
	want, read := m.line.now().Expect().Squares, boardOf(obs)
	squares := m.plainlyOther(read)
	strange := func(sq table.Square) bool { // it may be one of them
		return want[sq].Color == table.NoColor && slices.ContainsFunc(gone, func(s spare) bool { return s.Color == read[sq].Color })
	}
	known := len(m.lost)
	switch {
	case len(gone) > 0 && !slices.ContainsFunc(squares, strange):
		m.lose(gone)
	case len(gone)+known == 0 && len(squares) == 1 && read[squares[0]].Color == table.NoColor && m.setting.Game == table.DessertDice:
		m.lost = []*lost{{die: want[squares[0]], from: &squares[0]}}
	}
	if len(m.lost) == known && len(squares) == 0 {
		m.noteSlipped(obs)
	}
	return len(m.lost) > known
}

// stillLost leaves out lost dice like one that has come to those beside the board.
func (m *Match) stillLost(list []*lost, obs table.Observation) []*lost {
	_, came := m.sinceBeside(obs)
	return slices.DeleteFunc(list, func(l *lost) bool { return l.from == nil && count(came, l.die) > 0 })
}

// foundLost ends the search for dice that lie beside the board again, which nobody has
// played: those that are like one of the readings, or of its color if no other is. The other
// readings are left.
func (m *Match) foundLost(back []table.Reading) (others []table.Reading) {
	for _, r := range back {
		i := slices.IndexFunc(m.lost, func(l *lost) bool { return l.from == nil && l.at == nil && l.die == r.Die })
		if i < 0 {
			i = slices.IndexFunc(m.lost, func(l *lost) bool { return l.from == nil && l.at == nil && l.die.Color == r.Color })
		}
		if i < 0 {
			others = append(others, r)
			continue
		}
		m.supply = append(m.supply[:len(m.supply):len(m.supply)], spare{Reading: r, shy: shyViews})
		m.notLost(m.lost[i])
	}
	return others
}

// notLost ends the search for a die that nobody has played.
func (m *Match) notLost(l *lost) {
	m.lost = slices.DeleteFunc(slices.Clone(m.lost), func(o *lost) bool { return o == l })
	m.notPlayed(l)
}

// notPlayed corrects that a die has been played out of view, as long as that is asked.
func (m *Match) notPlayed(l *lost) {
	if l.seq == 0 || m.about != m.seq || len(m.offers) < 2 || m.offers[1].amend == nil || m.offers[1].amend.first > l.seq {
		return
	}
	m.amend(m.offers[1].amend)
}

// withLost is the view with the dice that are known to lie on the board though they are
// hardly seen, and with the lost dice: where a picture of one shows that it lies now, or else
// on the square that it left, so that what else has happened can be told.
func (m *Match) withLost(obs table.Observation) table.Observation {
	for _, l := range m.lost {
		r := m.glimpse(l, obs)
		found := l.from != nil && boardOf(obs)[*l.from] == l.die || l.at != nil && boardOf(obs)[*l.at] == l.die // it was only hidden
		switch {
		case found:
		case r != nil:
			if found = l.seq > 0 && m.tellFound(l, *r); found {
				m.guessed = maps.Clone(m.guessed)
				delete(m.guessed, l.seq)
			}
			obs = withDie(obs, *r.Square, r.Die)
			if !r.Sure && !slices.Contains(m.faint, *r.Square) {
				m.faint = append(m.faint, *r.Square)
			}
		case l.from != nil && l.at == nil && boardOf(obs)[*l.from].Color == table.NoColor:
			obs = withDie(obs, *l.from, l.die)
		}
		if found {
			m.lost = slices.DeleteFunc(slices.Clone(m.lost), func(o *lost) bool { return o == l })
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

func withDie(obs table.Observation, at table.Square, d table.Die) table.Observation {
	dice := slices.DeleteFunc(slices.Clone(obs.Dice), func(r table.Reading) bool { return r.Square != nil && *r.Square == at })
	obs.Dice = append(dice, certain(table.Reading{Square: &at}, d))
	return obs
}

// glimpse is the reading of the lost die in any picture of the view: on an empty square, where
// it may have been placed, or moved, unless another that has just gone may have. nil where there is
// none, or more than one.
func (m *Match) glimpse(l *lost, obs table.Observation) (found *table.Reading) {
	want := m.line.now().Expect().Squares
	for _, view := range append([]table.Observation{obs}, m.ballot.reads...) {
		for _, r := range view.Dice {
			if r.Square == nil || r.Confidence < leastGlimpse || !l.mayBe(r) {
				continue
			}
			if _, full := want[*r.Square]; full || m.othersMove(l, r, view) {
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

// othersMove says whether a reading may rather be of a die that lay on another square in the view before,
// and does not now, or of one that was taken back.
func (m *Match) othersMove(l *lost, r table.Reading, obs table.Observation) bool {
	want, read, before := m.line.now().Expect().Squares, boardOf(obs), boardOf(m.seen.obs)
	if stack := m.line.stack(); len(stack) > 1 && stack[len(stack)-2].Expect().Squares[*r.Square] == r.Die {
		return true
	}
	for from, d := range want {
		other := lost{die: d, from: &from}
		if read[from].Color == table.NoColor && before[from] == d && (l.from == nil || *l.from != from) && other.mayBe(r) {
			return true
		}
	}
	return false
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

// moveOf is how a lost die was played, by whom, if it lies as read.
func (m *Match) moveOf(l *lost, by rules.Player, r table.Reading) rules.Move {
	if m.setting.Game == table.DiceBox {
		return dicebox.Act{By: by, Kind: dicebox.Place, Die: r.Die, To: *r.Square}
	}
	a := dessertdice.Act{By: by, Kind: dessertdice.Place, Die: r.Die, To: *r.Square}
	if l.from != nil {
		a.Kind, a.From = dessertdice.Tip, *l.from
	}
	return a
}

// tellFound says where a die lies whose turn was told as unseen.
func (m *Match) tellFound(l *lost, r table.Reading) bool {
	stack := m.line.before(l.seq)
	before := stack[len(stack)-1]
	mv := m.moveOf(l, before.ToMove(), r)
	e, words := m.eventAt(before, mv)
	e.Type = TypeCorrect
	if err := m.emit(ByCamera, Act{Kind: actCorrect, Ref: l.seq, Moves: m.inPlaceOf(l, mv)}, e, words); err != nil {
		return false
	}
	m.forget()
	return true
}

// inPlaceOf is the acts of the record of a lost die's turn, the first of which was this.
func (m *Match) inPlaceOf(l *lost, mv rules.Move) []string {
	words := []string{mv.String()}
	for _, e := range m.line.acts {
		if e.seq == l.seq {
			words = append(words, wordsOf(e.moves[1:])...)
		}
	}
	return words
}

// lostFirst is the story in which a die that had gone before was played before anything else;
// nil: there is none.
func (m *Match) lostFirst(stories []rules.Story) *rules.Story {
	had := func(a act) bool {
		return slices.ContainsFunc(m.lost, func(l *lost) bool { return l.seq == 0 && l.playedBy(a) }) ||
			a.From == nil && slices.ContainsFunc(m.supply, func(s spare) bool { return s.away && !s.beyond && s.Die == table.Die{Color: a.Color, Face: a.Face} })
	}
	for i, s := range stories {
		if len(s.Line) == 2 && s.Back == 0 && s.Why == nil && had(actOf(s.Line[0])) && !had(actOf(s.Line[1])) {
			return &stories[i]
		}
	}
	return nil
}

// turnUnseen tells acts as those of the next players, where dice that were played before them
// are lost: that this was so is asked. It reports whether there were such turns.
func (m *Match) turnUnseen(s rules.Story, obs table.Observation) bool {
	unseen := m.stillLost(m.pending(s.Line), obs)
	if len(unseen) == 0 || s.Back > 0 || len(s.Line) == 0 || m.mayBeLost(s.Line, unseen, obs) {
		return false
	}
	after := m.line.now()
	first := after.ToMove()
	var passes []rules.Move
	for range unseen {
		by := after.ToMove()
		var pass rules.Move = dessertdice.Act{By: by, Kind: dessertdice.Pass}
		if m.setting.Game == table.DiceBox {
			pass = dicebox.Act{By: by, Kind: dicebox.Pass}
		}
		next, err := after.Apply(pass)
		if by < 0 || err != nil {
			return false
		}
		passes, after = append(passes, pass), next
	}
	r := rules.Reconcile(after, onGrid(obs), rules.ReconcileOptions{})
	if r.Verdict != rules.Explained && r.Verdict != rules.IllegalAct || len(r.Line) != len(s.Line) {
		return false
	}
	if r.Verdict == rules.IllegalAct && len(unseen) == 1 && m.setting.Game == table.DiceBox {
		if places := m.hidingPlaces(unseen[0], true, obs); len(places) > 0 {
			return m.playFromHidingPlace(unseen[0], places[:min(len(places), mostPlaces)], true, s, obs)
		}
	}
	ask := phrase("played-unseen", "die", unseen[0].die, "player", m.name(first))
	m.forget()
	m.askNow(ask, []offer{{says: phrase("yes")}, {says: phrase("no")}})
	for i, l := range unseen {
		if m.emit(ByCamera, Act{Kind: actPlay, Moves: []string{passes[i].String()}}, nil, "") != nil {
			return false
		}
		l.seq = m.seq
	}
	if !m.play(ByCamera, r.Line) {
		return false
	}
	m.putQuestion(ask, []offer{
		{says: phrase("yes"), amend: &amendment{unseen[0].seq, m.seq, append(passes, r.Line...)}},
		{says: phrase("no"), amend: &amendment{unseen[0].seq, m.seq, s.Line}},
	}, m.seq)
	m.noteTaken(r.Line, obs)
	m.beside.placed(r.Line, obs, m.seen.obs)
	return true
}

// mayBeLost says whether a die that was placed may be a lost one, misread: one of its color
// that no other die has left those beside the board for.
func (m *Match) mayBeLost(line []rules.Move, unseen []*lost, obs table.Observation) bool {
	gone, _ := m.sinceBeside(obs)
	for _, mv := range line {
		a := actOf(mv)
		if a.To == nil || a.From != nil {
			continue
		}
		if i := likeliest(gone, table.Die{Color: a.Color, Face: a.Face}); i >= 0 {
			gone = slices.Delete(gone, i, i+1)
		} else if slices.ContainsFunc(unseen, func(l *lost) bool { return l.from == nil && l.die.Color == a.Color }) {
			return true
		}
	}
	return false
}
