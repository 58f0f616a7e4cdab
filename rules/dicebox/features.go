package dicebox

import (
	"math/bits"

	"diceref/table"
)

// What may fit on a square that can be filled, as bits of cand: anything, or what
// one neighbor leaves, or two. No other set comes of the rules.
const (
	fits     = 9
	anything = 0b1111110
)

// fitIndex numbers them from 1; 0: not one of them.
var fitIndex = [128]int8{anything: 1, 0b100: 2, 0b1000: 3, 0b10000: 4, 0b100000: 5, 0b1010: 6, 0b10100: 7, 0b101000: 8, 0b1010000: 9}

// Facts of a position are numbered in blocks; of each block but the first one holds.
const (
	mostAlike  = 4 // of dice in a hand that are alike no more are counted
	heldFacts  = 2 * 3 * 6 * mostAlike * 2
	leadFacts  = heldFacts
	mostLead   = 40
	sizeFacts  = leadFacts + 2*mostLead + 1
	sizes      = 13
	countFacts = sizeFacts + 2*sizes
	counts     = 10
	openFacts  = countFacts + 6*counts
	aliveFacts = openFacts + squares + 1
	kindFacts  = aliveFacts + squares + 1
	facts      = kindFacts + 4
)

// features is a position as the network takes it.
type features struct {
	squares []int8 // that can be filled
	facts   []int16
	held    int // how many of the facts are of dice held

	squareRoom [squares]int8
	factRoom   [192]int16
}

// read takes in a position that is not over as the player me sees it.
func (f *features) read(m *sim, me int) {
	f.squares, f.facts = f.squareRoom[:0], f.factRoom[:0]
	fit, parity := uint8(0), 0
	count := [7]int{}
	for sq, c := range m.cand {
		if !m.alive(sq) {
			continue
		}
		f.squares = append(f.squares, int8(sq))
		if m.open>>sq&1 == 0 {
			continue
		}
		fit |= c
		parity = (bits.TrailingZeros8(c) + sq/table.Size + sq%table.Size) & 1
		for ; c != 0; c &= c - 1 {
			count[bits.TrailingZeros8(c)]++
		}
	}
	own := 0
	for _, w := range m.worth[me] {
		if w > 0 {
			own++
		}
	}
	for q, p := range [2]int{me, 1 - me} {
		for face := 1; face <= 6; face++ {
			alike := [3]int{}
			for c, w := range m.worth[me] {
				alike[1+sign(w)] += int(m.hands[p].n[c][face])
			}
			for kind, n := range alike {
				for k := range min(n, mostAlike) {
					f.facts = append(f.facts, int16((((q*3+kind)*6+face-1)*mostAlike+k)*2+int(fit>>face&1)))
				}
			}
		}
	}
	f.held = len(f.facts)
	f.facts = append(f.facts,
		int16(leadFacts+mostLead+max(-mostLead, min(mostLead, m.lead(me)))),
		int16(sizeFacts+min(m.hands[me].size, sizes-1)),
		int16(sizeFacts+sizes+min(m.hands[1-me].size, sizes-1)),
		int16(openFacts+bits.OnesCount32(m.open)),
		int16(aliveFacts+len(f.squares)),
		int16(kindFacts+parity*2+own-1))
	for face := 1; face <= 6; face++ {
		f.facts = append(f.facts, int16(countFacts+(face-1)*counts+min(count[face], counts-1)))
	}
}

func sign(w int8) int {
	switch {
	case w > 0:
		return 1
	case w < 0:
		return -1
	}
	return 0
}

// lead is by how much the colors of a player of two are ahead on the grid.
func (m *sim) lead(me int) int {
	n := 0
	for c, w := range m.worth[me] {
		n += sign(w) * m.tally[c]
	}
	return n
}

// alive says whether a square may still be filled.
func (m *sim) alive(sq int) bool { return m.filled>>sq&1 == 0 && m.cand[sq] != 0 }
