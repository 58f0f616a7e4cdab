package match

import (
	"fmt"
	"slices"

	"diceref/rules"
)

// crossing is a position beside a view. Many stories lead through it, again and again as they get longer:
// what there is to find out about it is found out once.
type crossing struct {
	rules.State
	fit   float64 // how wrong the readings must be if the table is so; below 0: not known yet
	heard []*way  // the acts that were said, by their order
	ways  [onwards][]*way
}

// way is an act in a position, and what comes of it.
type way struct {
	mv     rules.Move
	price  float64 // of the act in itself
	judged bool    // whether it is illegal is known,
	err    error   // and why
	played bool    // where it leads is known:
	to     *crossing
	line   []rules.Move // the act, and those that it forces; empty: it cannot be played at all
}

// onward is which ways on from a crossing a story may take.
type onward int

const (
	rightly    onward = iota // acts that the rules allow,
	astray                   // the same where the story has gone against them,
	anyhow                   // acts that go against the rules too,
	learning                 // what the view tells of dice that lay there before,
	relearning               // the same where the story has gone against the rules
	onwards
)

// goFrom has the search go on from a tale. The crossings are those of all tales to which the same dice are lost.
func (z *zoneSearch) goFrom(base *hypothesis) {
	z.base, z.seen.lost = base, base.lost
	lost := fmt.Sprint(base.lost)
	if z.crossings[lost] == nil {
		if z.crossings == nil {
			z.crossings = map[string]map[string]*crossing{}
		}
		z.crossings[lost] = map[string]*crossing{}
	}
	z.met = z.crossings[lost]
}

// crossing is where a position is met.
func (z *zoneSearch) crossing(s rules.State) *crossing {
	const unknown = -1
	fresh := &crossing{State: s, fit: unknown}
	k, ok := s.(interface{ Key() string })
	if !ok {
		return fresh
	}
	key := k.Key()
	if z.met[key] == nil {
		z.met[key] = fresh
	}
	return z.met[key]
}

// fit is how wrong the readings must be if the table is so.
func (z *zoneSearch) fit(c *crossing) float64 {
	if c.fit < 0 {
		c.fit = misfitZones(z.g.piles(c.State), z.seen, worthALook)
	}
	return c.fit
}

// ways lists the ways on from a crossing.
func (z *zoneSearch) ways(c *crossing, how onward) []*way {
	if c.ways[how] != nil {
		return c.ways[how]
	}
	list := []*way{}
	var moves []rules.Move
	switch how {
	case rightly, astray:
		z.seen.accuses = how == astray
		moves = z.g.toward(c.State, z.seen)
	case anyhow:
		list = slices.Clone(z.ways(c, rightly))
		moves = z.g.astray(c.State, z.seen)
	case learning, relearning:
		z.seen.accuses = how == relearning
		if g, ok := z.g.(learner); ok {
			moves = g.learned(c.State, z.seen)
		}
	}
	for _, mv := range moves {
		list = append(list, &way{mv: mv, price: z.g.price(c.State, mv)})
	}
	z.looked += len(moves)
	c.ways[how] = list
	return list
}

// told is the act that was said after so many others; nil: it means nothing here.
func (z *zoneSearch) told(c *crossing, said int) *way {
	if c.heard == nil {
		c.heard = make([]*way, len(z.said))
	}
	if c.heard[said] == nil {
		if mv, err := z.said[said].mean(c.State); err == nil {
			c.heard[said] = &way{mv: mv}
		}
	}
	return c.heard[said]
}

// illegal is why a way goes against the rules.
func (w *way) illegal(c *crossing) error {
	if !w.judged {
		w.judged, w.err = true, c.Check(w.mv)
	}
	return w.err
}

// take is where a way leads; nil where it cannot be played at all.
func (z *zoneSearch) take(c *crossing, w *way) *crossing {
	if !w.played {
		w.played = true
		if s, err := c.Apply(w.mv); err == nil {
			s, w.line = follow(z.g, s, []rules.Move{w.mv})
			w.to = z.crossing(s)
		}
	}
	return w.to
}
