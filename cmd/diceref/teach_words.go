package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"diceref/table"
	"diceref/vision/owned"
)

// groupWords says how groups look, a line each.
func groupWords(s *owned.Sheet, groups []int) string {
	var b strings.Builder
	for _, i := range groups {
		g := &s.Set.Groups[i]
		fmt.Fprintf(&b, "  %s  %s", s.Letters[i], table.Count(len(g.Tops), "picture", "pictures"))
		switch like := s.Set.Suggest(i); {
		case g.Name != "":
			fmt.Fprintf(&b, ": %s", g.Name)
		case like != "":
			fmt.Fprintf(&b, ", perhaps %s", like)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// missingWords says what nobody has shown yet; empty if that is nothing.
func missingWords(s *owned.Set) string {
	var names []string
	for _, n := range s.Missing() {
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
	Letter  string        `json:"group"`
	Name    owned.Name    `json:"name"`
	Perhaps owned.Name    `json:"perhaps,omitempty"`
	Tops    int           `json:"pictures"`
	Seen    []owned.Place `json:"seen"` // this time
}

// tellTaught prints what was shown, and what is still missing.
func (a *app) tellTaught(t *teaching) error {
	s := t.sheet
	line := taughtLine{Set: t.path, Page: t.pagePath(), Throws: t.throws, Groups: []taughtGroup{}, Missing: []owned.Name{}, Alike: [][2]string{}}
	line.Missing = append(line.Missing, s.Set.Missing()...)
	for _, pair := range s.Set.Alike() {
		line.Alike = append(line.Alike, [2]string{string(pair[0]), string(pair[1])})
	}
	for i, g := range s.Set.Groups {
		t := taughtGroup{Letter: s.Letters[i], Name: g.Name, Tops: len(g.Tops), Seen: append([]owned.Place{}, s.Places[s.Letters[i]]...)}
		if g.Name == "" {
			t.Perhaps = s.Set.Suggest(i)
		}
		line.Groups = append(line.Groups, t)
	}
	if t.json {
		return json.NewEncoder(a.stdout).Encode(line)
	}
	all := make([]int, len(s.Set.Groups))
	for i := range all {
		all[i] = i
	}
	text := groupWords(s, all)
	for _, pair := range line.Alike {
		text += fmt.Sprintf("%s and %s look alike, however they are turned: they will not be told surely.\n", pair[0], pair[1])
	}
	if missing := missingWords(s.Set); missing != "" {
		text += "Not shown yet: " + missing + ".\n"
	}
	if open := s.Open(); len(open) > 0 {
		text += fmt.Sprintf("%s no name yet: look at %s, and answer with --answers.\n", table.Count(len(open), "group has", "groups have"), line.Page)
	}
	_, err := fmt.Fprintf(a.stdout, "%sSaved in %s\n", text, t.path)
	return err
}
