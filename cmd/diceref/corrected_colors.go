package main

import (
	"time"

	"diceref/calibration"
	"diceref/match"
	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/owned"
)

// Corrections teach: when players put the color of a die right, the eye is told that dice
// that look so have that color, and the table's calibration remembers it.

// pupil is what of a looking can be taught; host.mu guards it.
type pupil struct {
	client *eye.Client       // nil while no eye is at work
	dice   *owned.Set        // that it reads by; nil: they have pips
	seen   table.Observation // what was read last
	file   string            // of the calibration in use; empty: none
}

// attend notes which eye is at work, and what it was told; nil when it is gone.
func (h *host) attend(l *looking, c *eye.Client, cfg eye.Config) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l.pupil.client, l.pupil.file, l.pupil.dice = c, cfg.Calibration, cfg.Dice
}

// recall notes what was read last.
func (h *host) recall(l *looking, seen table.Observation) {
	picture := h.feed.Picture()
	h.mu.Lock()
	defer h.mu.Unlock()
	l.pupil.seen = seen
	l.still.see(seen, picture, time.Now())
}

// teach tells the eye what a correction says about a color. One of a face alone, or of a
// square where no die was read, says nothing.
func (h *host) teach(d match.Declaration) {
	h.mu.Lock()
	l := h.now
	var lesson table.Lesson
	var client *eye.Client
	var file string
	if l != nil && d.Say == match.SayCorrect && d.Square != nil && d.Color != table.NoColor {
		client, file = l.pupil.client, l.pupil.file
		for _, r := range l.pupil.seen.Dice {
			if r.Square != nil && *r.Square == *d.Square {
				lesson = table.Lesson{Look: r.Look, Color: d.Color}
			}
		}
	}
	h.mu.Unlock()
	if client == nil || lesson.Look == (table.Look3{}) {
		return
	}
	client.Teach(lesson)
	if err := keepLesson(file, lesson); err != nil {
		h.log.Warn("cannot save a corrected color", "error", err)
	}
}

// keepLesson adds a lesson to a saved calibration, if there is one.
func keepLesson(file string, lesson table.Lesson) error {
	if file == "" {
		return nil
	}
	p, err := calibration.Load(file)
	if err != nil {
		return err
	}
	p.Learn(lesson)
	return p.Save(file)
}

// carryLessons gives a calibration that is being made again what its file had learned of
// the same game's dice, and of the arena where that lies as it did.
func carryLessons(p *calibration.Profile, file string) {
	old, err := calibration.Load(file)
	if err == nil && old.Game == p.Game {
		p.Lessons = old.Lessons
		if old.Camera == p.Camera && p.Markers == nil { // the same grid, numbered alike
			p.Markers = old.Markers
		}
	}
}

// keepMarkers adds the stickers of an arena, learned while it was empty, to a saved calibration,
// if there is one. What is in it already stays: the players may have said so.
func keepMarkers(file string, markers []table.MarkerReading) error {
	if file == "" {
		return nil
	}
	p, err := calibration.Load(file)
	if err != nil || len(p.Markers) > 0 {
		return err
	}
	p.Markers = markers
	return p.Save(file)
}
