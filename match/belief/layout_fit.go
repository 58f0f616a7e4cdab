package belief

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"diceref/rules"
	"diceref/table"
)

// slip is an error of the reader in a view: it is not made anew in the next.
type slip struct {
	at   rules.Zone
	is   table.Die      // no die: there is none
	read *table.Reading // unread: nothing was read
	n    int            // in so many views before
	cost float64
	bury float64 // what it costs, once for all of them, that dice of its heap do not show that did; 0: it is none of them
}

// unread is the reading of a die that is not read.
var unread = &table.Reading{}

// buriedWith says whether dice of one heap do not show.
func (s *slip) buriedWith(o slip) bool { return s.bury > 0 && o.bury > 0 && s.at == o.at }

// alone is what would be gained if the die of a slip were found.
func (e *misfits) alone(k int) float64 {
	s := &e.slips[k]
	for i, o := range e.slips {
		if i != k && s.buriedWith(o) {
			return s.cost
		}
	}
	return s.cost + s.bury
}

// misfits is how badly readings fit piles: as a cost, with the errors that must have been made.
type misfits struct {
	cost  float64
	lies  float64 // of that, because of where dice lie, which is no error of the reader
	slips []slip
}

// zoneFit compares piles with a view, by what a hypothesis knows of the errors in the view before.
type zoneFit struct {
	*Layout
	slips []slip
	memo  map[string]misfits
	there map[rules.Zone][]tally // see unmoved
}

// tally is how many dice of a kind there are.
type tally struct {
	table.Die
	n int
}

// fitting is how a view is compared by what is known of the errors in the view before.
func (l *Layout) fitting(slips []slip) *zoneFit {
	var key []byte
	for i := range slips {
		key = slips[i].append(key)
	}
	f, known := l.fits[string(key)]
	if !known {
		f = &zoneFit{Layout: l, slips: slips, memo: map[string]misfits{}, there: map[rules.Zone][]tally{}}
		l.fits[string(key)] = f
	}
	return f
}

// append adds all of a slip that matters for the next view.
func (s *slip) append(key []byte) []byte {
	sure := byte(0)
	if s.read.Sure {
		sure = 1
	}
	key = append(append(key, s.at.Kind...), byte(s.at.Seat), byte(s.is.Color), byte(s.is.Face), byte(s.read.Color), byte(s.read.Face), sure, byte(s.n))
	for _, x := range []float64{s.read.At.X, s.read.At.Y} {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x))
	}
	return key
}

// fit is how badly the readings fit if the table is as these piles say, of which some dice have not been moved since the view before.
func (f *zoneFit) fit(piles, stay []rules.Pile) misfits {
	var all misfits
	for i := range piles {
		p := &piles[i]
		if !f.Drawn[p.At] {
			continue
		}
		e := f.pile(p, &stay[i])
		all.cost += e.cost
		all.slips = append(all.slips, e.slips...)
	}
	out := f.misplaced(all.slips)
	all.cost += out.cost
	all.slips = out.slips
	for i, s := range all.slips {
		if !slices.ContainsFunc(all.slips[:i], s.buriedWith) {
			all.cost += s.bury
		}
	}
	missed, n := 0.0, 0
	for _, s := range all.slips {
		if s.read == unread && s.is.Face != 0 { // of a heap some are always hidden
			missed += s.cost
			n++
		}
	}
	if veiled := -math.Log(model.Veil) + float64(n)*-math.Log(model.Veiled); n > 1 && veiled < missed { // something lies over them
		all.cost += veiled - missed
		all.slips = slices.DeleteFunc(all.slips, func(s slip) bool { return s.read == unread && s.n == 0 })
	}
	return all
}

// misplaced has readings in no zone, and such as are of no die of their own zone, be dice that are not seen where they are to be.
func (f *zoneFit) misplaced(slips []slip) (e misfits) {
	e.slips = slips
	for i := range f.Out {
		r := &f.Out[i]
		alone := min(-f.none(r), f.again(rules.Zone{}, table.Die{}, r))
		nearest := math.Inf(1)
		for at := range f.outlines {
			nearest = min(nearest, f.off(at, r.At))
		}
		if !f.place(&e, r, model.Beside, alone, func(at rules.Zone) float64 { return (f.off(at, r.At) - nearest) / f.reach }) {
			e.cost += alone
			e.slips = append(e.slips[:len(e.slips):len(e.slips)], slip{read: r, n: f.times(rules.Zone{}, table.Die{}, r), cost: alone})
		}
	}
	for _, s := range slips {
		if s.is != (table.Die{}) || s.read == unread || s.at == (rules.Zone{}) {
			continue
		}
		if off := func(at rules.Zone) float64 { return f.off(at, s.read.At) / f.reach }; f.place(&e, s.read, model.Astray, s.cost, off) {
			e.cost -= s.cost
			k := slices.IndexFunc(e.slips, func(o slip) bool { return o.at == s.at && o.is == s.is && o.read.At == s.read.At })
			e.slips = slices.Delete(e.slips, k, k+1)
		}
	}
	return e
}

// place has a reading be a die that is not seen where it is to be, if that is likelier than that it is none. beside is how likely, off what it costs that
// it is read outside the die's zone.
func (f *zoneFit) place(e *misfits, r *table.Reading, beside, alone float64, off func(rules.Zone) float64) bool {
	best, at := alone, -1
	for k, s := range e.slips {
		if s.read != unread {
			continue
		}
		if c := min(-math.Log(beside)+off(s.at)-f.looks(r, s.is), f.again(s.at, s.is, r)) - e.alone(k); c < best {
			best, at = c, k
		}
	}
	if at < 0 {
		return false
	}
	e.slips = slices.Clone(e.slips)
	s := &e.slips[at]
	gained := e.alone(at)
	e.cost += best + gained - s.cost // what buries it is counted once all are placed
	s.cost, s.bury = best+gained, 0
	s.read, s.n = r, f.times(s.at, s.is, r)
	return true
}

// off is how far a point lies outside a zone, in pixels.
func (l *Layout) off(at rules.Zone, p table.Point) float64 {
	best := math.Inf(1)
	for _, o := range l.outlines[at] {
		for i, a := range o {
			b := o[(i+1)%len(o)]
			dx, dy := b.X-a.X, b.Y-a.Y
			t := min(max(((p.X-a.X)*dx+(p.Y-a.Y)*dy)/max(dx*dx+dy*dy, 1e-9), 0), 1)
			best = min(best, math.Hypot(p.X-a.X-t*dx, p.Y-a.Y-t*dy))
		}
	}
	return best
}

// again is the cost of an error that was made in the view before, too; infinite: it was not.
func (f *zoneFit) again(at rules.Zone, is table.Die, r *table.Reading) float64 {
	for _, s := range f.slips {
		if s.at == at && s.is == is && s.read.Die == r.Die && math.Hypot(s.read.At.X-r.At.X, s.read.At.Y-r.At.Y) < f.reach && (s.read.Sure || !r.Sure) {
			return again(s.n + 1)
		}
	}
	return math.Inf(1)
}

// pile is fit for one of them.
func (f *zoneFit) pile(p, stay *rules.Pile) misfits {
	key := pileKey(p) + pileKey(stay)
	e, known := f.memo[key]
	if !known {
		e = f.match(p, stay)
		f.memo[key] = e
	}
	return e
}

// pileKey tells piles apart.
func pileKey(p *rules.Pile) string {
	var b strings.Builder
	b.WriteString(p.At.Kind)
	b.WriteByte(byte(p.At.Seat))
	for _, d := range p.Dice {
		b.WriteByte(byte(d.Color)<<3 | byte(d.Face))
	}
	return b.String()
}

// match is the likeliest assignment of the readings in a zone to the dice of its pile.
func (f *zoneFit) match(p, stay *rules.Pile) (e misfits) {
	got := f.In[p.At]
	n, m := len(p.Dice), len(got)
	miss := make([]float64, n)
	otherwise := model.Missed
	if p.Heap {
		otherwise = model.Deeper
	}
	for i := range p.Dice {
		miss[i] = f.first(p, stay, i, otherwise)
	}
	extra := make([]float64, m)
	for j := range got {
		extra[j] = min(math.Log(float64(p.Kinds))-f.none(&got[j]), f.again(p.At, table.Die{}, &got[j]))
		if p.Heap && !f.new(p.At, &got[j]) && !f.slipped(&got[j]) { // of those that are alike it is none that lay there before
			extra[j] += shorter
		}
	}
	costs := make([][]float64, n)
	for i, d := range p.Dice {
		costs[i] = make([]float64, m)
		for j := range got {
			c := -f.looks(&got[j], d)
			if c > 1 {
				c = min(c, f.again(p.At, d, &got[j]), f.turned(p, stay, i, &got[j]))
			}
			costs[i][j] = c
		}
	}
	to := assign(costs, miss, extra)
	used := make([]bool, m)
	for i, j := range to {
		switch {
		case j < 0:
			e.cost += miss[i]
			s := slip{at: p.At, is: p.Dice[i], read: unread, n: f.times(p.At, p.Dice[i], nil), cost: miss[i]}
			if p.Heap && miss[i] == -math.Log(model.Deeper) {
				s.bury = -math.Log(model.Buried * f.heaped(p))
			}
			e.slips = append(e.slips, s)
		default:
			used[j] = true
			e.cost += costs[i][j]
			if d := p.Dice[i]; d.Face != 0 && d.Face != got[j].Face || d.Color != table.NoColor && d.Color != got[j].Color {
				e.slips = append(e.slips, slip{at: p.At, is: d, read: &got[j], n: f.times(p.At, d, &got[j])})
			}
		}
	}
	for j := range got {
		if !used[j] {
			e.cost += extra[j]
			e.slips = append(e.slips, slip{at: p.At, read: &got[j], n: f.times(p.At, table.Die{}, &got[j]), cost: extra[j]})
		}
	}
	return e
}

// turned is the cost of a die that shows another face since it was set down; infinite: it was not moved, or shows another color.
func (f *zoneFit) turned(p, stay *rules.Pile, i int, r *table.Reading) float64 {
	const others = 5 // faces
	d := p.Dice[i]
	if p.Plain || d.Face == 0 || d.Color != table.NoColor && d.Color != r.Color || count(p.Dice[:i], d) < count(stay.Dice, d) {
		return math.Inf(1)
	}
	return -math.Log(model.Turned/others) - f.looks(r, table.Die{Color: d.Color, Face: r.Face})
}

// heaped is how much less likely dice of a heap are buried if few have come to it since the view before: others were seen there.
func (f *zoneFit) heaped(p *rules.Pile) float64 {
	const few, many = .2, 4.0
	if f.Before == nil {
		return 1
	}
	n := len(p.Dice) - len(f.Before.In[p.At])
	for _, s := range f.slips {
		if s.at == p.At && s.read == unread {
			n--
		}
	}
	return min(1, (few+float64(max(0, n)))/many)
}

// first is the cost of not reading the i-th die of a pile, of which those of a kind that were not read before come first, but for those
// that are read now.
func (f *zoneFit) first(p, stay *rules.Pile, i int, otherwise float64) float64 {
	d := p.Dice[i]
	n := count(p.Dice[:i], d)
	if p.Heap {
		n += max(0, f.newcomers(p.At, d)-(count(p.Dice, d)-count(stay.Dice, d)))
	}
	for _, s := range f.slips {
		if s.at == p.At && s.is == d && s.read == unread {
			if n == 0 {
				return -math.Log(model.Again)
			}
			n--
		}
	}
	return -math.Log(otherwise)
}

// newcomers counts the readings in a heap, of what may be a die, where nothing was read in the view before.
func (f *zoneFit) newcomers(at rules.Zone, d table.Die) (n int) {
	if f.Before == nil {
		return 0
	}
	list, known := f.came[at]
	if !known {
		for i := range f.In[at] {
			if r := &f.In[at][i]; f.new(at, r) {
				list = append(list, r.Color)
			}
		}
		f.came[at] = list
	}
	if d.Color == table.NoColor {
		return len(list)
	}
	for _, c := range list {
		if c == d.Color {
			n++
		}
	}
	return n
}

// new says whether nothing was read there in the view before.
func (f *zoneFit) new(at rules.Zone, r *table.Reading) bool {
	return f.Before == nil || !slices.ContainsFunc(f.Before.In[at], func(was table.Reading) bool {
		return math.Hypot(was.At.X-r.At.X, was.At.Y-r.At.Y) < f.reach
	})
}

// slipped says whether the same was wrongly read there in the view before.
func (f *zoneFit) slipped(r *table.Reading) bool {
	return slices.ContainsFunc(f.slips, func(s slip) bool {
		return s.read.Die == r.Die && math.Hypot(s.read.At.X-r.At.X, s.read.At.Y-r.At.Y) < f.reach
	})
}

// times is in how many views before this one an error was made.
func (f *zoneFit) times(at rules.Zone, is table.Die, r *table.Reading) int {
	for _, s := range f.slips {
		if s.at == at && s.is == is && (r == nil) == (s.read == unread) && (r == nil || s.read.Die == r.Die) {
			return min(s.n+1, mostStreak)
		}
	}
	return 0
}

// moved is what it costs that dice lie where such dice lay in the view before, or do not, if these have not been moved since.
func (f *zoneFit) moved(stay []rules.Pile) (alike, elsewhere float64) {
	if f.Before == nil {
		return 0, 0
	}
	same, stirred := 0, 0
	for _, p := range stay {
		if p.Heap || !f.Drawn[p.At] {
			continue
		}
		there := f.unmoved(p.At, slices.ContainsFunc(p.Dice, func(d table.Die) bool { return d.Color == table.NoColor }))
		for _, t := range there {
			same += max(0, t.n-count(p.Dice, t.Die))
		}
		for i, d := range p.Dice {
			if slices.Index(p.Dice, d) < i {
				continue
			}
			lie := 0
			if k := slices.IndexFunc(there, func(t tally) bool { return t.Die == d }); k >= 0 {
				lie = there[k].n
			}
			stirred += max(0, min(count(p.Dice, d), f.readAs(p.At, d))-lie)
		}
	}
	return -math.Log(model.Same) * float64(same), -math.Log(model.Stirred) * float64(stirred)
}

// unmoved counts the dice in a zone that lie where one that was read as the same lay in the view before; plain: of dice of which nothing
// but the face counts there is one kind a face.
func (f *zoneFit) unmoved(at rules.Zone, plain bool) (list []tally) {
	key := at
	if plain {
		key.Kind += "?"
	}
	list, known := f.there[key]
	if known {
		return list
	}
	for _, r := range f.In[at] {
		if !slices.ContainsFunc(f.Before.In[at], func(was table.Reading) bool {
			return was.Die == r.Die && math.Hypot(was.At.X-r.At.X, was.At.Y-r.At.Y) < f.reach
		}) {
			continue
		}
		d := f.known(at, r)
		if plain {
			d.Color = table.NoColor
		}
		if k := slices.IndexFunc(list, func(t tally) bool { return t.Die == d }); k >= 0 {
			list[k].n++
		} else {
			list = append(list, tally{d, 1})
		}
	}
	f.there[key] = list
	return list
}

// known is the die that a reading is of, if it was misread in the view before.
func (f *zoneFit) known(at rules.Zone, r table.Reading) table.Die {
	for _, s := range f.slips {
		if s.at == at && s.is.Face != 0 && s.read.Die == r.Die && math.Hypot(s.read.At.X-r.At.X, s.read.At.Y-r.At.Y) < f.reach {
			return s.is
		}
	}
	return r.Die
}

// readAs counts the dice in a zone that are read as one.
func (f *zoneFit) readAs(at rules.Zone, d table.Die) (n int) {
	for _, r := range f.In[at] {
		if r.Face == d.Face && (d.Color == table.NoColor || d.Color == r.Color) {
			n++
		}
	}
	return n
}
