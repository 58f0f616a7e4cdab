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
	if h.Width > 0 && h.Height > 0 { // what is too large is told first, whether whole or not
		if h.Width*h.Height > MaxPixels || h.Width > MaxSide || h.Height > MaxSide {
			return h, fmt.Errorf("%d×%d pixels are too many (at most %d megapixels and %d pixels a side): make it smaller",
				h.Width, h.Height, MaxPixels/1_000_000, MaxSide)
		}
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

// jpegHeader walks a JPEG's segments (ITU T.81 annex B) from its start to the end
// of the picture. Whatever cameras append after it is left alone.
func jpegHeader(data []byte) (Header, error) {
	h := Header{Format: "jpeg", Orientation: 1}
	at := 2
	for {
		for at+1 < len(data) && data[at] == 0xff && data[at+1] == 0xff {
			at++ // fill bytes
		}
		if at+2 > len(data) {
			return h, errTruncated
		}
		if data[at] != 0xff {
			return h, fmt.Errorf("damaged: no JPEG segment at byte %d", at)
		}
		marker := data[at+1]
		at += 2
		switch {
		case marker == 0xd9: // end of image
			if h.Width == 0 {
				return h, errors.New("damaged: a JPEG without a picture")
			}
			return h, nil
		case marker == 0x01 || marker >= 0xd0 && marker <= 0xd8:
			continue // no length, no contents
		case marker == 0:
			return h, fmt.Errorf("damaged: no JPEG segment at byte %d", at-2)
		}
		if at+2 > len(data) {
			return h, errTruncated
		}
		n := int(binary.BigEndian.Uint16(data[at:]))
		if n < 2 {
			return h, fmt.Errorf("damaged: a JPEG segment without a length at byte %d", at)
		}
		if at+n > len(data) {
			return h, errTruncated
		}
		body := data[at+2 : at+n]
		at += n
		switch {
		case isFrame(marker):
			if len(body) < 6 {
				return h, errors.New("damaged: the JPEG's size is missing")
			}
			h.Height, h.Width = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
			if h.Width == 0 || h.Height == 0 {
				return h, errors.New("damaged: a JPEG without any pixels")
			}
			if h.Width*h.Height > MaxPixels {
				return h, nil // refused anyway: its data need not be looked at
			}
		case marker == 0xe1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")):
			h.Orientation = exifOrientation(body[6:])
		case marker == 0xda: // scan: compressed data follow up to the next marker
			if h.Width == 0 {
				return h, errors.New("damaged: the JPEG's size is missing")
			}
			if at = scanEnd(data, at); at < 0 {
				return h, errTruncated
			}
		}
	}
}

// isFrame tells the markers SOF0 to SOF15 from DHT, JPG and DAC among them.
func isFrame(marker byte) bool {
	return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc
}

// scanEnd is where the next marker that is not part of a scan's data begins; -1: nowhere.
func scanEnd(data []byte, at int) int {
	for {
		i := bytes.IndexByte(data[at:], 0xff)
		if i < 0 || at+i+1 >= len(data) {
			return -1
		}
		at += i
		if m := data[at+1]; m != 0 && m != 0xff && (m < 0xd0 || m > 0xd7) {
			return at
		}
		if data[at+1] == 0xff {
			at++
		} else {
			at += 2
		}
	}
}

// pngHeader walks a PNG's chunks up to IEND.
func pngHeader(data []byte) (Header, error) {
	h := Header{Format: "png", Orientation: 1}
	for at := len(pngMagic); ; {
		if at+8 > len(data) {
			return h, errTruncated
		}
		n, name := int64(binary.BigEndian.Uint32(data[at:])), string(data[at+4:at+8])
		at += 8
		if name == "IHDR" && n >= 8 && at+8 <= len(data) {
			w, t := binary.BigEndian.Uint32(data[at:]), binary.BigEndian.Uint32(data[at+4:])
			if w == 0 || t == 0 || w > 1<<31-1 || t > 1<<31-1 {
				return h, errors.New("damaged: a PNG without any pixels")
			}
			h.Width, h.Height = int(w), int(t)
		}
		if int64(at)+n+4 > int64(len(data)) {
			return h, errTruncated
		}
		switch {
		case h.Width == 0:
			return h, errors.New("damaged: the PNG's size is missing")
		case name == "eXIf":
			h.Orientation = exifOrientation(data[at : at+int(n)])
		case name == "IEND":
			return h, nil
		}
		at += int(n) + 4
	}
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
