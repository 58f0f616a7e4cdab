package dicecreams

import (
	"encoding/json"
	"os"
	"testing"
)

// BenchmarkJudge judges a placement, decoding included.
func BenchmarkJudge(b *testing.B) {
	data, err := os.ReadFile("testdata/cases/dc-07.json")
	if err != nil {
		b.Fatal(err)
	}
	var c struct{ State, Action json.RawMessage }
	if err := json.Unmarshal(data, &c); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Judge(nil, c.State, c.Action, nil); err != nil {
			b.Fatal(err)
		}
	}
}
