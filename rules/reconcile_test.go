package rules_test

import (
	"strings"
	"testing"

	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/rules/dicebox"
	"diceref/rules/rulestest"
	"diceref/table"
)

// after replays a game and returns the last position and those before it, the latest first.
func after(t *testing.T, g rules.Game, players int, acts string) (now rules.State, earlier []rules.State) {
	t.Helper()
	now, err := g.New(rules.Setup{Players: players})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Split(acts, "; ") {
		m, err := g.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		next, err := now.Apply(m)
		if err != nil {
			t.Fatal(err)
		}
		earlier = append([]rules.State{now}, earlier...)
		now = next
	}
	return now, earlier
}

// change is a difference between the picture of the expected table and what is seen.
type change struct {
	square string
	die    table.Die // no color: nothing is seen
	// or, if p is not 0, this face is read with confidence p, and the rest goes to other.
	p     float64
	other int
}

func look(t *testing.T, g rules.Game, s rules.State, changes []change) table.Observation {
	t.Helper()
	seen := rulestest.Picture(g.Name(), s.Expect())
	for _, c := range changes {
		sq, err := rules.ParseSquare(c.square)
		if err != nil {
			t.Fatal(err)
		}
		for i := range seen.Dice {
			if at := seen.Dice[i].Square; at != nil && *at == sq {
				seen.Dice = append(seen.Dice[:i:i], seen.Dice[i+1:]...)
				break
			}
		}
		if c.die.Color == table.NoColor {
			continue
		}
		r := table.Reading{Die: c.die, Square: &sq, Confidence: 1, Sure: true}
		if c.p > 0 {
			r.Confidence, r.Sure = c.p, false
			r.Faces[c.die.Face], r.Faces[c.other] = c.p, 1-c.p
			r.Colors[c.die.Color] = 1
		}
		seen.Dice = append(seen.Dice, r)
	}
	return seen
}

func TestReconcile(t *testing.T) {
	red := func(f int) table.Die { return table.Die{Color: table.Red, Face: f} }
	white := func(f int) table.Die { return table.Die{Color: table.White, Face: f} }
	yellow := func(f int) table.Die { return table.Die{Color: table.Yellow, Face: f} }
	none := table.Die{}
	box := "seed 3; A place R2 d3; B place W4 b3"
	dessert := "A place R3 c3; B place Y1 a1"
	for _, c := range []struct {
		name        string
		g           rules.Game
		acts        string
		changes     []change
		lastIllegal bool
		verdict     rules.Verdict
		story       string
	}{
		{"nothing", dicebox.Game, box, nil, false, rules.Unchanged, "nothing has changed"},
		{"a placement", dicebox.Game, box, []change{{square: "d2", die: red(3)}}, false, rules.Explained, "A place R3 d2"},
		{"a wrong value", dicebox.Game, box, []change{{square: "d2", die: red(4)}}, false, rules.IllegalAct, "A place R4 d2 (BX-VALUE)"},
		{"an isolated die", dicebox.Game, box, []change{{square: "a1", die: red(4)}}, false, rules.IllegalAct, "A place R4 a1 (BX-ISOLATED)"},
		{"a wrong value, read doubtfully", dicebox.Game, box, []change{{square: "d2", die: red(4), p: 0.9, other: 3}}, false, rules.Ambiguous, ""},
		{"a wrong value or a right one, as likely", dicebox.Game, box, []change{{square: "d2", die: red(4), p: 0.5, other: 3}}, false, rules.Explained, "A place R3 d2"},
		{"either of two right values", dicebox.Game, box, []change{{square: "d2", die: red(3), p: 0.6, other: 1}}, false, rules.Ambiguous, ""},
		{"a right value, read doubtfully", dicebox.Game, box, []change{{square: "d2", die: red(3), p: 0.9, other: 4}}, false, rules.Explained, "A place R3 d2"},
		{"taken back", dicebox.Game, box, []change{{square: "b3", die: none}}, false, rules.TakenBack, "the last move was taken back"},
		{
			"an illegal act put right", dicebox.Game, "seed 3; A place R5 d3",
			[]change{{square: "d3", die: none}, {square: "c2", die: red(2)}},
			true,
			rules.TakenBack, "the last move was taken back, then A place R2 c2",
		},
		{"a die shows another top, doubtfully", dicebox.Game, box, []change{{square: "d3", die: red(4), p: 0.8, other: 2}}, false, rules.Unchanged, "nothing has changed"},
		{"a die was turned", dicebox.Game, box, []change{{square: "d3", die: red(4)}}, false, rules.IllegalAct, "A shift d3 d3 R4 (BX-MOVED)"},
		{"a die was moved", dicebox.Game, box, []change{{square: "d3", die: none}, {square: "e5", die: red(2)}}, false, rules.IllegalAct, "A shift d3 e5 R2 (BX-MOVED)"},
		{"a die left the view", dicebox.Game, box, []change{{square: "d3", die: none}}, false, rules.Unexplained, ""},
		{"two placements in turn", dicebox.Game, box, []change{{square: "d2", die: red(3)}, {square: "d1", die: white(2)}}, false, rules.Explained, "A place R3 d2, then B place W2 d1"},
		{"two placements in either order", dicebox.Game, box, []change{{square: "d2", die: red(3)}, {square: "b2", die: white(3)}}, false, rules.Ambiguous, ""},
		{"all swept away", dicebox.Game, box, []change{{square: "d3", die: none}, {square: "c3", die: none}, {square: "b3", die: none}}, false, rules.Unexplained, ""},

		{"a tip", dessertdice.Game, dessert, []change{{square: "c3", die: none}, {square: "c2", die: red(5)}}, false, rules.Explained, "A move c3 c2 R5"},
		{"a slide", dessertdice.Game, dessert, []change{{square: "c3", die: none}, {square: "c2", die: red(3)}}, false, rules.IllegalAct, "A move c3 c2 R3 (DD-MOVE-SLIDE)"},
		{"a diagonal move", dessertdice.Game, dessert, []change{{square: "c3", die: none}, {square: "b2", die: red(3)}}, false, rules.IllegalAct, "A move c3 b2 R3 (DD-MOVE-DIAG)"},
		{"a diagonal move, or two tips", dessertdice.Game, dessert, []change{{square: "c3", die: none}, {square: "b2", die: red(5)}}, false, rules.Ambiguous, ""},
		{
			"a diagonal move of the die placed last", dessertdice.Game, dessert,
			[]change{{square: "a1", die: none}, {square: "b2", die: yellow(1)}},
			false,
			rules.IllegalAct, "A move a1 b2 Y1 (DD-MOVE-DIAG)",
		},
		{"a tip to a face that the reader doubts", dessertdice.Game, dessert, []change{{square: "c3", die: none}, {square: "c2", die: red(4), p: 0.9, other: 5}}, false, rules.Ambiguous, ""},
		{
			"the second tip resolves a doubt", dessertdice.Game, dessert + "; A move c3 c2 R5; B place Y2 e5",
			[]change{{square: "c2", die: none}, {square: "c1", die: red(6), p: 0.5, other: 4}},
			false, rules.Explained, "A move c2 c1 R4",
		},
		{
			"a wrong second tip", dessertdice.Game, dessert + "; A move c3 c2 R5; B place Y2 e5",
			[]change{{square: "c2", die: none}, {square: "c1", die: red(6)}},
			false, rules.IllegalAct, "A move c2 c1 R6 (DD-MOVE-ORIENT)",
		},
		{"undone or taken back", dessertdice.Game, dessert + "; A move c3 c2 R5", []change{{square: "c2", die: none}, {square: "c3", die: red(3)}}, false, rules.Ambiguous, ""},
		{
			"an illegal slide taken back", dessertdice.Game, dessert + "; A move c3 c2 R3",
			[]change{{square: "c2", die: none}, {square: "c3", die: red(3)}},
			true,
			rules.TakenBack, "the last move was taken back",
		},
		{
			"a seventh red die", dessertdice.Game, "A place R1 a1; B place R1 b1; A place R1 c1; B place R1 d1; A place R1 e1; B place R1 a2",
			[]change{{square: "e5", die: red(2)}},
			false, rules.Unexplained, "",
		},
		{"a turned die", dessertdice.Game, dessert, []change{{square: "c3", die: red(5)}}, false, rules.IllegalAct, "A turn c3 R5 (DD-TURNED)"},
	} {
		t.Run(string(c.g.Name())+"/"+c.name, func(t *testing.T) {
			now, earlier := after(t, c.g, 2, c.acts)
			got := rules.Reconcile(now, look(t, c.g, now, c.changes), rules.ReconcileOptions{Earlier: earlier[:1], LastIllegal: c.lastIllegal})
			if got.Verdict != c.verdict || c.story != "" && got.Story.String() != c.story {
				t.Errorf("%s: %s (margin %.1f, misfit %.1f) %s; want %s: %s", got.Verdict, got.Story, got.Margin, got.Misfit, got.Ask, c.verdict, c.story)
			}
			if (got.Verdict == rules.Ambiguous || got.Verdict == rules.Unexplained) != (got.Ask != "") {
				t.Errorf("%s asks %q", got.Verdict, got.Ask)
			}
		})
	}
}

func TestReconcileLooseDice(t *testing.T) {
	now, _ := after(t, dicebox.Game, 2, "seed 3; A place R2 d3")
	loose := func(confidence float64, faces ...int) []table.Reading {
		var list []table.Reading
		for _, f := range faces {
			list = append(list, table.Reading{Die: table.Die{Color: table.Red, Face: f}, Confidence: confidence, Sure: confidence > 0.99})
		}
		return list
	}
	for _, c := range []struct {
		name    string
		before  []table.Reading
		now     []table.Reading
		verdict rules.Verdict
	}{
		{"the same", loose(1, 1, 2, 3), loose(1, 3, 1, 2), rules.Unchanged},
		{"rerolled", loose(1, 1, 2, 3), loose(1, 4, 4, 6), rules.Explained},
		{"one changed", loose(1, 1), loose(1, 4), rules.Explained},
		{"one changed, perhaps", loose(0.9, 1), loose(0.9, 4), rules.Ambiguous},
		{"one changed, hardly read", loose(0.9, 1, 2, 3), loose(0.3, 1, 2, 4), rules.Unchanged},
		{"one out of view", loose(1, 1, 2, 3), loose(1, 1, 2), rules.Unchanged},
	} {
		seen := rulestest.Picture(table.DiceBox, now.Expect())
		seen.Dice = append(seen.Dice, c.now...)
		got := rules.Reconcile(now, seen, rules.ReconcileOptions{Before: c.before})
		if got.Verdict != c.verdict {
			t.Errorf("%s: %s: %s (margin %.1f), want %s", c.name, got.Verdict, got.Story, got.Margin, c.verdict)
		}
		if got.Verdict == rules.Explained && got.Story.String() != "B reroll" {
			t.Errorf("%s: %s", c.name, got.Story)
		}
	}
}

func TestReconcileWithoutBoard(t *testing.T) {
	now, _ := after(t, dicebox.Game, 2, "seed 3")
	got := rules.Reconcile(now, table.Observation{Game: table.DiceBox, Grid: &table.Grid{}}, rules.ReconcileOptions{})
	if got.Verdict != rules.Unexplained || got.Ask != "I cannot see the board." {
		t.Errorf("%s: %q", got.Verdict, got.Ask)
	}
}

// BenchmarkReconcile compares a placement on a board of 13 dice, one of them read doubtfully.
func BenchmarkReconcile(b *testing.B) {
	acts := strings.Split("A place R1 a1; B place Y1 c1; A place G1 e1; B place P1 b2; A place R2 d2; B place Y2 a3; A place G2 c3; B place P2 e3; "+
		"A place R3 b4; B place Y3 d4; A place G3 a5; B place P3 c5", "; ")
	now, err := rules.Replay(dessertdice.Game, rules.Setup{Players: 2}, acts)
	if err != nil {
		b.Fatal(err)
	}
	before, err := rules.Replay(dessertdice.Game, rules.Setup{Players: 2}, acts[:len(acts)-1])
	if err != nil {
		b.Fatal(err)
	}
	m, err := dessertdice.Game.ParseMove("A place K5 e5")
	if err != nil {
		b.Fatal(err)
	}
	next, err := now.Apply(m)
	if err != nil {
		b.Fatal(err)
	}
	seen := rulestest.Picture(table.DessertDice, next.Expect())
	r := &seen.Dice[0]
	r.Sure, r.Confidence, r.Face = false, 0.6, 4
	for b.Loop() {
		if got := rules.Reconcile(now, seen, rules.ReconcileOptions{Earlier: []rules.State{before}}); got.Verdict != rules.Explained {
			b.Fatal(got.Verdict, got.Story)
		}
	}
}
