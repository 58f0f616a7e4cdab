package match

import (
	"testing"

	"diceref/rules"
	"diceref/rules/dicecreams"
)

// TestAccuses: nobody is told to have broken the rules in a view that was in doubt, unless it was
// clearly to be seen there, or taken back; and never of several, however the table may look now.
func TestAccuses(t *testing.T) {
	breach := func(misfit float64) rules.Story {
		return rules.Story{Verdict: rules.IllegalAct, Why: rules.Illegal{{Code: "DC-TURN"}}, Misfit: misfit}
	}
	fine, back := rules.Story{Verdict: rules.Explained}, rules.Story{Verdict: rules.TakenBack, Back: 1}
	now, err := dicecreams.Game.New(rules.Setup{Players: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what   string
		before []rules.Story
		want   bool
	}{
		{"nothing against the rules", []rules.Story{fine, fine}, false},
		{"a breach that was clearly seen", []rules.Story{fine, breach(0)}, false},
		{"one that was not", []rules.Story{fine, breach(2 * clearly)}, true},
		{"one that was not, and was taken back", []rules.Story{breach(2 * clearly), back}, false},
		{"two that were", []rules.Story{breach(0), fine, breach(0)}, true},
		{"two that were, and one was taken back", []rules.Story{breach(0), back, breach(0)}, false},
	} {
		told := hypothesis{Story: rules.Story{After: now}, before: c.before}
		if got := told.accuses(); got != c.want {
			t.Errorf("%s: accuses %v, want %v", c.what, got, c.want)
		}
		if got := alikeTales(creamZones{}, []hypothesis{told, told}); got == c.want {
			t.Errorf("%s: told with a question: %v, want %v", c.what, got, !c.want)
		}
	}
}
