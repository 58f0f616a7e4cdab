package match

import (
	"encoding/json"
	"testing"

	"diceref/rules"
)

// TestOlderFacts: a journal of before boards were followed by what may have happened keeps the last view, and whose dice lie on
// which side of the board; from there the match goes on as if it had never stopped.
func TestOlderFacts(t *testing.T) {
	for name, c := range map[string]struct {
		sides bool
		want  string
	}{
		"whose dice lie where is kept": {true, "reroll Anna BX-MUSTPLAY"},
		"nothing of it is kept":        {false, "reroll Anna"},
	} {
		x := opened(t, "Y4 W2 W3 B1", "B4 W2 R1")
		var old map[string]json.RawMessage
		if err := json.Unmarshal(x.m.factsNow().text(), &old); err != nil {
			t.Fatal(err)
		}
		delete(old, "boards")
		delete(old, "sight")
		old["late"], old["faint"] = json.RawMessage(`7`), json.RawMessage(`[[0,1]]`)
		if c.sides {
			var sides [4]map[rules.Player]int
			for p, counts := range x.m.course.best().World.(interface{ Owners() [4][4]uint8 }).Owners() {
				for side, n := range counts {
					if n > 0 {
						sides[side] = map[rules.Player]int{rules.Player(p): int(n)}
					}
				}
			}
			text, err := json.Marshal(sides)
			if err != nil {
				t.Fatal(err)
			}
			old["sides"] = text
		}
		text, err := json.Marshal(old)
		if err != nil {
			t.Fatal(err)
		}
		x.m.course, x.m.line.facts = course{}, text
		x.m.recall()
		x.roll(0, "Y3 W5 W1 B2")
		x.look()
		x.look()
		got := x.said()
		if len(got) == 0 || got[len(got)-1] != c.want {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
}
