package fromage

import (
	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// check returns every reason against the act, nil for a legal one (RULES.md 3.7).
func (s *State) check(m *Move) rules.Illegal {
	r := s.checkOver()
	if m.Kind == Compensate {
		s.checkAnswer(m, &r)
		return r
	}
	if int(m.Seat) != s.turn {
		r.Add("FR-TURN", "It is %s's turn: turns go to the left.", s.name(rules.Player(s.turn)))
	}
	if m.Kind != Roll && s.rolled == notRolled {
		r.Add("FR-NOROLL", "First take up to five dice and roll them.")
	}
	switch m.Kind {
	case Roll:
		s.checkRoll(m, &r)
	case Keep:
		s.checkKeep(m, &r)
	case Steal:
		s.checkSteal(m, &r)
	case Fromage:
		s.checkFromage(m, &r)
	case End:
		s.checkEnd(m, &r)
	}
	return r
}

// checkOver is the reason against whatever is done after the game.
func (s *State) checkOver() rules.Illegal {
	var r rules.Illegal
	if s.over {
		r.Add("FR-OVER", "The game is over.")
	}
	return r
}

// name is what the reasons call a player.
func (s *State) name(p rules.Player) string {
	if p >= 0 && int(p) < len(s.names) {
		return string(s.names[p])
	}
	return p.String()
}

func (s *State) checkRoll(m *Move, r *rules.Illegal) {
	if s.rolled != notRolled {
		r.Add("FR-ROLL-TWICE", "The dice have already been rolled: you roll once per turn.")
	}
	switch n := m.Dice.Len(); {
	case n > MaxRoll:
		r.Add("FR-ROLL-COUNT", "%d dice were rolled: take up to five.", n)
	case n < s.opt.minRoll:
		r.Add("FR-ROLL-COUNT", "%s rolled: the least is %d.", count(n), s.opt.minRoll)
	case n > s.shop:
		r.Add("FR-ROLL-COUNT", "%s rolled, but the Cheese Shop holds %d.", count(n), s.shop)
	}
}

// keepable is how many dice one must keep of those rolled (RULES.md 3.4).
func (s *State) keepable() int { return min(2, max(0, s.rolled)) }

func (s *State) checkKeep(m *Move, r *rules.Illegal) {
	n := m.Dice.Len()
	if s.stole {
		r.Add("FR-BOTH", "Either keep dice or take a set, not both.")
	}
	if s.kept {
		r.Add("FR-KEEP-COUNT", "Dice have already been kept this turn: keep two, once.")
	}
	if !s.cart.Has(m.Dice) {
		r.Add("FR-KEEP-NOTCART", "Not all of %s lie in the Cart (%s).", digits(m.Dice), digits(s.cart))
	}
	switch {
	case s.rolled == notRolled:
		if n > 2 {
			r.Add("FR-KEEP-COUNT", "%s kept: keep any two of the dice you rolled.", count(n))
		}
	case n != s.keepable():
		r.Add("FR-KEEP-COUNT", "%s kept: keep %d of the dice you rolled.", count(n), s.keepable())
	}
}

func (s *State) checkSteal(m *Move, r *rules.Illegal) {
	if s.kept {
		r.Add("FR-BOTH", "Either take a set or keep dice, not both.")
	}
	if s.stole {
		r.Add("FR-STEAL-TWO", "A set has already been taken this turn: take one set from one player, once.")
	}
	if m.From == m.Seat {
		r.Add("FR-STEAL-SELF", "Take a set from another player, not from yourself.")
	}
	held := s.hand(m.From)
	if !held.Has(m.Dice) {
		r.Add("FR-STEAL-NOTHELD", "%s does not have %s.", s.name(m.From), digits(m.Dice))
	}
	n, faces, face := m.Dice.Len(), 0, 0
	for f, k := range m.Dice {
		if k > 0 {
			faces++
			face = f
		}
	}
	if faces > 1 {
		r.Add("FR-STEAL-MIXED", "%s is not a set of equal dice.", digits(m.Dice))
	}
	switch {
	case n < 2 || n > 5:
		r.Add("FR-STEAL-SIZE", "A set is two to five equal dice, not %d.", n)
	case !s.opt.partial && faces == 1 && n < int(held[face]):
		r.Add("FR-STEAL-SIZE", "House rule: all %d dice showing %d are taken, or none.", held[face], face)
	}
}

// hand is a player's kept dice; a stranger has none.
func (s *State) hand(p rules.Player) scoring.Faces {
	if p < 0 || int(p) >= s.seats {
		return scoring.Faces{}
	}
	return s.hands[p]
}

func (s *State) checkAnswer(m *Move, r *rules.Illegal) {
	var d debt
	if m.Seat >= 0 && int(m.Seat) < s.seats {
		d = s.owed[m.Seat]
	}
	n := m.Dice.Len()
	owed := d.dice > 0
	if !owed {
		r.Add("FR-COMP-NOTOWED", "Nothing is owed to %s.", s.name(m.Seat))
		if s.rolled == notRolled {
			r.Add("FR-NOROLL", "Nobody has rolled yet in this turn.")
		}
	}
	if n > 0 && m.Pointed && m.Points != 0 {
		r.Add("FR-COMP-BOTH", "Dice or points, not both.")
	}
	if !s.cart.Has(m.Dice) {
		r.Add("FR-COMP-NOTCART", "Not all of %s lie in the Cart (%s).", digits(m.Dice), digits(s.cart))
	}
	if owed && n != d.dice && (n > 0 || !m.Pointed) {
		r.Add("FR-COMP-COUNT", "%s taken, but %s lost %d: take the same number.", count(n), s.name(m.Seat), d.dice)
	}
	if owed && m.Pointed {
		switch {
		case m.Points == 0 && n == 0 && !s.opt.decline:
			r.Add("FR-COMP-POINTS", "House rule: take the dice or the points.")
		case m.Points != 0 && m.Points != d.points:
			r.Add("FR-COMP-POINTS", "%s may score %d, not %d.", s.name(m.Seat), d.points, m.Points)
		}
	}
}

func (s *State) checkFromage(m *Move, r *rules.Illegal) {
	if !s.kept && !s.stole {
		r.Add("FR-FAT-EARLY", "First keep two dice or take a set, then declare a Fromage.")
	}
	if s.fromage {
		r.Add("FR-FAT-TWICE", "One Fromage per turn: it ends the turn.")
	}
	if s.stole && !s.opt.afterSteal {
		r.Add("FR-BOTH", "House rule: no Fromage in a turn in which you took a set.")
	}
	for p, d := range s.owed {
		if d.robbed {
			r.Add("FR-COMP-PENDING", "First, %s takes dice or points for the set that was taken.", s.name(rules.Player(p)))
		}
	}
	if m.NTake != 2 || m.Takes[0].From == m.Takes[1].From || !s.isOther(m, 0) || !s.isOther(m, 1) {
		r.Add("FR-FAT-TWOPLAYERS", "A Fromage takes one die from each of two other players.")
	}
	s.checkFromageSet(m, r)
}

// isOther says whether the i-th take names a player other than the one who takes.
func (s *State) isOther(m *Move, i int) bool {
	p := m.Takes[i].From
	return p >= 0 && int(p) < s.seats && p != m.Seat
}

// checkFromageSet judges the dice of a Fromage: those taken, the set against hand
// and dice taken, then its proportions.
func (s *State) checkFromageSet(m *Move, r *rules.Illegal) {
	with := s.hand(m.Seat)
	for i := range min(m.NTake, maxTakes) {
		if t := m.Takes[i]; t.From != m.Seat {
			with[t.Face]++
		}
	}
	taken, there := s.taken(m)
	if !there {
		r.Add("FR-FAT-NOTHELD", "Not all of the dice to take are there.")
	}
	if !m.Dice.Has(taken) {
		r.Add("FR-FAT-UNUSED", "Both dice taken must be part of the Fromage.")
	}
	if !with.Has(m.Dice) {
		r.Add("FR-FAT-NOTHELD", "Not all of the dice for this Fromage are there: your dice and those taken make %s.", digits(with))
	}
	each, even := proportion(m.Dice)
	switch {
	case !even:
		r.Add("FR-FAT-PROPORTION", "%s is not three different cheeses in equal numbers.", digits(m.Dice))
	case each < s.opt.minEach:
		r.Add("FR-FAT-SIZE", "House rule: at least %d of each cheese.", s.opt.minEach)
	}
	if s.opt.exact {
		for face, k := range m.Dice {
			if k > 0 && with[face] > k {
				r.Add("FR-FAT-EXACT", "House rule: no dice may be left over; %d dice show %d.", with[face], face)
			}
		}
	}
}

// taken counts the dice that the takes name; there is false where one of them is
// not in the hand it is taken from.
func (s *State) taken(m *Move) (dice scoring.Faces, there bool) {
	there = true
	var from [maxSeats]scoring.Faces
	for _, t := range m.Takes[:min(m.NTake, maxTakes)] {
		dice[t.Face]++
		if t.From < 0 || int(t.From) >= s.seats {
			there = false
			continue
		}
		from[t.From][t.Face]++
	}
	for p := range from {
		there = there && s.hands[p].Has(from[p])
	}
	return dice, there
}

// proportion says whether the dice are three cheeses in equal numbers, and how many of each.
func proportion(set scoring.Faces) (each int8, ok bool) {
	cheeses := 0
	for _, k := range set {
		if k == 0 {
			continue
		}
		if cheeses > 0 && k != each {
			return 0, false
		}
		each = k
		cheeses++
	}
	return each, cheeses == 3
}

// due is what goes back at the end of the turn, with its points.
func (s *State) due(seat rules.Player) (scoring.Faces, int) {
	if s.fromage && !s.opt.setsAfter {
		return scoring.Faces{}, 0
	}
	return scoring.FromageSets(s.hand(seat))
}

func (s *State) checkEnd(m *Move, r *rules.Illegal) {
	if !s.kept && !s.stole {
		r.Add("FR-NOACT", "Keep two of the dice you rolled, or take a set from another player.")
	}
	for p, d := range s.owed {
		if d.dice > 0 {
			r.Add("FR-COMP-PENDING", "First, %s takes dice or points for the dice that were taken.", s.name(rules.Player(p)))
		}
	}
	back, points := s.due(m.Seat)
	if m.Returned && m.Dice != back {
		r.Add("FR-SETS", "All sets of three or more equal dice go back: %s, not %s.", digits(back), digits(m.Dice))
	}
	if m.Pointed && m.Points != points {
		r.Add("FR-SETS-SCORE", "One point for each die returned: %d, not %d.", points, m.Points)
	}
}

func count(n int) string {
	return table.Count(n, "die was", "dice were")
}
