package camera

import (
	"errors"
	"fmt"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/heif"
	"diceref/vision/jpeg"
)

// Decode turns a JPEG, PNG, WebP, HEIC or AVIF into an upright BGR picture. It checks the header
// first (see eye.CheckPicture). The caller closes the Mat.
func Decode(data []byte) (gocv.Mat, error) {
	h, err := eye.CheckPicture(data)
	if err != nil {
		return gocv.Mat{}, err
	}
	var img gocv.Mat
	switch h.Format {
	case "heic", "avif":
		img, err = decodeHeif(data)
	case "jpeg":
		img, err = decodeJPEG(data, h, 1)
	default:
		img, err = decodeOpenCV(data, gocv.IMReadColor)
	}
	if err != nil {
		return gocv.Mat{}, err
	}
	if img.Cols() != h.Width || img.Rows() != h.Height { // the header was of something else
		img.Close()
		return gocv.Mat{}, errOtherSize
	}
	return seenOf(img, h), nil
}

var errOtherSize = errors.New("damaged: the picture does not have the size it claims")

func decodeOpenCV(data []byte, how gocv.IMReadFlag) (gocv.Mat, error) {
	// The turn is ours to make, so that it is the same whatever OpenCV was built with.
	img, err := gocv.IMDecode(data, how|gocv.IMReadIgnoreOrientation)
	if err != nil {
		return gocv.Mat{}, fmt.Errorf("vision: cannot decode the picture: %w", err)
	}
	if img.Empty() {
		img.Close()
		return gocv.Mat{}, errors.New("damaged: the picture cannot be decoded")
	}
	return img, nil
}

// decodeJPEG decodes a JPEG as stored, at 1/scale of its size. What is not plain is left to OpenCV.
func decodeJPEG(data []byte, h eye.Header, scale int) (gocv.Mat, error) {
	width, height := (h.Width+scale-1)/scale, (h.Height+scale-1)/scale
	img := gocv.NewMatWithSize(height, width, gocv.MatTypeCV8UC3)
	to, err := img.DataPtrUint8()
	if err == nil && jpeg.Decode(data, scale, width, height, to) {
		return img, nil
	}
	img.Close()
	return decodeOpenCV(data, map[int]gocv.IMReadFlag{
		1: gocv.IMReadColor, 2: gocv.IMReadReducedColor2, 4: gocv.IMReadReducedColor4, 8: gocv.IMReadReducedColor8,
	}[scale])
}

func decodeHeif(data []byte) (gocv.Mat, error) {
	p, err := heif.Decode(data)
	if err != nil {
		return gocv.Mat{}, err
	}
	defer p.Close()
	img := gocv.NewMatWithSize(p.Height, p.Width, gocv.MatTypeCV8UC3)
	to, err := img.DataPtrUint8()
	if err != nil {
		img.Close()
		return gocv.Mat{}, fmt.Errorf("vision: cannot decode the picture: %w", err)
	}
	for y := range p.Height {
		copy(to[3*p.Width*y:3*p.Width*(y+1)], p.Pixels[p.Stride*y:])
	}
	gocv.CvtColor(img, &img, gocv.ColorBGRToRGB) // the same as the other way round
	return img, nil
}

// seenOf is the part of a picture that is to be seen, the right way up, in place of the picture.
func seenOf(img gocv.Mat, h eye.Header) gocv.Mat {
	if !h.Crop.Empty() {
		part := img.Region(h.Crop)
		whole := img
		img = part.Clone()
		part.Close()
		whole.Close()
	}
	if h.Orientation == 1 {
		return img
	}
	defer img.Close()
	return Turned(img, table.Upright(img.Cols(), img.Rows(), h.Orientation))
}

// Turned is a picture after a turn: a new one.
func Turned(img gocv.Mat, t table.Turn) gocv.Mat {
	out := gocv.NewMat()
	if t.Mirrored {
		gocv.Flip(img, &out, 1)
		img = out
	}
	switch t.Quarters {
	case 0:
		if !t.Mirrored {
			img.CopyTo(&out)
		}
	case 1:
		gocv.Rotate(img, &out, gocv.Rotate90Clockwise)
	case 2:
		gocv.Rotate(img, &out, gocv.Rotate180Clockwise)
	case 3:
		gocv.Rotate(img, &out, gocv.Rotate90CounterClockwise)
	}
	return out
}
