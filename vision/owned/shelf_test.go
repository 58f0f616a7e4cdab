package owned

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// shelfOf is a shelf in front of which the throws of a test lie, one after the other.
func shelfOf(t *testing.T, throws ...[]Top) *Shelf {
	t.Helper()
	s := &Shelf{Folder: filepath.Join(t.TempDir(), "dice")}
	s.Look = func(context.Context, table.Game, []byte) (seen table.Observation, err error) {
		if len(throws) == 0 {
			return seen, nil
		}
		for i := range throws[0] {
			seen.Dice = append(seen.Dice, table.Reading{Top: throws[0][i].Told()})
		}
		throws = throws[1:]
		return seen, nil
	}
	return s
}

// does has a shelf do something that must succeed.
func does(t *testing.T) func(State, error) State {
	return func(s State, err error) State {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

func wantFault(t *testing.T, err error, code string) {
	t.Helper()
	if f := (*Fault)(nil); !errors.As(err, &f) || f.Code != code {
		t.Errorf("%v, want %s", err, code)
	}
}

// TestDelete: a set that is deleted is gone, whether it is being shown, damaged or at rest, and nothing else is.
func TestDelete(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 39))
	first, _ := throw(rng, []symbol{newSymbol(rng)}, 2)
	s := shelfOf(t, first)
	must := does(t)
	for _, name := range []string{"ours", "theirs"} {
		must(s.Begin(t.Context(), name, table.DiceBox))
	}
	open := must(s.Throw(t.Context(), "ours", nil))
	if err := os.WriteFile(filepath.Join(s.Folder, "damaged.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ours", "theirs", "damaged"} {
		if err := s.Delete(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list := s.Names(); len(list) != 0 {
		t.Errorf("there are still %v", list)
	}
	_, err := s.Change(t.Context(), "ours", Change{Session: open.Session, Do: "name", Group: "A", Shows: "1"})
	wantFault(t, err, FaultGone)
	wantFault(t, s.Delete("ours"), FaultGone)
	wantFault(t, s.Delete("../ours"), FaultName)
}

// TestShelf shows a set in two throws, names it, and finds it again on the disk.
func TestShelf(t *testing.T) {
	ctx, rng := t.Context(), rand.New(rand.NewPCG(1, 39))
	symbols := []symbol{newSymbol(rng), newSymbol(rng), newSymbol(rng)}
	first, _ := throw(rng, symbols[:2], 8)
	second, _ := throw(rng, symbols, 9)
	s := shelfOf(t, first, second)
	must := does(t)
	must(s.Begin(ctx, "ours", table.DessertDice))
	if list := s.List(); len(list) != 0 {
		t.Errorf("before anything was shown there is %v", list)
	}
	now := must(s.Throw(ctx, "ours", nil))
	if len(now.Groups) != 2 || now.Tops != 8 || !now.Groups[0].Fresh {
		t.Fatalf("the first throw: %+v", now)
	}
	now = must(s.Change(ctx, "ours", Change{Session: now.Session, Do: "name", Group: "A", Shows: "3 popsicle"}))
	now = must(s.Change(ctx, "ours", Change{Session: now.Session, Do: "name", Group: "B", Shows: "jello+ice"}))
	if a, b := now.Groups[0], now.Groups[1]; a.Name != "popsicle" || a.Face != 3 || b.Name != "ice cream+jello tart" {
		t.Errorf("named %+v and %+v", a, b)
	}
	if want := []Name{"sweet roll"}; !cmp.Equal(now.Missing, want) {
		t.Errorf("missing %v, want %v", now.Missing, want)
	}
	now = must(s.Throw(ctx, "ours", nil))
	if len(now.Groups) != 3 || now.Groups[0].Fresh || !now.Groups[2].Fresh || now.Groups[2].Name != "" {
		t.Fatalf("the second throw: %+v", now.Groups)
	}
	_, err := s.Throw(ctx, "ours", nil)
	wantFault(t, err, FaultNone)

	again := &Shelf{Folder: s.Folder}
	list := again.List()
	if len(list) != 1 || list[0].Name != "ours" || list[0].Unnamed != 1 || list[0].Pictures != 17 {
		t.Errorf("the shelf has %+v", list)
	}
	reopened := must(again.Begin(ctx, "ours", table.DessertDice))
	if reopened.Session == now.Session || len(reopened.Groups) != 3 {
		t.Errorf("opened again: %+v", reopened)
	}
	if png, err := again.Picture(ctx, "ours", now.Groups[2].Pictures[0]); err != nil || !bytes.HasPrefix(png, []byte("\x89PNG")) {
		t.Errorf("a picture: %v", err)
	}
	_, err = again.Begin(ctx, "ours", table.DiceBox)
	wantFault(t, err, FaultGame)
	_, err = again.Change(ctx, "ours", Change{Session: now.Session, Do: "drop", Group: "A"})
	wantFault(t, err, FaultStale)
}

// TestShelfChanges splits by pictures and puts together again; what is refused changes nothing.
func TestShelfChanges(t *testing.T) {
	ctx, rng := t.Context(), rand.New(rand.NewPCG(2, 39))
	tops, _ := throw(rng, []symbol{newSymbol(rng)}, 6)
	s, must := shelfOf(t, tops), does(t)
	must(s.Begin(ctx, "mine", table.DiceFlick))
	now := must(s.Throw(ctx, "mine", nil))
	say := func(c Change) (State, error) {
		c.Session = now.Session
		return s.Change(ctx, "mine", c)
	}
	two := now.Groups[0].Pictures[:2]
	now = must(say(Change{Do: "name", Group: "A", Shows: "burst", Pictures: two}))
	if len(now.Groups) != 2 || now.Groups[0].Name != "" || now.Groups[1].Name != Burst || !cmp.Equal(now.Groups[1].Pictures, two) {
		t.Fatalf("%+v", now.Groups)
	}
	for _, c := range []struct {
		Change
		code string
	}{
		{Change{Do: "name", Group: "A", Shows: "7"}, FaultFace},
		{Change{Do: "name", Group: "A", Shows: "<b>"}, FaultFace},
		{Change{Do: "name", Group: "A", Shows: "5", Pictures: now.Groups[0].Pictures}, FaultGroups},
		{Change{Do: "name", Group: "A", Shows: "9", Pictures: now.Groups[0].Pictures[:1]}, FaultFace},
		{Change{Do: "split", Group: "A"}, FaultGroups},
		{Change{Do: "merge", Group: "A", Others: []string{"A"}}, FaultGroups},
		{Change{Do: "merge", Group: "A", Others: []string{"B", "Z"}}, FaultGroups},
		{Change{Do: "drop", Group: "Q"}, FaultStale},
		{Change{Do: "eat", Group: "A"}, FaultGroups},
	} {
		_, err := say(c.Change)
		wantFault(t, err, c.code)
		if got := must(s.State(ctx, "mine")); !cmp.Equal(got, now) {
			t.Fatalf("%+v was refused, and changed the set: %s", c, cmp.Diff(now, got))
		}
	}
	now = must(say(Change{Do: "merge", Group: "B", Others: []string{"A"}}))
	if len(now.Groups) != 1 || now.Groups[0].Name != Burst || len(now.Groups[0].Pictures) != 6 {
		t.Errorf("merged: %+v", now.Groups)
	}
}

// TestShelfKeepsToItsFolder: no name leads out of the folder, and a file that is no set takes no place.
func TestShelfKeepsToItsFolder(t *testing.T) {
	s := shelfOf(t)
	for _, name := range []string{"", ".", "..", "../x", `..\x`, "a/b", "/etc/passwd", "a\x00b", "a\nb", ".hidden", "x.json", " x", "x ", "C:x", strings.Repeat("x", 61)} {
		_, err := s.Begin(t.Context(), name, table.Any)
		wantFault(t, err, FaultName)
		wantFault(t, s.Export(name, new(bytes.Buffer)), FaultName)
	}
	wantFault(t, s.Import("new", strings.NewReader(`{"dice_set":99}`)), FaultFile)
	wantFault(t, s.Import("new", strings.NewReader("{")), FaultFile)
	wantFault(t, s.Export("new", new(bytes.Buffer)), FaultGone)
	if _, err := os.Stat(s.Folder); err == nil {
		t.Error("something was saved")
	}
}

// TestShelfShares: what one shelf exports another takes in, once.
func TestShelfShares(t *testing.T) {
	rng, must := rand.New(rand.NewPCG(3, 39)), does(t)
	tops, _ := throw(rng, []symbol{newSymbol(rng)}, 3)
	s, other := shelfOf(t, tops), shelfOf(t)
	must(s.Begin(t.Context(), "mine", table.Any))
	must(s.Throw(t.Context(), "mine", nil))
	var file bytes.Buffer
	if err := s.Export("mine", &file); err != nil {
		t.Fatal(err)
	}
	text := file.String()
	if err := other.Import("Größe 2", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	wantFault(t, other.Import("Größe 2", strings.NewReader(text)), FaultThere)
	if got := must(other.State(t.Context(), "Größe 2")); len(got.Groups) != 1 || len(got.Groups[0].Pictures) != 3 {
		t.Errorf("%+v", got)
	}
}
