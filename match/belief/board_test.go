package belief_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"diceref/match/belief"
	"diceref/match/internal/readings"
	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/table"
)

// onTable is a game of Dessert Dice and what a camera reads of it.
type onTable struct {
	state  rules.State
	seen   *belief.Sight
	second *belief.Board // the world that is true
}

func newOnTable(t interface{ Fatal(...any) }) *onTable {
	s, err := dessertdice.Game.New(rules.Setup{Players: 2})
	if err != nil {
		t.Fatal(err)
	}
	return &onTable{state: s, second: belief.OnBoard(s)}
}

// read is a reading of the table, with changes.
func (o *onTable) read(change func(sq table.Square, r *table.Reading)) table.Observation {
	obs := table.Observation{Game: table.DessertDice, Read: true, Look: table.LookStill}
	for i, d := range rules.ExpectedBoard(o.state.Expect()) {
		if d.Color == table.NoColor {
			continue
		}
		sq := table.SquareAt(i)
		r := table.Reading{Die: d, Square: &sq, Confidence: .995, Sure: true}
		r.Faces[d.Face], r.Colors[d.Color] = 1, 1
		if change != nil {
			change(sq, &r)
		}
		obs.Dice = append(obs.Dice, r)
	}
	return obs
}

// see is what is believed once the table was looked at.
func (o *onTable) see(set belief.Set[*belief.Sight], change func(table.Square, *table.Reading)) (belief.Set[*belief.Sight], bool) {
	o.seen = belief.SightOf([]table.Observation{o.read(change)}, o.seen)
	return set.Observe(o.seen)
}

func (o *onTable) play(t interface{ Fatal(...any) }, mv rules.Move) {
	next, err := o.second.After(mv)
	if err != nil {
		t.Fatal(err)
	}
	o.second, o.state = next, next.State()
}

// TestBoardSet: whatever is played and however it is read, the probabilities add up to one, and knowing what is true never
// removes it. What is played legally and read surely is what is believed most.
func TestBoardSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := newOnTable(t)
		set := belief.New[*belief.Sight](o.second)
		set, _ = o.see(set, nil) // the empty board
		spoiled := rapid.Bool().Draw(t, "spoiled")
		for range rapid.IntRange(1, 8).Draw(t, "acts") {
			moves, _ := o.state.Legal()
			o.play(t, rapid.SampledFrom(moves).Draw(t, "act"))
			var ok bool
			set, ok = o.see(set, func(sq table.Square, r *table.Reading) {
				if spoiled && rapid.IntRange(0, 9).Draw(t, "misread") == 0 {
					readings.Doubt(r, rapid.IntRange(1, 6).Draw(t, "face"), rapid.Float64Range(.3, .9).Draw(t, "probability"))
				}
			})
			if !ok {
				t.Fatal("nothing explains what is seen")
			}
			if sum := set.Chance(func(belief.Hypothesis[*belief.Sight]) bool { return true }); math.Abs(sum-1) > 1e-9 {
				t.Fatalf("the probabilities add up to %v", sum)
			}
			isTrue := func(h belief.Hypothesis[*belief.Sight]) bool { return h.World.Key() == o.second.Key() }
			chance := set.Chance(isTrue)
			if !spoiled && chance < .5 {
				t.Fatalf("%v is believed by %.3f only; most likely is %v", o.second.Key(), chance, set.Best().Line)
			}
			if chance == 0 {
				return // so unlikely that it is not thought of
			}
			if known, ok := set.Condition(isTrue); !ok || known.Chance(isTrue) < 1-1e-9 {
				t.Fatal("what is true has gone, once it was known")
			}
		}
	})
}

// TestOrderOfViews: of two views of a table on which nothing happens, in each of which another die is doubtful, it does not
// matter which comes first.
func TestOrderOfViews(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := newOnTable(t)
		for _, act := range []string{"A place R3 c3", "B place G5 a1", "A place Y2 e5"} {
			mv, err := dessertdice.Game.ParseMove(act)
			if err != nil {
				t.Fatal(err)
			}
			base.play(t, mv)
		}
		p, q := rapid.Float64Range(.2, .8).Draw(t, "p"), rapid.Float64Range(.2, .8).Draw(t, "q")
		views := []func(table.Square, *table.Reading){
			func(sq table.Square, r *table.Reading) {
				if sq.String() == "c3" {
					readings.Doubt(r, 5, p)
				}
			},
			func(sq table.Square, r *table.Reading) {
				if sq.String() == "a1" {
					readings.Doubt(r, 1, q)
				}
			},
		}
		var chances []float64
		for _, order := range [][2]int{{0, 1}, {1, 0}} {
			o := *base
			set := belief.New[*belief.Sight](o.second)
			set, _ = o.see(set, nil)
			for _, v := range order {
				set, _ = o.see(set, views[v])
			}
			chances = append(chances, set.Made(nil))
		}
		if math.Abs(chances[0]-chances[1]) > .01 {
			t.Fatalf("that nothing has happened is believed by %.4f or %.4f", chances[0], chances[1])
		}
	})
}

// TestThrough: the lines of a set that is known to have gone through a world begin there, and moves are read as they are written.
func TestThrough(t *testing.T) {
	o := newOnTable(t)
	set := belief.New[*belief.Sight](o.second)
	set, _ = o.see(set, nil)
	var between *belief.Board
	for i, act := range []string{"A place R3 c3", "B place G5 a1", "A place Y2 e5"} {
		mv, err := belief.ParseMove(dessertdice.Game, act)
		if err != nil {
			t.Fatal(err)
		}
		if o.play(t, mv); i == 0 {
			between = o.second
		}
		set, _ = o.see(set, nil)
	}
	known, ok := belief.Through(set, between, .9)
	if line := known.Best().Line; !ok || len(line) != 2 || line[0].String() != "B place G5 a1" || line[1].String() != "A place Y2 e5" {
		t.Errorf("known: %v, the likeliest line from there on is %v", ok, line)
	}
	elsewhere := belief.OnBoard(o.state).Owned(o.second.Owners())
	if mv, err := belief.ParseMove(dessertdice.Game, "A place R6 d4"); err != nil {
		t.Fatal(err)
	} else if elsewhere, err = elsewhere.After(mv); err != nil {
		t.Fatal(err)
	}
	if _, ok := belief.Through(set, elsewhere, .001); ok {
		t.Error("a world that nobody thinks of was gone through")
	}
	for _, mv := range []rules.Move{belief.TakenBack{By: 1}, belief.TakenBack{By: 2, Disturbed: true}} {
		if back, err := belief.ParseMove(dessertdice.Game, mv.String()); err != nil || back != mv {
			t.Errorf("%q is read as %v, %v", mv, back, err)
		}
	}
}

// A first look at an empty board, and a die is placed on c3. The picture says that it is a 5, or a 3 with a third of the probability; the next picture of the same
// table shows a 3 beyond doubt.
func ExampleSightOf() {
	start, _ := dessertdice.Game.New(rules.Setup{Players: 2})
	set := belief.New[*belief.Sight](belief.OnBoard(start))
	c3 := table.Square{Row: 2, Col: 2}
	doubtful := table.Reading{Die: table.Die{Color: table.Red, Face: 5}, Square: &c3, Confidence: .75}
	doubtful.Faces[5], doubtful.Faces[3], doubtful.Colors[table.Red] = .75, .25, 1
	sure := table.Reading{Die: table.Die{Color: table.Red, Face: 3}, Square: &c3, Confidence: .99, Sure: true}
	sure.Faces[3], sure.Colors[table.Red] = 1, 1
	sight := belief.SightOf([]table.Observation{{Game: table.DessertDice}}, nil) // the empty board
	for _, r := range []table.Reading{doubtful, sure} {
		sight = belief.SightOf([]table.Observation{{Game: table.DessertDice, Dice: []table.Reading{r}}}, sight)
		set, _ = set.Observe(sight)
		for _, h := range set.Hypotheses()[:2] {
			fmt.Printf("%.3f %v\n", h.Chance, h.Line)
		}
	}
	// Output:
	// 0.749 [A place R5 c3]
	// 0.250 [A place R3 c3]
	// 0.999 [A place R3 c3]
	// 0.000 [A place R5 c3]
}
