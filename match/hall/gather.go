package hall

import (
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"diceref/match"
	"diceref/table"
)

// gap is how long what many tables want of the database is gathered, so that it is done in one statement for all of them.
const gap = 20 * time.Millisecond

// gathering is what waits for the next statement. What waits twice is done once, as it was said last.
type gathering[T any] struct {
	mu    sync.Mutex
	waits map[int]T // by table
	some  chan struct{}
}

func newGathering[T any]() *gathering[T] {
	return &gathering[T]{waits: map[int]T{}, some: make(chan struct{}, 1)}
}

// add has something done for a table; before is what waited for it until now.
func (g *gathering[T]) add(n int, v T) (before T, waited bool) {
	g.mu.Lock()
	before, waited = g.waits[n]
	g.waits[n] = v
	g.mu.Unlock()
	select {
	case g.some <- struct{}{}:
	default:
	}
	return before, waited
}

func (g *gathering[T]) take() map[int]T {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := g.waits
	g.waits = map[int]T{}
	return all
}

// each does all that is gathered, again and again, until the hall is closed.
func (g *gathering[T]) each(h *Hall, do func(map[int]T)) {
	for {
		select {
		case <-g.some:
		case <-h.ctx.Done():
			return
		}
		if all := g.take(); len(all) > 0 {
			do(all)
		}
		select {
		case <-time.After(gap):
		case <-h.ctx.Done():
			return
		}
	}
}

// news is a table as the database has it, and what its owner tells of it.
type news struct {
	row
	live, seen sql.NullString
}

func (n news) read() (live match.Snapshot, seen *table.Observation, err error) {
	if n.seen.Valid {
		err = json.Unmarshal([]byte(n.seen.String), &seen)
	}
	if err == nil && n.live.Valid {
		err = json.Unmarshal([]byte(n.live.String), &live)
	}
	return live, seen, err
}

// lookAt reads what is new about some tables, and hands it to them.
func (h *Hall) lookAt(tables map[int]struct{}) {
	list := make([]int32, 0, len(tables))
	for n := range tables {
		list = append(list, int32(n))
	}
	all, err := h.readNews(list)
	if err != nil { // soon again
		select {
		case <-time.After(reconnect):
		case <-h.ctx.Done():
			return
		}
	}
	for n := range tables {
		t := h.at(n)
		if t == nil {
			continue
		}
		found, there := all[n]
		switch {
		case err != nil:
			h.toRead.add(n, struct{}{})
			h.log.Debug("a table cannot be looked at", "table", t.id, "error", err)
			t.stumble(h.explain(err))
		case there:
			t.mu.Lock()
			t.latest = &found
			t.mu.Unlock()
			t.poke(t.news)
		}
	}
}

func (h *Hall) readNews(tables []int32) (map[int]news, error) {
	rows, err := h.db.Query("SELECT "+rowColumns+", live, seen FROM hall_tables LEFT JOIN hall_live USING (n) WHERE n = ANY($1)", tables)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[int]news{}
	for rows.Next() {
		var each news
		if each.row, err = scanRow(func(to ...any) error { return rows.Scan(append(to, &each.live, &each.seen)...) }); err != nil {
			return nil, err
		}
		all[each.n] = each
	}
	return all, rows.Err()
}

// telling is how a match is, for the other processes.
type telling struct {
	live, seen string
	done       chan error
}

// errToldAgain: something newer is told instead.
var errToldAgain = errors.New("something newer is told instead")

// mostTold is how many tables are told of at once: their numbers have to fit into one notification, see longestTold.
const mostTold = 1000

// tellAll writes how some matches are to where the other processes look.
func (h *Hall) tellAll(all map[int]telling) {
	for list := range slices.Chunk(slices.Sorted(maps.Keys(all)), mostTold) { // all processes in the same order
		err := h.tellSome(list, all)
		for _, n := range list {
			all[n].done <- err
		}
	}
}

func (h *Hall) tellSome(list []int, all map[int]telling) error {
	var tables []int32
	var lives, views []string
	for _, n := range list {
		tables, lives, views = append(tables, int32(n)), append(lives, all[n].live), append(views, all[n].seen)
	}
	_, err := h.db.Exec(`WITH written AS (
		INSERT INTO hall_live (n, owner, live, seen)
		SELECT n, $2, live, NULLIF(seen, '') FROM unnest($1::integer[], $3::text[], $4::text[]) AS all_of (n, live, seen)
		WHERE n IN (SELECT n FROM hall_tables)
		ON CONFLICT (n) DO UPDATE SET owner = excluded.owner, live = excluded.live, seen = excluded.seen RETURNING n)
		SELECT pg_notify('`+channel+`', 'live ' || string_agg(n::text, ' ')) FROM written`, tables, h.cfg.Process, lives, views)
	if err != nil {
		return h.explain(err)
	}
	return nil
}
