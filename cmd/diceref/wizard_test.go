package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"diceref/web/webtest"

	"github.com/chromedp/chromedp"
)

// until waits until something is so in the page, also while one page follows another.
func until(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	for {
		so, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		if err == nil && so {
			return
		}
		if !pause(ctx, 50*time.Millisecond) {
			t.Fatalf("still not: %s (%v)", expression, err)
		}
	}
}

// tap taps the middle of what a selector finds, once it is there.
func tap(t *testing.T, ctx context.Context, selector string) {
	t.Helper()
	until(t, ctx, fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, selector))
	at, err := chromedp.Run(ctx, chromedp.Evaluate[[2]float64](fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({ block: 'center' }); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector)))
	if err == nil {
		_, err = chromedp.Run(ctx, chromedp.MouseClickXY(at[0], at[1]))
	}
	if err != nil {
		t.Fatalf("tapping %s: %v", selector, err)
	}
}

// TestWizard is the first day: a program that was never set up, a browser, the demo, and
// the first verdict in ten taps at most.
func TestWizard(t *testing.T) {
	ctx := webtest.Phone(t, nil, 3*time.Minute)
	path := builtEye(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	server, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var stderr strings.Builder
	done := make(chan int, 1)
	go func() {
		done <- run(server, []string{"serve", "--listen", "localhost:0", "--data", t.TempDir(), "--eye", path}, strings.NewReader(""), in, &stderr)
		in.Close()
	}()
	defer func() {
		stop()
		if code := <-done; code != exitDone {
			t.Errorf("exit %d: %s", code, stderr.String())
		}
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	began := time.Now()
	if _, err := chromedp.Run(ctx, chromedp.Navigate(strings.TrimSpace(strings.TrimPrefix(line, "diceref is at ")))); err != nil && !strings.Contains(err.Error(), "ERR_ABORTED") {
		t.Fatal(err)
	}
	taps := 0
	for _, selector := range []string{`[data-game="dice-box"]`, `[data-source="demo"]`} {
		tap(t, ctx, selector)
		taps++
	}
	until(t, ctx, `document.querySelector('[data-lamp="board"]')?.dataset.state === 'good' && document.querySelector('#stage.seen')`)
	tap(t, ctx, "#next")
	until(t, ctx, `!document.getElementById('step-players').hidden`)
	tap(t, ctx, "#next")
	taps += 2
	until(t, ctx, `location.pathname === '/' && ['good', 'bad'].includes(document.getElementById('verdict')?.dataset.kind)`)
	t.Logf("the first verdict after %d taps and %.0f s", taps, time.Since(began).Seconds())
	if taps > 10 {
		t.Errorf("%d taps", taps)
	}
	if again := ctx.Err(); again != nil {
		t.Error(again)
	}
}
