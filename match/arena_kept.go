package match

import (
	"math"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// keptArena is what is believed of a game of DICE Flick, as a restart needs it.
type keptArena struct {
	From  int       `json:"from"` // so many acts are certain
	Asked bool      `json:"asked,omitempty"`
	Ways  []keptWay `json:"ways"`
}

// keptWay is one way in which things may have gone since.
type keptWay struct {
	Moves []string      `json:"moves"`
	Taken scoring.Holes `json:"taken,omitempty"`
	Log   float64       `json:"log"`
}

const (
	mostKeptWays = 8
	leastKept    = 0.002
)

// keptArena is what is worth keeping of what is believed, and where stickers are taken for dice. A position that is certain is not.
func (m *Match) keptArena() (*keptArena, []keptPrint) {
	a := &m.arena
	if !a.on {
		return nil, nil
	}
	k := &keptArena{From: a.from, Asked: a.asked, Ways: []keptWay{}}
	for _, h := range a.set.Hypotheses() {
		if len(k.Ways) == mostKeptWays || h.Chance < leastKept {
			break
		}
		w := keptWay{Taken: h.World.(*diceflick.Follower).Taken(), Log: math.Round(2*math.Log(h.Chance)) / 2}
		for _, mv := range h.Line {
			w.Moves = append(w.Moves, mv.String())
		}
		k.Ways = append(k.Ways, w)
	}
	var prints []keptPrint
	for i, dice := range a.set.Printed() {
		if len(dice) > 0 {
			prints = append(prints, keptPrint{Square: table.SquareAt(i), Dice: dice})
		}
	}
	if len(k.Ways) == 1 && k.Ways[0].Taken == 0 && len(k.Ways[0].Moves) == len(m.toldSince(a.from)) {
		return nil, prints
	}
	return k, prints
}

// takeArena takes up what was believed.
func (m *Match) takeArena(f facts) {
	if m.setting.Game != table.DiceFlick || !m.seen.ok && f.Ways == nil && f.Phantoms == nil && f.Stickers == nil {
		return
	}
	m.believeAnew()
	a := &m.arena
	var prints belief.Prints
	for _, sq := range f.Phantoms {
		prints[sq.Index()] = []table.Die{{}}
	}
	for _, k := range f.Stickers {
		prints[k.Square.Index()] = k.Dice
	}
	a.set = a.set.WithPrints(prints)
	switch now := a.set.Best().World.(*diceflick.Follower); {
	case !m.seen.ok || m.line.factsAt != m.seq: // something was told since
	case f.Ways != nil && f.Ways.From <= len(m.line.acts):
		m.takeWays(f.Ways)
	case f.Turn != nil:
		a.set = a.set.Again(now.Taking(f.Turn.Gone))
	}
}

// takeWays takes up the ways in which things may have gone.
func (m *Match) takeWays(k *keptArena) {
	a := &m.arena
	a.from = k.From
	base := m.certain()
	var list []belief.Hypothesis
	for _, w := range k.Ways {
		line, err := parseMoves(m.game, w.Moves)
		if err != nil {
			continue
		}
		if s, ok := played(base, line).(*diceflick.State); ok {
			world := a.set.Best().World.(*diceflick.Follower).From(s).Taking(w.Taken)
			list = append(list, belief.Hypothesis{World: world, Line: line, Chance: math.Exp(w.Log)})
		}
	}
	if len(list) == 0 {
		a.from = len(m.line.acts)
		return
	}
	a.set, a.told, a.asked = a.set.Of(list), m.toldSince(a.from), k.Asked
}

// takenOut is the dice that were taken out since the last flick, as it is believed.
func (m *Match) takenOut() scoring.Holes {
	if !m.arena.on {
		return 0
	}
	return m.arena.set.Best().World.(*diceflick.Follower).Taken()
}

var _ rules.Follower = (*diceflick.Follower)(nil)
