package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Seat is a player as worked cases write one: a letter or another name, or a number.
type Seat string

// Score is a player's points as worked cases write them: one that is null is missing, and no 0.
type Score int

// UnmarshalJSON reads a whole number.
func (s *Score) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return errors.New("expected a whole number, not null")
	}
	return json.Unmarshal(b, (*int)(s))
}

// numbered is how many seats have a letter and a number of their own.
const numbered = 8

// UnmarshalJSON reads a text or a seat's number.
func (s *Seat) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil && text != "" {
		*s = Seat(text)
		return nil
	}
	n, err := strconv.Atoi(string(b))
	if err != nil || n < 0 || n >= numbered {
		return fmt.Errorf("%.40s is not a player (expected a name or a number from 0 to %d)", b, numbered-1)
	}
	*s = Seat(strconv.Itoa(n))
	return nil
}

// Seats numbers the players that a worked case names: the letters A to H and the
// numbers 0 to 7 are the first eight seats, other names follow.
type Seats []Seat

// Index is the player of that name.
func (s *Seats) Index(name Seat) Player {
	if len(name) == 1 {
		if c := name[0]; c >= 'A' && c <= 'H' {
			return Player(c - 'A')
		} else if c >= '0' && c <= '7' {
			return Player(c - '0')
		}
	}
	i := slices.Index(*s, name)
	if i < 0 {
		i = len(*s)
		*s = append(*s, name)
	}
	return Player(numbered + i)
}

// Name is what a reason calls the player: the name in the case, or the letter of the
// seat, also in a match, which has no Seats.
func (s *Seats) Name(p Player) string {
	if i := int(p) - numbered; s != nil && i >= 0 && i < len(*s) {
		return string((*s)[i])
	}
	return p.String()
}
