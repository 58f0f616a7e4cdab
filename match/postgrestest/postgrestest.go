// Package postgrestest starts a PostgreSQL for tests, in a folder of its own and as a user without rights.
package postgrestest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the database driver "pgx"
)

// Server is a PostgreSQL on this machine.
type Server struct {
	bin, dir  string
	port      int
	who       *account // nil: as this process
	cmd       *exec.Cmd
	ended     chan struct{} // closed when it has
	databases atomic.Int64
	also      []net.IP // where it is reached besides

	disk        string   // where a disk of its own is mounted; empty: it has none
	clock       string   // the file that says how wrong its clock is; empty: its clock is the machine's
	environment []string // of it alone
}

// superuser is the name of the user who may do everything, without a password.
const superuser = "diceref"

// Start starts a server that stops at the end of the test. Where PostgreSQL is not installed the test is
// skipped, but in CI, which has to have it.
func Start(t testing.TB) *Server {
	t.Helper()
	return start(t, func(*Server, string) {})
}

// start starts a server whose folder is prepared by prepare.
func start(t testing.TB, prepare func(s *Server, dir string)) *Server {
	t.Helper()
	bin := programs()
	if bin == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("PostgreSQL is missing (.dev/install postgres)")
		}
		t.Skip("PostgreSQL is missing, so what a hall keeps in it is not tested (.dev/install postgres)")
	}
	s := &Server{bin: bin, who: unprivileged(t)}
	dir, err := os.MkdirTemp("", "diceref-postgres-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	prepare(s, dir)
	s.dir = filepath.Join(dir, "data")
	if s.who != nil {
		if err := os.Chown(dir, int(s.who.uid), int(s.who.gid)); err != nil {
			t.Fatal(err)
		}
	}
	made := s.command("initdb", "--no-sync", "--wal-segsize=1", "--auth=trust", "--encoding=UTF8", "--no-locale", "--username="+superuser, "--pgdata="+s.dir)
	if out, err := made.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.port = ln.Addr().(*net.TCPAddr).Port
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	s.Run(t)
	return s
}

// AlsoAt has the server reached at other addresses of this machine, too, from their networks. It restarts the server.
func (s *Server) AlsoAt(t testing.TB, all ...net.IP) {
	t.Helper()
	s.Stop()
	rules, err := os.OpenFile(filepath.Join(s.dir, "pg_hba.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range all {
		_, wrong := fmt.Fprintf(rules, "host all all %s/30 trust\n", at)
		err = errors.Join(err, wrong)
	}
	if err := errors.Join(err, rules.Close()); err != nil {
		t.Fatal(err)
	}
	s.also = append(s.also, all...)
	s.Run(t)
}

// At is an address of a database as it is reached at another address of this machine.
func (s *Server) At(at net.IP, address string) string {
	return strings.Replace(address, s.host("127.0.0.1"), s.host(at.String()), 1)
}

func (s *Server) host(name string) string { return net.JoinHostPort(name, strconv.Itoa(s.port)) }

// programs is the folder of PostgreSQL's programs, the newest; empty: there is none.
func programs() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // a pattern without a flaw
	slices.SortFunc(found, func(a, b string) int { return version(b) - version(a) })
	if len(found) > 0 {
		return filepath.Dir(found[0])
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	return ""
}

func version(initdb string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(initdb)))) // 0 where it is none
	return n
}

// account is a user of this machine.
type account struct{ uid, gid uint32 }

// unprivileged is who the server runs as: it refuses to run as root.
func unprivileged(t testing.TB) *account {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err1 == nil && err2 == nil {
			return &account{uint32(uid), uint32(gid)}
		}
	}
	t.Fatal("there is no user without rights to run PostgreSQL as")
	return nil
}

func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir, cmd.SysProcAttr = filepath.Dir(s.dir), attributes(s.who)
	return cmd
}

// Run starts the server, again after Kill or Stop, and waits until it answers.
func (s *Server) Run(t testing.TB) {
	t.Helper()
	listen := []string{"127.0.0.1"}
	for _, at := range s.also {
		listen = append(listen, at.String())
	}
	// What is not synced is lost only where the machine stops, which no test does.
	s.cmd = s.command("postgres", "-D", s.dir, "-p", strconv.Itoa(s.port), "-k", "", "-c", "listen_addresses="+strings.Join(listen, ","), "-c", "fsync=off", "-c", "max_connections=100")
	out := new(strings.Builder)
	s.cmd.Stdout, s.cmd.Stderr = out, out
	s.cmd.Env = append(os.Environ(), s.environment...)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.ended = make(chan struct{})
	go func(cmd *exec.Cmd, ended chan struct{}) {
		_ = cmd.Wait() // however it ends
		close(ended)
	}(s.cmd, s.ended)
	db := s.open(t, "postgres")
	defer db.Close()
	for until := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		err := db.Ping()
		if err == nil {
			return
		}
		if time.Now().After(until) {
			s.Kill()
			t.Fatalf("PostgreSQL does not answer: %v\n%s", err, out)
		}
	}
}

// Stop ends the server after those who are connected were sent away.
func (s *Server) Stop() { s.end(syscall.SIGINT) }

// Kill ends the server at once, in the middle of whatever it does.
func (s *Server) Kill() { s.end(syscall.SIGKILL) }

func (s *Server) end(how syscall.Signal) {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Signal(how) // else it has ended
	<-s.ended
	s.cmd = nil
}

// Address is how a user gets to a database. The superuser needs no password.
func (s *Server) Address(who *url.Userinfo, database string) string {
	return (&url.URL{Scheme: "postgres", User: who, Host: s.host("127.0.0.1"), Path: database}).String()
}

// Database makes an empty database and returns its address.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test%d", s.databases.Add(1))
	s.Exec(t, "CREATE DATABASE "+name+" STRATEGY = file_copy")
	return s.Address(url.User(superuser), name)
}

// Exec does something as the superuser.
func (s *Server) Exec(t testing.TB, stmt string, args ...any) {
	t.Helper()
	db := s.open(t, "postgres")
	defer db.Close()
	if _, err := db.ExecContext(context.Background(), stmt, args...); err != nil {
		t.Fatal(err)
	}
}

func (s *Server) open(t testing.TB, database string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", s.Address(url.User(superuser), database))
	if err != nil {
		t.Fatal(err)
	}
	return db
}
