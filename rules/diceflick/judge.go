package diceflick

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// caseState is the state of a worked case. It may be partial: what is missing does not matter.
type caseState struct {
	Arena   []string        `json:"arena"`
	Markers *caseMarkers    `json:"markers"`
	Landed  []table.Square  `json:"landed"` // where dice lie that landed this turn
	Old     []table.Square  `json:"old"`    // or those that did not
	Held    json.RawMessage `json:"held"`   // how many dice lie in front of the player, or which
	Bag     json.RawMessage `json:"bag"`
	Players json.RawMessage `json:"players"`
	ToMove  json.RawMessage `json:"to_move"`
	Turn    json.RawMessage `json:"turn"`
	Round   int             `json:"round"`
	Over    bool            `json:"over"`
	Flicks  *int            `json:"flicks"`  // made this turn
	Bonus   int             `json:"bonus"`   // bonus flicks earned this turn
	Names   []*string       `json:"names"`   // notepad
	Table   [][]*int        `json:"table"`   // notepad
	Printed []*int          `json:"printed"` // notepad
}

type caseMarkers struct {
	Center  *table.Square            `json:"center"`
	Bonus   *table.Square            `json:"bonus"`
	Upgrade map[string]*table.Square `json:"upgrade"`
}

type caseQuery struct {
	Type       string                 `json:"type"`
	Claim      []scoring.Scoring      `json:"claim"`
	Written    *int                   `json:"written"`     // the number on the pad
	Score      *int                   `json:"score"`       // the same
	ScoreClaim *int                   `json:"score_claim"` // the same
	Removed    *[]table.Square        `json:"removed"`
	Scores     map[string]rules.Score `json:"scores"`
}

// verdict answers an act or a claim.
type verdict struct {
	rules.Ruling
	Score *int `json:"score,omitempty"`
}

// Judge answers a worked case (rules/cases): exactly one of action and query is
// given. Errors name the field that cannot be read.
func Judge(given map[string]any, state, action, query json.RawMessage) (any, error) {
	options := defaults
	if len(given) > 0 {
		var err error
		if options, err = rules.Resolve(houseRules, given); err != nil {
			return nil, fmt.Errorf("options: %w", err)
		}
	}
	var cs caseState
	if err := decode("state", state, &cs); err != nil {
		return nil, err
	}
	if action != nil {
		return judgeAction(options, &cs, action)
	}
	var q caseQuery
	if err := decode("query", query, &q); err != nil {
		return nil, err
	}
	return answer(options, &cs, &q)
}

// decode reads a part of a case; a missing part is an empty one.
func decode(name string, text json.RawMessage, into any) error {
	if len(text) == 0 {
		return nil
	}
	return rules.Decode(name, text, into)
}

func answer(options rules.Options, cs *caseState, q *caseQuery) (any, error) {
	switch q.Type {
	case "best":
		arena, err := cs.arena((*scoring.Arena).CheckBest)
		if err != nil {
			return nil, err
		}
		return struct {
			Score int `json:"score"`
		}{scoring.BestScore(&arena, arenaRules(options))}, nil
	case "claim":
		if q.Claim == nil {
			return nil, fmt.Errorf("query.claim: missing (expected a list of scorings)")
		}
		return cs.claim(options, q)
	case "explain":
		return cs.explain(options, q)
	case "draw_needed":
		return cs.drawNeeded()
	case "column_totals":
		return cs.columnTotals()
	case "winner":
		if len(q.Scores) == 0 {
			return nil, fmt.Errorf("query.scores: missing (expected a score for each player)")
		}
		return map[string]any{"winners": winners(q.Scores)}, nil
	}
	return nil, fmt.Errorf("query.type: %.40q is not one of best, claim, explain, draw_needed, column_totals, winner", q.Type)
}

// arena is the case's arena if the check allows it: no count of dice is wrong in itself,
// but not every question can be answered of every arena.
func (cs *caseState) arena(check func(*scoring.Arena) error) (scoring.Arena, error) {
	a := scoring.Arena{Markers: scoring.DefaultMarkers()}
	if cs.Arena == nil {
		return a, fmt.Errorf("state.arena: missing (expected five rows)")
	}
	var err error
	if a.Dice, err = ParseArena(cs.Arena); err != nil {
		return a, fmt.Errorf("state.arena: %w", err)
	}
	if cs.Markers != nil {
		if a.Markers, err = cs.Markers.holes(); err != nil {
			return a, fmt.Errorf("state.markers: %w", err)
		}
	}
	a.Landed = scoring.HoleSet(cs.Landed...)
	if cs.Old != nil {
		a.Landed |= scoring.AllHoles &^ scoring.HoleSet(cs.Old...)
	}
	if err := check(&a); err != nil {
		return a, fmt.Errorf("state.arena: %w", err)
	}
	return a, nil
}

func (m *caseMarkers) holes() (scoring.Markers, error) {
	h := scoring.DefaultMarkers()
	put := func(name string, to *scoring.Holes, at *table.Square) error {
		if at == nil {
			return nil
		}
		if !at.On() {
			return fmt.Errorf("%s: %v is not a hole of the arena", name, at)
		}
		*to = scoring.HoleSet(*at)
		return nil
	}
	if err := put("center", &h.Center, m.Center); err != nil {
		return h, err
	}
	if err := put("bonus", &h.Bonus, m.Bonus); err != nil {
		return h, err
	}
	for letter, at := range m.Upgrade {
		i := slices.Index([]string{"B", "Y", "G"}, letter)
		if i < 0 {
			return h, fmt.Errorf("upgrade: %.20q is not an upgrade color (expected B, Y or G)", letter)
		}
		if err := put("upgrade."+letter, &h.Upgrade[i], at); err != nil {
			return h, err
		}
	}
	return h, h.Check()
}

// claim judges a list of scorings, and what was written and removed where that is told.
func (cs *caseState) claim(options rules.Options, q *caseQuery) (any, error) {
	check := (*scoring.Arena).CheckDice
	if options.Bool(ruleMax) { // the maximum is written
		check = (*scoring.Arena).CheckBest
	}
	arena, err := cs.arena(check)
	if err != nil {
		return nil, err
	}
	m, err := q.scoring("query")
	if err != nil {
		return nil, err
	}
	s := State{options: options, worth: arenaRules(options), players: 1, arena: arena, round: 1, anyFlick: true}
	return s.verdict(m), nil
}

// scoring is the Score move that a claim query or a score action tells.
func (q *caseQuery) scoring(part string) (Score, error) {
	m := Score{Claim: q.Claim}
	for _, n := range [...]*int{q.ScoreClaim, q.Score, q.Written} {
		if n != nil {
			m.Told, m.Written = true, *n
		}
	}
	if q.Removed != nil {
		m.Seen, m.Removed = true, scoring.HoleSet(*q.Removed...)
		for i, sq := range *q.Removed {
			if !sq.On() {
				return m, fmt.Errorf("%s.removed[%d]: %v is not a hole of the arena", part, i, sq)
			}
		}
	}
	return m, nil
}

// verdict judges a move; of a legal scoring it tells the score.
func (s *State) verdict(m rules.Move) any {
	var illegal rules.Illegal
	errors.As(s.Check(m), &illegal)
	v := verdict{Ruling: illegal.Ruling()}
	if score, ok := m.(Score); ok && v.Legal {
		points := s.Points(score)
		v.Score = &points
	}
	return v
}

// explain tells whether a removed set, and a written score if there is one, can be explained.
func (cs *caseState) explain(options rules.Options, q *caseQuery) (any, error) {
	if q.Removed == nil {
		return nil, fmt.Errorf("query.removed: missing (expected a list of holes)")
	}
	arena, err := cs.arena((*scoring.Arena).Check)
	if err != nil {
		return nil, err
	}
	m, err := q.scoring("query")
	if err != nil {
		return nil, err
	}
	e := scoring.Explain(&arena, arenaRules(options), m.Removed)
	legal := e.Legal() && (!m.Told || e.Explains(m.Written))
	return map[string]any{"legal": legal, "score": e.Best.Score, "scores": append([]int{}, e.Scores...)}, nil
}

func (cs *caseState) drawNeeded() (any, error) {
	held, err := amount("state.held", cs.Held, 0)
	if err != nil {
		return nil, err
	}
	rest := Dice - held
	if cs.Arena != nil {
		arena, err := cs.arena((*scoring.Arena).CheckDice)
		if err != nil {
			return nil, err
		}
		rest -= count(arena.Dice)
	}
	bag, err := amount("state.bag", cs.Bag, rest)
	if err != nil {
		return nil, err
	}
	return map[string]int{"draw": max(min(InHand-held, bag), 0)}, nil
}

// amount reads a number of dice, or counts a list of them.
func amount(name string, text json.RawMessage, missing int) (int, error) {
	if len(text) == 0 || string(text) == "null" {
		return missing, nil
	}
	var n int
	if err := json.Unmarshal(text, &n); err == nil {
		if n < 0 || n > Dice {
			return 0, fmt.Errorf("%s: cannot be %d (expected 0 to %d dice)", name, n, Dice)
		}
		return n, nil
	}
	var list []string
	if err := json.Unmarshal(text, &list); err != nil {
		return 0, fmt.Errorf("%s: %.40s is neither a number of dice nor a list of them", name, text)
	}
	return len(list), nil
}

// maxCell is far more than any round can pay, and far less than what overflows.
const maxCell = 1_000_000

// names are the players' of the notepad; a name may be empty, but not missing.
func (cs *caseState) names() ([]string, error) {
	var names []string
	for i, name := range cs.Names {
		if name == nil {
			return nil, fmt.Errorf("state.names: player %d has no name", i+1)
		}
		if slices.Contains(names, *name) {
			return nil, fmt.Errorf("state.names: %.20q is there twice", *name)
		}
		names = append(names, *name)
	}
	return names, nil
}

func (cs *caseState) columnTotals() (any, error) {
	names, err := cs.names()
	if err != nil {
		return nil, err
	}
	if len(names) == 0 || cs.Table == nil {
		return nil, fmt.Errorf("state: names and table are needed for column_totals")
	}
	for i, line := range cs.Table {
		for _, n := range line {
			if n != nil && (*n < -maxCell || *n > maxCell) {
				return nil, fmt.Errorf("state.table: round %d: %d is not a score", i+1, *n)
			}
		}
	}
	pad := scoring.Notepad{Names: names, Rounds: cs.Table, Printed: cs.Printed}
	if err := pad.Check(); err != nil {
		return nil, fmt.Errorf("state.table: %w", err)
	}
	sums := map[string]int{}
	for i, total := range pad.Totals() {
		sums[names[i]] = total
	}
	answer := map[string]any{"totals": sums}
	if cs.Printed != nil {
		printed, match := map[string]*int{}, map[string]bool{}
		for i, name := range names {
			total := cs.Printed[i] // nil: none was written, which is not a 0
			printed[name] = total
			match[name] = total != nil && *total == sums[name]
		}
		answer["printed"], answer["match"] = printed, match
	}
	return answer, nil
}

// winners are those with the most points; tied players share the victory (RULES.md 5.8).
func winners(scores map[string]rules.Score) []string {
	var list []string
	var top rules.Score
	for _, name := range slices.Sorted(maps.Keys(scores)) {
		n := scores[name]
		if list == nil || n > top {
			list, top = nil, n
		}
		if n == top {
			list = append(list, name)
		}
	}
	return list
}
