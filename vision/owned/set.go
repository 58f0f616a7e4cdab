package owned

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"diceref/table"
)

// Bounds of a set: what a table needs, and no more than a phone takes in a second.
const (
	mostFile   = 2 << 20 // bytes
	mostGroups = 32
	mostTops   = 12  // of a group: more looks hardly tell more
	mostAll    = 220 // tops
	mostTitle  = 60  // bytes of its name
	mostColors = 60  // looks of colors
)

// version is that of the file. It is raised when an older program would read it wrong.
const version = 1

// Set is the dice of one owner, as they were shown. Its pictures are what it is made of: where the network is another than the one
// that signed them, they are signed again.
type Set struct {
	Version int        `json:"dice_set"`
	Title   string     `json:"title,omitempty"`
	Game    table.Game `json:"game"`
	Model   string     `json:"model"` // that signed the tops
	Groups  []Group    `json:"groups"`
	Cards   []Group    `json:"cards,omitempty"` // secret ones, each with how it was held before the camera
	// Colors are examples of how the dice look in the lights in which players have put their colors right, the oldest first.
	Colors []ColorLook `json:"colors,omitempty"`
}

// ColorLook is a look of a die of that color.
type ColorLook struct {
	table.Lesson
	Of string `json:"lesson,omitempty"` // the correction that taught it
}

// Group is tops that show the same.
type Group struct {
	Name Name  `json:"name"`           // empty: not said yet
	Face int   `json:"face,omitempty"` // that icons are on, as the owner numbers them; 0: not said
	Tops []Top `json:"tops"`
}

// NewSet is a set without dice.
func NewSet(game table.Game, title string) *Set {
	return &Set{Version: version, Title: title, Game: game, Groups: []Group{}}
}

// Check refuses what is no set.
func (s *Set) Check() error {
	switch {
	case s.Version > version:
		return errors.New("the set of dice is of a later version of diceref: install that one, or show the dice again")
	case s.Version != version:
		return errors.New("this is no set of dice: diceref teach makes one")
	case len(s.Title) > mostTitle || strings.ContainsFunc(s.Title, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Errorf("the set's title must be one line of at most %d bytes", mostTitle)
	case len(s.Groups) > mostGroups:
		return fmt.Errorf("a set has at most %d groups, not %d", mostGroups, len(s.Groups))
	}
	if _, err := table.ParseGame(string(s.Game)); err != nil {
		return fmt.Errorf("the set of dice is for an unknown game: %w", err)
	}
	if err := cmp.Or(s.checkColors(), s.checkCards()); err != nil {
		return err
	}
	all := 0
	for _, g := range s.Groups {
		all += len(g.Tops)
		if err := g.check(s.Game); err != nil {
			return err
		}
	}
	if all > mostAll {
		return fmt.Errorf("a set has at most %d pictures, not %d", mostAll, all)
	}
	_, err := s.Faces()
	return err
}

func (s *Set) checkColors() error {
	if len(s.Colors) > mostColors {
		return fmt.Errorf("a set has at most %d looks of colors, not %d", mostColors, len(s.Colors))
	}
	for _, c := range s.Colors {
		if c.Color == table.NoColor || len(c.Of) > mostLesson {
			return errors.New("a look of a color has a color, and a short name of its lesson")
		}
	}
	return nil
}

func (g *Group) check(game table.Game) error {
	if g.Name != "" {
		if name, err := ParseName(game, string(g.Name)); err != nil {
			return err
		} else if name != g.Name {
			return fmt.Errorf("a group is named %.40q, which is written %q", g.Name, name)
		}
	}
	if g.Face < 0 || g.Face > 6 || g.Face != 0 && g.Name.Icons() == nil {
		return errors.New("a group of icons has a face from 1 to 6, or none")
	}
	if len(g.Tops) == 0 || len(g.Tops) > mostTops {
		return fmt.Errorf("a group has 1 to %d pictures, not %d", mostTops, len(g.Tops))
	}
	for _, t := range g.Tops {
		if t.Pips < 0 || t.Pips > 6 {
			return errors.New("a top has at most six pips")
		}
		if len(t.Lesson) > mostLesson {
			return fmt.Errorf("a lesson's name has at most %d bytes", mostLesson)
		}
		if t.Picture == nil || t.Signature == nil {
			return errors.New("a top has a picture and a signature")
		}
	}
	return nil
}

// Faces are the faces that names stand for. Icons of which the owner has not said so get the first that is free, in the order of the
// groups. Among any dice, icons beyond that have none.
func (s *Set) Faces() (map[Name]int, error) {
	faces, taken := map[Name]int{}, [7]bool{}
	for _, g := range s.Groups {
		n, plain := g.Name.number(s.Game)
		if plain || g.Face > 0 {
			faces[g.Name] = max(n, g.Face)
			taken[faces[g.Name]] = true
		}
	}
	for _, g := range s.Groups {
		if _, has := faces[g.Name]; has || g.Name == "" || g.Name == NoDie {
			continue
		}
		free := slices.Index(taken[1:], false) + 1
		if free == 0 && s.Game != table.Any {
			return nil, fmt.Errorf("the set has more than six different faces (%q is one too many): merge those that are one", g.Name)
		}
		faces[g.Name], taken[free] = free, true
	}
	return faces, nil
}

// Numbered says whether it is known of all icons which face they are on: only then it is known which faces are opposite.
func (s *Set) Numbered() bool {
	return !slices.ContainsFunc(s.Groups, func(g Group) bool {
		_, plain := g.Name.number(s.Game)
		return g.Name.Icons() != nil && !plain && g.Face == 0
	})
}

// For says whether the set can be used in a game.
func (s *Set) For(game table.Game) bool {
	return s.Game == game || s.Game == table.Any || game == table.Any
}

// Parse reads a set that Save wrote, or somebody else.
func Parse(r io.Reader) (*Set, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostFile+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the set of dice: %w", err)
	}
	if len(text) > mostFile {
		return nil, fmt.Errorf("a set of dice has at most %d MB", mostFile>>20)
	}
	s := new(Set)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("this is no set of dice, or it is damaged: %w", err)
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s, nil
}

// Load reads a set from a file.
func Load(path string) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the set of dice: %w", err)
	}
	defer f.Close()
	s, err := Parse(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Save writes the set; a reader never sees half of it.
func (s *Set) Save(path string) error {
	if err := s.Check(); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(s); err != nil {
		return fmt.Errorf("cannot save the set of dice: %w", err)
	}
	if b.Len() > mostFile {
		return fmt.Errorf("the set of dice is larger than %d MB: take pictures out of it", mostFile>>20)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".dice-*")
	if err != nil {
		return fmt.Errorf("cannot save the set of dice: %w", err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(b.Bytes())
	if err == nil {
		err = tmp.Sync() // before it takes the other's place
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("cannot save the set of dice: %w", err)
	}
	return nil
}

// Signed is the set with its pictures signed by another model.
func (s *Set) Signed(model string, sign func([]*Picture) ([]Signature, error)) (*Set, error) {
	out := *s
	out.Model, out.Groups, out.Cards = model, copied(s.Groups), copied(s.Cards)
	var tops []*Top
	var pictures []*Picture
	for _, groups := range [2][]Group{out.Groups, out.Cards} {
		for _, g := range groups {
			for k := range g.Tops {
				tops, pictures = append(tops, &g.Tops[k]), append(pictures, g.Tops[k].Picture)
			}
		}
	}
	signatures, err := sign(pictures)
	if err != nil {
		return nil, err
	}
	for i, t := range tops {
		t.Signature = &signatures[i]
	}
	return &out, nil
}

// copied are groups whose tops can be changed without changing these.
func copied(groups []Group) []Group {
	out := slices.Clone(groups)
	for i := range out {
		out[i].Tops = slices.Clone(out[i].Tops)
	}
	return out
}
