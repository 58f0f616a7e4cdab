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

// Suggestion is an act with what playing it out many times says of it.
type Suggestion struct {
	Move   Move    `json:"move"`
	Text   string  `json:"text"`   // the act in the game's notation
	Win    float64 `json:"win"`    // estimated chance of winning, a shared victory counts half
	Lead   float64 `json:"lead"`   // expected points ahead of the best other player
	Within float64 `json:"within"` // how far Win may be off, two standard errors; 0: nothing was estimated
	Games  int     `json:"games"`  // playouts behind the estimate; 0: there were none
	Why    string  `json:"why"`
}

// Playouts tells which acts are good by playing each out many times. Every act gets
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

// Suggester is a state that can say which acts are good for the player on turn.
//
// What following the suggestions is worth, rulestest.Contest measures in seeded games
// of two; a shared victory counts half. Shares of 1,000 games each, with standard errors:
//
//	                                   against random   against greedy play
//	Dice Box, 3,000 playouts an act    0.897 ± 0.009    0.782 ± 0.013
//	Dessert Dice, 300 playouts an act  1.000            0.889 ± 0.010
//
// In half of the games of Dice Box each owns one color, in the other half two, and each
// begins half of both. Random play draws from Legal, every color, value and square with
// the same chance; it rolls again only where the rules make it. With one color each
// 0.885 ± 0.010 is won (1,000 games), with two 0.906 ± 0.007 (1,500).
//
// An act takes well under a tenth of a second so. In Dice Box more playouts gain next to
// nothing (10,000: 0.901 ± 0.014 of 400 games): all but two of the dice end on the grid
// whoever plays well, and the rolls spread the lead by five points around a mean of six.
// The 0.95 that is wanted is not reached, and is neither shown to be possible nor ruled out:
//
//   - Foresight would win nearly every game (dicebox.TestForesight: 0.995), so luck
//     alone sets no bound below that.
//   - Better play within the playouts gains two or three points, not five. With habits
//     learned from 6 million games, which win 0.77 by themselves, 3,000 playouts won
//     0.910 ± 0.009 of 1,000 other games; 64,000 instead of 4,000 would add about 0.008 (60
//     games; each choice judged by other dice than those it was made by).
//   - Nets that foretell the chance of winning, learned from 5 million games (temporal
//     differences), win 0.85 by themselves and 0.901 ± 0.006 when every answer
//     of the opponent is weighed. Playouts with them come to 0.915 ± 0.006 (1,000 games,
//     luck charged in 600; 2,000 playouts), 0.908 ± 0.012 of it with one color each and
//     0.921 ± 0.009 with two (400 games). Nets and habits are left out.
//   - Steps of improvement shrink. From the nets' own play to choosing by playouts of it
//     is 0.07. From there to playouts in which every answer to the nets' four best acts is
//     weighed at each turn is about 0.015 ± 0.005 more: 342 positions, summed over a game,
//     both choices judged by other dice at the same positions, which tends to say too much
//     (of two plies against playouts it said 0.055, games 0.014). Steps that go on shrinking
//     so level out near 0.93; that is an estimate, no bound.
//   - Games are lost on both sides of the table. Where each owns one color, what the
//     player laid is worth 5.0 points of lead in games that are won and 0.0 in those that
//     are lost; what the opponent laid, 1.8 and -3.1 (1,000 games, 500 playouts with habits).
type Suggester interface {
	// Suggest lists acts, the best first, with card as what only that player knows
	// (Dessert Dice; else empty). The error says what would have to be known.
	Suggest(b Budget, card string) ([]Suggestion, error)
}
