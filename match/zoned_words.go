package match

import (
	"fmt"
	"strings"

	"diceref/table"
)

// zoneKey names all zones of one kind, a place's together with whose it is.
type zoneKey struct {
	kind string // one of calibration's
	seat int
}

// looseWords names a die by what is known of it.
func looseWords(d table.Die) string {
	switch {
	case d.Color == table.NoColor && d.Face == 0:
		return "a die"
	case d.Color == table.NoColor:
		return fmt.Sprintf("a %d", d.Face)
	}
	return dieWords(d)
}

// sameLoose says whether two views show the same loose dice at the same places.
func sameLoose(a, b table.Observation) bool {
	if len(a.Dice) != len(b.Dice) {
		return false
	}
	reach := reachOf(a)
	used := make([]bool, len(b.Dice))
next:
	for _, r := range a.Dice {
		for i, s := range b.Dice {
			if !used[i] && r.Die == s.Die && dist(r.At, s.At) < reach {
				used[i] = true
				continue next
			}
		}
		return false
	}
	return true
}

// onlyDiffering is stories, given as their acts in words, without the acts with which all begin, and those with which all end.
func onlyDiffering(parts [][]string) []Phrase {
	for same(parts, func(p []string) string { return p[0] }) {
		for i := range parts {
			parts[i] = parts[i][1:]
		}
	}
	for same(parts, func(p []string) string { return p[len(p)-1] }) {
		for i := range parts {
			parts[i] = parts[i][:len(parts[i])-1]
		}
	}
	says := make([]Phrase, len(parts))
	for i, p := range parts {
		if says[i] = (Phrase{Kind: kindActs, text: strings.Join(p, thenWord)}); len(p) == 0 {
			says[i] = phrase("nothing-more")
		}
	}
	return says
}

// thenWord is what rules.Story puts between its acts.
const thenWord = ", then "

// splitActs is the single acts of a story in words.
func splitActs(words string) []string { return strings.Split(words, thenWord) }

// same says whether all lists have the same at one place.
func same(parts [][]string, at func([]string) string) bool {
	for _, p := range parts {
		if len(p) == 0 || at(p) != at(parts[0]) {
			return false
		}
	}
	return len(parts) > 1
}
