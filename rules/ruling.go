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
	if err != nil && !errors.As(err, &why) {
		return Ruling{}, fmt.Errorf("action: %w", err)
	}
	return why.Ruling(), nil
}

// Ruling is the ruling for these reasons: without any the act is legal.
func (e Illegal) Ruling() Ruling {
	if len(e) == 0 {
		return Ruling{Legal: true}
	}
	return Ruling{Code: e.Code(), Codes: e.Codes(), Why: e.Error()}
}
