package vision

import (
	"errors"
	"fmt"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/eye"
)

// Decode turns a JPEG or PNG into a picture in BGR, the right way up, after its
// header was found fit (see eye.CheckPicture). The caller closes the Mat.
func Decode(data []byte) (gocv.Mat, error) {
	h, err := eye.CheckPicture(data)
	if err != nil {
		return gocv.Mat{}, err
	}
	// The turn is ours to make, so that it is the same whatever OpenCV was built with.
	img, err := gocv.IMDecode(data, gocv.IMReadColor|gocv.IMReadIgnoreOrientation)
	if err != nil {
		return gocv.Mat{}, fmt.Errorf("vision: cannot decode the picture: %w", err)
	}
	if img.Empty() {
		img.Close()
		return gocv.Mat{}, errors.New("damaged: the picture cannot be decoded")
	}
	if h.Orientation == 1 {
		return img, nil
	}
	defer img.Close()
	return turnedPicture(img, table.Upright(img.Cols(), img.Rows(), h.Orientation)), nil
}

// turnedPicture is a picture after a turn: a new one.
func turnedPicture(img gocv.Mat, t table.Turn) gocv.Mat {
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
