package match

import (
	"errors"
	"testing"

	"diceref/table"
)

func TestHint(t *testing.T) {
	m := tappedMatch(t, table.DiceBox, 2, Config{})
	if _, err := m.Hint(""); err == nil {
		t.Error("a hint before the Seed was rolled")
	}
	if err := m.Declare(Declaration{Say: SayRoll}); err != nil {
		t.Fatal(err)
	}
	list, err := m.Hint("")
	if err != nil || len(list) == 0 || len(list) > mostHints {
		t.Fatalf("%d hints: %v", len(list), err)
	}
	mustAct(t, m, list[0].Move.String())

	m = tappedMatch(t, table.DessertDice, 2, Config{})
	mustAct(t, m, "A place R3 c3")
	if _, err := m.Hint(""); err == nil {
		t.Error("a hint without a card")
	}
	if list, err := m.Hint("J"); err != nil || len(list) == 0 {
		t.Errorf("%v", err)
	}
	if _, err := tappedMatch(t, table.DiceFlick, 2, Config{}).Hint(""); err == nil || errors.Is(err, ErrOver) {
		t.Errorf("DICE Flick: %v", err)
	}
}
