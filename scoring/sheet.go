// Package scoring turns dice into points: pure functions, one file per game.
package scoring

// Sheet is one player's score at one moment, with the parts that make it up.
type Sheet struct {
	Player int    `json:"player"`          // seat, from 0
	Total  int    `json:"total"`           // what counts now
	Lines  []Line `json:"lines,omitempty"` // how Total came about, in the order a score pad lists it
}

// Line is one entry of a score sheet.
type Line struct {
	Name   string `json:"name"` // stable key, for example "red", "round 3", "customers"
	Points int    `json:"points"`
}
