package match

import (
	"slices"
	"testing"

	"diceref/table"
)

// TestTwoActsInOneVisit: hands stay over the table for two acts, so that nobody sees what
// lay there between them. Both are told, or the players are asked. The short form looks at
// every fourth pair of acts.
func TestTwoActsInOneVisit(t *testing.T) {
	stride := 4
	if *stresses > 3 {
		stride = 1
	}
	for _, game := range []string{"dessert-dice", "dice-box", "dice-flick"} {
		t.Run(game, func(t *testing.T) {
			exact, asked := 0, 0
			for i := 1; i < len(loadScript(t, game).Steps)-1; i += stride {
				s := loadScript(t, game)
				first, second := s.Steps[i], s.Steps[i+1]
				frames := s.frames()
				for k := range frames {
					if o := &frames[k]; o.Frame >= first.First && o.Frame < second.First {
						*o = table.Observation{Game: o.Game, Frame: o.Frame, T: o.T, Width: o.Width, Height: o.Height, Look: table.LookHand}
					}
				}
				m := s.play(t, frames)
				got, want := events(m), s.want()
				var at []int
				for _, e := range m.Events() {
					at = append(at, e.Frame)
				}
				if slices.Equal(got, want) {
					exact++
					continue
				}
				why := ""
				if s.Game == table.DiceFlick { // nobody sees what came in and was taken out: it is the score that is to be asked for
					why = silentScore(m, s)
				} else {
					why = silent(got, at, s)
				}
				if why == "" || untold(first, second) {
					asked++
				} else {
					t.Errorf("steps %d and %d, %s, %s: silently wrong: %s", i, i+1, want[i], want[i+1], why)
				}
			}
			t.Logf("%d times exact, %d times asked", exact, asked)
		})
	}
}

// untold says whether the second act undoes or hides the first, so that what is on the
// table tells of one act alone: what was taken back at once, and a die that came and went on.
func untold(first, second step) bool {
	return second.Kind == "takeback" ||
		first.To != nil && second.From != nil && *first.To == *second.From
}

// TestEndUnderHands: a player says that the turn is over while hands still lie over the
// arena. What was taken shows afterwards, and puts the score right.
func TestEndUnderHands(t *testing.T) {
	s := loadScript(t, "dice-flick")
	i := slices.IndexFunc(s.Steps, func(st step) bool { return st.Kind == "score" && st.Score > 0 })
	st := s.Steps[i]
	s.Declare = slices.DeleteFunc(s.Declare, func(d Declaration) bool { return *d.Frame >= st.First })
	m := s.match(t)
	const later = 5 // frames until the hands are gone
	for _, o := range s.frames() {
		switch {
		case o.Frame > st.Last+later+3:
		case o.Frame >= st.First && o.Frame < st.First+later:
			m.See(table.Observation{Game: o.Game, Frame: o.Frame, T: o.T, Width: o.Width, Height: o.Height, Look: table.LookHand})
			if o.Frame == st.First+1 {
				declare(t, m, Declaration{Say: SayNext})
			}
		case o.Frame > st.Last:
			still := s.view(i, o.Frame) // nobody flicks yet
			m.See(still)
		default:
			m.See(o)
		}
	}
	log := m.Events()
	last := log[len(log)-1]
	if last.Type != TypeCorrect || last.By != ByCamera || last.Round != st.Round || *last.Score != st.Score {
		t.Errorf("last told is %s, want the score put right as %d", asJSON(last), st.Score)
	}
	if got := m.line.now().Score()[st.Player].Total; got != st.Score {
		t.Errorf("the score is %d, want %d", got, st.Score)
	}
	if got, want := boardOf(m.seen.obs), m.line.now().Expect().Squares; !equalBoards(got, want) {
		t.Errorf("the arena holds %v, want %v", want, got)
	}
	declare(t, m, Declaration{Say: SayUndo})
	if got := m.line.now().Score()[st.Player].Total; got != 0 {
		t.Errorf("undone, and the score is %d", got)
	}
}
