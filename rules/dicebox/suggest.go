package dicebox

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Suggest plays every legal act out many times, rolling dice for the rerolls to
// come, and gives more games to the better acts. The hand of the player on turn
// must be known; hands of others that are not known are rolled anew in each game.
func (s *State) Suggest(b rules.Budget, _ string) ([]rules.Suggestion, error) {
	p := s.ToMove()
	if p < 0 || !s.rolled {
		return nil, fmt.Errorf("nobody is on turn")
	}
	for q := range s.hands {
		if h := &s.hands[q]; !h.sized || !h.colored && !h.known && s.players != 4 {
			return nil, fmt.Errorf("the dice of %s are not known", rules.Player(q))
		}
	}
	switch s.Must(p) {
	case "":
		return nil, fmt.Errorf("what the dice of %s show is not known (tell it: hand %s R1 Y3 ...)", p, p)
	case "pass":
		return []rules.Suggestion{only(Act{By: p, Kind: Pass}, "no dice are left")}, nil
	case "reroll":
		return []rules.Suggestion{only(Act{By: p, Kind: Reroll}, "no die fits")}, nil
	}
	arms := make([]arm, 0, 64)
	for _, m := range s.placements(p) {
		arms = append(arms, arm{act: m.(Act)})
	}
	s.search(arms, b)
	// Acts with more games come first: those were given to the better ones.
	slices.SortStableFunc(arms, func(x, y arm) int { return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(y.value(), x.value())) })
	list := make([]rules.Suggestion, len(arms))
	for i, a := range arms {
		list[i] = rules.Suggestion{Move: a.act, Text: a.act.String(), Win: a.win / a.n, Lead: a.lead / a.n, Games: int(a.n), Why: s.reason(a.act)}
	}
	return list, nil
}

func only(a Act, why string) rules.Suggestion {
	return rules.Suggestion{Move: a, Text: a.String(), Why: why}
}

// arm is an act with what its playouts gave.
type arm struct {
	act  Act
	n    float64
	win  float64
	lead float64
}

// value mixes the chance of winning with the expected lead, which tells more while
// the end is far.
func (a *arm) value() float64 { return a.win/a.n + 0.01*a.lead/a.n }

// search shares the playouts out: every act gets the same number, then the worse
// half is dropped, and so on until one is left.
func (s *State) search(arms []arm, b rules.Budget) {
	r := rand.New(rand.NewPCG(b.Seed, 0x5eed))
	base, start := s.newSim(r), time.Now()
	rounds := halvings(len(arms))
	for round, left := 0, arms; round < rounds; round++ {
		most := math.MaxInt
		if b.Playouts > 0 || b.Time == 0 {
			most = max(cmp.Or(b.Playouts, defaultPlayouts)/rounds/len(left), 1)
		}
		end := start.Add(b.Time * time.Duration(round+1) / time.Duration(rounds))
		for i := 0; i < most && (b.Time == 0 || i == 0 || time.Now().Before(end)); i++ {
			for k := range left {
				s.playArm(&left[k], base, r)
			}
		}
		slices.SortStableFunc(left, func(x, y arm) int { return cmp.Compare(y.value(), x.value()) })
		left = left[:(len(left)+1)/2]
	}
}

// defaultPlayouts is how many games are played where the budget sets no limit.
const defaultPlayouts = 4000

// halvings is how often n acts are halved until one is left.
func halvings(n int) int { return max(int(math.Ceil(math.Log2(float64(n)))), 1) }

func (s *State) playArm(a *arm, base *sim, r *rand.Rand) {
	m := *base
	p := int(a.act.By)
	for q := range s.hands {
		if !s.hands[q].known {
			d := s.roll(rules.Player(q), r)
			m.hands[q] = simHand{n: d, size: d.Count()}
		}
	}
	for q := range m.players { // nobody knows how the others play: they may do anything
		m.random[q] = q != p
	}
	m.put(p, scoring.BoxColor(a.act.Die.Color), a.act.Die.Face, a.act.To.Index())
	m.turn = (p + 1) % m.players
	win, lead := m.playOut(s, p, r)
	a.n++
	a.win += win
	a.lead += lead
}

// reason says in words what an act does now; how good that is only the playouts tell.
func (s *State) reason(a Act) string {
	c := scoring.BoxColor(a.Die.Color)
	text := "a color that nobody owns"
	for q, own := range s.owners {
		for _, o := range own {
			switch {
			case o == c && rules.Player(q) == a.By:
				text = fmt.Sprintf("%d points for yourself", a.Die.Face)
			case o == c:
				text = fmt.Sprintf("only %d points for %s", a.Die.Face, rules.Player(q))
				if a.Die.Face > 3 {
					text = fmt.Sprintf("%d points for %s", a.Die.Face, rules.Player(q))
				}
			}
		}
	}
	next, err := s.Apply(a)
	if err != nil {
		return text
	}
	dead := 0
	for i := range s.grid {
		sq := table.SquareAt(i)
		if v := next.(*State).Candidates(sq); v != nil && len(v) == 0 && !next.(*State).filled(i) {
			if w := s.Candidates(sq); w == nil || len(w) > 0 {
				dead++
			}
		}
	}
	if dead > 0 {
		text += fmt.Sprintf("; makes %d square(s) dead", dead)
	}
	return text
}
