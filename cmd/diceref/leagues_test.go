package main

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"diceref/match"
	"diceref/match/book"
	"diceref/match/hall"
	"diceref/match/hall/halltest"
	"diceref/match/postgrestest"
	"diceref/table"
	"diceref/web"
)

// TestHallLeague: in a hall of two servers, a round has the hall's tables; its matches are begun there, and what was played
// counts at both servers.
func TestHallLeague(t *testing.T) {
	server := postgrestest.Start(t)
	address := server.Database(t)
	var servers []hallLeagues
	for i := range 2 {
		h, err := hall.Open(hall.Config{Address: address, Process: fmt.Sprint(i)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { h.Close() })
		servers = append(servers, hallLeagues{book.Open(h.Journal()), h})
	}
	one, two := servers[0], servers[1]
	for _, name := range []string{"Window", "Bar"} {
		if _, err := one.hall.Add(name, "CODE", hall.Setup{Game: table.DiceBox, Players: []string{"X", "Y"}}); err != nil {
			t.Fatal(err)
		}
	}
	halltest.Await(t, "both servers show the tables", func() bool {
		return len(one.hall.Tables()) == 2 && len(two.hall.Tables()) == 2 && two.hall.Table("bar").Snapshot().Seq >= 1
	})
	id, err := one.New("referee Ina", book.Wanted{Name: "Spring", Game: "dice-flick", Most: 2, Players: []string{"Ann", "Ben", "Cleo", "Dora", "Emil", "Finn"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := one.Begin(id, "", 0); !errors.Is(err, web.ErrNoTable) {
		t.Errorf("a match of no round: %v", err)
	}
	if err := two.Round(id, "referee Ina", 1); err != nil {
		t.Fatal(err)
	}
	var v book.View
	halltest.Await(t, "the other server shows the round", func() bool {
		v, err = one.View(id)
		return err == nil && len(v.Rounds) == 1
	})
	if v.Rounds[0].Tables[0].ID != "window" || v.Rounds[0].Tables[1].Name != "Bar" || v.Rounds[0].Tables[2].ID != "" {
		t.Fatalf("%+v", v.Rounds)
	}
	for i, want := range []error{nil, nil, web.ErrNoTable} {
		if err := two.Begin(id, "referee Ina", i); !errors.Is(err, want) {
			t.Errorf("table %d: %v", i, err)
		}
	}
	bar := one.hall.Table("bar")
	halltest.Await(t, "the match has begun", func() bool { return slices.Equal(bar.Snapshot().Players, v.Rounds[0].Tables[1].Players) })
	for range 10 {
		for range 2 {
			for _, say := range []string{match.SayMiss, match.SayMiss, match.SayNext} {
				if err := bar.Declare(match.Declaration{Say: say}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, s := range servers {
		halltest.Await(t, "its result counts", func() bool {
			v, err := s.View(id)
			return err == nil && v.Rounds[0].Tables[1].State == book.Done && v.Rounds[0].Tables[0].State == book.Playing && v.Rounds[0].Tables[2].State == book.Waiting
		})
	}
}
