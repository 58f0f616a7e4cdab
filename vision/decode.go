package vision

import (
	"errors"
	"fmt"

	"gocv.io/x/gocv"

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
	upright(&img, h.Orientation)
	return img, nil
}

// upright turns a picture as its EXIF orientation says (CIPA DC-008, tag 274).
func upright(img *gocv.Mat, orientation int) {
	switch orientation {
	case 2:
		gocv.Flip(*img, img, 1)
	case 3:
		gocv.Flip(*img, img, -1)
	case 4:
		gocv.Flip(*img, img, 0)
	case 5, 6, 7, 8:
		turned := gocv.NewMat()
		gocv.Transpose(*img, &turned)
		img.Close()
		*img = turned
		switch orientation {
		case 6: // stored with its top to the left: a quarter turn clockwise
			gocv.Flip(*img, img, 1)
		case 7:
			gocv.Flip(*img, img, -1)
		case 8:
			gocv.Flip(*img, img, 0)
		}
	}
}
