// Package readings makes readings of dice for tests: sure ones, and ones in doubt.
package readings

import (
	"math/rand/v2"

	"diceref/table"
)

// Sure is a reading that is right and sure. Square is where the die stands on a board; nil: on none.
func Sure(d table.Die, square *table.Square, at table.Point) table.Reading {
	r := table.Reading{Die: d, Square: square, At: at, Confidence: .995, Sure: true}
	r.Faces[d.Face], r.Colors[d.Color] = 1, 1
	return r
}

// Doubt makes a reading say another face with probability p, the right one with the rest.
func Doubt(r *table.Reading, face int, p float64) {
	right := r.Face
	r.Face, r.Sure, r.Confidence = face, false, p
	r.Faces = [7]float64{}
	r.Faces[right] += 1 - p
	r.Faces[face] += p
}

// Waver makes a reading doubtful: another face is about as likely, and may be read.
func Waver(r *table.Reading, rng *rand.Rand) {
	was := r.Face
	other := 1 + (was+rng.IntN(5))%6
	if other == was {
		other = 1 + was%6
	}
	r.Sure, r.Confidence = false, 0.6
	r.Faces = [7]float64{}
	r.Faces[was], r.Faces[other] = 0.5, 0.45
	if rng.IntN(2) == 0 {
		r.Face = other
		r.Faces[was], r.Faces[other] = 0.45, 0.5
	}
}

// Color is a color of a game's dice, by chance.
func Color(rng *rand.Rand, g table.Game) table.Color {
	for {
		if c := table.Colors[rng.IntN(len(table.Colors))]; g.Kit().Dice[c] > 0 {
			return c
		}
	}
}
