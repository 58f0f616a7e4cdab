package match

import (
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

//go:embed migrations/postgres/*.sql
var postgresMigrations embed.FS

// server is the engine of a hall: PostgreSQL, which many programs write at a time. That nothing is
// written twice, or over something, is the chain's business: a record has one place in its match, and
// who comes second is told so. There are no totals, which would make every table wait for every other.
type server struct{ address string } // without the password

// mostConnections is how many connections one journal opens at most; PostgreSQL allows 100 in all, if nobody changed that.
const mostConnections = 10

// unheard is how many milliseconds something that was sent may stay without an answer from the other machine. A hall's table
// is free for others when PostgreSQL gives up its owner, so this and a few tries are less than the five seconds of a takeover.
const unheard = 3000

// connectTime is how long one attempt to connect may take: long enough for a packet that is lost once, and short enough
// for a second attempt.
const connectTime = 2 * time.Second

// ServerConfig reads a journal's address. Neither the name that it returns for messages nor an error holds the password.
func ServerConfig(address string) (cfg *pgx.ConnConfig, name string, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, "", errors.New("match: cannot read the address of the journal (expected postgres://user:password@host:5432/database)")
	}
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if u.User.Username() != "" {
		shown.User = url.User(u.User.Username())
	}
	open := *u // with everything but passwords
	open.User = shown.User
	q := open.Query()
	for key := range q {
		if strings.Contains(key, "password") {
			q.Del(key)
		}
	}
	open.RawQuery = q.Encode()
	if _, err := pgx.ParseConfig(open.String()); err != nil {
		return nil, "", fmt.Errorf("match: cannot use journal %s: %w", shown.String(), errors.Unwrap(err))
	}
	if cfg, err = pgx.ParseConfig(address); err != nil {
		return nil, "", fmt.Errorf("match: cannot use journal %s: its password cannot be read", shown.String())
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = connectTime
	}
	// Who is cut off is found out within seconds, from both ends: by asking where nothing is under way (keepalive), and
	// where something is, by its getting no answer.
	dialer := net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: time.Second, Interval: time.Second, Count: 2}, Control: givesUp}
	cfg.DialFunc = dialer.DialContext
	for name, value := range map[string]string{
		"application_name": "diceref", "synchronous_commit": "on", // acknowledged means committed
		"tcp_keepalives_idle": "1", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "2", "tcp_user_timeout": strconv.Itoa(unheard),
	} {
		if _, set := cfg.RuntimeParams[name]; !set {
			cfg.RuntimeParams[name] = value
		}
	}
	return cfg, shown.String(), nil
}

// openServer opens the journal in a database; write gives it the present form first.
func openServer(address string, write bool) (*Journal, error) {
	cfg, name, err := ServerConfig(address)
	if err != nil {
		return nil, err
	}
	if !write {
		cfg.RuntimeParams["default_transaction_read_only"] = "on"
	}
	db := stdlib.OpenDB(*cfg)
	db.SetMaxOpenConns(mostConnections)
	db.SetMaxIdleConns(mostConnections)
	j := &Journal{path: name, db: db, engine: server{name}, readOnly: !write}
	if write {
		err = migrateServer(db)
	} else {
		err = j.checkServer()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = j.explain(err)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return j, nil
}

// migrateServer gives a journal in PostgreSQL the present form. The numbers of its migrations are those of the forms of a file.
func migrateServer(db *sql.DB) error {
	files, err := fs.Sub(postgresMigrations, "migrations/postgres")
	if err != nil {
		return fmt.Errorf("cannot find the migrations: %w", err)
	}
	has, err := MigrateServer(db, files, journalForms)
	if err == nil && has > form {
		return newer(has)
	}
	return err
}

// checkServer says whether a database holds a journal of the present form, and changes nothing.
func (j *Journal) checkServer() error {
	var there bool // else somebody else's migrations would do
	if err := j.db.QueryRow("SELECT to_regclass('heads') IS NOT NULL").Scan(&there); err != nil {
		return err
	}
	has, err := serverForm(j.db, journalForms)
	switch {
	case err != nil:
		return err
	case has == 0 || !there:
		return fmt.Errorf("match: there is no journal at %s: %w", j.path, fs.ErrNotExist)
	case has > form:
		return newer(has)
	}
	return nil
}

func (s server) check() error { return nil }

// The classes of PostgreSQL's errors that somebody can do something about, by their codes.
var serverAdvice = []struct{ code, says string }{
	{"28", "refused the user or the password: check the address"},
	{"3D000", "has no such database: create it (createdb), or check the address"},
	{"42501", "does not allow this user to do that: make it the owner of the database"},
	{"42P01", "lost its tables: restore it from a backup"},
	{"25006", "is a copy that can only be read: use the address of the server that is written"},
	{"53100", "has a full disk: free some space; the match continues from where it was"},
	{"53300", "has too many connections: raise max_connections"},
	{"53", "is out of memory or disk space; the match continues from where it was"},
	{"57P", "is being stopped or started; the match continues from where it was"},
}

func (s server) explain(err error) error {
	var said *pgconn.PgError
	var unconnected *pgconn.ConnectError
	if errors.As(err, &said) {
		if said.Code == "23505" && (said.TableName == "records" || said.TableName == "heads") { // it came second
			return fmt.Errorf("%w: %w", ErrBehind, err)
		}
		for _, a := range serverAdvice {
			if strings.HasPrefix(said.Code, a.code) {
				return fmt.Errorf("match: journal %s %s: %w", s.address, a.says, err)
			}
		}
		return nil
	}
	var network net.Error
	if errors.As(err, &unconnected) || errors.As(err, &network) || s.unsure(err) {
		return fmt.Errorf("match: journal %s cannot be reached: check the address, the network, and whether PostgreSQL runs; the match continues from where it was: %w", s.address, err)
	}
	return nil
}

// mend: the other matches go on, and nothing is rewritten.
func (s server) mend() string { return "the other matches are not affected;" }

// snapshot: else every statement sees what others have committed meanwhile.
func (s server) snapshot() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

// unsure: whoever hears no answer to a commit does not know how it went.
func (s server) unsure(err error) bool {
	var said *pgconn.PgError
	return err != nil && (!errors.As(err, &said) || strings.HasPrefix(said.Code, "57P"))
}

// head waits until a change by somebody else is committed or not.
func (s server) head(tx *sql.Tx, id string) (head, error) {
	return scanHead(tx.QueryRow(selectHead+" FOR UPDATE", id))
}

func (s server) tally(*sql.Tx, int, int) error { return nil }

func (s server) wipe(*sql.DB) error { return nil }

func (s server) close() error { return nil }
