package dicecreams

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/rules/rulestest"
)

func TestCases(t *testing.T) { rulestest.Cases(t, "testdata/cases", Judge) }

// draft is a position of the draft; what follows replaces what is there.
const draft = `{"fridge":["blue4","green2","black3","yellow6","orange1"],"display":{"X":{"spots":["blue",null,"green"]},"Y":{"spots":[null,null,null]}},
 "deck_top":{"T":{"spots":["black",null,null]}},"order":["A","B"],"drafting":"A",
 "mine":{"M":{"spots":["green",null,"black"],"dice":["green5",null,null]},"D":{"spots":[null,null,null],"done":true}},"sprinkles":1%s}`

const (
	twoUnfinished = `,"mine":{"N":{"spots":[null,null,null],"dice":[null,null,null]}}`
	fullCard      = `,"mine":{"N":{"spots":[null,null,null],"dice":["blue1","blue1","blue1"]}}`
)

// acts are drafts with every reason against them; none: legal.
var acts = []struct{ name, options, more, act, codes string }{
	{"over", ``, `,"over":true`, `{"type":"take","die":"black3","to":["M",2]}`, "DC-OVER"},
	{"of another", ``, ``, `{"type":"take","player":"B","die":"black3","to":["M",2]}`, "DC-TURN"},
	{"of the player on turn", ``, ``, `{"type":"take","player":"A","die":"black3","to":["M",2]}`, ""},
	{"discard of another", ``, ``, `{"type":"discard","player":"B","die":"black9"}`, "error"},
	{"discard of another, not there", ``, ``, `{"type":"discard","player":"B","die":"black1"}`, "DC-TURN DC-NOTFRIDGE"},
	{"nowhere", ``, ``, `{"type":"take","die":"black3"}`, "DC-MUSTPLACE"},
	{"a spot that is none", ``, ``, `{"type":"take","die":"black3","to":["M",3]}`, "DC-MUSTPLACE"},
	{"not on the Fridge", ``, ``, `{"type":"take","die":"black4","to":["M",2]}`, "DC-NOTFRIDGE"},
	{"nowhere, and not on the Fridge", ``, ``, `{"type":"take","die":"black4"}`, "DC-NOTFRIDGE DC-MUSTPLACE"},
	{"more pips than a number holds", ``, ``, `{"type":"take","die":"blue4","to":["M",1],"sprinkle_delta":-9223372036854775808}`, "DC-NOSPRINKLE DC-PIP-RANGE"},
	{"the wrong color", ``, ``, `{"type":"take","die":"blue4","to":["M",2]}`, "DC-COLOUR"},
	{"taken", ``, ``, `{"type":"take","die":"green2","to":["M",0]}`, "DC-SPOT-TAKEN"},
	{"taken and the wrong color", ``, ``, `{"type":"take","die":"blue4","to":["M",0]}`, "DC-SPOT-TAKEN DC-COLOUR"},
	{"finished", ``, ``, `{"type":"take","die":"blue4","to":["D",0]}`, "DC-FINISHED"},
	{"full", ``, fullCard, `{"type":"take","die":"blue4","to":["N",0]}`, "DC-SPOT-TAKEN DC-FINISHED"},
	{"a full one is not unfinished", ``, fullCard, `{"type":"take","die":"blue4","to":["X",0]}`, ""},
	{"third", ``, twoUnfinished, `{"type":"take","die":"blue4","to":["X",0]}`, "DC-TWO-LIMIT"},
	{"third of the wrong color", ``, twoUnfinished, `{"type":"take","die":"black3","to":["X",0]}`, "DC-TWO-LIMIT DC-COLOUR"},
	{"not in the display", ``, ``, `{"type":"take","die":"blue4","to":["Z",0]}`, "DC-NOTAVAILABLE"},
	{"not in the display and third", ``, twoUnfinished, `{"type":"take","die":"blue4","to":["Z",0]}`, "DC-NOTAVAILABLE DC-TWO-LIMIT"},
	{"the top of the deck", ``, ``, `{"type":"take","die":"black3","to":["T",0]}`, "DC-NOTAVAILABLE"},
	{"the top of the deck, house rule", `{"deck_top_available":true}`, ``, `{"type":"take","die":"black3","to":["T",0]}`, ""},
	{"the top of the deck, wrong color", `{"deck_top_available":true}`, ``, `{"type":"take","die":"blue4","to":["T",0]}`, "DC-COLOUR"},
	{"without a token", ``, `,"sprinkles":0`, `{"type":"take","die":"blue4","to":["M",1],"sprinkle_delta":1}`, "DC-NOSPRINKLE"},
	{"above 6", ``, ``, `{"type":"take","die":"yellow6","to":["M",1],"sprinkle_delta":1}`, "DC-PIP-RANGE"},
	{"below 1 without tokens", ``, ``, `{"type":"take","die":"orange1","to":["M",1],"sprinkle_delta":-2}`, "DC-NOSPRINKLE DC-PIP-RANGE"},
	{"two pips for two", ``, `,"sprinkles":2`, `{"type":"take","die":"blue4","to":["M",1],"sprinkle_delta":2}`, ""},
	{"house rule against it", `{"sprinkle_before_placing":false}`, ``, `{"type":"take","die":"blue4","to":["M",1],"sprinkle_delta":1}`, "DC-TARGET DC-WINDOW"},
	{"another face", ``, ``, `{"type":"take","die":"blue4","to":["M",1],"top":5}`, "DC-FACE"},
	{"the face paid for", ``, ``, `{"type":"take","die":"blue4","to":["M",1],"top":5,"sprinkle_delta":1}`, ""},
	{"discard", ``, `,"sprinkles":20`, `{"type":"discard","die":"blue4"}`, ""},
}

func TestActs(t *testing.T) {
	for _, c := range acts {
		t.Run(c.name, func(t *testing.T) {
			got, err := rulestest.Answer(t, Judge, c.options, fmt.Sprintf(draft, c.more), c.act, "")
			if (err != nil) != (c.codes == "error") {
				t.Fatal(err)
			}
			if err != nil {
				return
			}
			var codes []string
			list, _ := got["codes"].([]any)
			for _, code := range list {
				codes = append(codes, code.(string))
			}
			if strings.Join(codes, " ") != c.codes || got["legal"] != (c.codes == "") {
				t.Errorf("legal %v, codes %v, want %q", got["legal"], codes, c.codes)
			}
			if c.codes != "" && (got["code"] != codes[0] || got["why"] == "") {
				t.Errorf("code %v, why %v", got["code"], got["why"])
			}
		})
	}
}

// TestDrafter tells whose step it is by each name that a case may have for it.
func TestDrafter(t *testing.T) {
	for _, key := range []string{"drafting", "turn", "to_move"} {
		state := fmt.Sprintf(`{"fridge":["blue4"],%q:"A"}`, key)
		got, err := rulestest.Answer(t, Judge, "", state, `{"type":"discard","player":"B","die":"blue4"}`, "")
		if err != nil || got["code"] != "DC-TURN" {
			t.Errorf("%s: %v, %v", key, got, err)
		}
	}
}

// TestEveryCode holds the list of codes of RULES.md 4.8 against those that tests produce.
func TestEveryCode(t *testing.T) {
	text, err := os.ReadFile("testdata/illegal_fail.play")
	if err != nil {
		t.Fatal(err)
	}
	made := string(text)
	for _, c := range acts {
		made += " " + c.codes + " "
	}
	for _, code := range strings.Fields(`DC-DRAWCOUNT DC-TURN DC-NOTFRIDGE DC-MUSTPLACE DC-COLOUR DC-SPOT-TAKEN DC-FINISHED DC-TWO-LIMIT
		DC-NOTAVAILABLE DC-REFILL DC-FACE DC-NOSPRINKLE DC-PIP-RANGE DC-WINDOW DC-TOKEN-REQ DC-TOKEN-TWO DC-TOKEN-MISSING DC-SECOND
		DC-BONUS DC-MELT DC-DISCARD-IC DC-1ST DC-TARGET DC-COMPLETE DC-CLEAN DC-OVER`) {
		if !strings.Contains(made, code) {
			t.Errorf("no test produces %s", code)
		}
	}
}

func TestQueries(t *testing.T) {
	for _, c := range []struct{ name, options, state, query, want string }{
		{"draw by order", ``, `{"order":["A","B"]}`, `{"type":"draw_count"}`, `{"draw":5}`},
		{"draw by names", ``, `{"players":["A","B","C"]}`, `{"type":"draw_count"}`, `{"draw":6}`},
		{"descending sequence", ``, ``, `{"type":"customer","requirement":"sequence","values":[4,3,2]}`, `{"ok":true}`},
		{"not in the order of the spots", `{"sequence_in_spot_order":true}`, ``, `{"type":"customer","requirement":"sequence","values":[4,2,3]}`, `{"ok":false}`},
		{"in the order of the spots", `{"sequence_in_spot_order":true}`, ``, `{"type":"customer","requirement":"sequence","values":[2,3,4]}`, `{"ok":true}`},
		{"15 is enough", ``, ``, `{"type":"customer","requirement":"sum15","values":[6,4,5]}`, `{"ok":true}`},
		{
			"all melt", ``, `{"placed":{"z":["black3","black4",null],"a":["black1",null,"orange6"]}}`, `{"type":"melt","left":["black","black","black"]}`,
			`{"placed":{"a":[null,null,"orange6"],"z":[null,"black1",null]},"removed":["black3","black1"]}`,
		},
		{"dice left as dice", ``, `{"placed":{"a":["blue2"]}}`, `{"type":"melt","left":["blue6","green1","green1"]}`, `{"placed":{"a":["blue1"]},"removed":[]}`},
		{"something can be taken", ``, fmt.Sprintf(draft, twoUnfinished), `{"type":"can_take"}`, `{"can_take":true}`},
		{"an empty Fridge", ``, `{"display":{"X":{"spots":[null,null,null]}}}`, `{"type":"can_take"}`, `{"can_take":false}`},
		{"only the deck's top would do", ``, `{"fridge":["blue1"],"display":{"X":{"spots":["black","black","black"]}},"deck_top":{"T":{"spots":[null,null,null]}}}`, `{"type":"can_take"}`, `{"can_take":false}`},
		{"the deck's top, house rule", `{"deck_top_available":true}`, `{"fridge":["blue1"],"deck_top":{"T":{"spots":[null,null,null]}}}`, `{"type":"can_take"}`, `{"can_take":true}`},
		{
			"more tokens win", ``, ``, `{"type":"final","players":{"A":{"icecream_fame":[8],"token_fame":[2],"tokens":1,"sprinkles":2},"B":{"icecream_fame":[6],"token_fame":[2,2],"tokens":2,"sprinkles":0}}}`,
			`{"scores":{"A":10,"B":10},"winners":["B"]}`,
		},
		{"nobody has five", ``, `{"order":["A","B","C"],"drafting":"A","completed":{"A":4,"B":4}}`, `{"type":"end_check"}`, `{"end":"no","remaining_drafts":["B","C"]}`},
		{"the lead is not the first", ``, `{"order":["A","B","C"],"lead":"B","drafting":"C","completed":{"C":["p","q","r","s","t"]}}`, `{"type":"end_check"}`, `{"end":"after_turn","remaining_drafts":["A"]}`},
		{"the step only, house rule", `{"final_turn":"finish_draft_step_only"}`, `{"order":["A","B","C"],"drafting":"A","completed":{"A":5}}`, `{"type":"end_check"}`, `{"end":"after_draft_step","remaining_drafts":[]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := rulestest.Answer(t, Judge, c.options, c.state, "", c.query)
			if err != nil {
				t.Fatal(err)
			}
			if text, _ := json.Marshal(got); string(text) != c.want {
				t.Errorf("%s\nwant %s", text, c.want)
			}
		})
	}
}

func TestMalformed(t *testing.T) {
	for _, c := range []struct{ options, state, action, query, want string }{
		{`{"tie":"mine"}`, `{}`, ``, `{"type":"can_take"}`, "house rule tie"},
		{`{"sprinkle_supply":7}`, `{}`, ``, `{"type":"can_take"}`, "sprinkle_supply"},
		{``, `7`, ``, `{"type":"can_take"}`, "state: expected an object"},
		{``, `{"fridge":["red4"]}`, ``, `{"type":"can_take"}`, "state: fridge"},
		{``, `{"fridge":["blue7"]}`, ``, `{"type":"can_take"}`, "state: fridge"},
		{``, `{"display":{"X":{"spots":["pink"]}}}`, ``, `{"type":"can_take"}`, "state: display"},
		{``, `{"sprinkles":"many"}`, ``, `{"type":"can_take"}`, "state: sprinkles: expected a whole number"},
		{``, `{"players":9}`, ``, `{"type":"draw_count"}`, "state: players"},
		{``, `{"players":"x"}`, ``, `{"type":"draw_count"}`, "state: players"},
		{``, `{"placed":[1]}`, ``, `{"type":"melt","left":[]}`, "state: placed: expected an object"},
		{``, `{"placed":{"a":["x"]}}`, ``, `{"type":"melt","left":[]}`, "state: placed: a"},
		{``, `{}`, ``, `{"type":"melt","left":["red"]}`, "query: left"},
		{``, `{}`, ``, `{"type":"melt"}`, "query: left"},
		{``, `{"mine":{"M":{"spots":[null,null]}}}`, ``, `{"type":"can_take"}`, "3 spots, not 2"},
		{``, `{"mine":{"M":{"dice":[null,null,null,"blue1"]}}}`, ``, `{"type":"can_take"}`, "3 spots, not 4"},
		{``, `{}`, ``, `{"type":"final","players":{"A":{"icecream_fame":[9223372036854775807]}}}`, "query: players: A: a Fame"},
		{``, `{}`, ``, `{"type":"final","players":{"A":{"sprinkles":9223372036854775807}}}`, "query: players: A: sprinkles"},
		{``, `{}`, ``, `{"type":"customer","requirement":"odd","values":[1,2,3]}`, "query: requirement"},
		{``, `{}`, ``, `{"type":"customer","requirement":"even","values":[1,2]}`, "query: values"},
		{``, `{}`, ``, `{"type":"customer","requirement":"even","values":[1,2,9]}`, "query: values"},
		{``, `{}`, ``, `{"type":"final"}`, "query: players"},
		{``, `{}`, ``, `{"type":"final","players":{"A":{"sprinkles":-1}}}`, "sprinkles"},
		{``, `{}`, ``, `{"type":"end_check"}`, "order and drafting"},
		{``, `{"order":["A"],"drafting":"B"}`, ``, `{"type":"end_check"}`, "not in order"},
		{``, `{}`, ``, `{"type":"best"}`, `query: type: "best" is unknown`},
		{``, `{}`, `{"type":"sing"}`, ``, `action: type: "sing" is unknown`},
		{``, `{}`, `{"type":"take"}`, ``, "action: die"},
		{``, `{}`, `{"type":"take","die":"blue1","to":"M"}`, ``, "action: to"},
		{``, `{}`, `{"type":"take","die":"blue1","to":["M",1],"top":9}`, ``, "action: top"},
		{``, `{}`, `{"type":"take","die":"blue1","to":[null,1]}`, ``, "action: to"},
		{``, `{"sprinkles":-1}`, `{"type":"take","die":"blue1","to":["M",1]}`, ``, "state: sprinkles: -1"},
		{``, `{}`, ``, `{"type":"final","players":{"A":{"tokens":-1}}}`, "query: players: A: tokens: -1"},
		{``, `{}`, `[]`, ``, "action: expected an object"},
	} {
		_, err := rulestest.Answer(t, Judge, c.options, c.state, c.action, c.query)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s %s %s: error %v, want one with %q", c.options, c.state, c.action, c.query, err, c.want)
		}
	}
}

func FuzzJudge(f *testing.F) {
	files, _ := filepath.Glob("testdata/cases/*.json")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var c struct{ State, Action, Query json.RawMessage }
		if err := json.Unmarshal(text, &c); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(c.State), append([]byte(c.Action), c.Query...), c.Query != nil)
	}
	f.Fuzz(func(t *testing.T, state, act []byte, ask bool) {
		action, query := json.RawMessage(act), json.RawMessage(nil)
		if ask {
			action, query = nil, action
		}
		v, err := Judge(nil, state, action, query)
		if err != nil {
			return
		}
		if got, ok := v.(rules.Ruling); ok && got.Legal != (got.Code == "") {
			t.Errorf("verdict %+v", got)
		}
		if _, err := json.Marshal(v); err != nil {
			t.Error(err)
		}
	})
}

// FuzzParseMove reads any text: what is read is written so that it is read again.
func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"nature draw green4,blue1", "A take green4 mint-1.0 +1 =5", "A melt mint-1.0=3 mint-1.1=-", "A serve Ada,Ben", "A clean B"} {
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
