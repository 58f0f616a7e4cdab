// Package dicebox is the rulebook of Dice Box (RULES.md section 2).
//
// What the dice in the hands show is often not in view. A hand is therefore known,
// or known by color only, or not at all, and rules that need what is not known are not judged.
package dicebox

import (
	"fmt"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Game is the rulebook.
var Game rules.Game = game{}

type game struct{}

func (game) Name() table.Game { return table.DiceBox }

var houseRules = []rules.HouseRule{
	{Name: "wrap", Default: false, Values: []any{false, true}, Text: "6 and 1 differ by one"},
	{Name: "two_player_colours", Default: 1, Values: []any{1, 2}, Text: "how many colors each of two players owns"},
	{Name: "score_unplaced", Default: false, Values: []any{false, true}, Text: "dice in your color count even if they are not on the board"},
	{Name: "tie", Default: "shared", Values: []any{"shared"}, Text: "players with equal totals share the win"},
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
	players       int // 0: not known (a worked case)
	options       rules.Options
	wrap          bool
	scoreUnplaced bool
	owners        [][]int // by seat: colors, as places in scoring.BoxColors
}

func newSetup(given map[string]any) (*setup, error) {
	o, err := rules.Resolve(houseRules, given)
	if err != nil {
		return nil, err
	}
	return &setup{options: o, wrap: o.Bool("wrap"), scoreUnplaced: o.Bool("score_unplaced")}, nil
}

// New starts before the Seed is rolled. Each player's dice are known by color, with
// four players only once the draft was told; what they show is known once Hand acts tell it.
func (game) New(s rules.Setup) (rules.State, error) {
	if err := rules.CheckPlayers(table.DiceBox, s.Players); err != nil {
		return nil, err
	}
	set, err := newSetup(s.Options)
	if err != nil {
		return nil, err
	}
	set.players = s.Players
	if set.owners, err = owners(s, set.options.Int("two_player_colours")); err != nil {
		return nil, err
	}
	st := &State{setup: set, turn: 0, lastBy: rules.Nobody, hands: make([]hand, s.Players)}
	share := [...]int8{2: 3, 3: 2, 4: 1}[s.Players]
	for p := range st.hands {
		h := &st.hands[p]
		h.sized, h.size = true, int(share)*4
		h.colored = true
		for c := range h.colors {
			h.colors[c] = share
		}
		if s.Players == 4 { // two more are chosen, by colors that are not known yet
			h.size, h.colored = 6, false
		}
	}
	return st, nil
}

// owners gives out the colors: as agreed, or in the order red, yellow, blue, white.
func owners(s rules.Setup, each int) ([][]int, error) {
	own := make([][]int, s.Players)
	if s.Owners == nil {
		if s.Players != 2 {
			each = 1
		}
		for p := range own {
			for k := range each {
				own[p] = append(own[p], p*each+k)
			}
		}
		return own, nil
	}
	if len(s.Owners) != s.Players {
		return nil, fmt.Errorf("owners: there are colors for %s, but %d are playing", table.Count(len(s.Owners), "player", "players"), s.Players)
	}
	taken := [4]bool{}
	for p, colors := range s.Owners {
		if n := len(colors); n != 1 && (n != 2 || s.Players != 2) || n != len(s.Owners[0]) {
			return nil, fmt.Errorf("owners: %s cannot have %s (expected one each, or two each for two players)", rules.Player(p), table.Count(n, "color", "colors"))
		}
		for _, c := range colors {
			i := scoring.BoxColor(c)
			if i < 0 || taken[i] {
				return nil, fmt.Errorf("owners: %s cannot have %s (expected red, yellow, blue or white, each once)", rules.Player(p), c)
			}
			taken[i] = true
			own[p] = append(own[p], i)
		}
	}
	if _, given := s.Options["two_player_colours"]; given && s.Players == 2 && len(own[0]) != each {
		return nil, fmt.Errorf("owners: %d colors each, but two_player_colours is %d", len(own[0]), each)
	}
	return own, nil
}

const squares = table.Size * table.Size

// hand is what is known of a player's dice that are not on the grid.
type hand struct {
	absent  bool // a worked case does not name this player
	sized   bool // how many
	size    int
	colored bool // how many of each color
	colors  [4]int8
	known   bool // what each shows
	dice    Dice
}

// setDice makes a hand wholly known.
func (h *hand) setDice(d Dice) {
	h.known, h.dice = true, d
	h.sized, h.size = true, d.Count()
	h.colored = true
	for c := range d {
		h.colors[c] = int8(d.ofColor(c))
	}
}

// State is a position of Dice Box.
type State struct {
	*setup
	names  *rules.Seats // of a worked case
	grid   rules.Board
	hands  []hand
	open   bool         // what the hands show is followed, so that every roll must be told
	rolled bool         // the Seed lies on the grid
	turn   rules.Player // Nobody where a worked case does not say
	picks  []Act        // of the draft
	last   Act
	lastBy rules.Player // Nobody before the first turn
	number int          // turns played
}

// cand is the set of values, one bit each, that fit on a square; 0 where none
// does, or where no neighbor is filled (RULES.md 2.4).
func (s *State) cand(sq int) uint8 {
	set, any := uint8(0b1111110), false
	for _, n := range rules.Neighbors(sq) {
		if v := s.grid[n].Face; v != 0 {
			any = true
			set &= s.beside(v)
		}
	}
	if !any {
		return 0
	}
	return set
}

// beside is the set of values that differ by one from v.
func (s *State) beside(v int) uint8 {
	set := (uint8(1)<<(v+1) | uint8(1)<<(v-1)) & 0b1111110
	if s.wrap && v == 6 {
		set |= 1 << 1
	}
	if s.wrap && v == 1 {
		set |= 1 << 6
	}
	return set
}

func (s *State) filled(sq int) bool { return s.grid[sq].Color != table.NoColor }

// isolated says whether no neighbor is filled.
func (s *State) isolated(sq int) bool {
	for _, n := range rules.Neighbors(sq) {
		if s.filled(n) {
			return false
		}
	}
	return true
}

// Fillable lists the empty squares on which some value fits, in ascending order.
func (s *State) Fillable() []table.Square {
	list := []table.Square{}
	for i := range s.grid {
		if !s.filled(i) && s.cand(i) != 0 {
			list = append(list, table.SquareAt(i))
		}
	}
	return list
}

// Candidates lists the values, ascending, that fit on a square: nil where no
// neighbor is filled, empty on a dead or a filled square (RULES.md 2.4).
func (s *State) Candidates(sq table.Square) []int {
	if !sq.On() || s.isolated(sq.Index()) {
		return nil
	}
	list := []int{}
	if s.filled(sq.Index()) {
		return list
	}
	for v, set := 1, s.cand(sq.Index()); v <= 6; v++ {
		if set>>v&1 != 0 {
			list = append(list, v)
		}
	}
	return list
}

// fitting is every value that fits somewhere, one bit each.
func (s *State) fitting() (set uint8) {
	for i := range s.grid {
		if !s.filled(i) {
			set |= s.cand(i)
		}
	}
	return set
}

// Over says whether the game has ended: no vacancy can be filled any more, or no
// player has dice left (RULES.md 2.5).
func (s *State) Over() bool { return s.rolled && (s.fitting() == 0 || s.handsEmpty()) }

func (s *State) handsEmpty() bool {
	players := 0
	for i := range s.hands {
		h := &s.hands[i]
		if h.absent {
			continue
		}
		if players++; !h.sized || h.size > 0 {
			return false
		}
	}
	return players > 0
}

// fits says whether some die of the hand fits somewhere; known is false where that
// cannot be told.
func (s *State) fits(p rules.Player) (fits, known bool) {
	h := s.handOf(p)
	switch {
	case h.sized && h.size == 0:
		return false, true
	case !h.known:
		return false, false
	}
	set := s.fitting()
	for c := range h.dice {
		for f, n := range h.dice[c] {
			if n > 0 && set>>f&1 != 0 {
				return true, true
			}
		}
	}
	return false, true
}

// perColor is how many dice there are of each color.
const perColor = 6

// gone says whether every die of a color is known to be on the grid or in another hand.
func (s *State) gone(p rules.Player, c int) bool {
	if s.players == 0 { // a worked case need not hold a whole set
		return false
	}
	return s.elsewhere(p, c) >= perColor
}

// elsewhere counts the dice of a color on the grid and, as far as known, in the hands of others.
func (s *State) elsewhere(p rules.Player, c int) int {
	n := 0
	for i := range s.grid {
		if s.grid[i].Color == scoring.BoxColors[c] {
			n++
		}
	}
	for i := range s.hands {
		if rules.Player(i) != p && s.hands[i].colored {
			n += int(s.hands[i].colors[c])
		}
	}
	return n
}

// handOf is the player's hand, an unknown one for a player who is not there.
func (s *State) handOf(p rules.Player) hand {
	if p < 0 || int(p) >= len(s.hands) {
		return hand{}
	}
	return s.hands[p]
}

// Left is how many dice of a color a player has not placed; known is false where that cannot be told.
func (s *State) Left(p rules.Player, c table.Color) (n int, known bool) {
	h, i := s.handOf(p), scoring.BoxColor(c)
	if i < 0 || !h.colored {
		return 0, i < 0
	}
	return int(h.colors[i]), true
}

// Must is what the rules ask of a player, by steps 1 to 3 of RULES.md 2.5: "place",
// "reroll" or "pass"; "" where the hand is not known.
func (s *State) Must(p rules.Player) string {
	h := s.handOf(p)
	fits, known := s.fits(p)
	switch {
	case !known:
		return ""
	case h.size == 0:
		return "pass"
	case fits:
		return "place"
	}
	return "reroll"
}

// MustPass is the pass of a player who has no dice left.
func (s *State) MustPass() (rules.Move, bool) {
	if p := s.ToMove(); p >= 0 && s.rolled && s.Must(p) == "pass" {
		return Act{By: p, Kind: Pass}, true
	}
	return nil, false
}

// draftOrder is who picks, counted clockwise from who picks first (RULES.md 2.2).
var draftOrder = [8]rules.Player{0, 1, 2, 3, 3, 2, 1, 0}

func (s *State) drafting() bool {
	return !s.rolled && len(s.picks) > 0 && len(s.picks) < len(draftOrder)
}

// drafter is who picks next.
func (s *State) drafter() rules.Player { return (s.picks[0].By + draftOrder[len(s.picks)]) % 4 }

// ToMove is the player whose turn it is, or who drafts; Nature while a roll is awaited.
func (s *State) ToMove() rules.Player {
	switch {
	case s.drafting():
		return s.drafter()
	case !s.rolled:
		return rules.Nature
	case s.Over():
		return rules.Nobody
	case s.unrolled() >= 0:
		return rules.Nature
	}
	return s.turn
}

// unrolled is a player whose roll has not been told although rolls are followed, -1 if there is none.
func (s *State) unrolled() int {
	if s.open {
		for p := range s.hands {
			if !s.hands[p].known {
				return p
			}
		}
	}
	return -1
}

// Score is one sheet per player, with a line for each color.
func (s *State) Score() []scoring.Sheet {
	tally := s.Tally()
	sheets := make([]scoring.Sheet, len(s.owners))
	for p, own := range s.owners {
		sheets[p].Player = p
		for _, c := range own {
			sheets[p].Total += tally[c]
			sheets[p].Lines = append(sheets[p].Lines, scoring.Line{Name: scoring.BoxColors[c].String(), Points: tally[c]})
		}
	}
	return sheets
}

// Tally is the pips of each color that count, in the order of scoring.BoxColors.
func (s *State) Tally() [4]int {
	t := scoring.TallyBox(s.grid[:])
	if s.scoreUnplaced {
		for i := range s.hands {
			for c := range s.hands[i].dice {
				for f, n := range s.hands[i].dice[c] {
					t[c] += f * int(n)
				}
			}
		}
	}
	return t
}

// Unclaimed is the tally of every color that nobody owns, by its letter.
func (s *State) Unclaimed() map[string]int {
	m := map[string]int{}
	for c, n := range s.Tally() {
		if !s.owned(c) {
			m[letters[c:c+1]] = n
		}
	}
	return m
}

func (s *State) owned(color int) bool {
	for _, own := range s.owners {
		for _, c := range own {
			if c == color {
				return true
			}
		}
	}
	return false
}

// Winners lists who wins, or would win now.
func (s *State) Winners() []rules.Player {
	totals := make([]int, len(s.owners))
	for p, sheet := range s.Score() {
		totals[p] = sheet.Total
	}
	unclaimed := 0
	for _, n := range s.Unclaimed() {
		unclaimed = max(unclaimed, n)
	}
	var win []rules.Player
	for _, p := range scoring.BoxWinners(totals, unclaimed) {
		win = append(win, rules.Player(p))
	}
	return win
}
