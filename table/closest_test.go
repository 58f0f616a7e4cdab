package table

import (
	"strings"
	"testing"
)

func TestClosest(t *testing.T) {
	games := []string{"dessert-dice", "dice-box", "fromage-a-trois", "dicecreams", "dice-flick", "any"}
	tests := []struct{ given, want string }{
		{"dicebox", "dice-box"},
		{"Dice Box", "dice-box"},
		{"DICE_FLICK", "dice-flick"},
		{"dice-flikc", "dice-flick"},
		{"dice-creams", "dicecreams"},
		{"fromage", "fromage-a-trois"},
		{"dessert", "dessert-dice"},
		{"dice", ""}, // a part of several
		{"chess", ""},
		{"ann", "any"},
		{"a", ""},
		{"", ""},
		{strings.Repeat("x", 100), ""},
	}
	for _, test := range tests {
		if got := Closest(test.given, games); got != test.want {
			t.Errorf("%q is taken for %q, want %q", test.given, got, test.want)
		}
	}
}

func TestUnknown(t *testing.T) {
	names := []string{"wrap", "tie"}
	for given, want := range map[string]string{
		"wrpa":    `unknown rule "wrpa" (did you mean wrap?)`,
		"gravity": `unknown rule "gravity" (expected one of wrap, tie)`,
	} {
		if got := Unknown("rule", given, names).Error(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
