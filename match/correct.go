package match

import (
	"fmt"
	"strings"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/rules/diceflick"
	"diceref/table"
)

// correct puts an earlier act right, or the reading of one die.
func (m *Match) correct(d Declaration) error {
	if d.Square != nil && d.Move == "" {
		return m.correctReading(d)
	}
	e := Event{Type: TypeCorrect, Corrects: d.Seq}
	act := Act{Kind: actCorrect, Ref: d.Seq, Loose: d.Keep}
	text := fmt.Sprintf("Event %d did not happen.", d.Seq)
	if d.Move != Nothing {
		act.Moves = []string{d.Move}
		text = fmt.Sprintf("Event %d is corrected: %s.", d.Seq, d.Move)
		if mv, err := m.game.ParseMove(d.Move); err == nil {
			stack := m.line.before(d.Seq)
			e.Move, e.Player = mv, m.name(mv.Actor())
			if e.Player != "" {
				_, words := m.told(stack[len(stack)-1], mv)
				text = fmt.Sprintf("Event %d is corrected: %s", d.Seq, words)
			}
		}
	}
	if err := m.emit(d.by(), act, &e, text); err != nil {
		return err
	}
	m.afterChange()
	return nil
}

// Nothing, as the Move of a correction, means that the act did not happen.
const Nothing = "nothing"

// correctReading notes what really lies on a square (no color and no face: nothing does),
// until the reading there changes. Where the die was taken for an act already, that act
// is corrected; else the view is looked at again.
func (m *Match) correctReading(d Declaration) error {
	is := m.line.now().Expect().Squares[*d.Square]
	from, unseen := m.readAt(*d.Square), !m.seen.ok && len(m.ballot.reads) == 0
	if unseen { // what was told is all there is to correct
		from = is
	}
	to := table.Die{Color: d.Color, Face: d.Face}
	if to.Color == table.NoColor && to.Face != 0 {
		to.Color = from.Color
	}
	act, text := Act{}, fmt.Sprintf("%[2]s is on %[1]v.", d.Square, dieWords(to))
	if to.Color == table.NoColor {
		text = fmt.Sprintf("There is nothing on %v.", d.Square)
	}
	if is == from && from != to && from.Color != table.NoColor {
		if moves, seq := m.otherwise(*d.Square, to); seq > 0 {
			act = Act{Kind: actCorrect, Ref: seq, Moves: moves}
		}
	}
	if unseen && act.Kind == actNone && from != to {
		return reject("put-by-none", "die", to, "square", *d.Square)
	}
	sq, face := *d.Square, to.Face
	e := Event{Type: TypeCorrect, To: &sq, Color: to.Color, Face: &face}
	if err := m.emit(d.by(), act, &e, text); err != nil {
		return err
	}
	m.misread(sq, from, to)
	if act.Kind == actCorrect {
		m.seen.obs = m.corrected(m.seen.obs)
		m.afterChange()
		return nil
	}
	for i := range m.ballot.reads {
		m.ballot.reads[i] = m.corrected(m.ballot.reads[i])
	}
	m.forget()
	m.settled = false
	m.flush()
	m.setPhase(m.restPhase())
	return nil
}

// misread notes that what is on a square is read as another die than it is.
func (m *Match) misread(sq table.Square, from, to table.Die) {
	m.fix[sq] = fix{From: append(m.fix[sq].From, from), To: to, sure: true}
}

// readAt is what is read on a square now; no color: nothing.
func (m *Match) readAt(sq table.Square) table.Die {
	obs := m.seen.obs
	if n := len(m.ballot.reads); n > 0 {
		obs = m.ballot.reads[n-1]
	}
	for _, r := range obs.Dice {
		if r.Square != nil && *r.Square == sq {
			return r.Die
		}
	}
	return table.Die{}
}

// otherwise finds the act that brought the die on a square there, and what it was if
// that die is another; no moves: it never happened. seq is 0 where no act did.
func (m *Match) otherwise(sq table.Square, to table.Die) (moves []string, seq int64) {
	is := m.line.now().Expect().Squares[sq]
	for i := len(m.line.acts) - 1; i >= 0; i-- {
		e := m.line.acts[i]
		before := m.line.start
		if i > 0 {
			stack := m.line.acts[i-1].stack
			before = stack[len(stack)-1]
		}
		if e.kind != actPlay || before.Expect().Squares[sq] == is {
			continue
		}
		line := e.moves
		if len(line) != 1 {
			return nil, 0
		}
		if flick, ok := line[0].(diceflick.Flick); ok {
			return otherFlick(flick, sq, to), e.seq
		}
		line = m.otherLine(before, e.stack[len(e.stack)-1], sq, to)
		if line == nil && to.Color != table.NoColor {
			return nil, 0
		}
		return wordsOf(line), e.seq
	}
	return nil, 0
}

// otherFlick is a flick that brought another die to a hole, or moved none there.
func otherFlick(f diceflick.Flick, sq table.Square, to table.Die) []string {
	if f.Rests && f.To == sq {
		if to.Color == table.NoColor {
			return nil
		}
		f.Die = to
		return []string{f.String()}
	}
	shifts := f.Shifts
	f.Shifts = nil
	for _, s := range shifts {
		switch {
		case s.From == s.To && s.To == sq || s.To != sq || s.Off:
		case to.Color == table.NoColor:
			s.Off = true
		default:
			s.Face = to.Face
		}
		f.Shifts = append(f.Shifts, s)
	}
	return []string{f.String()}
}

// otherLine is what led from one position to another on a board that differs from the
// latter on one square; nil: nothing does.
func (m *Match) otherLine(before, after rules.State, sq table.Square, to table.Die) []rules.Move {
	view := table.Observation{Game: m.setting.Game}
	for at, die := range after.Expect().Squares {
		if at == sq {
			continue
		}
		view.Dice = append(view.Dice, certain(table.Reading{Square: &at}, die))
	}
	if to.Color != table.NoColor {
		view.Dice = append(view.Dice, certain(table.Reading{Square: &sq}, to))
	}
	r := rules.Reconcile(before, view, rules.ReconcileOptions{})
	if r.Verdict != rules.Explained && r.Verdict != rules.IllegalAct {
		return nil
	}
	return r.Line
}

// rejudge judges the acts in force again, once an earlier one was corrected.
func (m *Match) rejudge() {
	index := map[int64]int{}
	for i, e := range m.log {
		index[e.Seq] = i
	}
	now := m.line.start
	for _, e := range m.line.acts {
		if i, told := index[e.seq]; told && e.kind == actPlay && len(e.moves) > 0 && !m.forced(m.log[i], e.moves) {
			m.retell(&m.log[i], now, e.moves)
		}
		now = e.stack[len(e.stack)-1]
	}
}

// forced says whether an event is still the pass that the rules alone demanded.
func (m *Match) forced(v EventView, moves []rules.Move) bool {
	return v.By == ByRules && v.Type == TypePass && actOf(moves[0]).Action == "pass"
}

// retell reports an event again, by the moves that it stands for now: the first breach of
// them if there is one, else the last. A turn that nobody saw is none.
func (m *Match) retell(v *EventView, now rules.State, moves []rules.Move) {
	was := v.Event
	var tell *Event
	var text []string
	for _, mv := range moves {
		if mv.Actor() >= 0 && (len(moves) == 1 || !standsIn(mv) && len(belief.Acts([]rules.Move{mv})) > 0) {
			e, words := m.judgedAt(now, mv, was.Code != "" || m.mayAccuse())
			if text = append(text, words); tell == nil || tell.Code == "" && tell.Open == "" {
				tell = e
			}
		}
		next, err := now.Apply(mv)
		if err != nil {
			break // cannot be: it is in force
		}
		now = next
	}
	if tell == nil {
		return
	}
	tell.Frame, tell.T, tell.Seq, tell.Text = was.Frame, was.T, was.Seq, strings.Join(text, " ")
	v.Event, v.Text = *tell, tell.Text
}

// standsIn says whether a move stands for a turn of Dessert Dice that nobody saw.
func standsIn(mv rules.Move) bool {
	a, ok := mv.(dessertdice.Act)
	return ok && a.Kind == dessertdice.Pass
}
