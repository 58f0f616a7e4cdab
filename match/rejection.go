package match

import (
	"errors"

	"diceref/rules"
)

// Rejection is the error of a declaration that cannot be followed now. Nothing has happened. What it says can be put
// into any language.
type Rejection struct {
	Says  Phrase
	cause error
}

// Error is what it says in English.
func (r *Rejection) Error() string { return "match: " + r.Says.String() }

// Unwrap is the error that led to it, if one did.
func (r *Rejection) Unwrap() error { return r.cause }

// reject is a rejection about pairs of a name and a value.
func reject(kind string, about ...any) *Rejection { return &Rejection{Says: phrase(kind, about...)} }

// rejected is a rejection for an error of the rules, which are in English: the reason of a rule has a code too.
func rejected(kind string, err error, about ...any) *Rejection {
	return &Rejection{Says: phrase(kind, append(about, whyNot(err)...)...), cause: err}
}

// whyNot is the reason in an error, as the values of a phrase.
func whyNot(err error) []any {
	var before *Rejection
	if errors.As(err, &before) {
		return []any{"why", before.Says}
	}
	var why rules.Illegal
	if errors.As(err, &why) {
		return []any{"why", why.Error(), "code", why.Code()}
	}
	return []any{"why", err.Error()}
}
