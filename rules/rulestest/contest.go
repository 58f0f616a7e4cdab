package rulestest

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
)

// How much a contest plays. The full one, of 1,000 games against each opponent, is
//
//	go test ./rules/dicebox -run Contest -contest 1000 -playouts 2000 -timeout 0 -v
//
// and can be played in pieces: -run Contest/random -contest 100 -from 300.
var (
	contestGames    = flag.Int("contest", 0, "games of a contest; 0: a short one")
	contestFrom     = flag.Int("from", 0, "the first game of a contest")
	contestPlayouts = flag.Int("playouts", 0, "games played out for a suggestion; 0: few")
)

// Contest is what somebody who follows the suggestions has to show for it in games of two.
type Contest struct {
	Games, Playouts int    // of a short contest
	Seed            uint64 // game g is rolled by PCG(Seed, g)
	// Bars are the shares to be won against each opponent in a short contest, which
	// leave room for luck, and in a full one.
	Bars map[string][2]float64
	// Play plays one game with so many playouts a suggestion: 1 for a victory, 0.5
	// for a shared one. Each of the two begins half of the games: those with even g.
	Play func(t *testing.T, g, playouts int, opponent string, r *rand.Rand) float64
}

// Run plays the contest against every opponent.
func (c Contest) Run(t *testing.T) {
	games, playouts, bar := c.Games, c.Playouts, 0
	if *contestGames > 0 {
		games = *contestGames
	}
	if *contestPlayouts > 0 {
		playouts = *contestPlayouts
	}
	if games >= 1000 {
		bar = 1
	}
	for opponent, bars := range c.Bars {
		t.Run(opponent, func(t *testing.T) {
			sum, squares, shared := 0.0, 0.0, 0
			for g := *contestFrom; g < *contestFrom+games; g++ {
				won := c.Play(t, g, playouts, opponent, rand.New(rand.NewPCG(c.Seed, uint64(g))))
				sum += won
				squares += won * won
				if won == 0.5 {
					shared++
				}
			}
			share := sum / float64(games)
			err := math.Sqrt(max(squares/float64(games)-share*share, 0) / float64(games))
			t.Logf("wins %.3f (standard error %.3f, %d shared as halves) of %d games with %d playouts a move, seed %d", share, err, shared, games, playouts, c.Seed)
			if share < bars[bar] {
				t.Errorf("wins %.3f, want %.2f", share, bars[bar])
			}
		})
	}
}
