package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"os"
	"path/filepath"
	"time"

	"diceref/match"
	"diceref/table"
)

// Where the owner allows it (the key learn), the picture of a table on which a die was put
// right is kept with its answers, in the form that `diceref eval` reads.

// mostLearned is how many pictures are kept; then no more are.
const mostLearned = 2000

// answers is what is in a picture, in its pixels: what `diceref eval` reads.
type answers struct {
	Game    table.Game            `json:"game"`
	Tier    string                `json:"tier"`
	Image   string                `json:"image"`
	Width   int                   `json:"width"`
	Height  int                   `json:"height"`
	Markers []table.MarkerReading `json:"markers,omitempty"`
	Board   *boardAnswer          `json:"board"`
	Dice    []dieAnswer           `json:"dice"`
}

type boardAnswer struct {
	Corners [4]table.Point `json:"corners_px"`
}

type dieAnswer struct {
	Color   table.Color    `json:"color"`
	Face    *int           `json:"face"` // nil: a blast die
	Top     [4]table.Point `json:"top_px"`
	InFrame bool           `json:"in_frame"` // false: need not be read
	Row     *int           `json:"row"`
	Col     *int           `json:"col"`
}

// learned are the answers of a picture that shows what was seen, with the die on the
// corrected square as the players say. Other dice whose reading is doubtful need not be
// read: what is not known for sure is nothing to measure by. ok is false where the picture
// shows no still board.
func learned(seen table.Observation, d match.Declaration, width, height int) (a answers, ok bool) {
	if seen.Grid == nil || !seen.Grid.Found || d.Square == nil || seen.Width == 0 || seen.Look != table.LookStill {
		return a, false
	}
	scale := float64(width) / float64(seen.Width)
	smaller := func(c [4]table.Point) [4]table.Point {
		for i := range c {
			c[i] = table.Point{X: c[i].X * scale, Y: c[i].Y * scale}
		}
		return c
	}
	a = answers{Game: seen.Game, Tier: "corrected", Width: width, Height: height, Markers: seen.Markers, Board: &boardAnswer{smaller(seen.Grid.Corners)}}
	there := false
	for _, r := range seen.Dice {
		die := r.Die
		if r.Square != nil && *r.Square == *d.Square {
			there = true
			if d.Color == table.NoColor && d.Face == 0 {
				continue // no die at all
			}
			die, r.Sure = corrected(die, d), true
		}
		a.Dice = append(a.Dice, newAnswer(die, r.Square, smaller(r.Outline), r.Sure))
	}
	if !there && d.Color != table.NoColor {
		a.Dice = append(a.Dice, newAnswer(corrected(table.Die{}, d), d.Square, smaller(middleOf(*d.Square, seen.Grid.Corners)), true))
	}
	return a, true
}

// corrected is a die as the players say; what they leave out was read right.
func corrected(read table.Die, d match.Declaration) table.Die {
	if d.Color != table.NoColor {
		read.Color = d.Color
	}
	if d.Face != 0 || read.Color == table.Pink {
		read.Face = d.Face
	}
	return read
}

func newAnswer(d table.Die, sq *table.Square, top [4]table.Point, known bool) dieAnswer {
	a := dieAnswer{Color: d.Color, Top: top, InFrame: known}
	if d.Face != 0 {
		a.Face = &d.Face
	}
	if sq != nil {
		a.Row, a.Col = &sq.Row, &sq.Col
	}
	return a
}

// middleOf is about where a die is on a square whose top was not found.
func middleOf(sq table.Square, c [4]table.Point) (top [4]table.Point) {
	mix := func(a, b, d, e, u, v float64) float64 { return (1-v)*((1-u)*a+u*b) + v*((1-u)*e+u*d) }
	for i, at := range [4][2]float64{{0.2, 0.2}, {0.8, 0.2}, {0.8, 0.8}, {0.2, 0.8}} {
		u, v := (float64(sq.Col)+at[0])/table.Size, (float64(sq.Row)+at[1])/table.Size
		top[i] = table.Point{X: mix(c[0].X, c[1].X, c[2].X, c[3].X, u, v), Y: mix(c[0].Y, c[1].Y, c[2].Y, c[3].Y, u, v)}
	}
	return top
}

// keepLearned saves a picture and its answers into a folder that only its owner may read.
func keepLearned(dir string, picture []byte, seen table.Observation, d match.Declaration, now time.Time) error {
	size, err := jpeg.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		return fmt.Errorf("cannot save a corrected picture: %w", err)
	}
	a, ok := learned(seen, d, size.Width, size.Height)
	if !ok {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot save a corrected picture: %w", err)
	}
	if old, err := filepath.Glob(filepath.Join(dir, "*.json")); err != nil || len(old) >= mostLearned {
		return err
	}
	name := filepath.Join(dir, now.UTC().Format("20060102-150405.000"))
	a.Image = filepath.Base(name) + ".jpg"
	text, err := json.MarshalIndent(a, "", " ")
	if err != nil {
		return fmt.Errorf("cannot save a corrected picture: %w", err)
	}
	if err := os.WriteFile(name+".jpg", picture, 0o600); err != nil {
		return fmt.Errorf("cannot save a corrected picture: %w", err)
	}
	if err := os.WriteFile(name+".json", text, 0o600); err != nil {
		return fmt.Errorf("cannot save a corrected picture: %w", err)
	}
	return nil
}

// stillView is the table as it lay still last: people corrected what was read then, often
// with a hand in view already.
type stillView struct {
	seen    table.Observation
	picture []byte    // what pages were shown
	ended   time.Time // when something moved again; zero: nothing has
}

// staleAfter is how long after its end a still view is what a correction is about.
const staleAfter = 15 * time.Second

// see takes the next reading, and the picture that pages are shown.
func (v *stillView) see(seen table.Observation, picture []byte, now time.Time) {
	switch {
	case seen.Look != table.LookStill:
		if v.ended.IsZero() {
			v.ended = now
		}
	case seen.Read:
		*v = stillView{seen: seen, picture: picture}
	}
}

// holds says whether a correction is about that view, and there is a picture of it.
func (v *stillView) holds(now time.Time) bool { return v.picture != nil && v.lately(now) }

func (v *stillView) lately(now time.Time) bool {
	return v.ended.IsZero() || now.Sub(v.ended) < staleAfter
}

// learn keeps what a correction teaches, where that is allowed.
func (h *host) learn(d match.Declaration) {
	if d.Say == match.SayUndo || d.Say == match.SayRedo {
		go h.reviseDice()
	}
	if d.Say != match.SayCorrect || d.Square == nil {
		return
	}
	if !h.teachDice(d) { // what a set of dice learns it knows at every table
		h.teach(d)
	}
	h.mu.Lock()
	l, dir := h.now, h.learned
	var view stillView
	if l != nil {
		view = l.still
	}
	h.mu.Unlock()
	now := time.Now()
	if dir == "" || !view.holds(now) {
		return
	}
	if err := keepLearned(dir, view.picture, view.seen, d, now); err != nil {
		h.log.Warn("cannot save a correction", "error", err)
	}
}
