// Package geometry is what the rooms of vision share of points and numbers.
package geometry

import (
	"math"
	"sort"

	"diceref/table"
)

// Median is the middle one of numbers, which it sorts; 0 of none.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	sort.Float64s(v)
	return v[len(v)/2]
}

// Distance is how far two points lie apart.
func Distance(a, b table.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// Area2 is twice the signed area of a triangle; positive when clockwise in the picture.
func Area2(a, b, c table.Point) float64 { return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X) }

// Meet is where the lines a-b and c-d cross.
func Meet(a, b, c, d table.Point) (table.Point, bool) {
	den := (b.X-a.X)*(d.Y-c.Y) - (b.Y-a.Y)*(d.X-c.X)
	if math.Abs(den) < 1e-9 {
		return table.Point{}, false
	}
	t := ((c.X-a.X)*(d.Y-c.Y) - (c.Y-a.Y)*(d.X-c.X)) / den
	return table.Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)}, true
}

// Cross is the cross product of the ways from a to b and from c to d.
func Cross(a, b, c, d table.Point) float64 {
	return (b.X-a.X)*(d.Y-c.Y) - (b.Y-a.Y)*(d.X-c.X)
}

// ConvexHull is the hull of points, clockwise in the picture (Andrew's chain).
func ConvexHull(p []table.Point) []table.Point {
	p = append([]table.Point(nil), p...)
	sort.Slice(p, func(i, j int) bool { return p[i].X < p[j].X || p[i].X == p[j].X && p[i].Y < p[j].Y })
	var hull []table.Point
	for pass := 0; pass < 2; pass++ {
		start := len(hull)
		for _, q := range p {
			for len(hull) >= start+2 && Area2(hull[len(hull)-2], hull[len(hull)-1], q) <= 0 {
				hull = hull[:len(hull)-1]
			}
			hull = append(hull, q)
		}
		hull = hull[:len(hull)-1]
		for i, j := 0, len(p)-1; i < j; i, j = i+1, j-1 {
			p[i], p[j] = p[j], p[i]
		}
	}
	return hull
}

// Within says whether a clockwise convex polygon holds a point.
func Within(q []table.Point, p table.Point) bool {
	for k := range q {
		if Area2(q[k], q[(k+1)%len(q)], p) < 0 {
			return false
		}
	}
	return true
}
