package camera

import (
	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/eye"
)

// Picture is a frame's picture, upright, in blue, green and red. One that came as a JPEG is decoded small at first, and
// in full when that is wanted: most frames of a table show what the one before did, and a small picture tells so.
type Picture struct {
	Width, Height int // in full

	full, small gocv.Mat
	file        []byte // of which full is to be decoded
}

// NewPicture returns an empty picture, to be closed.
func NewPicture() *Picture { return &Picture{full: gocv.NewMat(), small: gocv.NewMat()} }

// Shown returns a picture of pixels, which belong to it from now on.
func Shown(img gocv.Mat) *Picture {
	p := NewPicture()
	p.show(img)
	return p
}

// Close frees the picture.
func (p *Picture) Close() {
	p.full.Close()
	p.small.Close()
}

// Small is the picture at any size, but no narrower than its source was asked for.
func (p *Picture) Small() gocv.Mat {
	if p.file != nil {
		return p.small
	}
	return p.full
}

// Full is the picture in all its pixels.
func (p *Picture) Full() (gocv.Mat, error) {
	if p.file != nil {
		img, err := Decode(p.file)
		if err != nil {
			return gocv.Mat{}, err
		}
		p.show(img)
	}
	return p.full, nil
}

// show puts pixels in place of the picture.
func (p *Picture) show(img gocv.Mat) {
	p.full.Close()
	p.full = img
	p.filled()
}

// filled notes that full is the picture.
func (p *Picture) filled() { p.file, p.Width, p.Height = nil, p.full.Cols(), p.full.Rows() }

// Load puts a file in place of the picture, decoded at least so wide; 0: in full.
func (p *Picture) Load(data []byte, least int) error {
	h, err := eye.CheckPicture(data)
	if err != nil {
		return err
	}
	width, height := h.Width, h.Height
	if table.Upright(width, height, h.Orientation).Quarters%2 == 1 {
		width, height = height, width
	}
	scale := 1
	for h.Format == "jpeg" && least > 0 && scale < 8 && width >= 2*scale*least {
		scale *= 2
	}
	if scale == 1 {
		img, err := Decode(data)
		if err == nil {
			p.show(img)
		}
		return err
	}
	// A JPEG is made of waves; without the short ones it is decoded at a half, a quarter or an eighth of its size.
	img, err := decodeJPEG(data, h, scale)
	if err != nil {
		return err
	}
	if img.Cols() != (h.Width+scale-1)/scale || img.Rows() != (h.Height+scale-1)/scale {
		img.Close()
		return errOtherSize
	}
	p.small.Close()
	p.small, p.file, p.Width, p.Height = seenOf(img, h), data, width, height
	return nil
}
