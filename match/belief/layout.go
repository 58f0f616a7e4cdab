package belief

import (
	"math"
	"slices"

	"diceref/calibration"
	"diceref/rules"
	"diceref/table"
)

// Layout is what one still view of a table with zones shows, or what was said: the dice by zone.
type Layout struct {
	rules.Spread
	Game   table.Game
	Said   *Word   // only this was said
	Before *Layout // the view before; nil: this is the first
	reach  float64 // within which two readings are of the same die, in pixels
	*shared
	// outlines is those of the zones, in pixels.
	outlines map[rules.Zone][][]table.Point
}

// shared is what hypotheses have in common that are compared with a view.
type shared struct {
	may   map[string][]rules.Likely // the acts that a game proposes, by position
	steps steps
	fits  map[string]*zoneFit          // by the errors of the reader in the view before
	came  map[rules.Zone][]table.Color // see newcomers
	alike map[string]findings          // how worlds may go on, by outlook
	words []*Word                      // that are awaited
	gone  int                          // so many lines of acts were gone on from: see mostInView
}

// Word is something that was said.
type Word struct {
	ID int64 // by which it is known again after a restart
	// Means is the act that it means at a position; nil: none. done says that it can only mean what was done already.
	Means func(now rules.Zoned) (mv rules.Move, done bool)
}

// LayoutOf sums up the readings of a still view.
func LayoutOf(readings []table.Observation, zones []calibration.Zone, game rules.Zoned, before *Layout) *Layout {
	last := readings[len(readings)-1]
	w, h := float64(max(1, last.Width)), float64(max(1, last.Height))
	l := &Layout{Game: last.Game, Before: before, shared: &shared{may: map[string][]rules.Likely{}, steps: steps{}, fits: map[string]*zoneFit{}, came: map[rules.Zone][]table.Color{}, alike: map[string]findings{}}, outlines: map[rules.Zone][][]table.Point{}}
	l.In, l.Drawn = map[rules.Zone][]table.Reading{}, map[rules.Zone]bool{}
	if before != nil {
		once := *before
		once.Before, once.shared = nil, nil
		l.Before = &once
	}
	var drawn []calibration.Zone
	var keys []rules.Zone
	for _, z := range zones {
		if k, ok := game.Zone(z.Kind, z.Seat); ok {
			drawn, keys = append(drawn, z), append(keys, k)
			l.Drawn[k] = true
			outline := make([]table.Point, len(z.Outline))
			for i, p := range z.Outline {
				outline[i] = table.Point{X: p.X * w, Y: p.Y * h}
			}
			l.outlines[k] = append(l.outlines[k], outline)
		}
	}
	l.reach = sideLength(&last) / (2 * table.Size)
	dice := last.Dice
	if len(readings) > 1 {
		dice = besideOf(readings)
	}
	for _, r := range dice {
		if i := calibration.ZoneOf(drawn, table.Point{X: r.At.X / w, Y: r.At.Y / h}); i >= 0 {
			l.In[keys[i]] = append(l.In[keys[i]], r)
			l.Total++
		} else {
			l.Out = append(l.Out, r)
		}
	}
	return l
}

// Searched is how many lines of acts were gone on from to explain the view.
func (l *Layout) Searched() int { return l.gone }

// Sure says whether all that is read is surely read, and lies in a zone.
func (l *Layout) Sure() bool {
	for _, list := range l.In {
		if slices.ContainsFunc(list, func(r table.Reading) bool { return !r.Sure }) {
			return false
		}
	}
	return len(l.Out) == 0
}

// looks is the logarithm of how likely a reading is if it is of a die, as compared with one of its zone that shows anything.
func (l *Layout) looks(r *table.Reading, is table.Die) float64 {
	wrong, floor := model.Wrong, model.Floor
	if r.Sure {
		wrong, floor = model.SurelyWrong, 0
	}
	faces, colors := r.Faces, r.Colors
	if total(faces[:]) == 0 || total(colors[:]) == 0 {
		faces, colors = spread(r)
	}
	log := 0.0
	if is.Face != 0 {
		log += math.Log((1-wrong)*max(model.Sharpened(faces[:], is.Face), floor) + wrong/6)
	}
	if is.Color != table.NoColor {
		log += math.Log((1-wrong)*max(model.Sharpened(colors[:], int(is.Color)), floor) + wrong/float64(max(len(l.Game.Kit().Dice), 1)))
	}
	return log
}

// none is the same if it is of no die.
func (l *Layout) none(r *table.Reading) float64 {
	there := min(max(existence(r), model.Least), 1-model.Phantom)
	if r.Sure {
		there = 1 - model.SurePhantom
	}
	return math.Log((1 - there) / there)
}
