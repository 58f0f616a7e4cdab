package diceflick

import "math"

// pace is what is known of how much time the players take: for a flick, for what lies between two turns, and
// how regular they are. It is a probability of each of a grid of such triples, learned from the times at
// which dice are seen to come and go, so that people who play regularly are followed closely, and of
// those who do not the time says little.
type pace struct {
	chance []float64 // of each of the paces
}

// stretch is what may have happened in a stretch of time.
type stretch struct{ flicks, turns int }

// outlook is how likely a time is for a stretch, and what is known of the pace then.
type outlook struct {
	log  float64
	then *pace
}

// The grid: seconds for a flick, for the end of a turn in flicks, and the spread of both as a logarithm.
const (
	shortestFlick = 0.6
	flickStep     = 1.5
	flickSteps    = 12
)

var (
	turnTimes = [...]float64{.4, 1.2, 3, 7}
	spreads   = [...]float64{.15, .35, .7}
)

// Somebody talks or looks for a die: then all takes longer, and nobody knows how long.
const (
	pauseChance = 0.07
	pauseLength = 3.0
	pauseSpread = 1.0
	leastTime   = 0.3 // seconds; quicker is nobody
)

// newPace knows nothing yet, but that few people are as regular as a clock.
func newPace() *pace {
	p := &pace{chance: make([]float64, flickSteps*len(turnTimes)*len(spreads))}
	irregular := [...]float64{.1, .45, .45}
	for i := range p.chance {
		p.chance[i] = irregular[i%len(spreads)] / float64(flickSteps*len(turnTimes))
	}
	return p
}

// likelihoods is how likely it is by each pace that a stretch took so many seconds. They are the same for all who ask, so that they
// are worked out once (times).
func likelihoods(seconds float64, s stretch) []float64 {
	list := make([]float64, 0, flickSteps*len(turnTimes)*len(spreads))
	x, flick := math.Log(max(seconds, leastTime)), shortestFlick
	for range flickSteps {
		for _, turn := range turnTimes {
			away := x - math.Log(flick*(float64(s.flicks)+turn*float64(s.turns)))
			slow := pauseChance * bell(away-math.Log(pauseLength), pauseSpread)
			for _, spread := range spreads {
				list = append(list, (1-pauseChance)*bell(away, spread)+slow)
			}
		}
		flick *= flickStep
	}
	return list
}

// times remembers likelihoods of what is seen or said at one time.
type times map[lasted][]float64

type lasted struct {
	seconds float64
	stretch stretch
}

func (t times) of(seconds float64, s stretch) []float64 {
	k := lasted{seconds, s}
	if _, known := t[k]; !known {
		t[k] = likelihoods(seconds, s)
	}
	return t[k]
}

// took is how likely it is that something took as long as that, as a logarithm, and what is known then.
func (p *pace) took(likely []float64) outlook {
	then := &pace{chance: make([]float64, len(p.chance))}
	sum := 0.0
	for i, c := range p.chance {
		then.chance[i] = c * likely[i]
		sum += then.chance[i]
	}
	for i := range then.chance {
		then.chance[i] /= sum
	}
	return outlook{math.Log(sum), then}
}

// within is how likely a stretch takes no more than so many seconds.
func (p *pace) within(seconds float64, s stretch) (sum float64) {
	x, flick, i := math.Log(seconds), shortestFlick, 0
	for range flickSteps {
		for _, turn := range turnTimes {
			away := x - math.Log(flick*(float64(s.flicks)+turn*float64(s.turns)))
			for _, spread := range spreads {
				sum += p.chance[i] * below(away/spread)
				i++
			}
		}
		flick *= flickStep
	}
	return sum
}

// below is the normal distribution.
func below(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// mixed is what is known of the pace if it is that of another way with some probability.
func (p *pace) mixed(other *pace, share float64) *pace {
	both := &pace{chance: make([]float64, len(p.chance))}
	for i := range both.chance {
		both.chance[i] = (1-share)*p.chance[i] + share*other.chance[i]
	}
	return both
}

// bell is the normal density.
func bell(x, spread float64) float64 {
	x /= spread
	return math.Exp(-x*x/2) / (spread * math.Sqrt(2*math.Pi))
}
