package fromage

import (
	"testing"

	"diceref/rules/rulestest"
)

func TestCases(t *testing.T) { rulestest.RunCases(t, "testdata/cases", Judge) }
