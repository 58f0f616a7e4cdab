package match

import (
	"slices"
	"strings"

	"diceref/table"
)

// lastSaid is the act that was said last and waits for a view, if nothing was told since
// that an undo would put out of force first; nil: there is none.
func (t *timeline) lastSaid() *entry {
	n, k := len(t.said), t.undoable()
	if n == 0 || k >= 0 && t.acts[k].seq > t.said[n-1].seq {
		return nil
	}
	return &t.said[n-1]
}

// lastFixed is the last correction, if nothing was told since that an undo would put out of
// force first; nil: there is none.
func (t *timeline) lastFixed() *entry {
	n, k, said := len(t.fixed), t.undoable(), len(t.said)
	if n == 0 || k >= 0 && t.acts[k].seq > t.fixed[n-1].seq || said > 0 && t.said[said-1].seq > t.fixed[n-1].seq {
		return nil
	}
	return &t.fixed[n-1]
}

// undo puts the last act of a player out of force; what was only learned of the table stays.
func (t *timeline) undo() error {
	if e := t.lastSaid(); e != nil {
		t.undone = append(t.undone[:len(t.undone):len(t.undone)], *e)
		t.said = t.said[:len(t.said)-1]
		return nil
	}
	n := t.undoable()
	if n < 0 {
		return reject("nothing-to-undo")
	}
	e := t.acts[n]
	e.at, e.rest = n, t.acts[n:]
	undone := append(t.undone[:len(t.undone):len(t.undone)], e)
	for k := len(t.fixed); k > 0 && t.fixed[k-1].seq > e.seq; k-- {
		t.fixed = t.fixed[:k-1] // it was once undone before the corrections that followed it
	}
	t.keepOnly(t.acts[:n:n], t.acts[n+1:])
	t.undone = undone
	return nil
}

// uncorrect puts the last correction out of force: what was in force before it is so again.
func (t *timeline) uncorrect(seq int64) error {
	e := t.lastFixed()
	if e == nil || e.seq != seq {
		return reject("no-such-move")
	}
	gone := *e
	gone.at, gone.rest = 0, t.acts
	undone := append(t.undone[:len(t.undone):len(t.undone)], gone)
	t.fixed = t.fixed[:len(t.fixed)-1]
	learned := len(t.acts)
	for learned > 0 && t.acts[learned-1].seq > seq {
		learned--
	}
	t.keepOnly(gone.was[:len(gone.was):len(gone.was)], t.acts[learned:])
	t.undone = undone
	return nil
}

// keepOnly puts these acts in force, and of those that were learned of the table since what does
// not hang on what is now out of force; the rest comes back with that.
func (t *timeline) keepOnly(acts, learned []entry) {
	t.acts = acts
	for _, e := range learned {
		_ = t.push(e)
	}
}

// redo puts the act that was undone last in force again; whole with all that followed it.
func (t *timeline) redo(whole bool) error {
	n := len(t.undone)
	if n == 0 {
		return reject("nothing-to-redo")
	}
	e, rest := t.undone[n-1], t.undone[:n-1]
	switch {
	case e.kind == actSaid:
		t.wait(e)
	case whole: // nothing has happened since, or there would be nothing to redo
		t.acts = append(t.acts[:e.at:e.at], e.rest...)
	default: // as it was once
		if err := t.push(e); err != nil {
			return err
		}
	}
	if e.kind == actCorrect {
		t.fixed = append(t.fixed[:len(t.fixed):len(t.fixed)], e)
	}
	t.undone = rest
	return nil
}

// next is the act that an undo or a redo is about; nil: there is none. Where all from an event
// on is undone, what was corrected meanwhile stays right.
func (t *timeline) next(say string, from int64) *entry {
	n, fixed := t.undoable(), t.lastFixed()
	switch {
	case say == SayRedo && len(t.undone) > 0:
		return &t.undone[len(t.undone)-1]
	case say == SayUndo && fixed != nil && (from <= 0 || from == fixed.seq):
		return fixed
	case say == SayUndo && t.lastSaid() != nil:
		return t.lastSaid()
	case say == SayUndo && n >= 0:
		return &t.acts[n]
	}
	return nil
}

// undoable is the index of the act that an undo puts out of force; -1: there is none.
func (t *timeline) undoable() int {
	n := len(t.acts) - 1
	for n >= 0 && t.acts[n].nature() && !t.acts[n].told {
		n--
	}
	return n
}

// undo puts the last act out of force, or in force again; with an event's number all acts
// from that one on, or up to it. What the rules alone demanded goes along with what led to it, or
// it would be demanded at once again; so does what one roll brought about. The board as it lies is not told again until it changes.
func (m *Match) undo(d Declaration) error {
	done, acts, forced := 0, 0, false
	for e := m.line.next(d.Say, d.Seq); e != nil; e = m.line.next(d.Say, d.Seq) {
		before := forced
		forced = e.along || m.forcedAct(e.seq)
		enough := d.Seq == 0 && done > 0 || d.Seq > 0 && (d.Say == SayUndo && e.seq < d.Seq || d.Say == SayRedo && e.seq > d.Seq)
		if along := d.Say == SayUndo && before || d.Say == SayRedo && forced; enough && !along {
			break
		}
		if e.kind != actSaid {
			acts++
		}
		if err := m.undoOne(d, e); err != nil {
			return err
		}
		done++
	}
	if done == 0 && d.Seq > 0 {
		return reject("no-such-move")
	}
	if done == 0 && d.Say == SayUndo {
		return reject("nothing-to-undo")
	}
	if done == 0 {
		return reject("nothing-to-redo")
	}
	if acts == 0 {
		m.saidAnew()
		return nil
	}
	m.afterChange()
	return nil
}

// forcedAct says whether the rules alone demanded the act of that event.
func (m *Match) forcedAct(seq int64) bool {
	return slices.ContainsFunc(m.log, func(e EventView) bool { return e.Seq == seq && e.By == ByRules && e.Type == TypePass })
}

// undoOne puts one act out of force, or in force again.
func (m *Match) undoOne(d Declaration, act *entry) error {
	kind, typ, text := actUndo, TypeUndo, "Undone: "
	if d.Say == SayRedo {
		kind, typ, text = actRedo, TypeRedo, "Restored: "
	}
	a := Act{Kind: kind, Whole: kind == actRedo}
	if act.kind == actCorrect {
		a.Ref = act.seq
	}
	before := m.line.now().Expect().Squares
	if err := m.emit(d.by(), a, &Event{Type: typ}, text+m.textOf(act)+"."); err != nil {
		return err
	}
	switch e := m.corrects(act); {
	case e == nil:
	case d.Say == SayUndo:
		delete(m.fix, *e.To)
	default:
		is := table.Die{Color: e.Color}
		if e.Face != nil { // a blast die has none
			is.Face = *e.Face
		}
		m.misread(*e.To, before[*e.To], is)
	}
	return nil
}

// corrects is the event of a correction that was of one die as it was read; nil: act is none. Of a flick it may not
// be known which die it was.
func (m *Match) corrects(act *entry) *Event {
	for i := range m.log {
		if e := &m.log[i].Event; act.kind == actCorrect && e.Seq == act.seq && e.To != nil && (e.Face != nil || e.Color != table.NoColor) {
			return e
		}
	}
	return nil
}

// textOf is what was told of an act, in words and without a full stop.
func (m *Match) textOf(act *entry) string {
	if act.kind == actSaid {
		return "what was said: " + act.words()
	}
	for _, e := range m.log {
		if e.Seq == act.seq && e.Text != "" {
			return strings.TrimSuffix(e.Text, ".")
		}
	}
	return "the last move"
}
