package scoring

import "diceref/table"

// Flavours are the five colors of DiceCreams!, in the order in which they are counted.
var Flavours = [5]table.Color{table.Green, table.Blue, table.Yellow, table.Black, table.Orange}

// FlavourIndex is a color's place in Flavours, -1 for any other.
func FlavourIndex(c table.Color) int {
	for i, f := range Flavours {
		if f == c {
			return i
		}
	}
	return -1
}

// What a Customer wants of the three dice of an IceCream (RULES.md 4.6).
const (
	WantEven     = "even"
	WantSame     = "same"
	WantSequence = "sequence"
	WantSum15    = "sum15"
)

// Requirements lists all that a Customer can want.
var Requirements = [4]string{WantEven, WantSame, WantSequence, WantSum15}

// Satisfied says whether the dice of an IceCream, by spot, meet a requirement; an
// unknown one is never met. With inOrder a sequence must rise from spot to spot.
func Satisfied(requirement string, v [3]int, inOrder bool) bool {
	switch requirement {
	case WantEven:
		return v[0]%2 == 0 && v[1]%2 == 0 && v[2]%2 == 0
	case WantSame:
		return v[0] == v[1] && v[1] == v[2]
	case WantSum15:
		return v[0]+v[1]+v[2] >= 15
	case WantSequence:
		if inOrder {
			return v[1] == v[0]+1 && v[2] == v[1]+1
		}
		low, high := min(v[0], v[1], v[2]), max(v[0], v[1], v[2])
		return high == low+2 && v[0]+v[1]+v[2] == 3*(low+1)
	}
	return false
}

// Melted is what a placed die shows after melting with so many dice of each color
// left on the Fridge, in the order of Flavours; 0: it goes (RULES.md 4.4).
func Melted(d table.Die, left [5]int) int {
	i := FlavourIndex(d.Color)
	if i < 0 {
		return d.Face
	}
	return max(0, d.Face-left[i])
}

// SprinklesPerFame is how many Sprinkles are worth one Fame at the end.
const SprinklesPerFame = 3

// CreamWinners lists the winning seats in ascending order: most Fame, then more
// tokens on Customers; then shared (RULES.md 4.9).
func CreamWinners(fame, tokens []int) []int {
	var win []int
	for seat := range fame {
		if len(win) > 0 {
			best := win[0]
			if fame[seat] < fame[best] || fame[seat] == fame[best] && tokens[seat] < tokens[best] {
				continue
			}
			if fame[seat] > fame[best] || tokens[seat] > tokens[best] {
				win = win[:0]
			}
		}
		win = append(win, seat)
	}
	return win
}
