package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/rules/dicebox"
	"diceref/rules/dicecreams"
	"diceref/rules/diceflick"
	"diceref/rules/fromage"
	"diceref/table"
)

// rulebooks are the games that have rules, in the order of table.Games.
var rulebooks = []rules.Game{
	dessertdice.Game,
	dicebox.Game,
	fromage.Game,
	dicecreams.Game,
	diceflick.Game,
}

// rulebook finds a game's rules by its name.
func rulebook(name string) (rules.Game, error) {
	for _, g := range rulebooks {
		if string(g.Name()) == name {
			return g, nil
		}
	}
	return nil, table.Unknown("game", name, table.Games[:])
}

func newRulesCommand(a *app) *cobra.Command {
	var given []string
	cmd := &cobra.Command{
		Use:         "rules GAME",
		Short:       "Print the rules in force, in short",
		Example:     "  diceref rules dice-flick --option must_score_max=true",
		Args:        takes("game"),
		Annotations: noConfig,
		RunE: func(_ *cobra.Command, args []string) error {
			game, err := rulebook(args[0])
			if err != nil {
				return exitError{exitUsage, err}
			}
			values, err := optionValues(given)
			if err != nil {
				return exitError{exitUsage, err}
			}
			return printRules(a.stdout, game, values)
		},
	}
	cmd.Flags().StringArrayVar(&given, "option", nil, "a house rule, as name=value (may be repeated)")
	return cmd
}

// optionValues splits k=v pairs; a value is taken whole.
func optionValues(given []string) (map[string]any, error) {
	values := make(map[string]any, len(given))
	for _, pair := range given {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--option %.60q: want name=value", pair)
		}
		values[name] = value
	}
	return values, nil
}

// printRules writes a game's rules in short and its house rules with the values in force.
func printRules(w io.Writer, game rules.Game, given map[string]any) error {
	delete(given, "owners") // who owns which colors is no rule, nor is what is printed on the cards
	maps.DeleteFunc(given, func(option string, _ any) bool { _, ok := ownerFile(game.Name(), option); return ok })
	options, err := rules.Resolve(game.HouseRules(), given)
	if err != nil {
		return exitError{exitUsage, err}
	}
	kit := game.Name().Kit()
	fmt.Fprintf(w, "%s (%s), %d to %d players\n", kit.Title, game.Name(), kit.Players[0], kit.Players[1])
	if kit.Dice != nil {
		fmt.Fprintf(w, "Dice: %s\n", diceList(kit))
	}
	fmt.Fprintf(w, "\n%s\n\nHouse rules (name, in force, default):\n", summaries[game.Name()])
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range game.HouseRules() {
		mark := " "
		if options.Value(r.Name) != r.Default {
			mark = "*"
		}
		fmt.Fprintf(t, "%s %s\t%v\t(%v)\t%s\n", mark, r.Name, options.Value(r.Name), r.Default, r.Text)
	}
	return t.Flush()
}

func diceList(kit table.Kit) string {
	var parts []string
	for _, c := range slices.Sorted(maps.Keys(kit.Dice)) {
		parts = append(parts, fmt.Sprintf("%d %v", kit.Dice[c], c))
	}
	return strings.Join(parts, ", ")
}

// summaries are the rules in short, in our own words.
var summaries = map[table.Game]string{
	table.DessertDice: `Each player has a secret dessert. On a turn, either place a die from the supply
on any empty square without changing its top, or tip a die of the board over onto
an empty neighboring square. The move of the player before may not be undone.
When the board is full, each scores the largest group of connected dice that show
their dessert (at least two). Ties go to the latest placement.`,
	table.DiceBox: `Everybody rolls their dice. On a turn, place a die whose value differs by exactly
one from every die next to it; at least one die must be there. Who can place must;
who cannot rolls all of their dice again; who has none left passes. The game ends when no
square can be filled any more. The most pips of one's own colors on the grid win; with
three players the lowest wins if the color that nobody owns beats them all.`,
	table.FromageATrois: `On a turn, roll up to five dice from the shop, then keep two of them, or take two to
five equal dice from one other player, who may take as many of the rolled ones or a
point for each. Then, once, a Fromage: one die from each of two others that complete
three cheeses in equal numbers; 9 points, 3 points or a rolled die for each of the two.
At the end, three or more equal dice go back to the shop for a point each. Whoever ends
a turn with 20 points gives everybody else one more turn; a shop of 7 dice or fewer
ends the game at once.`,
	table.DiceCreams: `Draw one die a player and three more, roll, and draft them in turn onto the
spots of one's ice creams, whose colors must match. The dice that were left over
make others melt. Finished ice creams bring fame and a bonus and go to customers.
A player's fifth ice cream ends the game with that turn.`,
	table.DiceFlick: `Ten rounds. On a turn, draw until three dice lie in front of you and flick two of
them into the arena, from any of the four bases. A die that rests in no hole goes back
into the bag. Landing on the bonus marker allows one more flick. Then score, each
die and marker at most once, and put the scored dice back into the bag:
  combination  at least three of one color, connected by their edges: the pips; white
               dice are jokers, an uncovered upgrade marker of the color counts 2
  center       the die on the center marker counts double, also on its own
  blast        a pink die counts 6 and takes all that is in its row or its column
Only markers that were uncovered before scoring count. Most points win.`,
}
