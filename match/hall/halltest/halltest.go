// Package halltest is what tests of halls share.
package halltest

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"
	"time"

	"diceref/table"
)

// patience is how long something may take, on a machine that has much else to do.
const patience = 30 * time.Second

// Await waits until something holds; the test fails if that takes too long.
func Await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("in vain: %s", what)
		}
	}
}

// Recorded is what an eye told of a whole game, from a file of observations, gzipped, one JSON object after the other.
func Recorded(t testing.TB, file string) (list []table.Observation) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for dec := json.NewDecoder(in); dec.More(); {
		var o table.Observation
		if err := dec.Decode(&o); err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
	return list
}
