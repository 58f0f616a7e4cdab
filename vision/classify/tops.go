package classify

import (
	"diceref/table"
	"diceref/vision/net"
	"diceref/vision/pixels"
)

var topFraming = pixels.Framing{Size: 72, Margin: 2.6} // the top and the sides, edges and shadow around it

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
	blob, usable, err := p.Crops(topFraming, outlines, nil)
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	faces, err := j.top.Run([]net.Input{{Name: "tops", Blob: blob}}, net.Output{Name: "faces", Size: len(outlines) * FaceKinds})
	if err != nil {
		return nil, err
	}
	for i := range out {
		if usable[i] {
			softmax(faces[0][i*FaceKinds:(i+1)*FaceKinds], out[i].Faces[:])
		}
	}
	return out, nil
}
