package hall

import (
	"fmt"
	"strings"
	"testing"

	"diceref/match"
	"diceref/match/hall/halltest"
	"diceref/match/postgrestest"
	"diceref/table"
)

// toldOf is what is told of a match, line by line.
func toldOf(events []match.EventView) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintln(&b, e.Seq, e.Type, e.Player, e.Frame, e.Text)
	}
	return b.String()
}

// testSeen: what a camera sees of a whole game arrives at two processes by turns, and some of it twice. The match is the same as
// one that has seen it at home, and a page at either process sees what the camera does.
func testSeen(t *testing.T, server *postgrestest.Server) {
	players := []string{"Ann", "Ben", "Cleo"}
	all := halltest.Recorded(t, "../testdata/dessert-dice.seen.jsonl.gz")
	home, err := match.New(match.Config{Game: table.DessertDice, Players: players})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		home.See(o)
	}
	want := toldOf(home.Events())

	one, two := openTwo(t, server, Setup{Game: table.DessertDice, Players: players})
	halls := []*Hall{one, two}
	const batch = 40
	n := 0
	for at := 0; at < len(all); at += batch {
		part := all[at:min(at+batch, len(all))]
		for range 1 + n%2 { // every other one twice, as after an answer that was lost
			first := int64(at + 1)
			far, err := halls[n/2%2].Table("window").See("camera", first, first, part)
			if err != nil {
				t.Fatal(err)
			}
			if far.Next != first+int64(len(part)) || far.Keep > far.Next {
				t.Errorf("%d observations from %d: %+v", len(part), first, far)
			}
		}
		if at > 0 { // some that have arrived come again with others
			if _, err := halls[n%2].Table("window").See("camera", int64(at-5), int64(at-5), all[at-6:at]); err != nil {
				t.Fatal(err)
			}
		}
		n++
	}
	last := all[len(all)-1]
	for i, h := range halls {
		each := h.Table("window")
		halltest.Await(t, "it has caught up", func() bool { return each.Snapshot().Seq == halls[1-i].Table("window").Snapshot().Seq })
		if got := toldOf(each.Snapshot().Events); got != want {
			t.Errorf("process %d tells\n%s\nat home it was\n%s", i, got, want)
		}
		halltest.Await(t, "the page sees what the camera does", func() bool { return each.Seen() != nil && alike(*each.Seen(), last) })
	}
}

// testReadLate: a process reads a match for the first time, and meanwhile another one begins at the table: the page shows that one.
func testReadLate(t *testing.T, server *postgrestest.Server) {
	one, two := openTwo(t, server, flick())
	at, looksOn := one.Table("window"), two.Table("window")
	if looksOn.Owned() {
		at, looksOn = looksOn, at
	}
	before := looksOn.Snapshot().ID
	if err := at.Begin(flick(), match.Source{Key: "again"}); err != nil {
		t.Fatal(err)
	}
	halltest.Await(t, "the new match is told", func() bool { return looksOn.Snapshot().ID != before && looksOn.Live().ID != before })
	if err := looksOn.catchUp(before, nil); err != nil { // as if it had been read all the time
		t.Fatal(err)
	}
	halltest.Await(t, "the new match is shown", func() bool { return looksOn.Snapshot().ID != before })
}

// testReadFails: a process is told of something, and cannot read it then, as its connections were ended. It reads it soon
// after, though nothing more is told.
func testReadFails(t *testing.T, server *postgrestest.Server) {
	one, two := openTwo(t, server, flick())
	for n := range 3 {
		server.Exec(t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'diceref'")
		for _, h := range []*Hall{one, two} {
			halltest.Await(t, "it is ready again", func() bool { return h.Ready(t.Context()) == nil })
		}
		halltest.Await(t, "it goes on", func() bool {
			return one.Table("window").Declare(say([]string{match.SayPause, match.SayResume}[n%2], fmt.Sprint("k", n))) == nil
		})
		for _, h := range []*Hall{one, two} {
			halltest.Await(t, "it has caught up", func() bool { return len(h.Table("window").Snapshot().Events) > n+1 })
		}
	}
}
