package vision

import (
	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/detect"
	"diceref/vision/pixels"
)

// Where no game is known, the dice may be anybody's: of any make, number and size, on any table, beside things of any
// kind. One find network proposes tops there, and one network judges all that it proposes (see classify.Anybody).
// Both learned of photographs, and of drawn tables full of tokens, houses and dice of other shapes.

// leastProposed is the height of a peak there that is judged: the judge knows better than the find network.
const leastProposed = 0.08

// faceReader tells what tops show, and how they look.
type faceReader interface {
	Read(*pixels.Picture, [][4]table.Point) ([]classify.Glance, error)
}

// loadForAny loads these networks when they are asked for the first time: nobody who plays a game needs their memory.
func (r *Recognizer) loadForAny() error {
	if r.anyFinder != nil {
		return nil
	}
	find, err := loadModel(r.anyModel, "any_find")
	if err != nil {
		return err
	}
	top, err := loadModel(r.topModel, "top")
	if err != nil {
		find.Close()
		return err
	}
	r.anyFinder, r.anybody = detect.NewFinder(find, leastProposed), classify.NewAnybody(r.reader, top)
	return nil
}

// anybodys says whether the dice may be anybody's.
func (s *scene) anybodys() bool { return s.finder != nil && s.finder == s.r.anyFinder }

// markSeenStanding tells how plainly tops stand by what the network that reads anybody's dice makes of them.
func markSeenStanding(dice []placed, glances []classify.Glance) {
	for i := range dice {
		d := &dice[i]
		d.Stands = seenStanding(&glances[i])
		d.side = d.side || d.contested && !d.Cut && d.Stands < sideStands
	}
}

func seenStanding(g *classify.Glance) float64 {
	return min(max(-logit(g.Faces[classify.NoDie]), -standMost), standMost)
}
