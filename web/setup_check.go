package web

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"diceref/table"
)

// The limits of what is set up from a page.
const (
	maxName    = 40   // letters of a player's name
	maxSource  = 2048 // bytes of an address or a path
	maxOptions = 64
	maxText    = 2000  // bytes of a house rule's value
	maxSide    = 20000 // pixels of a picture
)

// Check refuses a set-up that cannot be one, whatever the machine it is for.
func (s Setup) Check() error {
	if err := checkGame(s.Game); err != nil {
		return err
	}
	if err := checkNames(s.Game, s.Players); err != nil {
		return err
	}
	if len(s.Options) > maxOptions {
		return &Refused{"rules", "there are more house rules than the game has"}
	}
	for name, value := range s.Options {
		if text, ok := value.(string); ok && len(text) > maxText {
			return &Refused{"rules", "house rule " + clip(name) + " is too long"}
		}
	}
	if s.Owners != nil && len(s.Owners) != len(s.Players) {
		return &Refused{"owners", "say for each player which colors are theirs"}
	}
	return s.Sight.check()
}

func checkGame(game table.Game) error {
	if !slices.Contains(table.Games[:], game) {
		return &Refused{"game", fmt.Sprintf("there is no game %q", clip(string(game)))}
	}
	return nil
}

func checkNames(game table.Game, players []string) error {
	if least, most := game.Kit().Players[0], game.Kit().Players[1]; len(players) < least || len(players) > most {
		return &Refused{"players", fmt.Sprintf("%s is for %d to %d players, not %d", game.Kit().Title, least, most, len(players))}
	}
	for i, name := range players {
		switch {
		case strings.TrimSpace(name) == "" || strings.TrimSpace(name) != name:
			return &Refused{"name", fmt.Sprintf("player %d needs a name, without blanks around it", i+1)}
		case utf8.RuneCountInString(name) > maxName || !utf8.ValidString(name) || strings.ContainsFunc(name, unreadable):
			return &Refused{"name", fmt.Sprintf("the name of player %d is too long or has letters that cannot be shown", i+1)}
		case slices.Contains(players[:i], name):
			return &Refused{"name-twice", fmt.Sprintf("two players are called %q: give each a name of their own", name)}
		}
	}
	return nil
}

// unreadable are letters that are not seen, or turn what stands beside them around.
func unreadable(r rune) bool {
	return !unicode.IsGraphic(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
}

// check refuses what cannot be in a picture. Zones are checked where they are used.
func (s Sight) check() error {
	if len(s.Source) > maxSource || strings.ContainsFunc(s.Source, unicode.IsControl) {
		return &Refused{"source", "the camera's address is too long or has letters that no address has"}
	}
	for _, m := range s.Markers {
		if !(table.Square{Row: m.Row, Col: m.Col}).On() || !slices.Contains(markers, m.Marker) {
			return &Refused{"markers", fmt.Sprintf("there is no marker %q on row %d, column %d", clip(m.Marker), m.Row, m.Col)}
		}
	}
	if len(s.Markers) > table.Size*table.Size {
		return &Refused{"markers", "there are more markers than holes"}
	}
	if s.Corners == nil {
		return nil
	}
	w, h := float64(s.Picture[0]), float64(s.Picture[1])
	if w < 16 || h < 16 || w > maxSide || h > maxSide {
		return &Refused{"corners", "the corners need the size of the picture that they are in"}
	}
	for _, p := range s.Corners {
		if math.IsNaN(p.X+p.Y) || p.X < -w || p.Y < -h || p.X > 2*w || p.Y > 2*h {
			return &Refused{"corners", "a corner of the board lies far out of the picture"}
		}
	}
	return nil
}

// markers are the names of an arena's stickers.
var markers = []string{table.CenterMarker, table.BonusMarker, table.BlueMarker, table.YellowMarker, table.GreenMarker}
