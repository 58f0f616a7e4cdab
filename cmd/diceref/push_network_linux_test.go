package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"diceref/match"
	"diceref/match/hall"
	"diceref/match/hall/halltest"
	"diceref/match/postgrestest"
	"diceref/table"
	"diceref/web"
)

var cuts = flag.Int("cuts", 3, "how often TestPushCutNetwork cuts the network")

// elsewhere is a network of its own, as another machine has it: a thread in a namespace, at the other end of a cable.
type elsewhere struct {
	todo       chan func()
	thread     int
	cable      string // this end of it
	here, away net.IP
}

// newElsewhere lays the cable. Only root may, and not in every container: elsewhere the test is skipped. CI has to have
// the program for it.
func newElsewhere(t *testing.T) *elsewhere {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root may make a network namespace, so no network is cut")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("ip is missing (.dev/install network)")
		}
		t.Skip("ip is missing, so no network is cut (.dev/install network)")
	}
	pid := os.Getpid()
	e := &elsewhere{todo: make(chan func()), cable: fmt.Sprintf("dice%d", pid%1000000)}
	e.here, e.away = net.IPv4(198, 18, byte(pid), byte(pid>>8&63<<2|1)), net.IPv4(198, 18, byte(pid), byte(pid>>8&63<<2|2)) // addresses for tests
	ready := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends, and its namespace with it
		e.thread = syscall.Gettid()
		err := syscall.Unshare(syscall.CLONE_NEWNET)
		ready <- err
		for do := range e.todo {
			do()
		}
	}()
	t.Cleanup(func() { close(e.todo) })
	if err := <-ready; err != nil {
		t.Skipf("no network namespace can be made here: %v", err)
	}
	ip(t, "link", "add", e.cable, "type", "veth", "peer", "name", "cable", "netns", fmt.Sprint(e.thread))
	t.Cleanup(func() { ip(t, "link", "del", e.cable) })
	ip(t, "addr", "add", e.here.String()+"/30", "dev", e.cable)
	ip(t, "link", "set", e.cable, "up")
	e.do(func() {
		ip(t, "addr", "add", e.away.String()+"/30", "dev", "cable")
		ip(t, "link", "set", "cable", "up")
	})
	return e
}

func ip(t *testing.T, args ...string) {
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		t.Errorf("ip %s: %v %s", strings.Join(args, " "), err, out)
	}
}

// do does something elsewhere.
func (e *elsewhere) do(what func()) {
	done := make(chan struct{})
	e.todo <- func() { defer close(done); what() }
	<-done
}

// dial connects from elsewhere: a connection belongs to the network in which it was made.
func (e *elsewhere) dial(ctx context.Context, network, address string) (c net.Conn, err error) {
	e.do(func() { c, err = new(net.Dialer).DialContext(ctx, network, address) })
	return c, err
}

// TestPushCutNetwork: what a camera elsewhere sees of a whole game goes to a hall over a network that is cut again and again,
// so that nobody hears that anything was lost. The match is told as it is at home.
func TestPushCutNetwork(t *testing.T) {
	far := newElsewhere(t)
	players := []string{"Ann", "Ben", "Cleo"}
	all := halltest.Recorded(t, filepath.Join(root, "match", "testdata", "dessert-dice.seen.jsonl.gz"))
	home, err := match.New(match.Config{Game: table.DessertDice, Players: players})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		home.See(o)
	}
	h, token := hallAt(t, far.here, players)
	p, err := newPusher("http://"+token.address+"/t/window", token.secret, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	line := &countingLine{RoundTripper: &http.Transport{DialContext: far.dial}}
	p.client = &http.Client{Timeout: 500 * time.Millisecond, Transport: line}
	ended, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- p.run(t.Context(), ended) }()
	rng := rand.New(rand.NewPCG(5, 5))
	sent := 0
	push := func(upTo int) {
		for ; sent < upTo; sent++ {
			p.add(all[sent])
		}
	}
	for n := range *cuts {
		push(len(all) * (2*n + 1) / (2**cuts + 1))
		time.Sleep(time.Duration(rng.IntN(30)) * time.Millisecond) // in the middle of something
		ip(t, "link", "set", far.cable, "down")
		push(len(all) * (2*n + 2) / (2**cuts + 1))
		time.Sleep(time.Duration(rng.IntN(1200)) * time.Millisecond)
		ip(t, "link", "set", far.cable, "up")
	}
	push(len(all))
	close(ended)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if lost := line.lost.Load(); lost == 0 {
		t.Error("nothing was lost: the network was not cut")
	} else {
		t.Logf("%d cuts, %d requests without an answer", *cuts, lost)
	}
	if got, want := linesOf(h.Table("window").Snapshot().Events), linesOf(home.Events()); got != want {
		t.Errorf("the hall tells\n%s\nat home it was\n%s", got, want)
	}
}

// countingLine counts the requests that got no answer.
type countingLine struct {
	http.RoundTripper
	lost atomic.Int32
}

func (l *countingLine) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.RoundTripper.RoundTrip(r)
	if err != nil {
		l.lost.Add(1)
	}
	return answer, err
}

// linesOf is what is told of a match, line by line.
func linesOf(events []match.EventView) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintln(&b, e.Seq, e.Type, e.Player, e.Frame, e.Text)
	}
	return b.String()
}

// seat is where a table's camera sends what it sees.
type seat struct{ address, secret string }

// hallAt serves a hall with one table at an address of this machine.
func hallAt(t *testing.T, at net.IP, players []string) (*hall.Hall, seat) {
	t.Helper()
	h, err := hall.Open(hall.Config{Address: postgrestest.Start(t).Database(t), Process: "0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	added, err := h.Add("Window", "CODE", hall.Setup{Game: table.DessertDice, Players: players})
	if err != nil {
		t.Fatal(err)
	}
	halltest.Await(t, "the match has begun", func() bool { return h.Table("window") != nil && h.Table("window").Owned() })
	ln, err := net.Listen("tcp", net.JoinHostPort(at.String(), "0"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- web.NewHall(web.HallConfig{Tables: newHallTables(h)}).Serve(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return h, seat{ln.Addr().String(), added.Token}
}
