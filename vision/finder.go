package vision

/*
#cgo CFLAGS: -Wall
#include "shrink.h"
*/
import "C"

import (
	"errors"
	"image"
	"image/color"
	"math"
	"runtime"

	"gocv.io/x/gocv"
)

// finder runs the find network over views of a picture.
type finder struct {
	net             gocv.Net
	resized, padded gocv.Mat
}

func newFinder(net gocv.Net) *finder {
	return &finder{net: net, resized: gocv.NewMat(), padded: gocv.NewMat()}
}

func (f *finder) close() {
	f.net.Close()
	f.resized.Close()
	f.padded.Close()
}

// look reads one region of the picture, scaled by the one factor that makes its
// longer side long network pixels.
func (f *finder) look(px *pixels, region image.Rectangle, long int) (*maps, error) {
	region = region.Intersect(image.Rect(0, 0, px.width, px.height))
	if region.Dx() < 8 || region.Dy() < 8 {
		return nil, errors.New("vision: the picture is too small to read (less than 8 pixels across)")
	}
	return f.lookAt(px, region, float64(long)/float64(max(region.Dx(), region.Dy())))
}

// netStride is what the network's input must be a multiple of, either way.
const netStride = 32

// lookAt reads one region of the picture, scaled by a factor.
func (f *finder) lookAt(px *pixels, region image.Rectangle, scale float64) (*maps, error) {
	half, far := px.nearest(scale)
	// The region in the half's pixels: no more than was asked for, which suits the stride.
	r := image.Rect((region.Min.X+far-1)/far, (region.Min.Y+far-1)/far, min(region.Max.X/far, half.width), min(region.Max.Y/far, half.height))
	w, h := max(int(math.Round(float64(r.Dx()*far)*scale)), 1), max(int(math.Round(float64(r.Dy()*far)*scale)), 1)
	pw, ph := (w+netStride-1)/netStride*netStride, (h+netStride-1)/netStride*netStride
	blob, err := f.view(half, r, image.Pt(w, h), image.Pt(pw, ph))
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	f.net.SetInput(blob, "image")
	out := f.net.Forward("maps")
	defer out.Close()
	data, err := out.DataPtrFloat32()
	m := &maps{w: pw / cellSize, h: ph / cellSize, scale: scale, x: float64(r.Min.X * far), y: float64(r.Min.Y * far)}
	if err != nil || len(data) < mapChannels*m.w*m.h {
		return nil, errors.New("vision: the find model answers in an unknown form")
	}
	m.in = [2]int{min((w+cellSize-1)/cellSize, m.w), min((h+cellSize-1)/cellSize, m.h)}
	m.data = append([]float32(nil), data[:mapChannels*m.w*m.h]...)
	runtime.KeepAlive(out)
	return m, nil
}

// view draws a part of a picture as the network's input, of which it fills so much.
func (f *finder) view(px *pixels, part image.Rectangle, size, whole image.Point) (gocv.Mat, error) {
	if size.X > part.Dx() || size.Y > part.Dy() {
		return f.enlarged(px, part, size, whole), nil
	}
	blob := gocv.NewMatWithSizes([]int{1, 3, whole.Y, whole.X}, gocv.MatTypeCV32F)
	planes, err := blob.DataPtrFloat32()
	if err != nil {
		blob.Close()
		return gocv.Mat{}, errors.New("vision: cannot get at the find model's memory")
	}
	v := C.View{
		row: C.int(3 * px.width), width: C.int(part.Dx()), height: C.int(part.Dy()), toWidth: C.int(size.X), toHeight: C.int(size.Y),
		planeWidth: C.int(whole.X), planeHeight: C.int(whole.Y),
	}
	C.shrink((*C.uchar)(&px.data[3*(part.Min.Y*px.width+part.Min.X)]), &v, (*C.float)(&planes[0]))
	return blob, nil
}

// enlarged is a view that is larger than the part.
func (f *finder) enlarged(px *pixels, part image.Rectangle, size, whole image.Point) gocv.Mat {
	m := px.mat.Region(part)
	defer m.Close()
	gocv.Resize(m, &f.resized, size, 0, 0, gocv.InterpolationLinear)
	gocv.CopyMakeBorder(f.resized, &f.padded, 0, whole.Y-size.Y, 0, whole.X-size.X, gocv.BorderReplicate, color.RGBA{})
	return gocv.BlobFromImage(f.padded, 1.0/255, whole, gocv.NewScalar(0, 0, 0, 0), true, false)
}
