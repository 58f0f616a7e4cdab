package main

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"diceref/table"
	"diceref/vision/eye"
)

// Damaged uploads: so many always, and so many more with $DICEREF_SOAK set.
const (
	fewUploads  = 300
	manyUploads = 20_000
)

// readKinds are the endings of pictures that are read.
var readKinds = []string{".jpg", ".png", ".webp", ".heic", ".avif"}

// upload is a file that somebody may send as a picture.
type upload struct {
	name string
	data []byte
}

// uploads are the files of testdata/uploads whose names end so.
func uploads(t *testing.T, endings ...string) []upload {
	t.Helper()
	var out []upload
	for _, ending := range endings {
		names, err := filepath.Glob(filepath.Join("testdata", "uploads", "*"+ending))
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s uploads: %v", ending, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, upload{filepath.Base(name), data})
		}
	}
	return out
}

// TestUploadFormats: pictures of every kind that phones, cameras and the web keep are read, also with something
// else behind them; other pictures are refused by what they are.
func TestUploadFormats(t *testing.T) {
	r := eye.NewReader(eyePath(t))
	defer r.Close()
	dice := 0
	for _, u := range uploads(t, readKinds...) {
		if strings.HasPrefix(u.name, "animated.webp") {
			continue
		}
		for _, behind := range []string{"", "PK\x03\x04 and more", "<script>alert(1)</script>"} {
			o, err := r.Read(t.Context(), table.DessertDice, append(slices.Clone(u.data), behind...))
			if err != nil || o.Width == 0 || o.Height == 0 {
				t.Errorf("%s with %q behind it: %d×%d, %v", u.name, behind, o.Width, o.Height, err)
			}
		}
		if strings.HasPrefix(u.name, "t") || u.name == "phone.heic" { // the same table, in all
			o, err := r.Read(t.Context(), table.DiceBox, u.data)
			if err != nil || o.Width != 960 || o.Height != 540 || o.Grid == nil || !o.Grid.Found || dice != 0 && len(o.Dice) != dice {
				t.Errorf("%s: %d×%d, %d dice, %v", u.name, o.Width, o.Height, len(o.Dice), err)
			}
			dice = len(o.Dice)
		}
	}
	for _, u := range append(uploads(t, ".gif", "animated.webp", ".bmp", ".tiff"), upload{"nothing", nil}, upload{"a page", []byte("<html><img src=x></html>")}) {
		_, err := r.Read(t.Context(), table.DessertDice, u.data)
		refused(t, u.name, err)
		if err == nil {
			t.Errorf("%s is read", u.name)
		}
	}
}

// TestShownUpload: what a browser cannot show comes back as a JPEG, the right way up.
func TestShownUpload(t *testing.T) {
	r := eye.NewReader(eyePath(t))
	defer r.Close()
	for _, u := range uploads(t, "phone.heic", "turned.avif", "baseline.jpg") {
		o, shown, err := r.ReadShown(t.Context(), table.DiceBox, u.data, 400)
		if err != nil {
			t.Errorf("%s: %v", u.name, err)
			continue
		}
		h, err := eye.CheckPicture(shown)
		long := min(400, max(o.Width, o.Height))
		if err != nil || h.Format != "jpeg" || max(h.Width, h.Height) != long || (h.Width > h.Height) != (o.Width > o.Height) {
			t.Errorf("%s of %d×%d pixels is shown as %+v, %v", u.name, o.Width, o.Height, h, err)
		}
	}
}

// refused checks that an error, if there is one, is a clear line about the picture, which the
// eye survived.
func refused(t *testing.T, name string, err error) {
	t.Helper()
	if errors.Is(err, eye.ErrDied) {
		t.Errorf("%s: %v", name, err)
	}
	if err != nil && (err.Error() == "" || strings.ContainsAny(err.Error(), "\r\n")) {
		t.Errorf("%s: the error is %q, want one line", name, err)
	}
}

// TestDamagedUploads sends pictures that are cut short, scrambled, spliced and much larger than
// they are: each is read or refused, by one and the same eye, which reads as well afterwards.
func TestDamagedUploads(t *testing.T) {
	const seed = 1
	rounds := fewUploads
	if os.Getenv("DICEREF_SOAK") != "" {
		rounds = manyUploads
	}
	r := eye.NewReader(eyePath(t))
	defer r.Close()
	whole := uploads(t, readKinds...)
	before, err := r.Read(t.Context(), table.DessertDice, whole[0].data)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	read, turnedDown := 0, 0
	for i := range rounds {
		u, how := damaged(rng, whole)
		o, err := r.Read(t.Context(), table.DessertDice, u.data)
		refused(t, u.name+", "+how, err)
		switch {
		case err != nil:
			turnedDown++
		case o.Width == 0 || o.Height == 0:
			t.Errorf("upload %d of seed %d (%s, %s) is read as nothing", i, seed, u.name, how)
		default:
			read++
		}
	}
	t.Logf("seed %d: %d read, %d refused", seed, read, turnedDown)
	after, err := r.Read(t.Context(), table.DessertDice, whole[0].data)
	if err != nil || len(after.Dice) != len(before.Dice) {
		t.Errorf("%d dice afterwards (%v), %d before", len(after.Dice), err, len(before.Dice))
	}
}

// damaged draws one of the files and damages it.
func damaged(rng *rand.Rand, whole []upload) (u upload, how string) {
	u = whole[rng.IntN(len(whole))]
	data := slices.Clone(u.data)
	at := rng.IntN(len(data))
	switch rng.IntN(6) {
	case 0:
		how, data = "cut short", data[:at]
	case 1:
		how = "bits turned"
		for range 1 + rng.IntN(20) {
			data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		}
	case 2:
		how = "bits of the header turned"
		for range 1 + rng.IntN(4) {
			data[rng.IntN(min(len(data), 640))] ^= 1 << rng.IntN(8)
		}
	case 3:
		how = "another file in it"
		other := whole[rng.IntN(len(whole))].data
		data = slices.Concat(data[:at], other[rng.IntN(len(other)):])
	case 4:
		how = "a run repeated"
		n := min(1+rng.IntN(2000), len(data)-at)
		data = slices.Concat(data[:at+n], data[at:])
	default:
		how = "another size in its header"
		sized(data, rng)
	}
	return upload{u.name, data}, how
}

// sized writes another width and height into a picture's header, as its format wants it.
func sized(data []byte, rng *rand.Rand) {
	side := func() uint32 { return uint32(1) << rng.IntN(17) }
	if data[0] == 0x89 { // PNG: in the first chunk, which has a sum
		binary.BigEndian.PutUint32(data[16:], side())
		binary.BigEndian.PutUint32(data[20:], side())
		binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
		return
	}
	for i := 2; i+9 < len(data); i++ {
		if data[i] == 0xff && (data[i+1] == 0xc0 || data[i+1] == 0xc2) {
			binary.BigEndian.PutUint16(data[i+5:], uint16(side()-1))
			binary.BigEndian.PutUint16(data[i+7:], uint16(side()-1))
			return
		}
	}
}
