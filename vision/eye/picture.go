package eye

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
)

// The limits for pictures.
const (
	MaxPixels = 64_000_000 // width times height
	MaxSide   = 20_000     // pixels
	maxFile   = 256 << 20  // bytes
)

// Header is what is known about a picture before it is decoded.
type Header struct {
	Format string // "jpeg", "png", "webp", "heic" or "avif"
	Width  int    // pixels as stored, before any turn
	Height int
	// Crop is the visible part, if the file says that not everything is visible.
	Crop image.Rectangle
	// Orientation is as in EXIF: 1 to 8, where 1 is upright. The picture is cropped before it is turned.
	Orientation int
}

// TooLarge reports whether the picture has more pixels than allowed.
func (h Header) TooLarge() bool {
	return h.Width > MaxSide || h.Height > MaxSide || h.Width*h.Height > MaxPixels
}

// Turned reports whether the orientation swaps width and height.
func (h Header) Turned() bool { return h.Orientation >= 5 }

var (
	pngMagic  = []byte("\x89PNG\r\n\x1a\n")
	jpegMagic = []byte{0xff, 0xd8}
)

// Kinds names the supported kinds of pictures.
const Kinds = "JPEG, PNG, WebP, HEIC or AVIF"

// CheckPicture reads a picture's header without decoding it and refuses what is
// not a whole picture of the Kinds, of at most MaxPixels. A file that ends too early is
// refused too: decoders fill the rest with gray, and dice would go missing silently.
func CheckPicture(data []byte) (Header, error) {
	var h Header
	var err error
	switch {
	case len(data) == 0:
		return h, errors.New("the file is empty")
	case len(data) > maxFile:
		return h, fmt.Errorf("the file has %d MB, but at most %d MB are allowed", len(data)>>20, maxFile>>20)
	case bytes.HasPrefix(data, jpegMagic):
		h, err = jpegHeader(data)
	case bytes.HasPrefix(data, pngMagic):
		h, err = pngHeader(data)
	case hasAt(data, 0, "RIFF") && hasAt(data, 8, "WEBP"):
		h, err = webpHeader(data)
	case isHeif(data):
		h, err = heifHeader(data)
	default:
		return h, fmt.Errorf("not a %s picture%s", Kinds, looksLike(data))
	}
	if h.TooLarge() { // is told first, whether the file is whole or not
		return h, fmt.Errorf("%d×%d pixels are too many (at most %d megapixels and %d pixels a side): make it smaller",
			h.Width, h.Height, MaxPixels/1_000_000, MaxSide)
	}
	return h, err
}

func hasAt(data []byte, at int, s string) bool {
	return len(data) >= at+len(s) && string(data[at:at+len(s)]) == s
}

// others are kinds of files that people try, by what stands where in them, and what to do about them.
var others = []struct {
	at           int
	sign         string
	name, advice string
}{
	{0, "GIF8", "a GIF", saveAs},
	{0, "BM", "a BMP", saveAs},
	{0, "II*\x00", "a TIFF or a camera's raw picture", saveAs},
	{0, "MM\x00*", "a TIFF or a camera's raw picture", saveAs},
	{0, "\xff\x0a", "a JPEG XL", saveAs},
	{4, "JXL ", "a JPEG XL", saveAs},
	{4, "jP  ", "a JPEG 2000", saveAs},
	{0, "8BPS", "a Photoshop file", saveAs},
	{0, "<svg", "a drawing", saveAs},
	{0, "%PDF", "a PDF", "save the page as JPEG"},
	{0, "PK\x03\x04", "a ZIP archive or a document", "take the pictures out of it"},
	{4, "ftyp", "a video", "save one picture of it, or use diceref watch"},
	{0, "\x1aE\xdf\xa3", "a video", "save one picture of it, or use diceref watch"},
	{0, "RIFF", "a video or a sound", "save one picture of it, or use diceref watch"},
	{0, "<", "a web page", "save the picture itself"},
}

const saveAs = "save it as JPEG or PNG"

// looksLike names other kinds of files that people try, and says what to do.
func looksLike(data []byte) string {
	for _, o := range others {
		if hasAt(data, o.at, o.sign) {
			return fmt.Sprintf(" (it looks like %s: %s)", o.name, o.advice)
		}
	}
	return ""
}

var errTruncated = errors.New("truncated: the file ends before the picture does")

// withoutExifSign is EXIF data without the sign that some programs put before it.
func withoutExifSign(b []byte) []byte {
	return bytes.TrimPrefix(b, []byte("Exif\x00\x00"))
}

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
