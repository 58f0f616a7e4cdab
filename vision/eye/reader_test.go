package eye

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"time"

	"diceref/table"
)

// jpegOf is a small JPEG, with a comment in it.
func jpegOf(t testing.TB, comment string) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 24, 16))
	for i := range 24 {
		img.Set(i, i%16, color.RGBA{uint8(i * 10), 100, 200, 255})
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return insert(b.Bytes(), 0xfe, []byte(comment))
}

// insert puts a segment at the start of a JPEG.
func insert(data []byte, marker byte, body []byte) []byte {
	n := len(body) + 2
	out := append([]byte{0xff, 0xd8, 0xff, marker, byte(n >> 8), byte(n)}, body...)
	return append(out, data[2:]...)
}

func pngOf(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 7, 5))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReader(t *testing.T) {
	r := NewReader(fakePath(t, "good"))
	defer r.Close()
	for i, test := range []struct {
		picture []byte
		limit   time.Duration
		err     string // "": none
		died    bool
	}{
		{jpegOf(t, "fine"), deadline, "", false},
		{pngOf(t), deadline, "", false},
		{jpegOf(t, "to be refused"), deadline, "damaged: so it says", false},
		{jpegOf(t, "to kill the eye"), deadline, "the eye crashed on this picture (signal: killed)", true},
		{jpegOf(t, "fine again"), deadline, "", false},
		{jpegOf(t, "to keep the eye"), 200 * time.Millisecond, "the eye crashed on this picture (it took longer than 200ms)", true},
		{[]byte("a text"), deadline, "not a JPEG, PNG, WebP, HEIC or AVIF picture", false},
		{jpegOf(t, "and again"), deadline, "", false},
	} {
		r.Limit = test.limit
		o, err := r.Read(t.Context(), table.DiceBox, test.picture)
		switch {
		case test.err == "" && (err != nil || o.Frame != len(test.picture) || o.Game != table.DiceBox):
			t.Errorf("picture %d: %+v, %v; want an answer to this very picture", i, o, err)
		case test.err != "" && (err == nil || err.Error() != test.err):
			t.Errorf("picture %d: error %v, want %s", i, err, test.err)
		case errors.Is(err, ErrDied) != test.died:
			t.Errorf("picture %d: error %v wraps ErrDied: %v, want %v", i, err, !test.died, test.died)
		}
	}
}

func TestReaderGivesUp(t *testing.T) {
	r := NewReader(fakePath(t, "good"))
	defer r.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := r.Read(ctx, table.Any, jpegOf(t, "to keep the eye")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if _, err := r.Read(t.Context(), table.Any, jpegOf(t, "fine")); err != nil {
		t.Errorf("the next picture: %v", err)
	}
}

// TestReadShown: a picture comes back as a JPEG where it is asked for, and only then.
func TestReadShown(t *testing.T) {
	r := NewReader(fakePath(t, "good"))
	defer r.Close()
	o, shown, err := r.ReadShown(t.Context(), table.Any, pngOf(t), 1600)
	if err != nil || o.Frame != len(pngOf(t)) || string(shown) != "at most 1600 pixels a side\n" {
		t.Errorf("%+v, shown %q, %v", o, shown, err)
	}
	if _, shown, err = r.read(t.Context(), StillRequest{Game: table.Any}, pngOf(t)); err != nil || shown != nil {
		t.Errorf("not asked for, it is shown: %q, %v", shown, err)
	}
}

func TestReadStill(t *testing.T) {
	o, err := ReadStill(t.Context(), fakePath(t, "good"), table.Any, pngOf(t), 0)
	if err != nil || o.Game != table.Any {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestReadWithOtherEye: an eye of another version is refused, with what to do.
func TestReadWithOtherEye(t *testing.T) {
	for how, want := range map[string]string{"older": "an older version than diceref: install both", "newer": "a newer version"} {
		r := NewReader(fakePath(t, how))
		_, err := r.Read(t.Context(), table.DiceBox, jpegOf(t, "whatever"))
		r.Close()
		if err == nil || KindOf(err) != OtherEye || !strings.Contains(err.Error(), want) || errors.Is(err, ErrDied) {
			t.Errorf("%s: %v", how, err)
		}
	}
}
