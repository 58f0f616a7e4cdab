package web

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"diceref/match"
	"diceref/table"
	"diceref/vision/owned"
)

// The limits of what is set up from a page.
const (
	maxSource  = 2048 // bytes of an address or a path
	maxOptions = 64
	maxText    = 2000  // bytes of a house rule's value
	maxSide    = 20000 // pixels of a picture
)

// Check returns an error if a set-up is not valid on any machine.
func (s Setup) Check() error {
	if err := checkGame(s.Game); err != nil {
		return err
	}
	if err := checkNames(s.Game, s.Players); err != nil {
		return err
	}
	if len(s.Options) > maxOptions {
		return &Refused{Code: "rules", Text: "there are too many house rules"}
	}
	for name, value := range s.Options {
		if text, ok := value.(string); ok && len(text) > maxText {
			return &Refused{Code: "rules", Text: "house rule " + clip(name) + " is too long"}
		}
	}
	if s.Owners != nil && len(s.Owners) != len(s.Players) {
		return &Refused{Code: "owners", Text: "choose each player's colors"}
	}
	return s.Sight.check()
}

func checkGame(game table.Game) error {
	if !slices.Contains(table.Games[:], game) {
		return &Refused{Code: "game", Text: fmt.Sprintf("there is no game %q", clip(string(game)))}
	}
	return nil
}

func checkNames(game table.Game, players []string) error {
	if least, most := game.Kit().Players[0], game.Kit().Players[1]; len(players) < least || len(players) > most {
		return &Refused{Code: "players", Text: fmt.Sprintf("%s is for %d to %d players, not %d", game.Kit().Title, least, most, len(players)), About: map[string]string{
			"game": game.Kit().Title, "least": strconv.Itoa(least), "most": strconv.Itoa(most),
		}}
	}
	for i, name := range players {
		if strings.TrimSpace(name) != name {
			return &Refused{Code: "name-blank", Text: fmt.Sprintf("the name of player %d starts or ends with a space", i+1), About: map[string]string{"n": strconv.Itoa(i + 1)}}
		}
	}
	var refused *match.NameError
	if err := match.CheckNames(players); errors.As(err, &refused) {
		return nameRefused(refused)
	}
	return nil
}

func nameRefused(e *match.NameError) *Refused {
	return &Refused{Code: "name-" + e.Reason, Text: plain(e), About: map[string]string{
		"n": strconv.Itoa(e.Seat + 1), "name": clip(e.Name), "most": strconv.Itoa(match.LongestName), "sign": e.Sign(), "before": e.Before,
	}}
}

// check refuses what cannot be in a picture. Zones are checked where they are used.
func (s Sight) check() error {
	if len(s.Source) > maxSource || strings.ContainsFunc(s.Source, unicode.IsControl) {
		return &Refused{Code: "source", Text: "the camera's address is too long or has invalid characters"}
	}
	if s.Dice != "" && owned.CheckName(s.Dice) != nil {
		return &Refused{Code: owned.FaultName, Text: fmt.Sprintf("%q is no name for a set of dice", clip(s.Dice))}
	}
	for _, m := range s.Markers {
		if !(table.Square{Row: m.Row, Col: m.Col}).On() || !slices.Contains(markers, m.Marker) {
			return &Refused{Code: "markers", Text: fmt.Sprintf("there is no marker %q on row %d, column %d", clip(m.Marker), m.Row, m.Col)}
		}
	}
	if len(s.Markers) > table.Size*table.Size {
		return &Refused{Code: "markers", Text: "there are more markers than holes"}
	}
	if s.Corners == nil {
		return nil
	}
	w, h := float64(s.Picture[0]), float64(s.Picture[1])
	if w < 16 || h < 16 || w > maxSide || h > maxSide {
		return &Refused{Code: "corners", Text: "give the size of the picture with its corners"}
	}
	for _, p := range s.Corners {
		if math.IsNaN(p.X+p.Y) || p.X < -w || p.Y < -h || p.X > 2*w || p.Y > 2*h {
			return &Refused{Code: "corners", Text: "a corner of the board is far outside the picture"}
		}
	}
	return nil
}

// markers are the names of an arena's stickers.
var markers = []string{table.CenterMarker, table.BonusMarker, table.BlueMarker, table.YellowMarker, table.GreenMarker}
