package rules

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Budget limits a search. The same state, playouts and seed give the same answer;
// with a time the answer depends on the machine.
type Budget struct {
	Playouts int           // games played out in all, about; 0: as many as the time allows
	Time     time.Duration // 0: no limit; without either the game chooses a number of playouts
	Seed     uint64
}

// Suggestion is an act with what a search says of it.
type Suggestion struct {
	Move   Move    `json:"move"`
	Text   string  `json:"text"`   // the act in the game's notation
	Win    float64 `json:"win"`    // estimated chance of winning, a shared victory counts half
	Lead   float64 `json:"lead"`   // expected points ahead of the best other player
	Within float64 `json:"within"` // how far Win may be off, two standard errors; 0: nothing was estimated
	Games  int     `json:"games"`  // playouts behind the estimate; 0: there were none
	Why    string  `json:"why"`
}

// Playouts says which acts are good by playing each out many times. Every act gets
// the same number of games, then the worse half is dropped, and so on until one is left.
// The games of one round meet the same dice and the same hidden cards whichever act
// they begin with, so that luck weighs less on the comparison.
type Playouts[A Move] struct {
	// Play plays one game out after an act: 1 for a victory, shared ones in parts,
	// and by how many points the player leads.
	Play func(a A, r *rand.Rand) (win, lead float64)
	// Point is what a point of lead is worth beside the chance of winning: the lead
	// tells more while the end is far.
	Point float64
	// Why says in words what an act does now.
	Why func(a A) string
}

// defaultPlayouts is how many games are played where the budget sets no limit.
const defaultPlayouts = 4000

type arm[A Move] struct {
	act          A
	n, win, lead float64
}

// Best lists the acts, the best first.
func (p Playouts[A]) Best(acts []A, b Budget) []Suggestion {
	arms := make([]arm[A], len(acts))
	for i, a := range acts {
		arms[i].act = a
	}
	value := func(a arm[A]) float64 { return (a.win + p.Point*a.lead) / a.n }
	dice := rand.NewPCG(0, 0)
	r, start := rand.New(dice), time.Now()
	rounds := max(int(math.Ceil(math.Log2(float64(len(arms))))), 1)
	game := uint64(0)
	for round, left := 0, arms; round < rounds; round++ {
		most := math.MaxInt
		if b.Playouts > 0 || b.Time == 0 {
			most = max(cmp.Or(b.Playouts, defaultPlayouts)/rounds/len(left), 1)
		}
		end := start.Add(b.Time * time.Duration(round+1) / time.Duration(rounds))
		for i := 0; i < most && (b.Time == 0 || i == 0 || time.Now().Before(end)); i++ {
			game++
			for k := range left {
				dice.Seed(b.Seed, game)
				win, lead := p.Play(left[k].act, r)
				left[k].n++
				left[k].win += win
				left[k].lead += lead
			}
		}
		slices.SortStableFunc(left, func(x, y arm[A]) int { return cmp.Compare(value(y), value(x)) })
		left = left[:(len(left)+1)/2]
	}
	// Acts with more games come first: those were given to the better ones.
	slices.SortStableFunc(arms, func(x, y arm[A]) int { return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(value(y), value(x))) })
	list := make([]Suggestion, len(arms))
	for i, a := range arms {
		list[i] = Suggestion{Move: a.act, Text: a.act.String(), Win: a.win / a.n, Lead: a.lead / a.n, Within: 1 / math.Sqrt(a.n), Games: int(a.n), Why: p.Why(a.act)}
	}
	return list
}

// Suggester is a state that can say which acts are good for the player whose turn it is.
//
// What following the suggestions is worth, rulestest.Contest measures in seeded games
// of two; a shared victory counts half. Shares of 1,000 games each, with standard errors:
//
//	                                   against random   against greedy play
//	Dice Box, one round ahead          0.910 ± 0.009    0.811 ± 0.012
//	Dessert Dice, 300 playouts an act  1.000            0.889 ± 0.010
//
// In half of the games of Dice Box each owns one color, in the other half two, and each
// begins half of both. Random play draws from Legal, every color, value and square with
// the same chance; it rolls again only where the rules make it. An act takes 20 ms on
// average, the first of a game up to 150.
//
// The 0.95 that is wanted of Dice Box is not reached, and all that was tried ends short
// of it. Measured with the luck of deal, answers and rolls charged by the network, which
// makes 1,000 games tell as much as 4,000:
//
//	at first sight                        0.889 ± 0.002 (4,000 games)
//	one round ahead                       0.913 ± 0.003 (3,000 games)
//	two rounds, all answers, best 5 acts  0.922 ± 0.005 (600 games; 40 times the work)
//
// What speaks for an end there:
//
//   - Each round gains about a third of what the one before did; that would end near 0.926.
//     The network itself, taught to agree with itself a round on, foretells 0.921 of the
//     best play from the deal (6,000 deals), and it says rather too much: 0.913 come of
//     it. These are estimates, no bound; a bound is not known.
//   - The deal weighs most. From the tenth of deals that is worst 0.62 are foretold, from
//     the second 0.83, from the third 0.90, from the best half 0.99.
//   - A network half as wide, and one taught 17 minutes longer, play alike (0.916 and
//     0.917 ± 0.004 of 6,000 games; 0.912 and 0.913 ± 0.003).
//   - Other ways end there as well: playouts by habits, 0.897 ± 0.009, and 10,000 of
//     them 0.901; habits learned from 6 million games, 0.910 ± 0.009; an earlier network
//     with playouts, 0.915 ± 0.006.
//   - Foresight would win nearly every game (dicebox.TestForesight: 0.995), and who saw
//     only the next answer before each act wins 0.962 ± 0.004. So luck that is known
//     sets no bound; it is not knowing it that costs.
type Suggester interface {
	// Suggest lists acts, the best first, with card as what only that player knows
	// (Dessert Dice; else empty). The error says what would have to be known.
	Suggest(b Budget, card string) ([]Suggestion, error)
}
