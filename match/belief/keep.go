package belief

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"diceref/rules"
)

// Weighted is the set of these hypotheses, whose weights are their chances.
func Weighted[S any](list []Hypothesis[S]) Set[S] {
	list = slices.Clone(list)
	for i := range list {
		list[i].log = math.Log(list[i].Chance)
	}
	return weighed(list)
}

// Since is the moves that have led to a world from one that it has gone through; false: it has not.
func (b *Board) Since(from *Board) (line []rules.Move, ok bool) {
	for at := b; at != nil; at = at.before {
		if at.story == from.story && !disturbs(at.last) {
			slices.Reverse(line)
			return line, true
		}
		line = append(line, at.last)
	}
	return nil, false
}

// At is the world of the same acts that another one has gone through, the last of them: dice may have been knocked about in it that
// were not here. nil: it has gone through none.
func (b *Board) At(in *Board) *Board {
	for at := in; at != nil; at = at.before {
		if at.story == b.story {
			return at
		}
	}
	return nil
}

// Through is the set of the hypotheses that have gone through a world, with the lines from there on; false: hardly anything speaks
// for it any more.
func Through(s Set[*Sight], at *Board, least float64) (next Set[*Sight], ok bool) {
	var list []Hypothesis[*Sight]
	p := 0.0
	for _, h := range s.list {
		if line, through := h.World.(*Board).Since(at); through {
			p += h.Chance
			h.Line = line
			list = append(list, h)
		}
	}
	if p < least {
		return s, false
	}
	return s.Of(list)
}

// Owners is whose dice lie on which side of the board, as far as a world knows: how often they were a player's, by player and side.
func (b *Board) Owners() [4][4]uint8 { return b.owners }

// Owned is a world in which that is known.
func (b *Board) Owned(o [4][4]uint8) *Board {
	return b.but(func(next *Board) { next.owners = o })
}

// ParseMove reads a move of a line, which may be that something was taken back.
func ParseMove(g rules.Game, text string) (rules.Move, error) {
	by, what, _ := strings.Cut(text, " ")
	if by == "unseen" {
		return parseUnseen(g, what)
	}
	if what != "takeback" && what != "putback" {
		mv, err := g.ParseMove(text)
		if err != nil {
			return nil, fmt.Errorf("belief: %w", err)
		}
		return mv, nil
	}
	for p := range rules.Player(26) {
		if p.String() == by {
			return TakenBack{By: p, Disturbed: what == "putback"}, nil
		}
	}
	return nil, fmt.Errorf("belief: nobody called %q can take anything back", by)
}
