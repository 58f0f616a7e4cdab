package match

import (
	"strings"

	"diceref/rules"
)

// differences says in what each of several tales differs from the others.
func differences(tales []hypothesis) []Phrase {
	parts := make([][]string, len(tales))
	for i, t := range tales {
		for _, s := range t.whole() {
			parts[i] = append(parts[i], splitActs(s.String())...)
		}
	}
	return onlyDiffering(parts)
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

// ask says what on the table nothing explains.
func (z *zoneSearch) ask(now rules.State) Phrase {
	if ask, waits := awaitedOld(z.g, now); waits {
		return ask
	}
	if g, ok := z.g.(interface {
		strange(rules.State, *spread) (ask Phrase, is bool)
	}); ok {
		if ask, is := g.strange(now, z.seen); is {
			return ask
		}
	}
	parts := []Phrase{}
	most := 0
	for _, p := range z.g.piles(now) {
		most += len(p.dice)
		if z.seen.drawn[p.at] && !p.heap {
			parts = append(parts, z.differs(p)...)
		}
	}
	if z.seen.total < most-z.seen.hiding()-len(z.seen.lost) {
		parts = append(parts, phrase("seen-of", "count", z.seen.total, "of", most))
	}
	if n := len(z.seen.out); n > 0 {
		parts = append(parts, phrase("outside", "count", n))
	}
	const enough = 5
	return phrase("not-explained", "parts", few(parts, enough))
}

// differs says what is not as it was in one pile.
func (z *zoneSearch) differs(p pile) (parts []Phrase) {
	left, more := unmatched(p.dice, z.seen.in[p.at], false)
	where := z.name(p.at)
	for _, d := range left {
		parts = append(parts, phrase("zone-lost", "die", d, "zone", where))
	}
	for _, r := range more {
		parts = append(parts, phrase("zone-found", "die", r.Die, "zone", where))
	}
	return parts
}

// awaited is what the players have to say before anything else can be told; empty: nothing.
func awaitedOld(g zoneGame, s rules.State) (ask Phrase, waits bool) {
	if p, ok := g.(interface {
		pending(rules.State) (Phrase, bool)
	}); ok {
		return p.pending(s)
	}
	return ask, false
}
