package web

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"diceref/table"
)

// words reads the file of a language.
func words(t *testing.T, name string) map[string]string {
	t.Helper()
	data, err := static.ReadFile("static/lang/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]string
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

// sources are the files of a kind as they are served.
func sources(t *testing.T, extension string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for name, f := range loadFiles("", views) {
		if path.Ext(name) == extension {
			files[name] = string(f.data)
		}
	}
	if len(files) == 0 {
		t.Fatalf("no %s at all", extension)
	}
	return files
}

var (
	placeholder = regexp.MustCompile(`\{\w+\}`)
	literalKey  = regexp.MustCompile(`\b(?:t|has)\('([^']+)'`)
	templateKey = regexp.MustCompile("\\b(?:t|has)\\(`([^`$]+)\\$\\{")
	literal     = regexp.MustCompile(`'((?:[^'\\\n]|\\.)*)'`)
)

// plural is a word that depends on a number: {count, plural, one {a die} other {# dice}}.
var plural = regexp.MustCompile(`\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}`)

// valuesIn lists the values that a text needs, each once, in braces.
func valuesIn(text string) []string {
	names := placeholder.FindAllString(plural.ReplaceAllString(text, "{$1}"), -1)
	slices.Sort(names)
	return slices.Compact(names)
}

func TestLanguagesAgree(t *testing.T) {
	en, de := words(t, "en.json"), words(t, "de.json")
	for key, text := range en {
		other, ok := de[key]
		if !ok {
			t.Errorf("%s is not in German", key)
			continue
		}
		a, b := valuesIn(text), valuesIn(other)
		if !slices.Equal(a, b) {
			t.Errorf("%s: %v in English, %v in German", key, a, b)
		}
		if strings.TrimSpace(text) == "" || strings.TrimSpace(other) == "" {
			t.Errorf("%s is empty", key)
		}
	}
	for key := range de {
		if _, ok := en[key]; !ok && !strings.HasPrefix(key, "why.") {
			t.Errorf("%s is not in English", key)
		}
	}
}

// TestKeysExist finds words that are asked for and are not there, and words nobody asks for.
func TestKeysExist(t *testing.T) {
	en := words(t, "en.json")
	used := map[string]bool{}
	var prefixes []string
	for name, source := range sources(t, ".js") {
		for _, m := range literalKey.FindAllStringSubmatch(source, -1) {
			used[m[1]] = true
			if _, ok := en[m[1]]; !ok {
				t.Errorf("%s asks for %q", name, m[1])
			}
		}
		for _, m := range templateKey.FindAllStringSubmatch(source, -1) {
			prefixes = append(prefixes, m[1])
		}
		// A key may be chosen first and asked for later: t(a ? 'x.y' : 'x.z').
		for _, m := range literal.FindAllStringSubmatch(source, -1) {
			used[m[1]] = true
		}
		for _, m := range regexp.MustCompile("`([a-z]+\\.)\\$\\{").FindAllStringSubmatch(source, -1) {
			prefixes = append(prefixes, m[1])
		}
	}
	for name, source := range sources(t, ".html") {
		for _, m := range regexp.MustCompile(`data-(?:t|t-label|title)="([^"]+)"`).FindAllStringSubmatch(source, -1) {
			used[m[1]] = true
			if _, ok := en[m[1]]; !ok {
				t.Errorf("%s asks for %q", name, m[1])
			}
		}
	}
	for key := range en {
		if !used[key] && !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p) }) {
			t.Errorf("nobody asks for %q", key)
		}
	}
}

// TestKeysOfVocabulary holds the keys that are put together to what there is.
func TestKeysOfVocabulary(t *testing.T) {
	en := words(t, "en.json")
	var want []string
	for _, c := range table.Colors {
		want = append(want, "color."+c.String())
	}
	for _, g := range append(table.Games[:], table.Any) {
		want = append(want, "game."+string(g))
	}
	for _, p := range []string{"waiting", "moving", "hand", "still", "read", "doubt", "paused", "over", "offline"} {
		want = append(want, "state."+p)
	}
	for _, s := range []string{CameraStarting, CameraRestarting, CameraRetrying, CameraEnded, CameraFailed} {
		want = append(want, "state.camera."+s)
	}
	for _, w := range []string{"glare", "dark", "blurred", "too-far", "too-close", "too-flat", "no-dice", "board-cut-off", "hand", "no-board", "covered", "trembling", "moving-light", "turned", "moved"} {
		want = append(want, "warning."+w)
	}
	for _, key := range want {
		if en[key] == "" {
			t.Errorf("no words for %s", key)
		}
	}
}

// TestNoWordsInPages finds texts that stand in a page itself, and so in one language alone.
func TestNoWordsInPages(t *testing.T) {
	en := words(t, "en.json")
	for name, source := range sources(t, ".html") {
		z := html.NewTokenizer(strings.NewReader(source))
		skip := ""
		for {
			kind := z.Next()
			if kind == html.ErrorToken {
				break
			}
			token := z.Token()
			switch kind {
			case html.StartTagToken, html.SelfClosingTagToken:
				skip = token.Data
				replaced := attribute(token, "data-t-label")
				if replaced == "" {
					replaced = attribute(token, "data-t")
				}
				for _, a := range token.Attr {
					if a.Key == "aria-label" && replaced != "" && a.Val == en[replaced] {
						continue // the name until the words of the page's language come
					}
					if slices.Contains([]string{"title", "placeholder", "aria-label", "alt"}, a.Key) && a.Val != "" {
						t.Errorf("%s: %s=%q is in one language alone", name, a.Key, a.Val)
					}
					if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
						t.Errorf("%s: %s is forbidden by the content security policy", name, a.Key)
					}
				}
			case html.TextToken:
				text := strings.TrimSpace(token.Data)
				if text != "" && text != "diceref" && text != strings.TrimSpace(reload) {
					t.Errorf("%s: %q in <%s> is in one language alone", name, text, skip)
				}
			}
		}
	}
}

// attribute is an attribute of an element; empty: it has none.
func attribute(token html.Token, key string) string {
	for _, a := range token.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// TestNoWordsInScripts finds what looks like a sentence in a script.
func TestNoWordsInScripts(t *testing.T) {
	sentence := regexp.MustCompile(`^[A-Z][a-z]+([ ,][A-Za-z]+)+|[a-z]+ [a-z]+[.!?]$`)
	for name, source := range sources(t, ".js") {
		for _, m := range literal.FindAllStringSubmatch(source, -1) {
			if sentence.MatchString(m[1]) {
				t.Errorf("%s: %q is in one language alone", name, m[1])
			}
		}
	}
}
