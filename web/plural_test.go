package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
)

// numbers are the names of values that are numbers of something.
var numbers = []string{"count", "n", "points", "score", "of", "illegal", "acts", "best", "fame", "won", "over", "total", "minutes", "most", "least"}

// miscounted finds a number with the wrong form of a word, as "1 dice" or "2 die", among the words of
// the language that stand beside numbers.
func miscounted(language string, n int, text string) bool {
	one := map[string]string{
		"en": "die|point|flick|Sprinkle|match|event|square|act|move|token|letter",
		"de": "Punkt|Partie|Ereignis|Feld|Zug",
	}[language]
	many := map[string]string{
		"en": "dice|points|flicks|Sprinkles|matches|events|squares|acts|moves|tokens|letters|are|have|stay",
		"de": "Punkte|Punkten|Partien|Ereignisse|Felder|Züge|sind|bleiben",
	}[language]
	wrong := many
	if n != 1 {
		wrong = one
	}
	return regexp.MustCompile(`(^|[^\d,.])` + strconv.Itoa(n) + ` (` + wrong + `)([^\pL]|$)`).MatchString(text)
}

// TestBrowserCounts: every text with a number in it is right for 0, 1 and 2 in every language.
func TestBrowserCounts(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, _, _ := tableServer(t, "Ann", "Ben")
	run(t, ctx, chromedp.Navigate(ts.URL))
	for _, language := range []string{"en", "de"} {
		known := words(t, language+".json")
		keys := slices.DeleteFunc(slices.Sorted(maps.Keys(known)), func(key string) bool {
			return !slices.ContainsFunc(valuesIn(known[key]), func(v string) bool { return slices.Contains(numbers, strings.Trim(v, "{}")) })
		})
		if len(keys) < 40 {
			t.Fatalf("only %d texts with a number", len(keys))
		}
		list, err := json.Marshal(keys)
		if err != nil {
			t.Fatal(err)
		}
		ask[any](t, ctx, fmt.Sprintf(`localStorage.setItem('language', %q)`, language))
		run(t, ctx, chromedp.Reload(), wait(fmt.Sprintf("document.documentElement.lang === %q", language)))
		ask[any](t, ctx, `void import('/static/js/i18n.js').then((m) => { window.words = m; })`)
		run(t, ctx, wait(`window.words?.has('turn')`))
		for n := range 3 {
			values := map[string]any{}
			for _, name := range numbers {
				values[name] = n
			}
			for i, text := range ask[[]string](t, ctx, fmt.Sprintf(`%s.map((key) => window.words.t(key, %s))`, list, asJSON(t, values))) {
				if strings.Contains(text, "plural") || strings.Contains(text, "#") || miscounted(language, n, text) {
					t.Errorf("%s, %s, %d: %q", language, keys[i], n, text)
				}
			}
		}
	}
}

// asJSON is a value for a script.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPhrasesCount: the command line counts as the page does.
func TestPhrasesCount(t *testing.T) {
	for kind, english := range match.Sentences() {
		for _, m := range plural.FindAllStringSubmatch(english, -1) {
			for n := range 3 {
				text := match.Phrase{Kind: kind, Values: map[string]any{m[1]: n}}.String()
				if strings.Contains(text, "plural") || miscounted("en", n, text) {
					t.Errorf("%s, %d: %q", kind, n, text)
				}
			}
		}
	}
}

// TestMiscounted: what is wrong is found.
func TestMiscounted(t *testing.T) {
	for _, wrong := range []struct {
		language string
		n        int
		text     string
	}{
		{"en", 1, "Ann gets 1 Sprinkles"},
		{"en", 2, "2 die"},
		{"en", 1, "1 are outside every zone"},
		{"de", 1, "mit 1 Punkten."},
		{"de", 0, "0 Punkt"},
	} {
		if !miscounted(wrong.language, wrong.n, wrong.text) {
			t.Errorf("%q passes", wrong.text)
		}
	}
	if miscounted("en", 1, "11 dice") || miscounted("de", 2, "2 Würfel") {
		t.Error("what is right does not pass")
	}
}
