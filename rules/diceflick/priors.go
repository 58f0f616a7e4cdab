package diceflick

import (
	_ "embed"
	"encoding/json"
)

// Priors are how often players do things, as counted in games of which all is known.
type Priors struct {
	Miss          float64 `json:"miss"`           // a flick brings no die to rest in the arena
	BonusDeclined float64 `json:"bonus_declined"` // a bonus flick is not made
	TakesNone     float64 `json:"takes_none"`     // nothing is scored, where something could be
	TakesOther    float64 `json:"takes_other"`    // other dice are scored than those that bring most
}

//go:embed priors.json
var priorsFile []byte

var prior = readPriors(priorsFile)

func readPriors(text []byte) (p Priors) {
	if err := json.Unmarshal(text, &p); err != nil {
		panic("diceflick: " + err.Error()) // it is part of the program
	}
	return p
}

// Counted counts what players do in games.
type Counted struct{ misses, flicks, declined, bonuses, none, other, scores float64 }

// Count adds a move that is made in a position.
func (c *Counted) Count(s *State, mv any) {
	switch mv := mv.(type) {
	case Flick:
		c.flicks++
		if must, _ := s.FlicksLeft(); must == 0 {
			c.bonuses++
		}
		if !mv.Rests {
			c.misses++
		}
	case Score:
		_, may := s.FlicksLeft()
		c.declined += float64(may)
		c.bonuses += float64(may)
		best := s.Best()
		if best.Score == 0 {
			return
		}
		c.scores++
		switch mv.Removed {
		case best.Removed:
		case 0:
			c.none++
		default:
			c.other++
		}
	}
}

// Priors is the counts as shares; what was never seen is not taken for impossible.
func (c *Counted) Priors() Priors {
	share := func(n, of float64) float64 { return (n + 0.5) / (of + 1) }
	return Priors{share(c.misses, c.flicks), share(c.declined, c.bonuses), share(c.none, c.scores), share(c.other, c.scores)}
}
