package dicebox

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"diceref/rules"
)

// base is a partial position: the Seed 3 and a red 4 beside it, A on turn.
const base = `{"board": [".. .. .. .. ..", ".. .. .. .. ..", ".. .. S3 R4 ..", ".. .. .. .. ..", ".. .. .. .. .."],
	"hands": {"A": ["R2", "B6", "W4"], "B": ["Y1", "W1"], "C": []}, "to_move": "%"`

// acts are illegal acts with every reason, the first one first.
var acts = []struct{ turn, state, action, codes string }{
	{"A", "", `{"type":"place","player":"B","die":"Y1","to":[2,1]}`, "BX-TURN BX-VALUE"},
	{"A", "", `{"type":"pass"}`, "BX-MUSTPLAY"},
	{"A", "", `{"type":"reroll","result":["R1","B1","W1"]}`, "BX-MUSTPLAY"},
	{"A", "", `{"type":"reroll","result":["R1","B1","Y1"]}`, "BX-MUSTPLAY BX-REROLL-ALL"},
	{"B", "", `{"type":"pass"}`, "BX-MUSTROLL"},
	{"B", "", `{"type":"reroll","result":["Y1"]}`, "BX-REROLL-ALL"},
	{"B", "", `{"type":"reroll","result":["Y2","Y3"]}`, "BX-REROLL-ALL"},
	{"C", "", `{"type":"reroll"}`, "BX-NODICE"},
	{"A", "", `{"type":"place","die":"R2","to":[2,3]}`, "BX-OCC"},
	{"A", "", `{"type":"place","die":"B6","to":[2,3]}`, "BX-OCC BX-VALUE"},
	{"A", "", `{"type":"place","die":"R2","to":[-1,0]}`, "BX-OFF"},
	{"A", "", `{"type":"place","die":"R2","to":[0,0]}`, "BX-ISOLATED"},
	{"A", "", `{"type":"place","die":"B6","to":[1,2]}`, "BX-VALUE"},
	{"A", "", `{"type":"place","die":"R4","to":[1,2]}`, "BX-FACE"},
	{"A", "", `{"type":"place","die":"R2","top":4,"to":[1,2]}`, "BX-FACE"},
	{"A", "", `{"type":"place","die":"R6","to":[1,2]}`, "BX-VALUE BX-FACE"},
	{"A", "", `{"type":"place","die":"Y2","to":[1,2]}`, "BX-NOTYOURS"},
	{"C", "", `{"type":"place","die":"Y5","to":[1,2]}`, "BX-NOTYOURS BX-VALUE"},
	{"A", "", `{"type":"place","die":"S2","to":[1,2]}`, "BX-SEED"},
	{"A", "", `{"type":"move","from":[2,3],"to":[1,3]}`, "BX-MOVED"},
	{"B", `,"last_action":{"type":"place","player":"A","die":"R4"}`, `{"type":"place","player":"A","die":"R2","to":[1,2]}`, "BX-TURN BX-TWO"},
	{"B", `,"last_action":{"type":"place","player":"A","die":"R4"}`, `{"type":"reroll","player":"A"}`, "BX-TURN BX-REROLL-AFTER"},
}

func judged(t *testing.T, state, action string) (legal bool, codes []string) {
	t.Helper()
	v, err := Judge(nil, json.RawMessage(state), json.RawMessage(action), nil)
	if err != nil {
		t.Fatalf("%s: %v", action, err)
	}
	return v.(rules.Ruling).Legal, v.(rules.Ruling).Codes
}

func TestEveryReason(t *testing.T) {
	seen := map[string]bool{}
	check := func(state, action, want string) {
		t.Helper()
		legal, codes := judged(t, state, action)
		if got := strings.Join(codes, " "); got != want || legal != (want == "") {
			t.Errorf("%s: %q, want %q", action, got, want)
		}
		for _, c := range codes {
			seen[c] = true
		}
	}
	for _, a := range acts {
		check(strings.Replace(base, "%", a.turn, 1)+a.state+"}", a.action, a.codes)
	}
	for _, legal := range []struct{ turn, action string }{
		{"A", `{"type":"place","die":"R2","to":[1,2]}`},
		{"A", `{"type":"place","die":"W4","to":[3,2]}`},
		{"B", `{"type":"reroll","result":["Y1","W6"]}`},
		{"B", `{"type":"reroll"}`},
		{"C", `{"type":"pass"}`},
		{"D", `{"type":"reroll"}`}, // whose hand is not known
		{"D", `{"type":"pass"}`},
	} {
		check(strings.Replace(base, "%", legal.turn, 1)+"}", legal.action, "")
	}
	over := `{"board": ["S3 .. .. .. ..", ".. .. .. .. ..", ".. .. .. .. ..", ".. .. .. .. ..", ".. .. .. .. .."], "hands": {"A": [], "B": []}, "to_move": "A"}`
	check(over, `{"type":"pass"}`, "BX-OVER")
	check(over, `{"type":"reroll"}`, "BX-OVER BX-NODICE")
	check(over, `{"type":"place","die":"R4","to":[0,1]}`, "BX-OVER BX-NOTYOURS")
	check(over, `{"type":"pass","player":"C"}`, "BX-OVER BX-TURN") // who acts does not change what the position is
	check(strings.Replace(over, `, "to_move": "A"`, "", 1), `{"type":"pass"}`, "BX-OVER")
	check(strings.Replace(over, `"to_move": "A"`, `"to_move": "C"`, 1), `{"type":"pass"}`, "") // C, whose turn it is, may have dice
	dead := `{"board": [".. .. .. .. ..", ".. .. .. .. ..", ".. .. .. .. ..", ".. .. .. .. ..", ".. .. .. .. .."], "hands": {"A": ["R1"], "B": []}, "to_move": "A"}`
	check(dead, `{"type":"pass"}`, "BX-OVER BX-MUSTROLL")
	check(dead, `{"type":"reroll"}`, "BX-OVER")

	for _, code := range strings.Fields(`BX-TURN BX-MUSTPLAY BX-MUSTROLL BX-REROLL-ALL BX-OCC BX-OFF BX-ISOLATED BX-VALUE BX-FACE
		BX-NOTYOURS BX-TWO BX-REROLL-AFTER BX-SEED BX-MOVED BX-NODICE BX-OVER`) {
		if !seen[code] {
			t.Errorf("no act here gives %s", code)
		}
	}
}

func TestQueries(t *testing.T) {
	for _, c := range []struct{ options, state, query, want string }{
		{
			`{"wrap":true}`, `{"board":[".. .. .. .. ..",".. .. .. .. ..",".. .. S6 .. ..",".. .. .. .. ..",".. .. .. .. .."]}`,
			`{"type":"candidates","square":[2,3]}`, `{"values":[1,5]}`,
		},
		{
			`{}`, `{"board":[".. .. .. .. ..",".. .. .. .. ..",".. .. S6 .. ..",".. .. .. .. ..",".. .. .. .. .."]}`,
			`{"type":"candidates","square":[2,2]}`, `{"values":null}`,
		},
		{
			`{}`, `{"board":[".. .. .. .. ..",".. .. .. .. ..",".. .. S3 R4 ..",".. .. .. .. ..",".. .. .. .. .."],"hands":{"A":["R4"],"B":[]},"to_move":"B"}`,
			`{"type":"must"}`, `{"must":"pass"}`,
		},
		{
			`{}`, `{"board":[".. .. .. .. ..",".. .. .. .. ..",".. .. S3 R4 ..",".. .. .. .. ..",".. .. .. .. .."],"hands":{"A":["R4"],"B":[]},"to_move":"B"}`,
			`{"type":"must","player":"A"}`, `{"must":"place"}`,
		},
		{
			`{"score_unplaced":true}`, `{"board":["R3 .. .. .. ..",".. .. .. .. ..",".. .. S3 R4 ..",".. .. .. .. ..",".. .. .. .. .."],"hands":{"A":["Y4"],"B":["R1","W2"]}}`,
			`{"type":"scores","players":2,"owners":{"A":"R","B":"Y"}}`, `{"scores":{"A":8,"B":4},"unclaimed":{"B":0,"W":2},"winners":["A"]}`,
		},
		{
			`{}`, `{"board":["R3 .. .. .. ..",".. .. .. .. ..",".. .. S3 Y2 ..",".. .. B1 W4 ..",".. .. .. .. .."]}`,
			`{"type":"scores","players":3,"owners":{"A":"R","B":"Y","C":"B"}}`, `{"scores":{"A":3,"B":2,"C":1},"unclaimed":{"W":4},"winners":["C"]}`,
		},
	} {
		var options map[string]any
		if err := json.Unmarshal([]byte(c.options), &options); err != nil {
			t.Fatal(err)
		}
		v, err := Judge(options, json.RawMessage(c.state), nil, json.RawMessage(c.query))
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		if got, _ := json.Marshal(v); string(got) != c.want {
			t.Errorf("%s: %s, want %s", c.query, got, c.want)
		}
	}
}

func TestMalformedCases(t *testing.T) {
	for _, c := range []struct{ options, state, action, query, want string }{
		{`{"wrapped":true}`, `{}`, `{"type":"pass"}`, ``, "options: unknown house rule"},
		{`{"wrap":3}`, `{}`, `{"type":"pass"}`, ``, "options: house rule wrap"},
		{`{}`, `{"board":3}`, `{"type":"pass"}`, ``, "state: board"},
		{`{}`, `{"board":["R3"]}`, `{"type":"pass"}`, ``, "board: a board has 5 rows"},
		{`{}`, `{"board":["K3 .. .. .. ..",".. .. .. .. ..",".. .. .. .. ..",".. .. .. .. ..",".. .. .. .. .."]}`, `{"type":"pass"}`, ``, "a1: K3 is not a die"},
		{`{}`, `{"hands":{"A":["S3"]}}`, `{"type":"pass"}`, ``, "hands: A: die 0: S3 is the Seed"},
		{`{}`, `{"hands":{"E":["S1"],"D":["S1"],"C":["S1"],"B":["S1"],"A":["S1"]}}`, `{"type":"pass"}`, ``, "hands: A: die 0"}, // the same error every time
		{`{}`, `{"to_move":[1]}`, `{"type":"pass"}`, ``, "to_move"},
		{`{}`, `{}`, `{"type":"jump"}`, ``, "action: type"},
		{`{}`, `{}`, `{"type":"place","die":"R3"}`, ``, "action: to"},
		{`{}`, `{}`, `{"type":"place","to":[1,2]}`, ``, "action: die"},
		{`{}`, `{}`, `{"type":"place","die":"R3","to":[1]}`, ``, "action: to"},
		{`{}`, `{}`, `{"type":"place","die":"R3","top":7,"to":[1,1]}`, ``, "action: top"},
		{`{}`, `{}`, ``, `{"type":"candidates"}`, "query: square"},
		{`{}`, `{}`, ``, `{"type":"scores"}`, "query: owners"},
		{`{}`, `{}`, ``, `{"type":"scores","owners":{"A":"RR"}}`, "query: owners"},
		{`{}`, `{}`, ``, `{"type":"must"}`, "query: player"},
		{`{}`, `{}`, ``, `{"type":"best"}`, "query: type"},
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
		f.Add(strings.Replace(base, "%", a.turn, 1)+"}", a.action, false)
	}
	f.Add(`{"board":null}`, `{"type":"candidates","square":[2,3]}`, true)
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
	for _, s := range []string{"A place R4 d3", "A place R4 d3 named 5", "A reroll", "A reroll to R2 Y3", "A pass", "A shift c3 d3 R4", "B draft W", "seed 4", "hand A R1 Y3"} {
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
