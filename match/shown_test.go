package match

import (
	"testing"

	"diceref/table"
)

// TestShownOnce: whoever goes on with a match after its server has died is sent again what that one had seen, and the match does
// not go back to how the table was. In a rematch it is known, too.
func TestShownOnce(t *testing.T) {
	seen := loadSeen(t, "dessert-dice")
	setup := Config{Game: table.DessertDice, Players: []string{"Ann", "Ben", "Cleo"}}
	home, err := New(setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range seen {
		home.See(o)
	}
	want := home.Events()

	j := openTestJournal(t, newJournal(t))
	setup.Journal = j
	m, err := New(setup)
	if err != nil {
		t.Fatal(err)
	}
	show := func(from, to int) (fresh int) {
		for n := from; n < to; n++ {
			is, err := m.SeeOnce(Shown{"camera", int64(n + 1)}, seen[n])
			if err != nil {
				t.Fatal(err)
			}
			if is {
				fresh++
			}
		}
		return fresh
	}
	const batch = 50
	for at := 0; at < len(seen); at += batch {
		end := min(at+batch, len(seen))
		if fresh := show(at, end); fresh != end-at {
			t.Fatalf("%d observations of %d were new", fresh, end-at)
		}
		if fresh := show(at, end); fresh != 0 {
			t.Errorf("%d observations were taken twice", fresh)
		}
		if at/batch%3 != 1 {
			continue
		}
		// Whoever had it dies before the camera hears that all this has arrived.
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := m.SeeOnce(Shown{"camera", int64(end + 1)}, seen[0]); err == nil {
			t.Error("a closed match has seen something")
		}
		if m, err = Resume(j, m.Setting().ID, nil); err != nil {
			t.Fatal(err)
		}
		show(at, end)
	}
	got := m.Events()
	if len(got) != len(want) {
		t.Errorf("%d events, at home %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if got[i].Type != want[i].Type || got[i].Text != want[i].Text {
			t.Errorf("event %d: %s, at home: %s", i, got[i].Text, want[i].Text)
		}
	}
	declare(t, m, Declaration{Say: SayRematch})
	next, err := Resume(j, m.Next().Setting().ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if fresh, err := next.SeeOnce(m.Shown(), seen[len(seen)-1]); fresh || err != nil {
		t.Errorf("the rematch sees again what was seen before it (%v)", err)
	}
}

// TestShownAgain: whoever goes on with a match at whatever moment is shown again what was not in the journal, and tells it as
// whoever had it would have.
func TestShownAgain(t *testing.T) {
	seen := loadSeen(t, "dessert-dice")
	setup := Config{Game: table.DessertDice, Players: []string{"Ann", "Ben", "Cleo"}}
	home, err := New(setup)
	if err != nil {
		t.Fatal(err)
	}
	setup.Journal = openTestJournal(t, newJournal(t))
	m, err := New(setup)
	if err != nil {
		t.Fatal(err)
	}
	again := 0
	for n := int64(0); n < int64(len(seen)); n++ {
		home.See(seen[n])
		if _, err := m.SeeOnce(Shown{"camera", n + 1}, seen[n]); err != nil {
			t.Fatal(err)
		}
		if n%13 != 5 {
			continue
		}
		_, settled := m.ShownOf("camera")
		if m, err = Resume(setup.Journal, m.Setting().ID, nil); err != nil {
			t.Fatal(err)
		}
		last, _ := m.ShownOf("camera")
		for back := max(last, settled); back <= n; back++ {
			again++
			if _, err := m.SeeOnce(Shown{"camera", back + 1}, seen[back]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if again == 0 || again > len(seen) {
		t.Errorf("%d observations of %d were shown again", again, len(seen))
	}
	got, want := m.Events(), home.Events()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i].Type != want[i].Type || got[i].Text != want[i].Text {
			t.Fatalf("event %d is told otherwise than at home: %d events instead of %d", i, len(got), len(want))
		}
	}
}
