package match

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"diceref/calibration"
	"diceref/table"
)

// Journal stores matches. Every event is committed to the disk before anybody hears of it. It is a file
// that only one program at a time may open for writing, or a database that many programs share.
type Journal struct {
	path     string // its file, or its address without the password
	db       *sql.DB
	engine   engine
	readOnly bool
	gone     atomic.Bool // what it wrote last is nowhere
	salvaged *Salvage

	// Emptied is true if the file existed but was empty, without even a format: it may have held matches once.
	Emptied bool
	// Stray is where a file was moved that was next to the journal but belonged to another one; empty: there was none.
	Stray string

	told   sync.Mutex // holds summed
	summed map[string]summed
	going  sync.Mutex        // holds live
	live   map[string]*Match // the matches that go on: each is written by one alone
}

// Setting is how a match was set up: the part of a Config that a journal stores.
type Setting struct {
	ID      string          `json:"id"`
	Created time.Time       `json:"created"`
	Game    table.Game      `json:"game"`
	Players []string        `json:"players"`
	Options map[string]any  `json:"options,omitempty"`
	Owners  [][]table.Color `json:"owners,omitempty"`
	// Zones of the table, for a game without a board.
	Zones []calibration.Zone `json:"zones,omitempty"`
	// Files are what the owner filled in. The match is replayed with these copies.
	Files   map[string]json.RawMessage `json:"files,omitempty"`
	Program string                     `json:"program,omitempty"` // version that began the match
	Model   string                     `json:"model,omitempty"`
	Follows string                     `json:"follows,omitempty"` // the match of which this one is the rematch
	Table   string                     `json:"table,omitempty"`   // of a hall, at which it is played
	Kind    string                     `json:"kind,omitempty"`    // of what is no match, see leagueKind
	// Lost is the number of last events that were lost when a damaged journal was saved.
	Lost int `json:"lost,omitempty"`

	imported bool  // it was played somewhere else
	damaged  error // why it cannot be continued; its contents may be wrong
}

// config is the configuration that makes the match again, without a journal.
func (s Setting) config() Config {
	return Config{ID: s.ID, Game: s.Game, Players: s.Players, Options: s.Options, Owners: s.Owners, Files: s.Files, Zones: s.Zones, Program: s.Program, Model: s.Model, Follows: s.Follows, Table: s.Table}
}

// explain turns a driver's error into one that says what to do.
func (j *Journal) explain(err error) error {
	var d *damage
	switch {
	case errors.As(err, &d):
		return fmt.Errorf("match: the journal is damaged (%w): %s restore %s from a backup", err, j.engine.mend(), j.path)
	case errors.Is(err, errNewer):
		return fmt.Errorf("match: journal %s was %w: use that one, or choose another file", j.path, err)
	case errors.Is(err, errForeign):
		return fmt.Errorf("match: journal %s is damaged, or is not a journal: restore it from a backup, or choose another file", j.path)
	}
	if advice := j.engine.explain(err); advice != nil {
		return advice
	}
	return fmt.Errorf("match: journal %s: %w", j.path, err)
}

// Name is the journal's file, or its address without the password.
func (j *Journal) Name() string { return j.path }

// Damage says what of the matches is not as it was written, a line for each match.
func (j *Journal) Damage() (list []string, err error) {
	matches, err := readMatches(j.db, "")
	if err != nil {
		return nil, j.explain(err)
	}
	for _, e := range matches {
		_, err := j.entered(e.id)
		var d *damage
		switch {
		case errors.As(err, &d):
			list = append(list, d.what)
		case err != nil && !errors.Is(err, ErrNoMatch): // else it was purged meanwhile
			return list, err
		}
	}
	return list, nil
}

// Close releases the database.
func (j *Journal) Close() error {
	return errors.Join(closed(j.db), j.engine.close()) // in this order: a file's lock goes last
}

// Check returns ErrGone if the journal can no longer be written, because its file was deleted or replaced.
func (j *Journal) Check() error {
	switch {
	case j.readOnly:
		return fmt.Errorf("match: journal %s is open for reading only", j.path)
	case j.gone.Load():
		return takenAway(j.path)
	}
	err := j.engine.check()
	if err != nil && !errors.Is(err, ErrGone) {
		return j.explain(err)
	}
	return err
}

// write changes the journal in one go, and returns when that is on the disk, where the journal's name leads.
func (j *Journal) write(change func(*sql.Tx) error) error {
	if err := j.Check(); err != nil {
		return err
	}
	tx, err := j.db.Begin()
	if err != nil {
		return j.explain(err)
	}
	defer func() { _ = tx.Rollback() }() // without effect once committed
	if err := change(tx); err != nil {
		return j.explain(err)
	}
	if err := tx.Commit(); err != nil {
		return &uncommitted{j.explain(err), err}
	}
	if err := j.Check(); err != nil { // it went meanwhile, with what was written: that counts for nothing
		j.gone.Store(true)
		return err
	}
	return nil
}

// uncommitted is an error with which a commit ended.
type uncommitted struct {
	error
	cause error
}

func (u *uncommitted) Unwrap() error { return u.error }

// begin notes a new match.
func (j *Journal) begin(s Setting) error { return j.add(s, nil, false) }

// add notes a match with all that happened in it, or nothing; imported says that it was played elsewhere.
func (j *Journal) add(s Setting, records []Record, imported bool) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("match: cannot write the set-up: %w", err)
	}
	e := entered{id: s.ID, setup: string(text), imported: imported}
	texts, err := textsOf(records)
	for _, t := range texts {
		e.records = append(e.records, sealedText{text: t})
	}
	if err != nil {
		return err
	}
	return j.enter(e)
}

// enter notes what is new with all that happened in it.
func (j *Journal) enter(e entered) error {
	return j.write(func(tx *sql.Tx) error {
		if _, err := tx.Exec("DELETE FROM purged WHERE match = $1", e.id); err != nil {
			return err
		}
		return enter(tx, j.engine, e)
	})
}

// append writes records, all or none, and returns when they are on the disk.
func (j *Journal) append(id string, records ...Record) error {
	texts, err := textsOf(records)
	if err != nil || len(texts) == 0 {
		return err
	}
	return j.appendTexts(id, records[0].Seq, texts)
}

// appendTexts writes records that go on from a number.
func (j *Journal) appendTexts(id string, from int64, texts []string) error {
	var end head
	err := j.write(func(tx *sql.Tx) error {
		now, err := j.engine.head(tx, id)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return fmt.Errorf("%w: %.60q", ErrNoMatch, id)
		case err != nil:
			return err
		case from != now.records+1:
			return fmt.Errorf("event %d does not follow event %d of match %.60q: %w", from, now.records, id, ErrBehind)
		}
		end, err = extend(tx, j.engine, id, now, texts)
		return err
	})
	var u *uncommitted
	if errors.As(err, &u) && j.kept(id, end, u.cause) {
		return nil
	}
	return err
}

func textsOf(records []Record) ([]string, error) {
	texts := make([]string, len(records))
	for i, r := range records {
		text, err := json.Marshal(r)
		if err != nil {
			return nil, fmt.Errorf("match: cannot write event %d: %w", r.Seq, err)
		}
		texts[i] = string(text)
	}
	return texts, nil
}

// Matches lists the matches in the journal, newest first, including those whose set-up is damaged.
func (j *Journal) Matches() ([]Setting, error) {
	entries, err := readMatches(j.db, "")
	if err != nil {
		return nil, j.explain(err)
	}
	list := make([]Setting, 0, len(entries))
	for _, e := range slices.Backward(entries) {
		s, err := j.setting(e)
		if err != nil { // it keeps nobody from the others
			s.ID, s.damaged = e.id, err
		}
		if s.Kind != "" {
			continue
		}
		list = append(list, s)
	}
	return list, nil
}

// lengths is the number of the last record of every match.
func (j *Journal) lengths() (map[string]int64, error) {
	heads, err := readHeads(j.db)
	if err != nil {
		return nil, j.explain(err)
	}
	list := map[string]int64{}
	for id, h := range heads {
		list[id] = h.records
	}
	return list, nil
}

// Setting is the set-up of one match; ErrNoMatch if there is no such match.
func (j *Journal) Setting(id string) (Setting, error) {
	list, err := readMatches(j.db, id)
	switch {
	case err != nil:
		return Setting{}, j.explain(err)
	case id == "" || len(list) == 0:
		return Setting{}, fmt.Errorf("%w: %.60q", ErrNoMatch, id)
	}
	s, err := j.setting(list[0])
	if s.Kind != "" {
		return Setting{}, fmt.Errorf("%w: %.60q", ErrNoMatch, id)
	}
	return s, err
}

// setting reads a set-up. What it says is told with an error, too, as far as it can be read.
func (j *Journal) setting(e entered) (s Setting, err error) {
	s.imported = e.imported
	err = json.Unmarshal([]byte(e.setup), &s)
	switch {
	case !bytes.Equal(e.seal, sealOf(e.id, e.setup, e.imported)):
		return s, j.explain(damaged("the set-up of match %.60q has changed since it was written", e.id))
	case err != nil:
		return s, fmt.Errorf("match: journal %s: cannot read the set-up of %.60q: %w", j.path, e.id, err)
	}
	return s, nil
}

// ErrNoMatch: the journal has no such match.
var ErrNoMatch = errors.New("match: no such match")

// Records is everything that happened in a match, in order.
func (j *Journal) Records(id string) ([]Record, error) {
	e, err := j.entered(id)
	if err != nil {
		return nil, err
	}
	if s, err := j.setting(e); err == nil && s.Kind != "" {
		return nil, fmt.Errorf("%w: %.60q", ErrNoMatch, id)
	}
	return j.decode(e.records)
}

// decode reads the texts of records.
func (j *Journal) decode(texts []sealedText) ([]Record, error) {
	records := make([]Record, len(texts))
	for i, r := range texts {
		if err := json.Unmarshal([]byte(r.text), &records[i]); err != nil {
			return nil, fmt.Errorf("match: journal %s: cannot read event %d: %w", j.path, r.seq, err)
		}
	}
	return records, nil
}

// entered is a match as it was written, once it is known that nothing of it has changed since.
func (j *Journal) entered(id string) (e entered, err error) {
	tx, err := j.db.BeginTx(context.Background(), j.engine.snapshot())
	if err != nil {
		return e, j.explain(err)
	}
	defer func() { _ = tx.Rollback() }()
	list, err := readMatches(tx, id)
	if err != nil {
		return e, j.explain(err)
	}
	if id == "" || len(list) == 0 {
		return e, fmt.Errorf("%w: %.60q", ErrNoMatch, id)
	}
	e = list[0]
	if e.records, err = readRecords(tx, id, 1); err != nil {
		return e, j.explain(err)
	}
	end, err := scanHead(tx.QueryRow(selectHead, id))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		err = damaged("the end of match %.60q is unknown", id)
	case err == nil:
		err = e.check(end)
	}
	if err != nil {
		return e, j.explain(err)
	}
	return e, nil
}
