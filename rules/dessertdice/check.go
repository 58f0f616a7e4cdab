package dessertdice

import (
	"fmt"

	"diceref/rules"
	"diceref/table"
)

// Check judges an act (RULES.md 1.5 and 1.6).
func (s *State) Check(m rules.Move) error {
	if board, ok := m.(rules.Stands); ok {
		return board.Check(table.DessertDice, s.players)
	}
	a, ok := m.(Act)
	if !ok {
		return fmt.Errorf("%v is not an act of Dessert Dice", m)
	}
	if err := s.sound(a); err != nil {
		return err
	}
	if a.Kind == Supply || a.Kind == Card {
		return nil
	}
	var why rules.Illegal
	over := s.Over()
	if over {
		full := "the board is full"
		if s.onBoard() < squares {
			full = "the supply is empty"
		}
		why.Add("DD-OVER", "The game is over: %s.", full)
	}
	if s.turn != rules.Nobody && a.By != s.turn {
		why.Add("DD-TURN", "It is %s's turn, not %s's: turns go clockwise.", s.names.Name(s.turn), s.names.Name(a.By))
		if a.By == s.lastBy && !over {
			why.Add("DD-TWO", "%s has already played this turn: either place a die or tip one, not both.", s.names.Name(a.By))
		}
	}
	switch a.Kind {
	case Pass:
		why.Add("DD-PASS", "You cannot pass: place a die or tip one.")
	case Place:
		s.checkPlace(a, &why)
	case Tip:
		s.checkTip(a, &why)
	case Turn:
		why.At(a.To, "DD-TURNED", "The die on %s was turned to %s: only tipping changes a die's top face.", a.To, word(a.Die))
	}
	return why.Err()
}

func (s *State) checkPlace(a Act, why *rules.Illegal) {
	c := colorIndex(a.Die.Color)
	held := s.supply == nil || s.supply[c][a.Die.Face] > 0
	if left, known := s.left(c); !held || known && left <= 0 {
		held = false
		why.Add("DD-PLACE-NOTSUPPLY", "There is no %s in the supply.", word(a.Die))
	}
	switch {
	case !a.To.On():
		why.At(a.To, "DD-PLACE-OFF", "%s is not on the board: place a die on an empty square.", a.To)
	case s.board[a.To.Index()].color != table.NoColor:
		why.At(a.To, "DD-PLACE-OCC", "%s is occupied by %s: place a die on an empty square.", a.To, s.at(a.To))
	}
	if held && a.top() != a.Die.Face {
		why.At(a.To, "DD-PLACE-FACE", "%s was turned to %d while being placed on %s: its top face may not change.", word(a.Die), a.top(), a.To)
	}
}

func (s *State) checkTip(a Act, why *rules.Illegal) {
	if s.mustPlace() {
		why.Add("DD-REPEAT", "This position has come up %d times since the last die was placed: place a die.", s.timesSeen())
	}
	var d die
	if a.From.On() {
		d = s.board[a.From.Index()]
	}
	dir, near := step(a.From, a.To)
	swapped := false
	if d.color == table.NoColor {
		why.At(a.From, "DD-MOVE-NODIE", "There is no die on %s to tip.", a.From)
	} else if a.Die.Color != table.NoColor && a.Die.Color != d.color {
		swapped = true
		why.At(a.To, "DD-MOVE-SWAP", "A %s die arrived on %s, but the die on %s was %s.", a.Die.Color, a.To, a.From, d.color)
	}
	s.checkTarget(a, near, why)
	if d.color == table.NoColor || swapped {
		return
	}
	if s.undoes(a.From, a.To) {
		why.At(a.To, "DD-UNDO", "%s just tipped this die from %s to %s: tipping it straight back is not allowed.", s.names.Name(s.last.By), s.last.From, s.last.To)
	}
	switch top := a.Die.Face; {
	case top == 0: // not seen
	case top == int(d.top):
		why.At(a.To, "DD-MOVE-SLIDE", "%s slid to %s and still shows %d: a die must be tipped, not slid.", s.at(a.From), a.To, top)
	case top == 7-int(d.top):
		why.At(a.To, "DD-MOVE-FACE", "%s cannot show %d on %s: tipping brings up a side, never the bottom.", s.at(a.From), top, a.To)
	case near && s.lying(d).tip(dir)&showing[top] == 0:
		why.At(a.To, "DD-MOVE-ORIENT", "%s tipped from %s to %s cannot show %d: %s comes up.", s.at(a.From), a.From, a.To, top, either(s.Reachable(a.From, a.To)))
	}
}

// checkTarget looks at the square, then at the way there: each is a reason of its own.
func (s *State) checkTarget(a Act, near bool, why *rules.Illegal) {
	if !a.To.On() {
		why.At(a.To, "DD-MOVE-OFF", "%s is not on the board: dice may not leave it.", a.To)
	}
	switch dr, dc := a.To.Row-a.From.Row, a.To.Col-a.From.Col; {
	case dr*dr == 1 && dc*dc == 1:
		why.At(a.To, "DD-MOVE-DIAG", "%s to %s is diagonal: a die tips onto a square that shares an edge.", a.From, a.To)
	case !near:
		why.At(a.To, "DD-MOVE-FAR", "%s to %s is too far: a die tips onto a square that shares an edge.", a.From, a.To)
	}
	if a.To.On() && s.board[a.To.Index()].color != table.NoColor {
		why.At(a.To, "DD-MOVE-OCC", "%s is occupied by %s: a die tips onto an empty square.", a.To, s.at(a.To))
	}
}

// at names the die on a square.
func (s *State) at(sq table.Square) string {
	d := s.board[sq.Index()]
	return word(table.Die{Color: d.color, Face: int(d.top)})
}

// either lists numbers for a sentence: "3", "3 or 4".
func either(n []int) string {
	text := ""
	for i, v := range n {
		switch {
		case i == 0:
		case i == len(n)-1:
			text += " or "
		default:
			text += ", "
		}
		text += fmt.Sprint(v)
	}
	return text
}

// sound refuses acts that make no sense at all.
func (s *State) sound(a Act) error {
	if a.Kind == Supply {
		return s.soundSupply(a)
	}
	if a.By < 0 || s.players > 0 && int(a.By) >= s.players {
		return fmt.Errorf("%s is not a player of this match", a.By)
	}
	switch a.Kind {
	case Place, Turn:
		if colorIndex(a.Die.Color) < 0 || a.Die.Face < 1 || a.Die.Face > 6 || a.Top < 0 || a.Top > 6 {
			return fmt.Errorf("%s is not a die of Dessert Dice", a)
		}
	case Tip:
		if a.Die.Color != table.NoColor && colorIndex(a.Die.Color) < 0 || a.Die.Face < 0 || a.Die.Face > 6 {
			return fmt.Errorf("%s is not a die of Dessert Dice", a)
		}
	case Card:
		return s.soundCard(a)
	case Pass:
	default:
		return fmt.Errorf("%d is not a kind of act", a.Kind)
	}
	if a.Kind == Turn && (!a.To.On() || s.board[a.To.Index()].color == table.NoColor) {
		return fmt.Errorf("there is no die on %s to turn", a.To)
	}
	return nil
}

func (s *State) soundSupply(a Act) error {
	n := a.Supply.Count() + s.onBoard()
	if n > squares || n < squares && !s.short {
		return fmt.Errorf("%s instead of %d: %s", table.Count(n, "die", "dice"), squares, "find the missing ones, or use the house rule short_set")
	}
	for c := range colors {
		k := a.Supply.ofColor(c)
		for i := range s.board {
			if s.board[i].color == colors[c] {
				k++
			}
		}
		if k > kit[c] {
			return fmt.Errorf("%d %s dice, but the game has %d", k, colors[c], kit[c])
		}
	}
	return nil
}

func (s *State) soundCard(a Act) error {
	if !s.Over() {
		return fmt.Errorf("the cards stay secret until the game is over")
	}
	if cardIndex(a.Card) < 0 {
		return fmt.Errorf("%q is not a card (expected J, S, P or I)", a.Card)
	}
	for p, c := range s.cards {
		if c == a.Card && rules.Player(p) != a.By {
			return fmt.Errorf("%s already has the card %c: there is only one of each", rules.Player(p), c)
		}
	}
	return nil
}
