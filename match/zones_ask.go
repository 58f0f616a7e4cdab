package match

import (
	"fmt"
	"strings"

	"diceref/calibration"
	"diceref/rules"
)

// differences says in a few words in what each of several tales differs from the others.
func differences(tales []tale) []string {
	parts := make([][]string, len(tales))
	for i, t := range tales {
		for _, s := range t.whole() {
			parts[i] = append(parts[i], strings.Split(s.String(), thenWord)...)
		}
	}
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
	words := make([]string, len(tales))
	for i, p := range parts {
		if words[i] = strings.Join(p, thenWord); len(p) == 0 {
			words[i] = "nothing more"
		}
	}
	return words
}

// thenWord is what rules.Story puts between its acts.
const thenWord = ", then "

// same says whether all lists have the same at one place.
func same(parts [][]string, at func([]string) string) bool {
	for _, p := range parts {
		if len(p) == 0 || at(p) != at(parts[0]) {
			return false
		}
	}
	return len(parts) > 1
}

// ask says what on the table nothing explains.
func (z *zoneSearch) ask(now rules.State) string {
	if words := awaited(z.g, now); words != "" {
		return words
	}
	if g, ok := z.g.(interface {
		strange(rules.State, *spread) string
	}); ok {
		if words := g.strange(now, z.seen); words != "" {
			return words
		}
	}
	var parts []string
	most := 0
	for _, p := range z.g.piles(now) {
		most += len(p.dice)
		if z.seen.drawn[p.at] && !p.heap {
			parts = append(parts, z.differs(p)...)
		}
	}
	if z.seen.total < most-z.seen.hiding()-len(z.seen.lost) {
		parts = append(parts, fmt.Sprintf("%d of %d dice are seen", z.seen.total, most))
	}
	if n := len(z.seen.out); n > 0 {
		parts = append(parts, fmt.Sprintf("%d lie outside every zone", n))
	}
	const enough = 5
	if len(parts) > enough {
		parts = append(parts[:enough], "and more")
	}
	return strings.Join(append([]string{"What happened? Is a die misread, or has somebody moved one"}, parts...), "; ") + "."
}

// differs tells what is not as it was in one pile.
func (z *zoneSearch) differs(p pile) (parts []string) {
	left, more := unmatched(p.dice, z.seen.in[p.at], false)
	where := z.name(p.at)
	for _, d := range left {
		parts = append(parts, fmt.Sprintf("%s is gone from %s", looseWords(d), where))
	}
	for _, r := range more {
		parts = append(parts, fmt.Sprintf("%s came to %s", looseWords(r.Die), where))
	}
	return parts
}

// zoneName is what the players call the zones of a key.
func (m *Match) zoneName(at zoneKey) string {
	if at.kind == calibration.ZonePlace {
		return m.name(rules.Player(at.seat)) + "'s place"
	}
	for _, z := range m.setting.Zones {
		if z.Kind == at.kind {
			return "the " + z.Name
		}
	}
	return "the " + at.kind
}
