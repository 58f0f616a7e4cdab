package owned

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"diceref/table"
)

// Sheet is a set of dice while somebody says what its groups show, in a terminal or on a page. Groups have letters that stay,
// whatever is merged or split.
type Sheet struct {
	Set     *Set
	Letters []string           // of the groups, in their order
	Places  map[string][]Place // where the tops of this showing were seen, by letter
	next    int                // the letter that a new group gets
}

// Place is where a top was seen.
type Place struct {
	Picture string      `json:"picture"`
	At      table.Point `json:"at"`
	Color   table.Color `json:"color"`
}

// surelyColor is how likely a die's color must be for its picture to be one of a die of that color.
const surelyColor = 0.95

// NewSheet begins, or goes on, with a set.
func NewSheet(set *Set) *Sheet {
	s := &Sheet{Set: set, Places: map[string][]Place{}}
	s.label()
	return s
}

// label gives letters to the groups that have none yet: A to Z, then AA.
func (s *Sheet) label() {
	for len(s.Letters) < len(s.Set.Groups) {
		letter := string(rune('A' + s.next%26))
		if s.next >= 26 {
			letter = string(rune('A'+s.next/26-1)) + letter
		}
		s.Letters = append(s.Letters, letter)
		s.next++
	}
}

// Throw sorts the dice of a throw into the set. It tells how many tops there were, and how many groups are new.
func (s *Sheet) Throw(where string, dice []table.Reading) (tops, fresh int, err error) {
	var seen []Top
	var places []Place
	for _, d := range dice {
		if d.Top == nil {
			continue
		}
		top, err := TopOf(d.Top)
		if err != nil {
			return 0, 0, fmt.Errorf("the eye shows a top in an unknown way: %w", err)
		}
		if d.Colors[d.Color] >= surelyColor {
			top.Color = d.Color
		}
		seen, places = append(seen, top), append(places, Place{Picture: where, At: d.At, Color: d.Color})
	}
	if len(seen) == 0 {
		return 0, 0, nil
	}
	groups, from, err := s.Set.Sort(seen)
	if err != nil {
		return 0, 0, err
	}
	s.label()
	for i, g := range groups {
		s.Places[s.Letters[g]] = append(s.Places[s.Letters[g]], places[i])
	}
	return len(seen), len(s.Set.Groups) - from, nil
}

// Open are the groups without a name.
func (s *Sheet) Open() (groups []int) {
	for i, g := range s.Set.Groups {
		if g.Name == "" {
			groups = append(groups, i)
		}
	}
	return groups
}

// Answer does what one line of answers says.
func (s *Sheet) Answer(line string) error {
	words := strings.Fields(line)
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return nil
	}
	if len(words) == 1 {
		return fmt.Errorf("%.40q says too little: give a group's letter and what it shows", line)
	}
	switch strings.ToLower(words[0]) {
	case "merge":
		return s.Merge(words[1:])
	case "split":
		return s.splitNumbers(words[1], words[2:])
	case "drop":
		return s.Drop(words[1])
	}
	return s.Name(words[0], strings.Join(words[1:], " "))
}

func (s *Sheet) group(letter string) (int, error) {
	letter = strings.ToUpper(strings.TrimSuffix(letter, ":"))
	if i := slices.Index(s.Letters, letter); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("there is no group %.10q (there are %s)", letter, strings.Join(s.Letters, ", "))
}

// Name says what a group shows, as ParseFace reads it. Two of one name are one.
func (s *Sheet) Name(letter, text string) error {
	i, err := s.group(letter)
	if err != nil {
		return err
	}
	name, face, err := ParseFace(s.Set.Game, text)
	if err != nil {
		return err
	}
	before := s.Set.Groups[i]
	s.Set.Rename(i, name, face)
	if _, err := s.Set.Faces(); err != nil {
		s.Set.Groups[i] = before
		return err
	}
	k := slices.IndexFunc(s.Set.Groups, func(g Group) bool { return g.Name == name })
	if last := slices.IndexFunc(s.Set.Groups[k+1:], func(g Group) bool { return g.Name == name }); last >= 0 {
		s.Set.Rename(k, name, max(face, s.Set.Groups[k].Face))
		s.join(k, k+1+last)
	}
	return nil
}

func (s *Sheet) join(into, from int) {
	s.Set.Merge(into, from)
	s.Places[s.Letters[into]] = append(s.Places[s.Letters[into]], s.Places[s.Letters[from]]...)
	delete(s.Places, s.Letters[from])
	s.Letters = slices.Delete(s.Letters, from, from+1)
}

// Merge has the first group take in the others.
func (s *Sheet) Merge(letters []string) error {
	into, err := s.group(letters[0])
	if err != nil {
		return err
	}
	letter := s.Letters[into]
	for _, other := range letters[1:] {
		from, err := s.group(other)
		if err != nil {
			return err
		}
		if into = slices.Index(s.Letters, letter); into == from {
			return fmt.Errorf("%s is merged with itself", letter)
		}
		s.join(into, from)
	}
	return nil
}

// Split makes a new group of some of a group's pictures, counted from 0.
func (s *Sheet) Split(letter string, tops []int) error {
	i, err := s.group(letter)
	if err != nil {
		return err
	}
	if err := s.Set.Split(i, tops); err != nil {
		return err
	}
	s.label()
	return nil
}

// splitNumbers splits by the numbers that a page shows, which begin with 1.
func (s *Sheet) splitNumbers(letter string, numbers []string) error {
	i, err := s.group(letter)
	if err != nil {
		return err
	}
	var tops []int
	for _, text := range numbers {
		n, err := strconv.Atoi(strings.Trim(text, ","))
		if err != nil || n < 1 || n > len(s.Set.Groups[i].Tops) {
			return fmt.Errorf("%.10q is no picture of %s: they have numbers from 1 to %d", text, s.Letters[i], len(s.Set.Groups[i].Tops))
		}
		tops = append(tops, n-1)
	}
	return s.Split(letter, tops)
}

// Drop forgets a group.
func (s *Sheet) Drop(letter string) error {
	i, err := s.group(letter)
	if err != nil {
		return err
	}
	s.remove(i)
	return nil
}

func (s *Sheet) remove(i int) {
	s.Set.Drop(i)
	delete(s.Places, s.Letters[i])
	s.Letters = slices.Delete(s.Letters, i, i+1)
}
