package trust

import (
	"bufio"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"time"
)

// firstByte is how long a connection may take to say anything.
const firstByte = 10 * time.Second

// tlsHandshake is the first byte of every TLS connection; HTTP begins with a letter.
const tlsHandshake = 0x16

// Split answers HTTP and HTTPS on one port, so that there is one address to
// remember and one port to open: what begins a TLS handshake comes out of
// secure, everything else out of plain. Closing either closes the listener.
func Split(ln net.Listener, cfg *tls.Config) (plain, secure net.Listener) {
	s := &split{Listener: ln, done: make(chan struct{}), closed: sync.OnceValue(ln.Close)}
	p := &branch{split: s, conns: make(chan net.Conn)}
	t := &branch{split: s, conns: make(chan net.Conn)}
	go s.accept(p, t)
	return p, tls.NewListener(t, cfg)
}

// split is the listener that both branches share.
type split struct {
	net.Listener
	once   sync.Once
	done   chan struct{} // closed with the listener
	err    error         // why accepting ended; set before done is closed
	closed func() error  // closes the listener, once
}

func (s *split) accept(plain, secure *branch) {
	for {
		c, err := s.Listener.Accept()
		if err != nil {
			var temporary interface{ Temporary() bool }
			if errors.As(err, &temporary) && temporary.Temporary() {
				time.Sleep(50 * time.Millisecond) // no file descriptors left, most likely
				continue
			}
			s.end(err)
			return
		}
		go s.sort(c, plain, secure)
	}
}

// sort hands a connection to the branch that its first byte asks for.
func (s *split) sort(c net.Conn, plain, secure *branch) {
	r := bufio.NewReaderSize(c, 1024)
	_ = c.SetReadDeadline(time.Now().Add(firstByte))
	first, err := r.Peek(1)
	if err != nil || c.SetReadDeadline(time.Time{}) != nil {
		c.Close()
		return
	}
	to := plain
	if first[0] == tlsHandshake {
		to = secure
	}
	select {
	case to.conns <- &peeked{Conn: c, r: r}:
	case <-s.done:
		c.Close()
	}
}

func (s *split) end(err error) {
	s.once.Do(func() {
		s.err = err
		close(s.done)
	})
}

// Close closes the listener under both branches.
func (s *split) Close() error {
	s.end(net.ErrClosed)
	return s.closed()
}

// branch is one of the two listeners.
type branch struct {
	*split
	conns chan net.Conn
}

// Accept waits for the next connection of this kind.
func (b *branch) Accept() (net.Conn, error) {
	select {
	case c := <-b.conns:
		return c, nil
	case <-b.done:
		return nil, b.err
	}
}

// peeked is a connection whose first bytes were looked at already.
type peeked struct {
	net.Conn
	r *bufio.Reader
}

func (p *peeked) Read(b []byte) (int, error) { return p.r.Read(b) }
