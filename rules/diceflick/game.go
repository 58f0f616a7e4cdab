// Package diceflick is the rulebook of DICE Flick (RULES.md 5): ten rounds of
// drawing, flicking dice into an arena of 5×5 holes, and scoring what lies there.
package diceflick

import (
	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Numbers of the game (RULES.md 5.1, 5.2, 5.4).
const (
	Rounds = 10 // one turn a player in each
	Dice   = 20 // in the whole set
	InHand = 3  // dice in front of a player after drawing
	Flicks = 2  // that a player must make
)

// Game is DICE Flick.
var Game rules.Game = game{}

type game struct{}

// The house rules by name.
const (
	ruleCenterBlast = "centre_doubles_blast"
	ruleBetween     = "score_between_flicks"
	ruleMax         = "must_score_max"
	ruleChain       = "bonus_chain"
	rulePush        = "bonus_by_push"
	ruleOldBlast    = "old_blast_scores"
	ruleOldCenter   = "old_centre_scores"
	ruleShiftBase   = "shift_flick_base"
	ruleDiagonal    = "diagonal_marker"
)

var onOff = []any{true, false}

var houseRules = []rules.HouseRule{
	{Name: ruleCenterBlast, Default: true, Values: onOff, Text: "A blast die on the center marker counts 12; without this rule it counts 6."},
	{Name: ruleBetween, Default: false, Values: onOff, Text: "You may also score between two flicks; the turn goes on."},
	{Name: ruleMax, Default: false, Values: onOff, Text: "Every turn scores the most that the arena allows, and the program writes it down."},
	{Name: ruleChain, Default: true, Values: onOff, Text: "A bonus flick that lands on the bonus marker earns another one."},
	{Name: rulePush, Default: false, Values: onOff, Text: "An older die that is pushed onto the bonus marker also earns a bonus flick."},
	{Name: ruleOldBlast, Default: true, Values: onOff, Text: "A blast die left from an earlier turn, or pushed, may still choose a line."},
	{Name: ruleOldCenter, Default: true, Values: onOff, Text: "A die left on the center marker, or pushed there, may be scored on its own."},
	{Name: ruleShiftBase, Default: false, Values: onOff, Text: "Children may move the flick base along its side of the box."},
	{Name: ruleDiagonal, Default: false, Values: onOff, Text: "An upgrade marker also counts for dice at its corners (not recommended)."},
}

var defaults, _ = rules.Resolve(houseRules, nil)

// Name implements rules.Game.
func (game) Name() table.Game { return table.DiceFlick }

// HouseRules implements rules.Game.
func (game) HouseRules() []rules.HouseRule { return houseRules }

// New sets up a match with an empty arena whose center marker alone is known;
// a Markers move tells the others once they have been read.
func (game) New(setup rules.Setup) (rules.State, error) {
	if err := rules.CheckPlayers(table.DiceFlick, setup.Players); err != nil {
		return nil, err
	}
	options, err := rules.Resolve(houseRules, setup.Options)
	if err != nil {
		return nil, err
	}
	return newState(options, setup.Players), nil
}

func newState(options rules.Options, players int) *State {
	s := &State{options: options, players: players, round: 1, bag: Dice}
	s.worth = arenaRules(options)
	s.arena.Markers = scoring.DefaultMarkers()
	s.pad = scoring.NewNotepad(make([]string, players), Rounds)
	s.begin()
	return s
}

// ParseMove implements rules.Game.
func (game) ParseMove(text string) (rules.Move, error) { return ParseMove(text) }

func arenaRules(o rules.Options) scoring.ArenaRules {
	return scoring.ArenaRules{
		FlatBlast:      !o.Bool(ruleCenterBlast),
		FreshCenter:    !o.Bool(ruleOldCenter),
		FreshBlast:     !o.Bool(ruleOldBlast),
		DiagonalMarker: o.Bool(ruleDiagonal),
	}
}
