package match

import (
	"slices"

	"diceref/scoring"
	"diceref/table"
)

// keptView is a view as a restart needs it.
type keptView struct {
	Width   int             `json:"width"`
	Height  int             `json:"height,omitempty"`
	Corners *[4]table.Point `json:"corners,omitempty"` // of the grid; nil: none was found
	Dice    []keptLoose     `json:"dice"`
	Told    int64           `json:"told,omitempty"` // the last event by then
}

type keptLoose struct {
	At table.Point `json:"at"`
	table.Die
	Square *table.Square `json:"square,omitempty"`
	Doubt  *keptDoubt    `json:"doubt,omitempty"` // nil: it was surely read
}

// keptDoubt is what a die may be that was not surely read.
type keptDoubt struct {
	Confidence float64     `json:"confidence"`
	Faces      [7]float64  `json:"faces"`
	Colors     [10]float64 `json:"colors"`
}

// keptTurn is the dice that had left the arena.
type keptTurn struct {
	Gone scoring.Holes `json:"gone"`
}

func keepView(obs table.Observation) *keptView {
	v := &keptView{Width: obs.Width, Height: obs.Height}
	if obs.Grid != nil && obs.Grid.Found {
		v.Corners = &obs.Grid.Corners
	}
	for _, r := range obs.Dice {
		k := keptLoose{At: r.At, Die: r.Die, Square: r.Square}
		if !r.Sure {
			k.Doubt = &keptDoubt{r.Confidence, r.Faces, r.Colors}
		}
		v.Dice = append(v.Dice, k)
	}
	return v
}

// seen is the view as it was.
func (v *keptView) seen(game table.Game) table.Observation {
	obs := table.Observation{Game: game, Width: v.Width, Height: v.Height}
	if v.Corners != nil {
		obs.Grid = &table.Grid{Found: true, Corners: *v.Corners}
	}
	for _, k := range v.Dice {
		r := certain(table.Reading{At: k.At, Square: k.Square}, k.Die)
		if d := k.Doubt; d != nil {
			r.Sure, r.Confidence, r.Faces, r.Colors = false, d.Confidence, d.Faces, d.Colors
		}
		obs.Dice = append(obs.Dice, r)
	}
	return obs
}

// gist is which dice a view shows, and how surely, but not where exactly.
func (v *keptView) gist() *keptView {
	if v == nil {
		return nil
	}
	g := &keptView{Dice: slices.Clone(v.Dice), Told: v.Told}
	for i := range g.Dice {
		k := &g.Dice[i]
		if k.At = (table.Point{}); k.Doubt != nil {
			k.Doubt = &keptDoubt{}
		}
	}
	slices.SortFunc(g.Dice, func(a, b keptLoose) int { return a.order() - b.order() })
	return g
}

// order tells dice apart that a gist tells apart.
func (k keptLoose) order() int {
	n := int(k.Color)*8 + k.Face
	if n *= 2; k.Doubt != nil {
		n++
	}
	if k.Square != nil {
		n += (1 + k.Square.Index()) * 256
	}
	return n
}

// keepSeen adds to the facts what was seen of a board, and of a turn in the arena.
func (m *Match) keepSeen(f *facts) {
	if m.setting.Game.Kit().Layout == table.Loose && !m.followsZones() {
		return
	}
	if m.seen.ok {
		f.Seen = keepView(m.seen.obs)
		f.Seen.Told = m.lastTold()
	}
}

// takeSeen takes up what was seen last, unless something was told since: the match stopped before it
// kept the view that showed it.
func (m *Match) takeSeen(f facts) {
	if f.Seen == nil || f.Seen.Told != m.lastTold() {
		return
	}
	m.seen = seen{true, f.Seen.seen(m.setting.Game)}
}

// lastTold is the number of the last event; 0: there is none.
func (m *Match) lastTold() int64 {
	if n := len(m.log); n > 0 {
		return m.log[n-1].Seq
	}
	return 0
}
