package match

// Subscription is one listener to a match's events. Each event arrives once and in order.
type Subscription struct {
	C       <-chan EventView // closed when the match is closed or the listener was too slow
	c       chan EventView
	match   *Match
	dropped bool
}

// patience is how many events a listener may lag behind before it is dropped.
const patience = 64

// Subscribe delivers every event with a number above after, starting with past ones.
// A listener that falls too far behind is dropped (C is closed and Dropped is
// true): take a Snapshot, and subscribe again after its Seq.
func (m *Match) Subscribe(after int64) *Subscription {
	m.mu.Lock()
	defer m.mu.Unlock()
	var missed []EventView
	for _, e := range m.log {
		if e.Seq > after {
			missed = append(missed, e)
		}
	}
	c := make(chan EventView, len(missed)+patience)
	for _, e := range missed {
		c <- e
	}
	s := &Subscription{C: c, c: c, match: m}
	if m.closed {
		close(c)
		return s
	}
	m.audience = append(m.audience, s)
	return s
}

// Dropped reports whether the listener was too slow. It is valid once C is closed.
func (s *Subscription) Dropped() bool {
	s.match.mu.Lock()
	defer s.match.mu.Unlock()
	return s.dropped
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.match.mu.Lock()
	defer s.match.mu.Unlock()
	for i, o := range s.match.audience {
		if o == s {
			s.match.audience = append(s.match.audience[:i:i], s.match.audience[i+1:]...)
			s.end()
			return
		}
	}
}

func (s *Subscription) end() { close(s.c) }

// publish reports an event to all, never waiting for any. m.mu is held.
func (m *Match) publish(e EventView) {
	kept := m.audience[:0:0]
	for _, s := range m.audience {
		select {
		case s.c <- e:
			kept = append(kept, s)
		default:
			s.dropped = true
			s.end()
		}
	}
	m.audience = kept
}
