package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// TestLegalAfterAll: a die that was played and then seems to lie elsewhere, though not surely, has been
// moved against the rules; but if nobody takes that back before the next act, whoever played it had put
// it there.
func TestLegalAfterAll(t *testing.T) {
	asked := []string{"doubt Is that purple 3 on e2?", "DD-MOVE-DIAG B moves purple 3 from d1 to e2."}
	for name, c := range map[string]struct {
		play        func(x *supplyTable)
		first, then string
	}{
		"nobody takes it back": {func(*supplyTable) {}, "move A places purple 3 on e2.", "correct A places purple 3 on e2."},
		"it is taken back":     {func(x *supplyTable) { x.tip("e2", "d1", 3) }, "move A places purple 3 on d1.", "takeback B takes the last move back."},
	} {
		x := newSupplyTable(t)
		x.place(table.Purple, 3, "d1")
		x.doubtful, x.glance[onSquare("e2")] = true, .74
		x.tip("d1", "e2", 3)
		c.play(x)
		x.place(table.Red, 2, "a1")
		want := append(append([]string{c.first}, asked...), c.then, "move B places red 2 on a1.")
		if diff := cmp.Diff(want, x.said()); diff != "" {
			t.Errorf("%s: told otherwise (-want +got):\n%s", name, diff)
		}
	}
}
