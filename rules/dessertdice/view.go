package dessertdice

import (
	"fmt"
	"strings"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Expect is the board, and the supply where it is known.
func (s *State) Expect() table.View {
	v := table.View{Squares: make(map[table.Square]table.Die, squares), LooseKnown: s.supply != nil}
	for i, d := range s.dice() {
		if d.Color != table.NoColor {
			v.Squares[table.SquareAt(i)] = d
		}
	}
	if s.supply != nil {
		for c := range s.supply {
			for f, n := range s.supply[c] {
				for range n {
					v.Loose = append(v.Loose, table.Die{Color: colors[c], Face: f})
				}
			}
		}
	}
	return v
}

// Propose explains one difference: a die that came was placed; one that came while
// another went was moved, whatever its color; one that shows another top was turned.
func (s *State) Propose(seen table.Observation) [][]rules.Move {
	after := rules.SeenBoard(seen)
	for i := range after {
		if d := after[i]; d.Color != table.NoColor && (colorIndex(d.Color) < 0 || d.Face < 1 || d.Face > 6) {
			return nil
		}
	}
	c := rules.Compare(s.dice(), after)
	by := max(s.turn, 0)
	switch {
	case c.Count() == 1 && len(c.Come) == 1:
		return s.proposePlace(by, c.Come[0], after[c.Come[0].Index()], seen)
	case c.Count() == 2 && len(c.Come) == 1 && len(c.Gone) == 1:
		tip := Act{By: by, Kind: Tip, Die: after[c.Come[0].Index()], From: c.Gone[0], To: c.Come[0]}
		return append([][]rules.Move{{tip}}, s.twoTips(tip)...)
	case c.Count() == 1 && len(c.Changed) == 1:
		return [][]rules.Move{{Act{By: by, Kind: Turn, Die: after[c.Changed[0].Index()], To: c.Changed[0]}}}
	}
	return nil
}

// proposePlace thinks of a die that was turned on its way where the supply is known not to hold it as seen.
func (s *State) proposePlace(by rules.Player, to table.Square, d table.Die, seen table.Observation) [][]rules.Move {
	k := colorIndex(d.Color)
	if s.supply != nil && s.supply[k][d.Face] == 0 {
		var still [7]uint8
		for _, l := range rules.SeenLoose(seen) {
			if l.Color == d.Color {
				still[l.Face]++
			}
		}
		for f := range s.supply[k] {
			if s.supply[k][f] > still[f] {
				return [][]rules.Move{{Act{By: by, Kind: Place, Die: table.Die{Color: d.Color, Face: f}, Top: d.Face, To: to}}}
			}
		}
	}
	return [][]rules.Move{{Act{By: by, Kind: Place, Die: d, To: to}}}
}

// twoTips are the ways in which two players in turn may have brought a die two
// squares on, where nobody saw it in between.
func (s *State) twoTips(t Act) (lines [][]rules.Move) {
	if _, near := step(t.From, t.To); near || t.Die.Color != s.board[t.From.Index()].color || s.players == 0 {
		return nil
	}
	for _, i := range rules.Neighbors(t.From.Index()) {
		mid := table.SquareAt(i)
		if _, near := step(mid, t.To); !near || s.board[i].color != table.NoColor {
			continue
		}
		for _, top := range s.Reachable(t.From, mid) {
			first := Act{By: t.By, Kind: Tip, Die: table.Die{Color: t.Die.Color, Face: top}, From: t.From, To: mid}
			next, err := s.Apply(first)
			if err != nil || s.Check(first) != nil {
				continue
			}
			second := Act{By: next.(*State).turn, Kind: Tip, Die: t.Die, From: mid, To: t.To}
			if next.Check(second) == nil {
				lines = append(lines, []rules.Move{first, second})
			}
		}
	}
	return lines
}

// shown is the state as the page gets it.
type shown struct {
	Board    []shownDie     `json:"board"`
	Supply   []string       `json:"supply,omitempty"`
	Left     map[string]int `json:"left,omitempty"` // dice still to be placed, by color
	ToMove   rules.Player   `json:"to_move"`
	Turn     int            `json:"turn"` // turns played
	Clusters map[string]int `json:"clusters"`
	// Cells are the squares of each dessert's largest cluster.
	Cells  map[string][]table.Square `json:"cells"`
	Cards  []string                  `json:"cards,omitempty"` // once turned over
	Last   string                    `json:"last,omitempty"`
	Remark string                    `json:"remark,omitempty"`
	Over   bool                      `json:"over"`
	Rules  map[string]any            `json:"rules"`
}

type shownDie struct {
	Square table.Square     `json:"square"`
	Color  table.Color      `json:"color"`
	Face   int              `json:"face"`
	North  int              `json:"north,omitempty"` // where known
	Kind   string           `json:"kind,omitempty"`  // western or asian, once play has told
	Icons  string           `json:"icons"`
	Tips   map[string][]int `json:"tips,omitempty"` // by target square: the tops that are right
}

// Show leaves out every card that is not turned over, for everybody: the program never knows them.
func (s *State) Show(rules.Player) any {
	v := shown{
		Board: []shownDie{}, ToMove: s.ToMove(), Turn: s.number, Clusters: s.Clusters(), Cells: s.cells(), Over: s.Over(), Rules: s.options.All(),
	}
	for i, d := range s.board {
		if d.color != table.NoColor {
			v.Board = append(v.Board, s.showDie(i, d))
		}
	}
	if s.supply != nil {
		v.Supply = s.supply.list()
	}
	for c := range colors {
		if n, known := s.left(c); known {
			if v.Left == nil {
				v.Left = map[string]int{}
			}
			v.Left[colors[c].String()] = n
		}
	}
	for _, c := range s.cards {
		v.Cards = append(v.Cards, strings.Trim(string(rune(c)), "\x00"))
	}
	if s.lastBy != rules.Nobody {
		v.Last = s.last.String()
	}
	if n := s.timesSeen(); n >= 3 {
		v.Remark = fmt.Sprintf("the same board has stood %d times since the last placement", n)
	}
	return v
}

func (s *State) showDie(i int, d die) shownDie {
	sq := table.SquareAt(i)
	v := shownDie{Square: sq, Color: d.color, Face: int(d.top), North: d.poses.north(), Tips: map[string][]int{}}
	switch d.poses.kinds() {
	case western:
		v.Kind = "western"
	case asian:
		v.Kind = "asian"
	}
	icons := s.profile[d.color][d.top]
	for b := range scoring.DessertLetters {
		if icons&(1<<b) != 0 {
			v.Icons += scoring.DessertLetters[b : b+1]
		}
	}
	for _, j := range rules.Neighbors(i) {
		if to := table.SquareAt(j); s.board[j].color == table.NoColor && !s.undoes(sq, to) && !s.mustPlace() {
			v.Tips[to.String()] = s.Reachable(sq, to)
		}
	}
	return v
}
