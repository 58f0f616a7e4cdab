package web

import (
	"bufio"
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/web/webtest"
)

var open = flag.Duration("open", 0, "how long a page is kept open to see whether it grows; 0: for some hundred pictures")

// heap is what a page holds in memory.
type heap struct{ bytes, nodes float64 }

// measure collects the garbage of a page and says what is left.
func measure(t *testing.T, ctx context.Context) (h heap) {
	t.Helper()
	run(t, ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		var found struct {
			Metrics []struct {
				Name  string  `json:"name"`
				Value float64 `json:"value"`
			} `json:"metrics"`
		}
		for _, method := range []string{"Performance.enable", "HeapProfiler.collectGarbage", "HeapProfiler.collectGarbage"} {
			if err := target.Call(ctx, method, map[string]any{}, nil); err != nil {
				return err
			}
		}
		if err := target.Call(ctx, "Performance.getMetrics", map[string]any{}, &found); err != nil {
			return err
		}
		for _, m := range found.Metrics {
			switch m.Name {
			case "JSHeapUsedSize":
				h.bytes = m.Value
			case "Nodes":
				h.nodes = m.Value
			}
		}
		return nil
	}))
	return h
}

// TestBrowserDoesNotGrow keeps the page open while pictures, readings and scores come and
// go: what it holds in memory stays what it was. make soak keeps it open for 30 minutes.
func TestBrowserDoesNotGrow(t *testing.T) {
	t.Parallel()
	ctx := webtest.Phone(t, nil, *open+*open/30+10*time.Minute) // a browser of its own: pages of one browser may share their memory
	ts, m, feed := tableServer(t)
	play(m)
	run(t, ctx, chromedp.Navigate(ts.URL), wait(`document.querySelectorAll('.found').length > 10`))
	round := 0
	busy := func(rounds int, d time.Duration) {
		until := time.Now().Add(d)
		for i := 0; i < rounds || time.Now().Before(until); i++ {
			round++
			seen := seenTable()
			for k := range seen.Dice[0].Outline {
				seen.Dice[0].Outline[k].X += float64(round % 7 * 5)
			}
			feed.ShowPicture(tablePicture)
			feed.ShowObservation(seen)
			m.change(func(s *match.Snapshot) { s.Sheets[0].Total, s.ToMove = round%50, round%3 })
			time.Sleep(80 * time.Millisecond) // as fast as a page is told
		}
	}
	busy(50, *open/30)
	before := measure(t, ctx)
	busy(100, *open)
	after := measure(t, ctx)
	t.Logf("%d rounds: %.2f MB and %.0f nodes, then %.2f MB and %.0f nodes", round, before.bytes/1e6, before.nodes, after.bytes/1e6, after.nodes)
	if before.bytes == 0 || before.nodes == 0 {
		t.Fatal("the browser does not tell what a page holds")
	}
	if after.bytes > before.bytes+1e6 || after.nodes > before.nodes*1.2+300 {
		t.Error("the page grows while it is open")
	}
}

// BenchmarkFirstEvent is the time from asking for the events to the first one, which is
// the whole match.
func BenchmarkFirstEvent(b *testing.B) {
	s, m, feed := served(nil)
	play(m)
	feed.ShowObservation(seenTable())
	ts := httptest.NewServer(s.Handler())
	defer ts.Close()
	defer close(s.closing)
	for b.Loop() {
		answer, err := http.Get(ts.URL + "/api/v1/events")
		if err != nil {
			b.Fatal(err)
		}
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() && lines.Text() != "event: match" {
		}
		answer.Body.Close()
		if err := lines.Err(); err != nil {
			b.Fatal(err)
		}
	}
}
