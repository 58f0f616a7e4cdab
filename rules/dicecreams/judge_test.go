package dicecreams

import (
	"testing"

	"diceref/rules/rulestest"
)

func TestCases(t *testing.T) { rulestest.Cases(t, "testdata/cases", Judge) }
