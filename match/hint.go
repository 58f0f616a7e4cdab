package match

import (
	"fmt"
	"time"

	"diceref/rules"
)

// What a hint may cost; the machine may be a small one, and others wait for it too.
const (
	hintPlayouts = 1500
	hintTime     = 600 * time.Millisecond
	mostHints    = 3
)

// Hint says which acts are good for the player on turn, the best first, with card as
// what only that player knows (Dessert Dice). The error says what would have to be known.
func (m *Match) Hint(card string) ([]rules.Suggestion, error) {
	m.mu.Lock()
	now, over := m.line.now(), m.ended
	m.mu.Unlock()
	if over {
		return nil, ErrOver
	}
	s, ok := now.(rules.Suggester)
	if !ok {
		return nil, fmt.Errorf("match: there are no hints for %s", m.setting.Game.Kit().Title)
	}
	list, err := s.Suggest(rules.Budget{Playouts: hintPlayouts, Time: hintTime, Seed: uint64(m.setting.Created.Unix())}, card)
	if err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	return list[:min(mostHints, len(list))], nil
}

// Hints is what is worth a look for the player on turn, as the rules alone tell.
type Hints struct {
	Seq    int64        `json:"seq"`     // of the last event: it holds until the next
	ToMove int          `json:"to_move"` // seat
	Hints  []rules.Hint `json:"hints"`   // the most worth first
}

// Hints points out what can be done, without a search and without anybody's secrets.
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
