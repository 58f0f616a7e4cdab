package hall

import (
	"fmt"
	"testing"
	"time"

	"diceref/match/hall/halltest"
	"diceref/match/postgrestest"
)

func init() { onLinux = append(onLinux, hallTest{"OwnerCutOff", testOwnerCutOff}) }

// testOwnerCutOff: the machine of the process that has a table is cut off from the database, so that neither hears that anything
// is lost. Another process takes the table over, and what was acknowledged is there, once; the machine comes back.
func testOwnerCutOff(t *testing.T, server *postgrestest.Server) {
	if !halltest.Alone(t) {
		return
	}
	far := halltest.NewElsewhere(t)
	server.AlsoAt(t, far.Here)
	address := server.Database(t)
	h := openLookingOn(t, address)
	away := testProcess(server.At(far.Here, address), "away")
	if err := far.Start(away); err != nil {
		t.Fatal(err)
	}
	endWithTest(t, away)
	if _, err := h.Add("Window", "CODE", flick()); err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]bool{}
	declare := func() {
		n := len(acknowledged)
		key := fmt.Sprint("k", n)
		halltest.Await(t, "it is acknowledged", func() bool {
			window := h.Table("window") // nil until this process has heard of it
			return window != nil && window.Declare(say([]string{"pause", "resume"}[n%2], key)) == nil
		})
		acknowledged[key] = true
	}
	owner := func() (name string) {
		_ = h.db.QueryRow("SELECT owner FROM hall_live").Scan(&name) // else nobody yet
		return name
	}
	for cut := range *cutOffs {
		halltest.Await(t, "the machine elsewhere has the table", func() bool { return owner() == "away" })
		declare()
		here := startProcess(t, address, "here")
		halltest.Await(t, "both processes are there", func() bool { return processesOf(t, h) == 2 })
		far.Cut(t)
		began := time.Now()
		declare()
		t.Logf("cut %d: taken over after %v", cut, time.Since(began).Round(time.Millisecond))
		halltest.Await(t, "the process here has the table", func() bool { return owner() == "here" })
		far.Mend(t)
		halltest.Await(t, "the machine elsewhere is back", func() bool { return processesOf(t, h) == 2 })
		declare()
		if err := here.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		here.Wait()
	}
	checkKeys(t, h, "window", acknowledged)
}
