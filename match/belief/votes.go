package belief

import (
	"math"

	"diceref/rules"
	"diceref/table"
)

// votes is what the readings of a view say about one square.
type votes struct {
	times  float64 // readings with a die on it
	sure   int     // of them sure
	weight float64 // of what is summed up in its Look
	dice   map[table.Die]float64
}

// poolSquares sums up what the readings say about each square. The readings of a view err alike, as they are of nearly the same picture, so
// their mean counts, and not their product: of colors and faces the geometric one (a logarithmic opinion pool), as an error that
// only some of the readings make is not one of the picture.
func (s *Sight) poolSquares(readings []table.Observation) {
	var all [table.Size * table.Size]votes
	for n := range readings {
		at := onSquares(readings[n].Grid)
		for i := range readings[n].Dice {
			r := &readings[n].Dice[i]
			if r.Square == nil || !r.Square.On() || s.hidden[*r.Square] {
				continue
			}
			k := r.Square.Index()
			l := &s.Squares[k]
			if l.placed = false; at != nil {
				l.at = at(r.At)
				l.placed = beyond(*r.Square, l.at) == 0
			}
			all[k].add(r)
			all[k].weight += l.add(r, s.least)
		}
	}
	for k := range s.Squares {
		if all[k].dice != nil {
			s.settle(&s.Squares[k], &all[k], len(readings))
		}
	}
}

// add counts one more reading of a square.
func (v *votes) add(r *table.Reading) {
	if v.dice == nil {
		v.dice = map[table.Die]float64{}
	}
	v.times++
	v.dice[r.Die] += r.Confidence + 1e-6
	if r.Sure {
		v.sure++
	}
}

// add adds up the logarithms of a reading's probabilities, and tells its weight.
func (l *Look) add(r *table.Reading, least int) (weight float64) {
	l.There += existence(r)
	faces, colors := r.Faces, r.Colors
	if total(faces[:]) == 0 || total(colors[:]) == 0 {
		faces, colors = spread(r)
	}
	weight = existence(r) + 1e-9
	for f := least; f < len(faces); f++ {
		l.faces[f] += math.Log(max(faces[f], model.Floor)) * weight
	}
	for c := 1; c < len(colors); c++ {
		l.colors[c] += math.Log(max(colors[c], model.Floor)) * weight
	}
	return weight
}

// settle makes probabilities of what was added up of a square, by that many readings of the view.
func (s *Sight) settle(l *Look, v *votes, readings int) {
	sharper := 1.0
	if s.Game.Kit().Layout == table.Arena {
		sharper = model.Sharper
	}
	pool(l.faces[:], s.least, v.weight/sharper)
	pool(l.colors[:], 1, v.weight/sharper)
	l.Die = mostVoted(v.dice)
	known := func(p float64) float64 { return min(max(p, model.Least), 1-model.Phantom) }
	l.wrong, l.there, l.There = model.Wrong, known(l.There/v.times), known(l.There/float64(readings))
	if 2*v.sure > readings {
		l.wrong, l.There = model.SurelyWrong, 1-model.SurePhantom
		l.there = l.There
	}
}

// mostVoted is the die with the most votes; of several the one whose color and face come first.
func mostVoted(of map[table.Die]float64) (best table.Die) {
	for d, v := range of {
		if w := of[best]; best.Color == table.NoColor || v > w || v == w && (d.Color < best.Color || d.Color == best.Color && d.Face < best.Face) {
			best = d
		}
	}
	return best
}

// pool makes probabilities of the weighted sums of logarithms; the first is of nothing that can be.
func pool(p []float64, first int, weight float64) {
	sum := 0.0
	for i := first; i < len(p); i++ {
		p[i] = math.Exp(p[i] / weight)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
}

// existence is the probability that there is a die at all, whatever it shows.
func existence(r *table.Reading) float64 { return rules.Existence(r) }

// spread is the probabilities of a reading of which only the confidence is known.
func spread(r *table.Reading) (faces [7]float64, colors [10]float64) {
	share := math.Sqrt(max(r.Confidence, 1e-3))
	for f := 1; f <= 6; f++ {
		faces[f] = (1 - share) / 5
	}
	for _, c := range table.Colors {
		colors[c] = (1 - share) / float64(len(table.Colors)-1)
	}
	faces[min(max(r.Face, 0), 6)], colors[min(max(int(r.Color), 0), 9)] = share, share
	return faces, colors
}

func total(p []float64) (sum float64) {
	for _, v := range p {
		sum += v
	}
	return sum
}
