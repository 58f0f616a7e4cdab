package belief

import (
	"encoding/binary"
	"math"
	"slices"

	"diceref/rules"
)

// Many hypotheses stand at the same position and differ only in what lies further back than one view may undo: the face of a die that
// nobody saw, say. They go on alike, so that it is searched once how they may, and what is found is carried over to each of them.

// finding is a way in which a world may go on, for all that go on alike.
type finding struct {
	line      []rules.Move
	log, fits float64
	slips     []slip
	toCome    bool
}

// findings is those that are likelier than a bound, as a logarithm.
type findings struct {
	least float64
	list  []finding
}

// FollowAbove is Follow without the courses that are less likely than a bound, as a logarithm.
func (z *Zones) FollowAbove(l *Layout, least float64) (list []rules.Course[*Layout]) {
	if l.Said != nil {
		return z.hear(l.Said)
	}
	key := z.outlook(l)
	known, is := l.alike[key]
	if !is || least < known.least {
		known = findings{least, z.search(l, least)}
		l.alike[key] = known
	}
	for _, f := range known.list {
		if f.log > least {
			list = append(list, rules.Course[*Layout]{Line: f.line, Log: f.log, After: z.along(&f, l.steps), Fits: f.fits})
		}
	}
	return list
}

// outlook tells worlds apart that go on otherwise by a view.
func (z *Zones) outlook(l *Layout) string {
	key := []byte(z.key)
	for i := range z.slips {
		key = z.slips[i].append(key)
	}
	for i := range z.stay {
		key = append(key, pileKey(&z.stay[i])...)
	}
	for _, said := range z.awaits {
		key = binary.LittleEndian.AppendUint32(key, uint32(l.number(said)))
	}
	for at, n := z, 0; ; at = at.before {
		flags := byte(0)
		for i, is := range []bool{at.wrong, at.told, at.before != nil, at.follows()} {
			if is {
				flags |= 1 << i
			}
		}
		if key = append(key, flags); at.before == nil || n == mostBack {
			return string(key)
		}
		key = append(append(append(key, at.last.String()...), at.act.String()...), at.before.key...)
		if !at.follows() {
			n++
		}
	}
}

// number tells words apart.
func (s *shared) number(said *Word) int {
	i := slices.Index(s.words, said)
	if i < 0 {
		i = len(s.words)
		s.words = append(s.words, said)
	}
	return i
}

// along is the world to which one goes on as was found.
func (z *Zones) along(f *finding, known steps) *Zones {
	after := *z
	for line := f.line; len(line) > 0; {
		if back, is := line[0].(TakenBack); is {
			after, line = *after.takenBack(back), line[1:]
			continue
		}
		at := after
		next, _, _ := at.after(line[0], known)
		after, line = *next, line[1+len(next.forced):]
	}
	if after.slips, after.stay, after.told = f.slips, after.piles, f.toCome; len(f.line) > 0 {
		after.awaits = nil // this view would have shown it
	}
	return &after
}

// search finds how a world may go on, but for what is less likely than a bound, as a logarithm.
func (z *Zones) search(l *Layout, least float64) []finding {
	t := tracker{from: z, zoneFit: l.fitting(z.slips), best: least + worst, met: map[meeting]float64{}}
	t.add(trail{world: z, log: math.Log(prior.Nothing)})
	t.addToCome(z)
	t.takeBack(z)
	for _, w := range slices.Clone(t.trails) { // what is so far from what is seen that others would be gone on from first
		t.goOn(w)
	}
	t.goOnBestFirst()
	return t.findings()
}
