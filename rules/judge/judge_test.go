package judge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/rules/judge"
)

// casesOf reads the worked cases that the games keep beside their rulebooks.
func casesOf(t testing.TB) (names []string, docs [][]byte) {
	t.Helper()
	names, _ = filepath.Glob("../*/testdata/cases/*.json")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, text)
	}
	if len(docs) < 30 {
		t.Fatalf("only %d worked cases beside the rulebooks", len(docs))
	}
	return names, docs
}

func compact(t testing.TB, doc []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWorkedCases(t *testing.T) {
	names, docs := casesOf(t)
	for i, doc := range docs {
		var want struct {
			ID       string         `json:"id"`
			Expected map[string]any `json:"expected"`
		}
		if err := json.Unmarshal(doc, &want); err != nil {
			t.Fatal(err)
		}
		line, err := judge.Append(nil, doc)
		if err != nil {
			t.Errorf("%s: %v", names[i], err)
			continue
		}
		var got map[string]any
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatalf("%s: the answer %s: %v", names[i], line, err)
		}
		if got["id"] != want.ID {
			t.Errorf("%s: id %v", names[i], got["id"])
		}
		for key, value := range want.Expected {
			if key == "after" {
				continue // only the listed keys of it count: the games compare those
			}
			if diff := cmp.Diff(value, got[key]); diff != "" && !sameSet(value, got[key]) {
				t.Errorf("%s: %s (-want +got):\n%s", names[i], key, diff)
			}
		}
	}
}

// sameSet compares lists in any order.
func sameSet(a, b any) bool {
	x, ok1 := a.([]any)
	y, ok2 := b.([]any)
	if !ok1 || !ok2 || len(x) != len(y) {
		return false
	}
	count := map[string]int{}
	for i := range x {
		count[fmt.Sprint(x[i])]++
		count[fmt.Sprint(y[i])]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// The mark with which some editors begin a file is no part of the case.
func TestByteOrderMark(t *testing.T) {
	const doc = "\ufeff{\r\n \"id\":\"x\",\r\n \"game\":\"chess\"\r\n}\r\n"
	line := strings.ReplaceAll(doc, "\r\n", "") + "\r\n"
	for _, text := range []string{doc, line} {
		var file, stream strings.Builder
		if _, err := judge.File([]byte(text), &file); err != nil {
			t.Fatal(err)
		}
		if _, err := judge.Stream(strings.NewReader(text+line), &stream); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(file.String(), `{"id":"x","error":"game: unknown`) || stream.String() != strings.Repeat(file.String(), 2) {
			t.Errorf("%q: file %s, stream %s", text, file.String(), stream.String())
		}
	}
}

// Whatever cannot be read gives one error that names the field, under the case's id.
func TestErrors(t *testing.T) {
	const board = `["B1 .. .. .. ..",".. .. .. .. ..",".. .. .. .. ..",".. .. .. .. ..",".. .. .. .. .."]`
	tests := []struct{ name, doc, id, want string }{
		{"empty", ``, `null`, "not JSON"},
		{"no object", `[1,2]`, `null`, "a case: cannot be a JSON array"},
		{"cut off", `{"id":"x","game":"dice-flick","query":{"ty`, `"x"`, "query: not JSON"},
		{"damage in a field", `{"id":"x","state":{"bag":03}}`, `"x"`, "state: not JSON at byte 27"},
		{"nested deeply", `{"id":"x","game":"dice-flick","state":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, `"x"`, "state: nested too deeply"},
		{"id after the damage", `{"game":}`, `null`, "not JSON"},
		{"two in a line", `{"id":"x","game":"dice-flick"} {"id":"y"}`, `"x"`, `"not JSON at byte 32`},
		{"id is an object", `{"id":{},"game":"dice-flick"}`, `null`, "id:"},
		{"numeric id", `{"id":7,"game":"chess","query":{}}`, `7`, `unknown game \"chess\"`},
		{"no game", `{"id":"x","query":{}}`, `"x"`, "game: missing"},
		{"game is a number", `{"id":"x","game":5}`, `"x"`, "game: cannot be a JSON number"},
		{"neither", `{"id":"x","game":"dice-flick","state":{}}`, `"x"`, "either an action or a query"},
		{"both", `{"id":"x","game":"dice-flick","action":{},"query":{}}`, `"x"`, "either an action or a query"},
		{"null query", `{"id":"x","game":"dice-flick","query":null}`, `"x"`, "either an action or a query"},
		{"unknown query", `{"id":"x","game":"dice-flick","query":{"type":"color"}}`, `"x"`, "query.type"},
		{"query is a list", `{"id":"x","game":"dice-flick","query":[]}`, `"x"`, "query: expected an object, not []"},
		{"unknown option", `{"id":"x","game":"dice-flick","options":{"warp":true},"query":{"type":"best"}}`, `"x"`, "warp"},
		{"wrong option", `{"id":"x","game":"dice-flick","options":{"bonus_chain":3},"query":{"type":"best"}}`, `"x"`, "bonus_chain"},
		{"options are a list", `{"id":"x","game":"dice-flick","options":[],"query":{"type":"best"}}`, `"x"`, "options: cannot be a JSON array"},
		{"no arena", `{"id":"x","game":"dice-flick","state":{},"query":{"type":"best"}}`, `"x"`, "state.arena: missing"},
		{"four rows", `{"id":"x","game":"dice-flick","state":{"arena":["..","..","..",".."]},"query":{"type":"best"}}`, `"x"`, "state.arena"},
		{"face 7", `{"id":"x","game":"dice-flick","state":{"arena":` + strings.Replace(board, "B1", "B7", 1) + `},"query":{"type":"best"}}`, `"x"`, "row 0, column 0"},
		{"no such color", `{"id":"x","game":"dice-flick","state":{"arena":` + strings.Replace(board, "B1", "R1", 1) + `},"query":{"type":"best"}}`, `"x"`, "row 0, column 0"},
		{"a blue die without face", `{"id":"x","game":"dice-flick","state":{"arena":` + strings.Replace(board, "B1", "B*", 1) + `},"query":{"type":"best"}}`, `"x"`, "row 0, column 0"},
		{"a name twice", `{"id":"x","game":"dice-flick","state":{"names":["A","A"],"table":[[1,2]]},"query":{"type":"column_totals"}}`, `"x"`, "state.names"},
		{"a name that is null", `{"id":"x","game":"dice-flick","state":{"names":["A",null],"table":[[1,2]]},"query":{"type":"column_totals"}}`, `"x"`, "state.names: player 2"},
		{"a score that is null, dice-flick", `{"id":"x","game":"dice-flick","query":{"type":"winner","scores":{"A":1,"B":null}}}`, `"x"`, "query: scores.B: expected a whole number, not null"},
		{"a score that is null, dessert-dice", `{"id":"x","game":"dessert-dice","query":{"type":"winner","scores":{"A":1,"B":null}}}`, `"x"`, "query: scores.B: expected a whole number, not null"},
		{"a score that is null, fromage-a-trois", `{"id":"x","game":"fromage-a-trois","query":{"type":"winner","scores":{"A":1,"B":null}}}`, `"x"`, "query: scores.B: expected a whole number, not null"},
		{"a huge cell", `{"id":"x","game":"dice-flick","state":{"names":["A"],"table":[[0],[9223372036854775807]]},"query":{"type":"column_totals"}}`, `"x"`, "state.table: round 2"},
		{"25 jokers", `{"id":"x","game":"dice-flick","state":{"arena":` + strings.NewReplacer("B1", "W1", "..", "W1").Replace(board) + `},"query":{"type":"best"}}`, `"x"`, "impossible arena"},
		{"two markers in one hole", `{"id":"x","game":"dice-flick","state":{"arena":` + board + `,"markers":{"center":[2,2],"bonus":[2,2]}},"query":{"type":"best"}}`, `"x"`, "state.markers"},
		{"marker off the arena", `{"id":"x","game":"dice-flick","state":{"arena":` + board + `,"markers":{"upgrade":{"B":[5,5]}}},"query":{"type":"best"}}`, `"x"`, "upgrade.B"},
		{"marker of no color", `{"id":"x","game":"dice-flick","state":{"arena":` + board + `,"markers":{"upgrade":{"W":[1,1]}}},"query":{"type":"best"}}`, `"x"`, "upgrade"},
		{"a square of one number", `{"id":"x","game":"dice-flick","state":{"arena":` + board + `,"markers":{"bonus":[1]}},"query":{"type":"best"}}`, `"x"`, "state: markers.bonus: a square is [row,col], not [1]"},
		{"a square of nothing", `{"id":"x","game":"dice-box","state":{"board":` + board + `},"query":{"type":"candidates","square":[null,0]}}`, `"x"`, "query: square: a square is [row,col]"},
		{"candidates without board", `{"id":"x","game":"dice-box","state":{},"query":{"type":"candidates","square":[1,0]}}`, `"x"`, "state: board: missing"},
		{"clusters without board", `{"id":"x","game":"dessert-dice","query":{"type":"score","icon":"J"}}`, `"x"`, "state: board: missing"},
		{"a move without board", `{"id":"x","game":"dessert-dice","state":{},"action":{"type":"move","from":[1,1],"to":[1,2],"top":2}}`, `"x"`, "state: board: missing"},
		{"claim without type", `{"id":"x","game":"dice-flick","state":{"arena":` + board + `},"query":{"type":"claim","claim":[{}]}}`, `"x"`, "query: claim[0]: type: want"},
		{"combination of nothing", `{"id":"x","game":"dice-flick","state":{"arena":` + board + `},"query":{"type":"claim","claim":[{"type":"combo"}]}}`, `"x"`, "cells: missing"},
		{"blast from nowhere", `{"id":"x","game":"dice-flick","state":{"arena":` + board + `},"query":{"type":"claim","claim":[{"type":"blast","line":"row"}]}}`, `"x"`, "die: missing"},
		{"no claim", `{"id":"x","game":"dice-flick","state":{"arena":` + board + `},"query":{"type":"claim"}}`, `"x"`, "query.claim"},
		{"bag in words", `{"id":"x","game":"dice-flick","state":{"bag":"many"},"query":{"type":"draw_needed"}}`, `"x"`, "state.bag"},
		{"ragged notepad", `{"id":"x","game":"dice-flick","state":{"names":["A","B"],"table":[[1]]},"query":{"type":"column_totals"}}`, `"x"`, "state.table"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line, err := judge.Append(nil, []byte(tt.doc))
			if err == nil {
				t.Fatalf("answered %s", line)
			}
			if got := string(line); !strings.HasPrefix(got, `{"id":`+tt.id+`,"error":"`) || !strings.Contains(got, tt.want) || !json.Valid(line) {
				t.Errorf("got %s, want id %s and %q", got, tt.id, tt.want)
			}
		})
	}
}

func TestStreamGoesOn(t *testing.T) {
	_, docs := casesOf(t)
	good := string(compact(t, docs[0]))
	nested := `{"id":"deep","game":"dice-flick","state":` + strings.Repeat("[", 5_000_000) + strings.Repeat("]", 5_000_000) + `,"query":{}}`
	long := `{"id":"long","why":"` + strings.Repeat("x", judge.MaxCase) + `"}`
	in := strings.Join([]string{good, "", `{"id":"bad"`, "{", nested, long, good, string(bytes.TrimSpace(docs[0])), "\r", good + "\r", "}"}, "\n")
	var out bytes.Buffer
	result, err := judge.Stream(strings.NewReader(in), &out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var kinds []string
	for _, line := range lines {
		switch {
		case !json.Valid([]byte(line)) || len(line) > 1000:
			t.Errorf("a line of %d bytes: %.80s", len(line), line)
		case strings.Contains(line, `"error"`):
			kinds = append(kinds, "error")
		default:
			kinds = append(kinds, "answer")
		}
	}
	want := []string{"answer", "error", "error", "error", "error", "answer", "answer", "answer", "error"}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, out.String())
	}
	if result.Cases != len(want) || result.Failed != 5 || result.First == nil {
		t.Errorf("result %+v", result)
	}
	if !strings.Contains(lines[3], `"id":"deep"`) || !strings.Contains(lines[4], `"id":"long"`) {
		t.Errorf("the ids of the deep and the long case are lost: %.60s %.60s", lines[3], lines[4])
	}
}

func TestFile(t *testing.T) {
	_, docs := casesOf(t)
	pretty, line := string(docs[0]), string(compact(t, docs[1]))
	tests := []struct {
		name, text    string
		cases, failed int
	}{
		{"one indented document", pretty, 1, 0},
		{"one line", line, 1, 0},
		{"a line each", line + "\n" + line + "\n", 2, 0},
		{"indented ones after each other", strings.TrimSpace(pretty) + "\n" + strings.TrimSpace(pretty) + "\n", 2, 0},
		{"a broken line among others", line + "\n{\"id\":\n" + line, 3, 1},
		{"a broken line first", "{\"id\":\n" + line, 2, 1},
		{"a broken document", strings.Replace(pretty, ":", "", 1), 1, 1},
		{"cut off", pretty[:len(pretty)/2], 1, 1},
		{"empty", "", 1, 1},
		{"no JSON", "hello\nworld\n", 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			result, err := judge.File([]byte(tt.text), &out)
			if err != nil || result.Cases != tt.cases || result.Failed != tt.failed {
				t.Errorf("%+v, %v; want %d cases, %d failed:\n%s", result, err, tt.cases, tt.failed, out.String())
			}
		})
	}
}

// Whoever sends one case and waits gets its answer before sending the next.
func TestStreamAnswersAtOnce(t *testing.T) {
	_, docs := casesOf(t)
	line := compact(t, docs[0])
	in, cases := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := judge.Stream(in, out)
		done <- err
	}()
	answer := make([]byte, 1<<16)
	for range 3 {
		if _, err := cases.Write(append(line, '\n')); err != nil {
			t.Fatal(err)
		}
		if n, err := answers.Read(answer); err != nil || !bytes.HasSuffix(answer[:n], []byte("}\n")) {
			t.Fatalf("%q, %v", answer[:n], err)
		}
	}
	cases.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// An answer is one line of JSON with the case's id, whatever the case.
func FuzzAppend(f *testing.F) {
	_, docs := casesOf(f)
	for _, doc := range docs {
		f.Add(doc)
	}
	f.Add([]byte(`{"id":"x","game":"dice-flick","action":{"type":"flick","die":"B3","to":[9,9]}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		line, _ := judge.Append(nil, doc)
		if !json.Valid(line) || bytes.ContainsRune(line, '\n') || !bytes.HasPrefix(line, []byte(`{"id":`)) {
			t.Errorf("answer %q", line)
		}
		if bytes.Contains(line, []byte("internal error")) {
			t.Errorf("%s", line)
		}
	})
}

// BenchmarkStream answers a stream of 100,000 cases per round; cases/s is the figure that counts.
func BenchmarkStream(b *testing.B) {
	const cases = 100_000
	_, docs := casesOf(b)
	var in bytes.Buffer
	for i := range cases {
		in.Write(compact(b, docs[i%len(docs)]))
		in.WriteByte('\n')
	}
	for b.Loop() {
		if r, err := judge.Stream(bytes.NewReader(in.Bytes()), io.Discard); err != nil || r.Failed > 0 {
			b.Fatal(r, err)
		}
	}
	b.ReportMetric(float64(cases*b.N)/b.Elapsed().Seconds(), "cases/s")
}
