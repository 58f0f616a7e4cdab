package web

import (
	"encoding/json"
	"fmt"
	"maps"
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
		"die": die, "was": seven, "square": at, "hole": table.Square{}, "holes": []table.Square{at, {}},
		"count": 2, "of": 6, "round": 3, "color": table.Blue, "player": "Ann", "next": "Ben", "say": "miss", "why": "it was not so", "code": "DF-TURN",
		"dice": []table.Die{{Face: 3}}, "others": []table.Die{{Face: 1}, {Face: 5}}, "zone": map[string]string{"zone": "place", "player": "Ann"},
		"acts":  map[string]any{"back": 1, "events": []match.Event{place("Ann", table.Red, 4, 2, 1)}},
		"parts": []match.Phrase{{Kind: "unseen", Values: map[string]any{"die": die, "square": at}}, {Kind: "more", Values: map[string]any{"count": 3}}},
	}
}

// TestBrowserPhrases: the page says every phrase in its own language, with all its values.
func TestBrowserPhrases(t *testing.T) {
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
		if said["en"][i] == said["de"][i] && !slices.Contains([]string{"die", "holes"}, kind) && !strings.HasPrefix(said["en"][i], "b3: ") {
			t.Errorf("%s is said alike in both languages: %q", kind, said["de"][i])
		}
	}
	for kind, want := range map[string]string{
		"taken-back": "Das Brett hat sich geändert: Rot 4 ist nicht mehr auf b3, und 3 mehr. Wurde der letzte Zug zurückgenommen?",
		"zone-lost":  "Rot 4 ist weg (Platz von Ann)",
		"refused":    "„Daneben“ wurde gesagt, aber: Du bist nicht am Zug.",
		"at-once":    "Mehreres ist auf einmal passiert: zurückgenommen, Ann legt Rot 4 auf b3. Stimmt das?",
		"too-many":   "Ich sehe 2 Würfel in Blau, das Spiel hat aber 6. Habe ich einen falsch gelesen?",
		"holes":      "b3, a1: 2",
	} {
		if i := slices.Index(kinds, kind); said["de"][i] != want {
			t.Errorf("%s is said as %q, want %q", kind, said["de"][i], want)
		}
	}
}
