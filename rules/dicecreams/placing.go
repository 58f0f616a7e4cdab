package dicecreams

import (
	"diceref/rules"
	"diceref/table"
)

// whereabouts of a card as its player sees it.
type whereabouts uint8

const (
	elsewhere whereabouts = iota // in the deck, discarded, another player's, or none at all
	onDisplay
	own
)

// target is the spot that a die is to go to.
type target struct {
	card     string
	spot     int
	where    whereabouts
	finished bool
	colors   [spots]table.Color
	dice     [spots]table.Die // no color: empty
}

// placing is a die on its way to a spot (RULES.md 4.5).
type placing struct {
	die        table.Die // as it lay on the Fridge or fell
	delta      int       // pips bought
	top        int       // what it shows on the spot, 0: not told
	to         target
	unfinished int // IceCreams the player has under way
	sprinkles  int // that the player has
}

// full says whether all spots hold dice.
func (t *target) full() bool {
	for _, d := range t.dice {
		if d.Color == table.NoColor {
			return false
		}
	}
	return true
}

// checkTarget judges where the die goes.
func (p *placing) checkTarget(r *rules.Illegal) {
	t := &p.to
	on := t.spot >= 0 && t.spot < spots
	if !on {
		r.Add("DC-MUSTPLACE", "%s has no spot %d for the die.", t.card, t.spot+1)
	}
	if t.where == own && t.finished {
		r.Add("DC-FINISHED", "%s is finished: Flavours go on unfinished IceCreams only.", t.card)
	}
	if t.where == elsewhere {
		r.Add("DC-NOTAVAILABLE", "%s is neither yours nor in the display.", t.card)
	}
	if t.where != own && p.unfinished >= unfinished {
		r.Add("DC-TWO-LIMIT", "%s would be a third unfinished IceCream: two are the limit.", t.card)
	}
	if on && t.dice[t.spot].Color != table.NoColor {
		r.Add("DC-SPOT-TAKEN", "Spot %d of %s already has the %s.", t.spot+1, t.card, dieText(t.dice[t.spot]))
		if t.full() {
			r.Add("DC-FINISHED", "%s has three dice, so it is finished.", t.card)
		}
	}
	if on && t.colors[t.spot] != table.NoColor && t.colors[t.spot] != p.die.Color {
		r.Add("DC-COLOUR", "Spot %d of %s needs %v, not %v.", t.spot+1, t.card, t.colors[t.spot], p.die.Color)
	}
}

// checkPips judges the Sprinkles spent on the die and what it shows in the end.
func (p *placing) checkPips(opt *options, r *rules.Illegal) {
	if p.delta != 0 && !opt.onPlacing {
		r.Add("DC-TARGET", "House rule: only a placed Flavour may be changed.")
		r.Add("DC-WINDOW", "House rule: no Sprinkles on the die you are placing.")
	}
	checkDelta(p.die, p.delta, p.sprinkles, r)
	if p.top != 0 && p.top != p.die.Face+p.delta {
		r.Add("DC-FACE", "The %s shows %d on its spot, but no Sprinkles were paid.", dieText(p.die), p.top)
	}
}

// checkDelta judges the pips bought for a die.
func checkDelta(d table.Die, delta, sprinkles int, r *rules.Illegal) {
	checkCost(delta, sprinkles, r)
	if v := d.Face + delta; delta != 0 && (v < 1 || v > 6) {
		r.Add("DC-PIP-RANGE", "The %s cannot become %d: dice go from 1 to 6.", dieText(d), v)
	}
}

// checkCost judges whether pips can be paid for.
func checkCost(delta, sprinkles int, r *rules.Illegal) {
	if cost := max(delta, -delta); cost > sprinkles || cost < 0 { // -delta may overflow
		r.Add("DC-NOSPRINKLE", "Pips cost one Sprinkle each: %d cost %d, but there are %d.", cost, cost, sprinkles)
	}
}

// fits says whether a die of that color may go to the spot at all.
func fits(c table.Color, t target, under int) bool {
	p := placing{die: table.Die{Color: c, Face: 1}, to: t, unfinished: under}
	var r rules.Illegal
	p.checkTarget(&r)
	return len(r) == 0
}
