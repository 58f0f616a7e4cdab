package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// ownDeck is a file of IceCreams mine-0 to mine-5.
func ownDeck() json.RawMessage {
	spot := `{"colour":null,"bonus":null}`
	var cards []string
	for i := range 6 {
		cards = append(cards, fmt.Sprintf(`{"id":"mine-%d","fame":2,"spots":[%s,%s,%s],"completion":null}`, i, spot, spot, spot))
	}
	return json.RawMessage(`{"label":"mine","icecreams":[` + strings.Join(cards, ",") + `]}`)
}

// TestFiles: a match is played with the owner's cards, and goes on with the same
// ones when it is read from the journal or from an export.
func TestFiles(t *testing.T) {
	j := openTestJournal(t, filepath.Join(t.TempDir(), "journal.db"))
	setup := Config{
		ID: "one", Game: table.DiceCreams, Players: []string{"Ann", "Ben"}, Journal: j,
		Files: map[string]json.RawMessage{"cards.json": ownDeck()},
	}
	began, err := New(setup)
	if err != nil {
		t.Fatal(err)
	}
	resumed, err := Resume(j, "one", nil)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := j.Export("one", &file); err != nil {
		t.Fatal(err)
	}
	exported, err := ReadExport(&file)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i := range 6 {
		want = append(want, fmt.Sprintf("nature reveal mine-%d", i))
	}
	for name, m := range map[string]*Match{"began": began, "resumed": resumed, "exported": exported} {
		var got []string
		moves, _ := m.line.now().Legal()
		for _, move := range moves {
			got = append(got, move.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the first cards may be\n%s", name, diff)
		}
	}
}

func TestFilesRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"cards.json", `{"label":"mine","icecreams":[]}`, "cards.json: icecreams"},
		{"customers.json", `{"label":"mine"}`, "customers.json: customers is missing"},
		{"prices.json", `{}`, "prices.json"},
	} {
		_, err := New(Config{
			Game: table.DiceCreams, Players: []string{"Ann", "Ben"},
			Files: map[string]json.RawMessage{c.name: json.RawMessage(c.text)},
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
}
