package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"diceref/rules"
)

func newSuggestCommand(a *app) *cobra.Command {
	var s suggesting
	cmd := &cobra.Command{
		Use:   "suggest GAME FILE",
		Short: "Suggest the best moves in a position, and say why",
		Long: `suggest reads a match of dice-box or dessert-dice with one move per line (- reads
standard input). It plays the game to the end many times from each possible move and
counts who wins. Each time, dice are rolled and secret cards dealt at random. The other
players are assumed to move at random in Dice Box, and to grow their cluster in Dessert
Dice, so the chances are estimates. For Dice Box with two players and the standard
rules, it looks two moves ahead instead, and a neural network judges the positions.

Lines before the moves can be: players 3, option NAME=VALUE, owners A:RY,B:BW.
Moves look like: seed 4; hand A R1 Y3; A place R4 d3; A reroll; B move c3 d3 R2.`,
		Example: `  diceref suggest dessert-dice match.txt --card J
  diceref suggest dice-box - < match.txt`,
		Args:        takes("game", "file"),
		Annotations: noConfig,
		RunE: func(_ *cobra.Command, args []string) error {
			game, err := rulebook(args[0])
			if err != nil {
				return exitError{exitUsage, err}
			}
			if s.seconds <= 0 || s.seconds > 3600 || s.show < 1 {
				return usagef("--seconds and --show must be above 0")
			}
			return a.suggest(game, args[1], s)
		},
	}
	cmd.Flags().StringVar(&s.card, "card", "", "the `card` of the player whose turn it is: J, S, P or I (Dessert Dice)")
	cmd.Flags().Float64Var(&s.seconds, "seconds", 1, "`time` to think")
	cmd.Flags().IntVar(&s.playouts, "playouts", 0, "number of `games` to play instead of a time, for the same answer every time")
	cmd.Flags().IntVar(&s.show, "show", 5, "how many `moves` to show")
	cmd.Flags().BoolVar(&s.json, "json", false, "print one JSON object per move")
	return cmd
}

// suggesting is what the suggest command is told.
type suggesting struct {
	card     string
	seconds  float64
	playouts int
	show     int
	json     bool
}

func (a *app) suggest(game rules.Game, file string, s suggesting) error {
	state, err := a.readMatch(game, file)
	if err != nil {
		return fmt.Errorf("suggest: %s: %w", file, err)
	}
	able, ok := state.(rules.Suggester)
	if !ok {
		return usagef("suggest knows dice-box and dessert-dice, not %s", game.Name())
	}
	budget := rules.Budget{Playouts: s.playouts}
	if s.playouts == 0 {
		budget.Time = time.Duration(s.seconds * float64(time.Second))
	}
	list, err := able.Suggest(budget, strings.ToUpper(s.card))
	if err != nil {
		return fmt.Errorf("suggest: %s: %w", file, err)
	}
	list = list[:min(len(list), s.show)]
	if s.json {
		out := json.NewEncoder(a.stdout)
		for _, l := range list {
			if err := out.Encode(l); err != nil {
				return err
			}
		}
		return nil
	}
	w := tabwriter.NewWriter(a.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "move\twins\tahead by\twhy")
	for _, l := range list {
		if l.Within == 0 {
			fmt.Fprintf(w, "%s\t\t\t%s\n", l.Text, l.Why)
			continue
		}
		fmt.Fprintf(w, "%s\t%.0f %%\t%+.1f\t%s\n", l.Text, 100*l.Win, l.Lead, l.Why)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if within := list[0].Within; within > 0 {
		fmt.Fprintln(a.stdout, caveat(within, s.card != ""))
	}
	return nil
}

// caveat says how far the chances told can be trusted.
func caveat(within float64, cards bool) string {
	hidden := ""
	if cards {
		hidden = ", and the other cards are secret"
	}
	return fmt.Sprintf("The chances are estimates, good to about %.0f %%: dice are still to be rolled%s.",
		math.Ceil(100*within), hidden)
}

// readMatch plays a written match from a file, or from standard input for "-".
func (a *app) readMatch(game rules.Game, file string) (rules.State, error) {
	in := a.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	const most = 1 << 20 // bytes; no match is as long
	script, err := rules.ReadScript(game, io.LimitReader(in, most))
	if err != nil {
		return nil, err
	}
	return rules.Replay(game, script.Setup, script.Acts)
}
