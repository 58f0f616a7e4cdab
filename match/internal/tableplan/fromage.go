package tableplan

import (
	"errors"
	"slices"

	"diceref/rules"
	"diceref/rules/fromage"
	"diceref/scoring"
	"diceref/table"
)

const (
	shop = "shop"
	cart = "cart"
)

// cheese is a game of Fromage á Trois under way.
type cheese struct {
	*Plan
	s      *fromage.State
	turn   int
	places []string
	todo   []string // mistakes still to be made, in this order
}

// playFromage plays three players to the end.
func playFromage(p *Plan) error {
	p.names = []string{"Ann", "Ben", "Cleo"}
	c := &cheese{Plan: p, places: []string{"place 1", "place 2", "place 3"}, todo: []string{"three", "turned", "mixed", "set", "both", "six"}}
	p.top.zones = []*zone{
		rows(shop, "shop", 0, 62, 9, 3),
		rows(cart, "cart", 0, -9, 7, 1),
		rows(c.places[0], "place", 0, -80, 10, 2).of(0),
		rows(c.places[1], "place", -178, -4, 2, 8).of(1),
		rows(c.places[2], "place", 178, -4, 2, 8).of(2),
	}
	p.Clutter = []clutter{{"card", -150, 168}, {"pad", 140, 165}, {"cup", 225, 190}, {"card", -205, -150}}
	colors := []table.Color{table.White, table.White, table.Red, table.White, table.Blue}
	for i := range fromage.Dice {
		p.top.pieces = append(p.top.pieces, &piece{color: colors[i%len(colors)], left: i%2 == 0, face: 1 + p.top.rng.IntN(6)})
	}
	start, err := fromage.Game.New(rules.Setup{Players: len(p.names)})
	if err != nil {
		return err
	}
	c.s = start.(*fromage.State)
	c.show()
	p.snap("The dice lie in the Cheese Shop.")
	for c.s.ToMove() != rules.Nobody {
		if c.turn++; c.turn > 60 {
			return errors.New("the game does not end")
		}
		c.playTurn()
	}
	p.Left = c.todo
	p.finish(c.s)
	return nil
}

func (c *cheese) view() fromage.View { return c.s.Show(rules.Nobody).(fromage.View) }

// show lays the dice as the state has them.
func (c *cheese) show() {
	v := c.view()
	wishes := map[string][]wish{cart: facing(v.Cart)}
	left := fromage.Dice - len(v.Cart)
	for i, h := range v.Hands {
		wishes[c.places[i]] = facing(h)
		left -= len(h)
	}
	wishes[shop] = slices.Repeat([]wish{{slot: -1}}, left)
	c.top.lay(wishes)
}

func facing(faces []int) (list []wish) {
	for _, f := range faces {
		list = append(list, wish{face: f, slot: -1})
	}
	return list
}

// do plays an act and lays the dice.
func (c *cheese) do(m fromage.Move) {
	c.open = append(c.open, c.judged(c.s, m))
	c.apply(m)
	c.show()
}

func (c *cheese) apply(m fromage.Move) {
	next, err := c.s.Apply(m)
	if err != nil {
		panic(err)
	}
	c.s = next.(*fromage.State)
}

// wrong plays an illegal act for one picture; then it is taken back.
func (c *cheese) wrong(m fromage.Move, note string) {
	before := c.s
	c.do(m)
	c.snap(note)
	c.s = before
	c.show()
	c.open = append(c.open, event{Type: "takeback", Player: c.name(m.Seat)})
	c.snap("It is taken back.")
}

// due takes the next mistake from the list if it is that one.
func (c *cheese) due(what string) bool {
	if len(c.todo) == 0 || c.todo[0] != what || c.turn < 3 {
		return false
	}
	c.todo = c.todo[1:]
	return true
}

func (c *cheese) one(in int) bool { return c.top.rng.IntN(in) == 0 }

func (c *cheese) playTurn() {
	n := 5
	if c.one(4) {
		n = 3 + c.top.rng.IntN(2)
	}
	who := int(c.s.ToMove())
	if len(c.todo) == 1 && c.view().Shop > 10 && c.due("six") {
		n = 6
	}
	was, alone := c.view().Cart, len(c.open) == 0
	roll := c.s.Throw(n, c.top.rng)
	for slices.Equal(roll.Dice.List(), was) {
		roll = c.s.Throw(n, c.top.rng)
	}
	c.do(roll)
	if n == 6 || c.turn < 4 || !alone || c.one(2) { // two acts in one picture, never three
		c.snap("Rolled.")
	}
	c.planted()
	c.choose()
	c.snap("Kept or taken.")
	c.answer()
	if list := fromage.Fromages(c.s); len(list) > 0 {
		c.do(list[c.top.rng.IntN(len(list))].(fromage.Move))
		c.snap("A Fromage.")
		c.answer()
	}
	if c.one(5) {
		c.reach(cart, "A hand over the Cart.", c.top.zone(c.places[who]))
	}
	c.end()
}

// planted makes the next mistake of the list, if this turn offers it.
func (c *cheese) planted() {
	v := c.view()
	by := rules.Player(v.Turn)
	if len(c.todo) == 0 || len(c.open) > 0 {
		return
	}
	switch c.todo[0] {
	case "three":
		if len(v.Cart) >= 4 && c.due("three") {
			c.wrong(fromage.Move{Seat: by, Kind: fromage.Keep, Dice: faces(v.Cart[:3])}, "Three dice are kept.")
		}
	case "turned":
		c.turned(v)
	case "mixed":
		for p, h := range v.Hands {
			if p != v.Turn && len(h) >= 2 && h[0] != h[len(h)-1] && c.due("mixed") {
				c.wrong(fromage.Move{Seat: by, Kind: fromage.Steal, From: rules.Player(p), Dice: faces([]int{h[0], h[len(h)-1]})}, "Two different dice are taken.")
				return
			}
		}
	case "both":
		steals := fromage.Steals(c.s)
		if len(steals) > 0 && c.due("both") {
			c.keep()
			c.snap("Kept.")
			c.wrong(steals[0].(fromage.Move), "And a set taken, too.")
		}
	}
}

// turned sets a kept die down with another face than it had, and then right.
func (c *cheese) turned(v fromage.View) {
	if len(v.Cart) < 4 || !c.due("turned") {
		return
	}
	before := c.s
	c.keepOf(v)
	after := c.s
	mine, was := c.view().Hands[v.Turn], c.open
	c.open = nil
	lost := v.Cart // what was kept, as it lay
	for _, f := range c.view().Cart {
		i := slices.Index(lost, f)
		lost = slices.Delete(slices.Clone(lost), i, i+1)
	}
	other := 7 - lost[0]
	for slices.Contains(v.Cart, other) || slices.Contains(mine, other) {
		other = 1 + other%6
		if other == 7-lost[0] {
			break
		}
	}
	c.s = before
	wishes := map[string][]wish{cart: facing(c.viewOf(after).Cart)}
	for i, h := range c.viewOf(after).Hands {
		if i == v.Turn {
			h = slices.Clone(h)
			h[slices.Index(h, lost[0])] = other
		}
		wishes[c.places[i]] = facing(h)
	}
	wishes[shop] = slices.Repeat([]wish{{slot: -1}}, v.Shop)
	c.top.lay(wishes)
	c.snap("A kept die was set down with another face.").Doubt = true
	c.s, c.open = after, was
	c.show()
}

func (c *cheese) viewOf(s *fromage.State) fromage.View { return s.Show(rules.Nobody).(fromage.View) }

func (c *cheese) keep() { c.keepOf(c.view()) }

// keepOf keeps the dice that go best with the hand.
func (c *cheese) keepOf(v fromage.View) {
	hand := faces(v.Hands[v.Turn])
	best, worth := fromage.Move{}, -1
	legal, _ := c.s.Legal()
	for _, m := range legal {
		a := m.(fromage.Move)
		if a.Kind != fromage.Keep {
			continue
		}
		if w := valueOf(hand.Plus(a.Dice)); w > worth {
			best, worth = a, w
		}
	}
	c.do(best)
}

// valueOf likes dice that are alike.
func valueOf(f scoring.Faces) (v int) {
	for _, k := range f {
		v += int(k) * int(k)
	}
	return v
}

// choose keeps or steals, unless a planted mistake did so already.
func (c *cheese) choose() {
	legal, _ := c.s.Legal()
	if !slices.ContainsFunc(legal, func(m rules.Move) bool { return m.(fromage.Move).Kind == fromage.Keep }) {
		return
	}
	v := c.view()
	steals := fromage.Steals(c.s)
	for _, m := range steals {
		a := m.(fromage.Move)
		have := faces(v.Hands[v.Turn])
		if valueOf(have.Plus(a.Dice))-valueOf(have) >= 8 || c.one(12) {
			c.do(a)
			return
		}
	}
	c.keep()
}

// answer settles what is owed: dice are seen, points and nothing are said.
func (c *cheese) answer() {
	for {
		v := c.view()
		if len(v.Owed) == 0 {
			return
		}
		o := v.Owed[0]
		m := fromage.Move{Seat: rules.Player(o.Player), Kind: fromage.Compensate}
		if len(v.Cart) >= o.Dice && !c.one(3) {
			m.Dice = faces(v.Cart[len(v.Cart)-o.Dice:])
			c.do(m)
			c.snap("Dice from the Cart for it.")
			continue
		}
		m.Pointed, m.Points = true, o.Points
		c.say(c.s, m)
		c.apply(m)
	}
}

// end returns the sets and the Cart, now and then in one picture with the next roll.
func (c *cheese) end() {
	v := c.view()
	back, _ := scoring.FromageSets(faces(v.Hands[v.Turn]))
	m := fromage.Move{Seat: rules.Player(v.Turn), Kind: fromage.End, Returned: true, Dice: back}
	if len(c.todo) > 0 && c.todo[0] == "set" && back.Len() > 0 && c.due("set") {
		m.Dice = scoring.Faces{}
		c.do(m)
		c.snap("The Cart is cleared, but a set stays in the hand.")
		return
	}
	c.do(m)
	if back.Len() > 0 && !c.one(4) || c.one(3) || c.s.ToMove() == rules.Nobody {
		c.snap("The turn ends.")
	}
}

func faces(list []int) (f scoring.Faces) {
	for _, v := range list {
		f[v]++
	}
	return f
}
