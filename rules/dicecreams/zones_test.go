package dicecreams

import (
	"testing"

	"diceref/rules"
	"diceref/table"
)

// TestGuessed: what a die showed is a guess if it was not seen when it was drawn, nor where it was taken to.
func TestGuessed(t *testing.T) {
	die := table.Die{Color: table.Black, Face: 1}
	find := Move{Seat: rules.Nature, Kind: Find, Die: die}
	take := Move{Kind: Take, Die: die, Card: "mint-1"}
	away := Move{Kind: Away, Card: take.Card}
	discard := Move{Kind: Discard, Die: die}
	for _, c := range []struct {
		what string
		line []rules.Move
		want rules.Guess
	}{
		{"it was seen before", []rules.Move{take, away}, rules.NoGuess},
		{"it is seen where it was placed", []rules.Move{find, take}, rules.NoGuess},
		{"nobody has seen it", []rules.Move{find, take, away}, rules.GuessedDie},
		{"nobody has seen it, and it was set aside", []rules.Move{find, discard}, rules.GuessedDie},
	} {
		got, of := (&State{}).Guessed(c.line)
		if got != c.want || got == rules.GuessedDie && of != die {
			t.Errorf("%s: guessed is %v, of %v", c.what, got, of)
		}
	}
}

// TestToldByActs: who takes a die that was drawn and not seen has seen it, and what melts tells its color.
func TestToldByActs(t *testing.T) {
	start, err := Game.New(rules.Setup{Players: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := start.(*State).clone()
	s.todo, s.phase, s.unseen = nil, drafting, []table.Die{{}}
	s.pouch[0] = 0 // no green one is left
	for _, c := range []struct {
		die table.Die
		ok  bool
	}{{table.Die{Color: table.Blue, Face: 4}, true}, {table.Die{Color: table.Green, Face: 4}, false}} {
		mv := Move{Seat: rules.Player(s.drafter), Kind: Discard, Die: c.die}
		if err := s.Check(mv); (err == nil) != c.ok {
			t.Errorf("%v is discarded: %v", c.die, err)
		}
		next, err := s.Apply(mv)
		if (err == nil) != c.ok {
			t.Fatalf("%v is discarded: %v", c.die, err)
		}
		if c.ok && next.(*State).Unseen() != 0 {
			t.Errorf("%v is discarded, and a die is not seen still", c.die)
		}
	}
	s.fridge, s.phase = []table.Die{{Color: table.Blue, Face: 1}}, melting
	s.creams[0].place, s.creams[0].dice[0] = started, table.Die{Color: table.Yellow, Face: 5}
	known, ok := s.knowing(table.Die{Color: table.Yellow})
	if !ok {
		t.Fatal("it cannot be yellow")
	}
	plain, yellow := s.melt(), known.melt()
	if meltText(plain) == meltText(yellow) {
		t.Fatal("its color does not tell")
	}
	for _, lines := range [][]meltLine{plain, yellow} {
		if err := s.Check(Move{Seat: rules.Player(s.lead), Kind: Melt, List: meltText(lines)}); err != nil {
			t.Errorf("%s: %v", meltText(lines), err)
		}
	}
}
