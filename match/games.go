package match

import (
	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/rules/dicebox"
	"diceref/rules/dicecreams"
	"diceref/rules/diceflick"
	"diceref/rules/fromage"
	"diceref/table"
)

// games are the rulebooks.
var games = map[table.Game]rules.Game{
	table.DessertDice:   dessertdice.Game,
	table.DiceBox:       dicebox.Game,
	table.FromageATrois: fromage.Game,
	table.DiceCreams:    dicecreams.Game,
	table.DiceFlick:     diceflick.Game,
}
