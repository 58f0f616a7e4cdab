package camera

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"diceref/vision/camera/cameratest"
)

// TestDownload plays a video from the network, which may send the eye nowhere else.
func TestDownload(t *testing.T) {
	var inside atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inside.Add(1) }))
	defer other.Close()
	video := cameratest.Film(t, ".avi", "MJPG")
	camera := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", strconv.Itoa(len(video)))
		switch r.URL.Path {
		case "/film":
			w.Write(video)
		case "/stalls":
			w.Write(video[:len(video)/2])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/list":
			w.Header().Del("Content-Length")
			fmt.Fprintf(w, "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n%s/film.ts\n#EXT-X-ENDLIST\n", other.URL)
		}
	}))
	defer camera.Close()
	for path, broken := range map[string]bool{"/film": false, "/stalls": true} {
		src, err := Open(t.Context(), camera.URL+path, Options{Stall: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		img := NewPicture()
		frames := 0
		for ; err == nil; frames++ {
			if _, err = src.Next(t.Context(), img); err == nil && corners(img.full) != "rgbw" {
				t.Errorf("%s: frame %d is %s", path, frames, corners(img.full))
			}
		}
		img.Close()
		if ended := errors.Is(err, io.EOF); ended == broken || frames > 51 || !broken && frames != 51 {
			t.Errorf("%s: %d frames, then %v", path, frames-1, err)
		}
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
	if src, err := Open(t.Context(), camera.URL+"/list", Options{Stall: time.Second}); err == nil {
		src.Close()
		t.Error("a list of other addresses is played")
	}
	if n := inside.Load(); n > 0 {
		t.Errorf("a list led to another machine %d times", n)
	}
}

// rtspServer is a camera that plays a film of MPEG packets, or sends whoever asks elsewhere.
func rtspServer(t *testing.T, answer func(method string) string, film []byte) (address string, calls *atomic.Int32) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	calls = new(atomic.Int32)
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			calls.Add(1)
			go func() {
				defer conn.Close()
				cameratest.ServeRTSP(conn, answer, film)
			}()
		}
	}()
	return ln.Addr().String(), calls
}

// TestRTSP plays a network camera, and is sent to no other machine by one.
func TestRTSP(t *testing.T) {
	// FFmpeg wants to see some of it before it says what it is.
	address, _ := rtspServer(t, cameratest.Willing, bytes.Repeat(cameratest.Film(t, ".ts", "mp4v"), 20))
	src, err := Open(t.Context(), "rtsp://ann:secret@"+address+"/live?channel=1", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for seen := []string{""}; seen[0] != "rgbw"; { // what comes before the first whole picture is gray
		if _, seen = take(t, src, 1); len(seen) == 0 {
			t.Fatal("the camera gave no whole picture")
		}
	}
	if name := src.Info().Name; name != "rtsp://"+address || !src.Info().Live {
		t.Errorf("%+v", src.Info())
	}
	elsewhere, calls := rtspServer(t, cameratest.Willing, nil)
	for _, at := range []string{"OPTIONS", "DESCRIBE", "SETUP", "PLAY"} {
		bad, _ := rtspServer(t, func(method string) string {
			if method == at {
				return "302 Found\nLocation: rtsp://" + elsewhere + "/live\n\n"
			}
			return cameratest.Willing(method)
		}, nil)
		src, err := Open(t.Context(), "rtsp://"+bad+"/live", Options{})
		if err == nil {
			src.Close()
			t.Errorf("a redirect at %s is followed", at)
		} else if !strings.Contains(err.Error(), "another address") {
			t.Errorf("a redirect at %s: %v", at, err)
		}
	}
	if n := calls.Load(); n > 0 {
		t.Errorf("the other machine was called %d times", n)
	}
}

// TestRTSPAnswers: what FFmpeg might read in another way than the relay does is not passed on.
func TestRTSPAnswers(t *testing.T) {
	for answer, want := range map[string]string{
		"RTSP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc":                        "",
		"$\x00\x00\x02ab" + "RTSP/1.0 200 OK\n\n":                                "",
		"OPTIONS rtsp://x RTSP/1.0\r\nCSeq: 1\r\n\r\n":                           "",
		"RTSP/1.0 302 Found\r\nLocation: rtsp://x\r\n\r\n":                       "another address",
		" RTSP/1.0  301 Moved\r\n\r\n":                                           "another address",
		"RTSP/1.0\t0302 Found\r\n\r\n":                                           "does not answer in RTSP",
		"RTSP/1.0 +302 Found\r\n\r\n":                                            "does not answer in RTSP",
		"RTSP/1.0\u00a0200 302\r\n\r\n":                                          "another address",
		"REDIRECT rtsp://x RTSP/1.0\r\n\r\n":                                     "another address",
		"RTSP/1.0 200 OK\r\n$\x00\x00\x09\r\n\r\n":                               "does not answer in RTSP",
		"RTSP/1.0 200 OK\r\nX: \x00\r\n\r\n":                                     "does not answer in RTSP",
		"RTSP/1.0 200 OK\r\nX: a\rRTSP/1.0 302\r\n\r\n":                          "does not answer in RTSP",
		"RTSP/1.0 200 OK\r\nContent-Length: 1\r\nContent-Length: 9\r\n\r\na":     "does not answer in RTSP",
		"RTSP/1.0 200 OK\r\nContent-Length : 9\r\n\r\n":                          "does not answer in RTSP",
		"RTSP/1.0 200 OK\r\nContent-Length: 0x9\r\n\r\n":                         "does not answer in RTSP",
		"RTSP/1.0 200 OK\r\nContent-Length: -9\r\n\r\n":                          "does not answer in RTSP",
		"RTSP/1.0 200 OK\r\nX: " + strings.Repeat("a", longestLine) + "\r\n\r\n": "does not answer in RTSP",
		"hello\r\n": "does not answer in RTSP",
	} {
		var got bytes.Buffer
		err := passAnswers(&got, bufio.NewReaderSize(strings.NewReader(answer), longestLine))
		if want == "" && (err.Error() != "EOF" || got.String() != answer) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, passed on %q; want %q", answer, err, got.String(), want)
		}
	}
}
