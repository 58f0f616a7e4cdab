package main

import (
	"encoding/json"
	"slices"
	"testing"

	"diceref/scoring"
	"diceref/table"
	"diceref/vision/owned"
)

// TestOwnedLine: what a die shows by its owner's words is in its line, and what was never shown has no face.
func TestOwnedLine(t *testing.T) {
	for _, test := range []struct {
		die  table.Reading
		want string
	}{
		{table.Reading{Die: table.Die{Color: table.Red, Face: 3}}, `"face":3,"row":null,"col":null,"x":0,"y":0,"confidence":0,"sure":false}`},
		{table.Reading{Die: table.Die{Color: table.Red, Face: 3}, Name: "popsicle"}, `"face":3,"row":null,"col":null,"x":0,"y":0,"confidence":0,"sure":false,"shows":"popsicle","known":true}`},
		{table.Reading{Die: table.Die{Color: table.Red, Face: 1}, Unknown: true}, `"face":null,"row":null,"col":null,"x":0,"y":0,"confidence":0,"sure":false,"shows":"","known":false}`},
	} {
		got, err := json.Marshal(newDieLine(test.die))
		if want := `{"color":"red",` + test.want; err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

// TestIconProfile: the icons of a set count in Dessert Dice as they were named, on the faces that they are on.
func TestIconProfile(t *testing.T) {
	set := owned.NewSet(table.DessertDice, "")
	set.Groups = []owned.Group{{Name: "jello tart+popsicle", Face: 4}, {Name: "ice cream"}, {Name: owned.NoDie}}
	text, err := iconProfile(set)
	if err != nil {
		t.Fatal(err)
	}
	profile, err := scoring.ParseProfile(text)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := profile[table.Green], ([7]scoring.Icons{4: scoring.JelloTart | scoring.Popsicle, 1: scoring.IceCream}); got != want {
		t.Errorf("a green die has the icons %v, want %v", got, want)
	}
	set.Groups = []owned.Group{{Name: "3"}}
	if text, err := iconProfile(set); err != nil || text != "" {
		t.Errorf("dice with numbers have the icons %q, %v", text, err)
	}
}

// TestViews: of each view in which nothing moves one throw is taken, once the dice lie.
func TestViews(t *testing.T) {
	frame := func(n int, look table.Look, read bool) *table.Observation {
		return &table.Observation{Frame: n, Look: look, Read: read}
	}
	var v view
	var taken []int
	for _, o := range []*table.Observation{
		frame(0, table.LookStill, true), frame(1, table.LookStill, false), frame(2, table.LookStill, true), frame(3, table.LookStill, true),
		frame(4, table.LookMoving, false), frame(5, table.LookHand, false), // nothing is left to take
		frame(6, table.LookStill, true), frame(7, table.LookMoving, false), // looked at once
		{Frame: 8, Posed: true, Look: table.LookStill, Read: true},
		frame(9, table.LookStill, true),
	} {
		if seen := v.next(o); seen != nil {
			taken = append(taken, seen.Frame)
		}
	}
	if seen := v.end(); seen != nil {
		taken = append(taken, seen.Frame)
	}
	if want := []int{2, 6, 8, 9}; !slices.Equal(taken, want) {
		t.Errorf("the throws are those of the frames %v, want %v", taken, want)
	}
}
