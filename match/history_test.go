package match

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// playedJournal holds a whole match of DICE Flick, one of it in its middle, and a paused one of Dice Box.
func playedJournal(t *testing.T) *Journal {
	t.Helper()
	j := openTestJournal(t, newJournal(t))
	began := time.Date(2026, 1, 2, 20, 0, 0, 0, time.UTC)
	minutes := 0
	clock := func() time.Time { minutes++; return began.Add(time.Duration(minutes) * time.Minute) }
	begin := func(id string, g table.Game, names ...string) *Match {
		m, err := New(Config{ID: id, Game: g, Players: names, Journal: j, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	whole := begin("whole", table.DiceFlick, "Ann", "Ben")
	for round := range 10 {
		declare(t, whole, Declaration{Say: SayMiss}, Declaration{Say: SayMiss}, Declaration{Say: SayNext})
		declare(t, whole, Declaration{Say: SayMiss}, Declaration{Say: SayMiss}, Declaration{Say: SayNext})
		if round == 0 {
			declare(t, whole, Declaration{Say: SayAct, Move: "pad A 1 12"})
		}
	}
	open := begin("open", table.DiceFlick, "Ann", "Cleo")
	declare(t, open, Declaration{Say: SayMiss}, Declaration{Say: SayUndo})
	paused := begin("paused", table.DiceBox, "Cleo", "Ben")
	declare(t, paused, Declaration{Say: SayPlay, Move: "seed 1"}, Declaration{Say: SayPlay, Move: "A place R5 c2"}, Declaration{Say: SayPause})
	return j
}

func TestHistory(t *testing.T) {
	j := playedJournal(t)
	for range 2 { // the second time from what is remembered
		for _, c := range []struct {
			q    HistoryQuery
			want string
		}{
			{HistoryQuery{}, "3: paused open whole"},
			{HistoryQuery{From: 1, Limit: 1}, "3: open"},
			{HistoryQuery{From: 5}, "3:"},
			{HistoryQuery{Game: table.DiceFlick}, "2: open whole"},
			{HistoryQuery{Player: "ben"}, "2: paused whole"},
			{HistoryQuery{Player: "nobody"}, "0:"},
		} {
			h, err := j.History(c.q)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%d:", h.Total)
			for _, m := range h.Matches {
				got += " " + m.ID
			}
			if got != c.want {
				t.Errorf("%+v: %s, want %s", c.q, got, c.want)
			}
		}
	}
	h, err := j.History(HistoryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Result{{Name: "Ann", Points: 12, Won: true, Acts: 30, Misses: 20}, {Name: "Ben", Acts: 30, Misses: 20}}
	if diff := cmp.Diff(want, h.Matches[2].Players); diff != "" || h.Matches[2].Phase != PhaseOver || h.Matches[1].Phase != PhaseOpen || h.Matches[0].Phase != PhasePaused {
		t.Errorf("the whole match is told as\n%s\n%s", asJSON(h), diff)
	}
}

func TestStatistics(t *testing.T) {
	s, err := playedJournal(t).Statistics()
	if err != nil {
		t.Fatal(err)
	}
	if s.Matches != 3 || len(s.Players) != 3 || len(s.Games) != 2 {
		t.Fatalf("%s", asJSON(s))
	}
	ann, cleo := s.Players[0], s.Players[2]
	if ann.Name != "Ann" || ann.Played != 2 || ann.Over != 1 || ann.Won != 1 || len(ann.Games) != 1 || ann.Games[0].Best != 12 || ann.Games[0].Mean != 12 {
		t.Errorf("Ann: %s", asJSON(ann))
	}
	if ben := s.Players[1]; ann.Rating <= 1500 || ann.Games[0].Rating != ann.Rating || ben.Rating >= 1500 || ben.Rating == 0 || cleo.Rating != 0 {
		t.Errorf("ratings: Ann %d, Ben %d, Cleo %d", ann.Rating, ben.Rating, cleo.Rating)
	}
	if cleo.Played != 2 || cleo.Over != 0 || cleo.Illegal != 1 || len(cleo.Games) != 2 {
		t.Errorf("Cleo: %s", asJSON(cleo))
	}
	for _, g := range s.Games {
		if g.Game == table.DiceFlick && (g.Matches != 2 || g.Over != 1 || g.Mean != 6 || g.Best.Player != "Ann" || g.Minutes < 1) {
			t.Errorf("DICE Flick: %s", asJSON(g))
		}
	}
}

// TestUnsettled: a match that a rematch broke off, and one whose cards were never turned over, are
// told as such, and their points count for nothing.
func TestUnsettled(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	declare(t, m, Declaration{Say: SayAct, Move: "pad A 1 30"}, Declaration{Say: SayRematch})
	cards := tappedMatch(t, table.DessertDice, 2, Config{Journal: m.journal})
	r := rand.New(rand.NewPCG(5, 6))
	for tapAny(t, cards, r) {
	}
	counted := func() (list []int) {
		s, err := m.journal.Statistics()
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range s.Games {
			list = append(list, g.Over)
		}
		return list
	}
	if got := counted(); !slices.Equal(got, []int{0, 0}) {
		t.Errorf("counted are %d matches of the two games", got)
	}
	for _, p := range []struct{ id, want string }{{m.Setting().ID, "over true"}, {m.Next().Setting().ID, "open false"}, {cards.Setting().ID, "over true"}} {
		past, err := m.journal.Past(p.id, 0, 1)
		if got := fmt.Sprint(past.Match.Phase, " ", past.Match.Unsettled); err != nil || got != p.want {
			t.Errorf("%s is %s, want %s (%v)", past.Match.Game, got, p.want, err)
		}
	}
	mustAct(t, cards, "A card J")
	mustAct(t, cards, "B card P")
	if got := counted(); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("with the cards, counted are %d matches of the two games", got)
	}
}

// TestPast: every step of a match with the state that it led to, page by page.
func TestPast(t *testing.T) {
	j := playedJournal(t)
	all, err := j.Past("whole", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if all.Total != len(all.Steps) || all.Total != 63 || all.Match.Phase != PhaseOver || all.Steps[62].ToMove != -2 || all.Steps[62].Sheets[0].Total != 12 {
		t.Fatalf("%d of %d steps, the last %s", len(all.Steps), all.Total, asJSON(all.Steps[len(all.Steps)-1]))
	}
	part, err := j.Past("whole", 60, 2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asJSON(all.Steps[60:62]), asJSON(part.Steps)); diff != "" || part.Total != 63 {
		t.Errorf("a page differs: %s", diff)
	}
	if _, err := j.Past("none", 0, 0); err == nil {
		t.Error("a match that never was is told")
	}
	if id, err := j.Unfinished(); id != "paused" || err != nil {
		t.Errorf("unfinished: %q, %v", id, err)
	}
	for form, want := range map[string]string{"export": `"diceref_match": 1`, "csv": "total,12,0", "text": `[PlayerA "Ann"]`} {
		var b bytes.Buffer
		if err := j.Write("whole", form, &b); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %v, no %q in\n%s", form, err, want, b.String())
		}
	}
}
