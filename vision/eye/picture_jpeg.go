package eye

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// maxScans is how many scans a JPEG may have: a progressive one has about ten, and a
// decoder goes through the whole picture for each.
const maxScans = 64

// jpegHeader walks a JPEG's segments (ITU T.81 annex B) from its start to the end
// of the picture. Whatever cameras append after it is left alone.
func jpegHeader(data []byte) (Header, error) {
	h := Header{Format: "jpeg", Orientation: 1}
	scans := 0
	for at := 2; ; {
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
			switch {
			case h.Width != 0: // which of the two a decoder goes by, nobody knows
				return h, errors.New("damaged: the JPEG gives its size twice")
			case len(body) < 6:
				return h, errors.New("damaged: the JPEG's size is missing")
			}
			h.Height, h.Width = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
			if h.Width == 0 || h.Height == 0 {
				return h, errors.New("damaged: a JPEG without any pixels")
			}
			if h.TooLarge() {
				return h, nil // refused anyway: its data need not be looked at
			}
		case marker == 0xe1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")):
			h.Orientation = exifOrientation(body[6:])
		case marker == 0xda: // scan: compressed data follow up to the next marker
			if h.Width == 0 {
				return h, errors.New("damaged: the JPEG's size is missing")
			}
			if scans++; scans > maxScans {
				return h, fmt.Errorf("the JPEG has more than %d scans, which takes too long to read: save it again as an ordinary JPEG", maxScans)
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
