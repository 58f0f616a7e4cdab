package match

import (
	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/rules/dicebox"
	"diceref/rules/diceflick"
	"diceref/table"
)

// games are the rulebooks.
var games = map[table.Game]rules.Game{
	table.DessertDice: dessertdice.Game,
	table.DiceBox:     dicebox.Game,
	table.DiceFlick:   diceflick.Game,
}
