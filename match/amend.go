package match

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// What is said about a match as a whole, at any time, also long after its end.
const (
	actTitle   = "title"   // the match is called Title
	actDelete  = "delete"  // it is shown, and counts, no more; all of it stays
	actRestore = "restore" // it is shown and counts again
)

// afterwards says whether the act is about the match as a whole and no part of its course.
func (a Act) afterwards() bool {
	return slices.Contains([]string{actTitle, actDelete, actRestore, actNames}, a.Kind)
}

// entitle follows what a record says about the match as a whole.
func (m *Match) entitle(a Act) {
	switch a.Kind {
	case actTitle:
		m.title = a.Title
	case actDelete, actRestore:
		m.deleted = a.Kind == actDelete
	}
}

// Errors when changing a saved match.
var (
	// ErrPlayed: the match is on the table and cannot be changed.
	ErrPlayed = errors.New("match: this match is on the table: start another one first")
	// ErrInHall: past matches of a hall are changed by whoever runs it.
	ErrInHall error = reject("not-in-hall")
	// ErrKept: a match must be deleted before it can be purged.
	ErrKept = errors.New("match: delete this match before purging it")
)

// attend notes that a match is written by m alone from now on.
func (j *Journal) attend(m *Match) {
	j.going.Lock()
	defer j.going.Unlock()
	if j.live == nil {
		j.live = map[string]*Match{}
	}
	j.live[m.setting.ID] = m
}

// leave notes that m writes its match no more.
func (j *Journal) leave(m *Match) {
	j.going.Lock()
	defer j.going.Unlock()
	if j.live[m.setting.ID] == m {
		delete(j.live, m.setting.ID)
	}
}

func (j *Journal) playing(id string) *Match {
	j.going.Lock()
	defer j.going.Unlock()
	return j.live[id]
}

// written is the match that goes on, or one that was read again and can be written to.
func (j *Journal) written(id string) (*Match, error) {
	if m := j.playing(id); m != nil {
		return m, nil
	}
	return reread(j, id, nil)
}

// amend appends an act that is about the match as a whole, also to one that cannot be played again.
func (j *Journal) amend(id string, act Act) error {
	m, err := j.written(id)
	if err == nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.emit(ByPlayer, act, nil, "")
	}
	records, unread := j.Records(id)
	if unread != nil {
		return unread
	}
	return j.append(id, Record{Seq: int64(len(records) + 1), At: time.Now().UTC(), By: ByPlayer, Act: act})
}

// Rename gives a match a title; an empty one removes it.
func (j *Journal) Rename(id, title string) error {
	const longest = 80 // letters
	title = strings.TrimSpace(title)
	switch {
	case len([]rune(title)) > longest:
		return reject("long-title", "count", longest)
	case strings.ContainsFunc(title, func(r rune) bool { return !shown(r) }), title != "" && !strings.ContainsFunc(title, visible):
		return reject("odd-title")
	}
	return j.amend(id, Act{Kind: actTitle, Title: title})
}

// RenamePlayers gives the players of one match other names, in turn order.
func (j *Journal) RenamePlayers(id string, names []string) error {
	m, err := j.written(id)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if slices.Equal(names, m.setting.Players) {
		return nil
	}
	_, err = m.sayPeople(Declaration{Say: SayNames, Names: names})
	return err
}

// Renamed is the result of renaming a player everywhere.
type Renamed struct {
	Matches int `json:"matches"` // that have the new name now
	// Kept are the matches that stay as they were, because somebody with the new name also played in them.
	Kept []string `json:"kept"`
}

// RenamePlayer renames a player in every match, for example to merge two spellings of a name.
func (j *Journal) RenamePlayer(from, to string) (Renamed, error) {
	r := Renamed{Kept: []string{}}
	if err := CheckNames([]string{to}); err != nil {
		return r, err
	}
	all, err := j.summaries()
	if err != nil {
		return r, err
	}
	known := false
	for _, s := range all {
		names := make([]string, len(s.Players))
		at := -1
		for i, p := range s.Players {
			names[i] = p.Name
			if p.Name == from {
				at = i
			}
		}
		if at < 0 || s.Trouble != "" {
			continue
		}
		known = true
		names[at] = to
		if CheckNames(names) != nil {
			r.Kept = append(r.Kept, s.ID)
			continue
		}
		if err := j.RenamePlayers(s.ID, names); err != nil {
			return r, err
		}
		r.Matches++
	}
	if !known {
		return r, reject("unknown-player", "player", from)
	}
	return r, nil
}

// Delete removes a match from the history. It stays in the journal, and Restore brings it back.
func (j *Journal) Delete(id string) error {
	if j.playing(id) != nil {
		return ErrPlayed
	}
	return j.amend(id, Act{Kind: actDelete})
}

// Restore brings a deleted match back.
func (j *Journal) Restore(id string) error { return j.amend(id, Act{Kind: actRestore}) }

// Purge deletes a match forever. It must be deleted already, or have no moves.
func (j *Journal) Purge(id string) error {
	if j.playing(id) != nil {
		return ErrPlayed
	}
	s, err := j.Setting(id)
	if err != nil {
		return err
	}
	if now := j.summary(s); !now.Deleted && !now.Empty {
		return ErrKept
	}
	err = j.write(func(tx *sql.Tx) error {
		const note = "INSERT INTO purged (match, at) VALUES ($1, $2) ON CONFLICT (match) DO UPDATE SET at = excluded.at"
		if _, err := tx.Exec(note, id, time.Now().UTC().Format(time.RFC3339)); err != nil {
			return err
		}
		gone, err := tx.Exec("DELETE FROM records WHERE match = $1", id)
		if err != nil {
			return err
		}
		for _, stmt := range []string{"DELETE FROM heads WHERE match = $1", "DELETE FROM matches WHERE id = $1"} {
			if _, err := tx.Exec(stmt, id); err != nil {
				return err
			}
		}
		records, err := gone.RowsAffected()
		if err != nil {
			return err
		}
		return j.engine.tally(tx, -1, -int(records))
	})
	if err != nil {
		return err
	}
	j.told.Lock()
	delete(j.summed, id)
	j.told.Unlock()
	return j.engine.wipe(j.db)
}

// Latest is the match that began last at this table, and was not deleted since; ErrNoMatch if there is none. One that
// was imported was played somewhere else.
func (j *Journal) Latest() (Setting, error) { return j.latest(false) }

func (j *Journal) latest(imported bool) (Setting, error) {
	all, err := j.Matches()
	if err != nil {
		return Setting{}, err
	}
	for _, s := range all {
		if s.imported != imported {
			continue
		}
		if s.damaged != nil {
			return s, s.damaged
		}
		records, err := j.Records(s.ID)
		if err != nil {
			return s, err
		}
		if !deletedBy(records) {
			return s, nil
		}
	}
	return Setting{}, fmt.Errorf("%w to continue", ErrNoMatch)
}

// deletedBy says whether a match is deleted once all of its records are told.
func deletedBy(records []Record) (deleted bool) {
	for _, r := range records {
		if r.Act.Kind == actDelete || r.Act.Kind == actRestore {
			deleted = r.Act.Kind == actDelete
		}
	}
	return deleted
}

// titleBy is the title that a match has once all of its records are told.
func titleBy(records []Record) (title string) {
	for _, r := range records {
		if r.Act.Kind == actTitle {
			title = r.Act.Title
		}
	}
	return title
}
