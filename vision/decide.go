package vision

import (
	"math"

	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/detect"
)

// verdict is what one die is taken for, and how much speaks for it.
type verdict struct {
	die      table.Die
	p        float64 // probability of color and face together, given that it is a die
	isDie    float64 // probability that it is a die at all
	fits     float64 // probability that color and face, each by itself, are ones that a die of the game has together
	overrode bool    // the counts of the game's dice changed the color
	unlikely bool    // the color was not likely before the surround network was asked, or may well be one that it runs into
	joint    [classify.ColorKinds][classify.FaceKinds - 1]float64
}

// weigh turns faces and colors into probabilities of color and face together, for the
// dice of the game: colors that it has not are left out, and a blast die has no
// number.
func weigh(faces *[classify.FaceKinds]float64, colors *[classify.ColorKinds]float64, kit table.Kit) *verdict {
	v := new(verdict)
	var sum float64
	for c := range v.joint {
		color := table.Colors[c]
		n, has := kit.Dice[color]
		if kit.Dice != nil && (!has || n == 0) {
			continue
		}
		for f := range v.joint[c] {
			blast := kit.Blast != table.NoColor && color == kit.Blast
			if blast != (f == 0) && !kit.Mixed {
				continue
			}
			v.joint[c][f] = colors[c]*faces[f] + 1e-9
			sum += v.joint[c][f]
		}
	}
	for c := range v.joint {
		for f := range v.joint[c] {
			v.joint[c][f] /= sum
		}
	}
	v.fits = sum
	v.best()
	return v
}

// How much each network may say about whether something is a die. The find network
// sees the surroundings: it alone can tell a side, a print or a sticker from a top.
const (
	findWeight = 2.5
	faceWeight = 0.4
	faceMost   = 4.0 // logarithm of odds
)

// dieOdds is the probability that a crop shows a die: by the face network, by the
// find network's score, and by the odds (logarithm) that its place gives.
func dieOdds(g *classify.Glance, score, prior float64) float64 {
	return detect.Sigmoid(findWeight*logit(score) + faceWeight*min(max(logit(1-g.Faces[classify.NoDie]), -faceMost), faceMost) + prior)
}

func logit(p float64) float64 {
	p = min(max(p, 1e-6), 1-1e-6)
	return math.Log(p / (1 - p))
}

// best settles on the most likely color and face.
func (v *verdict) best() {
	v.p = -1
	for c := range v.joint {
		for f, p := range v.joint[c] {
			if p > v.p {
				v.p, v.die = p, table.Die{Color: table.Colors[c], Face: f}
			}
		}
	}
}

// ofColor is the probability of a color, whatever the face.
func (v *verdict) ofColor(c int) float64 {
	var sum float64
	for _, p := range v.joint[c] {
		sum += p
	}
	return sum
}

// colors are the probabilities of all colors.
func (v *verdict) colors() (p [classify.ColorKinds]float64) {
	for c := range p {
		p[c] = v.ofColor(c)
	}
	return p
}

// conserve changes colors where more dice of one color are seen than the game
// has: always the change that costs least, until all counts fit. Dice that were
// changed are marked. More dice than the game has at all are left as they are.
func conserve(vs []*verdict, kit table.Kit) {
	if kit.Dice == nil {
		return
	}
	var count, limit [classify.ColorKinds]int
	total := 0
	for i, c := range table.Colors {
		limit[i] = kit.Dice[c]
		total += limit[i]
	}
	if len(vs) > total {
		return
	}
	for _, v := range vs {
		count[v.die.Color-1]++
	}
	for range vs {
		from := -1
		for c := range count {
			if count[c] > limit[c] {
				from = c
			}
		}
		if from < 0 {
			return
		}
		var who *verdict
		to, cost := -1, math.Inf(1)
		for _, v := range vs {
			if int(v.die.Color)-1 != from {
				continue
			}
			for c := range count {
				if c == from || count[c] >= limit[c] {
					continue
				}
				if k := math.Log(v.ofColor(from)+1e-12) - math.Log(v.ofColor(c)+1e-12); k < cost {
					who, to, cost = v, c, k
				}
			}
		}
		if who == nil {
			return
		}
		count[from]--
		count[to]++
		who.take(to)
	}
}

// without is the kit that is left when some of its dice are accounted for.
func without(kit table.Kit, dice []table.Reading) table.Kit {
	if kit.Dice == nil || len(dice) == 0 {
		return kit
	}
	left := map[table.Color]int{}
	for c, n := range kit.Dice {
		left[c] = n
	}
	for _, d := range dice {
		left[d.Color] = max(left[d.Color]-1, 0)
	}
	kit.Dice = left
	return kit
}

// take gives the die another color, with the most likely face in it.
func (v *verdict) take(c int) {
	v.overrode = true
	v.die.Color, v.p = table.Colors[c], -1
	for f, p := range v.joint[c] {
		if p > v.p {
			v.p, v.die.Face = p, f
		}
	}
}
