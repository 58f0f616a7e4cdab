package match

import (
	"slices"
	"strings"
	"testing"

	"diceref/table"
)

// at is the declaration for a frame.
func (d Declaration) at(frame int) Declaration {
	d.Frame = &frame
	return d
}

// watched plays the observations of a script with these declarations, to the end of the source.
func watched(t *testing.T, game string, list ...Declaration) *Match {
	t.Helper()
	s := loadScript(t, game)
	s.Declare = nil
	m := s.match(t)
	declare(t, m, list...)
	for _, obs := range s.frames() {
		m.See(obs)
	}
	m.Finish()
	return m
}

// TestSaidInAnyOrder: declarations hold for their frames, in whatever order they are given.
func TestSaidInAnyOrder(t *testing.T) {
	s := loadScript(t, "dice-flick")
	want := watched(t, "dice-flick", s.Declare...)
	slices.SortStableFunc(s.Declare, func(a, b Declaration) int { return *b.Frame - *a.Frame }) // of one frame they stay in order
	if got := watched(t, "dice-flick", s.Declare...); asJSON(got.Events()) != asJSON(want.Events()) {
		t.Errorf("the last word first, the match goes\n%s\nwant\n%s", asJSON(events(got)), asJSON(events(want)))
	}
}

// TestCardsSaidLater: the cards that are turned over after the end count, whether the source
// still shows the table by then or not; a word that the end has overtaken is not told.
func TestCardsSaidLater(t *testing.T) {
	frames := loadScript(t, "dessert-dice").frames()
	for _, frame := range []int{frames[len(frames)-1].Frame, frames[len(frames)-1].Frame + 100} {
		list := []Declaration{{Say: SayNext}, {Say: SayAct, Move: "A card J"}, {Say: SayAct, Move: "B card P"}, {Say: SayAct, Move: "C card I"}}
		for i := range list {
			list[i] = list[i].at(frame)
		}
		m := watched(t, "dessert-dice", list...)
		log := m.Events()
		if last := log[len(log)-1]; last.Type != TypeEnd || len(last.Winners) == 0 || !m.Done() {
			t.Errorf("cards of frame %d: the last event is %s with winners %q", frame, last.Type, last.Winners)
		}
		if slices.ContainsFunc(log, func(e EventView) bool { return e.Type == TypeDoubt }) {
			t.Errorf("cards of frame %d: told are %q", frame, events(m))
		}
	}
	m := journaled(t, table.DessertDice, "Ann", "Ben")
	m.mu.Lock()
	m.ended, m.queue = true, []Declaration{{Say: SayNext}}
	m.mu.Unlock()
	if !m.Done() {
		t.Error("the end of a turn is waited for after the end of the game")
	}
}

// TestSaidInVain: what is said for a moment after the source has ended and cannot be is told,
// not passed over in silence.
func TestSaidInVain(t *testing.T) {
	m := watched(t, "dice-flick", Declaration{Say: SayAct, Move: "A flick Z9 c3"}.at(100000))
	log := m.Events()
	if said := log[len(log)-2]; said.Type != TypeDoubt || !strings.Contains(said.Ask, "act") || log[len(log)-1].Type != TypeEnd {
		t.Errorf("told are %q", events(m))
	}
}
