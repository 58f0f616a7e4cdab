package vision

import (
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/owned"
)

// shiftYellow makes a picture's yellow things look redder, as another maker's yellow might:
// by degrees of hue, at most from yellow to red.
func shiftYellow(t *testing.T, img *gocv.Mat, degrees float64) {
	t.Helper()
	data, err := img.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+2 < len(data); i += 3 {
		b, g, r := float64(data[i]), float64(data[i+1]), float64(data[i+2])
		high, low := max(r, g, b), min(r, g, b)
		if r != high || b != low || high-low < 0.25*high {
			continue
		}
		hue := 60 * (g - low) / (high - low) // 0 red, 60 yellow
		near := math.Exp(-(hue - 50) * (hue - 50) / (2 * 14 * 14))
		data[i+1] = uint8(low + (high-low)*max(hue-degrees*near, 0)/60)
	}
}

// readBy reads a picture by dice of one's own that have pips and know their colors.
func readBy(t *testing.T, r *Recognizer, img gocv.Mat, game table.Game, lessons []table.Lesson) table.Observation {
	t.Helper()
	set := owned.NewSet(game, "")
	shown, err := r.ReadKnown(img, game, Known{Tops: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range shown.Dice {
		if top, err := owned.TopOf(d.Top); err == nil && top.Pips > 0 {
			if err := set.Teach(owned.Name(strconv.Itoa(top.Pips)), top); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, l := range lessons {
		set.Colors = append(set.Colors, owned.ColorLook{Lesson: l})
	}
	o, err := r.ReadKnown(img, game, Known{Dice: set})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestLessons has players corrected the color of one die of a strange maker's: the others
// that look like it are read right then, and all that look otherwise as before.
func TestLessons(t *testing.T) {
	r := opened(t)
	tested := 0
	for _, name := range []string{"dessert-dice100", "dessert-dice101", "dessert-dice103", "dice-box102"} {
		img := gocv.IMRead(filepath.Join("testdata", "easy", name+".jpg"), gocv.IMReadColor)
		game := table.DessertDice
		if name[5] == 'b' {
			game = table.DiceBox
		}
		truth, err := r.Read(img, game)
		if err != nil {
			t.Fatal(err)
		}
		for degrees := 26.0; degrees <= 38; degrees += 6 {
			strange := img.Clone()
			shiftYellow(t, &strange, degrees)
			read := func(lessons ...table.Lesson) (table.Observation, []int) {
				o, err := r.ReadKnown(strange, game, Known{Lessons: lessons})
				if err != nil {
					t.Fatal(err)
				}
				return o, miscolored(truth, o)
			}
			o, wrong := read()
			if len(wrong) >= 2 {
				tested++
				first := table.Lesson{Look: o.Dice[wrong[0]].Look, Color: table.Yellow}
				var lessons []table.Lesson
				now, left := o, wrong
				for len(lessons) < 3 && len(left) > 0 { // as players do: the next that is wrong
					lessons = append(lessons, table.Lesson{Look: now.Dice[left[0]].Look, Color: table.Yellow})
					now, left = read(lessons...)
				}
				t.Logf("%s, %.0f degrees: %d wrong, %d after %d lessons", name, degrees, len(wrong), len(left), len(lessons))
				if len(left) > 0 {
					t.Errorf("%s, yellow off by %.0f degrees: %d colors wrong, %d after %d lessons", name, degrees, len(wrong), len(left), len(lessons))
				}
				untaught := miscolored(truth, readBy(t, r, strange, game, nil))
				if byDice := miscolored(truth, readBy(t, r, strange, game, lessons)); len(byDice) > len(left) || len(untaught) <= len(left) {
					t.Errorf("%s: where the dice know their colors, %d are wrong, where they do not %d; where the table does, %d", name, len(byDice), len(untaught), len(left))
				}
				said := o.Dice[wrong[0]].Color
				if again, _ := read(first, table.Lesson{Look: first.Look, Color: said}); !sameColors(o, again) {
					t.Errorf("%s: two lessons that contradict each other change what is read", name)
				}
			}
			strange.Close()
			if len(wrong) >= 2 {
				break
			}
		}
		img.Close()
	}
	if tested < 2 {
		t.Errorf("only %d pictures have colors that need a lesson", tested)
	}
}

// TestWrongLesson: one mistaken correction does not change what is plainly something else.
func TestWrongLesson(t *testing.T) {
	r := opened(t)
	for _, name := range []string{"dessert-dice100", "dessert-dice101"} {
		img := gocv.IMRead(filepath.Join("testdata", "easy", name+".jpg"), gocv.IMReadColor)
		before, err := r.Read(img, table.DessertDice)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range before.Dice {
			if i%5 != 0 || !d.Sure {
				continue
			}
			other := table.Green
			if d.Color == other {
				other = table.Red
			}
			after, err := r.ReadKnown(img, table.DessertDice, Known{Lessons: []table.Lesson{{Look: d.Look, Color: other}}})
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range miscolored(before, after) {
				if after.Dice[k].Sure {
					t.Errorf("%s: one lesson that %v is %v makes a sure %v of %v", name, d.Color, other, after.Dice[k].Color, before.Dice[k].Color)
				}
			}
			if n := len(miscolored(before, after)); n > 0 {
				t.Errorf("%s: one lesson that %v is %v changes %d colors", name, d.Color, other, n)
			}
		}
		img.Close()
	}
}

// miscolored are the dice of o whose color is not that of the die at the same place in truth.
func miscolored(truth, o table.Observation) (wrong []int) {
	for i, d := range o.Dice {
		for _, w := range truth.Dice {
			if math.Hypot(d.At.X-w.At.X, d.At.Y-w.At.Y) < 8 && d.Color != w.Color {
				wrong = append(wrong, i)
			}
		}
	}
	return wrong
}

func sameColors(a, b table.Observation) bool {
	return len(a.Dice) == len(b.Dice) && len(miscolored(a, b)) == 0
}
