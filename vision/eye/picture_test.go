package eye

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"slices"
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

// scanned is a JPEG with so many scans: its own, again and again.
func scanned(jpg []byte, n int) []byte {
	at := bytes.LastIndex(jpg, []byte{0xff, 0xda})
	scan := jpg[at : len(jpg)-2]
	return slices.Concat(jpg[:at], bytes.Repeat(scan, n), jpg[len(jpg)-2:])
}

// chunked is a PNG with one more chunk.
func chunked(png []byte, at int, name string, body []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	chunk = append(append(chunk, name...), body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return slices.Concat(png[:at], chunk, png[at:])
}

// webpOf is a WebP of these chunks.
func webpOf(chunks ...string) []byte {
	body := "WEBP" + strings.Join(chunks, "")
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func header(format string, width, height, orientation int) Header {
	return Header{Format: format, Width: width, Height: height, Orientation: orientation}
}

func TestCheckPicture(t *testing.T) {
	jpg, png, webp := jpegOf(t, "a comment"), pngOf(t), uploaded(t, "table.webp")
	for _, test := range []struct {
		name string
		data []byte
		want Header
		err  string
	}{
		{"a JPEG", jpg, header("jpeg", 24, 16, 1), ""},
		{"a PNG", png, header("png", 7, 5, 1), ""},
		{"a JPEG with more after it", append(bytes.Clone(jpg), "a camera's own data"...), header("jpeg", 24, 16, 1), ""},
		{"turned, Intel", insert(jpg, 0xe1, exif(binary.LittleEndian, 6)), header("jpeg", 24, 16, 6), ""},
		{"turned, Motorola", insert(jpg, 0xe1, exif(binary.BigEndian, 8)), header("jpeg", 24, 16, 8), ""},
		{"turned in no known way", insert(jpg, 0xe1, exif(binary.BigEndian, 9)), header("jpeg", 24, 16, 1), ""},
		{"64 megapixels", resized(jpg, 8000, 8000), header("jpeg", 8000, 8000, 1), ""},
		{"100 megapixels", resized(jpg, 10000, 10000), Header{}, "too many"},
		{"100 megapixels, PNG", resized(png, 10000, 10000), Header{}, "too many"},
		{"monstrous", resized(png, 1<<31-1, 1<<31-1), Header{}, "too many"},
		{"very long", resized(png, 30000, 1), Header{}, "too many"},
		{"no width", resized(jpg, 0, 10), Header{}, "damaged"},
		{"no height", resized(png, 10, 0), Header{}, "damaged"},
		{"empty", nil, Header{}, "empty"},
		{"a text", []byte("hello"), Header{}, "not a JPEG, PNG, WebP"},
		{"a GIF", []byte("GIF89a........"), Header{}, "GIF"},
		{"two bytes of a JPEG", jpg[:2], Header{}, "truncated"},
		{"a JPEG of nothing", []byte{0xff, 0xd8, 0xff, 0xd9}, Header{}, "damaged"},
		{"as many scans as may be", scanned(jpg, maxScans), header("jpeg", 24, 16, 1), ""},
		{"19329 scans", scanned(jpg, 19_329), Header{}, "save it again as an ordinary JPEG"},
		{"another size after the picture", chunked(png, len(png)-12, "IHDR", png[16:29]), Header{}, "once, at the start"},
		{"another size right after the first", chunked(png, 33, "IHDR", png[16:29]), Header{}, "once, at the start"},
		{"something before the size", chunked(png, 8, "tEXt", []byte("a\x00b")), Header{}, "once, at the start"},
		{"a size of 12 bytes", chunked(png[:8], 8, "IHDR", png[16:28]), Header{}, "once, at the start"},
		{"100 megapixels, and few later", chunked(resized(png, 10000, 10000), len(png)-12, "IHDR", png[16:29]), Header{}, "too many"},
		{"a JPEG of two sizes", insert(jpg, 0xc0, []byte{8, 0, 16, 0, 24, 1, 1, 0x11, 0}), Header{}, "size twice"},
		{"a WebP", webp, header("webp", 960, 540, 1), ""},
		{"a WebP, turned", uploaded(t, "turned.webp"), header("webp", 540, 960, 6), ""},
		{"a WebP with more after it", append(bytes.Clone(webp), "more"...), header("webp", 960, 540, 1), ""},
		{"a WebP that moves", uploaded(t, "animated.webp"), Header{}, "animated"},
		{"a WebP of two sizes", webpOf("VP8X\x0a\x00\x00\x00\x00\x00\x00\x00\xff\x00\x00\xff\x00\x00", string(webp[12:])), Header{}, "two sizes"},
		{"a WebP of two pictures", webpOf(string(webp[12:]), string(webp[12:])), Header{}, "two sizes"},
		{"a huge WebP", webpOf("VP8X\x0a\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\xff\xff\x00", string(webp[12:])), Header{}, "too many"},
		{"a WebP of nothing", webpOf(), Header{}, "without a picture"},
		{"a TIFF", uploaded(t, "picture.tiff"), Header{}, "TIFF or a camera's raw picture: save it as JPEG"},
		{"a PDF", []byte("%PDF-1.7"), Header{}, "a PDF: save the page"},
		{"a video", []byte("\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41"), Header{}, "a video: save one picture"},
		{"a web page", []byte("<html>"), Header{}, "a web page: save the picture itself"},
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
	whole := [][]byte{insert(jpegOf(t, "c"), 0xe1, exif(binary.BigEndian, 6)), pngOf(t)}
	for _, name := range []string{"table.heic", "phone.heic", "table.avif", "tiles.avif", "table.webp", "turned.webp"} {
		whole = append(whole, uploaded(t, name))
	}
	for _, data := range whole {
		for n := range data {
			if n > 4000 && n < len(data)-100 && n%97 != 0 { // the same over and over
				continue
			}
			if h, err := CheckPicture(data[:n]); err == nil {
				t.Errorf("%d of %d bytes pass for a whole picture: %+v", n, len(data), h)
			}
		}
	}
}

// sizeByDecoder is the size of a picture as a decoder of another house finds it, if it does.
func sizeByDecoder(format string, data []byte) (image.Point, bool) {
	config := map[string]func(io.Reader) (image.Config, error){"jpeg": jpeg.DecodeConfig, "png": png.DecodeConfig}[format]
	if config == nil {
		return image.Point{}, false
	}
	c, err := config(bytes.NewReader(data))
	return image.Pt(c.Width, c.Height), err == nil
}

// FuzzCheckPicture throws bytes at the check of pictures: what passes has the size that a decoder finds.
func FuzzCheckPicture(f *testing.F) {
	f.Add(jpegOf(f, "a comment"))
	f.Add(insert(jpegOf(f, ""), 0xe1, exif(binary.LittleEndian, 6)))
	f.Add(pngOf(f))
	for _, name := range []string{"table.heic", "phone.heic", "table.avif", "tiles.avif", "table.webp", "turned.webp"} {
		f.Add(uploaded(f, name))
	}
	f.Add(chunked(resized(pngOf(f), 10000, 10000), 33, "IHDR", pngOf(f)[16:29]))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := CheckPicture(data)
		if err != nil {
			return
		}
		if h.Width < 1 || h.Height < 1 || h.TooLarge() || h.Orientation < 1 || h.Orientation > 8 {
			t.Errorf("passes with the header %+v", h)
		}
		if size, ok := sizeByDecoder(h.Format, data); ok && size != image.Pt(h.Width, h.Height) {
			t.Errorf("passes with the header %+v, and a decoder takes it for %v pixels", h, size)
		}
	})
}
