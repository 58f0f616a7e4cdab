package match

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"diceref/match/internal/tableplan"
	"diceref/table"
)

// lostCreams is a game of DiceCreams! that a match loses its way in: every third picture lacks two dice.
func lostCreams(tb testing.TB) (*laidOut, []table.Observation) {
	const seed, third, lack = 20000, 3, 2
	l := layOut(tb, table.DiceCreams, seed)
	rng := rand.New(rand.NewPCG(seed, 3))
	views := slices.Clone(l.views)
	for i := third - 1; i < len(views); i += third {
		for range min(lack, len(views[i].Dice)) {
			k := rng.IntN(len(views[i].Dice))
			views[i].Dice = slices.Delete(slices.Clone(views[i].Dice), k, k+1)
		}
	}
	return l, views
}

// TestSearchLimit: whatever may have happened before a view, all of it is searched within one limit.
func TestSearchLimit(t *testing.T) {
	const list = 200 // ways on from a crossing, at most, are looked at together
	l, views := lostCreams(t)
	m := l.seeing(t, nil)
	tired := 0
	for i, obs := range views {
		m.See(obs)
		z := zoneSearch{g: creamZones{}, seen: spreadOut(creamZones{}, m.seatedZones(), obs), said: m.waiting(), best: math.Inf(1)}
		bases := m.bases(z.g)
		z.search(z.rounds(bases))
		if z.looked > maxLooked+list || z.taken > maxTaken+list {
			t.Errorf("picture %d: %d ways are looked at and %d taken from %d tales", i, z.looked, z.taken, len(bases))
		}
		if z.tired && len(bases) > 1 {
			tired++
		}
	}
	if tired == 0 {
		t.Error("the limit is never reached: this tests nothing")
	}
}

// BenchmarkZones watches a game that the match loses its way in.
func BenchmarkZones(b *testing.B) {
	l, views := lostCreams(b)
	benchViews(b, l, views)
}

// BenchmarkFromage watches games in which every sixth picture shows a die off its zone, or lacks one.
func BenchmarkFromage(b *testing.B) {
	for _, flaw := range []string{"a die off its zone", "a die not seen"} {
		for _, seed := range []uint64{6203, 6208} {
			b.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(flaw, " ", "-"), seed), func(b *testing.B) {
				l := layOut(b, table.FromageATrois, seed)
				benchViews(b, l, tableplan.FlawOf(flaw).Spoilt(l.zones, l.views, seed))
			})
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
