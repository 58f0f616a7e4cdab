package diceflick

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// caseAction is one act of a player; which fields matter depends on Type.
type caseAction struct {
	Type    string          `json:"type"` // draw, flick, miss, score or pass
	Player  json.RawMessage `json:"player"`
	Count   *int            `json:"count"`    // draw: how many were drawn
	Dice    []string        `json:"dice"`     // draw: which were drawn
	InFront *int            `json:"in_front"` // draw: how many lie in front of the player then
	Die     string          `json:"die"`      // flick: "B3"; miss: "B3" or "B"
	To      *table.Square   `json:"to"`       // flick: null for a miss
	Pushed  []casePush      `json:"pushed"`
	Base    json.RawMessage `json:"base"` // "shifted" or false: not from a base on its spot
	Kept    bool            `json:"kept"` // the die was not put back into the bag
	caseQuery
}

type casePush struct {
	From table.Square  `json:"from"`
	To   *table.Square `json:"to"` // null: out of the arena
	Top  int           `json:"top"`
}

func judgeAction(options rules.Options, cs *caseState, text json.RawMessage) (any, error) {
	var a caseAction
	if err := decode("action", text, &a); err != nil {
		return nil, err
	}
	a.caseQuery.Type = a.Type
	s, seats, err := cs.state(options)
	if err != nil {
		return nil, err
	}
	by, err := seats.of("action.player", a.Player, s.seat)
	if err != nil {
		return nil, err
	}
	s.players = max(s.players, by+1)
	m, err := a.move(s, rules.Player(by))
	if err != nil {
		return nil, err
	}
	var illegal rules.Illegal
	if err := s.Check(m); err != nil && !errors.As(err, &illegal) {
		return nil, fmt.Errorf("action: %w", err)
	}
	return s.verdict(m), nil
}

func (a *caseAction) move(s *State, by rules.Player) (rules.Move, error) {
	switch a.Type {
	case "draw":
		return a.draw(s, by)
	case "flick", "miss":
		return a.flick(s, by)
	case "score":
		m, err := a.scoring("action")
		m.By = by
		return m, err
	case "pass", "end", "next":
		return Score{By: by, Seen: true, Told: true}, nil
	}
	return nil, fmt.Errorf("action.type: %.40q is not one of draw, flick, miss, score, pass", a.Type)
}

func (a *caseAction) draw(s *State, by rules.Player) (rules.Move, error) {
	before := min(s.held[s.seat], InHand) // a case's state is that before the draw
	switch {
	case a.InFront != nil:
		return Draw{by, *a.InFront}, nil
	case a.Count != nil:
		return Draw{by, before + *a.Count}, nil
	case a.Dice != nil:
		return Draw{by, before + len(a.Dice)}, nil
	}
	return nil, fmt.Errorf("action: a draw needs count, dice or in_front")
}

func (a *caseAction) flick(s *State, by rules.Player) (rules.Move, error) {
	m := Flick{By: by, Kept: a.Kept}
	if a.To != nil && a.Type == "flick" {
		m.Rests, m.To = true, *a.To
	}
	var err error
	switch {
	case len(a.Die) == 1 && !m.Rests && colorOf(a.Die[0]) != table.NoColor:
		m.Die.Color = colorOf(a.Die[0])
	case a.Die != "" || m.Rests:
		var t rules.Token
		if t, err = rules.ParseToken(a.Die); err == nil {
			m.Die, err = dieOf(t)
		}
		if err == nil && t.Empty() {
			err = fmt.Errorf("%q is not a die", a.Die)
		}
		if err != nil {
			return nil, fmt.Errorf("action.die: %w", err)
		}
	}
	switch string(a.Base) {
	case `"shifted"`, `"elsewhere"`, "false":
		m.Base = BaseShifted
	}
	for i, p := range a.Pushed {
		shift := Shift{From: p.From, Off: p.To == nil || !p.To.On(), Face: p.Top}
		if p.Top < 0 || p.Top > 6 {
			return nil, fmt.Errorf("action.pushed[%d].top: cannot be %d", i, p.Top)
		}
		if !shift.Off {
			shift.To = *p.To
		}
		if p.From.On() && p.Top == 0 {
			shift.Face = s.arena.Dice[p.From.Index()].Face
		}
		m.Shifts = append(m.Shifts, shift)
	}
	return m, nil
}

// seats are a case's players; without a list, in the order in which they are met.
type seats []string

// of is the seat that a player's name or number stands for.
func (l *seats) of(field string, text json.RawMessage, missing int) (int, error) {
	if len(text) == 0 || string(text) == "null" {
		return missing, nil
	}
	var n int
	if json.Unmarshal(text, &n) == nil {
		if n < 0 || n >= maxPlayers {
			return 0, fmt.Errorf("%s: there is no player %d", field, n)
		}
		return n, nil
	}
	var name string
	if json.Unmarshal(text, &name) != nil {
		return 0, fmt.Errorf("%s: %.40s is neither a name nor a number", field, text)
	}
	i := slices.Index(*l, name)
	if i < 0 {
		if i = len(*l); i >= maxPlayers {
			return 0, fmt.Errorf("%s: %.40q is not one of the players", field, name)
		}
		*l = append(*l, name)
	}
	return i, nil
}

// state is the case's position in the middle of a turn; what is not told is taken as it should be.
func (cs *caseState) state(options rules.Options) (*State, *seats, error) {
	s := newState(options, 2)
	var players seats
	if len(cs.Players) > 0 && json.Unmarshal(cs.Players, &players) != nil {
		if _, err := amount("state.players", cs.Players, 2); err != nil {
			return nil, nil, err
		}
	}
	if len(players) > maxPlayers {
		return nil, nil, fmt.Errorf("state.players: at most %d can play, not %d", maxPlayers, len(players))
	}
	turn := cs.ToMove
	if turn == nil {
		turn = cs.Turn
	}
	var err error
	if s.seat, err = players.of("state.to_move", turn, 0); err != nil {
		return nil, nil, err
	}
	s.players = max(len(players), s.seat+1, 2)
	if cs.Arena != nil || cs.Markers != nil {
		if cs.Arena == nil {
			cs.Arena = emptyRows
		}
		if s.arena, err = cs.arena((*scoring.Arena).Check); err != nil {
			return nil, nil, err
		}
	}
	s.held = [maxPlayers]int{}
	if s.held[s.seat], err = amount("state.held", cs.Held, InHand); err != nil {
		return nil, nil, err
	}
	if s.bag, err = amount("state.bag", cs.Bag, max(Dice-count(s.arena.Dice)-s.held[s.seat], 0)); err != nil {
		return nil, nil, err
	}
	s.pad = scoring.NewNotepad(make([]string, s.players), Rounds)
	s.round = max(cs.Round, 1)
	if cs.Over {
		s.round = Rounds + 1
	}
	s.earned, s.anyFlick = max(cs.Bonus, 0), cs.Flicks == nil
	s.required = Flicks
	if cs.Flicks != nil {
		s.flicks = max(*cs.Flicks, 0)
		s.required = min(Flicks, s.held[s.seat]+s.flicks)
		s.bonusDrawn = max(s.held[s.seat]+s.flicks-InHand, 0)
	}
	return s, &players, nil
}

var emptyRows = []string{emptyRow, emptyRow, emptyRow, emptyRow, emptyRow}

const emptyRow = ".. .. .. .. .."
