package match

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"diceref/table"
)

// TestUndoRedo: whatever was said, as many redos as undos lead back to the same
// position and the same events in force, and a replay of the acts leads there too.
func TestUndoRedo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m, err := New(Config{Game: table.DiceFlick, Players: []string{"A", "B", "C"}})
		if err != nil {
			rt.Fatal(err)
		}
		words := rapid.SliceOfN(rapid.SampledFrom([]string{SayMiss, SayMiss, SayNext, SayUndo, SayRedo, SayPause, SayResume}), 1, 40).Draw(rt, "words")
		for _, w := range words {
			_ = m.Declare(Declaration{Say: w}) // some make no sense at their moment
		}
		before, shown := digest(m.line.now()), inForce(m)
		n := rapid.IntRange(0, 10).Draw(rt, "undos")
		done := 0
		for range n {
			if m.Declare(Declaration{Say: SayUndo}) == nil {
				done++
			}
		}
		for range done {
			if err := m.Declare(Declaration{Say: SayRedo}); err != nil {
				rt.Fatal(err)
			}
		}
		if digest(m.line.now()) != before || inForce(m) != shown {
			rt.Fatalf("%d undos and redos lead from\n%s\nto\n%s", done, shown, inForce(m))
		}
		again := timeline{game: m.game, start: m.line.start}
		for _, e := range m.line.acts {
			if err := again.push(e); err != nil {
				rt.Fatal(err)
			}
		}
		if digest(again.now()) != before {
			rt.Fatal("the acts in force lead elsewhere when they are played again")
		}
	})
}

// TestUndoEveryGame: every game that was played by taps, with dice that the program rolled and
// with acts that were corrected, is undone to its beginning act by act and redone to its end,
// through the very same positions, and the journal leads there too.
func TestUndoEveryGame(t *testing.T) {
	players := map[table.Game]int{table.DessertDice: 2, table.DiceBox: 3, table.FromageATrois: 3, table.DiceCreams: 2, table.DiceFlick: 2}
	tapGames(t, players, 7, func(t *testing.T, m *Match, r *rand.Rand) {
		for n := 0; n < 40 && tapAny(t, m, r); n++ {
			if n%9 == 8 && m.setting.Game != table.DiceBox { // whose dice hardly add up after that
				correctAny(t, m, r)
			}
		}
		correctAny(t, m, r)
		var shown []string // before each undo
		for m.Snapshot().CanUndo {
			shown = append(shown, digest(m.line.now())+inForce(m))
			declare(t, m, Declaration{Say: SayUndo})
		}
		for i := len(shown) - 1; i >= 0; i-- {
			declare(t, m, Declaration{Say: SayRedo})
			if now := digest(m.line.now()) + inForce(m); now != shown[i] {
				t.Fatalf("%d redos before the end there is in force\n%s\nthere was\n%s", i, now, shown[i])
			}
		}
		if len(shown) < 10 || m.Snapshot().CanRedo {
			t.Errorf("%d acts were undone, and more can be redone: %v", len(shown), m.Snapshot().CanRedo)
		}
		resumed(t, m)
	})
}

// correctAny puts an act of the past right as another one that was legal then, or as none.
func correctAny(t *testing.T, m *Match, r *rand.Rand) {
	t.Helper()
	log := m.Events()
	for _, i := range r.Perm(len(log)) {
		e := log[i]
		acts := m.LegalBefore(e.Seq, nil, 0, 50).Acts
		if e.Move == nil && e.Type != TypeFlick || e.Player == "" || e.Undone || e.Type == TypeCorrect || len(acts) == 0 {
			continue
		}
		move := append(acts, ActView{Act: Nothing})[r.IntN(len(acts)+1)].Act
		declare(t, m, Declaration{Say: SayCorrect, Seq: e.Seq, Move: move, Keep: true})
		return
	}
}

// inForce is the events that count, in words.
func inForce(m *Match) string {
	var list []string
	for _, e := range m.Events() {
		switch e.Type {
		case TypeFlick, TypeMiss, TypeScore, TypeMove, TypePass, TypeTakeback:
			if !e.Undone {
				list = append(list, told(e.Event))
			}
		}
	}
	return strings.Join(list, "\n")
}

// FuzzReadDeclarations: no file makes it panic, and what is accepted has a frame or a time.
func FuzzReadDeclarations(f *testing.F) {
	for _, seed := range []string{`{"frame":36,"say":"miss"}`, `{"t":3.6,"say":"next","score":8}`, "\n\n", `{"frame":1,"say":"correct","square":[2,3],"face":9}`, `{"frame":1}`, `[]`, `{"frame":1,"say":"miss"} x`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ReadDeclarations(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, d := range list {
			if d.Check() != nil || d.Frame == nil && d.T == nil {
				t.Errorf("%+v was accepted", d)
			}
		}
	})
}

func BenchmarkSee(b *testing.B) {
	frames := loadSeen(b, "dice-box")
	s := loadScript(b, "dice-box")
	b.ResetTimer()
	for range b.N {
		m := s.match(b)
		for _, obs := range frames {
			m.See(obs)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(frames)), "µs/frame")
}
