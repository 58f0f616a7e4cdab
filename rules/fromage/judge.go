package fromage

import (
	"encoding/json"
	"fmt"
	"slices"

	"diceref/rules"
	"diceref/scoring"
)

// The form of worked cases, as far as it concerns this game.
type caseState struct {
	Shop   *int                       `json:"shop"`
	Hands  map[rules.Seat]faces       `json:"hands"`
	Scores map[rules.Seat]rules.Score `json:"scores"`
	Order  []rules.Seat               `json:"order"`
	Turn   *rules.Seat                `json:"turn"`
	Over   bool                       `json:"over"`
	Final  *int                       `json:"final_left"`
	Last   map[rules.Seat]*int        `json:"last_turn"`
}

type caseEvent struct {
	Type   string      `json:"type"`
	Player *rules.Seat `json:"player"`
	Dice   faces       `json:"dice"`
	From   *rules.Seat `json:"from"`
	Points *int        `json:"points"`
	Takes  []caseTake  `json:"takes"`
	Set    faces       `json:"set"`
	Return *faces      `json:"return"`
	Claim  *int        `json:"score_claim"`
}

type caseQuery struct {
	Type   string                     `json:"type"`
	Scores map[rules.Seat]rules.Score `json:"scores"`
	Last   map[rules.Seat]*int        `json:"last_turn"`
}

// mostDice bounds a list of dice in a case: enough to say that it is too long.
const mostDice = 100

// mostPoints bounds a score in a case, so that more points can be added.
const mostPoints = 1_000_000

// faces reads a list of faces, 1 to 6.
type faces struct {
	scoring.Faces
	there bool
}

func (f *faces) UnmarshalJSON(b []byte) error {
	*f = faces{}
	if string(b) == "null" {
		return nil
	}
	f.there = true
	n := 0
	for i, c := range b {
		switch {
		case i == 0 && c == '[' || i == len(b)-1 && c == ']' || c == ',' || c == ' ' || c == '\n' || c == '\t' || c == '\r':
		case c >= '1' && c <= '6' && i > 0 && !digit(b[i-1]) && i+1 < len(b) && !digit(b[i+1]):
			if n++; n > mostDice {
				return fmt.Errorf("nobody has more than %d dice", mostDice)
			}
			f.Faces[c-'0']++
		default:
			return fmt.Errorf("expected a list of faces from 1 to 6, not %.40s", b)
		}
	}
	return nil
}

// digit says whether a byte goes on a number, so that 12, 1.5 and 1e2 are no faces.
func digit(c byte) bool {
	return c >= '0' && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+'
}

// caseTake reads ["A",2].
type caseTake struct {
	from rules.Seat
	face int
}

func (t *caseTake) UnmarshalJSON(b []byte) error {
	pair := [2]any{&t.from, &t.face}
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil || len(list) != len(pair) {
		return fmt.Errorf("a take is a player and a face, not %.40s", b)
	}
	for i := range pair {
		if json.Unmarshal(list[i], pair[i]) != nil {
			return fmt.Errorf("a take is a player and a face, not %.40s", b)
		}
	}
	if t.face < 1 || t.face > 6 {
		return fmt.Errorf("a take's face is 1 to 6, not %d", t.face)
	}
	return nil
}

// seating is the names of a case's players in the order of play.
type seating []rules.Seat

// index is a player's seat, Nobody for one who does not sit at the table.
func (o seating) index(name rules.Seat) rules.Player {
	if i := slices.Index(o, name); i >= 0 {
		return rules.Player(i)
	}
	return rules.Nobody
}

// find is index with a stranger in place of Nobody.
func (o seating) find(name rules.Seat) rules.Player {
	if p := o.index(name); p != rules.Nobody {
		return p
	}
	return stranger
}

// verdict answers a turn.
type verdict struct {
	rules.Ruling
	After *after `json:"after,omitempty"`
}

// after is the position that a legal turn leads to.
type after struct {
	Shop   int                  `json:"shop"`
	Hands  map[rules.Seat][]int `json:"hands"`
	Scores map[rules.Seat]int   `json:"scores"`
	Turn   rules.Seat           `json:"turn"`
	Over   bool                 `json:"over"`
	Final  *int                 `json:"final_left"`
}

// Judge answers a worked case: a whole turn as a list of events, or a question.
// States may be partial: the shop that is not told holds what the hands do not.
func Judge(optionValues map[string]any, state, action, query json.RawMessage) (any, error) {
	opt, err := resolve(optionValues)
	if err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	var c caseState
	if len(state) > 0 {
		if err := rules.Decode("state", state, &c); err != nil {
			return nil, err
		}
	}
	if action == nil {
		return answer(&c, query)
	}
	s, err := c.position(opt)
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	events, err := readEvents(action)
	if err != nil {
		return nil, err
	}
	return s.judgeTurn(events)
}

// readEvents reads the list of events; an error names the event and its field.
func readEvents(action json.RawMessage) (events []caseEvent, err error) {
	if json.Unmarshal(action, &events) == nil {
		return events, nil
	}
	var raw []json.RawMessage
	if json.Unmarshal(action, &raw) != nil {
		return nil, fmt.Errorf("action: expected a list of events, not %.40s", action)
	}
	for i := range raw {
		var e caseEvent
		if err := rules.Decode(fmt.Sprintf("action: event %d", i), raw[i], &e); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("action: expected a list of events")
}

// judgeTurn plays the events until the first illegal one.
func (s *State) judgeTurn(events []caseEvent) (any, error) {
	moves := make([]Move, len(events))
	for i := range events {
		m, err := events[i].move(s)
		if err != nil {
			return nil, fmt.Errorf("action: event %d: %w", i, err)
		}
		moves[i] = m
	}
	ended := false
	for i := range moves {
		var why rules.Illegal
		if ended {
			why = s.checkOver()
			why.Add("FR-AFTER-END", "The turn is over.")
		} else {
			why = s.check(&moves[i])
		}
		if len(why) > 0 {
			return verdict{Ruling: why.Ruling()}, nil
		}
		if err := s.play(&moves[i]); err != nil {
			return nil, fmt.Errorf("action: event %d: %w", i, err)
		}
		ended = moves[i].Kind == End
	}
	if !ended {
		why := s.checkOver()
		why.Add("FR-NOTENDED", "The turn has no end.")
		return verdict{Ruling: why.Ruling()}, nil
	}
	return verdict{Ruling: rules.Ruling{Legal: true}, After: s.after()}, nil
}

// after is the position in the terms of a case.
func (s *State) after() *after {
	a := &after{
		Shop: s.shop, Turn: s.names[s.turn], Over: s.over,
		Hands: make(map[rules.Seat][]int, s.seats), Scores: make(map[rules.Seat]int, s.seats),
	}
	for p, name := range s.names {
		a.Hands[name] = s.hands[p].List()
		a.Scores[name] = s.score[p].total()
	}
	if s.final != noFinal {
		a.Final = &s.final
	}
	return a
}

// position builds the state that a case tells.
func (c *caseState) position(opt *options) (*State, error) {
	order, err := c.seating()
	if err != nil {
		return nil, err
	}
	s := &State{opt: opt, seats: len(order), names: order, shop: Dice, final: noFinal, rolled: notRolled, over: c.Over}
	for name, hand := range c.Hands {
		p := order.index(name)
		if p == rules.Nobody {
			return nil, fmt.Errorf("hands: %.20q is not in order", name)
		}
		s.hands[p] = hand.Faces
		s.shop -= hand.Len()
	}
	for name, points := range c.Scores {
		p := order.index(name)
		if p == rules.Nobody {
			return nil, fmt.Errorf("scores: %.20q is not in order", name)
		}
		if points < -mostPoints || points > mostPoints {
			return nil, fmt.Errorf("scores: %.20q: %d is not possible", name, points)
		}
		s.score[p].before = int(points)
	}
	if c.Shop != nil {
		s.shop = *c.Shop
	}
	if s.shop < 0 || s.shop > mostDice {
		return nil, fmt.Errorf("shop: %d is not possible", s.shop)
	}
	if c.Turn != nil {
		p := order.index(*c.Turn)
		if p == rules.Nobody {
			return nil, fmt.Errorf("turn: %.20q is not in order", *c.Turn)
		}
		s.turn = int(p)
	}
	if c.Final != nil {
		if *c.Final < 0 {
			return nil, fmt.Errorf("final_left: %d is not possible", *c.Final)
		}
		s.final = *c.Final
	}
	return s, nil
}

// seating is the order of play; without one, the names in the hands in their order.
func (c *caseState) seating() (seating, error) {
	order := c.Order
	if len(order) == 0 {
		for name := range c.Hands {
			order = append(order, name)
		}
		slices.Sort(order)
	}
	if len(order) == 0 || len(order) > maxSeats {
		return nil, fmt.Errorf("order: expected 1 to %d players, not %d", maxSeats, len(order))
	}
	for i, name := range order {
		if slices.Index(order, name) != i {
			return nil, fmt.Errorf("order: %.20q sits twice", name)
		}
	}
	return order, nil
}

// move turns an event into an act of this game. Players who do not sit at the
// table are strangers: naming one is against the rules, not malformed.
func (e *caseEvent) move(s *State) (Move, error) {
	kind, ok := parseKind(e.Type)
	if !ok {
		return Move{}, fmt.Errorf("type: %.40q is unknown (expected roll, keep, steal, compensate, fromage or end)", e.Type)
	}
	m := Move{Seat: rules.Player(s.turn), Kind: kind, Dice: e.Dice.Faces}
	if e.Player != nil {
		m.Seat = s.names.find(*e.Player)
	}
	switch kind {
	case Roll, Keep:
		if !e.Dice.there {
			return Move{}, fmt.Errorf("dice: a %v needs them", kind)
		}
	case Steal:
		if e.From == nil || !e.Dice.there {
			return Move{}, fmt.Errorf("from and dice: a steal needs both")
		}
		m.From = s.names.find(*e.From)
	case Compensate:
		if e.Points == nil && !e.Dice.there {
			return Move{}, fmt.Errorf("dice or points: a compensation needs one of them (0 points: declined)")
		}
		if e.Points != nil {
			m.Pointed, m.Points = true, *e.Points
		}
	case Fromage:
		if e.Takes == nil {
			return Move{}, fmt.Errorf("takes: a fromage needs them")
		}
		if !e.Set.there {
			return Move{}, fmt.Errorf("set: a fromage needs one")
		}
		m.Dice = e.Set.Faces
		m.NTake = len(e.Takes)
		for i, t := range e.Takes[:min(len(e.Takes), maxTakes)] {
			m.Takes[i] = Take{s.names.find(t.from), t.face}
		}
	case End:
		m.Dice = scoring.Faces{}
		if e.Return != nil {
			m.Dice, m.Returned = e.Return.Faces, e.Return.there
		}
		if e.Claim != nil {
			m.Pointed, m.Points = true, *e.Claim
		}
	}
	return m, nil
}

// answer is the answer to a question: who has won.
func answer(c *caseState, raw json.RawMessage) (any, error) {
	var q caseQuery
	if err := rules.Decode("query", raw, &q); err != nil {
		return nil, err
	}
	if q.Type != "winner" {
		return nil, fmt.Errorf("query: type: %.40q is unknown (expected winner)", q.Type)
	}
	if q.Scores == nil {
		q.Scores = c.Scores
	}
	if q.Last == nil {
		q.Last = c.Last
	}
	if len(q.Scores) == 0 {
		return nil, fmt.Errorf("query: scores: nobody has any")
	}
	var names []rules.Seat
	for name := range q.Scores {
		names = append(names, name)
	}
	slices.Sort(names)
	points, last := make([]int, len(names)), make([]int, len(names))
	for i, name := range names {
		points[i], last[i] = int(q.Scores[name]), scoring.NeverTurned
		if t := q.Last[name]; t != nil {
			last[i] = *t
		}
	}
	win := []rules.Seat{}
	for _, i := range scoring.FromageWinners(points, last) {
		win = append(win, names[i])
	}
	return map[string]any{"winners": win}, nil
}
