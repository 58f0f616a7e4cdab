package match

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// CatchUp has a match that was loaded for reading follow the journal: it relives what others have written since, and
// tells whoever listens.
func (j *Journal) CatchUp(m *Match) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	records, err := j.recordsAfter(m.setting.ID, m.seq)
	if err != nil || len(records) == 0 {
		return err
	}
	for _, r := range records {
		if err := m.relive(r); err != nil {
			return fmt.Errorf("%w (restore %s from a backup)", err, j.path)
		}
		if r.Event != nil {
			m.publish(m.log[len(m.log)-1])
		}
	}
	m.recall()
	m.wake()
	return nil
}

// recordsAfter is what was written to a match after a record that is known to be sound.
func (j *Journal) recordsAfter(id string, seq int64) ([]Record, error) {
	rows, err := j.db.Query("SELECT seq, record, seal FROM records WHERE match = $1 AND seq >= $2 ORDER BY seq", id, seq)
	if err != nil {
		return nil, j.explain(err)
	}
	defer rows.Close()
	var list []Record
	var at []byte
	for n := seq; rows.Next(); n++ {
		var t sealedText
		if err := rows.Scan(&t.seq, &t.text, &t.seal); err != nil {
			return nil, j.explain(err)
		}
		switch {
		case t.seq != n:
			return nil, j.explain(damaged("event %d of match %.60q is missing", n, id))
		case n == seq:
			at = t.seal
			continue
		}
		if at = seal(at, t.text); !bytes.Equal(at, t.seal) {
			return nil, j.explain(damaged("event %d of match %.60q has changed since it was written", n, id))
		}
		var r Record
		if err := json.Unmarshal([]byte(t.text), &r); err != nil {
			return nil, fmt.Errorf("match: journal %s: cannot read event %d: %w", j.path, n, err)
		}
		list = append(list, r)
	}
	if err := rows.Err(); err != nil {
		return nil, j.explain(err)
	}
	return list, nil
}
