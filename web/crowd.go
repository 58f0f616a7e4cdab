package web

import (
	"net/http"
	"sync"
)

// Limits of requests that stay open: pages that look on, and pictures that are waited for.
const (
	maxStreams = 256 // a page has two: what happens, and the picture
	maxOfOne   = 48  // of one address of the network, so that nobody can shut the others out
	maxSpare   = 32  // for the table's own machine, whatever comes from the network
)

// crowd counts the requests that stay open.
type crowd struct {
	mu  sync.Mutex
	all int
	by  map[string]int // of each address of the network
}

// enter lets a request stay if there is room for it; leave ends its stay.
func (c *crowd) enter(r *http.Request) (leave func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	who := ""
	if !local(r) {
		if who = client(r); c.by[who] >= maxOfOne || c.all >= maxStreams-maxSpare {
			return nil, false
		}
	}
	if c.all >= maxStreams {
		return nil, false
	}
	c.all++
	c.by[who]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all--
		if c.by[who]--; c.by[who] == 0 {
			delete(c.by, who)
		}
	}, true
}

// size is how many there are now.
func (c *crowd) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all
}
