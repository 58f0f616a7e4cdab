package vision

import (
	"cmp"
	"slices"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/pixels"
)

// A die seen from straight above shows no sides, and its shadow may be a thin line. The fine stand network sees
// what is around a top in two and a half times the pixels: the light on a rounded edge, a rim of shade. It costs
// seven times as much, and is asked only about what the find network and the usual one leave in doubt.

const (
	fineFrom, fineTo = -10.0, 6.0 // logarithm of odds between which a top is in doubt
	fineMost         = 12         // tops of a picture that are asked about: dice in doubt are not so many
	// What counts of the usual network's word then and of the fine one's. Fitted to 213 tops in doubt on squares, 39 of them
	// dice, and to fewer without boards that are printed: the usual one has next to nothing to add.
	usualWeight, fineWeight, fineBias = 0.15, 0.7, 0.3
)

// askFinely asks the fine stand network about the tops on squares that are in doubt, in all turns. Loose dice on plain
// tables are told without it at least as well, and on patterned ones it would be asked about so many that it takes
// 40 MB more. Of what may be a side the usual one has the say, which knows them better.
func (s *scene) askFinely(dice []placed) error {
	var doubtful []*placed
	for i := range dice {
		d := &dice[i]
		if d.square == nil || d.Cut || d.contested || d.side {
			continue
		}
		if l := leaningOf(&d.Top); l > fineFrom && l < fineTo {
			doubtful = append(doubtful, d)
		}
	}
	slices.SortStableFunc(doubtful, func(a, b *placed) int { return cmp.Compare(leaningOf(&b.Top), leaningOf(&a.Top)) })
	for _, d := range doubtful[:min(len(doubtful), fineMost)] {
		fine, err := s.r.fine.get()
		if err != nil {
			return err
		}
		var odds []float64
		for turn := range 4 { // one by one: it takes least memory so
			v, err := fine.Odds(s.px, pixels.InTurns([][4]table.Point{d.Outline}, turn))
			if err != nil {
				return err
			}
			odds = append(odds, v...)
		}
		heedFine(&d.Top, odds)
	}
	return nil
}

// heedFine brings in what the fine network says in all turns.
func heedFine(t *detect.Top, odds []float64) {
	t.Stands = usualWeight*t.Stands + fineBias
	for _, v := range odds {
		t.Stands += fineWeight * (v + t.Shown) / float64(len(odds))
	}
	t.Stands = min(max(t.Stands, -standMost), standMost)
}

// leaningOf is what the find network and the usual stand network say together of a top's being a die's, as a logarithm of odds.
func leaningOf(t *detect.Top) float64 {
	return findWeight*logit(t.Score) + standWeight*t.Stands + priorDie
}
