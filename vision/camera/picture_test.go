package camera

import (
	"fmt"
	"testing"

	"diceref/vision/camera/cameratest"
)

// TestPictureSmall: a JPEG is decoded no larger than it has to be, and in full when that is wanted; it is the same
// picture, whichever way up it is kept.
func TestPictureSmall(t *testing.T) {
	stored := cameratest.JPEG(t, cameratest.Quarters(802, 401))
	for _, test := range []struct {
		orientation                 byte
		least, small, width, height int
		seen                        string
	}{
		{1, 0, 802, 802, 401, "rgbw"},
		{1, 402, 802, 802, 401, "rgbw"},
		{1, 400, 401, 802, 401, "rgbw"},
		{3, 200, 201, 802, 401, "bwrg"},
		{6, 200, 201, 401, 802, "wrgb"},
		{6, 50, 51, 401, 802, "wrgb"},
	} {
		p := NewPicture()
		defer p.Close()
		if err := p.Load(cameratest.Turned(stored, test.orientation), test.least); err != nil {
			t.Fatal(err)
		}
		small := p.Small()
		what := fmt.Sprintf("turned %d, at least %d across: ", test.orientation, test.least)
		if small.Cols() != test.small || corners(small) != test.seen || p.Width != test.width || p.Height != test.height {
			t.Errorf("%ssmall %d×%d showing %s, of %d×%d", what, small.Cols(), small.Rows(), corners(small), p.Width, p.Height)
		}
		full, err := p.Full()
		if err != nil || full.Cols() != test.width || full.Rows() != test.height || corners(full) != test.seen {
			t.Errorf("%sin full %d×%d showing %s, %v", what, full.Cols(), full.Rows(), corners(full), err)
		}
	}
}
