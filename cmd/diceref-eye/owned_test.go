package main

import (
	"os"
	"path/filepath"
	"testing"

	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/owned"
)

// TestOwnedDice shows an eye a picture, names what it shows, and has an eye read the same picture by that, as a still and as the view of
// a source: whatever is told of a die is what was said of it. Without the set, nothing of it is told.
func TestOwnedDice(t *testing.T) {
	picture, err := os.ReadFile(firstPicture(t))
	if err != nil {
		t.Fatal(err)
	}
	r := eye.NewReader(eyePath(t))
	defer r.Close()
	shown, err := r.ReadTops(t.Context(), table.DessertDice, picture)
	if err != nil || len(shown.Dice) == 0 {
		t.Fatal(len(shown.Dice), err)
	}
	set := owned.NewSet(table.DessertDice, "")
	for _, d := range shown.Dice {
		if d.Top == nil {
			t.Fatal("a die is shown without its top")
		}
		top, err := owned.TopOf(d.Top)
		if err != nil {
			t.Fatal(err)
		}
		set.Groups = append(set.Groups, owned.Group{Name: "popsicle", Tops: []owned.Top{top}})
	}
	set, err = r.Signed(t.Context(), set)
	if err != nil || set.Model == "" {
		t.Fatal(set, err)
	}
	check := func(how string, o table.Observation) {
		known := 0
		for _, d := range o.Dice {
			if d.Name != "" && d.Name != "popsicle" {
				t.Errorf("%s: a die is told as %q", how, d.Name)
			}
			if d.Name != "" {
				known++
			}
		}
		if known < len(shown.Dice)-1 {
			t.Errorf("%s: %d of %d dice are known", how, known, len(shown.Dice))
		}
	}
	r.Own(set)
	seen, err := r.Read(t.Context(), table.DessertDice, picture)
	if err != nil {
		t.Fatal(err)
	}
	check("a still", seen)
	r.Own(nil)
	if seen, err = r.Read(t.Context(), table.DessertDice, picture); err != nil || len(seen.Dice) == 0 || seen.Dice[0].Name != "" || seen.Dice[0].Unknown {
		t.Errorf("without the set: %+v, %v", seen.Dice, err)
	}
	if _, err := r.Signed(t.Context(), &owned.Set{}); err == nil {
		t.Error("what is no set is signed")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "1.jpg"), picture, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := eye.Start(t.Context(), eye.Config{Path: eyePath(t), Game: table.DessertDice, Source: dir, Dice: set, Tops: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	views := 0
	for m := range c.Frames() {
		if o := m.Observation; o != nil {
			check("a source", *o)
			if views++; o.Dice[0].Top == nil {
				t.Error("the tops of a source are not shown")
			}
		}
	}
	if views != 1 {
		t.Errorf("%d views were told, want 1", views)
	}
}
