package web

import (
	"errors"
	"net"
	"net/http"
	"testing"
)

// TestLetIn: other devices are let in by whoever sits at the machine, from diceref's own page,
// and by nobody else; the code does not do, as it is for playing.
func TestLetIn(t *testing.T) {
	far := from("192.168.1.9:4000")
	knows := with(CodeHeader, "ABCD2345")
	for _, test := range []struct {
		name   string
		edit   func(*http.Request)
		status int
		open   bool
	}{
		{"the page itself", with("Origin", "http://localhost:8080"), 200, true},
		{"a program here", nil, 200, true},
		{"another site", with("Origin", "https://evil.example"), 403, false},
		{"a page of no site", with("Origin", "null"), 403, false},
		{"another site in the same browser", with("Sec-Fetch-Site", "cross-site"), 403, false},
		{"a name that was pointed here", func(r *http.Request) { r.Host = "evil.example" }, 421, false},
		{"from the network", far, 403, false},
		{"from the network with the code", both(far, knows), 403, false},
		{"through a proxy, with the code", both(with("X-Forwarded-For", "127.0.0.1"), knows), 403, false},
	} {
		s, h := hosted(t)
		s.cfg.Open, s.cfg.Addresses = h.letIn, h.addresses
		a := call(t, s.Handler(), "POST", "/api/v1/join", "", test.edit)
		if a.status != test.status || h.open != test.open {
			t.Errorf("%s: %d, open %v: %s", test.name, a.status, h.open, a.body)
		}
	}
	s, _ := hosted(t)
	if a := call(t, s.Handler(), "POST", "/api/v1/join", "", nil); a.status != 503 {
		t.Errorf("where it cannot be: %d", a.status)
	}
	s.cfg.Open = func() error { return &Refused{Code: "no-network", Text: "no network"} }
	if a := call(t, s.Handler(), "POST", "/api/v1/join", "", nil); a.status != 422 {
		t.Errorf("without a network: %d", a.status)
	}
	s.cfg.Open = func() error { return errors.New("odd") }
	if a := call(t, s.Handler(), "POST", "/api/v1/join", "", nil); a.status != 500 {
		t.Errorf("without a reason: %d", a.status)
	}
}

// TestAnswerAfterTheEnd: a listener that comes when the server has stopped is closed.
func TestAnswerAfterTheEnd(t *testing.T) {
	s, _ := hosted(t)
	close(s.closing)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Answer(ln); err == nil {
		t.Error("no error")
	}
	if _, err := ln.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the listener is left open: %v", err)
	}
}
