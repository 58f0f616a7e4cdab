package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"diceref/match"
	"diceref/table"
)

const ownCustomers = `{"label":"mine","customers":[
 {"id":"x","sides":[{"requirement":"even","fame":2},{"requirement":"same","fame":5}]},
 {"id":"y","up":1,"sides":[{"requirement":"sequence","fame":[4,3]},{"requirement":"sum15","fame":3}]},
 {"id":"z","sides":[{"requirement":"same","fame":6},{"requirement":"even","fame":1}]}]}`

// TestOwnerFiles: what the options name is read into the set-up of the match.
func TestOwnerFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.json")
	if err := os.WriteFile(path, []byte(ownCustomers), 0o644); err != nil {
		t.Fatal(err)
	}
	a := &app{cfg: Config{
		Game: "dicecreams", Players: []string{"Ann", "Ben"},
		Option: map[string]any{"customers": path, "sprinkle_targets": "any"},
	}}
	cfg, err := a.matchConfig()
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.Files) != 1 || string(cfg.Files["customers.json"]) != ownCustomers || len(cfg.Options) != 1 {
		t.Errorf("files %s, options %v", cfg.Files, cfg.Options)
	}
	m, err := match.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Snapshot().Game != table.DiceCreams {
		t.Errorf("the match is %+v", m.Snapshot())
	}
}

// TestOwnerFilesRefused: errors name the option, the file and the field.
func TestOwnerFilesRefused(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	watch := "watch --game dicecreams --players A,B --source x --option "
	for _, c := range []struct{ args, want string }{
		{watch + "cards=" + filepath.Join(dir, "none.json"), "--option cards: cannot read the file"},
		{watch + "cards=" + dir, "--option cards: cannot read the file"},
		{watch + "cards=" + write("text.json", "cards"), "cards.json: expected an object"},
		{watch + "customers=" + write("field.json", strings.Replace(ownCustomers, `"even","fame":1`, `"odd","fame":1`, 1)), "field.json: customers.json: customers[2]: sides[1]: requirement"},
		{watch + "cards=" + write("long.json", strings.Repeat(" ", 1<<20+1)), "longer than"},
		{strings.Replace(strings.Replace(watch, "watch", "serve", 1), "source x", "source none", 1) + "cards=" + write("empty.json", `{}`), "empty.json: cards.json: label is missing"},
	} {
		var out, complaint strings.Builder
		code := run(t.Context(), strings.Fields(c.args), strings.NewReader(""), &out, &complaint)
		if code != exitBad || !strings.Contains(complaint.String(), c.want) || strings.Count(complaint.String(), "\n") != 1 || out.Len() > 0 {
			t.Errorf("%s: exit code %d; said %q, want %q in one line; printed %q", c.args, code, complaint.String(), c.want, out.String())
		}
	}
}
