package paper

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"diceref/calibration"
	"diceref/table"
)

// everything is each kind of sheet in each way that matters.
func everything(t *testing.T, each func(name string, o Options, sheets []Sheet)) {
	t.Helper()
	for _, kind := range Kinds {
		for _, paper := range []string{"a4", "letter"} {
			for _, language := range []string{"en", "de"} {
				games := []table.Game{""}
				if kind == Reference {
					games = table.Games[:]
				} else if kind == Zones {
					games = []table.Game{table.FromageATrois, table.DiceCreams}
				}
				for _, game := range games {
					o := Options{Kind: kind, Paper: paper, Language: language, Game: game}
					sheets, err := Make(o)
					if err != nil {
						t.Errorf("%+v: %v", o, err)
						continue
					}
					each(fmt.Sprintf("%s %s %s %s", kind, paper, language, game), o, sheets)
				}
			}
		}
	}
}

// TestNothingLeavesThePage: shapes and texts stay within what printers print.
func TestNothingLeavesThePage(t *testing.T) {
	everything(t, func(name string, _ Options, sheets []Sheet) {
		for i, s := range sheets {
			const least = 4.0
			inside := func(x, y, reach float64) bool {
				return x-reach >= least && y-reach >= least && x+reach <= s.Width-least && y+reach <= s.Height-least
			}
			for _, each := range s.shapes {
				if each.dash > 0 && each.open { // lines to cut along go to the paper's edge
					continue
				}
				for _, p := range each.points {
					if !inside(p.x, p.y, each.radius*boolFloat(!each.round)) {
						t.Errorf("%s, page %d: a shape at %v leaves the page", name, i+1, p)
					}
				}
				if each.text == "" {
					continue
				}
				width, from := textWidth(each.text, each.size, each.bold), each.points[0].x
				from -= width * map[string]float64{"start": 0, "middle": 0.5, "end": 1}[each.anchor]
				if from < least || from+width > s.Width-least {
					t.Errorf("%s, page %d: %q is %.0f mm long and leaves the page", name, i+1, each.text, width)
				}
			}
		}
	})
}

func boolFloat(b bool) float64 { return float64(boolInt(b)) }

// TestSVG: well formed, and in its real size.
func TestSVG(t *testing.T) {
	everything(t, func(name string, _ Options, sheets []Sheet) {
		for _, s := range sheets {
			svg := SVG(s)
			d := xml.NewDecoder(bytes.NewReader(svg))
			var err error
			for err == nil {
				_, err = d.Token()
			}
			if !errors.Is(err, io.EOF) {
				t.Errorf("%s: %v", name, err)
			}
			size := fmt.Sprintf(`width="%smm" height="%smm" viewBox="0 0 %s %s"`, num(s.Width), num(s.Height), num(s.Width), num(s.Height))
			if !bytes.Contains(svg, []byte(size)) {
				t.Errorf("%s: not %s", name, size)
			}
		}
	})
}

// TestPDF: as many pages as sheets, each of its size, and the same bytes each time.
func TestPDF(t *testing.T) {
	box := regexp.MustCompile(`/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]`)
	everything(t, func(name string, _ Options, sheets []Sheet) {
		one, err := PDF(sheets, name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		two, err := PDF(sheets, name)
		if err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s: other bytes the second time (%v)", name, err)
		}
		boxes := box.FindAllSubmatch(one, -1)
		if pages := bytes.Count(one, []byte("/Type /Page\n")); !bytes.HasPrefix(one, []byte("%PDF-")) || pages != len(sheets) {
			t.Errorf("%s: %d pages, want %d", name, pages, len(sheets))
		}
		if len(boxes) == 0 {
			t.Fatalf("%s: no size", name)
		}
		last := boxes[len(boxes)-1]
		for i, want := range []float64{sheets[0].Width, sheets[0].Height} {
			if got, _ := strconv.ParseFloat(string(last[i+1]), 64); math.Abs(got/pointsPerMM-want) > 0.1 {
				t.Errorf("%s: %s points, want %.1f mm", name, last[i+1], want)
			}
		}
	})
}

// TestBoardIsAsTheCameraKnowsIt: squares of the asked size, and marks where and as
// calibration has them.
func TestBoardIsAsTheCameraKnowsIt(t *testing.T) {
	for _, square := range []float64{18, 21, 26} {
		sheets, err := Make(Options{Kind: Board, Square: square})
		if err != nil {
			t.Fatal(err)
		}
		var grid shape
		var cells []shape
		for _, s := range sheets[0].shapes {
			switch {
			case len(s.points) == 4 && s.fill == "":
				grid = s
			case s.fill == black || s.fill == white:
				cells = append(cells, s)
			}
		}
		x0, y0 := grid.points[0].x, grid.points[0].y
		if w := grid.points[2].x - x0; math.Abs(w-5*square) > 1e-9 {
			t.Errorf("the grid is %.2f mm wide, want %.0f", w, 5*square)
		}
		// What color is printed at a place: the last shape that covers it.
		printed := func(x, y float64) string {
			color := ""
			for _, c := range cells {
				if x > c.points[0].x && x < c.points[2].x && y > c.points[0].y && y < c.points[2].y {
					color = c.fill
				}
			}
			return color
		}
		for number := range calibration.Fiducials {
			c := calibration.Fiducial(number)
			for row := range calibration.FiducialCells {
				for col := range calibration.FiducialCells {
					u := (float64(col) + 0.5) / calibration.FiducialCells * calibration.FiducialSide
					v := (float64(row) + 0.5) / calibration.FiducialCells * calibration.FiducialSide
					got := printed(x0+(c[0].X+u)*square, y0+(c[0].Y+v)*square)
					if want := map[bool]string{true: white, false: black}[calibration.FiducialWhite(number, row, col)]; got != want {
						t.Errorf("%g mm, mark %d, cell %d %d: %q, want %q", square, number, row, col, got, want)
					}
				}
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct {
		o     Options
		field string
	}{
		{Options{Kind: "poster"}, "sheet"},
		{Options{Kind: Board, Paper: "a3"}, "paper"},
		{Options{Kind: Board, Square: 40}, "square"},
		{Options{Kind: Board, Square: -1}, "square"},
		{Options{Kind: Board, Square: math.NaN()}, "square"},
		{Options{Kind: Board, Language: "fr"}, "language"},
		{Options{Kind: Zones, Game: table.DiceBox}, "game"},
		{Options{Kind: Zones, Game: "chess"}, "game"},
		{Options{Kind: Zones, Players: 9}, "players"},
		{Options{Kind: Notepad, Players: 1}, "players"},
	} {
		_, err := Make(test.o)
		var e *Error
		if !errors.As(err, &e) || e.Field != test.field {
			t.Errorf("%+v: %v, want an error about %s", test.o, err, test.field)
		}
	}
}

// TestZonesAreThoseOfTheTable: a plan, and a mat for each zone with its name.
func TestZonesAreThoseOfTheTable(t *testing.T) {
	for _, players := range []int{3, 5} {
		sheets, err := Make(Options{Kind: Zones, Players: players})
		if err != nil {
			t.Fatal(err)
		}
		list := calibration.ZonesFor(table.FromageATrois, players)
		if len(sheets) != 1+len(list) {
			t.Fatalf("%d sheets for %d zones", len(sheets), len(list))
		}
		for i, z := range list {
			name := zoneName(languages["en"], z)
			for _, s := range []Sheet{sheets[0], sheets[i+1]} {
				if !slices.ContainsFunc(s.shapes, func(s shape) bool { return s.text == name }) {
					t.Errorf("%q is not written", name)
				}
			}
		}
	}
}

// TestLanguagesAgree: the same texts in both, all that can be asked for, in letters that the PDF has.
func TestLanguagesAgree(t *testing.T) {
	en, de := languages["en"], languages["de"]
	for key := range en.Texts {
		if de.Texts[key] == "" || en.Texts[key] == "" {
			t.Errorf("%s is missing", key)
		}
	}
	if len(en.Texts) != len(de.Texts) {
		t.Errorf("%d texts in English, %d in German", len(en.Texts), len(de.Texts))
	}
	for _, game := range table.Games {
		a, b := en.References[game], de.References[game]
		if len(a) == 0 || len(a) != len(b) {
			t.Fatalf("%s: %d parts in English, %d in German", game, len(a), len(b))
		}
		for i := range a {
			if len(a[i].Lines) != len(b[i].Lines) {
				t.Errorf("%s, %s: %d lines in English, %d in German", game, a[i].Title, len(a[i].Lines), len(b[i].Lines))
			}
		}
	}
	everything(t, func(name string, _ Options, sheets []Sheet) {
		for _, s := range sheets {
			for _, each := range s.shapes {
				if strings.ContainsFunc(each.text, func(r rune) bool { return r > 255 }) || strings.Contains(each.text, "{") {
					t.Errorf("%s: %q", name, each.text)
				}
			}
		}
	})
}
