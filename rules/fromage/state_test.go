package fromage

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// The optional abilities that this game has.
var (
	_ rules.Winner       = (*State)(nil)
	_ rules.LooseWatcher = (*State)(nil)
)

func newState(t *testing.T, players int, options map[string]any) *State {
	t.Helper()
	s, err := Game.New(rules.Setup{Players: players, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	return s.(*State)
}

func words(moves []rules.Move) string {
	w := make([]string, len(moves))
	for i, m := range moves {
		w[i] = m.String()
	}
	return strings.Join(w, "; ")
}

func TestSteals(t *testing.T) {
	for partial, want := range map[bool]string{
		true:  "A steal B 22; A steal B 222; A steal C 55; A steal C 555; A steal C 5555; A steal C 55555",
		false: "A steal B 222",
	} {
		s := newState(t, 3, map[string]any{"partial_set_steal": partial})
		s.rolled = 5
		s.hands = [maxSeats]scoring.Faces{{1: 2}, {2: 3, 4: 1}, {5: 6}}
		if got := words(Steals(s)); got != want {
			t.Errorf("partial %v: %s, want %s", partial, got, want)
		}
		s.kept = true
		if got := Steals(s); len(got) > 0 {
			t.Errorf("after keeping: %s", words(got))
		}
	}
}

// TestEndOfGame walks the checks of RULES.md 3.8 in their order.
func TestEndOfGame(t *testing.T) {
	for _, c := range []struct {
		name                string
		shop, points, final int
		over                bool
		left                int
	}{
		{"goes on", 9, 16, noFinal, false, noFinal},
		{"the shop is empty enough", 8, 0, noFinal, true, noFinal},
		{"twenty", 9, 20, noFinal, false, 2},
		{"twenty and an empty shop", 8, 20, noFinal, true, noFinal},
		{"final round", 9, 0, 2, false, 1},
		{"final round, twenty again", 9, 20, 2, false, 1},
		{"last turn of the final round", 9, 0, 1, true, 0},
		{"the shop ends the final round", 8, 0, 2, true, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newState(t, 3, nil)
			s.shop, s.final, s.score[0].before = c.shop, c.final, c.points
			var now rules.State = s
			for _, text := range []string{"A roll 1", "A keep 1", "A end"} {
				m, err := Game.ParseMove(text)
				if err != nil {
					t.Fatal(err)
				}
				if now, err = now.Apply(m); err != nil {
					t.Fatal(err)
				}
			}
			s = now.(*State)
			if s.over != c.over || s.final != c.left {
				t.Errorf("over %v with %d turns left, want %v, %d", s.over, s.final, c.over, c.left)
			}
			if who := s.ToMove(); (who == rules.Nobody) != c.over {
				t.Errorf("%v is to move", who)
			}
			moves, complete := s.Legal()
			if c.over && (len(moves) > 0 || !complete) {
				t.Errorf("legal after the end: %s", words(moves))
			}
			if err := s.Check(Move{Seat: 1, Kind: Roll, Dice: scoring.Faces{1: 1}}); c.over != (err != nil) {
				t.Errorf("a roll is judged %v", err)
			}
		})
	}
}

func TestWinnersByLastTurn(t *testing.T) {
	s := newState(t, 3, nil)
	s.score[0].sets, s.score[1].sets = 12, 12
	s.last = [maxSeats]int{5, 6, 0}
	if got := fmt.Sprint(s.Winners()); got != "[A]" {
		t.Errorf("%s win: A took a turn least recently", got)
	}
	s.score[2].answers = 12
	if got := fmt.Sprint(s.Winners()); got != "[C]" {
		t.Errorf("%s win: C never had a turn", got)
	}
}

func TestProposeLoose(t *testing.T) {
	see := func(faces ...int) (list []table.Reading) {
		for _, f := range faces {
			list = append(list, table.Reading{Die: table.Die{Color: table.White, Face: f}})
		}
		return list
	}
	s := newState(t, 3, nil)
	for _, c := range []struct {
		before, now []table.Reading
		want        string
	}{
		{nil, see(6, 1, 2), "A roll 126"},
		{see(1, 2, 6), see(6, 1, 2), ""},
		{see(1, 2), see(6, 1, 2), "A roll 126"},
		{nil, see(1, 1, 1, 1, 1, 1), ""},
		{nil, see(0), ""},
		{nil, nil, ""},
	} {
		if got := words(s.ProposeLoose(c.before, c.now)); got != c.want {
			t.Errorf("%v after %v is proposed as %q, want %q", c.now, c.before, got, c.want)
		}
	}
}

func TestShow(t *testing.T) {
	s := newState(t, 3, map[string]any{"fat_min_each": 1})
	s.hands = [maxSeats]scoring.Faces{{1: 1}, {2: 2}, {5: 1}}
	s.rolled, s.cart, s.kept, s.shop = 2, scoring.Faces{6: 1}, true, 20
	text, err := json.Marshal(s.Show(rules.Nobody))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"shop":20,"cart":[6],"rolled":true,"hands":[[1],[2,2],[5]],"scores":[0,0,0],"turn":0,"owed":[],"keep":0,"may_end":true,"final_left":null,"over":false,` +
		`"cheeses":["Gouda","Swiss","Bleu","Cheddar","American","Brie"],"steals":[],` +
		`"fromages":[{"action":"fromage","takes":[["B",2],["C",5]],"set":[1,2,5]}]}`
	if string(text) != want {
		t.Errorf("shows %s\nwant  %s", text, want)
	}
}

func TestThrow(t *testing.T) {
	s := newState(t, 3, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= MaxRoll; n++ {
		if err := s.Check(s.Throw(n, rng)); err != nil {
			t.Errorf("%d dice: %v", n, err)
		}
	}
}

// TestReconcileRoll lets the dice of a roll come into view.
func TestReconcileRoll(t *testing.T) {
	view := func(faces ...int) table.Observation {
		seen := table.Observation{Game: table.FromageATrois, Look: table.LookStill, Read: true}
		for _, f := range faces {
			seen.Dice = append(seen.Dice, table.Reading{Die: table.Die{Color: table.White, Face: f}, Confidence: 0.999, Sure: true})
		}
		return seen
	}
	s := newState(t, 3, nil)
	for _, before := range [][]table.Reading{nil, view(6, 6, 6, 1, 2).Dice} {
		got := rules.Reconcile(s, view(1, 2, 3, 4, 5), rules.ReconcileOptions{Before: before})
		if got.Verdict != rules.Explained || words(got.Line) != "A roll 12345" {
			t.Errorf("before %v: %s %s", before, got.Verdict, got.Story)
		}
	}
	seen := view(1, 2, 3, 4, 5)
	if got := rules.Reconcile(s, seen, rules.ReconcileOptions{Before: seen.Dice}); got.Verdict != rules.Unchanged {
		t.Errorf("nothing changed: %s %s", got.Verdict, got.Story)
	}
}
