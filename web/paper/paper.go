// Package paper draws sheets to print: boards with marks for the camera, mats, rule sheets
// and notepads, in millimeters, as PDF and SVG.
package paper

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"diceref/table"
)

// Kinds of sheets.
const (
	Board     = "board"
	Arena     = "arena"
	Zones     = "zones"
	Reference = "reference"
	Notepad   = "notepad"
)

// Kinds lists them in the order in which they are shown.
var Kinds = []string{Board, Arena, Zones, Reference, Notepad}

// Options say what to print. Zero values have defaults.
type Options struct {
	Kind     string     // one of Kinds
	Paper    string     // a4 (default) or letter
	Square   float64    // millimeters of a board's square; 0: DefaultSquare
	Game     table.Game // of zones and references; empty: fromage-a-trois
	Players  int        // of zones and notepads; 0: as many as usual
	Language string     // en (default) or de
}

// DefaultSquare is for dice of 16 mm, in millimeters.
const DefaultSquare = 21

// Error is an error about one option.
type Error struct{ Field, Text string }

func (e *Error) Error() string { return e.Field + ": " + e.Text }

// Sheet is one page.
type Sheet struct {
	Width, Height float64 // millimeters
	shapes        []shape
	words         words
}

// papers are sizes in millimeters, upright.
var papers = map[string][2]float64{"a4": {210, 297}, "letter": {215.9, 279.4}}

// Make draws the sheets.
func Make(o Options) ([]Sheet, error) {
	if o.Paper == "" {
		o.Paper = "a4"
	}
	if o.Language == "" {
		o.Language = "en"
	}
	if o.Game == "" {
		o.Game = table.FromageATrois
	}
	if _, ok := papers[o.Paper]; !ok {
		return nil, &Error{"paper", fmt.Sprintf("expected a4 or letter, not %q", o.Paper)}
	}
	w, ok := languages[o.Language]
	if !ok {
		return nil, &Error{"language", fmt.Sprintf("expected en or de, not %q", o.Language)}
	}
	if !slices.Contains(table.Games[:], o.Game) {
		return nil, &Error{"game", fmt.Sprintf("expected one of the five games, not %q", o.Game)}
	}
	draw, ok := map[string]func(Options, words) ([]Sheet, error){
		Board: board, Arena: arena, Zones: zones, Reference: reference, Notepad: notepad,
	}[o.Kind]
	if !ok {
		return nil, &Error{"sheet", fmt.Sprintf("expected %s, not %q", strings.Join(Kinds, ", "), o.Kind)}
	}
	return draw(o, w)
}

// seats is the number of players that was asked for, or the most of the game.
func (o Options) seats(game table.Game) (int, error) {
	least, most := game.Kit().Players[0], game.Kit().Players[1]
	if o.Players == 0 {
		return most, nil
	}
	if o.Players < least || o.Players > most {
		return 0, &Error{"players", fmt.Sprintf("expected %d to %d players, not %d", least, most, o.Players)}
	}
	return o.Players, nil
}

// newSheet is an empty page, upright or lying.
func newSheet(o Options, w words, lying bool) Sheet {
	size := papers[o.Paper]
	if lying {
		size[0], size[1] = size[1], size[0]
	}
	return Sheet{Width: size[0], Height: size[1], words: w}
}

//go:embed lang
var langFiles embed.FS

// section is a part of a reference: a heading and its lines.
type section struct {
	Title string   `json:"title"`
	Lines []string `json:"lines"`
}

// words are the texts of one language.
type words struct {
	Texts      map[string]string        `json:"texts"`
	References map[table.Game][]section `json:"references"`
}

// t is a text; pairs of name and value fill in what stands in braces.
func (w words) t(key string, pairs ...any) string {
	text, ok := w.Texts[key]
	if !ok {
		panic("paper: no words for " + key) // a mistake in the program, which tests find
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		text = strings.ReplaceAll(text, "{"+fmt.Sprint(pairs[i])+"}", fmt.Sprint(pairs[i+1]))
	}
	return text
}

var languages = loadLanguages()

func loadLanguages() map[string]words {
	all := map[string]words{}
	for _, name := range []string{"en", "de"} {
		data, err := langFiles.ReadFile("lang/" + name + ".json")
		if err != nil {
			panic(err) // it is embedded
		}
		var w words
		if err := json.Unmarshal(data, &w); err != nil {
			panic(fmt.Errorf("paper: %s: %w", name, err))
		}
		all[name] = w
	}
	return all
}
