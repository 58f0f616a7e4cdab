package rules

import (
	"math"

	"diceref/table"
)

// The price of calling a reading wrong, as -ln of how likely that is.
const (
	priceSure    = 7.0 // a reading that the program would act upon
	pricePhantom = 8.0 // such a reading where nothing lies
	priceMissing = 7.0 // a die on the board was not seen, in a view that is free and still
	priceMost    = 9.0 // no reading is surer than this
	priceAway    = 1.0 // a die beside the board was not seen: it may lie out of view
)

// misfit is how wrong the readings must be if the table is as the view says.
func misfit(v table.View, seen table.Observation) (cost float64, wrong []Misread) {
	var by [table.Size * table.Size]*table.Reading
	for i := range seen.Dice {
		r := &seen.Dice[i]
		if r.Square == nil || !r.Square.On() {
			continue
		}
		if at := &by[r.Square.Index()]; *at == nil || r.Confidence > (*at).Confidence {
			*at = r
		}
	}
	want := ExpectedBoard(v)
	for i, r := range by {
		is := want[i]
		switch {
		case r == nil && is.Color == table.NoColor:
			continue
		case r == nil:
			cost += priceMissing
			wrong = append(wrong, Misread{Square: table.SquareAt(i), Is: is})
		case r.Die != is:
			cost += unlike(r, is)
			wrong = append(wrong, Misread{table.SquareAt(i), r.Die, is})
		}
	}
	if v.LooseKnown {
		cost += looseFit(v.Loose, SeenLoose(seen))
	}
	return cost, wrong
}

// unlike is the price of calling a reading wrong that is really the die is, or no die at all.
func unlike(r *table.Reading, is table.Die) float64 {
	if is.Color == table.NoColor {
		if r.Sure {
			return pricePhantom
		}
		there := Existence(r)
		return min(clamp(math.Log(there/(1-there)), 0.5), pricePhantom)
	}
	least := 0.0
	if r.Sure {
		least = priceSure
	}
	if total(r.Faces[:]) > 0 && total(r.Colors[:]) > 0 {
		face := ratio(r.Faces[index(r.Face, 7)], r.Faces[index(is.Face, 7)])
		color := ratio(r.Colors[index(int(r.Color), 10)], r.Colors[index(int(is.Color), 10)])
		return clamp(face+color, least)
	}
	// Nothing but the confidence: what it leaves is spread over eight other readings.
	return clamp(ratio(r.Confidence, (1-r.Confidence)/8), least)
}

// Existence is the probability that there is a die at all, whatever it shows.
func Existence(r *table.Reading) float64 {
	if total(r.Faces[:]) == 0 || total(r.Colors[:]) == 0 {
		return 1 - (1-r.Confidence)/4 // most doubts are about the face
	}
	known := r.Faces[index(r.Face, 7)] * r.Colors[index(int(r.Color), 10)]
	return min(r.Confidence/max(known, 1e-4), 1)
}

func index(i, n int) int { return min(max(i, 0), n-1) }

// ratio is how much less likely b is than a, as a logarithm.
func ratio(a, b float64) float64 { return math.Log(max(a, 1e-4) / max(b, 1e-4)) }

func clamp(v, least float64) float64 {
	if math.IsNaN(v) {
		return max(least, 0)
	}
	return min(max(v, least, 0), priceMost)
}

func total(p []float64) float64 {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	return sum
}

// countDice counts dice by color and face.
func countDice(dice []table.Die) (n [10][7]int) {
	for _, d := range dice {
		n[index(int(d.Color), 10)][index(d.Face, 7)]++
	}
	return n
}

// looseFit compares dice beside the board that the rules know with those that were
// read: changed values weigh, dice out of view hardly.
func looseFit(want, seen []table.Die) float64 {
	cost := 0.0
	w, s := countDice(want), countDice(seen)
	for c := range w {
		missing, extra := 0, 0
		for f := range w[c] {
			missing += max(w[c][f]-s[c][f], 0)
			extra += max(s[c][f]-w[c][f], 0)
		}
		changed := min(missing, extra)
		cost += float64(changed)*priceSure + float64(missing-changed)*priceAway + float64(extra-changed)*priceAct*2
	}
	return min(cost, 2*priceMost)
}

// looseMisfit is the price of believing that nothing changed beside the board
// although the values read there did: every change calls the weaker of two readings wrong.
func looseMisfit(before, now []table.Reading) float64 {
	cost := 0.0
	for c := range table.Colors {
		was, is := weakest(before, table.Colors[c]), weakest(now, table.Colors[c])
		missing, extra, doubt := 0, 0, 0.0
		for f := range was {
			missing += max(was[f].n-is[f].n, 0)
			extra += max(is[f].n-was[f].n, 0)
			if was[f].n != is[f].n {
				doubt = max(doubt, was[f].doubt, is[f].doubt)
			}
		}
		if missing == extra {
			cost += float64(missing) * clamp(-math.Log(max(doubt, 1e-4)), 0)
		} else if before == nil {
			cost += float64(extra) * priceSure // dice that nobody expected
		}
	}
	return min(cost, 2*priceMost)
}

type tallied struct {
	n     int
	doubt float64 // of the least sure reading
}

// weakest counts the loose dice of a color by face.
func weakest(list []table.Reading, c table.Color) (n [7]tallied) {
	for _, r := range list {
		if r.Square != nil || r.Color != c {
			continue
		}
		t := &n[index(r.Face, 7)]
		t.n++
		d := 1 - r.Confidence
		if r.Sure {
			d = min(d, math.Exp(-priceSure))
		}
		t.doubt = max(t.doubt, d)
	}
	return n
}
