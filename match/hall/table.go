package hall

import (
	"context"
	"fmt"
	"sync"
	"time"

	"diceref/match"
	"diceref/rules"
	"diceref/table"
)

// Table is one table of a hall as this process sees it: it owns its match, or looks on.
type Table struct {
	hall *Hall
	n    int
	id   string
	ctx  context.Context // until the table, or the hall, is gone
	end  context.CancelFunc

	news  chan struct{} // something was told about the table
	asked chan struct{} // something was said at another process

	mu      sync.Mutex
	row     row
	owned   *match.Match       // nil: another process has it, or nobody
	mine    bool               // the lock is this process's
	gone    chan struct{}      // closed when owned is no longer shown
	copied  *match.Match       // the match as the journal has it; nil: nobody has looked on yet
	latest  *news              // what was read last of how it is set up, and what its owner tells
	live    match.Snapshot     // what the owner tells of it: no events, no state
	seen    *table.Observation // what the camera sees; nil: nothing yet
	told    *table.Observation // what the others are told that it sees: it trembles less
	toldAt  time.Time          // when they were
	shows   int64              // how many observations this process has shown to the match
	trouble error
	changed chan struct{}

	applying sync.Mutex    // held while something is said at the owner's
	saw      chan struct{} // the camera sees something else
}

func newTable(h *Hall, r row) *Table {
	t := &Table{hall: h, n: r.n, id: r.id, row: r, news: make(chan struct{}, 1), asked: make(chan struct{}, 1), saw: make(chan struct{}, 1), changed: make(chan struct{})}
	t.ctx, t.end = context.WithCancel(h.ctx)
	go t.follow()
	return t
}

// poke says that there is something to look at. What is said twice is looked at once.
func (t *Table) poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// follow looks at what is told about the table. What fails is done again soon: nobody may tell it a second time.
func (t *Table) follow() {
	for {
		var err error
		var again chan struct{}
		select {
		case <-t.ctx.Done():
			return
		case <-t.news:
			err, again = t.refresh(), t.news
		case <-t.asked:
			err, again = t.answer(), t.asked
		}
		switch {
		case err == nil:
			t.stumble(nil)
		case t.ctx.Err() == nil:
			t.hall.log.Debug("a table cannot be looked at", "table", t.id, "error", err)
			t.stumble(err)
			time.AfterFunc(reconnect, func() { t.poke(again) })
		}
	}
}

// stumble notes what the trouble is with the table; nil: there is none any more.
func (t *Table) stumble(err error) {
	t.mu.Lock()
	same := err == nil && t.trouble == nil
	t.trouble = err
	t.mu.Unlock()
	if !same {
		t.wake()
	}
}

// ID is the table's name in addresses.
func (t *Table) ID() string { return t.id }

// Name is what people call the table.
func (t *Table) Name() string { return t.now().name }

// Code is what the table's players have to know.
func (t *Table) Code() string { return t.now().code }

// Token is what the table's camera has to know.
func (t *Table) Token() string { return t.now().token }

// Setup is what is played.
func (t *Table) Setup() Setup { return t.now().setup }

// Help is since when the players ask for a referee; zero: they do not.
func (t *Table) Help() time.Time { return t.now().help }

func (t *Table) now() row {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.row
}

// Owned says whether this process has the table.
func (t *Table) Owned() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.owned != nil
}

// Done is closed when the table, or the hall, is gone.
func (t *Table) Done() <-chan struct{} { return t.ctx.Done() }

// wake tells whoever waits for a change; the table is not locked.
func (t *Table) wake() {
	t.mu.Lock()
	close(t.changed)
	t.changed = make(chan struct{})
	t.mu.Unlock()
	t.hall.wake()
}

// Changed is closed at the next change.
func (t *Table) Changed() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changed
}

// refresh takes in what is new about a table: how it is set up, and what its owner tells.
func (t *Table) refresh() error {
	t.mu.Lock()
	latest := t.latest
	t.mu.Unlock()
	if latest == nil {
		return nil
	}
	live, seen, err := latest.read()
	if err != nil {
		return t.hall.explain(err)
	}
	r := latest.row
	t.mu.Lock()
	copied, owned := t.copied, t.owned
	if owned != nil { // what is played is this process's to say, and what was read may be older
		r.match, r.setup, r.setupText, r.begun = t.row.match, t.row.setup, t.row.setupText, t.row.begun
	}
	t.row = r
	if owned == nil {
		t.live = live
		if seen != nil && (t.seen == nil || t.seen.Frame != seen.Frame || t.seen.T != seen.T) {
			t.seen = seen
		}
	}
	t.mu.Unlock()
	// Most often only the camera sees something else.
	current := copied != nil && live.ID == r.match && copied.Setting().ID == r.match && copied.Seq() >= live.Seq
	if copied != nil && owned == nil && !current {
		if err := t.catchUp(r.match, copied); err != nil {
			return err
		}
	}
	t.wake()
	return nil
}

// Seen is what the table's camera has seen last; nil: nothing.
func (t *Table) Seen() *table.Observation {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.seen
}

// Observations is how many observations this process has shown to the table's match.
func (t *Table) Observations() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shows
}

// catchUp brings the copy up to what the journal has, or makes one of another match.
func (t *Table) catchUp(id string, copied *match.Match) error {
	if id == "" {
		return nil
	}
	if copied != nil && copied.Setting().ID == id {
		return t.hall.journal.CatchUp(copied)
	}
	m, err := match.Reread(t.hall.journal, id)
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.copied = m
	t.mu.Unlock()
	t.lookAgain() // while it was read, another match may have begun, or this one gone on
	return nil
}

// lookAgain has the database asked for what is new about the table.
func (t *Table) lookAgain() { t.hall.toRead.add(t.n, struct{}{}) }

// shown is the match that this process shows: its own, or a copy, which is made when somebody first looks; nil:
// there is none yet.
func (t *Table) shown() *match.Match {
	t.mu.Lock()
	owned, copied, id := t.owned, t.copied, t.row.match
	t.mu.Unlock()
	if owned != nil || copied != nil {
		if owned != nil {
			return owned
		}
		return copied
	}
	if err := t.catchUp(id, nil); err != nil {
		t.mu.Lock()
		t.trouble = err
		t.mu.Unlock()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.copied
}

// Live is the state of the match without its events, as the owner tells it.
func (t *Table) Live() match.Snapshot {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.live
	if t.trouble != nil && s.Trouble == "" {
		s.Trouble = t.trouble.Error()
	}
	return s
}

// Snapshot is the current state of the match.
func (t *Table) Snapshot() match.Snapshot {
	m := t.shown()
	t.mu.Lock()
	live, owned, trouble, setup := t.live, t.owned, t.trouble, t.row.setup
	t.mu.Unlock()
	if m == nil {
		s := match.Snapshot{Game: setup.Game, Players: setup.Players, Phase: match.PhaseWaiting, State: struct{}{}, Events: []match.EventView{}}
		if trouble != nil {
			s.Trouble = trouble.Error()
		}
		return s
	}
	s := m.Snapshot()
	if m != owned && live.ID == s.ID && live.Seq == s.Seq {
		events, state, sheets, revision := s.Events, s.State, s.Sheets, s.Revision
		s = live
		s.Events, s.State, s.Sheets, s.Revision = events, state, sheets, revision
	}
	if trouble != nil && s.Trouble == "" {
		s.Trouble = trouble.Error()
	}
	return s
}

// Legal, Why, Hints and Hint judge by what this process knows of the match.
func (t *Table) Legal(with []string, from, limit int) match.Acts {
	if m := t.shown(); m != nil {
		return m.Legal(with, from, limit)
	}
	return match.Acts{Acts: []match.ActView{}}
}

// Why judges an act without playing it.
func (t *Table) Why(act string) (match.Judgment, error) {
	if m := t.shown(); m != nil {
		return m.Why(act)
	}
	return match.Judgment{}, errNobody
}

// Hints points out possible acts.
func (t *Table) Hints() match.Hints {
	if m := t.shown(); m != nil {
		return m.Hints()
	}
	return match.Hints{}
}

// Hint lists good acts.
func (t *Table) Hint(card string) ([]rules.Suggestion, error) {
	if m := t.shown(); m != nil {
		return m.Hint(card)
	}
	return nil, errNobody
}

// errNobody: the table's match cannot be had now.
var errNobody = fmt.Errorf("hall: no server has this table right now; try again in a moment")
