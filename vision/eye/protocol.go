// Package eye is the client of diceref-eye, the process that owns the camera
// and links OpenCV: it starts it, talks to it, and starts it again when it
// dies. It also defines what the two say to each other, and looks at the
// headers of pictures so that nothing monstrous is ever decoded.
package eye

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"diceref/table"
	"diceref/vision/owned"
)

// kind says what a message of the protocol holds.
type kind byte

// What the client tells the eye.
const (
	kindWatch   kind = 'w' // Watch: follow a source
	kindPreview kind = 'p' // View: whether and how large pictures are wanted
	kindRead    kind = 'r' // StillRequest, then the bytes of a picture
	kindTeach   kind = 't' // table.Lesson: players put a color right
	kindDice    kind = 'd' // owned.Set, or null: read by it from now on
	kindTop     kind = 'c' // TopRequest: how a die looks that lay still last
	kindSign    kind = 'g' // owned.Set: have its pictures signed
	kindStop    kind = 'q' // nothing: stop and exit
)

// protocol is the version of what the two say to each other. It is raised when an older program could not follow.
const protocol = 3

// hello is the first thing that an eye says.
type hello struct {
	Protocol int `json:"protocol"`
}

// What the eye tells the client.
const (
	kindHello       kind = 'h' // hello, before anything else
	kindObservation kind = 'o' // table.Observation
	kindPicture     kind = 'j' // Picture, then the bytes of a JPEG
	kindStatus      kind = 's' // Status
	kindStill       kind = 'a' // StillAnswer, then the bytes of a JPEG, if one was asked for
	kindSigned      kind = 'g' // SignedDice
	kindSeenTop     kind = 'c' // SeenTop
	kindMarkers     kind = 'm' // []table.MarkerReading: an arena's stickers, learned while it was empty
)

// maxMessage is the largest message in bytes that either side accepts, header and blob together.
const maxMessage = maxFile + 1<<20

// Watch tells the eye what to watch, and for which game.
type Watch struct {
	Game        table.Game `json:"game"`
	Source      string     `json:"source"`
	Calibration string     `json:"calibration,omitempty"` // path of a saved profile
	Realtime    bool       `json:"realtime,omitempty"`    // play a file at its own speed
	Width       int        `json:"width,omitempty"`       // requested from a camera, in pixels; 0: its default
	Height      int        `json:"height,omitempty"`
	// Resume is the number of the first frame to report; an earlier eye reported the ones
	// before it. A file continues there. A camera's frames are numbered from there on, and
	// its time starts at Since, in seconds.
	Resume int     `json:"resume,omitempty"`
	Since  float64 `json:"since,omitempty"`
	// Corners are those of the grid in a reading before, if there is one: the squares go
	// on being numbered from the same corner.
	Corners *[4]table.Point `json:"corners,omitempty"`
	// Lessons are corrected colors, in addition to those in the calibration.
	Lessons []table.Lesson `json:"lessons,omitempty"`
	// Markers are an arena's stickers as an earlier eye learned them.
	Markers []table.MarkerReading `json:"markers,omitempty"`
	// Dice are the dice as their owner has shown them; nil: they have pips.
	Dice *owned.Set `json:"dice,omitempty"`
	// Tops asks for pictures of the tops, to show them to somebody who knows them.
	Tops bool `json:"tops,omitempty"`
}

// View says whether pictures of the table are wanted, and in which size.
type View struct {
	On    bool `json:"on"`
	Width int  `json:"width,omitempty"` // pixels; 0 or more than the frame has: as wide as the frame
	// EveryMS is the least time between two pictures in milliseconds.
	EveryMS int `json:"every_ms,omitempty"`
}

// Picture is the header for the JPEG of a frame.
type Picture struct {
	Frame int     `json:"frame"`
	T     float64 `json:"t"`
	JPEG  []byte  `json:"-"`
}

// State is the state of the eye.
type State string

// The states of an eye. Nothing comes after Ended or Failed.
const (
	Starting   State = "starting"
	Running    State = "running"
	Restarting State = "restarting" // it crashed, or its camera went away; it is being restarted
	Ended      State = "ended"      // the source has no more frames
	Failed     State = "failed"     // it cannot go on
)

// Status is the state of the eye. Reason is one line for people.
type Status struct {
	State  State   `json:"state"`
	Kind   Kind    `json:"kind,omitempty"` // of what is wrong
	Reason string  `json:"reason,omitempty"`
	Source string  `json:"source,omitempty"` // what is being watched, in words
	Width  int     `json:"width,omitempty"`
	Height int     `json:"height,omitempty"`
	FPS    float64 `json:"fps,omitempty"`  // frames per second according to the source; 0: unknown
	Live   bool    `json:"live,omitempty"` // a camera, not a file
}

// StillRequest comes before the bytes of a picture to read.
type StillRequest struct {
	ID   int64      `json:"id"`
	Game table.Game `json:"game"`
	// Corners are those of the grid, clockwise from that of [0,0], in pixels, if known.
	Corners *[4]table.Point `json:"corners,omitempty"`
	// Show asks for the picture as a JPEG with at most this many pixels per side; 0: no picture.
	Show int `json:"show,omitempty"`
	// Tops asks for pictures of the tops.
	Tops bool `json:"tops,omitempty"`
}

// SignedDice is a set whose pictures the eye's own network has signed, or why it could not.
type SignedDice struct {
	Set   *owned.Set `json:"set,omitempty"`
	Error string     `json:"error,omitempty"`
}

// TopRequest asks how the die on a square looks that was read last while nothing moved. ID comes back with the answer.
type TopRequest struct {
	ID     int64        `json:"id"`
	Square table.Square `json:"square"`
}

// SeenTop is how it looks, signed by the eye's own network; nil: dice are read by their pips, or none was seen there.
type SeenTop struct {
	ID  int64      `json:"id"`
	Top *table.Top `json:"top"`
}

// StillAnswer is what was read in a picture, or why it could not be read.
type StillAnswer struct {
	ID          int64              `json:"id"`
	Observation *table.Observation `json:"observation,omitempty"`
	Error       string             `json:"error,omitempty"`
	JPEG        []byte             `json:"-"` // where it was asked for
}

// message is one message as it travels: kind, length (4 bytes, big endian), then a
// JSON header and, for pictures, a newline and the picture's bytes.
type message struct {
	kind   kind
	header []byte
	blob   []byte
}

// decode fills in v from the header.
func (m message) decode(v any) error {
	if err := json.Unmarshal(m.header, v); err != nil {
		return fmt.Errorf("eye: cannot understand a message of kind %q: %w", m.kind, err)
	}
	return nil
}

var errTooLong = errors.New("eye: a message is too long")

// writer sends messages; it may be used by several goroutines.
type writer struct {
	mu sync.Mutex
	w  io.Writer
}

// send writes one message at once.
func (w *writer) send(k kind, header any, blob []byte) error {
	text, err := json.Marshal(header)
	if err != nil {
		return fmt.Errorf("eye: cannot send a message of kind %q: %w", k, err)
	}
	size := len(text)
	if blob != nil {
		size += 1 + len(blob)
	}
	if size > maxMessage {
		return errTooLong
	}
	buf := make([]byte, 5, 5+size)
	buf[0] = byte(k)
	binary.BigEndian.PutUint32(buf[1:], uint32(size))
	buf = append(buf, text...)
	if blob != nil {
		buf = append(buf, '\n')
		buf = append(buf, blob...)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.w.Write(buf); err != nil {
		return fmt.Errorf("eye: cannot send: %w", err)
	}
	return nil
}

// receive reads one message; io.EOF says that the other side has closed between two.
func receive(r *bufio.Reader) (message, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return message{}, fmt.Errorf("eye: a message is cut short: %w", err)
		}
		return message{}, err
	}
	size := binary.BigEndian.Uint32(head[1:])
	if size > maxMessage {
		return message{}, fmt.Errorf("%w: %d bytes of kind %q", errTooLong, size, head[0])
	}
	// Read as it comes rather than believe the length: a lie must not cost memory.
	var body bytes.Buffer
	if _, err := io.CopyN(&body, r, int64(size)); err != nil {
		return message{}, fmt.Errorf("eye: a message is cut short: %w", io.ErrUnexpectedEOF)
	}
	header, blob, _ := bytes.Cut(body.Bytes(), []byte{'\n'}) // JSON as we write it has no newline
	return message{kind(head[0]), header, blob}, nil
}
