package main

import (
	"diceref/match"
	"diceref/rules"
	"diceref/web"
)

var _ web.Judge = (*host)(nil)

// Legal and Why make host a web.Judge.
func (h *host) Legal(with []string, from, limit int) match.Acts {
	return h.current().Legal(with, from, limit)
}

// Why judges an act without playing it.
func (h *host) Why(act string) (match.Judgment, error) { return h.current().Why(act) }

// Hints points out possible acts.
func (h *host) Hints() match.Hints { return h.current().Hints() }

// Hint lists good acts.
func (h *host) Hint(card string) ([]rules.Suggestion, error) { return h.current().Hint(card) }
