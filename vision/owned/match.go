package owned

import (
	"math"
	"slices"
)

// A top shows what was shown, the likelier the more it is alike the nearest symbol; and it is this one, the likelier the more it
// leads the second. training/train_owned.py fits these odds (logarithms) to sets of symbols that were shown for the purpose.
const (
	shownAlike, shownNone = 27.67, -20.16
	rightLead, rightNone  = 24.54, -0.45
	mostLead              = 0.3 // more says nothing more
	nearest               = 2   // looks of a symbol that speak for it, in their mean
)

// Index is a set made ready for reading.
type Index struct{ names []named }

type named struct {
	name  Name
	looks []Top
}

// NewIndex makes a set ready. Groups without a name do not count; those of one name are one.
func NewIndex(s *Set) *Index {
	x := new(Index)
	for i := range s.Groups {
		if g := &s.Groups[i]; g.Name != "" {
			x.add(g.Name, g.Tops)
		}
	}
	return x
}

func (x *Index) add(name Name, tops []Top) {
	k := slices.IndexFunc(x.names, func(n named) bool { return n.name == name })
	if k < 0 {
		k = len(x.names)
		x.names = append(x.names, named{name: name})
	}
	x.names[k].looks = append(x.names[k].looks, tops...)
}

// Match is what a top is taken for.
type Match struct {
	Name  Name    // the most likely
	P     float64 // probability that it is
	Other Name    // the second
	Shown float64 // probability that it is any that was shown
}

// Known says whether the top is more likely than not one that was shown.
func (m *Match) Known() bool { return m.P >= 0.5 }

// Match tells what a top shows that looks so and plainly has so many pips; 0: none, or who knows.
func (x *Index) Match(v *Vector, pips int) Match {
	best, second := likeness{at: -1}, likeness{at: -1}
	for i := range x.names {
		if l := (likeness{i, x.names[i].alike(v, pips)}); best.at < 0 || l.by > best.by {
			best, second = l, best
		} else if second.at < 0 || l.by > second.by {
			second = l
		}
	}
	if best.at < 0 {
		return Match{}
	}
	lead := mostLead
	m := Match{Name: x.names[best.at].name}
	if second.at >= 0 {
		lead, m.Other = min(best.by-second.by, mostLead), x.names[second.at].name
	}
	m.Shown = sigmoid(shownAlike*best.by + shownNone)
	m.P = m.Shown * sigmoid(rightLead*lead+rightNone)
	return m
}

type likeness struct {
	at int
	by float64
}

// alike is the mean of the looks that are most alike, each the way up that is most alike.
func (n *named) alike(v *Vector, pips int) float64 {
	var most [nearest]float64
	for i := range n.looks {
		l := n.looks[i].alike(v, pips)
		for k := range min(nearest, i+1) {
			if k == i || l > most[k] {
				most[k], l = l, most[k]
			}
		}
	}
	sum := 0.0
	for _, l := range most[:min(nearest, len(n.looks))] {
		sum += l
	}
	return sum / float64(min(nearest, len(n.looks)))
}

// alike is how alike a top is another. Pips are counted by the network that knows nothing else: those of other numbers are unlike,
// whatever this one says.
func (t *Top) alike(v *Vector, pips int) float64 {
	if pips > 0 && t.Pips > 0 && pips != t.Pips {
		return -1
	}
	return t.Signature.alike(v)
}

// alike is how alike a top is the way up that is most alike.
func (s *Signature) alike(v *Vector) float64 {
	most := -1.0
	for i := range s {
		most = max(most, s[i].alike(v))
	}
	return most
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
