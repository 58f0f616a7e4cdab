package owned

import (
	"fmt"
	"slices"
)

// Rename says what a group shows, and which face that is; 0: not said.
func (s *Set) Rename(at int, name Name, face int) { s.Groups[at].Name, s.Groups[at].Face = name, face }

// Merge has one group take in another, which is gone then.
func (s *Set) Merge(into, from int) {
	for _, t := range s.Groups[from].Tops {
		s.Groups[into].learn(t)
	}
	s.Groups = slices.Delete(s.Groups, from, from+1)
}

// Split makes a new group, the last, of some of a group's tops.
func (s *Set) Split(at int, tops []int) error {
	g := &s.Groups[at]
	if len(s.Groups) == mostGroups {
		return fmt.Errorf("there are %d groups already: merge or drop some first", mostGroups)
	}
	var out, rest []Top
	for i, t := range g.Tops {
		if slices.Contains(tops, i) {
			out = append(out, t)
		} else {
			rest = append(rest, t)
		}
	}
	if len(out) == 0 || len(rest) == 0 {
		return fmt.Errorf("a split takes some of a group's %d pictures, not all and not none", len(g.Tops))
	}
	g.Tops = rest
	s.Groups = append(s.Groups, Group{Tops: out})
	return nil
}

// Drop forgets a group.
func (s *Set) Drop(at int) { s.Groups = slices.Delete(s.Groups, at, at+1) }
