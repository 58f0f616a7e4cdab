package fromage

import (
	"diceref/rules"
	"diceref/scoring"
)

// What is on the table, for those who compare it with what a camera saw.

// Players is how many play.
func (s *State) Players() int { return s.seats }

// Turn is whose turn it is.
func (s *State) Turn() rules.Player { return rules.Player(s.turn) }

// Shop is how many dice are in the Cheese Shop; their faces mean nothing.
func (s *State) Shop() int { return s.shop }

// Cart is the dice in the Shopping Cart.
func (s *State) Cart() scoring.Faces { return s.cart }

// Hand is a player's kept dice; a stranger has none.
func (s *State) Hand(p rules.Player) scoring.Faces { return s.hand(p) }

// Rolled says whether the player whose turn it is has rolled.
func (s *State) Rolled() bool { return s.rolled != notRolled }

// Acted says whether the player whose turn it is has kept dice or stolen some.
func (s *State) Acted() bool { return s.kept || s.stole }

// Owed is how many dice or points a player may have for the dice that were taken
// away, 0 and 0 where nothing is due.
func (s *State) Owed(p rules.Player) (dice, points int) {
	if p < 0 || int(p) >= s.seats {
		return 0, 0
	}
	return s.owed[p].dice, s.owed[p].points
}

// Due is the sets that go back when the player's turn ends now.
func (s *State) Due(p rules.Player) scoring.Faces {
	back, _ := s.due(p)
	return back
}

// MustEnd says whether nothing is left to do in this turn, and to be seen of its end:
// everybody has answered, no Fromage can be declared, no set goes back, and the Cart is empty.
func (s *State) MustEnd() bool {
	if s.over || !s.Acted() || s.cart.Len() > 0 || s.anyOwed() {
		return false
	}
	back, _ := s.due(rules.Player(s.turn))
	return back.Len() == 0 && len(Fromages(s)) == 0
}

// Acts lists the legal acts of the position but for rolls, in no particular order.
func (s *State) Acts() []rules.Move {
	if s.over || !s.Rolled() {
		return nil
	}
	if s.anyOwed() {
		return s.answers()
	}
	moves := append(s.keeps(), Steals(s)...)
	moves = append(moves, Fromages(s)...)
	if end := (Move{Seat: rules.Player(s.turn), Kind: End}); len(s.check(&end)) == 0 {
		moves = append(moves, end)
	}
	return moves
}
