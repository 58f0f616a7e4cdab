package match

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"diceref/table"
)

// Salvage is what could be read of a damaged journal.
type Salvage struct {
	Why   string // what is wrong with it
	Aside string // where the damaged file lies now; empty: where it was
	Whole int    // matches that could be read to their end
	Lost  []Loss // the others
	// Vanished is the number of matches of which nothing is left, not even a name.
	Vanished int
}

// Loss is a match that could not be read to the end.
type Loss struct {
	Match string
	Kept  int // events that could be read
	Lost  int // events that could not
	Why   string
}

// String is the loss in a sentence without a period.
func (l Loss) String() string {
	switch {
	case l.Lost == 0:
		return fmt.Sprintf("match %s: %s could be read (%s)", l.Match, table.Count(l.Kept, "event", "events"), l.Why)
	case l.Kept == 0:
		return fmt.Sprintf("match %s: no events could be read (%s)", l.Match, l.Why)
	}
	return fmt.Sprintf("match %s: %d of %s could be read (%s)", l.Match, l.Kept, table.Count(l.Kept+l.Lost, "event", "events"), l.Why)
}

// String is the whole result in one line.
func (s *Salvage) String() string {
	parts := []string{table.Count(s.Whole, "match is complete", "matches are complete")}
	for _, l := range s.Lost {
		parts = append(parts, l.String())
	}
	if s.Vanished > 0 {
		parts = append(parts, table.Count(s.Vanished, "more match is lost", "more matches are lost"))
	}
	return strings.Join(parts, "; ")
}

// wreck is the rows of a journal, whatever its form and however damaged it is, as they were found
// page by page. Of one row there may be several, and none need be right.
type wreck struct {
	order   map[string]int64 // when each match came
	setups  map[string][]setupRow
	records []recordRow
	heads   map[string]head
	matches int64 // how many there were; 0: not known
	chained bool  // what was found has seals
}

type setupRow struct {
	column   string // the match that the row says it is of
	text     string
	imported bool
	seal     []byte
	sum      oldSum
}

type recordRow struct {
	match string
	sealedText
	sum  oldSum
	used bool
}

// gather sorts the rows of an image by what they look like.
func gather(im image) *wreck {
	w := &wreck{order: map[string]int64{}, setups: map[string][]setupRow{}, heads: map[string]head{}}
	im.rows(func(r row) {
		c := r.columns
		switch kinds(c) {
		case "-ssib": // a match
			w.addSetup(r.number, setupRow{column: c[1].(string), text: c[2].(string), imported: c[3].(int64) != 0, seal: c[4].([]byte)})
		case "sssss", "sssss-", "sssssi": // of the earlier forms
			w.addSetup(r.number, setupRow{column: c[0].(string), text: c[2].(string), sum: sumIn(c, 5)})
		case "sisb":
			w.chained = true
			w.records = append(w.records, recordRow{match: c[0].(string), sealedText: sealedText{c[1].(int64), c[2].(string), c[3].([]byte)}})
		case "sis", "sis-", "sisi":
			w.records = append(w.records, recordRow{match: c[0].(string), sealedText: sealedText{seq: c[1].(int64), text: c[2].(string)}, sum: sumIn(c, 3)})
		case "sib":
			w.heads[c[0].(string)] = head{c[1].(int64), c[2].([]byte)}
		case "-ii":
			w.matches = max(w.matches, c[1].(int64))
		}
	})
	slices.SortStableFunc(w.records, func(a, b recordRow) int {
		return cmp.Or(strings.Compare(a.match, b.match), cmp.Compare(a.seq, b.seq))
	})
	return w
}

// kinds is the kinds of a row's values, a letter each.
func kinds(columns []any) string {
	var b strings.Builder
	for _, c := range columns {
		switch c.(type) {
		case nil:
			b.WriteByte('-')
		case int64:
			b.WriteByte('i')
		case string:
			b.WriteByte('s')
		case []byte:
			b.WriteByte('b')
		}
	}
	return b.String()
}

func sumIn(columns []any, i int) (s oldSum) {
	if i < len(columns) {
		_ = s.Scan(columns[i]) // a number or nothing, see kinds
	}
	return s
}

// addSetup notes a set-up under the name that it says itself, if it can be read.
func (w *wreck) addSetup(number int64, s setupRow) {
	var says struct{ ID string }
	id := s.column
	if json.Unmarshal([]byte(s.text), &says) == nil && says.ID != "" && s.sound(says.ID) {
		id = says.ID
	}
	w.setups[id] = append(w.setups[id], s)
	w.order[id] = number
}

// sound says whether the set-up is as it was written.
func (s setupRow) sound(id string) bool {
	if s.seal == nil {
		return s.sum.fits(id, s.text) && json.Valid([]byte(s.text))
	}
	return bytes.Equal(s.seal, sealOf(id, s.text, s.imported))
}

// empty says whether nothing was found that a journal of matches has.
func (w *wreck) empty() bool { return len(w.setups) == 0 && len(w.records) == 0 && len(w.heads) == 0 }

// restore puts together what belongs together, match by match in the order in which they came, and
// says what is missing.
func (w *wreck) restore() (list []entered, s *Salvage) {
	s = &Salvage{}
	ids := map[string]bool{}
	for id := range w.setups {
		ids[id] = true
	}
	for id := range w.heads {
		ids[id] = true
	}
	for _, r := range w.records {
		ids[r.match] = true
	}
	sorted := slices.SortedFunc(maps.Keys(ids), func(a, b string) int {
		return cmp.Or(cmp.Compare(w.order[a], w.order[b]), strings.Compare(a, b))
	})
	for _, id := range sorted {
		if e, ok := w.match(id); ok {
			list = append(list, e)
		}
	}
	named := 0
	for _, id := range sorted {
		i := slices.IndexFunc(list, func(e entered) bool { return e.id == id })
		if i >= 0 {
			named++
			if loss, ok := w.lost(list[i]); ok {
				s.Lost = append(s.Lost, loss)
				list[i] = shortened(list[i], loss.Lost)
			} else {
				s.Whole++
			}
			continue
		}
		if n := w.unused(id); n > 0 && plainID.MatchString(id) {
			named++
			s.Lost = append(s.Lost, Loss{id, 0, n, "its set-up is damaged"})
		}
	}
	s.Vanished = max(0, int(w.matches)-named)
	return list, s
}

// match is one match as far as it can be followed from its set-up on.
func (w *wreck) match(id string) (e entered, ok bool) {
	i := slices.IndexFunc(w.setups[id], func(s setupRow) bool { return s.sound(id) })
	if i < 0 { // its text may be sound, and its seal not
		i = slices.IndexFunc(w.setups[id], func(s setupRow) bool { return w.builtOn(id, 0, sealOf(id, s.text, s.imported)) })
	}
	if i < 0 {
		return e, false
	}
	s := w.setups[id][i]
	e = entered{id: id, setup: s.text, imported: s.imported, seal: s.seal}
	at := sealOf(id, s.text, s.imported)
	for {
		r := w.next(id, int64(len(e.records)+1), at, s.seal != nil)
		if r == nil {
			return e, true
		}
		r.used = true
		at = seal(at, r.text)
		e.records = append(e.records, r.sealedText)
	}
}

// next finds the record that follows in a chain: the one in its place, or, where records are sealed,
// any other that has gone astray and fits. A seal that is damaged itself is known by its being the
// text on which the next record, or the match's end, was built.
func (w *wreck) next(id string, seq int64, at []byte, chained bool) *recordRow {
	var here []*recordRow
	i, _ := slices.BinarySearchFunc(w.records, recordRow{match: id, sealedText: sealedText{seq: seq}}, func(a, b recordRow) int {
		return cmp.Or(strings.Compare(a.match, b.match), cmp.Compare(a.seq, b.seq))
	})
	for ; i < len(w.records) && w.records[i].match == id && w.records[i].seq == seq; i++ {
		here = append(here, &w.records[i])
	}
	if !chained {
		for _, r := range here {
			if r.sum.fits(id, r.text) && says(r.text, seq) {
				return r
			}
		}
		return nil
	}
	for _, r := range here {
		if bytes.Equal(r.seal, seal(at, r.text)) {
			return r
		}
	}
	for i := range w.records {
		if r := &w.records[i]; !r.used && says(r.text, seq) && bytes.Equal(r.seal, seal(at, r.text)) {
			return r
		}
	}
	for _, r := range here {
		if says(r.text, seq) && w.builtOn(id, seq, seal(at, r.text)) {
			return r
		}
	}
	return nil
}

// says says whether a record's text is of that number.
func says(text string, seq int64) bool {
	var r struct{ Seq int64 }
	return json.Unmarshal([]byte(text), &r) == nil && r.Seq == seq
}

// builtOn says whether what follows record seq, the next one or the end, was built on that seal.
func (w *wreck) builtOn(id string, seq int64, at []byte) bool {
	if h, ok := w.heads[id]; ok && bytes.Equal(h.seal, at) {
		return true
	}
	return slices.ContainsFunc(w.records, func(r recordRow) bool {
		return r.match == id && r.seq == seq+1 && bytes.Equal(r.seal, seal(at, r.text))
	})
}

// lost says what is missing of a match.
func (w *wreck) lost(e entered) (Loss, bool) {
	at, kept := sealOf(e.id, e.setup, e.imported), len(e.records)
	for _, r := range e.records {
		at = seal(at, r.text)
	}
	end, known := w.heads[e.id]
	if known && bytes.Equal(end.seal, at) {
		return Loss{}, false
	}
	missing := w.unused(e.id)
	if known && end.records != int64(kept) { // one of the two that say so may be damaged itself
		missing = max(missing, int(min(end.records, mostRecords))-kept)
	}
	why := fmt.Sprintf("event %d is damaged", kept+1)
	if missing == 0 {
		if e.seal == nil || known {
			return Loss{}, false
		}
		why = "there may have been more"
	}
	return Loss{e.id, kept, missing, why}, true
}

// unused is how many records of a match were found and could not be used.
func (w *wreck) unused(id string) (n int) {
	seen := map[int64]bool{}
	for _, r := range w.records {
		if r.match == id && r.used {
			seen[r.seq] = true
		}
	}
	for _, r := range w.records {
		if r.match == id && !r.used && !seen[r.seq] {
			seen[r.seq] = true
			n++
		}
	}
	return n
}

// shortened is a match whose set-up says how many events were lost at its end.
func shortened(e entered, lost int) entered {
	var s Setting
	if json.Unmarshal([]byte(e.setup), &s) != nil {
		return e
	}
	s.Lost += lost
	if text, err := json.Marshal(s); err == nil {
		e.setup = string(text)
	}
	return e
}
