package owned

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"diceref/table"
)

// TestNameOf: a face is called as its owner has called it, and by its number only among dice that have numbers.
func TestNameOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	set := func(game table.Game, groups ...Group) *Set {
		s := NewSet(game, "")
		for _, g := range groups {
			g.Tops = []Top{newSymbol(rng).top(rng, 0)}
			s.Groups = append(s.Groups, g)
		}
		return s
	}
	numbers := set(table.DiceBox, Group{Name: "1"}, Group{Name: "2"}, Group{Name: NoDie})
	icons := set(table.DessertDice, Group{Name: "popsicle", Face: 3}, Group{Name: "ice cream"})
	twice := set(table.DessertDice, Group{Name: "popsicle", Face: 3}, Group{Name: "ice cream", Face: 3})
	skull := set(table.Any, Group{Name: "skull", Face: 1}, Group{Name: "2"}, Group{Name: Burst})
	for _, test := range []struct {
		set  *Set
		face int
		want Name // empty: none
	}{
		{numbers, 2, "2"},
		{numbers, 5, "5"},
		{numbers, 7, ""},
		{numbers, -1, ""},
		{icons, 3, "popsicle"},
		{icons, 1, "ice cream"},
		{icons, 5, ""},
		{twice, 3, ""},
		{skull, 1, "skull"},
		{skull, 2, "2"},
		{skull, 0, Burst},
		{skull, 6, ""},
	} {
		if got, ok := test.set.NameOf(test.face); got != test.want || ok != (test.want != "") {
			t.Errorf("face %d of %v: %q, %v; want %q", test.face, test.set.Groups, got, ok, test.want)
		}
	}
}

// TestTeach: a corrected die is read from then on by what it shows; what a group of another name would do to the others' faces is
// refused, and nothing is changed.
func TestTeach(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	known, odd := newSymbol(rng), newSymbol(rng)
	s := NewSet(table.DiceBox, "")
	for range 3 {
		if err := s.Teach("1", known.top(rng, little)); err != nil {
			t.Fatal(err)
		}
	}
	top := odd.top(rng, little)
	if m := NewIndex(s).Match(&top.Signature[0], 0); m.Known() {
		t.Fatalf("what was never shown is read as %v", m)
	}
	if err := s.Teach("1", odd.top(rng, little)); err != nil {
		t.Fatal(err)
	}
	if m := NewIndex(s).Match(&top.Signature[0], 0); m.Name != "1" {
		t.Errorf("once it was put right it is read as %v", m)
	}
	icons := NewSet(table.DessertDice, "")
	if err := icons.Teach("popsicle", known.top(rng, little)); err != nil {
		t.Fatal(err)
	}
	if err := icons.Teach("1", odd.top(rng, little)); err == nil || len(icons.Groups) != 1 {
		t.Errorf("the first face, on which icons are, is taken from them: %d groups, %v", len(icons.Groups), err)
	}
}

// TestTaughtWithinBounds: however much is put right, a set stays as small as a phone takes, every name keeps a picture, and what was shown
// is still read.
func TestTaughtWithinBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	s := NewSet(table.Any, "")
	symbols := make([]symbol, mostGroups)
	for i := range symbols {
		symbols[i] = newSymbol(rng)
		for range 6 {
			if err := s.Teach(Name(fmt.Sprintf("symbol %d", i)), symbols[i].top(rng, little)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for n := range 400 {
		i := n % mostGroups
		top := symbols[i].top(rng, little)
		top.Lesson = fmt.Sprintf("match:%d", n)
		if err := s.Teach(Name(fmt.Sprintf("symbol %d", i)), top); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Teach("one more", symbols[0].top(rng, little)); err == nil {
		t.Error("there are more groups than there may be")
	}
	text, err := json.Marshal(s)
	if err != nil || s.Check() != nil || s.Pictures() > mostAll || len(text) > mostFile {
		t.Errorf("%d pictures in %d bytes, %v, %v", s.Pictures(), len(text), err, s.Check())
	}
	x := NewIndex(s)
	for i := range symbols {
		top := symbols[i].top(rng, little)
		if m := x.Match(&top.Signature[0], 0); m.Name != Name(fmt.Sprintf("symbol %d", i)) {
			t.Errorf("symbol %d is read as %v", i, m)
		}
	}
}

// TestForget: what an undone correction had taught is taken out, a group that had nothing else goes with it, and whoever shows the set
// meanwhile goes on by the same letters.
func TestForget(t *testing.T) {
	ctx, rng := t.Context(), rand.New(rand.NewPCG(4, 5))
	symbols := []symbol{newSymbol(rng), newSymbol(rng)}
	first, _ := throw(rng, symbols[:1], 4)
	s := shelfOf(t, first)
	must := does(t)
	must(s.Begin(ctx, "ours", table.DiceBox))
	open := must(s.Throw(ctx, "ours", nil))
	open = must(s.Change(ctx, "ours", Change{Session: open.Session, Do: "name", Group: "A", Shows: "1"}))
	taught := func(name Name, symbol symbol, lesson string) *Set {
		t.Helper()
		top := symbol.top(rng, little)
		set, err := s.Teach(ctx, "ours", Lesson{ID: lesson, Name: name, Top: &top})
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	taught("1", symbols[0], "m:1")
	set := taught("2", symbols[1], "m:2")
	if onDisk, err := s.Load("ours"); err != nil || onDisk.Pictures() != 6 || set.Pictures() != 6 || len(onDisk.Groups) != 2 {
		t.Fatalf("%d pictures on the disk, %v", onDisk.Pictures(), err)
	}
	if set, err := s.Forget(ctx, "ours", func(id string) bool { return id == "other:1" }); set != nil || err != nil {
		t.Errorf("nothing is forgotten, and the set has changed: %v", err)
	}
	set, err := s.Forget(ctx, "ours", func(string) bool { return true })
	if err != nil || set.Pictures() != 4 || len(set.Groups) != 1 {
		t.Errorf("%v, %v", set, err)
	}
	if now := must(s.Change(ctx, "ours", Change{Session: open.Session, Do: "name", Group: "A", Shows: "3"})); len(now.Groups) != 1 || now.Groups[0].Name != "3" {
		t.Errorf("whoever shows the set sees %+v", now.Groups)
	}
	if _, err := s.Teach(ctx, "nobody's", Lesson{Name: "1", Top: &first[0]}); err == nil {
		t.Error("a set that is not there learns")
	}
}

// TestColorsTaught: what corrections say of colors is in the set's file, within bounds, and goes with what is undone; a look of no color is refused.
func TestColorsTaught(t *testing.T) {
	ctx, rng := t.Context(), rand.New(rand.NewPCG(7, 5))
	first, _ := throw(rng, []symbol{newSymbol(rng)}, 2)
	s := shelfOf(t, first)
	must := does(t)
	must(s.Begin(ctx, "ours", table.DiceBox))
	must(s.Throw(ctx, "ours", nil))
	for i := range mostColors + 5 {
		l := Lesson{ID: fmt.Sprintf("m:%d", i), Color: table.Lesson{Look: table.Look3{float64(i) / 7, -0.25, 1e-9}, Color: table.Yellow}}
		if _, err := s.Teach(ctx, "ours", l); err != nil {
			t.Fatal(err)
		}
	}
	set, err := s.Load("ours")
	if err != nil || len(set.Colors) != mostColors || set.ColorLessons()[0] != (table.Lesson{Look: table.Look3{5.0 / 7, -0.25, 1e-9}, Color: table.Yellow}) {
		t.Fatalf("%d colors, %v", len(set.Colors), err)
	}
	if ids := set.Lessons(); len(ids) != mostColors || ids[0] != "m:5" {
		t.Errorf("lessons %v", ids)
	}
	if set, err = s.Forget(ctx, "ours", func(id string) bool { return id != "m:9" }); err != nil || len(set.Colors) != 1 || set.Pictures() != 2 {
		t.Errorf("%+v, %v", set, err)
	}
	set.Colors = []ColorLook{{}}
	if set.Check() == nil {
		t.Error("a look of no color is accepted")
	}
}
