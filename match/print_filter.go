package match

import (
	"math"
	"slices"

	"diceref/rules"
	"diceref/table"
)

// What was concluded to be nothing stays nothing. A disc or a dot that is printed on a square is
// read as a die again and again, in the same place, though never surely; a die that comes there
// covers it, and is seen from above, so that it hardly ever seems to lie just where the print does.

// printed is what was read on a square of a board that is empty.
type printed struct {
	at    table.Point // its place on the board, in squares
	dice  []table.Die // what it was taken for
	views int         // in which the square was concluded to be empty
	plays int         // how many acts were in force in the latest of them
}

const (
	enoughEmpty = 2   // views after which what is printed is known
	printReach  = 0.1 // squares between two readings of it, at most
)

// like says whether a reading may be of what is printed: as that has no die's color, it is taken for
// one and then for another; and a reading that tells little may show another face.
func (k printed) like(r table.Reading, p plane) bool {
	return dist(k.at, onSquares(p, r)) <= printReach && slices.ContainsFunc(k.dice, func(d table.Die) bool {
		return mayBe(r, d) || !r.Sure && (r.Face == d.Face || r.Confidence < enoughLegal && r.Color == d.Color)
	})
}

// onSquares is where a reading lies on the board, in squares.
func onSquares(p plane, r table.Reading) table.Point {
	q := p.at(r.At)
	return table.Point{X: q.X * table.Size, Y: q.Y * table.Size}
}

// withoutPrint leaves out what is known to be printed on a square, unless a die like it has left
// those beside the board and lies nowhere else, or may lie there still; one that is hardly read
// counts where nothing else has changed. A sure reading is left out only where all dice of its
// color are known one by one.
func (m *Match) withoutPrint(obs table.Observation) table.Observation {
	if len(m.prints) == 0 || obs.Grid == nil {
		return obs
	}
	want, p := m.line.now().Expect().Squares, planeOf(obs.Grid.Corners)
	known := func(r table.Reading) bool {
		if r.Square == nil || r.Sure && m.missing(r.Color) > 0 {
			return false
		}
		k := m.prints[*r.Square]
		return k.views >= enoughEmpty && k.like(r, p) && !mayBe(r, want[*r.Square])
	}
	came := func(r table.Reading) bool { return r.Square != nil && !known(r) && want[*r.Square] != r.Die }
	taken, left := m.takenBut(obs, came), m.onlyLeft(obs)
	placed := func(r table.Reading) bool { // nothing of its color was read there before
		return left != nil && left.Square == nil && !left.away && left.Die == r.Die && !slices.ContainsFunc(m.prints[*r.Square].dice, func(d table.Die) bool { return d.Color == r.Color })
	}
	obs.Dice = slices.DeleteFunc(slices.Clone(obs.Dice), func(r table.Reading) bool {
		return known(r) && !placed(r) && !slices.ContainsFunc(taken, func(d table.Die) bool { return mayBe(r, d) })
	})
	return obs
}

// takenBut is the dice that have left those beside the board, and were not only rolled there, but
// for those that came to the board as readings show.
func (m *Match) takenBut(obs table.Observation, came func(table.Reading) bool) (taken []table.Die) {
	all, others := m.sinceBeside(obs)
	gone := readingsOf(solid(all))
	for _, s := range gone {
		if len(ofColor(gone, s.Color)) > len(ofColor(others, s.Color)) {
			taken = append(taken, s.Die)
		}
	}
	for _, r := range obs.Dice {
		if i := slices.Index(taken, r.Die); i >= 0 && came(r) {
			taken = slices.Delete(taken, i, i+1)
		}
	}
	return taken
}

// mayBe says whether a reading may be of a die, if not likely.
func mayBe(r table.Reading, d table.Die) bool {
	return r.Die == d || d.Color != table.NoColor && r.Faces[d.Face]*r.Colors[d.Color] >= unlikelySame
}

// firstSight takes for print what is read on the empty board with which a game begins: what is not
// surely read, and what can be no die as all of its color lie beside the board. Where another die
// lies on it, the game has begun before. lies is what is a die all the same, if all dice are in view.
func (m *Match) firstSight(obs table.Observation) (first table.Observation, lies []table.Reading) {
	kit := m.setting.Game.Kit()
	if m.seen.ok || m.clearing || len(m.line.acts) > 0 || kit.Layout != table.Board || obs.Grid == nil {
		return obs, nil
	}
	all := besideAll(obs)
	prints := func(r table.Reading) bool {
		return r.Square != nil && !m.startsOn(*r.Square) && (!r.Sure || len(ofColor(all, r.Color)) >= kit.Dice[r.Color])
	}
	if slices.ContainsFunc(obs.Dice, func(r table.Reading) bool { return r.Square != nil && !m.startsOn(*r.Square) && !prints(r) }) {
		return obs, nil
	}
	for _, read := range m.ballot.reads {
		for _, r := range read.Dice {
			if prints(r) {
				m.notePrint(r, planeOf(read.Grid.Corners), enoughEmpty)
			}
		}
	}
	lies = m.completing(slices.DeleteFunc(onGrid(obs).Dice, func(r table.Reading) bool { return !prints(r) }), all)
	obs.Dice = slices.DeleteFunc(slices.Clone(obs.Dice), prints)
	return obs, lies
}

// completing is the readings on a board that are just the dice of which too few lie beside it; nil:
// there are more or fewer of them, or none.
func (m *Match) completing(on, beside []table.Reading) (list []table.Reading) {
	for _, c := range table.Colors {
		short, may := m.offBoard(c)-len(ofColor(beside, c)), ofColor(on, c)
		switch {
		case short == 0: // what looks like one is none
		case short == len(may):
			list = append(list, may...)
		default:
			return nil
		}
	}
	return list
}

// askFirst asks about a die that seems to have been placed before anybody looked. As long as nobody
// says so it is taken for print.
func (m *Match) askFirst(lies []table.Reading) {
	if len(lies) != 1 {
		return
	}
	r := lies[0]
	s := rules.Reconcile(m.line.now(), onGrid(withDie(m.seen.obs, *r.Square, r.Die)), rules.ReconcileOptions{})
	if s.Verdict != rules.Explained && s.Verdict != rules.IllegalAct {
		return
	}
	m.askNow(phrase("does-it-lie", "die", r.Die, "square", *r.Square), []offer{{says: phrase("nothing-there")}, m.asked(s.Story)})
	m.about = m.seq
}

// startsOn says whether a die is on a square when a game begins: the Seed of Dice Box.
func (m *Match) startsOn(sq table.Square) bool {
	return m.setting.Game == table.DiceBox && sq == seedAt
}

// notePrints notes what a view shows on squares that are concluded to be empty, once for each act: a
// die that was not seen surely would be a second one in the same view. What is surely read is print
// only where all dice of its color are known one by one.
func (m *Match) notePrints(obs table.Observation) {
	if m.setting.Game.Kit().Layout != table.Board || obs.Grid == nil {
		return
	}
	want, p := m.line.now().Expect().Squares, planeOf(obs.Grid.Corners)
	for _, r := range obs.Dice {
		if r.Square == nil || want[*r.Square].Color != table.NoColor || m.startsOn(*r.Square) {
			continue
		}
		if r.Sure && (!m.allKnown || m.missing(r.Color) > 0) {
			delete(m.prints, *r.Square)
		} else {
			m.notePrint(r, p, 1)
		}
	}
}

// notePrint notes a reading of what is printed on a square in so many views.
func (m *Match) notePrint(r table.Reading, p plane, views int) {
	k, plays := m.prints[*r.Square], len(m.line.plays())
	switch {
	case k.views == 0 || !k.like(r, p):
		k = printed{at: onSquares(p, r), dice: []table.Die{r.Die}, views: views, plays: plays}
	case plays > k.plays:
		k.views, k.plays = k.views+views, plays
	}
	if !slices.Contains(k.dice, r.Die) {
		k.dice = append(slices.Clone(k.dice), r.Die)
	}
	m.prints[*r.Square] = k
}

// keptPrints is what is known to be printed on the board, as it is kept.
func (m *Match) keptPrints() (list []keptPrint) {
	const hundredth = 100
	for i := range table.Size * table.Size {
		sq := table.SquareAt(i)
		if k := m.prints[sq]; k.views >= enoughEmpty {
			list = append(list, keptPrint{sq, math.Round(k.at.X*hundredth) / hundredth, math.Round(k.at.Y*hundredth) / hundredth, k.dice})
		}
	}
	return list
}
