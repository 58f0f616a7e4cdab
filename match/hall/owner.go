package hall

import (
	"encoding/json"
	"errors"
	"time"

	"diceref/match"
)

// take goes on with a table whose lock this process has got.
func (t *Table) take() {
	t.mu.Lock()
	t.mine = true
	t.mu.Unlock()
	go func() {
		for {
			err := t.resume()
			if err == nil {
				t.poke(t.asked) // what was said while nobody had it
				return
			}
			if t.ctx.Err() != nil || !t.locked() {
				return
			}
			t.hall.log.Warn("a table cannot go on", "table", t.id, "error", err)
			t.stumble(err)
			select {
			case <-time.After(reconnect):
			case <-t.ctx.Done():
			}
		}
	}()
}

func (t *Table) locked() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.mine
}

// resume shows the table's match as this process's own, from the journal; the first one begins.
func (t *Table) resume() error {
	t.applying.Lock()
	defer t.applying.Unlock()
	return t.resumeNow()
}

// resumeNow is resume while nothing is said.
func (t *Table) resumeNow() error {
	r, err := t.hall.readRow(t.n)
	if err != nil {
		return t.hall.explain(err)
	}
	if r.match == "" {
		return t.beginNow(r.setup, "first", match.Source{})
	}
	m, err := match.Resume(t.hall.journal, r.match, nil)
	if err != nil {
		return err
	}
	t.show(r, m)
	return nil
}

// beginNow begins a match at this table; key is the request for it.
func (t *Table) beginNow(s Setup, key string, from match.Source) error {
	if t.now().begun == key {
		return nil // it was asked for again
	}
	c := t.now().drawn(s).config()
	c.Journal, c.Program, c.From, c.Table, c.Shown = t.hall.journal, t.hall.cfg.Program, from, t.id, t.shownBefore()
	m, err := match.New(c)
	if err != nil {
		return err
	}
	return t.setMatch(m, s, key)
}

// shownBefore is how far the match at this table has seen its camera.
func (t *Table) shownBefore() match.Shown {
	t.mu.Lock()
	m := t.owned
	t.mu.Unlock()
	if m == nil {
		return match.Shown{}
	}
	return m.Shown()
}

// setMatch makes a match the table's present one.
func (t *Table) setMatch(m *match.Match, s Setup, key string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = t.hall.db.Exec("UPDATE hall_tables SET match = $1, setup = $2, begun = $3 WHERE n = $4", m.Setting().ID, string(text), key, t.n)
	if err != nil {
		return errors.Join(t.hall.explain(err), m.Close())
	}
	r, err := t.hall.readRow(t.n)
	if err != nil {
		return errors.Join(t.hall.explain(err), m.Close())
	}
	t.show(r, m)
	return nil
}

// show makes a match the one that this process owns at the table, if the lock is still its own.
func (t *Table) show(r row, m *match.Match) {
	gone := make(chan struct{})
	t.mu.Lock()
	if !t.mine {
		t.mu.Unlock()
		_ = m.Close() // only ends who listens
		return
	}
	old := t.leave()
	t.row, t.owned, t.gone, t.copied, t.trouble = r, m, gone, nil, nil
	t.mu.Unlock()
	if old != nil {
		_ = old.Close() // only ends who listens
	}
	go t.publish(m, gone)
	t.wake()
}

// leave takes the owned match away; t.mu is held. It is shown on as what the journal has, which it is.
func (t *Table) leave() *match.Match {
	old := t.owned
	if old != nil {
		close(t.gone)
		t.copied = old
	}
	t.owned = nil
	return old
}

// drop ends this process's owning the table. The match stays in the journal.
func (t *Table) drop() {
	t.mu.Lock()
	t.mine = false
	old := t.leave()
	t.mu.Unlock()
	if old != nil {
		_ = old.Close() // only ends who listens
		t.lookAgain()
		t.wake()
	}
}

// leastGap is the time between two things that are told about a match: what happens in between comes together.
const leastGap = 50 * time.Millisecond

// publish tells the other processes how a match is, for as long as it is shown.
func (t *Table) publish(m *match.Match, gone <-chan struct{}) {
	last := ""
	for {
		changed := m.Changed()
		s := m.Snapshot()
		s.Events, s.State = nil, nil
		text, err := json.Marshal(s)
		view := t.view()
		if now := string(text) + view; err == nil && now != last {
			last = now
			err = t.tell(s, string(text), view)
		}
		if err != nil {
			last = "" // to be told again
			t.hall.log.Debug("the other servers were not told", "table", t.id, "error", err)
			changed = nil // soon, whatever happens
		}
		t.wake()
		var again <-chan time.Time
		if err != nil {
			again = time.After(time.Second)
		}
		if errors.Is(m.Err(), match.ErrBehind) { // somebody else has written to it
			if err := t.resume(); err == nil {
				return
			}
			again = time.After(time.Second)
		}
		select {
		case <-changed:
		case <-t.saw:
		case <-again:
		case <-gone:
			return
		}
		select {
		case <-time.After(leastGap):
		case <-gone:
			return
		}
	}
}

// view is what the others are told that the camera sees, as JSON; empty: there is none.
func (t *Table) view() string {
	t.mu.Lock()
	seen := t.told
	t.mu.Unlock()
	if seen == nil {
		return ""
	}
	text, err := json.Marshal(seen)
	if err != nil {
		return ""
	}
	return string(text)
}

// tell writes how the match is to where the other processes look.
func (t *Table) tell(s match.Snapshot, text, view string) error {
	t.mu.Lock()
	t.live = s
	t.mu.Unlock()
	told := telling{text, view, make(chan error, 1)}
	if before, waited := t.hall.toTell.add(t.n, told); waited {
		before.done <- errToldAgain
	}
	select {
	case err := <-told.done:
		return err
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
}
