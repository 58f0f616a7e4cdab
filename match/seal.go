package match

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"diceref/table"
)

// sealed is how many bytes a seal has: enough that no accident makes another text fit it.
const sealed = 16

// seal is the checksum of a text and of all that came before it.
func seal(before []byte, text string) []byte {
	h := sha256.New()
	_, _ = h.Write(before) // never fails
	_, _ = h.Write([]byte(text))
	return h.Sum(nil)[:sealed]
}

// sealOf is the seal of a match, with which the chain of its records begins.
func sealOf(id, setup string, imported bool) []byte {
	return seal(seal(nil, fmt.Sprintf("%q %t", id, imported)), setup)
}

// damage says in what a journal is not as it was written. Its text is part of a sentence.
type damage struct{ what string }

func (d *damage) Error() string { return d.what }

func damaged(format string, args ...any) error { return &damage{fmt.Sprintf(format, args...)} }

// entered is one match as a journal holds it: texts and seals, as they were read.
type entered struct {
	id       string
	setup    string
	imported bool
	seal     []byte
	records  []sealedText
}

type sealedText struct {
	seq  int64
	text string
	seal []byte
}

// check follows the chain of a match to its end.
func (e entered) check(end head) error {
	if !bytes.Equal(sealOf(e.id, e.setup, e.imported), e.seal) {
		return damaged("the set-up of match %.60q has changed since it was written", e.id)
	}
	at, err := followChain(head{seal: e.seal}, e.id, e.records)
	if err != nil {
		return err
	}
	if !end.is(at) {
		return damaged("match %.60q has %s instead of %d", e.id, table.Count(len(e.records), "event", "events"), end.records)
	}
	return nil
}

// followChain checks that records of a match go on from a place in its chain, and returns the place that they lead to.
func followChain(at head, id string, records []sealedText) (head, error) {
	for _, r := range records {
		at.records++
		if r.seq != at.records {
			return at, damaged("event %d of match %.60q is missing", at.records, id)
		}
		if at.seal = seal(at.seal, r.text); !bytes.Equal(at.seal, r.seal) {
			return at, damaged("event %d of match %.60q has changed since it was written", at.records, id)
		}
	}
	return at, nil
}

// querier is a database, or a transaction in it.
type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
	QueryRow(query string, args ...any) *sql.Row
}

// inspect follows every chain of a journal of the present form, and counts.
func inspect(q querier) error {
	matches, err := readMatches(q, "")
	if err != nil {
		return err
	}
	heads, err := readHeads(q)
	if err != nil {
		return err
	}
	count := int64(0)
	for _, e := range matches {
		if e.records, err = readRecords(q, e.id, 1); err != nil {
			return err
		}
		h, ok := heads[e.id]
		if !ok {
			return damaged("the end of match %.60q is unknown", e.id)
		}
		if err := e.check(h); err != nil {
			return err
		}
		count += h.records
		delete(heads, e.id)
	}
	for id := range heads {
		return damaged("match %.60q is missing", id)
	}
	var total, records, kept int64
	if err := q.QueryRow("SELECT matches, records, (SELECT COUNT(*) FROM records) FROM totals").Scan(&total, &records, &kept); err != nil {
		return err
	}
	if total != int64(len(matches)) || records != count || kept != count {
		return damaged("it has %s with %s, instead of %d with %d", table.Count(len(matches), "match", "matches"), table.Count(int(kept), "event", "events"), total, records)
	}
	return nil
}

// readMatches reads the matches in the order in which they came, or the one of a name.
func readMatches(q querier, id string) (list []entered, err error) {
	rows, err := q.Query("SELECT id, setup, imported, seal FROM matches WHERE $1 IN ('', id) ORDER BY n", id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var e entered
		if err := rows.Scan(&e.id, &e.setup, &e.imported, &e.seal); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, rows.Err()
}

// readRecords reads the records of a match from a number on, in order.
func readRecords(q querier, id string, from int64) (list []sealedText, err error) {
	rows, err := q.Query("SELECT seq, record, seal FROM records WHERE match = $1 AND seq >= $2 ORDER BY seq", id, from)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r sealedText
		if err := rows.Scan(&r.seq, &r.text, &r.seal); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// head says how far a match has come.
type head struct {
	records int64
	seal    []byte
}

// is says whether two ends are the same: of the same text, after the same texts.
func (h head) is(o head) bool { return h.records == o.records && bytes.Equal(h.seal, o.seal) }

// readHeads reads how far every match has come.
func readHeads(q querier) (map[string]head, error) {
	rows, err := q.Query("SELECT match, records, seal FROM heads")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := map[string]head{}
	for rows.Next() {
		var id string
		var h head
		if err := rows.Scan(&id, &h.records, &h.seal); err != nil {
			return nil, err
		}
		list[id] = h
	}
	return list, rows.Err()
}

// readOld reads all of a journal of an earlier form, in the order in which it came, as far as
// its sums vouch for it.
func readOld(q querier, form int64) ([]entered, error) {
	if form == 0 {
		return nil, nil
	}
	sum := "NULL"
	if form >= 3 {
		sum = "sum"
	}
	list, err := readOldMatches(q, sum)
	if err != nil {
		return nil, err
	}
	at := map[string]*entered{}
	for i := range list {
		at[list[i].id] = &list[i]
	}
	rows, err := q.Query("SELECT match, seq, record, " + sum + " FROM records ORDER BY match, seq")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var r sealedText
		var was oldSum
		if err := rows.Scan(&id, &r.seq, &r.text, &was); err != nil {
			return nil, err
		}
		e := at[id]
		switch {
		case e == nil:
			return nil, damaged("match %.60q is missing", id)
		case r.seq != int64(len(e.records)+1):
			return nil, damaged("event %d of match %.60q is missing", len(e.records)+1, id)
		case !was.fits(id, r.text) || !json.Valid([]byte(r.text)):
			return nil, damaged("event %d of match %.60q has changed since it was written", r.seq, id)
		}
		e.records = append(e.records, r)
	}
	return list, rows.Err()
}

func readOldMatches(q querier, sum string) (list []entered, err error) {
	rows, err := q.Query("SELECT id, setup, " + sum + " FROM matches ORDER BY rowid")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var e entered
		var was oldSum
		if err := rows.Scan(&e.id, &e.setup, &was); err != nil {
			return nil, err
		}
		if !was.fits(e.id, e.setup) || !json.Valid([]byte(e.setup)) {
			return nil, damaged("the set-up of match %.60q has changed since it was written", e.id)
		}
		list = append(list, e)
	}
	return list, rows.Err()
}

// oldSum is the sum over one text alone that journals had before they were chained; it may be missing.
type oldSum struct {
	crc  int64
	have bool
}

// Scan makes oldSum a sql.Scanner.
func (s *oldSum) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		return nil
	case int64:
		*s = oldSum{v, true}
		return nil
	}
	return errors.New("a sum is a number")
}

// fits says whether a text about a match may be as it was written.
func (s oldSum) fits(id, text string) bool {
	return !s.have || s.crc == int64(crc32.Update(crc32.ChecksumIEEE([]byte(id)), crc32.IEEETable, []byte(text)))
}
