package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"diceref/match"
	"diceref/table"
	"diceref/vision/eye"
)

// answer is what a request got.
type answer struct {
	status int
	header http.Header
	body   string
}

func (a answer) problem(t *testing.T) problem {
	t.Helper()
	var p problem
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		t.Fatalf("not a problem: %q: %v", a.body, err)
	}
	return p
}

// call sends a request from this machine to the handler; edit may change it.
func call(t *testing.T, h http.Handler, method, path, body string, edit func(*http.Request)) answer {
	t.Helper()
	r := httptest.NewRequest(method, "http://localhost:8080"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:5000"
	if (method == http.MethodPost || method == http.MethodPatch) && !strings.HasPrefix(path, "/api/v1/read") {
		r.Header.Set("Content-Type", "application/json")
	}
	if edit != nil {
		edit(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return answer{w.Code, w.Header(), w.Body.String()}
}

// served is a server over fakes.
func served(reader Reader) (*Server, *fakeMatch, *Feed) {
	m, feed := newFakeMatch("Ada", "Ben", "Cleo"), NewFeed()
	cfg := Config{Match: m, Feed: feed, Reader: reader, Code: "ABCD2345", Version: "1.2.3"}
	if slow, ok := reader.(fakeReader); ok && slow.wait {
		cfg.ReadTime = time.Millisecond
	}
	return New(cfg), m, feed
}

func TestDeclarations(t *testing.T) {
	tests := []struct {
		path, body string
		want       match.Declaration
	}{
		{"/declare", `{"say":"reroll"}`, match.Declaration{Say: "reroll"}},
		{"/declare", `{"say":"answer","choice":"red 4 on c3"}`, match.Declaration{Say: "answer", Choice: "red 4 on c3"}},
		{"/undo", ``, match.Declaration{Say: "undo"}},
		{"/undo", `{}`, match.Declaration{Say: "undo"}},
		{"/redo", ``, match.Declaration{Say: "redo"}},
		{"/correct", `{"square":[3,1],"color":"red","face":5}`, match.Declaration{Say: "correct", Square: &table.Square{Row: 3, Col: 1}, Color: table.Red, Face: 5}},
	}
	for _, test := range tests {
		s, m, _ := served(nil)
		a := call(t, s.Handler(), "POST", "/api/v1"+test.path, test.body, nil)
		if a.status != 200 {
			t.Errorf("%s %s: %d %s", test.path, test.body, a.status, a.body)
			continue
		}
		got, _ := json.Marshal(m.said())
		want, _ := json.Marshal([]match.Declaration{test.want})
		if string(got) != string(want) {
			t.Errorf("%s %s: declared %s, want %s", test.path, test.body, got, want)
		}
	}
}

func TestDeclarationsRefused(t *testing.T) {
	tests := []struct {
		path, body string
		status     int
		word       string
	}{
		{"/declare", ``, 400, "understand"},
		{"/declare", `{"say":"dance"}`, 400, "dance"},
		{"/declare", `{"say":"undo","frame":3}`, 400, "frame"},
		{"/declare", `{"say":"undo","extra":1}`, 400, "extra"},
		{"/declare", `{"say":"undo"}{"say":"undo"}`, 400, "one"},
		{"/declare", `["undo"]`, 400, "understand"},
		{"/declare", `{"say":"` + strings.Repeat("x", maxBody) + `"}`, 413, "long"},
		{"/undo", `{"say":"redo"}`, 400, "undo"},
		{"/correct", `{"square":[7,1],"color":"red","face":5}`, 400, "square"},
		{"/correct", `{"square":[1,1],"color":"mauve","face":5}`, 400, "mauve"},
		{"/correct", `{"square":[1,1],"color":"red","face":9}`, 400, "9"},
	}
	s, m, _ := served(nil)
	for _, test := range tests {
		a := call(t, s.Handler(), "POST", "/api/v1"+test.path, test.body, nil)
		if p := a.problem(t); a.status != test.status || !strings.Contains(p.Error, test.word) {
			t.Errorf("%s %.60s: %d %+v, want %d and %q", test.path, test.body, a.status, p, test.status, test.word)
		}
	}
	if said := m.said(); len(said) != 0 {
		t.Errorf("declared all the same: %v", said)
	}
	m.refuse = errors.New("match: nothing to undo")
	if a := call(t, s.Handler(), "POST", "/api/v1/undo", "", nil); a.status != 409 || a.problem(t).Error != "nothing to undo" {
		t.Errorf("a refusal of the match: %d %s", a.status, a.body)
	}
}

func TestPictures(t *testing.T) {
	s, _, feed := served(nil)
	if a := call(t, s.Handler(), "GET", "/api/v1/preview.jpg", "", nil); a.status != 404 {
		t.Errorf("without a picture: %d", a.status)
	}
	later := make(chan answer)
	wait := func(after string) {
		go func() { later <- call(t, s.Handler(), "GET", "/api/v1/preview.jpg?after="+after, "", nil) }()
		for s.crowd.size() == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	wait("7") // the number of a picture that is gone
	feed.ShowPicture([]byte("first"))
	a := <-later
	if a.status != 200 || a.body != "first" || a.header.Get("X-Picture") != "1" || a.header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("the first picture: %+v", a)
	}
	wait("1")
	feed.ShowStatus(Status{State: CameraRunning}) // no picture: nothing to answer with
	feed.ShowPicture([]byte("second"))
	if a := <-later; a.body != "second" || a.header.Get("X-Picture") != "2" {
		t.Errorf("the second picture: %+v", a)
	}
}

func TestStream(t *testing.T) {
	s, _, feed := served(nil)
	feed.ShowPicture([]byte("first"))
	ts := httptest.NewServer(s.Handler())
	defer ts.Close()
	r, err := http.Get(ts.URL + "/api/v1/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	part := func(picture string) string {
		return fmt.Sprintf("--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n", len(picture), picture)
	}
	for _, picture := range []string{"first", "second", "third"} {
		if picture != "first" {
			feed.ShowPicture([]byte(picture))
		}
		got := make([]byte, len(part(picture)))
		if _, err := io.ReadFull(r.Body, got); err != nil || string(got) != part(picture) {
			t.Fatalf("got %q, %v; want %q", got, err, part(picture))
		}
	}
	close(s.closing)
	if rest, err := io.ReadAll(r.Body); err != nil || len(rest) > 0 {
		t.Errorf("after the end: %q, %v", rest, err)
	}
}

// hugePNG is a small file that says it is huge.
func hugePNG(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	copy(data[16:], []byte{0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10}) // 10000 by 10000
	return string(data)
}

func TestRead(t *testing.T) {
	var small bytes.Buffer
	if err := png.Encode(&small, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		reader Reader
		query  string
		body   string
		status int
		code   string
	}{
		{"a picture", fakeReader{}, "?game=dessert-dice", string(tablePicture), 200, ""},
		{"a picture, to be shown", fakeReader{}, "?show=1", string(tablePicture), 200, ""},
		{"any dice", fakeReader{}, "", small.String(), 200, ""},
		{"unknown game", fakeReader{}, "?game=chess", small.String(), 400, "game"},
		{"nothing", fakeReader{}, "", "", 415, "not-a-picture"},
		{"a text", fakeReader{}, "", "hello", 415, "not-a-picture"},
		{"a truncated picture", fakeReader{}, "", string(tablePicture[:9000]), 415, "not-a-picture"},
		{"too many pixels", fakeReader{}, "", hugePNG(t), 413, "too-many-pixels"},
		{"too many bytes", fakeReader{}, "", strings.Repeat("x", maxUpload+1), 413, "too-many-bytes"},
		{"no eye", nil, "", small.String(), 503, "no-eye"},
		{"unreadable", fakeReader{err: fmt.Errorf("%w: it is odd", ErrUnreadable)}, "", small.String(), 422, "unreadable"},
		{"a dying eye", fakeReader{err: eye.ErrDied}, "", small.String(), 502, "not-read"},
		{"too slow", fakeReader{wait: true}, "", small.String(), 504, "too-slow"},
	}
	for _, test := range tests {
		s, _, _ := served(test.reader)
		a := call(t, s.Handler(), "POST", "/api/v1/read"+test.query, test.body, nil)
		if a.status != test.status {
			t.Errorf("%s: %d %s, want %d", test.name, a.status, a.body, test.status)
			continue
		}
		if test.status != 200 {
			if p := a.problem(t); p.Code != test.code || p.Error == "" {
				t.Errorf("%s: %+v, want code %s", test.name, p, test.code)
			}
			continue
		}
		var seen struct {
			Dice    []struct{ Color string }
			Picture []byte
		}
		if err := json.Unmarshal([]byte(a.body), &seen); err != nil || len(seen.Dice) != len(tableDice)+1 {
			t.Errorf("%s: %v, %d dice", test.name, err, len(seen.Dice))
		}
		if want := strings.Contains(test.query, "show"); want != bytes.Equal(seen.Picture, tablePicture) || want == (seen.Picture == nil) {
			t.Errorf("%s: the answer has a picture of %d bytes", test.name, len(seen.Picture))
		}
	}
}

func TestReadTakesFewAtATime(t *testing.T) {
	s, _, _ := served(fakeReader{wait: true})
	for range maxReadings {
		s.reading <- struct{}{}
	}
	if a := call(t, s.Handler(), "POST", "/api/v1/read", string(tablePicture), from("192.168.1.9:4000")); a.status != 429 {
		t.Errorf("one too many: %d %s", a.status, a.body)
	}
}

func TestFeedIgnoresTrembling(t *testing.T) {
	feed := NewFeed()
	seen := seenTable()
	feed.ShowObservation(seen)
	first := feed.state()
	seen.Frame++
	seen.Dice = append([]table.Reading(nil), seen.Dice...)
	seen.Dice[0].Outline[0].X += 0.4
	seen.Dice[1].Confidence -= 0.004
	feed.ShowObservation(seen)
	if now := feed.state(); now.views != first.views || now.seen.Frame != 327 {
		t.Errorf("%d views instead of %d, frame %d", now.views, first.views, now.seen.Frame)
	}
	changes := map[string]func(*table.Observation){
		"face":    func(o *table.Observation) { o.Dice[2].Face = 6 },
		"square":  func(o *table.Observation) { o.Dice[2].Square = nil },
		"place":   func(o *table.Observation) { o.Dice[2].Outline[1].Y += 9 },
		"doubt":   func(o *table.Observation) { o.Dice[2].Sure = false },
		"board":   func(o *table.Observation) { o.Grid = nil },
		"fewer":   func(o *table.Observation) { o.Dice = o.Dice[1:] },
		"warning": func(o *table.Observation) { o.Warnings = []table.Warning{{Code: "dark", Text: "dark"}} },
	}
	for name, change := range changes {
		before := feed.state().views
		changed := seen
		changed.Dice = append([]table.Reading(nil), seen.Dice...)
		change(&changed)
		feed.ShowObservation(changed)
		if feed.state().views != before+1 {
			t.Errorf("a change of %s is not shown", name)
		}
		feed.ShowObservation(seen)
	}
}

func TestMetrics(t *testing.T) {
	s, m, feed := served(nil)
	feed.ShowStatus(Status{State: CameraRunning})
	feed.ShowPicture(tablePicture)
	feed.ShowObservation(seenTable())
	m.add(place("Ada", table.Red, 4, 0, 0), "")
	for _, path := range []string{"/api/v1/state", "/api/v1/state", "/no/such/page", "/nor/this"} {
		call(t, s.Handler(), "GET", path, "", nil)
	}
	a := call(t, s.Handler(), "GET", "/metrics", "", nil)
	for _, want := range []string{
		`diceref_http_requests_total{path="/api/v1/state",status="200"} 2`,
		`diceref_http_requests_total{path="other",status="404"} 2`,
		"diceref_pictures_total 1", "diceref_views_total 1", "diceref_camera_up 1", "diceref_read_seconds 0.015", "diceref_match_records_total 1",
	} {
		if !strings.Contains(a.body, want+"\n") {
			t.Errorf("no line %q in\n%s", want, a.body)
		}
	}
}
