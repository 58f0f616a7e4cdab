package match

import (
	"math"
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/table"
)

// keptBoards is what is believed of a board, as a restart needs it.
type keptBoards struct {
	From   int64       `json:"from,omitempty"` // the acts before this record are certain; 0: all that were told
	Told   []keptMove  `json:"told,omitempty"` // since then
	Ways   []keptWay   `json:"ways,omitempty"` // what may have happened instead or since; none: it is as it was told
	Owners [4][4]uint8 `json:"owners"`         // how often dice on a side of the board were a player's
}

type keptMove struct {
	Move string `json:"move"`
	Seq  int64  `json:"seq,omitempty"`
}

type keptWay struct {
	Line   []string `json:"line"`
	Chance float64  `json:"chance"`
}

// keptBoards is nothing where nothing was seen.
func (m *Match) keptBoards() *keptBoards {
	const worth = 0.001
	b := &m.boards
	if !b.on || b.stray {
		return nil
	}
	k := &keptBoards{Owners: b.set.Best().World.(*belief.Board).Owners()}
	for _, t := range b.told {
		if k.From == 0 {
			k.From = t.seq
		}
		k.Told = append(k.Told, keptMove{belief.Text(t.move), t.seq})
	}
	if b.set.Made(b.acts()) < 1-worth {
		all := b.set.Chance(func(h belief.Hypothesis[*belief.Sight]) bool { return h.Chance >= worth })
		for _, h := range b.set.Hypotheses() {
			if h.Chance >= worth {
				k.Ways = append(k.Ways, keptWay{linesOf(h.Line), h.Chance / all})
			}
		}
	}
	if len(k.Ways) < 2 { // it is as it was told
		k.From, k.Told, k.Ways = 0, nil, nil
	}
	if k.Ways == nil && k.Owners == ([4][4]uint8{}) {
		return nil
	}
	return k
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
	g.Ways = slices.Clone(k.Ways)
	for i := range g.Ways {
		g.Ways[i].Chance = 0
	}
	return &g
}

// takeBoards takes up what was believed. It is as it was told where that cannot be.
func (m *Match) takeBoards(k *keptBoards, prints []belief.Print) {
	b := &m.boards
	*b = boards{}
	if k == nil {
		return
	}
	start := m.worldNow(k.From).Owned(k.Owners)
	b.set, b.on, b.stray = belief.New[*belief.Sight](start), true, m.line.factsAt != m.seq
	if m.seen.ok {
		b.before = belief.SightOf([]table.Observation{m.seen.obs}, nil).Printed(prints)
		b.sight = b.before
	}
	if k.Ways == nil || b.stray {
		b.earlier = b.set
		return
	}
	var list []belief.Hypothesis[*belief.Sight]
	for _, w := range k.Ways {
		h := belief.Hypothesis[*belief.Sight]{Chance: w.Chance}
		at, ok := start, true
		for _, text := range w.Line {
			mv, err := belief.ParseMove(m.game, text)
			if err == nil {
				at, err = at.After(mv)
			}
			if ok = err == nil; !ok {
				break
			}
			h.Line = append(h.Line, mv)
		}
		if h.World = at; ok {
			list = append(list, h)
		}
	}
	var told []toldMove
	for _, t := range k.Told {
		mv, err := belief.ParseMove(m.game, t.Move)
		if err != nil {
			list = nil
			break
		}
		told = append(told, toldMove{move: mv, seq: t.Seq})
	}
	if len(list) == 0 {
		b.stray = true
		return
	}
	b.set, b.told = belief.Weighted(list), told
	b.earlier = b.set
}

// keptPrints is what is known to be printed on the board, as it is kept.
func (b *boards) keptPrints() (list []keptPrint) {
	const hundredth = 100
	if b.sight == nil {
		return nil
	}
	for _, p := range b.sight.Prints() {
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
