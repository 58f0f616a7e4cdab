package dicecreams

import (
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Score is one sheet per player: completed IceCreams, tokens on Customers, Sprinkles (RULES.md 4.9).
func (s *State) Score() []scoring.Sheet {
	sheets := make([]scoring.Sheet, s.seats)
	for p := range sheets {
		creams := 0
		for i := range s.creams {
			if c := &s.creams[i]; c.place == completed && c.owner == p {
				creams += s.box.Cards[i].Fame
			}
		}
		_, tokens := s.tokensOf(p)
		sprinkles := s.sprinkles[p] / scoring.SprinklesPerFame
		sheets[p] = scoring.Sheet{Player: p, Total: creams + tokens + sprinkles, Lines: []scoring.Line{
			{Name: "icecreams", Points: creams}, {Name: "customers", Points: tokens}, {Name: "sprinkles", Points: sprinkles},
		}}
	}
	return sheets
}

// tokensOf counts a player's tokens on Customers and their Fame.
func (s *State) tokensOf(seat int) (n, fame int) {
	for i := range s.tokens {
		for order, p := range s.tokens[i] {
			if int(p) == seat {
				n++
				fame += s.box.Customers[i].fameOf(order)
			}
		}
	}
	return n, fame
}

// Winners lists who wins; before the end, who would.
func (s *State) Winners() []rules.Player {
	fame, tokens := make([]int, s.seats), make([]int, s.seats)
	for p, sheet := range s.Score() {
		fame[p] = sheet.Total
		tokens[p], _ = s.tokensOf(p)
	}
	var win []rules.Player
	for _, p := range scoring.CreamWinners(fame, tokens) {
		win = append(win, rules.Player(p))
	}
	return win
}

// Expect is the dice whose faces count: the Fridge and what is on IceCreams. The
// dice set aside lie about anyhow, so the whole of the loose dice is not known.
func (s *State) Expect() table.View {
	v := table.View{Loose: slices.Clone(s.fridge)}
	for _, l := range s.melt() {
		v.Loose = append(v.Loose, l.Die)
	}
	return v
}

// Propose says what became of the one die that left the Fridge, one line for each
// place where it may be. Which card a die is on is for the players to say.
func (s *State) Propose(seen table.Observation) (lines [][]rules.Move) {
	for _, m := range picks(s, seen.Dice) {
		lines = append(lines, []rules.Move{m})
	}
	return lines
}

// ProposeLoose takes the dice in view as the Fridge filled at the start of a turn,
// or as the one die that a bonus draws.
func (s *State) ProposeLoose(before, now []table.Reading) []rules.Move {
	dice := flavours(now)
	if s.over || dice == nil || before != nil && slices.Equal(flavours(before), dice) {
		return nil
	}
	switch d := s.next(); {
	case d != nil && d.kind == mustRoll && len(dice) == 1:
		return []rules.Move{Move{Seat: rules.Nature, Kind: Roll, Die: dice[0]}}
	case d == nil && s.phase == drawing && len(dice) == s.drawCount():
		return []rules.Move{Move{Seat: rules.Nature, Kind: Draw, List: diceText(dice)}}
	}
	return nil
}

// flavours is the dice read, in order; nil if one of them is none of this game.
func flavours(list []table.Reading) []table.Die {
	var dice []table.Die
	for _, r := range list {
		if scoring.FlavourIndex(r.Color) < 0 || r.Face < 1 || r.Face > 6 {
			return nil
		}
		dice = append(dice, r.Die)
	}
	sortDice(dice)
	return dice
}

// picks lists what may have become of the die that is missing on the Fridge.
func picks(s *State, seen []table.Reading) []rules.Move {
	dice := flavours(seen)
	if s.over || s.next() != nil || s.phase != drafting || s.picked || len(dice) != len(s.fridge)-1 || len(dice) != len(seen) {
		return nil
	}
	return s.proposePick(dice)
}

// proposePick lists what may have become of the one die that left the Fridge.
func (s *State) proposePick(now []table.Die) (moves []rules.Move) {
	before := slices.Clone(s.fridge)
	sortDice(before)
	gone := before[len(before)-1]
	for i := range now {
		if now[i] != before[i] {
			gone = before[i]
			break
		}
	}
	rest := slices.Clone(before)
	i := slices.Index(rest, gone)
	if !slices.Equal(slices.Delete(rest, i, i+1), now) {
		return nil
	}
	m := Move{Seat: rules.Player(s.drafter), Kind: Discard, Die: gone}
	moves = append(moves, m)
	m.Kind = Take
	for _, t := range s.placings(m, gone) {
		if t.Delta == 0 && len(s.check(&t)) == 0 {
			moves = append(moves, t)
		}
	}
	return moves
}

// View is the state as the page shows it.
type View struct {
	Phase     string         `json:"phase"` // draw, draft, melt or clean
	Lead      int            `json:"lead"`
	Drafter   int            `json:"drafter"`
	Picked    bool           `json:"picked"`
	Ending    bool           `json:"ending"` // a fifth IceCream is completed: this is the last turn
	Over      bool           `json:"over"`
	Fridge    []string       `json:"fridge"`
	Unseen    []string       `json:"unseen,omitempty"` // more dice on the Fridge, of which at most the color is known ("green?")
	Aside     map[string]int `json:"aside"`
	Pouch     map[string]int `json:"pouch"`
	Hazy      int            `json:"hazy,omitempty"` // dice set aside whose color nobody knows; the pouch counts them still
	Display   []Card         `json:"display"`
	Deck      int            `json:"deck"`
	Customers []CustomerView `json:"customers"`
	Players   []PlayerView   `json:"players"`
	Supply    int            `json:"supply"` // Sprinkles left, -1: no limit
	Next      string         `json:"next,omitempty"`
	Drawn     string         `json:"drawn,omitempty"` // the die that is to be placed or set aside
	Melt      []MeltView     `json:"melt,omitempty"`  // what every placed die is to become
	Winners   []int          `json:"winners,omitempty"`
	Cards     string         `json:"cards"` // labels of the data in use
	Sides     string         `json:"sides"`
}

// CustomerView is a Customer with the seats of its tokens by order of arrival.
type CustomerView struct {
	Customer
	Tokens []int8 `json:"tokens"`
}

// PlayerView is what lies before a player.
type PlayerView struct {
	Sprinkles int         `json:"sprinkles"`
	Tokens    int         `json:"tokens"` // left to put on Customers, -1: no limit
	Creams    []CreamView `json:"icecreams"`
	Done      []string    `json:"done"`
	Fame      int         `json:"fame"`
}

// CreamView is an IceCream under way.
type CreamView struct {
	Card
	Dice [spots]*string `json:"dice"`
}

// MeltView is a placed die and what it becomes: 0, it goes.
type MeltView struct {
	Player  int    `json:"player"`
	Card    string `json:"card"`
	Spot    int    `json:"spot"`
	Die     string `json:"die"`
	Becomes int    `json:"becomes"`
}

// Show is the state for anybody: what is hidden, the order of pouch and deck, nobody knows.
func (s *State) Show(rules.Player) any {
	v := View{
		Phase: phaseNames[s.phase], Lead: s.lead, Drafter: s.drafter, Picked: s.picked, Ending: s.ending, Over: s.over,
		Fridge: []string{}, Aside: colorMap(s.aside), Pouch: colorMap(s.pouch), Display: []Card{}, Deck: s.count(inDeck, -1),
		Hazy: s.hazy, Supply: limited(s.supply, s.opt.sprinkles), Cards: s.box.CardsLabel, Sides: s.box.CustomersLabel,
	}
	for _, d := range s.fridge {
		v.Fridge = append(v.Fridge, dieText(d))
	}
	for _, d := range s.unseen {
		v.Unseen = append(v.Unseen, dieText(d))
	}
	for i, c := range s.box.Customers {
		v.Customers = append(v.Customers, CustomerView{c, slices.Clone(s.tokens[i])})
	}
	sheets := s.Score()
	for p := range s.seats {
		v.Players = append(v.Players, PlayerView{
			Sprinkles: s.sprinkles[p], Tokens: limited(s.pouring[p], s.opt.tokens),
			Creams: []CreamView{}, Done: []string{}, Fame: sheets[p].Total,
		})
	}
	s.showCards(&v)
	if d := s.next(); d != nil {
		v.Next = s.reminder(d)
		if d.kind == mustSet {
			v.Drawn = dieText(d.die)
		}
	}
	if s.phase == melting {
		for _, l := range s.melt() {
			v.Melt = append(v.Melt, MeltView{l.Owner, l.Card, l.Spot, dieText(l.Die), l.After})
		}
	}
	if s.over {
		for _, p := range s.Winners() {
			v.Winners = append(v.Winners, int(p))
		}
	}
	return v
}

func (s *State) showCards(v *View) {
	for i := range s.creams {
		c, card := &s.creams[i], s.box.Cards[i]
		switch c.place {
		case displayed:
			v.Display = append(v.Display, card)
		case completed:
			v.Players[c.owner].Done = append(v.Players[c.owner].Done, card.ID)
		case started:
			cv := CreamView{Card: card}
			for j, d := range c.dice {
				if d.Color != table.NoColor {
					text := dieText(d)
					cv.Dice[j] = &text
				}
			}
			v.Players[c.owner].Creams = append(v.Players[c.owner].Creams, cv)
		}
	}
}

// limited is a number of tokens left, -1 where a house rule sets no limit.
func limited(n, of int) int {
	if of == unlimited {
		return -1
	}
	return n
}

func colorMap(n [5]int) map[string]int {
	m := map[string]int{}
	for i, c := range scoring.Flavours {
		m[c.String()] = n[i]
	}
	return m
}
