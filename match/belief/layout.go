package belief

import (
	"math"
	"slices"
	"strings"

	"diceref/calibration"
	"diceref/rules"
	"diceref/table"
)

// Layout is what one still view of a table with zones shows, or what was said: the dice by zone.
type Layout struct {
	rules.Spread
	Game   table.Game
	Said   rules.Move // only this was said
	Before *Layout    // the view before; nil: this is the first
	reach  float64    // within which two readings are of the same die, in pixels
	may    map[string][]rules.Likely
}

// LayoutOf sums up the readings of a still view.
func LayoutOf(readings []table.Observation, zones []calibration.Zone, game rules.Zoned, before *Layout) *Layout {
	last := readings[len(readings)-1]
	l := &Layout{Game: last.Game, Before: before, may: map[string][]rules.Likely{}}
	l.In, l.Drawn = map[rules.Zone][]table.Reading{}, map[rules.Zone]bool{}
	if before != nil {
		once := *before
		once.Before = nil
		l.Before = &once
	}
	var drawn []calibration.Zone
	var keys []rules.Zone
	for _, z := range zones {
		if k, ok := game.Zone(z.Kind, z.Seat); ok {
			drawn, keys = append(drawn, z), append(keys, k)
			l.Drawn[k] = true
		}
	}
	w, h := float64(max(1, last.Width)), float64(max(1, last.Height))
	l.reach = sideLength(&last) / (2 * table.Size)
	dice := last.Dice
	if len(readings) > 1 {
		dice = besideOf(readings)
	}
	for _, r := range dice {
		if i := calibration.ZoneOf(drawn, table.Point{X: r.At.X / w, Y: r.At.Y / h}); i >= 0 {
			l.In[keys[i]] = append(l.In[keys[i]], r)
			l.Total++
		} else {
			l.Out = append(l.Out, r)
		}
	}
	return l
}

// looks is the logarithm of how likely a reading is if it is of a die, as compared with one of its zone that shows anything.
func (l *Layout) looks(r *table.Reading, is table.Die) float64 {
	wrong := model.Wrong
	if r.Sure {
		wrong = model.SurelyWrong
	}
	faces, colors := r.Faces, r.Colors
	if total(faces[:]) == 0 || total(colors[:]) == 0 {
		faces, colors = spread(r)
	}
	log := 0.0
	if is.Face != 0 {
		log += math.Log((1-wrong)*max(faces[is.Face], model.Floor) + wrong/6)
	}
	if is.Color != table.NoColor {
		log += math.Log((1-wrong)*max(colors[is.Color], model.Floor) + wrong/float64(max(len(l.Game.Kit().Dice), 1)))
	}
	return log
}

// none is the same if it is of no die.
func (l *Layout) none(r *table.Reading) float64 {
	there := min(max(existence(r), model.Least), 1-model.Phantom)
	if r.Sure {
		there = 1 - model.SurePhantom
	}
	return math.Log((1 - there) / there)
}

// slip is an error of the reader in a view: it is not made anew in the next.
type slip struct {
	at   rules.Zone
	is   table.Die     // no die: there is none
	read table.Reading // no color: nothing was read
	n    int           // in so many views before
	cost float64
}

// misfits is how badly readings fit piles: as a cost, with the errors that must have been made.
type misfits struct {
	cost  float64
	slips []slip
}

// fitter compares piles with a view, by what a hypothesis knows of the errors in the view before.
type zoneFit struct {
	*Layout
	slips []slip
	memo  map[string]misfits
}

// fit is how badly the readings fit if the table is as these piles say.
func (f *zoneFit) fit(piles []rules.Pile) misfits {
	var all misfits
	missed, n := 0.0, 0
	for i := range piles {
		p := &piles[i]
		if !f.Drawn[p.At] {
			continue
		}
		e := f.pile(p)
		all.cost += e.cost
		for _, s := range e.slips {
			all.slips = append(all.slips, s)
			if s.read.Color == table.NoColor && !p.Heap {
				missed += s.cost
				n++
			}
		}
	}
	out := f.outside(all.slips)
	all.cost += out.cost
	all.slips = out.slips
	if veiled := -math.Log(model.Veil) + float64(n)*-math.Log(model.Veiled); n > 1 && veiled < missed { // something lies over them
		all.cost += veiled - missed
		all.slips = slices.DeleteFunc(all.slips, func(s slip) bool { return s.read.Color == table.NoColor && s.n == 0 })
	}
	return all
}

// outside is what readings in no zone cost, some of which are dice that are not seen where they are to be.
func (f *zoneFit) outside(slips []slip) misfits {
	e := misfits{slips: slips}
	for i := range f.Out {
		r := &f.Out[i]
		best, at := -f.none(r), -1
		for k, s := range slips {
			if s.read.Color != table.NoColor {
				continue
			}
			if c := -math.Log(model.Beside) - f.looks(r, s.is) - s.cost; c < best {
				best, at = c, k
			}
		}
		e.cost += min(best, f.again(rules.Zone{}, table.Die{}, r))
		if at >= 0 {
			slips = slices.Delete(slices.Clone(slips), at, at+1)
			e.slips = slips
		} else {
			e.slips = append(e.slips[:len(e.slips):len(e.slips)], slip{read: *r})
		}
	}
	return e
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
func (f *zoneFit) pile(p *rules.Pile) misfits {
	var b strings.Builder
	b.WriteString(p.At.Kind)
	b.WriteByte(byte(p.At.Seat))
	for _, d := range p.Dice {
		b.WriteByte(byte(d.Color)<<3 | byte(d.Face))
	}
	e, known := f.memo[b.String()]
	if !known {
		e = f.match(p)
		f.memo[b.String()] = e
	}
	return e
}

// match is the likeliest assignment of the readings in a zone to the dice of its pile.
func (f *zoneFit) match(p *rules.Pile) (e misfits) {
	got := f.In[p.At]
	n, m := len(p.Dice), len(got)
	miss := make([]float64, n)
	otherwise := model.Missed
	if p.Heap {
		otherwise = model.Deeper
	}
	for i, d := range p.Dice {
		miss[i] = f.first(p, i, d, otherwise)
	}
	extra := make([]float64, m)
	for j := range got {
		extra[j] = min(math.Log(float64(p.Kinds))-f.none(&got[j]), f.again(p.At, table.Die{}, &got[j]))
	}
	costs := make([][]float64, n)
	for i, d := range p.Dice {
		costs[i] = make([]float64, m)
		for j := range got {
			c := -f.looks(&got[j], d)
			if c > 1 {
				c = min(c, f.again(p.At, d, &got[j]))
			}
			costs[i][j] = c
		}
	}
	to := assign(costs, miss, extra)
	used, buried := make([]bool, m), false
	for i, j := range to {
		switch {
		case j < 0:
			e.cost += miss[i]
			if p.Heap && miss[i] == -math.Log(model.Deeper) && !buried {
				buried = true
				e.cost -= math.Log(model.Buried)
			}
			e.slips = append(e.slips, slip{at: p.At, is: p.Dice[i], n: f.times(p.At, p.Dice[i], nil), cost: miss[i]})
		default:
			used[j] = true
			e.cost += costs[i][j]
			if d := p.Dice[i]; d.Face != 0 && d.Face != got[j].Face || d.Color != table.NoColor && d.Color != got[j].Color {
				e.slips = append(e.slips, slip{at: p.At, is: d, read: got[j], n: f.times(p.At, d, &got[j])})
			}
		}
	}
	for j := range got {
		if !used[j] {
			e.cost += extra[j]
			e.slips = append(e.slips, slip{at: p.At, read: got[j], n: f.times(p.At, table.Die{}, &got[j])})
		}
	}
	return e
}

// first is the cost of not reading the i-th die of a pile, of which those of a kind that were not read before come first.
func (f *zoneFit) first(p *rules.Pile, i int, d table.Die, otherwise float64) float64 {
	n := 0
	for _, o := range p.Dice[:i] {
		if o == d {
			n++
		}
	}
	for _, s := range f.slips {
		if s.at == p.At && s.is == d && s.read.Color == table.NoColor {
			if n == 0 {
				return -math.Log(model.Again)
			}
			n--
		}
	}
	return -math.Log(otherwise)
}

// times is in how many views before this one an error was made.
func (f *zoneFit) times(at rules.Zone, is table.Die, r *table.Reading) int {
	for _, s := range f.slips {
		if s.at == at && s.is == is && (r == nil) == (s.read.Color == table.NoColor) && (r == nil || s.read.Die == r.Die) {
			return min(s.n+1, mostStreak)
		}
	}
	return 0
}

// moved is what it costs that dice lie where such dice lay in the view before, or do not, if these have not been moved since.
func (f *zoneFit) moved(stay []rules.Pile) (cost float64) {
	if f.Before == nil {
		return 0
	}
	for _, p := range stay {
		if p.Heap || !f.Drawn[p.At] {
			continue
		}
		there, here := f.unmoved(p.At), map[table.Die]int{}
		for _, d := range p.Dice {
			here[d]++
		}
		for k, n := range there { // of a die of which nothing but the face counts there is one kind a face
			if d := (table.Die{Face: k.Face}); here[k] == 0 && here[d] > 0 {
				there[d] += n
				delete(there, k)
			}
		}
		for d, n := range there {
			cost -= math.Log(model.Same) * float64(max(0, n-here[d]))
		}
		for d, n := range here {
			cost -= math.Log(model.Stirred) * float64(max(0, min(n, f.readAs(p.At, d))-there[d]))
		}
	}
	return cost
}

// unmoved counts the dice in a zone that lie where one that was read as the same lay in the view before.
func (f *zoneFit) unmoved(at rules.Zone) map[table.Die]int {
	n := map[table.Die]int{}
	for _, r := range f.In[at] {
		if slices.ContainsFunc(f.Before.In[at], func(was table.Reading) bool {
			return was.Die == r.Die && math.Hypot(was.At.X-r.At.X, was.At.Y-r.At.Y) < f.reach
		}) {
			n[r.Die]++
		}
	}
	return n
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
