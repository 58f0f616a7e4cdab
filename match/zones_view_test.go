package match

import (
	"testing"

	"diceref/table"
)

// TestHiddenInHeaps: a die of a heap that did not show before may hide still, but no die of
// another color in its place.
func TestHiddenInHeaps(t *testing.T) {
	const blue, yellow = table.Blue, table.Yellow
	colors := func(list ...table.Color) (n [10]int) {
		for _, c := range list {
			n[c]++
		}
		return n
	}
	for _, c := range []struct {
		name   string
		heap   [10]int // what is there
		seen   []table.Color
		before [10]int // what did not show
		want   int
	}{
		{"it hides still", colors(blue, yellow), []table.Color{blue}, colors(yellow), 1},
		{"it shows again", colors(blue, yellow), []table.Color{blue, yellow}, colors(yellow), 0},
		{"another is missing now", colors(blue, yellow), []table.Color{yellow}, colors(yellow), 0},
		{"colors are not known", colors(), []table.Color{yellow}, colors(table.NoColor), 1},
		{"taken for another color, and all are there", colors(blue, yellow), []table.Color{blue, blue}, colors(yellow), 0},
	} {
		heap := pile{at: asideKey, heap: true, colors: c.heap, dice: make([]table.Die, 2)}
		seen := &spread{in: map[zoneKey][]table.Reading{}, drawn: map[zoneKey]bool{asideKey: true}}
		for _, color := range c.seen {
			seen.in[asideKey] = append(seen.in[asideKey], table.Reading{Die: table.Die{Color: color, Face: 1}})
		}
		z := zoneMemory{hidden: c.before}
		if got := z.hiddenIn([]pile{heap}, seen); got != c.want {
			t.Errorf("%s: %d may hide, want %d", c.name, got, c.want)
		}
	}
}
