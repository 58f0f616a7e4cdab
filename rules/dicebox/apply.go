package dicebox

import (
	"fmt"
	"math/rand/v2"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Apply plays an act, also an illegal one that the players keep; the error is for
// acts that cannot have happened, such as a die placed on another.
func (s *State) Apply(m rules.Move) (rules.State, error) {
	if board, ok := m.(rules.Stands); ok {
		return s.stand(board)
	}
	a, ok := m.(Act)
	if !ok {
		return nil, fmt.Errorf("%v is not an act of Dice Box", m)
	}
	if err := s.sound(a); err != nil {
		return nil, err
	}
	next := *s
	next.hands = append([]hand(nil), s.hands...)
	switch a.Kind {
	case Seed:
		next.grid[center.Index()], next.rolled = a.Die, true
		return &next, nil
	case Hand:
		next.hands[a.Of].setDice(a.Dice)
		next.open = true
		return &next, nil
	case Draft:
		next.draft(a)
		return &next, nil
	case Shift:
		if a.From != a.To && s.filled(a.To.Index()) {
			return nil, fmt.Errorf("cannot move a die to %s: another one is there", a.To)
		}
		next.grid[a.From.Index()] = table.Die{}
		next.grid[a.To.Index()] = a.Die
		return &next, nil // no turn of a player's: whoever was on turn still is
	case Place:
		if !a.To.On() || s.filled(a.To.Index()) {
			return nil, fmt.Errorf("cannot place a die on %s: it is not an empty square", a.To)
		}
		next.grid[a.To.Index()] = a.Die
		next.handFor(a.By).take(a)
	case Reroll:
		h := next.handFor(a.By)
		switch {
		case a.Known:
			h.setDice(a.Dice)
		case !h.sized || h.size > 0:
			h.known, h.dice = false, Dice{}
		}
	}
	next.last, next.lastBy, next.number = a, a.By, s.number+1
	if s.players > 0 {
		next.turn = (a.By + 1) % rules.Player(s.players)
	}
	return &next, nil
}

// handFor is a hand to change; one that is thrown away for a player whom a worked case does not name.
func (s *State) handFor(p rules.Player) *hand {
	if int(p) < len(s.hands) {
		return &s.hands[p]
	}
	return new(hand)
}

// take removes the die that was placed; if it cannot have been in the hand, the
// hand was not what it was thought to be.
func (h *hand) take(a Act) {
	c := scoring.BoxColor(a.Die.Color)
	if c < 0 {
		return
	}
	face := a.Die.Face
	if a.Named != 0 {
		face = a.Named
	}
	if h.known && h.dice[c][face] > 0 {
		h.dice[c][face]--
	} else {
		h.known, h.dice = false, Dice{}
	}
	if h.size > 0 {
		h.size--
	}
	if h.colors[c] > 0 {
		h.colors[c]--
	} else {
		h.colored = false
	}
	if h.sized && h.size == 0 {
		h.known, h.dice = true, Dice{}
	}
}

// draft records a pick; after the last one every hand is known by color.
func (s *State) draft(a Act) {
	s.picks = append(s.picks[:len(s.picks):len(s.picks)], a)
	if len(s.picks) < len(draftOrder) {
		return
	}
	for p := range s.hands {
		s.hands[p].colored, s.hands[p].colors = true, [4]int8{1, 1, 1, 1}
	}
	for _, pick := range s.picks {
		s.hands[pick.By].colors[scoring.BoxColor(pick.Die.Color)]++
	}
}

// Legal lists the legal acts. The list is not complete where a roll decides (any
// outcome of a reroll may be told with it) or where the hand is not known: then it
// holds every placement that the rules allow some die.
func (s *State) Legal() ([]rules.Move, bool) {
	var moves []rules.Move
	switch p := s.ToMove(); {
	case p == rules.Nobody:
		return nil, true
	case !s.rolled:
		moves = s.beforeTheSeed()
	case p == rules.Nature:
		return nil, false
	default:
		must := s.Must(p)
		switch must {
		case "pass":
			return []rules.Move{Act{By: p, Kind: Pass}}, true
		case "place", "":
			moves = s.placements(p)
		}
		if must != "place" {
			moves = append(moves, Act{By: p, Kind: Reroll})
			return rules.SortMoves(moves), false
		}
	}
	return rules.SortMoves(moves), true
}

func (s *State) beforeTheSeed() []rules.Move {
	var moves []rules.Move
	for _, c := range scoring.BoxColors {
		for p := range rules.Player(s.players) {
			a := Act{By: p, Kind: Draft, Die: table.Die{Color: c}}
			if s.players == 4 && s.Check(a) == nil {
				moves = append(moves, a)
			}
		}
	}
	if !s.drafting() {
		for f := 1; f <= 6; f++ {
			moves = append(moves, Act{By: rules.Nature, Kind: Seed, Die: table.Die{Color: seedColor, Face: f}, To: center})
		}
	}
	return moves
}

// placements lists every die of the hand, or that it may hold, with every square that takes it.
func (s *State) placements(p rules.Player) []rules.Move {
	h := s.handOf(p)
	var moves []rules.Move
	var gone [4]bool
	for c := range gone {
		gone[c] = s.gone(p, c)
	}
	for i := range s.grid {
		if s.filled(i) {
			continue
		}
		set := s.cand(i)
		for c := range scoring.BoxColors {
			for f := 1; f <= 6; f++ {
				if set>>f&1 == 0 || h.known && h.dice[c][f] <= 0 || h.colored && h.colors[c] <= 0 || !h.colored && gone[c] {
					continue
				}
				moves = append(moves, Act{By: p, Kind: Place, Die: table.Die{Color: scoring.BoxColors[c], Face: f}, To: table.SquareAt(i)})
			}
		}
	}
	return moves
}

// Chance rolls the Seed, or the dice of a player whose roll is awaited.
func (s *State) Chance(r *rand.Rand) rules.Move {
	if !s.rolled {
		return Act{By: rules.Nature, Kind: Seed, Die: table.Die{Color: seedColor, Face: 1 + r.IntN(6)}, To: center}
	}
	p := rules.Player(max(s.unrolled(), 0))
	return Act{By: rules.Nature, Kind: Hand, Of: p, Dice: s.roll(p, r)}
}

// roll is an outcome for all dice of a hand; where their colors are not known, the
// dice are drawn from those that nobody is known to have.
func (s *State) roll(p rules.Player, r *rand.Rand) (d Dice) {
	h := s.handOf(p)
	for c, n := range h.colors {
		for range n {
			d[c][1+r.IntN(6)]++
		}
	}
	if h.colored {
		return d
	}
	d = Dice{}
	var pool []int
	for c := range d {
		for range perColor - s.elsewhere(p, c) {
			pool = append(pool, c)
		}
	}
	r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	for _, c := range pool[:min(h.size, len(pool))] {
		d[c][1+r.IntN(6)]++
	}
	return d
}
