package rules_test

import (
	"strings"
	"testing"

	"diceref/rules"
	"diceref/rules/dicebox"
	"diceref/table"
)

func TestReadScript(t *testing.T) {
	s, err := rules.ReadScript(dicebox.Game, strings.NewReader(`
# a match
players 3
owners A:W,B:R,C:B
option wrap=true
seed 3   # rolled by B

A reroll
`))
	if err != nil {
		t.Fatal(err)
	}
	if s.Setup.Players != 3 || s.Setup.Options["wrap"] != "true" || s.Setup.Owners[2][0] != table.Blue || strings.Join(s.Acts, ";") != "seed 3;A reroll" {
		t.Errorf("read %+v", s)
	}
	if _, err := rules.Replay(dicebox.Game, s.Setup, s.Acts); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"players x":         "line 1: players",
		"option wrap":       "line 1: option",
		"owners B:R":        "line 1: owners",
		"owners A:Q":        "line 1: owners",
		"seed 3\nplayers 2": "line 2: the set-up comes before the first act",
	} {
		if _, err := rules.ReadScript(dicebox.Game, strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestReplayNamesTheAct(t *testing.T) {
	for _, c := range []struct{ acts, want string }{
		{"seed 3; A flies", "act 2: cannot read the act"},
		{"seed 3; A place R2 c3", "act 2 (A place R2 c3): cannot place"},
		{"A place R2 c3", "act 1 (A place R2 c3): the Seed has not been rolled"},
	} {
		if _, err := rules.Replay(dicebox.Game, rules.Setup{Players: 2}, strings.Split(c.acts, "; ")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.acts, err, c.want)
		}
	}
	if _, err := rules.Replay(dicebox.Game, rules.Setup{Players: 5}, nil); err == nil {
		t.Error("five players were accepted")
	}
}

func TestPlayersAndSquares(t *testing.T) {
	for _, s := range []string{"a1", "e5", "c3", "[-1,2]", "[5,0]"} {
		if sq, err := rules.ParseSquare(s); err != nil || sq.String() != s {
			t.Errorf("%s comes back as %s (%v)", s, sq, err)
		}
	}
	for _, s := range []string{"", "a", "a6", "f1", "[1]", "[a,b]", "A1"} {
		if sq, err := rules.ParseSquare(s); err == nil {
			t.Errorf("%q was read as %s", s, sq)
		}
	}
	if p, err := rules.ParsePlayer("C"); err != nil || p != 2 || p.String() != "C" {
		t.Errorf("C is %d (%v)", p, err)
	}
	var seats rules.Seats
	for name, want := range map[rules.Seat]rules.Player{"A": 0, "3": 3, "H": 7} {
		if got := seats.Index(name); got != want {
			t.Errorf("%s is seat %d, want %d", name, got, want)
		}
	}
	if a, b := seats.Index("Ann"), seats.Index("Ben"); a == b || a < 8 || seats.Index("Ann") != a {
		t.Errorf("Ann is seat %d, Ben %d", a, b)
	}
}
