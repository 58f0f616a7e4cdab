package table

import (
	"fmt"
	"strings"
)

// Unknown is the error about a name that is none of some names: it says what was meant, or what there is.
func Unknown[Name ~string](what, given string, names []Name) error {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = string(name)
	}
	hint := "expected one of " + strings.Join(list, ", ")
	if meant := Closest(given, list); meant != "" {
		hint = "did you mean " + meant + "?"
	}
	return fmt.Errorf("unknown %s %.60q (%s)", what, given, hint)
}

// mostLetters is how long a name may be to be taken for a mistyped one.
const mostLetters = 60

// Closest finds what somebody meant who mistyped one of some names: the one that is like it but
// for a letter or two, or that alone has it as a part. Empty: none is.
func Closest(given string, names []string) string {
	if len(given) > mostLetters {
		return ""
	}
	given = plain(given)
	best, least := "", 3 // changed letters
	for _, name := range names {
		if d := editDistance(given, plain(name)); d < least && 2*d < len(given)+2 {
			best, least = name, d
		}
	}
	if best != "" || len(given) < 3 {
		return best
	}
	for _, name := range names {
		if !strings.Contains(plain(name), given) {
			continue
		}
		if best != "" {
			return "" // a part of several
		}
		best = name
	}
	return best
}

// plain is a name as it is compared: how its words are joined, and capitals, make no difference.
func plain(name string) string {
	return strings.ToLower(strings.NewReplacer(" ", "-", "_", "-").Replace(name))
}

// editDistance is the number of letters to add, drop or change from a to b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
