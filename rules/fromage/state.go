package fromage

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// ToMove is who must act: the player who owes the others an answer, else the one on turn.
func (s *State) ToMove() rules.Player {
	if s.over {
		return rules.Nobody
	}
	for i := range s.seats {
		p := (s.turn + i) % s.seats
		if s.owed[p].dice > 0 {
			return rules.Player(p)
		}
	}
	return rules.Player(s.turn)
}

// Check returns nil or every reason against the move.
func (s *State) Check(m rules.Move) error {
	if stands, is := m.(Stands); is {
		return s.checkStands(stands)
	}
	a, ok := m.(Move)
	if !ok {
		return fmt.Errorf("fromage: %T is not an act of this game", m)
	}
	return s.check(&a).Err()
}

// Apply plays the move, legal or not; it refuses only what cannot be done with the dice.
func (s *State) Apply(m rules.Move) (rules.State, error) {
	if stands, is := m.(Stands); is {
		if err := s.checkStands(stands); err != nil {
			return nil, err
		}
		return s.stand(stands), nil
	}
	a, ok := m.(Move)
	if !ok {
		return nil, fmt.Errorf("fromage: %T is not an act of this game", m)
	}
	if a.Seat < 0 || int(a.Seat) >= s.seats {
		return nil, fmt.Errorf("fromage: %v is not at this table", a.Seat)
	}
	next := *s
	if err := next.play(&a); err != nil {
		return nil, fmt.Errorf("fromage: cannot play %q: %w", a.String(), err)
	}
	return &next, nil
}

// play changes s by the act. An error leaves s half changed.
func (s *State) play(m *Move) error {
	seat := int(m.Seat)
	n := m.Dice.Len()
	switch m.Kind {
	case Roll:
		if n > s.shop {
			return fmt.Errorf("the Cheese Shop has only %s", table.Count(s.shop, "die", "dice"))
		}
		s.shop -= n
		s.rolled = max(0, s.rolled) + n
		s.cart = s.cart.Plus(m.Dice)
	case Keep:
		if !s.cart.Has(m.Dice) {
			return fmt.Errorf("the Cart holds %s", digits(s.cart))
		}
		s.cart = s.cart.Minus(m.Dice)
		s.hands[seat] = s.hands[seat].Plus(m.Dice)
		s.kept = true
	case Steal:
		if m.From == m.Seat || !s.hand(m.From).Has(m.Dice) {
			return fmt.Errorf("%v does not hold %s", m.From, digits(m.Dice))
		}
		s.hands[m.From] = s.hands[m.From].Minus(m.Dice)
		s.hands[seat] = s.hands[seat].Plus(m.Dice)
		s.stole = true
		s.owed[m.From] = debt{dice: n, points: n, robbed: true}
	case Compensate:
		if !s.cart.Has(m.Dice) {
			return fmt.Errorf("the Cart holds %s", digits(s.cart))
		}
		s.cart = s.cart.Minus(m.Dice)
		s.hands[seat] = s.hands[seat].Plus(m.Dice)
		s.score[seat].answers += m.Points
		s.owed[seat] = debt{}
	case Fromage:
		return s.playFromage(m)
	case End:
		return s.playEnd(m)
	}
	return nil
}

func (s *State) playFromage(m *Move) error {
	if _, there := s.taken(m); !there || m.NTake > maxTakes {
		return fmt.Errorf("the dice to be taken are not there")
	}
	for _, t := range m.Takes[:m.NTake] {
		s.hands[t.From][t.Face]--
		s.hands[m.Seat][t.Face]++
		if t.From != m.Seat {
			d := &s.owed[t.From]
			d.dice++
			d.points += scoring.FromageAnswer
		}
	}
	if !s.hands[m.Seat].Has(m.Dice) {
		return fmt.Errorf("%v does not hold %s", m.Seat, digits(m.Dice))
	}
	s.hands[m.Seat] = s.hands[m.Seat].Minus(m.Dice)
	s.shop += m.Dice.Len()
	s.score[m.Seat].fromages += scoring.FromagePoints
	s.fromage = true
	return nil
}

// playEnd returns sets and Cart, then checks the end of the game in the order of RULES.md 3.8.
func (s *State) playEnd(m *Move) error {
	back, points := s.due(m.Seat)
	if m.Returned {
		back, points = m.Dice, m.Dice.Len()
		if !s.hands[m.Seat].Has(back) {
			return fmt.Errorf("%v does not hold %s", m.Seat, digits(back))
		}
	}
	s.hands[m.Seat] = s.hands[m.Seat].Minus(back)
	s.score[m.Seat].sets += points
	s.shop += back.Len() + s.cart.Len()

	active := s.turn
	s.turns++
	s.last[active] = s.turns
	s.turn = (s.turn + 1) % s.seats
	s.rolled, s.cart = notRolled, scoring.Faces{}
	s.kept, s.stole, s.fromage = false, false, false
	s.owed = [maxSeats]debt{}

	switch {
	case s.shop <= lastShop:
		s.over = true
	case s.final != noFinal:
		s.final = max(0, s.final-1)
		s.over = s.final == 0
	case s.score[active].total() >= trigger:
		s.final = s.seats - 1
	}
	return nil
}

// Score is one sheet per player: sets, Fromages, and answers to steals and Fromages.
func (s *State) Score() []scoring.Sheet {
	sheets := make([]scoring.Sheet, s.seats)
	for p := range sheets {
		t := s.score[p]
		sheets[p] = scoring.Sheet{Player: p, Total: t.total(), Lines: []scoring.Line{
			{Name: "sets", Points: t.sets}, {Name: "fromages", Points: t.fromages}, {Name: "answers", Points: t.answers},
		}}
		if t.before != 0 {
			sheets[p].Lines = append(sheets[p].Lines, scoring.Line{Name: "before", Points: t.before})
		}
	}
	return sheets
}

// Winners lists who wins; before the end, who would.
func (s *State) Winners() []rules.Player {
	points, last := make([]int, s.seats), make([]int, s.seats)
	for p := range points {
		points[p], last[p] = s.score[p].total(), s.last[p]
		if last[p] == 0 {
			last[p] = scoring.NeverTurned
		}
	}
	var win []rules.Player
	for _, p := range scoring.FromageWinners(points, last) {
		win = append(win, rules.Player(p))
	}
	return win
}

// Expect is the dice whose faces count: every hand and the Cart. The Cheese Shop
// lies about with any face up, so the whole of the loose dice is not known.
func (s *State) Expect() table.View {
	var v table.View
	all := s.cart
	for p := range s.seats {
		all = all.Plus(s.hands[p])
	}
	for _, f := range all.List() {
		v.Loose = append(v.Loose, table.Die{Face: f})
	}
	return v
}

// Propose has nothing to say: no square holds a die, and hands, Cart and shop
// are told apart only by where the players say they lie.
func (s *State) Propose(table.Observation) [][]rules.Move { return nil }

// ProposeLoose takes the one to five dice that came into view before a roll as the
// dice of the Cart: the camera looks on the place where players roll.
func (s *State) ProposeLoose(before, now []table.Reading) []rules.Move {
	if s.over || s.rolled != notRolled || len(now) > MaxRoll || len(now) < max(1, s.opt.minRoll) {
		return nil
	}
	dice, ok := facesOf(now)
	was, _ := facesOf(before)
	if !ok || before != nil && was == dice {
		return nil
	}
	return []rules.Move{Move{Seat: rules.Player(s.turn), Kind: Roll, Dice: dice}}
}

// facesOf counts the dice read; false if one shows no face.
func facesOf(list []table.Reading) (f scoring.Faces, ok bool) {
	for _, d := range list {
		if d.Face < 1 || d.Face > 6 {
			return f, false
		}
		f[d.Face]++
	}
	return f, true
}

// Throw rolls n dice for the player whose turn it is the way fair dice would.
func (s *State) Throw(n int, rng *rand.Rand) Move {
	m := Move{Seat: rules.Player(s.turn), Kind: Roll}
	for range n {
		m.Dice[1+rng.IntN(6)]++
	}
	return m
}

// View is the state as the page shows it.
type View struct {
	Shop     int          `json:"shop"`
	Cart     []int        `json:"cart"`
	Rolled   bool         `json:"rolled"`
	Hands    [][]int      `json:"hands"`
	Scores   []int        `json:"scores"`
	Turn     int          `json:"turn"`
	Owed     []OwedView   `json:"owed"`
	Keep     int          `json:"keep"`    // dice of the Cart that may be kept now; 0: none may
	MayEnd   bool         `json:"may_end"` // the turn may be ended now
	Final    *int         `json:"final_left"`
	Over     bool         `json:"over"`
	Winners  []int        `json:"winners,omitempty"`
	Cheeses  []string     `json:"cheeses"`
	Steals   []rules.Move `json:"steals"`   // what may be stolen now
	Fromages []rules.Move `json:"fromages"` // every Fromage that may be declared now
}

// OwedView is an answer still due.
type OwedView struct {
	Player int `json:"player"`
	Dice   int `json:"dice"`
	Points int `json:"points"`
}

// Show is the state for anybody: nothing in this game is hidden.
func (s *State) Show(rules.Player) any {
	v := View{
		Shop: s.shop, Cart: s.cart.List(), Rolled: s.rolled != notRolled, Turn: s.turn, Over: s.over,
		Owed: []OwedView{}, Cheeses: Cheeses[1:], Steals: append([]rules.Move{}, Steals(s)...), Fromages: append([]rules.Move{}, Fromages(s)...),
	}
	if !s.over && s.rolled != notRolled && !s.anyOwed() {
		end := Move{Seat: rules.Player(s.turn), Kind: End}
		v.MayEnd = len(s.check(&end)) == 0
		if len(s.keeps()) > 0 {
			v.Keep = s.keepable()
		}
	}
	for p := range s.seats {
		v.Hands = append(v.Hands, s.hands[p].List())
		v.Scores = append(v.Scores, s.score[p].total())
		if d := s.owed[p]; d.dice > 0 {
			v.Owed = append(v.Owed, OwedView{p, d.dice, d.points})
		}
	}
	if s.final != noFinal {
		left := s.final
		v.Final = &left
	}
	if s.over {
		for _, p := range s.Winners() {
			v.Winners = append(v.Winners, int(p))
		}
	}
	return v
}

// Legal lists every legal act, rolls with every outcome, in the order of their notation.
func (s *State) Legal() ([]rules.Move, bool) {
	var moves []rules.Move
	switch {
	case s.over:
		return nil, true
	case s.rolled == notRolled:
		moves = s.rolls()
	case s.anyOwed():
		moves = s.answers()
	default:
		moves = slices.Concat(s.keeps(), Steals(s), Fromages(s))
		if end := (Move{Seat: rules.Player(s.turn), Kind: End}); len(s.check(&end)) == 0 {
			moves = append(moves, end)
		}
	}
	return rules.SortMoves(moves), true
}

func (s *State) anyOwed() bool {
	for _, d := range s.owed {
		if d.dice > 0 {
			return true
		}
	}
	return false
}
