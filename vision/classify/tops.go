package classify

import (
	"math"

	"diceref/table"
	"diceref/vision/net"
	"diceref/vision/pixels"
)

var topFraming = pixels.Framing{Size: 72, Margin: 2.6} // the top and the sides, edges and shadow around it

const topKinds = FaceKinds + 1 // the last: a die with a symbol

// Judge reads tops of dice of any make on any table: what a top shows, and whether it is a die's at all, is told by one network
// that sees what is around the top, too. How it looks is told as by the Reader.
type Judge struct {
	looks *Reader
	top   *net.Net
}

// NewJudge takes the top network, which it closes, and the reader that tells how tops look, which it does not.
func NewJudge(looks *Reader, top *net.Net) *Judge { return &Judge{looks, top} }

// Close frees the network's memory.
func (j *Judge) Close() { j.top.Close() }

// Read looks at every outline.
func (j *Judge) Read(p *pixels.Picture, outlines [][4]table.Point) ([]Glance, error) {
	out, err := j.looks.Read(p, outlines)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return out, j.judge(p, outlines, func(i int, faces [FaceKinds]float64) { out[i].Faces = faces })
}

// Odds tells how likely each outline is a die's top, as a logarithm of odds; zero where the picture does not show it.
func (j *Judge) Odds(p *pixels.Picture, outlines [][4]table.Point) ([]float64, error) {
	out := make([]float64, len(outlines))
	return out, j.judge(p, outlines, func(i int, faces [FaceKinds]float64) {
		no := min(max(faces[NoDie], 1e-6), 1-1e-6)
		out[i] = math.Log((1 - no) / no)
	})
}

// judge tells of every outline that the picture shows what the network takes it for.
func (j *Judge) judge(p *pixels.Picture, outlines [][4]table.Point, tell func(int, [FaceKinds]float64)) error {
	if len(outlines) == 0 {
		return nil
	}
	blob, usable, err := p.Crops(topFraming, outlines, nil)
	if err != nil {
		return err
	}
	defer blob.Close()
	faces, err := j.top.Run([]net.Input{{Name: "tops", Blob: blob}}, net.Output{Name: "faces", Size: len(outlines) * topKinds})
	if err != nil {
		return err
	}
	for i, ok := range usable {
		if ok {
			tell(i, facesOf(faces[0][i*topKinds:(i+1)*topKinds]))
		}
	}
	return nil
}

// facesOf are the probabilities of faces by the network's answers: a symbol is as likely to stand for any face.
func facesOf(answers []float32) (faces [FaceKinds]float64) {
	var p [topKinds]float64
	softmax(answers, p[:])
	for f := range faces {
		if faces[f] = p[f]; f != NoDie {
			faces[f] += p[FaceKinds] / NoDie
		}
	}
	return faces
}
