package match

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the database driver "sqlite", SQLite's own code without cgo
)

//go:embed migrations/*.sql
var migrations embed.FS

//go:embed chain.sql
var chained string

// form is the present form of a journal: the number of its last migration.
const form = 4

// OpenJournal opens a journal for writing, or creates one: a file, or the database at an address (postgres://).
// The error says what is wrong with the file: in use by another program, not writable, of a newer version, no journal at all. One that is damaged is put
// aside whole, what can be read of it begins a new one in its place, and Salvaged says what was lost.
func OpenJournal(path string) (*Journal, error) {
	if IsAddress(path) {
		return openServer(path, true)
	}
	if dir := filepath.Dir(path); dir != "." {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("match: cannot create the journal's folder: %w", err)
		}
	}
	info, err := os.Stat(path)
	lock, err2 := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err2 != nil {
		return nil, fmt.Errorf("match: cannot write the journal: %w", err2)
	}
	if err := takeLock(lock); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("match: journal %s is in use by another program (stop it, or choose another file): %w", path, err)
	}
	j := newFile(path, lock)
	j.Emptied = err == nil && info.Size() == 0
	if err := j.open(); err != nil {
		_ = j.Close()
		return nil, err
	}
	return j, nil
}

// ReadJournal opens a journal to look at it: nothing is written or locked, so that it may be in use by another
// program, or lie where nothing can be written. Of a damaged one it has what can be read, see Salvaged.
func ReadJournal(path string) (*Journal, error) {
	if IsAddress(path) {
		return openServer(path, false)
	}
	im, err := readImage(path)
	if err != nil {
		return nil, err
	}
	j := newFile(path, nil)
	j.readOnly, j.Emptied = true, len(im.bytes) == 0
	if err := j.look(im); err != nil {
		_ = j.Close()
		return nil, err
	}
	return j, nil
}

// newFile is a journal in a file that is not open yet.
func newFile(path string, lock *os.File) *Journal {
	return &Journal{path: path, engine: &file{path: path, lock: lock}}
}

// look makes a journal of an image, in memory.
func (j *Journal) look(im image) error {
	im, db, has, err := check(im)
	if err == nil && has == form && len(im.bytes) > 0 {
		j.db = db
		return nil
	}
	var list []entered
	var d *damage
	switch {
	case errors.As(err, &d):
		list, j.salvaged = gather(im).restore()
		j.salvaged.Why, err = d.what, nil
	case err != nil:
		return j.explain(errors.Join(err, closed(db)))
	case has > 0 && has < form:
		list, err = readOld(db, has)
	}
	if err := errors.Join(err, closed(db)); err != nil {
		return j.explain(err)
	}
	return j.fill(":memory:", list)
}

func closed(db *sql.DB) error {
	if db == nil {
		return nil
	}
	return db.Close()
}

// open opens the file for writing, once it is known that it is sound.
func (j *Journal) open() error {
	if err := j.private(); err != nil {
		return err
	}
	im, err := readImage(j.path)
	if err != nil {
		return err
	}
	im, db, _, err := check(im)
	err = errors.Join(err, closed(db))
	var d *damage
	if errors.As(err, &d) {
		return j.renew(im, d)
	}
	if err == nil && im.stray {
		j.Stray = j.aside() + "-wal"
		err = os.Rename(j.path+"-wal", j.Stray)
	}
	if err != nil {
		return j.explain(err)
	}
	if err := j.connect(j.path); err != nil {
		return err
	}
	syncFolder(j.path)
	return j.private() // the files beside it, too
}

// private keeps others of this machine from reading who played: those who may open the
// file for writing may say so, unless it is somebody else's.
func (j *Journal) private() error {
	for _, end := range []string{"", "-wal", "-shm"} {
		err := os.Chmod(j.path+end, 0o600)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return fmt.Errorf("match: cannot make the journal private: %w", err)
		}
	}
	return nil
}

// connect connects to a file, or to memory, and gives it the present form.
func (j *Journal) connect(path string) error {
	q := url.Values{"_pragma": {
		"busy_timeout(2000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(on)",
		"secure_delete(on)", // what is purged is gone
	}}
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return fmt.Errorf("match: cannot open journal %s: %w", j.path, err)
	}
	j.db = db
	db.SetMaxOpenConns(1) // one writer, and what it wrote is what it reads
	if err := migrate(db); err != nil {
		return j.explain(err)
	}
	// What has been written goes on into the file itself at once, so that a copy of that one
	// file is a backup at any moment, and nothing hangs on the file beside it.
	if _, err := db.Exec("PRAGMA wal_autocheckpoint = 1"); err != nil {
		return j.explain(err)
	}
	return nil
}

// migrate gives a database the present form.
func migrate(db *sql.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("cannot find the migrations: %w", err)
	}
	chain := goose.NewGoMigration(form, &goose.GoFunc{RunTx: chainAll}, nil)
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithGoMigrations(chain))
	if err != nil {
		return fmt.Errorf("cannot prepare the journal: %w", err)
	}
	_, err = p.Up(context.Background())
	return err
}

// chainAll gives a journal of the third form the fourth, in which everything is sealed.
func chainAll(ctx context.Context, tx *sql.Tx) error {
	list, err := readOld(tx, form-1)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DROP TABLE records; DROP TABLE matches; "+chained); err != nil {
		return err
	}
	for _, e := range list {
		if err := enter(tx, &file{}, e); err != nil {
			return err
		}
	}
	return nil
}

// fill connects to a new journal and enters matches into it.
func (j *Journal) fill(path string, list []entered) error {
	if err := j.connect(path); err != nil {
		return err
	}
	tx, err := j.db.Begin()
	if err != nil {
		return j.explain(err)
	}
	defer func() { _ = tx.Rollback() }() // without effect once committed
	for _, e := range list {
		if err := enter(tx, j.engine, e); err != nil {
			return j.explain(err)
		}
	}
	if err := tx.Commit(); err != nil {
		return j.explain(err)
	}
	return nil
}

// enter adds a match with all that happened in it, or nothing, and seals it.
func enter(tx *sql.Tx, to engine, e entered) error {
	at := sealOf(e.id, e.setup, e.imported)
	if _, err := tx.Exec("INSERT INTO matches (id, setup, imported, seal) VALUES ($1, $2, $3, $4)", e.id, e.setup, e.imported, at); err != nil {
		return err
	}
	if _, err := tx.Exec("INSERT INTO heads (match, records, seal) VALUES ($1, 0, $2)", e.id, at); err != nil {
		return err
	}
	if err := to.tally(tx, 1, 0); err != nil {
		return err
	}
	texts := make([]string, len(e.records))
	for i, r := range e.records {
		texts[i] = r.text
	}
	_, err := extend(tx, to, e.id, head{0, at}, texts)
	return err
}

// extend adds records to the end of a match, and returns the new end.
func extend(tx *sql.Tx, to engine, id string, end head, texts []string) (head, error) {
	if len(texts) == 0 {
		return end, nil
	}
	for _, text := range texts {
		end = head{end.records + 1, seal(end.seal, text)}
		if _, err := tx.Exec("INSERT INTO records (match, seq, record, seal) VALUES ($1, $2, $3, $4)", id, end.records, text, end.seal); err != nil {
			return end, err
		}
	}
	if _, err := tx.Exec("UPDATE heads SET records = $1, seal = $2 WHERE match = $3", end.records, end.seal, id); err != nil {
		return end, err
	}
	return end, to.tally(tx, 0, len(texts))
}

// errNewer says that a journal was written by a newer version of the program.
var errNewer = errors.New("written by a newer version of the program")

func newer(has int64) error {
	return fmt.Errorf("%w (its format is %d, this version knows %d)", errNewer, has, form)
}

// errForeign says that a file is something else.
var errForeign = errors.New("not a journal of matches")

// check looks whether an image is a sound journal, of whatever form; the database holds it. The
// error is a *damage where it is a journal and is not sound. A journal that was put in the place of another
// may lie beside the WAL of that one, which would damage it: where it is sound without, that is left out.
func check(im image) (used image, db *sql.DB, has int64, err error) {
	db, has, err = checkOne(im)
	var d *damage
	if im.alone == nil || !errors.As(err, &d) {
		return im, db, has, err
	}
	alone := image{bytes: im.alone, page: pageSize(im.alone), stray: true}
	other, form, bad := checkOne(alone)
	if bad != nil {
		return im, db, has, errors.Join(err, closed(other))
	}
	return alone, other, form, closed(db)
}

// checkOne is check for an image as it is.
func checkOne(im image) (db *sql.DB, has int64, err error) {
	if len(im.bytes) == 0 {
		return nil, 0, nil
	}
	if db, err = im.open(); err != nil {
		return nil, 0, err
	}
	has, err = checkForm(db)
	if err == nil {
		err = checkAll(db, has)
	}
	var d *damage
	if err == nil || errors.As(err, &d) || errors.Is(err, errNewer) || errors.Is(err, errForeign) {
		if d != nil && im.foreign() {
			err = errForeign
		}
		return db, has, err
	}
	// Read from memory, nothing but damage keeps it from being read.
	if im.foreign() {
		return db, has, errForeign
	}
	return db, has, damaged("%s", err)
}

// foreign says whether a file that cannot be read as a journal never was one.
func (im image) foreign() bool {
	n := min(len(magic), len(im.bytes))
	return string(im.bytes[:n]) != magic[:n] && strings.Trim(string(im.bytes), "\x00") != "" && gather(im).empty()
}

// open reads the image as a database in memory, which cannot be written.
func (im image) open() (*sql.DB, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	defer conn.Close()
	if len(im.bytes) > 19 { // in memory there is no file beside it; salvage asks for neither number
		im.bytes[18], im.bytes[19] = min(im.bytes[18], 1), min(im.bytes[19], 1)
	}
	err = conn.Raw(func(c any) error { return c.(interface{ Deserialize([]byte) error }).Deserialize(im.bytes) })
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// checkForm says which form a journal has.
func checkForm(db *sql.DB) (int64, error) {
	var tables, forms int
	if err := db.QueryRow("SELECT COUNT(*), COUNT(*) FILTER (WHERE name = 'goose_db_version') FROM sqlite_master").Scan(&tables, &forms); err != nil {
		return 0, err
	}
	switch {
	case tables == 0: // begun, and nothing more
		return 0, nil
	case forms == 0:
		var ours int
		err := db.QueryRow("SELECT COUNT(*) FROM sqlite_master WHERE name IN ('matches', 'records', 'heads', 'totals')").Scan(&ours)
		if err == nil && ours < 2 {
			err = errForeign
		} else if err == nil {
			err = damaged("it does not say which format it has")
		}
		return 0, err
	}
	rows, err := db.Query("SELECT version_id, is_applied FROM goose_db_version ORDER BY id")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n := int64(0)
	for ; rows.Next(); n++ {
		var version int64
		var applied bool
		if err := rows.Scan(&version, &applied); err != nil {
			return 0, err
		}
		if version != n || !applied {
			return 0, damaged("it does not say which format it has")
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	if n-1 > form {
		return n - 1, newer(n - 1)
	}
	return max(0, n-1), nil
}

// checkAll looks at the pages of a journal, then at what they say.
func checkAll(db *sql.DB, has int64) error {
	var verdict string
	if err := db.QueryRow("PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return damaged("%s", verdict)
	}
	rows, err := db.Query("PRAGMA foreign_key_check")
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		return damaged("it has events of a missing match")
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	if has == form {
		return inspect(db)
	}
	_, err = readOld(db, has)
	return err
}
