package owned

import (
	"fmt"
	"slices"
	"strconv"

	"diceref/table"
)

// A throw is sorted: what plainly shows what a group of the set shows joins it, and what is left is grouped by what looks alike.

const (
	surelySame = 0.97 // probability from which a top joins a group without a question
	alikeLeast = 0.67 // likeness of two groups' tops, in their mean, from which they are one
)

// Sort sorts the tops of a throw into the set. It tells into which group each has come; those from the first
// new one on are new.
func (s *Set) Sort(tops []Top) (groups []int, fresh int, err error) {
	x := s.byGroup()
	fresh = len(s.Groups)
	groups = make([]int, len(tops))
	var left []int
	for i := range tops {
		best, p := x.group(&tops[i])
		if groups[i] = best; p < surelySame {
			left = append(left, i)
		}
	}
	found := clusters(tops, left)
	if fresh+len(found) > mostGroups {
		return nil, fresh, fmt.Errorf("there are more than %d kinds of faces here: show fewer dice at a time, on a plain ground", mostGroups)
	}
	for n, cluster := range found {
		s.Groups = append(s.Groups, Group{})
		for _, i := range cluster {
			groups[i] = fresh + n
		}
	}
	for i, g := range groups {
		s.Groups[g].learn(tops[i])
	}
	s.trim()
	return groups, fresh, nil
}

// byGroup is an index in which each group stands for itself, by its place.
func (s *Set) byGroup() *Index {
	x := new(Index)
	for i, g := range s.Groups {
		x.add(Name(strconv.Itoa(i)), g.Tops)
	}
	return x
}

// group is the group that a top is most alike, and how likely it is of it.
func (x *Index) group(t *Top) (at int, p float64) {
	m := x.Match(&t.Signature[0], t.Pips)
	if m.Name == "" {
		return 0, 0
	}
	at, _ = strconv.Atoi(string(m.Name)) // see byGroup
	return at, m.P
}

// learn adds a top to a group. Of a full one, one is let go.
func (g *Group) learn(t Top) {
	if g.Tops = append(g.Tops, t); len(g.Tops) > mostTops {
		g.letGo()
	}
}

// letGo lets go of whatever of its tops is most like another: they shall be as unlike as they come.
func (g *Group) letGo() {
	worst, most := len(g.Tops)-1, -1.0
	for i := range g.Tops {
		for k := range g.Tops {
			if a := g.Tops[i].alike(&g.Tops[k].Signature[0], g.Tops[k].Pips); i != k && a > most {
				worst, most = max(i, k), a
			}
		}
	}
	g.Tops = slices.Delete(g.Tops, worst, worst+1)
}

// trim lets tops of the largest groups go until the set is within its bounds.
func (s *Set) trim() {
	for all := s.Pictures(); all > mostAll; all-- {
		largest := 0
		for i := range s.Groups {
			if len(s.Groups[i].Tops) > len(s.Groups[largest].Tops) {
				largest = i
			}
		}
		s.Groups[largest].letGo()
	}
}

// Pictures is how many pictures a set has.
func (s *Set) Pictures() (n int) {
	for _, g := range s.Groups {
		n += len(g.Tops)
	}
	return n
}

// clusters joins tops that look alike: always the two groups that are most alike in the mean of their tops, the largest first
// in the end.
func clusters(tops []Top, which []int) [][]int {
	like := make([][]float64, len(which))
	for a, i := range which {
		like[a] = make([]float64, len(which))
		for b, k := range which[:a] {
			like[a][b] = tops[i].alike(&tops[k].Signature[0], tops[k].Pips)
			like[b][a] = like[a][b]
		}
	}
	out := make([][]int, len(which)) // of places in which
	for a := range out {
		out[a] = []int{a}
	}
	for {
		from, to, most := 0, 0, alikeLeast
		for a := range out {
			for b := range a {
				if l := linkage(like, out[a], out[b]); l > most {
					from, to, most = a, b, l
				}
			}
		}
		if from == to {
			break
		}
		out[to] = append(out[to], out[from]...)
		out = slices.Delete(out, from, from+1)
	}
	for _, c := range out {
		for n, a := range c {
			c[n] = which[a]
		}
	}
	slices.SortStableFunc(out, func(a, b []int) int { return len(b) - len(a) })
	return out
}

// linkage is the mean likeness of two groups' tops.
func linkage(like [][]float64, a, b []int) float64 {
	sum := 0.0
	for _, i := range a {
		for _, k := range b {
			sum += like[i][k]
		}
	}
	return sum / float64(len(a)*len(b))
}

// Suggest is the name that a group may have, by its pips or by what the others show; empty where nothing suggests one.
func (s *Set) Suggest(at int) Name {
	pips := s.Groups[at].Tops[0].Pips
	if pips > 0 && !slices.ContainsFunc(s.Groups[at].Tops, func(t Top) bool { return t.Pips != pips }) {
		return Name(strconv.Itoa(pips))
	}
	x := new(Index)
	for i, g := range s.Groups {
		if i != at && g.Name != "" {
			x.add(g.Name, g.Tops)
		}
	}
	votes := map[Name]int{}
	for _, t := range s.Groups[at].Tops {
		if m := x.Match(&t.Signature[0], t.Pips); m.Known() {
			votes[m.Name]++
		}
	}
	for name, n := range votes {
		if 2*n > len(s.Groups[at].Tops) {
			return name
		}
	}
	return ""
}

// Alike are pairs of names whose tops are hardly told apart, however they are turned: a 6 and a 9.
func (s *Set) Alike() (pairs [][2]Name) {
	x := NewIndex(s)
	for a := range x.names {
		for b := range a {
			if x.confused(a, b) || x.confused(b, a) {
				pairs = append(pairs, [2]Name{x.names[b].name, x.names[a].name})
			}
		}
	}
	return pairs
}

// confused says whether half of one name's tops or more are as much alike another's as the rest of their own.
func (x *Index) confused(own, other int) bool {
	n, mixed := x.names[own], 0
	for i := range n.looks {
		v, pips := &n.looks[i].Signature[0], n.looks[i].Pips
		rest := named{looks: slices.Delete(slices.Clone(n.looks), i, i+1)}
		mine := 1.0 // a single top is like itself
		if len(rest.looks) > 0 {
			mine = rest.alike(v, pips)
		}
		if x.names[other].alike(v, pips) > mine-alikeLead {
			mixed++
		}
	}
	return 2*mixed >= len(n.looks)
}

// alikeLead is by how much a top must be more like its own kind than like another for the two to be told apart.
const alikeLead = 0.1

// Missing is what dice of the set's game show and nobody has shown yet: the game's icons or, where dice have numbers, the faces of which
// neither a number nor an icon is known.
func (s *Set) Missing() (names []Name) {
	shown, icons := map[string]bool{}, Icons(s.Game)
	numbers := icons == nil && s.Game != table.Any
	faces, err := s.Faces()
	if err != nil {
		return nil
	}
	var known [7]bool
	for _, face := range faces {
		known[face] = true
	}
	for _, g := range s.Groups {
		for _, icon := range g.Name.Icons() {
			shown[icon] = true
		}
		if n, plain := g.Name.number(""); plain && n > 0 {
			numbers = true
		}
	}
	if !numbers {
		for _, icon := range icons {
			if !shown[icon] {
				names = append(names, Name(icon))
			}
		}
		return names
	}
	for f := 1; f <= 6; f++ {
		if !known[f] {
			names = append(names, Name(strconv.Itoa(f)))
		}
	}
	if _, has := faces[Burst]; !has && s.Game.Kit().Blast != table.NoColor {
		names = append(names, Burst)
	}
	return names
}
