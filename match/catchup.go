package match

import (
	"fmt"
)

// Seq is the number of the last record that a match knows.
func (m *Match) Seq() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seq
}

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
	texts, err := readRecords(j.db, id, seq)
	switch {
	case err != nil:
		return nil, j.explain(err)
	case len(texts) == 0:
		return nil, nil
	case texts[0].seq != seq:
		return nil, j.explain(damaged("event %d of match %.60q is missing", seq, id))
	}
	if _, err := followChain(head{seq, texts[0].seal}, id, texts[1:]); err != nil {
		return nil, j.explain(err)
	}
	return j.decode(texts[1:])
}
