package eye

import (
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestThisMachine(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1": true, "127.9.9.9": true, "::1": true, "::ffff:127.0.0.1": true, "0.0.0.0": true, "::": true,
		"169.254.169.254": true, "fe80::1": true, "224.0.0.1": true, "192.0.2.7": false, "2001:db8::7": false,
	} {
		if got := ThisMachine(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
	mine, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mine {
		if !ThisMachine(netip.MustParsePrefix(m.String()).Addr()) {
			t.Errorf("%s is not this machine's", m)
		}
	}
}

// TestDialer: a name that leads to this machine by the time it is called is not followed.
func TestDialer(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	for host, allowed := range map[string]bool{
		"127.0.0.1": true, "localhost": true, "LOCALHOST": true, "192.0.2.7": true,
		"camera.example": false, "127.1": false, "0x7f000001": false, "": false,
	} {
		// What the name was found to be is dialed, as it is after a lookup.
		conn, err := Dialer(host, time.Minute).Dial("tcp", ln.Addr().String())
		if err == nil {
			conn.Close()
		}
		if (err == nil) != allowed || err != nil && !strings.Contains(err.Error(), "leads to the machine") {
			t.Errorf("%q: %v", host, err)
		}
	}
}
