package vision

import "math"

// A flower or a number on a cloth may look as if it stood there. But a die is read plainly, in a color and with a
// face that the game has, and is as large as the others. That is asked last, of what is on no square, when all
// of it is known.

const (
	leastAsDie  = 2.4  // of all that speaks for a die, as a logarithm of odds
	plainWeight = 0.7  // of the logarithm of what is in doubt of color and face
	leastDoubt  = 1e-3 // to which that counts
	fitsFloor   = 3e-3 // and to which it does that it fits the game
	sizeWeight  = 0.2  // of a size that is off by unlikeSize, and with its square
	sizeMost    = 9.0  // squares up to which it counts
)

// readAsDie says whether something on no square is read as a die is. Of 6,145 readings of dice, beside grids and loose, in
// 832 pictures 11 are not, eight of them wrong anyway; of 199 of things that are none about 100 are not.
func (v *verdict) readAsDie(unlike float64) bool {
	odds := logit(v.isDie) + math.Log(math.Max(v.fits, fitsFloor)) - plainWeight*math.Log(math.Max(1-v.p, leastDoubt))
	if e := unlike / unlikeSize; !math.IsInf(e, 1) {
		odds -= sizeWeight * math.Min(e*e, sizeMost)
	}
	return odds >= leastAsDie
}

// withoutIllegible leaves out what is on no square and is not read as a die is.
func (s *scene) withoutIllegible(dice []placed, told []int, vs []*verdict) ([]int, []*verdict) {
	all := len(told)
	told, vs = keep(told, vs, func(i int, v *verdict) bool {
		return dice[i].square != nil || v.readAsDie(dice[i].unlike)
	})
	s.beyondDoubt = s.beyondDoubt && len(told) == all
	return told, vs
}

// keep is those dice that are told, and their verdicts, of which ok says so.
func keep(told []int, vs []*verdict, ok func(i int, v *verdict) bool) ([]int, []*verdict) {
	n := 0
	for k, i := range told {
		if ok(i, vs[k]) {
			told[n], vs[n] = i, vs[k]
			n++
		}
	}
	return told[:n], vs[:n]
}
