package main

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"diceref/table"
	"diceref/vision/eye"
)

// mostByBomb is what an eye may take at most whatever it is sent, MB. A usual picture takes half of it.
const mostByBomb = 600

// twoSizes is a PNG of 32000×32000 pixels which says at its end that it has 64×64.
func twoSizes(t testing.TB) []byte {
	t.Helper()
	const side = 32_000
	var rows bytes.Buffer
	z := zlib.NewWriter(&rows)
	for range side {
		if _, err := z.Write(make([]byte, 1+side/8)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	size := func(side uint32) []byte {
		b := binary.BigEndian.AppendUint32(nil, side)
		return append(binary.BigEndian.AppendUint32(b, side), 1, 0, 0, 0, 0) // one bit of gray
	}
	out := []byte("\x89PNG\r\n\x1a\n")
	for _, c := range []struct {
		name string
		body []byte
	}{{"IHDR", size(side)}, {"IDAT", rows.Bytes()}, {"IHDR", size(64)}, {"IEND", nil}} {
		out = binary.BigEndian.AppendUint32(out, uint32(len(c.body)))
		chunk := append([]byte(c.name), c.body...)
		out = binary.BigEndian.AppendUint32(append(out, chunk...), crc32.ChecksumIEEE(chunk))
	}
	return out
}

// TestAttackBombs has an eye follow a camera that sends pictures which are small files and claim to be small
// pictures, and would take gigabytes: they are left out, what comes between them is read, and the eye's
// memory never grows.
func TestAttackBombs(t *testing.T) {
	bomb := twoSizes(t)
	if _, err := eye.ReadStill(t.Context(), eyePath(t), table.Any, bomb, 0); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("a picture of two sizes: %v", err)
	}
	good, err := os.ReadFile(filepath.Join("..", "..", "vision", "testdata", "easy", "dice-box101.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	camera := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "multipart/x-mixed-replace; boundary=next")
		for {
			for _, picture := range [][]byte{bomb, good} {
				if _, err := fmt.Fprintf(w, "--next\r\nContent-Length: %d\r\n\r\n%s\r\n", len(picture), picture); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				select {
				case <-r.Context().Done():
					return
				case <-time.After(150 * time.Millisecond):
				}
			}
		}
	}))
	defer camera.Close()
	c, err := eye.Start(t.Context(), eye.Config{Path: eyePath(t), Game: table.DiceBox, Source: camera.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	seen := 0
	for m := range c.Frames() {
		if m.Observation != nil {
			if seen++; seen == 8 {
				break
			}
		}
	}
	if seen < 8 {
		t.Errorf("%d pictures were read between the bombs, want 8", seen)
	}
	if took, ok := mostResident(t, c.PID()); ok && took > mostByBomb {
		t.Errorf("the eye took %d MB, want at most %d", took, mostByBomb)
	}
}

// mostResident is what a process has taken at most, in MB, where the system tells.
func mostResident(t *testing.T, pid int) (mb int, ok bool) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Logf("no such count on this system: %v", err)
		return 0, false
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	if _, err := fmt.Sscan(rest, &mb); err != nil {
		t.Fatal(err)
	}
	return mb >> 10, true
}

// TestAttackMemory: an eye that wants far more memory than the largest picture takes is refused it.
func TestAttackMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("memory is not capped on this system")
		return
	}
	greedy := exec.Command(eyePath(t))
	greedy.Env = append(os.Environ(), "DICEREF_EYE_GREEDY=yes")
	said, err := greedy.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "cannot allocate memory") && !strings.Contains(string(said), "out of memory") {
		t.Errorf("it ended with %v, and said %.300s", err, said)
	}
}

// beGreedy takes more memory than an eye may, if the environment asks for it.
func beGreedy() {
	if os.Getenv("DICEREF_EYE_GREEDY") == "" {
		return
	}
	capMemory()
	fmt.Println(len(make([]byte, dataCap())))
	os.Exit(0)
}
