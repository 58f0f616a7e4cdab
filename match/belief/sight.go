package belief

import (
	"math"
	"slices"

	"diceref/table"
)

// Sight is what one still view of a board shows: what was read on each square, all readings of the view together, and which
// dice were read beside the board.
type Sight struct {
	Game    table.Game
	Squares [table.Size * table.Size]Look
	Beside  []table.Reading
	Before  *Sight                       // the view before; nil: this is the first
	Sooner  []table.Sooner               // of squares that have changed since then
	streak  [table.Size * table.Size]int // in how many views before this one just the same was read there, one after the other
	// hidden is the places over which something lay in one of the readings, and those beside the board as if it went on there. On a
	// hidden square all is as it was when it was seen last, and nothing speaks for or against that.
	hidden map[table.Square]bool
	prints [table.Size * table.Size]print
	// unlooked is of what is before the first view: only what is printed on the board is known.
	unlooked bool
	again    []bool           // of the dice beside the board: they were surely read in the view before, too
	spares   []spare          // the dice that were read beside the board by now, as far as they were not seen to go on
	gone     [10][7][]float64 // how likely each that was read in the view before, and is not now, is just not read; the likeliest first
	still    [10][]float64    // by color: how likely each that was not read in the view before is not read now; the likeliest first
	none     [10][]float64    // by color: how likely each that is read is no die; the likeliest first
	corners  *table.Grid      // where the board is in the picture
	known    [10]int          // by color: how many dice were in view at once
	kinds    float64
	least    int                                     // the least face of the game's dice
	misread  [10]float64                             // by color: how likely the face of a die beside the board is another
	kit      [10]int                                 // how many dice of each color the game has
	logs     [table.Size * table.Size][10][7]float64 // of log, for the dice of the game
	best     [table.Size * table.Size]float64        // of them
	sides    []int                                   // of the dice beside the board: north, east, south or west of it
	could    [table.Size * table.Size][]table.Die    // of likely
}

// Look is what is known of one square by the readings of one view. The zero value is a square on which nothing was read.
type Look struct {
	Die    table.Die // as it was read most often; no color: not at all
	There  float64   // the probability that there is a die
	faces  [7]float64
	colors [10]float64
	// printed says that it is read just where something is printed.
	printed bool
	wrong   float64     // how likely color or face are another than the probabilities above say
	there   float64     // the probability that there is a die by those readings that have read it
	at      table.Point // where it was read last, in squares of the board, if placed
	placed  bool        // it is known where, and that is on its square
}

// SightOf sums up the readings of a still view, see poolSquares, and goes on from the view before.
func SightOf(readings []table.Observation, before *Sight) *Sight {
	last := readings[len(readings)-1]
	s := &Sight{Game: last.Game, Before: before, kinds: kindsOf(last.Game), least: leastFace(last.Game)}
	var prints *[table.Size * table.Size]print // nil: not known yet
	if before != nil {
		prints = &before.prints
	}
	if before != nil && !before.unlooked {
		once := *before
		once.Before = nil
		s.Before = &once
	}
	s.Sooner = slices.DeleteFunc(slices.Clone(last.Sooner), func(o table.Sooner) bool { // what contradicts itself tells nothing
		return slices.ContainsFunc(last.Sooner, func(q table.Sooner) bool { return q.First == o.Then && q.Then == o.First })
	})
	for c, n := range last.Game.Kit().Dice {
		s.kit[c] = n
	}
	s.noteHidden(readings)
	s.poolSquares(readings)
	s.notePrints(last, prints)
	s.carryHidden()
	s.countStreaks(before)
	s.noteBeside(readings)
	s.noteAgain()
	s.followSpares(&last)
	s.noteNone()
	s.weighSquares()
	return s
}

// countStreaks counts in how many views one after the other just the same was read on each square.
func (s *Sight) countStreaks(before *Sight) {
	if before == nil {
		return
	}
	for k := range s.Squares {
		l, was := &s.Squares[k], &before.Squares[k]
		if l.read() && !s.hides(k) && was.Die == l.Die && (l.wrong != model.SurelyWrong || was.wrong == model.SurelyWrong) {
			s.streak[k] = min(before.streak[k]+1, mostStreak)
		}
	}
}

// noteBeside notes which dice were read beside the board, where, and how likely another face of theirs is.
func (s *Sight) noteBeside(readings []table.Observation) {
	for c := range s.misread {
		s.misread[c] = model.Misread
	}
	s.Beside = besideOf(readings)
	for i := range s.Beside {
		r := &s.Beside[i]
		s.sides = append(s.sides, sideOf(readings[len(readings)-1].Grid, r.At))
		s.misread[r.Color] = max(s.misread[r.Color], faceDoubt(r))
	}
}

// weighSquares keeps the log-likelihood of each square for every die of the game, and the best of them.
func (s *Sight) weighSquares() {
	for k := range s.Squares {
		if s.hides(k) {
			continue
		}
		s.best[k] = s.logOf(k, table.Die{})
		s.logs[k][table.NoColor][0] = s.best[k]
		for c, n := range s.kit {
			for f := s.least; n > 0 && f <= 6; f++ {
				s.logs[k][c][f] = s.logOf(k, table.Die{Color: table.Color(c), Face: f})
				s.best[k] = max(s.best[k], s.logs[k][c][f])
			}
		}
	}
}

// noteHidden notes what is hidden in any of the readings.
func (s *Sight) noteHidden(readings []table.Observation) {
	for _, o := range readings {
		for _, q := range o.Hidden {
			if s.hidden == nil {
				s.hidden = map[table.Square]bool{}
			}
			s.hidden[q] = true
		}
	}
}

// carryHidden has hidden squares look as they did when they were seen last.
func (s *Sight) carryHidden() {
	for k := range s.Squares {
		if s.hides(k) && s.Before != nil {
			s.Squares[k], s.streak[k] = s.Before.Squares[k], s.Before.streak[k]
		}
	}
}

// Covered says whether something lies over squares of the board.
func (s *Sight) Covered() bool {
	for q := range s.hidden {
		if q.On() {
			return true
		}
	}
	return false
}

// hides says whether something lies over a square.
func (s *Sight) hides(square int) bool { return s.hidden[table.SquareAt(square)] }

// hiddenBeside says whether something lies over a place that is so many sides of the board away from its first corner, or just beside it.
func (s *Sight) hiddenBeside(u, v float64) bool {
	const about = 0.4 // squares
	for _, du := range [...]float64{-about, about} {
		for _, dv := range [...]float64{-about, about} {
			if s.hidden[table.Square{Row: int(math.Floor(v*table.Size + dv)), Col: int(math.Floor(u*table.Size + du))}] {
				return true
			}
		}
	}
	return false
}

// faceDoubt is how likely a die shows one of the five faces that it was not read as.
func faceDoubt(r *table.Reading) float64 {
	if r.Sure {
		return 0
	}
	if total(r.Faces[:]) == 0 {
		return (1 - r.Confidence) / 5
	}
	return (1 - r.Faces[min(max(r.Face, 0), 6)]) / 5
}

// kindsOf is how many different dice a game has, by color and face.
func kindsOf(g table.Game) float64 { return float64(6 * max(len(g.Kit().Dice), 1)) }

// leastFace is the least face of a game's dice: 0 where it has a blast die.
func leastFace(g table.Game) int {
	if g.Kit().Has(table.Die{Color: table.Pink}) {
		return 0
	}
	return 1
}

// read says whether anything was read.
func (l *Look) read() bool { return l.Die.Color != table.NoColor }

// Sure says whether what is read on a square was read surely.
func (s *Sight) Sure(square table.Square) bool {
	return s.Squares[square.Index()].wrong == model.SurelyWrong
}

// Unread says whether nothing was read on a square in this view and the one before: another one is not likely to show more.
func (s *Sight) Unread(square table.Square) bool {
	k := square.Index()
	return s.hides(k) || !s.Squares[k].read() && (s.Before == nil || !s.Before.Squares[k].read())
}

// log is the logarithm of how likely this look is if the die is there; no color: if the square is empty. It is up to a
// constant that all dice of one look share.
func (s *Sight) log(square int, is table.Die) float64 { return s.logs[square][is.Color][is.Face] }

func (s *Sight) logOf(square int, is table.Die) float64 {
	l := &s.Squares[square]
	switch {
	case !l.read() && is.Color == table.NoColor:
		return 0
	case !l.read():
		return math.Log(model.Missed)
	case is.Color == table.NoColor:
		if l.printed && s.Before != nil { // a print is mostly read as the same
			if l.Die != s.prints[square].as {
				return math.Log((1 - l.There) * s.kinds * model.Recolored)
			}
			return math.Log((1 - l.There) * s.kinds)
		}
		return math.Log(1 - l.There)
	}
	as := (1-l.wrong)*l.faces[min(max(is.Face, 0), 6)]*l.colors[is.Color] + l.wrong/s.kinds
	return math.Log(l.There) + math.Log(as*s.kinds)
}

// most is the logarithm for what fits a look best.
func (s *Sight) most(square int) float64 { return s.best[square] }

// again is the cost of an error that was made in so many views before, one after the other: the rule of succession.
func again(views int) float64 {
	if views == 0 { // nothing was read
		return -math.Log(model.Again)
	}
	return -math.Log(float64(views+1) / float64(views+2))
}

const mostStreak = 6

// Misfit is how much less likely this look is than if what fits it best were there. An error that was made in the view before,
// too, of a square on which nothing has changed since, is no second one.
func (s *Sight) Misfit(square int, is table.Die, changed bool) float64 {
	cost := s.most(square) - s.log(square, is)
	if s.streak[square] > 0 && !changed || s.Before != nil && !changed && !s.Squares[square].read() && !s.Before.Squares[square].read() {
		cost = min(cost, again(s.streak[square]))
	}
	return max(cost, 0)
}

// misplaced is the misfit of a die that is read on a square and lies on a neighboring one, where none is read: the less likely the
// farther from there it is read. That not all of the readings have it tells nothing, as they would not either if it lay there.
func (s *Sight) misplaced(square, neighbor int) float64 {
	l := &s.Squares[square]
	if l.printed {
		return worst
	}
	cost := math.Log(l.there / (1 - l.there) / model.Beside)
	if l.placed {
		cost += beyond(table.SquareAt(neighbor), l.at) / model.Reach
	}
	return max(0, cost) + s.most(square) - s.log(square, l.Die)
}

// beyond is how many squares a point of the board is away from a square.
func beyond(sq table.Square, at table.Point) float64 {
	off := func(v float64, from int) float64 { return max(float64(from)-v, v-float64(from+1), 0) }
	return math.Hypot(off(at.X, sq.Col), off(at.Y, sq.Row))
}

// sideOf is the side of the board that a die lies on: 0 to 3 for north, east, south and west.
func sideOf(g *table.Grid, at table.Point) int {
	if g == nil {
		return 0
	}
	return sideAt(onPlan(g, at))
}

// sideAt is the same by where it lies in sides of the board from its first corner.
func sideAt(u, v float64) int {
	beyond := [4]float64{-v, u - 1, v - 1, -u}
	side := 0
	for i := range beyond {
		if beyond[i] > beyond[side] {
			side = i
		}
	}
	return side
}
