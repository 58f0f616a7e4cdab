package main

import (
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestOpensFromThePage: a table that only this machine could open is opened to the network
// while it runs, over http and https; the code is printed; what this machine has no more is
// not told, and a second time nothing is opened twice.
func TestOpensFromThePage(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	a := &app{stdout: &out, log: slog.New(slog.DiscardHandler)}
	a.cfg.Data, a.cfg.Listen = t.TempDir(), "localhost:0"
	h := newTable(t, a.cfg.Data, "")
	p, err := a.newServer(h, ln)
	if err != nil {
		t.Fatal(err)
	}
	ips := []net.IP{net.IPv4(127, 0, 0, 2)} // stands for an address in the network
	p.network.ips = func() []net.IP { return ips }
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.Serve(ctx, p.listeners...) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	address := "127.0.0.2:" + p.port
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}} //nolint:gosec // the certificate is tried elsewhere
	if r, err := client.Get("http://" + address); err == nil {
		r.Body.Close()
		t.Fatal("it is open before anybody allowed it")
	}
	p.tell()
	if strings.Contains(out.String(), p.code) || len(p.network.Addresses()) > 0 {
		t.Errorf("the code is told while nobody can come: %s", &out)
	}
	for range 2 {
		r, err := client.Post("http://127.0.0.1:"+p.port+"/api/v1/join", "application/json", nil)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode != 200 || !strings.Contains(string(body), address) || !strings.Contains(string(body), p.code) {
			t.Fatalf("%d %s", r.StatusCode, body)
		}
	}
	for _, scheme := range []string{"http", "https"} {
		r, err := client.Get(scheme + "://" + address + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != 200 {
			t.Errorf("%s: %s", scheme, r.Status)
		}
	}
	if !strings.Contains(out.String(), "http://"+address+"/#code="+p.code) {
		t.Errorf("printed: %s", &out)
	}
	ips = nil
	if got := p.network.Addresses(); len(got) > 0 {
		t.Errorf("told %v, which this machine has no more", got)
	}
	if err := p.network.Open(); code(err) != "no-network" {
		t.Errorf("without a network: %v", err)
	}
	if !slices.Contains(p.network.opened, address) || len(p.network.opened) != 1 {
		t.Errorf("opened %v", p.network.opened)
	}
}
