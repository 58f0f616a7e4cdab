package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
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

// BenchmarkHiddenDice watches games of which every third picture lacks two dice, and in which nothing is answered.
func BenchmarkHiddenDice(b *testing.B) {
	for _, seed := range []uint64{41000, 41003, 20001} {
		b.Run(fmt.Sprint(seed), func(b *testing.B) {
			l := layOut(b, table.DiceCreams, seed)
			benchViews(b, l, l.hiding())
		})
	}
}

// hiding is the views of a game of which every third lacks two dice.
func (l *laidOut) hiding() []table.Observation {
	const every, hidden = 3, 2
	not := tableplan.FlawOf("a die not seen")
	views := slices.Clone(l.views)
	for i := every; i < len(views); i += every {
		views[i].Dice = slices.Clone(views[i].Dice)
		rng := rand.New(rand.NewPCG(l.Seed, uint64(i)))
		for range hidden {
			not.Spoil(rng, l.zones, &views[i])
		}
	}
	return views
}

// benchViews has a match see views, and reports the mean and the slowest.
func benchViews(b *testing.B, l *laidOut, views []table.Observation) {
	searched, most := 0, 0
	var slowest time.Duration
	for b.Loop() {
		m := l.seeing(b, nil)
		for _, obs := range views {
			start := time.Now()
			m.See(obs)
			slowest = max(slowest, time.Since(start))
			if l := m.course.lies; l != nil {
				searched, most = searched+l.Searched(), max(most, l.Searched())
			}
		}
	}
	b.ReportMetric(float64(searched)/float64(b.N*len(views)), "searched/view")
	b.ReportMetric(float64(most), "most-searched")
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*len(views)), "ms/view")
	b.ReportMetric(float64(slowest.Milliseconds()), "slowest-ms")
}
