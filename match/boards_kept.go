package match

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/table"
)

// keptBoards is what is believed of a board, as a restart needs it.
type keptBoards struct {
	From   int64             `json:"from,omitempty"` // the acts before this record are certain; 0: all that were told
	Told   []keptMove        `json:"told,omitempty"` // since then
	Ways   []keptWay         `json:"ways,omitempty"` // what may have happened instead or since; none: it is as it was told
	Owners [4][4]uint8       `json:"owners"`         // how often dice on a side of the board were a player's
	Slips  []belief.KeptSlip `json:"slips,omitempty"`
	Maybe  []keptWay         `json:"maybe,omitempty"` // what the last view would tell if it were believed, of the same
	Odd    int               `json:"odd,omitempty"`   // so many views before were not believed, of a game by zones
	Open   int               `json:"open,omitempty"`  // views since what is told was beyond doubt, of the same
	// Knocked are the dice that it was asked of whether they were knocked about.
	Knocked []string `json:"knocked,omitempty"`
}

type keptMove struct {
	Move string `json:"move"`
	Seq  int64  `json:"seq,omitempty"`
	As   string `json:"as,omitempty"` // what stands in the journal instead
}

type keptWay struct {
	Line   []string     `json:"line"`
	Chance float64      `json:"chance"`
	Owners *[4][4]uint8 `json:"owners,omitempty"` // in it; nil: as usually
	// Slips are the errors that the reader has made then, of a game by zones.
	Slips []belief.KeptSlip `json:"slips,omitempty"`
	// Awaits are the records of what was said and is still to be done then, of the same.
	Awaits []int64 `json:"awaits,omitempty"`
}

// keptBoards is nothing where nothing was seen.
func (m *Match) keptBoards() *keptBoards {
	const worth = 0.001
	b := &m.course
	if !b.on || b.stray {
		return nil
	}
	k := &keptBoards{Knocked: slices.Sorted(maps.Keys(b.knocked))}
	if m.setting.Game.Kit().Layout == table.Board {
		k.Owners = b.best().World.(*belief.Board).Owners()
	}
	maybe := b.maybe
	if b.read > 0 {
		maybe = b.tried
	}
	if !b.asTold(worth) || maybe != nil {
		for _, t := range b.told {
			if k.From == 0 {
				k.From = t.seq
			}
			is := keptMove{Move: belief.Text(t.move), Seq: t.seq}
			if t.as != nil {
				is.As = t.as.String()
			}
			k.Told = append(k.Told, is)
		}
		kept := func(h belief.Way) bool { return h.Chance >= worth || leadsOn(h, maybe, worth) }
		all := b.chance(kept)
		for _, h := range b.set.Ways() {
			if kept(h) {
				way := keptWay{Line: linesOf(h.Line), Chance: h.Chance / all}
				switch w := h.World.(type) {
				case *belief.Board:
					if own := w.Owners(); own != k.Owners {
						way.Owners = &own
					}
				case *belief.Zones:
					way.Slips, way.Awaits = w.Slips(), awaited(w)
				}
				k.Ways = append(k.Ways, way)
			}
		}
	}
	if m.followsZones() {
		k.Slips, k.Odd, k.Open = b.best().World.(*belief.Zones).Slips(), b.odd, b.open
		if b.read > 0 && b.lost {
			k.Odd++
		}
		if maybe != nil {
			for _, w := range maybe.Ways() {
				if w.Chance >= worth {
					z := w.World.(*belief.Zones)
					k.Maybe = append(k.Maybe, keptWay{Line: linesOf(w.Line), Chance: w.Chance, Slips: z.Slips(), Awaits: awaited(z)})
				}
			}
		}
	}
	if k.Ways == nil && k.Knocked == nil && k.Slips == nil && k.Odd+k.Open == 0 && k.Owners == ([4][4]uint8{}) {
		return nil
	}
	return k
}

// awaited is the records of what was said and is still to be done in a world.
func awaited(w *belief.Zones) (list []int64) {
	for _, said := range w.Awaits() {
		list = append(list, said.ID)
	}
	return list
}

// open says whether more is believed than what was told.
func (k *keptBoards) open() bool {
	return k != nil && (k.Ways != nil || k.Maybe != nil || k.Odd+k.Open > 0)
}

// leadsOn says whether a way goes on as one that is worth mentioning once a view is believed that is not yet; nil: there is none.
func leadsOn(h belief.Way, maybe belief.Beliefs, worth float64) bool {
	if maybe == nil {
		return false
	}
	acts := belief.Acts(h.Line)
	return slices.ContainsFunc(maybe.Ways(), func(w belief.Way) bool { return w.Chance >= worth && w.Begins(acts) })
}

// asTold says whether all is as the journal tells it, but for what is less likely than worth mentioning.
func (b *course) asTold(worth float64) bool {
	for _, t := range b.told {
		if hiddenFirst([]rules.Move{t.move}) {
			return false
		}
	}
	acts := b.acts()
	return !slices.ContainsFunc(b.set.Ways(), func(h belief.Way) bool {
		line := h.Line
		waits := false
		if z, zones := h.World.(*belief.Zones); zones { // what is learned of a die is told by itself
			line, waits = belief.Acts(line), len(z.Awaits()) > 0
		}
		return h.Chance >= worth && (waits || len(line) != len(acts) || !h.Begins(acts))
	})
}

// linesOf is moves as they are kept.
func linesOf(line []rules.Move) (list []string) {
	for _, mv := range line {
		list = append(list, belief.Text(mv))
	}
	return list
}

// gist is the same but for how likely just all is, which is never quite the same.
func (k *keptBoards) gist() *keptBoards {
	if k == nil {
		return nil
	}
	g := *k
	g.Ways, g.Maybe = slices.Clone(k.Ways), slices.Clone(k.Maybe)
	for i := range g.Ways {
		g.Ways[i].Chance = 0
	}
	for i := range g.Maybe {
		g.Maybe[i].Chance = 0
	}
	return &g
}

// takeBoards takes up what was believed. It is as it was told where that cannot be. looked: the board was seen before, though not
// after the last event, so that what is new on it now was not always there.
func (m *Match) takeBoards(k *keptBoards, last *belief.KeptSight, looked bool, prints []belief.Print) {
	b := &m.course
	*b = course{}
	if m.followsZones() {
		m.takeZones(k)
		return
	}
	if m.setting.Game.Kit().Layout != table.Board {
		return
	}
	b.before = m.sightBefore(last, looked, prints)
	b.sight = b.before
	if k == nil {
		return
	}
	for _, text := range k.Knocked {
		if b.knocked == nil {
			b.knocked = map[string]bool{}
		}
		b.knocked[text] = true
	}
	start := m.worldNow(k.From, k.Owners)
	b.set, b.on, b.stray = belief.New[*belief.Sight](start), true, m.line.factsAt != m.seq
	if k.Ways == nil || b.stray {
		b.earlier = b.set
		return
	}
	list := m.boardWays(k, start)
	if len(list) == 0 {
		b.stray = true
		return
	}
	m.takeTold(k, belief.Weighted(list))
}

// sightBefore is the last view of a board; nil: there was none.
func (m *Match) sightBefore(last *belief.KeptSight, looked bool, prints []belief.Print) *belief.Sight {
	switch {
	case last != nil:
		return last.Sight(m.setting.Game, prints)
	case m.seen.ok: // as older journals have it
		return belief.SightOf([]table.Observation{m.seen.obs}, belief.Unlooked(prints))
	case looked || len(prints) > 0:
		return belief.Unlooked(prints)
	}
	return nil
}

// boardWays plays the ways that were kept from a first world on, and leaves out those that the rules do not have.
func (m *Match) boardWays(k *keptBoards, start *belief.Board) (list []belief.Hypothesis[*belief.Sight]) {
	for _, w := range k.Ways {
		line, at, err := m.replayed(w.Line, start)
		if err != nil {
			continue
		}
		own := k.Owners
		if w.Owners != nil {
			own = *w.Owners
		}
		list = append(list, belief.Hypothesis[*belief.Sight]{Chance: w.Chance, Line: line, World: at.Owned(own)})
	}
	return list
}

// replayed plays moves as they were kept from a world on.
func (m *Match) replayed(texts []string, at *belief.Board) (line []rules.Move, end *belief.Board, err error) {
	for _, text := range texts {
		mv, err := belief.ParseMove(m.game, text)
		if err == nil {
			at, err = at.After(mv)
		}
		if err != nil {
			return nil, nil, err
		}
		line = append(line, mv)
	}
	return line, at, nil
}

// takeTold takes up what was believed, and which of it was told.
func (m *Match) takeTold(k *keptBoards, set belief.Beliefs) {
	b := &m.course
	var told []toldMove
	for _, t := range k.Told {
		mv, err := belief.ParseMove(m.game, t.Move)
		is := toldMove{move: mv, seq: t.Seq}
		if err == nil && t.As != "" {
			is.as, err = m.game.ParseMove(t.As)
		}
		if err != nil {
			b.stray = true
			return
		}
		told = append(told, is)
	}
	b.set, b.told = set, told
	b.earlier, b.stray = b.set, b.set.Began(b.acts()) == 0
}

// takeZones takes up what was believed of a game by zones.
func (m *Match) takeZones(k *keptBoards) {
	b := &m.course
	if m.seen.ok {
		b.lain = m.layout([]table.Observation{m.seen.obs}, nil)
		b.lies = b.lain
	}
	if k == nil {
		return
	}
	start := m.zonesNow(k.From).Slipped(k.Slips)
	b.set, b.on, b.stray = belief.New[*belief.Layout](start), true, m.line.factsAt != m.seq
	b.earlier, b.words, b.odd, b.open = b.set, len(m.line.said), k.Odd, k.Open
	if list := m.takeWays(start, k.Maybe); len(list) > 0 {
		b.maybe = belief.Weighted(list)
	}
	if list := m.takeWays(start, k.Ways); len(list) > 0 && !b.stray {
		m.takeTold(k, belief.Weighted(list))
	}
	if b.stray { // something was told since
		m.syncZones()
	}
}

// takeWays is hypotheses as they were kept; those that cannot be replayed are left out.
func (m *Match) takeWays(start *belief.Zones, kept []keptWay) (list []belief.Hypothesis[*belief.Layout]) {
	for _, w := range kept {
		line, err := parseLine(m.game, w.Line)
		at := replayed{Zones: start}
		for i := 0; i < len(line) && err == nil; i++ {
			if len(belief.Acts(line[i:i+1])) == 0 && at.State().Check(line[i]) != nil {
				continue // it was told, and is known
			}
			err = at.play(line[i])
		}
		if err == nil {
			world := at.Rested().Slipped(w.Slips).Awaiting(m.awaitedBy(w.Awaits))
			list = append(list, belief.Hypothesis[*belief.Layout]{World: world, Line: line, Chance: w.Chance})
		}
	}
	return list
}

// awaitedBy is what was said in these records and still waits.
func (m *Match) awaitedBy(records []int64) (words []*belief.Word) {
	for _, s := range m.waiting() {
		if slices.Contains(records, s.seq) {
			words = append(words, s.word())
		}
	}
	return words
}

// parseLine reads moves as they are kept.
func parseLine(g rules.Game, words []string) (line []rules.Move, err error) {
	for _, text := range words {
		mv, err := belief.ParseMove(g, text)
		if err != nil {
			return nil, fmt.Errorf("match: %w", err)
		}
		line = append(line, mv)
	}
	return line, nil
}

// keptBoardView is the last view of a board or an arena by which something is believed, and the last event by then.
type keptBoardView struct {
	*belief.KeptSight
	Told int64 `json:"told,omitempty"`
}

// lastSight is that view; nil: there was none.
func (m *Match) lastSight() *belief.Sight {
	if m.setting.Game.Kit().Layout == table.Arena {
		return m.turns.lastSight()
	}
	return m.course.lastSight()
}

func (m *Match) keptBoardView() *keptBoardView {
	if k := m.lastSight().Kept(); k != nil {
		return &keptBoardView{k, m.lastTold()}
	}
	return nil
}

func (k *keptBoardView) gist() *keptBoardView {
	if k == nil {
		return nil
	}
	return &keptBoardView{k.Gist(), k.Told}
}

// takeSight takes up the last view, unless something was told since: the match stopped before it kept the view that showed it.
func (m *Match) takeSight(k *keptBoardView) *belief.KeptSight {
	if k == nil || k.Told != m.lastTold() {
		return nil
	}
	return k.KeptSight
}

// keptPrints is what is known to be printed on the board, as it is kept.
func (m *Match) keptPrints() (list []keptPrint) {
	const hundredth = 100
	last := m.lastSight()
	if last == nil {
		return nil
	}
	for _, p := range last.Prints() {
		list = append(list, keptPrint{p.Square, math.Round(p.At.X*hundredth) / hundredth, math.Round(p.At.Y*hundredth) / hundredth, []table.Die{p.As}})
	}
	return list
}

// ownersOf is how often dice on a side were a player's, as older journals have it.
func ownersOf(sides [4]map[rules.Player]int) (n [4][4]uint8) {
	for side, votes := range sides {
		for p, k := range votes {
			if p >= 0 && int(p) < len(n) {
				n[p][side] = uint8(min(max(k, 0), 255))
			}
		}
	}
	return n
}
