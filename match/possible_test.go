package match

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/table"
)

// means writes possibilities as the API does.
func means(t *testing.T, list []Possibility) string {
	t.Helper()
	for i := range list {
		for k := range list[i].Events {
			e := &list[i].Events[k]
			if e.Player == "" || e.Type == "" {
				t.Errorf("%s: a nameless act %+v", list[i].Choice, e)
			}
		}
		list[i].Events = nil // each game's own
	}
	b, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return answerText.ReplaceAllString(string(b), "") // TestPhrases knows them
}

var answerText = regexp.MustCompile(`"answer":\{[^}]*\},`)

// said is a phrase of which only the English is known.
func said(words string) Phrase { return Phrase{text: words} }

// acts reads a line of moves.
func acts(t *testing.T, m *Match, list ...string) rules.Story {
	t.Helper()
	moves, err := parseMoves(m.game, list)
	if err != nil {
		t.Fatal(err)
	}
	return rules.Story{Line: moves}
}

func TestPossible(t *testing.T) {
	box := func() *Match {
		m := journaled(t, table.DiceBox, "Ada", "Ben")
		declare(t, m, Declaration{Say: SayPlay, Move: "seed 3"}, Declaration{Say: SayPlay, Move: "A place R4 c2"})
		return m
	}
	tests := []struct {
		name   string
		offers func(m *Match) []offer
		want   string
	}{
		{"two dice that may lie there, or none", func(m *Match) []offer {
			return []offer{{says: said("blue 3"), story: acts(t, m, "B place B3 c1")}, {says: said("blue 5"), story: acts(t, m, "B place B5 c1")}, {says: said("nothing has changed")}}
		}, `[{"choice":"blue 3","acts":["B place B3 c1"],"events":null,"squares":[{"square":[0,2],"color":"blue","face":3}]},` +
			`{"choice":"blue 5","acts":["B place B5 c1"],"events":null,"squares":[{"square":[0,2],"color":"blue","face":5}]},` +
			`{"choice":"nothing has changed","acts":[],"events":null,"squares":[{"square":[0,2]}]}]`},
		{"what all begin with is left out", func(m *Match) []offer {
			return []offer{{says: said("1"), story: acts(t, m, "B place B3 c1", "A place R2 d3")}, {says: said("2"), story: acts(t, m, "B place B3 c1", "A place R2 b3")}}
		}, `[{"choice":"1","acts":["A place R2 d3"],"events":null,"squares":[{"square":[2,1]},{"square":[2,3],"color":"red","face":2}]},` +
			`{"choice":"2","acts":["A place R2 b3"],"events":null,"squares":[{"square":[2,1],"color":"red","face":2},{"square":[2,3]}]}]`},
		{"one answer is compared with what lies there", func(m *Match) []offer {
			return []offer{{says: said("yes"), story: rules.Story{Back: 1}}}
		}, `[{"choice":"yes","back":1,"acts":[],"events":null,"squares":[{"square":[1,2]}]}]`},
		{"what was told already happened otherwise", func(m *Match) []offer {
			last := m.line.acts[len(m.line.acts)-1].seq
			story := acts(t, m, "A place R2 c2")
			return []offer{{says: said("as told"), amend: &amendment{last, last, m.line.acts[len(m.line.acts)-1].moves}}, {says: said("2"), amend: &amendment{last, last, story.Line}}}
		}, `[{"choice":"as told","acts":["A place R4 c2"],"events":null,"squares":[{"square":[1,2],"color":"red","face":4}]},` +
			`{"choice":"2","acts":["A place R2 c2"],"events":null,"squares":[{"square":[1,2],"color":"red","face":2}]}]`},
		{"more was taken back than there is", func(m *Match) []offer {
			return []offer{{says: said("yes"), story: rules.Story{Back: 9}}}
		}, `[{"choice":"yes","acts":[],"events":null}]`},
	}
	for _, test := range tests {
		m := box()
		m.askNow(said("What now?"), test.offers(m))
		now := m.Snapshot()
		if got := means(t, now.Possible); got != test.want {
			t.Errorf("%s:\n%s, want\n%s", test.name, got, test.want)
		}
		declare(t, m, Declaration{Say: SayAnswer, Choice: GoOn})
		if now = m.Snapshot(); now.Possible != nil {
			t.Errorf("%s: answered, and still %v", test.name, now.Possible)
		}
	}
}

// TestPossibleSeen: a die that is hardly read is asked about, with what is there if it is
// right, and if it is not.
func TestPossibleSeen(t *testing.T) {
	s := loadScript(t, "dessert-dice")
	m := s.match(t)
	for _, obs := range s.frames()[:s.Steps[1].Last+30] {
		for i := range obs.Dice {
			if obs.Frame >= s.Steps[1].First {
				obs.Dice[i].Confidence, obs.Dice[i].Sure = 0.4, false
			}
		}
		m.See(obs)
		if m.Snapshot().Ask != "" {
			break
		}
	}
	now := m.Snapshot()
	if len(now.Possible) < 2 || len(now.Possible) > len(now.Choices) {
		t.Fatalf("%q %q: %+v", now.Ask, now.Choices, now.Possible)
	}
	for i, p := range now.Possible {
		if p.Choice != now.Choices[i] || len(p.Squares) == 0 {
			t.Errorf("%d: %+v for %q", i, p, now.Choices[i])
		}
	}
	if slices.Equal(now.Possible[0].Squares, now.Possible[1].Squares) {
		t.Errorf("both answers leave %v", now.Possible[0].Squares)
	}
}

// TestActsOfEvents: events say what happened in the game's notation, as corrections left it,
// also after the match is read from its journal.
func TestActsOfEvents(t *testing.T) {
	m := journaled(t, table.FromageATrois, "Ada", "Ben", "Cleo")
	declare(t, m, Declaration{Say: SayAct, Move: "A roll 22335"}, Declaration{Say: SayAct, Move: "A keep 22"})
	rolled := m.Events()[1]
	declare(t, m, Declaration{Say: SayCorrect, Seq: rolled.Seq, Move: "A roll 22336"})
	want := []string{"", "A roll 22336", "A keep 22", ""}
	for _, now := range []*Match{m, resumed(t, m)} {
		for i, e := range now.Events() {
			if got := strings.Join(e.Acts, ", "); got != want[i] {
				t.Errorf("event %d is %q, want %q", e.Seq, got, want[i])
			}
		}
	}
}
