package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"diceref/web/hooks"
)

// TestServeTellsWebhooks: the demo's events arrive, signed with the secret that was kept.
func TestServeTellsWebhooks(t *testing.T) {
	path := builtEye(t)
	data := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	got := make(chan string, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		secret, err := os.ReadFile(filepath.Join(data, "webhook.secret"))
		if err != nil || r.Header.Get(hooks.SignatureHeader) != hooks.Sign([]byte(strings.TrimSpace(string(secret))), body) {
			t.Errorf("not signed with the secret: %v", err)
		}
		got <- string(body)
	}))
	defer receiver.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var stderr strings.Builder
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"serve", "--listen", "localhost:0", "--source", "demo", "--eye", path, "--data", data, "--webhooks", receiver.URL}, strings.NewReader(""), io.Discard, &stderr)
	}()
	var types []string
	for len(types) < 2 {
		select {
		case body := <-got:
			var m struct{ Event struct{ Type string } }
			if err := json.Unmarshal([]byte(body), &m); err != nil {
				t.Fatal(err)
			}
			types = append(types, m.Event.Type)
		case code := <-done:
			t.Fatalf("exit %d: %s", code, stderr.String())
		}
	}
	if types[0] != "start" {
		t.Errorf("told %v", types)
	}
	stop()
	if code := <-done; code != exitDone {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
	if info, err := os.Stat(filepath.Join(data, "webhook.secret")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestHookSecret(t *testing.T) {
	a := &app{log: slog.New(slog.DiscardHandler)}
	if _, err := a.hookSecret(); err == nil || !strings.Contains(err.Error(), "webhook-secret") {
		t.Errorf("without a folder: %v", err)
	}
	a.cfg.Data = filepath.Join(t.TempDir(), "new")
	first, err := a.hookSecret()
	if err != nil || len(first) < 20 {
		t.Fatalf("%q %v", first, err)
	}
	if again, err := a.hookSecret(); again != first || err != nil {
		t.Errorf("another secret: %q %v", again, err)
	}
	a.cfg.HookSecret = "mine"
	if mine, err := a.hookSecret(); mine != "mine" || err != nil {
		t.Errorf("%q %v", mine, err)
	}
}
