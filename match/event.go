// Package match is one live match: it turns observations and the players'
// declarations into events, writes them to a journal, and sends them to subscribers.
package match

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"diceref/scoring"
	"diceref/table"
)

// The types of events.
const (
	TypeStart    = "start"
	TypeMove     = "move"
	TypeTakeback = "takeback"
	TypePass     = "pass"
	TypeFlick    = "flick"
	TypeMiss     = "miss"
	TypeScore    = "score"
	TypeDoubt    = "doubt"
	TypeEnd      = "end"
	TypeUndo     = "undo"
	TypeRedo     = "redo"
	TypeCorrect  = "correct"
	TypeNames    = "names"
	TypeFirst    = "first"
	TypeSeats    = "seats"
	TypeStands   = "stands"
	TypePause    = "pause"
	TypeResume   = "resume"
	// TypeTrouble is what keeps a table from being followed. It is told, and not kept: the match knows nothing of it.
	TypeTrouble = "trouble"
)

// Event is one thing that happened, in the JSON form of `diceref watch`. Which
// keys are set depends on Type: start, move, takeback, pass, flick, miss,
// score, doubt, end, trouble.
type Event struct {
	Seq     int64      `json:"-"` // position in the journal, from 1
	Frame   int        `json:"frame"`
	T       float64    `json:"t"` // seconds
	Type    string     `json:"type"`
	Game    table.Game `json:"game,omitempty"`
	Players []string   `json:"players,omitempty"`
	Player  string     `json:"player,omitempty"`
	Move    any        `json:"move,omitempty"` // the game's move
	Legal   *bool      `json:"legal,omitempty"`
	Code    string     `json:"code,omitempty"`
	Codes   []string   `json:"codes,omitempty"`
	Why     string     `json:"why,omitempty"`
	// Open is the code of the rule that would be broken if all was as it is told. It was inferred, and so nobody is accused.
	Open    string         `json:"open,omitempty"`
	To      *table.Square  `json:"to,omitempty"`
	Color   table.Color    `json:"color,omitempty"`
	Face    *int           `json:"face,omitempty"`
	Round   int            `json:"round,omitempty"`
	Score   *int           `json:"score,omitempty"`
	Removed []table.Square `json:"removed,omitempty"`
	Ask     string         `json:"ask,omitempty"`
	// Question is Ask in a form that can be put into any language.
	Question *Phrase  `json:"question,omitempty"`
	Choices  []string `json:"choices,omitempty"`
	// Corrects is, for the correction of an act, the number of its event.
	Corrects int64          `json:"corrects,omitempty"`
	Over     *bool          `json:"over,omitempty"` // end only: false when the source ended first
	Scores   map[string]int `json:"scores,omitempty"`
	Winners  []string       `json:"winners,omitempty"`
	// Provisional is the cells of the notepad of DICE Flick that are not certain as the game ends.
	Provisional []Cell `json:"provisional,omitempty"`
	// Clusters holds, at the end of Dessert Dice, each dessert's largest cluster.
	Clusters map[string]int `json:"clusters,omitempty"`
	Text     string         `json:"-"` // the act in words, for the page
}

// plain is an Event without methods, so that it can be written by encoding/json itself.
type plain Event

// wire adds what omitempty cannot tell: a blast die's face is null, and a score
// that removed nothing says so.
type wire struct {
	*plain
	Face    *json.RawMessage `json:"face,omitempty"`
	Removed *[]table.Square  `json:"removed,omitempty"`
}

func (e *Event) wire() wire {
	w := wire{plain: (*plain)(e)}
	switch {
	case e.Face != nil:
		n := json.RawMessage(fmt.Sprint(*e.Face))
		w.Face = &n
	case e.Type == TypeFlick:
		n := json.RawMessage("null")
		w.Face = &n
	}
	if e.Removed != nil || e.Type == TypeScore {
		r := append([]table.Square{}, e.Removed...)
		w.Removed = &r
	}
	return w
}

// MarshalJSON writes the event as a line of `diceref watch`.
func (e Event) MarshalJSON() ([]byte, error) { return json.Marshal(e.wire()) }

// UnmarshalJSON reads what MarshalJSON wrote; Move stays json.RawMessage.
func (e *Event) UnmarshalJSON(b []byte) error {
	var w struct {
		plain
		Move json.RawMessage `json:"move"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return fmt.Errorf("match: cannot read an event: %w", err)
	}
	*e = Event(w.plain)
	if len(w.Move) > 0 {
		e.Move = w.Move
	}
	return nil
}

// Standing is one line of a result.
type Standing struct {
	Name   string
	Points int
}

// Ranking is the final scores, best first, and by name if they are equal. For Dessert
// Dice, whose cards are secret, it is the clusters of the desserts.
func (e Event) Ranking() []Standing {
	from := e.Scores
	if len(from) == 0 {
		from = e.Clusters
	}
	list := make([]Standing, 0, len(from))
	for name, points := range from {
		list = append(list, Standing{name, points})
	}
	slices.SortFunc(list, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Snapshot is everything a page needs to draw the match.
type Snapshot struct {
	ID      string     `json:"id"`
	Seq     int64      `json:"seq"` // of the last event in it
	Game    table.Game `json:"game"`
	Players []string   `json:"players"`
	// Revision is the number of the last event that changed earlier events (a correction, other
	// names). Clients that know fewer events must load all of them again.
	Revision int64 `json:"revision,omitempty"`
	// Seats is who sits where around the table, by turn order; nil: in turn order.
	Seats  []int  `json:"seats,omitempty"`
	ToMove int    `json:"to_move"` // seat; -2: over
	Phase  string `json:"phase"`   // one of the Phase constants
	Ask    string `json:"ask,omitempty"`
	// Question is Ask in a form that can be put into any language.
	Question *Phrase  `json:"question,omitempty"`
	Choices  []string `json:"choices,omitempty"`
	// Possible is what the choices mean, in the same order, except for choices such as go on.
	Possible []Possibility `json:"possible,omitempty"`
	// Waiting is what players declared and the camera has not seen yet, in order.
	Waiting []Waiting `json:"waiting,omitempty"`
	// Clear is true while a rematch waits for the board to be cleared.
	Clear bool `json:"clear,omitempty"`
	// Provisional is the cells of the notepad of DICE Flick whose number is not certain yet.
	Provisional []Cell `json:"provisional,omitempty"`
	// Outcome is how the match ended; nil while it goes on.
	Outcome *Outcome        `json:"outcome,omitempty"`
	Sheets  []scoring.Sheet `json:"sheets"`
	State   any             `json:"state"`  // the game's own view, from State.Show
	Events  []EventView     `json:"events"` // newest last
	// CanUndo and CanRedo say whether there is anything to undo, and to redo.
	CanUndo bool `json:"can_undo"`
	CanRedo bool `json:"can_redo"`
	// Trouble is one line about what stops the match, for example a full disk.
	Trouble string `json:"trouble,omitempty"`
}

// EventView is an Event as the page shows it: with its number and its words.
type EventView struct {
	Seq int64 `json:"seq"`
	Event
	Text string `json:"text"`
	By   string `json:"by,omitempty"` // who reported it: camera, player, referee
	// Acts is what happened in the game's notation, including corrections. A correction rewrites this.
	Acts []string `json:"acts,omitempty"`
	// Undone is true if a later undo or correction has canceled the event.
	Undone bool `json:"undone,omitempty"`
}

// MarshalJSON writes the event's keys with seq, text, by and undone beside them.
func (v EventView) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Seq int64 `json:"seq"`
		wire
		Text   string   `json:"text"`
		By     string   `json:"by,omitempty"`
		Acts   []string `json:"acts,omitempty"`
		Undone bool     `json:"undone,omitempty"`
	}{v.Seq, v.Event.wire(), v.Text, v.By, v.Acts, v.Undone})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (v *EventView) UnmarshalJSON(b []byte) error {
	var x struct {
		Seq    int64    `json:"seq"`
		Text   string   `json:"text"`
		By     string   `json:"by"`
		Acts   []string `json:"acts"`
		Undone bool     `json:"undone"`
	}
	if err := json.Unmarshal(b, &x); err != nil {
		return fmt.Errorf("match: cannot read an event: %w", err)
	}
	if err := v.Event.UnmarshalJSON(b); err != nil {
		return err
	}
	v.Seq, v.Text, v.By, v.Acts, v.Undone = x.Seq, x.Text, x.By, x.Acts, x.Undone
	v.Event.Seq, v.Event.Text = x.Seq, x.Text
	return nil
}
