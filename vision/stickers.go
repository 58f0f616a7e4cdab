package vision

import (
	"math"
	"slices"
	"sort"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/geometry"
	"diceref/vision/lattice"
	"diceref/vision/pixels"
)

// An arena's stickers are at the bottom of the holes. Each hole that holds no die
// is sampled where the line of sight reaches its floor; what most holes show is
// the bare floor, and the stickers stand out from it in known colors, with signs in white on
// them. One of each kind is there at most, and the light tints all of them alike: both are
// settled for all holes together.

// Shape of an arena, in squares; the floor lies below the plane of the grid.
const (
	holeHalf  = 0.366  // half a hole's width
	floorDeep = -0.257 // the floor's height
)

// hue is a color apart from its brightness: logarithms of red and blue over green.
type hue struct{ r, b float64 }

// stickers are the kinds of markers and what a camera makes of their ground in white light.
var stickers = []struct {
	name string
	hue  hue
}{
	{table.BlueMarker, hue{-0.45, 0.50}},
	{table.YellowMarker, hue{0.05, -1.15}},
	{table.GreenMarker, hue{-0.63, -0.63}},
	{table.BonusMarker, hue{0.42, -0.90}},
	{table.CenterMarker, hue{0.07, -0.04}},
}

// hole is what an uncovered hole of the arena shows.
type hole struct {
	square table.Square
	hue    hue
	bright float64                            // 0..255
	red    float64                            // share of pixels that are plainly red against the hole's ground
	paper  [holeSamples * holeSamples]float64 // how white each sample of it is, 0..255; hiddenSample where it is not seen
	sign   signEvidence
}

// markers reads the stickers of the holes that no die covers.
func (s *scene) markers(px *pixels.Picture, dice []placed, cal *calibration.Profile) []table.MarkerReading {
	if s.grid == nil || s.kit.Layout != table.Arena {
		return nil
	}
	covered := map[table.Square]bool{}
	for _, d := range dice {
		if d.square != nil {
			covered[*d.square] = true
		}
	}
	if cal != nil && len(cal.Markers) > 0 { // learned while the arena was empty
		var out []table.MarkerReading
		for _, m := range cal.Markers {
			if !covered[table.Square{Row: m.Row, Col: m.Col}] {
				out = append(out, m)
			}
		}
		return out
	}
	silhouettes := make([][]table.Point, len(dice))
	for i := range dice {
		silhouettes[i] = s.silhouette(&dice[i])
	}
	var holes []hole
	for i := range table.Size * table.Size {
		if q := table.SquareAt(i); !covered[q] && s.seenAround(q) {
			if h, ok := sampleHole(px, &s.grid.Camera, q, silhouettes); ok {
				holes = append(holes, h)
			}
		}
	}
	return tellMarkers(holes)
}

// leastAround is how many of the lattice points around a hole must be seen, unless something lies over it.
const leastAround = 2

// seenAround says whether the lattice is seen around a hole: a hand over it has any color.
func (s *scene) seenAround(q table.Square) bool {
	seen := 0
	for corner := range 4 {
		p, _ := lattice.LatticePoint(&s.grid.Camera, q.Row+corner/2, q.Col+corner%2)
		if seesLattice(s.maps, p) {
			seen++
		}
	}
	return seen >= leastAround
}

// sampleHole looks at the floor of a hole, leaving out what the plate or the
// dice in front hide.
func sampleHole(px *pixels.Picture, cam *calibration.Camera, q table.Square, silhouettes [][]table.Point) (hole, bool) {
	const n = holeSamples
	var paper [n * n]float64
	cx, cy := float64(q.Col)+0.5, float64(q.Row)+0.5
	var r, g, b []float64
	for i := range n {
		for j := range n {
			paper[i*n+j] = hiddenSample
			x := cx + (float64(j)/(n-1)*2-1)*holeHalf*0.85
			y := cy + (float64(i)/(n-1)*2-1)*holeHalf*0.85
			p := cam.Project(x, y, floorDeep)
			if math.IsNaN(p.X) || p.X < 1 || p.Y < 1 || p.X > float64(px.Width-2) || p.Y > float64(px.Height-2) {
				continue
			}
			tx, ty, ok := cam.Place(p, 0)
			if !ok || math.Abs(tx-cx) > holeHalf*0.93 || math.Abs(ty-cy) > holeHalf*0.93 || hidden(p, silhouettes) {
				continue
			}
			var pb, pg, pr float64
			px.Add(p.X, p.Y, &pb, &pg, &pr)
			r, g, b = append(r, pr), append(g, pg), append(b, pb)
			paper[i*n+j] = min(pr, pg, pb)
		}
	}
	if len(r) < n*n/5 {
		return hole{}, false
	}
	mr, mg, mb := geometry.Median(clone(r)), geometry.Median(clone(g)), geometry.Median(clone(b))
	h := hole{square: q, hue: hueOf(mr, mg, mb), bright: mg, paper: paper}
	for i := range r {
		if v := hueOf(r[i], g[i], b[i]); v.r-h.hue.r > 0.35 {
			h.red += 1 / float64(len(r))
		}
	}
	return h, true
}

func clone(v []float64) []float64 { return append([]float64(nil), v...) }

func hueOf(r, g, b float64) hue {
	const dark = 6 // keeps noise in the dark from passing for color
	return hue{math.Log((r + dark) / (g + dark)), math.Log((b + dark) / (g + dark))}
}

// silhouette is the convex polygon that a die covers in the picture: its top and, by the camera, its foot, a little enlarged, as outlines are not exact.
func (s *scene) silhouette(d *placed) []table.Point {
	const enlarged = 1.1
	cam, h := &s.grid.Camera, topHeight(s.kit.Layout, s.side)
	var corners []table.Point
	for _, p := range d.Outline {
		p = table.Point{X: d.At.X + enlarged*(p.X-d.At.X), Y: d.At.Y + enlarged*(p.Y-d.At.Y)}
		corners = append(corners, p)
		if x, y, ok := cam.Place(p, h); ok {
			corners = append(corners, cam.Project(x, y, h-s.side))
		}
	}
	return geometry.ConvexHull(corners)
}

// hidden says whether a pixel lies within one of the silhouettes.
func hidden(p table.Point, silhouettes [][]table.Point) bool {
	return slices.ContainsFunc(silhouettes, func(of []table.Point) bool { return geometry.Within(of, p) })
}

// tellMarkers settles all holes together under the light that explains them best.
func tellMarkers(holes []hole) []table.MarkerReading {
	if len(holes) < 3 {
		return nil
	}
	var rs, bs, ls []float64
	for _, h := range holes {
		rs, bs, ls = append(rs, h.hue.r), append(bs, h.hue.b), append(ls, h.bright)
	}
	floor, bright := hue{geometry.Median(rs), geometry.Median(bs)}, geometry.Median(ls)
	for i := range holes {
		if h := &holes[i]; h.offFloor(floor, bright) > signFrom {
			h.sign = signsIn(&h.paper)
		}
	}
	best, most := []int(nil), math.Inf(-1)
	for lr := -0.45; lr <= 0.75; lr += 0.1 {
		for lb := -0.9; lb <= 0.45; lb += 0.1 {
			light := hue{lr, lb}
			picks, score := pick(holes, floor, bright, light)
			score -= (lr*lr + lb*lb) / (2 * 0.3 * 0.3)
			if score > most {
				best, most = picks, score
			}
		}
	}
	var out []table.MarkerReading
	for k, i := range best {
		if i >= 0 {
			out = append(out, table.MarkerReading{Row: holes[i].square.Row, Col: holes[i].square.Col, Marker: stickers[k].name})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		return table.Square{Row: out[i].Row, Col: out[i].Col}.Index() < table.Square{Row: out[j].Row, Col: out[j].Col}.Index()
	})
	return out
}

// pick gives each kind of sticker the hole that gains most by being it, if any
// gains enough; kinds that are easiest to tell choose first.
func pick(holes []hole, floor hue, bright float64, light hue) (picks []int, score float64) {
	type choice struct {
		gain float64
		k, i int
	}
	var all []choice
	picks = make([]int, len(stickers))
	for k := range picks {
		picks[k] = -1
		for i := range holes {
			if g := gain(&holes[i], k, floor, bright, light); g > leastGain {
				all = append(all, choice{g, k, i})
			}
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].gain > all[b].gain })
	taken := map[int]bool{}
	for _, c := range all {
		if picks[c.k] < 0 && !taken[c.i] {
			picks[c.k], taken[c.i] = c.i, true
			score += c.gain
		}
	}
	return picks, score
}

// leastGain is how much likelier (natural logarithm) a sticker must be than bare floor.
const leastGain = 2.5

// Usual errors of a hue, of a sticker's and of the bare floor's; and of the logarithm of the floor's brightness.
const (
	stickerHue  = 0.28
	floorHue    = 0.16
	floorBright = 0.3
)

// off is how unlikely a hue is where another is expected, as a logarithm.
func (h hue) off(want hue, usual float64) float64 {
	return ((h.r-want.r)*(h.r-want.r) + (h.b-want.b)*(h.b-want.b)) / (2 * usual * usual)
}

// lighter is the logarithm of how much brighter a hole is than the floor.
func (h *hole) lighter(bright float64) float64 { return math.Log((h.bright + 10) / (bright + 10)) }

// offFloor is how unlikely a hole shows the bare floor, as a logarithm.
func (h *hole) offFloor(floor hue, bright float64) float64 {
	l := h.lighter(bright)
	return h.hue.off(floor, floorHue) + l*l/(2*floorBright*floorBright)
}

// gain is how much likelier a hole shows a kind of sticker than bare floor.
func gain(h *hole, k int, floor hue, bright float64, light hue) float64 {
	want := hue{stickers[k].hue.r + light.r, stickers[k].hue.b + light.b}
	g := min(h.offFloor(floor, bright), 18) - min(h.hue.off(want, stickerHue), 18) + h.sign.of(stickers[k].name)
	isCenter := stickers[k].name == table.CenterMarker
	if isCenter { // white with red rings
		g += 12 * (min(h.red, 0.35) - 0.12)
		if h.lighter(bright) < 0.2 {
			g -= 3
		}
	}
	switch inMiddle := h.square == (table.Square{Row: table.Size / 2, Col: table.Size / 2}); { // where the game puts it
	case inMiddle != isCenter:
		g -= 8
	case isCenter:
		g += 2
	}
	return g
}
