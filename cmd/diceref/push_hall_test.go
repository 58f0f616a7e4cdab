package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/calibration"
	"diceref/match"
	"diceref/match/hall"
	"diceref/match/hall/halltest"
	"diceref/match/postgrestest"
	"diceref/table"
	"diceref/web"
)

// TestPushZones: the camera of a game without a board says which zones it sees, and the hall follows its pictures as watch
// does at home, and asks nothing. The next match with as many players has them, too; without them, watch says what to do.
func TestPushZones(t *testing.T) {
	t.Setenv("DICEREF_EYE", builtEye(t))
	s := sequenceOf(t, "dicecreams")
	drawn := filepath.Join(s.dir, "calibration.json")
	profile, err := calibration.Load(drawn)
	if err != nil {
		t.Fatal(err)
	}
	at := hallAt(t, net.IPv4(127, 0, 0, 1), hall.Setup{Game: table.Game(s.Game), Players: s.Players})
	push := func(source string, more ...string) (int, string) {
		var complaint strings.Builder
		args := append([]string{"watch", "--push", "http://" + at.address + "/t/window", "--token", at.token, "--source", source}, more...)
		return run(t.Context(), args, strings.NewReader(""), io.Discard, &complaint), complaint.String()
	}
	if code, says := push(s.dir); code != exitUsage || !strings.Contains(says, "needs the zones of the table") {
		t.Fatalf("without zones: exit code %d: %s", code, says)
	}
	window := at.hall.Table("window")
	var want []string
	pictures := 0
	for _, part := range []struct {
		say  []string // no camera reads cards, nor on which of them a die is
		upTo int      // pictures; a camera that begins again goes on from there
	}{
		{[]string{"nature reveal pistachio-3", "nature reveal apricot-1"}, 3},
		{[]string{"nature reveal apricot-3"}, 4},
		{[]string{"A set apricot-1.2"}, 5},
		{[]string{"nature reveal lagoon-2", "B take orange5 lagoon-2.0"}, 6},
	} {
		for _, move := range part.say {
			if err := window.Declare(match.Declaration{Say: match.SayPlay, Move: move}); err != nil {
				t.Fatal(err)
			}
		}
		source := t.TempDir()
		for _, step := range s.Steps[pictures:part.upTo] {
			if err := os.Symlink(absolute(t, filepath.Join(s.dir, step.Picture)), filepath.Join(source, step.Picture)); err != nil {
				t.Fatal(err)
			}
		}
		if code, says := push(source, "--calibration", drawn); code != 0 {
			t.Fatalf("exit code %d: %s", code, says)
		}
		pictures = part.upTo
		if shown := window.Observations(); shown < int64(pictures) {
			t.Errorf("the match has seen %d pictures of %d", shown, pictures)
		}
	}
	for _, step := range s.Steps[:pictures] {
		for _, e := range step.Events {
			want = append(want, e.Type+" "+e.Text)
		}
	}
	var got []string
	for _, e := range window.Snapshot().Events {
		switch e.Type {
		case match.TypeMove, match.TypeTakeback, match.TypePass, match.TypeDoubt:
			got = append(got, e.Type+" "+strings.Join(e.Acts, ", "))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
	if err := window.Begin(hall.Setup{Game: table.Game(s.Game), Players: s.Players}, match.Source{Key: "next"}); err != nil {
		t.Fatal(err)
	}
	next, err := at.hall.Journal().Setting(window.Snapshot().ID)
	if err != nil || !sameZones(next.Zones, profile.Zones) {
		t.Errorf("the next match has the zones %v (%v)", next.Zones, err)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// linesOf is what is told of a match, line by line.
func linesOf(events []match.EventView) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintln(&b, e.Seq, e.Type, e.Player, e.Frame, e.Text)
	}
	return b.String()
}

// arrivals counts the observations that have arrived at a table, also those that have arrived before.
type arrivals struct {
	n    atomic.Int64
	next atomic.Pointer[func()] // what happens once, before the next answer
}

func (a *arrivals) then(what func()) { a.next.Store(&what) }

// countedTables are the tables of a hall whose arrivals are counted.
type countedTables struct {
	hallTables
	arrived *arrivals
}

// Table makes countedTables a web.Tables.
func (c countedTables) Table(id string) (web.Config, bool) {
	cfg, ok := c.hallTables.Table(id)
	push := cfg.Push
	cfg.Push = func(p web.Pushed) (web.Taken, error) {
		taken, err := push(p)
		c.arrived.n.Add(int64(len(p.Observations)))
		if what := c.arrived.next.Swap(nil); what != nil {
			(*what)()
		}
		return taken, err
	}
	return cfg, ok
}

// seat is a hall with one table, and where its camera sends what it sees.
type seat struct {
	hall           *hall.Hall
	address, token string
	arrived        *arrivals
}

// hallAt serves a hall with one table at an address of this machine.
func hallAt(t *testing.T, at net.IP, setup hall.Setup) seat {
	t.Helper()
	h, err := hall.Open(hall.Config{Address: postgrestest.Start(t).Database(t), Process: "0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	added, err := h.Add("Window", "CODE", setup)
	if err != nil {
		t.Fatal(err)
	}
	halltest.Await(t, "the match has begun", func() bool { return h.Table("window") != nil && h.Table("window").Owned() })
	ln, err := net.Listen("tcp", net.JoinHostPort(at.String(), "0"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served, arrived := make(chan error, 1), new(arrivals)
	go func() {
		served <- web.NewHall(web.HallConfig{Tables: countedTables{newHallTables(h), arrived}}).Serve(ctx, ln)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return seat{h, ln.Addr().String(), added.Token, arrived}
}
