package main

import (
	"bytes"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"
	"time"

	"diceref/match"
	"diceref/table"
	"diceref/vision/measure"
)

// TestKeepLearned: what was corrected is kept in the form that eval reads; of other dice
// whose reading is doubtful nothing is asked.
func TestKeepLearned(t *testing.T) {
	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 640, 360)), nil); err != nil {
		t.Fatal(err)
	}
	square := func(r, c int) *table.Square { return &table.Square{Row: r, Col: c} }
	outline := [4]table.Point{{X: 600, Y: 300}, {X: 660, Y: 300}, {X: 660, Y: 360}, {X: 600, Y: 360}}
	seen := table.Observation{
		Game: table.DiceBox, Width: 1280, Height: 720, Look: table.LookStill, Read: true,
		Grid: &table.Grid{Found: true, Rows: 5, Cols: 5, Corners: [4]table.Point{{X: 400, Y: 100}, {X: 900, Y: 100}, {X: 900, Y: 600}, {X: 400, Y: 600}}},
		Dice: []table.Reading{
			{Die: table.Die{Color: table.Red, Face: 4}, Square: square(2, 2), Outline: outline, Sure: false, Confidence: 0.6},
			{Die: table.Die{Color: table.Blue, Face: 3}, Square: square(2, 3), Outline: outline, Sure: true, Confidence: 1},
		},
	}
	dir := filepath.Join(t.TempDir(), "learned")
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	say := func(sq *table.Square, c table.Color, face int) match.Declaration {
		return match.Declaration{Say: match.SayCorrect, Square: sq, Color: c, Face: face}
	}
	for i, d := range []match.Declaration{say(square(2, 2), table.Red, 5), say(square(2, 2), table.NoColor, 0)} {
		if err := keepLearned(dir, picture.Bytes(), seen, d, now.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	known, err := measure.Load(dir)
	if err != nil || len(known) != 2 {
		t.Fatalf("%d pictures: %v", len(known), err)
	}
	a, ok := learned(seen, say(square(2, 2), table.Red, 5), 640, 360)
	if !ok || len(a.Dice) != 2 || *a.Dice[0].Face != 5 || a.Dice[0].Top[0] != (table.Point{X: 300, Y: 150}) || a.Board.Corners[2] != (table.Point{X: 450, Y: 300}) {
		t.Errorf("%+v", a)
	}
	if a, _ := learned(seen, say(square(2, 2), table.NoColor, 0), 640, 360); len(a.Dice) != 1 {
		t.Errorf("an invented die is still there: %+v", a.Dice)
	}
	if a, _ := learned(seen, say(square(0, 0), table.White, 1), 640, 360); a.Dice[0].InFrame || !a.Dice[1].InFrame || !a.Dice[2].InFrame {
		t.Errorf("a doubtful die is asked for, or a sure one is not: %+v", a.Dice)
	}
	seen.Dice[0].Sure = true
	if a, ok := learned(seen, say(square(0, 0), table.White, 1), 640, 360); !ok || len(a.Dice) != 3 || a.Dice[2].Top[0] != (table.Point{X: 210, Y: 60}) {
		t.Errorf("a die that was not seen: %+v", a.Dice)
	}
	for _, name := range []string{dir, filepath.Join(dir, "20260102-030405.000.jpg")} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// TestStillView: a correction is about the table as it lay still last, for a while also
// when a hand is in view again.
func TestStillView(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	reading := func(frame int, look table.Look, read bool) table.Observation {
		return table.Observation{Frame: frame, Look: look, Read: read}
	}
	var v stillView
	v.see(reading(1, table.LookMoving, false), []byte("hand"), now)
	if v.holds(now) {
		t.Error("there is a view before anything lay still")
	}
	v.see(reading(2, table.LookStill, true), []byte("table"), now)
	v.see(reading(3, table.LookStill, false), []byte("later"), now.Add(time.Hour))
	v.see(reading(4, table.LookMoving, true), []byte("hand"), now.Add(time.Hour))
	v.see(reading(5, table.LookMoving, false), []byte("hand"), now.Add(time.Hour+staleAfter/2))
	if !v.holds(now.Add(time.Hour+staleAfter-1)) || v.seen.Frame != 2 || string(v.picture) != "table" {
		t.Errorf("frame %d, %s", v.seen.Frame, v.picture)
	}
	if v.holds(now.Add(time.Hour + staleAfter)) {
		t.Error("it holds forever")
	}
}
