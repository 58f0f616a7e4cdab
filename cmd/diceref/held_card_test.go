//go:build linux

package main

import (
	"image"
	"image/color"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"diceref/table"
	"diceref/vision/owned"
)

// held is a picture of a table before which a card is held, by somebody who does not hold it exactly; a nil symbol: none.
func held(t *testing.T, over []byte, symbol ink, rng *rand.Rand) []byte {
	t.Helper()
	img := pictureOf(t, over)
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	frame := owned.CardFrame * h / 2
	some := func(most float64) float64 { return most * (2*rng.Float64() - 1) }
	x0, y0, size, turn, lean, light := w/2+some(0.12*frame), h/2+some(0.12*frame), frame*(1+some(0.15)), some(0.2), some(0.12), 0.85+some(0.15)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			const fine = 2
			var share, inked float64
			for n := range fine * fine {
				dx, dy := (float64(x)+float64(n%fine)/fine-x0)/size, (float64(y)+float64(n/fine)/fine-y0)/size
				u, v := dx*math.Cos(turn)+dy*math.Sin(turn), dy*math.Cos(turn)-dx*math.Sin(turn)
				u, v = u/(1+lean*v), v/(1+lean*v)
				if symbol == nil || math.Abs(u) > 1.25 || math.Abs(v) > 1.8 {
					continue
				}
				if share++; symbol(u/0.7, v/0.7) {
					inked++
				}
			}
			if share == 0 {
				continue
			}
			share, inked = share/(fine*fine), inked/share
			was := img.RGBAAt(x, y)
			mix := func(old uint8, paper, ink float64) uint8 {
				value := light*(paper*(1-inked)+ink*inked) + some(6)
				return uint8(min(max(float64(old)*(1-share)+value*share, 0), 255))
			}
			img.SetRGBA(x, y, color.RGBA{mix(was.R, 240, 150), mix(was.G, 236, 40), mix(was.B, 226, 60), 255})
		}
	}
	return jpegOf(t, image.Image(img))
}

// TestHeldCards shows four secret cards once, each held into the frame. Held up again, over another table and otherwise, they are known or not
// known, but never taken for another one; neither are other cards, nor the table.
func TestHeldCards(t *testing.T) {
	t.Parallel()
	tables := make([][]byte, 2)
	for i, name := range []string{"dessert-dice100.jpg", "dessert-dice103.jpg"} {
		var err error
		if tables[i], err = os.ReadFile(filepath.Join(root, "vision", "testdata", "easy", name)); err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(39, 0))
	h := newTable(t, t.TempDir(), builtEye(t))
	shelf := h.shelf()
	state, err := shelf.Begin(t.Context(), "ours", table.DessertDice)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(desserts)) {
		symbol := desserts[name]
		if state, err = shelf.ShowCard(t.Context(), "ours", state.Session, name, held(t, tables[0], symbol, rng)); err != nil {
			t.Fatal(err)
		}
	}
	set, err := shelf.Load("ours")
	if err != nil {
		t.Fatal(err)
	}
	read := func(symbol ink) owned.Name {
		t.Helper()
		name, err := set.ReadCard(t.Context(), h.sign, held(t, tables[1], symbol, rng))
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	right, all := 0, 0
	for _, name := range slices.Sorted(maps.Keys(desserts)) {
		symbol := desserts[name]
		for range 4 {
			all++
			switch got := read(symbol); got {
			case owned.Name(name):
				right++
			case "":
			default:
				t.Errorf("%s is taken for %s", name, got)
			}
		}
	}
	t.Logf("%d of %d are known", right, all)
	if right < 3*all/4 { // each is looked at again and again while it is held
		t.Errorf("%d of %d cards that were shown are known", right, all)
	}
	strange := map[string]ink{
		"the table": nil,
		"a blank":   func(x, y float64) bool { return false },
		"a cross": func(x, y float64) bool {
			return min(math.Abs(x), math.Abs(y)) < 0.25 && max(math.Abs(x), math.Abs(y)) < 0.9
		},
		"a star": func(x, y float64) bool { return math.Hypot(x, y) < 0.55+0.35*math.Cos(5*math.Atan2(y, x)) },
		"a ring": func(x, y float64) bool { r := math.Hypot(x, y); return r > 0.55 && r < 0.9 },
		"an arrow": func(x, y float64) bool {
			return y > -0.9 && y < 0 && math.Abs(x) < 0.9+y || y >= 0 && y < 0.9 && math.Abs(x) < 0.3
		},
	}
	for _, what := range slices.Sorted(maps.Keys(strange)) {
		for range 3 {
			if got := read(strange[what]); got != "" {
				t.Errorf("%s is taken for %s", what, got)
			}
		}
	}
}
