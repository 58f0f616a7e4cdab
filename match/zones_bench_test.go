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

// TestSearchBounded: however much is hidden, a view makes no more work than it may, and one that shows all makes little.
func TestSearchBounded(t *testing.T) {
	const (
		most   = 8000 + 20*6 // lines of acts that are gone on from: what a view may make, and the first ones of each hypothesis
		little = 60
	)
	for _, seed := range []uint64{41000, 20001} {
		l := layOut(t, table.DiceCreams, seed)
		hidden, _ := l.searched(t, l.hiding())
		if hidden > most {
			t.Errorf("seed %d: where dice are hidden a view makes %d lines of acts be gone on from, of %d at most", seed, hidden, most)
		}
		if _, mean := l.searched(t, l.views); mean > little {
			t.Errorf("seed %d: where all is seen %.0f lines of acts are gone on from in a view, of %d at most", seed, mean, little)
		}
	}
}

// searched is how many lines of acts are gone on from at most in one of some views, and in the mean.
func (l *laidOut) searched(t *testing.T, views []table.Observation) (most int, mean float64) {
	m := l.seeing(t, nil)
	for _, obs := range views {
		m.See(obs)
		if lies := m.course.lies; lies != nil {
			most, mean = max(most, lies.Searched()), mean+float64(lies.Searched())/float64(len(views))
		}
	}
	return most, mean
}
