package dessertdice

import (
	"fmt"

	"diceref/rules"
	"diceref/table"
)

// Apply plays an act, also an illegal one that the players keep; the error is for
// acts that cannot have happened, such as a die placed on another.
func (s *State) Apply(m rules.Move) (rules.State, error) {
	if board, ok := m.(rules.Stands); ok {
		return s.stand(board)
	}
	a, ok := m.(Act)
	if !ok {
		return nil, fmt.Errorf("%v is not an act of Dessert Dice", m)
	}
	if err := s.sound(a); err != nil {
		return nil, err
	}
	next := *s
	var err error
	switch a.Kind {
	case Place:
		err = next.place(a)
	case Tip:
		err = next.tip(a)
	case Turn:
		next.turnOnSpot(a)
		return &next, nil // no turn of a player's: whoever was on turn still is
	case Supply:
		supply := a.Supply
		next.supply = &supply
		return &next, nil
	case Card:
		next.cards = append([]byte(nil), s.cards...)
		next.cards[a.By] = a.Card
		return &next, nil
	}
	if err != nil {
		return nil, err
	}
	next.last, next.lastBy, next.number = a, a.By, s.number+1
	if s.players > 0 {
		next.turn = (a.By + 1) % rules.Player(s.players)
	}
	return &next, nil
}

func (s *State) place(a Act) error {
	if !a.To.On() || s.board[a.To.Index()].color != table.NoColor {
		return fmt.Errorf("cannot place a die on %s: it is not an empty square", a.To)
	}
	s.board[a.To.Index()] = s.fresh(a.Die.Color, a.top())
	if s.supply != nil {
		supply := *s.supply
		s.supply = &supply
		if n := &supply[colorIndex(a.Die.Color)][a.Die.Face]; *n > 0 {
			*n--
		} else {
			s.supply = nil // it held something else than was thought
		}
	}
	if int(a.By) < len(s.placed) {
		s.placed = append([]int(nil), s.placed...)
		s.placed[a.By] = s.number
	}
	s.seen, s.repeat = [][squares]uint8{s.faceUp()}, 0
	return nil
}

// fresh is a die of which only color and top are known.
func (s *State) fresh(c table.Color, top int) die {
	return die{c, int8(top), showing[top] & s.kinds}
}

func (s *State) tip(a Act) error {
	if !a.From.On() || s.board[a.From.Index()].color == table.NoColor {
		return fmt.Errorf("cannot move a die from %s: there is none", a.From)
	}
	d := s.board[a.From.Index()]
	s.board[a.From.Index()] = die{}
	if !a.To.On() { // back to the supply
		if s.supply != nil {
			supply := *s.supply
			supply[colorIndex(d.color)][d.top]++
			s.supply = &supply
		}
		s.remember()
		return nil
	}
	if s.board[a.To.Index()].color != table.NoColor {
		return fmt.Errorf("cannot move a die to %s: another one is there", a.To)
	}
	top := a.Die.Face
	if top == 0 {
		return fmt.Errorf("cannot move a die to %s without knowing its top", a.To)
	}
	to := d.poses.kinds() & showing[top] // however it got there
	if dir, near := step(a.From, a.To); near {
		if p := s.lying(d).tip(dir) & showing[top]; p != 0 {
			to = p
		}
	}
	s.board[a.To.Index()] = die{d.color, int8(top), to}
	if a.Die.Color != table.NoColor && a.Die.Color != d.color {
		s.board[a.To.Index()] = s.fresh(a.Die.Color, top)
	}
	s.remember()
	return nil
}

func (s *State) turnOnSpot(a Act) {
	d := &s.board[a.To.Index()]
	if a.Die.Color != d.color {
		*d = s.fresh(a.Die.Color, a.Die.Face)
	} else {
		*d = die{d.color, int8(a.Die.Face), d.poses.kinds() & showing[a.Die.Face]}
	}
	s.remember()
}

// remember keeps the present board, for the house rule max_repetitions and the remark.
func (s *State) remember() {
	s.repeat = 0
	s.seen = append(s.seen[:len(s.seen):len(s.seen)], s.faceUp())
}
