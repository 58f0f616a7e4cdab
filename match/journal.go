package match

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3" // the database driver "sqlite3"
	"github.com/pressly/goose/v3"

	"diceref/calibration"
	"diceref/table"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Journal is the file that keeps matches: every event is in it, synced to the
// disk, before anybody is told of it. One program at a time has it open.
type Journal struct {
	path string
	lock *os.File
	db   *sql.DB

	told   sync.Mutex // holds summed
	summed map[string]summed
}

// Setting is how a match was set up: what a journal keeps of a Config.
type Setting struct {
	ID      string          `json:"id"`
	Created time.Time       `json:"created"`
	Game    table.Game      `json:"game"`
	Players []string        `json:"players"`
	Options map[string]any  `json:"options,omitempty"`
	Owners  [][]table.Color `json:"owners,omitempty"`
	// Zones of the table, for a game without a board.
	Zones []calibration.Zone `json:"zones,omitempty"`
	// Files are what the owner filled in; the match is replayed with them as they were.
	Files   map[string]json.RawMessage `json:"files,omitempty"`
	Program string                     `json:"program,omitempty"` // version that began the match
	Model   string                     `json:"model,omitempty"`
	Follows string                     `json:"follows,omitempty"` // the match that this one is the rematch of
}

// config is the configuration that makes the match again, without a journal.
func (s Setting) config() Config {
	return Config{ID: s.ID, Game: s.Game, Players: s.Players, Options: s.Options, Owners: s.Owners, Files: s.Files, Zones: s.Zones, Program: s.Program, Model: s.Model, Follows: s.Follows}
}

// OpenJournal opens or creates a journal. The error says what is wrong with the
// file: in use by another program, damaged, not writable, of a newer version.
func OpenJournal(path string) (*Journal, error) {
	if dir := filepath.Dir(path); dir != "." {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("match: cannot create the journal's folder: %w", err)
		}
	}
	lock, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("match: cannot write the journal: %w", err)
	}
	if err := takeLock(lock); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("match: journal %s is in use by another program (stop it, or give another file): %w", path, err)
	}
	j := &Journal{path: path, lock: lock}
	if err := j.open("rw"); err != nil {
		_ = j.Close()
		return nil, err
	}
	return j, nil
}

// open prepares the database; mode is SQLite's: rw or ro.
func (j *Journal) open(mode string) error {
	q := url.Values{
		"mode": {mode}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"},
		"_foreign_keys": {"on"}, "_busy_timeout": {"2000"},
	}
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: j.path}).EscapedPath(), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite3", u.String())
	if err != nil {
		return fmt.Errorf("match: cannot open journal %s: %w", j.path, err)
	}
	j.db = db
	db.SetMaxOpenConns(1) // one writer, and what it wrote is what it reads
	var verdict string
	if err := db.QueryRow("PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return j.explain(err)
	}
	if verdict != "ok" {
		return fmt.Errorf("match: journal %s is damaged (%s): restore it from a copy, or give another file", j.path, verdict)
	}
	if err := j.migrate(context.Background()); err != nil {
		return err
	}
	// What has been written goes on into the file itself at once, so that a copy of that one
	// file is a backup at any moment, and nothing hangs on the file beside it.
	if _, err := db.Exec("PRAGMA wal_autocheckpoint = 1"); err != nil {
		return j.explain(err)
	}
	return nil
}

// migrate gives the file the form of this version; one of a newer version is left alone.
func (j *Journal) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("match: cannot find the migrations: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, j.db, files)
	if err != nil {
		return fmt.Errorf("match: cannot prepare journal %s: %w", j.path, err)
	}
	has, err := p.GetDBVersion(ctx)
	if err != nil {
		return j.explain(err)
	}
	forms := p.ListSources()
	if last := forms[len(forms)-1].Version; has > last {
		return fmt.Errorf("match: journal %s was written by a newer version of the program (its form is %d, this one knows %d): use that one, or give another file", j.path, has, last)
	}
	if _, err := p.Up(ctx); err != nil {
		return j.explain(err)
	}
	return nil
}

// explain turns a driver's error into one that says what to do.
func (j *Journal) explain(err error) error {
	var e sqlite3.Error
	if errors.As(err, &e) {
		switch e.Code {
		case sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
			return fmt.Errorf("match: journal %s is damaged or no journal: restore it from a copy, or give another file: %w", j.path, err)
		case sqlite3.ErrReadonly, sqlite3.ErrPerm, sqlite3.ErrCantOpen:
			return fmt.Errorf("match: journal %s cannot be written: check the file's and its folder's permissions: %w", j.path, err)
		case sqlite3.ErrIoErr:
			return fmt.Errorf("match: journal %s cannot be written: is its disk full, too slow or gone? The match goes on from where it was: %w", j.path, err)
		case sqlite3.ErrFull:
			return fmt.Errorf("match: the disk that holds journal %s is full: free some space; the match goes on from where it was: %w", j.path, err)
		case sqlite3.ErrBusy, sqlite3.ErrLocked:
			return fmt.Errorf("match: journal %s is in use by another program: %w", j.path, err)
		}
	}
	return fmt.Errorf("match: journal %s: %w", j.path, err)
}

// Close releases the file.
func (j *Journal) Close() error {
	var err error
	if j.db != nil {
		err = j.db.Close()
	}
	return errors.Join(err, j.lock.Close()) // last: closing it frees the lock
}

// begin notes a new match.
func (j *Journal) begin(s Setting) error { return j.add(s, nil) }

// add notes a match with all that happened in it, or nothing.
func (j *Journal) add(s Setting, records []Record) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("match: cannot write the set-up: %w", err)
	}
	tx, err := j.db.Begin()
	if err != nil {
		return j.explain(err)
	}
	defer func() { _ = tx.Rollback() }() // without effect once committed
	_, err = tx.Exec("INSERT INTO matches (id, created, setup, program, model, sum) VALUES (?, ?, ?, ?, ?, ?)",
		s.ID, s.Created.UTC().Format(time.RFC3339Nano), text, s.Program, s.Model, sumOf(s.ID, text))
	if err != nil {
		return j.explain(err)
	}
	return j.insert(tx, s.ID, records)
}

// append writes records, all or none, and returns when they are on the disk.
func (j *Journal) append(id string, records ...Record) error {
	tx, err := j.db.Begin()
	if err != nil {
		return j.explain(err)
	}
	defer func() { _ = tx.Rollback() }() // without effect once committed
	return j.insert(tx, id, records)
}

// insert adds records and commits.
func (j *Journal) insert(tx *sql.Tx, id string, records []Record) error {
	for _, r := range records {
		text, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("match: cannot write event %d: %w", r.Seq, err)
		}
		if _, err := tx.Exec("INSERT INTO records (match, seq, record, sum) VALUES (?, ?, ?, ?)", id, r.Seq, text, sumOf(id, text)); err != nil {
			return j.explain(err)
		}
	}
	if err := tx.Commit(); err != nil {
		return j.explain(err)
	}
	return nil
}

// Matches lists the matches in the journal, the newest first.
func (j *Journal) Matches() ([]Setting, error) {
	rows, err := j.db.Query("SELECT id, setup, sum FROM matches ORDER BY created DESC, id")
	if err != nil {
		return nil, j.explain(err)
	}
	defer rows.Close()
	var list []Setting
	for rows.Next() {
		s, err := j.setting(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, rows.Err()
}

// lengths is the number of the last record of every match.
func (j *Journal) lengths() (map[string]int64, error) {
	rows, err := j.db.Query("SELECT match, MAX(seq) FROM records GROUP BY match")
	if err != nil {
		return nil, j.explain(err)
	}
	defer rows.Close()
	list := map[string]int64{}
	for rows.Next() {
		var id string
		var seq int64
		if err := rows.Scan(&id, &seq); err != nil {
			return nil, j.explain(err)
		}
		list[id] = seq
	}
	return list, rows.Err()
}

// Setting is the set-up of one match; ErrNoMatch if there is none of that name.
func (j *Journal) Setting(id string) (Setting, error) {
	s, err := j.setting(j.db.QueryRow("SELECT id, setup, sum FROM matches WHERE id = ?", id))
	if errors.Is(err, sql.ErrNoRows) {
		return s, fmt.Errorf("%w: %.60q", ErrNoMatch, id)
	}
	return s, err
}

// setting reads a set-up from a row of its match, its text and its sum.
func (j *Journal) setting(row interface{ Scan(into ...any) error }) (s Setting, err error) {
	var id, text string
	var sum sql.NullInt64
	switch err := row.Scan(&id, &text, &sum); {
	case errors.Is(err, sql.ErrNoRows):
		return s, err
	case err != nil:
		return s, j.explain(err)
	case sum.Valid && sum.Int64 != sumOf(id, []byte(text)):
		return s, j.changed("the set-up", id)
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return s, fmt.Errorf("match: journal %s: cannot read the set-up of %.60q: %w", j.path, id, err)
	}
	return s, nil
}

// changed is the error where a text is not as it was written.
func (j *Journal) changed(what, id string) error {
	return fmt.Errorf("match: %s of match %.60q is damaged: it has changed since it was written; restore %s from a copy, or give another file", what, id, j.path)
}

// sumOf is the sum by which a text about a match is known to be as it was written.
func sumOf(id string, text []byte) int64 {
	return int64(crc32.Update(crc32.ChecksumIEEE([]byte(id)), crc32.IEEETable, text))
}

// ErrNoMatch says that the journal has no match of that name.
var ErrNoMatch = errors.New("match: no such match")

// Records is everything that happened in a match, in order.
func (j *Journal) Records(id string) ([]Record, error) {
	rows, err := j.db.Query("SELECT record, sum FROM records WHERE match = ? ORDER BY seq", id)
	if err != nil {
		return nil, j.explain(err)
	}
	defer rows.Close()
	var list []Record
	for rows.Next() {
		var text string
		var sum sql.NullInt64
		var r Record
		if err := rows.Scan(&text, &sum); err != nil {
			return nil, j.explain(err)
		}
		if sum.Valid && sum.Int64 != sumOf(id, []byte(text)) {
			return nil, j.changed(fmt.Sprintf("event %d", len(list)+1), id)
		}
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			return nil, fmt.Errorf("match: journal %s: cannot read event %d: %w", j.path, len(list)+1, err)
		}
		if r.Seq != int64(len(list)+1) {
			return nil, fmt.Errorf("match: journal %s: event %d of match %s is missing", j.path, len(list)+1, id)
		}
		list = append(list, r)
	}
	if err := rows.Err(); err != nil {
		return nil, j.explain(err)
	}
	return list, nil
}
