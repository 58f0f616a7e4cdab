package dessertdice

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"diceref/rules"
	"diceref/scoring"
)

// Suggest plays the most promising acts out many times for a player with that
// card, and gives more games to the better ones. The cards of the others are not
// known: every playout deals them again. Where tops in the supply are not known
// they are rolled.
func (s *State) Suggest(b rules.Budget, card string) ([]rules.Suggestion, error) {
	if s.ToMove() < 0 {
		return nil, fmt.Errorf("the game is over")
	}
	if len(card) != 1 || cardIndex(card[0]) < 0 {
		return nil, fmt.Errorf("card %.20q is unknown: which dessert is yours (J, S, P or I)?", card)
	}
	if s.short && s.supply == nil {
		return nil, fmt.Errorf("the dice in the supply are not known (add a line: supply R1 R3 ...)")
	}
	own := cardIndex(card[0])
	base := s.newSim(rand.New(rand.NewPCG(b.Seed, 0x5eed)))
	search := rules.Playouts[Act]{
		Play:  func(a Act, r *rand.Rand) (win, lead float64) { return s.playAct(a, base, own, r) },
		Point: 0.02,
		Why:   func(a Act) string { return s.reason(a, own) },
	}
	return search.Best(s.promising(own, b.Seed), b), nil
}

// mostActs is how many acts are played out.
const mostActs = 48

// promising picks the acts that help the own cluster most and those of the other desserts least.
func (s *State) promising(own int, seed uint64) []Act {
	r := rand.New(rand.NewPCG(seed, 1))
	acts := s.acts()
	r.Shuffle(len(acts), func(i, j int) { acts[i], acts[j] = acts[j], acts[i] }) // which of equals stay
	base := s.newSim(r)
	type looks struct {
		act  Act
		good float64
	}
	list := make([]looks, len(acts))
	for i, a := range acts {
		m := *base
		m.play(a)
		list[i] = looks{a, worth(&m, own)}
	}
	slices.SortStableFunc(list, func(x, y looks) int { return cmp.Compare(y.good, x.good) })
	for i := range list {
		acts[i] = list[i].act
	}
	return acts[:min(len(acts), mostActs)]
}

// worth is a rough estimate of a position for the holder of a card.
func worth(m *sim, own int) float64 {
	v := 0.0
	for k, mask := range m.masks {
		c := float64(scoring.Cluster(mask, m.rule))
		if k == own {
			v += c
		} else {
			v -= c / 4
		}
	}
	return v
}

func (s *State) playAct(a Act, base *sim, own int, r *rand.Rand) (win, lead float64) {
	m := *base
	if s.supply == nil {
		m = *s.newSim(r)
	}
	if c := colorIndex(a.Die.Color); a.Kind == Place && m.supply[c][a.Die.Face] == 0 {
		m.supply[c][a.Die.Face]++ // rolled otherwise in this playout: let it be there
		m.left++
	}
	p := int(a.By)
	deal(&m, p, own, r)
	m.play(a)
	return m.playOut(p, r)
}

// deal gives the other players any of the other cards.
func deal(m *sim, p, own int, r *rand.Rand) {
	rest := [3]int{}
	n := 0
	for k := range 4 {
		if k != own {
			rest[n] = k
			n++
		}
	}
	r.Shuffle(3, func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	n = 0
	for q := range m.players {
		if q == p {
			m.cards[q] = own
			continue
		}
		m.cards[q] = rest[n]
		n++
	}
}

// reason says in words what an act does now; how good that is only the playouts tell.
func (s *State) reason(a Act, own int) string {
	next, err := s.Apply(a)
	if err != nil {
		return ""
	}
	before, after := s.points(), next.(*State).points()
	text := fmt.Sprintf("your %s cluster: %d", scoring.DessertNames[own], after[own])
	if after[own] != before[own] {
		text = fmt.Sprintf("your %s cluster: %d to %d", scoring.DessertNames[own], before[own], after[own])
	}
	for k := range after {
		switch {
		case k == own:
		case after[k] < before[k]:
			text += fmt.Sprintf("; %s falls from %d to %d", scoring.DessertNames[k], before[k], after[k])
		case after[k] > before[k]:
			text += fmt.Sprintf("; %s grows from %d to %d too", scoring.DessertNames[k], before[k], after[k])
		}
	}
	return text
}
