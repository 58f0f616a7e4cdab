package main

import (
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"diceref/web"
	"diceref/web/trust"
)

// network is how other devices get to the page: from the start, where the listener is
// not on this machine alone, or from when somebody at this machine allows it on the page.
type network struct {
	port string          // of the page, on every address
	ips  func() []net.IP // of this machine, the most likely first
	data string          // folder of the certificate; empty: there is none, and no https
	log  *slog.Logger
	door func(net.Listener) net.Listener // bounds how many connections there are

	mu        sync.Mutex
	addresses func() []string // nil: those of opened that this machine still has
	opened    []string        // addresses that were opened from the page
	authority *trust.Authority
	refused   bool // there is no authority, and that has been told

	// answer has the server answer on a listener that was opened while it runs, and tell
	// says where the page is from now on; nil: nothing can be opened.
	answer func(net.Listener) error
	tell   func(addresses []string)
}

// newNetwork lets others open the page where the listener is not on this machine alone:
// https is answered on the same port as http, as phones show their camera to https
// alone. The listeners are those that the server is to answer on.
func (a *app) newNetwork(ln net.Listener) (*network, []net.Listener) {
	n := &network{ips: trust.Addresses, data: a.cfg.Data, log: a.log, door: web.Doors()}
	ln = n.door(ln)
	addr, ok := ln.Addr().(*net.TCPAddr)
	if !ok {
		return n, []net.Listener{ln}
	}
	_, n.port, _ = net.SplitHostPort(addr.String())
	if addr.IP.IsLoopback() {
		return n, []net.Listener{ln}
	}
	if !addr.IP.IsUnspecified() {
		n.ips = func() []net.IP { return []net.IP{addr.IP} }
	}
	n.addresses = n.all
	return n, n.secured(ln)
}

// all are the addresses of this machine with the port of the page.
func (n *network) all() []string {
	var list []string
	for _, ip := range n.ips() {
		list = append(list, net.JoinHostPort(ip.String(), n.port))
	}
	return list
}

// secured is a listener split into one for http and one for https, where there can be https.
func (n *network) secured(ln net.Listener) []net.Listener {
	authority := n.certified()
	if authority == nil {
		return []net.Listener{ln}
	}
	plain, secure := trust.Split(ln, authority.TLS())
	return []net.Listener{plain, secure}
}

// certified is the authority behind https; nil: there is none, which is told once.
func (n *network) certified() *trust.Authority {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.authority != nil || n.refused {
		return n.authority
	}
	err := errors.New("there is no data folder for the certificate (set data)")
	if n.data != "" {
		n.authority, err = trust.Open(filepath.Join(n.data, "tls"), n.ips)
	}
	if err != nil {
		n.refused = true
		n.log.Warn("no HTTPS, so a phone cannot be the camera", "error", strings.TrimPrefix(err.Error(), "trust: "))
		return nil
	}
	if n.authority.Renewed() {
		n.log.Warn("the old certificate could also vouch for other sites, so there is a new one: on phones that trusted the old one, remove it and open /trust again")
	}
	for _, ip := range n.ips() {
		if !n.authority.Covers(ip) {
			n.log.Warn("HTTPS does not cover this address, because it is public", "address", ip)
		}
	}
	return n.authority
}

// Addresses are where other devices can open the page now, the most likely first.
func (n *network) Addresses() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.addresses != nil {
		return n.addresses()
	}
	return slices.DeleteFunc(n.all(), func(address string) bool { return !slices.Contains(n.opened, address) })
}

// Authority is the certificate behind HTTPS; nil: there is only HTTP.
func (n *network) Authority() []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.authority == nil {
		return nil
	}
	return n.authority.Certificate()
}

// Open allows other devices to open the page, at all addresses of this machine. Each address
// gets a separate listener, because the port already belongs to localhost.
func (n *network) Open() error {
	if len(n.ips()) == 0 {
		return &web.Refused{Code: "no-network", Text: "this machine is not on a network: connect it to the Wi-Fi that the other devices use, then try again"}
	}
	var problems []error
	for _, address := range n.all() {
		if slices.Contains(n.Addresses(), address) {
			continue
		}
		if err := n.open(address); err != nil {
			problems = append(problems, err)
		}
	}
	now := n.Addresses()
	if len(now) == 0 {
		return &web.Refused{Code: "no-listen", Text: errors.Join(problems...).Error()}
	}
	if err := errors.Join(problems...); err != nil {
		n.log.Warn("some addresses of this machine could not be opened", "error", err)
	}
	n.tell(now)
	return nil
}

// open has the page answer at one more address.
func (n *network) open(address string) error {
	ln, err := net.Listen("tcp", address)
	if err != nil {
		return listenError(address, err)
	}
	for _, each := range n.secured(n.door(ln)) {
		if err := n.answer(each); err != nil {
			return errors.Join(err, ln.Close())
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.opened = append(n.opened, address)
	return nil
}
