// Command write plays a seeded game of Fromage á Trois or DiceCreams! by the
// rules, with planted mistakes, and writes where every die lies after each step
// and what a referee should tell of it. The pictures are drawn from that by
// vision/training/render:
//
//	go run ./match/internal/tableplan/write fromage-a-trois 7 > plan.json
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"diceref/match/internal/tableplan"
	"diceref/table"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: write fromage-a-trois|dicecreams SEED")
	}
	seed, err := strconv.ParseUint(args[1], 10, 32)
	if err != nil {
		return fmt.Errorf("the seed %.20q is not a number", args[1])
	}
	p, err := tableplan.Play(table.Game(args[0]), seed)
	if err != nil {
		return err
	}
	if len(p.Left) > 0 {
		return fmt.Errorf("seed %d: no chance for the mistakes %v", seed, p.Left)
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
