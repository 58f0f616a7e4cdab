package diceflick_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/table"
)

func start(t testing.TB, players int, options map[string]any) *diceflick.State {
	t.Helper()
	s, err := diceflick.Game.New(rules.Setup{Players: players, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	return s.(*diceflick.State)
}

// play applies moves in notation; each must be legal.
func play(t testing.TB, s *diceflick.State, moves ...string) *diceflick.State {
	t.Helper()
	for _, text := range moves {
		m, err := diceflick.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(m); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		next, err := s.Apply(m)
		if err != nil {
			t.Fatal(err)
		}
		s = next.(*diceflick.State)
	}
	return s
}

// codesOf are the reasons against a move in notation.
func codesOf(t testing.TB, s *diceflick.State, text string) string {
	t.Helper()
	m, err := diceflick.ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	var illegal rules.Illegal
	if err := s.Check(m); err != nil && !errors.As(err, &illegal) {
		t.Fatalf("%s: %v", text, err)
	}
	return strings.Join(illegal.Codes(), " ")
}

const setMarkers = "markers center=c3 bonus=e1 blue=b2 yellow=d4 green=b4"

func TestTurn(t *testing.T) {
	s := play(t, start(t, 2, nil), setMarkers, "A draw 3")
	if must, may := s.FlicksLeft(); must != 2 || may != 2 {
		t.Errorf("at the start: %d and %d flicks left, want 2 and 2", must, may)
	}
	if got := codesOf(t, s, "A score 0 took=none"); got != "DF-FLICKS" {
		t.Errorf("scoring before flicking: %q", got)
	}
	s = play(t, s, "A flick W4 c3", "A miss B")
	if got := codesOf(t, s, "A flick B1 a1"); got != "DF-FLICKS DF-BONUS" {
		t.Errorf("a third flick: %q", got)
	}
	if got := codesOf(t, s, "B flick B1 a1"); got != "DF-TURN" {
		t.Errorf("out of turn: %q", got)
	}
	s = play(t, s, "A score 8 took=c3")
	if s.ToMove() != 1 || s.Round() != 1 {
		t.Errorf("then it is the turn of %v in round %d, want B in round 1", s.ToMove(), s.Round())
	}
	// A die that is not scored stays, and scoring it a turn later is legal.
	s = play(t, s, "B flick G5 c3", "B miss ?", "B score 0 took=none", "A flick Y2 a1", "A miss Y c3>c3=6", "A score 12 took=c3")
	if got := s.Score(); got[0].Total != 20 || got[1].Total != 0 || s.Round() != 2 || s.ToMove() != 1 {
		t.Errorf("sheets %+v in round %d", got, s.Round())
	}
	if got := s.Winners(); len(got) != 1 || got[0] != 0 {
		t.Errorf("Winners = %v", got)
	}
	// Drawing wrongly.
	if got := codesOf(t, s, "B draw 2"); got != "DF-DRAW" {
		t.Errorf("two dice in front: %q", got)
	}
}

func TestBonusFlicks(t *testing.T) {
	tests := []struct {
		name    string
		options map[string]any
		moves   string // parted by semicolons; A's first turn
		may     int    // flicks left afterwards
	}{
		{"none", nil, "A flick B1 a1; A flick B2 a2", 0},
		{"landed on it", nil, "A flick B1 e1; A flick B2 a2", 1},
		{"second flick", nil, "A flick B1 a1; A flick B2 e1", 1},
		{"an older die pushed onto it", nil, "A flick B1 d1; A flick B2 a2 d1>e1=3", 0},
		{"pushed, with the house rule", map[string]any{"bonus_by_push": true}, "A flick B1 d1; A flick B2 a2 d1>e1=3", 1},
		{"pushed by a miss, with the house rule", map[string]any{"bonus_by_push": true}, "A flick B1 d1; A miss B d1>e1=3", 1},
		{"chain", nil, "A flick B1 e1; A miss B; A flick G1 e1 e1>off", 1},
		{"no chain", map[string]any{"bonus_chain": false}, "A flick B1 e1; A miss B; A flick G1 e1 e1>off", 0},
		{"two landed on it", map[string]any{"bonus_chain": false}, "A flick B1 e1; A flick G1 e1 e1>d1=1", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := play(t, start(t, 2, tt.options), append([]string{setMarkers}, strings.Split(tt.moves, "; ")...)...)
			if _, may := s.FlicksLeft(); may != tt.may {
				t.Errorf("%d flicks left, want %d", may, tt.may)
			}
			// A bonus may be declined.
			play(t, s, "A score 0 took=none", "B miss ?")
		})
	}
}

// The die of a bonus flick is drawn once, whether that is told or not.
func TestBonusDraw(t *testing.T) {
	s := play(t, start(t, 2, nil), setMarkers, "A draw 3", "A flick B1 e1")
	for text, want := range map[string]string{"A draw 3": "", "A draw 2": "DF-DRAW", "A draw 4": "DF-DRAW"} {
		if got := codesOf(t, s, text); got != want {
			t.Errorf("%s after a bonus: %q, want %q", text, got, want)
		}
	}
	for _, draw := range []string{"A draw 3", ""} {
		next := s
		if draw != "" {
			next = play(t, next, draw)
			if got := codesOf(t, next, "A draw 4"); got != "DF-DRAW" {
				t.Errorf("a second die for one bonus: %q", got)
			}
		}
		next = play(t, next, "A flick G1 a1", "A flick G2 b1")
		if view := viewOf(t, next); view.Held[0] != 1 || view.Bag != 16 {
			t.Errorf("%q: held %v, bag %d: want 1 in A's hand and 16 in the bag", draw, view.Held, view.Bag)
		}
	}
}

// When the bag runs short there are fewer dice to flick, and a bonus lapses.
func TestShortBag(t *testing.T) {
	s := play(t, start(t, 2, nil), setMarkers)
	rows := "arena B1 Y1 B1 Y1 .. / Y1 B1 Y1 B1 Y1 / G1 G1 .. G1 G1 / B1 .. W1 .. .. / P* .. .. .. W1"
	s = play(t, s, rows)
	if view := viewOf(t, s); view.Held[0] != 3 || view.Bag != 0 {
		t.Fatalf("held %v, bag %d: want 3 in A's hand and an empty bag", view.Held, view.Bag)
	}
	s = play(t, s, "A flick G2 e1", "A flick W2 e4")
	if _, may := s.FlicksLeft(); may != 0 {
		t.Errorf("the bag is empty, so the bonus lapses: %d flicks left", may)
	}
	s = play(t, s, "A score 0 took=none")
	if must, may := s.FlicksLeft(); must != 0 || may != 0 {
		t.Errorf("B has no dice to flick: %d, %d", must, may)
	}
	s = play(t, s, "B score 0 took=none")
	if must, _ := s.FlicksLeft(); must != 1 {
		t.Errorf("A has one die left: must flick %d", must)
	}
	if got := codesOf(t, s, "A score 0 took=none"); got != "DF-FLICKS" {
		t.Errorf("not flicking the one die: %q", got)
	}
}

func TestScoreBetweenFlicks(t *testing.T) {
	s := play(t, start(t, 2, map[string]any{"score_between_flicks": true}), setMarkers,
		"A flick B3 c3", "A score 6 took=c3", "A flick P* a1", "A score 6 took=a1")
	if got := s.Score()[0]; got.Total != 12 || len(got.Lines) != 1 {
		t.Errorf("sheet %+v, want 12 points in one round", got)
	}
	// A marker that scored, or that a scoring freed, is out for the rest of the turn.
	s = play(t, start(t, 2, map[string]any{"score_between_flicks": true}), setMarkers,
		"arena .. B1 B2 .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. ..",
		"A score 5 claim=combo:b1+c1+@blue", "A flick B1 b1", "A flick B2 a2")
	if got := s.Best().Score; got != 0 {
		t.Errorf("the blue marker scored already: best %d, want 0", got)
	}
	if got := codesOf(t, s, "A score ? claim=combo:b1+a2+@blue"); !strings.Contains(got, "DF-TWICE") {
		t.Errorf("the blue marker again: %q", got)
	}
}

func TestOldDice(t *testing.T) {
	rules := map[string]any{"old_centre_scores": false, "old_blast_scores": false}
	s := play(t, start(t, 2, rules), setMarkers, "A flick B3 b3", "A flick P* a1 b3>c3=3")
	if got := s.Best().Score; got != 6 {
		t.Errorf("pushed onto the center: best %d, want the blast die's 6", got)
	}
	s = play(t, s, "A score 0 took=none", "B flick W2 c4", "B miss ?")
	if got := s.Best().Score; got != 0 {
		t.Errorf("the dice of the turn before: best %d, want 0", got)
	}
}

func TestMustScoreMax(t *testing.T) {
	s := play(t, start(t, 2, map[string]any{"must_score_max": true}), setMarkers, "A flick B3 c3", "A flick W4 a1")
	if got := codesOf(t, s, "A score ? took=none"); got != "DF-REMOVE" {
		t.Errorf("leaving the center die: %q", got)
	}
	s = play(t, s, "A score 2 took=c3")
	if got := s.Score()[0].Total; got != 6 {
		t.Errorf("the program writes %d, want 6", got)
	}
}

// Every round of the notepad can be put right later; the number of the turn under way ends that turn.
func TestAmend(t *testing.T) {
	s := play(t, start(t, 2, nil), setMarkers, "A flick W4 c3", "A miss ?", "A score ? took=c3", "pad A 1 10", "pad B 1 4")
	if got := s.Score(); got[0].Total != 10 || got[1].Total != 4 || s.ToMove() != 0 {
		t.Errorf("sheets %+v, to move %v", got, s.ToMove())
	}
	s = play(t, s, "pad A 1 empty")
	if got := s.Score()[0]; got.Total != 0 || len(got.Lines) != 0 {
		t.Errorf("an emptied cell: %+v", got)
	}
	m, err := diceflick.ParseMove("pad A 1 1")
	if err != nil {
		t.Fatal(err)
	}
	var illegal rules.Illegal
	if err := s.Check(m); !errors.As(err, &illegal) || illegal.Code() != "DF-IMPOSSIBLE" {
		t.Errorf("a 1 on the pad: %v", err)
	}
	m, _ = diceflick.ParseMove("pad C 1 4")
	if _, err := s.Apply(m); err == nil {
		t.Error("there is no third player")
	}
}

func TestTenRounds(t *testing.T) {
	s := start(t, 3, nil)
	for round := 1; round <= diceflick.Rounds; round++ {
		for _, p := range "ABC" {
			s = play(t, s, fmt.Sprintf("%c flick W%d c3", p, 1+round%3+int(p-'A')), fmt.Sprintf("%c miss ?", p))
			s = play(t, s, fmt.Sprintf("%c score ? took=c3", p))
		}
	}
	if s.ToMove() != rules.Nobody {
		t.Fatal("the game goes on after ten rounds")
	}
	if got := codesOf(t, s, "A flick B1 a1"); got != "DF-OVER" {
		t.Errorf("a flick after the end: %q", got)
	}
	if moves, complete := s.Legal(); len(moves) != 0 || !complete {
		t.Errorf("legal after the end: %v", moves)
	}
	if got := s.Winners(); len(got) != 1 || got[0] != 2 {
		t.Errorf("Winners = %v: %+v", got, s.Score())
	}
}

type view struct {
	Held    []int
	Bag     int
	Arena   []string
	Notepad [][]*int
	Totals  []int
	Best    struct{ Score int }
}

func viewOf(t testing.TB, s *diceflick.State) view {
	t.Helper()
	text, err := json.Marshal(s.Show(rules.Nobody))
	if err != nil {
		t.Fatal(err)
	}
	var v view
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Twenty dice stay twenty, whatever is flicked, pushed and scored; and notation
// and totals say the same as the moves.
func TestRandomMatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for game := range 6 {
		s := play(t, start(t, 2+game%3, nil), setMarkers)
		for s.ToMove() != rules.Nobody {
			m := randomMove(rng, s)
			again, err := diceflick.ParseMove(m.String())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(m, again); diff != "" {
				t.Fatalf("%v comes back different:\n%s", m, diff)
			}
			if err := s.Check(m); err != nil {
				t.Fatalf("%v: %v", m, err)
			}
			before := viewOf(t, s)
			next, err := s.Apply(m)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, viewOf(t, s)); diff != "" {
				t.Fatalf("%v changed the state it was applied to:\n%s", m, diff)
			}
			s = next.(*diceflick.State)
			v := viewOf(t, s)
			n := v.Bag + len(s.Expect().Squares)
			for _, h := range v.Held {
				n += h
			}
			if n != diceflick.Dice {
				t.Fatalf("%d dice after %v: %+v", n, m, v)
			}
		}
		for p, sheet := range s.Score() {
			if len(sheet.Lines) != diceflick.Rounds {
				t.Errorf("player %d has %d rounds", p, len(sheet.Lines))
			}
		}
	}
}

// randomMove is a legal move, with pushes that Legal does not list.
func randomMove(rng *rand.Rand, s *diceflick.State) rules.Move {
	moves, _ := s.Legal()
	m := moves[rng.IntN(len(moves))]
	flick, ok := m.(diceflick.Flick)
	arena := s.Arena()
	if !ok || rng.IntN(3) > 0 {
		return m
	}
	for i, d := range arena.Dice {
		if d.Color == table.NoColor || rng.IntN(2) > 0 {
			continue
		}
		shift := diceflick.Shift{From: table.SquareAt(i), Off: true}
		if to := rng.IntN(25); arena.Dice[to].Color == table.NoColor && rng.IntN(2) > 0 && (!flick.Rests || flick.To != table.SquareAt(to)) {
			shift = diceflick.Shift{From: shift.From, To: table.SquareAt(to), Face: 1 + rng.IntN(6)}
			if d.Color == table.Pink {
				shift.Face = 0
			}
		}
		flick.Shifts = append(flick.Shifts, shift)
		break
	}
	return flick
}

func TestSetup(t *testing.T) {
	for _, setup := range []rules.Setup{
		{Players: 1},
		{Players: 5},
		{Players: 2, Options: map[string]any{"bonus": true}},
		{Players: 2, Options: map[string]any{"bonus_chain": "maybe"}},
	} {
		if _, err := diceflick.Game.New(setup); err == nil {
			t.Errorf("%+v passes", setup)
		}
	}
	if _, err := diceflick.Game.New(rules.Setup{Players: 4, Options: map[string]any{"bonus_chain": "false"}}); err != nil {
		t.Error(err)
	}
}

// Moves that make no sense are refused, and not as a breach of the rules.
func TestSenseless(t *testing.T) {
	s := play(t, start(t, 2, nil), setMarkers, "A flick B3 c3")
	for _, text := range []string{"A flick B1 c3", "A flick B1 a1 d4>e4=2", "A flick B1 a1 c3>a1=2", "A flick B1 a1 c3>c4=0", "A miss B b1>off"} {
		m, err := diceflick.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		var illegal rules.Illegal
		if err := s.Check(m); err == nil || errors.As(err, &illegal) {
			t.Errorf("Check(%s) = %v", text, err)
		}
		if _, err := s.Apply(m); err == nil {
			t.Errorf("Apply(%s) passes", text)
		}
	}
	// A sixth blue die is a misreading.
	s = play(t, start(t, 2, nil), "arena B1 B2 B3 B4 B5 / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. .. / .. .. .. .. ..")
	m, _ := diceflick.ParseMove("A flick B1 c3")
	if _, err := s.Apply(m); err == nil {
		t.Error("a sixth blue die lands")
	}
}

func TestParseMove(t *testing.T) {
	for _, text := range []string{
		"A draw 3", "B flick W4 c3", "A flick P* a1 b2>b3=5 b1>off base=shifted kept", "B miss ?", "A miss P c3>c4=1",
		"A score ?", "A score 0 took=none", "A score 11 took=b1,c1 claim=combo:b1+c1+@blue,blast:a1/row,center", "A score -2 claim=none between",
		"pad A 3 12", "pad B 10 empty", setMarkers, "arena B1 .. .. .. .. / .. .. .. .. .. / .. .. P* .. .. / .. .. .. .. .. / .. .. .. .. W6",
	} {
		m, err := diceflick.ParseMove(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if m.String() != text {
			t.Errorf("%s comes back as %s", text, m)
		}
	}
	for _, text := range []string{
		"", "A", "A draw", "A draw many", "A draw 21", "Z draw 3", "A jump 3", "A flick W4", "A flick W7 c3", "A flick R1 c3", "A flick .. c3", "A flick W4 f9",
		"A flick W4 c3 quickly", "A miss R", "A miss WW", "A flick W4 c3 a1>b1", "A flick W4 c3 a1>b1=7", "A score", "A score much", "A score 3 took=z9",
		"A score 3 claim=combo:z9", "A score 3 claim=blast:a1/up", "A score 3 claim=luck", "A score 3 soon", "pad A 11 3", "pad A 0 3", "pad A 3", "pad A 3 some", "pad A 3 1000", "pad A 3 9223372036854775807", "A score 1000", "pad I 3 4", "markers red=a1", "markers blue=a1 green=a1", "arena .. ..",
	} {
		if m, err := diceflick.ParseMove(text); err == nil {
			t.Errorf("%q is read as %v", text, m)
		}
	}
}

func TestMoveJSON(t *testing.T) {
	for text, want := range map[string]string{
		"A flick W4 c3":                       `{"action":"flick","to":[2,2],"color":"white","face":4}`,
		"A flick P* a1 b2>b3=5 b1>off":        `{"action":"flick","to":[0,0],"color":"pink","shifts":[{"from":[1,1],"to":[2,1],"face":5},{"from":[0,1],"to":null}]}`,
		"A miss ?":                            `{"action":"miss"}`,
		"pad A 3 12":                          `{"action":"pad","player":0,"round":3,"score":12}`,
		"pad B 4 empty":                       `{"action":"pad","player":1,"round":4,"score":null}`,
		"A draw 3":                            `{"action":"draw","in_front":3}`,
		"A score 8 took=c3":                   `{"action":"score","score":8,"removed":[[2,2]]}`,
		"A score 0 took=none":                 `{"action":"score","score":0,"removed":[]}`,
		"A score ? claim=combo:b1+@blue+b3":   `{"action":"score","claim":[{"type":"combo","cells":[[0,1],{"marker":"B"},[2,1]]}]}`,
		"A score ? claim=blast:a1/col,center": `{"action":"score","claim":[{"type":"blast","die":[0,0],"line":"col"},{"type":"center"}]}`,
		"markers center=c3 bonus=e1":          `{"action":"markers","markers":[{"row":2,"col":2,"marker":"center"},{"row":0,"col":4,"marker":"bonus"}]}`,
		"arena " + strings.ReplaceAll(nothing, "/", "/"): `{"action":"arrange","arena":[".. .. .. .. ..",".. .. .. .. ..",".. .. .. .. ..",".. .. .. .. ..",".. .. .. .. .."]}`,
	} {
		m, err := diceflick.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(m)
		if err != nil || string(got) != want {
			t.Errorf("%s is %s (%v), want %s", text, got, err, want)
		}
	}
}

func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"A draw 3", "A flick P* a1 b2>b3=5 b1>off base=shifted kept", "A score 11 took=b1,c1 claim=combo:b1+c1+@blue,blast:a1/row,center between", setMarkers, "arena " + nothing} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := diceflick.ParseMove(text)
		if err != nil {
			return
		}
		again, err := diceflick.ParseMove(m.String())
		if err != nil || again.String() != m.String() {
			t.Errorf("%q is read as %v, and that as %v, %v", text, m, again, err)
		}
		s := start(t, 2, nil)
		_ = s.Check(m)
		if next, err := s.Apply(m); err == nil {
			next.Show(rules.Nobody)
		}
	})
}
