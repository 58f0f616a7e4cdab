package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/calibration"
	"diceref/match"
	"diceref/table"
)

// TestDemos: there is a recorded game of every game; the eye reads its pictures, and it is
// told to its end, planted mistakes included.
func TestDemos(t *testing.T) {
	ends := map[table.Game]struct {
		scores  map[string]int
		illegal int // acts
		asked   int // questions at most: about what no rule explains, or what is said when asked
	}{
		table.DessertDice:   {map[string]int{"Ada": 7, "Ben": 16, "Cleo": 9}, 1, 0},
		table.DiceBox:       {map[string]int{"Ada": 31, "Ben": 37}, 1, 0},
		table.DiceFlick:     {map[string]int{"Ada": 97, "Ben": 25}, 0, 0},
		table.FromageATrois: {map[string]int{"Ada": 20, "Ben": 10, "Cleo": 9}, 5, 1},
		table.DiceCreams:    {map[string]int{"Mia": 15, "Tom": 24}, 4, 2},
	}
	path := builtEye(t)
	for _, game := range table.Games {
		t.Run(string(game), func(t *testing.T) {
			t.Parallel()
			recorded := demoOf[game]
			if recorded == nil {
				t.Fatal("there is no demo")
			}
			if recorded.Zones != nil {
				if err := calibration.CheckZones(game, len(recorded.Players), recorded.Zones); err != nil {
					t.Error(err)
				}
			}
			var out, errs bytes.Buffer
			args := []string{"watch", "--json", "--eye", path, "--game", string(game), "--players", strings.Join(recorded.Players, ","), "--source", "demo"}
			if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != exitDone {
				t.Fatalf("exit %d: %s", code, &errs)
			}
			want, illegal, asked := ends[game], 0, 0
			var last match.Event
			for line := range strings.Lines(out.String()) {
				last = match.Event{}
				if err := json.Unmarshal([]byte(line), &last); err != nil {
					t.Fatal(err)
				}
				if last.Legal != nil && !*last.Legal {
					illegal++
				}
				if last.Type == match.TypeDoubt {
					asked++
				}
			}
			if last.Type != match.TypeEnd || illegal != want.illegal || asked > want.asked {
				t.Errorf("%d acts illegal, want %d; asked %d times, want %d; at last %+v", illegal, want.illegal, asked, want.asked, last)
			}
			if diff := cmp.Diff(want.scores, last.Scores); diff != "" {
				t.Errorf("scores (-want +told):\n%s", diff)
			}
		})
	}
}

// TestDemoNames: the demo can be played by other names, and the cards are theirs.
func TestDemoNames(t *testing.T) {
	for _, said := range demoOf[table.DessertDice].says([]string{"Xena", "Yuri", "Zoe"}) {
		if !slices.Contains([]string{"Xena", "Yuri", "Zoe"}, said.Player) {
			t.Errorf("%+v is nobody's", said)
		}
	}
}
