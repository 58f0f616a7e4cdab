package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// british are parts of words that are spelled differently in America.
var british = strings.Split("colour neighbour favour honour behaviour labour rumour centre millimetre theatre fulfils skilful defence licence "+
	"catalogue dialogue travell cancelled cancelling labelled labelling modelled modelling signalled levelled judgement whilst amongst towards storey "+
	"recognis normalis initialis minimis maximis summaris serialis synchronis categoris prioritis utilis visualis organise organisa organisi "+
	"realise realisa realisi optimise optimisa optimisi analyse", " ")

// A name that keeps its British spelling because rules, codes and files have it: two_player_colours, DF-COLOUR, "colour" as a
// key, and the Flavours of DiceCreams!. GREY is a format of cameras, and aria-labelledby an attribute.
var named = regexp.MustCompile(`[a-z_]*_colours?|[a-z_]*centre_[a-z]+|-COLOUR|\bCOLOUR PINK\b|["'.]colours?\b|\bcolour(: | is one)|(?i)flavour|aria-labelledby|ignore-rules: .*`)

// stilted are phrases that a native speaker would not say. Texts of the program and its documents are held to them.
var stilted = []string{
	"is no die", "is no player", "is no hole", "is no number", "is no square", "is no address", "is no camera", "is no card",
	"told as ", "is told by", "is told from", "has no say", "on that account", "thought to ", "all the same", "hangs on the", "on turn",
	"in force", "put right", "puts right", "ought to ", "for good", "anew", "nowhere since", "want one of", "want a ", "want an ",
	" an act a line", "object a line", "object an event", "one line a ", "a second, at most", "gives no picture", "gives no more picture",
	"hangs up", "hung up", "looks on", "look on", "one likes", "by whoever", "tells the rest", "lies there", "must not lie",
}

// quoted is a string in Go with more than one word.
var quoted = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)* (?:[^\"\\\\]|\\\\.)*\"|`[^`]* [^`]*")

// first is the first of the words that a text has; empty: it has none.
func first(text string, words []string) string {
	text = strings.ToLower(text)
	for _, w := range words {
		if strings.Contains(text, w) {
			return w
		}
	}
	return ""
}

// misspelled is the British part of a line; empty: there is none.
func misspelled(line string) string {
	if first(line, british) == "" {
		return ""
	}
	return first(named.ReplaceAllString(line, ""), british)
}

// shown is the part of a line that people read, by the name of its file.
func shown(name, line string) string {
	switch {
	case strings.HasSuffix(name, "_test.go") || name == filepath.Join("vision", "README.md"):
		return ""
	case filepath.Ext(name) == ".go":
		code, _, _ := strings.Cut(line, "// ")
		line = strings.Join(quoted.FindAllString(code, -1), " ")
	}
	return strings.ReplaceAll(strings.ToLower(line), "here is no ", "")
}

// TestSpelling: there is one spelling, the American one, and none of the stilted phrases.
func TestSpelling(t *testing.T) {
	read, spelled := []string{".go", ".md", ".json", ".html", ".sh", ".txtar", ""}, []string{".js", ".css", ".py", ".cpp", ".h", ".yml"}
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		kind := filepath.Ext(path)
		switch {
		case d.IsDir():
			hidden := strings.HasPrefix(d.Name(), ".") && !slices.Contains([]string{"..", ".dev", ".ci"}, d.Name())
			if hidden || slices.Contains([]string{"bin", "shared", "testdata", "node_modules"}, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		case d.Name() == "spelling_test.go" || d.Name() == "LICENSE" || strings.HasPrefix(d.Name(), ".git") || !slices.Contains(append(read, spelled...), kind):
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		text := string(data)
		if first(text, british) == "" && first(text, stilted) == "" {
			return nil
		}
		for i, line := range strings.Split(text, "\n") {
			if wrong := misspelled(line); wrong != "" {
				t.Errorf("%s:%d: %q is spelled the British way", name, i+1, wrong)
			}
			if !slices.Contains(read, kind) || first(line, stilted) == "" {
				continue
			}
			if wrong := first(shown(name, line), stilted); wrong != "" {
				t.Errorf("%s:%d: nobody says %q", name, i+1, wrong)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("only %d files were looked at", files)
	}
}

// TestSpellingFinds: what is wrong is found, and what is right passes.
func TestSpellingFinds(t *testing.T) {
	for _, wrong := range []string{"the colour of a die", "its Neighbours", "normalised", "towards the center", "in the centre"} {
		if misspelled(wrong) == "" {
			t.Errorf("%q passes", wrong)
		}
	}
	for _, right := range []string{"two_player_colours", "DF-COLOUR", `"colour": "red"`, "old_centre_scores", "a Flavour", "otherwise", "clockwise", "fulfills"} {
		if wrong := misspelled(right); wrong != "" {
			t.Errorf("%q does not pass: %q", right, wrong)
		}
	}
	for wrong, name := range map[string]string{
		`return errors.New("K3 is no die")`: "a.go", `Usage: "one JSON object a line"`: "a.go", "A die that is put right": "a.md", `"hint": "the player on turn"`: "en.json",
	} {
		if first(shown(name, wrong), stilted) == "" {
			t.Errorf("%q passes", wrong)
		}
	}
	for right, name := range map[string]string{
		`return errors.New("there is no die on a1")`: "a.go", "x := 1 // what is in force": "a.go", "the turn goes on": "a.md", `t.Error("put right")`: "a_test.go",
	} {
		if wrong := first(shown(name, right), stilted); wrong != "" {
			t.Errorf("%q does not pass: %q", right, wrong)
		}
	}
}

var (
	// counted is a number with a word in the plural in a string of Go.
	counted = regexp.MustCompile(`(\S+ )?%d (dice|points|matches|events|Sprinkles|cards|colors|players|names|pips|flicks|turns|letters|squares|records|acts|moves|photos|cells|zones|tokens|totals)\b`)
	// severalAlways is a number that is never 1, by what stands around it: a limit, a count that is
	// only wrong when it is large, or notation.
	severalAlways = regexp.MustCompile(`(than|most|to|all|last|mixes|demo of %s has|order of) %d |%d \w+ (are too many|were (rolled|taken back)|show|each)|, but the game has|^ %d points$`)
)

// TestCounts: a number of things is written by table.Count, which knows "1 die" from "2 dice", unless there are always several.
func TestCounts(t *testing.T) {
	found := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "rulestest" || d.Name() == "bin" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(data), "\n") {
			for _, text := range quoted.FindAllString(line, -1) {
				found += strings.Count(text, "%d ")
				if counted.MatchString(text) && !severalAlways.MatchString(strings.Trim(text, "\"`")) {
					t.Errorf("%s:%d: %s says \"1 dice\" one day: use table.Count", path, i+1, text)
				}
			}
		}
		return nil
	})
	if err != nil || found < 50 {
		t.Errorf("%d numbers, %v", found, err)
	}
}
