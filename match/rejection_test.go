package match

import (
	"errors"
	"strings"
	"testing"

	"diceref/table"
)

// TestRejectionsAreTold: whatever is said at the wrong moment, in any game and at any point of it, is refused in a
// form that can be put into any language, and nothing happens.
func TestRejectionsAreTold(t *testing.T) {
	kinds := map[string]bool{}
	for _, game := range table.Games {
		m, err := New(Config{Game: game, Players: []string{"Ann", "Ben", "Cleo"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, point := range []string{"new", "rolled", "paused", "over"} {
			switch point {
			case "rolled":
				_ = m.Declare(Declaration{Say: SayRoll, Count: 5}) // not every game begins with a roll
			case "paused":
				declare(t, m, Declaration{Say: SayPause})
			case "over":
				declare(t, m, Declaration{Say: SayResume})
				declare(t, m, Declaration{Say: SayEnd})
			}
			for _, d := range ill() {
				before := len(m.Events())
				err := m.Declare(d)
				var rejection *Rejection
				var refusal *Refusal
				var name *NameError
				switch {
				case err == nil:
					if len(m.Events()) > before {
						_ = m.Declare(Declaration{Say: SayUndo})
					}
				case errors.As(err, &rejection):
					kinds[rejection.Says.Kind] = true
					if text := err.Error(); sentences[rejection.Says.Kind] == "" || strings.ContainsAny(text, "{}") || strings.Contains(text[len("match: "):], "match: ") {
						t.Errorf("%s, %s: %+v is refused with %q", game, point, d, text)
					}
				case !errors.As(err, &refusal) && !errors.As(err, &name) && d.Check() == nil:
					t.Errorf("%s, %s: %+v is refused without words: %v", game, point, d, err)
				}
			}
		}
	}
	if len(kinds) < 18 {
		t.Errorf("only %d kinds of rejection: %v", len(kinds), kinds)
	}
}

// ill are declarations that make sense at few moments, or never.
func ill() (all []Declaration) {
	for _, say := range []string{SayNext, SayMiss, SayReroll, SayBonus, SayPass, SayPoints, SayRoll, SayUndo, SayRedo, SayKeep, SayStands, SayResume} {
		all = append(all, Declaration{Say: say}, Declaration{Say: say, Seq: 77})
	}
	at := table.Square{Row: 1, Col: 3}
	all = append(all,
		Declaration{Say: SayAnswer, Choice: "nonsense"}, Declaration{Say: SayAnswer, Choice: "A place R4 c3"},
		Declaration{Say: SayCorrect, Seq: 1, Move: "nothing"}, Declaration{Say: SayCorrect, Seq: 99, Move: "A place R4 c3"},
		Declaration{Say: SayCorrect, Square: &at, Color: table.Red, Face: 4}, Declaration{Say: SayCorrect, Square: &at},
		Declaration{Say: SayFirst, Player: "Zoe"}, Declaration{Say: SayStands, Player: "Zoe"}, Declaration{Say: SayCard, Player: "Zoe", Card: "J"}, Declaration{Say: SayCard, Player: "Ann", Card: "J"},
		Declaration{Say: SayNames, Names: []string{"Ann"}}, Declaration{Say: SayNames, Names: []string{"Ann", "Ann"}}, Declaration{Say: SaySeats, Names: []string{"Ann", "Ann"}}, Declaration{Say: SaySeats, Names: []string{"Ann"}},
	)
	for _, move := range []string{
		"nonsense", "A", "Z pass", "A place R4 c3", "B place R9 c3", "A place R4 z9", "A move a1 a2 R3", "A reroll", "seed 9", "A flick B4 c3", "A flick P* a1", "nature draw blue4", "A take green2 mint-1.0",
		"A keep 11", "A roll 99999", "A steal B 11", "A end", "pad A 11 5", "pad C 1 5", "A score 1 took=none", "A card J", "A compensate 2 points", "markers center=c3 bonus=c3", "A draw 99", "A flick B4 c3 c3>c3=9",
	} {
		all = append(all, Declaration{Say: SayAct, Move: move}, Declaration{Say: SayAct, Move: move, Keep: true}, Declaration{Say: SayPlay, Move: move})
	}
	return all
}
