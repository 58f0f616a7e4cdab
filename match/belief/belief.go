// Package belief keeps track of what may have happened at a table that a camera sees now and then.
//
// What is known is a Set of hypotheses, each a whole World: a game as it stands (rules.Follower), and the line of moves that
// has led to it. This is multiple hypothesis tracking (Reid 1979) with a beam search. Whenever the table
// has been read (Observe), every hypothesis grows children: the ways that its game knows to come to
// something that looks like the reading, each weighed by how likely the acts are (the game says so) and how
// likely they look like that (the ObservationModel says so). Children that nothing can tell apart any more are merged, and the
// likeliest are kept. What is said at the table comes in the same way, as it holds for some of the
// hypotheses only; an answer to a question keeps those of which it is true (Condition).
//
// What is told is what the hypotheses that hold it make likely enough (Told). Where they differ in something
// that matters there is a question, and the hypotheses are its answers.
//
// The package knows no journal, no clock and no sentences, and no game.
package belief

import (
	"cmp"
	"math"
	"slices"

	"diceref/rules"
	"diceref/table"
)

// World is a game as it stands, if things have gone in a certain way.
type World = rules.Follower

// Hypothesis is one way in which things may have gone.
type Hypothesis struct {
	World  World
	Line   []rules.Move // since the beginning of the set, or since it was last cut (Cut)
	Chance float64      // the probability of it; those of a set add up to one
	log    float64
}

// Set is what may have happened, the likeliest first. It is never changed: what is learned makes a new one.
type Set struct {
	model  *ObservationModel
	kit    table.Kit
	list   []Hypothesis
	looks  Looks // how the places looked last
	seen   bool  // they were looked at
	prints Prints
}

// Prints is the places where something was taken for a die and most likely is none: a print, or a sticker.
// What they were taken for is told; a die of no color stands for any.
type Prints [len(rules.Places{})][]table.Die

// The beam: how many hypotheses are kept, how much less likely than the best one may be, as a logarithm, and how
// many ways one view may be read for each of them.
const (
	mostKept    = 40
	leastLog    = -11
	mostReads   = 16
	worstRead   = 12
	mostUnclear = 8
)

// New is the set of one hypothesis that is certain.
func New(game table.Game, w World) Set {
	return Set{model: &DefaultModel, kit: game.Kit(), list: []Hypothesis{{World: w, Chance: 1}}}
}

// First takes what a table looks like at first for what it looks like as it is believed to be: whatever
// is read where nothing can lie yet is print.
func (s Set) First(looks Looks) Set {
	s.looks, s.seen = looks, true
	return s.printed()
}

// Printed is where something is known to be taken for a die that is none.
func (s Set) Printed() Prints { return s.prints }

// WithPrints is the same with such places known.
func (s Set) WithPrints(p Prints) Set {
	s.prints = p
	return s
}

// printed notes where something is taken for a die that most likely is none.
func (s Set) printed() Set {
	const enough = 0.9
	for i, l := range s.looks {
		if !l.Read || l.Reading.Sure || printed(s.prints[i], l.Reading.Die) {
			continue
		}
		if s.Chance(func(h Hypothesis) bool { return h.World.Places()[i].Color == table.NoColor }) >= enough {
			s.prints[i] = append(slices.Clip(s.prints[i]), l.Reading.Die)
		}
	}
	return s
}

// Hypotheses is the hypotheses, the likeliest first.
func (s Set) Hypotheses() []Hypothesis { return s.list }

// Best is the likeliest hypothesis.
func (s Set) Best() Hypothesis { return s.list[0] }

// Chance is the probability of what holds for some of the hypotheses.
func (s Set) Chance(holds func(Hypothesis) bool) (p float64) {
	for _, h := range s.list {
		if holds(h) {
			p += h.Chance
		}
	}
	return p
}

// Observe is what may have happened once the table was read: looks nil means that nobody looked, and only
// what was said is new. The places of g are ignored.
func (s Set) Observe(looks *Looks, g rules.Glimpse) Set {
	var grown []Hypothesis
	for _, h := range s.list {
		reads := []read{{h.World.Places(), 0}}
		if looks != nil {
			reads = s.reads(h.World, looks)
		}
		for _, r := range reads {
			g.Places = r.places
			for _, c := range h.World.Follow(g) {
				grown = append(grown, Hypothesis{World: c.After, Line: extended(h.Line, c), log: h.log + r.log + c.Log})
			}
		}
	}
	if len(grown) == 0 { // what was said cannot be: the table is all there is to go by
		if len(g.Said) == 0 {
			return s
		}
		g.Said = nil
		return s.Observe(looks, g)
	}
	next := s.with(merged(grown))
	if looks != nil {
		next.looks, next.seen = *looks, true
		next = next.printed()
	}
	return next
}

// extended is a line with what came next.
func extended(line []rules.Move, c rules.Course) []rules.Move {
	line = line[:max(0, len(line)-c.Back)]
	return append(line[:len(line):len(line)], c.Line...)
}

// read is one way to take a view, and how likely the view is then.
type read struct {
	places rules.Places
	log    float64
}

// reads is the ways to take a view where so much lay before, the likeliest first. What looks as it did
// lies as it did.
func (s Set) reads(w World, looks *Looks) []read {
	lay, stickers := w.Places(), w.Stickers()
	type choice struct {
		at   int
		dice []table.Die
		logs []float64
	}
	base := read{places: lay}
	var choices []choice
	for i, l := range looks {
		kept := s.seen && l.same(s.looks[i])
		stays := 0.0
		if kept && l.Read != (lay[i].Color != table.NoColor) && !(l.Read && printed(s.prints[i], l.Reading.Die)) {
			stays = math.Log(s.model.Again)
		}
		if !kept {
			stays = s.model.Weigh(l, lay[i], s.prints[i], stickers[i])
			if s.seen && l.Read && l.Reading.Sure && s.looks[i].Read && s.looks[i].Reading.Sure {
				stays += math.Log(s.model.Another)
			}
		}
		c := choice{at: i, dice: []table.Die{lay[i]}, logs: []float64{stays}}
		for _, d := range s.model.options(l, s.kit) {
			if d == lay[i] {
				continue
			}
			log := s.model.Weigh(l, d, s.prints[i], stickers[i])
			if kept && l.Read { // it would look the same by chance
				log -= math.Log(s.model.Kinds)
			}
			if log > stays {
				c.dice, c.logs = append(c.dice, d), append(c.logs, log)
			}
		}
		base.log += stays
		if len(c.dice) > 1 {
			choices = append(choices, c)
		}
	}
	list := []read{base}
	for _, c := range choices {
		var next []read
		for _, r := range list {
			for k, d := range c.dice {
				o := r
				o.places[c.at] = d
				o.log += c.logs[k] - c.logs[0]
				next = append(next, o)
			}
		}
		slices.SortStableFunc(next, func(a, b read) int { return cmp.Compare(b.log, a.log) })
		for len(next) > mostReads || next[len(next)-1].log < next[0].log-worstRead {
			next = next[:len(next)-1]
		}
		list = next
	}
	if !slices.ContainsFunc(list, func(r read) bool { return r.places == lay }) {
		list = append(list, base) // nothing has happened, and all is misread
	}
	return list
}

// merged is the hypotheses without those that nothing can tell from a likelier one any more, whose
// probability goes to that.
func merged(list []Hypothesis) []Hypothesis {
	slices.SortStableFunc(list, func(a, b Hypothesis) int { return cmp.Compare(b.log, a.log) })
	at := map[string]int{}
	var kept []Hypothesis
	for _, h := range list {
		if h.log < list[0].log+leastLog {
			break
		}
		k := h.World.Key()
		if i, same := at[k]; same {
			kept[i].log += math.Log1p(math.Exp(h.log - kept[i].log))
			continue
		}
		if len(kept) < mostKept {
			at[k] = len(kept)
			kept = append(kept, h)
		}
	}
	return kept
}

// with is the same of these hypotheses, whose probabilities add up to one.
func (s Set) with(list []Hypothesis) Set {
	slices.SortStableFunc(list, func(a, b Hypothesis) int { return cmp.Compare(b.log, a.log) })
	sum, top := 0.0, list[0].log
	for _, h := range list {
		sum += math.Exp(h.log - top)
	}
	for i := range list {
		list[i].log -= top + math.Log(sum)
		list[i].Chance = math.Exp(list[i].log)
	}
	s.list = list
	return s
}

// Condition is what may have happened if something is known to be so. Where it holds for no
// hypothesis nothing is learned, and ok is false.
func (s Set) Condition(holds func(Hypothesis) bool) (next Set, ok bool) {
	list := slices.DeleteFunc(slices.Clone(s.list), func(h Hypothesis) bool { return !holds(h) })
	if len(list) == 0 {
		return s, false
	}
	return s.with(list), true
}

// Map changes every hypothesis in the same way: what is learned holds for all of them.
func (s Set) Map(change func(Hypothesis) Hypothesis) Set {
	list := slices.Clone(s.list)
	for i := range list {
		list[i] = change(list[i])
	}
	s.list = list
	return s
}

// Told is the moves with which all lines begin that together have this probability at least, and the
// probability of each of them.
func (s Set) Told(least float64) (line []rules.Move, chances []float64) {
	for i := range s.list[0].Line {
		words := s.list[0].Line[i].String()
		p := s.Chance(func(h Hypothesis) bool {
			return len(h.Line) > i && slices.EqualFunc(h.Line[:i], s.list[0].Line[:i], sameMove) && h.Line[i].String() == words
		})
		if p < least {
			break
		}
		line, chances = append(line, s.list[0].Line[i]), append(chances, p)
	}
	return line, chances
}

func sameMove(a, b rules.Move) bool { return a.String() == b.String() }

// Cut forgets the first moves of every line, which all of them begin with.
func (s Set) Cut(n int) Set {
	return s.Map(func(h Hypothesis) Hypothesis {
		h.Line = h.Line[min(n, len(h.Line)):]
		return h
	})
}

// Of is the same with these hypotheses instead, which have the probabilities that they tell.
func (s Set) Of(list []Hypothesis) Set {
	list = slices.Clone(list)
	for i := range list {
		list[i].log = math.Log(list[i].Chance)
	}
	return s.with(list)
}

// Again is a set of one certain hypothesis that remembers how the table looked.
func (s Set) Again(w World) Set {
	s.list = []Hypothesis{{World: w, Chance: 1}}
	return s
}
