package calibration

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"diceref/table"
)

func drawPoint(t *rapid.T, name string) table.Point {
	return table.Point{X: rapid.Float64Range(-100, 2000).Draw(t, name+"x"), Y: rapid.Float64Range(-100, 2000).Draw(t, name+"y")}
}

// drawQuad draws a convex quadrilateral, clockwise in the picture.
func drawQuad(t *rapid.T) [4]table.Point {
	c := drawPoint(t, "middle")
	var q [4]table.Point
	for k := range q {
		a := (float64(k) + rapid.Float64Range(-0.25, 0.25).Draw(t, "angle")) * math.Pi / 2
		r := rapid.Float64Range(60, 140).Draw(t, "radius")
		q[k] = table.Point{X: c.X + r*math.Cos(a), Y: c.Y + r*math.Sin(a)}
	}
	return q
}

func TestQuadToIsExactAndTurnsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuad(t)
		h, err := QuadTo(q)
		if err != nil {
			t.Fatal(err)
		}
		for k, p := range []table.Point{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}} {
			if g := h.Apply(p); math.Hypot(g.X-q[k].X, g.Y-q[k].Y) > 1e-6 {
				t.Fatalf("corner %d goes to %v, want %v", k, g, q[k])
			}
		}
		inv, ok := h.Inverse()
		if !ok {
			t.Fatal("no inverse")
		}
		p := table.Point{X: rapid.Float64Range(0, 1).Draw(t, "x"), Y: rapid.Float64Range(0, 1).Draw(t, "y")}
		fwd := h.Apply(p)
		if g := inv.Apply(fwd); math.Hypot(g.X-p.X, g.Y-p.Y) > 1e-6 {
			t.Fatalf("there and back: %v, want %v", g, p)
		}
	})
}

func TestFitHomographyOfManyPoints(t *testing.T) {
	want := Homography{1.2, 0.3, 40, -0.2, 0.9, 70, 0.0004, -0.0007, 1}
	var src, dst []table.Point
	for i := 0; i < 36; i++ {
		p := table.Point{X: float64(i%6) * 30, Y: float64(i/6) * 30}
		src, dst = append(src, p), append(dst, want.Apply(p))
	}
	got, err := FitHomography(src, dst, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-6 {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

func TestFitHomographyRefusesPointsOnALine(t *testing.T) {
	line := []table.Point{{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 2, Y: 2}, {X: 3, Y: 3}}
	square := []table.Point{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}}
	if _, err := FitHomography(line, square, nil); !errors.Is(err, ErrDegenerate) {
		t.Errorf("points on a line: %v, want ErrDegenerate", err)
	}
	if _, err := FitHomography(square[:3], square[:3], nil); !errors.Is(err, ErrDegenerate) {
		t.Errorf("three points: %v, want ErrDegenerate", err)
	}
}
