package register

import (
	"cmp"
	"math"
	"slices"
)

// How a view that has jumped is looked for.
const (
	// nearby is how far around where it was a view is looked for at first, in shares of its width.
	nearby = 0.12
	// anywhere is how far it is looked for when it is not nearby, and turned by up to farTurn, in steps
	// of turnStep. A search so wide costs as much as some twenty frames.
	anywhere = 0.3
	farTurn  = 48 * math.Pi / 180
	turnStep = 4 * math.Pi / 180
	// tried is how many of the places found are looked at closely.
	tried = 12
	// firstAsked is how many marks are asked at each place, those with the steepest edges, and askedMarks how many
	// at the share keptPlaces of them that looks best then. Fewer are faster and miss a view more often.
	firstAsked, askedMarks = 30, 100
	keptPlaces             = 0.1
)

// candidate is a motion that a coarse look found, and how well it agrees.
type candidate struct {
	m     Motion
	score float64
}

// search finds where a view may lie by its coarsest plane: around from, so many widths each way, turned by
// so much each way. The best come first.
func search(d *plane, marks []mark, from Motion, reach, turn float64) []candidate {
	first, asked := marks[:min(len(marks), firstAsked)], marks[:min(len(marks), askedMarks)]
	var list []candidate
	n := int(math.Ceil(reach * float64(d.width)))
	turns := int(turn / turnStep)
	for k := -turns; k <= turns; k++ {
		sin, cos := math.Sincos(float64(k) * turnStep)
		turned := from.Mul(Motion{cos, -sin, 0, sin, cos, 0, 0, 0, 1})
		for dy := -n; dy <= n; dy++ {
			for dx := -n; dx <= n; dx++ {
				m := turned
				m[2] += float64(dx) / float64(d.width)
				m[5] += float64(dy) / float64(d.width)
				list = append(list, candidate{m, likeness(d, first, &m)})
			}
		}
	}
	bestFirst := func(a, b candidate) int { return cmp.Compare(b.score, a.score) }
	slices.SortStableFunc(list, bestFirst)
	list = list[:max(int(keptPlaces*float64(len(list))), min(len(list), tried*tried))]
	for i := range list {
		list[i].score = likeness(d, asked, &list[i].m)
	}
	slices.SortStableFunc(list, bestFirst)
	return apart(list, 1.5/float64(d.width))
}

// apart is the best of a sorted list that differ by more than so much, tried of them at the most.
func apart(list []candidate, least float64) (out []candidate) {
	for _, c := range list {
		if len(out) == tried {
			break
		}
		if !slices.ContainsFunc(out, func(o candidate) bool {
			return math.Abs(o.m[2]-c.m[2]) <= least && math.Abs(o.m[5]-c.m[5]) <= least && math.Abs(o.m[1]-c.m[1]) <= 1.5*turnStep
		}) {
			out = append(out, c)
		}
	}
	return out
}

// likeness is how well the marks agree on a motion, 0 to 1; 0 where few are in view.
func likeness(d *plane, marks []mark, m *Motion) float64 {
	sum, in, t := 0.0, 0, turnOf(m)
	for i := range marks {
		k := &marks[i]
		x, y := apply(m, k.x, k.y)
		v, gx, gy, ok := d.sample(x, y)
		if !ok {
			continue
		}
		in++
		q := (v - k.v) / k.edge
		sum += min(max(t.alike(k, gx, gy), 0), 1) / (1 + q*q)
	}
	if in < max(leastMarks, len(marks)/2) {
		return 0
	}
	return sum / float64(in)
}
