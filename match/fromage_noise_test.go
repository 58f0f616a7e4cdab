package match

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/internal/readings"
	"diceref/rules/fromage"
	"diceref/table"
)

// cheese is a game of three that is played act by act before a match.
type cheese struct {
	*testing.T
	tab *zoneTable
	m   *Match
	s   *fromage.State
}

// newCheese plays the acts without a mistake.
func newCheese(t *testing.T, acts ...string) *cheese {
	tab := newFromageTable(3)
	c := &cheese{T: t, tab: tab, m: tab.match(t, nil)}
	c.s = position(c.m)
	tab.show(c.m)
	for _, a := range acts {
		c.play(a)
		c.tab.show(c.m)
	}
	c.tells(acts...)
	return c
}

// play moves the dice as the act says, legal or not.
func (c *cheese) play(act string) {
	c.Helper()
	mv := parse(c, act)
	c.tab.play(c.s, mv)
	next, err := c.s.Apply(mv)
	if err != nil {
		c.Fatal(err)
	}
	c.s = next.(*fromage.State)
}

func (c *cheese) show(changes ...change) { c.tab.show(c.m, changes...) }

// stays shows the table for so long that what is open is asked.
func (c *cheese) stays(changes ...change) { c.tab.showFor(c.m, 15, changes...) }

// tells wants just these to be told by now.
func (c *cheese) tells(acts ...string) {
	c.Helper()
	if d := cmp.Diff(acts, toldActs(c.m)); d != "" {
		c.Fatalf("asked %q %q\n%s", c.m.ask, words(c.m.offers), d)
	}
}

// die is the first die of a zone that shows a face, in a view.
func (c *cheese) die(obs *table.Observation, at zoneKey, face int) *table.Reading {
	for i, d := range c.tab.dice {
		if d.at == at && d.Face == face {
			return &obs.Dice[i]
		}
	}
	c.Fatalf("no %d lies in %v", face, at)
	return nil
}

// unseen takes a die out of a view.
func (c *cheese) unseen(at zoneKey, face int) change {
	return func(obs *table.Observation) {
		r := *c.die(obs, at, face)
		obs.Dice = slices.DeleteFunc(obs.Dice, func(o table.Reading) bool { return o.At == r.At })
	}
}

// misread reads a die as another, with that much left for what it is.
func (c *cheese) misread(at zoneKey, face, as int, left float64) change {
	return func(obs *table.Observation) { doubtfully(c.die(obs, at, face), as, left) }
}

// surely reads a die as another one, without any doubt.
func (c *cheese) surely(at zoneKey, face, as int) change {
	return func(obs *table.Observation) {
		r := c.die(obs, at, face)
		*r = readings.Sure(table.Die{Color: r.Color, Face: as}, nil, r.At)
	}
}

var begun = []string{"A roll 11356", "A keep 11", "A end", "B roll 22346", "B keep 22", "B end"}

func with(acts ...string) []string { return append(slices.Clone(begun), acts...) }

func TestDieOfARollNotSeen(t *testing.T) {
	c := newCheese(t, begun...)
	c.play("C roll 13456")
	c.stays(c.unseen(cartKey, 3))
	c.tells(with("doubt")...)
	c.show()
	c.tells(with("doubt", "C roll 13456")...)
}

func TestDieOfARollDoubtful(t *testing.T) {
	c := newCheese(t, begun...)
	c.play("C roll 13456")
	c.stays(c.misread(cartKey, 3, 5, 0.3))
	c.tells(with("doubt")...)
	if choices := words(c.m.offers); !slices.Equal(choices, []string{"C roll 14556", "C roll 13456"}) {
		t.Errorf("choices are %q", choices)
	}
	if err := c.m.Declare(Declaration{Say: SayAnswer, Choice: "C roll 13456"}); err != nil {
		t.Fatal(err)
	}
	c.show(c.misread(cartKey, 3, 5, 0.3)) // what was answered is not asked again
	c.play("C keep 13")
	c.show()
	c.tells(with("doubt", "C roll 13456", "C keep 13")...)
}

func TestKeptDieDoubtful(t *testing.T) {
	c := newCheese(t, with("C roll 13456")...)
	c.play("C keep 13")
	c.show(c.misread(placeKey(2), 3, 5, 0.1))
	c.tells(with("C roll 13456", "C keep 13")...) // the 5 is still in the Cart
	if text := c.m.Events()[len(c.m.Events())-1].Text; !strings.Contains(text, "3 read as white 5") {
		t.Errorf("told %q, want that the rules have put a reading right", text)
	}
}

func TestHandReadAsAnother(t *testing.T) {
	c := newCheese(t, with("C roll 13456")...)
	c.show(c.misread(placeKey(0), 1, 4, 0.1))
	c.tells(with("C roll 13456")...)
	c.show(c.surely(placeKey(0), 1, 4))
	c.tells(with("C roll 13456", "doubt")...) // turned, or misread
	c.show()
	c.play("C keep 45")
	c.show()
	c.tells(with("C roll 13456", "doubt", "C keep 45")...)
}

func TestNothingWhileHandsAreInView(t *testing.T) {
	c := newCheese(t, begun...)
	c.play("C roll 13456")
	for i := range 20 {
		c.tab.frame++
		obs := c.tab.view()
		obs.Look = []table.Look{table.LookHand, table.LookMoving}[i/10]
		c.m.See(obs)
	}
	c.tells(begun...)
	c.show()
	c.tells(with("C roll 13456")...)
}

func TestActInSteps(t *testing.T) {
	c := newCheese(t, with("C roll 13456")...)
	c.tab.move(cartKey, 5, placeKey(2), 0) // one die, then the other
	c.show()
	c.tells(with("C roll 13456")...)
	c.tab.move(cartKey, 6, placeKey(2), 0)
	c.show()
	c.tells(with("C roll 13456", "C keep 56")...)
	c.tab.move(cartKey, 1, shopKey, 0) // the Cart is cleared bit by bit
	c.show()
	c.tells(with("C roll 13456", "C keep 56")...)
	c.tab.move(cartKey, 0, shopKey, 0)
	c.tab.move(cartKey, 0, shopKey, 0)
	c.show()
	c.tells(with("C roll 13456", "C keep 56", "C end")...)
}

func TestTooFewKept(t *testing.T) {
	c := newCheese(t, with("C roll 13456")...)
	c.play("C keep 5")
	c.show()
	c.tells(with("C roll 13456")...) // it may become two
	c.play("C end")
	c.show()
	c.tells(with("C roll 13456", "C keep 5 FR-KEEP-COUNT", "C end")...)
}

func TestSweptAway(t *testing.T) {
	c := newCheese(t, with("C roll 13456")...)
	c.show(func(obs *table.Observation) { obs.Dice = obs.Dice[:2] })
	c.tells(with("C roll 13456", "doubt")...)
	c.show()
	c.tells(with("C roll 13456", "doubt")...)
	c.play("C keep 56")
	c.show()
	c.tells(with("C roll 13456", "doubt", "C keep 56")...)
}

func TestForeignDie(t *testing.T) {
	c := newCheese(t, with("C roll 13456")...)
	foreign := func(sure bool) change {
		return func(obs *table.Observation) {
			r := readings.Sure(table.Die{Color: table.Green, Face: 2}, nil, table.Point{X: 1500, Y: 600})
			if !sure {
				r.Sure, r.Confidence = false, 0.3
			}
			obs.Dice = append(obs.Dice, r)
		}
	}
	c.show(foreign(false))
	c.tells(with("C roll 13456")...) // a reading that is hardly a die
	c.show(foreign(true))
	c.tells(with("C roll 13456", "doubt")...)
}

func TestBuriedDice(t *testing.T) {
	buried := func(obs *table.Observation) { // dice of the shop that others hide
		shop := calibratedBox(obs)
		n := 0
		obs.Dice = slices.DeleteFunc(obs.Dice, func(r table.Reading) bool {
			if shop(r.At) {
				n++
			}
			return shop(r.At) && n <= 3
		})
	}
	tab := newFromageTable(3)
	c := &cheese{T: t, tab: tab, m: tab.match(t, nil)}
	c.s = position(c.m)
	c.show(buried)
	for _, a := range begun {
		c.play(a)
		c.show(buried)
	}
	c.tells(begun...)
}

// calibratedBox says which pixels lie in the shop.
func calibratedBox(obs *table.Observation) func(table.Point) bool {
	z := newFromageTable(3).zones[0]
	return func(p table.Point) bool {
		return z.Holds(table.Point{X: p.X / float64(obs.Width), Y: p.Y / float64(obs.Height)})
	}
}

// TestBreaches plays what RULES.md 3.7 forbids and a camera can see.
func TestBreaches(t *testing.T) {
	rolled := with("C roll 13456")
	kept := with("C roll 13456", "C keep 13")
	for _, c := range []struct {
		name   string
		before []string
		act    string
		want   string
	}{
		{"three kept", rolled, "C keep 135", "C keep 135 FR-KEEP-COUNT"},
		{"six rolled", begun, "C roll 123456", "C roll 123456 FR-ROLL-COUNT"},
		{"a single stolen with the set", rolled, "C steal A 1", ""},
		{"kept and stolen", kept, "C steal A 11", "C steal A 11 FR-BOTH"},
		{"somebody else keeps", rolled, "A keep 13", "A keep 13 FR-TURN"},
		{"somebody else takes of the rest", kept, "B compensate 4", "B compensate 4 FR-COMP-NOTOWED"},
		{"nothing kept", rolled, "C end -", "C end - FR-NOACT"},
		{"stolen before rolling", begun, "C steal A 11", "C steal A 11 FR-NOROLL"},
		{"stolen from by somebody else", rolled, "B steal A 11", "B steal A 11 FR-TURN"},
		{"too many for it", with("C roll 13456", "C steal A 11"), "A compensate 345", "A compensate 345 FR-COMP-COUNT"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newCheese(t, c.before...)
			g.play(c.act)
			g.show()
			want := slices.Clone(c.before)
			if c.want != "" {
				want = append(want, c.want)
			}
			g.tells(want...)
		})
	}
}

// TestTakenBack: an illegal act is corrected.
func TestTakenBack(t *testing.T) {
	c := newCheese(t, with("C roll 13456")...)
	before := c.s
	c.play("C keep 135")
	c.show()
	for _, f := range []int{1, 3, 5} {
		c.tab.move(placeKey(2), f, cartKey, 0)
	}
	c.s = before
	c.show()
	c.play("C keep 13")
	c.show()
	c.tells(with("C roll 13456", "C keep 135 FR-KEEP-COUNT", "takeback C", "C keep 13")...)
}

// TestSetNotReturned: whoever rolls while a set lies in the last player's place ends that turn.
func TestSetNotReturned(t *testing.T) {
	c := newCheese(t, with("C roll 13456", "C keep 13", "C end", "A roll 12345")...)
	c.play("A keep 12")
	c.show()
	c.play("A end -")
	c.show()
	c.play("B roll 3456")
	c.show()
	c.tells(with("C roll 13456", "C keep 13", "C end", "A roll 12345", "A keep 12", "A end - FR-SETS", "B roll 3456")...)
}

// TestPointsAreAsked: who has not said what they want for their dice is asked when
// the turn ends, and what is answered later counts.
func TestPointsAreAsked(t *testing.T) {
	c := newCheese(t, with("C roll 13456", "C steal A 11")...)
	c.play("A compensate 2 points")
	c.play("C end")
	c.show()
	c.tells(with("C roll 13456", "C steal A 11", "doubt", "A compensate 2 points", "C end")...)
	if err := c.m.Declare(Declaration{Say: SayAnswer, Choice: c.m.offers[1].says.String()}); err != nil {
		t.Fatal(err)
	}
	if got := position(c.m).Score()[0].Total; got != 0 {
		t.Errorf("A has %d points, want 0: nothing was taken", got)
	}
}

func TestPointsAreSaid(t *testing.T) {
	c := newCheese(t, with("C roll 13456", "C steal A 11")...)
	if err := c.m.Declare(Declaration{Say: SayPoints}); err != nil {
		t.Fatal(err)
	}
	c.play("A compensate 2 points")
	c.play("C end")
	c.show()
	c.tells(with("C roll 13456", "C steal A 11", "A compensate 2 points", "C end")...)
	if err := c.m.Declare(Declaration{Say: SayPoints}); err == nil {
		t.Error("points for nothing are not refused")
	}
	if err := c.m.Declare(Declaration{Say: SayNext}); err != nil {
		t.Error(err) // the turn has ended already
	}
	c.tells(with("C roll 13456", "C steal A 11", "A compensate 2 points", "C end")...)
}

// TestUndoOfASeenAct: the table as it lies is not told again.
func TestUndoOfASeenAct(t *testing.T) {
	c := newCheese(t, with("C roll 13456", "C keep 13")...)
	if err := c.m.Declare(Declaration{Say: SayUndo}); err != nil {
		t.Fatal(err)
	}
	c.show()
	if got := toldMoves(c.m); len(got) != len(begun)+1 {
		t.Errorf("in force are %q", got)
	}
	if err := c.m.Declare(Declaration{Say: SayRedo}); err != nil {
		t.Fatal(err)
	}
	c.play("C end")
	c.show()
	if got := fmt.Sprint(toldMoves(c.m)); !strings.HasSuffix(got, "C keep 13 C end]") {
		t.Errorf("in force are %v", got)
	}
}

// stealsInDoubt has C roll and steal while a die of the cart is misread, and so nothing is told yet.
func (c *cheese) stealsInDoubt() {
	c.play("C roll 13456")
	c.show(c.misread(cartKey, 3, 5, 0.3))
	c.play("C steal A 11")
	c.stays(c.misread(cartKey, 3, 5, 0.3))
}

// TestSaidWhileInDoubt: what is said while a view before is in doubt is told in its
// place, once that is known.
func TestSaidWhileInDoubt(t *testing.T) {
	c := newCheese(t, begun...)
	c.stealsInDoubt()
	c.tells(with("doubt")...)
	if err := c.m.Declare(Declaration{Say: SayPoints}); err != nil {
		t.Fatal(err)
	}
	c.play("A compensate 2 points")
	c.tells(with("doubt")...)
	c.show()
	c.tells(with("doubt", "C roll 13456", "C steal A 11", "A compensate 2 points")...)
}

// TestSaidIsUndone: what waits for a view is undone and said again like what was seen.
func TestSaidIsUndone(t *testing.T) {
	c := newCheese(t, begun...)
	c.stealsInDoubt()
	for _, say := range []string{SayPoints, SayUndo, SayRedo, SayUndo} {
		if err := c.m.Declare(Declaration{Say: say}); err != nil {
			t.Fatalf("%s: %v", say, err)
		}
		if waits := say == SayPoints || say == SayRedo; waits != (len(c.m.line.said) == 1) {
			t.Errorf("after %s %d acts wait", say, len(c.m.line.said))
		}
		shown := c.m.Snapshot().Waiting
		if len(shown) != len(c.m.line.said) || len(shown) > 0 && (shown[0].Say != SayPoints || shown[0].Act != "A compensate 2 points" || shown[0].Event.Player != "A") {
			t.Errorf("after %s the snapshot shows as waiting: %s", say, asJSON(shown))
		}
		c.tells(with("doubt")...)
	}
	c.show()
	c.tells(with("doubt", "C roll 13456", "C steal A 11")...)
	c.m.Finish()
}

// keptCheese is a game of Fromage for three that a journal keeps, its table shown once.
func keptCheese(t *testing.T, j *Journal) *cheese {
	t.Helper()
	tab := newFromageTable(3)
	m, err := New(Config{ID: "one", Game: tab.game, Players: []string{"A", "B", "C"}, Zones: tab.zones, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	c := &cheese{T: t, tab: tab, m: m, s: position(m)}
	c.show()
	return c
}

// TestSaidIsExported: what waits for a view is part of an exported match, and of the notation.
func TestSaidIsExported(t *testing.T) {
	j := openTestJournal(t, filepath.Join(t.TempDir(), "journal.db"))
	c := keptCheese(t, j)
	for _, act := range begun {
		c.play(act)
		c.show()
	}
	c.stealsInDoubt()
	if err := c.m.Declare(Declaration{Say: SayPoints}); err != nil {
		t.Fatal(err)
	}
	var file, text bytes.Buffer
	if err := j.Export("one", &file); err != nil {
		t.Fatal(err)
	}
	other, err := openTestJournal(t, filepath.Join(t.TempDir(), "journal.db")).Import(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := essence(other), essence(c.m); got != want || len(other.line.said) != 1 {
		t.Errorf("imported is\n%s\nwant\n%s", got, want)
	}
	if err := other.WriteText(&text); err != nil || !strings.Contains(text.String(), "{waiting to see: points}") {
		t.Errorf("%v; in notation it is\n%s", err, text.String())
	}
	c.m = other
	c.play("A compensate 2 points")
	c.show()
	if got, want := digest(position(other)), digest(c.s); got != want {
		t.Errorf("it goes on as %q", toldActs(other))
	}
}

// TestSaidLate: an act that the last view has told of is said once more, and is no other.
func TestSaidLate(t *testing.T) {
	c := newCheese(t, with("C roll 13456", "C steal A 11")...)
	c.play("A compensate 2 points")
	c.play("C end")
	c.show()
	want := with("C roll 13456", "C steal A 11", "doubt", "A compensate 2 points", "C end")
	c.tells(want...)
	if err := c.m.Declare(Declaration{Say: SayPlay, Move: "A compensate 2 points"}); err != nil {
		t.Fatal(err)
	}
	c.show()
	c.tells(want...)
}

// TestZonesAreKept: a resumed match follows the table by the zones it was begun with.
func TestZonesAreKept(t *testing.T) {
	j := openTestJournal(t, filepath.Join(t.TempDir(), "journal.db"))
	c := keptCheese(t, j)
	var err error
	c.play("A roll 11356")
	c.show()
	if c.m, err = Resume(j, "one", nil); err != nil {
		t.Fatal(err)
	}
	c.play("A keep 11")
	c.show()
	if got := position(c.m); got.Hand(0) != c.s.Hand(0) || digest(got) != digest(c.s) {
		t.Errorf("A holds %v, want %v", got.Hand(0), c.s.Hand(0))
	}
	if _, err := New(Config{Game: c.tab.game, Players: []string{"A", "B", "C", "D"}, Zones: c.tab.zones}); err == nil {
		t.Error("zones for three are accepted for four")
	}
}
