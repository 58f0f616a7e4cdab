package scoring

import (
	"fmt"

	"diceref/table"
)

// Notepad is DICE Flick's score pad: one row per round, one column per player
// (RULES.md 5.9). An empty cell is not a zero: the rules have a zero written down.
type Notepad struct {
	Names   []string
	Rounds  [][]*int // by round, then by player; nil: empty
	Printed []*int   // the totals as written at the foot, if there are any; nil: that one is not
}

// Remark is something on a pad that is to be asked about.
type Remark struct {
	Round  int // from 1; 0: the printed total
	Player int // column, from 0
	Code   string
	Text   string
}

// The codes of remarks.
const (
	EmptyCell       = "empty"      // no number written; not the same as 0
	ImpossibleScore = "impossible" // 1 or a negative number: no turn can bring it
	WrongTotal      = "total"      // the printed total is not the sum of the column
)

// NewNotepad is an empty pad.
func NewNotepad(names []string, rounds int) Notepad {
	n := Notepad{Names: names, Rounds: make([][]*int, rounds)}
	for i := range n.Rounds {
		n.Rounds[i] = make([]*int, len(names))
	}
	return n
}

// With returns a copy of the pad with one cell written; round counts from 1, a
// nil score empties the cell.
func (n Notepad) With(round, player int, score *int) Notepad {
	rounds := make([][]*int, len(n.Rounds))
	copy(rounds, n.Rounds)
	line := make([]*int, len(rounds[round-1]))
	copy(line, rounds[round-1])
	line[player] = score
	rounds[round-1] = line
	n.Rounds = rounds
	return n
}

// Check refuses a pad that is not a full grid of rounds × players.
func (n Notepad) Check() error {
	for i, line := range n.Rounds {
		if len(line) != len(n.Names) {
			return fmt.Errorf("round %d has %s for %s", i+1, table.Count(len(line), "cell", "cells"), table.Count(len(n.Names), "player", "players"))
		}
	}
	if n.Printed != nil && len(n.Printed) != len(n.Names) {
		return fmt.Errorf("%s for %s", table.Count(len(n.Printed), "printed total", "printed totals"), table.Count(len(n.Names), "player", "players"))
	}
	return nil
}

// Totals adds up the columns; empty cells add nothing.
func (n Notepad) Totals() []int {
	totals := make([]int, len(n.Names))
	for _, line := range n.Rounds {
		for p, cell := range line {
			if cell != nil {
				totals[p] += *cell
			}
		}
	}
	return totals
}

// Filled counts a player's written cells.
func (n Notepad) Filled(player int) int {
	filled := 0
	for _, line := range n.Rounds {
		if line[player] != nil {
			filled++
		}
	}
	return filled
}

// PossibleScore says whether a turn can bring this score: 0, or at least the 2
// of a 1 on the center marker.
func PossibleScore(score int) bool { return score == 0 || score >= 2 }

// Remarks lists what has to be asked about, round by round, then the totals.
func (n Notepad) Remarks() []Remark {
	var list []Remark
	for i, line := range n.Rounds {
		for p, cell := range line {
			switch {
			case cell == nil:
				list = append(list, Remark{
					i + 1, p, EmptyCell,
					fmt.Sprintf("Round %d of %s is empty: was it a 0?", i+1, n.Names[p]),
				})
			case !PossibleScore(*cell):
				list = append(list, Remark{
					i + 1, p, ImpossibleScore,
					fmt.Sprintf("Round %d of %s says %d: no turn can score that.", i+1, n.Names[p], *cell),
				})
			}
		}
	}
	totals := n.Totals()
	for p, printed := range n.Printed {
		if printed != nil && *printed != totals[p] {
			list = append(list, Remark{
				0, p, WrongTotal,
				fmt.Sprintf("The total of %s says %d, but the column adds up to %d.", n.Names[p], *printed, totals[p]),
			})
		}
	}
	return list
}

// Sheets is the pad as one sheet per player; empty cells are left out.
func (n Notepad) Sheets() []Sheet {
	sheets := make([]Sheet, len(n.Names))
	totals := n.Totals()
	for p := range sheets {
		sheets[p] = Sheet{Player: p, Total: totals[p]}
		for i, line := range n.Rounds {
			if line[p] != nil {
				sheets[p].Lines = append(sheets[p].Lines, Line{fmt.Sprintf("round %d", i+1), *line[p]})
			}
		}
	}
	return sheets
}
