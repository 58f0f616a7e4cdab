package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"diceref/match"
	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/owned"
)

// Where a table is played with dice that their owner has shown, a die that is put right is one more look of what it shows: its
// top, and nothing else of the picture, goes into the set's file. What is undone is taken out again.

// lesson is what a correction teaches, or will once the eye has told how the die looks.
type lesson struct {
	owned.Lesson
	match string
	seq   int64       // of the event that tells of it
	at    table.Point // where the die was seen
	size  float64
	color table.Color // of the die
	waits bool        // for the eye
	after int64       // the correction of the same die that took its place; 0: none
}

// mostLessons is how many are remembered, so that what was undone can be restored.
const mostLessons = 50

// setFile is where a set of dice is kept.
type setFile struct {
	shelf *owned.Shelf
	name  string
}

// fileOf is where the set is kept that was named at the start. A file of another kind of name is read, and never written.
func (h *host) fileOf(path string) setFile {
	name := strings.TrimSuffix(filepath.Base(path), ".json")
	switch {
	case filepath.Ext(path) != ".json" || owned.CheckName(name) != nil:
		return setFile{}
	case h.sets != nil && filepath.Clean(filepath.Dir(path)) == filepath.Clean(h.sets.Folder):
		return setFile{h.sets, name}
	}
	return setFile{&owned.Shelf{Folder: filepath.Dir(path), Sign: h.sign}, name}
}

// giveDice has tables be played with a set of dice where their set-up names none.
func (h *host) giveDice(set *owned.Set, path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.given, h.givenFile = set, h.fileOf(path)
}

// inUse is the set that the eye reads the match's dice by, and where it is kept; nil: they have pips, or the set can be taught nothing.
// h.mu is held.
func (h *host) inUse() (*owned.Set, setFile) {
	l := h.now
	if l == nil || l.trying || l.pupil.client == nil || l.pupil.dice == nil {
		return nil, setFile{}
	}
	file := setFile{h.sets, l.Dice}
	if l.Dice == "" {
		file = h.givenFile
	}
	if file.shelf == nil {
		return nil, file
	}
	return l.pupil.dice, file
}

// teachDice has the set in use learn from a die that was put right, and says whether it does. The eye is asked for a picture of
// what the die shows.
func (h *host) teachDice(d match.Declaration) bool {
	now := h.Snapshot()
	at := slices.IndexFunc(now.Events, func(e match.EventView) bool {
		return e.Type == match.TypeCorrect && e.To != nil && *e.To == *d.Square && !e.Undone && !h.heard(now.ID, e.Seq)
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	set, _ := h.inUse()
	if set == nil {
		return false
	}
	dice := h.now.still.seen.Dice
	i := slices.IndexFunc(dice, func(r table.Reading) bool { return r.Square != nil && *r.Square == *d.Square })
	if at < 0 || i < 0 || !h.now.still.lately(time.Now()) || d.Color == table.NoColor && d.Face == 0 {
		return false
	}
	l := lessonOf(set, dice[i], d)
	l.match, l.seq = now.ID, now.Events[at].Seq
	l.ID = fmt.Sprintf("%s:%d", l.match, l.seq)
	again := false
	for i := range h.lessons {
		if b := &h.lessons[i]; b.match == l.match && b.after == 0 && distance(b.at, l.at) < l.size/2 {
			b.after, again = l.seq, true
		}
	}
	if !again && dice[i].Sure && dice[i].Name == string(l.Name) {
		l.Name = "" // that is known
	}
	l.waits = l.Name != ""
	h.lessons = append(h.lessons, l)
	h.lessons = h.lessons[max(0, len(h.lessons)-mostLessons):]
	if l.waits {
		h.now.pupil.client.AskTop(eye.TopRequest{ID: l.seq, Square: *d.Square})
	} else {
		go h.reviseDice()
	}
	return true
}

// lessonOf is what it says of a set's dice that one was put right.
func lessonOf(set *owned.Set, read table.Reading, d match.Declaration) lesson {
	is := corrected(read.Die, d)
	l := lesson{color: is.Color, at: read.At, size: distance(read.Outline[0], read.Outline[2])}
	l.Name, _ = set.NameOf(is.Face)
	if d.Color != table.NoColor && d.Color != read.Color && read.Look != (table.Look3{}) {
		l.Color = table.Lesson{Look: read.Look, Color: d.Color}
	}
	return l
}

// heard says whether a correction was asked about already.
func (h *host) heard(id string, seq int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.lessons, func(l lesson) bool { return l.match == id && l.seq == seq })
}

// hearTop takes in how a die looks that was put right.
func (h *host) hearTop(seen eye.SeenTop) {
	id := h.Snapshot().ID
	h.mu.Lock()
	for i := range h.lessons {
		l := &h.lessons[i]
		if l.match != id || l.seq != seen.ID {
			continue
		}
		if l.waits, l.Top = false, nil; seen.Top != nil {
			if top, err := owned.TopOf(seen.Top); err == nil {
				top.Color = l.color
				l.Top = &top
			}
		}
		if l.Top == nil {
			l.Name = "" // nobody knows how it looked
		}
	}
	h.mu.Unlock()
	h.reviseDice()
}

// reviseDice has the set of dice know what the corrections in force teach, and nothing of those that are not.
func (h *host) reviseDice() {
	h.revising.Lock()
	defer h.revising.Unlock()
	now := h.Snapshot()
	h.mu.Lock()
	set, file := h.inUse()
	lessons := slices.Clone(h.lessons)
	looking := h.now
	h.mu.Unlock()
	if set == nil {
		return
	}
	learned := h.revised(set, file, lessons, now)
	h.mu.Lock()
	defer h.mu.Unlock()
	if learned == nil || h.now != looking {
		return
	}
	if looking.pupil.dice = learned; looking.Dice == "" {
		h.given = learned
	} else {
		looking.dice = learned
	}
	if looking.pupil.client != nil {
		looking.pupil.client.Own(learned)
	}
}

// revised is a set once its file has forgotten what was undone, and has learned what is new; nil: it stays as it is.
func (h *host) revised(set *owned.Set, file setFile, lessons []lesson, now match.Snapshot) (learned *owned.Set) {
	known, gone := set.Lessons(), undoneLessons(lessons, now)
	if slices.ContainsFunc(known, gone) {
		if next, err := file.shelf.Forget(h.ctx, file.name, gone); err != nil {
			h.log.Warn("cannot forget what an undone correction taught", "dice", file.name, "error", err)
		} else if next != nil {
			learned = next
		}
	}
	for _, l := range lessons {
		empty := l.Name == "" && l.Color.Color == table.NoColor
		if l.match != now.ID || l.waits || empty || gone(l.ID) || slices.Contains(known, l.ID) {
			continue
		}
		if next, err := file.shelf.Teach(h.ctx, file.name, l.Lesson); err != nil {
			h.log.Warn("a correction teaches nothing", "dice", file.name, "error", err)
		} else {
			learned = next
		}
	}
	return learned
}

// undoneLessons says of a lesson's name whether its correction was undone, or another one of the same die has taken its place. Those of
// earlier matches stand.
func undoneLessons(lessons []lesson, now match.Snapshot) func(id string) bool {
	undone := map[int64]bool{}
	for _, e := range now.Events {
		undone[e.Seq] = e.Undone
	}
	return func(id string) bool {
		of, number, _ := strings.Cut(id, ":")
		seq, err := strconv.ParseInt(number, 10, 64)
		if of != now.ID || err != nil {
			return false
		}
		i := slices.IndexFunc(lessons, func(l lesson) bool { return l.ID == id })
		return undone[seq] || i >= 0 && lessons[i].after != 0 && !undone[lessons[i].after]
	}
}
