package match

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LongestName is the most letters in a player's name.
const LongestName = 40

// Why a name is refused.
const (
	NameEmpty  = "empty"  // empty, or only spaces
	NameLong   = "long"   // more than LongestName letters
	NameLetter = "letter" // a character that cannot be shown in a line
	NameTwice  = "twice"  // another player has it
)

// NameError says which name was refused, and why.
type NameError struct {
	Seat   int    // from 0
	Name   string // as it was given
	Reason string // a Name constant
	Letter rune   // for NameLetter: the first character that cannot be shown
	Before string // for NameLetter: the text before it
}

func (e *NameError) Error() string {
	switch n := e.Seat + 1; e.Reason {
	case NameEmpty:
		return fmt.Sprintf("match: player %d has no name", n)
	case NameLong:
		return fmt.Sprintf("match: the name of player %d is longer than %d letters", n, LongestName)
	case NameTwice:
		return fmt.Sprintf("match: two players are called %q: give each a different name", e.Name)
	}
	where := "begins with"
	if e.Before != "" {
		where = fmt.Sprintf("has, after %q,", e.Before)
	}
	return fmt.Sprintf("match: the name of player %d %s a character that cannot be shown: %s", e.Seat+1, where, e.Sign())
}

// Sign is the number of the character that cannot be shown: U+202E.
func (e *NameError) Sign() string { return fmt.Sprintf("%U", e.Letter) }

// CheckNames refuses names that are empty, too long, cannot be shown or look alike.
// The error is a *NameError.
func CheckNames(names []string) error {
	for i, p := range names {
		odd := strings.IndexFunc(p, func(r rune) bool { return !shown(r) })
		refused := &NameError{Seat: i, Name: p}
		switch {
		case !strings.ContainsFunc(p, visible):
			refused.Reason = NameEmpty
		case odd >= 0:
			refused.Reason, refused.Before = NameLetter, p[:odd]
			refused.Letter, _ = utf8.DecodeRuneInString(p[odd:])
		case utf8.RuneCountInString(p) > LongestName:
			refused.Reason = NameLong
		case slices.ContainsFunc(names[:i], func(o string) bool { return strings.TrimSpace(o) == strings.TrimSpace(p) }):
			refused.Reason = NameTwice
		default:
			continue
		}
		return refused
	}
	return nil
}

// visible says whether a sign leaves a mark on the page by itself.
func visible(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.IsMark(r) }

// shown says whether a sign may stand in a name: none that ends the line or turns its
// direction around. Joiners are part of how some languages, and some little pictures, are
// written. What is not a letter at all (broken UTF-8) is read as U+FFFD and may not stand either.
func shown(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return unicode.IsGraphic(r) && r != utf8.RuneError || r == nonJoiner || r == joiner
}
