package tableplan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"diceref/rules"
	"diceref/rules/dicecreams"
	"diceref/table"
)

const (
	fridge = "fridge"
	aside  = "set aside"
	tray   = "tray"
)

// creams is a game of DiceCreams! under way.
type creams struct {
	*Plan
	s      *dicecreams.State
	places []string
	cards  []map[string]int // where each player's IceCreams lie, 0 or 1
	todo   []string         // mistakes still to be made, in this order
	turn   int
}

// playCreams plays two players to the end.
func playCreams(p *Plan) error {
	p.names = []string{"Ann", "Ben"}
	c := &creams{Plan: p, places: []string{"place 1", "place 2"}, cards: []map[string]int{{}, {}}, todo: []string{"four", "turned", "twice", "face", "melt"}}
	p.top.zones = []*zone{
		rows(fridge, "fridge", -104, 0, 5, 2), rows(aside, "supply", 66, 0, 8, 3), rows(tray, "tray", -104, 62, 2, 1),
		c.place(0, -108), c.place(1, 124),
	}
	p.Clutter = []clutter{{"card", 210, -40}, {"card", 214, 45}, {"pad", -222, -60}, {"cup", -235, 110}}
	for i := range 25 {
		color := []table.Color{table.Green, table.Blue, table.Yellow, table.Black, table.Orange}[i/5]
		p.top.pieces = append(p.top.pieces, &piece{color: color, left: i%2 == 0, face: 1})
	}
	start, err := dicecreams.Game.New(rules.Setup{Players: len(p.names)})
	if err != nil {
		return err
	}
	c.s = start.(*dicecreams.State)
	c.show()
	p.snap("Nothing lies on the table but the cards.")
	for c.s.ToMove() != rules.Nobody {
		if c.turn++; c.turn > 80 {
			return errors.New("the game does not end")
		}
		c.playTurn()
	}
	p.Left = c.todo
	p.finish(c.s)
	return nil
}

// place is a player's zone with two IceCreams of three spots each.
func (c *creams) place(seat int, y float64) *zone {
	z := &zone{Name: c.places[seat], Kind: "place", X: 0, Y: y, W: 300, H: 64}
	for card := range 2 {
		for spot := range 3 {
			z.Slots = append(z.Slots, [2]float64{float64(card*2-1)*76 + float64(spot-1)*32, y - 6})
		}
	}
	z.slots = z.Slots
	return z.of(seat)
}

func (c *creams) view() dicecreams.View { return c.s.Show(rules.Nobody).(dicecreams.View) }

func dieOf(text string) table.Die {
	n := len(text) - 1
	color, err := table.ParseColor(text[:n])
	if err != nil {
		panic(err)
	}
	return table.Die{Color: color, Face: int(text[n] - '0')}
}

// wishes is where the dice are in the position.
func (c *creams) wishes() map[string][]wish {
	v := c.view()
	w := map[string][]wish{}
	for _, text := range v.Fridge {
		d := dieOf(text)
		w[fridge] = append(w[fridge], wish{d.Color, d.Face, -1})
	}
	for i, p := range v.Players {
		held := map[string]int{}
		for _, cream := range p.Creams {
			at, known := c.cards[i][cream.ID]
			if !known {
				at = room(c.cards[i], p.Creams)
			}
			held[cream.ID] = at
			for spot, text := range cream.Dice {
				if text != nil {
					d := dieOf(*text)
					w[c.places[i]] = append(w[c.places[i]], wish{d.Color, d.Face, at*3 + spot})
				}
			}
		}
		c.cards[i] = held
	}
	for _, name := range []string{"green", "blue", "yellow", "black", "orange"} {
		color, _ := table.ParseColor(name)
		w[aside] = append(w[aside], slices.Repeat([]wish{{color, 0, -1}}, v.Aside[name])...)
	}
	if v.Drawn != "" {
		d := dieOf(v.Drawn)
		w[tray] = []wish{{d.Color, d.Face, -1}}
	}
	return w
}

// room is where a player's new IceCream comes to lie: where none does, or else where one is full and about to go.
func room(cards map[string]int, creams []dicecreams.CreamView) int {
	var taken [2]int
	for _, cream := range creams {
		if at, known := cards[cream.ID]; known {
			taken[at]++
			if slices.Contains(cream.Dice[:], nil) {
				taken[at]++
			}
		}
	}
	if taken[1] < taken[0] {
		return 1
	}
	return 0
}

func (c *creams) show() { c.top.lay(c.wishes()) }

// apply plays an act.
func (c *creams) apply(m rules.Move) {
	next, err := c.s.Apply(m)
	if err != nil {
		panic(err)
	}
	c.s = next.(*dicecreams.State)
}

// see plays an act that the next picture shows, and what it forces.
func (c *creams) see(m rules.Move) {
	if m.Actor() != rules.Nature {
		c.open = append(c.open, c.judged(c.s, m))
	}
	c.apply(m)
	c.forced(func(m rules.Move) { c.open = append(c.open, c.judged(c.s, m)) })
	c.show()
}

// tell plays an act that a player says after the last picture.
func (c *creams) tell(m rules.Move) {
	if len(c.open) > 0 {
		c.snap("Seen so far.")
	}
	if m.Actor() == rules.Nature {
		c.Says = append(c.Says, said{Frame: len(c.Steps) - 1, Say: "play", Move: m.String()})
	} else {
		c.say(c.s, m)
	}
	c.apply(m)
	c.forced(func(m rules.Move) {
		s := &c.Truth.Steps[len(c.Truth.Steps)-1]
		e := c.judged(c.s, m)
		e.Said = true
		s.Events = append(s.Events, e)
	})
	c.show()
}

// forced plays what the rules leave no choice about and no camera sees: Sprinkles of a
// bonus, and the token on the only Customer who is satisfied.
func (c *creams) forced(note func(rules.Move)) {
	for {
		legal, _ := c.s.Legal()
		if len(legal) != 1 {
			return
		}
		m := legal[0].(dicecreams.Move)
		if m.Kind != dicecreams.Gain && m.Kind != dicecreams.Serve {
			return
		}
		note(m)
		c.apply(m)
	}
}

func (c *creams) one(in int) bool { return c.top.rng.IntN(in) == 0 }

// nature draws or rolls, which is seen, or reveals a card, which is said.
func (c *creams) nature() {
	for c.s.ToMove() == rules.Nature {
		m := c.s.Chance(c.top.rng).(dicecreams.Move)
		switch m.Kind {
		case dicecreams.Reveal:
			c.tell(m)
		case dicecreams.Draw:
			c.draw(m)
		default:
			c.see(m)
			c.snap("A die is drawn and rolled.")
		}
	}
}

// draw fills the Fridge, once with a die too few at first.
func (c *creams) draw(m dicecreams.Move) {
	before := c.s
	c.see(m)
	if c.due("four") {
		w := c.wishes()
		w[fridge] = w[fridge][1:]
		after, open := c.s, c.open
		c.s, c.open = before, nil
		c.top.lay(w)
		c.snap("A die too few is drawn.").Doubt = true
		c.s, c.open = after, open
		c.show()
	}
	c.snap("The Fridge is filled.")
}

// due takes the next mistake from the list if it is that one.
func (c *creams) due(what string) bool {
	if len(c.todo) == 0 || c.todo[0] != what || c.turn < 2 {
		return false
	}
	c.todo = c.todo[1:]
	return true
}

func (c *creams) playTurn() {
	c.nature()
	for c.s.ToMove() != rules.Nobody && c.view().Phase == "draft" {
		c.draft()
	}
	if c.s.ToMove() == rules.Nobody {
		return
	}
	c.melt()
	c.clean()
}

// legalOf lists the legal acts of a kind.
func (c *creams) legalOf(kinds ...dicecreams.Kind) (list []dicecreams.Move) {
	legal, _ := c.s.Legal()
	for _, m := range legal {
		if a := m.(dicecreams.Move); slices.Contains(kinds, a.Kind) {
			list = append(list, a)
		}
	}
	return list
}

// draft is one player's step: a die, what follows from it, and the end of the step.
func (c *creams) draft() {
	who := c.view().Drafter
	takes := c.legalOf(dicecreams.Take)
	if len(takes) == 0 {
		c.see(c.legalOf(dicecreams.Discard)[0])
		c.snap("A die is discarded.")
	} else {
		c.put(c.best(takes))
	}
	c.settle()
	if c.s.ToMove() == rules.Nobody || c.view().Phase != "draft" || c.view().Drafter != who {
		c.twice(who)
		return
	}
	if buys := c.legalOf(dicecreams.Buy); len(buys) > 0 && c.one(2) && c.canSet() {
		c.tell(buys[0])
		c.settle()
	}
	if done := c.legalOf(dicecreams.Done); len(done) > 0 {
		c.tell(done[0])
	}
	c.twice(who)
}

// canSet says whether a die of any color could be placed by the player whose turn it is.
func (c *creams) canSet() bool { return len(c.view().Players[c.view().Drafter].Creams) < 2 }

// put places a die: seen if the camera can say where, else said beforehand or when asked.
func (c *creams) put(m dicecreams.Move) {
	m = c.first(m)
	note := fmt.Sprintf("%s is placed on %s.", m.Die.Color, m.Card)
	switch {
	case c.ways(m) > 1 && m.Kind == dicecreams.Take && m.Delta == 0 && c.view().Players[m.Seat].Sprinkles == 0 && c.quiet(m) && !c.s.Full(m) && c.todoIs("turned"):
		c.turned(m)
		c.away()
		c.snap(note)
		return
	case c.ways(m) > 1 && !c.one(8):
		c.tell(m)
		if c.away(); len(c.open) == 0 && !c.one(3) {
			return // the next picture shows more than this
		}
	case c.ways(m) > 1: // shown first, and said when asked
		c.asked(m)
		return
	case m.Kind == dicecreams.Take && m.Delta == 0 && c.view().Players[m.Seat].Sprinkles == 0 && c.quiet(m) && c.due("face"):
		c.wrongFace(m)
		return
	default:
		c.see(m)
	}
	c.away()
	c.snap(note)
}

func (c *creams) todoIs(what string) bool { return len(c.todo) > 0 && c.todo[0] == what && c.due(what) }

// asked shows where a die lies before anybody says on which card.
func (c *creams) asked(m dicecreams.Move) {
	before := c.s
	c.apply(m)
	c.show()
	after := c.s
	c.s = before
	c.snap("A die is placed, and nobody says where.").Doubt = true
	last := &c.Truth.Steps[len(c.Steps)-1]
	last.Events = append(last.Events, c.judged(before, m))
	choice := m.String()
	c.s = after
	c.forced(func(m rules.Move) {
		last.Events = append(last.Events, c.judged(c.s, m))
		choice += ", then " + m.String()
	})
	c.Says = append(c.Says, said{Frame: len(c.Steps) - 1, Say: "answer", Choice: choice})
	c.show()
	c.away()
	if len(c.open) > 0 {
		c.snap("Put away.")
	}
}

// first is the move with the first of those spots of its card that are all the same.
func (c *creams) first(m dicecreams.Move) dicecreams.Move {
	for spot := range m.Spot {
		other := m
		other.Spot = spot
		if c.s.Check(other) == nil && c.spot(m.Card, spot) == c.spot(m.Card, m.Spot) {
			return other
		}
	}
	return m
}

func (c *creams) spot(card string, i int) dicecreams.Spot {
	v := c.view()
	for _, shown := range v.Display {
		if shown.ID == card {
			return shown.Spots[i]
		}
	}
	for _, p := range v.Players {
		for _, cream := range p.Creams {
			if cream.ID == card {
				return cream.Spots[i]
			}
		}
	}
	panic("no card " + card)
}

// ways counts the different spots where the die of a move might lie just as well.
func (c *creams) ways(m dicecreams.Move) int {
	found := map[string]bool{}
	for _, o := range c.legalOf(m.Kind) {
		if o.Card == dicecreams.Aside || o.Die != m.Die || o.Delta != m.Delta {
			continue
		}
		o = c.first(o)
		found[fmt.Sprint(o.Card, o.Spot)] = true
	}
	return len(found)
}

// settle does what has to follow a placement: cards, bonuses, drawn dice.
func (c *creams) settle() {
	for c.s.ToMove() != rules.Nobody {
		c.nature()
		if sets := c.legalOf(dicecreams.Set); len(sets) > 0 {
			if sets[0].Card == dicecreams.Aside {
				c.see(sets[0])
				c.snap("The drawn die is set aside.")
			} else {
				c.put(c.best(sets))
			}
			continue
		}
		if serves := c.legalOf(dicecreams.Serve, dicecreams.Second); len(serves) > 0 {
			c.tell(serves[0])
			c.away()
			if len(c.open) > 0 {
				c.snap("Put away.")
			}
			continue
		}
		if c.away(); len(c.open) > 0 {
			c.snap("Put away.")
			continue
		}
		if c.s.ToMove() != rules.Nature {
			return
		}
	}
}

// away puts a finished IceCream away.
func (c *creams) away() {
	for _, m := range c.legalOf(dicecreams.Away) {
		c.see(m)
	}
}

// best picks the placement that helps most.
func (c *creams) best(list []dicecreams.Move) dicecreams.Move {
	v := c.view()
	value := func(m dicecreams.Move) int {
		after, err := c.s.Apply(m)
		if err != nil {
			panic(err)
		}
		worth := 3*m.Die.Face - 8*max(m.Delta, -m.Delta)
		if m.Card == dicecreams.Aside {
			return -100
		}
		if c.spot(m.Card, m.Spot).Bonus == dicecreams.DrawDie {
			worth += 14
		}
		seen := after.Show(rules.Nobody).(dicecreams.View)
		for _, cream := range seen.Players[m.Seat].Creams {
			n := 0
			for _, d := range cream.Dice {
				if d != nil {
					n++
				}
			}
			worth += []int{0, 10, 24, 60}[n]
		}
		if len(v.Display) > 0 && strings.HasSuffix(m.Card, "1") {
			worth++
		}
		return worth
	}
	return slices.MaxFunc(list, func(a, b dicecreams.Move) int { return value(a) - value(b) })
}

// melt lowers the dice, once one of them too far.
func (c *creams) melt() {
	m := c.legalOf(dicecreams.Melt)[0]
	before, bad := c.s, c.tooFar(m)
	if bad.List != m.List && c.due("melt") {
		c.open = append(c.open, c.judged(c.s, bad))
		c.apply(bad)
		c.show()
		c.snap("A die melts too far.")
		c.s = before
		c.open = append(c.open, event{Type: "takeback", Player: c.name(m.Seat)})
		c.see(m)
		c.snap("It is corrected.")
		return
	}
	c.see(m)
	if m.List != "" && c.one(3) {
		c.snap("Melted.")
	}
}

// clean sets the last dice aside; mostly the next dice are drawn before anybody looks.
func (c *creams) clean() {
	if c.one(6) {
		c.reach(fridge, "A hand over the Fridge.", c.top.zone(c.places[c.view().Lead]))
	}
	c.see(c.legalOf(dicecreams.Clean)[0])
	if c.s.ToMove() == rules.Nobody || c.one(4) {
		c.snap("The Fridge is empty.")
	}
}
