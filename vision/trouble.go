package vision

import (
	"slices"

	"diceref/table"
	"diceref/vision/motion"
)

// patienceTime is for how long, in seconds, nothing may be concluded of what has changed before it is said why.
const patienceTime = 10.0

// hitches are what keeps a table from being read.
var hitches = [...]table.Warning{
	motion.Free:    {},
	motion.Covered: {Code: "covered", Text: "something keeps moving over the table: take your hands away for a moment"},
	motion.Shaken:  {Code: "trembling", Text: "the picture shakes too much: put the camera on something firm"},
	motion.Lit:     {Code: "moving-light", Text: "light and shadows keep moving over the table: draw the curtain, or switch a lamp on"},
}

// patience notices that nothing is concluded for long though something has changed, and why.
type patience struct {
	open  bool
	since float64           // when it was, seconds
	count [len(hitches)]int // frames since, by what hindered
	gone  bool              // the view was lost for good, and no grid has been found since
	now   *table.Warning    // what is wrong
}

// left notes that the camera sees another table, or another part of it, than before.
func (p *patience) left() { p.gone = true }

// note takes in a frame t seconds after some beginning: what hinders, whether it was read, and whether that told
// anything, which it does not without the grid. dark says whether there is little light.
func (p *patience) note(v motion.Verdict, useful bool, dark func() bool, t float64) {
	if v.Read && useful {
		*p = patience{}
		return
	}
	if v.Look == table.LookStill && !v.Read && !p.open {
		return
	}
	if !p.open {
		*p = patience{open: true, since: t, gone: p.gone}
	}
	p.count[v.Hitch]++
	switch {
	case v.Read && p.gone:
		p.now = &table.Warning{Code: "no-board", Text: "the camera has moved and no 5×5 grid is found: bring the whole board into view"}
	case t-p.since < patienceTime || p.now != nil:
	case dark():
		p.now = &table.Warning{Code: "dark", Text: "the table is dark: switch a lamp on"}
	default:
		p.now = p.hindered()
	}
}

// hindered is what has hindered most. Where nothing has, no grid is found.
func (p *patience) hindered() *table.Warning {
	most := motion.Free
	for _, h := range []motion.Hitch{motion.Covered, motion.Shaken, motion.Lit} {
		if p.count[h] > 0 && (most == motion.Free || p.count[h] > p.count[most]) {
			most = h
		}
	}
	if most == motion.Free {
		return &table.Warning{Code: "no-board", Text: "no 5×5 grid found: bring the whole board into view"}
	}
	return &hitches[most]
}

// warned adds a warning unless it is there already.
func warned(list []table.Warning, w table.Warning) []table.Warning {
	if slices.ContainsFunc(list, func(o table.Warning) bool { return o.Code == w.Code }) {
		return list
	}
	return append(slices.Clone(list), w)
}
