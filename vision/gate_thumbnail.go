package vision

import (
	"errors"
	"image"

	"gocv.io/x/gocv"
)

// thumbWidth is how wide a Gate's thumbnails are, pixels.
const thumbWidth = 160

// Thumbnail makes the small pictures that a Gate looks at. Close it after use.
type Thumbnail struct{ small gocv.Mat }

// NewThumbnail returns one that can be used for pictures of any size.
func NewThumbnail() *Thumbnail { return &Thumbnail{gocv.NewMat()} }

// Of returns a picture's thumbnail, BGR row by row, and its width. The bytes are
// good until the next call.
func (m *Thumbnail) Of(img gocv.Mat) (pix []byte, width int, err error) {
	if img.Empty() || img.Channels() != 3 {
		return nil, 0, errors.New("vision: a thumbnail wants a picture in color")
	}
	width = min(thumbWidth, img.Cols())
	height := max(1, (img.Rows()*width+img.Cols()/2)/img.Cols())
	gocv.Resize(img, &m.small, image.Pt(width, height), 0, 0, gocv.InterpolationArea)
	pix, err = m.small.DataPtrUint8()
	return pix, width, err
}

// Close frees the thumbnail's memory.
func (m *Thumbnail) Close() { m.small.Close() }
