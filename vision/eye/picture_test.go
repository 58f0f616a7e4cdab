package eye

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// exif is an APP1 segment's body with an orientation.
func exif(order binary.AppendByteOrder, orientation uint16) []byte {
	b := []byte("Exif\x00\x00II*\x00")
	if order.String() == binary.BigEndian.String() {
		b = []byte("Exif\x00\x00MM\x00*")
	}
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 2)
	b = append(b, make([]byte, 12)...) // an entry of no interest
	b = order.AppendUint16(b, 0x0112)
	b = order.AppendUint16(b, 3)
	b = order.AppendUint32(b, 1)
	b = order.AppendUint16(b, orientation)
	return append(b, 0, 0, 0, 0, 0, 0)
}

// resized is a JPEG or PNG that says it were of another size.
func resized(data []byte, width, height int) []byte {
	data = bytes.Clone(data)
	if bytes.HasPrefix(data, pngMagic) {
		binary.BigEndian.PutUint32(data[16:], uint32(width))
		binary.BigEndian.PutUint32(data[20:], uint32(height))
		return data
	}
	at := bytes.Index(data, []byte{0xff, 0xc0})
	binary.BigEndian.PutUint16(data[at+5:], uint16(height))
	binary.BigEndian.PutUint16(data[at+7:], uint16(width))
	return data
}

func TestCheckPicture(t *testing.T) {
	jpg, png := jpegOf(t, "a comment"), pngOf(t)
	for _, test := range []struct {
		name string
		data []byte
		want Header
		err  string
	}{
		{"a JPEG", jpg, Header{"jpeg", 24, 16, 1}, ""},
		{"a PNG", png, Header{"png", 7, 5, 1}, ""},
		{"a JPEG with more after it", append(bytes.Clone(jpg), "a camera's own data"...), Header{"jpeg", 24, 16, 1}, ""},
		{"turned, Intel", insert(jpg, 0xe1, exif(binary.LittleEndian, 6)), Header{"jpeg", 24, 16, 6}, ""},
		{"turned, Motorola", insert(jpg, 0xe1, exif(binary.BigEndian, 8)), Header{"jpeg", 24, 16, 8}, ""},
		{"turned in no known way", insert(jpg, 0xe1, exif(binary.BigEndian, 9)), Header{"jpeg", 24, 16, 1}, ""},
		{"64 megapixels", resized(jpg, 8000, 8000), Header{"jpeg", 8000, 8000, 1}, ""},
		{"100 megapixels", resized(jpg, 10000, 10000), Header{}, "too many"},
		{"100 megapixels, PNG", resized(png, 10000, 10000), Header{}, "too many"},
		{"monstrous", resized(png, 1<<31-1, 1<<31-1), Header{}, "too many"},
		{"very long", resized(png, 30000, 1), Header{}, "too many"},
		{"no width", resized(jpg, 0, 10), Header{}, "damaged"},
		{"no height", resized(png, 10, 0), Header{}, "damaged"},
		{"empty", nil, Header{}, "empty"},
		{"a text", []byte("hello"), Header{}, "not a JPEG or PNG"},
		{"a GIF", []byte("GIF89a........"), Header{}, "GIF"},
		{"a WebP", []byte("RIFF....WEBPVP8 "), Header{}, "WebP"},
		{"a HEIC", []byte("....ftypheic...."), Header{}, "HEIC"},
		{"two bytes of a JPEG", jpg[:2], Header{}, "truncated"},
		{"a JPEG of nothing", []byte{0xff, 0xd8, 0xff, 0xd9}, Header{}, "damaged"},
		{"rubbish in a JPEG", append(bytes.Clone(jpg[:2]), "rubbish"...), Header{}, "damaged"},
	} {
		got, err := CheckPicture(test.data)
		switch {
		case test.err == "" && (err != nil || got != test.want):
			t.Errorf("%s: %+v, %v; want %+v", test.name, got, err, test.want)
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.err)
		}
	}
}

// TestTruncated cuts pictures at every byte: none may pass for whole.
func TestTruncated(t *testing.T) {
	for _, data := range [][]byte{insert(jpegOf(t, "c"), 0xe1, exif(binary.BigEndian, 6)), pngOf(t)} {
		for n := range data {
			if h, err := CheckPicture(data[:n]); err == nil {
				t.Errorf("%d of %d bytes pass for a whole picture: %+v", n, len(data), h)
			}
		}
	}
}

func FuzzCheckPicture(f *testing.F) {
	f.Add(jpegOf(f, "a comment"))
	f.Add(insert(jpegOf(f, ""), 0xe1, exif(binary.LittleEndian, 6)))
	f.Add(pngOf(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := CheckPicture(data)
		if err == nil && (h.Width < 1 || h.Height < 1 || h.Width*h.Height > MaxPixels || h.Orientation < 1 || h.Orientation > 8) {
			t.Errorf("passes with the header %+v", h)
		}
	})
}
