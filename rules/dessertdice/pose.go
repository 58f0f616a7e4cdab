package dessertdice

import "math/bits"

// A die is in one of 24 ways, and is one of two kinds: western or asian
// (RULES.md 0.2). What is known of a die is the set of ways in which it may lie:
// looking at it and tipping it narrow the set, turning it on the spot widens it.
type poses uint64

const (
	ways    = 24
	western = poses(1<<ways - 1)
	asian   = western << ways
)

// way is one of the 24: the faces up, north and east; the opposite ones add up to 7.
type way struct{ top, north, east int }

// eastFace is the east face of a western die by top and north face (RULES.md 0.2).
var eastFace = [7][7]int{
	1: {2: 4, 3: 2, 4: 5, 5: 3},
	2: {1: 3, 3: 6, 4: 1, 6: 4},
	3: {1: 5, 2: 1, 5: 6, 6: 2},
	4: {1: 2, 2: 6, 5: 1, 6: 5},
	5: {1: 4, 3: 1, 4: 6, 6: 3},
	6: {2: 3, 3: 5, 4: 2, 5: 4},
}

// direction of a tip.
type direction int

const (
	north direction = iota
	south
	west
	east
)

// The tables below are worked out once from eastFace.
var (
	layouts  [2 * ways]way // every way of both kinds of dice
	showing  [7]poses      // by the face up
	facing   [7]poses      // by the face on the north side
	tippedTo [4][2 * ways]uint8
)

func init() {
	index := map[[4]int]uint8{} // kind, top, north, east
	n := 0
	for kind := range 2 {
		for t := 1; t <= 6; t++ {
			for nf := 1; nf <= 6; nf++ {
				e := eastFace[t][nf]
				if e == 0 {
					continue
				}
				if kind == 1 {
					e = 7 - e
				}
				layouts[n] = way{t, nf, e}
				showing[t] |= 1 << n
				facing[nf] |= 1 << n
				index[[4]int{kind, t, nf, e}] = uint8(n)
				n++
			}
		}
	}
	for i, w := range layouts {
		kind := i / ways
		for d, to := range [4]way{
			north: {7 - w.north, w.top, w.east},
			south: {w.north, 7 - w.top, w.east},
			west:  {w.east, w.north, 7 - w.top},
			east:  {7 - w.east, w.north, w.top},
		} {
			tippedTo[d][i] = index[[4]int{kind, to.top, to.north, to.east}]
		}
	}
}

// tip is where the die may be after it was tipped.
func (p poses) tip(d direction) poses {
	var to poses
	for ; p != 0; p &= p - 1 {
		to |= 1 << tippedTo[d][bits.TrailingZeros64(uint64(p))]
	}
	return to
}

// tops lists the faces that may be up, in ascending order.
func (p poses) tops() []int {
	t := []int{}
	for f := 1; f <= 6; f++ {
		if p&showing[f] != 0 {
			t = append(t, f)
		}
	}
	return t
}

// kinds is every way of the kinds of die that p leaves open.
func (p poses) kinds() poses {
	var k poses
	if p&western != 0 {
		k |= western
	}
	if p&asian != 0 {
		k |= asian
	}
	return k
}

// north is the face on the north side, 0 while more than one is possible.
func (p poses) north() int {
	found := 0
	for f := 1; f <= 6; f++ {
		if p&facing[f] != 0 {
			if found != 0 {
				return 0
			}
			found = f
		}
	}
	return found
}
