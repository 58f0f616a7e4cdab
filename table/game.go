package table

// Game is a game's name as the command line and the JSON spell it.
type Game string

// The five games, and Any for loose dice of any color with no board.
const (
	DessertDice   Game = "dessert-dice"
	DiceBox       Game = "dice-box"
	FromageATrois Game = "fromage-a-trois"
	DiceCreams    Game = "dicecreams"
	DiceFlick     Game = "dice-flick"
	Any           Game = "any"
)

// Games lists the five games that have rules, in the order they are shown.
var Games = [...]Game{DessertDice, DiceBox, FromageATrois, DiceCreams, DiceFlick}

// Layout says what lies under a game's dice.
type Layout uint8

const (
	Loose Layout = iota // no grid: dice lie where they lie
	Board               // a printed grid of 5×5 squares
	Arena               // a box with 5×5 holes, walls and a trench
)

// Size is the number of rows and of columns of every board and arena.
const Size = 5

// Kit is what a game puts on the table.
type Kit struct {
	Title   string
	Layout  Layout
	Dice    map[Color]int // how many dice of each color; nil: any number of any color
	Blast   Color         // the color whose dice have no readable face; NoColor if none
	Players [2]int        // least and most
	Mixed   bool          // dice of any game: every one of them may be a blast die
}

var kits = map[Game]Kit{
	DessertDice:   {"Dessert Dice", Board, map[Color]int{Red: 6, Yellow: 6, Green: 6, Purple: 6, Black: 1}, NoColor, [2]int{2, 4}, false},
	DiceBox:       {"Dice Box", Board, map[Color]int{Red: 6, Yellow: 6, Blue: 6, White: 6, Black: 1}, NoColor, [2]int{2, 4}, false},
	FromageATrois: {"Fromage á Trois", Loose, nil, NoColor, [2]int{3, 5}, false},
	DiceCreams:    {"DiceCreams!", Loose, map[Color]int{Green: 5, Blue: 5, Yellow: 5, Black: 5, Orange: 5}, NoColor, [2]int{1, 4}, false},
	DiceFlick:     {"DICE Flick", Arena, map[Color]int{Blue: 5, Yellow: 5, Green: 5, White: 3, Pink: 2}, Pink, [2]int{2, 4}, false},
	Any:           {"Any dice", Loose, nil, NoColor, [2]int{1, 8}, true},
}

// Has says whether a die is one that the game may have: of one of its colors, and with a face
// unless it is a blast die.
func (k Kit) Has(d Die) bool {
	if d.Color == NoColor || k.Dice != nil && k.Dice[d.Color] == 0 || d.Face < 0 || d.Face > 6 {
		return false
	}
	return k.Mixed || (d.Face == 0) == (d.Color == k.Blast)
}

// Kit returns what the game puts on the table; the zero Kit for an unknown game.
func (g Game) Kit() Kit { return kits[g] }

// ParseGame accepts the five games and "any".
func ParseGame(name string) (Game, error) {
	if _, ok := kits[Game(name)]; ok {
		return Game(name), nil
	}
	return "", Unknown("game", name, append(Games[:len(Games):len(Games)], Any))
}
