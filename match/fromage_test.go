package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/rules"
	"diceref/rules/fromage"
	"diceref/scoring"
	"diceref/table"
)

// fromageGames plays legal acts at random and hands each to the test until the game is over.
func fromageGames(t *testing.T, n int, play func(t *testing.T, g *fromageGame)) {
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 6))
		options := map[string]any{}
		if rng.IntN(3) == 0 {
			options["fat_min_each"] = 1
		}
		tab := newFromageTable(3 + rng.IntN(3))
		g := &fromageGame{rng: rng, tab: tab, m: tab.match(t, options)}
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { play(t, g) })
	}
}

// fromageGame is a game that is played at random before a match.
type fromageGame struct {
	rng  *rand.Rand
	tab  *zoneTable
	m    *Match
	s    *fromage.State // what was truly played
	acts []string
}

// act plays one legal act at random; points are said, and ends that leave no trace.
func (g *fromageGame) act(t *testing.T) {
	if g.s == nil {
		g.s = position(g.m)
		g.tab.show(g.m)
	}
	mv := withSets(g.s, randomAct(g.s, g.rng))
	g.tab.play(g.s, mv)
	if mv.Kind == fromage.Compensate && mv.Dice.Len() == 0 {
		g.say(t, Declaration{Say: SayPlay, Move: mv.String()})
	}
	if mv.Kind == fromage.End && g.s.Cart().Len() == 0 && sameHand(g.s, mv) {
		g.say(t, Declaration{Say: SayNext})
	}
	g.apply(t, mv)
	if g.s.MustEnd() {
		g.apply(t, fromage.Move{Seat: g.s.Turn(), Kind: fromage.End})
	}
}

// withSets has the end of a turn name the sets that go back.
func withSets(s *fromage.State, mv fromage.Move) fromage.Move {
	if back := s.Due(mv.Seat); mv.Kind == fromage.End && back.Len() > 0 {
		mv.Returned, mv.Dice = true, back
	}
	return mv
}

func (g *fromageGame) say(t *testing.T, d Declaration) {
	t.Helper()
	g.tab.show(g.m) // nobody says it before it is so
	if err := g.m.Declare(d); err != nil {
		t.Fatal(err)
	}
}

func (g *fromageGame) apply(t *testing.T, mv fromage.Move) {
	t.Helper()
	next, err := g.s.Apply(mv)
	if err != nil {
		t.Fatal(err)
	}
	g.s, g.acts = next.(*fromage.State), append(g.acts, mv.String())
}

func (g *fromageGame) over() bool { return g.s != nil && g.s.ToMove() == rules.Nobody }

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

// TestFromageActByAct shows the table after every act: the match tells the same acts
// without a question, and the scores are the same.
func TestFromageActByAct(t *testing.T) {
	fromageGames(t, 12, func(t *testing.T, g *fromageGame) {
		for n := 0; n < 120 && !g.over(); n++ {
			g.act(t)
			g.tab.show(g.m)
			if got := toldMoves(g.m); g.m.ask != "" || !slices.Equal(got, g.acts) {
				t.Fatalf("asked %q\n%s", g.m.ask, cmp.Diff(g.acts, got))
			}
		}
		if d := cmp.Diff(g.s.Score(), position(g.m).Score()); d != "" {
			t.Error(d)
		}
	})
}

// TestFromageTwoAtOnce shows the table after one act or two: the match tells the same
// acts, or asks. With the right answer it goes on.
func TestFromageTwoAtOnce(t *testing.T) {
	acts, asked, lost := 0, 0, 0
	fromageGames(t, 12, func(t *testing.T, g *fromageGame) {
		var shown []string
		open := 0
		for n := 0; n < 60 && !g.over(); n++ {
			for range 1 + g.rng.IntN(2) {
				if !g.over() {
					g.act(t)
					acts++
				}
			}
			if slices.Equal(g.tab.faces(), shown) {
				continue // no camera can tell
			}
			shown = g.tab.faces()
			g.tab.show(g.m)
			if m := g.m; m.ask != "" {
				asked++
				if !answerRightly(m, g.s) {
					lost++
					return
				}
			}
			if got := toldMoves(g.m); digest(g.s) == digest(position(g.m)) {
				open = 0
			} else if open++; open > 2 || len(got) > len(g.acts) || !slices.Equal(got, g.acts[:len(got)]) { // what has come since is known with the next views
				t.Fatalf("%s\n%s", cmp.Diff(g.s.Score(), position(g.m).Score()), cmp.Diff(g.acts, toldMoves(g.m)))
			}
		}
	})
	t.Logf("%d acts, %d doubts, %d of them without the right answer", acts, asked, lost)
}

// answerRightly chooses the answer that leads to the position.
func answerRightly(m *Match, s *fromage.State) bool {
	for _, o := range m.offers {
		if _, end := m.foresee(o); end != nil && digest(end) == digest(s) {
			return m.Declare(Declaration{Say: SayAnswer, Choice: o.says.String()}) == nil
		}
	}
	return false
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

// TestFromageUnderNoise plays whole games before a camera that overlooks dice, reads
// them as others, and sees some that are none. Whatever is told is what was played, in
// order; what it is not sure of it asks, and knows once the table is clearly seen.
func TestFromageUnderNoise(t *testing.T) {
	acts, asked := 0, 0
	fromageGames(t, 8, func(t *testing.T, g *fromageGame) {
		for n := 0; n < 80 && !g.over(); n++ {
			g.act(t)
			acts++
			g.tab.show(g.m, noise(g.rng))
			got := toldMoves(g.m)
			if len(got) > len(g.acts) || !slices.Equal(got, g.acts[:len(got)]) {
				t.Fatalf("told what was not played:\n%s", cmp.Diff(g.acts, got))
			}
			for k := 0; k < 2 && len(got) < len(g.acts); k++ {
				asked += 1 - k
				g.tab.show(g.m)
				got = toldMoves(g.m)
			}
			if g.m.ask != "" && len(got) < len(g.acts) {
				answerRightly(g.m, g.s)
			}
			if got = toldMoves(g.m); !slices.Equal(got, g.acts) {
				t.Fatalf("asked %q when all was clear\n%s", g.m.ask, cmp.Diff(g.acts, got))
			}
		}
		if d := cmp.Diff(g.s.Score(), position(g.m).Score()); d != "" {
			t.Error(d)
		}
	})
	t.Logf("%d acts, %d of them not known at first", acts, asked)
}

// noise spoils one view in all its frames alike, and each frame on its own.
func noise(rng *rand.Rand) change {
	seed := rng.Uint64()
	return func(obs *table.Observation) {
		view := rand.New(rand.NewPCG(seed, 1))
		dice := obs.Dice[:0:0]
		for _, r := range obs.Dice {
			other := 1 + view.IntN(6)
			switch p := view.Float64(); {
			case p < 0.005: // not seen in this view
				continue
			case p < 0.02 && other != r.Face:
				doubtfully(&r, other, 0.2+0.2*view.Float64())
			case p < 0.05 && other != r.Face:
				face := r.Face
				doubtfully(&r, other, 0.6)
				r.Face = face
			}
			if rng.Float64() < 0.01 { // not seen in this frame
				continue
			}
			if r.Sure && rng.Float64() < 0.01 {
				doubtfully(&r, 1+rng.IntN(6), 0.3)
			}
			dice = append(dice, r)
		}
		obs.Dice = dice
	}
}
