package rules

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"diceref/table"
)

// Script is a match written down: its set-up and its acts in the game's notation.
type Script struct {
	Setup Setup
	Acts  []string
}

// ReadScript reads a match with one thing a line: set-up lines (see Setup.Line), then
// acts. What follows a # is a comment. Errors name the line.
func ReadScript(g Game, from io.Reader) (Script, error) {
	s := Script{Setup: Setup{Players: g.Name().Kit().Players[0]}}
	in := bufio.NewScanner(from)
	for n := 1; in.Scan(); n++ {
		line, _, _ := strings.Cut(in.Text(), "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		isSetup, err := s.Setup.Line(line)
		if err == nil && isSetup && len(s.Acts) > 0 {
			err = fmt.Errorf("the set-up comes before the first act")
		}
		if err != nil {
			return Script{}, fmt.Errorf("line %d: %w", n, err)
		}
		if !isSetup {
			s.Acts = append(s.Acts, line)
		}
	}
	return s, in.Err()
}

// Line reads one line of a written set-up: "players 3", "option NAME=VALUE" or
// "owners A:RY,B:BW"; false for any other line.
func (s *Setup) Line(line string) (bool, error) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "players":
		n, err := strconv.Atoi(strings.TrimSpace(rest))
		if err != nil {
			return true, fmt.Errorf("players: %.20q is not a number", rest)
		}
		s.Players = n
	case "option":
		name, value, ok := strings.Cut(rest, "=")
		if !ok {
			return true, fmt.Errorf("option: %.60q is not NAME=VALUE", rest)
		}
		if s.Options == nil {
			s.Options = map[string]any{}
		}
		s.Options[name] = value
	case "owners":
		return true, s.owners(rest)
	default:
		return false, nil
	}
	return true, nil
}

var ownerLetters = map[rune]table.Color{'R': table.Red, 'Y': table.Yellow, 'B': table.Blue, 'W': table.White}

// owners reads who owns which colors of Dice Box, by seat: "A:RY,B:BW".
func (s *Setup) owners(text string) error {
	s.Owners = nil
	for i, part := range strings.Split(text, ",") {
		seat, letters, ok := strings.Cut(part, ":")
		if !ok || seat != Player(i).String() {
			return fmt.Errorf("owners: %.20q is not %s:COLORS", part, Player(i))
		}
		var own []table.Color
		for _, l := range letters {
			c, ok := ownerLetters[l]
			if !ok {
				return fmt.Errorf("owners: %q is not a color (expected letters of RYBW)", l)
			}
			own = append(own, c)
		}
		s.Owners = append(s.Owners, own)
	}
	return nil
}
