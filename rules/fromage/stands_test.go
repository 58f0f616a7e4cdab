package fromage

import (
	"testing"

	"diceref/rules"
	"diceref/scoring"
)

// TestStands: a table may be taken as it lies, with what is known of it, if the game's dice make it.
func TestStands(t *testing.T) {
	for _, c := range []struct {
		text           string
		shop           int
		turn           rules.Player
		rolled, acted  bool
		points, refuse bool
	}{
		{text: "stands - A:11 next=B", shop: 23, turn: 1},
		{text: "stands 245 A:11 C:3 next=C", shop: 19, turn: 2, rolled: true},
		{text: "stands 245 A:11 B:-+2 next=A acted", shop: 20, rolled: true, acted: true, points: true},
		{text: "stands 245 A:1111111111111111111111111 next=A", refuse: true},
		{text: "stands 245 D:1 next=A", refuse: true},
		{text: "stands 245 A:1 next=D", refuse: true},
		{text: "stands 245 A:1", refuse: true},
		{text: "stands 245 E:1 next=A", refuse: true},
		{text: "stands 247 next=A", refuse: true},
		{text: "stands 24 A:11+x next=A", refuse: true},
		{text: "stands 24 F:11 next=A", refuse: true},
	} {
		mv, err := Game.ParseMove(c.text)
		s := newState(t, 3, nil)
		s.owed[1], s.stole, s.score[1].sets = debt{dice: 2, points: 2}, true, 3
		if err == nil {
			err = s.Check(mv)
		}
		if (err != nil) != c.refuse {
			t.Errorf("%s: %v, refused %v", c.text, err, c.refuse)
		}
		if c.refuse {
			continue
		}
		if got := mv.String(); got != c.text {
			t.Errorf("%s is written %s", c.text, got)
		}
		next, err := s.Apply(mv)
		if err != nil {
			t.Fatal(err)
		}
		n := next.(*State)
		if n.Shop() != c.shop || n.Turn() != c.turn || n.ToMove() != c.turn || n.Rolled() != c.rolled || n.Acted() != c.acted {
			t.Errorf("%s: shop %d, turn %v, to move %v, rolled %v, acted %v", c.text, n.Shop(), n.Turn(), n.ToMove(), n.Rolled(), n.Acted())
		}
		want := 3
		if c.points {
			want += 2
		}
		if got := n.Score()[1].Total; got != want {
			t.Errorf("%s: B has %d points, want %d", c.text, got, want)
		}
		if n.Hand(0) != (scoring.Faces{1: 2}) {
			t.Errorf("%s: A holds %v", c.text, n.Hand(0))
		}
	}
	over := newState(t, 3, nil)
	over.over = true
	if over.Check(Stands{}) == nil {
		t.Error("a game that is over goes on")
	}
}
