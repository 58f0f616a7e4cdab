package vision

import (
	"encoding/json"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/geometry"
	"diceref/vision/owned"
	"diceref/vision/pixels"
)

// Symbols to paint on dice, in sixteenths of a top's side: a cross, a bolt, an arrow, a cup; and an hourglass, which nobody shows.
var painted = [][][2]float64{
	{{7, 3}, {9, 3}, {9, 7}, {13, 7}, {13, 9}, {9, 9}, {9, 13}, {7, 13}, {7, 9}, {3, 9}, {3, 7}, {7, 7}},
	{{9, 2}, {4, 9}, {8, 9}, {6, 14}, {12, 7}, {8, 7}, {11, 2}},
	{{8, 2}, {13, 8}, {10, 8}, {10, 14}, {6, 14}, {6, 8}, {3, 8}},
	{{3, 4}, {13, 4}, {11, 10}, {9, 10}, {9, 12}, {11, 14}, {5, 14}, {7, 12}, {7, 10}, {5, 10}},
	{{3, 3}, {13, 3}, {9, 8}, {13, 13}, {3, 13}, {7, 8}},
}

const strange = 4 // the hourglass

// paintedDie is a die of a picture, and what was painted on it.
type paintedDie struct {
	at     table.Point
	reach  float64
	symbol int
}

// paintSymbols paints so many symbols over the pips of a picture's dice.
func paintSymbols(t *testing.T, name string, symbols int) (gocv.Mat, []paintedDie) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "easy", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Dice []struct {
			Top  [4][2]float64 `json:"top_px"`
			Seen bool          `json:"in_frame"`
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	img := gocv.IMRead(filepath.Join("testdata", "easy", name+".jpg"), gocv.IMReadColor)
	var memory pixels.Memory
	defer memory.Close()
	px, err := memory.Of(img)
	if err != nil {
		t.Fatal(err)
	}
	var out []paintedDie
	for i, d := range answer.Dice {
		var top [4]table.Point
		for k, c := range d.Top {
			top[(k+i)%4] = table.Point{X: c[0], Y: c[1]}
		}
		h, err := calibration.QuadTo(top)
		if err != nil || !d.Seen {
			continue
		}
		around := rim(px, &top)
		red, green, blue := geometry.Median(around.r), geometry.Median(around.g), geometry.Median(around.b)
		ink := color.RGBA{25, 25, 25, 0}
		if red+green+blue < 330 {
			ink = color.RGBA{230, 230, 230, 0}
		}
		fill := func(points [][2]float64, c color.RGBA) {
			on := make([]image.Point, len(points))
			for k, q := range points {
				u, v := q[0]/16, q[1]/16
				w := h[6]*u + h[7]*v + h[8]
				on[k] = image.Pt(int(math.Round((h[0]*u+h[1]*v+h[2])/w)), int(math.Round((h[3]*u+h[4]*v+h[5])/w)))
			}
			all := gocv.NewPointsVectorFromPoints([][]image.Point{on})
			defer all.Close()
			gocv.FillPoly(&img, all, c)
		}
		fill([][2]float64{{1.5, 1.5}, {14.5, 1.5}, {14.5, 14.5}, {1.5, 14.5}}, color.RGBA{uint8(red), uint8(green), uint8(blue), 0})
		fill(painted[i%symbols], ink)
		out = append(out, paintedDie{middle(top), geometry.Distance(top[0], top[2]) / 3, i % symbols})
	}
	gocv.GaussianBlur(img, &img, image.Pt(3, 3), 0.7, 0.7, gocv.BorderDefault)
	return img, out
}

// symbolAt is what is painted where something was read; -1 if nothing is.
func symbolAt(dice []paintedDie, at table.Point) int {
	for _, d := range dice {
		if geometry.Distance(d.at, at) < d.reach {
			return d.symbol
		}
	}
	return -1
}

// symbolName is how the test calls a symbol.
func symbolName(symbol int) owned.Name { return owned.Name("symbol " + strconv.Itoa(symbol)) }

// TestOwnedDice shows dice with symbols in three pictures, and reads others: those with what was shown are told rightly, by
// whatever way up and in whatever color they lie, on a table and on a board; what was never shown is never told surely.
func TestOwnedDice(t *testing.T) {
	r := opened(t)
	set, there, shown, mixed := owned.NewSet(table.Any, ""), 0, 0, 0
	for _, name := range []string{"dicecreams100", "dicecreams101", "dicecreams102"} {
		img, dice := paintSymbols(t, name, strange)
		seen, err := r.ReadKnown(img, table.DiceCreams, Known{Tops: true})
		img.Close()
		if err != nil {
			t.Fatal(err)
		}
		there += len(dice)
		var tops []owned.Top
		var symbols []int
		for _, d := range seen.Dice {
			top, err := owned.TopOf(d.Top)
			if err != nil {
				t.Fatal(err)
			}
			if k := symbolAt(dice, d.At); k >= 0 {
				shown++
				tops, symbols = append(tops, top), append(symbols, k)
			}
		}
		groups, _, err := set.Sort(tops)
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range groups {
			if set.Groups[g].Name == "" {
				set.Rename(g, symbolName(symbols[i]), 0)
			} else if set.Groups[g].Name != symbolName(symbols[i]) {
				mixed++
			}
		}
	}
	if shown < there*9/10 || mixed > there/20 || len(set.Groups) > there/2+1 {
		t.Fatalf("%d of %d dice are seen while they are shown, %d in the group of another symbol, in %d groups", shown, there, mixed, len(set.Groups))
	}
	right, all := 0, 0
	for name, game := range map[string]table.Game{"dicecreams103": table.DiceCreams, "dicecreams104": table.DiceCreams, "dicecreams105": table.Any, "dessert-dice100": table.Any} {
		img, dice := paintSymbols(t, name, strange+1)
		seen, err := r.ReadKnown(img, game, Known{Dice: set})
		img.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range dice {
			if d.symbol != strange {
				all++
			}
		}
		for _, d := range seen.Dice {
			switch k := symbolAt(dice, d.At); {
			case k >= 0 && k != strange && d.Name == string(symbolName(k)):
				right++
			case d.Sure:
				t.Errorf("%s: what shows symbol %d at %v is told as %q surely", name, k, d.At, d.Name)
			case d.Unknown == (d.Name != ""):
				t.Errorf("%s: a die is neither known nor unknown: %+v", name, d)
			}
		}
	}
	if right < all*4/5 {
		t.Errorf("%d of %d dice are right", right, all)
	}
	t.Logf("%d of %d dice are right", right, all)
}

// TestOtherModel: a set that another network signed is read as if this one had.
func TestOtherModel(t *testing.T) {
	r := opened(t)
	img, _ := paintSymbols(t, "dicecreams100", strange)
	defer img.Close()
	seen, err := r.ReadKnown(img, table.Any, Known{Tops: true})
	if err != nil || len(seen.Dice) == 0 {
		t.Fatal(len(seen.Dice), err)
	}
	set := owned.NewSet(table.Any, "")
	for i, d := range seen.Dice {
		top, err := owned.TopOf(d.Top)
		if err != nil {
			t.Fatal(err)
		}
		top.Signature = new(owned.Signature)
		set.Groups = append(set.Groups, owned.Group{Name: symbolName(i), Tops: []owned.Top{top}})
	}
	set.Model = "another"
	signed, err := r.Signed(set)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range seen.Dice {
		top, _ := owned.TopOf(d.Top)
		if *signed.Groups[i].Tops[0].Signature != *top.Signature {
			t.Errorf("the picture of top %d is signed otherwise than the top was", i)
		}
		if *set.Groups[i].Tops[0].Signature != (owned.Signature{}) {
			t.Error("the set that was given is changed")
		}
	}
	if again, err := r.Signed(signed); err != nil || again != signed {
		t.Errorf("what this network signed is signed again: %v", err)
	}
}

// TestWithoutSet: a picture is read by pips as ever after one was read by a set.
func TestWithoutSet(t *testing.T) {
	r := opened(t)
	img := gocv.IMRead(filepath.Join("testdata", "easy", "dicecreams100.jpg"), gocv.IMReadColor)
	defer img.Close()
	before, err := r.Read(img, table.DiceCreams)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReadKnown(img, table.DiceCreams, Known{Dice: owned.NewSet(table.Any, "")}); err != nil {
		t.Fatal(err)
	}
	after, err := r.Read(img, table.DiceCreams)
	if err != nil {
		t.Fatal(err)
	}
	before.MS, after.MS = table.Timing{}, table.Timing{}
	was, _ := json.Marshal(before)
	is, _ := json.Marshal(after)
	if string(was) != string(is) {
		t.Errorf("read as\n%s\nit was\n%s", is, was)
	}
}
