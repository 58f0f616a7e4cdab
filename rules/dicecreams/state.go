package dicecreams

import (
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// phase is where a turn stands (RULES.md 4.4).
type phase uint8

const (
	drawing  phase = iota // the Fridge is to be filled
	drafting              // each player takes or discards one die
	melting               // three dice are left; nothing has melted yet
	cleaning              // melted; empty IceCreams may go, then the three dice do
)

var phaseNames = [...]string{"draw", "draft", "melt", "clean"}

// place is where a card is.
type place uint8

const (
	inDeck place = iota
	displayed
	started
	completed
	discarded
	outOfGame
)

// cream is a card in the game.
type cream struct {
	place place
	owner int              // started, completed
	dice  [spots]table.Die // started; no color: empty
	order int              // when it was discarded
}

// full says whether all spots hold dice.
func (c *cream) full() bool {
	for _, d := range c.dice {
		if d.Color == table.NoColor {
			return false
		}
	}
	return true
}

// dutyKind is something that must come next.
type dutyKind uint8

const (
	mustReveal   dutyKind = iota // a card fills the display
	mustGain                     // Sprinkles of a bonus
	mustRoll                     // a die is drawn and rolled
	mustSet                      // that die is placed or set aside
	mustComplete                 // resolves itself: is the IceCream full now?
	mustServe                    // a token goes on one of the satisfied Customers
	mustAway                     // card and dice are put away
	mustBonus                    // resolves itself: the completion bonus
	mustSecond                   // a second token, or not
)

// duty is one of them; the last of a State's todo comes first, so bonuses resolve depth first.
type duty struct {
	kind      dutyKind
	seat      int
	count     int       // Sprinkles to gain; orange dice of a completed IceCream
	die       table.Die // mustSet
	card      int
	customer  int // served, -1 none
	bonus     Bonus
	satisfied []int // mustServe: Customers
}

// fulfills is the act that does each duty, and neglect the code of doing something else.
var fulfills = [...]Kind{mustReveal: Reveal, mustGain: Gain, mustRoll: Roll, mustSet: Set, mustServe: Serve, mustAway: Away, mustSecond: Second}

var neglect = [...]string{
	mustReveal: "DC-REFILL", mustGain: "DC-BONUS", mustRoll: "DC-BONUS", mustSet: "DC-MUSTPLACE",
	mustServe: "DC-TOKEN-MISSING", mustAway: "DC-COMPLETE", mustSecond: "DC-BONUS",
}

// State is a position between two acts. It is never changed once others see it.
type State struct {
	opt   *options
	box   *Box
	seats int

	phase   phase
	turn    int // number of the turn, from 0
	lead    int // who has the first player token
	drafter int // whose draft step it is
	picked  bool
	ending  bool // a fifth IceCream is completed
	over    bool
	todo    []duty

	fridge    []table.Die
	unseen    []table.Die // on the Fridge too: their colors alone are known, if at all
	pouch     [5]int      // by scoring.Flavours, with the dice that are out of it and whose color nobody knows
	aside     [5]int
	hazy      int               // dice set aside whose color nobody knows
	creams    []cream           // by Box.Cards
	tossed    int               // cards discarded so far
	tokens    [customers][]int8 // seats by order of arrival
	pouring   [maxSeats]int     // own tokens left
	sprinkles [maxSeats]int
	supply    int
}

func newState(opt *options, box *Box, seats int) *State {
	s := &State{opt: opt, box: box, seats: seats, creams: make([]cream, len(box.Cards)), supply: opt.sprinkles}
	for i := range s.pouch {
		s.pouch[i] = perFlavour
	}
	for p := range seats {
		s.pouring[p] = opt.tokens
	}
	s.settle()
	return s
}

// clone is a copy that may be changed.
func (s *State) clone() *State {
	c := *s
	c.todo = slices.Clone(s.todo)
	c.fridge = slices.Clone(s.fridge)
	c.unseen = slices.Clone(s.unseen)
	c.creams = slices.Clone(s.creams)
	for i := range s.tokens {
		c.tokens[i] = slices.Clone(s.tokens[i])
	}
	return &c
}

// cardIndex finds a card by its id, -1 if there is none.
func (s *State) cardIndex(id string) int {
	return slices.IndexFunc(s.box.Cards, func(c Card) bool { return c.ID == id })
}

func (s *State) customerIndex(id string) int {
	return slices.IndexFunc(s.box.Customers, func(c Customer) bool { return c.ID == id })
}

// count is how many cards are at a place, of an owner where one counts.
func (s *State) count(p place, owner int) (n int) {
	for i := range s.creams {
		if c := &s.creams[i]; c.place == p && (owner < 0 || c.owner == owner) {
			n++
		}
	}
	return n
}

// unfinished is how many IceCreams with fewer than three dice a player has. One that
// is full waits for its last bonus and then is completed.
func (s *State) unfinished(seat int) (n int) {
	for i := range s.creams {
		if c := &s.creams[i]; c.place == started && c.owner == seat && !c.full() {
			n++
		}
	}
	return n
}

// shown is how many cards players can choose from when the display is full.
func (s *State) shown() int {
	if s.opt.deckTop {
		return shownCards + 1
	}
	return shownCards
}

// revealable lists the cards that may be the next one of the deck. The order of the
// deck is nobody's to know, except for cards put under it.
func (s *State) revealable() (cards []int) {
	for i := range s.creams {
		if s.creams[i].place == inDeck {
			cards = append(cards, i)
		}
	}
	if len(cards) > 0 {
		return cards
	}
	for i := range s.creams {
		if s.creams[i].place == discarded {
			cards = append(cards, i)
		}
	}
	switch s.opt.discarded {
	case "out_of_game":
		return nil
	case "bottom_of_deck":
		slices.SortFunc(cards, func(a, b int) int { return s.creams[a].order - s.creams[b].order })
		return cards[:min(1, len(cards))]
	}
	return cards
}

// target is the spot of a card as a player sees it.
func (s *State) target(seat int, card string, spot int) target {
	t := target{card: card, spot: spot}
	i := s.cardIndex(card)
	if i < 0 {
		return t
	}
	c := &s.creams[i]
	for j, sp := range s.box.Cards[i].Spots {
		t.colors[j] = sp.Color
	}
	switch {
	case c.place == displayed:
		t.where = onDisplay
	case c.place == started && c.owner == seat:
		t.where, t.dice = own, c.dice
	case c.place == completed && c.owner == seat:
		t.where, t.finished = own, true
	}
	return t
}

// canPlace says whether a die of that color fits anywhere for the player.
func (s *State) canPlace(seat int, c table.Color) bool {
	under := s.unfinished(seat)
	for i := range s.creams {
		for spot := range spots {
			if s.creams[i].place <= started && fits(c, s.target(seat, s.box.Cards[i].ID, spot), under) {
				return true
			}
		}
	}
	return false
}

func (s *State) setAside(d table.Die) {
	if i := scoring.FlavourIndex(d.Color); i >= 0 {
		s.aside[i]++
	}
}

// left counts the dice on the Fridge by color, as far as that is known: what melting takes off.
func (s *State) left() [5]int { return colorCount(slices.Concat(s.fridge, s.unseen)) }

func colorCount(dice []table.Die) (n [5]int) {
	for _, d := range dice {
		if i := scoring.FlavourIndex(d.Color); i >= 0 {
			n[i]++
		}
	}
	return n
}

// next is the duty that comes first, nil if there is none.
func (s *State) next() *duty {
	if len(s.todo) == 0 {
		return nil
	}
	return &s.todo[len(s.todo)-1]
}

func (s *State) push(d duty) { s.todo = append(s.todo, d) }

func (s *State) pop() { s.todo = s.todo[:len(s.todo)-1] }

// ToMove is who must act.
func (s *State) ToMove() rules.Player {
	if s.over {
		return rules.Nobody
	}
	if d := s.next(); d != nil {
		if d.kind == mustReveal || d.kind == mustRoll {
			return rules.Nature
		}
		return rules.Player(d.seat)
	}
	switch s.phase {
	case drawing:
		return rules.Nature
	case drafting:
		return rules.Player(s.drafter)
	}
	return rules.Player(s.lead)
}
