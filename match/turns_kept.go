package match

import (
	"math"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// keptTurns is what the belief of turns was made of, as a restart needs it.
type keptTurns struct {
	From  int         `json:"from"`            // so many acts are certain
	Known []keptKnown `json:"known,omitempty"` // what was answered
	Open  bool        `json:"open,omitempty"`  // who scored is asked,
	About *keptTaking `json:"about,omitempty"`
	Marks []Cell      `json:"marks,omitempty"` // cells that are provisional
	Lost  *int        `json:"lost,omitempty"`  // the turn since which all of them are
	Seen  []keptSight `json:"seen"`
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
	Of keptTaking `json:"of"`
	Is keptScore  `json:"is"`
}

func (s scored) keep() keptScore { return keptScore{s.cell(), s.points} }

func (k keptScore) scored() scored { return scored{rules.Player(k.Player), k.Round, k.Points} }

func (t taking) keep() keptTaking { return keptTaking{t.scored.keep(), t.took, t.rested} }

func (k keptTaking) taking() taking {
	return taking{scored: k.scored(), took: k.Took, rested: k.Rested}
}

type keptSight struct {
	T       float64       `json:"t,omitempty"` // seconds
	Move    string        `json:"move,omitempty"`
	Instead string        `json:"instead,omitempty"`
	Took    scoring.Holes `json:"took,omitempty"`
	Left    scoring.Holes `json:"left,omitempty"`
	Say     string        `json:"say,omitempty"`
	Shown   rules.Player  `json:"shown,omitempty"`
	Awaited bool          `json:"awaited,omitempty"`
	Fact    bool          `json:"fact,omitempty"`
	Doubt   float64       `json:"doubt,omitempty"`
	Others  []keptOther   `json:"others,omitempty"`
}

// keptOther is what else a die may be.
type keptOther struct {
	Die    table.Die `json:"die"`
	Chance float64   `json:"chance"`
}

// keptTurns is nothing where all is certain.
func (m *Match) keptTurns() *keptTurns {
	a := &m.turns
	many := len(a.seen) > 0 && len(a.set.Hypotheses()) > 1
	if !a.on || !many && len(a.marks) == 0 && !a.lost {
		return nil
	}
	k := &keptTurns{From: a.from, Open: a.open}
	for _, w := range a.known {
		k.Known = append(k.Known, keptKnown{w.taking.keep(), w.is.keep()})
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
	if !many {
		return k
	}
	for _, s := range a.seen {
		k.Seen = append(k.Seen, s.kept)
	}
	return k
}

// keep is a sight as a restart needs it.
func (s sight) keep() keptSight {
	k := keptSight{T: math.Round(s.At*100) / 100, Took: s.Took, Left: s.Left, Say: s.Say, Shown: s.Shown, Awaited: s.Awaited, Fact: s.fact != nil, Doubt: s.Doubt}
	for _, o := range s.Others {
		k.Others = append(k.Others, keptOther(o))
	}
	if s.Instead != nil {
		k.Instead = s.Instead.String()
	}
	switch {
	case s.fact != nil:
		k.Move = s.fact.String()
	case s.Flick != nil:
		k.Move = s.Flick.String()
	case s.Score != nil:
		k.Move = s.Score.String()
	}
	return k
}

// takeTurns takes up what was believed. Acts that were told since are seen by what they are.
func (m *Match) takeTurns(k *keptTurns) {
	if k == nil || k.From > len(m.line.acts) {
		return
	}
	a := &m.turns
	*a = turns{on: true, from: k.From, busy: m.t}
	for _, w := range k.Known {
		a.known = append(a.known, learned{w.Of.taking(), w.Is.scored()})
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
	a.start = diceflick.Follow(state)
	a.set = belief.New[diceflick.Glimpse](a.start)
	var seen []sight
	for _, o := range k.Seen {
		s := sight{Glimpse: diceflick.Glimpse{At: o.T, Took: o.Took, Left: o.Left, Say: o.Say, Shown: o.Shown, Awaited: o.Awaited, Doubt: o.Doubt}}
		for _, other := range o.Others {
			s.Others = append(s.Others, diceflick.Maybe(other))
		}
		mv, err := m.game.ParseMove(o.Move)
		if err != nil {
			*a = turns{}
			return
		}
		switch mv := mv.(type) {
		case diceflick.Flick:
			s.Flick = &mv
		case diceflick.Score:
			s.Score = &mv
		}
		if o.Fact {
			s.fact = mv
		}
		if alt, err := m.game.ParseMove(o.Instead); err == nil {
			if f, is := alt.(diceflick.Flick); is {
				s.Instead = &f
			}
		}
		seen = append(seen, s)
	}
	if len(seen) > 0 {
		m.believeSights(seen)
	}
	a.told, a.open = m.toldSince(a.from), k.Open && m.ask != ""
	if b := k.About; a.open && b != nil {
		a.about = b.taking()
	}
}
