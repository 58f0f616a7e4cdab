package dicebox

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"diceref/rules"
)

// ending is a position in which little can still happen: A owns red, B yellow, and
// dice that are held are told as in "R4 Y1".
func ending(fits map[int]uint8, a, b string) *sim {
	m := &sim{players: 2, filled: 1<<squares - 1, beside: &besideTables[0]}
	for sq, set := range fits {
		m.cand[sq] = set
		m.filled &^= 1 << sq
		m.open |= 1 << sq
	}
	for p, text := range []string{a, b} {
		for i := 0; i < len(text); i += 3 {
			m.hands[p].n[map[byte]int{'R': 0, 'Y': 1, 'B': 2, 'W': 3}[text[i]]][text[i+1]-'0']++
			m.hands[p].size++
		}
	}
	m.worth = [4][4]int8{{6, -6}, {-6, 6}}
	return m
}

// TestAhead asks for positions whose worth can be counted by hand.
func TestAhead(t *testing.T) {
	one := func(set uint8) map[int]uint8 { return map[int]uint8{7: set} }
	const three, odd = 1 << 3, 1<<3 | 1<<5
	tests := []struct {
		name      string
		m         *sim
		me        int
		acted     bool // the other is on turn
		win, lead float64
	}{
		{"the best of two acts", ending(one(odd), "R5 Y3", "B1"), 0, false, 1, 5},
		{"the other's color is all that fits", ending(one(three), "R5 Y3", "B1"), 0, false, 0, -3},
		{"seen from the other side", ending(one(three), "B1", "R3 Y5"), 1, false, 0, -3},
		{"nobody has dice", ending(one(three), "", ""), 0, false, 0.5, 0},
		{"a forced answer", ending(one(three), "R3", "Y3"), 0, true, 0, -3},
		{"answers alike count each", ending(one(three), "R3", "B3 W3 Y3"), 0, true, 1. / 3, -1},
		{"the other is out of dice", ending(one(odd), "R5 R3", ""), 0, true, 1, 5},
		{"the other rolls first", ending(one(three), "R3", "Y1"), 0, true, 1, 3},
		{"nothing fits any more", ending(nil, "R3", "Y1"), 0, true, 0.5, 0},
	}
	for _, x := range tests {
		a := &ahead{loadForesight(), x.me, rand.New(rand.NewPCG(1, 1))}
		got := a.before
		if x.acted {
			got = a.after
		}
		if w := got(x.m); math.Abs(w.win-x.win) > 1e-9 || math.Abs(w.lead-x.lead) > 1e-9 {
			t.Errorf("%s: %+v, want %v and %v", x.name, w, x.win, x.lead)
		}
	}
}

// TestSurvey compares positions foretold from another, a die or two on, with the same foretold by themselves.
func TestSurvey(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	m := played(t, 2, perftStart).newSim(r)
	n, compared := loadForesight(), 0
	for p := 0; !m.over(); p = 1 - p {
		v := n.survey(m)
		acts := m.placements(p, nil)
		if len(acts) == 0 {
			m.reroll(p, r)
			continue
		}
		for _, x := range acts {
			next := *m
			next.place(p, x)
			if next.over() {
				continue
			}
			compared++
			if a, b := v.foretell(&next, p), n.foretell(&next, p); math.Abs(a.win-b.win) > 1e-4 || math.Abs(a.lead-b.lead) > 1e-3 {
				t.Errorf("%+v from a survey, %+v without", a, b)
			}
		}
		m.place(p, acts[r.IntN(len(acts))])
	}
	if compared < 100 {
		t.Errorf("only %d positions compared", compared)
	}
}

// TestForeseen asks which games are looked ahead in, and which are played out.
func TestForeseen(t *testing.T) {
	const other = "hand C R1 R2 Y1 Y2 B1 B2 W1 W2"
	tests := []struct {
		name    string
		players int
		options map[string]any
		acts    string
		ahead   bool
	}{
		{"by the rulebook", 2, nil, perftStart, true},
		{"two colors each", 2, map[string]any{"two_player_colours": 2}, perftStart, true},
		{"6 beside 1", 2, map[string]any{"wrap": true}, perftStart, false},
		{"dice held count", 2, map[string]any{"score_unplaced": true}, perftStart, false},
		{"three players", 3, nil, "seed 3; hand A R1 R2 Y1 Y2 B1 B2 W1 W2; hand B R1 R2 Y1 Y2 B1 B2 W1 W2; " + other, false},
	}
	for _, x := range tests {
		s, err := rules.Replay(Game, rules.Setup{Players: x.players, Options: x.options}, splitActs(x.acts))
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.(*State).Suggest(rules.Budget{Playouts: 100, Time: time.Millisecond, Seed: 1}, "")
		if err != nil {
			t.Fatal(err)
		}
		if ahead := list[0].Games == 0; ahead != x.ahead || list[0].Within == 0 {
			t.Errorf("%s: %+v, want it looked ahead: %t", x.name, list[0], x.ahead)
		}
	}
}

// TestLookAheadListsAll plays a game and asks that what is suggested is legal, in order and whole.
func TestLookAheadListsAll(t *testing.T) {
	match(t, 0, rand.New(rand.NewPCG(3, 3)), func(s *State, r *rand.Rand) rules.Move {
		list, err := s.Suggest(rules.Budget{Time: time.Nanosecond, Seed: 1}, "")
		if err != nil {
			t.Fatal(err)
		}
		if p := s.ToMove(); s.Must(p) == "place" && len(list) != len(s.different(s.placements(p))) {
			t.Errorf("%d acts are told", len(list))
		}
		for i, x := range list {
			if err := s.Check(x.Move); err != nil || x.Win < 0 || x.Win > 1 || x.Why == "" || i > 1 && x.Win > list[i-1].Win {
				t.Errorf("%d: %+v, %v", i, x, err)
			}
		}
		return list[0].Move
	}, random)
}
