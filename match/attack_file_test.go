package match

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// TestAttackClock: a clock that is put back, and a match that comes from elsewhere, do not change which
// match was the last one.
func TestAttackClock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	j := openTestJournal(t, path)
	for i, at := range []string{"2027-11-25", "2026-11-25", "1970-01-01", "2026-11-24"} {
		began, err := time.Parse(time.DateOnly, at)
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(Config{ID: fmt.Sprint("m", i), Game: table.DiceFlick, Players: []string{"Ann", "Ben"}, Journal: j, Clock: func() time.Time { return began }})
		if err != nil {
			t.Fatal(err)
		}
		declare(t, m, Declaration{Say: SayMiss})
	}
	var file bytes.Buffer
	if err := j.Export("m0", &file); err != nil {
		t.Fatal(err)
	}
	foreign := strings.NewReader(strings.Replace(strings.ReplaceAll(file.String(), `"m0"`, `"guest"`), "2027-11-25", "2030-01-01", 1))
	if m, err := j.Import(foreign); err != nil {
		t.Fatal(err)
	} else if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // as it is, and opened again
		h, err := j.History(HistoryQuery{})
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, s := range h.Matches {
			order = append(order, s.ID)
		}
		if want := []string{"guest", "m3", "m2", "m1", "m0"}; !slices.Equal(order, want) {
			t.Errorf("the history is %v, want %v", order, want)
		}
		if last, err := j.Latest(); err != nil || last.ID != "m3" {
			t.Errorf("the last match is %s, want m3 (%v)", last.ID, err)
		}
		if id, err := j.Unfinished(); err != nil || id != "m3" {
			t.Errorf("%s goes on, want m3 (%v)", id, err)
		}
		j.Close()
		j = openTestJournal(t, path)
	}
}

// TestAttackGone: once the journal's file was deleted, replaced or moved, nothing is acknowledged that
// would not be in it; put back where it was, the match goes on.
func TestAttackGone(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(path string) error
		back bool
	}{
		"deleted":  {os.Remove, false},
		"replaced": {func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, []byte("x"), 0o600)) }, false},
		"swapped": {func(path string) error {
			b, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path+".copy", b, 0o600), os.Rename(path+".copy", path))
		}, false},
		"moved":              {func(path string) error { return os.Rename(path, path+".moved") }, true},
		"its folder deleted": {func(path string) error { return os.RemoveAll(filepath.Dir(path)) }, false},
	} {
		m := journaled(t, table.DiceFlick, "Ann", "Ben")
		path := m.journal.path
		declare(t, m, Declaration{Say: SayMiss})
		told := len(m.Events())
		if err := c.do(path); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := m.Declare(Declaration{Say: SayUndo}); !errors.Is(err, ErrGone) {
				t.Errorf("%s: acknowledged with %v", name, err)
			}
		}
		if _, err := New(Config{Game: table.DiceFlick, Players: []string{"Ann", "Ben"}, Journal: m.journal}); !errors.Is(err, ErrGone) {
			t.Errorf("%s: a new match begins with %v", name, err)
		}
		if s := m.Snapshot(); len(s.Events) != told || !strings.Contains(s.Trouble, "deleted or replaced") {
			t.Errorf("%s: %d events, %d before; the page says %q", name, len(s.Events), told, s.Trouble)
		}
		if c.back {
			if err := os.Rename(path+".moved", path); err != nil {
				t.Fatal(err)
			}
			declare(t, m, Declaration{Say: SayUndo})
			if s := m.Snapshot(); s.Trouble != "" {
				t.Errorf("%s and put back: %s", name, s.Trouble)
			}
			resumed(t, m)
		}
	}
}

// peak runs something and returns its error, and by how much the heap grew at most meanwhile.
func peak(do func() error) (uint64, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as in the program
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	before, most := stats.HeapAlloc, uint64(0)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		var stats runtime.MemStats
		for {
			runtime.ReadMemStats(&stats)
			most = max(most, stats.HeapAlloc)
			select {
			case <-stop:
				return
			default:
				time.Sleep(time.Millisecond)
			}
		}
	}()
	err := do()
	close(stop)
	<-done
	return most - min(most, before), err
}

// repeated is a text over and over, as a file of so many bytes, without being one.
type repeated struct {
	head, text, tail string
	bytes            int
	at               int
}

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) {
		switch {
		case len(r.head) > 0:
			k := copy(p[n:], r.head)
			r.head, n = r.head[k:], n+k
		case r.bytes > 0:
			k := copy(p[n:], r.text[r.at:])
			r.at, n, r.bytes = (r.at+k)%len(r.text), n+k, r.bytes-k
		case r.at != 0: // the last one to its end
			k := copy(p[n:], r.text[r.at:])
			r.at, n = (r.at+k)%len(r.text), n+k
		case len(r.tail) > 0:
			k := copy(p[n:], r.tail)
			r.tail, n = r.tail[k:], n+k
		default:
			return n, io.EOF
		}
	}
	return n, nil
}

// TestAttackImport: a file that is made to fill the memory is refused with the limit that it breaks,
// before it does.
func TestAttackImport(t *testing.T) {
	j := openTestJournal(t, filepath.Join(t.TempDir(), "journal.db"))
	const mb = 1 << 20
	var scores strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&scores, `"%d":1,`, i)
	}
	setting := `{"diceref_match":1,"setting":{"id":"x","game":"dice-flick","players":["Ann","Ben"]},"records":[`
	players := `{"diceref_match":1,"records":[{"seq":1}],"setting":{"id":"x","game":"dice-flick","players":[`
	for _, c := range []struct {
		name string
		file *repeated
		want string
	}{
		{"ten million events", &repeated{head: setting, text: "{},", bytes: 30 * mb, tail: "{}]}"}, "more than 20000 events"},
		{"events without an end", &repeated{head: setting, text: "{},", bytes: 1 << 40}, "more than 20000 events"},
		{"more than 32 MB", &repeated{head: setting, text: `{"text":"` + strings.Repeat("words ", 2000) + `"},`, bytes: 40 * mb, tail: "{}]}"}, "at most 32 MB"},
		{"space without an end", &repeated{head: "{", text: " ", bytes: 1 << 40}, "at most 32 MB"},
		{"one long event", &repeated{head: setting + `{"act":{"moves":[`, text: `"",`, bytes: 30 * mb, tail: `""]}}]}`}, "event 1 has more than 256 kB"},
		{"many long events", &repeated{head: setting, text: `{"event":{"type":"end","scores":{` + scores.String() + `"b":2}}},`, bytes: 31 * mb, tail: "{}]}"}, "event 1 of the exported match is missing"},
		{"many players", &repeated{head: players, text: `"a",`, bytes: 100, tail: `"b"]}}`}, "at most 16 players, not 26"},
		{"very many players", &repeated{head: players, text: `"a",`, bytes: 20 * mb, tail: `"b"]}}`}, "the set-up has more than 1024 kB"},
		{"a long name", &repeated{head: players + `"`, text: "a", bytes: 5000, tail: `"]}}`}, "longer than 40 letters"},
		{"deep", &repeated{head: setting, text: "[", bytes: 30 * mb}, "not an exported match"},
		{"something else that is large", &repeated{head: `{"more":[`, text: "{},", bytes: 40 * mb, tail: "{}]}"}, "at most 32 MB"},
	} {
		grown, err := peak(func() error { _, err := j.Import(c.file); return err })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.name, err, c.want)
		}
		t.Logf("%s: %d MB at most", c.name, grown/mb)
		if grown > 400*mb {
			t.Errorf("%s takes %d MB", c.name, grown/mb)
		}
	}
	if list, err := j.Matches(); err != nil || len(list) > 0 {
		t.Errorf("%d matches were kept (%v)", len(list), err)
	}
}

// lying is what is in a folder, to the letter and the moment.
func lying(t *testing.T, dir string) map[string]string {
	t.Helper()
	list := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := ""
		if !d.IsDir() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = string(b)
		}
		list[path] = fmt.Sprint(info.Mode(), info.ModTime(), len(text), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestAttackReadOnly: a journal can be looked at where nothing can be written: as another program has it open, as it
// was left by one that was killed, as a copy of the one file, and of an earlier form. Nothing is written then.
func TestAttackReadOnly(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	declare(t, m, Declaration{Say: SayMiss})
	if _, err := m.journal.db.Exec("PRAGMA wal_autocheckpoint = 0"); err != nil { // what comes now is in the WAL alone
		t.Fatal(err)
	}
	declare(t, m, Declaration{Say: SayMiss}, Declaration{Say: SayNext})
	dir := filepath.Dir(m.journal.path)
	killed := t.TempDir()
	for _, end := range []string{"", "-wal"} {
		b, err := os.ReadFile(m.journal.path + end)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(killed, "journal.db"+end), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first, err := os.ReadFile(m.journal.path)
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	if err := os.WriteFile(filepath.Join(copied, "journal.db"), first, 0o600); err != nil {
		t.Fatal(err)
	}
	old := journaled(t, table.DiceFlick, "Ann", "Ben")
	declare(t, old, Declaration{Say: SayMiss})
	older(t, old.journal, 2)
	for _, c := range []struct {
		name, dir, id string
		events        int
	}{
		{"in use", dir, m.Setting().ID, len(m.Events())},
		{"of one that was killed", killed, m.Setting().ID, len(m.Events())},
		{"a copy of the one file", copied, m.Setting().ID, 2},
		{"of an earlier form", filepath.Dir(old.journal.path), old.Setting().ID, 2},
	} {
		path := filepath.Join(c.dir, "journal.db")
		for _, f := range []string{path, path + "-wal", c.dir} { // root may write all the same: so it is looked at, too
			info, err := os.Stat(f)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err == nil {
				err = os.Chmod(f, info.Mode().Perm()&0o555)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		before := lying(t, c.dir)
		j, err := ReadJournal(path)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if again, err := Reread(j, c.id); err != nil || len(again.Events()) != c.events {
			t.Errorf("%s: %v", c.name, err)
		}
		if h, err := j.History(HistoryQuery{}); err != nil || h.Total != 1 {
			t.Errorf("%s: %d matches (%v)", c.name, h.Total, err)
		}
		var b bytes.Buffer
		if err := j.Export(c.id, &b); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for what, err := range map[string]error{"a match": j.begin(Setting{ID: "x"}), "a title": j.Rename(c.id, "Final"), "nothing": j.Delete(c.id)} {
			if err == nil {
				t.Errorf("%s: it takes %s", c.name, what)
			}
		}
		j.Close()
		if after := lying(t, c.dir); !maps.Equal(before, after) {
			t.Errorf("%s: something was written: %s", c.name, cmp.Diff(before, after))
		}
		if err := os.Chmod(c.dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(m.journal.path, 0o600); err != nil {
		t.Fatal(err)
	}
	declare(t, m, Declaration{Say: SayMiss}) // nor was the one who writes it held up
}

// TestAttackReadWhileWritten: whoever looks at a journal while it is written sees it as it was at one moment.
func TestAttackReadWhileWritten(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	const acts = 60
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		for i := range acts {
			if err := m.Declare(Declaration{Say: []string{SayMiss, SayUndo}[i%2]}); err != nil {
				t.Error(err)
			}
		}
	}()
	last := 0
	for last <= acts {
		before := len(m.Events())
		j, err := ReadJournal(m.journal.path)
		if err != nil {
			t.Fatal(err)
		}
		if s := j.Salvaged(); s != nil {
			t.Fatalf("taken for damaged: %s: %s", s.Why, s)
		}
		again, err := Reread(j, m.Setting().ID)
		if err != nil {
			t.Fatal(err)
		}
		if last = len(again.Events()); last < before {
			t.Errorf("%d events are seen, and %d were told before", last, before)
		}
		j.Close()
	}
	wait.Wait()
}

// TestAttackFormulas: no text of a score pad is a formula to a program that shows tables; numbers stay numbers.
func TestAttackFormulas(t *testing.T) {
	names := []string{"=cmd|' /C calc'!A0", "+1", "-2", "@SUM(A1)", "＝A1"}
	m := tappedMatch(t, table.DessertDice, 4, Config{})
	for i, name := range names {
		players := slices.Clone(m.Setting().Players)
		players[i%4] = name
		declare(t, m, Declaration{Say: SayNames, Names: players})
		var b bytes.Buffer
		if err := m.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		if head, _, _ := strings.Cut(b.String(), "\n"); !strings.Contains(head, "'"+name) {
			t.Errorf("the head of the score pad is %s", head)
		}
	}
	for text, want := range map[string]string{"": "", "Ann": "Ann", "\tx": "'\tx", "\rx": "'\rx", "A=B": "A=B", "-": "'-"} {
		if got := CSVCell(text); got != want {
			t.Errorf("%q is written as %q", text, got)
		}
	}
	flick := tappedMatch(t, table.DiceFlick, 2, Config{})
	mustAct(t, flick, "pad A 1 12")
	var b bytes.Buffer
	if err := flick.WriteCSV(&b); err != nil || !strings.Contains(b.String(), "round 1,12,") || !strings.HasSuffix(b.String(), "total,12,0\n") {
		t.Errorf("the score pad is (%v)\n%s", err, b.String())
	}
}

// TestAttackPrivate: nobody else on the machine may read a journal, nor what is beside it, nor a damaged one.
func TestAttackPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(dir, "journal.db")
	check := func(when string) {
		t.Helper()
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if info, err := f.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %s is open to others: %v (%v)", when, f.Name(), info.Mode(), err)
			}
		}
	}
	j := openTestJournal(t, path)
	if _, err := New(Config{ID: "x", Game: table.DiceFlick, Players: []string{"Ann", "Ben"}, Journal: j}); err != nil {
		t.Fatal(err)
	}
	check("new")
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v (%v)", info.Mode(), err)
	}
	var left []byte
	if b, err := os.ReadFile(path + "-wal"); err != nil || len(b) == 0 {
		t.Errorf("no file beside it: %v", err)
	} else {
		left = b
	}
	j.Close()
	for _, f := range []string{path, path + "-wal"} {
		if f != path {
			if err := os.WriteFile(f, left, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(f, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	j = openTestJournal(t, path)
	check("of an earlier version")
	j.Close()
	if err := errors.Join(os.Truncate(path, 9000), os.Chmod(path, 0o644)); err != nil {
		t.Fatal(err)
	}
	if j = openTestJournal(t, path); j.Salvaged() == nil {
		t.Fatal("not damaged")
	}
	check("damaged")
	if err := j.Save(filepath.Join(dir, "saved.db")); err != nil {
		t.Fatal(err)
	}
	check("saved")
}

// TestAttackStrayWAL: a copy that is put back in a journal's place is not spoiled by the file that a killed program left beside
// it, nor is a journal that begins again where one was deleted.
func TestAttackStrayWAL(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	path := m.journal.path
	backup, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		declare(t, m, Declaration{Say: SayMiss}, Declaration{Say: SayUndo})
	}
	wal, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file    []byte
		matches int
	}{"a copy of before": {backup, 1}, "deleted": {nil, 0}, "empty": {[]byte{}, 0}} {
		path := filepath.Join(t.TempDir(), "journal.db")
		err := os.WriteFile(path+"-wal", wal, 0o600)
		if c.file != nil {
			err = errors.Join(err, os.WriteFile(path, c.file, 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
		if c.file != nil {
			seen, err := ReadJournal(path)
			if err != nil || seen.Salvaged() != nil {
				t.Fatalf("%s: cannot be looked at: %v", name, err)
			}
			if h, err := seen.History(HistoryQuery{}); err != nil || h.Total != c.matches {
				t.Errorf("%s: %d matches are seen (%v)", name, h.Total, err)
			}
			seen.Close()
		}
		j := openTestJournal(t, path)
		if j.Salvaged() != nil {
			t.Errorf("%s: taken for damaged: %s", name, j.Salvaged().Why)
		}
		if h, err := j.History(HistoryQuery{}); err != nil || h.Total != c.matches {
			t.Errorf("%s: %d matches are there (%v)", name, h.Total, err)
		}
		if left, err := os.ReadFile(j.Stray); err != nil || !bytes.Equal(left, wal) {
			t.Errorf("%s: the other file is not kept (%v)", name, err)
		}
		if _, err := New(Config{Game: table.DiceFlick, Players: []string{"Ann", "Ben"}, Journal: j}); err != nil {
			t.Errorf("%s: no new match begins: %v", name, err)
		}
	}
}
