package dessertdice

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"diceref/rules"
	"diceref/scoring"
)

// Suggest plays the most promising acts out many times for a player with that
// card, and gives more games to the better ones. The cards of the others are not
// known: every playout deals them anew. Where tops in the supply are not known
// they are rolled.
func (s *State) Suggest(b rules.Budget, card string) ([]rules.Suggestion, error) {
	if s.ToMove() < 0 {
		return nil, fmt.Errorf("the game is over")
	}
	if len(card) != 1 || cardIndex(card[0]) < 0 {
		return nil, fmt.Errorf("card %.20q is none: which dessert is yours (J, S, P or I)?", card)
	}
	if s.short && s.supply == nil {
		return nil, fmt.Errorf("what lies in the supply is not known (tell it: supply R1 R3 ...)")
	}
	own := cardIndex(card[0])
	arms := s.promising(own, b.Seed)
	s.search(arms, own, b)
	// Acts with more games come first: those were given to the better ones.
	slices.SortStableFunc(arms, func(x, y arm) int { return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(y.value(), x.value())) })
	list := make([]rules.Suggestion, len(arms))
	for i, a := range arms {
		list[i] = rules.Suggestion{Move: a.act, Text: a.act.String(), Win: a.win / a.n, Lead: a.lead / a.n, Games: int(a.n), Why: s.reason(a.act, own)}
	}
	return list, nil
}

// arm is an act with what its playouts gave.
type arm struct {
	act    Act
	before float64 // how promising it looks
	n      float64
	win    float64
	lead   float64
}

// value mixes the chance of winning with the expected lead, which tells more while the end is far.
func (a *arm) value() float64 { return a.win/a.n + 0.02*a.lead/a.n }

// mostArms is how many acts are played out.
const mostArms = 48

// promising picks the acts that help the own cluster most and those of the other desserts least.
func (s *State) promising(own int, seed uint64) []arm {
	r := rand.New(rand.NewPCG(seed, 1))
	acts := s.acts()
	r.Shuffle(len(acts), func(i, j int) { acts[i], acts[j] = acts[j], acts[i] }) // which of equals stay
	base := s.newSim(r)
	arms := make([]arm, len(acts))
	for i, a := range acts {
		m := *base
		m.play(a)
		arms[i] = arm{act: a, before: worth(&m, own)}
	}
	slices.SortStableFunc(arms, func(x, y arm) int { return cmp.Compare(y.before, x.before) })
	return arms[:min(len(arms), mostArms)]
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

// defaultPlayouts is how many games are played where the budget sets no limit.
const defaultPlayouts = 4000

// search shares the playouts out: every act gets the same number, then the worse
// half is dropped, and so on until one is left.
func (s *State) search(arms []arm, own int, b rules.Budget) {
	r := rand.New(rand.NewPCG(b.Seed, 0x5eed))
	base, start := s.newSim(r), time.Now()
	rounds := max(int(math.Ceil(math.Log2(float64(len(arms))))), 1)
	for round, left := 0, arms; round < rounds; round++ {
		most := math.MaxInt
		if b.Playouts > 0 || b.Time == 0 {
			most = max(cmp.Or(b.Playouts, defaultPlayouts)/rounds/len(left), 1)
		}
		end := start.Add(b.Time * time.Duration(round+1) / time.Duration(rounds))
		for i := 0; i < most && (b.Time == 0 || i == 0 || time.Now().Before(end)); i++ {
			for k := range left {
				s.playArm(&left[k], base, own, r)
			}
		}
		slices.SortStableFunc(left, func(x, y arm) int { return cmp.Compare(y.value(), x.value()) })
		left = left[:(len(left)+1)/2]
	}
}

func (s *State) playArm(a *arm, base *sim, own int, r *rand.Rand) {
	m := *base
	if s.supply == nil {
		m = *s.newSim(r)
	}
	if c := colorIndex(a.act.Die.Color); a.act.Kind == Place && m.supply[c][a.act.Die.Face] == 0 {
		m.supply[c][a.act.Die.Face]++ // rolled otherwise in this playout: let it be there
		m.left++
	}
	p := int(a.act.By)
	deal(&m, p, own, r)
	m.play(a.act)
	win, lead := m.playOut(p, r)
	a.n++
	a.win += win
	a.lead += lead
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
		if k != own && after[k] < before[k] {
			text += fmt.Sprintf("; %s falls from %d to %d", scoring.DessertNames[k], before[k], after[k])
		}
	}
	return text
}
