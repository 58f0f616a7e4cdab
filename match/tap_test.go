package match

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"diceref/rules"
	"diceref/table"
)

// tappedMatch is a match without an eye, whose dice are seeded.
func tappedMatch(t *testing.T, game table.Game, players int, c Config) *Match {
	t.Helper()
	c.Game = game
	for i := range players {
		c.Players = append(c.Players, []string{"Ada", "Ben", "Cleo", "Dora"}[i])
	}
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	m.rng = rand.New(rand.NewPCG(1, 2))
	return m
}

func mustAct(t *testing.T, m *Match, act string) {
	t.Helper()
	if err := m.Declare(Declaration{Say: SayAct, Move: act}); err != nil {
		t.Fatalf("%s: %v", act, err)
	}
}

// refused says an act and wants it refused for that reason, with nothing changed.
func refused(t *testing.T, m *Match, act, code string) *Refusal {
	t.Helper()
	before := m.Snapshot()
	err := m.Declare(Declaration{Say: SayAct, Move: act})
	var why *Refusal
	if !errors.As(err, &why) || !slices.Contains(why.Codes, code) || why.Why == "" {
		t.Fatalf("%s: %v, want it refused with %s", act, err, code)
	}
	if j, err := m.Why(act); err != nil || j.Legal || j.Code != why.Code || j.Keepable != why.Keepable {
		t.Errorf("why %s: %+v, %v", act, j, err)
	}
	if now := m.Snapshot(); now.Seq != before.Seq {
		t.Errorf("%s was refused and told all the same", act)
	}
	return why
}

// tapAny taps whatever is legal, or has the dice rolled, and says whether anything was left to do.
func tapAny(t *testing.T, m *Match, r *rand.Rand) bool {
	t.Helper()
	acts := m.Legal(nil, 0, 2000)
	if acts.ToMove == int(rules.Nobody) {
		return false
	}
	err := m.Declare(Declaration{Say: SayRoll, Count: 5})
	if err == nil {
		return true
	}
	if acts.ToMove == int(rules.Nature) || len(acts.Acts) == 0 {
		t.Fatalf("nothing can be done: %v", err)
	}
	list := acts.Acts
	if placing := slices.DeleteFunc(slices.Clone(list), func(a ActView) bool { return !strings.Contains(a.Act, " place ") }); len(placing) > 0 {
		list = placing // or a game could take for ever
	}
	mustAct(t, m, list[r.IntN(len(list))].Act)
	return true
}

// tapGames plays every game by taps, each with a journal; seed leads the taps.
func tapGames(t *testing.T, players map[table.Game]int, seed uint64, play func(t *testing.T, m *Match, r *rand.Rand)) {
	for game, n := range players {
		t.Run(string(game), func(t *testing.T) {
			m := tappedMatch(t, game, n, Config{Journal: openTestJournal(t, filepath.Join(t.TempDir(), "j.db"))})
			if game == table.DessertDice {
				declare(t, m, Declaration{Say: SayRoll})
			}
			play(t, m, rand.New(rand.NewPCG(seed, uint64(n))))
		})
	}
}

// TestTappedGames: every game is played from the first roll to the end by taps
// alone, and its journal leads to the same end.
func TestTappedGames(t *testing.T) {
	players := map[table.Game]int{table.DessertDice: 3, table.DiceBox: 4, table.FromageATrois: 3, table.DiceCreams: 2, table.DiceFlick: 2}
	tapGames(t, players, 3, func(t *testing.T, m *Match, r *rand.Rand) {
		for n := 0; tapAny(t, m, r); n++ {
			if n > 5000 {
				t.Fatal("the game has no end")
			}
		}
		now := m.Snapshot()
		last := now.Events[len(now.Events)-1]
		if now.Phase != PhaseOver || last.Type != TypeEnd || last.Over != nil {
			t.Errorf("the match stands at %s, last was %s", now.Phase, last.Type)
		}
		again, err := Reread(m.journal, m.Setting().ID)
		if err != nil {
			t.Fatal(err)
		}
		if digest(again.line.now()) != digest(m.line.now()) || len(again.Events()) != len(now.Events) {
			t.Error("the journal leads to another end")
		}
		for _, e := range now.Events {
			if e.Legal != nil && !*e.Legal || e.Text == "" {
				t.Errorf("event %d: %s %q", e.Seq, e.Code, e.Text)
			}
		}
	})
}

func TestTappedIllegal(t *testing.T) {
	m := tappedMatch(t, table.DiceBox, 2, Config{})
	mustAct(t, m, "seed 3")
	if why := refused(t, m, "A place R6 c2", "BX-VALUE"); !why.Keepable {
		t.Error("players may keep a wrong value")
	}
	if why := refused(t, m, "A place R4 c3", "BX-OCC"); why.Keepable {
		t.Error("a die was to be kept on another")
	}
	refused(t, m, "B place R4 c2", "BX-TURN")
	if err := m.Declare(Declaration{Say: SayAct, Move: "A place R6 c2", Keep: true}); err != nil {
		t.Fatal(err)
	}
	e := m.Events()[len(m.Events())-1]
	if e.Legal == nil || *e.Legal || e.Code != "BX-VALUE" || e.Why == "" || e.Player != "Ada" || e.By != ByPlayer {
		t.Errorf("the kept act is told as %+v", e)
	}
	if m.Snapshot().ToMove != 1 {
		t.Error("the kept act does not count")
	}
	for _, act := range []string{"", "A place", "A place Q9 c2", "Z reroll", "A place R4 c2 x"} {
		if _, err := m.Why(act); err == nil {
			t.Errorf("%q was understood", act)
		}
		if err := m.Declare(Declaration{Say: SayAct, Move: act}); err == nil {
			t.Errorf("%q was played", act)
		}
	}
}

// TestTappedUndo: what a player tapped of the dice can be undone, and so can what the program rolled.
func TestTappedUndo(t *testing.T) {
	m := tappedMatch(t, table.DiceBox, 2, Config{})
	mustAct(t, m, "seed 3")
	if err := m.Declare(Declaration{Say: SayUndo}); err != nil {
		t.Fatal(err)
	}
	if m.Snapshot().ToMove != int(rules.Nature) {
		t.Error("the Seed is still there")
	}
	if err := m.Declare(Declaration{Say: SayRoll}); err != nil {
		t.Fatal(err)
	}
	if err := m.Declare(Declaration{Say: SayUndo}); err != nil || m.Snapshot().CanUndo {
		t.Errorf("the Seed and all dice, rolled with one tap, are not undone with one: %v", err)
	}
}

func TestLegalPages(t *testing.T) {
	m := tappedMatch(t, table.DessertDice, 2, Config{})
	mustAct(t, m, "A place R3 c3")
	all := m.Legal(nil, 0, 1000)
	if len(all.Acts) != all.Total || !all.Complete || all.ToMove != 1 {
		t.Fatalf("%d acts of %d", len(all.Acts), all.Total)
	}
	page := m.Legal(nil, 10, 5)
	if len(page.Acts) != 5 || page.Total != all.Total || page.Acts[0].Act != all.Acts[10].Act {
		t.Errorf("a page of %d from %+v", len(page.Acts), page.Acts[0])
	}
	tips := m.Legal([]string{"move", "c3"}, 0, 100)
	if tips.Total != 16 { // to four squares, four tops each while it is not known how the die lies
		t.Errorf("%d tips", tips.Total)
	}
	if one := m.Legal([]string{"place", "G2", "a1"}, 0, 100); one.Total != 1 || one.Acts[0].Act != "B place G2 a1" || one.Acts[0].Player != "Ben" {
		t.Errorf("%+v", one)
	}
}

// TestNotepadAlone: a whole game of DICE Flick by writing numbers, one ahead of its
// turn, one impossible, one corrected after the end.
func TestNotepadAlone(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	m := tappedMatch(t, table.DiceFlick, 2, Config{Clock: func() time.Time { now = now.Add(time.Second); return now }})
	refused(t, m, "pad A 1 1", "DF-IMPOSSIBLE")
	mustAct(t, m, "pad B 1 7") // Ben was quicker
	if m.Snapshot().ToMove != 0 {
		t.Error("a number written ahead has ended the turn of another")
	}
	for round := 1; round <= 10; round++ {
		mustAct(t, m, fmt.Sprintf("pad A %d %d", round, round+1))
		if round > 1 {
			mustAct(t, m, fmt.Sprintf("pad B %d 0", round))
		}
	}
	s := m.Snapshot()
	if s.Phase != PhaseOver || s.Sheets[0].Total != 65 || s.Sheets[1].Total != 7 {
		t.Fatalf("%s, %+v", s.Phase, s.Sheets)
	}
	scores := 0
	for _, e := range s.Events {
		if e.Type == TypeScore {
			scores++
		}
	}
	if scores != 19 { // and Ben's first, which came early, as a number corrected
		t.Errorf("%d scores were told", scores)
	}
	mustAct(t, m, "pad B 3 80")
	s = m.Snapshot()
	last := s.Events[len(s.Events)-1]
	if last.Type != TypeEnd || !slices.Equal(last.Winners, []string{"Ben"}) || last.Scores["Ben"] != 87 || last.T < 20 {
		t.Errorf("after a number was put right the end is %+v", last)
	}
	if put := s.Events[len(s.Events)-2]; put.Type != TypeCorrect || put.Round != 3 || *put.Score != 80 || put.Player != "Ben" {
		t.Errorf("the number put right is told as %+v", put)
	}
	if err := m.Declare(Declaration{Say: SayUndo}); err != nil {
		t.Fatal(err)
	}
	if s := m.Snapshot(); s.Sheets[1].Total != 7 || s.Phase != PhaseOver {
		t.Errorf("undone, Ben has %d", s.Sheets[1].Total)
	}
}

// TestCardsAtTheEnd: the secret cards of Dessert Dice are turned over once the board is full.
func TestCardsAtTheEnd(t *testing.T) {
	m := tappedMatch(t, table.DessertDice, 2, Config{})
	r := rand.New(rand.NewPCG(5, 6))
	for tapAny(t, m, r) {
	}
	mustAct(t, m, "A card J")
	if last := m.Events()[len(m.Events())-1]; last.Type == TypeEnd {
		t.Error("the end was told before all cards were turned over")
	}
	mustAct(t, m, "B card P")
	last := m.Events()[len(m.Events())-1]
	if last.Type != TypeEnd || len(last.Winners) == 0 || last.Scores["Ada"] != last.Clusters["J"] || last.Scores["Ben"] != last.Clusters["P"] {
		t.Errorf("the end is told as %+v", last)
	}
	if err := m.Declare(Declaration{Say: SayAct, Move: "A place R3 c3"}); !errors.Is(err, ErrOver) {
		t.Errorf("after the end: %v", err)
	}
}

func TestRollsOfFromage(t *testing.T) {
	m := tappedMatch(t, table.FromageATrois, 3, Config{})
	var why *Refusal
	if err := m.Declare(Declaration{Say: SayRoll, Count: 6}); !errors.As(err, &why) || why.Code != "FR-ROLL-COUNT" {
		t.Errorf("six dice: %v", err)
	}
	if err := m.Declare(Declaration{Say: SayRoll, Count: 4}); err != nil {
		t.Fatal(err)
	}
	if err := m.Declare(Declaration{Say: SayRoll, Count: 4}); err == nil {
		t.Error("rolled twice")
	}
}
