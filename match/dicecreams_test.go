package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"diceref/calibration"
	"diceref/match/internal/readings"
	"diceref/rules"
	"diceref/rules/dicecreams"
	"diceref/scoring"
	"diceref/table"
)

// creamTable is a table of DiceCreams!, as a camera that errs in nothing would see it.
type creamTable struct {
	t     *testing.T
	m     *Match
	s     *dicecreams.State // what really has happened
	zones []calibration.Zone
	rng   *rand.Rand
	frame int
	idle  bool // the dice on the Fridge melt nothing
}

func newCreamTable(t *testing.T, players []string, seed uint64) *creamTable {
	t.Helper()
	zones := append(calibration.ZonesFor(table.DiceCreams, len(players)), calibration.Zone{
		Name: "tray", Kind: calibration.ZoneTray, Outline: []table.Point{{X: 0.48, Y: 0.6}, {X: 0.58, Y: 0.6}, {X: 0.58, Y: 0.68}, {X: 0.48, Y: 0.68}},
	})
	m, err := New(Config{Game: table.DiceCreams, Players: players, Zones: zones})
	if err != nil {
		t.Fatal(err)
	}
	start, err := dicecreams.Game.New(rules.Setup{Players: len(players)})
	if err != nil {
		t.Fatal(err)
	}
	return &creamTable{t: t, m: m, s: start.(*dicecreams.State), zones: zones, rng: rand.New(rand.NewPCG(seed, 3))}
}

// apply is what really happens.
func (c *creamTable) apply(m rules.Move) {
	c.t.Helper()
	next, err := c.s.Apply(m)
	if err != nil {
		c.t.Fatal(err)
	}
	c.s = next.(*dicecreams.State)
	for f := c.s.Forced(); f != nil; f = c.s.Forced() {
		next, _ := c.s.Apply(f)
		c.s = next.(*dicecreams.State)
	}
}

// say is what the players say of it.
func (c *creamTable) say(m rules.Move) {
	c.t.Helper()
	if err := c.m.Declare(Declaration{Say: SayPlay, Move: m.String()}); err != nil {
		c.t.Fatalf("%s: %v", m, err)
	}
}

// lying is every die on the table by zone. Dice set aside show anything.
func (c *creamTable) lying() map[zoneKey][]table.Die {
	dice := map[zoneKey][]table.Die{}
	for _, p := range c.s.Piles() {
		if !p.Heap {
			dice[zoneKey{p.At.Kind, p.At.Seat}] = p.Dice
		}
	}
	for i, n := range c.s.Aside() {
		for range n {
			dice[asideKey] = append(dice[asideKey], table.Die{Color: scoring.Flavours[i], Face: 1 + c.rng.IntN(6)})
		}
	}
	return dice
}

// view is a picture of dice, taken on purpose.
func (c *creamTable) view(dice map[zoneKey][]table.Die) table.Observation {
	obs := table.Observation{
		Game: table.DiceCreams, Frame: c.frame, T: float64(c.frame), Width: 1600, Height: 1200, Look: table.LookStill, Read: true, Posed: true,
	}
	c.frame++
	for _, z := range c.zones {
		is, _ := c.s.Zone(z.Kind, z.Seat)
		at := zoneKey{is.Kind, is.Seat}
		left, top, right := z.Outline[0].X*1600, z.Outline[0].Y*1200, z.Outline[1].X*1600
		row := max(1, int((right-left-40)/44))
		for i, d := range dice[at] {
			obs.Dice = append(obs.Dice, readings.Sure(d, nil, table.Point{X: left + 30 + 44*float64(i%row), Y: top + 30 + 44*float64(i/row)}))
		}
	}
	return obs
}

func (c *creamTable) show() { c.m.See(c.view(c.lying())) }

// fill fills the Fridge and the display until a player is on turn; the cards are said, as no camera reads them.
func (c *creamTable) fill() {
	c.t.Helper()
	for c.s.ToMove() == rules.Nature {
		m := c.choose()
		if m.Kind == dicecreams.Reveal {
			c.say(m)
		}
		c.apply(m)
	}
}

// agree fails where the match has another position than the table.
func (c *creamTable) agree(after string) {
	c.t.Helper()
	if got, want := digest(c.m.line.now()), digest(c.s); got != want {
		var told []string
		for _, e := range c.m.Events() {
			told = append(told, e.Type+" "+e.Text)
		}
		c.t.Fatalf("after %s the match stands elsewhere: %s\nwant %s\nasked: %q %q\ntold: %s", after, brief(c.m.line.now()), brief(c.s),
			c.m.ask, words(c.m.offers), strings.Join(told[max(0, len(told)-6):], "\n"))
	}
}

// brief is a position in a line.
func brief(state rules.State) string {
	v := state.Show(rules.Nobody).(dicecreams.View)
	s := fmt.Sprintf("%s lead %d drafter %d picked %v fridge %v drawn %s next %q", v.Phase, v.Lead, v.Drafter, v.Picked, v.Fridge, v.Drawn, v.Next)
	for _, p := range v.Players {
		s += fmt.Sprintf(" | %d Sprinkles, done %v:", p.Sprinkles, p.Done)
		for _, c := range p.Creams {
			s += " " + c.ID
			for _, d := range c.Dice {
				if d == nil {
					s += " -"
				} else {
					s += " " + *d
				}
			}
		}
	}
	return s
}

// doubts counts the questions that were asked.
func (c *creamTable) doubts() (n int) {
	for _, e := range c.m.Events() {
		if e.Type == TypeDoubt {
			n++
		}
	}
	return n
}

// asked is every question and what was told before it.
func (c *creamTable) asked() (list string) {
	was := ""
	for _, e := range c.m.Events() {
		if e.Type == TypeDoubt {
			list += "\n" + was + " -> " + e.Ask
		}
		was = e.Text
	}
	return list
}

// alone says whether a picture says where a die was placed: no other spot would do.
func (c *creamTable) alone(m dicecreams.Move) bool {
	return len(c.s.Spots(m.Kind, dieOfMove(c.s, m), m.Delta)) == 1
}

func dieOfMove(s *dicecreams.State, m dicecreams.Move) table.Die {
	if m.Kind == dicecreams.Set {
		d, _ := s.Drawn()
		return d
	}
	return m.Die
}

// choose picks an act for whoever is to act: mostly one that gets the game on.
func (c *creamTable) choose() dicecreams.Move {
	if c.s.ToMove() == rules.Nature {
		return c.s.Chance(c.rng).(dicecreams.Move)
	}
	legal, _ := c.s.Legal()
	for range 4 {
		m := legal[c.rng.IntN(len(legal))].(dicecreams.Move)
		switch m.Kind {
		case dicecreams.Discard, dicecreams.Toss, dicecreams.Bump, dicecreams.Buy:
			continue
		}
		if m.Delta == 0 {
			return m
		}
	}
	return legal[c.rng.IntN(len(legal))].(dicecreams.Move)
}

// TestCreamsRecovered: whatever is played by the rules is found out again from pictures
// and from what only the players know, without a question.
func TestCreamsRecovered(t *testing.T) {
	const seed = 77
	t.Logf("seed %d", seed)
	for game := range 6 {
		names := [][]string{{"Ann"}, {"Ann", "Ben"}, {"Ann", "Ben", "Cleo"}, {"Ann", "Ben", "Cleo", "Dan"}}[game%4]
		c := newCreamTable(t, names, uint64(seed+game))
		c.show()
		acts := 0
		for ; c.s.ToMove() != rules.Nobody && acts < 600; acts++ {
			m := c.choose()
			for c.hard(m) {
				m = c.choose()
			}
			m = c.first(m)
			c.idle = !slices.ContainsFunc(c.s.Melting(), func(d dicecreams.Melted) bool { return d.After != d.Die.Face })
			if c.said(m) {
				c.say(m)
				c.apply(m)
			} else {
				c.apply(m)
			}
			c.show()
			if !c.invisible(m) {
				c.agree(m.String())
			}
		}
		if c.s.ToMove() == rules.Nobody && !c.m.ended {
			t.Error("the game is over, and the match does not tell")
		}
		if n := c.doubts(); n > 0 {
			t.Errorf("game %d: %d questions about perfect pictures of %d acts: %s", game, n, acts, c.asked())
		}
	}
}

// first is the act with the first of those spots of a card that are alike: which of them
// it is makes no difference to anybody.
func (c *creamTable) first(m dicecreams.Move) dicecreams.Move {
	if m.Kind != dicecreams.Take && m.Kind != dicecreams.Set || m.Card == dicecreams.Aside {
		return m
	}
	same := m
	for _, o := range c.s.Spots(m.Kind, dieOfMove(c.s, m), m.Delta) {
		if o == m {
			return m
		}
		if o.Card == m.Card {
			same = o
		}
	}
	return same
}

// hard is an act that no picture can show as what it is: Sprinkles spent on a die that
// completes its IceCream, or that then looks like another die of its place.
func (c *creamTable) hard(m dicecreams.Move) bool {
	return m.Delta != 0 || m.Kind == dicecreams.Bump
}

// invisible is a melting that changes nothing: it shows in what comes after it.
func (c *creamTable) invisible(m dicecreams.Move) bool {
	return m.Kind == dicecreams.Melt && c.idle
}

// said is whether the players have to say it.
func (c *creamTable) said(m dicecreams.Move) bool {
	switch m.Kind {
	case dicecreams.Reveal, dicecreams.Serve, dicecreams.Second, dicecreams.Toss, dicecreams.Done, dicecreams.Buy:
		return true
	case dicecreams.Take, dicecreams.Set:
		return m.Card != dicecreams.Aside && !c.alone(m)
	}
	return false
}

// TestCreamsAwaited: nothing is told before the cards are that no camera reads; once
// they are said, what is there is told at the next picture.
func TestCreamsAwaited(t *testing.T) {
	c := newCreamTable(t, []string{"Ann", "Ben"}, 4)
	var unsaid []rules.Move
	for c.s.ToMove() == rules.Nature {
		m := c.choose()
		if m.Kind == dicecreams.Reveal {
			unsaid = append(unsaid, m)
		}
		c.apply(m)
	}
	c.show()
	if c.doubts() != 1 || !strings.Contains(c.m.ask, "Which IceCream") {
		t.Errorf("asked %q", c.m.ask)
	}
	for _, m := range unsaid {
		c.say(m)
	}
	c.show()
	c.agree("what was said")
}

// TestCreamsSaidFirst: who says an act and does it a moment later has not taken it back in between.
func TestCreamsSaidFirst(t *testing.T) {
	c := newCreamTable(t, []string{"Ann", "Ben"}, 4)
	c.fill()
	c.show()
	before := c.lying()
	take := c.s.Spots(dicecreams.Take, before[fridgeKey][0], 0)[0]
	c.say(take)
	c.apply(take)
	for range 3 {
		c.m.See(c.view(before))
	}
	c.agree("views of the table as it was before")
	if c.m.ask != "" {
		t.Errorf("asked %q", c.m.ask)
	}
	c.show()
	c.agree("the act that was said")
	for _, e := range c.m.Events() {
		if e.Type == TypeTakeback {
			t.Errorf("told %q", e.Text)
		}
	}
}

// TestCreamsNamed: a die that the camera overlooks when the Fridge is filled is there
// once a player takes it.
func TestCreamsNamed(t *testing.T) {
	c := newCreamTable(t, []string{"Ann", "Ben"}, 4)
	c.fill()
	dice := c.lying()
	die := dice[fridgeKey][0]
	dice[fridgeKey] = dice[fridgeKey][1:]
	c.m.See(c.view(dice))
	for _, m := range c.s.Spots(dicecreams.Take, die, 0) {
		c.say(m)
		c.apply(m)
		break
	}
	for m := c.s.ToMove(); m == rules.Nature; m = c.s.ToMove() {
		r := c.choose()
		if r.Kind != dicecreams.Reveal {
			break
		}
		c.say(r)
		c.apply(r)
	}
	c.show()
	c.agree("a die that was overlooked was taken")
}
