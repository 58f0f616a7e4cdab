// Package table is the vocabulary that every other package shares: the
// colors and faces of dice, places on the table, what each game lays out, and
// what a camera reported. It depends on the standard library alone.
package table

import "fmt"

// Color names the body color of a die. The zero value is not a color.
type Color uint8

// The nine colors that dice can have.
const (
	NoColor Color = iota
	Red
	Yellow
	Green
	Blue
	Purple
	Orange
	White
	Black
	Pink
)

// Colors lists the nine colors in their fixed order, which is also the order
// of the color model's outputs.
var Colors = [...]Color{Red, Yellow, Green, Blue, Purple, Orange, White, Black, Pink}

var colorNames = [...]string{"", "red", "yellow", "green", "blue", "purple", "orange", "white", "black", "pink"}

// String returns the lower-case English name; NoColor gives "".
func (c Color) String() string {
	if int(c) < len(colorNames) {
		return colorNames[c]
	}
	return fmt.Sprintf("color(%d)", uint8(c))
}

// ParseColor turns a name as used in JSON and on the command line into a Color.
func ParseColor(name string) (Color, error) {
	for i := 1; i < len(colorNames); i++ {
		if colorNames[i] == name {
			return Color(i), nil
		}
	}
	return NoColor, fmt.Errorf("table: unknown color %q (expected one of red, yellow, green, blue, purple, orange, white, black, pink)", name)
}

// MarshalText writes the color's name.
func (c Color) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a color's name; the empty text is NoColor.
func (c *Color) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*c = NoColor
		return nil
	}
	v, err := ParseColor(string(text))
	if err == nil {
		*c = v
	}
	return err
}
