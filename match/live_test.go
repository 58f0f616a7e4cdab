package match

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"diceref/match/internal/readings"
	"diceref/table"
)

// TestSubscribers: fast, slow and returning listeners all end up with every event once.
func TestSubscribers(t *testing.T) {
	s := loadScript(t, "dice-flick")
	m := s.match(t)
	var wg sync.WaitGroup
	results := make([][]int64, 20)
	for i := range results {
		wg.Add(1)
		sub := m.Subscribe(0)
		go func() {
			defer wg.Done()
			var got []int64
			last := int64(0)
			for {
				for e := range sub.C {
					got = append(got, e.Seq)
					last = e.Seq
					if i%3 == 0 && e.Seq%7 == 0 { // goes away and comes back
						sub.Close()
						break
					}
				}
				m.mu.Lock()
				closed := m.closed
				m.mu.Unlock()
				if closed && (len(got) > 0 && got[len(got)-1] == m.Snapshot().Seq) {
					break
				}
				sub = m.Subscribe(last)
			}
			results[i] = got
		}()
	}
	stalled := m.Subscribe(0)
	for _, obs := range s.frames() {
		m.See(obs)
	}
	m.Finish()
	if len(m.Events()) > patience && !stalled.Dropped() {
		t.Errorf("a listener that took none of %d events was not dropped", len(m.Events()))
	}
	m.Close()
	wg.Wait()
	var want []int64
	for _, e := range m.Events() {
		want = append(want, e.Seq)
	}
	for i, got := range results {
		if !slices.Equal(got, want) {
			t.Errorf("listener %d got %v, want %v", i, got, want)
		}
	}
}

func TestChanged(t *testing.T) {
	s := loadScript(t, "dessert-dice")
	m := s.match(t)
	changed := m.Changed()
	seq := m.Snapshot().Seq
	for _, obs := range s.frames()[:40] {
		m.See(obs)
	}
	select {
	case <-changed:
	default:
		t.Error("a move did not close Changed")
	}
	if m.Snapshot().Seq == seq {
		t.Error("the snapshot does not have the move")
	}
}

// TestUndo: undo and redo lead back and forth; the board on the table is not told again.
func TestUndo(t *testing.T) {
	s := loadScript(t, "dessert-dice")
	m := s.match(t)
	frames := s.frames()
	for _, obs := range frames[:52] { // start and two moves
		m.See(obs)
	}
	say := func(d Declaration) {
		t.Helper()
		if err := m.Declare(d); err != nil {
			t.Fatal(err)
		}
	}
	moves := func() (n int) {
		for _, e := range m.Events() {
			if e.Type == TypeMove && !e.Undone {
				n++
			}
		}
		return n
	}
	state := asJSON(m.Snapshot().State)
	say(Declaration{Say: SayUndo})
	for _, obs := range frames[44:52] {
		m.See(obs)
	}
	if moves() != 1 || m.Snapshot().ToMove != 1 {
		t.Fatalf("after undo %d moves are in force and %d is to move", moves(), m.Snapshot().ToMove)
	}
	say(Declaration{Say: SayRedo})
	if moves() != 2 || asJSON(m.Snapshot().State) != state {
		t.Fatalf("redo does not lead back: %d moves", moves())
	}
	say(Declaration{Say: SayUndo})
	say(Declaration{Say: SayUndo})
	if err := m.Declare(Declaration{Say: SayUndo}); err == nil {
		t.Error("undo beyond the start was accepted")
	}
	say(Declaration{Say: SayRedo})
	say(Declaration{Say: SayRedo})
	if err := m.Declare(Declaration{Say: SayRedo}); err == nil {
		t.Error("redo beyond the end was accepted")
	}
	for _, obs := range frames[52:] {
		m.See(obs)
	}
	m.Finish()
	var got []string
	for _, e := range m.Events() {
		switch e.Type {
		case TypeUndo, TypeRedo:
		default:
			got = append(got, told(e.Event))
		}
	}
	if !slices.Equal(got, s.want()) {
		t.Errorf("the game went on as %q", got)
	}
}

// TestCorrect: an earlier move is corrected, and all that follows is reckoned again.
func TestCorrect(t *testing.T) {
	s := loadScript(t, "dice-box")
	m := s.match(t)
	for _, obs := range s.frames()[:70] { // three placements
		m.See(obs)
	}
	events := m.Events()
	last := events[len(events)-1]
	if err := m.Declare(Declaration{Say: SayCorrect, Seq: last.Seq, Move: "A place Y3 e3"}); err != nil {
		t.Fatal(err)
	}
	if got := m.Snapshot().Sheets[0].Total; got != 5 { // red 2 and yellow 3
		t.Errorf("A has %d points after the correction, want 5", got)
	}
	if err := m.Declare(Declaration{Say: SayCorrect, Seq: 999, Move: "A place Y3 e3"}); err == nil {
		t.Error("a correction of an event that never was is accepted")
	}
	if err := m.Declare(Declaration{Say: SayCorrect, Seq: last.Seq, Move: "nonsense"}); err == nil {
		t.Error("a correction to nonsense is accepted")
	}
}

// TestCorrectReading: a misread die is corrected in one word, and stays right.
func TestCorrectReading(t *testing.T) {
	s := loadScript(t, "dice-box")
	m := s.match(t)
	frames := s.frames()
	for i := range frames {
		if frames[i].Frame < 24 || !frames[i].Read {
			continue
		}
		frames[i].Dice = slices.Clone(frames[i].Dice)
		for k := range frames[i].Dice {
			if r := &frames[i].Dice[k]; r.Square != nil && *r.Square == (table.Square{Row: 2, Col: 3}) {
				*r = readings.Sure(table.Die{Color: table.Red, Face: 5}, r.Square, r.At) // in truth 2
			}
		}
	}
	for _, obs := range frames[:30] {
		m.See(obs)
	}
	if got := events(m); !strings.HasPrefix(got[len(got)-1], "doubt What happened: A places red 2 on d3, or A places red 5 on d3 (BX-VALUE)") {
		t.Fatalf("a die that no player had is told as %q", got[len(got)-1])
	}
	sq := table.Square{Row: 2, Col: 3}
	if err := m.Declare(Declaration{Say: SayCorrect, Square: &sq, Face: 2}); err != nil {
		t.Fatal(err)
	}
	for _, obs := range frames[30:] {
		m.See(obs)
	}
	m.Finish()
	var got []string
	for _, e := range m.Events() {
		if e.Type != TypeDoubt && e.Type != TypeCorrect {
			got = append(got, told(e.Event))
		}
	}
	if want := s.want(); !slices.Equal(got, want) {
		t.Errorf("the game went on as %q, want %q", got, want)
	}
}

func TestPause(t *testing.T) {
	s := loadScript(t, "dessert-dice")
	m := s.match(t)
	frames := s.frames()
	if err := m.Declare(Declaration{Say: SayPause}); err != nil {
		t.Fatal(err)
	}
	for _, obs := range frames[:40] {
		m.See(obs)
	}
	if len(m.Events()) != 2 || m.Snapshot().Phase != PhasePaused {
		t.Fatalf("paused, the match tells %q", events(m))
	}
	if err := m.Declare(Declaration{Say: SayResume}); err != nil {
		t.Fatal(err)
	}
	for _, obs := range frames[30:36] {
		m.See(obs)
	}
	if got := events(m); got[len(got)-1] != s.want()[1] {
		t.Errorf("after the pause: %q", got)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []Config{
		{Game: table.DiceBox, Players: []string{"A"}},
		{Game: table.DiceBox, Players: []string{"A", "A"}},
		{Game: table.DiceBox, Players: []string{"A", " "}},
		{Game: table.Any, Players: []string{"A", "B"}},
		{Game: table.DiceBox, Players: []string{"A", "B"}, Options: map[string]any{"rap": true}},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
}

func ExampleMatch() {
	m, err := New(Config{Game: table.DiceFlick, Players: []string{"Ann", "Ben"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()
	for _, word := range []string{SayMiss, SayMiss, SayNext} {
		if err := m.Declare(Declaration{Say: word}); err != nil {
			fmt.Println(err)
		}
	}
	for _, e := range m.Events() {
		fmt.Println(e.Text)
	}
	// Output:
	// The game begins.
	// Ann misses.
	// Ann misses.
	// Ann scores 0 in round 1.
}

// TestEveryGame: each of the five can be begun, shown as JSON, and ended by its source.
func TestEveryGame(t *testing.T) {
	for _, g := range table.Games {
		names := []string{"Ann", "Ben", "Cleo"}
		m, err := New(Config{Game: g, Players: names})
		if err != nil {
			t.Errorf("%s: %v", g, err)
			continue
		}
		if s := asJSON(m.Snapshot()); !strings.Contains(s, string(g)) {
			t.Errorf("%s is shown as %s", g, s)
		}
		m.See(table.Observation{Game: g, Look: table.LookStill, Read: true})
		m.Finish()
		last := m.Events()[len(m.Events())-1]
		if last.Type != TypeEnd || last.Over == nil || *last.Over || m.Snapshot().Phase != PhaseOver {
			t.Errorf("%s ends as %s", g, asJSON(last))
		}
	}
}

// TestForcedPass: a player of Dice Box without dice passes, and nobody needs to say so.
func TestForcedPass(t *testing.T) {
	m, err := New(Config{Game: table.DiceBox, Players: []string{"A", "B"}})
	if err != nil {
		t.Fatal(err)
	}
	// A places all of its dice, legal or not, while B has only two left on paper.
	say := func(move string) {
		t.Helper()
		if err := m.Declare(Declaration{Say: SayPlay, Move: move}); err != nil {
			t.Fatal(err)
		}
	}
	say("seed 1")
	squares := []string{"d3", "e3", "e4", "e5", "d5", "c5", "b5", "a5", "a4", "a3", "a2", "a1"}
	dice := []string{"R2", "R1", "R2", "Y1", "Y2", "Y1", "B2", "B1", "B2", "W1", "W2", "W1"}
	for i, sq := range squares {
		say("A place " + dice[i] + " " + sq)
		if i < len(squares)-1 {
			say("B reroll")
		}
	}
	say("B reroll")
	var passes []string
	for _, e := range m.Events() {
		if e.Type == TypePass {
			passes = append(passes, e.Player+" "+e.By)
		}
	}
	if !slices.Equal(passes, []string{"A " + ByRules}) {
		t.Errorf("passes told: %q, want one by A", passes)
	}
	if to := m.Snapshot().ToMove; to != 1 {
		t.Errorf("%d is to move after the pass, want 1", to)
	}
	// An undo takes the pass back together with what led to it, a redo brings both back.
	after := digest(m.line.now())
	declare(t, m, Declaration{Say: SayUndo})
	if now := m.Snapshot(); now.ToMove != 1 || now.CanRedo == false || digest(m.line.now()) == after {
		t.Errorf("after an undo %d is to move", now.ToMove)
	}
	declare(t, m, Declaration{Say: SayUndo}, Declaration{Say: SayRedo}, Declaration{Say: SayRedo})
	if m.Snapshot().CanRedo || digest(m.line.now()) != after {
		t.Error("the redos do not lead back behind the pass")
	}
}
