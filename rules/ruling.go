package rules

import (
	"errors"
	"fmt"
)

// Ruling answers an act of a worked case.
type Ruling struct {
	Legal bool     `json:"legal"`
	Code  string   `json:"code,omitempty"` // the first reason's
	Codes []string `json:"codes,omitempty"`
	Why   string   `json:"why,omitempty"`
}

// Judged is the ruling on an act that Check has answered with err; an error that is
// no Illegal says that the act itself makes no sense.
func Judged(err error) (Ruling, error) {
	var why Illegal
	switch {
	case err == nil:
		return Ruling{Legal: true}, nil
	case errors.As(err, &why):
		return Ruling{Code: why.Code(), Codes: why.Codes(), Why: why.Error()}, nil
	}
	return Ruling{}, fmt.Errorf("action: %w", err)
}
