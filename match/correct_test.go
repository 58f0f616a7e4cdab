package match

import (
	"slices"
	"strings"
	"testing"

	"diceref/match/internal/readings"
	"diceref/table"
)

// seenAs shows a square as another die than it is (no color: as empty), surely, from a frame on.
func seenAs(frames []table.Observation, from int, sq table.Square, as table.Die) []table.Observation {
	for i := range frames {
		if !frames[i].Read || frames[i].Frame < from {
			continue
		}
		frames[i].Dice = slices.DeleteFunc(slices.Clone(frames[i].Dice), func(r table.Reading) bool { return r.Square != nil && *r.Square == sq })
		if as.Color != table.NoColor {
			frames[i].Dice = append(frames[i].Dice, readings.Sure(as, &sq, table.Point{}))
		}
	}
	return frames
}

// inForceNow is what was told and counts, without doubts and corrections.
func inForceNow(m *Match) []string {
	var list []string
	for _, e := range m.Events() {
		switch e.Type {
		case TypeDoubt, TypeCorrect, TypeStands:
		default:
			if !e.Undone {
				list = append(list, told(e.Event))
			}
		}
	}
	return list
}

// TestCorrectTold: a die that was misread and told is corrected by its square alone, the
// act with it, and all that follows is judged again.
func TestCorrectTold(t *testing.T) {
	for _, c := range []struct {
		game string
		at   table.Square
		as   table.Die
		is   table.Die
	}{
		{"dice-flick", table.Square{Row: 2, Col: 2}, table.Die{Color: table.White, Face: 3}, table.Die{Color: table.White, Face: 4}},
		{"dessert-dice", table.Square{Row: 0, Col: 4}, table.Die{Color: table.Black, Face: 2}, table.Die{Color: table.Black, Face: 5}},
	} {
		t.Run(c.game, func(t *testing.T) {
			s := loadScript(t, c.game)
			m := s.match(t)
			frames := seenAs(s.frames(), s.Steps[1].First, c.at, c.as)
			for _, obs := range frames[:s.Steps[1].Last+1] {
				m.See(obs)
			}
			if got := inForceNow(m); len(got) != 2 || got[1] == s.want()[1] {
				t.Fatalf("the misread die is told as %q", got)
			}
			declare(t, m, Declaration{Say: SayCorrect, Square: &c.at, Color: c.is.Color, Face: c.is.Face})
			for _, obs := range frames[s.Steps[1].Last+1 : s.Steps[2].Last+2] {
				m.See(obs)
			}
			if got, want := inForceNow(m), s.want()[:3]; !slices.Equal(got, want) {
				t.Errorf("afterwards %q, want %q", got, want)
			}
		})
	}
}

// TestInvented: a die that was never there is taken away by a correction without a color
// and a face, before and after it was told.
func TestInvented(t *testing.T) {
	s := loadScript(t, "dice-flick")
	m := s.match(t)
	at := table.Square{Row: 4, Col: 4}
	frames := seenAs(s.frames(), 10, at, table.Die{Color: table.Green, Face: 2})
	for _, obs := range frames[:19] {
		m.See(obs)
	}
	if got := inForceNow(m); len(got) != 2 {
		t.Fatalf("the invented die is told as %q", got)
	}
	declare(t, m, Declaration{Say: SayCorrect, Square: &at})
	if got := inForceNow(m); len(got) != 1 {
		t.Fatalf("nothing there, but %q is in force", got)
	}
	for _, obs := range frames[19 : s.Steps[3].Last+2] {
		m.See(obs)
	}
	if got, want := inForceNow(m), s.want()[:4]; !slices.Equal(got, want) {
		t.Errorf("the game goes on as %q, want %q", got, want)
	}
}

// TestRejudged: what followed a corrected act is judged again.
func TestRejudged(t *testing.T) {
	m := journaled(t, table.DiceBox, "A", "B")
	declare(t, m, Declaration{Say: SayPlay, Move: "seed 1"}, Declaration{Say: SayPlay, Move: "A place R2 c2"}, Declaration{Say: SayPlay, Move: "B place B4 c1"})
	events := m.Events()
	last := events[len(events)-1]
	if *last.Legal {
		t.Fatal("4 beside 2 is legal")
	}
	placed := events[len(events)-2]
	declare(t, m, Declaration{Say: SayCorrect, Seq: placed.Seq, Move: "A place R3 c2"})
	for _, e := range m.Events() {
		if e.Seq == last.Seq && (!*e.Legal || e.Code != "" || strings.Contains(e.Text, "not allowed")) {
			t.Errorf("4 beside 3 is still told as %q", e.Text)
		}
	}
	declare(t, m, Declaration{Say: SayCorrect, Seq: last.Seq, Move: Nothing})
	for _, e := range m.Events() {
		if e.Seq == last.Seq && !e.Undone {
			t.Error("what never happened is in force")
		}
	}
	resumed(t, m)
}

// TestCorrectUnseen: without a camera a correction of a die is one of the act that left it there,
// and one that nothing led to is refused, not noted in vain.
func TestCorrectUnseen(t *testing.T) {
	m := journaled(t, table.DiceBox, "A", "B")
	declare(t, m, Declaration{Say: SayPlay, Move: "seed 1"}, Declaration{Say: SayPlay, Move: "A place R2 c2"}, Declaration{Say: SayPlay, Move: "B place B4 c1"})
	at, empty := table.Square{Row: 1, Col: 2}, table.Square{Row: 4, Col: 4}
	last := len(m.Events()) - 1
	declare(t, m, Declaration{Say: SayCorrect, Square: &at, Color: table.Red, Face: 3})
	if got := m.line.now().Expect().Squares[at]; got != (table.Die{Color: table.Red, Face: 3}) {
		t.Errorf("on %v lies %v", at, got)
	}
	if e := m.Events()[last]; !*e.Legal {
		t.Errorf("4 beside 3 is still told as %q", e.Text)
	}
	seq := m.Snapshot().Seq
	if err := m.Declare(Declaration{Say: SayCorrect, Square: &empty, Color: table.Blue, Face: 5}); err == nil || m.Snapshot().Seq != seq {
		t.Errorf("a die that nobody put there: %v, and the match stands at event %d, %d before", err, m.Snapshot().Seq, seq)
	}
	resumed(t, m)
}

// TestTakenOver: a board that nothing explains is asked about, and is taken over as it is.
func TestTakenOver(t *testing.T) {
	s := loadScript(t, "dessert-dice")
	m := s.match(t)
	frames := s.frames()
	for _, obs := range frames[:s.Steps[1].Last+1] {
		m.See(obs)
	}
	for _, obs := range frames[s.Steps[9].First : s.Steps[9].Last+1] { // eight acts later
		m.See(obs)
	}
	now := m.Snapshot()
	if now.Phase != PhaseDoubt || !slices.Contains(now.Choices, AsItStands) {
		t.Fatalf("eight acts at once: %s, %q, %q", now.Phase, now.Ask, now.Choices)
	}
	declare(t, m, Declaration{Say: SayAnswer, Choice: AsItStands, Player: string(rune('A' + s.Steps[10].Player))})
	for _, obs := range frames[s.Steps[10].First : s.Steps[10].Last+1] {
		m.See(obs)
	}
	got := inForceNow(m)
	if want := s.want()[10]; got[len(got)-1] != want {
		t.Errorf("the game goes on with %q, want %q", got[len(got)-1], want)
	}
}

// TestPutElsewhere: a die that was placed and then lies on another square is told as the
// next player's illegal move, and one answer says that it was put elsewhere.
func TestPutElsewhere(t *testing.T) {
	s := loadScript(t, "dessert-dice")
	at := s.Steps[1].To
	other := table.Square{Row: 2, Col: 2}
	m := s.match(t)
	var frames []table.Observation
	for _, obs := range s.frames()[:s.Steps[2].First] {
		m.See(obs)
		frames = append(frames, obs)
	}
	die := table.Die{Color: s.Steps[1].Color, Face: *s.Steps[1].Face}
	moved := seenAs(seenAs(slices.Clone(frames[s.Steps[1].First:]), 0, *at, table.Die{}), 0, other, die)
	for i := range moved {
		moved[i].Frame, moved[i].T = moved[i].Frame+100, moved[i].T+10
		m.See(moved[i])
	}
	last := m.Snapshot()
	if len(last.Choices) != 2 || !strings.HasPrefix(last.Choices[1], "the last move was taken back, then A places") || last.Events[len(last.Events)-1].Type != TypeMove {
		t.Fatalf("asked %q, choices %q", last.Ask, last.Choices)
	}
	declare(t, m, Declaration{Say: SayAnswer, Choice: last.Choices[1]})
	if got := inForceNow(m); len(got) != 2 || !strings.HasPrefix(got[1], "place A - "+other.String()) {
		t.Errorf("afterwards %q", got)
	}
	if m.line.now().Expect().Squares[other] != die || m.Snapshot().ToMove != 1 {
		t.Errorf("afterwards %d is to move", m.Snapshot().ToMove)
	}
}
