package scoring

import "math"

// What Fromage á Trois pays (RULES.md 3.4).
const (
	FromagePoints = 9 // for a Fromage, whatever its size
	FromageAnswer = 3 // to each of the two who gave a die and took points for it
)

// NeverTurned is the number of the last turn of a player who has had none.
const NeverTurned = math.MinInt

// Faces counts dice by their top face, 1 to 6; index 0 is not used.
type Faces [7]int8

// Len is how many dice there are.
func (f Faces) Len() int {
	n := 0
	for _, k := range f {
		n += int(k)
	}
	return n
}

// Has says whether all the dice of g are among f.
func (f Faces) Has(g Faces) bool {
	for i := range f {
		if f[i] < g[i] {
			return false
		}
	}
	return true
}

// Plus is both together.
func (f Faces) Plus(g Faces) Faces {
	for i := range f {
		f[i] += g[i]
	}
	return f
}

// Minus is f without g; g must be among f.
func (f Faces) Minus(g Faces) Faces {
	for i := range f {
		f[i] -= g[i]
	}
	return f
}

// List is the faces in ascending order, never nil.
func (f Faces) List() []int {
	l := make([]int, 0, f.Len())
	for face := 1; face <= 6; face++ {
		for range f[face] {
			l = append(l, face)
		}
	}
	return l
}

// FromageSets is what goes back at the end of a turn: all dice of every cheese
// that is held three times or more, one point each (RULES.md 3.4).
func FromageSets(hand Faces) (back Faces, points int) {
	for face := 1; face <= 6; face++ {
		if hand[face] >= 3 {
			back[face] = hand[face]
			points += int(hand[face])
		}
	}
	return back, points
}

// FromageWinners lists the winning seats in ascending order: most points, then
// the last turn that lies furthest back (RULES.md 3.8). lastTurn holds numbers of
// turns, NeverTurned for none.
func FromageWinners(points, lastTurn []int) []int {
	var win []int
	for seat := range points {
		if len(win) > 0 {
			best := win[0]
			if points[seat] < points[best] || points[seat] == points[best] && lastTurn[seat] > lastTurn[best] {
				continue
			}
			if points[seat] > points[best] || lastTurn[seat] < lastTurn[best] {
				win = win[:0]
			}
		}
		win = append(win, seat)
	}
	return win
}
