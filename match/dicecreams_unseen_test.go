package match

import (
	"slices"
	"testing"

	"diceref/table"
)

// TestBesides: a doubtful reading beside the dice that are known may be one that was not seen, and
// contradicts nothing; one that is read surely, or as good as, is told.
func TestBesides(t *testing.T) {
	die := table.Die{Color: table.Green, Face: 2}
	known := table.Die{Color: table.Blue, Face: 4}
	for _, c := range []struct {
		what       string
		unseen     int
		sure       bool
		confidence float64
		stays      bool
	}{
		{"doubtful", 1, false, .6, false},
		{"doubtful, and all were seen", 0, false, .6, true},
		{"as good as sure", 1, false, .97, true},
		{"sure", 1, true, .99, true},
	} {
		r := sureReading(die, nil, table.Point{X: 9})
		r.Sure, r.Confidence = c.sure, c.confidence
		lying := pile{at: fridgeKey, dice: []table.Die{known}, unseen: c.unseen}
		got := lying.besides([]table.Reading{r, sureReading(known, nil, table.Point{X: 1})})
		stays := slices.ContainsFunc(got, func(r table.Reading) bool { return r.Die == die })
		if stays != c.stays || !slices.ContainsFunc(got, func(r table.Reading) bool { return r.Die == known }) {
			t.Errorf("%s: left are %v", c.what, got)
		}
	}
}
