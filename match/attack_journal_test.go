package match

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"diceref/table"
)

// kept is a journal's matches as exported, by name.
func kept(t *testing.T, j *Journal) map[string]string {
	t.Helper()
	list, err := j.Matches()
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, s := range list {
		var b bytes.Buffer
		if err := j.Export(s.ID, &b); err != nil {
			t.Fatal(err)
		}
		texts[s.ID] = b.String()
	}
	return texts
}

// soundFile is the file of a closed journal with nine matches of all games, and what is in it.
func soundFile(t *testing.T) (file []byte, texts map[string]string) {
	t.Helper()
	j := playedJournal(t)
	r := rand.New(rand.NewPCG(1, 2))
	for i, g := range append(table.Games[:], table.Games[0]) {
		m := tappedMatch(t, g, max(2, g.Kit().Players[0]), Config{ID: fmt.Sprint("tapped-", i), Journal: j})
		for range 3 + 6*i {
			if !tapAny(t, m, r) {
				break
			}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	texts = kept(t, j)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(j.path)
	if err != nil {
		t.Fatal(err)
	}
	return file, texts
}

// admits holds what a damaged journal tells against what was in it: nothing may be shorter or other
// than it was without a word.
func admits(t *testing.T, name string, j *Journal, texts map[string]string) {
	t.Helper()
	s, now := j.Salvaged(), kept(t, j)
	if s == nil {
		s = &Salvage{}
	}
	missing := 0
	for id, text := range texts {
		at := slices.IndexFunc(s.Lost, func(l Loss) bool { return l.Match == id })
		got, here := now[id]
		switch {
		case here && got == text:
		case at < 0 && !here:
			missing++
		case at < 0:
			t.Errorf("%s: match %s has changed, and nobody says so (%v)", name, id, s)
		case here:
			lost, events := s.Lost[at], strings.Count(text, "\n   \"seq\"")
			_, was, _ := strings.Cut(text, `"records"`)
			_, has, _ := strings.Cut(got, `"records"`)
			if !strings.HasPrefix(was, strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(has), "]\n}"), " \n")) && lost.Kept > 0 {
				t.Errorf("%s: match %s has other events than it had", name, id)
			}
			if lost.Lost > 0 && !strings.Contains(got, `"lost": `) {
				t.Errorf("%s: match %s does not know that %d of %d events were lost", name, id, lost.Lost, events)
			}
		}
		delete(now, id)
	}
	if missing > s.Vanished {
		t.Errorf("%s: %d matches have gone without a word (%v)", name, missing-s.Vanished, s)
	}
	for id := range now {
		t.Errorf("%s: match %q never was", name, id)
	}
}

// TestAttackBitFlips: whichever bit of a journal turns over, all that it tells is as it was, or it says what is not.
func TestAttackBitFlips(t *testing.T) {
	file, texts := soundFile(t)
	path := filepath.Join(t.TempDir(), "journal.db")
	r := rand.New(rand.NewPCG(35, 2))
	noticed, whole := 0, 0
	const flips = 600
	for n := range flips {
		bit := r.IntN(8 * len(file))
		bad := slices.Clone(file)
		bad[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("flip %d (bit %d of byte %d)", n, bit%8, bit/8)
		j, err := ReadJournal(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s := j.Salvaged(); s != nil {
			noticed++
			if len(s.Lost) == 0 && s.Vanished == 0 {
				whole++
			}
		}
		admits(t, name, j, texts)
		j.Close()
	}
	t.Logf("%d of %d flips were noticed, %d of them healed; the journal has %d bytes", noticed, flips, whole, len(file))
	if noticed < flips/4 {
		t.Errorf("only %d of %d flips were noticed", noticed, flips)
	}
}

// TestAttackRows: what somebody does to the rows with a program for databases is noticed, and told when the journal
// is opened again.
func TestAttackRows(t *testing.T) {
	file, texts := soundFile(t)
	for _, c := range []struct{ name, do, want string }{
		{"the last event is deleted", "DELETE FROM records WHERE match = 'whole' AND seq = (SELECT MAX(seq) FROM records WHERE match = 'whole')", "match whole: "},
		{"an event is deleted", "DELETE FROM records WHERE match = 'whole' AND seq = 5", "match whole: 4 of "},
		{"the first event is deleted", "DELETE FROM records WHERE match = 'paused' AND seq = 1", "match paused: no events could be read"},
		{"two events are swapped", "UPDATE records SET seq = -1 WHERE match = 'whole' AND seq = 5; UPDATE records SET seq = 5 WHERE match = 'whole' AND seq = 7; UPDATE records SET seq = 7 WHERE seq = -1", ""},
		{"the texts of two events are swapped", "UPDATE records SET record = (SELECT record FROM records r WHERE r.match = 'whole' AND r.seq = 12 - records.seq) WHERE match = 'whole' AND seq IN (5, 7)", "match whole: 4 of "},
		{"events move to another match", "UPDATE records SET match = 'open', seq = seq + 100 WHERE match = 'paused' AND seq > 1", ""},
		{"an event is copied from another match", "UPDATE records SET record = (SELECT record FROM records r WHERE r.match = 'open' AND r.seq = 2), seal = (SELECT seal FROM records r WHERE r.match = 'open' AND r.seq = 2) WHERE match = 'whole' AND seq = 2", "match whole: 1 of "},
		{"an event is made up", "INSERT INTO records SELECT match, seq + 1, record, seal FROM records WHERE match = 'open' AND seq = 3", ""},
		{"a match is deleted", "DELETE FROM records WHERE match = 'paused'; DELETE FROM heads WHERE match = 'paused'; DELETE FROM matches WHERE id = 'paused'", "1 more match is lost"},
		{"a set-up is deleted", "DELETE FROM matches WHERE id = 'paused'", "match paused: no events could be read (its set-up is damaged)"},
		{"a match is renamed", "UPDATE matches SET id = 'other' WHERE id = 'paused'", ""},
		{"a set-up is changed", "UPDATE matches SET setup = replace(setup, 'Cleo', 'Chloe') WHERE id = 'paused'", "match paused: no events could be read (its set-up is damaged)"},
		{"an end is moved", "UPDATE heads SET records = records - 1 WHERE match = 'whole'", ""},
		{"an end is deleted", "DELETE FROM heads WHERE match = 'whole'", "there may have been more"},
		{"the count is changed", "UPDATE totals SET matches = matches + 2", "2 more matches are lost"},
		{"a seal is changed", "UPDATE records SET seal = zeroblob(16) WHERE match = 'whole' AND seq = 9", ""},
	} {
		path := filepath.Join(t.TempDir(), "journal.db")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.Exec("DROP TRIGGER records_stay; DROP TRIGGER records_last; DROP TRIGGER matches_stay; DROP TRIGGER matches_last; DROP TRIGGER heads_grow; DROP TRIGGER heads_last; PRAGMA foreign_keys = OFF;" + c.do)
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		j, err := OpenJournal(path)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		s := j.Salvaged()
		if s == nil {
			t.Errorf("%s, and nobody notices", c.name)
		} else if !strings.Contains(s.String(), c.want) {
			t.Errorf("%s: %s (%s), want %q in it", c.name, s, s.Why, c.want)
		} else if c.want == "" && (len(s.Lost) > 0 || s.Vanished > 0) {
			t.Errorf("%s: %s, and all of it was there", c.name, s)
		}
		admits(t, c.name, j, texts)
		j.Close()
	}
}

// wrecks are ways in which a disk damages a file.
func wrecks(file []byte) map[string][]byte {
	const page = 4096
	list := map[string][]byte{}
	r := rand.New(rand.NewPCG(6, 6))
	for at := 0; at < len(file); at += page {
		bad := slices.Clone(file)
		clear(bad[at : at+page])
		list[fmt.Sprintf("page %d is zero", at/page+1)] = bad
		bad = slices.Clone(file)
		for i := at + r.IntN(page/2); i < at+page; i++ {
			bad[i] = byte(r.Uint32())
		}
		list[fmt.Sprintf("page %d is noise", at/page+1)] = bad
	}
	for n := range 12 {
		bad := slices.Clone(file)
		for range 2 + n {
			at := page * r.IntN(len(file)/page)
			clear(bad[at : at+page])
		}
		list[fmt.Sprintf("%d pages are zero", 2+n)] = bad
		list[fmt.Sprintf("cut to %d of 13 parts", n+1)] = file[:(n+1)*len(file)/13]
	}
	for _, n := range []int{1, 2, 15, 16, 99, 100, 512, page, page + 1, len(file) - 1} {
		list[fmt.Sprintf("cut to %d bytes", n)] = file[:n]
	}
	list["all is zero"] = make([]byte, len(file))
	return list
}

// TestAttackDamagedJournals: however a disk has damaged a journal, a new match can begin, what can be read
// stays, what cannot is named, and the damaged file is kept as it was.
func TestAttackDamagedJournals(t *testing.T) {
	file, texts := soundFile(t)
	all := wrecks(file)
	saved := 0
	for name, bad := range all {
		path := filepath.Join(t.TempDir(), "journal.db")
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := OpenJournal(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s := j.Salvaged()
		if s == nil {
			admits(t, name, j, texts)
			j.Close()
			continue
		}
		if aside, err := os.ReadFile(s.Aside); err != nil || !bytes.Equal(aside, bad) {
			t.Errorf("%s: the damaged file is not kept (%v)", name, err)
		}
		if len(bad) > 100 && s.Whole+len(s.Lost)+s.Vanished >= len(texts) { // where it still says how many there were
			admits(t, name, j, texts)
		}
		saved += s.Whole
		h, err := j.History(HistoryQuery{})
		if err != nil || len(h.Damaged) != 1 || h.Damaged[0] != filepath.Base(s.Aside) {
			t.Errorf("%s: the history tells of %v (%v)", name, h.Damaged, err)
		}
		m, err := New(Config{ID: "next", Game: table.DiceFlick, Players: []string{"Ann", "Ben"}, Journal: j})
		if err != nil {
			t.Errorf("%s: no new match begins: %v", name, err)
			continue
		}
		declare(t, m, Declaration{Say: SayMiss})
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		again := openTestJournal(t, path)
		if again.Salvaged() != nil {
			t.Errorf("%s: the new journal is damaged: %s", name, again.Salvaged().Why)
		}
		if last, err := again.Latest(); err != nil || last.ID != "next" {
			t.Errorf("%s: the last match is %s (%v)", name, last.ID, err)
		}
		again.Close()
	}
	t.Logf("%d damaged files of %d bytes: on average %.1f of %d matches were saved whole", len(all), len(file), float64(saved)/float64(len(all)), len(texts))
}

// TestAttackEmptied: a file that was cut to nothing is taken, and that it was there is known; one that
// was never there is nothing to speak of.
func TestAttackEmptied(t *testing.T) {
	for _, c := range []struct {
		name    string
		content []byte
		emptied bool
	}{{"never there", nil, false}, {"empty", []byte{}, true}} {
		path := filepath.Join(t.TempDir(), "journal.db")
		if c.content != nil {
			if err := os.WriteFile(path, c.content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		j := openTestJournal(t, path)
		if j.Emptied != c.emptied || j.Salvaged() != nil {
			t.Errorf("%s: emptied %v, salvaged %v", c.name, j.Emptied, j.Salvaged())
		}
	}
	path := filepath.Join(t.TempDir(), "notes.txt")
	const notes = "What we want to play on Friday."
	if err := os.WriteFile(path, []byte(notes), 0o644); err != nil {
		t.Fatal(err)
	}
	if j, err := OpenJournal(path); err == nil {
		j.Close()
		t.Error("somebody's notes were taken for a journal")
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != notes {
		t.Errorf("the notes are now %q (%v)", now, err)
	}
}

// TestAttackSalvageOld: what is damaged in a journal of an earlier form is known by its sums, and the rest is saved.
func TestAttackSalvageOld(t *testing.T) {
	j := playedJournal(t)
	texts := kept(t, j)
	older(t, j, 3)
	file, err := os.ReadFile(j.path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(file, []byte("A place R5 c2"))
	if at < 0 {
		t.Fatal("no such event")
	}
	file[at+9] ^= 1
	if err := os.WriteFile(j.path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	again := openTestJournal(t, j.path)
	if s := again.Salvaged(); s == nil || s.Whole != 2 || len(s.Lost) != 1 || s.Lost[0].Match != "paused" || s.Lost[0].Kept == 0 {
		t.Fatalf("salvaged is %v", s)
	}
	admits(t, "a letter", again, texts)
}

// TestAttackDamageWhileOpen: what a disk damages while the journal is open shows at that match, and at no other.
func TestAttackDamageWhileOpen(t *testing.T) {
	for what, stmt := range map[string]string{
		"a set-up":                "DROP TRIGGER matches_stay; UPDATE matches SET setup = replace(setup, 'Cleo', 'Clea') WHERE id = 'open'",
		"a set-up beyond reading": "DROP TRIGGER matches_stay; UPDATE matches SET setup = '{' WHERE id = 'open'",
		"an event":                "DROP TRIGGER records_stay; UPDATE records SET record = replace(record, 'miss', 'mist') WHERE match = 'open' AND seq = 2",
		"an event beyond reading": "DROP TRIGGER records_stay; UPDATE records SET record = '{' WHERE match = 'open' AND seq = 2",
		"the end, which is gone":  "DROP TRIGGER records_last; DELETE FROM records WHERE match = 'open' AND seq = 3",
		"how far the match is":    "DROP TRIGGER heads_last; DELETE FROM heads WHERE match = 'open'",
	} {
		j := playedJournal(t)
		if _, err := j.db.Exec(stmt); err != nil {
			t.Fatal(err)
		}
		h, err := j.History(HistoryQuery{})
		if err != nil || h.Total != 3 {
			t.Errorf("%s: %d matches are listed (%v)", what, h.Total, err)
			continue
		}
		for _, s := range h.Matches {
			if (s.ID == "open") != strings.Contains(s.Trouble, "damaged") {
				t.Errorf("%s: match %s is told with %q", what, s.ID, s.Trouble)
			}
		}
		if _, err := j.Statistics(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if m, err := New(Config{Game: table.DiceFlick, Players: []string{"Ann", "Ben"}, Journal: j}); err != nil {
			t.Errorf("%s: no new match begins: %v", what, err)
		} else {
			declare(t, m, Declaration{Say: SayMiss})
		}
	}
}
