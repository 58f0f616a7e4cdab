package belief

import (
	"math"
	"slices"

	"diceref/rules"
	"diceref/table"
)

// ObservationModel is how likely a camera and its reader see what they see, by what lies there. All numbers of
// it are here. The zero value is of no use; see DefaultModel.
type ObservationModel struct {
	Missed      float64 // a die that lies there is not seen
	Phantom     float64 // a die is doubtfully seen where none lies,
	PhantomSure float64 // or beyond doubt
	Wrong       float64 // a doubtful reading errs in a way that it does not tell
	WrongSure   float64 // a sure one does
	Sticker     float64 // a sticker is doubtfully taken for a die
	Fades       float64 // the power with which a phantom gets less likely the more confident its reading is
	Again       float64 // what was missed or invented in a view is so in the next
	Another     float64 // a die that lies as it lay is surely read as another than before
	Sharper     float64 // the power of a reader's probabilities that fits how often it errs
	Printed     float64 // a die is doubtfully seen where a print or a sticker was taken for one before
	Kinds       float64 // how many different dice there are
}

// DefaultModel is fitted to readings of recorded games with known answers.
var DefaultModel = ObservationModel{
	Missed: .015, Phantom: .002, PhantomSure: .000002, Wrong: .03, WrongSure: .0005, Sticker: .05, Fades: 4, Again: .7, Another: .05, Printed: .7, Sharper: 2, Kinds: 25,
}

// Look is what a view shows of one place.
type Look struct {
	Read    bool // something is read there
	Reading table.Reading
}

// Looks is what a view shows of every place, by table.Square.Index.
type Looks [len(rules.Places{})]Look

// LooksOf is what an observation shows of the places of a board or an arena. A blast die has no face.
func LooksOf(obs table.Observation) (looks Looks) {
	kit := obs.Game.Kit()
	for _, r := range obs.Dice {
		if r.Square == nil || !r.Square.On() || r.Color == table.NoColor {
			continue
		}
		if r.Color == kit.Blast {
			r.Face = 0
		}
		looks[r.Square.Index()] = Look{true, r}
	}
	return looks
}

// chance is the probability that a reading is of the die d, by itself.
func (m *ObservationModel) chance(r *table.Reading, d table.Die) float64 {
	wrong, p := m.Wrong, 0.0
	if r.Sure {
		wrong, p = m.WrongSure, 0
		if r.Die == d {
			p = 1
		}
	} else {
		p = m.sharp(r.Faces[:], d.Face) * m.sharp(r.Colors[:], int(d.Color))
	}
	return (1-wrong)*p + wrong/m.Kinds
}

// sharp is a probability of a reader that doubts more than it errs.
func (m *ObservationModel) sharp(all []float64, one int) float64 {
	sum := 0.0
	for _, p := range all {
		sum += math.Pow(p, m.Sharper)
	}
	if sum == 0 {
		return 0
	}
	return math.Pow(all[one], m.Sharper) / sum
}

// Weigh is the natural logarithm of how much likelier it is that a place looks so where d lies (no color: nothing), than
// that it is taken for any die at random.
func (m *ObservationModel) Weigh(l Look, d table.Die, prints []table.Die, sticker bool) float64 {
	switch {
	case !l.Read && d.Color == table.NoColor:
		return 0
	case !l.Read:
		return math.Log(m.Missed)
	case d.Color == table.NoColor && !l.Reading.Sure && printed(prints, l.Reading.Die):
		return math.Log(m.Printed)
	case d.Color == table.NoColor && l.Reading.Sure:
		return math.Log(m.PhantomSure)
	case d.Color == table.NoColor: // what is no die is hardly taken for one by a confident reader
		unsure, phantom := min(1, 2*(1-l.Reading.Confidence)), m.Phantom
		if sticker {
			phantom = m.Sticker
		}
		return math.Log(max(m.PhantomSure, phantom*math.Pow(unsure, m.Fades)))
	}
	return math.Log((1 - m.Missed) * m.chance(&l.Reading, d) * m.Kinds)
}

// same says whether a place looks as it did: readings of one die in one place err alike, so that the
// second of them tells nothing new.
func (l Look) same(o Look) bool {
	if !l.Read || !o.Read {
		return l.Read == o.Read
	}
	return l.Reading.Die == o.Reading.Die && (!l.Reading.Sure || o.Reading.Sure)
}

// options is the dice that may lie in a place as it looks, besides the one that is believed to.
func (m *ObservationModel) options(l Look, kit table.Kit) (list []table.Die) {
	const least = 0.02
	list = []table.Die{{}}
	if !l.Read {
		return list
	}
	r := &l.Reading
	for c := range r.Colors {
		for f := range r.Faces {
			d := table.Die{Color: table.Color(c), Face: f}
			if kit.Has(d) && (d == r.Die || !r.Sure && r.Colors[c]*r.Faces[f] >= least) {
				list = append(list, d)
			}
		}
	}
	return list
}

// printed says whether a reading may be of a print that was taken for these dice before: as it has no die's
// color, it is taken for one and then for another.
func printed(prints []table.Die, d table.Die) bool {
	return slices.ContainsFunc(prints, func(p table.Die) bool { return p == d || p == table.Die{} })
}
