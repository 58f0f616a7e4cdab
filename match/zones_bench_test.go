package match

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"diceref/match/internal/tableplan"
	"diceref/table"
)

// BenchmarkZones watches games in which every sixth picture shows a die off its zone, or lacks one.
func BenchmarkZones(b *testing.B) {
	for game, seeds := range map[table.Game][]uint64{table.FromageATrois: {6203, 6208}, table.DiceCreams: {41000, 41003}} {
		for _, flaw := range []string{"a die off its zone", "a die not seen"} {
			for _, seed := range seeds {
				b.Run(fmt.Sprintf("%s/%s/%d", game, strings.ReplaceAll(flaw, " ", "-"), seed), func(b *testing.B) {
					l := layOut(b, game, seed)
					benchViews(b, l, tableplan.FlawOf(flaw).Spoilt(l.zones, l.views, seed))
				})
			}
		}
	}
}

// benchViews has a match see views, and reports the mean and the slowest.
func benchViews(b *testing.B, l *laidOut, views []table.Observation) {
	var slowest time.Duration
	for b.Loop() {
		m := l.seeing(b, nil)
		for _, obs := range views {
			start := time.Now()
			m.See(obs)
			slowest = max(slowest, time.Since(start))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*len(views)), "ms/view")
	b.ReportMetric(float64(slowest.Milliseconds()), "slowest-ms")
}
