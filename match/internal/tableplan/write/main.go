// Command tableplan plays a seeded game of Fromage á Trois or DiceCreams! by the
// rules, with planted mistakes, and writes where every die lies after each step
// and what a referee ought to tell of it. The pictures are drawn from that by
// vision/training/render:
//
//	go run ./match/internal/tableplan fromage-a-trois 7 > plan.json
package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	"diceref/table"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tableplan:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: tableplan fromage-a-trois|dicecreams SEED")
	}
	seed, err := strconv.ParseUint(args[1], 10, 32)
	if err != nil {
		return fmt.Errorf("the seed %.20q is no number", args[1])
	}
	p, err := planned(table.Game(args[0]), seed)
	if err != nil {
		return err
	}
	bad := 0
	for _, s := range p.Truth.Steps {
		for _, e := range s.Events {
			if e.Legal != nil && !*e.Legal {
				bad++
				fmt.Fprintln(os.Stderr, s.Picture, e.Text, e.Codes)
			}
		}
	}
	fmt.Fprintln(os.Stderr, len(p.Steps), "pictures,", bad, "illegal acts,", len(p.Says), "declared,", p.Truth.Scores, p.Truth.Winners)
	return json.NewEncoder(os.Stdout).Encode(p)
}

// planned plays the game of a seed.
func planned(game table.Game, seed uint64) (*plan, error) {
	p := &plan{Game: game, Seed: seed, DieSize: dieSize}
	p.top = &tabletop{rng: rand.New(rand.NewPCG(seed, 20))}
	var err error
	switch p.Game {
	case table.FromageATrois:
		err = playFromage(p)
	case table.DiceCreams:
		err = playCreams(p)
	default:
		err = fmt.Errorf("no plan for %.20q", game)
	}
	if err != nil {
		return nil, err
	}
	p.Zones = p.top.zones
	for _, q := range p.top.pieces {
		p.Dice = append(p.Dice, dieLook{q.color, q.left})
	}
	p.Truth.Game, p.Truth.Players = p.Game, p.names
	return p, nil
}
