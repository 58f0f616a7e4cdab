package tableplan

import (
	"fmt"
	"strings"

	"diceref/rules"
	"diceref/rules/dicecreams"
	"diceref/table"
)

// quiet says whether nothing is bound to follow an act that would have to be taken back with it.
func (c *creams) quiet(m dicecreams.Move) bool {
	before, open := c.s, c.open
	c.apply(m)
	after := c.s
	c.forced(func(rules.Move) {})
	quiet := c.s == after
	c.s, c.open = before, open
	return quiet
}

// turned says where a die goes, but it is set down with another face; then it is corrected.
func (c *creams) turned(m dicecreams.Move) {
	before := c.s
	c.tell(m)
	w := c.wishes()
	mine := w[c.places[m.Seat]]
	for i := range mine {
		if mine[i].color == m.Die.Color && mine[i].face == m.Die.Face {
			mine[i].face = 7 - m.Die.Face
			break
		}
	}
	c.top.lay(w)
	bad := m
	bad.Top = 7 - m.Die.Face
	c.open = append(c.open, event{Type: "takeback", Player: c.name(m.Seat)}, c.judged(before, bad))
	c.snap("It was set down with another face.")
	c.open = append(c.open, event{Type: "takeback", Player: c.name(m.Seat)}, c.judged(before, m))
	c.show()
}

// wrongFace places a die with another face than it had on the Fridge, unpaid.
func (c *creams) wrongFace(m dicecreams.Move) {
	before := c.s
	bad := m
	bad.Top = 1 + m.Die.Face%6
	c.open = append(c.open, c.judged(c.s, bad))
	c.apply(bad)
	c.show()
	c.snap("A die changed its face on the way.")
	if before.Full(m) {
		c.kept(before, m)
		return
	}
	c.s = before
	c.open = append(c.open, event{Type: "takeback", Player: c.name(m.Seat)})
	c.see(m)
	c.away()
	c.snap("It is turned back.")
}

// kept goes on after an illegal act that nobody corrects: the IceCream is put away.
func (c *creams) kept(before *dicecreams.State, m dicecreams.Move) {
	after := c.s
	c.s = before // as it would be drawn if the die were turned back and then put away
	next, err := c.s.Apply(m)
	if err != nil {
		panic(err)
	}
	c.s = next.(*dicecreams.State)
	c.show()
	c.s = after
	if serves := c.legalOf(dicecreams.Serve, dicecreams.Second); len(serves) > 0 {
		c.tell(serves[0])
	}
	c.away()
	c.snap("It is put away as it is.")
}

// twice lets the player who has drafted take a second die, and put it back.
func (c *creams) twice(who int) {
	v := c.view()
	if c.s.ToMove() == rules.Nobody || v.Phase != "draft" || v.Drafter == who || len(v.Players[who].Creams) == 0 || v.Next != "" || !c.due("twice") {
		return
	}
	cream := v.Players[who].Creams[0]
	for spot, d := range cream.Dice {
		want := cream.Spots[spot].Color
		for _, text := range v.Fridge {
			die := dieOf(text)
			if d != nil || want != table.NoColor && want != die.Color {
				continue
			}
			before := c.s
			m := dicecreams.Move{Seat: rules.Player(who), Kind: dicecreams.Take, Die: die, Card: cream.ID, Spot: spot}
			if !c.quiet(m) {
				continue
			}
			c.open = append(c.open, c.judged(c.s, m))
			c.apply(m)
			c.show()
			c.snap("The same player takes another die.")
			c.s = before
			c.show()
			c.open = append(c.open, event{Type: "takeback", Player: c.name(m.Seat)})
			c.snap("It is put back.")
			return
		}
	}
	c.todo = append([]string{"twice"}, c.todo...)
}

// tooFar is the melting with a die that lost one pip more than it should.
func (c *creams) tooFar(m dicecreams.Move) dicecreams.Move {
	words := strings.Fields(m.List)
	for _, l := range c.view().Melt {
		name := fmt.Sprintf("%s.%d=", l.Card, l.Spot)
		for i, w := range words {
			if was := int(l.Die[len(l.Die)-1] - '0'); strings.HasPrefix(w, name) && l.Becomes > 1 && l.Becomes < was {
				words[i] = name + fmt.Sprint(l.Becomes-1)
				m.List = strings.Join(words, " ")
				return m
			}
		}
	}
	return m
}
