package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"diceref/match"
	"diceref/web"
)

// openJournal opens a journal (a file, or an address) for writing and says what was wrong with it.
func openJournal(file string, log *slog.Logger) (*match.Journal, error) {
	j, err := match.OpenJournal(file)
	if err != nil {
		return nil, err
	}
	if s := j.Salvaged(); s != nil {
		log.Warn("the journal was damaged: it was set aside, and a new one has everything that could be read",
			"journal", j.Name(), "damage", oneLine(s.Why), "kept as", s.Aside, "saved", s.String())
	}
	if j.Stray != "" {
		log.Warn("a file next to the journal belonged to a different journal: it was set aside", "kept as", j.Stray)
	}
	if j.Emptied {
		log.Warn("the journal was an empty file; if it used to have matches, restore it from a backup", "journal", j.Name())
	}
	return j, nil
}

// readJournal opens the journal to look at it, also while another program writes it; there is
// none where no match was ever kept.
func (a *app) readJournal() (*match.Journal, error) {
	file := a.journalFile()
	j, err := match.ReadJournal(file)
	if errors.Is(err, fs.ErrNotExist) && !match.IsAddress(file) {
		return nil, fmt.Errorf("no journal yet: %w", errors.Unwrap(err))
	}
	if err != nil {
		return nil, err
	}
	if s := j.Salvaged(); s != nil {
		a.log.Warn("the journal is damaged: this is what can be read", "journal", file, "damage", oneLine(s.Why), "saved", s.String())
	}
	if j.Emptied {
		a.log.Warn("the journal is an empty file; if it used to have matches, restore it from a backup", "journal", file)
	}
	return j, nil
}

// writeJournal opens the journal that is there to change something in it.
func (a *app) writeJournal() (*match.Journal, error) {
	file := a.journalFile()
	if _, err := os.Stat(file); err != nil && !match.IsAddress(file) {
		return nil, fmt.Errorf("no journal yet: %w", err)
	}
	return openJournal(file, a.log)
}

// journalFile is the journal that was named, or the one in the data folder.
func (a *app) journalFile() string {
	if a.cfg.Journal != "" {
		return a.cfg.Journal
	}
	return filepath.Join(a.cfg.Data, journalName)
}

// journalName is the journal in the data folder.
const journalName = "journal.db"

// journalFor is the journal of a real table; a demo is not kept unless a file was named.
func (h *host) journalFor(s sight) (*match.Journal, error) {
	file := h.journalFile()
	if file == "" || h.file == "" && s.Source == web.SourceDemo {
		return nil, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.journal != nil {
		err := h.journal.Check()
		if !errors.Is(err, match.ErrGone) {
			return h.journal, nil
		}
		h.log.Warn("starting another journal", "error", err)
		if err := h.journal.Close(); err != nil {
			h.log.Warn("the journal was not closed", "error", err)
		}
		h.journal = nil
	}
	if h.file == "" {
		if err := makePrivate(h.data); err != nil {
			return nil, err
		}
	}
	j, err := openJournal(file, h.log)
	if err == nil {
		h.journal = j
	}
	return j, err
}

// journalFile is where the matches of this table are kept; empty: nowhere.
func (h *host) journalFile() string {
	if h.file != "" || h.data == "" {
		return h.file
	}
	return filepath.Join(h.data, journalName)
}

// makePrivate makes the folder of the data if it is not there, and closes one that an earlier
// version left open to others of the machine. A folder that holds more than the data stays as it is.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot create the data folder: %w", err)
	}
	if !ours(dir) {
		return nil
	}
	if err := os.Chmod(dir, 0o700); err != nil && !errors.Is(err, fs.ErrPermission) { // else it is somebody else's
		return fmt.Errorf("cannot make the data folder private: %w", err)
	}
	return nil
}

// dataFiles are what is in a data folder.
var dataFiles = []string{"journal.db*", setupFile, "table.json*", "profiles", "learned", "tls", "webhook.secret*", ".*"}

// ours says whether a folder holds what is kept there, and nothing else.
func ours(dir string) bool {
	files, err := os.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(files, func(f fs.DirEntry) bool {
		return !slices.ContainsFunc(dataFiles, func(pattern string) bool {
			ok, _ := filepath.Match(pattern, f.Name()) // a pattern without a flaw
			return ok
		})
	})
}
