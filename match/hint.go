package match

import (
	"time"

	"diceref/rules"
)

// What a hint may cost; the machine may be a small one, and others wait for it too.
const (
	hintPlayouts = 1500
	hintTime     = 600 * time.Millisecond
	mostHints    = 3
)

// Hint returns good acts for the player whose turn it is, best first; card is the player's
// secret card (Dessert Dice). The error says what is missing.
func (m *Match) Hint(card string) ([]rules.Suggestion, error) {
	m.mu.Lock()
	now, over := m.line.now(), m.ended
	m.mu.Unlock()
	if over {
		return nil, ErrOver
	}
	s, ok := now.(rules.Suggester)
	if !ok {
		return nil, reject("no-hints", "game", m.setting.Game.Kit().Title)
	}
	list, err := s.Suggest(rules.Budget{Playouts: hintPlayouts, Time: hintTime, Seed: uint64(m.setting.Created.Unix())}, card)
	if err != nil {
		return nil, rejected("no-hint", err)
	}
	return list[:min(mostHints, len(list))], nil
}

// Hints is what is worth a look for the player whose turn it is, by the rules alone.
type Hints struct {
	Seq    int64        `json:"seq"`     // of the last event: the hints are valid until the next one
	ToMove int          `json:"to_move"` // seat
	Hints  []rules.Hint `json:"hints"`   // best first
}

// Hints points out possible acts, without a search and without anybody's secrets.
func (m *Match) Hints() Hints {
	m.mu.Lock()
	now, all := m.line.now(), Hints{Seq: m.seq, Hints: []rules.Hint{}}
	m.mu.Unlock()
	all.ToMove = int(now.ToMove())
	if h, ok := now.(rules.Hinter); ok && all.ToMove >= 0 {
		all.Hints = append(all.Hints, h.Hints()...)
	}
	return all
}
