package vision

import (
	"errors"

	"gocv.io/x/gocv"

	"diceref/table"
)

// What is printed flat on a board, a mat or a card, and the side of a die, may look
// just like a top. What lies around it tells them apart: a die that stands shows its
// sides, its edges and its shadow.

const (
	standWeight   = 0.8
	asideWeight   = 1.2  // of what may be a side, which the network knows best
	sureStands    = -1.0 // logarithm of odds below which nothing is sure
	sideStands    = -1.0 // and below which a top that may be a side is one
	standMost     = 5.0  // logarithm of odds
	plainlyStands = 4.5  // logarithm of odds of what stands beyond doubt
	// Scores of the find network above which nobody else is asked: of any top, and of one in a
	// square, where little but dice lies.
	plainlyDie, plainlyOnSquare = 0.95, 0.85
)

// markStanding asks about all tops but those that are plainly dice. One that may as well be
// the side of another is taken for that if it does not stand.
func (s *scene) markStanding(px *pixels, dice []placed) error {
	var asked []int
	var outlines [][4]table.Point
	for i := range dice {
		plainly := plainlyDie
		if dice[i].square != nil {
			plainly = plainlyOnSquare
		}
		if (dice[i].score < plainly || dice[i].contested) && !dice[i].cut {
			asked, outlines = append(asked, i), append(outlines, dice[i].outline)
		}
	}
	odds, err := s.r.stander.odds(px, outlines)
	for k, i := range asked {
		if err == nil {
			d := &dice[i]
			d.stands = min(max(odds[k], -standMost), standMost)
			d.side = d.side || d.contested && d.stands < sideStands
		}
	}
	return err
}

// stander runs the stand network over the surroundings of tops.
type stander struct{ net gocv.Net }

func newStander(model []byte) (*stander, error) {
	net, err := gocv.ReadNetFromONNXBytes(model)
	if err != nil || net.Empty() {
		return nil, errors.New("vision: cannot load the stand model; the program's build is damaged")
	}
	return &stander{net}, nil
}

func (s *stander) close() { s.net.Close() }

// odds tells for every outline the odds (logarithm) that it is the top of a die
// that stands there; 0 for one that cannot be cropped.
func (s *stander) odds(p *pixels, outlines [][4]table.Point) ([]float64, error) {
	if len(outlines) == 0 {
		return nil, nil
	}
	blob, usable, err := p.crops(standFraming, outlines, 0, nil)
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	s.net.SetInput(blob, "surroundings")
	answer := s.net.Forward("stands")
	defer answer.Close()
	odds, err := answer.DataPtrFloat32()
	if err != nil || len(odds) != len(outlines) {
		return nil, errors.New("vision: the stand model answers in an unknown form")
	}
	out := make([]float64, len(outlines))
	for i, v := range odds {
		if usable[i] {
			out[i] = float64(v)
		}
	}
	return out, nil
}
