package main

import (
	"flag"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"diceref/match"
	"diceref/match/hall"
	"diceref/match/hall/halltest"
	"diceref/table"
)

var cuts = flag.Int("cuts", 3, "how often TestPushCutNetwork cuts the network")

// TestPushCutNetwork: what a camera elsewhere sees of a whole game goes to a hall over a network that is cut again and again,
// so that nobody hears that anything was lost: at any moment, and every other time when something has arrived and its answer has
// not left. Whatever is sent again, the match sees every observation once, and is told as it is at home.
func TestPushCutNetwork(t *testing.T) {
	if !halltest.Alone(t) {
		return
	}
	far := halltest.NewElsewhere(t)
	players := []string{"Ann", "Ben", "Cleo"}
	all := halltest.Recorded(t, filepath.Join(root, "match", "testdata", "dessert-dice.seen.jsonl.gz"))
	home, err := match.New(match.Config{Game: table.DessertDice, Players: players})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		home.See(o)
	}
	at := hallAt(t, far.Here, hall.Setup{Game: table.DessertDice, Players: players})
	p, err := newPusher("http://"+at.address+"/t/window", at.token, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	line := &countingLine{RoundTripper: &http.Transport{DialContext: far.Dial}}
	p.client = &http.Client{Timeout: 500 * time.Millisecond, Transport: line}
	ended, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- p.run(t.Context(), ended) }()
	rng := rand.New(rand.NewPCG(5, 5))
	sent := 0
	push := func(upTo int) {
		for ; sent < upTo; sent++ {
			p.add(all[sent])
		}
	}
	for n := range *cuts {
		lost := line.lost.Load()
		if n%2 == 0 { // after something has arrived
			cut := make(chan struct{})
			at.arrived.then(func() { far.Cut(t); close(cut) })
			push(len(all) * (2*n + 1) / (2**cuts + 1))
			<-cut
			halltest.Await(t, "the answer is given up", func() bool { return line.lost.Load() > lost })
		} else {
			push(len(all) * (2*n + 1) / (2**cuts + 1))
			time.Sleep(time.Duration(rng.IntN(30)) * time.Millisecond) // in the middle of something
			far.Cut(t)
		}
		push(len(all) * (2*n + 2) / (2**cuts + 1))
		time.Sleep(time.Duration(rng.IntN(1200)) * time.Millisecond)
		far.Mend(t)
	}
	push(len(all))
	close(ended)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	arrived, shown := at.arrived.n.Load(), at.hall.Table("window").Observations()
	t.Logf("%d cuts, %d requests without an answer, %d observations arrived, %d of them again", *cuts, line.lost.Load(), arrived, arrived-int64(len(all)))
	if arrived <= int64(len(all)) {
		t.Error("nothing arrived twice, so nothing could be doubled")
	}
	if shown != int64(len(all)) {
		t.Errorf("the match has seen %d observations of %d", shown, len(all))
	}
	if got, want := linesOf(at.hall.Table("window").Snapshot().Events), linesOf(home.Events()); got != want {
		t.Errorf("the hall tells\n%s\nat home it was\n%s", got, want)
	}
}

// countingLine counts the requests that got no answer.
type countingLine struct {
	http.RoundTripper
	lost atomic.Int32
}

func (l *countingLine) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.RoundTripper.RoundTrip(r)
	if err != nil {
		l.lost.Add(1)
	}
	return answer, err
}
