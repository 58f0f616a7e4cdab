package camera

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"diceref/vision/camera/cameratest"
	"diceref/vision/eye"
)

// take asks a source for so many pictures and gives the frames and the colors seen.
func take(t *testing.T, src Source, n int) (frames []Frame, seen []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // only to end a test that hangs
	defer cancel()
	img := NewPicture()
	defer img.Close()
	for range n {
		f, err := src.Next(ctx, img)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		frames, seen = append(frames, f), append(seen, corners(img.full))
	}
	return
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	upright := cameratest.JPEG(t, cameratest.Quarters(64, 32))
	for name, data := range map[string][]byte{
		"b.JPG": cameratest.Turned(upright, 3), "a.jpeg": upright, "notes.txt": []byte("x"), ".c.jpg": []byte("hidden"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, err := Open(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	frames, seen := take(t, src, 9)
	if fmt.Sprint(frames, seen) != "[{0 0} {1 1}] [rgbw bwrg]" {
		t.Errorf("frames %v showing %v", frames, seen)
	}
	if !src.Info().Posed {
		t.Error("a folder's pictures are not told to be posed")
	}
	if err := os.WriteFile(filepath.Join(dir, "c.png"), []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	bad, err := Open(t.Context(), filepath.Join(dir, "c.png"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	img := NewPicture()
	defer img.Close()
	if _, err := bad.Next(t.Context(), img); err == nil || !strings.Contains(err.Error(), "c.png") {
		t.Errorf("a picture that is none: %v, want an error that names it", err)
	}
}

func TestVideo(t *testing.T) {
	src, err := Open(t.Context(), "demo", Options{Demo: filepath.Join("..", "..", "cmd", "diceref-eye", "demo", "dice-box.mp4")})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if i := src.Info(); i.FPS != 10 || i.Width != 800 || i.Height != 600 || i.Live || i.Posed {
		t.Errorf("%+v", i)
	}
	frames, _ := take(t, src, 1000)
	for i, f := range frames {
		if f.Index != i || f.T != float64(i)/10 {
			t.Fatalf("frame %d is %+v", i, f)
		}
	}
	if len(frames) != 548 {
		t.Errorf("%d frames, want 548", len(frames))
	}
}

func TestOpenSourceErrors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.mp4")
	if err := os.WriteFile(text, []byte("this is not a video"), 0o600); err != nil {
		t.Fatal(err)
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/secret" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://127.0.0.2:1/", http.StatusFound)
			return
		}
		fmt.Fprint(w, "<html>a camera's own page</html>")
	}))
	defer page.Close()
	for _, c := range []struct {
		name, want string
		kind       eye.Kind
	}{
		{"", "no source given", ""},
		{"demo", "no recorded demo", ""},
		{"99", "no such device", eye.NoDevice},
		{"/dev/video99", "no such device", eye.NoDevice},
		{"/dev/null", "cannot open the camera", eye.NoPictures},
		{filepath.Join(dir, "none.mp4"), "no such file", eye.NoFile},
		{dir, "no pictures in it", eye.NoAlbum},
		{text, "not a video", eye.NoVideo},
		{"gopher://table", "addresses start with", eye.BadAddress},
		{page.URL, "a web page, not", eye.WebPage},
		{page.URL + "/secret", "401", eye.Password},
		{page.URL + "/away", "another machine", eye.Elsewhere},
		{"http://user:secret@localhost:1/secret?a=secret", "http://localhost:1:", eye.NoAnswer},
		{"rtsp://user:secret@localhost:1/secret", "rtsp://localhost:1:", eye.NoAnswer},
	} {
		src, err := Open(t.Context(), c.name, Options{Stall: 5 * time.Second})
		if err == nil {
			src.Close()
			t.Errorf("%q opened", c.name)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v\nwant one line with %q and no password", c.name, err, c.want)
		}
		if kind := eye.KindOf(err); kind != c.kind {
			t.Errorf("%q: %v is of the kind %q, want %q", c.name, err, kind, c.kind)
		}
	}
}

// camera serves pictures in the ways that cameras do.
func camera(t *testing.T) *httptest.Server {
	upright := cameratest.JPEG(t, cameratest.Quarters(64, 32))
	upside := cameratest.Turned(upright, 3)
	var calls atomic.Int32
	stream := func(w http.ResponseWriter, announced, between string, length bool, parts ...[]byte) {
		w.Header().Set("Content-Type", "multipart/x-mixed-replace; boundary="+announced)
		for _, p := range parts {
			fmt.Fprintf(w, "%s\r\nContent-Type: image/jpeg\r\n", between)
			if length {
				fmt.Fprintf(w, "Content-Length: %d\r\n", len(p))
			}
			fmt.Fprintf(w, "\r\n%s\r\n", p)
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond) // so that each is taken: only the newest is kept
		}
		fmt.Fprintf(w, "%s\r\n", between)
		w.(http.Flusher).Flush()
	}
	mux := http.NewServeMux()
	hold := func(r *http.Request) { <-r.Context().Done() }
	mux.HandleFunc("/standard", func(w http.ResponseWriter, r *http.Request) {
		stream(w, "x", "--x", true, upright, upside)
		hold(r)
	})
	mux.HandleFunc("/dashes", func(w http.ResponseWriter, r *http.Request) {
		stream(w, "--x", "--x", true, upright, upside)
		hold(r)
	})
	mux.HandleFunc("/length", func(w http.ResponseWriter, r *http.Request) {
		stream(w, `"a b"`, "----x", false, upright, upside)
		hold(r)
	})
	mux.HandleFunc("/damaged", func(w http.ResponseWriter, r *http.Request) {
		stream(w, "x", "--x", true, []byte("no picture"), upright[:200], upright, upside)
		hold(r)
	})
	mux.HandleFunc("/stalls", func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			stream(w, "x", "--x", true, upright)
			hold(r)
			return
		}
		stream(w, "x", "--x", true, upside)
		hold(r)
	})
	mux.HandleFunc("/ends", func(w http.ResponseWriter, r *http.Request) {
		stream(w, "x", "--x", false, [][]byte{upright, upside}[min(calls.Add(1)-1, 1)])
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/standard", http.StatusFound)
	})
	mux.HandleFunc("/still", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/jpeg")
		w.Write([][]byte{upright, upside}[min(calls.Add(1)-1, 1)])
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func TestHTTPCamera(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/standard", "/dashes", "/length", "/damaged", "/stalls", "/ends", "/still", "/moved"} {
		t.Run(path[1:], func(t *testing.T) {
			var notices atomic.Int32
			src, err := Open(t.Context(), camera(t).URL+path, Options{
				Stall:  2 * time.Second,
				Notice: func(error) { notices.Add(1) },
			})
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			// A picture may be left out when a newer one is there: the last one never is.
			seen, last := map[string]bool{}, -1
			for !seen["bwrg"] {
				frames, colors := take(t, src, 1)
				if frames[0].Index != last+1 {
					t.Fatalf("frame %d after %d", frames[0].Index, last)
				}
				last = frames[0].Index
				seen[colors[0]] = true
				if colors[0] != "rgbw" && colors[0] != "bwrg" {
					t.Fatalf("a picture of %s", colors[0])
				}
			}
			if lost := path == "/stalls" || path == "/ends"; lost && notices.Load() == 0 {
				t.Error("nobody was told that the camera was lost")
			}
		})
	}
}

// slow is a live source that gives pictures when it is told to.
type slow struct{ give chan error }

func (s *slow) Info() Info   { return Info{Name: "slow", Live: true} }
func (s *slow) Close() error { return nil }
func (s *slow) Next(ctx context.Context, img *Picture) (Frame, error) {
	select {
	case err := <-s.give:
		return Frame{}, err
	case <-ctx.Done():
		return Frame{}, ctx.Err()
	}
}

func TestLatest(t *testing.T) {
	from := &slow{give: make(chan error)}
	src := newLatest(from, 100*time.Millisecond)
	img := NewPicture()
	defer img.Close()
	for range 5 { // only the newest of these is kept
		from.give <- nil
	}
	if f, err := src.Next(t.Context(), img); err != nil || f.Index != 0 {
		t.Errorf("%+v, %v", f, err)
	}
	for { // the last of the five may have come after the first was taken
		_, err := src.Next(t.Context(), img)
		if err != nil {
			if !strings.Contains(err.Error(), "no picture for 100ms") {
				t.Errorf("a camera that stalls: %v", err)
			}
			break
		}
	}
	from.give <- errors.New("unplugged")
	if _, err := src.Next(t.Context(), img); err == nil || err.Error() != "unplugged" {
		t.Errorf("a camera that is gone: %v", err)
	}
	if err := src.Close(); err != nil {
		t.Error(err)
	}
}

// TestPhoneFolder: a folder of pictures as phones keep them is followed, whatever way their names are written.
func TestPhoneFolder(t *testing.T) {
	dir := t.TempDir()
	for name, from := range map[string]string{"IMG_1.HEIC": "phone.heic", "IMG_2.avif": "turned.avif", "IMG_3.webp": "turned.webp"} {
		if err := os.WriteFile(filepath.Join(dir, name), uploaded(t, from), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	img := NewPicture()
	defer img.Close()
	for i := range 3 {
		if f, err := s.Next(t.Context(), img); err != nil || f.Index != i || img.Width != 960 || img.Height != 540 {
			t.Errorf("picture %d: %+v, %d×%d pixels, %v", i, f, img.Width, img.Height, err)
		}
	}
	if _, err := s.Next(t.Context(), img); !errors.Is(err, io.EOF) {
		t.Errorf("after the last one: %v", err)
	}
}
