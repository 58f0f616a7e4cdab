package match

import (
	"diceref/calibration"
	"diceref/rules"
	"diceref/rules/fromage"
)

// How a table of Fromage á Trois may stand where nothing else is known of it: see anewer.

func (fromageZones) lies(state rules.State, seen *spread, said []rules.Move) (moves []rules.Move) {
	s, ok := state.(*fromage.State)
	if !ok || s.ToMove() == rules.Nobody {
		return nil
	}
	mv := fromage.Stands{Cart: facesIn(seen.in[cartKey])}
	for at, dice := range seen.in {
		if at.kind == calibration.ZonePlace && at.seat < s.Players() {
			mv.Hands[at.seat] = facesIn(dice)
		}
	}
	for _, m := range said {
		if act, ok := m.(fromage.Move); ok && act.Kind == fromage.Compensate && act.Seat >= 0 && int(act.Seat) < s.Players() {
			mv.Points[act.Seat] += act.Points
		}
	}
	for p := range s.Players() {
		mv.Next = rules.Player(p)
		for _, mv.Acted = range []bool{false, true} {
			if mv.Cart.Len() > 0 || !mv.Acted {
				moves = append(moves, mv)
			}
		}
	}
	return moves
}

func (g fromageZones) alike(a, b rules.State) bool {
	x, ok := a.(*fromage.State)
	y, is := b.(*fromage.State)
	return ok && is && x.Turn() == y.Turn() && x.ToMove() == y.ToMove() && x.Rolled() == y.Rolled() && x.Acted() == y.Acted() && samePiles(g.piles(x), g.piles(y))
}
