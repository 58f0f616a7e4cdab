package match

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// engine is the database that keeps a journal. The tables, and what is asked of them, are the same in
// every engine: SQL with numbered parameters ($1). An engine has what differs.
type engine interface {
	// check returns why the journal can no longer be written; nil: it can.
	check() error
	// explain says what to do about an error of the database; nil: it is none of those that the engine knows.
	explain(err error) error
	// mend says what can be done about damage other than restoring a backup; empty: nothing.
	mend() string
	// snapshot is how a transaction begins that reads the journal as it is at one moment.
	snapshot() *sql.TxOptions
	// unsure says whether a change may have been kept, though its commit ended with this error.
	unsure(err error) bool
	// head is how far a match has come once nobody else changes it, until the transaction ends.
	head(tx *sql.Tx, id string) (head, error)
	// tally notes how many matches and records a change adds.
	tally(tx *sql.Tx, matches, records int) error
	// wipe sees to it that nothing is left of what was purged.
	wipe(db *sql.DB) error
	// close releases what the engine holds beside the database.
	close() error
}

// IsAddress says whether a journal is named by the address of a database, and not by a file.
func IsAddress(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}

// ErrBehind: somebody else has written to the match, which has to be read again before it goes on.
var ErrBehind = errors.New("match: another program has changed this match")

const selectHead = "SELECT records, seal FROM heads WHERE match = $1"

// scanHead reads what selectHead answers.
func scanHead(row *sql.Row) (h head, err error) {
	err = row.Scan(&h.records, &h.seal)
	return h, err
}

// kept says whether a change whose commit ended with an error was kept all the same: the match ends with it.
func (j *Journal) kept(id string, end head, err error) bool {
	if !j.engine.unsure(err) {
		return false
	}
	tx, err := j.db.BeginTx(context.Background(), nil)
	if err != nil {
		return false
	}
	defer func() { _ = tx.Rollback() }() // it only looks
	now, err := j.engine.head(tx, id)
	return err == nil && now.is(end)
}
