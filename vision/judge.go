package vision

import (
	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/detect"
	"diceref/vision/net"
	"diceref/vision/pixels"
)

// Where there is no grid, a die may lie on any table, beside things of any kind. There one network judges all that is proposed: whether
// it is a die's top, and what it shows (see classify.Judge). Where no game is known either, the dice may be anybody's, of any make,
// number and size, and a find network of their own proposes them.
// Both learned of photographs, and of drawn tables full of tokens, houses and dice of other shapes.

// leastProposed is the height of a peak that is judged where no game is known: the judge knows better than the find network.
const leastProposed = 0.08

// faceReader tells what tops show, and how they look.
type faceReader interface {
	Read(*pixels.Picture, [][4]table.Point) ([]classify.Glance, error)
}

// loadFor loads the networks that read loose dice when they are asked for the first time: nobody who plays on a board needs their memory.
func (r *Recognizer) loadFor(game table.Game) error {
	if r.judge == nil {
		top, err := loadModel(r.topModel, "top")
		if err != nil {
			return err
		}
		r.judge = classify.NewJudge(r.reader, top)
		net.GiveBack() // what reading the model took
	}
	if game == table.Any && r.anyFinder == nil {
		find, err := loadModel(r.anyModel, "any_find")
		if err != nil {
			return err
		}
		r.anyFinder = detect.NewFinder(find, leastProposed)
	}
	return nil
}

// anybodys says whether the dice may be anybody's.
func (s *scene) anybodys() bool { return s.finder != nil && s.finder == s.r.anyFinder }

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

// Logarithms of odds between which a top on a board is in doubt.
const doubtFrom, doubtTo = -10.0, 6.0

// askJudge asks about the tops on squares that the find network and the stand network leave in doubt. The stand network knows print best, the
// judge dice that are half hidden or seen from straight above: what counts is the mean of both words.
func (s *scene) askJudge(dice []placed) error {
	var doubtful []*placed
	var outlines [][4]table.Point
	for i := range dice {
		d := &dice[i]
		if l := leaningOf(&d.Top); d.square != nil && !d.Cut && l > doubtFrom && l < doubtTo {
			doubtful, outlines = append(doubtful, d), append(outlines, d.Outline)
		}
	}
	odds, err := s.r.judge.Odds(s.px, pixels.InTurns(outlines, 0, 1, 2, 3))
	if err != nil {
		return err
	}
	for i, d := range doubtful {
		word := 0.0
		for turn := range 4 {
			word += odds[turn*len(doubtful)+i] / 4
		}
		d.Stands = min(max((word+d.Stands)/2, -standMost), standMost)
	}
	return nil
}

// leaningOf is what the find network and the stand network say together of a top's being a die's, as a logarithm of odds.
func leaningOf(t *detect.Top) float64 {
	return findWeight*logit(t.Score) + standWeight*t.Stands + priorDie
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
