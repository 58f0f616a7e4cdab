package main

import (
	"net"
	"path/filepath"
	"strings"

	"diceref/web/trust"
)

// opening is how other devices get to the page.
type opening struct {
	listeners []net.Listener
	addresses func() []string // host:port, the likeliest first; nil: no other device does
	authority []byte          // behind https (DER); nil: http alone
}

// openTo lets others open the page where the listener is not on this machine alone:
// https is answered on the same port as http, as phones show their camera to
// https alone.
func (a *app) openTo(ln net.Listener) opening {
	r := opening{listeners: []net.Listener{ln}}
	addr, ok := ln.Addr().(*net.TCPAddr)
	if !ok || addr.IP.IsLoopback() {
		return r
	}
	ips := trust.Addresses
	if !addr.IP.IsUnspecified() {
		ips = func() []net.IP { return []net.IP{addr.IP} }
	}
	r.addresses = func() []string {
		var list []string
		for _, ip := range ips() {
			list = append(list, (&net.TCPAddr{IP: ip, Port: addr.Port}).String())
		}
		return list
	}
	if a.cfg.Data == "" {
		a.log.Warn("no https, so no phone as the camera: there is no data folder to keep a certificate in (set data)")
		return r
	}
	authority, err := trust.Open(filepath.Join(a.cfg.Data, "tls"), ips)
	if err != nil {
		a.log.Warn("no https, so no phone as the camera", "error", strings.TrimPrefix(err.Error(), "trust: "))
		return r
	}
	if authority.Renewed() {
		a.log.Warn("the old certificate could vouch for other sites too, so there is a new one: phones that trusted the old one should remove it and open /trust again")
	}
	for _, ip := range ips() {
		if !authority.Covers(ip) {
			a.log.Warn("https does not hold for this address, as it is a public one", "address", ip)
		}
	}
	plain, secure := trust.Split(ln, authority.TLS())
	r.listeners, r.authority = []net.Listener{plain, secure}, authority.Certificate()
	return r
}
