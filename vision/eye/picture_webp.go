package eye

import (
	"encoding/binary"
	"errors"
)

// webpHeader walks a WebP's chunks (RFC 9649). The size stands in the picture's own data, and once more
// before it where there is more than that; a decoder wants the two alike.
func webpHeader(data []byte) (Header, error) {
	h := Header{Format: "webp", Orientation: 1}
	const riff = 12
	if len(data) < riff {
		return h, errTruncated
	}
	end := 8 + int64(binary.LittleEndian.Uint32(data[4:]))
	if end > int64(len(data)) {
		return h, errTruncated
	}
	pictures := 0
	for at := int64(riff); at < end; {
		if at+8 > end {
			return h, errTruncated
		}
		name, n := string(data[at:at+4]), int64(binary.LittleEndian.Uint32(data[at+4:]))
		if at += 8; at+n > end {
			return h, errTruncated
		}
		body := data[at : at+n]
		at += n + n%2
		switch name {
		case "VP8X":
			switch {
			case h.Width != 0:
				return h, errors.New("damaged: the WebP gives its size twice")
			case len(body) < 10:
				return h, errTruncated
			case body[0]&0x02 != 0:
				return h, errors.New("animated WebP is not supported: save one picture of it as JPEG or PNG")
			}
			h.Width, h.Height = 1+int24(body[4:]), 1+int24(body[7:])
		case "VP8 ", "VP8L":
			w, t, err := webpSize(name, body)
			switch pictures++; {
			case err != nil:
				return h, err
			case pictures > 1 || h.Width != 0 && (w != h.Width || t != h.Height):
				return h, errors.New("damaged: the WebP gives two sizes")
			}
			h.Width, h.Height = w, t
		case "EXIF":
			h.Orientation = exifOrientation(withoutExifSign(body))
		}
		if h.TooLarge() {
			return h, nil // refused anyway
		}
	}
	if pictures == 0 {
		return h, errors.New("damaged: a WebP without a picture")
	}
	return h, nil
}

func int24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// webpSize is the size in a picture's own data, in pixels (RFC 6386 section 9.1, RFC 9649 section 3.4).
func webpSize(name string, body []byte) (width, height int, err error) {
	switch {
	case len(body) < 10:
		return 0, 0, errTruncated
	case name == "VP8L" && body[0] == 0x2f:
		bits := int(binary.LittleEndian.Uint32(body[1:]))
		return 1 + bits&0x3fff, 1 + bits>>14&0x3fff, nil
	case name == "VP8 " && body[0]&1 == 0 && string(body[3:6]) == "\x9d\x01\x2a":
		width, height = int(binary.LittleEndian.Uint16(body[6:]))&0x3fff, int(binary.LittleEndian.Uint16(body[8:]))&0x3fff
		if width > 0 && height > 0 {
			return width, height, nil
		}
	}
	return 0, 0, errors.New("damaged: the WebP's size is missing")
}
