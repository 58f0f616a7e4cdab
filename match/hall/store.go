package hall

import (
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"diceref/calibration"
	"diceref/match"
	"diceref/table"
)

//go:embed migrations/*.sql
var migrations embed.FS

func migrate(db *sql.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	_, err = match.MigrateServer(db, files, "hall_db_version")
	return err
}

// Setup is what is played at a table.
type Setup struct {
	Game    table.Game         `json:"game"`
	Players []string           `json:"players"`
	Options map[string]any     `json:"options,omitempty"`
	Owners  [][]table.Color    `json:"owners,omitempty"`
	Zones   []calibration.Zone `json:"zones,omitempty"`
	// Files are what the owner filled in for the game, see rules.Setup.
	Files map[string]json.RawMessage `json:"files,omitempty"`
}

func (s Setup) config() match.Config {
	return match.Config{Game: s.Game, Players: s.Players, Options: s.Options, Owners: s.Owners, Zones: s.Zones, Files: s.Files}
}

// row is a table as the database has it.
type row struct {
	n         int
	id        string
	name      string
	code      string
	token     string
	setup     Setup
	match     string
	begun     string
	help      time.Time
	zones     []calibration.Zone // what its camera sees
	setupText string
}

const rowColumns = "n, id, name, code, token, setup, match, begun, help, zones"

func scanRow(scan func(...any) error) (r row, err error) {
	var help sql.NullTime
	var zones string
	if err := scan(&r.n, &r.id, &r.name, &r.code, &r.token, &r.setupText, &r.match, &r.begun, &help, &zones); err != nil {
		return r, err
	}
	r.help = help.Time
	if zones != "" {
		if err := json.Unmarshal([]byte(zones), &r.zones); err != nil {
			return r, err
		}
	}
	return r, json.Unmarshal([]byte(r.setupText), &r.setup)
}

func (h *Hall) readRows() (list []row, err error) {
	rows, err := h.db.Query("SELECT " + rowColumns + " FROM hall_tables ORDER BY n")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scanRow(rows.Scan)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

func (h *Hall) readRow(n int) (row, error) {
	return scanRow(h.db.QueryRow("SELECT "+rowColumns+" FROM hall_tables WHERE n = $1", n).Scan)
}

// plainID is how a table is named in addresses.
var plainID = regexp.MustCompile(`^[0-9a-z][0-9a-z-]{0,31}$`)

var notPlain = regexp.MustCompile(`[^0-9a-z]+`)

// Added is a new table, with what gives rights at it.
type Added struct{ ID, Code, Token string }

// Add sets up a table. Code is what its players have to know.
func (h *Hall) Add(name, code string, s Setup) (Added, error) {
	name = strings.TrimSpace(name)
	a := Added{ID: strings.Trim(notPlain.ReplaceAllString(strings.ToLower(name), "-"), "-"), Code: code, Token: rand.Text()}
	if !plainID.MatchString(a.ID) {
		return a, fmt.Errorf("hall: a table cannot be called %.40q: use a name with letters or digits, at most 32", name)
	}
	if err := match.Possible(s.config()); err != nil {
		return a, err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return a, err
	}
	done, err := h.db.Exec("INSERT INTO hall_tables (id, name, code, token, setup) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING", a.ID, name, a.Code, a.Token, string(text))
	if err != nil {
		return a, h.explain(err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return a, errors.Join(fmt.Errorf("hall: there is a table called %s already", a.ID), err)
	}
	return a, h.notify("tables", "")
}

// AddReferee gives somebody the right of a referee, by a code; one of the same name is replaced.
func (h *Hall) AddReferee(name, code string) error {
	if err := match.CheckNames([]string{name}); err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(code))
	_, err := h.db.Exec("INSERT INTO hall_referees (name, code) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET code = excluded.code", name, sum[:])
	if err != nil {
		return h.explain(err)
	}
	return h.notify("tables", "")
}

// Referee is who has a code; empty: nobody.
func (h *Hall) Referee(code string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.judges[sha256.Sum256([]byte(code))]
}

func (h *Hall) readReferees() (map[[sha256.Size]byte]string, error) {
	rows, err := h.db.Query("SELECT name, code FROM hall_referees")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := map[[sha256.Size]byte]string{}
	for rows.Next() {
		var name string
		var sum []byte
		if err := rows.Scan(&name, &sum); err != nil {
			return nil, err
		}
		list[[sha256.Size]byte(sum)] = name
	}
	return list, rows.Err()
}

// channel is where processes tell each other that something has changed: "KIND WHAT".
const channel = "diceref_hall"

func (h *Hall) notify(kind, what string) error {
	if _, err := h.db.Exec("SELECT pg_notify($1, $2)", channel, kind+" "+what); err != nil {
		return h.explain(err)
	}
	return nil
}
