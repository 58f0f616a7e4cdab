package classify

import (
	"diceref/table"
	"diceref/vision/net"
	"diceref/vision/owned"
	"diceref/vision/pixels"
)

var ownedFraming = pixels.Framing{Size: owned.Side, Margin: owned.Margin}

// Signer runs the owned network over tops: what they show, in numbers.
type Signer struct{ net *net.Net }

// NewSigner takes the owned network, and closes it.
func NewSigner(n *net.Net) *Signer { return &Signer{n} }

// Close frees the network's memory.
func (s *Signer) Close() { s.net.Close() }

// Pictures are the tops with these outlines; nil for one that cannot be cropped.
func (s *Signer) Pictures(p *pixels.Picture, outlines [][4]table.Point) []*owned.Picture {
	out := make([]*owned.Picture, len(outlines))
	pixels.Each(len(outlines), func(i int) {
		crop := make([]float32, ownedFraming.Values())
		if p.Crop(ownedFraming, outlines[i], crop) {
			out[i] = owned.PictureOf(crop)
		}
	})
	return out
}

// signMost is how many pictures are asked about at a time: all of a large set would take much memory.
const signMost = 50

// Sign tells what pictures show, the way up they are; nothing of one that is nil.
func (s *Signer) Sign(pictures []*owned.Picture) ([]owned.Vector, error) {
	out := make([]owned.Vector, len(pictures))
	for from := 0; from < len(pictures); from += signMost {
		to := min(from+signMost, len(pictures))
		if err := s.sign(pictures[from:to], out[from:to]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Signer) sign(pictures []*owned.Picture, out []owned.Vector) error {
	blob, data, err := net.Blob(len(pictures), 2, owned.Side, owned.Side)
	if err != nil {
		return err
	}
	defer blob.Close()
	pixels.Each(len(pictures), func(i int) {
		into := data[i*owned.Inputs : (i+1)*owned.Inputs]
		if clear(into); pictures[i] != nil {
			pictures[i].Input(into)
		}
	})
	numbers, err := s.net.Run([]net.Input{{Name: "tops", Blob: blob}}, net.Output{Name: "numbers", Size: len(pictures) * owned.Dim})
	if err != nil {
		return err
	}
	for i := range out {
		if pictures[i] != nil {
			out[i] = owned.VectorOf(numbers[0][i*owned.Dim : (i+1)*owned.Dim])
		}
	}
	return nil
}

// SignAround signs pictures in all quarter turns.
func (s *Signer) SignAround(pictures []*owned.Picture) ([]owned.Signature, error) {
	out := make([]owned.Signature, len(pictures))
	turned := append([]*owned.Picture(nil), pictures...)
	for turn := range owned.Turns {
		vectors, err := s.Sign(turned)
		if err != nil {
			return nil, err
		}
		for i := range turned {
			out[i][turn] = vectors[i]
			if turned[i] != nil {
				turned[i] = turned[i].Turned()
			}
		}
	}
	return out, nil
}
