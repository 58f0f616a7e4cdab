package dicebox

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"math"
	"sync"

	"diceref/table"
)

// foresight is a network that foretells how a game of two ends for the one who has
// just acted, against somebody who plays anything. What becomes of a game is decided
// by the squares that can still be filled, by the dice in both hands and by the lead:
//
//   - every such square sees the others up to three squares away, each with what fits
//     there, and the dice in the hands (Sees, Holds: 128 units of a square);
//   - what the squares make of that is added up, by the two classes of a chessboard,
//     and joined with hands, lead and counts (Sums, Knows: 128 units of the game);
//   - 32 units more, then the chance of winning and the points still to be gained.
//
// It is learned from its own play (training/README.md).
type foresight struct {
	Sees  [7 * 7][fits]units // by offset and what fits there
	Holds [heldFacts]units
	Bias  units
	Sums  [2 * len(units{})]units
	Knows [facts]units
	Bias2 units
	Joins [len(units{})]lastUnits
	Bias3 lastUnits
	Tells [len(lastUnits{})][2]float32
	Bias4 [2]float32
}

type (
	units     [128]float32
	lastUnits [32]float32
)

// prospect is what a position is worth to a player.
type prospect struct {
	win  float64 // the chance of winning, a shared victory counts half
	lead float64 // points ahead at the end, as expected
}

//go:embed model/foresight.bin
var foresightFile []byte

var loadForesight = sync.OnceValue(func() *foresight {
	n := new(foresight)
	if err := binary.Read(bytes.NewReader(foresightFile), binary.LittleEndian, n); err != nil {
		panic(err) // the file is part of the program
	}
	return n
})

// offsets tells by two squares which of the 49 places about the first the second is, or -1.
var offsets = func() (t [squares][squares]int8) {
	for a := range t {
		for b := range t {
			dr, dc := b/table.Size-a/table.Size, b%table.Size-a%table.Size
			t[a][b] = -1
			if max(dr, -dr, dc, -dc) <= 3 {
				t[a][b] = int8((dr+3)*7 + dc + 3)
			}
		}
	}
	return t
}()

// foretell says what a position that is not over is worth to the player me, who has just acted.
func (n *foresight) foretell(m *sim, me int) prospect {
	return n.survey(m).foretell(m, me)
}

// survey is what the squares of a position see, from which positions that differ from
// it by a die or two are foretold in half the time.
type survey struct {
	*foresight
	m    *sim
	seen [squares]units
}

func (n *foresight) survey(m *sim) *survey {
	v := &survey{foresight: n, m: m}
	for sq := range squares {
		if !m.alive(sq) {
			continue
		}
		for other, c := range m.cand {
			if at := offsets[sq][other]; at >= 0 && m.alive(other) {
				add(&v.seen[sq], &n.Sees[at][fitIndex[c]-1])
			}
		}
	}
	return v
}

// foretell is the network's, of a position that came of the one surveyed.
func (v *survey) foretell(m *sim, me int) prospect {
	n := v.foresight
	var f features
	f.read(m, me)
	game := n.Bias2
	for _, k := range f.facts {
		add(&game, &n.Knows[k])
	}
	for class, seen := range v.look(m, &f) {
		for i, u := range seen {
			if u > 0 {
				addTimes(&game, &n.Sums[class*len(seen)+i], u/4)
			}
		}
	}
	last := n.Bias3
	for i, u := range game {
		if u > 0 {
			for k, w := range &n.Joins[i] {
				last[k] += u * w
			}
		}
	}
	win, gain := n.Bias4[0], n.Bias4[1]
	for i, u := range last {
		if u > 0 {
			win += u * n.Tells[i][0]
			gain += u * n.Tells[i][1]
		}
	}
	return prospect{1 / (1 + math.Exp(-float64(win))), float64(m.lead(me)) + 10*float64(gain)}
}

// look adds up what the squares of each class see.
func (v *survey) look(m *sim, f *features) (sum [2]units) {
	hands := v.Bias
	for _, k := range f.facts[:f.held] {
		add(&hands, &v.Holds[k])
	}
	var room [squares]int8
	changed := room[:0]
	for sq, c := range v.m.cand {
		if v.m.alive(sq) && (c != m.cand[sq] || !m.alive(sq)) {
			changed = append(changed, int8(sq))
		}
	}
	for _, sq := range f.squares {
		u := hands
		add(&u, &v.seen[sq])
		for _, other := range changed {
			at := offsets[sq][other]
			if at < 0 {
				continue
			}
			if m.alive(int(other)) {
				add(&u, &v.Sees[at][fitIndex[m.cand[other]]-1])
			}
			subtract(&u, &v.Sees[at][fitIndex[v.m.cand[other]]-1])
		}
		s := &sum[(sq/table.Size+sq%table.Size)&1]
		for k, x := range u {
			if x > 0 {
				s[k] += x
			}
		}
	}
	return sum
}

func subtract(from, what *units) {
	for k, w := range what {
		from[k] -= w
	}
}

func add(to, what *units) {
	for k, w := range what {
		to[k] += w
	}
}

func addTimes(to, what *units, times float32) {
	for k, w := range what {
		to[k] += times * w
	}
}
