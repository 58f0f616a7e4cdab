package net

/*
#cgo CFLAGS: -Wall
#include "shrink.h"
*/
import "C"

import (
	"image"
	"image/color"
	"runtime"

	"gocv.io/x/gocv"
)

// Viewer draws parts of pictures as a network's input. It holds memory outside Go, so Close it.
type Viewer struct {
	resized, padded gocv.Mat
}

// NewViewer makes a viewer.
func NewViewer() *Viewer { return &Viewer{resized: gocv.NewMat(), padded: gocv.NewMat()} }

// Close frees the viewer's memory.
func (v *Viewer) Close() {
	v.resized.Close()
	v.padded.Close()
}

// View draws a part of a picture (blue, green, red bytes without gaps) as one input of size whole, of which the part fills
// size, and its border the rest. The caller closes it.
func (v *Viewer) View(picture gocv.Mat, part image.Rectangle, size, whole image.Point) (gocv.Mat, error) {
	if size.X > part.Dx() || size.Y > part.Dy() {
		return v.enlarged(picture, part, size, whole), nil
	}
	data, err := picture.DataPtrUint8()
	if err != nil {
		return gocv.Mat{}, err
	}
	blob, planes, err := Blob(1, 3, whole.Y, whole.X)
	if err != nil {
		return gocv.Mat{}, err
	}
	width := picture.Cols()
	view := C.View{
		row: C.int(3 * width), width: C.int(part.Dx()), height: C.int(part.Dy()), toWidth: C.int(size.X), toHeight: C.int(size.Y),
		planeWidth: C.int(whole.X), planeHeight: C.int(whole.Y),
	}
	C.shrink((*C.uchar)(&data[3*(part.Min.Y*width+part.Min.X)]), &view, (*C.float)(&planes[0]))
	runtime.KeepAlive(picture)
	return blob, nil
}

// enlarged is a view that is larger than the part.
func (v *Viewer) enlarged(picture gocv.Mat, part image.Rectangle, size, whole image.Point) gocv.Mat {
	m := picture.Region(part)
	defer m.Close()
	gocv.Resize(m, &v.resized, size, 0, 0, gocv.InterpolationLinear)
	gocv.CopyMakeBorder(v.resized, &v.padded, 0, whole.Y-size.Y, 0, whole.X-size.X, gocv.BorderReplicate, color.RGBA{})
	return gocv.BlobFromImage(v.padded, 1.0/255, whole, gocv.NewScalar(0, 0, 0, 0), true, false)
}
