package dicebox

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"diceref/rules"
	"diceref/table"
)

// The form of worked cases, as far as it concerns this game.
type caseState struct {
	Board  []string                `json:"board"`
	Hands  map[rules.Seat][]string `json:"hands"`
	ToMove *rules.Seat             `json:"to_move"`
	Last   *caseAction             `json:"last_action"`
	Owners map[string]string       `json:"owners"`
}

type caseAction struct {
	Type   string        `json:"type"`
	Player *rules.Seat   `json:"player"`
	Die    string        `json:"die"`
	Top    *int          `json:"top"`
	From   *table.Square `json:"from"`
	To     *table.Square `json:"to"`
	Result *[]string     `json:"result"`
}

type caseQuery struct {
	Type    string            `json:"type"`
	Square  *table.Square     `json:"square"`
	Player  *rules.Seat       `json:"player"`
	Players int               `json:"players"`
	Owners  map[string]string `json:"owners"`
}

// Judge answers a worked case: whether an act is legal, or a question. States may be
// partial; what is not told is not judged.
func Judge(options map[string]any, state, action, query json.RawMessage) (any, error) {
	set, err := newSetup(options)
	if err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	var c caseState
	if len(state) > 0 {
		if err := rules.Decode("state", state, &c); err != nil {
			return nil, err
		}
	}
	s, err := readState(set, c)
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	if action != nil {
		var act caseAction
		if err := rules.Decode("action", action, &act); err != nil {
			return nil, err
		}
		a, err := readAction(s, act)
		if err != nil {
			return nil, fmt.Errorf("action: %w", err)
		}
		return rules.Judged(s.Check(a))
	}
	var q caseQuery
	if err := rules.Decode("query", query, &q); err != nil {
		return nil, err
	}
	v, err := answer(s, c, q)
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	if c.Board == nil { // a state may be partial, but every question is about the grid
		return nil, errors.New("state: board: missing (expected five rows)")
	}
	return v, nil
}

// mostHands is how many hands a case may list: more than any match has, few enough to read at once.
const mostHands = 26

func readState(set *setup, c caseState) (*State, error) {
	s := &State{setup: set, names: &rules.Seats{}, turn: rules.Nobody, lastBy: rules.Nobody, rolled: c.Board != nil}
	if c.Board != nil {
		b, err := rules.ParseBoard(c.Board)
		if err != nil {
			return nil, fmt.Errorf("board: %w", err)
		}
		for i, t := range b {
			if t.Empty() {
				continue
			}
			if s.grid[i], err = dieOf(t); err != nil {
				return nil, fmt.Errorf("board: %s: %w", table.SquareAt(i), err)
			}
		}
	}
	if len(c.Hands) > mostHands {
		return nil, fmt.Errorf("hands: %d players are too many", len(c.Hands))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Hands)) {
		d, err := parseDice(c.Hands[name])
		if err != nil {
			return nil, fmt.Errorf("hands: %.20s: %w", name, err)
		}
		s.hands[s.seat(name)].setDice(d)
	}
	if c.ToMove != nil {
		s.turn = s.seat(*c.ToMove)
	}
	if l := c.Last; l != nil {
		s.lastBy = rules.Nobody
		if l.Player != nil {
			s.lastBy = s.seat(*l.Player)
		}
		s.last = Act{By: s.lastBy, Kind: Reroll}
		if l.Type == "place" {
			d, err := parseDie(l.Die)
			if err != nil {
				return nil, fmt.Errorf("last_action: die: %w", err)
			}
			s.last.Kind, s.last.Die = Place, d
		}
	}
	return s, nil
}

// seat finds a player; one without a listed hand gets one that is not known.
func (s *State) seat(name rules.Seat) rules.Player {
	p := s.names.Index(name)
	for len(s.hands) <= int(p) {
		s.hands = append(s.hands, hand{absent: true})
	}
	s.hands[p].absent = false
	return p
}

func readAction(s *State, c caseAction) (Act, error) {
	a := Act{By: s.turn}
	if c.Player != nil {
		a.By = s.names.Index(*c.Player)
	} else if a.By == rules.Nobody { // nobody is said to be on turn
		a.By = s.names.Index("\x00")
	}
	if c.Top != nil && (*c.Top < 1 || *c.Top > 6) {
		return Act{}, fmt.Errorf("top: %d is not a face from 1 to 6", *c.Top)
	}
	switch c.Type {
	case "pass":
		a.Kind = Pass
	case "reroll":
		a.Kind = Reroll
		if c.Result != nil {
			d, err := parseDice(*c.Result)
			if err != nil {
				return Act{}, fmt.Errorf("result: %w", err)
			}
			a.Known, a.Dice = true, d
		}
	case "place":
		if c.To == nil {
			return Act{}, errors.New("to: a placement needs a square")
		}
		d, err := parseDie(c.Die)
		if err != nil {
			return Act{}, fmt.Errorf("die: %w", err)
		}
		a.Die, a.To = d, *c.To
		if c.Top != nil {
			a.Named, a.Die.Face = d.Face, *c.Top
		}
	case "move", "turn":
		return readShift(s, a, c)
	default:
		return Act{}, fmt.Errorf("type: %.40q is unknown (expected place, reroll or pass)", c.Type)
	}
	return a, nil
}

// readShift reads a die on the grid that was moved or turned.
func readShift(s *State, a Act, c caseAction) (Act, error) {
	a.Kind = Shift
	if c.From == nil {
		c.From = c.To
	}
	if c.To == nil {
		c.To = c.From
	}
	if c.From == nil || !c.From.On() || !s.filled(c.From.Index()) {
		return Act{}, errors.New("from: there is no die")
	}
	if !c.To.On() {
		return Act{}, errors.New("to: no square of the grid")
	}
	a.From, a.To, a.Die = *c.From, *c.To, s.grid[c.From.Index()]
	if c.Top != nil {
		a.Die.Face = *c.Top
	}
	return a, nil
}

func answer(s *State, c caseState, q caseQuery) (any, error) {
	switch q.Type {
	case "candidates":
		if q.Square == nil || !q.Square.On() {
			return nil, errors.New("square: a square of the grid is needed")
		}
		return map[string]any{"values": s.Candidates(*q.Square)}, nil
	case "game_over":
		return map[string]any{"over": s.Over(), "fillable": s.Fillable()}, nil
	case "must":
		p := s.turn
		if q.Player != nil {
			p = s.seat(*q.Player)
		}
		must := s.Must(p)
		if must == "" {
			return nil, errors.New("player: there is no hand for the player whose turn it is")
		}
		return map[string]any{"must": must}, nil
	case "scores":
		if q.Owners == nil {
			q.Owners = c.Owners
		}
		return scores(s, q)
	}
	return nil, fmt.Errorf("type: %.40q is unknown (expected candidates, must, game_over or scores)", q.Type)
}

func scores(s *State, q caseQuery) (any, error) {
	if len(q.Owners) == 0 {
		return nil, errors.New("owners: nobody owns a color")
	}
	if q.Players != 0 && q.Players != len(q.Owners) {
		return nil, fmt.Errorf("owners: %d for %s", len(q.Owners), table.Count(q.Players, "player", "players"))
	}
	var names []string
	for name := range q.Owners {
		names = append(names, name)
	}
	slices.Sort(names)
	set := *s.setup
	taken := [4]bool{}
	for _, name := range names {
		var own []int
		for _, letter := range q.Owners[name] {
			i := strings.IndexRune(letters, letter)
			if i < 0 || taken[i] {
				return nil, fmt.Errorf("owners: %.20s cannot have %q (expected letters of %s, each once)", name, letter, letters)
			}
			taken[i] = true
			own = append(own, i)
		}
		set.owners = append(set.owners, own)
	}
	t := *s
	t.setup = &set
	totals := map[string]int{}
	for i, sheet := range t.Score() {
		totals[names[i]] = sheet.Total
	}
	win := []string{}
	for _, p := range t.Winners() {
		win = append(win, names[p])
	}
	return map[string]any{"scores": totals, "winners": win, "unclaimed": t.Unclaimed()}, nil
}
