package web

import (
	"sync"
	"time"
)

// limiter is a bucket of tokens for each address: burst at once, then one every
// interval. A network of many addresses has one too, wholeNetwork times as large. It
// remembers a bounded number of them.
type limiter struct {
	mu       sync.Mutex
	burst    float64
	every    time.Duration
	now      func() time.Time
	who      map[string]bucket
	networks map[string]bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

const (
	maxClients   = 4096
	wholeNetwork = 8 // addresses' worth that a network is given
)

func newLimiter(burst int, every time.Duration) *limiter {
	return &limiter{burst: float64(burst), every: every, now: time.Now, who: map[string]bucket{}, networks: map[string]bucket{}}
}

// allow takes a token if there is one.
func (l *limiter) allow(v visitor) bool { return l.take(v, 1) }

// left says whether there is a token, and leaves it there.
func (l *limiter) left(v visitor) bool { return l.take(v, 0) }

// take takes so many tokens if there is one left. What others of a network do is not held
// against somebody who has the table's code.
func (l *limiter) take(v visitor, tokens float64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	shared := v.network != "" && !v.friend
	all := bucket{tokens: 1}
	if shared {
		all = l.fill(l.networks, v.network, wholeNetwork, now)
	}
	if all.tokens < 1 {
		return false
	}
	one := l.fill(l.who, v.address, 1, now)
	if one.tokens < 1 {
		return false
	}
	one.tokens -= tokens
	all.tokens -= tokens
	l.who[v.address] = one
	if shared {
		l.networks[v.network] = all
	}
	return true
}

// fill is a bucket as it is by now; sizes is how many times the usual one it holds.
func (l *limiter) fill(all map[string]bucket, who string, sizes float64, now time.Time) bucket {
	b, known := all[who]
	if !known {
		if len(all) >= maxClients {
			l.forget(all, sizes, now)
		}
		return bucket{l.burst * sizes, now}
	}
	return bucket{min(l.burst*sizes, b.tokens+sizes*float64(now.Sub(b.at))/float64(l.every)), now}
}

// forget drops the buckets that are full again; if none is, all.
func (l *limiter) forget(all map[string]bucket, sizes float64, now time.Time) {
	for who, b := range all {
		if b.tokens+sizes*float64(now.Sub(b.at))/float64(l.every) >= l.burst*sizes {
			delete(all, who)
		}
	}
	if len(all) >= maxClients {
		clear(all)
	}
}
