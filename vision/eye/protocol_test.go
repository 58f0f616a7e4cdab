package eye

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"diceref/table"
	"diceref/vision/owned"
)

// observations draws what an eye may tell.
func observations() *rapid.Generator[table.Observation] {
	point := rapid.Custom(func(t *rapid.T) table.Point { // in tenths of a pixel, as they are told
		return table.Point{X: float64(rapid.IntRange(-999, 99999).Draw(t, "x")) / 10, Y: float64(rapid.IntRange(-999, 99999).Draw(t, "y")) / 10}
	})
	points := func(t *rapid.T) (p [4]table.Point) {
		for i := range p {
			p[i] = point.Draw(t, "point")
		}
		return p
	}
	share := rapid.Float64Range(0, 1)
	reading := rapid.Custom(func(t *rapid.T) table.Reading {
		r := table.Reading{
			Die:        table.Die{Color: table.Color(rapid.IntRange(0, 9).Draw(t, "color")), Face: rapid.IntRange(0, 6).Draw(t, "face")},
			At:         point.Draw(t, "at"),
			Outline:    points(t),
			Confidence: share.Draw(t, "confidence"),
			Sure:       rapid.Bool().Draw(t, "sure"),
		}
		if rapid.Bool().Draw(t, "on a square") {
			s := table.SquareAt(rapid.IntRange(0, 24).Draw(t, "square"))
			r.Square = &s
		}
		for i := range r.Faces {
			r.Faces[i] = share.Draw(t, "face")
		}
		for i := range r.Colors {
			r.Colors[i] = share.Draw(t, "color")
		}
		return r
	})
	return rapid.Custom(func(t *rapid.T) table.Observation {
		o := table.Observation{
			Game: rapid.SampledFrom(table.Games[:]).Draw(t, "game"), Frame: rapid.Int().Draw(t, "frame"), T: share.Draw(t, "t"),
			Width: 640, Height: 480, Look: rapid.SampledFrom([]table.Look{table.LookMoving, table.LookHand, table.LookStill}).Draw(t, "look"),
			Read: rapid.Bool().Draw(t, "read"), Dice: rapid.SliceOfN(reading, 0, 4).Draw(t, "dice"), MS: table.Timing{Decode: 1.25, Read: 3.5},
		}
		if rapid.Bool().Draw(t, "grid") {
			o.Grid = &table.Grid{Found: rapid.Bool().Draw(t, "found"), Rows: 5, Cols: 5, Corners: points(t)}
		}
		if rapid.Bool().Draw(t, "more") {
			o.Markers = []table.MarkerReading{{Row: 2, Col: 3, Marker: table.BonusMarker}}
			o.Warnings = []table.Warning{{Code: "glare", Text: "two lines\nand \"quotes\""}}
		}
		return o
	})
}

func TestObservationsTravelWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := observations().Draw(t, "observation")
		var wire bytes.Buffer
		if err := NewVoice(&wire).Observe(want); err != nil {
			t.Fatal(err)
		}
		m, err := receive(bufio.NewReader(&wire))
		if err != nil || m.kind != kindObservation {
			t.Fatal(m.kind, err)
		}
		var got table.Observation
		if err := m.decode(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("sent and received differ:\n%s", diff)
		}
	})
}

func TestReceive(t *testing.T) {
	var whole bytes.Buffer
	w := writer{w: &whole}
	if err := w.send(kindRead, StillRequest{ID: 7, Game: table.Any}, []byte("\n\x00\n")); err != nil {
		t.Fatal(err)
	}
	m, err := receive(bufio.NewReader(bytes.NewReader(whole.Bytes())))
	if err != nil || m.kind != kindRead || string(m.header) != `{"id":7,"game":"any"}` || string(m.blob) != "\n\x00\n" {
		t.Errorf("%q %s %q %v", m.kind, m.header, m.blob, err)
	}
	for n := range whole.Len() {
		_, err := receive(bufio.NewReader(bytes.NewReader(whole.Bytes()[:n])))
		if n == 0 && err != io.EOF {
			t.Errorf("nothing: %v, want io.EOF", err)
		}
		if n > 0 && (err == nil || err == io.EOF) {
			t.Errorf("cut after %d bytes: %v, want an error that is not io.EOF", n, err)
		}
	}
	if _, err := receive(bufio.NewReader(bytes.NewReader([]byte{'o', 0xff, 0xff, 0xff, 0xff}))); !errors.Is(err, errTooLong) {
		t.Errorf("4 GB announced: %v, want %v", err, errTooLong)
	}
}

// FuzzServe throws bytes at an eye.
func FuzzServe(f *testing.F) {
	var wire bytes.Buffer
	w := writer{w: &wire}
	w.send(kindPreview, View{On: true}, nil)
	w.send(kindRead, StillRequest{ID: 1, Game: table.Any}, []byte("picture"))
	w.send(kindTeach, table.Lesson{Look: table.Look3{0.1}, Color: table.Red}, nil)
	w.send(kindDice, owned.NewSet(table.Any, "mine"), nil)
	w.send(kindSign, owned.NewSet(table.Any, "mine"), nil)
	w.send(kindStop, nil, nil)
	f.Add(wire.Bytes())
	f.Add([]byte("r\x00\x00\x00\x02{}w\x00\x00\x00\x01{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		Serve(bytes.NewReader(data), NewVoice(io.Discard), deaf{})
	})
}

// deaf does nothing it is told.
type deaf struct{}

func (deaf) Watch(Watch)        {}
func (deaf) Preview(View)       {}
func (deaf) Teach(table.Lesson) {}
func (deaf) Dice(*owned.Set)    {}
func (deaf) Top(table.Square) (*table.Top, error) {
	return nil, errors.New("deaf")
}

func (deaf) Sign(*owned.Set) (*owned.Set, error) {
	return nil, errors.New("deaf")
}

func (deaf) Read(StillRequest, []byte) (seen table.Observation, shown []byte, err error) {
	return seen, nil, errors.New("deaf")
}
