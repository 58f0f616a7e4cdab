package diceflick

import (
	"errors"
	"math"

	"diceref/rules"
	"diceref/scoring"
)

// The words of this game that tell of a turn, as they are declared.
const (
	SayMiss = "miss"
	SayNext = "next"
	SayOver = "over" // the game is
)

// Glimpse is what is seen or said of a turn: a flick, or the word that a turn is over. Whose it is nobody sees.
type Glimpse struct {
	At    float64       // seconds since the table was first seen
	Flick *Flick        // a die that came to rest, or one that missed and was seen to move others; By does not count
	Took  scoring.Holes // dice that had left the arena before it
	Left  scoring.Holes // dice that were gone as it came in, and not from its hole; they are among its shifts
	Say   string        // SayMiss (with Flick: what it did to others), SayNext, SayOver, or nothing was said
	Score *Score        // of SayNext, as it was told; By does not count
	Shown rules.Player  // whose turn the page showed when it was said
	// Hidden is for how many seconds the arena was hidden at most, since something was last seen to change.
	Hidden float64

	times times
}

// Turns is a game as one follows it who sees which dice come and go, but neither whose they are, nor the flicks that miss,
// nor the ends of turns.
type Turns struct {
	State   *State
	pace    *pace
	at      float64 // when something was last seen to happen
	timed   bool    // at is known
	since   stretch // what has happened after it, as far as was said
	habit   habit
	memo    *memo
	rested  int     // so many dice have come to rest since the game began
	takings *Taking // the last one; nil: none since the beginning
	late    float64 // how much likelier a die that comes to be seen came in with a flick that was taken for a miss (see late.go)
}

// Taking is a score that is not 0, and the dice that were taken out for it.
type Taking struct {
	By     rules.Player
	Round  int
	Points int
	Took   scoring.Holes
	Rested int           // so many dice had come to rest before
	Unseen scoring.Holes // of those that were taken out, one that nobody ever saw
	Before *Taking       // nil: it is the first
}

// note counts a move that is made in a position.
func (t *Turns) note(before *State, mv rules.Move) {
	switch mv := mv.(type) {
	case Flick:
		if t.late *= staysUnread; mv.Rests {
			t.rested++
		}
	case Score:
		if points := before.Points(mv); points > 0 {
			t.takings = &Taking{By: mv.By, Round: before.Round(), Points: points, Took: mv.Removed, Rested: t.rested, Before: t.takings}
		}
	}
}

var _ rules.Follower[Glimpse] = (*Turns)(nil)

// Follow begins to follow a game from a position that is certain.
func Follow(s *State) *Turns { return &Turns{State: s, pace: newPace(), memo: &memo{}} }

// From goes on from another position with what is known of the people.
func (t *Turns) From(s *State) *Turns {
	next := *t
	next.State, next.since = s, stretch{}
	return &next
}

// At is the same with an equal position.
func (t *Turns) At(s *State) *Turns {
	next := *t
	next.State = s
	return &next
}

// habit counts what players have declared, and what they have not.
type habit struct {
	nextSaid, nextUnsaid, missSaid, missUnsaid float64
	others                                     int // words that were said while the page showed another's turn
}

// heedless is how likely it is that one more word is said while the page shows another's turn. Who looks at the page hardly lets
// that stand; who does not look never notices.
func (h habit) heedless() float64 {
	never := func(n int) float64 { return neverLook + (1-neverLook)*math.Pow(declines, float64(n)) }
	return never(h.others+1) / never(h.others)
}

// silent is how likely it is that one who could say something does not: people nearly always say all of it, or nothing.
func silent(said, unsaid float64) float64 {
	const either = 0.15
	return (unsaid + either) / (said + unsaid + 2*either)
}

// Join is the same game with what is known of the people in either of two ways that have led to it, the other with that share.
func (t *Turns) Join(other rules.Follower[Glimpse], share float64) rules.Follower[Glimpse] {
	o, is := other.(*Turns)
	if !is || share < leastShare {
		return t
	}
	next := *t
	next.pace = t.pace.mixed(o.pace, share)
	return &next
}

// Key implements rules.Follower.
func (t *Turns) Key() string {
	s := t.State
	b := make([]byte, 0, 128)
	for _, d := range s.arena.Dice {
		b = append(b, byte(d.Color)<<3|byte(d.Face))
	}
	b = append(b, byte(s.seat), byte(s.round), byte(s.flicks), byte(s.earned), byte(s.required), byte(s.between))
	bonus := s.arena.Markers.Bonus
	b = append(b, byte(bonus), byte(bonus>>8), byte(bonus>>16), byte(bonus>>24))
	for _, line := range s.pad.Rounds {
		for _, n := range line {
			if n == nil {
				b = append(b, 255)
			} else {
				b = append(b, byte(*n))
			}
		}
	}
	return string(b)
}

// How likely the rest is that may happen in a game (see Priors for what can be counted). It is what is believed of people as
// such; how these people play is learned beside it (pace, habit).
const (
	takesWrong  = 1e-5 // just these dice, though no scoring takes them
	knockedOut  = 0.03 // a die that is gone as another comes in was knocked out by it, each
	goneBefore  = 0.03 // the same, though it was gone before
	takenUnseen = 0.1  // dice were scored, and nobody saw it before the next flick
	neverLook   = 0.5  // people say words without looking at the page
	declines    = 0.1  // somebody who looks at it says one while it shows another's turn, and lets that stand
	onBonus     = 0.04 // a die came to rest on the bonus marker, where nobody knows in which hole that is
	nudges      = 2e-4 // a flick that misses moves just one die, just there
)

// Limits of what is thought of between two sights.
const (
	quickest   = 2     // the most that time speaks for a way, as a logarithm
	mostEnds   = 3     // turns that end
	lastEnds   = 9     // the same at the end of the game
	leastShare = 0.001 // of a way that is merged with a likelier one, which is worth the time
	cutOff     = 11
)

// Follow implements rules.Follower.
func (t *Turns) Follow(g Glimpse) []rules.Course[Glimpse] { return t.FollowAbove(g, math.Inf(-1)) }

// FollowAbove is Follow without most of the courses that are less likely than a bound, as a logarithm.
func (t *Turns) FollowAbove(g Glimpse, least float64) []rules.Course[Glimpse] {
	s := step{Turns: *t}
	s.rest = g.Took | g.Left
	if g.Score != nil {
		s.rest |= g.Score.Removed
	}
	if g.times == nil {
		g.times = times{}
	}
	w := &walk{from: t, both: t.bothUnseen(g.Hidden), g: g, times: map[stretch]outlook{}, least: least - quickest}
	w.on(s)
	return w.found
}

// Do is the game after a move that is certain. Where the bonus marker lies that is believed to be found stays as it is.
func (t *Turns) Do(mv rules.Move) (*Turns, rules.Move, error) {
	if k, is := mv.(Markers); is && t.State.arena.Markers.Bonus != 0 {
		if k.Bonus != 0 && k.Bonus != t.State.arena.Markers.Bonus {
			return nil, nil, errors.New("the bonus marker is elsewhere")
		}
		k.Bonus = t.State.arena.Markers.Bonus
		mv = k
	}
	s, err := t.State.Apply(mv)
	if err != nil {
		return nil, nil, err
	}
	next := *t
	next.State = s.(*State)
	next.note(t.State, mv)
	return &next, mv, nil
}

// memo remembers what arenas are worth, which is asked again and again.
type memo struct {
	plans  map[scoring.Arena]scoring.Plan
	unseen map[scoring.Arena]map[scoring.Holes][]unseenDie // which dice may come in and be scored with those
}

const mostRemembered = 200

func (m *memo) best(s *State) scoring.Plan {
	if p, ok := m.plans[s.arena]; ok {
		return p
	}
	if m.plans == nil || len(m.plans) > mostRemembered {
		m.plans = map[scoring.Arena]scoring.Plan{}
	}
	p := s.Best()
	m.plans[s.arena] = p
	return p
}

func ln(p float64) float64 { return math.Log(p) }
