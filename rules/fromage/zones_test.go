package fromage

import (
	"slices"
	"testing"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// spreadOf is a view of these dice, all of them surely read.
func spreadOf(in map[rules.Zone]string) *rules.Spread {
	s := &rules.Spread{In: map[rules.Zone][]table.Reading{}}
	for at, dice := range in {
		for _, d := range dice {
			s.In[at] = append(s.In[at], table.Reading{Die: table.Die{Color: table.White, Face: int(d - '0')}, Sure: true})
			s.Total++
		}
	}
	return s
}

// TestRollOverLost: dice that were rolled and kept in one view are counted where one that lay there is not seen any more.
func TestRollOverLost(t *testing.T) {
	now, err := Game.New(rules.Setup{Players: 3})
	if err != nil {
		t.Fatal(err)
	}
	if now, err = now.Apply(Stands{Hands: [maxSeats]scoring.Faces{{1: 2}}}); err != nil {
		t.Fatal(err)
	}
	seen := spreadOf(map[rules.Zone]string{cartZone: "456", rules.Place(0): "114", shopZone: "123456123456123456"})
	roll := Move{Kind: Roll, Dice: scoring.Faces{1: 1, 4: 2, 5: 1, 6: 1}}
	if list := now.(*State).May(seen); !slices.ContainsFunc(list, func(l rules.Likely) bool { return l.Move == rules.Move(roll) }) {
		t.Errorf("%v is not one of %v", roll, list)
	}
}

// TestGuessed: a roll that no view has shown is known by the dice that were kept, and more may have been rolled.
func TestGuessed(t *testing.T) {
	now, err := Game.New(rules.Setup{Players: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line []string
		want rules.Guess
	}{
		{[]string{"A roll 11356"}, rules.NoGuess},
		{[]string{"A roll 11356", "A keep 11"}, rules.NoGuess},
		{[]string{"A roll 11356", "A keep 11", "A end"}, rules.GuessedTurn},
		{[]string{"A roll 11356", "A keep 11", "A end", "B roll 22346"}, rules.GuessedTurn},
		{[]string{"A roll 11"}, rules.NoGuess},
	} {
		at, line := now, []rules.Move{}
		for _, text := range c.line {
			mv, err := Game.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			if at, err = at.Apply(mv); err != nil {
				t.Fatal(err)
			}
			line = append(line, mv)
		}
		if got, _ := at.(*State).Guessed(line); got != c.want {
			t.Errorf("%v: %d, want %d", c.line, got, c.want)
		}
	}
}
