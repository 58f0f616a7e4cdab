package camera

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"diceref/vision/camera/cameratest"
	"diceref/vision/jpeg"
)

// corners names the colors of the four quarters, clockwise from the left upper one.
func corners(img gocv.Mat) string {
	var b strings.Builder
	w, h := img.Cols(), img.Rows()
	for _, p := range []image.Point{{w / 4, h / 4}, {3 * w / 4, h / 4}, {3 * w / 4, 3 * h / 4}, {w / 4, 3 * h / 4}} {
		c := img.GetVecbAt(p.Y, p.X)
		switch {
		case c[0] > 200 && c[1] > 200 && c[2] > 200:
			b.WriteByte('w')
		case c[0] > 200:
			b.WriteByte('b')
		case c[1] > 200:
			b.WriteByte('g')
		case c[2] > 200:
			b.WriteByte('r')
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}

// TestDecodeTurns checks all eight orientations: what a camera that was held so means
// is the table the right way up (CIPA DC-008, tag 274).
func TestDecodeTurns(t *testing.T) {
	stored := cameratest.JPEG(t, cameratest.Quarters(64, 32))
	for orientation, want := range map[byte]string{1: "rgbw", 2: "grwb", 3: "bwrg", 4: "wbgr", 5: "rwbg", 6: "wrgb", 7: "bgrw", 8: "gbwr"} {
		img, err := Decode(cameratest.Turned(stored, orientation))
		if err != nil {
			t.Fatal(err)
		}
		if got := corners(img); got != want {
			t.Errorf("orientation %d: %s, want %s", orientation, got, want)
		}
		if wide := img.Cols() > img.Rows(); wide != (orientation < 5) {
			t.Errorf("orientation %d: %d×%d pixels", orientation, img.Cols(), img.Rows())
		}
		img.Close()
	}
}

func TestDecode(t *testing.T) {
	var gray, deep bytes.Buffer
	if err := png.Encode(&gray, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(&deep, image.NewNRGBA64(image.Rect(0, 0, 9, 5))); err != nil {
		t.Fatal(err)
	}
	whole := cameratest.JPEG(t, cameratest.Quarters(64, 32))
	damaged := bytes.Clone(gray.Bytes())
	damaged[bytes.Index(damaged, []byte("IDAT"))+6] ^= 0xff
	for _, test := range []struct {
		name          string
		data          []byte
		width, height int
		err           string
	}{
		{"one gray pixel", gray.Bytes(), 1, 1, ""},
		{"16 bits and transparent", deep.Bytes(), 9, 5, ""},
		{"a JPEG", whole, 64, 32, ""},
		{"cut short", whole[:len(whole)/2], 0, 0, "truncated"},
		{"a text", []byte("hello"), 0, 0, "not a JPEG, PNG, WebP"},
		{"damaged data", damaged, 0, 0, "damaged"},
	} {
		img, err := Decode(test.data)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: error %v, want one with %q", test.name, err, test.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if img.Cols() != test.width || img.Rows() != test.height || img.Type() != gocv.MatTypeCV8UC3 {
			t.Errorf("%s: %d×%d pixels of type %v, want %d×%d in three channels of 8 bits", test.name, img.Cols(), img.Rows(), img.Type(), test.width, test.height)
		}
		img.Close()
	}
}

// TestDecodeKinds: the same picture, kept as phones, cameras and the web keep pictures, in tiles, and turned by
// the file, in whose EXIF data the turn stands once more, is the same.
func TestDecodeKinds(t *testing.T) {
	want := gocv.IMRead(filepath.Join("..", "testdata", "easy", "dice-box101.jpg"), gocv.IMReadColor)
	defer want.Close()
	for _, name := range []string{"table.heic", "phone.heic", "table.avif", "tiles.avif", "turned.avif", "table.webp", "turned.webp"} {
		got, err := Decode(uploaded(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Cols() != want.Cols() || got.Rows() != want.Rows() {
			t.Errorf("%s: %d×%d pixels, want %d×%d", name, got.Cols(), got.Rows(), want.Cols(), want.Rows())
		} else if off := gocv.NormWithMats(got, want, gocv.NormL1) / float64(3*want.Total()); off > 4 {
			t.Errorf("%s: a pixel's numbers are off by %.1f in the mean", name, off)
		}
		got.Close()
	}
}

// TestDecodeAlike: a JPEG decoded in one go is pixel by pixel what OpenCV makes of it, at all sizes; what is not plain is left to it.
func TestDecodeAlike(t *testing.T) {
	table, err := os.ReadFile(filepath.Join("..", "testdata", "easy", "dice-box101.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	for scale, how := range map[int]gocv.IMReadFlag{
		1: gocv.IMReadColor, 2: gocv.IMReadReducedColor2, 4: gocv.IMReadReducedColor4, 8: gocv.IMReadReducedColor8,
	} {
		for name, data := range map[string][]byte{"a table": table, "odd": cameratest.JPEG(t, cameratest.Quarters(77, 33))} {
			want, err := decodeOpenCV(data, how)
			if err != nil {
				t.Fatal(err)
			}
			pixels := make([]byte, 3*want.Total())
			if !jpeg.Decode(data, scale, want.Cols(), want.Rows(), pixels) {
				t.Errorf("%s at 1/%d is not decoded", name, scale)
			} else if !bytes.Equal(pixels, want.ToBytes()) {
				t.Errorf("%s at 1/%d differs from what OpenCV makes of it", name, scale)
			}
			if jpeg.Decode(data, scale, want.Cols()+1, want.Rows(), make([]byte, 2*len(pixels))) {
				t.Errorf("%s at 1/%d is decoded as a picture of another size", name, scale)
			}
			want.Close()
		}
	}
	gray := cameratest.JPEG(t, image.NewGray(image.Rect(0, 0, 16, 16)))
	for name, data := range map[string][]byte{"a gray one": gray, "one cut short": table[:len(table)/2], "a text": []byte("hello")} {
		if jpeg.Decode(data, 1, 16, 16, make([]byte, 3*16*16)) {
			t.Errorf("%s is decoded", name)
		}
	}
	cut := cameratest.JPEG(t, cameratest.Quarters(64, 32))
	if jpeg.Decode(cut[:len(cut)-40], 1, 64, 32, make([]byte, 3*64*32)) {
		t.Error("a picture that ends too early is decoded")
	}
}

// FuzzDecode throws bytes at the decoder of pictures: an error or a picture in color, and
// the process lives.
func FuzzDecode(f *testing.F) {
	whole := cameratest.JPEG(f, cameratest.Quarters(64, 32))
	f.Add(whole)
	f.Add(cameratest.Turned(whole, 6))
	f.Add(whole[:len(whole)/2])
	var flat bytes.Buffer
	if err := png.Encode(&flat, cameratest.Quarters(16, 8)); err != nil {
		f.Fatal(err)
	}
	f.Add(flat.Bytes())
	for _, name := range []string{"table.heic", "phone.heic", "table.avif", "tiles.avif", "table.webp", "turned.webp"} {
		f.Add(uploaded(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := Decode(data)
		if err != nil {
			return
		}
		defer img.Close()
		if img.Empty() || img.Type() != gocv.MatTypeCV8UC3 {
			t.Errorf("%d by %d pixels of type %v", img.Cols(), img.Rows(), img.Type())
		}
	})
}

// uploaded is a picture of those that are sent for a test.
func uploaded(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "cmd", "diceref-eye", "testdata", "uploads", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
