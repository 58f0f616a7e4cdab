package web

import (
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// visitor is who asks, as the limits know them.
type visitor struct {
	address string // one machine, as far as can be told
	network string // what has so many addresses that it is limited as a whole, too; empty: nothing
	here    bool   // the table's own machine
	friend  bool   // who gave the table's code lately
}

// visiting says who asks. What a proxy on this machine passes on counts for the address that
// the proxy names; as that may be made up, all that comes through it is limited as a whole, too.
func (g *guard) visiting(r *http.Request) visitor {
	v := visitorAt(r.RemoteAddr)
	if v.here && !local(r) {
		v = visitor{address: "proxy " + forwardedFor(r), network: "proxy"}
	}
	v.here = v.here && !g.hall
	v.friend = g.friends.has(v.address)
	return v
}

// visitorAt is the machine at an address. Whoever has one address of IPv6 has a whole /64 of them, but
// so have all others of the same network.
func visitorAt(remote string) visitor {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return visitor{address: remote}
	}
	a := at.Addr().Unmap().WithZone("")
	v := visitor{address: a.String(), here: a.IsLoopback()}
	if p, err := a.Prefix(64); err == nil && a.Is6() && !v.here {
		v.network = p.String()
	}
	return v
}

// local says whether a request comes from this machine. Behind a proxy every
// request does, so one that a proxy forwarded never counts as local.
func local(r *http.Request) bool {
	for _, h := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if r.Header.Get(h) != "" {
			return false
		}
	}
	return visitorAt(r.RemoteAddr).here
}

// forwardedFor is the address that the last proxy wrote down; empty: none that is one.
func forwardedFor(r *http.Request) string {
	for _, header := range []string{"X-Forwarded-For", "X-Real-Ip"} {
		hops := strings.Split(strings.Join(r.Header.Values(header), ","), ",")
		last := strings.TrimSpace(hops[len(hops)-1])
		if a, err := netip.ParseAddr(last); err == nil {
			return a.Unmap().WithZone("").String()
		}
		if a, err := netip.ParseAddrPort(last); err == nil {
			return a.Addr().Unmap().WithZone("").String()
		}
	}
	return ""
}

// friendship is how long an address is known to have the table's code.
const friendship = 12 * time.Hour

// friends are the addresses that gave the table's code.
type friends struct {
	mu  sync.Mutex
	now func() time.Time
	who map[string]time.Time
}

func newFriends() *friends { return &friends{now: time.Now, who: map[string]time.Time{}} }

func (f *friends) add(address string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.who) >= maxClients {
		clear(f.who) // nobody has so many friends
	}
	f.who[address] = f.now()
}

func (f *friends) has(address string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, ok := f.who[address]
	return ok && f.now().Sub(at) < friendship
}
