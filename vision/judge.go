package vision

import (
	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/pixels"
)

// Where there is no grid, a die may lie on any table, beside things of any kind. There one network judges all that is proposed: whether
// it is a die's top, and what it shows (see classify.Judge). On boards it gives another opinion of what dice in doubt show.
// Where no game is known either, the dice may be anybody's, of any make, number and size, and a find network of their own proposes them.
// Both learned of photographs, and of drawn tables full of tokens, houses and dice of other shapes.

// leastProposed is the height of a peak that is judged where no game is known: the judge knows better than the find network.
const leastProposed = 0.08

// faceReader tells what tops show, and how they look.
type faceReader interface {
	Read(*pixels.Picture, [][4]table.Point) ([]classify.Glance, error)
}

// loadFor loads what every picture of a game needs.
func (r *Recognizer) loadFor(game table.Game) (err error) {
	if game.Kit().Layout == table.Loose {
		_, err = r.judge.get()
	}
	if err == nil && game == table.Any {
		_, err = r.anyFinder.get()
	}
	return err
}

// anybodys says whether the dice may be anybody's.
func (s *scene) anybodys() bool { return s.finder != nil && s.finder == s.r.anyFinder.loaded }

// judged says whether the judge reads the scene's dice.
func (s *scene) judged() bool { return s.kit.Layout == table.Loose }

// markJudged tells how plainly tops stand by what the judge makes of them.
func markJudged(dice []placed, glances []classify.Glance) {
	for i := range dice {
		d := &dice[i]
		d.Stands = judgedStanding(&glances[i])
		d.side = d.side || d.contested && !d.Cut && d.Stands < sideStands
	}
}

func judgedStanding(g *classify.Glance) float64 {
	return min(max(-logit(g.Faces[classify.NoDie]), -standMost), standMost)
}

// agreedStands is what the stand network must say of a top (logarithm of odds) to back the judge.
const agreedStands = 1.0

// markUnbacked marks tops that plainly stand by the judge's word alone: neither the find network plainly sees a top, nor the stand network
// one that stands. What one network takes for a die may be a picture of one: two of the three must agree. Of anybody's dice neither of the
// others has learned.
func (s *scene) markUnbacked(dice []placed) error {
	if s.anybodys() {
		return nil
	}
	var which []int
	var outlines [][4]table.Point
	for i := range dice {
		if d := &dice[i]; d.Score < plainTop && d.Stands >= plainlyStands {
			which, outlines = append(which, i), append(outlines, d.Outline)
		}
	}
	odds, err := s.r.stander.Odds(s.px, outlines)
	for k, v := range odds {
		dice[which[k]].unbacked = v < agreedStands
	}
	return err
}
