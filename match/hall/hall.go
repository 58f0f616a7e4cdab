// Package hall is many tables whose matches are in one journal that any number of processes share. None of them leads:
// a table belongs to the process that holds its lock in the database, and to another one seconds after that has died.
// The others show it from the journal, and hand on what is said to it.
package hall

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"diceref/match"
)

// Config is what a process of a hall needs. Address is required.
type Config struct {
	Address string // of the database: postgres://...
	Process string // how this process is called; empty: by chance
	Program string // its version, for the journal
	Log     *slog.Logger
	LooksOn bool // it takes no tables: for commands that only set something up
}

// Hall is the hall as one process sees it.
type Hall struct {
	cfg     Config
	log     *slog.Logger
	name    string          // of the database, without its password
	connect *pgx.ConnConfig // for the session that holds the locks
	db      *sql.DB
	journal *match.Journal
	ctx     context.Context // until Close
	stop    context.CancelFunc
	ended   chan struct{} // closed when the session has ended

	mu      sync.Mutex
	tables  map[int]*Table
	changed chan struct{}
	up      bool                         // the session is there
	judges  map[[sha256.Size]byte]string // the names of referees, by the sums of their codes
	waiting map[asking][]chan answer

	toRead *gathering[struct{}] // tables of which there is news
	toTell *gathering[telling]  // those of which this process tells
}

// Open opens a hall. It runs until it is closed.
func Open(cfg Config) (*Hall, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Process == "" {
		cfg.Process = rand.Text()[:8]
	}
	journal, err := match.OpenJournal(cfg.Address)
	if err != nil {
		return nil, err
	}
	h := &Hall{cfg: cfg, log: cfg.Log, journal: journal, tables: map[int]*Table{}, changed: make(chan struct{}), waiting: map[asking][]chan answer{}, ended: make(chan struct{}), toRead: newGathering[struct{}](), toTell: newGathering[telling]()}
	h.ctx, h.stop = context.WithCancel(context.Background())
	err = h.openTables()
	if err != nil {
		return nil, errors.Join(err, h.closeDatabase())
	}
	go h.toRead.each(h, h.lookAt)
	go h.toTell.each(h, h.tellAll)
	go h.session()
	return h, nil
}

// openTables makes the hall's own tables in the database, and reads them.
func (h *Hall) openTables() error {
	var err error
	if h.connect, h.name, err = match.ServerConfig(h.cfg.Address); err != nil {
		return err
	}
	pool := h.connect.Copy()
	h.db = stdlib.OpenDB(*pool)
	h.db.SetMaxOpenConns(mostConnections)
	h.db.SetMaxIdleConns(mostConnections)
	if err := migrate(h.db); err != nil {
		return h.explain(err)
	}
	return h.reload()
}

// mostConnections is how many connections a process opens beside those of the journal.
const mostConnections = 10

func (h *Hall) explain(err error) error { return fmt.Errorf("hall: %s: %w", h.name, err) }

// Journal is the journal of all matches.
func (h *Hall) Journal() *match.Journal { return h.journal }

// Close gives all tables back, so that other processes take them over at once.
func (h *Hall) Close() error {
	h.stop()
	<-h.ended
	return h.closeDatabase()
}

func (h *Hall) closeDatabase() error {
	var err error
	if h.db != nil {
		err = h.db.Close()
	}
	return errors.Join(err, h.journal.Close())
}

// Ready says why this process cannot serve now; nil: it can.
func (h *Hall) Ready(ctx context.Context) error {
	h.mu.Lock()
	up := h.up
	h.mu.Unlock()
	if !up {
		return errors.New("hall: the database cannot be reached")
	}
	if err := h.db.PingContext(ctx); err != nil {
		return h.explain(err)
	}
	return nil
}

// Tables is all tables, in the order in which they were set up.
func (h *Hall) Tables() []*Table {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]*Table, 0, len(h.tables))
	for _, t := range h.tables {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *Table) int { return a.n - b.n })
	return list
}

// Table is the table of that name; nil: there is none.
func (h *Hall) Table(id string) *Table {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range h.tables {
		if t.id == id {
			return t
		}
	}
	return nil
}

// Changed is closed at the next change of any table.
func (h *Hall) Changed() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changed
}

func (h *Hall) wake() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.changed)
	h.changed = make(chan struct{})
}
