package match

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"diceref/table"
)

// TestCorrectPast: in every game an act of the past becomes another one that was legal
// then; what came after is played again and judged again, and what is impossible
// goes out of force. The journal leads to the same.
func TestCorrectPast(t *testing.T) {
	players := map[table.Game]int{table.DessertDice: 3, table.DiceBox: 2, table.FromageATrois: 3, table.DiceCreams: 2, table.DiceFlick: 2}
	tapGames(t, players, 8, func(t *testing.T, m *Match, r *rand.Rand) {
		for range 40 {
			if !tapAny(t, m, r) {
				break
			}
		}
		corrected := 0
		for _, e := range m.Events() {
			if e.Move == nil && e.Type != TypeFlick || e.Player == "" || e.Undone {
				continue
			}
			acts := m.LegalBefore(e.Seq, nil, 0, 50).Acts
			i := slices.IndexFunc(acts, func(a ActView) bool { return a.Player == e.Player && asJSON(a.Move) != asJSON(e.Move) })
			if i < 0 {
				continue
			}
			declare(t, m, Declaration{Say: SayCorrect, Seq: e.Seq, Move: acts[i].Act, Keep: true})
			now := m.Events()
			k := slices.IndexFunc(now, func(v EventView) bool { return v.Seq == e.Seq })
			if now[k].Undone || m.setting.Game != table.DiceFlick && asJSON(now[k].Move) != asJSON(acts[i].Move) {
				t.Fatalf("event %d is %s (out of force: %v), want %s", e.Seq, asJSON(now[k].Move), now[k].Undone, acts[i].Act)
			}
			if corrected++; corrected == 5 {
				break
			}
		}
		if corrected == 0 {
			t.Fatal("nothing could be corrected")
		}
		again, err := Reread(m.journal, m.Setting().ID)
		if err != nil {
			t.Fatal(err)
		}
		if digest(again.line.now()) != digest(m.line.now()) || inForce(again) != inForce(m) {
			t.Error("the journal leads elsewhere")
		}
	})
}

// TestUndoCorrection: an undo takes back a correction that was made last, with all that it put out
// of force; a redo makes it again.
func TestUndoCorrection(t *testing.T) {
	m := journaled(t, table.DiceBox, "Ann", "Ben")
	for _, act := range []string{"seed 3", "A place R4 c2", "B place B5 c1", "A place Y5 b2"} {
		declare(t, m, Declaration{Say: SayAct, Move: act})
	}
	placed := m.Events()[2]
	before, shown := digest(m.line.now()), asJSON(m.Events())
	declare(t, m, Declaration{Say: SayCorrect, Seq: placed.Seq, Move: "A place R4 c4", Keep: true})
	after, put := digest(m.line.now()), m.Events()[len(m.Events())-1]
	if after == before || put.Type != TypeCorrect {
		t.Fatalf("the correction is told as %s", put.Text)
	}
	declare(t, m, Declaration{Say: SayUndo})
	now := m.Snapshot()
	if digest(m.line.now()) != before || asJSON(now.Events[:5]) != shown || !now.Events[5].Undone || now.Revision != now.Seq {
		t.Errorf("the correction undone, the match is\n%s\nit was\n%s", asJSON(now.Events), shown)
	}
	declare(t, m, Declaration{Say: SayRedo})
	if now := m.Snapshot(); digest(m.line.now()) != after || now.Events[5].Undone || now.Events[2].To != placed.To && now.CanRedo {
		t.Errorf("the correction made again, the match is\n%s", asJSON(now.Events))
	}
	declare(t, m, Declaration{Say: SayUndo}, Declaration{Say: SayUndo}, Declaration{Say: SayAct, Move: "A place W4 c4"})
	if now := m.Snapshot(); !now.Events[5].Undone || now.CanRedo {
		t.Error("a correction that was undone is in force again once another act was played")
	}
	resumed(t, m)
}

// TestUndoToKeepsCorrections: where all from an act on is undone, an earlier act that was put
// right since stays right.
func TestUndoToKeepsCorrections(t *testing.T) {
	m := journaled(t, table.DiceBox, "Ann", "Ben")
	for _, act := range []string{"seed 3", "A place R4 c2", "B place B5 c1"} {
		declare(t, m, Declaration{Say: SayAct, Move: act})
	}
	log := m.Events()
	declare(t, m, Declaration{Say: SayCorrect, Seq: log[2].Seq, Move: "A place R4 c4", Keep: true})
	put := digest(m.line.now())
	declare(t, m, Declaration{Say: SayUndo, Seq: log[3].Seq})
	now := m.Snapshot()
	if got := m.line.now().Expect().Squares[table.Square{Row: 3, Col: 2}]; got != (table.Die{Color: table.Red, Face: 4}) || !now.Events[3].Undone || now.Events[4].Undone {
		t.Errorf("%v lies where the die was put right, and the events are\n%s", got, asJSON(now.Events))
	}
	declare(t, m, Declaration{Say: SayRedo})
	if digest(m.line.now()) != put {
		t.Error("the redo leads elsewhere")
	}
	resumed(t, m)
}

// TestUndoReading: a correction of a die that was read is undone as well, and the camera is
// believed again.
func TestUndoReading(t *testing.T) {
	s := loadScript(t, "dessert-dice")
	m := s.match(t)
	for _, obs := range s.frames()[:s.Steps[1].Last+1] {
		m.See(obs)
	}
	sq := *s.Steps[1].To
	is := m.line.now().Expect().Squares[sq]
	other := table.Die{Color: is.Color, Face: is.Face%6 + 1}
	on := func() table.Die { return m.line.now().Expect().Squares[sq] }
	declare(t, m, Declaration{Say: SayCorrect, Square: &sq, Color: other.Color, Face: other.Face})
	if on() != other || m.fix[sq].To != other {
		t.Fatalf("%v was put right as %v", is, on())
	}
	declare(t, m, Declaration{Say: SayUndo})
	if _, fixed := m.fix[sq]; on() != is || fixed {
		t.Errorf("undone, %v lies there, and another die is taken for one: %v", on(), fixed)
	}
	declare(t, m, Declaration{Say: SayRedo})
	if on() != other || m.fix[sq].To != other || !slices.Contains(m.fix[sq].From, is) {
		t.Errorf("redone, %v lies there: %+v", on(), m.fix[sq])
	}
}

// TestCorrectBlocked: a correction after which something could not have happened says
// what, and does nothing unless it is to be kept all the same.
func TestCorrectBlocked(t *testing.T) {
	m := tappedMatch(t, table.FromageATrois, 3, Config{})
	for _, act := range []string{"A roll 44456", "A keep 45", "A end", "B roll 1246", "B keep 12"} {
		mustAct(t, m, act)
	}
	before := inForce(m)
	err := m.Declare(Declaration{Say: SayCorrect, Seq: 2, Move: "A roll 66666"})
	if err == nil || !strings.Contains(err.Error(), "a later move is impossible: fromage: cannot play") || inForce(m) != before {
		t.Fatalf("correcting a roll: %v", err)
	}
	if err := m.Declare(Declaration{Say: SayCorrect, Seq: 3, Move: "A keep 66"}); err == nil || !strings.Contains(err.Error(), "it cannot have been that") {
		t.Fatalf("dice were kept that were not rolled: %v", err)
	}
	declare(t, m, Declaration{Say: SayCorrect, Seq: 2, Move: "A roll 14566"})
	if got := m.Events()[1].Text; got != "Ada rolls 1 4 5 6 6." {
		t.Errorf("the roll is told as %q", got)
	}
	declare(t, m, Declaration{Say: SayCorrect, Seq: 2, Move: "A roll 66666", Keep: true})
	if e := m.Events(); !e[2].Undone || e[1].Undone {
		t.Errorf("out of force: roll %v, keep %v", e[1].Undone, e[2].Undone)
	}
}

// TestUndoTo: undo and redo lead to any point at once, one record an act.
func TestUndoTo(t *testing.T) {
	m := tappedMatch(t, table.DiceBox, 2, Config{})
	for _, act := range []string{"seed 3", "A place R4 c2", "B place B2 c4", "A place R2 d3", "B place B4 b3"} {
		mustAct(t, m, act)
	}
	var digests []string
	for _, e := range m.line.acts {
		digests = append(digests, digest(e.stack[len(e.stack)-1]))
	}
	third := m.line.acts[2].seq
	declare(t, m, Declaration{Say: SayUndo, Seq: third})
	if digest(m.line.now()) != digests[1] {
		t.Errorf("before event %d stands another position", third)
	}
	if got := m.Events()[len(m.Events())-1].Text; got != "Undone: Ben places blue 2 on c4." {
		t.Errorf("told as %q", got)
	}
	if err := m.Declare(Declaration{Say: SayUndo, Seq: third}); err == nil {
		t.Error("what is undone was undone")
	}
	declare(t, m, Declaration{Say: SayRedo, Seq: m.line.undone[1].seq})
	if digest(m.line.now()) != digests[3] {
		t.Error("the redo leads elsewhere")
	}
	declare(t, m, Declaration{Say: SayRedo})
	if digest(m.line.now()) != digests[4] {
		t.Error("the last redo leads elsewhere")
	}
}

// TestPausedActs: nothing is played while the match pauses.
func TestPausedActs(t *testing.T) {
	m := tappedMatch(t, table.DiceBox, 2, Config{})
	mustAct(t, m, "seed 3")
	declare(t, m, Declaration{Say: SayPause})
	for _, d := range []Declaration{{Say: SayAct, Move: "A place R4 c2"}, {Say: SayRoll}, {Say: SayPass}, {Say: SayNext}} {
		if err := m.Declare(d); !errors.Is(err, ErrPaused) {
			t.Errorf("%s in a pause: %v", d.Say, err)
		}
	}
	declare(t, m, Declaration{Say: SayResume}, Declaration{Say: SayAct, Move: "A place R4 c2"})
}

// TestCorrectedEnd: a correction after the end tells the result again if it is another one.
func TestCorrectedEnd(t *testing.T) {
	m := tappedMatch(t, table.DiceFlick, 2, Config{})
	for n := 0; m.Snapshot().Phase != PhaseOver; n++ {
		if n > 100 {
			t.Fatal("the game has no end")
		}
		zero := n % 3
		declare(t, m, Declaration{Say: SayNext, Score: &zero})
	}
	ends := func() (list []EventView) {
		for _, e := range m.Events() {
			if e.Type == TypeEnd {
				list = append(list, e)
			}
		}
		return list
	}
	was := ends()
	mustAct(t, m, "pad A 1 30")
	now := ends()
	if len(was) != 1 || len(now) != 2 || now[1].Scores["Ada"] != was[0].Scores["Ada"]+30 {
		t.Fatalf("the ends %v become %v", was, now)
	}
	declare(t, m, Declaration{Say: SayUndo})
	if now = ends(); now[len(now)-1].Scores["Ada"] != was[0].Scores["Ada"] {
		t.Errorf("after an undo the last end says %v", now[len(now)-1].Scores)
	}
}

// TestUndoOfABlastDie: what was put right of a flick is taken back and made again, though the die has no number.
func TestUndoOfABlastDie(t *testing.T) {
	for _, moves := range [][]string{{"A flick P* c1", "A flick P* c2"}, {"A flick Y3 c1", "A flick P* c1"}} {
		m, err := New(Config{Game: table.DiceFlick, Players: []string{"A", "B"}})
		if err != nil {
			t.Fatal(err)
		}
		declare(t, m, Declaration{Say: SayPlay, Move: moves[0]})
		log := m.Snapshot().Events
		flick := log[len(log)-1]
		mv, err := m.game.ParseMove(moves[1])
		if err != nil {
			t.Fatal(err)
		}
		e, words := m.eventAt(m.line.before(flick.Seq)[0], mv)
		e.Type = TypeCorrect
		if err := m.emit(ByPlayer, Act{Kind: actCorrect, Ref: flick.Seq, Moves: moves[1:]}, e, words); err != nil {
			t.Fatal(err)
		}
		declare(t, m, Declaration{Say: SayUndo}, Declaration{Say: SayRedo})
		if got := wordsOf(m.movesSince(0)); !slices.Equal(got, moves[1:]) {
			t.Errorf("%q after it was put right, taken back and put right again", got)
		}
	}
}
