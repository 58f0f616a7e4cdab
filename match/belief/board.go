package belief

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"slices"

	"diceref/rules"
	"diceref/table"
)

// Position is a position of a game on a board.
type Position interface {
	rules.State
	// Key is the same for two that nothing seen later can tell apart.
	Key() string
	// Final says that what has led here is not taken back.
	Final(last rules.Move) bool
}

// boarded is a state that knows its board as such.
type boarded interface{ Board() rules.Board }

func boardOf(s rules.State) rules.Board {
	if b, ok := s.(boarded); ok {
		return b.Board()
	}
	return rules.ExpectedBoard(s.Expect())
}

// Board is a world of a game on a board: the positions that the game has gone through, the present one last.
type Board struct {
	now    rules.State
	board  rules.Board // of the position
	before *Board      // nil: the first, or one that nothing leads back from
	last   rules.Move
	wrong  bool // last was against the rules
	owners owners
	hidden []*Board // of those that it has gone through: the ones of which the last move brought a die to where nobody sees it
	story  uint64   // a digest of the moves that have led here and that were not taken back
	past   uint64   // the same of all moves: what was taken back has been told, too
}

// OnBoard is the world in which a game is at a position.
func OnBoard(s rules.State) *Board { return &Board{now: s, board: boardOf(s)} }

// State is the position.
func (b *Board) State() rules.State { return b.now }

// Key implements rules.Follower. What may be taken back is part of it, and how the board looks then; and all moves, as those that
// were taken back are told as well.
func (b *Board) Key() string {
	key := binary.LittleEndian.AppendUint64([]byte(b.now.(Position).Key()), b.story)
	key = binary.LittleEndian.AppendUint64(key, b.past)
	for at, n := b.before, 0; at != nil && n < mostBack; at, n = at.before, n+1 {
		for _, d := range at.board {
			key = append(key, byte(d.Color)<<3|byte(d.Face))
		}
	}
	return string(key)
}

// after is the world once a move was made that leads to a position.
func (b *Board) after(mv rules.Move, wrong bool, now rules.State) *Board {
	next := &Board{now: now, board: boardOf(now), before: b, owners: b.owners, last: mv, wrong: wrong, story: b.story, past: b.past, hidden: b.hidden}
	if _, unseen := mv.(Unseen); unseen {
		next.hidden = append(b.hidden[:len(b.hidden):len(b.hidden)], next)
	}
	if disturbs(mv) {
		return next // when it was does not matter
	}
	next.story, next.past = digest(b.story, mv), digest(b.past, mv)
	if _, stands := mv.(rules.Stands); stands {
		next.before = nil
	}
	return next
}

// digest is that of one move more.
func digest(so uint64, mv rules.Move) uint64 {
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, so) // a hash takes everything
	_, _ = h.Write([]byte(mv.String()))
	return h.Sum64()
}

// takenBack is the world once the last move was taken back.
func (b *Board) takenBack(mv TakenBack) *Board {
	if mv.Disturbed {
		return b.before // when it was does not matter
	}
	if _, unseen := b.last.(Unseen); unseen {
		return b.before // nothing was told of it
	}
	return b.before.but(func(next *Board) { next.past = digest(b.past, mv) })
}

// but is the same world with something changed.
func (b *Board) but(change func(*Board)) *Board {
	next := *b
	change(&next)
	if n := len(b.hidden); n > 0 && b.hidden[n-1] == b {
		next.hidden = append(b.hidden[:n-1:n-1], &next)
	}
	return &next
}

// Before is the world before the last move; nil: there is none.
func (b *Board) Before() *Board { return b.before }

// After is the world once a move was made, which may be that the last one was taken back.
func (b *Board) After(mv rules.Move) (*Board, error) {
	if back, is := mv.(TakenBack); is {
		if b.before == nil {
			return nil, errors.New("belief: nothing leads back from here")
		}
		return b.takenBack(back), nil
	}
	next, err := b.now.Apply(plainly(mv))
	if err != nil {
		return nil, err
	}
	return b.after(mv, b.now.Check(plainly(mv)) != nil, next), nil
}

// TakenBack is the move of taking the last act back, or of putting a die back that was knocked about.
type TakenBack struct {
	By        rules.Player
	Disturbed bool
}

// Actor is whose act was taken back.
func (t TakenBack) Actor() rules.Player { return t.By }

func (t TakenBack) String() string {
	if t.Disturbed {
		return t.By.String() + " putback"
	}
	return t.By.String() + " takeback"
}

// mostActs is how many acts one view may show at once, and mostBack how many are taken back in one.
const (
	mostActs = 3
	mostBack = 2
)

// way is one way in which a board may have come to look as it does.
type way struct {
	world *Board
	line  []rules.Move
	acts  int
	log   float64 // of the acts
	fits  float64 // of the look
	board float64 // of that, of the squares

	when      [table.Size * table.Size]uint8 // with which act a square changed last, from 1; 0: with none
	onto, off []table.Die                    // brought onto the board and taken off it
	rolled    bool                           // dice beside the board
	open      bool                           // something must follow
	needs     *Board                         // and it must be against the rules, or not possible, in this world; nil: nothing must
	same      uint32                         // squares on which a die may have lain before, though another one stood for it
	found     int                            // moves of the line that say where something is
	first     bool                           // nobody has looked before
	redress   bool                           // what was taken back last was against the rules
	stands    float64                        // the logarithm of how likely the act before is not taken back next
}

// Follow implements rules.Follower.
func (b *Board) Follow(s *Sight) []rules.Course[*Sight] { return b.FollowAbove(s, math.Inf(-1)) }

// FollowAbove is Follow without the courses that are less likely than a bound, as a logarithm.
func (b *Board) FollowAbove(s *Sight, least float64) []rules.Course[*Sight] {
	f := follower{sight: s, start: b.board, owners: b.owners, hidden: len(b.hidden), best: least + worst}
	f.add(way{world: b, log: math.Log(prior.Nothing), first: s.Before == nil, stands: b.stands()})
	f.takeBack(b)
	f.rolls(way{world: b, stands: b.stands()})
	f.traceless(b)
	for i := 0; i < len(f.ways); i++ { // ways are added as they are found
		if w := f.ways[i]; w.acts < mostActs && w.log > f.best-worst {
			f.goOn(w)
			f.rollsAfter(w)
		}
	}
	var list []rules.Course[*Sight]
	for _, w := range f.ways {
		if log := w.log + w.fits; log > f.best-worst && !w.open && w.needs == nil {
			list = append(list, rules.Course[*Sight]{Line: w.line, Log: log, After: w.world, Fits: w.board})
		}
	}
	return list
}

// stands is the logarithm of how likely the last act is not taken back by the next one: who sees that it was against the rules
// mostly does.
func (b *Board) stands() float64 {
	if !b.wrong || b.before == nil || disturbs(b.last) || b.now.(Position).Final(plainly(b.last)) {
		return 0
	}
	return math.Log(prior.Stands)
}

// worst is how much less likely than the best way another one is followed.
const worst = 13.0

type follower struct {
	sight  *Sight
	start  rules.Board
	owners owners
	hidden int // dice that were played unseen before
	ways   []way
	best   float64
	shown  table.Observation // of view
}

func (f *follower) add(w way) {
	w.board, w.fits = f.misfit(w)
	if f.best = max(f.best, w.log+w.fits); w.log < f.best-worst {
		return // whatever follows makes it less likely
	}
	f.ways = append(f.ways, w)
}

// takeBack adds the ways in which acts are taken back.
func (f *follower) takeBack(b *Board) {
	w := way{world: b, log: math.Log(prior.Act)}
	for range mostBack {
		at := w.world
		if at.before == nil || at.now.(Position).Final(plainly(at.last)) {
			return
		}
		p := prior.Back
		if w.redress = at.wrong; at.wrong {
			p = prior.Redress
		}
		w.log += math.Log(p)
		mv := TakenBack{By: at.last.Actor(), Disturbed: disturbs(at.last)}
		w.line = append(w.line[:len(w.line):len(w.line)], mv)
		w.untrack(plainly(at.last))
		w.world = at.takenBack(mv)
		f.add(w)
	}
}

// rolls adds a roll of dice beside the board.
func (f *follower) rolls(w way) {
	r, ok := w.world.now.(rules.Roller)
	if !ok || f.sight.Before == nil {
		return
	}
	n := f.shownOtherwise(&w)
	if n == 0 {
		return
	}
	if touched := prior.Touched; !w.open { // nobody's act
		if n == 1 {
			touched = prior.Nudged
		}
		f.add(way{world: w.world, rolled: true, log: math.Log(touched)})
	}
	line := r.Roll()
	if line == nil {
		return
	}
	log := math.Log(prior.Roll) + w.stands
	if w.open {
		log += w.log - math.Log(prior.Act)
	}
	ways, logs := f.compelled(w, line, prior.Though)
	for i, next := range ways {
		next.log = log + logs[i]
		f.add(next)
	}
}

// rollsAfter adds a roll by the player who has placed a die in this view.
func (f *follower) rollsAfter(w way) {
	r, ok := w.world.now.(rules.Roller)
	if !ok || w.acts == 0 || f.sight.Before == nil || w.rolled || w.open || w.needs != nil || w.acts >= mostActs {
		return
	}
	if mv := r.RollAfter(); mv != nil && f.shownOtherwise(&w) > 0 {
		if next, ok := w.play([]rules.Move{mv}); ok {
			f.add(next)
		}
	}
}

// shownOtherwise is how many dice beside the board show another face than before, but for those that a way has brought onto it.
func (f *follower) shownOtherwise(w *way) int {
	was, is := f.sight.Before.countBeside(), f.sight.countBeside()
	for _, d := range w.onto {
		was[d.Color][d.Face] = max(was[d.Color][d.Face]-1, 0)
	}
	f.sight.Before.rolledBack(&was, &is)
	return changed(was, is)
}

// traceless adds an act that nobody can have seen, before another one.
func (f *follower) traceless(b *Board) {
	u, ok := b.now.(rules.Unwatched)
	if !ok {
		return
	}
	for _, t := range u.Traceless() {
		p, against := max(prior.Roll*t.None, prior.Hidden), prior.Though
		switch {
		case t.Move.Actor() == rules.Nature: // it must have been
			p = t.None
		case b.now.Check(t.Move) != nil:
			p, against = prior.Skipped, 1
		}
		p *= math.Exp(b.stands())
		ways, logs := f.compelled(way{world: b}, []rules.Move{t.Move}, against)
		for i, w := range ways {
			w.log, w.open, w.rolled, w.acts = math.Log(p*prior.Act)+logs[i], true, false, 0
			w.board, w.fits = f.misfit(w)
			f.ways = append(f.ways, w)
			f.rolls(w)
		}
	}
}

// goOn adds the ways that have one act more than this one.
func (f *follower) goOn(w way) {
	if f.find(w) {
		return
	}
	f.unseenAct(w)
	for _, line := range f.propose(&w) {
		next, ok := w.play(line)
		if !ok || next.log < f.best-worst || !f.possible(next.world.board) {
			continue
		}
		f.add(next)
	}
}

// play is the way with one act more, after passes that the rules demand before it.
func (w way) play(line []rules.Move) (way, bool) {
	elsewhere := false
	switch {
	case w.acts == 0 && len(w.line) == w.found && !w.open:
		w.log += math.Log(prior.Act/prior.Nothing) + w.stands
	case w.open:
		w.open = false
	case w.acts == 0:
		if elsewhere = w.putsElsewhere(line); elsewhere {
			if w.log += math.Log(prior.Elsewhere); w.redress {
				w.log += math.Log(prior.Instead / prior.Elsewhere)
			}
		} else {
			w.log += math.Log(prior.Instead)
		}
	}
	w.line = w.line[:len(w.line):len(w.line)]
	for _, is := range line {
		var why rules.Illegal
		mv := plainly(is)
		if w.needs != nil && !w.tells(mv) {
			return w, false
		}
		w.needs = nil
		if err := w.world.now.Check(mv); err != nil && !errors.As(err, &why) {
			return w, false
		}
		if w.acts > 0 && (rules.Story{Why: why}).Rare() {
			return w, false // whether it was before the others or after them is the same, and nobody's act
		}
		next, err := w.world.now.Apply(mv)
		if err != nil {
			return w, false
		}
		w.log += actLog(w.world.now, mv, why, w.acts)
		if p, ok := mv.(rules.Placement); ok && elsewhere { // there is the choice of where, but not of which die
			w.log += math.Log(p.Choices(w.world.now, why != nil)) / 2
		}
		if w.first && mv.Actor() != rules.Nature {
			w.log += math.Log(prior.First)
		}
		was := w.world.board
		w.world = w.world.after(is, why != nil, next)
		w.line = append(w.line, is)
		w.track(mv)
		for i, d := range w.world.board {
			if d != was[i] {
				w.when[i] = uint8(w.acts + 1)
			}
		}
	}
	w.acts++
	w.pass()
	return w, true
}

// putsElsewhere says whether an act places the only die that has just been taken back.
func (w *way) putsElsewhere(line []rules.Move) bool {
	p, ok := plainly(line[len(line)-1]).(rules.Placement)
	if !ok || len(w.off) != 1 {
		return false
	}
	d, places := p.Places()
	return places && d == w.off[0]
}

// tells says whether an act tells of a die that is not seen where a way has it: the act is within the rules, and
// it is moved from there, or it would not be else.
func (w *way) tells(mv rules.Move) bool {
	if w.world.now.Check(mv) != nil {
		return false
	}
	if p, ok := mv.(rules.Placement); ok {
		if from, leaves := p.Leaves(); leaves && w.needs.board[from.Index()] != w.world.board[from.Index()] {
			return true
		}
	}
	return w.needs.now.Check(mv) != nil
}

// pass makes the passes that the rules demand.
func (w *way) pass() {
	for range 8 {
		p, ok := w.world.now.(rules.Passer)
		if !ok {
			return
		}
		mv, must := p.MustPass()
		if !must {
			return
		}
		next, err := w.world.now.Apply(mv)
		if err != nil {
			return
		}
		w.world = w.world.after(mv, false, next)
		w.line = append(w.line, mv)
	}
}

// actLog is the logarithm of how likely an act is at a position, with so many before it in the same view.
func actLog(now rules.State, mv rules.Move, why rules.Illegal, acts int) float64 {
	if mv.Actor() == rules.Nature {
		return 0
	}
	log := 0.0
	if acts > 0 {
		log += math.Log(prior.More)
	}
	switch s := (rules.Story{Why: why}); {
	case s.Rare():
		log += math.Log(prior.Rare / prior.Act)
	case why != nil:
		log += math.Log(prior.Illegal / prior.Act)
	}
	if p, ok := mv.(rules.Placement); ok {
		log -= math.Log(p.Choices(now, why != nil))
	}
	return log
}

// possible says whether a board has no more dice of a color than the game.
func (f *follower) possible(board rules.Board) bool {
	var n [10]int
	for _, d := range board {
		if n[d.Color]++; d.Color != table.NoColor && n[d.Color] > f.sight.kit[d.Color] {
			return false
		}
	}
	return true
}

// Misfit is how well the look of the board fits a way, and that of the whole table.
func (f *follower) misfit(w way) (squares, all float64) {
	cost := 0.0
	s, board := f.sight, w.world.board
	var missing uint32 // dice that are not read
	for i, is := range board {
		if s.Squares[i].read() && is.Color != table.NoColor && w.world.Hides(i) {
			is = table.Die{} // if it were here it would not be hidden
		}
		c := s.Misfit(i, is, is != f.start[i] && w.same>>i&1 == 0)
		if c > 0 && is.Color != table.NoColor && !s.Squares[i].read() && !w.world.Hides(i) {
			missing |= 1 << i
		}
		cost += c
	}
	for i, is := range board { // what is read beside the square of a die that is not read may be that
		if is.Color != table.NoColor || !s.Squares[i].read() || missing == 0 {
			continue
		}
		for _, j := range around(i) {
			if missing>>j&1 == 0 || s.Squares[i].Die != board[j] {
				continue
			}
			apart := s.Misfit(i, is, is != f.start[i]) + s.Misfit(j, board[j], board[j] != f.start[j])
			if c := s.misplaced(i, j); c < apart {
				cost += c - apart
				missing &^= 1 << j
				break
			}
		}
	}
	return -cost, -cost - f.beside(w) - f.sides(w) - f.order(w)
}

// order is how little the acts of a way fit the order in which squares were seen to change.
func (f *follower) order(w way) (cost float64) {
	for _, o := range f.sight.Sooner {
		first, then := w.when[o.First.Index()], w.when[o.Then.Index()]
		switch {
		case then == 0 || first <= then:
		case o.Plain:
			cost -= math.Log(model.Order)
		default:
			cost -= math.Log(model.HalfOrder)
		}
	}
	return cost
}

// around is the squares that touch one, by a corner, too.
func around(i int) []int { return touching[i] }

var touching = func() (list [table.Size * table.Size][]int) {
	for i := range list {
		for _, n := range rules.Around(table.SquareAt(i)) {
			list[i] = append(list[i], n.Index())
		}
	}
	return list
}()

// propose lists acts that would make the board look more as it does.
func (f *follower) propose(w *way) (lines [][]rules.Move) {
	s, now, board := f.sight, w.world.now, w.world.board
	var come, gone, changed []int
	for i, is := range board {
		if s.Misfit(i, is, is != f.start[i]) < .1 {
			continue
		}
		switch {
		case w.world.Hides(i):
		case is.Color == table.NoColor:
			come = append(come, i)
		case s.Squares[i].read():
			changed = append(changed, i)
			gone = append(gone, i)
		default:
			gone = append(gone, i)
		}
	}
	if len(come)+len(gone) > 10 {
		return nil // another table, or a hand
	}
	look := func(b *rules.Board) {
		lines = append(lines, now.Propose(f.view(b))...)
	}
	left, out := f.vanished(w), f.allOn(&board)
	for _, i := range gone { // which may have come to another square
		out = out.without(board[i].Color)
	}
	for _, i := range come {
		for _, d := range union(s.likely(i, out), left) {
			b := board
			b[i] = d
			look(&b)
			for _, j := range gone {
				b := b
				b[j] = table.Die{}
				look(&b)
			}
			for _, k := range around(i) {
				if board[k].Color != table.NoColor || s.Squares[k].read() || s.misplaced(i, k) > worst/2 {
					continue
				}
				b := board
				b[k] = d
				look(&b)
				for _, j := range gone {
					b := b
					b[j] = table.Die{}
					look(&b)
				}
			}
		}
	}
	for _, i := range changed {
		for _, d := range s.likely(i, out) {
			if d != board[i] {
				b := board
				b[i] = d
				look(&b)
			}
		}
	}
	return lines
}

// union is a list and what another one has besides.
func union(list, more []table.Die) []table.Die {
	for _, d := range more {
		if !slices.Contains(list, d) {
			list = append(list[:len(list):len(list)], d)
		}
	}
	return list
}

// view is a board that is seen as it is; it holds until the next one.
func (f *follower) view(b *rules.Board) table.Observation {
	if f.shown.Dice == nil {
		f.shown = table.Observation{Game: f.sight.Game, Dice: make([]table.Reading, len(b), len(b)+len(f.sight.Beside))}
		for i := range b {
			sq := table.SquareAt(i)
			f.shown.Dice[i] = table.Reading{Square: &sq, Confidence: 1, Sure: true}
		}
		f.shown.Dice = append(f.shown.Dice, f.sight.Beside...)
	}
	for i, d := range b {
		f.shown.Dice[i].Die = d
	}
	return f.shown
}

// colors is a set of colors.
type colors uint16

func (c colors) has(k table.Color) bool { return c>>k&1 != 0 }

func (c colors) without(k table.Color) colors { return c &^ (1 << k) }

// allOn is the colors of which a board has all dice of the game.
func (f *follower) allOn(board *rules.Board) (all colors) {
	var n [10]int
	for _, d := range board {
		n[d.Color]++
	}
	for _, c := range table.Colors {
		if n[c] >= f.sight.kit[c] {
			all |= 1 << c
		}
	}
	return all
}

// Likely lists the dice that what is read on a square may be, but for such as are far less likely than the likeliest.
func (s *Sight) Likely(square int) (list []table.Die) {
	if s.could[square] == nil {
		s.could[square] = s.likely(square, 0)
	}
	return s.could[square]
}

// likely is Likely if it can be of none of some colors.
func (s *Sight) likely(square int, out colors) (list []table.Die) {
	const hardly, most = 7.0, 6
	if out == 0 && s.could[square] != nil {
		return s.could[square]
	}
	for c, n := range s.kit {
		for f := s.least; f <= 6 && n > 0 && !out.has(table.Color(c)); f++ {
			if d := (table.Die{Color: table.Color(c), Face: f}); s.Game.Kit().Has(d) {
				list = append(list, d)
			}
		}
	}
	slices.SortFunc(list, func(a, b table.Die) int {
		if x, y := s.log(square, a), s.log(square, b); x != y {
			return sign(y - x)
		}
		return int(a.Color)*7 + a.Face - int(b.Color)*7 - b.Face
	})
	best := s.best[square]
	for n, d := range list {
		if n == 0 && out != 0 {
			best = s.log(square, d)
		}
		if n == most || s.log(square, d) <= best-hardly {
			return list[:n]
		}
	}
	return list
}

func sign(v float64) int {
	if v < 0 {
		return -1
	}
	return 1
}
