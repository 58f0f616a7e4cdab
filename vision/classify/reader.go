// Package classify asks the networks about candidates: whether a top stands on the table, what it shows, how it looks, and
// which colors all dice of a picture have. What follows from their answers is decided elsewhere.
package classify

import (
	"math"
	"slices"

	"diceref/table"
	"diceref/vision/net"
	"diceref/vision/pixels"
)

// Answers of the networks: faces 0 (blast) to 6 and noDie; colors in the order
// of table.Colors.
const (
	NoDie      = 7
	FaceKinds  = 8
	ColorKinds = len(table.Colors)
	LookSize   = 48 // numbers that say how a crop looks
)

// Glance is what the face network says about one crop.
type Glance struct {
	Faces [FaceKinds]float64 // probabilities
	Look  [LookSize]float32  // what the color network wants to know of it

	mean, bright RGB // the crop's pixels: their mean, and their 8-norm
}

type RGB [3]float32

// Reader runs the face network over crops, all of a picture in one go, the color network
// over what it says, and where that leaves doubts the surround network.
type Reader struct {
	face, color, surround *net.Net
}

// NewReader takes the face, color and surround networks, which it closes.
func NewReader(face, color, surround *net.Net) *Reader { return &Reader{face, color, surround} }

// Close frees the networks' memory.
func (r *Reader) Close() {
	r.face.Close()
	r.color.Close()
	r.surround.Close()
}

// Read looks at every outline.
func (r *Reader) Read(p *pixels.Picture, outlines [][4]table.Point) ([]Glance, error) {
	if len(outlines) == 0 {
		return nil, nil
	}
	out := make([]Glance, len(outlines))
	blob, usable, err := p.Crops(faceFraming, outlines, func(i int, crop []float32) {
		for c := range 3 {
			out[i].mean[c], out[i].bright[c] = light(crop[c*len(crop)/3 : (c+1)*len(crop)/3])
		}
	})
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	said, err := r.face.Run([]net.Input{{Name: "crops", Blob: blob}},
		net.Output{Name: "faces", Size: len(outlines) * FaceKinds}, net.Output{Name: "look", Size: len(outlines) * LookSize})
	if err != nil {
		return nil, err
	}
	faces, looks := said[0], said[1]
	for i := range out {
		softmax(faces[i*FaceKinds:(i+1)*FaceKinds], out[i].Faces[:])
		copy(out[i].Look[:], looks[i*LookSize:(i+1)*LookSize])
		if !usable[i] {
			out[i].Faces = [FaceKinds]float64{NoDie: 1}
		}
	}
	return out, nil
}

// light is the mean of a crop's plane and its 8-norm, which the brightest pixels rule.
func light(plane []float32) (mean, bright float32) {
	var sum, high float64
	for _, v := range plane {
		x := float64(v)
		sum += x
		x *= x
		x *= x
		high += x * x
	}
	n := float64(len(plane))
	return float32(sum / n), float32(math.Pow(high/n, 1.0/8))
}

// coolness flattens the networks' answers, which are surer of themselves than
// they are right.
const coolness = 1.0

func softmax(logits []float32, out []float64) {
	top := float64(logits[0])
	for _, v := range logits {
		top = math.Max(top, float64(v))
	}
	var sum float64
	for i, v := range logits {
		out[i] = math.Exp((float64(v) - top) / coolness)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
}

// Both joins two glances at the same die: the geometric mean, which lets either say no.
func Both(a, b Glance) Glance {
	var sum float64
	for i := range a.Faces {
		a.Faces[i] = math.Sqrt(a.Faces[i] * b.Faces[i])
		sum += a.Faces[i]
	}
	for i := range a.Faces {
		a.Faces[i] /= math.Max(sum, 1e-300)
	}
	for i := range a.Look {
		a.Look[i] = (a.Look[i] + b.Look[i]) / 2
	}
	return a
}

// Plainest is the probability of the most likely face, given that it is a die.
func (g *Glance) Plainest() float64 {
	return slices.Max(g.Faces[:NoDie]) / max(1-g.Faces[NoDie], 1e-9)
}

// Face is the most likely one, of a die.
func (g *Glance) Face() int {
	best := 0
	for f := range NoDie {
		if g.Faces[f] > g.Faces[best] {
			best = f
		}
	}
	return best
}
