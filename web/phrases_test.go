package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
)

// TestPhrasesHaveWords: every question and answer of a doubt has words in every language,
// that speak of nothing the match does not tell.
func TestPhrasesHaveWords(t *testing.T) {
	for _, name := range []string{"en.json", "de.json"} {
		known := words(t, name)
		for kind, english := range match.Sentences() {
			if english == "" {
				continue // told by acts
			}
			text := known["doubt."+kind]
			if text == "" {
				t.Errorf("%s: no words for a doubt of kind %s", name, kind)
			}
			// The page shows the answers of this one as buttons, so its question does not list them.
			if name == "en.json" && kind != "which" && text != english {
				t.Errorf("%s is %q on the page and %q on the command line", kind, text, english)
			}
			for _, value := range valuesIn(text) {
				if !slices.Contains(valuesIn(english), value) {
					t.Errorf("%s: %s speaks of %s", name, kind, value)
				}
			}
		}
	}
}

// samples is a value for every name that phrases use.
func samples() map[string]any {
	die := table.Die{Color: table.Red, Face: 4}
	seven := table.Die{Color: table.Green, Face: 2}
	at := table.Square{Row: 2, Col: 1}
	return map[string]any{
		"die": die, "was": seven, "square": at,
		"count": 2, "of": 6, "round": 3, "color": table.Blue, "player": "Ann", "next": "Ben", "say": "miss", "why": "it was not so", "code": "DF-TURN", "game": "Dice Box",
		"dice": []table.Die{{Face: 3}}, "others": []table.Die{{Face: 1}, {Face: 5}}, "zone": map[string]string{"zone": "place", "player": "Ann"},
		"acts":  map[string]any{"back": 1, "events": []match.Event{place("Ann", table.Red, 4, 2, 1)}},
		"parts": []match.Phrase{{Kind: "unseen", Values: map[string]any{"die": die, "square": at}}, {Kind: "more", Values: map[string]any{"count": 3}}},
	}
}

// forPrograms are the codes of errors that only a program gets which does not know the API, never the page.
var forPrograms = []string{"query", "act", "declaration", "json", "notation", "form", "host", "origin", "method", "phone", "sheet", "id", "limit", "lines", "before", "token", "observations"}

// TestRefusalsHaveWords: whatever the server refuses, the page has words for it in every language.
func TestRefusalsHaveWords(t *testing.T) {
	coded := regexp.MustCompile(`fail\(c, [\w.]+, "([a-z-]+)"|(?:(?:Refused|problem)\{Code: |Code = |code := |code = )"([a-z-]+)"`)
	found, languages := 0, map[string]map[string]string{"English": words(t, "en.json"), "German": words(t, "de.json")}
	for _, pattern := range []string{"*.go", "../cmd/diceref/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range coded.FindAllStringSubmatch(string(source), -1) {
				found++
				codes := []string{m[1] + m[2]}
				if codes[0] == "name-" {
					codes = []string{"name-" + match.NameEmpty, "name-" + match.NameLong, "name-" + match.NameLetter, "name-" + match.NameTwice}
				}
				for _, code := range codes {
					if slices.Contains(forPrograms, code) || code == "illegal" || code == "refused" { // told by their ruling and their phrase
						continue
					}
					for language, known := range languages {
						if known["error."+code] == "" {
							t.Errorf("%s: no words for %q in %s", name, code, language)
						}
					}
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d refusals found", found)
	}
}

// TestReasonsHaveWords: every rule that can be broken is told in German too.
func TestReasonsHaveWords(t *testing.T) {
	files, err := filepath.Glob("../rules/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`"((?:DD|BX|FR|DC|DF)-[A-Z0-9-]+)"`)
	german, found := words(t, "de.json"), 0
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(source), -1) {
			found++
			if german["why."+m[1]] == "" {
				t.Errorf("%s: %s has no words", name, m[1])
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d reasons found", found)
	}
}

// TestBrowserPhrases: the page says every phrase in its own language, with all its values.
func TestBrowserPhrases(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, _, _ := tableServer(t, "Ann", "Ben")
	kinds := slices.DeleteFunc(slices.Sorted(maps.Keys(match.Sentences())), func(kind string) bool { return kind == "acts" })
	list, err := json.Marshal(kinds)
	if err != nil {
		t.Fatal(err)
	}
	about, err := json.Marshal(samples())
	if err != nil {
		t.Fatal(err)
	}
	run(t, ctx, chromedp.Navigate(ts.URL))
	said := map[string][]string{}
	for _, language := range []string{"en", "de"} {
		ask[any](t, ctx, fmt.Sprintf(`localStorage.setItem('language', %q)`, language))
		run(t, ctx, chromedp.Reload(), wait(fmt.Sprintf("document.documentElement.lang === %q", language)))
		ask[any](t, ctx, `void import('/static/js/moves.js').then((m) => { window.phrases = m; })`)
		run(t, ctx, wait(`window.phrases?.sentence({ kind: 'yes' })`))
		said[language] = ask[[]string](t, ctx, fmt.Sprintf(`%s.map((kind) => window.phrases.sentence({ kind, ...%s }))`, list, about))
	}
	for i, kind := range kinds {
		for language, texts := range said {
			if text := texts[i]; text == "" || strings.ContainsAny(text, "{}[]") || strings.Contains(text, "undefined") {
				t.Errorf("%s is said in %s as %q", kind, language, text)
			}
		}
		if said["en"][i] == said["de"][i] && !slices.Contains([]string{"die"}, kind) {
			t.Errorf("%s is said alike in both languages: %q", kind, said["de"][i])
		}
	}
	for kind, want := range map[string]string{
		"taken-back": "Das Brett hat sich geändert: Rot 4 ist nicht mehr auf b3, und 3 mehr. Wurde der letzte Zug zurückgenommen?",
		"zone-lost":  "Rot 4 ist weg (Platz von Ann)",
		"refused":    "„Daneben“ wurde gesagt, aber: Du bist nicht am Zug.",
		"at-once":    "Mehreres ist auf einmal passiert: zurückgenommen, Ann legt Rot 4 auf b3. Stimmt das?",
		"too-many":   "Ich sehe 2 Würfel in Blau, das Spiel hat aber 6. Habe ich einen falsch gelesen?",
	} {
		if i := slices.Index(kinds, kind); said["de"][i] != want {
			t.Errorf("%s is said as %q, want %q", kind, said["de"][i], want)
		}
	}
}

// TestBlindCamerasHaveWords: every kind of fault that a camera or a file can have is said in both languages.
func TestBlindCamerasHaveWords(t *testing.T) {
	source, err := os.ReadFile("../vision/eye/fault.go")
	if err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`Kind = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(kinds) < 10 {
		t.Fatalf("only %d kinds of faults were found", len(kinds))
	}
	api, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"en.json", "de.json"} {
		for _, kind := range kinds {
			if words(t, name)["camera.why."+kind[1]] == "" {
				t.Errorf("%s has no words for a camera that is %s", name, kind[1])
			}
			if !strings.Contains(string(api), `"`+kind[1]+`"`) {
				t.Errorf("openapi.json does not list %s", kind[1])
			}
		}
	}
}
