package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"diceref/table"
	"diceref/vision/owned"
)

// sheet is a set of dice while somebody says what its groups show. Groups have letters that stay, whatever is merged or split.
type sheet struct {
	set     *owned.Set
	letters []string // of the groups, in their order
	next    int      // the letter that a new group gets
	places  map[string][]place
}

// place is where a top was seen.
type place struct {
	Picture string      `json:"picture"`
	At      table.Point `json:"at"`
	Color   table.Color `json:"color"`
}

func newSheet(set *owned.Set) *sheet {
	s := &sheet{set: set, places: map[string][]place{}}
	s.label()
	return s
}

// label gives letters to the groups that have none yet: A to Z, then AA.
func (s *sheet) label() {
	for len(s.letters) < len(s.set.Groups) {
		letter := string(rune('A' + s.next%26))
		if s.next >= 26 {
			letter = string(rune('A'+s.next/26-1)) + letter
		}
		s.letters = append(s.letters, letter)
		s.next++
	}
}

// add sorts a throw into the set, and tells how many groups are new.
func (s *sheet) add(tops []owned.Top, places []place) (fresh int, err error) {
	groups, from, err := s.set.Sort(tops)
	if err != nil {
		return 0, err
	}
	s.label()
	for i, g := range groups {
		s.places[s.letters[g]] = append(s.places[s.letters[g]], places[i])
	}
	return len(s.set.Groups) - from, nil
}

// open are the groups without a name.
func (s *sheet) open() (groups []int) {
	for i, g := range s.set.Groups {
		if g.Name == "" {
			groups = append(groups, i)
		}
	}
	return groups
}

// words says how groups look, a line each.
func (s *sheet) words(groups []int) string {
	var b strings.Builder
	for _, i := range groups {
		g := &s.set.Groups[i]
		fmt.Fprintf(&b, "  %s  %s", s.letters[i], table.Count(len(g.Tops), "picture", "pictures"))
		switch like := s.set.Suggest(i); {
		case g.Name != "":
			fmt.Fprintf(&b, ": %s", g.Name)
		case like != "":
			fmt.Fprintf(&b, ", perhaps %s", like)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// answer does what one line of answers says.
func (s *sheet) answer(line string) error {
	words := strings.Fields(line)
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return nil
	}
	if len(words) == 1 {
		return fmt.Errorf("%.40q says too little: give a group's letter and what it shows", line)
	}
	switch strings.ToLower(words[0]) {
	case "merge":
		return s.merge(words[1:])
	case "split":
		return s.split(words[1], words[2:])
	case "drop":
		i, err := s.group(words[1])
		if err == nil {
			s.set.Drop(i)
			s.letters = slices.Delete(s.letters, i, i+1)
		}
		return err
	}
	i, err := s.group(words[0])
	if err != nil {
		return err
	}
	name, face, err := owned.ParseFace(s.set.Game, strings.Join(words[1:], " "))
	if err != nil {
		return err
	}
	return s.name(i, name, face)
}

func (s *sheet) group(letter string) (int, error) {
	letter = strings.ToUpper(strings.TrimSuffix(letter, ":"))
	if i := slices.Index(s.letters, letter); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("there is no group %.10q (there are %s)", letter, strings.Join(s.letters, ", "))
}

// name says what a group shows. Two of one name are one.
func (s *sheet) name(i int, name owned.Name, face int) error {
	before := s.set.Groups[i]
	s.set.Rename(i, name, face)
	if _, err := s.set.Faces(); err != nil {
		s.set.Groups[i] = before
		return err
	}
	k := slices.IndexFunc(s.set.Groups, func(g owned.Group) bool { return g.Name == name })
	if last := slices.IndexFunc(s.set.Groups[k+1:], func(g owned.Group) bool { return g.Name == name }); last >= 0 {
		s.set.Rename(k, name, max(face, s.set.Groups[k].Face))
		s.join(k, k+1+last)
	}
	return nil
}

func (s *sheet) join(into, from int) {
	s.set.Merge(into, from)
	s.places[s.letters[into]] = append(s.places[s.letters[into]], s.places[s.letters[from]]...)
	delete(s.places, s.letters[from])
	s.letters = slices.Delete(s.letters, from, from+1)
}

func (s *sheet) merge(letters []string) error {
	into, err := s.group(letters[0])
	if err != nil {
		return err
	}
	letter := s.letters[into]
	for _, other := range letters[1:] {
		from, err := s.group(other)
		if err != nil {
			return err
		}
		if into = slices.Index(s.letters, letter); into == from {
			return fmt.Errorf("%s is merged with itself", letter)
		}
		s.join(into, from)
	}
	return nil
}

func (s *sheet) split(letter string, numbers []string) error {
	i, err := s.group(letter)
	if err != nil {
		return err
	}
	var tops []int
	for _, text := range numbers {
		n, err := strconv.Atoi(strings.Trim(text, ","))
		if err != nil || n < 1 || n > len(s.set.Groups[i].Tops) {
			return fmt.Errorf("%.10q is no picture of %s: they have numbers from 1 to %d", text, s.letters[i], len(s.set.Groups[i].Tops))
		}
		tops = append(tops, n-1)
	}
	if err := s.set.Split(i, tops); err != nil {
		return err
	}
	s.label()
	return nil
}

// missing says what nobody has shown yet, in words; empty if that is nothing.
func (s *sheet) missing() string {
	var names []string
	for _, n := range s.set.Missing() {
		names = append(names, string(n))
	}
	return strings.Join(names, ", ")
}

// pagePath is where the page that shows the groups lies.
func (t *teaching) pagePath() string {
	if t.page != "" {
		return t.page
	}
	return strings.TrimSuffix(t.path, filepath.Ext(t.path)) + ".html"
}

// taughtLine is what teach prints as JSON.
type taughtLine struct {
	Set     string        `json:"set"`
	Page    string        `json:"page"`
	Throws  int           `json:"throws"`
	Groups  []taughtGroup `json:"groups"`
	Missing []owned.Name  `json:"missing"`
	Alike   [][2]string   `json:"alike"`
}

type taughtGroup struct {
	Letter  string     `json:"group"`
	Name    owned.Name `json:"name"`
	Perhaps owned.Name `json:"perhaps,omitempty"`
	Tops    int        `json:"pictures"`
	Seen    []place    `json:"seen"` // this time
}

// tellTaught prints what was shown, and what is still missing.
func (a *app) tellTaught(t *teaching) error {
	s := t.sheet
	line := taughtLine{Set: t.path, Page: t.pagePath(), Throws: t.throws, Groups: []taughtGroup{}, Missing: []owned.Name{}, Alike: [][2]string{}}
	line.Missing = append(line.Missing, s.set.Missing()...)
	for _, pair := range s.set.Alike() {
		line.Alike = append(line.Alike, [2]string{string(pair[0]), string(pair[1])})
	}
	for i, g := range s.set.Groups {
		t := taughtGroup{Letter: s.letters[i], Name: g.Name, Tops: len(g.Tops), Seen: append([]place{}, s.places[s.letters[i]]...)}
		if g.Name == "" {
			t.Perhaps = s.set.Suggest(i)
		}
		line.Groups = append(line.Groups, t)
	}
	if t.json {
		return json.NewEncoder(a.stdout).Encode(line)
	}
	all := make([]int, len(s.set.Groups))
	for i := range all {
		all[i] = i
	}
	text := s.words(all)
	for _, pair := range line.Alike {
		text += fmt.Sprintf("%s and %s look alike, however they are turned: they will not be told surely.\n", pair[0], pair[1])
	}
	if missing := s.missing(); missing != "" {
		text += "Not shown yet: " + missing + ".\n"
	}
	if open := s.open(); len(open) > 0 {
		text += fmt.Sprintf("%s no name yet: look at %s, and answer with --answers.\n", table.Count(len(open), "group has", "groups have"), line.Page)
	}
	_, err := fmt.Fprintf(a.stdout, "%sSaved in %s\n", text, t.path)
	return err
}
