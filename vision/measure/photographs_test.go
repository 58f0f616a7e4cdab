package measure

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"diceref/table"
)

// TestParts: a photograph serves for one end, whichever way its name is counted, and no scene lies in two.
func TestParts(t *testing.T) {
	for name, want := range map[string]string{
		"epanemu/dice_9.jpg":                       "learn",
		"epanemu/dice_62.jpg":                      "learn",
		"epanemu/dice_63.jpg":                      "choose",
		"epanemu/dice_369.jpg":                     "judge",
		"sixsided/i_0080fca7.jpg":                  "learn",
		"shutthebox/WIN_20250408_02_00_04_Pro.jpg": "judge",
		"nell-byler/IMG_20191208_111816.jpg":       "choose",
		"easy/dice-box100.jpg":                     "",
	} {
		p := Picture{Path: filepath.FromSlash("real/" + name), Group: filepath.Dir(filepath.FromSlash(name))}
		if got := p.Part(); got != want {
			t.Errorf("%s serves for %q, want %q", name, got, want)
		}
	}
	for i, s := range sceneries {
		if !slices.Contains(Parts, s.part) {
			t.Errorf("%s %s: no part is called %q", s.set, s.first, s.part)
		}
		if s.last != "" && compareNames(s.first, s.last) > 0 {
			t.Errorf("%s: %s comes after %s", s.set, s.first, s.last)
		}
		for _, o := range sceneries[:i] {
			if o.set == s.set && (o.has(s.first) || s.has(o.first)) {
				t.Errorf("%s: %s and %s overlap", s.set, o.first, s.first)
			}
		}
	}
}

func TestReportSets(t *testing.T) {
	p := Picture{Group: "desk", Game: table.Any, dice: []Die{
		{color: table.Red, face: 3, at: table.Point{X: 50, Y: 50}, reach: 20},
		{face: 5, at: table.Point{X: 150, Y: 50}, reach: 20},
		{face: 1, at: table.Point{X: 250, Y: 50}, reach: 20},
	}}
	o := table.Observation{Dice: []table.Reading{die(table.Orange, 3, 50, 50, nil, true), die(table.Blue, 5, 150, 50, nil, false), die(table.Blue, 2, 350, 50, nil, false)}}
	var out strings.Builder
	if err := ReportSets(&out, []Mark{Compare(&p, o)}); err != nil {
		t.Fatal(err)
	}
	want := "desk 1 3 66.67% 66.67% 33.33% 0.00% 1 1.00 33.33% 1 100.00% 0"
	if got := strings.Join(strings.Fields(out.String()), " "); strings.Count(got, want[len("desk "):]) != 2 || !strings.Contains(got, want) {
		t.Errorf("report is\n%swant %s for the set and for all", out.String(), want)
	}
}
