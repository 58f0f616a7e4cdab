package belief

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"diceref/rules"
	"diceref/table"
)

// How a table may have come to look as it does is searched best first: lines of acts, one that is taken back, another in its place.

// trail is one way in which a table may have come to look as it does.
type trail struct {
	world  *Zones
	line   []rules.Move
	acts   int
	log    float64
	toCome bool   // the last act of its world was said, and is still to be made
	undid  *Zones // its last act was taken back last: the next act is instead of it
	wrong  bool   // it tells of an act against the rules already
	misfit misfits
	same   float64 // of that, at least: dice that were moved lie where they lay, and others may be moved yet
	// silent is the world before its last acts of which nothing came that could be seen; nil: something came of the last.
	silent *Zones
}

// Beam is how many hypotheses are kept.
func (z *Zones) Beam() int { return 20 }

// Follow implements rules.Follower.
func (z *Zones) Follow(l *Layout) []rules.Course[*Layout] { return z.FollowAbove(l, math.Inf(-1)) }

// goOnBestFirst goes on from the likeliest that is open, as long as others may be found that are likely enough, and there is work left.
func (t *tracker) goOnBestFirst() {
	most := mostTrails * (1 + len(t.from.awaits))                                                            // what was said and is still to be done leads further
	for n := 0; t.open.Len() > 0 && (n < most || t.accuses && n < most*longer) && t.gone < mostInView; n++ { // more are added as they are found
		if w := heap.Pop(&t.open).(trail); w.acts > 0 && w.acts < t.mostActs() && w.log > t.best-worst {
			t.goOn(w)
		}
	}
}

// openTrails is a heap of those that were not gone on from, the likeliest first.
type openTrails []trail

func (o openTrails) Len() int           { return len(o) }
func (o openTrails) Less(i, j int) bool { return o[i].log-o[i].misfit.cost > o[j].log-o[j].misfit.cost }
func (o openTrails) Swap(i, j int)      { o[i], o[j] = o[j], o[i] }
func (o *openTrails) Push(x any)        { *o = append(*o, x.(trail)) }
func (o *openTrails) Pop() any {
	last := len(*o) - 1
	w := (*o)[last]
	*o = (*o)[:last]
	return w
}

// mostTrails is how many are gone on from, for one outlook.
const mostTrails = 300

// mostInView is how many are for all hypotheses together, the likeliest of which come first: where much may have happened unseen, and much
// was said meanwhile, each would take long.
const mostInView = 8000

// longer is how many times as many are before it is believed that somebody has broken the rules.
const longer = 4

// shorter is how much less likely a line is for each act that the rules alone demand: of two that nothing tells apart the simpler
// comes first.
const shorter = .001

// mostZoneActs is how many acts one view may show at once that nobody has told of.
const mostZoneActs = 7

func (t *tracker) mostActs() int { return mostZoneActs + len(t.from.awaits) }

type tracker struct {
	*zoneFit
	trails []trail
	open   openTrails
	from   *Zones
	best   float64
	// accuses: the likeliest trail tells of an act against the rules.
	accuses bool
	met     map[meeting]float64 // the likeliest trail to a world
}

// meeting is what trails have in common that come to the same world, or halfway to the next: as Key tells them apart.
type meeting struct {
	at, half    string
	story, past uint64
}

func (t *tracker) add(w trail) {
	key := meeting{at: w.world.key, story: w.world.story, past: w.world.past}
	if log, met := t.met[key]; met && log >= w.log {
		return
	}
	t.met[key] = w.log
	same, stirred := t.moved(w.world.stay)
	if w.same = same; w.undid != nil && w.acts == 0 {
		w.same = 0 // what is the same in the end need not have been moved
	}
	if w.log-w.same < t.best-worst {
		return
	}
	e := t.fit(w.world.piles, w.world.stay)
	e.cost, e.lies = e.cost+same+stirred, same+stirred
	if log := w.log - e.cost; log > t.best {
		t.best, t.accuses = log, w.wrong
	}
	w.misfit = e
	t.trails = append(t.trails, w)
	heap.Push(&t.open, w)
}

// addHalf adds the way in which a view comes in the middle of an act, where it shows some of the dice that the act moves where they were,
// and the others where they come to.
func (t *tracker) addHalf(w trail, after *Zones) {
	if w.log += math.Log(prior.More * prior.UnderWay); w.acts == 0 && w.undid == nil {
		w.log += math.Log(prior.Act / prior.Nothing / prior.More)
	}
	if w.log < t.best-worst {
		return
	}
	piles, half := t.halfway(w.world.piles, after.piles)
	if !half {
		return
	}
	key := meeting{at: w.world.key, story: w.world.story, past: w.world.past}
	for _, p := range piles {
		key.half += pileKey(&p)
	}
	if log, met := t.met[key]; met && log >= w.log {
		return
	}
	t.met[key] = w.log
	same, stirred := t.moved(after.stay)
	w.misfit = t.fit(piles, after.stay)
	w.misfit.cost, w.misfit.lies = w.misfit.cost+same+stirred, same+stirred
	t.best = max(t.best, w.log-w.misfit.cost)
	t.trails = append(t.trails, w)
}

// addToCome adds the way in which an act that was said is still to be made.
func (t *tracker) addToCome(z *Zones) {
	w := trail{world: z, log: math.Log(prior.Nothing * prior.Later), toCome: true}
	was := z
	for was.follows() && was.before != nil {
		was = was.before
	}
	if was = was.before; !z.told || was == nil || samePiles(z.piles, was.piles) {
		return
	}
	w.misfit = t.fit(was.piles, was.piles)
	t.best = max(t.best, w.log-w.misfit.cost)
	t.trails = append(t.trails, w)
}

// halfway is what lies where in the middle of an act, by what is read; false: that shows nothing, or all, of it.
func (t *tracker) halfway(was, is []rules.Pile) (piles []rules.Pile, half bool) {
	const dice = 3 // two may be moved at once
	left, come, all, heap := 0, 0, 0, -1
	for i := range was {
		p := was[i]
		if p.Heap {
			if len(is[i].Dice) > len(p.Dice) {
				heap = i
			}
			piles = append(piles, p)
			continue
		}
		var list []change
		p.Dice, list = changes(&p, &is[i])
		free := func(d table.Die) bool { return d.Face != 0 && t.readAs(p.At, d) > count(p.Dice, d) }
		for _, c := range list {
			if c.was.Face != 0 {
				all++
			}
			switch {
			case free(c.was):
				p.Dice = append(p.Dice, c.was)
				continue
			case free(c.is):
				p.Dice = append(p.Dice, c.is)
				come++
			}
			if c.was.Face != 0 {
				left++
			}
		}
		piles = append(piles, p)
	}
	if heap >= 0 {
		piles[heap].Dice = append(slices.Clone(piles[heap].Dice), make([]table.Die, max(0, left-come))...)
		come = left
	}
	return piles, left > 0 && left < all && left == come && (heap < 0 || all >= dice)
}

// change is a die that an act changes, moves, or both; no die: it comes to a pile, or leaves it.
type change struct{ was, is table.Die }

// changes is the dice of a pile that an act leaves as they are, and what it does to the others, those with the most pips first: dice that
// are turned step by step show what others have shown before. Where no spots are known a die that is turned has left, and another one come.
func changes(was, is *rules.Pile) (same []table.Die, list []change) {
	if was.Spots == nil || is.Spots == nil {
		same = slices.Clone(staying([]rules.Pile{*was}, []rules.Pile{*was}, []rules.Pile{*is})[0].Dice)
		for _, d := range without(was.Dice, same) {
			list = append(list, change{was: d})
		}
		for _, d := range without(is.Dice, same) {
			list = append(list, change{is: d})
		}
		return same, list
	}
	for i, d := range was.Dice {
		c := change{was: d}
		if k := slices.Index(is.Spots, was.Spots[i]); k >= 0 {
			c.is = is.Dice[k]
		}
		if c.was == c.is {
			same = append(same, d)
		} else {
			list = append(list, c)
		}
	}
	for i, d := range is.Dice {
		if !slices.Contains(was.Spots, is.Spots[i]) {
			list = append(list, change{is: d})
		}
	}
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(b.was.Face, a.was.Face) })
	return same, list
}

func count(dice []table.Die, d table.Die) (n int) {
	for _, o := range dice {
		if o == d {
			n++
		}
	}
	return n
}

// takeBack adds the ways in which acts are taken back.
func (t *tracker) takeBack(z *Zones) {
	w := trail{world: z, log: math.Log(prior.Act)}
	for n := 0; n < mostBack; {
		at := w.world
		if at.before == nil {
			return
		}
		p := prior.Back
		switch n++; {
		case at.follows(): // it goes with the act
			p, n = 1, n-1
		case at.wrong:
			p = prior.Redress
		case samePiles(at.piles, at.before.piles), at.told:
			p = prior.Back * prior.Elsewhere // who says nothing else will hardly take back what nobody saw
		}
		w.log += math.Log(p)
		mv := TakenBack{By: at.last.Actor()}
		w.line = append(w.line[:len(w.line):len(w.line)], mv)
		w.world, w.undid = at.takenBack(mv), at
		if !at.follows() {
			t.add(w)
		}
	}
}

// follows says whether the last move is one that the rules alone have demanded.
func (z *Zones) follows() bool { return z.last != z.act }

// onlySaid says whether the last act was said, and would show, but no view has shown it.
func (z *Zones) onlySaid() bool {
	return z.told && z.before != nil && !samePiles(z.piles, z.before.piles)
}

// otherwise is how much likelier, as a logarithm, an act that was said is made otherwise than not at all.
var otherwise = math.Log(prior.Otherwise / prior.Back / prior.Elsewhere)

// insteadOf is the logarithm of how likely the act that led to a world is made in the place of the one of another: hardly where it
// looks the same, or only puts the same die elsewhere.
func insteadOf(was, is *Zones) float64 {
	if g, ok := was.now.(rules.Placer); ok && g.Elsewhere(was.act, is.act) || samePiles(was.piles, is.piles) {
		return math.Log(prior.Elsewhere)
	}
	if was.onlySaid() {
		return otherwise
	}
	return math.Log(prior.Instead)
}

// turned says whether the act that led to a world puts the same die in the same place as that of another one, but for what it shows.
func turned(was, is *Zones) bool {
	g, ok := was.now.(rules.Placer)
	return ok && g.Turned(was.act, is.act)
}

func samePiles(a, b []rules.Pile) bool {
	return slices.EqualFunc(a, b, func(x, y rules.Pile) bool { return x.At == y.At && slices.Equal(x.Dice, y.Dice) })
}

// goOn adds the trails that have one act more than this one.
func (t *tracker) goOn(w trail) {
	t.gone++
	for _, p := range t.next(w.world) {
		said := w.world.means(p.Move)
		if said >= 0 {
			p.Log = 0 // it is only asked whether the word meant that
		}
		log := w.log + w.beforeAct(p, said) + w.world.ahead(said)
		if w.undid != nil && w.acts == 0 && w.undid.onlySaid() {
			log += otherwise
		}
		if log-w.same < t.best-worst || w.knows(p.Move) {
			continue
		}
		next, why, ok := w.world.after(p.Move, t.steps)
		if !ok || why != nil && (w.wrong || w.silent != nil) || w.needless(p.Move, next) || w.undid != nil && w.undid.act.String() == p.Move.String() {
			continue
		}
		if w.undid != nil && w.acts == 0 { // what is the same in the end need not have been moved back and forth
			next.stay = staying(t.from.stay, t.from.piles, next.piles)
		}
		if why == nil && p.Move.Actor() != rules.Nature {
			t.addHalf(w, next)
		}
		c := w
		c.log += w.beforeAct(p, said) + w.instead(p, next) + w.world.ahead(said) - shorter*float64(len(next.forced))
		next.awaits = w.world.awaits[said+1:]
		if why != nil {
			c.log += math.Log(prior.Illegal / prior.Act)
			if c.wrong = true; w.acts > 0 {
				c.log += math.Log(prior.Unshown)
			}
		}
		if c.log-w.same < t.best-worst {
			continue
		}
		if c.silent = nil; p.Move.Actor() != rules.Nature && said < 0 && samePiles(w.world.piles, next.piles) {
			c.silent = cmp.Or(w.silent, w.world)
		}
		c.world, c.acts = next, w.acts+1
		c.line = append(append(w.line[:len(w.line):len(w.line)], p.Move), next.forced...)
		t.add(c)
		if list := t.next(next); len(list) == 1 && list[0].Routine && c.acts < t.mostActs() {
			t.goOn(c) // nothing else can come next: how it looks meanwhile tells nothing
		}
	}
}

// beforeAct is the logarithm of how likely it is that an act comes after those of a trail, compared with none, whatever it leads to. said is
// the word that told of it; -1: none did.
func (w *trail) beforeAct(p rules.Likely, said int) float64 {
	log := p.Log
	switch {
	case w.acts > 0 && (!p.Routine || w.wrong || w.undid != nil) && w.silent == nil && p.Move.Actor() != rules.Nature && said < 0:
		log += math.Log(prior.More)
	case w.acts == 0 && w.undid == nil:
		log += math.Log(prior.Act / prior.Nothing)
	}
	if z := w.world; w.undid == nil && z.wrong && z.before != nil || w.acts > 0 && z.wrong {
		log += math.Log(prior.Stands)
	}
	return log
}

// instead is what is to be added if an act is made in the place of one that was taken back.
func (w *trail) instead(p rules.Likely, next *Zones) float64 {
	switch {
	case w.acts > 0 || w.undid == nil:
		return 0
	case !turned(w.undid, next):
		return insteadOf(w.undid, next)
	case w.undid.onlySaid():
		return math.Log(prior.Turned) - p.Log + otherwise
	}
	return math.Log(prior.Turned) - p.Log
}

// knows says whether a move would be learned of a die that was drawn in this view, and so was seen in it or not.
func (w *trail) knows(mv rules.Move) bool {
	return disturbs(mv) && slices.ContainsFunc(w.line, func(o rules.Move) bool { return o.Actor() == rules.Nature && !disturbs(o) })
}

// needless says whether an act may be made as well without those of its trail of which nothing could be seen: those are as likely made
// later; or whether it is one more of them, and not the next in turn order.
func (w *trail) needless(mv rules.Move, after *Zones) bool {
	switch {
	case w.silent == nil:
		return false
	case samePiles(w.silent.piles, after.piles):
		return mv.Actor() <= w.world.last.Actor()
	}
	return w.silent.now.Check(mv) == nil
}

// proposed lists the acts that the game proposes at a position, which many trails and hypotheses come through.
func (t *tracker) proposed(z *Zones) []rules.Likely {
	key := z.key
	list, known := t.may[key]
	if !known {
		list = z.now.May(&t.Spread)
		t.may[key] = list
	}
	return list
}

// next lists the acts that may come next: those that the game proposes, and those that were said before they could be done.
func (t *tracker) next(z *Zones) []rules.Likely {
	list := t.proposed(z)
	for _, said := range z.awaits {
		mv, done := said.Means(z.now)
		if done || mv == nil || z.now.Check(mv) != nil || slices.ContainsFunc(list, func(l rules.Likely) bool { return l.Move.String() == mv.String() }) {
			continue
		}
		list = append(list[:len(list):len(list)], rules.Likely{Move: mv})
	}
	return list
}

// means is which of the words that wait means an act; -1: none does.
func (z *Zones) means(mv rules.Move) int {
	return slices.IndexFunc(z.awaits, func(said *Word) bool {
		is, _ := said.Means(z.now)
		return is != nil && is.String() == mv.String()
	})
}

// ahead is how much likelier it is, as a logarithm, that one of the words that wait has come true: what was said before it meant nothing.
func (z *Zones) ahead(said int) float64 {
	if said < 0 {
		return 0
	}
	n := len(z.awaits)
	return inVain(said) + inWait(n-said-1) - inWait(n)
}

// findings is the trails that are likely enough.
func (t *tracker) findings() (list []finding) {
	for _, w := range t.trails {
		if w.silent != nil {
			continue // it is as likely made after this view
		}
		if log := w.log - w.misfit.cost; log > t.best-worst {
			if n := len(w.world.awaits); len(w.line) > 0 { // this view would have shown it
				log += inVain(n) - inWait(n)
			}
			list = append(list, finding{w.line, log, w.misfit.lies - w.misfit.cost, w.misfit.slips, w.toCome})
		}
	}
	return list
}
