package dicebox

import (
	"fmt"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Check judges an act (RULES.md 2.5 and 2.6). What depends on a hand that is not known is not judged.
func (s *State) Check(m rules.Move) error {
	if board, ok := m.(rules.Stands); ok {
		return board.Check(table.DiceBox, s.players)
	}
	a, ok := m.(Act)
	if !ok {
		return fmt.Errorf("%v is not an act of Dice Box", m)
	}
	if err := s.sound(a); err != nil {
		return err
	}
	var why rules.Illegal
	switch a.Kind {
	case Seed:
		if s.rolled {
			why.At(center, "BX-SEED", "The Seed is already in the center.")
		}
	case Hand:
	case Draft:
		s.checkDraft(a, &why)
	default:
		s.checkTurn(a, &why)
	}
	return why.Err()
}

func (s *State) checkTurn(a Act, why *rules.Illegal) {
	over := s.Over()
	if over {
		if s.fitting() == 0 {
			why.Add("BX-OVER", "The game is over: no square can be filled anymore.")
		} else {
			why.Add("BX-OVER", "The game is over: nobody has any dice left.")
		}
	}
	again := false
	if s.turn != rules.Nobody && a.By != s.turn {
		why.Add("BX-TURN", "It is %s's turn, not %s's: turns go to the left.", s.names.Name(s.turn), s.names.Name(a.By))
		again = a.By == s.lastBy && s.last.Kind == Place && !over
	}
	switch a.Kind {
	case Pass:
		s.checkPass(a, why)
	case Reroll:
		s.checkReroll(a, again, why)
	case Place:
		if again {
			why.Add("BX-TWO", "%s has already placed %s this turn: place only one die.", s.names.Name(a.By), word(s.last.Die))
		}
		s.checkPlace(a, why)
	case Shift:
		if a.From == a.To {
			why.At(a.To, "BX-MOVED", "%s on %s was turned to %s: dice on the board stay as they are.", s.at(a.From), a.From, word(a.Die))
		} else {
			why.At(a.From, "BX-MOVED", "%s was moved from %s to %s: dice on the board stay where they are.", s.at(a.From), a.From, a.To)
		}
	}
}

func (s *State) checkPass(a Act, why *rules.Illegal) {
	h := s.handOf(a.By)
	switch fits, known := s.fitted(a); {
	case fits:
		why.Add("BX-MUSTPLAY", "%s has a die that fits (%s) and must place it.", s.names.Name(a.By), s.hint(h, a.Die))
	case known && h.size > 0:
		why.Add("BX-MUSTROLL", "%s has dice, but none fits: all of them must be rerolled.", s.names.Name(a.By))
	case !known && h.sized: // whichever it is, passing is wrong
		why.Add("BX-MUSTROLL", "%s has dice left: place one that fits, or reroll all of them.", s.names.Name(a.By))
	}
}

func (s *State) checkReroll(a Act, again bool, why *rules.Illegal) {
	h := s.handOf(a.By)
	if again {
		why.Add("BX-REROLL-AFTER", "%s placed %s this turn: the other dice are not rerolled.", s.names.Name(a.By), word(s.last.Die))
	}
	if h.sized && h.size == 0 {
		why.Add("BX-NODICE", "%s has no dice left to roll.", s.names.Name(a.By))
	} else if fits, _ := s.fitted(a); fits && !again {
		why.Add("BX-MUSTPLAY", "%s has a die that fits (%s) and must place it.", s.names.Name(a.By), s.hint(h, a.Die))
	}
	if !a.Known {
		return
	}
	wrong := h.sized && a.Dice.Count() != h.size
	for c := range h.colors {
		wrong = wrong || h.colored && a.Dice.ofColor(c) != int(h.colors[c])
	}
	if wrong {
		why.Add("BX-REROLL-ALL", "%s must reroll all of their dice and no others: the same number of each color as before.", s.names.Name(a.By))
	}
}

// fitted says whether a die fits somewhere that the player has, as far as the hand is
// known, or had by what was seen of it before a roll or a pass.
func (s *State) fitted(a Act) (fits, known bool) {
	fits, known = s.fits(a.By)
	if !known && a.Die.Color != table.NoColor {
		fits = s.fitting()>>a.Die.Face&1 != 0
	}
	return fits, known
}

// hint names one die of the hand, or the one seen in it, and a square on which it fits.
func (s *State) hint(h hand, seen table.Die) string {
	if !h.known && seen.Color != table.NoColor {
		h.dice = Dice{}
		h.dice[scoring.BoxColor(seen.Color)][seen.Face] = 1
	}
	for c := range h.dice {
		for f, n := range h.dice[c] {
			for i := range s.grid {
				if n > 0 && !s.filled(i) && s.cand(i)>>f&1 != 0 {
					return fmt.Sprintf("%s on %s", word(table.Die{Color: scoring.BoxColors[c], Face: f}), table.SquareAt(i))
				}
			}
		}
	}
	return "none"
}

func (s *State) checkPlace(a Act, why *rules.Illegal) {
	h := s.handOf(a.By)
	c := scoring.BoxColor(a.Die.Color)
	owns := true
	switch {
	case c < 0:
		owns = false
		why.At(a.To, "BX-SEED", "The Seed is in the center and is never placed again.")
	case h.colored && h.colors[c] <= 0 || h.sized && h.size == 0 || !h.colored && s.gone(a.By, c):
		owns = false
		why.Add("BX-NOTYOURS", "%s has no %s die.", s.names.Name(a.By), a.Die.Color)
	}
	if !a.To.On() {
		why.At(a.To, "BX-OFF", "%s is not on the board.", a.To)
	} else {
		s.checkValue(a, why)
	}
	if turned := a.Named != 0 && a.Named != a.Die.Face; owns && turned {
		why.At(a.To, "BX-FACE", "%s shows %d on %s: place a die as it was rolled.", word(table.Die{Color: a.Die.Color, Face: a.Named}), a.Die.Face, a.To)
	} else if owns && h.known && h.dice[c][a.Die.Face] <= 0 {
		why.At(a.To, "BX-FACE", "%s has no %s: place a die as it was rolled.", s.names.Name(a.By), word(a.Die))
	}
}

func (s *State) checkValue(a Act, why *rules.Illegal) {
	i := a.To.Index()
	if s.filled(i) {
		why.At(a.To, "BX-OCC", "%s is occupied by %s.", a.To, s.at(a.To))
	}
	if s.isolated(i) {
		why.At(a.To, "BX-ISOLATED", "%s is not next to another die.", a.To)
		return
	}
	for _, n := range rules.Neighbors(i) {
		if v := s.grid[n].Face; v != 0 && s.beside(v)>>a.Die.Face&1 == 0 {
			why.At(a.To, "BX-VALUE", "%s on %s is next to %s on %s: it must be one more or one less than every neighbor.",
				word(a.Die), a.To, s.at(table.SquareAt(n)), table.SquareAt(n))
			return
		}
	}
}

// checkDraft: the picks go round and back, two dice of each color (RULES.md 2.2).
func (s *State) checkDraft(a Act, why *rules.Illegal) {
	if s.rolled || len(s.picks) == len(draftOrder) {
		why.Add("BX-OVER", "The draft is over.")
	} else if s.drafting() && a.By != s.drafter() {
		why.Add("BX-TURN", "It is %s's pick, not %s's.", s.drafter(), a.By)
	}
	if s.drafted(a.Die.Color) >= 2 {
		why.Add("BX-NOTYOURS", "Both %s dice are already taken.", a.Die.Color)
	}
}

func (s *State) drafted(c table.Color) int {
	n := 0
	for _, p := range s.picks {
		if p.Die.Color == c {
			n++
		}
	}
	return n
}

// at names the die on a square.
func (s *State) at(sq table.Square) string { return word(s.grid[sq.Index()]) }

// sound refuses acts that make no sense at all.
func (s *State) sound(a Act) error {
	who := a.By
	if a.Kind == Hand {
		who = a.Of
	}
	if a.Kind != Seed && (who < 0 || s.players > 0 && int(who) >= s.players) {
		return fmt.Errorf("%s is not a player of this match", who)
	}
	switch a.Kind {
	case Place, Seed, Shift:
		if scoring.BoxColor(a.Die.Color) < 0 && a.Die.Color != seedColor || a.Die.Face < 1 || a.Die.Face > 6 {
			return fmt.Errorf("%s is not a die of Dice Box", a)
		}
		if a.Kind == Shift && (!a.From.On() || !a.To.On() || !s.filled(a.From.Index())) {
			return fmt.Errorf("there is no die on %s to move to %s", a.From, a.To)
		}
	case Draft:
		if s.players != 4 || scoring.BoxColor(a.Die.Color) < 0 {
			return fmt.Errorf("%s: only four players draft, and only red, yellow, blue and white dice", a)
		}
	case Hand:
		return s.soundHand(a)
	case Reroll, Pass:
		if err := s.soundHad(a); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%d is not a kind of act", a.Kind)
	}
	if a.Kind < Draft && !s.rolled && s.players > 0 {
		return fmt.Errorf("the Seed has not been rolled yet")
	}
	return nil
}

// soundHad refuses a die that cannot have been seen in the hand.
func (s *State) soundHad(a Act) error {
	if a.Die.Color == table.NoColor {
		return nil
	}
	if scoring.BoxColor(a.Die.Color) < 0 || a.Die.Face < 1 || a.Die.Face > 6 {
		return fmt.Errorf("%s cannot be in a hand", a)
	}
	if n, known := s.Left(a.By, a.Die.Color); known && n == 0 {
		return fmt.Errorf("%s has no %s die that could have been seen", a.By, a.Die.Color)
	}
	return nil
}

func (s *State) soundHand(a Act) error {
	h := s.handOf(a.Of)
	if h.sized && a.Dice.Count() != h.size {
		return fmt.Errorf("%s has %s, not %d", a.Of, table.Count(h.size, "die", "dice"), a.Dice.Count())
	}
	for c := range h.colors {
		if h.colored && a.Dice.ofColor(c) != int(h.colors[c]) {
			return fmt.Errorf("%s has %s in %s, not %d", a.Of, table.Count(int(h.colors[c]), "die", "dice"), scoring.BoxColors[c], a.Dice.ofColor(c))
		}
		if n := s.elsewhere(a.Of, c) + a.Dice.ofColor(c); s.players > 0 && n > perColor {
			return fmt.Errorf("%d %s dice, but the game has %d", n, scoring.BoxColors[c], perColor)
		}
	}
	return nil
}
