// Package dessertdice is the rulebook of Dessert Dice (RULES.md section 1).
//
// Dice are followed through their tips: a die of which one tip was seen can be
// tipped again in only one right way once its kind (western or asian) is known,
// and which kind a die is comes out in play.
package dessertdice

import (
	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Game is the rulebook.
var Game rules.Game = game{}

type game struct{}

func (game) Name() table.Game { return table.DessertDice }

var houseRules = []rules.HouseRule{
	{
		Name: "profile", Default: "pairs",
		Text:  "which dessert icons each face shows: pairs, simple, or an object color -> face -> icons (check it against your dice: the printed layout is not known)",
		Check: func(v any) error { _, err := scoring.ParseProfile(v); return err },
	},
	{Name: "cluster", Default: "connected", Values: []any{"connected", "literal"}, Text: "how a cluster is counted; literal: separate pairs and larger groups count together"},
	{Name: "singleton", Default: 0, Values: []any{0, 1}, Text: "what a single die with your icon scores"},
	{Name: "chirality", Default: "unknown", Values: []any{"unknown", "western", "asian"}, Text: "which way round the dice are numbered, if known"},
	{Name: "strict_orientation", Default: true, Values: []any{true, false}, Text: "a die must be tipped as it is; false: it may be turned in place first"},
	{Name: "max_repetitions", Default: 0, Values: []any{0, 3}, Text: "how often a position may come up before you have to place a die; 0: no limit"},
	{Name: "short_set", Default: false, Values: []any{false, true}, Text: "play with fewer than 25 dice; the game also ends when the supply is empty"},
}

func (game) HouseRules() []rules.HouseRule { return houseRules }

func (game) ParseMove(s string) (rules.Move, error) {
	if m, ok, err := rules.ParseStands(s); ok {
		return m, err
	}
	a, err := parseAct(s)
	if err != nil {
		return nil, err
	}
	return a, nil
}

// setup is what stays the same during a match; states share it.
type setup struct {
	players     int // 0: not known (a worked case)
	options     rules.Options
	profile     *scoring.Profile
	cluster     scoring.ClusterRule
	kinds       poses // kinds of dice that there can be
	strict      bool
	repetitions int
	short       bool
	whole       bool // the whole set is there, so that dice can be counted
}

func newSetup(given map[string]any) (*setup, error) {
	o, err := rules.Resolve(houseRules, given)
	if err != nil {
		return nil, err
	}
	p, err := scoring.ParseProfile(o.Value("profile"))
	if err != nil {
		return nil, err // Resolve has checked it
	}
	kinds := western | asian
	switch o.Text("chirality") {
	case "western":
		kinds = western
	case "asian":
		kinds = asian
	}
	return &setup{
		options: o, profile: p, kinds: kinds,
		cluster:     scoring.ClusterRule{Literal: o.Text("cluster") == "literal", Singleton: o.Int("singleton")},
		strict:      o.Bool("strict_orientation"),
		repetitions: o.Int("max_repetitions"),
		short:       o.Bool("short_set"),
	}, nil
}

// New starts with an empty board; what is in the supply is not known until a
// Supply act tells it.
func (game) New(s rules.Setup) (rules.State, error) {
	if err := rules.CheckPlayers(table.DessertDice, s.Players); err != nil {
		return nil, err
	}
	set, err := newSetup(s.Options)
	if err != nil {
		return nil, err
	}
	set.players, set.whole = s.Players, !set.short
	st := &State{setup: set, placed: make([]int, s.Players), cards: make([]byte, s.Players), lastBy: rules.Nobody}
	for i := range st.placed {
		st.placed[i] = -1
	}
	return st, nil
}

const squares = table.Size * table.Size

// die is a die on the board and the ways in which it may lie; the zero die is an empty square.
type die struct {
	color table.Color
	top   int8
	poses poses
}

// State is a position of Dessert Dice.
type State struct {
	*setup
	names  *rules.Seats // of a worked case
	board  [squares]die
	supply *Dice        // nil: not known
	turn   rules.Player // whose turn; Nobody where a worked case does not say
	number int          // turns played
	last   Act          // of the turn before, if lastBy is a player
	lastBy rules.Player
	placed []int            // by seat: the turn of the latest placement, -1 for none
	cards  []byte           // by seat: the card once it is turned over, 0 before
	seen   [][squares]uint8 // boards since the latest placement, the present one last
	repeat int              // how often the present board has stood since then, if a case says so
}

// faceUp is the board as colors and tops, for comparison.
func (s *State) faceUp() (b [squares]uint8) {
	for i, d := range s.board {
		b[i] = uint8(d.color)<<3 | uint8(d.top)
	}
	return b
}

// repetitions of the present board since the latest placement, this one included.
func (s *State) timesSeen() int {
	if s.repeat > 0 || len(s.seen) == 0 {
		return s.repeat
	}
	n := 0
	now := s.seen[len(s.seen)-1]
	for _, b := range s.seen {
		if b == now {
			n++
		}
	}
	return n
}

func (s *State) onBoard() int {
	n := 0
	for i := range s.board {
		if s.board[i].color != table.NoColor {
			n++
		}
	}
	return n
}

// Over says whether the game has ended: the board is full, or, with a short set,
// the supply is empty (RULES.md 1.4).
func (s *State) Over() bool {
	return s.onBoard() == squares || s.short && s.supply != nil && s.supply.Count() == 0
}

// ToMove is the player whose turn it is, Nobody at the end.
func (s *State) ToMove() rules.Player {
	if s.Over() {
		return rules.Nobody
	}
	return s.turn
}

// left is how many dice of the color the supply holds; known is false where that cannot be told.
func (s *State) left(c int) (n int, known bool) {
	if s.supply != nil {
		return s.supply.ofColor(c), true
	}
	if !s.whole {
		return 0, false
	}
	n = kit[c]
	for i := range s.board {
		if s.board[i].color == colors[c] {
			n--
		}
	}
	return n, true
}

// step is the direction from one square to a neighbor.
func step(from, to table.Square) (direction, bool) {
	switch (table.Square{Row: to.Row - from.Row, Col: to.Col - from.Col}) {
	case table.Square{Row: -1}:
		return north, true
	case table.Square{Row: 1}:
		return south, true
	case table.Square{Col: -1}:
		return west, true
	case table.Square{Col: 1}:
		return east, true
	}
	return 0, false
}

// lying is every way in which the die may lie before it is tipped.
func (s *State) lying(d die) poses {
	if !s.strict { // it may be turned on the spot first
		return d.poses.kinds() & showing[d.top]
	}
	return d.poses
}

// Reachable lists the tops, ascending, that tipping the die on from to a neighboring square can bring up.
func (s *State) Reachable(from, to table.Square) []int {
	d, ok := step(from, to)
	if !ok || !from.On() || s.board[from.Index()].color == table.NoColor {
		return []int{}
	}
	return s.lying(s.board[from.Index()]).tip(d).tops()
}

// Legal lists every placement and every tip. Where the supply is not known, every
// die that it may hold counts.
func (s *State) Legal() ([]rules.Move, bool) {
	if s.Over() {
		return nil, true
	}
	acts := s.acts()
	moves := make([]rules.Move, len(acts))
	for i, a := range acts {
		moves[i] = a
	}
	return rules.SortMoves(moves), true
}

// acts is Legal, unsorted.
func (s *State) acts() []Act {
	var acts []Act
	dice := s.placeable()
	for i := range s.board {
		to := table.SquareAt(i)
		if s.board[i].color == table.NoColor {
			for _, d := range dice {
				acts = append(acts, Act{By: s.turn, Kind: Place, Die: d, To: to})
			}
			continue
		}
		if s.mustPlace() {
			continue
		}
		for _, j := range rules.Neighbors(i) {
			if n := table.SquareAt(j); s.board[j].color == table.NoColor && !s.undoes(to, n) {
				for _, f := range s.Reachable(to, n) {
					acts = append(acts, Act{By: s.turn, Kind: Tip, Die: table.Die{Color: s.board[i].color, Face: f}, From: to, To: n})
				}
			}
		}
	}
	return acts
}

// placeable lists the different dice that the supply holds, or may hold.
func (s *State) placeable() []table.Die {
	var dice []table.Die
	for c := range colors {
		n, known := s.left(c)
		for f := 1; f <= 6; f++ {
			if s.supply != nil && s.supply[c][f] > 0 || s.supply == nil && (n > 0 || !known) {
				dice = append(dice, table.Die{Color: colors[c], Face: f})
			}
		}
	}
	return dice
}

func (s *State) mustPlace() bool { return s.repetitions > 0 && s.timesSeen() >= s.repetitions }

// undoes says whether tipping from -> to takes back the move of the turn before.
func (s *State) undoes(from, to table.Square) bool {
	return s.lastBy != rules.Nobody && s.last.Kind == Tip && s.last.From == to && s.last.To == from
}

// Score is one sheet per player: the points of the card, 0 while it is secret.
func (s *State) Score() []scoring.Sheet {
	points := s.points()
	sheets := make([]scoring.Sheet, s.players)
	for p := range sheets {
		sheets[p].Player = p
		if i := cardIndex(s.cards[p]); i >= 0 {
			sheets[p].Total = points[i]
			sheets[p].Lines = []scoring.Line{{Name: scoring.DessertNames[i], Points: points[i]}}
		}
	}
	return sheets
}

func cardIndex(card byte) int {
	for i := range scoring.DessertLetters {
		if scoring.DessertLetters[i] == card {
			return i
		}
	}
	return -1
}

func (s *State) points() [4]int {
	b := s.dice()
	return scoring.Clusters(&b, s.profile, s.cluster)
}

func (s *State) dice() (b [squares]table.Die) {
	for i, d := range s.board {
		if d.color != table.NoColor {
			b[i] = table.Die{Color: d.color, Face: int(d.top)}
		}
	}
	return b
}

// Clusters is what each card would score now, by its letter.
func (s *State) Clusters() map[string]int {
	m := make(map[string]int, 4)
	for i, n := range s.points() {
		m[scoring.DessertLetters[i:i+1]] = n
	}
	return m
}

// Winners lists the winning seats once every card is turned over.
func (s *State) Winners() []rules.Player {
	scores := make([]int, s.players)
	for p, sheet := range s.Score() {
		if s.cards[p] == 0 {
			return nil
		}
		scores[p] = sheet.Total
	}
	var win []rules.Player
	for _, p := range scoring.DessertWinners(scores, s.placed) {
		win = append(win, rules.Player(p))
	}
	return win
}

// Concealed lists the seats whose cards have not been turned over.
func (s *State) Concealed() (list []rules.Player) {
	for p := range s.players {
		if s.cards[p] == 0 {
			list = append(list, rules.Player(p))
		}
	}
	return list
}
