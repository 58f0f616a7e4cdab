package web

import (
	"context"
	_ "embed"
	"fmt"
	"net/http/httptest"
	"sync"
	"testing"

	"diceref/match"
	"diceref/scoring"
	"diceref/table"
)

//go:embed testdata/table.jpg
var tablePicture []byte

// fakeMatch is a match whose events the test makes.
type fakeMatch struct {
	mu       sync.Mutex
	now      match.Snapshot
	changed  chan struct{}
	declared []match.Declaration
	refuse   error
}

func newFakeMatch(players ...string) *fakeMatch {
	m := &fakeMatch{changed: make(chan struct{})}
	m.now = match.Snapshot{
		ID: "m1", Game: table.DessertDice, Players: players, Phase: "waiting", CanUndo: true, CanRedo: true,
		State: map[string]any{"clusters": map[string]int{"J": 0, "S": 0, "P": 0, "I": 0}},
	}
	for seat := range players {
		m.now.Sheets = append(m.now.Sheets, scoring.Sheet{Player: seat})
	}
	return m
}

func (m *fakeMatch) Snapshot() match.Snapshot {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.now
	s.Events = append([]match.EventView(nil), m.now.Events...)
	return s
}

func (m *fakeMatch) Changed() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.changed
}

func (m *fakeMatch) Declare(d match.Declaration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refuse != nil {
		return m.refuse
	}
	m.declared = append(m.declared, d)
	return nil
}

// said returns what was declared so far.
func (m *fakeMatch) said() []match.Declaration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]match.Declaration(nil), m.declared...)
}

// change alters the match and tells everybody.
func (m *fakeMatch) change(f func(*match.Snapshot)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f(&m.now)
	close(m.changed)
	m.changed = make(chan struct{})
}

// add appends an event, whose number is counted here.
func (m *fakeMatch) add(e match.Event, text string) {
	m.change(func(s *match.Snapshot) {
		s.Seq++
		s.Events = append(s.Events, match.EventView{Seq: s.Seq, Event: e, Text: text})
		s.ToMove = len(s.Events) % len(s.Players)
	})
}

// act is a move in the JSON that games write.
type act struct {
	Action string        `json:"action"`
	From   *table.Square `json:"from,omitempty"`
	To     *table.Square `json:"to,omitempty"`
	Color  table.Color   `json:"color,omitempty"`
	Face   int           `json:"face,omitempty"`
}

func place(player string, color table.Color, face, row, col int) match.Event {
	legal := true
	return match.Event{
		Type: match.TypeMove, Player: player, Legal: &legal,
		Move: act{Action: "place", To: &table.Square{Row: row, Col: col}, Color: color, Face: face},
	}
}

// diagonal is an illegal move.
func diagonal(player string) match.Event {
	legal := false
	return match.Event{
		Type: match.TypeMove, Player: player, Legal: &legal, Code: "DD-MOVE-DIAG", Codes: []string{"DD-MOVE-DIAG", "DD-MOVE-SLIDE"},
		Why:  "The purple 6 went from c5 to b4: you may not move a die diagonally.",
		Move: act{Action: "move", From: &table.Square{Row: 4, Col: 2}, To: &table.Square{Row: 3, Col: 1}, Color: table.Purple, Face: 6},
	}
}

// tableCorners and tableDice say what is in testdata/table.jpg.
var (
	tableCorners = [4]table.Point{{X: 551.1, Y: 245.4}, {X: 477.1, Y: 440.5}, {X: 282.3, Y: 371.9}, {X: 348.8, Y: 173.8}}
	tableDice    = map[table.Square]table.Die{
		{Row: 0, Col: 2}: {Color: table.Purple, Face: 5}, {Row: 0, Col: 4}: {Color: table.Black, Face: 5},
		{Row: 1, Col: 2}: {Color: table.Red, Face: 2}, {Row: 1, Col: 3}: {Color: table.Green, Face: 3},
		{Row: 1, Col: 4}: {Color: table.Red, Face: 3}, {Row: 2, Col: 3}: {Color: table.Red, Face: 3},
		{Row: 3, Col: 0}: {Color: table.Yellow, Face: 4}, {Row: 3, Col: 1}: {Color: table.Purple, Face: 6},
		{Row: 3, Col: 3}: {Color: table.Yellow, Face: 1}, {Row: 3, Col: 4}: {Color: table.Green, Face: 3},
		{Row: 4, Col: 4}: {Color: table.Purple, Face: 6},
	}
)

// seenTable is the observation of testdata/table.jpg; the squares are found by
// going evenly between the corners, which is near enough in this picture.
func seenTable() table.Observation {
	seen := table.Observation{
		Game: table.DessertDice, Frame: 326, T: 32.6, Width: 800, Height: 600, Look: table.LookStill, Read: true,
		Grid: &table.Grid{Found: true, Rows: 5, Cols: 5, Corners: tableCorners},
		MS:   table.Timing{Decode: 4, Read: 11},
	}
	for i := range 25 {
		square := table.SquareAt(i)
		d, there := tableDice[square]
		if !there {
			continue
		}
		r := table.Reading{Die: d, Square: &square, At: onTable(square, 0.5, 0.5), Confidence: 0.995, Sure: true}
		for k, at := range [4][2]float64{{.1, .1}, {.9, .1}, {.9, .9}, {.1, .9}} {
			r.Outline[k] = onTable(square, at[0], at[1])
		}
		if square == (table.Square{Row: 4, Col: 4}) {
			r.Confidence, r.Sure = 0.61, false
		}
		seen.Dice = append(seen.Dice, r)
	}
	loose := table.Reading{Die: table.Die{Color: table.Red, Face: 6}, At: table.Point{X: 609, Y: 270}, Confidence: 0.98, Sure: true}
	loose.Outline = [4]table.Point{{X: 594, Y: 257}, {X: 629, Y: 259}, {X: 625, Y: 289}, {X: 591, Y: 285}}
	seen.Dice = append(seen.Dice, loose)
	return seen
}

func onTable(s table.Square, u, v float64) table.Point {
	u, v = (float64(s.Col)+u)/5, (float64(s.Row)+v)/5
	c := tableCorners
	mix := func(a, b, d, e float64) float64 { return (a*(1-u)+b*u)*(1-v) + (e*(1-u)+d*u)*v }
	return table.Point{X: mix(c[0].X, c[1].X, c[2].X, c[3].X), Y: mix(c[0].Y, c[1].Y, c[2].Y, c[3].Y)}
}

// fakeReader reads every picture as the table, or fails.
type fakeReader struct {
	err  error
	wait bool // until the context ends
}

func (r fakeReader) Read(ctx context.Context, game table.Game, picture []byte, show bool) (seen table.Observation, shown []byte, err error) {
	if r.wait {
		<-ctx.Done()
		return seen, nil, fmt.Errorf("eye: %w", ctx.Err())
	}
	if len(picture) == 0 {
		return seen, nil, fmt.Errorf("eye: no picture")
	}
	if show {
		shown = tablePicture
	}
	seen = seenTable()
	seen.Game = game
	return seen, shown, r.err
}

// listening serves until the test ends.
func listening(t *testing.T, s *Server) *httptest.Server {
	t.Helper()
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		close(s.closing)
		ts.Close()
	})
	return ts
}
