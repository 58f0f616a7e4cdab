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
		Short:       "Print the rules of a game in short, with its house rules",
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
	cmd.Flags().StringArrayVar(&given, "option", nil, "set a house rule, name=value; can be repeated")
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
	delete(given, "owners") // who owns which colors is not a rule, nor is what is printed on the cards
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
	fmt.Fprintf(w, "\n%s\n\nHouse rules (name, current value, default):\n", summaries[game.Name()])
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
	table.DessertDice: `Each player has a secret dessert. On your turn, place a die from the supply on any
empty square without changing its top face, or tip a die on the board over onto an
empty neighboring square. You may not undo the previous player's move.
When the board is full, you score the largest group of connected dice that show your
dessert (at least two). If there is a tie, the last of the tied players to place a
die wins.`,
	table.DiceBox: `Everybody rolls their dice. On your turn, place a die whose value differs by exactly
one from every die next to it; there must be at least one. If you can place a die,
you must; if you cannot, reroll all your dice; if you have none left, you pass. The
game ends when no square can be filled anymore. The most pips in your own colors on
the grid wins; with three players, the lowest score wins if the unclaimed color beats
everybody.`,
	table.FromageATrois: `On your turn, roll up to five dice from the shop. Then keep two of them, or take two
to five equal dice from one other player, who may take the same number of rolled dice
or one point for each. After that you may declare one Fromage: take one die from each
of two other players to complete three cheeses in equal numbers. It scores 9 points,
and each of those two gets 3 points or a rolled die. At the end of your turn, sets of
three or more equal dice go back to the shop for one point per die. When somebody
ends a turn with 20 points, everybody else gets one more turn; when the shop has 7
dice or fewer, the game ends at once.`,
	table.DiceCreams: `Draw one die per player and three more, and roll them. Take turns placing them on the
spots of your IceCreams, where the colors must match. The dice left over make the
others melt. A finished IceCream gives you Fame and a bonus and serves a Customer.
The game ends after the turn in which a player finishes a fifth IceCream.`,
	table.DiceFlick: `Ten rounds. On your turn, draw until you have three dice, and flick two of them into
the arena from any of the four bases. A die that does not land in a hole goes back
into the bag. Landing on the bonus marker gives you one more flick. Then score each
die and marker at most once, and put the scored dice back into the bag:
  combination  at least three of one color, connected by their edges: the pips; white
               dice are jokers, an uncovered upgrade marker of that color counts 2
  center       the die on the center marker counts double, even by itself
  blast        a pink die counts 6, plus everything in its row or its column
Only markers that were uncovered before scoring count. The most points win.`,
}
