package match

import (
	"slices"

	"diceref/calibration"
	"diceref/rules"
	"diceref/rules/dicecreams"
	"diceref/scoring"
	"diceref/table"
)

// creamZones is DiceCreams! by zones: the Fridge, each player's place with what is on
// their IceCreams, the dice set aside, which are only counted, and a tray in which
// drawn dice are rolled. On which card of a place a die lies no zone tells: where the
// rules leave more than one, the players are asked. Cards that are revealed are said.
type creamZones struct{}

var (
	fridgeKey = zoneKey{kind: calibration.ZoneFridge}
	asideKey  = zoneKey{kind: calibration.ZoneSupply}
	trayKey   = zoneKey{kind: calibration.ZoneTray}
)

func placeKey(p rules.Player) zoneKey { return zoneKey{calibration.ZonePlace, int(p)} }

func (creamZones) where(z calibration.Zone) (zoneKey, bool) {
	switch z.Kind {
	case calibration.ZoneFridge, calibration.ZoneSupply, calibration.ZoneTray:
		return zoneKey{kind: z.Kind}, true
	case calibration.ZonePlace:
		return zoneKey{z.Kind, z.Seat}, true
	}
	return zoneKey{}, false
}

func (creamZones) piles(state rules.State) []pile {
	s, ok := state.(*dicecreams.State)
	if !ok {
		return nil
	}
	aside := pile{at: asideKey, heap: true}
	set := 0
	for i, n := range s.Aside() {
		aside.colors[scoring.Flavours[i]], set = n, set+n
	}
	aside.dice = make([]table.Die, set+s.Hazy())
	list := []pile{{at: fridgeKey, dice: s.Fridge(), unseen: s.Unseen()}}
	for p := range s.Players() {
		list = append(list, pile{at: placeKey(rules.Player(p)), dice: s.Placed(rules.Player(p))})
	}
	drawn := pile{at: trayKey}
	if d, waits := s.Drawn(); waits {
		drawn.dice = []table.Die{d}
	}
	return append(list, drawn, aside)
}

// changes is what has gone from and come to a zone between a position and a view.
type changes struct{ gone, come []table.Die }

// changed compares a pile with the readings of its zone, face by face. A die may have gone
// although a doubtful reading is like it.
func changed(want []table.Die, got []table.Reading) (c changes) {
	rest := slices.Clone(want)
	c.gone = slices.Clone(want)
	for _, r := range got {
		i := slices.Index(rest, r.Die)
		if i < 0 {
			c.come = append(c.come, r.Die)
			continue
		}
		rest = slices.Delete(rest, i, i+1)
		if r.Sure {
			i = slices.Index(c.gone, r.Die)
			c.gone = slices.Delete(c.gone, i, i+1)
		}
	}
	return c
}

// outlook is a position of DiceCreams! beside what is seen of the table.
type outlook struct {
	s      *dicecreams.State
	seen   *spread
	fridge changes
	places []changes
	maybe  [][]table.Die // what may have come to each place, also where readings are doubtful
	tray   []table.Die   // dice in the tray
}

func lookOut(state rules.State, seen *spread) *outlook {
	s, ok := state.(*dicecreams.State)
	if !ok || s.ToMove() == rules.Nobody {
		return nil
	}
	o := &outlook{s: s, seen: seen, fridge: changed(s.Fridge(), seen.in[fridgeKey])}
	for p := range s.Players() {
		at := rules.Player(p)
		v := o.at(at)
		c := changed(s.Placed(at), v.dice)
		o.places = append(o.places, c)
		o.maybe = append(o.maybe, slices.Concat(c.come, v.otherwise))
	}
	for _, r := range seen.in[trayKey] {
		o.tray = append(o.tray, r.Die)
	}
	return o
}

// flavours is what a view shows of a player's place.
type flavours struct {
	dice      []table.Reading // without what may be none of the game's
	otherwise []table.Die     // what doubtful ones may be besides what they were read as
}

// at is what the view shows of a player's place. It is the same beside all positions.
func (o *outlook) at(p rules.Player) flavours {
	for len(o.seen.flavours) <= int(p) {
		got := o.seen.in[placeKey(rules.Player(len(o.seen.flavours)))]
		none := func(r table.Reading) bool { return !dicecreams.IsFlavour(r.Color) || r.Face < 1 || r.Face > 6 }
		o.seen.flavours = append(o.seen.flavours, flavours{slices.DeleteFunc(slices.Clone(got), none), otherwise(got)})
	}
	return o.seen.flavours[p]
}

func (creamZones) toward(state rules.State, seen *spread) []rules.Move {
	o := lookOut(state, seen)
	if o == nil {
		return nil
	}
	return o.acts()
}

// acts lists what players, the pouch and the dice may do next.
func (o *outlook) acts() []rules.Move {
	var moves []dicecreams.Move
	kind, by, must := o.s.Due()
	drafter, drafting := o.s.Drafter()
	switch {
	case must && kind == dicecreams.Roll:
		moves = o.rolls(by)
	case must && kind == dicecreams.Set:
		die, _ := o.s.Drawn()
		moves = append(o.placings(dicecreams.Set, die, by), dicecreams.Move{Seat: by, Kind: dicecreams.Set, Card: dicecreams.Aside})
	case must && (kind == dicecreams.Serve || kind == dicecreams.Second || kind == dicecreams.Away):
		return legalMoves(o.s)
	case must: // a card that is revealed, which is said; what is forced plays itself
		return nil
	case o.s.Drawing():
		return o.draws()
	case drafting:
		moves = append(o.drafts(drafter), o.bumps()...)
		moves = append(moves, dicecreams.Move{Seat: drafter, Kind: dicecreams.Done})
		moves = append(moves, o.buys()...)
	default:
		moves = append(o.bumps(), o.buys()...)
		list := o.s.Melting()
		if list != nil || len(moves) > 0 {
			moves = append(moves, o.s.MeltOf(list))
		}
		moves = append(moves, dicecreams.Move{Seat: o.s.Lead(), Kind: dicecreams.Clean, Next: (o.s.Lead() + 1) % rules.Player(o.s.Players())})
		moves = append(moves, o.s.MeltOf(list))
	}
	return o.allowed(moves)
}

func legalMoves(s rules.State) []rules.Move {
	moves, _ := s.Legal()
	return moves
}

// allowed is those of the moves that are legal, each once.
func (o *outlook) allowed(moves []dicecreams.Move) (list []rules.Move) {
	for _, m := range moves {
		if o.s.Check(m) == nil && !slices.Contains(list, rules.Move(m)) {
			list = append(list, m)
		}
	}
	return list
}

// fresh is the dice that came to a player's place.
func (o *outlook) fresh(p rules.Player) []table.Die { return o.places[p].come }

// draws lists what may have been drawn: the dice on the Fridge, with those that a
// player has taken of them since.
func (o *outlook) draws() (moves []rules.Move) {
	var list []dicecreams.Move
	taken := []table.Die{}
	for p := range o.places {
		taken = append(taken, o.places[p].come...)
	}
	for _, dice := range ways(o.seen.in[fridgeKey]) {
		switch len(dice) {
		case o.s.DrawCount():
			list = append(list, dicecreams.DrawOf(dice))
		case o.s.DrawCount() - len(taken):
			list = append(list, dicecreams.DrawOf(append(slices.Clone(dice), taken...)))
		}
		said, passed := o.saidDice(dice), o.passedDice()
		n := o.s.DrawCount() - len(dice)
		if n > 0 && n <= len(said) {
			list = append(list, dicecreams.DrawOf(append(slices.Clone(dice), said[:n]...)))
		}
		if n > 0 && n == len(passed) {
			list = append(list, dicecreams.DrawOf(append(slices.Clone(dice), passed...)))
		}
		list = append(list, o.hazyDraws(dice)...)
	}
	return o.allowed(list)
}

// passedDice is the dice that lay on the Fridge in the view before alone, in which not all of them
// were seen.
func (o *outlook) passedDice() (dice []table.Die) {
	if o.seen.passed != nil {
		for _, r := range o.seen.passed.in[fridgeKey] {
			dice = append(dice, r.Die)
		}
	}
	return dice
}

// otherwise lists what doubtful readings may be besides what they were read as.
func otherwise(readings []table.Reading) (list []table.Die) {
	for _, r := range readings {
		if r.Sure {
			continue
		}
		for _, d := range likely(table.DiceCreams.Kit(), r) {
			if d != r.Die && dicecreams.IsFlavour(d.Color) && d.Face > 0 {
				list = append(list, d)
			}
		}
	}
	return list
}

// ways lists what dice may show: as they were read, and with doubtful ones read as
// what is next likely.
func ways(readings []table.Reading) [][]table.Die {
	const most = 8
	list := [][]table.Die{{}}
	for _, r := range readings {
		dice := []table.Die{r.Die}
		if !r.Sure {
			for _, d := range likely(table.DiceCreams.Kit(), r) {
				if d != r.Die && dicecreams.IsFlavour(d.Color) && d.Face > 0 && len(dice) < 2 {
					dice = append(dice, d)
				}
			}
		}
		var next [][]table.Die
		for i, d := range dice {
			for _, l := range list {
				if i == 0 || len(next) < most {
					next = append(next, append(slices.Clone(l), d))
				}
			}
		}
		list = next
	}
	return list
}

// drafts lists what may have become of each die that is missing on the Fridge.
func (o *outlook) drafts(by rules.Player) (moves []dicecreams.Move) {
	for i, d := range o.fridge.gone {
		if slices.Contains(o.fridge.gone[:i], d) {
			continue
		}
		moves = append(moves, dicecreams.Move{Seat: by, Kind: dicecreams.Discard, Die: d})
		moves = append(moves, o.placings(dicecreams.Take, d, by)...)
	}
	return moves
}

// placings lists the spots on which a die may lie, as it was or changed by Sprinkles. A
// die that does not show at its player's place went away with the IceCream that it completed.
func (o *outlook) placings(kind dicecreams.Kind, d table.Die, by rules.Player) (moves []dicecreams.Move) {
	pips := o.s.Sprinkles(by)
	for face := max(1, d.Face-pips); face <= min(6, d.Face+pips); face++ {
		shows := slices.Contains(o.fresh(by), table.Die{Color: d.Color, Face: face})
		if !shows && face != d.Face {
			continue
		}
		for _, m := range o.s.Spots(kind, d, face-d.Face) {
			if shows || o.doubtful(by) || o.s.Full(m) {
				moves = append(moves, m)
			}
		}
	}
	return moves
}

// doubtful says whether a die at a player's place is not read surely.
func (o *outlook) doubtful(p rules.Player) bool {
	return slices.ContainsFunc(o.seen.in[placeKey(p)], func(r table.Reading) bool { return !r.Sure })
}

// bumps lists Sprinkles spent on dice that show another face than they did.
func (o *outlook) bumps() (moves []dicecreams.Move) {
	for p := range o.places {
		for _, was := range o.places[p].gone {
			for _, is := range o.places[p].come {
				if is.Color == was.Color && is.Face != was.Face {
					moves = append(moves, o.s.Bumps(rules.Player(p), was, is.Face-was.Face)...)
				}
			}
		}
	}
	return moves
}

// buys lists who may have bought a die: one is in the tray or at their place.
func (o *outlook) buys() (moves []dicecreams.Move) {
	for p := range o.places {
		if len(o.tray) > 0 || len(o.places[p].come) > 0 {
			moves = append(moves, dicecreams.Move{Seat: rules.Player(p), Kind: dicecreams.Buy})
		}
	}
	return moves
}

func (creamZones) astray(state rules.State, seen *spread) []rules.Move {
	o := lookOut(state, seen)
	if o == nil {
		return nil
	}
	if _, _, must := o.s.Due(); must {
		return nil
	}
	var moves []rules.Move
	for _, m := range append(o.wrongTakes(), o.wrongMelt()...) {
		moves = append(moves, m)
	}
	return moves
}

// wrongTakes: a die of the Fridge came to a place out of turn, or changed its face on the way.
func (o *outlook) wrongTakes() (moves []dicecreams.Move) {
	drafter, drafting := o.s.Drafter()
	for _, d := range o.fridge.gone {
		for p := range o.places {
			by := rules.Player(p)
			for _, is := range o.maybe[p] {
				if is.Color != d.Color || by == drafter && drafting && is.Face == d.Face {
					continue
				}
				m := dicecreams.Move{Seat: by, Kind: dicecreams.Take, Die: d}
				if is.Face != d.Face {
					m.Top = is.Face
				}
				spots := o.s.Open(by, d.Color)
				if by == drafter && drafting {
					spots = append(o.s.Spots(dicecreams.Take, d, 0), spots...)
				}
				for _, spot := range spots {
					m.Card, m.Spot = spot.Card, spot.Spot
					if !slices.Contains(moves, m) {
						moves = append(moves, m)
					}
				}
			}
		}
	}
	return moves
}

func (creamZones) halfway(state rules.State, seen *spread) (list []movement) {
	o := lookOut(state, seen)
	if o == nil {
		return nil
	}
	g := creamZones{}
	before := g.piles(state)
	if o.s.Drawing() { // any dice come to the Fridge, one after the other
		after := slices.Clone(before)
		after[0].dice = make([]table.Die, o.s.DrawCount()-1)
		return []movement{{before, after}}
	}
	for _, mv := range o.acts() {
		m, ok := mv.(dicecreams.Move)
		if ok && (m.Kind == dicecreams.Bump || m.Kind == dicecreams.Melt && !o.melts()) {
			continue // it is done at once, or it is no such melting
		}
		if next, err := state.Apply(mv); err == nil {
			list = append(list, movement{before, g.piles(next)})
		}
	}
	if _, drafting := o.s.Drafter(); drafting { // in the hand of who takes it
		for _, d := range o.fridge.gone {
			for _, m := range o.s.Spots(dicecreams.Take, d, 0) {
				if next, err := state.Apply(m); err == nil {
					list = append(list, movement{before, g.piles(next)})
					break
				}
			}
		}
	}
	return list
}

// price: what everybody does in every turn is not unlikely for not having been seen alone.
func (creamZones) price(state rules.State, mv rules.Move) float64 {
	const routine, spent, odd = -1.5, 2.0, 3.0
	m, ok := mv.(dicecreams.Move)
	_, unseen := hazy(mv)
	switch {
	case !ok:
	case m.Kind == dicecreams.Melt:
		return routine + odd*float64(max(0, wrongly(state, m)-1))
	case unseen:
		return odd
	case m.Kind == dicecreams.Find && m.Die.Face == 0:
		return spent
	case m.Kind == dicecreams.Find:
		return 0
	case m.Kind == dicecreams.Draw, m.Kind == dicecreams.Roll, m.Kind == dicecreams.Done, m.Kind == dicecreams.Away, m.Kind == dicecreams.Clean:
		return routine
	case m.Kind == dicecreams.Buy:
		return spent
	case m.Kind == dicecreams.Bump, m.Delta != 0:
		return spent * float64(max(m.Delta, -m.Delta))
	}
	return 0
}

// instead: a die that was put down wrongly and lies there still was corrected where it
// lies. One of which was said where it goes went there, whatever else is wrong with it.
func (creamZones) instead(undone rules.Move, wrong bool, mv rules.Move, seen *spread) float64 {
	const elsewhere = 4.0
	was, ok := undone.(dicecreams.Move)
	is, same := mv.(dicecreams.Move)
	if !ok || !same || was.Kind != is.Kind || was.Seat != is.Seat || was.Die != is.Die || was.Card == is.Card && was.Spot == is.Spot {
		return 0
	}
	if is.Kind == dicecreams.Take && (!wrong || seen.turned(placeKey(is.Seat), is.Die)) {
		return elsewhere
	}
	return 0
}

func (g creamZones) unseen(state rules.State) rules.Move { return g.forced(state) }

// forced is what an act of this game forces and nobody sees: Sprinkles of a bonus, the
// token on the only Customer who is satisfied.
func (creamZones) forced(state rules.State) rules.Move {
	if s, ok := state.(*dicecreams.State); ok {
		return s.Forced()
	}
	return nil
}

// counts: a die that goes to those set aside is seen there, and how far dice should have melted
// tell those on the Fridge.
func (creamZones) counts(_ rules.State, st rules.Story, _ int) bool {
	if len(st.Why) > 0 && st.Line[st.At].(dicecreams.Move).Kind == dicecreams.Melt {
		return true
	}
	return slices.ContainsFunc(st.Line, func(mv rules.Move) bool {
		m := mv.(dicecreams.Move)
		return m.Kind == dicecreams.Discard || m.Kind == dicecreams.Set && m.Card == dicecreams.Aside
	})
}

func (creamZones) stands(mv rules.Move) bool {
	m, ok := mv.(dicecreams.Move)
	return ok && (m.Seat == rules.Nature && m.Kind != dicecreams.Reveal && m.Kind != dicecreams.Find || m.Kind == dicecreams.Clean)
}

// pending says what the players have to say before anything else can be told.
func (creamZones) pending(state rules.State) (ask Phrase, waits bool) {
	if s, ok := state.(*dicecreams.State); ok {
		if kind, _, must := s.Due(); must && kind == dicecreams.Reveal {
			return phrase("which-card"), true
		}
	}
	return ask, false
}

// strange names what is plainly wrong with a view that nothing explains: dice come to the
// Fridge only when they are drawn, all at once.
func (creamZones) strange(state rules.State, seen *spread) (ask Phrase, is bool) {
	o := lookOut(state, seen)
	if o == nil {
		return ask, false
	}
	n, want := len(seen.in[fridgeKey]), o.s.DrawCount()
	if len(o.fridge.come) < 2 || n == want {
		return ask, false
	}
	return phrase("fridge-count", "count", n, "of", want), true
}
