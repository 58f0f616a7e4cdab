package dessertdice

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"diceref/rules"
)

const (
	base = `{"board": ["Y1 .. .. .. ..", ".. .. .. .. ..", ".. .. R3 G6 ..", ".. .. .. .. ..", ".. .. .. .. R1/2"],
		"supply": ["R3", "R5", "Y1", "G6", "P2", "K4"], "to_move": 0`
	full = `{"board": ["R1 R1 R1 R1 R1", "R6 Y6 Y6 Y6 Y6", "Y2 Y2 G2 G2 G2", "G5 G5 G5 P5 P5", "P3 P3 P3 P3 K3"], "to_move": 0`
)

// acts are acts with every reason, the first one first; none: legal.
var acts = []struct{ state, action, codes string }{
	{base, `{"type":"place","die":"R5","to":[4,0]}`, ""},
	{base, `{"type":"place","player":1,"die":"R5","to":[4,0]}`, "DD-TURN"},
	{base, `{"type":"pass"}`, "DD-PASS"},
	{base, `{"type":"pass","player":1}`, "DD-TURN DD-PASS"},
	{base, `{"type":"place","die":"R5","to":[0,0]}`, "DD-PLACE-OCC"},
	{base, `{"type":"place","die":"R5","to":[0,5]}`, "DD-PLACE-OFF"},
	{base, `{"type":"place","die":"R4","to":[0,1]}`, "DD-PLACE-NOTSUPPLY"},
	{base, `{"type":"place","die":"R4","top":5,"to":[0,0]}`, "DD-PLACE-NOTSUPPLY DD-PLACE-OCC"},
	{base, `{"type":"place","die":"R5","top":3,"to":[0,1]}`, "DD-PLACE-FACE"},
	{base, `{"type":"move","from":[1,1],"to":[1,2],"top":1}`, "DD-MOVE-NODIE"},
	{base, `{"type":"move","from":[5,0],"to":[4,0],"top":1}`, "DD-MOVE-NODIE"},
	{base, `{"type":"move","from":[0,0],"to":[0,-1],"top":2}`, "DD-MOVE-OFF"},
	{base, `{"type":"move","from":[0,0],"to":[-1,1],"top":2}`, "DD-MOVE-OFF DD-MOVE-DIAG"},
	{base, `{"type":"move","from":[0,0],"to":[-2,0],"top":2}`, "DD-MOVE-OFF DD-MOVE-FAR"},
	{base, `{"type":"move","from":[2,2],"to":[1,3],"top":2}`, "DD-MOVE-DIAG"},
	{base, `{"type":"move","from":[2,2],"to":[1,3],"top":3}`, "DD-MOVE-DIAG DD-MOVE-SLIDE"},
	{base, `{"type":"move","from":[2,2],"to":[2,2],"top":1}`, "DD-MOVE-FAR DD-MOVE-OCC"},
	{base, `{"type":"move","from":[2,2],"to":[0,0],"top":4}`, "DD-MOVE-FAR DD-MOVE-OCC DD-MOVE-FACE"},
	{base, `{"type":"move","from":[2,2],"to":[2,3],"top":1}`, "DD-MOVE-OCC"},
	{base, `{"type":"move","from":[2,2],"to":[2,1],"top":3}`, "DD-MOVE-SLIDE"},
	{base, `{"type":"move","from":[2,2],"to":[2,1],"top":4}`, "DD-MOVE-FACE"},
	{base, `{"type":"move","from":[2,2],"to":[2,1],"top":4,"colour":"Y"}`, "DD-MOVE-SWAP"},
	{base, `{"type":"move","from":[2,2],"to":[2,1],"top":1,"colour":"red"}`, ""},
	{base, `{"type":"move","from":[4,4],"to":[3,4],"top":5}`, ""},
	{base, `{"type":"move","from":[4,4],"to":[3,4],"top":2}`, "DD-MOVE-ORIENT"},
	{base, `{"type":"move","from":[4,4],"to":[4,3],"top":4}`, ""},
	{base, `{"type":"move","from":[4,4],"to":[4,3],"top":2}`, "DD-MOVE-ORIENT"},
	{base + `,"last_action":{"type":"move","from":[2,1],"to":[2,2]}`, `{"type":"move","from":[2,2],"to":[2,1],"top":3}`, "DD-UNDO DD-MOVE-SLIDE"},
	{base + `,"last_action":{"type":"move","from":[2,1],"to":[2,2]}`, `{"type":"move","from":[2,2],"to":[1,2],"top":1}`, ""},
	{base + `,"last_action":{"type":"place","player":1,"to":[0,0]}`, `{"type":"place","player":1,"die":"R5","to":[4,0]}`, "DD-TURN DD-TWO"},
	{full, `{"type":"move","from":[0,0],"to":[0,1],"top":2}`, "DD-OVER DD-MOVE-OCC"},
	{full, `{"type":"pass"}`, "DD-OVER DD-PASS"},
	{full, `{"type":"place","die":"R1","to":[0,1]}`, "DD-OVER DD-PLACE-OCC"},
	{`{"to_move":"A"`, `{"type":"pass","player":"B"}`, "DD-TURN DD-PASS"},
}

func TestReasons(t *testing.T) {
	for _, a := range acts {
		v, err := Judge(nil, json.RawMessage(a.state+"}"), json.RawMessage(a.action), nil)
		if err != nil {
			t.Errorf("%s: %v", a.action, err)
			continue
		}
		got := v.(rules.Ruling)
		if strings.Join(got.Codes, " ") != a.codes || got.Legal != (a.codes == "") {
			t.Errorf("%s: %q, want %q", a.action, got.Codes, a.codes)
		}
	}
}

// TestEveryReasonIsTested looks for each code of RULES.md 1.6 among the acts above
// and the playthrough files, which hold those that need a match.
func TestEveryReasonIsTested(t *testing.T) {
	text := readTestdata(t, "acts_fail.play") + readTestdata(t, "repeat_fail.play")
	for _, a := range acts {
		text += " " + a.codes
	}
	words := strings.Fields(text)
	for _, code := range strings.Fields(`DD-TURN DD-PASS DD-TWO DD-PLACE-OCC DD-PLACE-OFF DD-PLACE-NOTSUPPLY DD-PLACE-FACE DD-MOVE-NODIE DD-MOVE-OFF
		DD-MOVE-DIAG DD-MOVE-FAR DD-MOVE-OCC DD-MOVE-SLIDE DD-MOVE-FACE DD-MOVE-ORIENT DD-MOVE-SWAP DD-UNDO DD-TURNED DD-OVER DD-REPEAT`) {
		if !slices.Contains(words, code) {
			t.Errorf("no test gives %s", code)
		}
	}
}

func TestQueries(t *testing.T) {
	board := `{"board":["R1 Y2 .. .. ..",".. .. .. .. ..",".. .. K6/5 .. ..",".. .. .. .. ..",".. .. .. G3 P1"]}`
	for _, c := range []struct{ options, query, want string }{
		{`{"cluster":"literal"}`, `{"type":"score","icon":"J"}`, `{"score":4}`},
		{`{"profile":"simple"}`, `{"type":"score","icon":"J"}`, `{"score":0}`},
		{`{"profile":"simple","singleton":1}`, `{"type":"score","icon":"J"}`, `{"score":1}`},
		{`{"profile":{"*":{"1":"","2":"SJ"},"R":{"1":"S"},"G":{"3":"PI"},"P":{"1":"I"}}}`, `{"type":"scores"}`, `{"scores":{"I":2,"J":0,"P":0,"S":2}}`},
		{`{}`, `{"type":"reachable_tops","from":[2,2],"to":[3,2]}`, `{"tops":[5]}`},
		{`{}`, `{"type":"reachable_tops","from":[2,2],"to":[2,1]}`, `{"tops":[3,4]}`},
		{`{"chirality":"western"}`, `{"type":"reachable_tops","from":[2,2],"to":[2,1]}`, `{"tops":[4]}`},
		{`{"chirality":"asian"}`, `{"type":"reachable_tops","from":[2,2],"to":[2,1]}`, `{"tops":[3]}`},
		{`{"strict_orientation":false}`, `{"type":"reachable_tops","from":[2,2],"to":[2,1]}`, `{"tops":[2,3,4,5]}`},
		{`{}`, `{"type":"reachable_tops","from":[0,0],"to":[1,0]}`, `{"tops":[2,3,4,5]}`},
		{`{}`, `{"type":"reachable_tops","from":[0,0],"to":[1,1]}`, `{"tops":[]}`},
		{`{}`, `{"type":"game_over"}`, `{"over":false}`},
		{`{}`, `{"type":"winner","scores":{"A":4,"B":4,"C":3},"last_place_turn":{"A":3,"B":7,"C":9}}`, `{"winners":["B"]}`},
		{`{}`, `{"type":"winner","scores":{"A":4,"B":4},"last_place_turn":{"A":null,"B":null}}`, `{"winners":["A","B"]}`},
		{`{}`, `{"type":"winner","scores":{"A":0,"B":0},"last_place_turn":{"A":0}}`, `{"winners":["A"]}`},
	} {
		var options map[string]any
		if err := json.Unmarshal([]byte(c.options), &options); err != nil {
			t.Fatal(err)
		}
		v, err := Judge(options, json.RawMessage(board), nil, json.RawMessage(c.query))
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		if got, _ := json.Marshal(v); string(got) != c.want {
			t.Errorf("%s %s: %s, want %s", c.options, c.query, got, c.want)
		}
	}
}

func TestMalformedCases(t *testing.T) {
	for _, c := range []struct{ options, state, action, query, want string }{
		{`{"profile":"triples"}`, `{}`, `{"type":"pass"}`, ``, "profile"},
		{`{"profile":{"R":{"7":"J"}}}`, `{}`, `{"type":"pass"}`, ``, "R has \"7\""},
		{`{"profile":{"R":{"1":"X"}}}`, `{}`, `{"type":"pass"}`, ``, "R, face 1"},
		{`{"profile":{"W":{"1":"J"}}}`, `{}`, `{"type":"pass"}`, ``, "\"W\" is not a color"},
		{`{"profile":{"white":{"1":"J"}}}`, `{}`, `{"type":"pass"}`, ``, "\"white\" is not a color"},
		{`{"profile":[null]}`, `{}`, `{"type":"pass"}`, ``, "cannot be [null] (expected pairs"},
		{`{"profile":{"Z":{},"Y":{},"X":{},"W":{},"V":{}}}`, `{}`, `{"type":"pass"}`, ``, "\"V\" is not a color"}, // the same error every time
		{`{"profile":{"R":{"6":"X","5":"X","4":"X","3":"X","2":"X"}}}`, `{}`, `{"type":"pass"}`, ``, "R, face 2"},
		{`{"singleton":2}`, `{}`, `{"type":"pass"}`, ``, "house rule singleton"},
		{`{}`, `{"board":["W1 .. .. .. ..",".. .. .. .. ..",".. .. .. .. ..",".. .. .. .. ..",".. .. .. .. .."]}`, `{"type":"pass"}`, ``, "a1: W1"},
		{`{}`, `{"board":["R1/6 .. .. .. ..",".. .. .. .. ..",".. .. .. .. ..",".. .. .. .. ..",".. .. .. .. .."]}`, `{"type":"pass"}`, ``, "row 0, column 0"},
		{`{}`, `{"supply":"R3"}`, `{"type":"pass"}`, ``, "state: supply"},
		{`{}`, `{"last_action":{"type":"move"}}`, `{"type":"pass"}`, ``, "last_action"},
		{`{}`, `{}`, `{"type":"move","from":[1,1]}`, ``, "from and to"},
		{`{}`, `{}`, `{"type":"place","die":"R3","to":"b3"}`, ``, "action: to"},
		{`{}`, `{}`, ``, `{"type":"score","icon":"Q"}`, "query: icon"},
		{`{}`, `{}`, ``, `{"type":"winner"}`, "query: scores"},
		{`{}`, `{}`, ``, `{"type":"melt"}`, "query: type"},
	} {
		var options map[string]any
		if err := json.Unmarshal([]byte(c.options), &options); err != nil {
			t.Fatal(err)
		}
		v, err := Judge(options, json.RawMessage(c.state), raw(c.action), raw(c.query))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s%s: %v, %v; want an error with %q", c.state, c.action, c.query, v, err, c.want)
		}
	}
}

func raw(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
}

func FuzzJudge(f *testing.F) {
	for _, a := range acts {
		f.Add(a.state+"}", a.action, false)
	}
	f.Add(full+"}", `{"type":"score","icon":"J"}`, true)
	f.Fuzz(func(t *testing.T, state, act string, query bool) {
		if query {
			_, _ = Judge(nil, raw(state), nil, raw(act))
			return
		}
		v, err := Judge(nil, raw(state), raw(act), nil)
		if err == nil && !v.(rules.Ruling).Legal && !slices.Contains(v.(rules.Ruling).Codes, v.(rules.Ruling).Code) {
			t.Errorf("illegal without a reason: %v", v)
		}
	})
}

func FuzzParseMove(f *testing.F) {
	for _, s := range []string{"A place R3 e1", "A place R3 e1 as 5", "B move c3 d3 R4", "B move c3 d3 4", "B move c3 [5,2]", "A pass", "A turn c3 R4", "supply R3 K1", "A card J"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := Game.ParseMove(s)
		if err != nil {
			return
		}
		again, err := Game.ParseMove(m.String())
		if err != nil || again.String() != m.String() {
			t.Errorf("%q becomes %q becomes %v (%v)", s, m, again, err)
		}
	})
}
