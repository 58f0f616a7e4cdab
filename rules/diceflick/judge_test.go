package diceflick_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"diceref/rules/diceflick"
	"diceref/rules/rulestest"
)

func TestWorkedCases(t *testing.T) { rulestest.Cases(t, "testdata/cases", diceflick.Judge) }

const markers = `"markers":{"center":[2,2],"bonus":[0,4],"upgrade":{"B":[1,1],"Y":[3,3],"G":[3,1]}}`

// stateOf is a case's state with the arena given as rows parted by slashes.
func stateOf(arena, more string) json.RawMessage {
	rows, _ := json.Marshal(strings.Split(arena, " / "))
	return json.RawMessage(fmt.Sprintf(`{"arena":%s,%s%s}`, rows, markers, more))
}

const nothing = ".. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .."

// Four arenas to claim from.
const (
	line   = ".. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / B1 B2 B3 B4 B5"
	blasts = "P* B1 .. P* .. / .. .. .. .. .. / .. .. .. .. .. / Y5 .. .. .. .. / .. .. .. G4 .."
	mixed  = "B3 B2 .. W1 P* / .. B4 .. .. .. / .. Y6 B4 .. .. / G3 .. Y1 Y2 .. / .. G4 .. .. .."
	middle = ".. .. .. .. .. / .. .. .. .. .. / B3 B2 B1 .. .. / .. .. .. .. .. / .. .. .. .. .."
)

// Every code of RULES.md 5.7, with all the reasons that apply.
func TestIllegal(t *testing.T) {
	tests := []struct {
		name, arena, more string
		options           map[string]any
		action, query     string
		codes             string // parted by spaces, the first one first
	}{
		{name: "combination of two", arena: line, query: `[{"type":"combo","cells":[[4,0],[4,1]]}]`, codes: "DF-SIZE"},
		{name: "combination of nothing", arena: line, query: `[{"type":"combo","cells":[]}]`, codes: "DF-SIZE"},
		{name: "gap", arena: line, query: `[{"type":"combo","cells":[[4,0],[4,1],[4,3]]}]`, codes: "DF-NOTADJ"},
		{name: "two colors", arena: mixed, query: `[{"type":"combo","cells":[[0,1],[1,1],[2,1]]}]`, codes: "DF-COLOUR"},
		{name: "a marker of another color", arena: mixed, query: `[{"type":"combo","cells":[[2,1],{"marker":"G"},[3,0],[4,1]]}]`, codes: "DF-COLOUR"},
		{name: "a corner and another color", arena: mixed, query: `[{"type":"combo","cells":[[1,1],[2,2],[3,2]]}]`, codes: "DF-COLOUR DF-NOTADJ"},
		{name: "pink among jokers", arena: mixed, query: `[{"type":"combo","cells":[[0,3],[0,4]]}]`, codes: "DF-PINK DF-SIZE"},
		{name: "pink and blue, not adjacent", arena: mixed, query: `[{"type":"combo","cells":[[0,0],[0,1],[0,4]]}]`, codes: "DF-PINK DF-COLOUR DF-NOTADJ"},
		{name: "an empty hole", arena: mixed, query: `[{"type":"combo","cells":[[0,0],[0,1],[1,1],[1,0]]}]`, codes: "DF-EMPTY"},
		{name: "a hole off the arena", arena: mixed, query: `[{"type":"combo","cells":[[0,0],[0,1],[1,1],[-1,0]]}]`, codes: "DF-EMPTY"},
		{name: "one die twice", arena: line, query: `[{"type":"combo","cells":[[4,0],[4,1],[4,1]]}]`, codes: "DF-TWICE DF-SIZE"},
		{name: "one die in two combinations", arena: line, query: `[{"type":"combo","cells":[[4,0],[4,1],[4,2]]},{"type":"combo","cells":[[4,2],[4,3],[4,4]]}]`, codes: "DF-TWICE DF-SIZE"},
		{name: "the center die twice", arena: middle, query: `[{"type":"combo","cells":[[2,0],[2,1],[2,2]]},{"type":"center"}]`, codes: "DF-TWICE"},
		{name: "the center alone twice", arena: middle, query: `[{"type":"center"},{"type":"center"}]`, codes: "DF-TWICE"},
		{name: "the marker twice", arena: ".. B1 B2 .. .. / B3 .. B4 .. .. / .. B5 .. .. .. / " + nothing[:31], query: `[{"type":"combo","cells":[[0,1],{"marker":"B"},[1,0]]},{"type":"combo","cells":[[1,2],[1,1],[2,1]]}]`, codes: "DF-TWICE DF-SIZE DF-NOTADJ"},
		{name: "covered marker", arena: mixed, query: `[{"type":"combo","cells":[[0,0],[0,1],{"marker":"B"}]}]`, codes: "DF-MARKER-COVERED DF-SIZE"},
		{name: "marker freed by the scoring", arena: mixed, query: `[{"type":"combo","cells":[[0,0],[0,1],[1,1]]},{"type":"combo","cells":[[1,1],[2,2],[2,1]]}]`, codes: "DF-TWICE DF-MARKER-COVERED DF-SIZE DF-COLOUR"},
		{name: "no center die", arena: line, query: `[{"type":"center"}]`, codes: "DF-EMPTY"},
		{name: "no blast die", arena: line, query: `[{"type":"blast","die":[4,0],"line":"row"}]`, codes: "DF-NOBLAST"},
		{name: "blast from an empty hole", arena: line, query: `[{"type":"blast","die":[0,0],"line":"row"}]`, codes: "DF-NOBLAST DF-EMPTY"},
		{name: "blast from off the arena", arena: line, query: `[{"type":"blast","die":[0,5],"line":"col"}]`, codes: "DF-NOBLAST DF-EMPTY"},
		{name: "both lines of a blast die", arena: blasts, query: `[{"type":"blast","die":[0,0],"line":"col"},{"type":"blast","die":[0,0],"line":"row"}]`, codes: "DF-NOBLAST"},
		{name: "a blast die that another one took", arena: blasts, query: `[{"type":"blast","die":[0,0],"line":"row"},{"type":"blast","die":[0,3],"line":"col"}]`, codes: "DF-NOBLAST"},
		{name: "more blast dice than the set has", arena: "P* P* P* P* .. / " + nothing[17:], query: `[{"type":"blast","die":[0,0],"line":"col"},{"type":"blast","die":[0,1],"line":"row"},{"type":"blast","die":[0,2],"line":"col"}]`, codes: "DF-NOBLAST"},
		{name: "an older center die alone", arena: middle, options: map[string]any{"old_centre_scores": false}, query: `[{"type":"center"}]`, codes: "DF-SIZE"},
		{name: "an older blast die", arena: blasts, more: `,"landed":[[0,0]]`, options: map[string]any{"old_blast_scores": false}, query: `[{"type":"blast","die":[0,3],"line":"col"}]`, codes: "DF-NOBLAST"},
		{name: "the first illegal scoring decides", arena: line, query: `[{"type":"center"},{"type":"combo","cells":[[4,0]]}]`, codes: "DF-EMPTY"},
		{name: "wrong sum", arena: line, query: `[{"type":"combo","cells":[[4,0],[4,1],[4,2]]}],"written":7`, codes: "DF-SUM"},
		{name: "one point", arena: line, query: `[],"written":1`, codes: "DF-IMPOSSIBLE DF-SUM"},
		{name: "scored die left", arena: line, query: `[{"type":"combo","cells":[[4,0],[4,1],[4,2]]}],"removed":[[4,0],[4,1]]`, codes: "DF-REMOVE"},
		{name: "die taken without a score", arena: line, query: `[{"type":"combo","cells":[[4,0],[4,1],[4,2]]}],"removed":[[4,0],[4,1],[4,2],[4,3]]`, codes: "DF-REMOVE"},

		{name: "removed and unexplained", arena: line, action: `{"type":"score","removed":[[4,0],[4,2]]}`, codes: "DF-REMOVE"},
		{name: "removed, another number", arena: line, action: `{"type":"score","removed":[[4,0],[4,1],[4,2]],"written":8}`, codes: "DF-SUM"},
		{name: "a negative number", arena: nothing, action: `{"type":"score","removed":[],"written":-3}`, codes: "DF-IMPOSSIBLE DF-SUM"},
		{name: "more than the arena is worth", arena: line, action: `{"type":"score","written":16}`, codes: "DF-SUM"},
		{name: "less than the maximum, which is a must", arena: line, options: map[string]any{"must_score_max": true}, action: `{"type":"score","removed":[[4,0],[4,1],[4,2]]}`, codes: "DF-REMOVE"},
		{name: "scored after one flick", arena: line, more: `,"flicks":1,"held":2`, action: `{"type":"score","removed":[]}`, codes: "DF-FLICKS"},
		{name: "passed without a flick", arena: nothing, more: `,"flicks":0,"held":3`, action: `{"type":"pass"}`, codes: "DF-FLICKS"},
		{name: "a third flick", arena: nothing, more: `,"flicks":2,"held":1`, action: `{"type":"flick","die":"B3","to":[0,0]}`, codes: "DF-FLICKS DF-BONUS"},
		{name: "a fourth flick after one bonus", arena: nothing, more: `,"flicks":3,"bonus":1,"held":1`, action: `{"type":"miss","die":"B"}`, codes: "DF-FLICKS DF-BONUS"},
		{name: "from a shifted base", arena: nothing, more: `,"flicks":0`, action: `{"type":"flick","die":"B3","to":[0,0],"base":"shifted"}`, codes: "DF-BASE"},
		{name: "kept out of the bag", arena: nothing, more: `,"flicks":0`, action: `{"type":"miss","kept":true}`, codes: "DF-TRENCH"},
		{name: "left in the trench", arena: nothing, more: `,"flicks":0`, action: `{"type":"flick","die":"B3","to":[2,5]}`, codes: "DF-TRENCH"},
		{name: "drew too few", arena: nothing, more: `,"flicks":0,"held":1`, action: `{"type":"draw","count":1}`, codes: "DF-DRAW"},
		{name: "drew too many", arena: nothing, more: `,"flicks":0,"held":1`, action: `{"type":"draw","dice":["B","Y","G"]}`, codes: "DF-DRAW"},
		{name: "drew again without a bonus", arena: nothing, more: `,"flicks":1,"held":2`, action: `{"type":"draw","count":1}`, codes: "DF-DRAW"},
		{name: "drew again for the same bonus", arena: nothing, more: `,"flicks":1,"bonus":1,"held":3`, action: `{"type":"draw","count":1}`, codes: "DF-DRAW"},
		{name: "drew two for a bonus", arena: nothing, more: `,"flicks":2,"bonus":1,"held":1`, action: `{"type":"draw","count":2}`, codes: "DF-DRAW"},
		{name: "out of turn", arena: nothing, more: `,"players":["A","B"],"to_move":"A"`, action: `{"type":"flick","player":"B","die":"B3","to":[0,0]}`, codes: "DF-TURN"},
		{name: "out of turn from a shifted base", arena: nothing, more: `,"players":["A","B"],"to_move":"A"`, action: `{"type":"miss","player":"B","base":false}`, codes: "DF-TURN DF-BASE"},
		{name: "after the end", arena: nothing, more: `,"over":true`, action: `{"type":"flick","die":"B3","to":[0,0]}`, codes: "DF-OVER"},
		{name: "in round 11", arena: nothing, more: `,"round":11`, action: `{"type":"score","removed":[]}`, codes: "DF-OVER"},
	}
	produced := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ask(t, tt.options, stateOf(tt.arena, tt.more), tt.action, claimQuery(tt.query))
			var codes []string
			list, _ := got["codes"].([]any)
			for _, c := range list {
				codes = append(codes, c.(string))
				produced[c.(string)] = true
			}
			want := strings.Fields(tt.codes)
			if got["legal"] != false || got["code"] != want[0] || got["why"] == "" {
				t.Errorf("got %v, want the code %s", got, want[0])
			}
			slices.Sort(codes)
			slices.Sort(want)
			if !slices.Equal(codes, want) {
				t.Errorf("codes %v, want %v", codes, want)
			}
		})
	}
	for _, code := range strings.Fields(`TURN OVER DRAW FLICKS BASE TRENCH SIZE COLOUR PINK NOTADJ TWICE
		MARKER-COVERED NOBLAST EMPTY BONUS SUM REMOVE IMPOSSIBLE`) {
		if !produced["DF-"+code] {
			t.Errorf("no test produces DF-%s", code)
		}
	}
}

func claimQuery(claim string) string {
	if claim == "" {
		return ""
	}
	return `{"type":"claim","claim":` + claim + `}`
}

// ask answers a case and returns the answer as a reader of the JSON sees it.
func ask(t testing.TB, options map[string]any, state json.RawMessage, action, query string) map[string]any {
	t.Helper()
	raw := func(s string) json.RawMessage {
		if s == "" {
			return nil
		}
		return json.RawMessage(s)
	}
	answer, err := diceflick.Judge(options, state, raw(action), raw(query))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// Legal acts, answers, and what each house rule changes.
func TestAnswers(t *testing.T) {
	off := func(name string) map[string]any { return map[string]any{name: false} }
	on := func(name string) map[string]any { return map[string]any{name: true} }
	const centerBlast = ".. .. .. .. .. / .. .. .. .. .. / .. .. P* B3 .. / .. .. .. .. .. / .. .. .. .. .."
	tests := []struct {
		name, arena, more string
		options           map[string]any
		action, query     string
		want              string // JSON; the keys in it are compared
	}{
		{name: "no scoring is a claim too", arena: line, query: `{"type":"claim","claim":[]}`, want: `{"legal":true,"score":0}`},
		{name: "claim under must_score_max", arena: line, options: on("must_score_max"), query: `{"type":"claim","claim":[{"type":"combo","cells":[[4,0],[4,1],[4,2]]}]}`, want: `{"legal":true,"score":15}`},
		{name: "both lines in the right order", arena: blasts, query: `{"type":"claim","claim":[{"type":"blast","die":[0,3],"line":"col"},{"type":"blast","die":[0,0],"line":"row"}]}`, want: `{"legal":true,"score":19}`},
		{name: "a hole that shows a marker", arena: "B1 B2 .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. ..", query: `{"type":"claim","claim":[{"type":"combo","cells":[[0,0],[0,1],[1,1]]}]}`, want: `{"legal":true,"score":5}`},
		{name: "blast on the center doubled", arena: centerBlast, query: `{"type":"best"}`, want: `{"score":15}`},
		{name: "blast on the center flat", arena: centerBlast, options: off("centre_doubles_blast"), query: `{"type":"best"}`, want: `{"score":9}`},
		{name: "older center die in a combination", arena: middle, options: off("old_centre_scores"), query: `{"type":"best"}`, want: `{"score":9}`},
		{name: "older center die alone", arena: ".. .. .. .. .. / .. .. .. .. .. / .. .. B4 .. .. / .. .. .. .. .. / .. .. .. .. ..", options: off("old_centre_scores"), query: `{"type":"best"}`, want: `{"score":0}`},
		{name: "fresh center die alone", arena: ".. .. .. .. .. / .. .. .. .. .. / .. .. B4 .. .. / .. .. .. .. .. / .. .. .. .. ..", more: `,"landed":[[2,2]]`, options: off("old_centre_scores"), query: `{"type":"best"}`, want: `{"score":8}`},
		{name: "one fresh blast die", arena: blasts, more: `,"landed":[[0,0]]`, options: off("old_blast_scores"), query: `{"type":"best"}`, want: `{"score":13}`},
		{name: "the other one is old", arena: blasts, more: `,"old":[[0,0]]`, options: off("old_blast_scores"), query: `{"type":"best"}`, want: `{"score":13}`},
		{name: "corners of a marker", arena: ".. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / G3 .. .. .. .. / .. .. G4 .. ..", options: on("diagonal_marker"), query: `{"type":"best"}`, want: `{"score":9}`},
		{name: "corners of a marker, claimed", arena: ".. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / G3 .. .. .. .. / .. .. G4 .. ..", options: on("diagonal_marker"), query: `{"type":"claim","claim":[{"type":"combo","cells":[[3,0],[3,1],[4,2]]}]}`, want: `{"legal":true,"score":9}`},
		{name: "corners of dice do not touch", arena: ".. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. B1 / .. .. B2 B3 ..", options: on("diagonal_marker"), query: `{"type":"best"}`, want: `{"score":0}`},
		{name: "more blast dice than the set has", arena: "P* B6 .. P* .. / G4 .. .. G3 .. / .. .. .. .. .. / P* Y5 .. P* .. / .. .. .. .. ..", query: `{"type":"best"}`, want: `{"score":39}`},
		{name: "more jokers than the set has", arena: "W1 W1 W1 W1 W1 / W1 W1 W1 W1 W1 / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. ..", options: on("must_score_max"), query: `{"type":"claim","claim":[]}`, want: `{"legal":true,"score":10}`},
		{name: "explained with the marker", arena: "B1 B2 B3 .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. ..", query: `{"type":"explain","removed":[[0,0],[0,1],[0,2]],"written":8}`, want: `{"legal":true,"score":8,"scores":[6,8]}`},
		{name: "explained without it", arena: "B1 B2 B3 .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. ..", query: `{"type":"explain","removed":[[0,0],[0,1],[0,2]],"written":7}`, want: `{"legal":false}`},
		{name: "draw with an empty hand", more: `,"held":0,"bag":20`, arena: nothing, query: `{"type":"draw_needed"}`, want: `{"draw":3}`},
		{name: "draw, the bag as it must be", more: `,"held":1`, arena: nothing, query: `{"type":"draw_needed"}`, want: `{"draw":2}`},
		{name: "draw from an empty bag", more: `,"held":["W"],"bag":[]`, arena: nothing, query: `{"type":"draw_needed"}`, want: `{"draw":0}`},
		{name: "a total that was not written", arena: nothing, more: `,"names":["A","B"],"table":[[0,null],[0,2]],"printed":[null,2]`, query: `{"type":"column_totals"}`, want: `{"totals":{"A":0,"B":2},"printed":{"A":null,"B":2},"match":{"A":false,"B":true}}`},
		{name: "winner", arena: nothing, query: `{"type":"winner","scores":{"A":-1,"B":-2}}`, want: `{"winners":["A"]}`},

		{name: "scored after two flicks", arena: line, more: `,"flicks":2,"held":1`, action: `{"type":"score","removed":[[4,0],[4,1],[4,2],[4,3],[4,4]]}`, want: `{"legal":true,"score":15}`},
		{name: "scored between flicks", arena: line, more: `,"flicks":1,"held":2`, options: on("score_between_flicks"), action: `{"type":"score","removed":[[4,0],[4,1],[4,2]]}`, want: `{"legal":true,"score":6}`},
		{name: "the program writes the maximum", arena: line, options: on("must_score_max"), action: `{"type":"score","written":6}`, want: `{"legal":true,"score":15}`},
		{name: "children shift the base", arena: nothing, options: on("shift_flick_base"), action: `{"type":"flick","die":"B3","to":[0,0],"base":"shifted"}`, want: `{"legal":true}`},
		{name: "a bonus flick", arena: nothing, more: `,"flicks":2,"bonus":1,"held":1`, action: `{"type":"flick","die":"P*","to":[0,0]}`, want: `{"legal":true}`},
		{name: "one die in hand is flicked, and scoring follows", arena: nothing, more: `,"flicks":1,"held":0`, action: `{"type":"score","removed":[]}`, want: `{"legal":true,"score":0}`},
		{name: "a full draw", arena: nothing, more: `,"flicks":0,"held":1`, action: `{"type":"draw","in_front":3}`, want: `{"legal":true}`},
		{name: "a short draw from a short bag", arena: nothing, more: `,"flicks":0,"held":1,"bag":1`, action: `{"type":"draw","count":1}`, want: `{"legal":true}`},
		{name: "a die drawn for a bonus", arena: nothing, more: `,"flicks":2,"bonus":1,"held":1`, action: `{"type":"draw","count":1}`, want: `{"legal":true}`},
		{name: "a flick that pushes", arena: line, action: `{"type":"flick","die":"W3","to":[4,0],"pushed":[{"from":[4,0],"to":[3,0],"top":6},{"from":[4,4],"to":null}]}`, want: `{"legal":true}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			arena := tt.arena
			got := ask(t, tt.options, stateOf(arena, tt.more), tt.action, tt.query)
			var want map[string]any
			if err := json.Unmarshal([]byte(tt.want), &want); err != nil {
				t.Fatal(err)
			}
			for key := range want {
				if fmt.Sprint(got[key]) != fmt.Sprint(want[key]) {
					t.Errorf("%s = %v, want %v (%v)", key, got[key], want[key], got)
				}
			}
		})
	}
}
