package diceflick

import (
	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// view is the state as the page draws it; nothing in it is secret but the
// colors in hand, which are not known anyway.
type view struct {
	Round   int                   `json:"round"`
	Rounds  int                   `json:"rounds"`
	ToMove  rules.Player          `json:"to_move"`
	Arena   [table.Size]string    `json:"arena"`
	Markers []table.MarkerReading `json:"markers"`
	Held    []int                 `json:"held"`
	Bag     int                   `json:"bag"`
	Must    int                   `json:"flicks_must"`
	May     int                   `json:"flicks_may"`
	Bonus   int                   `json:"bonus_flicks"`
	Between int                   `json:"scored_between,omitempty"`
	Best    best                  `json:"best"`
	Notepad [][]*int              `json:"notepad"` // by round, then seat; null: not yet played
	Totals  []int                 `json:"totals"`
	Winners []rules.Player        `json:"winners,omitempty"`
	Options map[string]any        `json:"options"`
}

type best struct {
	Score   int               `json:"score"`
	Steps   []scoring.Scoring `json:"steps"`
	Removed []table.Square    `json:"removed"`
}

// Show implements rules.State.
func (s *State) Show(rules.Player) any {
	plan := s.Best()
	v := view{
		Round: s.Round(), Rounds: Rounds, ToMove: s.ToMove(),
		Arena: rowsOf(s.arena.Dice), Markers: readings(s.arena.Markers),
		Held: append([]int{}, s.held[:s.players]...), Bag: s.bag,
		Bonus: s.earned, Between: s.between,
		Best:    best{plan.Score, plan.Steps, plan.Removed.Squares()},
		Notepad: s.pad.Rounds, Totals: s.pad.Totals(), Options: s.options.All(),
	}
	v.Must, v.May = s.FlicksLeft()
	if s.over() {
		v.Winners = s.Winners()
	}
	return v
}
