//go:build matprofile

package vision

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/camera"
	"diceref/vision/camera/cameratest"
	"diceref/vision/eye"
)

// noMatsLeft fails the test if what runs in between leaves a Mat open.
func noMatsLeft(t *testing.T) {
	t.Helper()
	before := gocv.MatProfile.Count()
	t.Cleanup(func() {
		if after := gocv.MatProfile.Count(); after != before {
			var where bytes.Buffer
			gocv.MatProfile.WriteTo(&where, 1)
			t.Errorf("%d Mats are open, %d were before:\n%.4000s", after, before, where.String())
		}
	})
}

func TestLeakDecode(t *testing.T) {
	noMatsLeft(t)
	whole := cameratest.JPEG(t, cameratest.Quarters(64, 32))
	for i := range 200 {
		img, err := camera.Decode(cameratest.Turned(whole, byte(i%9)))
		if err != nil {
			t.Fatal(err)
		}
		img.Close()
		damaged := bytes.Clone(whole)
		damaged[20+i%100] ^= 0x55
		if img, err := camera.Decode(damaged); err == nil {
			img.Close()
		}
	}
}

// TestLeakStills reads pictures as an eye does, good ones and bad ones.
func TestLeakStills(t *testing.T) {
	rec := opened(t) // closed after the Mats were counted
	w := NewWatcher(nil, slog.New(slog.DiscardHandler), nil)
	w.load = func() (recognizer, error) { return rec, nil }
	blank := cameratest.JPEG(t, cameratest.Quarters(320, 240))
	tiny := cameratest.JPEG(t, cameratest.Quarters(2, 2))
	read := func() {
		for _, game := range []table.Game{table.DiceBox, table.DiceFlick, table.Any} {
			for _, picture := range [][]byte{blank, tiny, blank[:99], nil} {
				w.Read(eye.StillRequest{Game: game}, picture) // an error is as good as an answer here
			}
		}
	}
	read() // networks that are loaded when asked for stay, and so does what OpenCV keeps
	noMatsLeft(t)
	read()
}

func TestLeakWatch(t *testing.T) {
	for range 3 {
		noMatsLeft(t)
		watching(t, &turning{}, eye.Watch{Game: table.DiceBox, Source: "demo", Resume: 500}, eye.View{On: true, Width: 200})
		watching(t, &turning{}, eye.Watch{Game: table.DiceBox, Source: "/nonexistent.mp4"}, eye.View{})
	}
}

// TestLeakSoak watches the recorded game over and over with the real recognizer, for as
// many seconds as $DICEREF_SOAK says, and looks for memory that is lost.
func TestLeakSoak(t *testing.T) {
	seconds := 5.0
	if s := os.Getenv("DICEREF_SOAK"); s != "" {
		var err error
		if seconds, err = strconv.ParseFloat(s, 64); err != nil {
			t.Fatal(err)
		}
	}
	rec := opened(t) // closed after the Mats were counted
	round := func() {
		watching(t, rec, eye.Watch{Game: table.DiceBox, Source: "demo", Resume: 530}, eye.View{On: true, Width: 400})
	}
	round() // what is kept forever is allocated now
	round()
	noMatsLeft(t)
	before := resident(t)
	rounds := 0
	for end := time.Now().Add(time.Duration(seconds * float64(time.Second))); rounds == 0 || time.Now().Before(end); rounds++ {
		round()
	}
	const allowed = 48 // MB: the heaps of Go and C breathe
	after := resident(t)
	t.Logf("%d MB resident before, %d after %d rounds", before, after, rounds)
	if after > before+allowed {
		t.Errorf("%d MB resident after %d rounds, %d before", after, rounds, before)
	}
}

// resident is this process's memory in MB.
func resident(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile(filepath.Join("/proc", "self", "status"))
	if err != nil {
		return 0 // not Linux: the count of Mats has to do
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb / 1024
}
