// Package owned reads dice by what their owner has shown: icons, numerals, bursts, whatever a maker put on them. A set of
// dice holds small pictures of their tops in groups that have names, and a top is told by the group that it is most alike.
// It is plain Go: the network that says how a top looks is asked elsewhere.
package owned

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"

	"diceref/table"
)

// How a top is pictured: squared up, with a little of what is around it. training/symbols.py has the same numbers.
const (
	Side   = 40   // pixels
	Margin = 1.15 // of the top's sides
	Turns  = 4    // an outline's corners are told in no order, so that a top may lie in any quarter turn
	Dim    = 48   // numbers that say what a top shows
)

// Picture is a top, squared up: Side×Side pixels of red, green and blue.
type Picture [Side * Side * 3]uint8

// PictureOf makes a picture of a crop: planes of red, green and blue, 0..1.
func PictureOf(crop []float32) *Picture {
	p := new(Picture)
	const plane = Side * Side
	for i := range plane {
		for c := range 3 {
			p[3*i+c] = uint8(min(max(crop[c*plane+i], 0), 1)*255 + 0.5)
		}
	}
	return p
}

// Turned is the picture turned by a quarter, clockwise.
func (p *Picture) Turned() *Picture {
	q := new(Picture)
	for y := range Side {
		for x := range Side {
			copy(q[3*(x*Side+Side-1-y):][:3], p[3*(y*Side+x):][:3])
		}
	}
	return q
}

// PNG is the picture as a file.
func (p *Picture) PNG() []byte {
	img := image.NewRGBA(image.Rect(0, 0, Side, Side))
	for i := range Side * Side {
		img.SetRGBA(i%Side, i/Side, color.RGBA{p[3*i], p[3*i+1], p[3*i+2], 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // memory takes all of it
	}
	return b.Bytes()
}

var errPicture = fmt.Errorf("a picture of a top is a PNG of %d by %d pixels", Side, Side)

// ParsePicture reads what PNG wrote.
func ParsePicture(file []byte) (*Picture, error) {
	size, err := png.DecodeConfig(bytes.NewReader(file))
	if err != nil || size.Width != Side || size.Height != Side {
		return nil, errPicture
	}
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, errPicture
	}
	p := new(Picture)
	for i := range Side * Side {
		r, g, b, _ := img.At(i%Side, i/Side).RGBA()
		p[3*i], p[3*i+1], p[3*i+2] = uint8(r>>8), uint8(g>>8), uint8(b>>8)
	}
	return p, nil
}

// MarshalJSON writes a PNG.
func (p *Picture) MarshalJSON() ([]byte, error) { return json.Marshal(p.PNG()) }

// UnmarshalJSON reads a PNG.
func (p *Picture) UnmarshalJSON(text []byte) error {
	var file []byte
	if err := json.Unmarshal(text, &file); err != nil {
		return errPicture
	}
	q, err := ParsePicture(file)
	if err != nil {
		return err
	}
	*p = *q
	return nil
}

// What the network sees: how far each place is from the body's color, and how much brighter it is, in units of how far the
// symbol's own places are. So it hardly matters which colors die and ink have, and how bright the light is.
const (
	rimFrom, rimTo = 3, 6 // pixels from the border between which the body is seen
	inner          = 6    // pixels from the border within which the symbol is
	farthest       = 0.97 // the share of places there that are no farther
	leastFar       = 0.06 // the noise of a plain top is not blown up
	mostFar        = 2.0
	Inputs         = 2 * Side * Side
)

// Input draws what the network sees of the picture.
func (p *Picture) Input(dst []float32) {
	body := p.body()
	var fars []float64
	const plane = Side * Side
	for i, far := range p.far(body) {
		var bright float64
		for c, luma := range [3]float64{0.3, 0.6, 0.1} {
			bright += luma * (float64(p[3*i+c])/255 - body[c])
		}
		dst[i], dst[plane+i] = float32(far), float32(bright)
		if x, y := i%Side, i/Side; min(x, y) >= inner && max(x, y) < Side-inner {
			fars = append(fars, far)
		}
	}
	slices.Sort(fars)
	unit := float32(max(fars[int(farthest*float64(len(fars)-1))], leastFar))
	for i := range plane {
		dst[i] = min(dst[i]/unit, mostFar)
		dst[plane+i] = min(max(dst[plane+i]/unit, -mostFar), mostFar)
	}
}

// far is how far each place is from a color.
func (p *Picture) far(body [3]float64) []float64 {
	far := make([]float64, Side*Side)
	for i := range far {
		for c := range 3 {
			d := float64(p[3*i+c])/255 - body[c]
			far[i] += d * d
		}
		far[i] = math.Sqrt(far[i])
	}
	return far
}

// body is the median of the places just inside the top's edges.
func (p *Picture) body() [3]float64 { return p.median(rimFrom, rimTo) }

// median is the median color of the places that are so far from the border.
func (p *Picture) median(from, to int) (median [3]float64) {
	var rim [3][]int
	for y := from; y < Side-from; y++ {
		for x := from; x < Side-from; x++ {
			if min(x, y) >= to && max(x, y) < Side-to {
				continue
			}
			for c := range rim {
				rim[c] = append(rim[c], int(p[3*(y*Side+x)+c]))
			}
		}
	}
	for c := range rim {
		slices.Sort(rim[c])
		n := len(rim[c])
		median[c] = float64(rim[c][(n-1)/2]+rim[c][n/2]) / 2 / 255
	}
	return median
}

// Vector says what a top shows: a direction, the same for the same symbol the same way up.
type Vector [Dim]int8

// VectorOf is the direction of a network's numbers.
func VectorOf(numbers []float32) (v Vector) {
	var sum float64
	for _, n := range numbers {
		sum += float64(n) * float64(n)
	}
	for i := range v {
		v[i] = int8(math.Round(unit * float64(numbers[i]) / math.Sqrt(max(sum, 1e-12))))
	}
	return v
}

const unit = 127 // the length of a Vector

// alike is the cosine between two.
func (v *Vector) alike(w *Vector) float64 {
	sum := 0
	for i := range v {
		sum += int(v[i]) * int(w[i])
	}
	return float64(sum) / (unit * unit)
}

// Signature is how a top looks in each quarter turn.
type Signature [Turns]Vector

// Bytes are the numbers of all turns.
func (s *Signature) Bytes() []byte {
	b := make([]byte, 0, Turns*Dim)
	for _, v := range s {
		for _, n := range v {
			b = append(b, uint8(n))
		}
	}
	return b
}

// ParseSignature reads what Bytes wrote.
func ParseSignature(b []byte) (*Signature, error) {
	if len(b) != Turns*Dim {
		return nil, fmt.Errorf("a signature has %d bytes, not %d", Turns*Dim, len(b))
	}
	s := new(Signature)
	for i, n := range b {
		s[i/Dim][i%Dim] = int8(n)
	}
	return s, nil
}

// MarshalJSON writes the bytes.
func (s *Signature) MarshalJSON() ([]byte, error) { return json.Marshal(s.Bytes()) }

// UnmarshalJSON reads them.
func (s *Signature) UnmarshalJSON(text []byte) error {
	var b []byte
	if err := json.Unmarshal(text, &b); err != nil {
		return errors.New("a signature is a list of bytes")
	}
	read, err := ParseSignature(b)
	if err == nil {
		*s = *read
	}
	return err
}

// Top is how the top of a die looks.
type Top struct {
	Picture   *Picture   `json:"picture"`
	Signature *Signature `json:"signature"`
	Pips      int        `json:"pips,omitempty"` // that it plainly has, 1 to 6; 0: none, or who knows
	// Color is the die's, as it was read when its owner showed it, or as players have said; none: that was in doubt.
	Color table.Color `json:"color,omitempty"`
	// Lesson is what a correction that taught it is called; empty: its owner has shown it.
	Lesson string `json:"lesson,omitempty"`
}

// Told is the top as a reading tells it; nil of none.
func (t *Top) Told() *table.Top {
	if t == nil {
		return nil
	}
	told := &table.Top{Picture: t.Picture[:], Pips: t.Pips}
	if t.Signature != nil {
		told.Signature = t.Signature.Bytes()
	}
	return told
}

// TopOf is the top that a reading tells.
func TopOf(told *table.Top) (Top, error) {
	if len(told.Picture) != len(Picture{}) {
		return Top{}, fmt.Errorf("a picture of a top has %d bytes, not %d", len(Picture{}), len(told.Picture))
	}
	s, err := ParseSignature(told.Signature)
	return Top{Picture: (*Picture)(told.Picture), Signature: s, Pips: told.Pips}, err
}
