package match

import (
	"strings"
	"testing"

	"diceref/rules/diceflick"
	"diceref/table"
)

// TestSayBonus: that a die landed on the bonus marker, players may say before anybody knows where that is. It is
// known from then on, the third flick is no doubt, and all of it outlives a restart and can be undone.
func TestSayBonus(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	act := func(move string) {
		t.Helper()
		declare(t, m, Declaration{Say: SayAct, Move: move})
	}
	flicks := func(must, may int, bonus string) {
		t.Helper()
		s := m.line.now().(*diceflick.State)
		if gotMust, gotMay := s.FlicksLeft(); gotMust != must || gotMay != may {
			t.Errorf("%d flicks must and %d may still be made, want %d and %d", gotMust, gotMay, must, may)
		}
		known := s.Arena().Markers.Bonus.Squares()
		if bonus == "" && len(known) > 0 || bonus != "" && (len(known) != 1 || known[0].String() != bonus) {
			t.Errorf("the bonus marker is in %v, want %q", known, bonus)
		}
	}
	refused := func(why string) {
		t.Helper()
		if err := m.Declare(Declaration{Say: SayBonus}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("a bonus was said: %v, want %q", err, why)
		}
	}
	refused("no die that was flicked last")
	act("A flick W4 b3")
	act("A flick B2 d2")
	act("markers center=c3") // was seen only now
	flicks(0, 0, "")
	declare(t, m, Declaration{Say: SayBonus})
	flicks(0, 1, "d2")
	declare(t, m, Declaration{Say: SayBonus}) // said twice
	flicks(0, 1, "d2")
	declare(t, m, Declaration{Say: SayUndo})
	flicks(0, 0, "")
	declare(t, m, Declaration{Say: SayRedo})
	flicks(0, 1, "d2")
	act("A flick Y5 e5")
	flicks(0, 0, "d2")
	for _, e := range m.Events() {
		if e.Type == TypeDoubt || e.Code != "" {
			t.Errorf("told: %s", e.Text)
		}
	}
	m = resumed(t, m)
	flicks(0, 0, "d2")
	declare(t, m, Declaration{Say: SayNext})
	refused("the bonus sticker, which is in hole d2")
	act("B flick G1 a1")
	refused("the bonus sticker, which is in hole d2")
}

// TestBonusElsewhere: a die that lies on another marker is on no bonus marker, and one that missed is on none.
func TestBonusElsewhere(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	for _, c := range []struct{ move, why string }{
		{"markers center=c3", "no die that was flicked last"},
		{"A flick W4 c3", "another sticker is in hole c3"},
		{"A miss B", "no die that was flicked last"},
	} {
		declare(t, m, Declaration{Say: SayAct, Move: c.move})
		if err := m.Declare(Declaration{Say: SayBonus}); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("after %s a bonus was said: %v, want %q", c.move, err, c.why)
		}
	}
}
