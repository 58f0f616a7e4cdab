package web

import (
	"errors"
	"net"
	"sync"
	"time"
)

// Limits of connections. A browser keeps six for each page.
const (
	maxConnections = 4096
	connectionsOf  = 64               // of one address of the network
	idleTime       = 30 * time.Second // that a connection may be kept without a request
)

// Doors makes listeners that let so many connections in that this machine has files left for
// its camera and its journal: half of what it may open, in all of them together. Of one address
// of the network there are at most 64; when all places are taken, who has the most loses the
// oldest one. Connections of the machine itself are always let in.
func Doors() (door func(net.Listener) net.Listener) { return doors(openFiles() / 2) }

func doors(places int) func(net.Listener) net.Listener {
	places = max(16, min(places, maxConnections))
	inside := &crowd{places: places, each: connectionsOf, network: max(places/4, 1)}
	return func(ln net.Listener) net.Listener { return &guardedDoor{ln, inside} }
}

type guardedDoor struct {
	net.Listener
	inside *crowd // of the network
}

// Accept waits for a connection that may come in.
func (d *guardedDoor) Accept() (net.Conn, error) {
	for {
		c, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		v := visitorAt(c.RemoteAddr().String())
		if v.here {
			return c, nil
		}
		leave, ok := d.inside.enter(v, func() { c.Close() })
		if !ok {
			c.Close()
			continue
		}
		return &let{Conn: c, leave: sync.OnceFunc(leave)}, nil
	}
}

// let is a connection that was let in.
type let struct {
	net.Conn
	leave func()
}

// Close gives its place back.
func (l *let) Close() error {
	l.leave()
	return l.Conn.Close()
}

// CloseWrite ends what is said, so that the other side gets all of it.
func (l *let) CloseWrite() error {
	if half, ok := l.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}
