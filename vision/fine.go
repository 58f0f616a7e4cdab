package vision

import (
	"cmp"
	"slices"

	"diceref/table"
)

// A die seen from straight above shows no sides, and its shadow may be a thin line. The fine stand network sees
// what lies around a top in two and a half times the pixels: the light on a rounded edge, a rim of shade. It costs
// seven times as much, and is asked only about what the find network and the usual one leave in doubt.

const (
	fineFrom, fineTo = -10.0, 6.0 // logarithm of odds between which a top is in doubt
	fineMost         = 12         // tops of a picture that are asked about: dice in doubt are not so many
	// What counts of the usual network's word then and of the fine one's. Fitted to 941 tops in doubt, 199 of them dice, of
	// 380 pictures: where nothing on the table is printed like dice the usual one has nothing to add.
	usualWeight, fineWeight, fineBias = 0.15, 0.7, 0.3
)

// askFinely asks the fine stand network about the tops in doubt, in all turns: those on squares, and on patterned
// tables all, as loose dice on plain ones are told without it at least as well. Of what may be a side the usual
// one has the say, which knows them better.
func (s *scene) askFinely(dice []placed) error {
	var doubtful []*placed
	for i := range dice {
		d := &dice[i]
		if d.cut || d.contested || d.side || d.square == nil && s.finder != s.r.patterned {
			continue
		}
		if l := d.leaning(); l > fineFrom && l < fineTo {
			doubtful = append(doubtful, d)
		}
	}
	slices.SortStableFunc(doubtful, func(a, b *placed) int { return cmp.Compare(b.leaning(), a.leaning()) })
	for _, d := range doubtful[:min(len(doubtful), fineMost)] {
		// One by one, as a network that is asked about another number each time takes its memory anew.
		odds, err := s.r.fine.odds(s.px, inTurns([][4]table.Point{d.outline}, 0, 1, 2, 3))
		if err != nil {
			return err
		}
		d.heed(odds)
	}
	return nil
}

// heed brings in what the fine network says in all turns.
func (t *top) heed(odds []float64) {
	t.stands = usualWeight*t.stands + fineBias
	for _, v := range odds {
		t.stands += fineWeight * v / float64(len(odds))
	}
	t.stands = min(max(t.stands, -standMost), standMost)
}

// leaning is what the find network and the usual stand network say together of a top's being a die's, as a logarithm of odds.
func (t *top) leaning() float64 { return findWeight*logit(t.score) + standWeight*t.stands + priorDie }
