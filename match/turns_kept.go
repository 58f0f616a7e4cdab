package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// keptTurns is what is believed of a game of DICE Flick, as a restart needs it.
type keptTurns struct {
	From  int         `json:"from"`            // so many acts are certain
	Known []keptKnown `json:"known,omitempty"` // what was answered
	Open  bool        `json:"open,omitempty"`  // who scored is asked,
	About *keptTaking `json:"about,omitempty"`
	Marks []Cell      `json:"marks,omitempty"` // cells that are provisional
	Lost  *int        `json:"lost,omitempty"`  // the turn since which all of them are
	Line  []string    `json:"line,omitempty"`  // what all ways begin with
	Ways  []flickWay  `json:"ways,omitempty"`
	Habit [5]float64  `json:"habit"` // what is known of what these people say
}

type flickWay struct {
	Line   []string      `json:"line"`
	Chance float64       `json:"chance"`
	Gone   scoring.Holes `json:"gone,omitempty"`   // dice that are gone, and that no move has taken away yet
	Missed bool          `json:"missed,omitempty"` // the last flick was seen to miss, and nobody has said so
	Hidden float64       `json:"hidden,omitempty"` // for how many seconds nobody saw the arena at most, since something last changed
}

type keptScore struct {
	Cell
	Points int `json:"points"`
}

type keptTaking struct {
	keptScore
	Took   scoring.Holes `json:"took"`
	Rested int           `json:"rested"`
}

type keptKnown struct {
	Of     keptTaking   `json:"of"`
	Is     keptScore    `json:"is"`
	Others []keptTaking `json:"others,omitempty"` // what else was told then
}

func (s scored) keep() keptScore { return keptScore{s.cell(), s.points} }

func (k keptScore) scored() scored { return scored{rules.Player(k.Player), k.Round, k.Points} }

func (t taking) keep() keptTaking { return keptTaking{t.scored.keep(), t.took, t.rested} }

func (k keptTaking) taking() taking {
	return taking{scored: k.scored(), took: k.Took, rested: k.Rested}
}

// worthKeeping is how likely a way is that outlives a restart; the likeliest does in any case.
const worthKeeping = 0.001

// keptTurns is nothing where all is certain.
func (m *Match) keptTurns() *keptTurns {
	a := &m.turns
	if !a.on {
		return nil
	}
	best := a.set.Best()
	open := len(a.set.Hypotheses()) > 1 || arenaOf(best).Gone() != 0 || arenaOf(best).Missed()
	if a.stray || !open && len(a.marks) == 0 && !a.lost && arenaOf(best).Habit() == [5]float64{} {
		return nil
	}
	k := &keptTurns{From: a.from, Open: a.open, Habit: arenaOf(best).Habit()}
	for _, w := range a.known {
		kept := keptKnown{Of: w.taking.keep(), Is: w.is.keep()}
		for _, o := range w.others {
			kept.Others = append(kept.Others, o.keep())
		}
		k.Known = append(k.Known, kept)
	}
	for _, c := range m.cells() {
		if a.marks[c] {
			k.Marks = append(k.Marks, c)
		}
	}
	if a.lost {
		k.Lost = &a.lostAt
	}
	if a.open {
		about := a.about.keep()
		k.About = &about
	}
	for _, h := range a.set.Hypotheses() {
		if w := arenaOf(h); h.Chance >= min(worthKeeping, best.Chance) {
			k.Ways = append(k.Ways, flickWay{wordsOf(h.Line), h.Chance, w.Gone(), w.Missed(), w.Hidden()})
		}
	}
	k.shareLine()
	return k
}

// shareLine keeps once what all ways begin with.
func (k *keptTurns) shareLine() {
	k.Line = k.Ways[0].Line
	for _, w := range k.Ways[1:] {
		n := 0
		for n < min(len(k.Line), len(w.Line)) && k.Line[n] == w.Line[n] {
			n++
		}
		k.Line = k.Line[:n]
	}
	for i := range k.Ways {
		k.Ways[i].Line = k.Ways[i].Line[len(k.Line):]
	}
}

// gist is the same but for how likely just all is, which is never quite the same.
func (k *keptTurns) gist() *keptTurns {
	if k == nil {
		return nil
	}
	g := *k
	g.Ways = slices.Clone(k.Ways)
	for i := range g.Ways {
		g.Ways[i].Chance = 0
	}
	return &g
}

// takeTurns takes up what was believed, and the last view. gone is dice that had left the arena, as older journals have it.
func (m *Match) takeTurns(k *keptTurns, last *belief.KeptSight, prints []belief.Print, gone scoring.Holes) {
	a := &m.turns
	if m.setting.Game != table.DiceFlick {
		return
	}
	*a = turns{}
	defer func() {
		if last != nil {
			a.before = last.Sight(m.setting.Game, prints)
		}
	}()
	if k == nil && gone != 0 {
		k = &keptTurns{From: len(m.line.acts), Ways: []flickWay{{Chance: 1, Gone: gone}}}
	}
	if k == nil || k.From > len(m.line.acts) {
		return
	}
	*a = turns{on: true, from: k.From, busy: m.t}
	for _, w := range k.Known {
		known := learned{taking: w.Of.taking(), is: w.Is.scored()}
		for _, o := range w.Others {
			known.others = append(known.others, o.taking())
		}
		a.known = append(a.known, known)
	}
	for _, c := range k.Marks {
		m.doubtCell(c)
	}
	if k.Lost != nil {
		a.lost, a.lostAt = true, *k.Lost
	}
	state, is := m.certainTurn().(*diceflick.State)
	if !is {
		*a = turns{}
		return
	}
	first := diceflick.Watch(state).Rested(m.restedBefore(k.From))
	ways, err := m.waysOf(k, first.Knowing(k.Habit))
	if err != nil {
		*a = turns{}
		return
	}
	a.set = belief.New[diceflick.View](first).Keeping(arenaBeam)
	if len(ways) > 0 {
		a.set = belief.Weighted(ways).Keeping(arenaBeam)
	}
	a.begin()
	a.open = k.Open && m.ask != ""
	if b := k.About; a.open && b != nil {
		a.about = b.taking()
	}
	if !k.has(m.toldSince(a.from)) {
		m.turnsAnew() // something was told since
	}
}

// waysOf plays the ways that were kept from a first world on.
func (m *Match) waysOf(k *keptTurns, first *diceflick.Watched) (ways []belief.Hypothesis[diceflick.View], err error) {
	for _, way := range k.Ways {
		h, world := belief.Hypothesis[diceflick.View]{Chance: way.Chance}, first
		for _, text := range slices.Concat(k.Line, way.Line) {
			mv, err := m.game.ParseMove(text)
			if err == nil {
				world, mv, err = world.Do(mv)
			}
			if err != nil {
				return nil, err
			}
			h.Line = append(h.Line, mv)
		}
		h.World = world.HiddenFor(way.Hidden).Without(way.Gone, way.Missed)
		ways = append(ways, h)
	}
	return ways, nil
}

// has says whether a way begins with what was told.
func (k *keptTurns) has(told []string) bool {
	return slices.ContainsFunc(k.Ways, func(w flickWay) bool {
		line := slices.Concat(k.Line, w.Line)
		return len(line) >= len(told) && slices.Equal(line[:len(told)], told)
	})
}
