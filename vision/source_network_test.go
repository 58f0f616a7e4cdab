package vision

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

// film is a short video of a kind that can be played while it comes.
func film(t *testing.T, ext, codec string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "film"+ext)
	w, err := gocv.VideoWriterFile(file, codec, 25, 64, 32, true)
	if err != nil {
		t.Fatal(err)
	}
	img, err := Decode(jpegBytes(t, quarters(64, 32)))
	if err != nil {
		t.Fatal(err)
	}
	defer img.Close()
	for range 50 {
		if err := w.Write(img); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	data, err := os.ReadFile(file)
	if err != nil || len(data) == 0 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	return data
}

// TestDownload plays a video from the network, which may send the eye nowhere else.
func TestDownload(t *testing.T) {
	var inside atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inside.Add(1) }))
	defer other.Close()
	video := film(t, ".avi", "MJPG")
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
		src, err := OpenSource(t.Context(), camera.URL+path, SourceOptions{Stall: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		img := gocv.NewMat()
		frames := 0
		for ; err == nil; frames++ {
			if _, err = src.Next(t.Context(), &img); err == nil && corners(img) != "rgbw" {
				t.Errorf("%s: frame %d is %s", path, frames, corners(img))
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
	if src, err := OpenSource(t.Context(), camera.URL+"/list", SourceOptions{Stall: time.Second}); err == nil {
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
				serveRTSP(conn, answer, film)
			}()
		}
	}()
	return ln.Addr().String(), calls
}

func serveRTSP(conn net.Conn, answer func(method string) string, film []byte) {
	in := textproto.NewReader(bufio.NewReader(conn))
	for {
		line, err := in.ReadLine()
		if err != nil {
			return
		}
		header, err := in.ReadMIMEHeader()
		if err != nil {
			return
		}
		method, _, _ := strings.Cut(line, " ")
		status, rest, _ := strings.Cut(answer(method), "\n")
		fmt.Fprintf(conn, "RTSP/1.0 %s\r\nCSeq: %s\r\n%s", status, header.Get("CSeq"), strings.ReplaceAll(rest, "\n", "\r\n"))
		if method != "PLAY" {
			continue
		}
		for n := 0; len(film) > 0; n++ {
			piece := film[:min(7*188, len(film))]
			film = film[len(piece):]
			packet := []byte{'$', 0, 0, 0, 0x80, 33, byte(n >> 8), byte(n), 0, 0, byte(n), 0, 0, 0, 0, 1}
			binary.BigEndian.PutUint16(packet[2:], uint16(12+len(piece)))
			conn.Write(append(packet, piece...))
			time.Sleep(time.Millisecond)
		}
	}
}

// willing is what a camera answers that does as it is asked.
func willing(method string) string {
	switch method {
	case "OPTIONS":
		return "200 OK\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\n\n"
	case "DESCRIBE":
		const text = "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=table\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:track1\r\n"
		return fmt.Sprintf("200 OK\nContent-Type: application/sdp\nContent-Length: %d\n\n%s", len(text), strings.ReplaceAll(text, "\r\n", "\n"))
	case "SETUP":
		return "200 OK\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\nSession: 1\n\n"
	}
	return "200 OK\nSession: 1\n\n"
}

// TestRTSP plays a network camera, and is sent to no other machine by one.
func TestRTSP(t *testing.T) {
	// FFmpeg wants to see some of it before it says what it is.
	address, _ := rtspServer(t, willing, bytes.Repeat(film(t, ".ts", "mp4v"), 20))
	src, err := OpenSource(t.Context(), "rtsp://ann:secret@"+address+"/live?channel=1", SourceOptions{})
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
	elsewhere, calls := rtspServer(t, willing, nil)
	for _, at := range []string{"OPTIONS", "DESCRIBE", "SETUP", "PLAY"} {
		bad, _ := rtspServer(t, func(method string) string {
			if method == at {
				return "302 Found\nLocation: rtsp://" + elsewhere + "/live\n\n"
			}
			return willing(method)
		}, nil)
		src, err := OpenSource(t.Context(), "rtsp://"+bad+"/live", SourceOptions{})
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
