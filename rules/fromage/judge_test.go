package fromage

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"diceref/rules/rulestest"
)

func TestCases(t *testing.T) { rulestest.Cases(t, "testdata/cases", Judge) }

// tableAt is the position of the author's example, B to move.
const tableAt = `{"shop":14,"hands":{"A":[2,2,3,6],"B":[2,5,6],"C":[3,3,4,5]},"scores":{"A":0,"B":0,"C":0},"order":["A","B","C"],"turn":"B"%s}`

const (
	rolled = `{"type":"roll","dice":[1,1,2,3,6]}`
	kept   = rolled + `,{"type":"keep","dice":[1,1]}`
	stolen = rolled + `,{"type":"steal","from":"A","dice":[2,2]}`
	fat    = kept + `,{"type":"fromage","takes":[["A",2],["C",5]],"set":[1,1,2,2,5,5]}`
	end    = `,{"type":"end"}`
	paid   = `,{"type":"compensate","player":"A","points":3},{"type":"compensate","player":"C","points":3}`
)

// turns are whole turns with every reason against them; none: legal.
var turns = []struct {
	name, options, more, events, codes string
}{
	{"over", ``, `,"over":true`, rolled, "FR-OVER"},
	{"over and six dice", ``, `,"over":true`, `{"type":"roll","dice":[1,1,1,1,1,1]}`, "FR-OVER FR-ROLL-COUNT"},
	{"roll of another", ``, ``, `{"type":"roll","player":"C","dice":[1]}`, "FR-TURN"},
	{"roll of a stranger", ``, ``, `{"type":"roll","player":"Z","dice":[1]}`, "FR-TURN"},
	{"keep of another", ``, ``, rolled + `,{"type":"keep","player":"A","dice":[1,1]}`, "FR-TURN"},
	{"no dice", ``, ``, `{"type":"roll","dice":[]}`, "FR-ROLL-COUNT"},
	{"no dice, house rule", `{"min_roll":0}`, ``, `{"type":"roll","dice":[]},{"type":"keep","dice":[]}` + end, ""},
	{"four dice, house rule", `{"min_roll":5}`, ``, `{"type":"roll","dice":[1,2,3,4]}`, "FR-ROLL-COUNT"},
	{"more than the shop holds", ``, `,"shop":3`, `{"type":"roll","dice":[1,2,3,4]}`, "FR-ROLL-COUNT"},
	{"roll twice", ``, ``, rolled + `,{"type":"roll","dice":[1]}`, "FR-ROLL-TWICE"},
	{"roll after the fromage", ``, ``, fat + `,{"type":"roll","dice":[1]}`, "FR-ROLL-TWICE"},
	{"keep before rolling", ``, ``, `{"type":"keep","dice":[1,1]}`, "FR-NOROLL FR-KEEP-NOTCART"},
	{"steal before rolling", ``, ``, `{"type":"steal","from":"A","dice":[2,2]}`, "FR-NOROLL"},
	{"fromage before rolling", ``, ``, `{"type":"fromage","takes":[["A",2],["C",5]],"set":[2,2,5,5,6,6]}`, "FR-NOROLL FR-FAT-EARLY FR-FAT-NOTHELD"},
	{"end before rolling", ``, ``, `{"type":"end"}`, "FR-NOROLL FR-NOACT"},
	{"keep one of five", ``, ``, rolled + `,{"type":"keep","dice":[1]}`, "FR-KEEP-COUNT"},
	{"keep three with a stranger", ``, ``, rolled + `,{"type":"keep","dice":[1,1,4]}`, "FR-KEEP-NOTCART FR-KEEP-COUNT"},
	{"keep twice with a stranger", ``, ``, kept + `,{"type":"keep","dice":[4]}`, "FR-KEEP-COUNT FR-KEEP-NOTCART"},
	{"keep more of a face than rolled", ``, ``, rolled + `,{"type":"keep","dice":[2,2]}`, "FR-KEEP-NOTCART"},
	{"keep twice", ``, ``, kept + `,{"type":"keep","dice":[2,3]}`, "FR-KEEP-COUNT"},
	{"keep after the fromage", ``, ``, fat + `,{"type":"keep","dice":[2,3]}`, "FR-KEEP-COUNT"},
	{"keep after a steal", ``, ``, stolen + `,{"type":"keep","dice":[2,3]}`, "FR-BOTH"},
	{"steal after keeping", ``, ``, kept + `,{"type":"steal","from":"A","dice":[2,2]}`, "FR-BOTH"},
	{"end without an act", ``, ``, rolled + end, "FR-NOACT"},
	{"one die", ``, ``, rolled + `,{"type":"steal","from":"A","dice":[2]}`, "FR-STEAL-SIZE"},
	{"no die", ``, ``, rolled + `,{"type":"steal","from":"A","dice":[]}`, "FR-STEAL-SIZE"},
	{"six dice", ``, `,"hands":{"A":[2,2,2,2,2,2],"B":[]}`, rolled + `,{"type":"steal","from":"A","dice":[2,2,2,2,2,2]}`, "FR-STEAL-SIZE"},
	{"five of six", ``, `,"hands":{"A":[2,2,2,2,2,2],"B":[]}`, rolled + `,{"type":"steal","from":"A","dice":[2,2,2,2,2]}`, "open"},
	{"not held", ``, ``, rolled + `,{"type":"steal","from":"A","dice":[6,6]}`, "FR-STEAL-NOTHELD"},
	{"mixed and not held", ``, ``, rolled + `,{"type":"steal","from":"A","dice":[2,5]}`, "FR-STEAL-NOTHELD FR-STEAL-MIXED"},
	{"one die, not held", ``, ``, rolled + `,{"type":"steal","from":"A","dice":[5]}`, "FR-STEAL-NOTHELD FR-STEAL-SIZE"},
	{"answer of too many, not in the Cart", ``, ``, stolen + `,{"type":"compensate","player":"A","dice":[1,1,5]}`, "FR-COMP-NOTCART FR-COMP-COUNT"},
	{"both and not in the Cart", ``, ``, stolen + `,{"type":"compensate","player":"A","dice":[1,5],"points":2}`, "FR-COMP-BOTH FR-COMP-NOTCART"},
	{"from a stranger", ``, ``, rolled + `,{"type":"steal","from":"Z","dice":[2,2]}`, "FR-STEAL-NOTHELD"},
	{"the whole set, house rule", `{"partial_set_steal":false}`, ``, stolen + `,{"type":"compensate","player":"A","points":2}` + end, ""},
	{"answer of too many", ``, ``, stolen + `,{"type":"compensate","player":"A","dice":[1,1,2]}`, "FR-COMP-COUNT"},
	{"both and wrong", ``, ``, stolen + `,{"type":"compensate","player":"A","dice":[1],"points":1}`, "FR-COMP-BOTH FR-COMP-COUNT FR-COMP-POINTS"},
	{"declined", ``, ``, stolen + `,{"type":"compensate","player":"A","points":0}` + end, ""},
	{"declined, house rule", `{"compensation_may_decline":false}`, ``, stolen + `,{"type":"compensate","player":"A","points":0}`, "FR-COMP-POINTS"},
	{"negative points", ``, ``, stolen + `,{"type":"compensate","player":"A","points":-2}`, "FR-COMP-POINTS"},
	{"answered twice", ``, ``, stolen + `,{"type":"compensate","player":"A","points":2},{"type":"compensate","player":"A","points":2}`, "FR-COMP-NOTOWED"},
	{"answer of the player on turn", ``, ``, stolen + `,{"type":"compensate","points":2}`, "FR-COMP-NOTOWED"},
	{"end before the answer", ``, ``, stolen + end, "FR-COMP-PENDING"},
	{"end before the second answer", ``, ``, fat + `,{"type":"compensate","player":"A","points":3}` + end, "FR-COMP-PENDING"},
	{"two dice for a fromage", ``, ``, fat + `,{"type":"compensate","player":"A","dice":[2,3]}`, "FR-COMP-COUNT"},
	{"both want the only 3", ``, ``, fat + `,{"type":"compensate","player":"A","dice":[3]},{"type":"compensate","player":"C","dice":[3]}`, "FR-COMP-NOTCART"},
	{"either order of answers", ``, ``, fat + `,{"type":"compensate","player":"A","dice":[3]},{"type":"compensate","player":"C","dice":[2]}` + end, ""},
	{"as they agree", `{"compensation_order":"free"}`, ``, fat + `,{"type":"compensate","player":"A","dice":[3]},{"type":"compensate","player":"C","dice":[2]}` + end, ""},
	{"one die taken", ``, ``, kept + `,{"type":"fromage","takes":[["A",2]],"set":[1,1,2,2,5,5]}`, "FR-FAT-TWOPLAYERS FR-FAT-NOTHELD"},
	{"an own die taken", ``, ``, kept + `,{"type":"fromage","takes":[["A",2],["B",5]],"set":[1,1,2,2,5,5]}`, "FR-FAT-TWOPLAYERS FR-FAT-NOTHELD"},
	{"taken from a stranger", ``, ``, kept + `,{"type":"fromage","takes":[["A",2],["Z",5]],"set":[1,1,2,2,5,5]}`, "FR-FAT-TWOPLAYERS FR-FAT-NOTHELD"},
	{"a die that is not there", ``, ``, kept + `,{"type":"fromage","takes":[["A",5],["C",5]],"set":[1,1,5,5,6,6]}`, "FR-FAT-NOTHELD"},
	{"two cheeses", ``, ``, kept + `,{"type":"fromage","takes":[["A",2],["C",5]],"set":[2,2,5,5]}`, "FR-FAT-PROPORTION"},
	{"no set", ``, ``, kept + `,{"type":"fromage","takes":[["A",2],["C",5]],"set":[]}`, "FR-FAT-UNUSED FR-FAT-PROPORTION"},
	{"uneven and not there", ``, ``, kept + `,{"type":"fromage","takes":[["A",2],["C",5]],"set":[1,1,2,2,5,4]}`, "FR-FAT-NOTHELD FR-FAT-PROPORTION"},
	{"another die taken than used", ``, ``, kept + `,{"type":"fromage","takes":[["A",2],["C",4]],"set":[1,1,2,2,5,5]}`, "FR-FAT-UNUSED FR-FAT-NOTHELD"},
	{"one of each, house rule", `{"fat_min_each":1}`, ``, kept + `,{"type":"fromage","takes":[["A",2],["C",5]],"set":[2,5,6]}` + paid + end, ""},
	{"twice the same cheese in a set of one each", `{"fat_min_each":1}`, ``, kept + `,{"type":"fromage","takes":[["A",3],["C",3]],"set":[1,2,3]}`, "FR-FAT-UNUSED"},
	{"twice", ``, ``, fat + paid + `,{"type":"fromage","takes":[["A",2],["C",3]],"set":[1,2,3]}`, "FR-FAT-TWICE FR-FAT-NOTHELD FR-FAT-SIZE"},
	{"after a steal, house rule", `{"fat_after_steal":false,"fat_min_each":1}`, ``, stolen + `,{"type":"compensate","player":"A","points":2},{"type":"fromage","takes":[["A",3],["C",5]],"set":[2,3,5]}`, "FR-BOTH"},
	{"exact holdings, house rule", `{"fat_exact_holdings":true}`, `,"hands":{"A":[2,3],"B":[2,5],"C":[5]}`, kept + `,{"type":"fromage","takes":[["A",2],["C",5]],"set":[1,1,2,2,5,5]}` + paid + end, ""},
	{"surplus, house rule", `{"fat_exact_holdings":true}`, `,"hands":{"A":[2,3],"B":[1,2,5],"C":[5]}`, kept + `,{"type":"fromage","takes":[["A",2],["C",5]],"set":[1,1,2,2,5,5]}`, "FR-FAT-EXACT"},
	{"surplus of two", `{"fat_exact_holdings":true}`, `,"hands":{"A":[2,3],"B":[1,2,5],"C":[5]}`, `{"type":"roll","dice":[1,2]},{"type":"keep","dice":[1,2]},{"type":"fromage","takes":[["A",2],["C",5]],"set":[1,1,2,2,5,5]}`, "FR-FAT-EXACT"},
	{"returning what is no set", ``, ``, kept + `,{"type":"end","return":[1,1]}`, "FR-SETS"},
	{"returning nothing", ``, ``, kept + `,{"type":"end","return":[]}`, ""},
	{"wrong claim", ``, ``, kept + `,{"type":"end","score_claim":1}`, "FR-SETS-SCORE"},
	{"wrong return and claim", ``, ``, kept + `,{"type":"end","return":[1,1],"score_claim":2}`, "FR-SETS FR-SETS-SCORE"},
	{"right claim", ``, ``, kept + `,{"type":"end","return":[],"score_claim":0}`, ""},
	{"after the end", ``, ``, kept + end + `,{"type":"roll","dice":[1]}`, "FR-AFTER-END"},
	{"after the end of the game", ``, `,"shop":9`, kept + end + `,{"type":"roll","dice":[1]}`, "FR-OVER FR-AFTER-END"},
	{"never ended", ``, ``, kept, "FR-NOTENDED"},
	{"nothing at all", ``, ``, ``, "FR-NOTENDED"},
	{"nothing at all after the game", ``, `,"over":true`, ``, "FR-OVER FR-NOTENDED"},
}

func TestTurns(t *testing.T) {
	for _, c := range turns {
		t.Run(c.name, func(t *testing.T) {
			got, err := rulestest.Answer(t, Judge, c.options, fmt.Sprintf(tableAt, c.more), "["+c.events+"]", "")
			if err != nil {
				t.Fatal(err)
			}
			want := c.codes
			if want == "open" { // legal so far
				want = "FR-NOTENDED"
			}
			var codes []string
			list, _ := got["codes"].([]any)
			for _, code := range list {
				codes = append(codes, code.(string))
			}
			if strings.Join(codes, " ") != want || got["legal"] != (want == "") {
				t.Errorf("legal %v, codes %v, want %q", got["legal"], codes, want)
			}
			if want != "" && (got["code"] != codes[0] || got["why"] == "") {
				t.Errorf("code %v, why %v", got["code"], got["why"])
			}
		})
	}
}

// TestNames holds that a reason calls players by their names in the case, wherever they sit.
func TestNames(t *testing.T) {
	const state = `{"shop":14,"hands":{"C":[2,2,3],"Zoë":[2,5,6],"A":[3,3,4]},"order":["C","Zoë","A"],"turn":"Zoë"}`
	const robbed = rolled + `,{"type":"steal","from":"C","dice":[2,2]},`
	for _, c := range []struct{ events, why string }{
		{`{"type":"roll","player":"C","dice":[1]}`, "It is Zoë's turn: turns go to the left."},
		{rolled + `,{"type":"steal","from":"A","dice":[2,2]}`, "A does not have 22."},
		{robbed + `{"type":"compensate","player":"A","points":2}`, "Nothing is owed to A."},
		{robbed + `{"type":"compensate","player":"D","points":2}`, "Nothing is owed to an unknown player."},
		{robbed + `{"type":"compensate","player":"C","points":3}`, "C may score 2, not 3."},
		{robbed + `{"type":"compensate","player":"C","dice":[1]}`, "1 die was taken, but C lost 2: take the same number."},
		{robbed + `{"type":"end"}`, "First, C takes dice or points for the dice that were taken."},
	} {
		got, err := rulestest.Answer(t, Judge, ``, state, "["+c.events+"]", "")
		if err != nil {
			t.Fatal(err)
		}
		if got["why"] != c.why {
			t.Errorf("%s: why %q, want %q", c.events, got["why"], c.why)
		}
	}
}

// TestEveryCode holds the list of codes of RULES.md 3.7 against those that tests produce.
func TestEveryCode(t *testing.T) {
	made := map[string]bool{}
	for _, c := range turns {
		for _, code := range strings.Fields(c.codes) {
			made[code] = true
		}
	}
	files, _ := filepath.Glob("testdata/cases/*.json")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var c struct{ Expected struct{ Code string } }
		if err := json.Unmarshal(text, &c); err != nil {
			t.Fatal(err)
		}
		made[c.Expected.Code] = true
	}
	for _, code := range strings.Fields(`FR-TURN FR-ROLL-COUNT FR-ROLL-TWICE FR-NOROLL FR-KEEP-COUNT FR-KEEP-NOTCART FR-BOTH FR-NOACT
		FR-STEAL-TWO FR-STEAL-SELF FR-STEAL-MIXED FR-STEAL-SIZE FR-STEAL-NOTHELD FR-COMP-COUNT FR-COMP-BOTH FR-COMP-POINTS
		FR-COMP-NOTCART FR-COMP-NOTOWED FR-COMP-PENDING FR-FAT-EARLY FR-FAT-TWICE FR-FAT-TWOPLAYERS FR-FAT-PROPORTION FR-FAT-SIZE
		FR-FAT-UNUSED FR-FAT-NOTHELD FR-FAT-EXACT FR-SETS FR-SETS-SCORE FR-AFTER-END FR-NOTENDED FR-OVER`) {
		if !made[code] {
			t.Errorf("no test produces %s", code)
		}
	}
}

// TestAfter plays turns to the position after them.
func TestAfter(t *testing.T) {
	for _, c := range []struct{ name, options, state, events, after string }{
		{
			"sets stay after a fromage, house rule", `{"sets_after_fat":false}`,
			`{"shop":13,"hands":{"A":[2,3],"B":[1,2,5,6,6],"C":[3,4,4,5,3]},"order":["A","B","C"],"turn":"B"}`,
			`{"type":"roll","dice":[1,6,3,4,4]},{"type":"keep","dice":[1,6]},{"type":"fromage","takes":[["A",2],["C",5]],"set":[1,1,2,2,5,5]}` + paid + end,
			`{"final_left":null,"hands":{"A":[3],"B":[6,6,6],"C":[3,3,4,4]},"over":false,"scores":{"A":3,"B":9,"C":3},"shop":17,"turn":"C"}`,
		},
		{
			"the last seat passes on to the first; points of others trigger nothing", ``,
			`{"shop":20,"hands":{"A":[],"B":[2,2],"C":[1]},"scores":{"A":1,"B":19,"C":3},"order":["A","B","C"],"turn":"C"}`,
			`{"type":"roll","dice":[4]},{"type":"steal","from":"B","dice":[2,2]},{"type":"compensate","player":"B","points":2}` + end,
			`{"final_left":null,"hands":{"A":[],"B":[],"C":[1,2,2]},"over":false,"scores":{"A":1,"B":21,"C":3},"shop":20,"turn":"A"}`,
		},
		{
			"nobody starts a second final round", ``,
			`{"shop":18,"hands":{"A":[1,1],"B":[],"C":[]},"scores":{"A":19,"B":20,"C":0},"order":["A","B","C"],"turn":"A","final_left":2,"trigger":"B"}`,
			`{"type":"roll","dice":[1]},{"type":"keep","dice":[1]}` + end,
			`{"final_left":1,"hands":{"A":[],"B":[],"C":[]},"over":false,"scores":{"A":22,"B":20,"C":0},"shop":20,"turn":"B"}`,
		},
		{
			"the shop ends the final round at once", ``,
			`{"shop":8,"hands":{"A":[1,1],"B":[],"C":[]},"scores":{"A":19,"B":20,"C":0},"order":["A","B","C"],"turn":"A","final_left":2}`,
			`{"type":"roll","dice":[2]},{"type":"keep","dice":[2]}` + end,
			`{"final_left":2,"hands":{"A":[1,1,2],"B":[],"C":[]},"over":true,"scores":{"A":19,"B":20,"C":0},"shop":7,"turn":"B"}`,
		},
		{
			"three of a kind had as an answer stay until the end of the own turn", ``,
			`{"shop":22,"hands":{"A":[2,2,3],"B":[],"C":[]},"order":["A","B","C"],"turn":"B"}`,
			`{"type":"roll","dice":[1,1,3,3,6]},{"type":"steal","from":"A","dice":[2,2]},{"type":"compensate","player":"A","dice":[3,3]}` + end,
			`{"final_left":null,"hands":{"A":[3,3,3],"B":[2,2],"C":[]},"over":false,"scores":{"A":0,"B":0,"C":0},"shop":20,"turn":"C"}`,
		},
		{
			"a fromage after a steal takes from the player just robbed, too", ``, fmt.Sprintf(tableAt, ""),
			stolen + `,{"type":"compensate","player":"A","points":2},{"type":"fromage","takes":[["A",6],["C",5]],"set":[2,2,5,5,6,6]}` + paid + end,
			`{"final_left":null,"hands":{"A":[3],"B":[2],"C":[3,3,4]},"over":false,"scores":{"A":5,"B":9,"C":3},"shop":20,"turn":"C"}`,
		},
		{
			"a shop that is not told holds the rest", ``, `{"hands":{"x":[1,1],"y":[]},"turn":"x"}`,
			`{"type":"roll","dice":[2]},{"type":"keep","dice":[2]}` + end,
			`{"final_left":null,"hands":{"x":[1,1,2],"y":[]},"over":false,"scores":{"x":0,"y":0},"shop":22,"turn":"y"}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := rulestest.Answer(t, Judge, c.options, c.state, "["+c.events+"]", "")
			if err != nil {
				t.Fatal(err)
			}
			text, _ := json.Marshal(got["after"])
			if string(text) != c.after {
				t.Errorf("after %s\nwant  %s (%v)", text, c.after, got["why"])
			}
		})
	}
}

func TestWinnerQuery(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{`{"type":"winner","scores":{"A":20,"B":21,"C":3},"last_turn":{"A":1,"B":9,"C":8}}`, "[B]"},
		{`{"type":"winner","scores":{"A":21,"B":21,"C":3},"last_turn":{"A":7,"B":9,"C":8}}`, "[A]"},
		{`{"type":"winner","scores":{"A":21,"B":21,"C":21},"last_turn":{"A":7,"B":9}}`, "[C]"},
		{`{"type":"winner","scores":{"A":21,"B":21,"C":21},"last_turn":{"A":7,"B":null,"C":null}}`, "[B C]"},
		{`{"type":"winner","scores":{"A":21,"B":21}}`, "[A B]"},
	} {
		got, err := rulestest.Answer(t, Judge, "", "{}", "", c.query)
		if err != nil {
			t.Fatal(err)
		}
		if w := fmt.Sprint(got["winners"]); w != c.want {
			t.Errorf("%s: winners %s, want %s", c.query, w, c.want)
		}
	}
}

func TestMalformed(t *testing.T) {
	state := fmt.Sprintf(tableAt, "")
	for _, c := range []struct{ options, state, action, query, want string }{
		{`{"fat":1}`, state, `[]`, ``, "unknown house rule"},
		{`{"min_roll":3}`, state, `[]`, ``, "min_roll"},
		{``, `[]`, `[]`, ``, "state: expected an object"},
		{``, `{"shop":"x","hands":{"A":[]}}`, `[]`, ``, "state: shop: expected a whole number"},
		{``, `{"hands":{"A":[7]}}`, `[]`, ``, "state: hands"},
		{``, `{"hands":{"A":[12]}}`, `[]`, ``, "state: hands"},
		{``, `{"hands":{"A":[1.5]}}`, `[]`, ``, "state: hands"},
		{``, `{"hands":{"A":1}}`, `[]`, ``, "state: hands"},
		{``, `{"hands":{"A":[1]},"order":["B"]}`, `[]`, ``, `state: hands: "A" is not in order`},
		{``, `{"hands":{"A":[1]},"scores":{"B":1}}`, `[]`, ``, `state: scores: "B" is not in order`},
		{``, `{"hands":{"A":[1]},"scores":{"A":9223372036854775807}}`, `[]`, ``, `state: scores: "A"`},
		{``, `{"hands":{"A":[1]},"turn":"B"}`, `[]`, ``, `state: turn: "B" is not in order`},
		{``, `{"hands":{"A":[1]},"shop":-1}`, `[]`, ``, `state: shop`},
		{``, `{"hands":{"A":[1]},"final_left":-1}`, `[]`, ``, `state: final_left`},
		{``, `{"order":["A","A"]}`, `[]`, ``, `state: order: "A" sits twice`},
		{``, `{"order":["A","B","C","D","E","F"]}`, `[]`, ``, `state: order`},
		{``, `{}`, `[]`, ``, `state: order`},
		{``, state, `{"type":"roll"}`, ``, "action: expected a list of events"},
		{``, state, `[7]`, ``, "action: event 0"},
		{``, state, `[{"type":"sing"}]`, ``, `action: event 0: type: "sing" is unknown`},
		{``, state, `[{"type":"roll"}]`, ``, "action: event 0: dice"},
		{``, state, `[{"type":"roll","dice":[1]},{"type":"keep","dice":["x"]}]`, ``, "action: event 1: dice"},
		{``, state, `[{"type":"steal","dice":[1]}]`, ``, "from and dice"},
		{``, state, `[{"type":"fromage","takes":[["A"]],"set":[]}]`, ``, "event 0: takes[0]: a take is"},
		{``, state, `[{"type":"fromage","takes":[["A",9]],"set":[]}]`, ``, "a take's face is 1 to 6"},
		{``, state, `[{"type":"fromage","takes":[]}]`, ``, "event 0: set"},
		{``, state, `[{"type":"fromage","set":[1,2,3]}]`, ``, "event 0: takes"},
		{``, state, `[{"type":"compensate","player":"A"}]`, ``, "event 0: dice or points"},
		{``, state, `[{"type":"roll","player":-1,"dice":[1]}]`, ``, "event 0: player: -1 is not a player"},
		{``, `{"hands":{"A":[1]},"turn":8}`, `[]`, ``, "state: turn: 8 is not a player"},
		{``, state, ``, `{"type":"best"}`, `query: type: "best" is unknown`},
		{``, `{}`, ``, `{"type":"winner"}`, `query: scores`},
	} {
		_, err := rulestest.Answer(t, Judge, c.options, c.state, c.action, c.query)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s %s %s: error %v, want one with %q", c.options, c.state, c.action, c.query, err, c.want)
		}
	}
}

func FuzzJudge(f *testing.F) {
	files, _ := filepath.Glob("testdata/cases/*.json")
	for _, file := range files[:min(8, len(files))] {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var c struct{ State, Action json.RawMessage }
		if err := json.Unmarshal(text, &c); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(c.State), []byte(c.Action), false)
	}
	f.Add([]byte(`{}`), []byte(`{"type":"winner","scores":{"A":1}}`), true)
	f.Fuzz(func(t *testing.T, state, act []byte, ask bool) {
		action, query := json.RawMessage(act), json.RawMessage(nil)
		if ask {
			action, query = nil, action
		}
		v, err := Judge(nil, state, action, query)
		if err != nil {
			return
		}
		if got, ok := v.(verdict); ok && got.Legal == (got.Code != "") || ok && !got.Legal && !slices.Contains(got.Codes, got.Code) {
			t.Errorf("verdict %+v", got)
		}
		if _, err := json.Marshal(v); err != nil {
			t.Error(err)
		}
	})
}

// FuzzParseMove reads any text: what is read is written so that it is read again.
func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"B roll 11236", "B steal A 22", "A compensate 2 points", "B fromage A2 C5 112255", "B end 111 claims 3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Game.ParseMove(text)
		if err != nil {
			return
		}
		if again, err := Game.ParseMove(m.String()); err != nil || again != m {
			t.Errorf("%q is read as %q, which is read as %v (%v)", text, m, again, err)
		}
		if _, err := json.Marshal(m); err != nil {
			t.Error(err)
		}
	})
}
