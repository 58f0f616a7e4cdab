package table

import (
	"encoding/json"
	"fmt"
)

// Point is a place in a picture, in pixels; y grows downwards.
type Point struct{ X, Y float64 }

// MarshalJSON writes [x,y], rounded to a tenth of a pixel.
func (p Point) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "[%.1f,%.1f]", p.X, p.Y), nil }

// UnmarshalJSON reads [x,y].
func (p *Point) UnmarshalJSON(b []byte) error {
	var v [2]float64
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("table: a point is [x,y]: %w", err)
	}
	p.X, p.Y = v[0], v[1]
	return nil
}

// Square is a square of a board or a hole of an arena: row 0 is north, column 0 west.
type Square struct{ Row, Col int }

// MarshalJSON writes [row,col].
func (s Square) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "[%d,%d]", s.Row, s.Col), nil }

// UnmarshalJSON reads [row,col].
func (s *Square) UnmarshalJSON(b []byte) error {
	var v []*int // a null is not a number
	if err := json.Unmarshal(b, &v); err != nil || len(v) != 2 || v[0] == nil || v[1] == nil {
		return fmt.Errorf("a square is [row,col], not %.40s", b)
	}
	s.Row, s.Col = *v[0], *v[1]
	return nil
}

// On says whether the square is on a 5×5 grid.
func (s Square) On() bool { return s.Row >= 0 && s.Row < Size && s.Col >= 0 && s.Col < Size }

// Index numbers the squares 0..24, row by row.
func (s Square) Index() int { return s.Row*Size + s.Col }

// SquareAt is the inverse of Index.
func SquareAt(i int) Square { return Square{i / Size, i % Size} }

// String names a square as players do: column a to e, row 1 to 5 from the north ("b3").
func (s Square) String() string {
	if !s.On() {
		return fmt.Sprintf("[%d,%d]", s.Row, s.Col)
	}
	return string([]byte{'a' + byte(s.Col), '1' + byte(s.Row)})
}

// Die is a die's color and its top face; face 0 is a face that does not count (a blast die).
type Die struct {
	Color Color `json:"color"`
	Face  int   `json:"face"`
}

// Reading is one die as it was read from one picture. It is evidence, not truth.
type Reading struct {
	Die
	Square     *Square  `json:"square"`     // nil: beside the grid, or no grid
	At         Point    `json:"at"`         // center of the top face
	Outline    [4]Point `json:"outline"`    // the corners of the top face
	Confidence float64  `json:"confidence"` // probability that color, face and place are all right
	Sure       bool     `json:"sure"`       // the program would act on it without asking
	// Faces and Colors are the probabilities behind the reading: Faces[f] for
	// faces 1 to 6 with Faces[0] for a blast die, Colors by Color.
	Faces  [7]float64  `json:"faces"`
	Colors [10]float64 `json:"colors"`
	Look   Look3       `json:"look"`
	// Name is what the face shows, and Unknown says that it is none that was shown, where the dice are read by
	// their owner's set.
	Name    string `json:"name,omitempty"`
	Unknown bool   `json:"unknown,omitempty"`
	Top     *Top   `json:"top,omitempty"` // where it was asked for
}

// Top is how the top of a die looks, for a set of dice that an owner shows: see vision/owned.
type Top struct {
	Picture   []byte `json:"picture"`             // squared up: red, green and blue of its pixels, row by row
	Signature []byte `json:"signature,omitempty"` // what it shows, in numbers
	Pips      int    `json:"pips,omitempty"`      // that it plainly has; 0: none, or who knows
}

// Look3 is how a die's body looks in the light of its picture: the logarithms of red and
// of blue over green, and of the brightness, each less the whole picture's. The zero value
// is none.
type Look3 [3]float64

// Lesson is what players corrected about a color: a die that looked so has that color.
type Lesson struct {
	Look  Look3 `json:"look"`
	Color Color `json:"color"`
}

// Grid is the board or arena as found in a picture.
type Grid struct {
	Found   bool     `json:"found"`
	Rows    int      `json:"rows"`
	Cols    int      `json:"cols"`
	Corners [4]Point `json:"corners"` // outer corners of the grid of squares, clockwise from that of [0,0]
	Unsure  bool     `json:"-"`       // it may be another
	// Since is by which frame, counted from 1, the view began that was followed without a break: grids of the same one
	// are numbered alike, however the camera was turned. 0: not known.
	Since int `json:"since,omitempty"`
}

// Marker names of an arena's stickers.
const (
	CenterMarker = "center"
	BonusMarker  = "bonus"
	BlueMarker   = "blue"
	YellowMarker = "yellow"
	GreenMarker  = "green"
)

// MarkerReading is a sticker seen uncovered in a hole of the arena.
type MarkerReading struct {
	Row    int    `json:"row"`
	Col    int    `json:"col"`
	Marker string `json:"marker"`
}

// Warning tells the people at the table what to mend; Code is one of glare,
// dark, blurred, too-far, board-cut-off, hand, no-board, covered, trembling, moving-light, moved; and, where
// something is there but nothing can be read, too-close, too-flat, no-dice. A table without dice is none.
type Warning struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Look says how a frame looks, before any rule is thought of.
type Look string

const (
	LookMoving Look = "moving" // something moves, or the light jumps
	LookHand   Look = "hand"   // still, but a hand or another large thing lies over the table
	LookStill  Look = "still"  // nothing moves and the view is free
)

// Sooner says that First was seen as it is now before Then was.
type Sooner struct {
	First Square `json:"first"`
	Then  Square `json:"then"`
	Plain bool   `json:"plain,omitempty"` // beyond doubt: Then was as it had been, and not only hidden
}

// Observation is all that the eye tells of one frame.
type Observation struct {
	Game     Game            `json:"game"`
	Frame    int             `json:"frame"` // counted from 0
	T        float64         `json:"t"`     // seconds since the source began
	Width    int             `json:"width"`
	Height   int             `json:"height"`
	Look     Look            `json:"look"`
	Read     bool            `json:"read"`            // the dice of this very frame were read; else Dice repeats the last read
	Posed    bool            `json:"posed,omitempty"` // taken on purpose, one picture a view: no others of it follow
	Grid     *Grid           `json:"grid"`            // nil for games without one
	Dice     []Reading       `json:"dice"`
	Markers  []MarkerReading `json:"markers,omitempty"`
	Warnings []Warning       `json:"warnings,omitempty"`
	Trouble  *Warning        `json:"trouble,omitempty"` // what keeps the table from being followed; one of the warnings
	Sooner   []Sooner        `json:"sooner,omitempty"`  // of the squares that have changed since the view before
	// Hidden is the squares over which something lay when the dice were read, and places beside the grid, numbered as if it went on
	// there. That no die is told there means nothing.
	Hidden []Square `json:"hidden,omitempty"`
	MS     Timing   `json:"ms"`
}

// Timing is what a picture cost, in milliseconds.
type Timing struct {
	Decode float64 `json:"decode"`
	Read   float64 `json:"read"`
}

// View is what should be on the table according to the rules.
type View struct {
	Squares map[Square]Die // every die on the grid
	Loose   []Die          // dice beside the grid, where the rules know them
	// LooseKnown is false where the rules cannot say which dice are beside the grid.
	LooseKnown bool
}
