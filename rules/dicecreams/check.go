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

// Check returns nil or every reason against the move (RULES.md 4.8).
func (s *State) Check(m rules.Move) error {
	a, err := s.act(m)
	if err != nil {
		return err
	}
	return s.told(&a).check(&a).Err()
}

// act refuses moves of another game and players who are not there.
func (s *State) act(m rules.Move) (Move, error) {
	a, ok := m.(Move)
	if !ok {
		return a, fmt.Errorf("dicecreams: %T is not an act of this game", m)
	}
	chance := a.Kind == Draw || a.Kind == Roll || a.Kind == Reveal || a.Kind == Find
	if chance != (a.Seat == rules.Nature) || !chance && (a.Seat < 0 || int(a.Seat) >= s.seats) {
		return a, fmt.Errorf("dicecreams: %v cannot %v", a.Seat, a.Kind)
	}
	return a, nil
}

func (s *State) check(m *Move) rules.Illegal {
	var r rules.Illegal
	if s.over {
		r.Add("DC-OVER", "The game is over.")
		return r
	}
	d := s.next()
	due := d != nil && fulfills[d.kind] == m.Kind
	if due && m.Seat != rules.Nature && int(m.Seat) != d.seat {
		r.Add("DC-TURN", "It is for %v to do this.", rules.Player(d.seat))
	}
	switch m.Kind {
	case Draw:
		s.checkDraw(m, &r)
	case Take, Discard, Done:
		s.checkDraft(m, &r)
	case Bump, Buy:
		s.checkSpend(m, &r)
	case Roll, Set, Reveal, Gain, Serve, Away, Second:
		if !due {
			d = nil
		}
		s.checkDuty(m, d, &r)
	case Melt:
		s.checkMelt(m, &r)
	case Toss:
		s.checkToss(m, &r)
	case Clean:
		s.checkClean(m, &r)
	case Find:
		if _, err := s.found(m.Die); err != nil {
			r.Add("DC-NOTFRIDGE", "No such die was drawn: %v.", err)
		}
		return r // nobody's act, at any time
	}
	if d := s.next(); d != nil && !due {
		r.Add(neglect[d.kind], "%s", s.reminder(d))
	}
	return r
}

// reminder says what must come first.
func (s *State) reminder(d *duty) string {
	p := rules.Player(d.seat)
	switch d.kind {
	case mustReveal:
		return "First refill the empty place in the display."
	case mustGain:
		return fmt.Sprintf("First, %v takes the bonus of %s.", p, table.Count(d.count, "Sprinkle", "Sprinkles"))
	case mustRoll:
		return fmt.Sprintf("First, %v draws and rolls the bonus die.", p)
	case mustSet:
		return fmt.Sprintf("First, %v places the drawn %s.", p, dieText(d.die))
	case mustServe:
		return fmt.Sprintf("First, %v places a token on a satisfied Customer.", p)
	case mustAway:
		return fmt.Sprintf("First, %v puts away the finished %s and its dice.", p, s.box.Cards[d.card].ID)
	}
	return fmt.Sprintf("First, %v decides whether to place a second token on %s.", p, s.box.Customers[d.customer].ID)
}

func (s *State) checkDraw(m *Move, r *rules.Illegal) {
	dice, err := parseDice(m.List)
	switch {
	case s.phase == cleaning:
		r.Add("DC-CLEAN", "First set aside the dice left on the Fridge.")
	case s.phase != drawing:
		r.Add("DC-DRAWCOUNT", "The Fridge is filled once per turn.")
	case err != nil:
		r.Add("DC-DRAWCOUNT", "The dice drawn cannot be read: %v.", err)
	case len(dice) != s.drawCount():
		r.Add("DC-DRAWCOUNT", "Draw 1 Flavour per player plus 3: %d, not %d.", s.drawCount(), len(dice))
	}
	if err := s.drawable(dice); err != nil {
		r.Add("DC-DRAWCOUNT", "These dice cannot have been drawn: %v.", err)
	}
}

// drawCount is how many dice a turn begins with.
func (s *State) drawCount() int { return s.seats + leftover }

func (s *State) checkDraft(m *Move, r *rules.Illegal) {
	switch mine := s.phase == drafting && int(m.Seat) == s.drafter; {
	case !mine:
		r.Add("DC-TURN", "It is not %v's turn to draft.", m.Seat)
	case m.Kind == Done && !s.picked:
		r.Add("DC-TURN", "%v must take or discard a Flavour first.", m.Seat)
	case m.Kind != Done && s.picked:
		r.Add("DC-TURN", "%v has already chosen a Flavour.", m.Seat)
	}
	if m.Kind == Done {
		return
	}
	if !slices.Contains(s.fridge, m.Die) {
		r.Add("DC-NOTFRIDGE", "There is no %s on the Fridge.", dieText(m.Die))
	}
	if m.Kind == Take && (m.Card == "" || m.Card == Aside) {
		r.Add("DC-MUSTPLACE", "A die you take must be placed right away: %s.", dieText(m.Die))
	}
	if m.Kind == Take {
		s.checkPlacing(m, m.Die, r)
	}
}

// checkPlacing judges where a die goes, and what was paid to change it.
func (s *State) checkPlacing(m *Move, die table.Die, r *rules.Illegal) {
	p := placing{die: die, delta: m.Delta, top: m.Top, sprinkles: s.sprinkles[m.Seat], unfinished: s.unfinished(int(m.Seat))}
	if m.Card != "" && m.Card != Aside {
		p.to = s.target(int(m.Seat), m.Card, m.Spot)
		p.checkTarget(r)
	}
	if m.Delta != 0 && !s.mayChange(int(m.Seat)) {
		r.Add("DC-WINDOW", "%v may not spend Sprinkles now.", m.Seat)
	}
	p.checkPips(s.opt, r)
}

// mayChange says whether it is a player's time to spend Sprinkles (RULES.md 4.7).
func (s *State) mayChange(seat int) bool {
	return s.phase == drafting && seat == s.drafter || s.opt.leadWindow && seat == s.lead && s.phase <= melting
}

func (s *State) checkSpend(m *Move, r *rules.Illegal) {
	if !s.mayChange(int(m.Seat)) || s.next() != nil {
		r.Add("DC-WINDOW", "%v may not spend Sprinkles now.", m.Seat)
	}
	if m.Kind == Buy {
		if s.sprinkles[m.Seat] < 2 {
			r.Add("DC-NOSPRINKLE", "One more die costs 2 Sprinkles; %v has %d.", m.Seat, s.sprinkles[m.Seat])
		}
		if s.drawEmpty() {
			r.Add("DC-WINDOW", "There is no die left to draw.")
		}
		return
	}
	die, owner, ok := s.placed(m.Card, m.Spot)
	switch {
	case !ok:
		r.Add("DC-TARGET", "There is no Flavour on spot %d of %s.", m.Spot+1, m.Card)
	case owner != int(m.Seat) && !s.opt.anyTarget:
		r.Add("DC-TARGET", "The %s on %s belongs to %v: you may only change your own Flavours.", dieText(die), m.Card, rules.Player(owner))
	}
	if m.Delta == 0 {
		r.Add("DC-NOSPRINKLE", "A Sprinkle changes a die by +1 or -1.")
	}
	if ok {
		checkDelta(die, m.Delta, s.sprinkles[m.Seat], r)
	} else {
		checkCost(m.Delta, s.sprinkles[m.Seat], r)
	}
}

// placed finds a die on an unfinished IceCream.
func (s *State) placed(card string, spot int) (die table.Die, owner int, ok bool) {
	i := s.cardIndex(card)
	if i < 0 || spot < 0 || spot >= spots || s.creams[i].place != started {
		return die, 0, false
	}
	die = s.creams[i].dice[spot]
	return die, s.creams[i].owner, die.Color != table.NoColor
}

// checkDuty judges an act that only a duty calls for; d is nil where none does.
func (s *State) checkDuty(m *Move, d *duty, r *rules.Illegal) {
	switch m.Kind {
	case Reveal:
		i := s.cardIndex(m.Card)
		if d == nil {
			r.Add("DC-REFILL", "No place in the display is empty.")
		}
		if i < 0 || !slices.Contains(s.revealable(), i) {
			r.Add("DC-NOTAVAILABLE", "%s is not next in the deck.", m.Card)
		}
	case Gain:
		if d == nil || m.Count != d.count {
			r.Add("DC-BONUS", "%v gets %s here, not %d.", m.Seat, table.Count(dueCount(d), "Sprinkle", "Sprinkles"), m.Count)
		}
	case Roll:
		if d == nil {
			r.Add("DC-BONUS", "Nobody may draw another die now.")
		}
		if err := s.drawable([]table.Die{m.Die}); err != nil {
			r.Add("DC-DRAWCOUNT", "The %s cannot have been drawn: %v.", dieText(m.Die), err)
		}
	case Set:
		s.checkSet(m, d, r)
	case Serve:
		s.checkServe(m, d, r)
	case Away:
		if i := s.cardIndex(m.Card); d == nil || d.card != i {
			r.Add("DC-COMPLETE", "%s is not complete.", m.Card)
		}
	case Second:
		if d == nil || m.List != None && s.customerIndex(m.List) != d.customer {
			r.Add("DC-SECOND", "A second token goes on this IceCream's Customer, and only if its bonus says so.")
		}
	}
}

func dueCount(d *duty) int {
	if d == nil {
		return 0
	}
	return d.count
}

func (s *State) checkSet(m *Move, d *duty, r *rules.Illegal) {
	if d == nil {
		r.Add("DC-BONUS", "There is no drawn die to place.")
		return
	}
	if m.Card == Aside || m.Card == "" {
		if m.Card == "" || s.opt.mustPlace && s.canPlace(d.seat, d.die.Color) {
			r.Add("DC-MUSTPLACE", "The drawn %s can be placed, so it must be.", dieText(d.die))
		}
		if m.Delta != 0 {
			r.Add("DC-TARGET", "A die that is set aside may not be changed.")
		}
		return
	}
	s.checkPlacing(m, d.die, r)
}

func (s *State) checkServe(m *Move, d *duty, r *rules.Illegal) {
	names := strings.Split(m.List, ",")
	switch {
	case m.List == None || m.List == "":
		if d != nil {
			r.Add("DC-TOKEN-MISSING", "A Customer is satisfied: you must choose one.")
		} else {
			r.Add("DC-TOKEN-REQ", "No Customer waits for a token.")
		}
		return
	case len(names) > 1 && names[0] == names[1]:
		r.Add("DC-SECOND", "Place one token on the Customer; a second one is a separate bonus.")
	case len(names) > 1:
		r.Add("DC-TOKEN-TWO", "An IceCream serves one Customer, not %d.", len(names))
	}
	for _, name := range names {
		i := s.customerIndex(name)
		if d == nil || i < 0 || !slices.Contains(d.satisfied, i) {
			r.Add("DC-TOKEN-REQ", "%s is not satisfied by this IceCream.", name)
		}
	}
}

// meltLine is one placed die and what it shows after melting; 0: it goes.
type meltLine struct {
	Card  string
	Spot  int
	Owner int
	Die   table.Die
	After int
}

// melt says what melting makes of every placed die with the dice on the Fridge now.
func (s *State) melt() (lines []meltLine) {
	left := s.left()
	for i := range s.creams {
		c := &s.creams[i]
		if c.place != started {
			continue
		}
		for spot, d := range c.dice {
			if d.Color != table.NoColor {
				lines = append(lines, meltLine{s.box.Cards[i].ID, spot, c.owner, d, scoring.Melted(d, left)})
			}
		}
	}
	return lines
}

// meltText writes the lines as the notation of Melt.
func meltText(lines []meltLine) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(l.Card + "." + strconv.Itoa(l.Spot) + "=")
		if l.After == 0 {
			b.WriteByte('-')
		} else {
			b.WriteString(strconv.Itoa(l.After))
		}
	}
	return b.String()
}

// readMelt reads values by "card.spot".
func readMelt(text string) (map[string]int, error) {
	values := map[string]int{}
	for _, w := range strings.Fields(text) {
		name, v, ok := strings.Cut(w, "=")
		n := 0
		if ok && v != "-" {
			if len(v) != 1 || v[0] < '1' || v[0] > '6' {
				ok = false
			} else {
				n = int(v[0] - '0')
			}
		}
		if !ok {
			return nil, fmt.Errorf("%.40q is not a value of a die (expected mint-1.0=3, or mint-1.0=- for one that went)", w)
		}
		values[name] = n
	}
	return values, nil
}

func (s *State) checkMelt(m *Move, r *rules.Illegal) {
	s.checkLead(m, r)
	if s.phase != melting {
		r.Add("DC-MELT", "Flavours melt once, when three dice are left.")
	}
	values, err := readMelt(m.List)
	if err != nil {
		r.Add("DC-MELT", "The melting cannot be read: %v.", err)
	}
	for _, l := range s.melt() {
		name := l.Card + "." + strconv.Itoa(l.Spot)
		v, told := values[name]
		delete(values, name)
		if told && v == l.After {
			continue
		}
		if l.After == 0 {
			r.Add("DC-MELT", "The %s on %s goes below 1: remove it.", dieText(l.Die), l.Card)
		} else {
			r.Add("DC-MELT", "The %s on %s becomes %d.", dieText(l.Die), l.Card, l.After)
		}
	}
	if len(values) > 0 {
		r.Add("DC-MELT", "That die is not there to melt.")
	}
}

// checkLead lets the lead player speak for the table in what all do together.
func (s *State) checkLead(m *Move, r *rules.Illegal) {
	if int(m.Seat) != s.lead {
		r.Add("DC-TURN", "%v goes first this turn.", rules.Player(s.lead))
	}
}

func (s *State) checkToss(m *Move, r *rules.Illegal) {
	i := s.cardIndex(m.Card)
	switch {
	case s.phase != cleaning:
		r.Add("DC-DISCARD-IC", "IceCreams are discarded after melting.")
	case i < 0 || s.creams[i].place != started || s.creams[i].owner != int(m.Seat):
		r.Add("DC-DISCARD-IC", "%s is no unfinished IceCream of %v.", m.Card, m.Seat)
	case s.creams[i].dice != [spots]table.Die{}:
		r.Add("DC-DISCARD-IC", "%s has Flavours on it.", m.Card)
	}
}

func (s *State) checkClean(m *Move, r *rules.Illegal) {
	s.checkLead(m, r)
	if s.phase != cleaning {
		r.Add("DC-CLEAN", "Set aside the remaining dice after melting.")
	}
	if next := (s.lead + 1) % s.seats; int(m.Next) != next {
		r.Add("DC-1ST", "%v is next in turn order and gets the first player token.", rules.Player(next))
	}
}
