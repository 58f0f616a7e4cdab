package diceflick

import (
	"fmt"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

const maxPlayers = 4

// State is a position of a match. Which dice lie in front of whom and in the bag
// is hidden; only how many is counted.
type State struct {
	options    rules.Options
	worth      scoring.ArenaRules
	players    int
	arena      scoring.Arena // as it lies now, with what landed this turn
	held       [maxPlayers]int
	bag        int
	round      int // from 1; Rounds+1 when the game is over
	seat       int
	drawn      bool // the player has told how many dice lie in front of them
	required   int  // flicks that must be made this turn
	earned     int  // bonus flicks earned this turn
	bonusDrawn int  // dice drawn for them, at the latest when they are made
	flicks     int  // made this turn
	anyFlick   bool // a partial state does not tell how many flicks were made
	between    int  // points already scored this turn
	pad        scoring.Notepad
}

// begin starts a turn: dice are drawn until three lie in front of the player, or
// as many as there are (RULES.md 5.4).
func (s *State) begin() {
	n := min(InHand-s.held[s.seat], s.bag)
	s.held[s.seat] += max(n, 0)
	s.bag -= max(n, 0)
	s.required = min(Flicks, s.held[s.seat])
	s.earned, s.bonusDrawn, s.flicks, s.between, s.drawn = 0, 0, 0, 0, false
	s.arena.Landed, s.arena.Spent = 0, 0
}

func (s *State) over() bool { return s.round > Rounds }

// allowed is how many flicks the player may make this turn.
func (s *State) allowed() int { return s.required + s.earned }

// ToMove implements rules.State.
func (s *State) ToMove() rules.Player {
	if s.over() {
		return rules.Nobody
	}
	return rules.Player(s.seat)
}

// Round is the round that is being played, from 1.
func (s *State) Round() int { return min(s.round, Rounds) }

// FlicksLeft is how many flicks the player must and may still make.
func (s *State) FlicksLeft() (must, may int) {
	if s.over() {
		return 0, 0
	}
	return max(s.required-s.flicks, 0), max(s.allowed()-s.flicks, 0)
}

// Earned is how many bonus flicks the player has earned in this turn.
func (s *State) Earned() int { return s.earned }

// Arena is what lies in the holes, with the markers that are known.
func (s *State) Arena() scoring.Arena { return s.arena }

// Best is the most that scoring the arena as it lies would bring, and how.
func (s *State) Best() scoring.Plan { return scoring.Best(&s.arena, s.worth) }

// Explain tells which scorings of the arena as it lies take exactly these dice.
func (s *State) Explain(removed scoring.Holes) scoring.Explanation {
	return scoring.Explain(&s.arena, s.worth, removed)
}

// Notepad is the score pad; its names are empty.
func (s *State) Notepad() scoring.Notepad { return s.pad }

// Score implements rules.State.
func (s *State) Score() []scoring.Sheet { return s.pad.Sheets() }

// Winners implements rules.Winner: the most points, shared when tied (RULES.md 5.8).
func (s *State) Winners() []rules.Player {
	var list []rules.Player
	top := 0
	for p, total := range s.pad.Totals() {
		if len(list) == 0 || total > top {
			list, top = nil, total
		}
		if total == top {
			list = append(list, rules.Player(p))
		}
	}
	return list
}

// Expect implements rules.State. Dice in front of the players and in the bag are not known.
func (s *State) Expect() table.View {
	v := table.View{Squares: map[table.Square]table.Die{}}
	for i, d := range s.arena.Dice {
		if d.Color != table.NoColor {
			v.Squares[table.SquareAt(i)] = d
		}
	}
	return v
}

// Legal implements rules.State. Flicks that push other dice cannot be listed, nor
// all that could be scored: of scorings it has the best one and none at all.
func (s *State) Legal() ([]rules.Move, bool) {
	if s.over() {
		return nil, true
	}
	var moves []rules.Move
	if s.flicks < s.allowed() {
		moves = s.legalFlicks()
	}
	if s.flicks >= s.required {
		by, best := rules.Player(s.seat), s.Best()
		if best.Score > 0 {
			moves = append(moves, Score{By: by, Seen: true, Removed: best.Removed})
		}
		if best.Score == 0 || !s.options.Bool(ruleMax) {
			moves = append(moves, Score{By: by, Seen: true}) // "took=none" comes after every hole
		}
	}
	return moves, false
}

// legalFlicks lists, in the order of their notation, every die in every empty hole, then the misses.
func (s *State) legalFlicks() []rules.Move {
	by := rules.Player(s.seat)
	var hits, misses []rules.Move
	for _, letter := range []byte("BGPWY") {
		color := colorOf(letter)
		if s.pool(color) <= 0 {
			continue
		}
		misses = append(misses, Flick{By: by, Die: table.Die{Color: color}})
		for _, face := range facesOf(color) {
			for i := range s.arena.Dice {
				at := table.Square{Row: i % table.Size, Col: i / table.Size} // a1, a2, ...
				if s.arena.Dice[at.Index()].Color == table.NoColor {
					hits = append(hits, Flick{By: by, Die: table.Die{Color: color, Face: face}, Rests: true, To: at})
				}
			}
		}
	}
	return append(hits, misses...)
}

func facesOf(c table.Color) []int {
	if c == table.Pink {
		return []int{0}
	}
	return []int{1, 2, 3, 4, 5, 6}
}

// pool counts the dice of a color that do not lie in the arena: in front of players or in the bag.
func (s *State) pool(color table.Color) int {
	n := table.DiceFlick.Kit().Dice[color]
	for i := range s.arena.Dice {
		if s.arena.Dice[i].Color == color {
			n--
		}
	}
	return n
}

// Apply implements rules.State.
func (s *State) Apply(move rules.Move) (rules.State, error) {
	next := *s
	if err := next.play(move); err != nil {
		return nil, fmt.Errorf("cannot apply %v: %w", move, err)
	}
	return &next, nil
}

// play changes the state itself.
func (s *State) play(move rules.Move) error {
	switch m := move.(type) {
	case Markers:
		if s.arena.Markers.Bonus == 0 && m.Bonus&s.arena.Landed != 0 && s.flicks == s.required && s.bag > 0 {
			s.earned++ // a die of this turn has landed on it, as is known now
		}
		s.arena.Markers = m.Markers
		return m.Markers.Check()
	case Arrange:
		return s.arrange(m)
	case Amend:
		return s.amend(m)
	}
	if by := move.Actor(); by < 0 || int(by) >= s.players {
		return fmt.Errorf("there is no player %v", by)
	}
	if s.over() {
		return fmt.Errorf("the game is over")
	}
	switch m := move.(type) {
	case Draw:
		return s.draw(m)
	case Flick:
		return s.flick(m)
	case Score:
		s.score(m)
		return nil
	}
	return fmt.Errorf("%T is no move of DICE Flick", move)
}

func (s *State) arrange(m Arrange) error {
	changes, landed := Changes(s.arena.Dice, m.Dice), s.arena.Landed
	for _, at := range changes.Removed {
		landed &^= scoring.HoleSet(at)
	}
	for _, mv := range changes.Moved {
		landed &^= scoring.HoleSet(mv.From)
	}
	for _, mv := range changes.Moved {
		if s.arena.Landed.Has(mv.From) {
			landed |= scoring.HoleSet(mv.To)
		}
	}
	s.arena.Dice, s.arena.Landed = m.Dice, landed
	s.bag = Dice - count(m.Dice)
	for _, n := range s.held {
		s.bag -= n
	}
	s.bag = max(s.bag, 0)
	return s.arena.Check()
}

func (s *State) amend(m Amend) error {
	if m.Player < 0 || int(m.Player) >= s.players || m.Round < 1 || m.Round > Rounds {
		return fmt.Errorf("the notepad has no such cell")
	}
	s.pad = s.pad.With(m.Round, int(m.Player), m.Score)
	s.passOn()
	return nil
}

// passOn ends the turn once its number is on the notepad; cells that were written
// ahead are turns played too.
func (s *State) passOn() {
	passed := false
	for !s.over() && s.pad.Rounds[s.round-1][s.seat] != nil {
		passed = true
		if s.seat++; s.seat == s.players {
			s.seat = 0
			s.round++
		}
	}
	if passed && !s.over() {
		s.begin()
	}
}

func count(dice [25]table.Die) int {
	n := 0
	for _, d := range dice {
		if d.Color != table.NoColor {
			n++
		}
	}
	return n
}

func (s *State) draw(m Draw) error {
	if m.InFront < 0 || m.InFront > s.bag+s.held[m.By] {
		return fmt.Errorf("there are not so many dice")
	}
	s.bag += s.held[m.By] - m.InFront
	s.held[m.By] = m.InFront
	s.drawn = true
	switch {
	case int(m.By) != s.seat:
	case s.flicks == 0:
		s.required = min(Flicks, m.InFront)
	default:
		s.bonusDrawn++
	}
	return nil
}

// flick plays a flick: first the other dice, then the flicked one, then what it earns.
func (s *State) flick(m Flick) error {
	after, landed, err := s.after(m)
	if err != nil {
		return err
	}
	if s.bonusDrawn <= s.flicks-s.required && s.bag > 0 { // the bonus flick's own die
		s.bag--
		s.held[s.seat]++
		s.bonusDrawn++
	}
	by := int(m.By)
	switch {
	case s.held[by] > 0:
		s.held[by]--
	case s.bag > 0:
		s.bag--
	}
	bonus := m.Rests && s.arena.Markers.Bonus.Has(m.To)
	for _, shift := range m.Shifts {
		if shift.Off {
			s.bag++
		} else if s.options.Bool(rulePush) && shift.From != shift.To {
			bonus = bonus || s.arena.Markers.Bonus.Has(shift.To)
		}
	}
	if !m.Rests || !m.To.On() {
		s.bag++
	}
	s.flicks++
	if bonus && s.bag > 0 && (s.flicks <= s.required || s.options.Bool(ruleChain)) {
		s.earned++
	}
	s.arena.Dice, s.arena.Landed = after, landed
	return nil
}

// after is the arena after a flick, and where dice lie that landed this turn.
func (s *State) after(m Flick) (dice [25]table.Die, landed scoring.Holes, err error) {
	dice, landed = s.arena.Dice, s.arena.Landed
	if c := m.Die.Color; c != table.NoColor && s.pool(c) <= 0 {
		return dice, 0, fmt.Errorf("all %v dice lie in the arena", c)
	}
	for _, shift := range m.Shifts {
		if !shift.From.On() || dice[shift.From.Index()].Color == table.NoColor {
			return dice, 0, fmt.Errorf("no die lies on %v", shift.From)
		}
		dice[shift.From.Index()] = table.Die{}
	}
	put := func(at table.Square, d table.Die) error {
		switch {
		case !at.On():
			return fmt.Errorf("%v is not a hole of the arena", at)
		case dice[at.Index()].Color != table.NoColor:
			return fmt.Errorf("a die lies on %v already", at)
		}
		dice[at.Index()] = d
		return nil
	}
	for _, shift := range m.Shifts {
		if shift.From != shift.To || shift.Off {
			landed &^= scoring.HoleSet(shift.From)
		}
		if shift.Off {
			continue
		}
		d := table.Die{Color: s.arena.Dice[shift.From.Index()].Color, Face: shift.Face}
		if !isDie(d) {
			return dice, 0, fmt.Errorf("a die cannot show %d", shift.Face)
		}
		if err := put(shift.To, d); err != nil {
			return dice, 0, err
		}
	}
	if m.Rests && !isDie(m.Die) {
		return dice, 0, fmt.Errorf("%s is not a die of DICE Flick", dieText(m.Die))
	}
	if m.Rests && m.To.On() { // off the arena: in the trench, see DF-TRENCH
		if err := put(m.To, m.Die); err != nil {
			return dice, 0, err
		}
		landed |= scoring.HoleSet(m.To)
	}
	return dice, landed, nil
}

// score takes the scored dice off, writes the number, and unless it comes
// between flicks passes the turn on.
func (s *State) score(m Score) {
	points, removed, used := s.outcome(m)
	freed := scoring.Holes(0)
	for _, marker := range s.arena.Markers.Upgrade {
		freed |= marker & removed
	}
	for i := range s.arena.Dice {
		if removed&(1<<i) != 0 && s.arena.Dice[i].Color != table.NoColor {
			s.arena.Dice[i] = table.Die{}
			s.bag++
		}
	}
	s.arena.Landed &^= removed
	s.arena.Spent |= used | freed
	if p := int(m.By); p != s.seat { // out of turn and kept: the other one's turn goes on
		if n := s.pad.Filled(p); n < Rounds {
			s.pad = s.pad.With(n+1, p, &points)
		}
		return
	}
	points += s.between
	if s.isBetween(m) {
		s.between = points
		return
	}
	s.pad = s.pad.With(s.round, s.seat, &points)
	s.passOn()
}

func (s *State) isBetween(m Score) bool {
	return s.options.Bool(ruleBetween) && (m.Between || s.flicks < s.required)
}

// Points is what a scoring is worth as it will be written down: the number
// told, else what was claimed, else the highest that the dice that left explain.
func (s *State) Points(m Score) int {
	points, _, _ := s.outcome(m)
	return points + s.between
}

// outcome is what a scoring writes down, which dice it takes and which markers it uses.
func (s *State) outcome(m Score) (points int, removed, used scoring.Holes) {
	var steps []scoring.Scoring
	switch {
	case m.Claim != nil:
		t := scoring.Claim(&s.arena, s.worth, m.Claim)
		points, removed, used = t.Score, t.Removed, t.Used
	case m.Seen:
		e := s.Explain(m.Removed)
		points, removed, steps = e.Best.Score, m.Removed, e.Best.Steps
	default: // which dice were scored is known only of the maximum
		if best := s.Best(); !m.Told || m.Written == best.Score {
			points, removed, steps = best.Score, best.Removed, best.Steps
		}
	}
	if steps != nil {
		used = scoring.Claim(&s.arena, s.worth, steps).Used
	}
	if m.Seen {
		removed = m.Removed
	}
	if m.Told {
		points = m.Written
	}
	if s.options.Bool(ruleMax) {
		points = scoring.BestScore(&s.arena, s.worth)
	}
	return points, removed, used
}
