package halltest

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// Elsewhere is a network of its own, as another machine has it: a thread in a namespace, at the other end of a cable.
type Elsewhere struct {
	*Cable
	todo   chan func()
	thread int
}

// Cable leads from here to elsewhere.
type Cable struct {
	Here, Away net.IP // the addresses of its ends

	far        *Elsewhere
	here, away string // the ends themselves
}

// cables is how many were laid.
var cables atomic.Uint32

// NewElsewhere lays the cable. The test runs Alone.
func NewElsewhere(t testing.TB) *Elsewhere {
	t.Helper()
	e := &Elsewhere{todo: make(chan func())}
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
		t.Fatal(err)
	}
	e.Cable = e.Lay(t)
	return e
}

// Lay lays a cable to the same place. Each can be cut by itself.
func (e *Elsewhere) Lay(t testing.TB) *Cable {
	t.Helper()
	n := cables.Add(1)
	c := &Cable{far: e, here: fmt.Sprintf("dice%d-%d", os.Getpid()%1000000, n), away: fmt.Sprint("cable", n)}
	c.Here, c.Away = testAddresses(uint32(os.Getpid()), n)
	ip(t, "link", "add", c.here, "type", "veth", "peer", "name", c.away, "netns", fmt.Sprint(e.thread))
	t.Cleanup(func() { ip(t, "link", "del", c.here) })
	ip(t, "addr", "add", c.Here.String()+"/30", "dev", c.here)
	ip(t, "link", "set", c.here, "up")
	e.do(func() {
		ip(t, "addr", "add", c.Away.String()+"/30", "dev", c.away)
		ip(t, "link", "set", c.away, "up")
	})
	return c
}

// testAddresses are those of the nth cable of a process, among the addresses that are kept for tests: 198.18.0.0/15.
func testAddresses(pid, n uint32) (here, away net.IP) {
	network := binary.BigEndian.Uint32([]byte{198, 18, 0, 0}) + (pid*16+n)%(1<<15)*4
	end := func(k uint32) net.IP { return binary.BigEndian.AppendUint32(nil, network+k) }
	return end(1), end(2)
}

func ip(t testing.TB, args ...string) {
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		t.Errorf("ip %s: %v %s", strings.Join(args, " "), err, out)
	}
}

// Cut makes the cable swallow what is sent from elsewhere, so that nobody there hears that anything is lost.
func (c *Cable) Cut(t testing.TB) { ip(t, "link", "set", c.here, "down") }

// CutAway makes it swallow what is sent from here.
func (c *Cable) CutAway(t testing.TB) {
	c.far.do(func() { ip(t, "link", "set", c.away, "down") })
}

// Mend ends the cut.
func (c *Cable) Mend(t testing.TB) {
	ip(t, "link", "set", c.here, "up")
	c.far.do(func() { ip(t, "link", "set", c.away, "up") })
}

// do does something elsewhere.
func (e *Elsewhere) do(what func()) {
	done := make(chan struct{})
	e.todo <- func() { defer close(done); what() }
	<-done
}

// Dial connects from elsewhere: a connection belongs to the network in which it was made.
func (e *Elsewhere) Dial(ctx context.Context, network, address string) (c net.Conn, err error) {
	e.do(func() { c, err = new(net.Dialer).DialContext(ctx, network, address) })
	return c, err
}

// Start starts a program elsewhere.
func (e *Elsewhere) Start(cmd *exec.Cmd) (err error) {
	e.do(func() { err = cmd.Start() })
	return err
}
