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

// rejected is a rejection for an error of the rules.
func rejected(kind string, err error) *Rejection {
	return &Rejection{Says: because(kind, err), cause: err}
}

// because is a phrase with a reason: the rules give theirs in English, with a code where a rule is broken.
func because(kind string, err error, about ...any) Phrase {
	p := phrase(kind, about...)
	var before *Rejection
	var why rules.Illegal
	switch {
	case errors.As(err, &before) && before.cause == nil:
		p.Values["why"] = before.Says
	case errors.As(err, &before):
		return because(kind, before.cause, about...)
	case errors.As(err, &why) && len(why) > 0:
		p.Values["why"], p.Values["code"] = why.Error(), why.Code()
	default:
		p.Values["why"] = err.Error()
	}
	return p
}
