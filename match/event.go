// Package match is one live match: it turns observations and what players
// declare into events, keeps them in a journal, and tells subscribers.
package match

import (
	"diceref/scoring"
	"diceref/table"
)

// Event is one thing that happened, in the JSON form of `diceref watch`. Which
// keys are set depends on Type: start, move, takeback, pass, flick, miss,
// score, doubt, end.
type Event struct {
	Seq     int64          `json:"-"` // position in the journal, from 1
	Frame   int            `json:"frame"`
	T       float64        `json:"t"` // seconds
	Type    string         `json:"type"`
	Game    table.Game     `json:"game,omitempty"`
	Players []string       `json:"players,omitempty"`
	Player  string         `json:"player,omitempty"`
	Move    any            `json:"move,omitempty"` // the game's move
	Legal   *bool          `json:"legal,omitempty"`
	Code    string         `json:"code,omitempty"`
	Codes   []string       `json:"codes,omitempty"`
	Why     string         `json:"why,omitempty"`
	To      *table.Square  `json:"to,omitempty"`
	Color   table.Color    `json:"color,omitempty"`
	Face    *int           `json:"face,omitempty"`
	Round   int            `json:"round,omitempty"`
	Score   *int           `json:"score,omitempty"`
	Removed []table.Square `json:"removed,omitempty"`
	Ask     string         `json:"ask,omitempty"`
	Choices []string       `json:"choices,omitempty"`
	Over    *bool          `json:"over,omitempty"` // end only: false when the source ended first
	Scores  map[string]int `json:"scores,omitempty"`
	Winners []string       `json:"winners,omitempty"`
	// Clusters holds, at the end of Dessert Dice, each dessert's largest cluster.
	Clusters map[string]int `json:"clusters,omitempty"`
	Text     string         `json:"-"` // the act in words, for the page
}

// Snapshot is everything that a page needs to draw the match as it stands.
type Snapshot struct {
	ID      string          `json:"id"`
	Seq     int64           `json:"seq"` // of the last event in it
	Game    table.Game      `json:"game"`
	Players []string        `json:"players"`
	ToMove  int             `json:"to_move"` // seat; -2: over
	Phase   string          `json:"phase"`   // waiting, moving, hand, still, doubt, paused, over
	Ask     string          `json:"ask,omitempty"`
	Choices []string        `json:"choices,omitempty"`
	Sheets  []scoring.Sheet `json:"sheets"`
	State   any             `json:"state"`  // the game's own view, from State.Show
	Events  []EventView     `json:"events"` // newest last
}

// EventView is an Event as the page shows it: with its number and its words.
type EventView struct {
	Seq int64 `json:"seq"`
	Event
	Text string `json:"text"`
}
