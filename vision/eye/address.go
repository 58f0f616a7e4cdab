package eye

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// ThisMachine reports whether an address belongs to this machine, or is link-local.
func ThisMachine(a netip.Addr) bool {
	a = a.Unmap()
	if a.IsLoopback() || a.IsUnspecified() || a.IsLinkLocalUnicast() || a.IsMulticast() {
		return true
	}
	mine, _ := net.InterfaceAddrs() // none: only what is told by the address itself
	for _, m := range mine {
		if p, err := netip.ParsePrefix(m.String()); err == nil && p.Addr().Unmap() == a.WithZone("") {
			return true
		}
	}
	return false
}

// Dialer connects to the machine of a camera's address within a time. What a name leads to is
// judged when it is connected to, as it may be another machine than when it was looked up
// before: no name but localhost leads to this machine itself.
func Dialer(host string, within time.Duration) *net.Dialer {
	d := &net.Dialer{Timeout: within}
	if _, err := netip.ParseAddr(host); err == nil || strings.EqualFold(host, "localhost") {
		return d
	}
	d.Control = func(_, address string, _ syscall.RawConn) error {
		if at, err := netip.ParseAddrPort(address); err != nil || ThisMachine(at.Addr()) {
			return fmt.Errorf("%s leads to the machine that runs diceref: use localhost if you mean that", host)
		}
		return nil
	}
	return d
}
