package match

import (
	"math"
	"slices"

	"diceref/rules"
)

// keptMaybe is what may have happened from a position on, and nobody knows yet, as a restart needs it.
type keptMaybe struct {
	From  string     `json:"from"` // its digest
	Tales []keptTale `json:"tales"`
}

type keptTale struct {
	Stories []keptStory `json:"stories"`
	Lost    []keptLost  `json:"lost,omitempty"`
	Cost    float64     `json:"cost"`
	Back    int         `json:"back,omitempty"` // so many acts may be taken back
	Said    int         `json:"said,omitempty"`
	Borne   int         `json:"borne,omitempty"`
	Unshown int         `json:"unshown,omitempty"`
	Told    bool        `json:"told,omitempty"`
	Skips   bool        `json:"skips,omitempty"`
	Against bool        `json:"against,omitempty"`
}

type keptStory struct {
	Back   int      `json:"back,omitempty"`
	Moves  []string `json:"moves,omitempty"`
	Misfit float64  `json:"misfit,omitempty"`
}

func (m *Match) keptMaybe() *keptMaybe {
	tales := m.openTales()
	if len(tales) == 0 {
		return nil
	}
	kept := &keptMaybe{From: digest(m.line.now())}
	for _, t := range tales {
		k := keptTale{Lost: keepLost(t.lost), Cost: t.sofar, Back: len(t.stack) - 1, Said: t.said, Borne: t.borne, Unshown: t.unshown, Told: t.told, Skips: t.skips, Against: t.against}
		for _, s := range t.before {
			k.Stories = append(k.Stories, keptStory{Back: s.Back, Misfit: s.Misfit, Moves: wordsOf(s.Line)})
		}
		kept.Tales = append(kept.Tales, k)
	}
	return kept
}

// gist is the tales without the last of how likely they are.
func (k *keptMaybe) gist() *keptMaybe {
	if k == nil {
		return nil
	}
	list := slices.Clone(k.Tales)
	for i := range list {
		k := &list[i]
		k.Cost, k.Stories = math.Round(k.Cost), slices.Clone(k.Stories)
		for n := range k.Stories {
			k.Stories[n].Misfit = 0
		}
	}
	return &keptMaybe{k.From, list}
}

// takeMaybe takes up what may have happened, unless something was told since.
func (m *Match) takeMaybe(kept *keptMaybe) {
	g := m.byZones()
	if g == nil || kept == nil || kept.From != digest(m.line.now()) {
		return
	}
	for _, k := range kept.Tales {
		if t, ok := m.taleOf(g, k); ok {
			m.zones.next = append(m.zones.next, t)
		}
	}
	m.zones.from = m.line.now()
}

// taleOf is a tale as it was; false where it cannot have happened.
func (m *Match) taleOf(g zoneGame, k keptTale) (t hypothesis, ok bool) {
	t = hypothesis{lost: takeLost(k.Lost), sofar: k.Cost, said: k.Said, borne: k.Borne, unshown: k.Unshown, told: k.Told, skips: k.Skips, against: k.Against}
	t.stack, t.acts = m.backByZones(g)
	none := func(rules.Move) bool { return false }
	if len(k.Stories) == 0 {
		t.wrong = m.latestWrong()
	}
	for _, story := range k.Stories {
		moves, err := parseMoves(m.game, story.Moves)
		if err != nil || story.Back >= len(t.stack) {
			return t, false
		}
		s := rules.Story{Verdict: rules.Explained, Back: story.Back, Line: moves, Misfit: story.Misfit}
		now := t.stack[len(t.stack)-1-s.Back]
		for i, mv := range moves {
			if why := reasonsOf(now.Check(mv)); why != nil && s.Why == nil {
				s.Verdict, s.Why, s.At = rules.IllegalAct, why, i
			}
			if now, err = now.Apply(mv); err != nil {
				return t, false
			}
		}
		s.After = now
		if t.wrong = nil; s.Why != nil && s.At == len(moves)-1 {
			t.wrong = moves[s.At]
		}
		t.stack, t.acts = retrace(t.stack, t.acts, s, none)
		t.before = append(t.before, s)
	}
	first := len(t.stack) - 1 - k.Back
	if first < 0 {
		return t, false
	}
	t.stack, t.acts = t.stack[first:], t.acts[first:]
	return t, true
}

func keepLost(list []lostDie) (kept []keptLost) {
	for _, l := range list {
		kept = append(kept, keptLost{l.at.kind, l.at.seat, l.Die})
	}
	return kept
}

func takeLost(kept []keptLost) (list []lostDie) {
	for _, l := range kept {
		list = append(list, lostDie{zoneKey{l.Zone, l.Seat}, l.Die})
	}
	return list
}

// retrace is the positions that can be taken back to after a story, and what led to them, if before it
// they were these. Before an act that stands nothing can.
func retrace(stack []rules.State, acts []rules.Move, s rules.Story, stands func(rules.Move) bool) ([]rules.State, []rules.Move) {
	list := slices.Clone(stack[:len(stack)-s.Back])
	led := slices.Clone(acts[:len(list)])
	now := list[len(list)-1]
	for _, mv := range s.Line {
		next, err := now.Apply(mv)
		if err != nil {
			break
		}
		now = next
		switch {
		case stands(mv):
			list, led = list[:0], led[:0]
		case mv.Actor() == rules.Nature && len(list) > 0: // nothing that could be taken back
			list[len(list)-1] = now
			continue
		}
		list, led = append(list, now), append(led, mv)
	}
	return list, led
}
