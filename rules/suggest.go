package rules

import "time"

// Budget limits a search. The same state, playouts and seed give the same answer;
// with a time the answer depends on the machine.
type Budget struct {
	Playouts int           // games played out in all, about; 0: as many as the time allows
	Time     time.Duration // 0: no limit; without either the game chooses a number of playouts
	Seed     uint64
}

// Suggestion is an act with what playing it out many times says of it.
type Suggestion struct {
	Move  Move    `json:"move"`
	Text  string  `json:"text"`  // the act in the game's notation
	Win   float64 `json:"win"`   // estimated chance of winning, a shared victory counts half
	Lead  float64 `json:"lead"`  // expected points ahead of the best other player
	Games int     `json:"games"` // playouts behind the estimate
	Why   string  `json:"why"`
}

// Suggester is a state that can say which acts are good for the player on turn.
type Suggester interface {
	// Suggest lists acts, the best first, with card as what only that player knows
	// (Dessert Dice; else empty). The error says what would have to be known.
	Suggest(b Budget, card string) ([]Suggestion, error)
}
