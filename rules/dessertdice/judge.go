package dessertdice

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// The form of worked cases, as far as it concerns this game.
type caseState struct {
	Board       []string    `json:"board"`
	Supply      *[]string   `json:"supply"`
	ToMove      *rules.Seat `json:"to_move"`
	Last        *caseAction `json:"last_action"`
	Repetitions int         `json:"repetitions"`
}

type caseAction struct {
	Type   string        `json:"type"`
	Player *rules.Seat   `json:"player"`
	Die    string        `json:"die"`
	Top    *int          `json:"top"`
	Color  string        `json:"colour"`
	From   *table.Square `json:"from"`
	To     *table.Square `json:"to"`
}

type caseQuery struct {
	Type   string                 `json:"type"`
	From   *table.Square          `json:"from"`
	To     *table.Square          `json:"to"`
	Icon   string                 `json:"icon"`
	Scores map[string]rules.Score `json:"scores"`
	Cards  map[string]string      `json:"cards"`
	Last   map[string]*int        `json:"last_place_turn"`
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
		if c.Board == nil && a.Kind == Tip {
			return nil, errNoBoard
		}
		return rules.Judged(s.Check(a))
	}
	var q caseQuery
	if err := rules.Decode("query", query, &q); err != nil {
		return nil, err
	}
	v, err := answer(s, q)
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	if c.Board == nil && (q.Type != "winner" || q.Scores == nil) {
		return nil, errNoBoard
	}
	return v, nil
}

// errNoBoard: a state may be partial, but what is asked is about the board.
var errNoBoard = errors.New("state: board: missing (expected five rows)")

func readState(set *setup, c caseState) (*State, error) {
	s := &State{setup: set, names: &rules.Seats{}, turn: rules.Nobody, lastBy: rules.Nobody, repeat: c.Repetitions}
	if c.Board != nil {
		b, err := rules.ParseBoard(c.Board)
		if err != nil {
			return nil, fmt.Errorf("board: %w", err)
		}
		for i, t := range b {
			if t.Empty() {
				continue
			}
			d, err := dieOf(t)
			if err != nil {
				return nil, fmt.Errorf("board: %s: %w", table.SquareAt(i), err)
			}
			s.board[i] = s.fresh(d.Color, d.Face)
			if t.North != 0 {
				s.board[i].poses &= facing[t.North]
			}
		}
	}
	if c.Supply != nil {
		d, err := parseDice(*c.Supply)
		if err != nil {
			return nil, fmt.Errorf("supply: %w", err)
		}
		s.supply = &d
	}
	if c.ToMove != nil {
		s.turn = s.names.Index(*c.ToMove)
	}
	return s, readLast(s, c.Last)
}

func readLast(s *State, l *caseAction) error {
	if l == nil || l.Type != "move" && l.Type != "place" {
		return nil
	}
	if l.Type == "move" && (l.From == nil || l.To == nil) {
		return errors.New("last_action: a move needs from and to")
	}
	by := rules.Seat("The player before") // somebody who is not on turn
	if l.Player != nil {
		by = *l.Player
	}
	s.lastBy = s.names.Index(by)
	s.last = Act{By: s.lastBy, Kind: Place}
	if l.Type == "move" {
		s.last.Kind, s.last.From, s.last.To = Tip, *l.From, *l.To
	}
	return nil
}

func readAction(s *State, c caseAction) (Act, error) {
	a := Act{By: max(s.turn, 0)}
	if c.Player != nil {
		a.By = s.names.Index(*c.Player)
	}
	top := 0
	if c.Top != nil {
		if top = *c.Top; top < 1 || top > 6 {
			return Act{}, fmt.Errorf("top: %d is not a face from 1 to 6", top)
		}
	}
	switch c.Type {
	case "pass":
		a.Kind = Pass
	case "place":
		if c.To == nil {
			return Act{}, errors.New("to: a placement needs a square")
		}
		d, err := parseDie(c.Die)
		if err != nil {
			return Act{}, fmt.Errorf("die: %w", err)
		}
		a.Die, a.Top, a.To = d, top, *c.To
	case "move":
		if c.From == nil || c.To == nil {
			return Act{}, errors.New("from and to: a move needs both")
		}
		color, err := readColor(c.Color)
		if err != nil {
			return Act{}, fmt.Errorf("colour: %w", err)
		}
		a.Kind, a.From, a.To, a.Die = Tip, *c.From, *c.To, table.Die{Color: color, Face: top}
	default:
		return Act{}, fmt.Errorf("type: %.40q is unknown (expected place, move or pass)", c.Type)
	}
	return a, nil
}

// readColor accepts a letter or a name; nothing is no color.
func readColor(s string) (table.Color, error) {
	if len(s) == 1 {
		if i := strings.Index(letters, s); i >= 0 {
			return colors[i], nil
		}
	}
	if s == "" {
		return table.NoColor, nil
	}
	c, err := table.ParseColor(s)
	if err == nil && colorIndex(c) < 0 {
		err = fmt.Errorf("no die of Dessert Dice is %s", s)
	}
	return c, err
}

func answer(s *State, q caseQuery) (any, error) {
	switch q.Type {
	case "reachable_tops":
		if q.From == nil || q.To == nil {
			return nil, errors.New("from and to: both are needed")
		}
		return map[string]any{"tops": s.Reachable(*q.From, *q.To)}, nil
	case "score":
		i := strings.Index(scoring.DessertLetters, q.Icon)
		if i < 0 || len(q.Icon) != 1 {
			return nil, fmt.Errorf("icon: %.40q is unknown (expected J, S, P or I)", q.Icon)
		}
		return map[string]any{"score": s.points()[i]}, nil
	case "scores":
		return map[string]any{"scores": s.Clusters()}, nil
	case "winner":
		return winner(s, q)
	case "game_over":
		return map[string]any{"over": s.Over()}, nil
	}
	return nil, fmt.Errorf("type: %.40q is unknown (expected reachable_tops, score, scores, winner or game_over)", q.Type)
}

func winner(s *State, q caseQuery) (any, error) {
	scores := q.Scores
	if scores == nil {
		scores = map[string]rules.Score{}
		for name, card := range q.Cards {
			points, ok := s.Clusters()[card]
			if !ok {
				return nil, fmt.Errorf("cards: %.20q is not a card (expected J, S, P or I)", card)
			}
			scores[name] = rules.Score(points)
		}
	}
	if len(scores) == 0 {
		return nil, errors.New("scores: nobody has any")
	}
	var names []string
	for name := range scores {
		names = append(names, name)
	}
	slices.Sort(names)
	points, last := make([]int, len(names)), make([]int, len(names))
	for i, name := range names {
		points[i], last[i] = int(scores[name]), -1
		if t := q.Last[name]; t != nil {
			last[i] = *t
		}
	}
	win := []string{}
	for _, i := range scoring.DessertWinners(points, last) {
		win = append(win, names[i])
	}
	return map[string]any{"winners": win}, nil
}
