package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match"
	"diceref/table"
)

func TestOwners(t *testing.T) {
	got, err := owners("Ann: RY , Ben:BW", []string{"Ann", "Ben"})
	want := [][]table.Color{{table.Red, table.Yellow}, {table.Blue, table.White}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	for _, bad := range []string{"", "Ann", "Cleo:RY", "Ann:RX"} {
		if _, err := owners(bad, []string{"Ann", "Ben"}); err == nil {
			t.Errorf("owners %q were accepted", bad)
		}
	}
}

// TestPrint: the events told so far are printed in order, each once, and the end is noticed.
func TestPrint(t *testing.T) {
	m, err := match.New(match.Config{Game: table.DiceFlick, Players: []string{"A", "B"}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &app{stdout: &out}
	told := hear(m)
	for _, word := range []string{match.SayMiss, match.SayMiss, match.SayNext} {
		if err := m.Declare(match.Declaration{Say: word}); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.print(told, watching{json: true}); err != nil || m.Done() {
		t.Fatal(m.Done(), err)
	}
	m.Finish()
	if err := a.print(told, watching{}); err != nil || !m.Done() {
		t.Fatal(m.Done(), err)
	}
	want := `{"frame":0,"t":0,"type":"start","game":"dice-flick","players":["A","B"]}
{"frame":0,"t":0,"type":"miss","player":"A"}
{"frame":0,"t":0,"type":"miss","player":"A"}
{"frame":0,"t":0,"type":"score","player":"A","round":1,"score":0,"removed":[]}
    0.0 s  The table is out of view before the end of the game. A 0. B 0.
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestPrintMany: more events at once than are held for a listener are printed all the same.
func TestPrintMany(t *testing.T) {
	m, err := match.New(match.Config{Game: table.DiceFlick, Players: []string{"A", "B"}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a, told := &app{stdout: &out}, hear(m)
	for i := range 200 {
		if err := m.Declare(match.Declaration{Say: []string{match.SayMiss, match.SayUndo}[i%2]}); err != nil {
			t.Fatal(err)
		}
		if i%90 == 0 {
			if err := a.print(told, watching{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := a.print(told, watching{}); err != nil {
		t.Fatal(err)
	}
	if n, undone := strings.Count(out.String(), "A misses.\n"), strings.Count(out.String(), "Undone: A misses."); n != 200 || undone != 100 {
		t.Errorf("%d acts and undos were printed, %d undos, want 200 and 100", n, undone)
	}
}

func TestWatchRefuses(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"watch", exitUsage, "--game"},
		{"watch --game dice-box", exitUsage, "--players"},
		{"watch --game dice-box --players A,B", exitUsage, "--source"},
		{"watch --game dice-box --players A,B --source x --option owners=A:Q", exitUsage, "not a color of Dice Box"},
		{"watch --game dice-box --players A,B --source x --declare no-such-file", exitBad, "cannot read the declarations"},
		{"watch --game dice-box --players A,B --source x --calibration no-such-file", exitBad, "no-such-file"},
		{"replay no-such-match --journal no-such-journal", exitBad, "no journal yet"},
		{"history --journal no-such-journal", exitBad, "no journal yet"},
	} {
		var out, complaint bytes.Buffer
		code := run(t.Context(), strings.Fields(c.args), strings.NewReader(""), &out, &complaint)
		if code != c.code || !strings.Contains(complaint.String(), c.want) || strings.Count(complaint.String(), "\n") != 1 || out.Len() > 0 {
			t.Errorf("%s: exit code %d, want %d; said %q, want %q in one line; printed %q", c.args, code, c.code, complaint.String(), c.want, out.String())
		}
	}
}
