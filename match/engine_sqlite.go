package match

import (
	"database/sql"
	"errors"
	"fmt"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// file is the engine at home: SQLite, a file that one program at a time writes.
type file struct {
	path string
	lock *os.File // nil: nothing is written
}

// ErrGone: the journal's file was deleted or replaced while it was open.
var ErrGone = errors.New("match: the journal's file was deleted or replaced while the program was running, so nothing can be saved in it")

// check finds out whether the file that has the journal's name is still the one that is written.
func (f *file) check() error {
	ours, err := f.lock.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Stat(f.path); err != nil || !os.SameFile(ours, there) {
		return takenAway(f.path)
	}
	return nil
}

func takenAway(path string) error {
	return fmt.Errorf("%w: put %s back, or start a new match", ErrGone, path)
}

func (f *file) explain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Code() & 0xff { // without the extended code
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("match: journal %s is damaged: restart the program to save what can be read: %w", f.path, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("match: cannot write journal %s: check the permissions of the file and its folder: %w", f.path, err)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("match: cannot write journal %s: the disk may be full, too slow or gone; the match continues from where it was: %w", f.path, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("match: the disk with journal %s is full: free some space; the match continues from where it was: %w", f.path, err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("match: journal %s is in use by another program: %w", f.path, err)
	}
	return nil
}

func (f *file) mend() string { return "restart the program to continue with what can be read, or" }

// snapshot: a transaction of SQLite sees one moment.
func (f *file) snapshot() *sql.TxOptions { return nil }

// unsure: what was not committed is not in the file.
func (f *file) unsure(error) bool { return false }

func (f *file) head(tx *sql.Tx, id string) (head, error) {
	return scanHead(tx.QueryRow(selectHead, id))
}

func (f *file) tally(tx *sql.Tx, matches, records int) error {
	_, err := tx.Exec("UPDATE totals SET matches = matches + $1, records = records + $2", matches, records)
	return err
}

// wipe empties the file beside the journal.
func (f *file) wipe(db *sql.DB) error {
	_, err := db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// close frees the lock.
func (f *file) close() error {
	if f.lock == nil {
		return nil
	}
	return f.lock.Close()
}
