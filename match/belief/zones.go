package belief

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"diceref/rules"
	"diceref/table"
)

// Zones is a world of a game by zones: the positions that the game has gone through, the present one last.
type Zones struct {
	*position
	before *Zones // nil: the first, or one that nothing leads back from
	last   rules.Move
	act    rules.Move   // last, or what the rules alone have demanded last for
	wrong  bool         // that was against the rules
	forced []rules.Move // what the rules alone have demanded after it
	told   bool         // it was only said: no view has shown it
	awaits []*Word      // what was said and cannot be done yet: what comes before it was not seen
	slips  []slip       // errors of the reader in the view before
	stay   []rules.Pile // dice that have not been moved since then
	story  uint64       // as in Board
	past   uint64
}

// position is a game as it stands, with what is asked of it often.
type position struct {
	now   rules.Zoned
	key   string
	piles []rules.Pile
}

func positionOf(s rules.Zoned) *position { return &position{s, s.Key(), s.Piles()} }

// InZones is the world in which a game is at a position.
func InZones(s rules.Zoned) *Zones {
	p := positionOf(s)
	return &Zones{position: p, stay: p.piles}
}

// State is the position.
func (z *Zones) State() rules.Zoned { return z.now }

// Key implements rules.Follower.
func (z *Zones) Key() string {
	return string(binary.LittleEndian.AppendUint64([]byte(z.Course()), z.past))
}

// Course is the acts in force that have led to a world, and to which position.
func (z *Zones) Course() string {
	return string(binary.LittleEndian.AppendUint64([]byte(z.key), z.story))
}

// step is an act at a position, and what the rules alone demand after it. Many worlds come through the same.
type step struct {
	to     *position   // nil: it cannot be played
	via    []*position // after the act, and after all but the last of what it forces
	why    rules.Illegal
	texts  []string // of the act and of what it forces
	forced []rules.Move
	final  bool // nothing leads back
}

type stepKey struct {
	at string // the position
	mv rules.Move
}

// steps is those that are known by now; nil: they are not kept.
type steps map[stepKey]*step

func (m steps) of(p *position, mv rules.Move) *step {
	k := stepKey{p.key, mv}
	if s, known := m[k]; known {
		return s
	}
	s := stepFrom(p.now, mv)
	if m != nil {
		m[k] = s
	}
	return s
}

func stepFrom(now rules.Zoned, mv rules.Move) *step {
	s := &step{texts: []string{mv.String()}, final: now.Final(mv)}
	if err := now.Check(mv); err != nil && !errors.As(err, &s.why) {
		return s
	}
	to, err := now.Apply(mv)
	if err != nil {
		return s
	}
	now = to.(rules.Zoned)
	for range mostForced {
		mv := now.Forced()
		if mv == nil {
			break
		}
		to, err := now.Apply(mv)
		if err != nil {
			break
		}
		s.final, s.via = s.final || now.Final(mv), append(s.via, positionOf(now))
		now, s.forced, s.texts = to.(rules.Zoned), append(s.forced, mv), append(s.texts, mv.String())
	}
	s.to = positionOf(now)
	return s
}

// after is the world once an act was made, and what it forces; ok is false where it cannot be played.
func (z *Zones) after(mv rules.Move, known steps) (next *Zones, why rules.Illegal, ok bool) {
	s := known.of(z.position, mv)
	if s.to == nil {
		return nil, nil, false
	}
	next = &Zones{position: s.to, before: z, last: mv, act: mv, wrong: s.why != nil, slips: z.slips, awaits: z.awaits, story: digestOf(z.story, s.texts[0]), past: digestOf(z.past, s.texts[0])}
	if disturbs(mv) { // when it was does not matter
		next.story, next.past, next.before, next.last, next.act, next.wrong, next.told = z.story, z.past, z.before, z.last, z.act, z.wrong, z.told
	}
	if afresh(mv) {
		next.story, next.past = digestOf(0, s.texts[0]), digestOf(0, s.texts[0])
	}
	for i, mv := range s.forced { // each is taken back by itself
		on := *next
		next.position, on.before, on.last = s.via[i], next, mv
		on.story, on.past = digestOf(on.story, s.texts[1+i]), digestOf(on.past, s.texts[1+i])
		next = &on
	}
	if next.forced = s.forced; s.final {
		next.before = nil
	}
	next.stay = staying(z.stay, z.piles, next.piles)
	return next, s.why, true
}

const mostForced = 12

// staying is the dice of piles that have not been moved by acts that led from one position to another: they are in that, too. Of a heap
// they are all but as many as it has lost.
func staying(piles, was, now []rules.Pile) []rules.Pile {
	both := make([]rules.Pile, 0, len(piles))
	for i, p := range piles {
		switch {
		case i >= len(now) || slices.Equal(p.Dice, now[i].Dice):
		case p.Heap:
			p.Dice = without(p.Dice, without(was[i].Dice, now[i].Dice))
		default:
			p.Dice = without(p.Dice, without(p.Dice, now[i].Dice))
		}
		both = append(both, p)
	}
	return both
}

// without is dice without others.
func without(dice, others []table.Die) (left []table.Die) {
	others = slices.Clone(others)
	for _, d := range dice {
		if k := slices.Index(others, d); k >= 0 {
			others[k] = others[len(others)-1]
			others = others[:len(others)-1]
		} else {
			left = append(left, d)
		}
	}
	return left
}

// hear is how a world goes on with an act that was said: it is the one that was made last, or it is made now, or it means nothing; or it
// comes after what cannot be done yet, as players say things in the order in which they do them.
func (z *Zones) hear(said *Word) (list []rules.Course[*Layout]) {
	mv, done := said.Means(z.now)
	if done || mv != nil && z.act != nil && z.act.String() == mv.String() {
		return []rules.Course[*Layout]{{After: z}}
	}
	unheard := *z
	if len(z.awaits) > 0 || mv == nil || z.now.Check(mv) != nil {
		unheard.awaits = append(z.awaits[:len(z.awaits):len(z.awaits)], said)
	}
	log := math.Log(prior.Unheard)
	if len(z.awaits) > 0 {
		log = 0
	}
	list = append(list, rules.Course[*Layout]{After: &unheard, Log: log})
	if mv == nil {
		return list
	}
	vain := inVain(len(z.awaits)) - inWait(len(z.awaits))
	var line []rules.Move
	if g, ok := z.now.(rules.Knower); ok {
		if known := g.Known(mv); known != nil {
			if next, _, ok := z.after(known, nil); ok {
				z, line = next, []rules.Move{known}
			}
		}
	}
	if next, why, ok := z.after(mv, nil); ok {
		log := vain
		if next.told, next.awaits = true, nil; why != nil {
			log += math.Log(prior.Illegal)
		}
		list = append(list, rules.Course[*Layout]{After: next, Line: append(append(line, mv), next.forced...), Log: log})
	}
	return list
}

// inVain is how likely it is, as a logarithm, that so many words mean none of the acts that they would be.
func inVain(words int) float64 { return float64(words) * math.Log(prior.Unheard) }

// inWait is the same of words that wait one after another: who is ahead with one is so with the next.
func inWait(words int) float64 { return inVain(min(words, 1)) }

// Awaits is what was said and cannot be done before something else that was not seen.
func (z *Zones) Awaits() []*Word { return z.awaits }

// Awaiting is the world that awaits these.
func (z *Zones) Awaiting(words []*Word) *Zones {
	next := *z
	next.awaits = words
	return &next
}

// Before is the world before the last act; nil: there was none, or nothing leads back to it.
func (z *Zones) Before() *Zones { return z.before }

// After is the world once a move was made, which may be that the last act was taken back, and what the rules alone have demanded then.
func (z *Zones) After(mv rules.Move) (next *Zones, forced []rules.Move, err error) {
	if back, is := mv.(TakenBack); is {
		if z.before == nil {
			return nil, nil, errors.New("belief: nothing leads back from here")
		}
		return z.takenBack(back), nil, nil
	}
	next, _, ok := z.after(mv, nil)
	if !ok {
		return nil, nil, errors.New("belief: that cannot be played here")
	}
	return next, next.forced, nil
}

// takenBack is the world once the last act was taken back.
func (z *Zones) takenBack(mv TakenBack) *Zones {
	back := *z.before
	back.past, back.stay, back.slips, back.awaits = digest(z.past, mv), staying(z.stay, z.piles, back.piles), z.slips, z.awaits
	return &back
}

// Knowing is the world with the errors of the reader that another one knows of.
func (z *Zones) Knowing(other *Zones) *Zones {
	next := *z
	next.slips = other.slips
	return &next
}

// Rested is the world in which all dice lie where they did in the last view.
func (z *Zones) Rested() *Zones {
	next := *z
	next.stay = next.piles
	return &next
}

// LooksAs says whether the same dice lie in the same zones in two worlds.
func (z *Zones) LooksAs(other *Zones) bool { return samePiles(z.piles, other.piles) }
