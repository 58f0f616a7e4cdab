package owned

import (
	"slices"

	"diceref/table"
)

// Drawn is what a page draws in place of a face's pips: a picture of what its owner has shown.
type Drawn struct {
	Face    int                    `json:"face"`
	Name    Name                   `json:"name"`
	Picture string                 `json:"picture"`          // what it is called
	Colors  map[table.Color]string `json:"colors,omitempty"` // one on a die of that color
}

// Drawn are the faces on which icons take the place of numbers, each with the pictures that are most like the others of it.
func (s *Set) Drawn() []Drawn {
	list := []Drawn{}
	faces, err := s.Faces()
	if err != nil {
		return list
	}
	for i := range s.Groups {
		g := &s.Groups[i]
		if g.Name.Icons() == nil || faces[g.Name] == 0 {
			continue
		}
		d := Drawn{Face: faces[g.Name], Name: g.Name, Picture: pictureName(usual(g.Tops).Picture), Colors: map[table.Color]string{}}
		for _, t := range g.Tops {
			if _, has := d.Colors[t.Color]; has || t.Color == table.NoColor {
				continue
			}
			same := slices.DeleteFunc(slices.Clone(g.Tops), func(o Top) bool { return o.Color != t.Color })
			d.Colors[t.Color] = pictureName(usual(same).Picture)
		}
		list = append(list, d)
	}
	return list
}

// usual is the top that is most like the others.
func usual(tops []Top) *Top {
	best, most := 0, -2.0*float64(len(tops))
	for i := range tops {
		sum := 0.0
		for k := range tops {
			sum += tops[i].alike(&tops[k].Signature[0], tops[k].Pips)
		}
		if sum > most {
			best, most = i, sum
		}
	}
	return &tops[best]
}

// Picture is a picture of the set by what it is called; nil: it has none of that name.
func (s *Set) Picture(name string) *Picture {
	for _, groups := range [2][]Group{s.Groups, s.Cards} {
		for _, g := range groups {
			for _, t := range g.Tops {
				if pictureName(t.Picture) == name {
					return t.Picture
				}
			}
		}
	}
	return nil
}
