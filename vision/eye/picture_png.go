package eye

import (
	"encoding/binary"
	"errors"
)

// pngSize is how long a PNG's header chunk is (PNG specification 11.2.1).
const pngSize = 13

// pngHeader walks a PNG's chunks up to IEND. Its size stands in the first chunk, once: a
// decoder allocates by what it meets first.
func pngHeader(data []byte) (Header, error) {
	h := Header{Format: "png", Orientation: 1}
	for at := len(pngMagic); ; {
		if at+8 > len(data) {
			return h, errTruncated
		}
		n, name := int64(binary.BigEndian.Uint32(data[at:])), string(data[at+4:at+8])
		first := at == len(pngMagic)
		if first != (name == "IHDR") || first && n != pngSize {
			return h, errors.New("damaged: the PNG does not give its size once, at the start")
		}
		at += 8
		if int64(at)+n+4 > int64(len(data)) {
			return h, errTruncated
		}
		body := data[at : at+int(n)]
		switch name {
		case "IHDR":
			w, t := binary.BigEndian.Uint32(body), binary.BigEndian.Uint32(body[4:])
			if w == 0 || t == 0 || w > 1<<31-1 || t > 1<<31-1 {
				return h, errors.New("damaged: a PNG without any pixels")
			}
			if h.Width, h.Height = int(w), int(t); h.TooLarge() {
				return h, nil // refused anyway
			}
		case "eXIf":
			h.Orientation = exifOrientation(body)
		case "IEND":
			return h, nil
		}
		at += int(n) + 4
	}
}
