package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/web/webtest"
)

// TestServePhone follows a game through a phone: Chromium, whose camera plays a
// rendered table, opens the page over https and trusts the authority that serve
// made; one tap has the table look through it, and the move that it films is judged.
func TestServePhone(t *testing.T) {
	eyePath := builtEye(t)
	data := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	var stderr strings.Builder
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{
			"serve", "--lan", "--listen", "localhost:0", "--data", data, "--eye", eyePath,
			"--source", "none", "--game", "dice-box", "--players", "Ada,Ben", "--option", "owners=Ada:RY,Ben:BW",
		}, strings.NewReader(""), in, &stderr)
		in.Close()
	}()
	defer func() {
		stop()
		if code := <-done; code != exitDone {
			t.Errorf("exit %d: %s", code, stderr.String())
		}
	}()
	local, remote := "", ""
	for lines := bufio.NewScanner(out); remote == "" && lines.Scan(); {
		if address, ok := strings.CutPrefix(lines.Text(), "diceref is at "); ok {
			local = address
		}
		if address, ok := strings.CutPrefix(lines.Text(), "on other devices: http://"); ok {
			remote = strings.Replace(address, "/#", "/camera#", 1)
		}
	}
	go io.Copy(io.Discard, out)
	if remote == "" { // this machine is in no network: then over its own address
		remote = strings.TrimPrefix(local, "http://") + "/camera"
	}

	pictures, err := os.ReadFile(filepath.Join(root, "web", "testdata", "first-move.mjpeg"))
	if err != nil {
		t.Fatal(err)
	}
	camera := filepath.Join(t.TempDir(), "camera.mjpeg")
	if err := os.WriteFile(camera, slowly(pictures, 45), 0o600); err != nil {
		t.Fatal(err)
	}
	phone := webtest.Phone(t, map[string]any{
		"use-fake-device-for-media-stream": true, "use-fake-ui-for-media-stream": true, "use-file-for-fake-video-capture": camera,
		"ignore-certificate-errors-spki-list": fingerprint(t, filepath.Join(data, "tls", "authority.crt")),
	}, 3*time.Minute)
	// The table has no camera yet; one tap on the phone makes it the table's.
	if err := chromedp.Do(phone, chromedp.Navigate("https://"+remote), chromedp.WaitVisible("#use"), chromedp.Click("#use")); err != nil {
		t.Fatal(err)
	}

	type health struct{ Camera string }
	ask(t, local+"/api/v1/healthz", func(h health) bool { return h.Camera == "running" })
	seen := ask(t, local+"/api/v1/state", func(s match.Snapshot) bool { return len(moves(s)) > 0 })
	first := moves(seen)[0]
	if first.Legal == nil || !*first.Legal || !strings.HasPrefix(first.Text, "Ada places red 2 on ") {
		t.Errorf("the first move is %q, legal %v; want Ada to place red 2", first.Text, first.Legal)
	}
}

// moves are the moves of a match in their order.
func moves(s match.Snapshot) (list []match.EventView) {
	for _, e := range s.Events {
		if e.Type == match.TypeMove {
			list = append(list, e)
		}
	}
	return list
}

// slowly repeats every JPEG of a file: Chromium's camera plays 30 per second.
func slowly(pictures []byte, times int) []byte {
	var out []byte
	mark := []byte{0xff, 0xd8, 0xff}
	for _, each := range bytes.Split(pictures, mark)[1:] {
		out = append(out, bytes.Repeat(append(bytes.Clone(mark), each...), times)...)
	}
	return out
}

// fingerprint is that of a certificate's key, as Chromium wants it.
func fingerprint(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(data)
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(cert.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(sum[:])
}
