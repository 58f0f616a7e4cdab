package dicebox

import (
	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Expect is the grid, and the dice of all hands where every one is known.
func (s *State) Expect() table.View {
	v := table.View{Squares: make(map[table.Square]table.Die, squares), LooseKnown: s.rolled && len(s.hands) > 0}
	for i, d := range s.grid {
		if d.Color != table.NoColor {
			v.Squares[table.SquareAt(i)] = d
		}
	}
	for i := range s.hands {
		v.LooseKnown = v.LooseKnown && s.hands[i].known
	}
	if v.LooseKnown {
		for i := range s.hands {
			v.Loose = append(v.Loose, s.hands[i].dice.dice()...)
		}
	}
	return v
}

// dice lists every die.
func (d *Dice) dice() []table.Die {
	var list []table.Die
	for c := range d {
		for f, n := range d[c] {
			for range n {
				list = append(list, table.Die{Color: scoring.BoxColors[c], Face: f})
			}
		}
	}
	return list
}

// Propose explains one difference on the grid: the Seed in the center, a die that
// came, one that was moved or turned; and, where all hands are known, a reroll.
func (s *State) Propose(seen table.Observation) [][]rules.Move {
	after := rules.SeenBoard(seen)
	for i := range after {
		if d := after[i]; d.Color != table.NoColor && (d.Face < 1 || d.Face > 6 || scoring.BoxColor(d.Color) < 0 && d.Color != seedColor) {
			return nil
		}
	}
	c := rules.Compare(s.grid, after)
	var a Act
	switch {
	case c.Count() == 1 && len(c.Come) == 1:
		a = Act{Kind: Place, To: c.Come[0], Die: after[c.Come[0].Index()]}
		if !s.rolled && a.To == center && a.Die.Color == seedColor {
			a.By, a.Kind = rules.Nature, Seed
			return [][]rules.Move{{a}}
		}
	case c.Count() == 1 && len(c.Changed) == 1:
		a = Act{Kind: Shift, From: c.Changed[0], To: c.Changed[0], Die: after[c.Changed[0].Index()]}
	case c.Count() == 2 && len(c.Come) == 1 && len(c.Gone) == 1:
		a = Act{Kind: Shift, From: c.Gone[0], To: c.Come[0], Die: after[c.Come[0].Index()]}
		if a.Die.Color != s.grid[a.From.Index()].Color {
			return nil
		}
	case c.Count() == 0:
		return s.proposeReroll(seen)
	default:
		return nil
	}
	if !s.rolled {
		return nil
	}
	line, at := s.passes()
	a.By = at
	return [][]rules.Move{append(line, a)}
}

// passes are the passes that come before the next act, and who acts then.
func (s *State) passes() (line []rules.Move, by rules.Player) {
	at := s
	for range s.players {
		m, must := at.MustPass()
		if !must {
			break
		}
		next, err := at.Apply(m)
		if err != nil {
			break
		}
		line, at = append(line, m), next.(*State)
	}
	return line, max(at.turn, 0)
}

// proposeReroll finds the outcome of a reroll where all dice are known: what is
// seen less the dice of the others.
func (s *State) proposeReroll(seen table.Observation) [][]rules.Move {
	if !s.Expect().LooseKnown || s.Over() {
		return nil
	}
	line, by := s.passes()
	var d Dice
	for _, l := range rules.SeenLoose(seen) {
		if c := scoring.BoxColor(l.Color); c >= 0 && l.Face >= 1 && l.Face <= 6 {
			d[c][l.Face]++
		}
	}
	for p := range s.hands {
		for c := range d {
			for f := range d[c] {
				if rules.Player(p) != by {
					d[c][f] -= s.hands[p].dice[c][f]
				}
				if d[c][f] < 0 && p == len(s.hands)-1 {
					return nil // dice of others changed as well
				}
			}
		}
	}
	own := s.hands[by]
	for c := range d {
		if d.ofColor(c) != int(own.colors[c]) {
			return nil
		}
	}
	if d == own.dice {
		return nil
	}
	return [][]rules.Move{append(line, Act{By: by, Kind: Reroll, Dice: d, Known: true})}
}

// ProposeLoose takes changed values beside the grid, with the same number of each
// color, for a reroll by the player whose turn it is.
func (s *State) ProposeLoose(before, now []table.Reading) []rules.Move {
	if s.ToMove() < 0 || s.Expect().LooseKnown {
		return nil
	}
	line, by := s.passes()
	var b, n Dice
	for _, list := range []struct {
		readings []table.Reading
		to       *Dice
	}{{before, &b}, {now, &n}} {
		for _, r := range list.readings {
			if c := scoring.BoxColor(r.Color); r.Square == nil && c >= 0 && r.Face >= 1 && r.Face <= 6 {
				list.to[c][r.Face]++
			}
		}
	}
	for c := range b {
		if b.ofColor(c) != n.ofColor(c) {
			return nil
		}
	}
	if b == n {
		return nil
	}
	return append(line, Act{By: by, Kind: Reroll})
}

// shown is the state as the page gets it.
type shown struct {
	Grid       []shownDie       `json:"grid"`
	Candidates map[string][]int `json:"candidates"` // by empty square with a filled neighbor
	Dead       []table.Square   `json:"dead"`       // squares that nothing will ever fit
	Hands      []shownHand      `json:"hands"`
	ToMove     rules.Player     `json:"to_move"`
	Must       string           `json:"must,omitempty"`  // place, reroll or pass, where the hand is known
	Draft      []string         `json:"draft,omitempty"` // colors of which one more die may be chosen now
	Fits       []shownFit       `json:"fits,omitempty"`  // dice of the player whose turn it is and where they fit
	Unclaimed  map[string]int   `json:"unclaimed"`
	Leading    []rules.Player   `json:"leading"` // who would win now; at the end: who has won
	Last       string           `json:"last,omitempty"`
	Over       bool             `json:"over"`
	Rules      map[string]any   `json:"rules"`
}

type shownDie struct {
	Square table.Square `json:"square"`
	Color  table.Color  `json:"color"`
	Face   int          `json:"face"`
}

type shownHand struct {
	Owns   []string       `json:"owns"`             // colors
	Size   int            `json:"size"`             // dice not on the grid
	Colors map[string]int `json:"colors,omitempty"` // by color, where known
	Dice   []string       `json:"dice,omitempty"`   // what they show, where known
}

type shownFit struct {
	Die string   `json:"die"`
	On  []string `json:"on"`
}

// Show hides nothing: all dice of Dice Box lie open.
func (s *State) Show(rules.Player) any {
	v := shown{
		Grid: []shownDie{}, Candidates: map[string][]int{}, Dead: []table.Square{}, ToMove: s.ToMove(),
		Unclaimed: s.Unclaimed(), Leading: s.Winners(), Over: s.Over(), Rules: s.options.All(),
	}
	for i, d := range s.grid {
		sq := table.SquareAt(i)
		if d.Color != table.NoColor {
			v.Grid = append(v.Grid, shownDie{sq, d.Color, d.Face})
		} else if c := s.Candidates(sq); c != nil {
			v.Candidates[sq.String()] = c
			if len(c) == 0 {
				v.Dead = append(v.Dead, sq)
			}
		}
	}
	if s.players == len(scoring.BoxColors) {
		v.Draft = s.draftable()
	}
	for p, h := range s.hands {
		v.Hands = append(v.Hands, s.showHand(p, h))
	}
	if p := s.ToMove(); p >= 0 && s.rolled {
		v.Must, v.Fits = s.Must(p), s.showFits(p)
	}
	if s.lastBy != rules.Nobody {
		v.Last = s.last.String()
	}
	return v
}

// draftable lists the colors of which whoever picks next may choose a die.
func (s *State) draftable() (list []string) {
	by := rules.Player(0)
	if s.drafting() {
		by = s.drafter()
	}
	for _, c := range scoring.BoxColors {
		var why rules.Illegal
		if s.checkDraft(Act{By: by, Kind: Draft, Die: table.Die{Color: c}}, &why); len(why) == 0 {
			list = append(list, c.String())
		}
	}
	return list
}

func (s *State) showHand(p int, h hand) shownHand {
	v := shownHand{Size: h.size}
	if p < len(s.owners) {
		for _, c := range s.owners[p] {
			v.Owns = append(v.Owns, scoring.BoxColors[c].String())
		}
	}
	if h.colored {
		v.Colors = map[string]int{}
		for c, n := range h.colors {
			v.Colors[scoring.BoxColors[c].String()] = int(n)
		}
	}
	if h.known {
		v.Dice = h.dice.list()
	}
	return v
}

// showFits says of every die of a known hand where it fits ("R4 fits on d3 and e2").
func (s *State) showFits(p rules.Player) []shownFit {
	h := s.handOf(p)
	if !h.known {
		return nil
	}
	var fits []shownFit
	for c := range h.dice {
		for f, n := range h.dice[c] {
			if n <= 0 {
				continue
			}
			fit := shownFit{Die: word(table.Die{Color: scoring.BoxColors[c], Face: f}), On: []string{}}
			for _, sq := range s.Fillable() {
				if s.cand(sq.Index())>>f&1 != 0 {
					fit.On = append(fit.On, sq.String())
				}
			}
			fits = append(fits, fit)
		}
	}
	return fits
}
