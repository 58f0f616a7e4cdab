package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// onItsWay is how often a die that has left its place while nothing else changed is held in a hand or
// not seen, to how often it was played.
const onItsWay = 0.1

// plainFace is from where on two readings of one die leave no doubt about its face (rules.DefaultMargin).
const plainFace = 0.95

// leastColor is the probability of a color below which a reading is not of it, whatever seems to have left.
const leastColor = 1e-4

// byRest is the view with what came to the board, if it is not surely read, as it must be where every
// other die of the game is known and lies where it lay: it is the one that has left its place, of the
// color of that one, and shows the face that was read beside the board.
func (m *Match) byRest(obs table.Observation) table.Observation {
	at := m.onlyChange(obs)
	if at < 0 || obs.Dice[at].Sure {
		return obs
	}
	r := obs.Dice[at]
	was := m.onlyLeft(obs)
	if was == nil || r.Colors[was.Color] < leastColor {
		return obs
	}
	faces := asShares(r.Faces)
	none := 1 - rules.Existence(&r)
	if was.Square == nil && was.shy == 0 && !was.away && none < 1-enoughIllegal { // else it may lie on another square
		none *= onItsWay
	}
	there := (1 - none) * r.Colors[was.Color]
	there /= there + none // the less its color fits, the rather it is not a die
	if both := bothFaces(r, was.Reading); was.Square == nil && slices.Max(both[:]) > plainFace {
		faces = both
	}
	r.Colors = certain(r, was.Die).Colors
	r.Color, r.Face, r.Faces = was.Color, slices.Index(faces[:], slices.Max(faces[:])), faces
	r.Confidence = there * faces[r.Face]
	obs.Dice = slices.Clone(obs.Dice)
	obs.Dice[at] = r
	return obs
}

// onlyChange is the one reading on the board of another die than should be there; -1: there is
// none, or more than one.
func (m *Match) onlyChange(obs table.Observation) int {
	want, at := m.line.now().Expect().Squares, -1
	for i, r := range obs.Dice {
		if r.Square == nil || want[*r.Square] == r.Die {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

// onlyLeft is the one die of all that lay on the board and beside it that has left its place, as it
// was read there; nil: the others are not known, or not all in view.
func (m *Match) onlyLeft(obs table.Observation) *spare {
	if !m.allKnown {
		return nil
	}
	gone, came := m.sinceBeside(obs)
	read := boardOf(obs)
	for sq, d := range m.line.now().Expect().Squares {
		if read[sq] != d {
			gone = append(gone, spare{Reading: certain(table.Reading{Square: &sq}, d)})
		}
	}
	if len(gone) != 1 || len(came) > 0 || len(m.lost) > 0 {
		return nil
	}
	return &gone[0]
}

// plainWith says whether an earlier reading of a die and the one on a square leave no doubt about its face.
func plainWith(before table.Reading, at table.Square, obs table.Observation) bool {
	var now table.Reading
	for _, r := range obs.Dice {
		if r.Square != nil && *r.Square == at {
			now = r
		}
	}
	return bothFaces(now, before)[before.Face] > plainFace
}

// bothFaces is what the reading of a die tells of its face with an earlier one, which may be wrong.
func bothFaces(a, b table.Reading) (faces [7]float64) {
	p, q := anyFace(a), anyFace(b)
	for f := range faces {
		faces[f] = p[f] * max(q[f], leastSame)
	}
	return asShares(faces)
}

// anyFace is the faces that a reading may be of: what it leaves open may be any of them.
func anyFace(r table.Reading) [7]float64 {
	open := 1.0
	for _, p := range r.Faces {
		open -= p
	}
	for f := 1; f < len(r.Faces); f++ {
		r.Faces[f] += max(open, 0) / float64(len(r.Faces)-1)
	}
	return r.Faces
}

// asShares is probabilities made to add up to one.
func asShares(faces [7]float64) [7]float64 {
	sum := 0.0
	for _, p := range faces {
		sum += p
	}
	for f := range faces {
		faces[f] /= max(sum, 1e-9)
	}
	return faces
}
