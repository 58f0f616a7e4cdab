// Package fromage is the rulebook of Fromage á Trois (RULES.md section 3): turns of
// roll, keep or steal, Fromage, answers and sets, each act judged with every reason.
package fromage

import (
	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Limits of the game.
const (
	Dice     = 25 // in the box
	maxSeats = 5
	MaxRoll  = 5  // dice in the Shopping Cart
	lastShop = 7  // with this many dice or fewer in the Cheese Shop the game is over
	trigger  = 20 // points that start the final round
)

// Cheeses names the faces 1 to 6 in the order of the printed list, which is a
// choice made here: the game's reference sheet is lost.
var Cheeses = [7]string{"", "Gouda", "Swiss", "Bleu", "Cheddar", "American", "Brie"}

var houseRules = []rules.HouseRule{
	{Name: "fat_min_each", Default: 2, Values: []any{1, 2}, Text: "How many of each cheese a Fromage needs."},
	{Name: "fat_exact_holdings", Default: false, Values: []any{false, true}, Text: "A Fromage must use up its cheeses."},
	{Name: "fat_after_steal", Default: true, Values: []any{true, false}, Text: "A Fromage may follow taking a set."},
	{Name: "sets_after_fat", Default: true, Values: []any{true, false}, Text: "Sets left over after a Fromage go back and score in the same turn."},
	{Name: "min_roll", Default: 1, Values: []any{0, 1, 5}, Text: "The fewest dice you may roll."},
	{Name: "partial_set_steal", Default: true, Values: []any{true, false}, Text: "You may take part of a bigger set."},
	{Name: "compensation_may_decline", Default: true, Values: []any{true, false}, Text: "Players who lose dice may decline both dice and points."},
	{Name: "compensation_order", Default: "clockwise", Values: []any{"clockwise", "free"}, Text: "Who gets a die in the Cart that both players want after a Fromage: the first clockwise, or as they agree."},
}

// options are the house rules in force, looked up once. compensation_order is not
// among them: it settles between two people who gets a die, and no act is judged by it.
type options struct {
	minEach    int8
	minRoll    int
	exact      bool
	afterSteal bool
	setsAfter  bool
	partial    bool
	decline    bool
}

var resolve = rules.Resolver(newOptions)

func newOptions(given map[string]any) (*options, error) {
	o, err := rules.Resolve(houseRules, given)
	if err != nil {
		return nil, err
	}
	return &options{
		minEach:    int8(o.Int("fat_min_each")),
		minRoll:    o.Int("min_roll"),
		exact:      o.Bool("fat_exact_holdings"),
		afterSteal: o.Bool("fat_after_steal"),
		setsAfter:  o.Bool("sets_after_fat"),
		partial:    o.Bool("partial_set_steal"),
		decline:    o.Bool("compensation_may_decline"),
	}, nil
}

type game struct{}

// Game is the rulebook.
var Game rules.Game = game{}

func (game) Name() table.Game              { return table.FromageATrois }
func (game) HouseRules() []rules.HouseRule { return houseRules }

// ParseMove reads what Move.String and Stands.String write.
func (game) ParseMove(text string) (rules.Move, error) {
	if m, ok, err := parseStands(text); ok {
		return m, err
	}
	return parseMove(text)
}

// New sets up a match: all dice in the Cheese Shop, seat A begins.
func (g game) New(setup rules.Setup) (rules.State, error) {
	if err := rules.CheckPlayers(g.Name(), setup.Players); err != nil {
		return nil, err
	}
	o, err := resolve(setup.Options)
	if err != nil {
		return nil, err
	}
	return &State{opt: o, seats: setup.Players, shop: Dice, final: noFinal, rolled: notRolled}, nil
}

// Set-up values of a State.
const (
	noFinal   = -1
	notRolled = -1
)

// tally is where a player's points came from.
type tally struct{ before, sets, fromages, answers int }

func (t tally) total() int { return t.before + t.sets + t.fromages + t.answers }

// debt is what a player who lost dice may have for them: so many dice or so many points.
type debt struct {
	dice, points int
	robbed       bool // by a steal, not by a Fromage
}

// State is a position between two acts. It is never changed once others see it.
type State struct {
	opt   *options
	seats int
	names seating                 // of a worked case's players; without them a seat's letter stands
	shop  int                     // dice in the Cheese Shop; their faces mean nothing
	hands [maxSeats]scoring.Faces // kept dice
	score [maxSeats]tally
	turn  int           // seat whose turn it is
	turns int           // turns ended
	last  [maxSeats]int // number of the last turn ended, from 1; 0: none
	final int           // extra turns still to be played, noFinal before the trigger
	over  bool

	// The turn under way.
	rolled  int // dice rolled, or notRolled
	cart    scoring.Faces
	kept    bool
	stole   bool
	fromage bool
	owed    [maxSeats]debt
}
