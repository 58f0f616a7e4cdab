// Package dicecreams is the rulebook of DiceCreams! (RULES.md section 4): drafting
// and placing Flavours, bonuses depth first, Customers, Sprinkles and melting.
//
// The printed cards and Customers are not known here: an owner fills them in
// once, as files that ReadCards and ReadCustomers check. Without files an
// invented demo deck is used.
package dicecreams

import (
	"fmt"

	"diceref/rules"
	"diceref/table"
)

// Limits of the game.
const (
	perFlavour  = 5 // dice of each color
	maxSeats    = 4
	spots       = 3 // of an IceCream
	leftover    = 3 // dice on the Fridge that melt the others
	shownCards  = 2 // in the display
	unfinished  = 2 // IceCreams a player may have under way
	lastCream   = 5 // completed IceCreams that end the game
	unlimited   = 1 << 30
	sprinkleMax = 20
	tokenMax    = 8
)

var houseRules = []rules.HouseRule{
	{Name: "deck_top_available", Default: false, Values: []any{false, true}, Text: "You may also start the top card of the face-up deck."},
	{Name: "sprinkle_window", Default: "lead_player_whole_turn_too", Values: []any{"own_draft_step", "lead_player_whole_turn_too"}, Text: "When you may spend Sprinkles."},
	{Name: "sprinkle_targets", Default: "own", Values: []any{"own", "any"}, Text: "Whose placed dice a Sprinkle may change."},
	{Name: "sprinkle_before_placing", Default: true, Values: []any{true, false}, Text: "A Sprinkle may change the die you are placing."},
	{Name: "sequence_in_spot_order", Default: false, Values: []any{false, true}, Text: "A sequence must rise from spot to spot."},
	{Name: "orange_bonus", Default: "count_at_completion", Values: []any{"count_at_completion", "each_time_placed"}, Text: "When the orange bonus counts."},
	{Name: "sprinkle_supply", Default: 20, Values: []any{20, "unlimited"}, Text: "How many Sprinkle tokens there are."},
	{Name: "player_token_supply", Default: 8, Values: []any{8, "unlimited"}, Text: "How many tokens each player has for the Customers."},
	{Name: "refill_pouch", Default: "immediately", Values: []any{"immediately", "when_needed"}, Text: "When the dice set aside go back into the empty pouch."},
	{Name: "extra_die_must_place", Default: true, Values: []any{true, false}, Text: "A die you draw must be placed if it fits."},
	{Name: "final_turn", Default: "whole_turn", Values: []any{"whole_turn", "finish_draft_step_only"}, Text: "What is still played after the fifth IceCream."},
	{Name: "discarded_cards", Default: "discard_pile_reshuffled", Values: []any{"discard_pile_reshuffled", "bottom_of_deck", "out_of_game"}, Text: "Where discarded IceCreams go."},
	{Name: "tie", Default: "shared_after_tokens", Values: []any{"shared_after_tokens"}, Text: "How a tie is broken."},
}

// options are the house rules in force, looked up once.
type options struct {
	deckTop     bool
	leadWindow  bool // the lead player's whole turn is a Sprinkle window too
	anyTarget   bool
	onPlacing   bool // the die being placed may be changed
	inOrder     bool
	orangeEach  bool
	sprinkles   int
	tokens      int
	refillEarly bool
	mustPlace   bool
	wholeTurn   bool
	discarded   string
}

var resolve = rules.Resolver(newOptions)

func newOptions(given map[string]any) (*options, error) {
	o, err := rules.Resolve(houseRules, given)
	if err != nil {
		return nil, err
	}
	opt := &options{
		deckTop:     o.Bool("deck_top_available"),
		leadWindow:  o.Text("sprinkle_window") == "lead_player_whole_turn_too",
		anyTarget:   o.Text("sprinkle_targets") == "any",
		onPlacing:   o.Bool("sprinkle_before_placing"),
		inOrder:     o.Bool("sequence_in_spot_order"),
		orangeEach:  o.Text("orange_bonus") == "each_time_placed",
		refillEarly: o.Text("refill_pouch") == "immediately",
		mustPlace:   o.Bool("extra_die_must_place"),
		wholeTurn:   o.Text("final_turn") == "whole_turn",
		discarded:   o.Text("discarded_cards"),
		sprinkles:   unlimited,
		tokens:      unlimited,
	}
	if o.Text("sprinkle_supply") != "unlimited" {
		opt.sprinkles = sprinkleMax
	}
	if o.Text("player_token_supply") != "unlimited" {
		opt.tokens = tokenMax
	}
	return opt, nil
}

// The files that Setup.Files may hold.
const (
	CardsFile     = "cards.json"
	CustomersFile = "customers.json"
)

type game struct{}

// Game is the rulebook.
var Game rules.Game = game{}

func (game) Name() table.Game                          { return table.DiceCreams }
func (game) HouseRules() []rules.HouseRule             { return houseRules }
func (game) ParseMove(text string) (rules.Move, error) { return parseMove(text) }

// New sets up a match: the dice in the pouch, no card revealed yet. The cards and
// Customers come from Setup.Files; what is not there is taken from the demo deck.
func (g game) New(setup rules.Setup) (rules.State, error) {
	if err := rules.CheckPlayers(g.Name(), setup.Players); err != nil {
		return nil, err
	}
	opt, err := resolve(setup.Options)
	if err != nil {
		return nil, err
	}
	for name := range setup.Files {
		if name != CardsFile && name != CustomersFile {
			return nil, fmt.Errorf("dicecreams: no file %.60q is needed (expected %s or %s)", name, CardsFile, CustomersFile)
		}
	}
	box, err := newBox(setup.Files[CardsFile], setup.Files[CustomersFile])
	if err != nil {
		return nil, err
	}
	return newState(opt, box, setup.Players), nil
}
