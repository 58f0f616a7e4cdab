package vision

import (
	"math"
	"sort"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/detect"
	"diceref/vision/geometry"
	"diceref/vision/pixels"
)

// What a reading must reach to be told at all, and to be acted on without asking.
const (
	leastDie       = 0.5
	leastFace      = 0.3  // of a die on no square, that it is one and of its most likely face: dots and words have none
	hardlyFace     = 0.9  // probability of showing no face at all from which nothing on no square is told: no die of 1624 reached it
	hardlyDie      = 0.05 // below which nobody would take it for one
	plainDie       = 0.9  // such a die is not a sticker
	sureEnough     = 0.97
	sureDie        = 0.95
	sureByHand     = 0.993
	leastFits      = 0.3  // of color and face together: below, the networks contradict each other, or see no face
	speck          = 7.0  // half diagonal in pixels of a top on no square below which nothing can be read
	smallTop       = 15.0 // half diagonal in pixels below which pips run together
	sharpTop       = 0.42 // steepness of its edges below which a top is blurred
	sureSmall      = 0.985
	sureScore      = 0.5   // of the find network
	leastSureScore = 0.35  // where it plainly stands
	sureStanding   = 0.17  // squares off the middle, of the dice in common
	priorDie       = 1.5   // odds (logarithm) of a top that the find network proposes
	priorOn        = 0.25  // odds (logarithm) of a top in the middle of a square
	priorBeside    = -0.4  // and of one beside the grid, where anything may lie
	priorSide      = -4.5  // of one that is contested, and does not plainly stand
	priorSideFits  = -10.0 // and of one whose outline is just what the side's would be
	priorAlone     = -0.5  // and of one whose size no other dice confirm
	sideSpread     = 0.2   // usual error of a side's logarithm
	sureOff        = 0.28  // squares from the middle of its own, of 0.5 at its edge
	grayMost       = 14    // difference of a pixel's channels, of 255, up to which it is gray
	grayShare      = 0.002 // of a picture's pixels have more where there is any color
)

// inspected is all tops of a picture with what was seen of them, in the same order.
type inspected struct {
	dice    []placed
	glances []classify.Glance // their faces
	tops    []surface
	light   [2]classify.RGB // on all of them
}

// readDice reads the tops and settles the observation: it inspects them all, picks those that are told, weighs colors and faces, drops what
// is no die after all, and says what keeps the rest from being sure.
func (s *scene) readDice(dice []placed, k Known) error {
	all, err := s.inspect(dice)
	if err != nil {
		return err
	}
	down := s.downFor(all, &k)
	told, maybe := s.pick(all)
	vs, err := s.verdicts(all, told, down, &k)
	if err != nil {
		return err
	}
	told, vs = s.withoutIllegible(dice, told, vs)
	told, vs = s.tellMarkers(s.px, dice, told, vs, k.Profile)
	s.forgetSeen(dice, told)
	conserve(vs, without(s.kit, s.beside))
	kept, certain := keptOf(all, told, vs)
	if err = s.warn(s.px, s.maps, kept, dice, certain); err != nil {
		return err
	}
	s.offMiddle = s.standOff(kept)
	if s.ground != nil && !s.handSeen && s.sureOfGrid() {
		s.ground.learn(s, maybe)
	}
	for n, i := range told {
		r := s.reading(&dice[i], &all.glances[i], vs[n])
		r.Look = all.tops[i].look(all.light[0])
		s.nameOwned(i, &r)
		s.obs.Dice = append(s.obs.Dice, r)
		s.beyondDoubt = s.beyondDoubt && r.Sure
	}
	s.obs.Dice = append(s.obs.Dice, s.beside...)
	sort.SliceStable(s.obs.Dice, func(i, j int) bool { return before(&s.obs.Dice[i], &s.obs.Dice[j]) })
	return nil
}

// inspect asks the networks about all tops, and marks what speaks for and against each of them.
func (s *scene) inspect(dice []placed) (all *inspected, err error) {
	s.markSides(dice)
	s.squareUp(dice)
	all = &inspected{dice: dice}
	if all.glances, all.tops, all.light, err = s.examine(dice); err != nil {
		return nil, err
	}
	s.markUnlike(dice)
	markHalves(s.px, dice)
	markTwins(s.kit.Layout, dice, all.tops)
	markShort(dice)
	markAlone(s.kit.Layout, dice)
	if err = s.readOwned(dice, all.glances); err == nil && s.own == nil {
		err = s.refit(s.px, dice, all.glances)
	}
	return all, err
}

// downFor is where down is in the picture as the dice tell, as far as that is not in doubt. A grid that is known tells itself.
func (s *scene) downFor(all *inspected, k *Known) table.Point {
	if k.Profile != nil && s.grid != nil {
		return table.Point{}
	}
	down, doubt := s.downOf(s.px, all.dice, all.tops)
	if doubt {
		return table.Point{}
	}
	if k.Profile == nil && s.kit.Layout != table.Loose {
		s.down = down
	}
	return down
}

// pick tells which tops are told as dice, and which may be dice.
func (s *scene) pick(all *inspected) (told []int, maybe []*placed) {
	s.beyondDoubt = true
	for i := range all.dice {
		d, g := &all.dice[i], &all.glances[i]
		isDie := dieOdds(g, d.Score, s.prior(d))
		if isDie < hardlyDie {
			continue
		}
		maybe = append(maybe, d)
		plain := d.square != nil || d.Size >= speck && (s.own != nil || isDie*g.Plainest() >= leastFace) && g.Faces[classify.NoDie] < hardlyFace
		if isDie >= leastDie && plain && (!d.Cut || s.judged()) {
			told = append(told, i)
		} else {
			s.beyondDoubt = false
		}
	}
	return told, maybe
}

// verdicts weighs what the dice that are told show: each for itself, and then their colors beside one another.
func (s *scene) verdicts(all *inspected, told []int, down table.Point, k *Known) ([]*verdict, error) {
	seen := make([]classify.Glance, len(told))
	for n, i := range told {
		seen[n] = all.glances[i]
	}
	tints := s.tints(all.dice, told, down)
	colors, err := s.tellColors(all.dice, told, seen, tints, all.light)
	if err != nil {
		return nil, err
	}
	lessons := k.lessons()
	heeded := func(n int, colors *[classify.ColorKinds]float64) {
		heed(colors, all.tops[told[n]].look(all.light[0]), lessons)
	}
	vs := make([]*verdict, len(told))
	for n, i := range told {
		heeded(n, &colors[n])
		vs[n] = weigh(&seen[n].Faces, &colors[n], s.kit)
		vs[n].isDie = dieOdds(&seen[n], all.dice[i].Score, s.prior(&all.dice[i]))
	}
	if s.kit.Dice == nil && s.obs.Game != table.Any {
		oneColor(vs)
	}
	bodies := make([]body, len(told))
	around := classify.Question{Outlines: make([][4]table.Point, len(told)), Tints: tints, Light: all.light}
	for n, i := range told {
		bodies[n], around.Outlines[n] = all.tops[i].body, all.dice[i].Outline
	}
	if err = s.settleColors(vs, bodies, &around, heeded); err != nil {
		return nil, err
	}
	if s.obs.Game != table.FromageATrois { // there colors do not matter
		doubtLoneShades(vs, s.kit)
	}
	return vs, nil
}

// keptOf is the dice that are told, and whether anything is certain of one: that it is a die, and what it shows.
func keptOf(all *inspected, told []int, vs []*verdict) (kept []placed, certain bool) {
	kept = make([]placed, len(told))
	for n, i := range told {
		d := &all.dice[i]
		d.blown, d.sharp = all.tops[i].blown, all.tops[i].sharp
		kept[n] = *d
		certain = certain || vs[n].isDie*all.glances[i].Plainest() >= sureEnough
	}
	return kept, certain
}

// tellMarkers reads an arena's stickers, and drops what was taken for a die but is one.
func (s *scene) tellMarkers(px *pixels.Picture, dice []placed, told []int, vs []*verdict, cal *calibration.Profile) ([]int, []*verdict) {
	if s.grid == nil || s.kit.Layout != table.Arena {
		return told, vs
	}
	var plain []placed
	weak := map[table.Square]bool{}
	for k, i := range told {
		if d := &dice[i]; d.square != nil && vs[k].isDie < plainDie {
			weak[*d.square] = true
		} else {
			plain = append(plain, *d)
		}
	}
	isSticker := map[table.Square]bool{}
	for _, m := range s.markers(px, plain, cal) {
		q := table.Square{Row: m.Row, Col: m.Col}
		isSticker[q] = weak[q]
		s.obs.Markers = append(s.obs.Markers, m)
	}
	return keep(told, vs, func(i int, _ *verdict) bool { return dice[i].square == nil || !isSticker[*dice[i].square] })
}

// prior is what a die's place and size say about its being one, as a logarithm of
// odds: dice stand about the middles of squares and are all of one size.
func (s *scene) prior(d *placed) float64 {
	p := priorDie
	switch {
	case d.sideFits:
		p += priorSideFits + asideWeight*d.Stands
	case d.side:
		p += priorSide + asideWeight*d.Stands
	default:
		p += standWeight * standingOf(&d.Top)
		if d.square == nil && (s.grid != nil || s.kit.Layout == table.Loose) { // without the grid nothing is sure anyway
			p += flatWeight * min(d.Stands-sureStands, 0)
		}
	}
	if math.IsInf(d.unlike, 1) {
		p += priorAlone
	}
	if s.grid == nil {
		return p
	}
	if d.square == nil {
		p += priorBeside
	} else {
		p += priorOn - 1.5*(d.off/0.35)*(d.off/0.35) - flatWeight*d.short + d.twin
	}
	if side, ok := sideAt(&s.grid.Camera, &d.Top, topHeight(s.kit.Layout, s.side)); ok {
		e := math.Log(side/s.side) / sideSpread
		p -= min(0.4*e*e, 3)
	}
	return p
}

// reading turns a verdict into what is told.
func (s *scene) reading(d *placed, g *classify.Glance, v *verdict) table.Reading {
	r := table.Reading{Die: v.die, Square: d.square, At: d.At, Outline: d.Outline}
	inPlace := 1.0
	if d.square != nil {
		inPlace = detect.Sigmoid((0.5 - d.off) * 25)
	}
	r.Confidence = v.p * v.isDie * inPlace
	for f := range r.Faces {
		r.Faces[f] = g.Faces[f]
	}
	for c := range v.joint {
		r.Colors[c+1] = v.ofColor(c)
	}
	r.Sure = !d.Cut && v.p >= sureEnough && v.fits >= leastFits && v.isDie >= sureDie && d.surelyThere() && !d.refitted && !v.overrode && !v.unlikely && d.off <= sureOff && d.plainlyThere(s.leastSure()) && !d.contestedStill() && s.sureOfGrid()
	if d.Size < smallTop || d.sharp < sharpTop {
		r.Sure = r.Sure && v.p >= sureSmall
	}
	if s.colorless && s.obs.Game != table.FromageATrois { // there colors do not matter
		r.Sure = false
	}
	if s.handSeen {
		r.Confidence *= 0.9
		r.Sure = r.Sure && v.p >= sureByHand && v.isDie >= sureByHand
	}
	if v.overrode {
		r.Confidence = math.Min(r.Confidence, 0.7)
	}
	return r
}

// plainlyThere says whether the find network is sure enough of a top, or is not against it
// while all around it, or a die that looks just like it, speaks for one: then least is enough.
func (d *placed) plainlyThere(least float64) bool {
	return d.Score >= sureScore || d.Score >= least && (d.Stands >= plainlyStands || d.twin >= sureTwin)
}

// leastSure is the find network's score of a top that plainly stands, below which nothing is sure. Of anybody's dice it only
// proposes: another network judges.
func (s *scene) leastSure() float64 {
	if s.anybodys() {
		return leastProposed
	}
	return leastSureScore
}

// sureOfGrid says whether places can be relied on: games without a grid have none to be wrong about.
// Dice that stand off the middles of their squares in common say that it is not where it was found.
// Loose dice seen plainly aslant are read wrong the wrong way up.
func (s *scene) sureOfGrid() bool {
	return s.kit.Layout == table.Loose && !s.doubtDown || s.grid != nil && s.grid.Sure() && s.offMiddle < sureStanding
}

// standOff is how far dice usually stand off the middles of their squares.
func (s *scene) standOff(dice []placed) float64 {
	var v []float64
	for _, d := range dice {
		if d.square == nil {
			continue
		}
		x, y, _ := s.grid.Camera.Place(d.At, topHeight(s.kit.Layout, s.side))
		v = append(v, math.Max(math.Abs(x-float64(d.square.Col)-0.5), math.Abs(y-float64(d.square.Row)-0.5)))
	}
	return geometry.Median(v)
}

// before orders readings: the grid's row by row, then the loose ones as one reads a page.
func before(a, b *table.Reading) bool {
	if (a.Square == nil) != (b.Square == nil) {
		return a.Square != nil
	}
	if a.Square != nil {
		return a.Square.Index() < b.Square.Index()
	}
	if a.At.Y != b.At.Y {
		return a.At.Y < b.At.Y
	}
	return a.At.X < b.At.X
}
