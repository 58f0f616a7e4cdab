package eye

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"diceref/table"
	"diceref/vision/owned"
)

// The test binary plays the eye when it is started with this variable set: its
// value says how it behaves.
const fakeEye = "DICEREF_FAKE_EYE"

func TestMain(m *testing.M) {
	switch os.Getenv(fakeEye) {
	case "":
		os.Exit(m.Run())
	case "parent":
		playParent()
	case "stuck": // neither listens nor speaks
		callHome()
		select {}
	default:
		playEye(os.Getenv(fakeEye))
	}
}

// playEye is an eye with a made-up table.
func playEye(how string) {
	callHome()
	f := &fake{how: how, voice: NewVoice(os.Stdout)}
	switch how {
	case "older": // from before there were versions
		f.voice.Say(Status{State: Running})
		select {}
	case "newer":
		f.voice.w.send(kindHello, hello{protocol + 1}, nil)
		select {}
	}
	if err := Serve(os.Stdin, f.voice, f); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// callHome connects to the test, which sees by the connection that this process lives.
func callHome() {
	if home := os.Getenv("DICEREF_FAKE_HOME"); home != "" {
		c, err := net.Dial("tcp", home)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(c, os.Getpid())
	}
}

// playParent starts an eye and waits to be killed.
func playParent() {
	os.Setenv(fakeEye, os.Getenv("DICEREF_FAKE_CHILD"))
	self, _ := os.Executable()
	c, err := Start(context.Background(), Config{Path: self, Source: "endless"})
	if err != nil {
		panic(err)
	}
	for range c.Frames() {
	}
}

// fileFrames is how many frames the made-up file has.
const fileFrames = 20

type fake struct {
	how   string
	voice *Voice
	mu    sync.Mutex
	view  View
	heard int // lessons
	turn  int // the watch that is followed
	kinds int // groups of the set of dice
}

func (f *fake) Dice(s *owned.Set) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kinds = 0; s != nil {
		f.kinds = len(s.Groups)
	}
}

func (f *fake) Top(sq table.Square) (*table.Top, error) { return &table.Top{Pips: sq.Row}, nil }

func (f *fake) Sign(s *owned.Set) (*owned.Set, error) { return s, nil }

func (f *fake) Teach(table.Lesson) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.heard++
}

func (f *fake) Preview(v View) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.view = v
}

func (f *fake) Watch(w Watch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn++
	go f.watch(w, f.turn)
}

func (f *fake) watch(w Watch, turn int) {
	if w.Source == "missing" {
		f.voice.Say(Status{State: Failed, Reason: "cannot open missing: no such file"})
		return
	}
	f.voice.Say(Status{State: Running, Live: w.Source == "camera"})
	for i := w.Resume; i < fileFrames || w.Source == "endless"; i++ {
		if f.how == "dies at 7" && i == 7 && w.Resume == 0 {
			fmt.Fprintln(os.Stderr, "terminate called\n  what():  something odd in frame 7\ngoroutine 1")
			kill()
		}
		if f.how == "dies at 9 always" && i == 9 {
			kill()
		}
		grid := &table.Grid{Found: true, Corners: [4]table.Point{{X: float64(i)}}}
		if w.Corners != nil && w.Resume > 0 {
			grid.Corners[1] = w.Corners[0]
		}
		f.mu.Lock()
		grid.Corners[2].X, grid.Corners[3].X = float64(len(w.Lessons)+f.heard), float64(turn)
		grid.Corners[3].Y = float64(f.kinds)
		over := turn != f.turn
		f.mu.Unlock()
		if over {
			return
		}
		f.voice.Observe(table.Observation{Frame: i, T: float64(i) / 10, Grid: grid, Dice: []table.Reading{}})
		f.mu.Lock()
		view := f.view
		f.mu.Unlock()
		if view.On {
			f.voice.Show(Picture{Frame: i, JPEG: []byte("\xff\xd8 not really \n one")})
		}
	}
	f.voice.Say(Status{State: Ended})
}

// kill ends this process as nothing else does.
func kill() {
	p, _ := os.FindProcess(os.Getpid())
	p.Kill()
	select {}
}

// Read does what the picture's comment says.
func (f *fake) Read(q StillRequest, picture []byte) (seen table.Observation, shown []byte, err error) {
	switch {
	case bytes.Contains(picture, []byte("kill the eye")):
		kill()
	case bytes.Contains(picture, []byte("keep the eye")):
		time.Sleep(time.Hour)
	case bytes.Contains(picture, []byte("be refused")):
		return seen, nil, errors.New("damaged: so it says")
	}
	if q.Show > 0 {
		shown = fmt.Appendf(nil, "at most %d pixels a side\n", q.Show)
	}
	return table.Observation{Game: q.Game, Frame: len(picture), Dice: []table.Reading{}}, shown, nil
}

// fakePath makes the processes that the test starts play the eye, and returns their path.
func fakePath(t *testing.T, how string) string {
	t.Helper()
	t.Setenv(fakeEye, how)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}
