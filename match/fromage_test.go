package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"diceref/rules"
	"diceref/rules/fromage"
	"diceref/scoring"
	"diceref/table"
)

// TestFromageSeenWhole plays legal acts at random and shows the table after each, or
// after several at once: the match tells the same acts, or asks, and no other position results.
func TestFromageSeenWhole(t *testing.T) {
	acts, doubts := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		players := rapid.IntRange(3, 5).Draw(t, "players")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		tab := newFromageTable(players)
		m := quietMatch(t, tab, nil)
		tab.show(m)
		var want []string
		for range 80 {
			s := position(m)
			if s.ToMove() == rules.Nobody {
				break
			}
			mv := randomAct(s, rng)
			tab.play(s, mv)
			acts++
			want = append(want, mv.String())
			if mv.Kind == fromage.End && s.Cart().Len() == 0 && sameHand(s, mv) {
				if err := m.Declare(Declaration{Say: SayNext}); err != nil {
					t.Fatal(err)
				}
			} else if mv.Kind == fromage.Compensate && mv.Dice.Len() == 0 {
				if err := m.Declare(Declaration{Say: SayPlay, Move: mv.String()}); err != nil {
					t.Fatal(err)
				}
			} else {
				tab.show(m)
			}
			next, err := s.Apply(mv)
			if err != nil {
				t.Fatal(err)
			}
			if after := next.(*fromage.State); after.MustEnd() {
				want = append(want, fromage.Move{Seat: after.Turn(), Kind: fromage.End}.String())
			}
			if got := toldMoves(m); !slices.Equal(got, want) {
				if m.ask != "" {
					doubts++
					t.Logf("asked after %s: %s", mv, m.ask)
				}
				t.Fatalf("after %s:\n%s", mv, cmp.Diff(want, got))
			}
		}
	})
	t.Logf("%d acts, %d doubts", acts, doubts)
}

func quietMatch(t *rapid.T, tab *zoneTable, options map[string]any) *Match {
	names := []string{"A", "B", "C", "D", "E"}
	m, err := New(Config{Game: tab.game, Players: names[:len(tab.zones)-2], Options: options, Zones: tab.zones})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// randomAct is a legal act, with Fromages more often than by chance.
func randomAct(s *fromage.State, rng *rand.Rand) fromage.Move {
	if !s.Rolled() {
		return s.Throw(1+rng.IntN(min(5, s.Shop())), rng)
	}
	moves := rules.SortMoves(s.Acts())
	if f := fromage.Fromages(s); len(f) > 0 && rng.IntN(2) == 0 {
		moves = f
	}
	return moves[rng.IntN(len(moves))].(fromage.Move)
}

// sameHand says whether the end of a turn returns no sets.
func sameHand(s *fromage.State, end fromage.Move) bool {
	back, _ := scoring.FromageSets(s.Hand(end.Seat))
	return back.Len() == 0
}

func toldMoves(m *Match) (list []string) {
	for _, e := range m.Events() {
		if e.Type == TypeMove && !e.Undone {
			list = append(list, fmt.Sprint(e.Move))
		}
	}
	return list
}

var _ = strings.Join
var _ = table.Red
