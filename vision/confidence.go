package vision

import (
	"math"

	"diceref/table"
)

// How likely the reading of a die on no square is right is told by all the evidence there is of it, weighed by a logistic regression that was
// fitted to photographs and rendered tables (training/confidence.py). It is sure from one probability on: the lowest from which on no more
// than 2 in 100 are wrong on photographs that the weights were not fitted to, with nine chances in ten (Clopper and Pearson 1934).
// Of 818 readings there, those that may be sure and are at least so likely, and how many of them are wrong:
//
//	0.995  0.99  0.985  0.98  0.974  0.97  0.95  0.9  0.8  0.5
//	  173   266    300   320    341   351   387  412  440  466
//	    0     0      1     2      3     4     9   11   19   30
const sureFrom = 0.974

// evidence is what is known of a reading, in the order of evidenceOf; each number speaks for it the more the larger it is.
type evidence [12]float64

// evidenceNames and evidenceWeights are in that order, too. The first is constant.
var (
	evidenceNames   = [len(evidence{})]string{"constant", "color", "face", "weaker", "fits", "found", "stands", "steep", "outline", "alike", "game", "several"}
	evidenceWeights = evidence{-4.436, 0.161, 0.338, 0.376, 0.784, 0.562, 0.480, 2.181, 1.677, 0.029, 0.986, 0.654}
)

// evidenceOf gathers what is known of a die as it was read.
func (s *scene) evidenceOf(d *placed, v *verdict) evidence {
	color, face := logit(v.ofColor(int(v.die.Color)-1)), logit(v.ofFace(v.die.Face))
	unlike := 0.0
	if !math.IsInf(d.unlike, 1) {
		unlike = min(square(d.unlike/unlikeSize), 9)
	}
	is := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	bounded := func(x, low, high float64) float64 { return min(max(x, low), high) }
	return evidence{
		1,
		bounded(color, -2, 7),
		bounded(face, -2, 7),
		bounded(min(color, face), -2, 7),
		bounded(math.Log(v.fits), -6, 0),
		bounded(logit(d.score), -3, 4),
		bounded(d.stands, -standMost, standMost),
		bounded(math.Log(flatness(&d.outline)), -1.5, 0), // how steeply the camera looks down on it
		is(!d.refitted), // its outline is the find network's
		-unlike,
		is(s.obs.Game != table.Any), // people who play one have its dice on the table
		is(v.die.Face != 1),         // one dot is soon seen in something
	}
}

// recordEvidence, where it is set, is told all evidence, of which confidence, and whether anything else keeps that reading from being sure.
var recordEvidence func(confidence float64, may bool, e *evidence)

// probability is how likely a reading with that evidence is right.
func (e *evidence) probability() float64 {
	sum := 0.0
	for k, x := range e {
		sum += evidenceWeights[k] * x
	}
	return sigmoid(sum)
}

func square(x float64) float64 { return x * x }
