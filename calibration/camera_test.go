package calibration

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"diceref/table"
)

// drawCamera draws a camera that looks down on the grid's middle.
func drawCamera(t *rapid.T) Camera {
	cam := Camera{
		Width: 1280, Height: 720,
		F:  rapid.Float64Range(1.2, 3).Draw(t, "f"),
		K1: rapid.Float64Range(-0.1, 0.03).Draw(t, "k1"),
	}
	tilt := rapid.Float64Range(0, 0.9).Draw(t, "tilt")
	dist := rapid.Float64Range(8, 14).Draw(t, "distance") * cam.F
	spin := rotation(0, 0, rapid.Float64Range(-3.1, 3.1).Draw(t, "spin"))
	lean := rotation(tilt, 0, 0)
	for i := 0; i < 3; i++ {
		for j := 0; j < 3; j++ {
			for k := 0; k < 3; k++ {
				cam.R[i*3+j] += lean[i*3+k] * spin[k*3+j]
			}
		}
	}
	for i := 0; i < 3; i++ {
		cam.T[i] = -2.5*cam.R[i*3] - 2.5*cam.R[i*3+1]
	}
	cam.T[2] += dist
	return cam
}

func near(a, b table.Point, by float64) bool { return math.Hypot(a.X-b.X, a.Y-b.Y) <= by }

func TestPlaceIsTheInverseOfProject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cam := drawCamera(t)
		x, y := rapid.Float64Range(-1, 6).Draw(t, "x"), rapid.Float64Range(-1, 6).Draw(t, "y")
		h := rapid.Float64Range(-0.3, 1).Draw(t, "height")
		gx, gy, ok := cam.Place(cam.Project(x, y, h), h)
		if !ok || math.Hypot(gx-x, gy-y) > 1e-3 {
			t.Fatalf("(%.3f, %.3f) at height %.2f comes back as (%.3f, %.3f) %v", x, y, h, gx, gy, ok)
		}
	})
}

func TestTurnedCameraSeesTheSameGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cam := drawCamera(t)
		k := rapid.IntRange(-4, 7).Draw(t, "quarters")
		turned := cam.Turned(k)
		was, now := cam.Corners(), turned.Corners()
		for i := range now {
			if want := was[((i+k)%4+4)%4]; !near(now[i], want, 1e-6) {
				t.Fatalf("corner %d is at %v, want %v", i, now[i], want)
			}
		}
	})
}

// TestRefineFindsTheCamera sees the lattice with small errors and a few lies, and
// asks where the tops of dice would appear.
func TestRefineFindsTheCamera(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cam := drawCamera(t)
		var sights []Sight
		for i := 0; i < 36; i++ {
			x, y := float64(i%6), float64(i/6)
			p := cam.Project(x, y, 0)
			p.X += rapid.Float64Range(-0.7, 0.7).Draw(t, "ex")
			p.Y += rapid.Float64Range(-0.7, 0.7).Draw(t, "ey")
			sights = append(sights, Sight{X: x, Y: y, At: p, Sigma: 1})
		}
		start, err := FromQuad(1280, 720, cam.Corners())
		if err != nil {
			t.Fatal(err)
		}
		for _, lie := range rapid.SliceOfNDistinct(rapid.IntRange(0, 35), 0, 5, rapid.ID[int]).Draw(t, "lies") {
			sights[lie].At.X += 25
		}
		fit := Refine(start, sights)
		pitch := math.Hypot(cam.Project(2, 2, 0).X-cam.Project(3, 2, 0).X, cam.Project(2, 2, 0).Y-cam.Project(3, 2, 0).Y)
		for _, at := range [][2]float64{{0.5, 0.5}, {4.5, 0.5}, {4.5, 4.5}, {0.5, 4.5}, {2.5, 2.5}} {
			got, want := fit.Camera.Project(at[0], at[1], 0), cam.Project(at[0], at[1], 0)
			if !near(got, want, 0.1*pitch) {
				t.Fatalf("square at %v appears at %v, want %v (a square is %.0f pixels)", at, got, want, pitch)
			}
			got, want = fit.Camera.Project(at[0], at[1], 0.8), cam.Project(at[0], at[1], 0.8)
			if !near(got, want, 0.2*pitch) {
				t.Fatalf("die's top at %v appears at %v, want %v (a square is %.0f pixels; f %.2f, want %.2f)", at, got, want, pitch, fit.Camera.F, cam.F)
			}
		}
	})
}

func TestProfileKeepsEverything(t *testing.T) {
	p, err := FromGrid(table.DiceFlick, 1280, 720, [4]table.Point{{X: 400, Y: 100}, {X: 850, Y: 120}, {X: 880, Y: 600}, {X: 380, Y: 590}})
	if err != nil {
		t.Fatal(err)
	}
	p.Markers = []table.MarkerReading{{Row: 2, Col: 2, Marker: table.CenterMarker}}
	p.Zones = []Zone{{Name: "Anna", Outline: []table.Point{{X: 0, Y: 5}, {X: 5, Y: 5}, {X: 5, Y: 8}, {X: 0, Y: 8}}}}
	path := filepath.Join(t.TempDir(), "table.json")
	if err := p.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(p, got); d != "" {
		t.Errorf("loaded profile differs (-saved +loaded):\n%s", d)
	}
	if z := got.ZoneAt(got.Camera.Project(2.5, 6, 0), 0); z != "Anna" {
		t.Errorf("beside the grid lies zone %q, want Anna", z)
	}
	if z := got.ZoneAt(got.Camera.Project(2.5, 2.5, 0), 0); z != "" {
		t.Errorf("on the grid lies zone %q, want none", z)
	}
	for i, c := range got.Camera.Corners() {
		want := [4]table.Point{{X: 400, Y: 100}, {X: 850, Y: 120}, {X: 880, Y: 600}, {X: 380, Y: 590}}[i]
		if !near(c, want, 12) { // no camera sees just these corners; a square is 95 pixels
			t.Errorf("corner %d is at %v, want %v", i, c, want)
		}
	}
}

func TestLoadRefusesNonsense(t *testing.T) {
	cases := map[string]string{
		"not json":  "hello",
		"no camera": `{"game":"dice-box"}`,
		"marker off the grid": `{"camera":{"width":10,"height":10,"f":2,"r":[1,0,0,0,1,0,0,0,1],"t":[-2.5,-2.5,9]},
			"markers":[{"row":5,"col":0,"marker":"blue"}]}`,
		"zone without corners": `{"camera":{"width":10,"height":10,"f":2,"r":[1,0,0,0,1,0,0,0,1],"t":[-2.5,-2.5,9]},"zones":[{"name":"x"}]}`,
	}
	for name, text := range cases {
		path := filepath.Join(t.TempDir(), "p.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "p.json") {
			t.Errorf("%s: error %v, want one that names the file", name, err)
		}
	}
	if _, err := FromGrid(table.DiceBox, 100, 100, [4]table.Point{{X: 1, Y: 1}, {X: 2, Y: 2}, {X: 3, Y: 3}, {X: 4, Y: 4}}); err == nil {
		t.Error("a grid on one line is accepted")
	}
}
