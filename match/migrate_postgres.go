package match

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// journalForms is the table in which goose keeps what form a journal in PostgreSQL has.
const journalForms = goose.DefaultTablename

// How often, in seconds, a program asks whether another one has finished the migrations, and how many times at most.
const (
	askMigrated  = 1
	mostMigrated = 300
)

// MigrateServer brings a database to the newest of some migrations, and returns what it has then: more than that, if a newer
// program was here. The numbers of those that were made are kept in a table of that name. Several programs may start at once,
// so migrations are made under a lock; where there are none to be made, nobody waits for it.
func MigrateServer(db *sql.DB, files fs.FS, forms string) (has int64, err error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(askMigrated, mostMigrated))
	if err != nil {
		return 0, err
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithTableName(forms), goose.WithSessionLocker(locker))
	if err != nil {
		return 0, err
	}
	all := p.ListSources()
	newest := all[len(all)-1].Version
	if has, err = serverForm(db, forms); err != nil || has >= newest {
		return has, err
	}
	if _, err := p.Up(context.Background()); err != nil {
		return has, err
	}
	return serverForm(db, forms)
}

// serverForm is the number of the last migration that was made in a database; 0: none.
func serverForm(db *sql.DB, forms string) (has int64, err error) {
	var there bool
	if err := db.QueryRow("SELECT to_regclass($1) IS NOT NULL", forms).Scan(&there); err != nil || !there {
		return 0, err
	}
	err = db.QueryRow("SELECT COALESCE(MAX(version_id), 0) FROM " + forms).Scan(&has)
	if err != nil {
		return 0, fmt.Errorf("cannot read the form of the database: %w", err)
	}
	return has, nil
}
