package dicebox

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/table"
)

func TestScratchVideos(t *testing.T) {
	for _, g := range []rules.Game{Game, dessertdice.Game} {
		raw, _ := os.ReadFile("/work/shared/tables/videos/" + string(g.Name()) + "-dev-0001.json")
		var v struct {
			Players int
			Steps   []struct {
				Kind   string
				Player int
				Action string
				Legal  bool
				State  map[string][2]any
				Unseen bool
			}
		}
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		st, err := g.New(rules.Setup{Players: v.Players})
		if err != nil {
			t.Fatal(err)
		}
		var stack []rules.State
		lastIllegal := false
		for i, step := range v.Steps {
			if step.Action == "reroll" {
				m, _ := g.ParseMove(rules.Player(step.Player).String() + " reroll")
				if err := st.Check(m); err != nil {
					fmt.Println(i, "REROLL", err)
				}
				stack = append(stack, st)
				st, _ = st.Apply(m)
				continue
			}
			obs := table.Observation{Game: g.Name(), Grid: &table.Grid{Found: true}}
			for k, d := range step.State {
				var sq table.Square
				fmt.Sscanf(k, "%d,%d", &sq.Row, &sq.Col)
				c, _ := table.ParseColor(d[0].(string))
				r := table.Reading{Die: table.Die{Color: c, Face: int(d[1].(float64))}, Square: &sq, Confidence: 0.99, Sure: true}
				for f := 1; f <= 6; f++ {
					r.Faces[f] = 0.002
				}
				r.Faces[r.Face] = 0.99
				for c := 1; c < 10; c++ {
					r.Colors[c] = 0.001
				}
				r.Colors[r.Color] = 0.99
				obs.Dice = append(obs.Dice, r)
			}
			var earlier []rules.State
			if len(stack) > 0 {
				earlier = []rules.State{stack[len(stack)-1]}
			}
			res := rules.Reconcile(st, obs, rules.ReconcileOptions{Earlier: earlier, LastIllegal: lastIllegal})
			fmt.Println(i, step.Kind, step.Action, step.Player, step.Legal, "->", res.Verdict, res.Story.String(), res.Why, fmt.Sprintf("%.1f", res.Margin), res.Ask)
			if res.Back > 0 {
				stack = stack[:len(stack)-1]
			}
			if len(res.Line) > 0 {
				stack = append(stack, st)
			}
			lastIllegal = res.Verdict == rules.IllegalAct
			st = res.After
		}
		fmt.Println(st.Score(), st.ToMove(), st.(rules.Winner).Winners())
	}
}
