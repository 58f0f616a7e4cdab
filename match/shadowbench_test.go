package match

import (
	"math/rand/v2"
	"slices"
	"testing"

	"diceref/table"
)

// BenchmarkShadow is a view of a board, in a game of which every sixth view is read wrongly.
func BenchmarkShadow(b *testing.B) {
	for _, game := range []table.Game{table.DessertDice, table.DiceBox} {
		b.Run(string(game), func(b *testing.B) {
			s := playBoard(b, game, 1)
			frames := spoiled(rand.New(rand.NewPCG(1, 3)), s.frames(), flaws[2], 1./6)
			views := 0
			for b.Loop() {
				s.play(b, slices.Clone(frames))
				views += len(s.Steps)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(views), "µs/view")
		})
	}
}
