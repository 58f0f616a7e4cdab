package vision

import (
	"errors"
	"image"
	"math"

	"diceref/vision/net"
	"diceref/vision/pixels"
)

// finder runs the find network over views of a picture.
type finder struct {
	net    *net.Net
	viewer *net.Viewer
}

func newFinder(n *net.Net) *finder {
	return &finder{n, net.NewViewer()}
}

func (f *finder) close() {
	f.net.Close()
	f.viewer.Close()
}

// look reads one region of the picture, scaled by the one factor that makes its
// longer side long network pixels.
func (f *finder) look(px *pixels.Picture, region image.Rectangle, long int) (*maps, error) {
	region = region.Intersect(image.Rect(0, 0, px.Width, px.Height))
	if region.Dx() < 8 || region.Dy() < 8 {
		return nil, errors.New("vision: the picture is too small to read (less than 8 pixels across)")
	}
	return f.lookAt(px, region, float64(long)/float64(max(region.Dx(), region.Dy())))
}

// netStride is what the network's input must be a multiple of, either way.
const netStride = 32

// lookAt reads one region of the picture, scaled by a factor.
func (f *finder) lookAt(px *pixels.Picture, region image.Rectangle, scale float64) (*maps, error) {
	half, far := px.Nearest(scale)
	// The region in the half's pixels: no more than was asked for, which suits the stride.
	r := image.Rect((region.Min.X+far-1)/far, (region.Min.Y+far-1)/far, min(region.Max.X/far, half.Width), min(region.Max.Y/far, half.Height))
	w, h := max(int(math.Round(float64(r.Dx()*far)*scale)), 1), max(int(math.Round(float64(r.Dy()*far)*scale)), 1)
	pw, ph := (w+netStride-1)/netStride*netStride, (h+netStride-1)/netStride*netStride
	blob, err := f.viewer.View(half.Mat, r, image.Pt(w, h), image.Pt(pw, ph))
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	m := &maps{w: pw / cellSize, h: ph / cellSize, scale: scale, x: float64(r.Min.X * far), y: float64(r.Min.Y * far)}
	m.in = [2]int{min((w+cellSize-1)/cellSize, m.w), min((h+cellSize-1)/cellSize, m.h)}
	out, err := f.net.Run([]net.Input{{Name: "image", Blob: blob}}, net.Output{Name: "maps", Size: mapChannels * m.w * m.h})
	if err != nil {
		return nil, err
	}
	m.data = out[0]
	return m, nil
}
