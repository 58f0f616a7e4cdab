package eye

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// The largest pictures that are read.
const (
	MaxPixels = 64_000_000 // width times height
	MaxSide   = 20_000     // pixels
	maxFile   = 256 << 20  // bytes
)

// Header is what a picture says of itself before it is decoded.
type Header struct {
	Format string // "jpeg" or "png"
	Width  int    // pixels as stored, before any turn
	Height int
	// Orientation is EXIF's: 1 to 8, 1 for a picture that is the right way up.
	Orientation int
}

// TooLarge says whether the picture has more pixels than are read.
func (h Header) TooLarge() bool {
	return h.Width > MaxSide || h.Height > MaxSide || h.Width*h.Height > MaxPixels
}

// Turned says whether the orientation swaps width and height.
func (h Header) Turned() bool { return h.Orientation >= 5 }

var (
	pngMagic  = []byte("\x89PNG\r\n\x1a\n")
	jpegMagic = []byte{0xff, 0xd8}
)

// CheckPicture reads a picture's header without decoding it and refuses what is
// not a whole JPEG or PNG of at most MaxPixels. A file that ends too early is
// refused too: decoders fill the rest with grey, and dice would go missing silently.
func CheckPicture(data []byte) (Header, error) {
	var h Header
	var err error
	switch {
	case len(data) == 0:
		return h, errors.New("the file is empty")
	case len(data) > maxFile:
		return h, fmt.Errorf("the file has %d MB, more than the %d MB allowed", len(data)>>20, maxFile>>20)
	case bytes.HasPrefix(data, jpegMagic):
		h, err = jpegHeader(data)
	case bytes.HasPrefix(data, pngMagic):
		h, err = pngHeader(data)
	default:
		return h, fmt.Errorf("not a JPEG or PNG picture%s", looksLike(data))
	}
	if h.TooLarge() { // is told first, whether the file is whole or not
		return h, fmt.Errorf("%d×%d pixels are too many (at most %d megapixels and %d pixels a side): make it smaller",
			h.Width, h.Height, MaxPixels/1_000_000, MaxSide)
	}
	return h, err
}

// looksLike names other kinds of files that people try.
func looksLike(data []byte) string {
	has := func(at int, s string) bool { return len(data) >= at+len(s) && string(data[at:at+len(s)]) == s }
	switch {
	case has(0, "GIF8"):
		return " (it is a GIF: save it as JPEG or PNG)"
	case has(0, "RIFF") && has(8, "WEBP"):
		return " (it is a WebP: save it as JPEG or PNG)"
	case has(4, "ftypheic"), has(4, "ftypheix"), has(4, "ftypmif1"), has(4, "ftypavif"):
		return " (it is a HEIC or AVIF: save it as JPEG or PNG)"
	case has(0, "BM"):
		return " (it looks like a BMP: save it as JPEG or PNG)"
	}
	return ""
}

var errTruncated = errors.New("truncated: the file ends before the picture does")

// exifOrientation finds tag 0x0112 in the first directory of a TIFF header; 1 if it isn't there.
func exifOrientation(b []byte) int {
	if len(b) < 8 {
		return 1
	}
	var order binary.ByteOrder
	switch string(b[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 1
	}
	at := int64(order.Uint32(b[4:]))
	if at+2 > int64(len(b)) {
		return 1
	}
	entries := b[at:]
	count := int(order.Uint16(entries))
	for i := range count {
		e := 2 + 12*i
		if e+12 > len(entries) {
			break
		}
		if order.Uint16(entries[e:]) == 0x0112 {
			if v := int(order.Uint16(entries[e+8:])); v >= 1 && v <= 8 {
				return v
			}
			break
		}
	}
	return 1
}
