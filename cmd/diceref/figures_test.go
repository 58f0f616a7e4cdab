//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"diceref/match"
)

// The figures are measured with: make figures VIDEO=game.mp4, which
// takes game.json beside it for the truth. The bars are printed and not held to: a busy
// machine would fail them.
var figureVideo = flag.String("video", "", "rendered game to measure the program's figures with")

// figureBinary is the program that is measured, or followed; another build's to compare with.
var figureBinary = flag.String("diceref", filepath.Join("..", "..", "bin", "diceref"), "the program to measure")

// truth is what the figures need of a rendered game.
type truth struct {
	Game    string
	Players int
	Steps   []struct {
		First  int  `json:"first_frame"`
		Last   int  `json:"last_frame"`
		Unseen bool `json:"unseen"`
	}
}

func loadTruth(t *testing.T) (tr truth) {
	t.Helper()
	b, err := os.ReadFile(strings.TrimSuffix(*figureVideo, filepath.Ext(*figureVideo)) + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &tr); err != nil {
		t.Fatal(err)
	}
	return tr
}

func names(n int) string { return strings.Join([]string{"A", "B", "C", "D"}[:n], ",") }

// videoFPS is how many frames per second the rendered games have.
const videoFPS = 10

func TestFigures(t *testing.T) {
	if *figureVideo == "" {
		return // measured on demand
	}
	tr := loadTruth(t)
	bin, err := filepath.Abs(*figureBinary)
	if err != nil {
		t.Fatal(err)
	}
	playback(t, bin, tr)
	frames := split(t)
	still := frames[len(frames)/2]
	idle(t, bin, tr, "an idle table", [][]byte{still})
	idle(t, bin, tr, "one that trembles", trembling(t, still))
	latency(t, bin, tr, frames)
}

// playback measures how fast a file is followed.
func playback(t *testing.T, bin string, tr truth) {
	began := time.Now()
	cmd := exec.Command(bin, "watch", "--game", tr.Game, "--players", names(tr.Players), "--source", *figureVideo, "--json")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	took := time.Since(began)
	length := float64(tr.Steps[len(tr.Steps)-1].Last+1) / videoFPS
	t.Logf("playback: %.1f s of video in %.1f s: %.1f times real time (bar: 10), %.1f s of processor time", length, took.Seconds(), length/took.Seconds(),
		(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
}

// split takes the video apart into JPEG pictures.
func split(t *testing.T) (frames [][]byte) {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("ffmpeg", "-loglevel", "error", "-i", *figureVideo, "-q:v", "3", filepath.Join(dir, "%05d.jpg")).CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg: %v: %s", err, out)
	}
	return allPictures(t, dir)
}

// allPictures is the numbered pictures in a folder.
func allPictures(t *testing.T, dir string) (frames [][]byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "0*.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, b)
	}
	return frames
}

// fakeCamera is a network camera that shows pictures at videoFPS, and notes when each was sent.
type fakeCamera struct {
	ln   net.Listener
	mu   sync.Mutex
	sent []time.Time
	next func(i int) []byte // nil: the end
}

func newCamera(t *testing.T, next func(i int) []byte) *fakeCamera {
	t.Helper()
	ln, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &fakeCamera{ln: ln, next: next}
	server := &http.Server{Handler: c, ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(ln) }()
	t.Cleanup(func() { server.Close() })
	return c
}

func (c *fakeCamera) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "multipart/x-mixed-replace; boundary=frame")
	tick := time.NewTicker(time.Second / videoFPS)
	defer tick.Stop()
	for i := 0; ; i++ {
		picture := c.next(i)
		if picture == nil {
			return
		}
		fmt.Fprintf(w, "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n", len(picture), picture)
		w.(http.Flusher).Flush()
		c.mu.Lock()
		c.sent = append(c.sent, time.Now())
		c.mu.Unlock()
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
}

// serveCamera starts the page on a camera and returns its address and process.
func serveCamera(t *testing.T, bin string, tr truth, c *fakeCamera) (address string, pid int) {
	t.Helper()
	cmd := exec.Command(bin, "serve", "--listen", "localhost:0", "--game", tr.Game, "--players", names(tr.Players), "--source", "http://"+c.ln.Addr().String()+"/", "--data", t.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, address, _ = strings.Cut(strings.TrimSpace(line), "diceref is at ")
	return address, cmd.Process.Pid
}

// trembling is a picture as a camera sees it that trembles by two pixels each way.
func trembling(t *testing.T, still []byte) (frames [][]byte) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "still.jpg"), still, 0o600); err != nil {
		t.Fatal(err)
	}
	const tremor = "scale=4*iw:-1,crop=iw-64:ih-64:32+8*sin(1.45*n):32+6*sin(1.82*n),scale=iw/4:-1"
	if out, err := exec.Command("ffmpeg", "-loglevel", "error", "-loop", "1", "-i", filepath.Join(dir, "still.jpg"), "-vf", tremor, "-frames:v", "60", "-q:v", "3",
		filepath.Join(dir, "%05d.jpg")).CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg: %v: %s", err, out)
	}
	return allPictures(t, dir)
}

// idle measures what a table costs on which nothing happens.
func idle(t *testing.T, bin string, tr truth, what string, frames [][]byte) {
	c := newCamera(t, func(i int) []byte { return frames[i%len(frames)] })
	_, pid := serveCamera(t, bin, tr, c)
	time.Sleep(8 * time.Second) // found, read, accounted for
	const span = 30 * time.Second
	server, eyes := cpu(t, pid), eyesOf(t, pid)
	sum := func() (s time.Duration) {
		for _, p := range eyes {
			s += cpu(t, p)
		}
		return s
	}
	eye := sum()
	time.Sleep(span)
	server, eye = cpu(t, pid)-server, sum()-eye
	share := func(d time.Duration) float64 { return 100 * d.Seconds() / span.Seconds() }
	t.Logf("%s at %d frames a second: server %.1f %% and eye %.1f %% of one core, together %.1f %% (bar: 10)", what, videoFPS, share(server), share(eye), share(server+eye))
}

// cpu is the processor time of a process so far.
func cpu(t *testing.T, pid int) time.Duration {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+2:]))
	user, err1 := strconv.Atoi(f[11])
	system, err2 := strconv.Atoi(f[12])
	if err1 != nil || err2 != nil {
		t.Fatalf("cannot read the times of process %d", pid)
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 wherever Go runs on Linux
	return time.Duration(user+system) * tick
}

func eyesOf(t *testing.T, pid int) (list []int) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tasks {
		b, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for _, word := range strings.Fields(string(b)) {
			if n, err := strconv.Atoi(word); err == nil {
				list = append(list, n)
			}
		}
	}
	return list
}

// latency measures from the last moving picture to the event on the page.
func latency(t *testing.T, bin string, tr truth, frames [][]byte) {
	c := newCamera(t, func(i int) []byte {
		const lead = 3 * videoFPS // pictures of the beginning, while the page comes up
		switch {
		case i < lead:
			return frames[0]
		case i-lead < len(frames):
			return frames[i-lead]
		}
		return nil
	})
	address, _ := serveCamera(t, bin, tr, c)
	resp, err := http.Get(address + "/api/v1/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	type arrival struct {
		at time.Time
		t  float64 // seconds of the source: of the picture that told it
	}
	var came []arrival
	var asked arrival // the latest question; what goes on from its view was on the page with it
	questions := 0
	deadline := time.AfterFunc(time.Duration(len(frames)/videoFPS+10)*time.Second, func() { resp.Body.Close() })
	defer deadline.Stop()
	in := bufio.NewReader(resp.Body)
	for len(came) < len(tr.Steps)-1 {
		line, err := in.ReadString('\n')
		if err != nil {
			break
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var news struct{ Events []match.EventView }
		if json.Unmarshal([]byte(data), &news) != nil {
			continue
		}
		for _, e := range news.Events {
			now := arrival{time.Now(), e.T}
			switch e.Type {
			case match.TypeDoubt:
				asked = now
			case match.TypeMove, match.TypeTakeback, match.TypeFlick:
				if e.T <= asked.t {
					now = asked
					questions++
				}
				came = append(came, now)
			}
		}
	}
	c.mu.Lock()
	sent := slices.Clone(c.sent)
	c.mu.Unlock()
	var waits, still, work []float64
	for i, e := range came {
		moving := tr.Steps[i+1].First - 1 + 3*videoFPS
		if tr.Steps[i+1].Unseen || moving >= len(sent) {
			continue
		}
		waits = append(waits, e.at.Sub(sent[moving]).Seconds())
		picture := sent[0].Add(time.Duration(e.t * float64(time.Second)))
		still = append(still, picture.Sub(sent[moving]).Seconds())
		work = append(work, e.at.Sub(picture).Seconds())
	}
	for _, list := range [][]float64{waits, still, work} {
		slices.Sort(list)
	}
	if len(waits) == 0 {
		t.Fatal("no event came")
	}
	middle := len(waits) / 2
	t.Logf("of which until the picture that tells it, that is for it to be still and to be read twice, %.2f s; to read, judge, write down and tell it, %.3f s in the middle, %.3f s at the most",
		still[middle], work[middle], work[len(work)-1])
	t.Logf("from the last moving picture to the event on the page: %.2f s in the middle, %.2f s at the most, over %d events, %d of them in a question at first (bar: 0.5 s and the time it has to be still)",
		waits[len(waits)/2], waits[len(waits)-1], len(waits), questions)
}
