package match

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"diceref/table"
)

func TestExport(t *testing.T) {
	s := loadScript(t, "dice-flick")
	j := openTestJournal(t, newJournal(t))
	m, err := New(Config{ID: "one", Game: s.Game, Players: []string{"Ann", "Ben"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range s.Declare {
		if err := m.Declare(d); err != nil {
			t.Fatal(err)
		}
	}
	for _, obs := range s.frames() {
		m.See(obs)
	}
	m.Finish()
	var file bytes.Buffer
	if err := j.Export("one", &file); err != nil {
		t.Fatal(err)
	}
	text := file.String()
	if _, err := j.Import(strings.NewReader(text)); err == nil {
		t.Error("a match was imported beside itself")
	}
	other := openTestJournal(t, newJournal(t))
	back, err := other.Import(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := asJSON(m.Snapshot()), asJSON(back.Snapshot()); a != b {
		t.Errorf("imported as\n%s\nexported was\n%s", b, a)
	}
	var again bytes.Buffer
	if err := other.Export("one", &again); err != nil || again.String() != text {
		t.Errorf("exported again it differs (%v)", err)
	}
	var pad bytes.Buffer
	if err := back.WriteCSV(&pad); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(pad.String()), "\n")
	if len(lines) != 12 || lines[0] != ",Ann,Ben" || !strings.HasSuffix(lines[1], ",8,0") || lines[11] != "total,97,25" {
		t.Errorf("the score pad is\n%s", pad.String())
	}
	var notation bytes.Buffer
	if err := back.WriteText(&notation); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`[PlayerA "Ann"]`, "  1. A flick W4 c3\n", "Ben: 25\n"} {
		if !strings.Contains(notation.String(), want) {
			t.Errorf("%q is not in\n%s", want, notation.String())
		}
	}
	for _, bad := range []string{"", "{}", `{"diceref_match":9}`, strings.Replace(text, `"seq": 5,`, `"seq": 6,`, 1), strings.Replace(text, "A flick W4 c3", "A flick W5 c3", 1)} {
		if _, err := ReadExport(strings.NewReader(bad)); err == nil {
			t.Errorf("%.60q was read as a match", bad)
		}
	}
}

// TestNotationOwners: who owns which colors stands in the notation's head, by the order of play.
func TestNotationOwners(t *testing.T) {
	m := tappedMatch(t, table.DiceBox, 2, Config{Owners: [][]table.Color{{table.Red, table.Yellow}, {table.Blue, table.White}}})
	declare(t, m, Declaration{Say: SayFirst, Player: "Ben"})
	var notation bytes.Buffer
	if err := m.WriteText(&notation); err != nil || !strings.Contains(notation.String(), "[PlayerB \"Ada\"]\n[OwnerA \"blue white\"]\n[OwnerB \"red yellow\"]\n") {
		t.Errorf("the head is (%v)\n%s", err, notation.String())
	}
}

// TestExportOfOthers: a match in which others began, sat elsewhere and were called otherwise
// comes back as it was, and goes on.
func TestExportOfOthers(t *testing.T) {
	m := journaled(t, table.DiceBox, "Ann", "Ben", "Cleo")
	declare(t, m, Declaration{Say: SayFirst, Player: "Ben"}, Declaration{Say: SayAct, Move: "seed 3"},
		Declaration{Say: SayNames, Names: []string{"Bert", "Cleo", "Ann"}}, Declaration{Say: SaySeats, Names: []string{"Ann", "Bert", "Cleo"}})
	export := func(j *Journal) string {
		var file bytes.Buffer
		if err := j.Export(m.Setting().ID, &file); err != nil {
			t.Fatal(err)
		}
		return file.String()
	}
	text := export(m.journal)
	other := openTestJournal(t, newJournal(t))
	if _, err := other.Import(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if again := export(other); again != text {
		t.Errorf("exported again it is\n%s\nwas\n%s", again, text)
	}
	back, err := Resume(other, m.Setting().ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := asJSON(m.Snapshot()), asJSON(back.Snapshot()); a != b {
		t.Errorf("imported as\n%s\nexported was\n%s", b, a)
	}
}

// TestImportRefuses: what is no whole match is refused with a reason, and nothing is kept of it.
func TestImportRefuses(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	declare(t, m, Declaration{Say: SayFirst, Player: "Ben"}, Declaration{Say: SayNames, Names: []string{"Bert", "Anna"}}, Declaration{Say: SaySeats, Names: []string{"Anna", "Bert"}})
	var file bytes.Buffer
	if err := m.journal.Export(m.Setting().ID, &file); err != nil {
		t.Fatal(err)
	}
	change := func(do func(*exported)) string {
		var x exported
		if err := json.Unmarshal(file.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		do(&x)
		return asJSON(x)
	}
	j := openTestJournal(t, newJournal(t))
	for _, c := range []struct{ name, text, want string }{
		{"more after it", file.String() + "x", "there is more after its end"},
		{"nothing happened", change(func(x *exported) { x.Records = nil }), "not an exported match"},
		{"no id", change(func(x *exported) { x.Setting.ID = "" }), "cannot be called"},
		{"a path", change(func(x *exported) { x.Setting.ID = "../x" }), "cannot be called"},
		{"two lines", change(func(x *exported) { x.Setting.ID = "x\ny" }), "cannot be called"},
		{"nobody's order", change(func(x *exported) { x.Records[1].Act.Order = []int{5, 9} }), "not an order of 2 players"},
		{"an order twice", change(func(x *exported) { x.Records[1].Act.Order = []int{1, 1} }), "not an order of 2 players"},
		{"a name that is none", change(func(x *exported) { x.Setting.Players[0] = "\u200b" }), "player 1 has no name"},
		{"too few names", change(func(x *exported) { x.Records[2].Act.Names = []string{"Bert"} }), "1 name for 2 players"},
		{"a seat too far", change(func(x *exported) { x.Records[3].Act.Order = []int{0, 7} }), "not an order of 2 players"},
	} {
		if _, err := j.Import(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.name, err, c.want)
		}
	}
	if list, err := j.Matches(); err != nil || len(list) != 0 {
		t.Errorf("%d matches were kept (%v)", len(list), err)
	}
}

// TestNotationDoubts: the notation says what was asked, what could be answered, and why
// an act that was kept is illegal.
func TestNotationDoubts(t *testing.T) {
	m := tappedMatch(t, table.DiceBox, 2, Config{})
	mustAct(t, m, "seed 3")
	declare(t, m, Declaration{Say: SayAct, Move: "A place R6 c2", Keep: true})
	m.askNow(said("Which {die}?"), []offer{m.asked(acts(t, m, "B place B4 c4")), {says: said("none")}})
	declare(t, m, Declaration{Say: SayAnswer, Choice: "Ben places blue 4 on c4"})
	var b strings.Builder
	if err := m.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	want := "     seed 3\n  1. A place R6 c2 ?! {BX-VALUE}\n     {Which (die)? / Ben places blue 4 on c4 / none}\n  2. B place B4 c4\nAda: 6\nBen: 0\n"
	if !strings.HasSuffix(b.String(), want) {
		t.Errorf("the notation is\n%s, want at its end\n%s", b.String(), want)
	}
}
