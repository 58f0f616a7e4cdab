package match

import (
	"cmp"
	"slices"

	"diceref/rules"
	"diceref/rules/dicebox"
	"diceref/table"
)

// Nothing can be judged without the face of the Seed. Where it is not read, it is asked for as soon as
// another die is on the board. The most likely face goes in meanwhile, under doubt.

// seedAt is where the Seed of Dice Box lies, from the start to the end.
var seedAt = table.Square{Row: table.Size / 2, Col: table.Size / 2}

// seedUnread asks for the face of the Seed, where it is hardly read, or not, though other dice are on the
// board already.
func (m *Match) seedUnread(now rules.State, obs table.Observation) (ask Phrase, offers []offer) {
	_, known := now.Expect().Squares[seedAt]
	others := slices.ContainsFunc(onGrid(obs).Dice, func(r table.Reading) bool { return *r.Square != seedAt && r.Sure })
	seed := seedRead(obs)
	if m.setting.Game != table.DiceBox || known || !others || seed.Confidence >= enoughLegal {
		return ask, nil
	}
	if offers = m.seedMayBe(now, seed, obs); len(offers) == 0 {
		return ask, nil
	}
	a := actOf(offers[0].story.Line[0])
	return phrase("is-that", "die", table.Die{Color: a.Color, Face: a.Face}, "square", seedAt), offers
}

// seedWaits says whether a story is of nothing but the Seed, which is hardly read: its face matters only
// once a die is placed.
func seedWaits(s rules.Story, obs table.Observation) bool {
	if len(s.Line) != 1 {
		return false
	}
	a, ok := s.Line[0].(dicebox.Act)
	seed := seedRead(obs)
	return ok && a.Kind == dicebox.Seed && !seed.Sure && seed.Confidence < enoughLegal
}

// seedMayBe is what has happened if the Seed shows one face or another, the most likely first: by which all
// is legal, and then as it was read.
func (m *Match) seedMayBe(now rules.State, seed table.Reading, obs table.Observation) (offers []offer) {
	for face := 1; face <= 6; face++ {
		first := dicebox.Act{By: rules.Nature, Kind: dicebox.Seed, Die: table.Die{Color: table.Black, Face: face}, To: seedAt}
		next, err := now.Apply(first)
		if err != nil {
			return nil
		}
		r := rules.Reconcile(next, onGrid(withDie(obs, seedAt, first.Die)), rules.ReconcileOptions{})
		if r.Verdict == rules.Explained || r.Verdict == rules.IllegalAct {
			r.Line, r.At = append([]rules.Move{first}, r.Line...), r.At+1
			offers = append(offers, offer{says: m.ifItIs(first.Die, seedAt, r.Story), story: r.Story})
		}
	}
	unlikely := func(o offer) float64 {
		odd := -seed.Faces[actOf(o.story.Line[0]).Face]
		if o.story.Why != nil {
			odd++
		}
		return odd
	}
	slices.SortStableFunc(offers, func(a, b offer) int { return cmp.Compare(unlikely(a), unlikely(b)) })
	return offers
}

// seedRead is what is read where the Seed lies; no color: nothing.
func seedRead(obs table.Observation) table.Reading {
	for _, r := range onGrid(obs).Dice {
		if *r.Square == seedAt {
			return r
		}
	}
	return table.Reading{}
}
