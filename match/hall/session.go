package hall

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// The classes of locks in the database, which tell them from any others: of tables, and of the processes that take some.
const (
	lockClass    = 0x64726566
	processClass = lockClass + 1
)

// How often a process looks for tables that nobody has, and how many it takes at a time, so that
// others get some, too.
const (
	sweep     = 500 * time.Millisecond
	mostTaken = 8
	reconnect = 250 * time.Millisecond
)

// session keeps the one connection that holds this process's locks and hears of changes. When it is lost,
// so are the tables: PostgreSQL gives their locks to others.
func (h *Hall) session() {
	defer close(h.ended)
	for h.ctx.Err() == nil {
		err := h.serve()
		h.setUp(false)
		for _, t := range h.Tables() {
			t.drop()
		}
		if h.ctx.Err() != nil {
			return
		}
		h.log.Warn("the database is gone; trying again", "database", h.name, "error", err)
		for _, t := range h.Tables() {
			t.stumble(errGone)
		}
		select {
		case <-time.After(reconnect):
		case <-h.ctx.Done():
		}
	}
}

// errGone is what the pages of all tables say meanwhile.
var errGone = errors.New("the database cannot be reached; everything that was said until now is kept, and the game goes on when it is back")

func (h *Hall) setUp(up bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.up = up
}

// serve is one session, until its connection is lost or the hall is closed.
func (h *Hall) serve() error {
	conn, err := pgx.ConnectConfig(h.ctx, h.connect)
	if err != nil {
		return err
	}
	defer func() {
		last, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		for _, t := range h.Tables() { // whoever takes one over finds nothing of it under way
			t.drop()
		}
		_ = conn.Close(last) // frees the locks
	}()
	if _, err := conn.Exec(h.ctx, "LISTEN "+channel); err != nil {
		return err
	}
	if !h.cfg.LooksOn {
		if _, err := conn.Exec(h.ctx, "SELECT pg_advisory_lock($1, $2)", processClass, rand.Int32()); err != nil {
			return err
		}
	}
	if err := h.reload(); err != nil { // what was told while nobody listened
		return err
	}
	h.setUp(true)
	for due, clean := time.Now(), time.Now(); ; {
		if now := time.Now(); !now.Before(due) {
			if !h.cfg.LooksOn {
				if err := h.claim(conn); err != nil {
					return err
				}
			}
			if now.After(clean) {
				h.forgetAnswers()
				clean = now.Add(time.Minute)
			}
			due = now.Add(sweep)
		}
		wait, cancel := context.WithDeadline(h.ctx, due)
		told, err := conn.WaitForNotification(wait)
		cancel()
		switch {
		case h.ctx.Err() != nil:
			return nil
		case err == nil:
			if err := h.hear(told.Payload); err != nil {
				return err
			}
		case !errors.Is(err, context.DeadlineExceeded):
			return err
		}
	}
}

// forgetAnswers deletes what was asked long ago: nobody sends it again.
func (h *Hall) forgetAnswers() {
	if _, err := h.db.Exec("DELETE FROM hall_requests WHERE asked < now() - interval '10 minutes'"); err != nil {
		h.log.Debug("old requests cannot be deleted", "error", err)
	}
}

// unowned are the tables whose locks nobody holds.
const unowned = `SELECT n FROM hall_tables t WHERE NOT EXISTS (
	SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid::bigint = $1 AND l.objid::bigint = t.n
	AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`

// processes is how many processes take tables.
const processes = `SELECT count(*) FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid::bigint = $1
	AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`

// claim takes tables that nobody has, up to this process's share, and gives one back if it has more.
func (h *Hall) claim(conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(h.ctx, 5*time.Second)
	defer cancel()
	var others int
	if err := conn.QueryRow(ctx, processes, processClass).Scan(&others); err != nil {
		return err
	}
	tables := h.Tables()
	share := (len(tables) + others - 1) / max(others, 1)
	mine := slices.DeleteFunc(slices.Clone(tables), func(t *Table) bool { return !t.locked() })
	if len(mine) > share {
		return mine[rand.IntN(len(mine))].giveBack(ctx, conn)
	}
	rows, err := conn.Query(ctx, unowned, lockClass)
	if err != nil {
		return err
	}
	free, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return err
	}
	rand.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	for _, n := range free[:min(len(free), mostTaken, share-len(mine))] {
		t := h.at(n)
		if t == nil {
			continue // it is news to us, and comes with the next list
		}
		var got bool
		if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1, $2)", lockClass, n).Scan(&got); err != nil {
			return err
		}
		if got {
			t.take()
		}
	}
	return nil
}

// giveBack lets another process have the table, unless something is being said at it.
func (t *Table) giveBack(ctx context.Context, conn *pgx.Conn) error {
	if !t.applying.TryLock() {
		return nil // the next time
	}
	defer t.applying.Unlock()
	t.drop()
	_, err := conn.Exec(ctx, "SELECT pg_advisory_unlock($1, $2)", lockClass, t.n)
	return err
}

func (h *Hall) at(n int) *Table {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tables[n]
}

// hear follows what another process, or this one, tells.
func (h *Hall) hear(told string) error {
	kind, what, _ := strings.Cut(told, " ")
	switch kind {
	case "tables":
		return h.reload()
	case "answer":
		h.answered(what)
		return nil
	}
	if kind == "live" {
		for n := range strings.FieldsSeq(what) {
			if n, err := strconv.Atoi(n); err == nil {
				if t := h.at(n); t != nil && !t.Owned() { // else it has told that itself
					h.toRead.add(n, struct{}{})
				}
			}
		}
		return nil
	}
	n, err := strconv.Atoi(what)
	if err != nil {
		return nil // not of this version
	}
	if t := h.at(n); t != nil {
		switch kind {
		case "table":
			h.toRead.add(n, struct{}{})
		case "ask":
			t.poke(t.asked)
		}
	}
	return nil
}

// reload reads the list of tables again, and looks for news of each.
func (h *Hall) reload() error {
	rows, err := h.readRows()
	if err != nil {
		return h.explain(err)
	}
	judges, err := h.readReferees()
	if err != nil {
		return h.explain(err)
	}
	there := map[int]bool{}
	h.mu.Lock()
	h.judges = judges
	for _, r := range rows {
		there[r.n] = true
		if t := h.tables[r.n]; t != nil {
			h.toRead.add(r.n, struct{}{})
			t.poke(t.asked)
			continue
		}
		h.tables[r.n] = newTable(h, r)
		h.toRead.add(r.n, struct{}{})
	}
	var gone []*Table
	for n, t := range h.tables {
		if !there[n] {
			gone = append(gone, t)
			delete(h.tables, n)
		}
	}
	h.mu.Unlock()
	for _, t := range gone {
		t.drop()
		t.end()
	}
	h.wake()
	return nil
}
