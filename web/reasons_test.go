package web

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// verb is what varies in a sentence of the rules.
var verb = regexp.MustCompile(`%[sdv]`)

// reasonsOfRules lists the sentences of every reason in the rules, as formats.
func reasonsOfRules(t *testing.T) []string {
	t.Helper()
	position := map[string]int{"Add": 1, "At": 2, "Note": 2, "fault": 2} // of the format among the arguments
	var formats []string
	for _, pattern := range []string{"../rules/*/*.go", "../scoring/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if f, ok := n.Fun.(*ast.SelectorExpr); ok {
						if i := position[f.Sel.Name]; i > 0 && len(n.Args) > i {
							formats = append(formats, sentencesIn(n.Args[i])...)
						}
					}
				case *ast.FuncDecl:
					if n.Name.Name == "reminder" { // what must come first is a reason, too
						formats = append(formats, sentencesIn(n.Body)...)
					}
				}
				return true
			})
		}
	}
	slices.Sort(formats)
	return slices.Compact(formats)
}

// sentencesIn lists the literals that are whole sentences.
func sentencesIn(n ast.Node) (found []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil && strings.HasSuffix(text, ".") {
				found = append(found, text)
			}
		}
		return true
	})
	return found
}

type reasonWords struct {
	Sentences map[string]string `json:"sentences"`
	Parts     map[string]string `json:"parts"`
}

func germanReasons(t *testing.T) (words reasonWords) {
	t.Helper()
	data, err := os.ReadFile("static/lang/reasons.de.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &words); err != nil {
		t.Fatal(err)
	}
	return words
}

// TestReasonsAreTranslated: every sentence of the rules has a German one that says all that it says, and no other has.
func TestReasonsAreTranslated(t *testing.T) {
	german, formats := germanReasons(t), reasonsOfRules(t)
	if len(formats) < 150 {
		t.Fatalf("only %d reasons were found", len(formats))
	}
	for _, format := range formats {
		if german.Sentences[format] == "" {
			t.Errorf("%q is not in German", format)
		}
	}
	for format := range german.Sentences {
		if !slices.Contains(formats, format) {
			t.Errorf("the rules do not say %q any more", format)
		}
	}
	for _, list := range []map[string]string{german.Sentences, german.Parts} {
		for format, words := range list {
			var want []string
			for i := range verb.FindAllString(format, -1) {
				want = append(want, fmt.Sprintf("{%d}", i+1))
			}
			if got := valuesIn(words); !slices.Equal(got, want) {
				t.Errorf("%q: %v in German, want %v", format, got, want)
			}
		}
	}
}

// TestBrowserReasons: the German page says every reason whole, with the players, dice, squares and counts.
func TestBrowserReasons(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, _, _ := tableServer(t, "Ann", "Ben")
	german := germanReasons(t)
	var said []map[string]string // texts as events carry them
	var want []string
	add := func(text, words string) {
		said, want = append(said, map[string]string{"why": text, "code": "BX-TURN"}), append(want, words)
	}
	for _, format := range reasonsOfRules(t) {
		n, text, words := 0, format, german.Sentences[format]
		text = verb.ReplaceAllStringFunc(text, func(string) string {
			n++
			value := []string{"Zoe", "27", "Dr. Who", "Jo", "44"}[n-1]
			words = strings.ReplaceAll(words, fmt.Sprintf("{%d}", n), value)
			return value
		})
		add(text, words)
		add("It is Jo's turn, not Dr. Who's: turns go to the left. "+text, "Jo ist dran, nicht Dr. Who: Es geht nach links weiter. "+words) // no player is taken for a sentence
	}
	add("It is A's turn, not B's: turns go to the left.", "Ann ist dran, nicht Ben: Es geht nach links weiter.")
	add("R4 on c3 is next to Y2 on c2: it must be one more or one less than every neighbor.",
		"Rot 4 auf c3 liegt neben Gelb 2 auf c2: Von jedem Nachbarn muss der Unterschied genau eins sein.")
	add("A has a die that fits (R4 on c3) and must place it. c3 is occupied by S3.",
		"Ann hat einen Würfel, der passt (Rot 4 auf c3), und muss ihn legen. Auf c3 liegt schon der Startwürfel 3.")
	add("The scored dice are worth 5 or 8, not 9.", "Die gewerteten Würfel sind 5 oder 8 wert, nicht 9.")
	add("1 die was rolled: the least is 2.", "Gewürfelt: 1 Würfel. Mindestens 2 müssen es sein.")
	add("Spot 2 of mint-1 needs green, not blue.", "Platz 2 von mint-1 verlangt Grün, nicht Blau.")
	add("No rule says this.", "Du bist nicht am Zug.") // what is not known is said by its code
	list, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	run(t, ctx, chromedp.Navigate(ts.URL))
	ask[any](t, ctx, `localStorage.setItem('language', 'de')`)
	run(t, ctx, chromedp.Reload(), wait(`document.documentElement.lang === 'de'`))
	ask[any](t, ctx, `void import('/static/js/moves.js').then((m) => { window.spoken = m; })`)
	run(t, ctx, wait(`window.spoken`))
	for i, got := range ask[[]string](t, ctx, fmt.Sprintf(`(window.spoken.seatedAt(['Ann', 'Ben'], 'dice-box'), %s.map((event) => window.spoken.why(event)))`, list)) {
		if got != want[i] {
			t.Errorf("%q is said as %q, want %q", said[i]["why"], got, want[i])
		}
	}
}
