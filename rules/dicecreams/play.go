package dicecreams

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Apply plays the move, legal or not; it refuses only what cannot be done with dice and cards.
func (s *State) Apply(m rules.Move) (rules.State, error) {
	a, err := s.act(m)
	if err != nil {
		return nil, err
	}
	next := s.told(&a).clone()
	if err := next.play(&a); err != nil {
		return nil, fmt.Errorf("dicecreams: cannot play %q: %w", a.String(), err)
	}
	next.settle()
	return next, nil
}

func (s *State) play(m *Move) error {
	switch m.Kind {
	case Draw:
		return s.playDraw(m)
	case Take, Discard:
		return s.playDraft(m)
	case Bump:
		return s.playBump(m)
	case Buy:
		s.sprinkles[m.Seat] = s.spend(int(m.Seat), 2)
		s.push(duty{kind: mustRoll, seat: int(m.Seat)})
	case Done:
		s.endStep()
	case Melt:
		return s.playMelt(m)
	case Toss:
		return s.playToss(m)
	case Clean:
		return s.playClean(m)
	case Find:
		return s.playFind(m)
	default:
		return s.playDuty(m)
	}
	return nil
}

// spend is what a player has left after paying; what is paid goes back to the supply.
func (s *State) spend(seat, n int) int {
	n = min(n, s.sprinkles[seat])
	s.supply += n
	return s.sprinkles[seat] - n
}

func (s *State) playDraw(m *Move) error {
	dice, err := parseDice(m.List)
	if err != nil {
		return err
	}
	if err := s.drawable(dice); err != nil {
		return err
	}
	s.draw(dice)
	for _, d := range dice {
		s.fill(d)
	}
	s.phase, s.drafter, s.picked = drafting, s.lead, false
	return nil
}

func (s *State) playDraft(m *Move) error {
	i := slices.Index(s.fridge, m.Die)
	if i < 0 {
		return fmt.Errorf("there is no %s on the Fridge", dieText(m.Die))
	}
	s.fridge = slices.Delete(s.fridge, i, i+1)
	s.picked = true
	if m.Kind == Discard {
		s.setAside(m.Die)
		s.gain(int(m.Seat), 1)
		return nil
	}
	if m.Card == "" || m.Card == Aside {
		s.setAside(m.Die)
		return nil
	}
	return s.put(m, m.Die)
}

// gain gives Sprinkles as far as there are any.
func (s *State) gain(seat, n int) {
	n = min(max(0, n), s.supply)
	s.supply -= n
	s.sprinkles[seat] += n
}

// put places a die, with what that calls for: the last pushed comes first.
func (s *State) put(m *Move, die table.Die) error {
	seat, i := int(m.Seat), s.cardIndex(m.Card)
	t := s.target(seat, m.Card, m.Spot)
	if t.where == elsewhere || t.finished || m.Spot < 0 || m.Spot >= spots || t.dice[m.Spot].Color != table.NoColor {
		return fmt.Errorf("spot %d of %s is not free for %v", m.Spot, m.Card, m.Seat)
	}
	s.sprinkles[seat] = s.spend(seat, max(m.Delta, -m.Delta))
	die.Face += m.Delta
	if m.Top != 0 {
		die.Face = m.Top
	}
	if die.Face < 1 || die.Face > 6 {
		return fmt.Errorf("no die shows %d", die.Face)
	}
	c := &s.creams[i]
	if c.place == displayed {
		*c = cream{place: started, owner: seat}
	}
	c.dice[m.Spot] = die

	card := &s.box.Cards[i]
	s.push(duty{kind: mustComplete, seat: seat, card: i})
	if s.opt.orangeEach && card.Completion == OrangeCounts && die.Color == table.Orange {
		s.push(duty{kind: mustGain, seat: seat, count: 1})
	}
	s.pushBonus(seat, card.Spots[m.Spot].Bonus)
	return nil
}

// pushBonus adds what a bonus without conditions calls for.
func (s *State) pushBonus(seat int, b Bonus) {
	switch b {
	case GetSprinkle:
		s.push(duty{kind: mustGain, seat: seat, count: 1})
	case DrawDie:
		s.push(duty{kind: mustRoll, seat: seat})
	}
}

func (s *State) playBump(m *Move) error {
	die, _, ok := s.placed(m.Card, m.Spot)
	if v := die.Face + m.Delta; !ok || v < 1 || v > 6 {
		return fmt.Errorf("no die on spot %d of %s can be changed by %+d", m.Spot, m.Card, m.Delta)
	}
	s.sprinkles[m.Seat] = s.spend(int(m.Seat), max(m.Delta, -m.Delta))
	s.creams[s.cardIndex(m.Card)].dice[m.Spot].Face += m.Delta
	return nil
}

// playDuty does what a duty calls for; without the duty there is nothing to do.
func (s *State) playDuty(m *Move) error {
	d := s.next()
	if d == nil || fulfills[d.kind] != m.Kind {
		return fmt.Errorf("this is not the time for it")
	}
	was := *d
	switch m.Kind {
	case Reveal:
		i := s.cardIndex(m.Card)
		if i < 0 || !slices.Contains(s.revealable(), i) {
			return fmt.Errorf("%s is not in the deck", m.Card)
		}
		s.pop()
		s.reveal(i)
	case Gain:
		s.pop()
		s.gain(was.seat, m.Count)
	case Roll:
		if err := s.drawable([]table.Die{m.Die}); err != nil {
			return err
		}
		s.pop()
		s.draw([]table.Die{m.Die})
		s.push(duty{kind: mustSet, seat: was.seat, die: m.Die})
	case Set:
		s.pop()
		if m.Card == Aside || m.Card == "" {
			s.setAside(was.die)
			return nil
		}
		return s.put(m, was.die)
	case Serve:
		s.pop()
		return s.playServe(m, was)
	case Away:
		s.pop()
		s.putAway(was)
	case Second:
		s.pop()
		if m.List != None {
			return s.addToken(was.seat, m.List)
		}
	}
	return nil
}

// reveal puts a card of the deck, or of the discard pile made into a new deck, on the display.
func (s *State) reveal(i int) {
	if s.creams[i].place == discarded {
		for j := range s.creams {
			if s.creams[j].place == discarded && s.opt.discarded == "discard_pile_reshuffled" {
				s.creams[j] = cream{place: inDeck}
			}
		}
	}
	s.creams[i] = cream{place: displayed}
}

func (s *State) addToken(seat int, name string) error {
	i := s.customerIndex(name)
	if i < 0 {
		return fmt.Errorf("there is no Customer %.40q", name)
	}
	if s.pouring[seat] == 0 {
		return fmt.Errorf("%v has no token left", rules.Player(seat))
	}
	s.pouring[seat]--
	s.tokens[i] = append(s.tokens[i], int8(seat))
	return nil
}

func (s *State) playServe(m *Move, d duty) error {
	if m.List == None {
		return nil
	}
	for _, name := range strings.Split(m.List, ",") {
		if err := s.addToken(d.seat, name); err != nil {
			return err
		}
		for j := range s.todo {
			if b := &s.todo[j]; b.kind == mustBonus && b.card == d.card {
				b.customer = s.customerIndex(name)
			}
		}
	}
	return nil
}

func (s *State) putAway(d duty) {
	c := &s.creams[d.card]
	for _, die := range c.dice {
		s.setAside(die)
	}
	*c = cream{place: completed, owner: d.seat}
	if s.count(completed, d.seat) >= lastCream {
		s.ending = true
	}
}

// complete turns a full IceCream into what completing it calls for (RULES.md 4.5).
func (s *State) complete(d duty) {
	c := &s.creams[d.card]
	if c.place != started {
		return // completed by a die that its own bonus drew
	}
	var v [spots]int
	orange := 0
	for i, die := range c.dice {
		if die.Color == table.NoColor {
			return
		}
		v[i] = die.Face
		if die.Color == table.Orange {
			orange++
		}
	}
	bonus := s.box.Cards[d.card].Completion
	s.push(duty{kind: mustBonus, seat: d.seat, card: d.card, bonus: bonus, count: orange, customer: -1})
	s.push(duty{kind: mustAway, seat: d.seat, card: d.card})
	var satisfied []int
	for i, c := range s.box.Customers {
		if scoring.Satisfied(c.Requirement, v, s.opt.inOrder) {
			satisfied = append(satisfied, i)
		}
	}
	if len(satisfied) > 0 && s.pouring[d.seat] > 0 {
		s.push(duty{kind: mustServe, seat: d.seat, card: d.card, satisfied: satisfied})
	}
}

// settle resolves what needs nobody's act, until somebody must act.
func (s *State) settle() {
	for !s.over {
		d := s.next()
		if (d == nil || d.kind != mustReveal) && s.count(displayed, -1) < s.shown() && len(s.revealable()) > 0 {
			s.push(duty{kind: mustReveal})
			return
		}
		if d == nil {
			if s.phase == drafting && s.picked && s.sprinkles[s.drafter] == 0 {
				s.endStep()
			}
			return
		}
		was := *d
		switch d.kind {
		case mustGain:
			d.count = min(d.count, s.supply)
			if d.count > 0 {
				return
			}
			s.pop()
		case mustRoll:
			if !s.drawEmpty() {
				return
			}
			s.pop()
		case mustComplete:
			s.pop()
			s.complete(was)
		case mustBonus:
			s.pop()
			s.completionBonus(was)
		default:
			return
		}
	}
}

func (s *State) completionBonus(d duty) {
	switch {
	case d.bonus == SecondToken && d.customer >= 0 && s.pouring[d.seat] > 0:
		s.push(duty{kind: mustSecond, seat: d.seat, card: d.card, customer: d.customer})
	case d.bonus == OrangeCounts && !s.opt.orangeEach:
		s.push(duty{kind: mustGain, seat: d.seat, count: d.count})
	default:
		s.pushBonus(d.seat, d.bonus)
	}
}

// endStep passes the draft on; back at the lead player the melting begins.
func (s *State) endStep() {
	if s.ending && !s.opt.wholeTurn {
		s.over = true
		return
	}
	s.picked = false
	s.drafter = (s.drafter + 1) % s.seats
	if s.drafter == s.lead {
		s.phase = melting
	}
}

func (s *State) playMelt(m *Move) error {
	values, err := readMelt(m.List)
	if err != nil {
		return err
	}
	for _, l := range s.melt() {
		v, told := values[l.Card+"."+strconv.Itoa(l.Spot)]
		if !told {
			continue
		}
		die := &s.creams[s.cardIndex(l.Card)].dice[l.Spot]
		die.Face = v
		if v == 0 {
			s.setAside(*die)
			*die = table.Die{}
		}
	}
	s.phase = cleaning
	return nil
}

func (s *State) playToss(m *Move) error {
	i := s.cardIndex(m.Card)
	if i < 0 || s.creams[i].place != started {
		return fmt.Errorf("%s is nobody's unfinished IceCream", m.Card)
	}
	for _, d := range s.creams[i].dice {
		s.setAside(d)
	}
	s.tossed++
	s.creams[i] = cream{place: discarded, order: s.tossed}
	if s.opt.discarded == "out_of_game" {
		s.creams[i].place = outOfGame
	}
	return nil
}

func (s *State) playClean(m *Move) error {
	if m.Next < 0 || int(m.Next) >= s.seats {
		return fmt.Errorf("%v is not at this table", m.Next)
	}
	for _, d := range slices.Concat(s.fridge, s.unseen) {
		s.setAside(d)
	}
	s.hazy += hazyOf(s.unseen)
	s.fridge, s.unseen = nil, nil
	if s.ending {
		s.over = true
		return nil
	}
	s.turn++
	s.lead, s.drafter, s.picked, s.phase = int(m.Next), int(m.Next), false, drawing
	return nil
}
