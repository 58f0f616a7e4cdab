package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"diceref/table"
	"diceref/vision/owned"
)

func newDiceCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dice",
		Short: "List your sets of dice",
		Long: `dice lists the sets of dice that you have shown (see diceref teach). A set is one file;
export writes a copy of it to give away, and import adds one that you were given.
Nothing is in a set but small pictures of the tops of dice, and what they show.`,
		Args: takes(),
		RunE: func(*cobra.Command, []string) error { return a.listDice() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "export SET FILE",
		Short: "Write a copy of a set of dice (- is standard output)",
		Args:  takes("set", "file"),
		RunE:  func(_ *cobra.Command, args []string) error { return a.exportDice(args[0], args[1]) },
	}, &cobra.Command{
		Use:   "import FILE [SET]",
		Short: "Add a set of dice that you were given (- is standard input)",
		Args:  takes("file", "[set]"),
		RunE: func(_ *cobra.Command, args []string) error {
			name := strings.TrimSuffix(filepath.Base(args[0]), ".json")
			if len(args) > 1 {
				name = args[1]
			}
			return a.importDice(args[0], name)
		},
	})
	return cmd
}

// dicePath is the file of a set: that of a path, or one of the data folder's by its name.
func (a *app) dicePath(set string) (string, error) {
	if strings.ContainsAny(set, `/\`) || filepath.Ext(set) == ".json" {
		return set, nil
	}
	if err := owned.CheckName(set); err != nil {
		return "", usagef("%w", err)
	}
	sets := shelf(a.cfg.Data)
	if sets == nil {
		return "", errNoSets
	}
	return sets.Path(set)
}

var errNoSets = errors.New("there is no data folder: choose one with --data, or give the set's file")

// ownedDice is the set of dice that the configuration names; nil where it names none.
func (a *app) ownedDice(game table.Game) (*owned.Set, error) {
	if a.cfg.Dice == "" {
		return nil, nil
	}
	path, err := a.dicePath(a.cfg.Dice)
	if err != nil {
		return nil, err
	}
	s, err := owned.Load(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("there is no set of dice %q: show your dice with diceref teach (diceref dice lists the sets)", a.cfg.Dice)
		}
		return nil, err
	}
	if !s.For(game) {
		return nil, fmt.Errorf("the set of dice %q is for %s, not for %s", a.cfg.Dice, s.Game, game)
	}
	return s, nil
}

// pipsOfDemo says whether the source is the demo, whose dice have pips, and says so to whoever named others.
func (a *app) pipsOfDemo() bool {
	if a.cfg.Source != demoSource || a.cfg.Dice == "" {
		return false
	}
	a.log.Warn("the demo is played with dice that have pips, so it is not read by this set", "dice", a.cfg.Dice)
	return true
}

// dessertLetters are what the rules call the desserts, by their icons.
var dessertLetters = map[string]string{"jello tart": "J", "sweet roll": "S", "popsicle": "P", "ice cream": "I"}

// iconProfile is the house rule of Dessert Dice that says which icons each face shows, by a set of dice that has icons; empty where it
// has none.
func iconProfile(s *owned.Set) (string, error) {
	if s == nil || s.Game != table.DessertDice {
		return "", nil
	}
	faces, err := s.Faces()
	if err != nil {
		return "", err
	}
	shown := map[string]string{}
	for name, face := range faces {
		for _, icon := range name.Icons() {
			shown[strconv.Itoa(face)] += dessertLetters[icon]
		}
	}
	if len(shown) == 0 {
		return "", nil
	}
	text, err := json.Marshal(map[string]any{"*": shown})
	return string(text), err
}

// profileRule is the house rule that iconProfile is about.
const profileRule = "profile"

// withIcons are house rules by which the icons of a set of dice count, unless one says which icons do.
func withIcons(options map[string]any, s *owned.Set) (map[string]any, error) {
	profile, err := iconProfile(s)
	if _, said := options[profileRule]; err != nil || profile == "" || said {
		return options, err
	}
	with := map[string]any{profileRule: profile}
	maps.Copy(with, options)
	return with, nil
}

func (a *app) listDice() error {
	sets := shelf(a.cfg.Data)
	if sets == nil || len(sets.Names()) == 0 {
		_, err := fmt.Fprintln(a.stdout, "You have shown no dice yet: see diceref teach --help.")
		return err
	}
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, name := range sets.Names() {
		s, err := sets.Load(name)
		if err != nil {
			fmt.Fprintf(t, "%s\t%s\n", name, oneLine(err.Error()))
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", name, s.Game, table.Count(s.Pictures(), "picture", "pictures"), shownNames(s))
	}
	return t.Flush()
}

// shownNames is what a set's faces show, in words.
func shownNames(s *owned.Set) string {
	var names []string
	unnamed := 0
	for _, g := range s.Groups {
		if g.Name == "" {
			unnamed++
		} else if !slices.Contains(names, string(g.Name)) {
			names = append(names, string(g.Name))
		}
	}
	if unnamed > 0 {
		names = append(names, table.Count(unnamed, "group without a name", "groups without a name"))
	}
	return strings.Join(names, ", ")
}

func (a *app) exportDice(set, file string) error {
	path, err := a.dicePath(set)
	if err != nil {
		return err
	}
	s, err := owned.Load(path)
	if err != nil {
		return err
	}
	if file != "-" {
		return s.Save(file)
	}
	text, err := os.ReadFile(path)
	if err == nil {
		_, err = a.stdout.Write(text)
	}
	return err
}

func (a *app) importDice(file, name string) error {
	sets := shelf(a.cfg.Data)
	if sets == nil {
		return errNoSets
	}
	in := a.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return fmt.Errorf("cannot read the set of dice: %w", reasonOf(err))
		}
		defer f.Close()
		in = f
	}
	var f *owned.Fault
	switch err := sets.Import(name, in); {
	case errors.As(err, &f) && f.Code == owned.FaultName:
		return usagef("%w", err)
	case errors.As(err, &f) && f.Code == owned.FaultFile:
		return fmt.Errorf("%s: %w", file, err)
	case err != nil:
		return err
	}
	path, err := sets.Path(name)
	if err == nil {
		_, err = io.WriteString(a.stdout, path+"\n")
	}
	return err
}

// keepDice saves a set, in a folder that may not be there yet.
func (a *app) keepDice(s *owned.Set, path string) error {
	if sets := shelf(a.cfg.Data); sets != nil && filepath.Dir(path) == sets.Folder {
		if err := makePrivate(sets.Folder); err != nil {
			return err
		}
	}
	return s.Save(path)
}
