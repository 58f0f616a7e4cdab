package tableplan

import (
	"math"
	"math/rand/v2"
	"slices"

	"diceref/calibration"
	"diceref/match/internal/readings"
	"diceref/table"
)

// Flaw spoils how a picture of a game is read.
type Flaw struct {
	Name  string
	Spoil func(*rand.Rand, []calibration.Zone, *table.Observation)
}

// Flaws spoil a picture honestly: what is wrong is not sure.
var Flaws = []Flaw{
	{"none", func(*rand.Rand, []calibration.Zone, *table.Observation) {}},
	{"a face misread", onLoose(func(rng *rand.Rand, r *table.Reading) {
		if face := 1 + rng.IntN(6); face != r.Face {
			readings.Doubt(r, face, .4+.5*rng.Float64())
		}
	})},
	{"a color misread", onLoose(func(rng *rand.Rand, r *table.Reading) {
		c, p, right := readings.Color(rng, table.DiceCreams), .4+.5*rng.Float64(), r.Color
		if c != right {
			r.Color, r.Sure, r.Confidence = c, false, p
			r.Colors = [10]float64{}
			r.Colors[right], r.Colors[c] = 1-p, p
		}
	})},
	{"several unsure", func(rng *rand.Rand, _ []calibration.Zone, o *table.Observation) {
		for i := range o.Dice {
			if rng.IntN(6) == 0 {
				readings.Waver(&o.Dice[i], rng)
			}
		}
	}},
	{"a die not seen", func(rng *rand.Rand, _ []calibration.Zone, o *table.Observation) {
		if n := len(o.Dice); n > 0 {
			i := rng.IntN(n)
			o.Dice = slices.Delete(o.Dice, i, i+1)
		}
	}},
	{"a die invented", func(rng *rand.Rand, _ []calibration.Zone, o *table.Observation) {
		ghost := readings.Sure(table.Die{Color: readings.Color(rng, table.DiceCreams), Face: 1 + rng.IntN(6)}, nil,
			table.Point{X: Width * rng.Float64(), Y: Height * rng.Float64()})
		ghost.Sure, ghost.Confidence = false, .3+.6*rng.Float64()
		o.Dice = append(o.Dice, ghost)
	}},
	{"a die off its zone", func(rng *rand.Rand, zones []calibration.Zone, o *table.Observation) {
		const far = 40 / Scale
		for _, i := range rng.Perm(len(o.Dice)) {
			if to, ok := beside(rng, zones, o.Dice[i].At, far); ok {
				o.Dice[i].At = to
				return
			}
		}
	}},
}

// onLoose spoils the reading of one die.
func onLoose(spoil func(*rand.Rand, *table.Reading)) func(*rand.Rand, []calibration.Zone, *table.Observation) {
	return func(rng *rand.Rand, _ []calibration.Zone, o *table.Observation) {
		if n := len(o.Dice); n > 0 {
			spoil(rng, &o.Dice[rng.IntN(n)])
		}
	}
}

// beside is a point that far from another, in pixels, and in no zone; false: there is none.
func beside(rng *rand.Rand, zones []calibration.Zone, from table.Point, far float64) (table.Point, bool) {
	const ways = 24
	first := 2 * math.Pi * rng.Float64()
	for i := range ways {
		sin, cos := math.Sincos(first + 2*math.Pi*float64(i)/ways)
		to := table.Point{X: from.X + far*cos, Y: from.Y + far*sin}
		if calibration.ZoneOf(zones, table.Point{X: to.X / Width, Y: to.Y / Height}) < 0 {
			return to, true
		}
	}
	return table.Point{}, false
}

// Spoilt is the views of a game, every sixth with a flaw.
func (f *Flaw) Spoilt(zones []calibration.Zone, views []table.Observation, seed uint64) []table.Observation {
	rng := rand.New(rand.NewPCG(seed, 3))
	views = slices.Clone(views)
	for i, o := range views {
		if i > 0 && rng.IntN(6) == 0 {
			o.Dice = slices.Clone(o.Dice)
			f.Spoil(rng, zones, &o)
			views[i] = o
		}
	}
	return views
}

// FlawOf is the flaw of a name.
func FlawOf(name string) *Flaw {
	return &Flaws[slices.IndexFunc(Flaws, func(f Flaw) bool { return f.Name == name })]
}
