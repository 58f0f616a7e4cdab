package match

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"diceref/match/internal/readings"
	"diceref/rules"
	"diceref/table"
)

var namedValue = regexp.MustCompile(`\{(\w+)\}`)

// valuesOf is the names of the values of a kind, in order.
func valuesOf(kind string) (names []string) {
	for _, m := range namedValue.FindAllStringSubmatch(plural.ReplaceAllString(sentences[kind], "{$1}"), -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// phrasesIn calls found with the kind and the names of the values of every phrase in a file.
func phrasesIn(t *testing.T, file string, found func(at, kind string, names []string)) {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := func(e ast.Expr) string {
		if lit, ok := e.(*ast.BasicLit); ok {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				return s
			}
		}
		return ""
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		f, ok := call.Fun.(*ast.Ident)
		if !ok || !slices.Contains([]string{"phrase", "reject", "rejected", "because"}, f.Name) {
			return true
		}
		if kind, passedOn := call.Args[0].(*ast.Ident); passedOn && kind.Name == "kind" {
			return true
		}
		first, names := 1, []string(nil)
		if f.Name == "rejected" || f.Name == "because" { // the error comes first
			first, names = 2, []string{"why"}
		}
		for i := first; i < len(call.Args); i += 2 {
			names = append(names, text(call.Args[i]))
		}
		slices.Sort(names)
		found(set.Position(call.Pos()).String(), text(call.Args[0]), names)
		return true
	})
}

// TestPhrases: every phrase has a sentence and the values that it needs, and every sentence is said.
func TestPhrases(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{kindActs: true, "at-once": true, "dice-unseen": true} // the last two are asked in journals of before
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		phrasesIn(t, f.Name(), func(at, kind string, names []string) {
			used[kind] = true
			want := valuesOf(kind)
			if _, ok := sentences[kind]; !ok || !slices.Equal(names, want) {
				t.Errorf("%s: %q is about %v, want %v", at, kind, names, want)
			}
		})
	}
	for kind := range sentences {
		if !used[kind] {
			t.Errorf("nobody says %q", kind)
		}
	}
}

// TestPhraseJSON: a phrase is written with its values beside its kind, and comes back as it was.
func TestPhraseJSON(t *testing.T) {
	m := journaled(t, table.DiceBox, "Ada", "Ben")
	declare(t, m, Declaration{Say: SayPlay, Move: "seed 3"})
	story := acts(t, m, "A place R4 c2")
	sq := table.Square{Row: 1, Col: 2}
	red, none := table.Die{Color: table.Red, Face: 4}, table.Die{}
	tests := []struct {
		phrase      Phrase
		words, json string
	}{
		{phrase("yes"), "yes", `{"kind":"yes"}`},
		{phrase("too-many", "count", 7, "color", table.Blue, "of", 6), "I see 7 blue dice, but the game has 6. Did I misread one?", `{"color":"blue","count":7,"kind":"too-many","of":6}`},
		{phrase("zone-lost", "die", none, "zone", where{Zone: "cart", name: "the Cart"}), "a die has left the Cart", `{"die":{"color":"","face":0},"kind":"zone-lost","zone":{"zone":"cart"}}`},
		{phrase("taken-back", "parts", []Phrase{phrase("unseen", "die", red, "square", sq), phrase("more", "count", 2)}), "The board has changed: red 4 has left c2; and 2 more. Was the last move taken back?", `{"kind":"taken-back","parts":[{"die":{"color":"red","face":4},"kind":"unseen","square":[1,2]},{"count":2,"kind":"more"}]}`},
		{m.ifItIs(red, sq, rules.Story{Verdict: rules.Explained, Line: story.Line}), "red 4 on c2: Ada places red 4 on c2", `{"acts":{"events":[{"frame":0,"t":0,"type":"move","player":"Ada","move":{"action":"place","to":[1,2],"color":"red","face":4},"legal":true}]},"die":{"color":"red","face":4},"kind":"then-die","square":[1,2]}`},
	}
	for _, test := range tests {
		if got := test.phrase.String(); got != test.words {
			t.Errorf("%s is said as %q, want %q", test.json, got, test.words)
		}
		b, err := json.Marshal(test.phrase)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(b); got != test.json {
			t.Errorf("written as\n%s, want\n%s", got, test.json)
		}
		var back Phrase
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(back); err != nil || len(again) != len(b) || back.Kind != test.phrase.Kind {
			t.Errorf("%s comes back as %s, %v", b, again, err)
		}
	}
	for _, bad := range []string{`{}`, `{"kind":4}`, `[]`, `{"kind":`} {
		if json.Unmarshal([]byte(bad), new(Phrase)) == nil {
			t.Errorf("%s was read as a phrase", bad)
		}
	}
}

// TestSeedAsked: whether the Seed lies there, or what it shows, is asked by name: nobody has played it.
func TestSeedAsked(t *testing.T) {
	m, err := New(Config{Game: table.DiceBox, Players: []string{"Ann", "Ben"}})
	if err != nil {
		t.Fatal(err)
	}
	v, center := views{m: m, pictures: longView}, onSquare("c3")
	seed := readings.Sure(table.Die{Color: table.Black, Face: 4}, &center, onBoard(center))
	seed.Sure, seed.Confidence, seed.Faces = false, 0.6, [7]float64{4: .6, 5: .4}
	v.see(func(int) []table.Reading { return []table.Reading{seed} })
	s := m.Snapshot()
	if want := "What happened: black 4 on c3, or black 5 on c3, or nothing has changed?"; len(s.Choices) != 3 || s.Ask != want {
		t.Fatalf("asked %q, want %q", s.Ask, want)
	}
	declare(t, m, Declaration{Say: SayAnswer, Choice: s.Choices[0]})
	if lies := m.line.now().Expect().Squares[center]; lies != seed.Die {
		t.Errorf("after the answer %v lies there, want %v", lies, seed.Die)
	}
}

// TestNatureDoesNothing: in a question about several acts the drawing of dice is not an act of anybody's.
func TestNatureDoesNothing(t *testing.T) {
	m, err := New(Config{Game: table.DiceCreams, Players: []string{"Ann", "Ben"}})
	if err != nil {
		t.Fatal(err)
	}
	s := m.line.now()
	var line []rules.Move
	for len(line) == 0 || line[len(line)-1].Actor() == rules.Nature { // cards and dice are drawn, and one of them is taken
		mv := rules.Move(nil)
		if c, is := s.(rules.Chancer); is && s.ToMove() == rules.Nature {
			mv = c.Chance(rand.New(rand.NewPCG(1, 2)))
		} else {
			moves, _ := s.Legal()
			mv = moves[0]
		}
		line = append(line, mv)
		if s, err = s.Apply(mv); err != nil {
			t.Fatal(err)
		}
	}
	story := rules.Story{Line: line, After: s}
	d := m.deedsOf(story)
	if words := m.storyWords(story); d.words != words || strings.Contains(words, thenWord) || len(d.Events) != 1 || d.Events[0].Player != "Ann" {
		t.Errorf("%q with %d events and %q, want the one act of Ann", d.words, len(d.Events), words)
	}
}
