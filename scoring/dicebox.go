package scoring

import "diceref/table"

// BoxColors are the four colors of Dice Box that players own; the Seed has none of them.
var BoxColors = [4]table.Color{table.Red, table.Yellow, table.Blue, table.White}

// BoxColor is a color's place in BoxColors, -1 for any other.
func BoxColor(c table.Color) int {
	switch c {
	case table.Red:
		return 0
	case table.Yellow:
		return 1
	case table.Blue:
		return 2
	case table.White:
		return 3
	}
	return -1
}

// TallyBox adds up the pips of each color, in the order of BoxColors; the Seed
// counts for nobody (RULES.md 2.7).
func TallyBox(dice []table.Die) (tally [4]int) {
	for _, d := range dice {
		if i := BoxColor(d.Color); i >= 0 {
			tally[i] += d.Face
		}
	}
	return tally
}

// BoxWinners lists the winning seats in ascending order: the highest total; with
// three players the lowest, if the unclaimed color's tally exceeds the highest.
// Equal totals share (RULES.md 2.7).
func BoxWinners(totals []int, unclaimed int) []int {
	if len(totals) == 0 {
		return nil
	}
	high, low := totals[0], totals[0]
	for _, t := range totals {
		high, low = max(high, t), min(low, t)
	}
	best := high
	if len(totals) == 3 && unclaimed > high {
		best = low
	}
	var win []int
	for seat, t := range totals {
		if t == best {
			win = append(win, seat)
		}
	}
	return win
}
