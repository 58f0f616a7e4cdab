package diceflick

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Draw is a player's word that so many dice now lie in front of them. Drawing
// is counted without it; it is for tables where somebody draws wrongly.
type Draw struct {
	By      rules.Player
	InFront int
}

// Flick is one flicked die and all that it did in the arena.
type Flick struct {
	By     rules.Player
	Die    table.Die    // NoColor: a miss where nobody said which die
	Rests  bool         // it came to rest in the hole To; otherwise it went back into the bag
	To     table.Square // with Rests
	Shifts []Shift      // what it did to other dice
	Base   string       // "" or BaseShifted
	Kept   bool         // a die in the trench or outside was not put back into the bag
}

// BaseShifted as a Flick's Base: flicked from elsewhere than a base on its green spot.
const BaseShifted = "shifted"

// Shift is a die that a flick moved or turned, or that left the arena.
type Shift struct {
	From table.Square
	Off  bool // pushed into the trench or out: back into the bag
	To   table.Square
	Face int // what it shows now
}

// Score ends a turn (or, where a house rule lets it, comes between flicks).
// What is known of it may be any of: the claim, the dice that left, the number written.
type Score struct {
	By      rules.Player
	Claim   []scoring.Scoring // nil: not told step by step
	Seen    bool              // Removed is known
	Removed scoring.Holes
	Told    bool // Written is known
	Written int
	Between bool // the turn goes on
}

// Markers tells where the stickers of this arena are. Nature's move: it is read
// from the empty arena or tapped in.
type Markers struct{ scoring.Markers }

// Arrange has the arena look so after it was shaken, or misread. Nature's move.
type Arrange struct{ Dice [25]table.Die }

// Amend writes a cell of the notepad anew, at any time. Nature's move: it is
// nobody's turn. Written into the cell of the turn under way it ends that turn, so
// that a match can be played with the notepad alone.
type Amend struct {
	Player rules.Player
	Round  int  // from 1
	Score  *int // nil: empty
}

// Actor implements rules.Move.
func (m Amend) Actor() rules.Player { return rules.Nature }

// Actor implements rules.Move.
func (m Draw) Actor() rules.Player { return m.By }

// Actor implements rules.Move.
func (m Flick) Actor() rules.Player { return m.By }

// Actor implements rules.Move.
func (m Score) Actor() rules.Player { return m.By }

// Actor implements rules.Move.
func (m Markers) Actor() rules.Player { return rules.Nature }

// Actor implements rules.Move.
func (m Arrange) Actor() rules.Player { return rules.Nature }

// Missed says whether the flicked die came to rest in no hole.
func (m Flick) Missed() bool { return !m.Rests }

type moveJSON struct {
	Action  string            `json:"action"`
	To      *table.Square     `json:"to,omitempty"`
	Color   table.Color       `json:"color,omitempty"`
	Face    *int              `json:"face,omitempty"`
	Shifts  []shiftJSON       `json:"shifts,omitempty"`
	Base    string            `json:"base,omitempty"`
	Kept    bool              `json:"kept,omitempty"`
	InFront *int              `json:"in_front,omitempty"`
	Score   *int              `json:"score,omitempty"`
	Removed *[]table.Square   `json:"removed,omitempty"`
	Claim   []scoring.Scoring `json:"claim,omitempty"`
	Between bool              `json:"between,omitempty"`
}

type shiftJSON struct {
	From table.Square  `json:"from"`
	To   *table.Square `json:"to"` // null: back into the bag
	Face *int          `json:"face,omitempty"`
}

// MarshalJSON writes {"action":"draw","in_front":3}.
func (m Draw) MarshalJSON() ([]byte, error) {
	return json.Marshal(moveJSON{Action: "draw", InFront: &m.InFront})
}

// MarshalJSON writes {"action":"flick","to":[2,2],"color":"white","face":4} or
// {"action":"miss","color":"white"}; a blast die's face is left out.
func (m Flick) MarshalJSON() ([]byte, error) {
	v := moveJSON{Action: "miss", Color: m.Die.Color, Base: m.Base, Kept: m.Kept}
	if m.Rests {
		v.Action, v.To = "flick", &m.To
		if m.Die.Color != table.Pink {
			v.Face = &m.Die.Face
		}
	}
	for i := range m.Shifts {
		s := &m.Shifts[i]
		j := shiftJSON{From: s.From}
		if !s.Off {
			j.To, j.Face = &s.To, &s.Face
		}
		v.Shifts = append(v.Shifts, j)
	}
	return json.Marshal(v)
}

// MarshalJSON writes {"action":"score","score":8,"removed":[[2,2]]}.
func (m Score) MarshalJSON() ([]byte, error) {
	v := moveJSON{Action: "score", Claim: m.Claim, Between: m.Between}
	if m.Told {
		v.Score = &m.Written
	}
	if m.Seen {
		list := m.Removed.Squares()
		v.Removed = &list
	}
	return json.Marshal(v)
}

// MarshalJSON writes {"action":"markers","markers":[{"row":2,"col":2,"marker":"center"},...]}.
func (m Markers) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"action": "markers", "markers": readings(m.Markers)})
}

// MarshalJSON writes {"action":"arrange","arena":[five strings]}.
func (m Arrange) MarshalJSON() ([]byte, error) {
	rows := rowsOf(m.Dice)
	return json.Marshal(map[string]any{"action": "arrange", "arena": rows[:]})
}

// MarshalJSON writes {"action":"pad","player":0,"round":3,"score":12}.
func (m Amend) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Action string       `json:"action"`
		Player rules.Player `json:"player"`
		Round  int          `json:"round"`
		Score  *int         `json:"score"`
	}{"pad", m.Player, m.Round, m.Score})
}

// String is the notation: "pad A 3 12", "pad A 3 empty".
func (m Amend) String() string {
	if m.Score == nil {
		return fmt.Sprintf("pad %v %d empty", m.Player, m.Round)
	}
	return fmt.Sprintf("pad %v %d %d", m.Player, m.Round, *m.Score)
}

// String is the notation: "A draw 3".
func (m Draw) String() string { return m.By.String() + " draw " + strconv.Itoa(m.InFront) }

// String is the notation: "A flick W4 c3 b2>b3=5 b1>off", "B miss P", "B miss ?".
func (m Flick) String() string {
	var b strings.Builder
	b.WriteString(m.By.String()) // a whole line of them is written down for each hypothesis, so that fmt would take long
	if m.Rests {
		b.WriteString(" flick " + dieText(m.Die) + " " + m.To.String())
	} else {
		b.WriteString(" miss ")
		b.WriteByte(letterOf(m.Die.Color))
	}
	for _, s := range m.Shifts {
		if s.Off {
			fmt.Fprintf(&b, " %v>off", s.From)
		} else {
			fmt.Fprintf(&b, " %v>%v=%d", s.From, s.To, s.Face)
		}
	}
	if m.Base != "" {
		b.WriteString(" base=" + m.Base)
	}
	if m.Kept {
		b.WriteString(" kept")
	}
	return b.String()
}

// String is the notation: "A score 11 took=b1,c1 claim=combo:b1+c1+@blue,blast:a1/row,center";
// "?" stands for a number that was not told, "took=none" for no dice at all.
func (m Score) String() string {
	var b strings.Builder
	b.WriteString(m.By.String() + " score ")
	if m.Told {
		b.WriteString(strconv.Itoa(m.Written))
	} else {
		b.WriteByte('?')
	}
	if m.Seen {
		b.WriteString(" took=" + holesText(m.Removed))
	}
	if m.Claim != nil {
		b.WriteString(" claim=" + claimText(m.Claim))
	}
	if m.Between {
		b.WriteString(" between")
	}
	return b.String()
}

// String is the notation: "markers center=c3 bonus=e1 blue=b2".
func (m Markers) String() string {
	var b strings.Builder
	b.WriteString("markers")
	for _, r := range readings(m.Markers) {
		fmt.Fprintf(&b, " %s=%v", r.Marker, table.Square{Row: r.Row, Col: r.Col})
	}
	return b.String()
}

// String is the notation: "arena .. .. B3 .. .. / ...", five rows.
func (m Arrange) String() string {
	rows := rowsOf(m.Dice)
	return "arena " + strings.Join(rows[:], " / ")
}

func holesText(h scoring.Holes) string {
	if h == 0 {
		return "none"
	}
	list := h.Squares()
	s := make([]string, len(list))
	for i, sq := range list {
		s[i] = sq.String()
	}
	return strings.Join(s, ",")
}

func claimText(claim []scoring.Scoring) string {
	s := make([]string, len(claim))
	for i := range claim {
		switch c := &claim[i]; c.Kind {
		case scoring.Center:
			s[i] = "center"
		case scoring.Blast:
			s[i] = fmt.Sprintf("blast:%v/%s", c.Die, c.Line)
		default:
			cells := make([]string, len(c.Cells))
			for j := range c.Cells {
				cells[j] = c.Cells[j].String()
			}
			s[i] = "combo:" + strings.Join(cells, "+")
		}
	}
	if len(s) == 0 {
		return "none"
	}
	return strings.Join(s, ",")
}
