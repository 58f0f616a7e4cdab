package match

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/belief"
	"diceref/match/internal/readings"
	"diceref/rules/diceflick"
	"diceref/table"
)

// hands lie over the arena for so many frames.
func (a *arenaViews) hands(n int) {
	for range n {
		a.m.See(table.Observation{Game: a.m.setting.Game, Width: 800, Height: 600, Look: table.LookHand, Frame: a.frame, T: float64(a.frame) / 10})
		a.frame++
	}
}

// say declares a word for the frame that was seen last.
func (a *arenaViews) say(t *testing.T, word string) {
	t.Helper()
	frame := a.frame - 1
	declare(t, a.m, Declaration{Frame: &frame, Say: word})
}

// atArena begins a game of DICE Flick of two at an empty arena.
func atArena(t *testing.T) *arenaViews {
	t.Helper()
	m, err := New(Config{Game: table.DiceFlick, Players: []string{"A", "B"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	a := &arenaViews{views{m: m}}
	a.show(nil)
	return a
}

// arena is dice in holes, as "a1 Y3 b2 P".
func arena(words string) map[string]table.Die {
	dice := map[string]table.Die{}
	list := strings.Fields(words)
	for i := 0; i+1 < len(list); i += 2 {
		d := table.Die{Color: map[byte]table.Color{'Y': table.Yellow, 'G': table.Green, 'B': table.Blue, 'W': table.White, 'P': table.Pink}[list[i+1][0]]}
		if len(list[i+1]) > 1 {
			d.Face = int(list[i+1][1] - '0')
		}
		dice[list[i]] = d
	}
	return dice
}

// TestUnseenFlicks: flicks and scorings of DICE Flick of which the arena showed less than what
// happened. Each is told as it was, most likely, without a question, and where another way is likely it is thought of.
func TestUnseenFlicks(t *testing.T) {
	for name, c := range map[string]struct {
		play   func(a *arenaViews)
		events []string // of what is in force
		open   string   // moves of another way, one after the other; empty: none is likely
	}{
		"a die took the hole of one of its color, and the next came": {
			func(a *arenaViews) {
				a.show(arena("a1 Y4"))
				a.show(arena("a1 Y4 b5 B2"))
			},
			[]string{"flick B a1 yellow 4", "flick B b5 blue 2"},
			"",
		},
		"the same, and one missed": {
			func(a *arenaViews) {
				a.show(arena("a1 Y4"))
				a.say(t, SayMiss)
				a.hands(1)
			},
			[]string{"flick B a1 yellow 4", "miss B"},
			"arena Y4 .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .., B miss ?",
		},
		"the same as the last flick of a turn": {
			func(a *arenaViews) {
				a.show(arena("a1 Y3 b5 B2"))
				a.show(arena("a1 Y4 b5 B2"))
				a.say(t, SayNext)
				a.hands(1)
			},
			[]string{"flick B b5 blue 2", "flick B a1 yellow 4", "score B round 1: 0 []"},
			"",
		},
		"the same, and it was scored": {
			func(a *arenaViews) {
				a.show(arena("a1 Y3 a2 Y2"))
				a.show(arena("a1 Y3 a2 Y2 a3 Y6"))
				a.say(t, SayNext)
				a.show(arena("a1 Y3 a2 Y2 a3 Y6 c5 B2"))
				a.show(arena("a1 Y4 a2 Y2 a3 Y6 c5 B2"))
				a.show(arena("c5 B2"))
				a.say(t, SayNext)
				a.hands(1)
			},
			[]string{
				"flick B a2 yellow 2", "flick B a3 yellow 6", "score B round 1: 0 []",
				"flick A c5 blue 2", "flick A a1 yellow 4", "score A round 2: 12 [a1 a2 a3]",
			},
			"",
		},
		"scored under hands, and the next player has flicked": {
			func(a *arenaViews) {
				a.show(arena("a1 Y3 a2 Y2"))
				a.show(arena("a1 Y3 a2 Y2 a3 Y5"))
				a.hands(10)
				a.say(t, SayNext)
				a.hands(2)
				a.show(arena("c5 W1"))
			},
			[]string{"flick B a2 yellow 2", "flick B a3 yellow 5", "score B round 1: 10 [a1 a2 a3]", "flick A c5 white 1"},
			"",
		},
		"the last flick under hands, before the end": {
			func(a *arenaViews) {
				a.show(arena("a1 Y3 a2 G2"))
				a.hands(10)
				a.say(t, SayNext)
				a.hands(2)
				a.show(arena("a1 Y3 a2 G2 c5 W1"))
			},
			[]string{"flick B a2 green 2", "flick B c5 white 1", "score B round 1: 0 []"},
			"B miss ?, B score ? took=none, A flick W1 c5",
		},
		"two came in, and one has pushed another out": {
			func(a *arenaViews) { a.show(arena("a1 G2 c5 W1")) },
			[]string{"flick B a1 green 2", "flick B c5 white 1"},
			"",
		},
		"scored, and something else is hardly taken for one of them": {
			func(a *arenaViews) {
				a.show(arena("a1 Y3 c5 Y3"))
				a.show(arena("a1 Y3 c5 Y3 c3 P"))
				a.see(func(int) []table.Reading {
					first, sq := table.Square{}, table.Square{Row: 3, Col: 4}
					r := readings.Sure(table.Die{Color: table.Yellow, Face: 1}, &sq, onBoard(sq))
					r.Sure, r.Confidence, r.Faces[1] = false, .46, .24
					return []table.Reading{readings.Sure(table.Die{Color: table.Yellow, Face: 3}, &first, onBoard(first)), r}
				})
				a.say(t, SayNext)
				a.hands(1)
			},
			[]string{"flick B c5 yellow 3", "flick B c3 pink -", "score B round 1: 15 [c3 c5]"},
			"B flick Y1 e4",
		},
		"several left as the last flick came in": {
			func(a *arenaViews) {
				a.show(arena("a1 Y3 a2 Y2"))
				a.show(arena("a1 Y3 a2 Y2 a3 Y6"))
				a.say(t, SayNext)
				a.show(arena("a1 Y3 a2 Y2 a3 Y6 b5 B1"))
				a.show(arena("b5 B1 c5 W1"))
				a.say(t, SayNext)
				a.hands(1)
			},
			[]string{
				"flick B a2 yellow 2", "flick B a3 yellow 6", "score B round 1: 0 []",
				"flick A b5 blue 1", "flick A c5 white 1", "score A round 2: 11 [a1 a2 a3]",
			},
			"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := atArena(t)
			m := a.m
			a.show(arena("a1 Y3"))
			a.say(t, SayMiss)
			a.hands(1)
			a.say(t, SayNext)
			a.show(arena("a1 Y3"))
			c.play(a)
			want := append([]string{"start", "flick A a1 yellow 3", "miss A", "score A round 1: 0 []"}, c.events...)
			if diff := cmp.Diff(want, inForceNow(m)); diff != "" {
				t.Errorf("events differ (- wanted, + told):\n%s", diff)
			}
			p := m.turns.set.Chance(func(h belief.Hypothesis[diceflick.View]) bool {
				return strings.Contains(strings.Join(wordsOf(h.Line), ", "), c.open)
			})
			if c.open != "" && (p < .0005 || p > beyondDoubt) {
				t.Errorf("%q has the probability %.4g", c.open, p)
			}
			for _, e := range m.Events() {
				if e.Type == TypeDoubt {
					t.Errorf("asked %q, %q", e.Ask, e.Choices)
				}
			}
		})
	}
}

// TestHandsToTheEnd: a turn that ends while hands lie over the arena to the end of the source is
// told as it was seen last, with a doubt; one that is seen after them is told without.
func TestHandsToTheEnd(t *testing.T) {
	for name, seen := range map[string]bool{"hands to the end": false, "seen once more": true} {
		t.Run(name, func(t *testing.T) {
			a := atArena(t)
			m := a.m
			a.show(arena("a1 Y3"))
			a.show(arena("a1 Y3 a2 Y2"))
			end := a.frame + 20
			declare(t, m, Declaration{Frame: &end, Say: SayNext})
			for a.hands(10); a.frame <= end; {
				if seen {
					a.show(arena("a1 Y3 a2 Y2"))
				} else {
					a.hands(1)
				}
			}
			m.Finish()
			doubts := 0
			for _, e := range m.Events() {
				if e.Type == TypeDoubt {
					doubts++
				}
			}
			if want := map[bool]int{false: 1, true: 0}[seen]; doubts != want {
				t.Errorf("%d doubts, want %d: %q", doubts, want, inForceNow(m))
			}
			if told := inForceNow(m); !slices.Contains(told, "score A round 1: 0 []") {
				t.Errorf("told %q, want A's score", told)
			}
		})
	}
}

// TestLookedAtBefore: a view of the arena counts as seen though players tell something about the match before the next one, so that
// what comes to rest then is no print.
func TestLookedAtBefore(t *testing.T) {
	a := atArena(t)
	declare(t, a.m, Declaration{Say: SayFirst, Player: "B"})
	a.glimpsed(t, "", unclear{"c3", table.Die{Color: table.White, Face: 4}, table.Green, .955})
	a.hands(1)
	if got, want := inForceNow(a.m), []string{"start", "first", "flick B c3 white 4"}; !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

// TestLikelyOfTheGame: only dice that the game has are offered for a doubtful reading.
func TestLikelyOfTheGame(t *testing.T) {
	r := table.Reading{Die: table.Die{Color: table.White, Face: 1}, Confidence: .34}
	r.Colors[table.White], r.Colors[table.Pink] = .67, .33
	r.Faces[0], r.Faces[1] = .98, .01 // no face that can be read: a blast die, if it is one
	want := []table.Die{{Color: table.Pink}, {Color: table.White, Face: 1}}
	if got := likely(table.DiceFlick.Kit(), r); !slices.Equal(got, want) {
		t.Errorf("what may be %v is %v, want %v", r.Die, got, want)
	}
}

// TestKnownByScoring: a die that nobody could read is the one without which no scoring takes the
// dice that left.
func TestKnownByScoring(t *testing.T) {
	a := atArena(t)
	m := a.m
	a.show(arena("a1 Y3"))
	a.show(arena("a1 Y3 a2 Y2"))
	a.say(t, SayNext)
	a.show(arena("a1 Y3 a2 Y2 c5 W1"))
	a.see(func(int) (list []table.Reading) {
		for hole, d := range arena("a1 Y3 a2 Y2 c5 W1") {
			sq := squareOf(t, hole)
			list = append(list, readings.Sure(d, &sq, onBoard(sq)))
		}
		sq := squareOf(t, "a3")
		r := readings.Sure(table.Die{Color: table.Blue, Face: 5}, &sq, onBoard(sq))
		r.Sure, r.Confidence = false, .55
		r.Colors[table.Blue], r.Colors[table.Yellow] = .55, .45
		return append(list, r)
	})
	a.show(arena("c5 W1"))
	a.say(t, SayNext)
	a.hands(1)
	got, want := wordsOf(m.movesSince(0)), []string{"B flick W1 c5", "B flick Y5 a3", "B score ? took=a1,a2,a3"}
	if got = got[max(0, len(got)-len(want)):]; !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

// squareOf is the square of that name.
func squareOf(t *testing.T, name string) table.Square {
	t.Helper()
	for i := range table.Size * table.Size {
		if sq := table.SquareAt(i); sq.String() == name {
			return sq
		}
	}
	t.Fatalf("no square %q", name)
	return table.Square{}
}
