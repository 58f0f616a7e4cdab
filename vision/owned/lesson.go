package owned

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Corrections teach: a die that players have put right is one more look of what it shows.

// mostLesson is how long a lesson's name may be, in bytes.
const mostLesson = 80

// NameOf is what the set's dice show on a face; false where nobody has said so, or where several kinds of dice have it. Numbers stand for
// themselves, if no icon has taken their place.
func (s *Set) NameOf(face int) (Name, bool) {
	faces, err := s.Faces()
	if err != nil {
		return "", false
	}
	var names []Name
	for name, f := range faces {
		if f == face && name != "" {
			names = append(names, name)
		}
	}
	switch {
	case len(names) == 1:
		return names[0], true
	case len(names) > 1 || face < 0 || face > 6 || s.hasIcons():
		return "", false
	case face == 0:
		return Burst, true
	}
	return Name(strconv.Itoa(face)), true
}

func (s *Set) hasIcons() bool {
	return slices.ContainsFunc(s.Groups, func(g Group) bool { return g.Name.Icons() != nil })
}

// Teach adds a look of what has that name, and makes a group for it where there is none yet.
func (s *Set) Teach(name Name, t Top) error {
	if i := slices.IndexFunc(s.Groups, func(g Group) bool { return g.Name == name }); i >= 0 {
		s.Groups[i].learn(t)
		s.trim()
		return nil
	}
	if len(s.Groups) >= mostGroups {
		return fmt.Errorf("there are %d groups already: merge or drop some first", mostGroups)
	}
	before, err := s.Faces()
	if err != nil {
		return err
	}
	s.Groups = append(s.Groups, Group{Name: name, Tops: []Top{t}})
	after, err := s.Faces()
	if err == nil {
		delete(after, name)
		if !maps.Equal(before, after) { // it would take the face of icons of which nobody has said where they are
			err = fmt.Errorf("%s is not a face of these dice", name)
		}
	}
	if err != nil {
		s.Groups = s.Groups[:len(s.Groups)-1]
		return err
	}
	s.trim()
	return nil
}

// forget takes the tops of lessons out, and the groups that had no others.
func (s *Sheet) forget(gone func(lesson string) bool) (some bool) {
	for i := len(s.Set.Groups) - 1; i >= 0; i-- {
		g := &s.Set.Groups[i]
		rest := slices.DeleteFunc(slices.Clone(g.Tops), func(t Top) bool { return t.Lesson != "" && gone(t.Lesson) })
		switch {
		case len(rest) == len(g.Tops):
			continue
		case len(rest) == 0:
			s.remove(i)
		default:
			g.Tops = rest
		}
		some = true
	}
	return some
}

// Teach adds what a correction teaches to a set, and tells the set as it is then. t.Lesson is what the correction is called.
func (s *Shelf) Teach(ctx context.Context, set string, name Name, t Top) (*Set, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.revise(ctx, set, func(sheet *Sheet) (bool, error) {
		if err := sheet.Set.Teach(name, t); err != nil {
			return false, fault(FaultGroups, "%s", err)
		}
		sheet.label()
		return true, nil
	})
}

// Forget takes out what corrections had taught that hold no more, and tells the set as it is then; nil: it had learned nothing of them.
func (s *Shelf) Forget(ctx context.Context, set string, gone func(lesson string) bool) (*Set, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.revise(ctx, set, func(sheet *Sheet) (bool, error) { return sheet.forget(gone), nil })
}

// revise changes a set for which nobody looks at its groups, and saves it where it has changed; s.mu is held. Whoever shows the
// set meanwhile goes on: letters stay.
func (s *Shelf) revise(ctx context.Context, set string, do func(*Sheet) (changed bool, err error)) (*Set, error) {
	o, err := s.showing(ctx, set)
	if err != nil {
		return nil, err
	}
	next := o.clone()
	if changed, err := do(next.sheet); err != nil || !changed {
		return nil, err
	}
	if err := s.save(set, next.sheet.Set); err != nil {
		return nil, err
	}
	s.open[set] = next
	return next.sheet.Set, nil
}
