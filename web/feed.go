package web

import (
	"encoding/json"
	"math"
	"reflect"
	"sync"

	"diceref/table"
)

// States of the camera.
const (
	CameraStarting   = "starting"
	CameraRunning    = "running"
	CameraRestarting = "restarting"
	CameraEnded      = "ended"
	CameraRetrying   = "retrying" // it could not be opened; the eye keeps trying
	CameraFailed     = "failed"
	CameraNone       = "none" // there is no camera: everything is tapped
)

// Status is the state of the camera (the eye).
type Status struct {
	State  string `json:"state"`            // one of the Camera constants
	Kind   string `json:"kind,omitempty"`   // what is wrong, for words in any language: one of the kinds of the eye
	Reason string `json:"reason,omitempty"` // why it is not running
	Trying bool   `json:"trying,omitempty"` // it is being set up: the match does not see what it shows
	Phone  string `json:"phone,omitempty"`  // one of the Phone constants: the state of the phone that is the camera
}

// Feed holds the latest picture, observation and camera state from the eye. New ones replace
// old ones, so a slow page misses pictures and never blocks anybody. The zero Feed is not
// ready; use NewFeed.
type Feed struct {
	mu      sync.Mutex
	changed chan struct{}
	picture []byte
	number  int64 // of the picture; counts up over restarts of the eye
	seen    *table.Observation
	drawn   drawing // seen as the page draws it
	view    []byte  // drawn, as JSON
	views   int64   // how often view changed
	status  Status
}

// NewFeed returns a feed whose camera is starting.
func NewFeed() *Feed {
	return &Feed{changed: make(chan struct{}), status: Status{State: CameraStarting}}
}

// Clear removes the picture and the observation, before another camera or none.
func (f *Feed) Clear(game table.Game, status Status) {
	drawn := newDrawing(table.Observation{Game: game, Look: table.LookStill})
	view, err := json.Marshal(drawn)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil {
		f.view, f.drawn = view, drawn
		f.views++
	}
	status.Phone = f.status.Phone
	f.picture, f.seen, f.status = nil, nil, status
	f.number++
	f.wake()
}

// Picture is the latest picture, nil if there is none.
func (f *Feed) Picture() []byte { return f.state().picture }

// Next is the latest picture, and what is closed at the next change.
func (f *Feed) Next() (changed <-chan struct{}, picture []byte) {
	now := f.state()
	return now.changed, now.picture
}

// ShowPicture replaces the picture. The caller must not change the bytes after that.
func (f *Feed) ShowPicture(jpeg []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.picture = jpeg
	f.number++
	f.wake()
}

// ShowObservation replaces the observation.
func (f *Feed) ShowObservation(seen table.Observation) {
	drawn := newDrawing(seen)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = &seen
	if f.view != nil && drawn.like(f.drawn) {
		return // nothing that a page would draw differently
	}
	view, err := json.Marshal(drawn)
	if err != nil {
		return // a number that is none: wait for better ones
	}
	f.view, f.drawn = view, drawn
	f.views++
	f.wake()
}

// ShowStatus replaces the state of the camera.
func (f *Feed) ShowStatus(status Status) {
	f.mu.Lock()
	defer f.mu.Unlock()
	status.Phone = f.status.Phone
	if f.status != status {
		f.status = status
		f.wake()
	}
}

// showPhone says how the phone is.
func (f *Feed) showPhone(state string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.status.Phone != state {
		f.status.Phone = state
		f.wake()
	}
}

// Settle makes the camera that was tried the current one: the match sees it.
func (f *Feed) Settle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.status.Trying {
		f.status.Trying = false
		f.wake()
	}
}

// wake tells everybody who waits; f.mu is held.
func (f *Feed) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// feedState is everything of a feed at one moment.
type feedState struct {
	picture []byte
	number  int64
	seen    *table.Observation
	view    []byte
	views   int64
	status  Status
	changed <-chan struct{} // closed when any of it is no longer true
}

func (f *Feed) state() feedState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return feedState{f.picture, f.number, f.seen, f.view, f.views, f.status, f.changed}
}

// drawing is what a page draws of an observation. Its coordinates are pixels of
// the source's picture, of the size given; it leaves out what changes with
// every frame, so that a quiet table sends nothing.
type drawing struct {
	Game     table.Game            `json:"game"`
	Width    int                   `json:"width"`
	Height   int                   `json:"height"`
	Look     table.Look            `json:"look"`
	Board    *table.Grid           `json:"board"`
	Dice     []die                 `json:"dice"`
	Markers  []table.MarkerReading `json:"markers,omitempty"`
	Warnings []table.Warning       `json:"warnings"`
}

// die is a reading in the form of `diceref read`, with its outline.
type die struct {
	Color      table.Color    `json:"color"`
	Face       *int           `json:"face"` // null: no readable face
	Row        *int           `json:"row"`  // null: beside the grid
	Col        *int           `json:"col"`
	X          float64        `json:"x"`
	Y          float64        `json:"y"`
	Confidence float64        `json:"confidence"`
	Sure       bool           `json:"sure"`
	Outline    [4]table.Point `json:"outline"`
}

func newDrawing(seen table.Observation) drawing {
	d := drawing{
		Game: seen.Game, Width: seen.Width, Height: seen.Height, Look: seen.Look, Board: seen.Grid,
		Dice: make([]die, len(seen.Dice)), Markers: seen.Markers, Warnings: seen.Warnings,
	}
	if d.Warnings == nil {
		d.Warnings = []table.Warning{}
	}
	for i, r := range seen.Dice {
		d.Dice[i] = newDie(r)
	}
	return d
}

// like says whether a page would look the same: readings tremble a little from
// frame to frame, and nobody wants to see that.
func (d drawing) like(o drawing) bool {
	if len(d.Dice) != len(o.Dice) || d.Width != o.Width || d.Height != o.Height || d.Game != o.Game || d.Look != o.Look ||
		(d.Board == nil) != (o.Board == nil) || !reflect.DeepEqual(d.Warnings, o.Warnings) || !reflect.DeepEqual(d.Markers, o.Markers) {
		return false
	}
	still := float64(d.Width) / 400 // pixels
	if d.Board != nil && (d.Board.Found != o.Board.Found || !near(d.Board.Corners, o.Board.Corners, still)) {
		return false
	}
	for i, a := range d.Dice {
		b := o.Dice[i]
		if !near(a.Outline, b.Outline, still) || math.Abs(a.Confidence-b.Confidence) > 0.02 {
			return false
		}
		a.X, a.Y, a.Outline, a.Confidence = b.X, b.Y, b.Outline, b.Confidence
		if !reflect.DeepEqual(a, b) {
			return false
		}
	}
	return true
}

func near(a, b [4]table.Point, pixels float64) bool {
	for i := range a {
		if math.Abs(a[i].X-b[i].X) > pixels || math.Abs(a[i].Y-b[i].Y) > pixels {
			return false
		}
	}
	return true
}

func newDie(r table.Reading) die {
	d := die{
		Color: r.Color, X: tenth(r.At.X), Y: tenth(r.At.Y),
		Confidence: float64(int(r.Confidence*1000+0.5)) / 1000, Sure: r.Sure, Outline: r.Outline,
	}
	if r.Face != 0 && !r.Unknown {
		d.Face = &r.Face
	}
	if r.Square != nil {
		d.Row, d.Col = &r.Square.Row, &r.Square.Col
	}
	return d
}

// tenth rounds to a tenth of a pixel.
func tenth(v float64) float64 {
	if v < 0 {
		return -tenth(-v)
	}
	return float64(int(v*10+0.5)) / 10
}
