package classify

import (
	"diceref/table"
	"diceref/vision/net"
	"diceref/vision/pixels"
)

// How the networks see tops, squared up.
var (
	faceFraming     = pixels.Framing{Size: 40, Margin: 1.5} // the top
	StandFraming    = pixels.Framing{Size: 56, Margin: 3.2} // and what is around it
	surroundFraming = pixels.Framing{Size: 40, Margin: 2.2} // the die's own sides and what is beside them
)

// Stander runs the stand network over the surroundings of tops.
type Stander struct {
	net *net.Net
	pixels.Framing
}

// NewStander takes a stand network that sees tops so, and closes it.
func NewStander(n *net.Net, f pixels.Framing) *Stander { return &Stander{n, f} }

// Close frees the network's memory.
func (s *Stander) Close() { s.net.Close() }

// Odds tells for every outline the odds (logarithm) that it is the top of a die that stands
// there; 0 for one that cannot be cropped.
func (s *Stander) Odds(p *pixels.Picture, outlines [][4]table.Point) ([]float64, error) {
	if len(outlines) == 0 {
		return nil, nil
	}
	blob, usable, err := p.Crops(s.Framing, outlines, nil)
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	odds, err := s.net.Run([]net.Input{{Name: "surroundings", Blob: blob}}, net.Output{Name: "stands", Size: len(outlines)})
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(outlines))
	for i, v := range odds[0] {
		if usable[i] {
			out[i] = float64(v)
		}
	}
	return out, nil
}
