package hall

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"diceref/calibration"
	"diceref/match"
)

// Draw says which zones of the table its camera sees, in a game without a board. The match goes on with them, and so do later
// ones with as many players. ErrZones: they are not those of this game and so many players.
func (t *Table) Draw(zones []calibration.Zone) error {
	s := t.Setup()
	if err := calibration.CheckZones(s.Game, len(s.Players), zones); err != nil {
		return fmt.Errorf("%w: %w", ErrZones, err)
	}
	_, err := t.ask(askDraw, request{Zones: zones})
	return err
}

// ErrZones: zones do not fit what is played.
var ErrZones = errors.New("hall: these zones do not fit the game and its players")

// draw is Draw at the owner's.
func (t *Table) draw(m *match.Match, zones []calibration.Zone) error {
	text, err := json.Marshal(zones)
	if err != nil {
		return err
	}
	if _, err := t.hall.db.Exec("UPDATE hall_tables SET zones = $1 WHERE n = $2", string(text), t.n); err != nil {
		return t.hall.explain(err)
	}
	r, err := t.hall.readRow(t.n)
	if err != nil {
		return t.hall.explain(err)
	}
	t.mu.Lock()
	t.row = r
	t.mu.Unlock()
	if reflect.DeepEqual(m.Setting().Zones, zones) {
		return nil
	}
	return m.SetZones(zones)
}

// drawn is a setup with the zones that the table's camera sees, if it has none of its own and these fit.
func (r row) drawn(s Setup) Setup {
	if len(s.Zones) == 0 && len(r.zones) > 0 && calibration.CheckZones(s.Game, len(s.Players), r.zones) == nil {
		s.Zones = r.zones
	}
	return s
}
