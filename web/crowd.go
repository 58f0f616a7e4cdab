package web

import "sync"

// crowd are those that stay for a while: open streams, uploads, connections. Places are kept for
// the table's own machine and for those who have the table's code. Where there is no place
// left, whoever takes up the most gives the oldest one up to somebody who has fewer.
type crowd struct {
	places  int // in all
	here    int // of these, for the table's own machine alone
	friends int // of these, for it and for those who have the code
	each    int // for one address of the network
	network int // for a network of many addresses

	mu     sync.Mutex
	guests []*guest       // the oldest first
	by     map[string]int // of each address and network
	ranks  [3]int         // of each rank
}

// The ranks of guests: who comes to keep a place is never sent away for one of a lower rank.
const (
	stranger = iota
	friend
	owner
)

func (v visitor) rank() int {
	switch {
	case v.here:
		return owner
	case v.friend:
		return friend
	}
	return stranger
}

// guest is one that stays.
type guest struct {
	visitor
	leave func() // ends its stay
}

// enter lets somebody stay if there is a place. leave is called if that is needed for somebody else;
// done gives it back, and may be called more than once.
func (c *crowd) enter(v visitor, leave func()) (done func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[string]int{}
	}
	if !v.here && c.each > 0 && c.by[v.address] >= c.each {
		return nil, false
	}
	if v.rank() == stranger && v.network != "" && c.network > 0 && c.by[v.network] >= c.network &&
		!c.makeRoom(v, func(g *guest) bool { return g.network == v.network && g.rank() == stranger }) {
		return nil, false
	}
	if !c.room(v.rank()) && !c.makeRoom(v, func(g *guest) bool { return g.rank() <= v.rank() }) {
		return nil, false
	}
	g := &guest{v, leave}
	c.guests = append(c.guests, g)
	c.count(g, 1)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.remove(g)
	}, true
}

// room says whether there is a place for one of a rank.
func (c *crowd) room(rank int) bool {
	strangers, friends := c.ranks[stranger], c.ranks[stranger]+c.ranks[friend]
	all := friends + c.ranks[owner]
	switch rank {
	case stranger:
		return strangers < c.places-c.here-c.friends && friends < c.places-c.here && all < c.places
	case friend:
		return friends < c.places-c.here && all < c.places
	}
	return all < c.places
}

// makeRoom sends away the oldest of those who take up the most, of some.
func (c *crowd) makeRoom(v visitor, of func(*guest) bool) bool {
	var last *guest
	for _, g := range c.guests {
		switch {
		case !of(g), last != nil && g.rank() > last.rank():
		case last == nil, g.rank() < last.rank(), c.by[g.address] > c.by[last.address]:
			last = g
		}
	}
	if last == nil || last.rank() == v.rank() && c.by[last.address] <= c.by[v.address] {
		return false
	}
	c.remove(last)
	go last.leave()
	return true
}

// remove takes a guest off the list, if it is there.
func (c *crowd) remove(g *guest) {
	for i, other := range c.guests {
		if other == g {
			c.guests = append(c.guests[:i], c.guests[i+1:]...)
			c.count(g, -1)
			return
		}
	}
}

func (c *crowd) count(g *guest, by int) {
	c.ranks[g.rank()] += by
	for _, who := range []string{g.address, g.network} {
		if who == "" {
			continue
		}
		if c.by[who] += by; c.by[who] == 0 {
			delete(c.by, who)
		}
	}
}

// size is how many there are now.
func (c *crowd) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.guests)
}
