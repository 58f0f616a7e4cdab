package owned

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"diceref/table"
)

// Corrections teach: a die that players have put right is one more look of what it shows, and of its color in that light.

// Lesson is what one correction teaches.
type Lesson struct {
	ID    string       // what the correction is called
	Name  Name         // what Top shows; empty: it says nothing of that
	Top   *Top         // as it was seen
	Color table.Lesson // how a die of a color looks; no color: it says nothing of that
}

// learn takes in what a correction teaches.
func (s *Set) learn(l Lesson) error {
	if l.Name != "" {
		t := *l.Top
		t.Lesson = l.ID
		if err := s.Teach(l.Name, t); err != nil {
			return err
		}
	}
	if l.Color.Color != table.NoColor {
		s.Colors = append(slices.Clone(s.Colors), ColorLook{l.Color, l.ID})
		s.Colors = s.Colors[max(0, len(s.Colors)-mostColors):]
	}
	return nil
}

// ColorLessons are the looks of its colors.
func (s *Set) ColorLessons() (list []table.Lesson) {
	for _, c := range s.Colors {
		list = append(list, c.Lesson)
	}
	return list
}

// Lessons is what the corrections are called of which the set has learned.
func (s *Set) Lessons() (ids []string) {
	for _, g := range s.Groups {
		for _, t := range g.Tops {
			ids = append(ids, t.Lesson)
		}
	}
	for _, c := range s.Colors {
		ids = append(ids, c.Of)
	}
	return slices.DeleteFunc(ids, func(id string) bool { return id == "" })
}

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

// forget takes out what lessons have taught, and the groups that had nothing else.
func (s *Sheet) forget(gone func(lesson string) bool) (some bool) {
	colors := slices.DeleteFunc(slices.Clone(s.Set.Colors), func(c ColorLook) bool { return c.Of != "" && gone(c.Of) })
	some = len(colors) < len(s.Set.Colors)
	s.Set.Colors = colors
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

// Teach adds what a correction teaches to a set, and tells the set as it is then.
func (s *Shelf) Teach(ctx context.Context, set string, l Lesson) (*Set, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.revise(ctx, set, func(sheet *Sheet) (bool, error) {
		if err := sheet.Set.learn(l); err != nil {
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
