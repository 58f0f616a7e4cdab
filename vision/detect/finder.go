// Package detect finds the tops of dice in a picture, and what looks like a grid, by the find network. It does not know
// whether a top is a die's, nor which.
package detect

import (
	"errors"
	"image"
	"math"

	"diceref/vision/net"
	"diceref/vision/pixels"
)

// Finder runs the find network over views of a picture.
type Finder struct {
	net    *net.Net
	viewer *net.Viewer
	least  float64
}

// NewFinder takes a find network, which it closes, and the height (0..1) of a peak of its heat that is proposed as a top.
func NewFinder(n *net.Net, least float64) *Finder {
	return &Finder{n, net.NewViewer(), least}
}

func (f *Finder) Close() {
	f.net.Close()
	f.viewer.Close()
}

// Look reads one region of the picture, scaled by the one factor that makes its
// longer side long network pixels.
func (f *Finder) Look(px *pixels.Picture, region image.Rectangle, long int) (*Maps, error) {
	region = region.Intersect(image.Rect(0, 0, px.Width, px.Height))
	if region.Dx() < 8 || region.Dy() < 8 {
		return nil, errors.New("vision: the picture is too small to read (less than 8 pixels across)")
	}
	return f.LookAt(px, region, float64(long)/float64(max(region.Dx(), region.Dy())))
}

// NetStride is what the network's input must be a multiple of, either way.
const NetStride = 32

// LookAt reads one region of the picture, scaled by a factor.
func (f *Finder) LookAt(px *pixels.Picture, region image.Rectangle, scale float64) (*Maps, error) {
	half, far := px.Nearest(scale)
	// The region in the half's pixels: no more than was asked for, which suits the stride.
	r := image.Rect((region.Min.X+far-1)/far, (region.Min.Y+far-1)/far, min(region.Max.X/far, half.Width), min(region.Max.Y/far, half.Height))
	w, h := max(int(math.Round(float64(r.Dx()*far)*scale)), 1), max(int(math.Round(float64(r.Dy()*far)*scale)), 1)
	pw, ph := (w+NetStride-1)/NetStride*NetStride, (h+NetStride-1)/NetStride*NetStride
	blob, err := f.viewer.View(half.Mat, r, image.Pt(w, h), image.Pt(pw, ph))
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	m := &Maps{W: pw / CellSize, H: ph / CellSize, Scale: scale, Least: f.least, x: float64(r.Min.X * far), y: float64(r.Min.Y * far)}
	m.In = [2]int{min((w+CellSize-1)/CellSize, m.W), min((h+CellSize-1)/CellSize, m.H)}
	out, err := f.net.Run([]net.Input{{Name: "image", Blob: blob}}, net.Output{Name: "maps", Size: MapChannels * m.W * m.H})
	if err != nil {
		return nil, err
	}
	m.Data = out[0]
	return m, nil
}
