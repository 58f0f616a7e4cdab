package main

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"diceref/match"
	"diceref/match/postgrestest"
	"diceref/table"
)

// TestPostgresScripts runs the command lines of testdata/postgres. $DATABASE is the address of a new database, with a
// password, and $SHOWN what may be told of it; game.json is an exported match.
func TestPostgresScripts(t *testing.T) {
	server := postgrestest.Start(t)
	server.Exec(t, "CREATE ROLE keeper LOGIN SUPERUSER PASSWORD 'HUNTER2'")
	exported := exportedMatch(t)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "postgres"),
		Setup: func(env *testscript.Env) error {
			own := server.Database(t)
			name := own[strings.LastIndex(own, "/")+1:]
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("DATABASE", server.Address(url.UserPassword("keeper", "HUNTER2"), name))
			env.Setenv("SHOWN", server.Address(url.User("keeper"), name))
			return os.WriteFile(filepath.Join(env.WorkDir, "game.json"), exported, 0o600)
		},
	})
}

// exportedMatch is a match called "evening", as a file.
func exportedMatch(t *testing.T) []byte {
	t.Helper()
	j, err := match.OpenJournal(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	m, err := match.New(match.Config{ID: "evening", Game: table.DiceFlick, Players: []string{"Ann", "Ben"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, say := range []string{match.SayMiss, match.SayMiss, match.SayNext, match.SayEnd} {
		if err := m.Declare(match.Declaration{Say: say}); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	if err := j.Export("evening", &b); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}
