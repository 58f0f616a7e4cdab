package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/owned"
)

func newTeachCommand(a *app) *cobra.Command {
	var t teaching
	cmd := &cobra.Command{
		Use:   "teach GAME [PICTURE...]",
		Short: "Show your own dice once, to have them read from then on",
		Long: `teach is for dice without pips: with icons, numerals, a skull for the one. Throw them all
onto the table, in view, two or three times; each PICTURE is one throw, or each view of the
--source (a camera, a video, a folder of pictures) in which nothing moves.

What looks alike is grouped. teach writes a page that shows the groups, and you say
what each one shows, one answer a line:

  A 3                       a number from 1 to 6
  A burst                   a face that does not count
  A jello tart + popsicle   an icon, or several
  A 2 jello tart            the same, on the face that you call 2
  A none                    no die
  merge A B                 B shows the same as A
  split A 2 5               the second and the fifth picture of A show something else
  drop A                    forget these pictures

The answers come from the terminal, or from --answers FILE (- is standard input). Without any, the
groups are saved, and you can name them the next time. A second throw asks only what is new.

Where dice are tipped, number the faces so that two opposite ones are 7 together: only then
tips can be judged.

Then use --dice SET with read, watch and serve. Whatever was not shown is reported as not known.`,
		Example: `  diceref teach dessert-dice --source 0
  diceref teach dice-flick throw1.jpg throw2.jpg --dice mine --answers names.txt
  diceref serve --game dessert-dice --dice dessert-dice`,
		Args: takes("game", "[picture]..."),
		RunE: func(cmd *cobra.Command, args []string) error {
			game, err := table.ParseGame(args[0])
			if err != nil {
				return usagef("%w", err)
			}
			return a.teach(cmd.Context(), t, game, args[1:])
		},
	}
	a.settings.flags(cmd.Flags(), "source", "camera-width", "camera-height")
	cmd.Flags().StringVar(&t.name, "dice", "", "`name` or file of the set of dice (default: the game's name)")
	cmd.Flags().StringVar(&t.answers, "answers", "", "`file` with what the groups show")
	cmd.Flags().StringVar(&t.page, "page", "", "`file` of the page that shows the groups (default: beside the set)")
	cmd.Flags().BoolVar(&t.json, "json", false, "print the groups as one JSON line, with where each top was seen")
	return cmd
}

// teaching is one showing of dice.
type teaching struct {
	name, answers, page string
	json                bool

	path   string
	sheet  *owned.Sheet
	throws int
	asks   *bufio.Scanner // a person's answers, one after the other; nil: nobody is asked
}

func (a *app) teach(ctx context.Context, t teaching, game table.Game, pictures []string) error {
	if (len(pictures) == 0) == (a.cfg.Source == "") && (len(pictures) > 0 || t.answers == "") {
		return usagef("teach needs pictures or a --source, one of them")
	}
	if t.name == "" {
		t.name = string(game)
	}
	var err error
	if t.path, err = a.dicePath(t.name); err != nil {
		return err
	}
	path, err := eye.Find(a.cfg.Eye)
	if err != nil {
		return err
	}
	reader := eye.NewReader(path)
	reader.Log = a.log
	defer reader.Close()
	set, err := a.setToTeach(ctx, &t, game, reader)
	if err != nil {
		return err
	}
	t.sheet = owned.NewSheet(set)
	if t.answers == "" && isTerminal(a.stderr) && a.in == io.Reader(os.Stdin) && isTerminal(os.Stdin) {
		t.asks = bufio.NewScanner(a.in)
	}
	if len(pictures) > 0 {
		err = a.teachPictures(ctx, &t, game, reader, pictures)
	} else if a.cfg.Source != "" {
		err = a.teachSource(ctx, &t, game, path)
	}
	if err == nil && t.answers != "" {
		err = a.answerFrom(&t)
	}
	if err != nil {
		return err
	}
	return a.tellTaught(&t)
}

// setToTeach is the set that is gone on with, or a new one.
func (a *app) setToTeach(ctx context.Context, t *teaching, game table.Game, reader *eye.Reader) (*owned.Set, error) {
	set, err := owned.Load(t.path)
	if errors.Is(err, os.ErrNotExist) {
		set, err = owned.NewSet(game, ""), nil
	}
	if err != nil {
		return nil, err
	}
	if set.Game != game {
		return nil, fmt.Errorf("the set of dice %q is for %s, not for %s: choose another name with --dice", t.name, set.Game, game)
	}
	return reader.Signed(ctx, set)
}

// teachPictures takes each picture for a throw.
func (a *app) teachPictures(ctx context.Context, t *teaching, game table.Game, reader *eye.Reader, pictures []string) error {
	for _, name := range pictures {
		data, err := load(ctx, name, a.in)
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", name, err)
		}
		seen, err := reader.ReadTops(ctx, game, data)
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", name, err)
		}
		if err := a.throw(t, name, seen); err != nil {
			return err
		}
	}
	return nil
}

// teachSource takes each view in which nothing moves for a throw.
func (a *app) teachSource(ctx context.Context, t *teaching, game table.Game, path string) error {
	client, err := eye.Start(ctx, eye.Config{
		Path: path, Game: game, Source: a.cfg.Source, Tops: true, Width: a.cfg.CameraWidth, Height: a.cfg.CameraHeight, Log: a.log,
	})
	if err != nil {
		return err
	}
	defer client.Close()
	var v view
	for msg := range client.Frames() {
		switch {
		case msg.Observation != nil:
			seen := v.next(msg.Observation)
			if seen == nil {
				continue
			}
			if err := a.throw(t, fmt.Sprintf("frame %d", seen.Frame), *seen); err != nil {
				return err
			}
			if t.asks != nil && len(t.sheet.Set.Missing()) == 0 && len(t.sheet.Set.Groups) > 0 {
				return nil
			}
		case msg.Status != nil && msg.Status.State == eye.Failed:
			return errors.New(msg.Status.Reason)
		}
	}
	if seen := v.end(); seen != nil {
		return a.throw(t, fmt.Sprintf("frame %d", seen.Frame), *seen)
	}
	return nil
}

// view is what was read since something last moved.
type view struct {
	last  *table.Observation // not told yet
	reads int
}

// viewReads is how many readings of a view are waited for: the first may be of dice that are still rolling out.
const viewReads = 2

// next takes an observation, and tells a throw once it is plain that the dice lie.
func (v *view) next(o *table.Observation) *table.Observation {
	switch {
	case o.Posed:
		return o
	case o.Look != table.LookStill:
		return v.end()
	case !o.Read:
		return nil
	}
	if v.reads++; v.reads < viewReads {
		v.last = o
		return nil
	}
	v.last = nil
	if v.reads == viewReads {
		return o
	}
	return nil
}

// end tells a throw that was not looked at long.
func (v *view) end() *table.Observation {
	last := v.last
	*v = view{}
	return last
}

// throw sorts a throw into the set and asks what its groups show.
func (a *app) throw(t *teaching, where string, seen table.Observation) error {
	tops, fresh, err := t.sheet.Throw(where, seen.Dice)
	if err != nil {
		return err
	}
	if tops == 0 {
		a.log.Warn("no dice are seen here: put them into the middle of the picture, on a plain ground", "where", where)
		return nil
	}
	t.throws++
	fmt.Fprintf(a.stderr, "%s: %s, %s\n", where, table.Count(tops, "die", "dice"), table.Count(fresh, "new group", "new groups"))
	if t.asks == nil {
		return a.saveTaught(t)
	}
	return a.ask(t)
}

// ask asks a person about the groups that have no name yet. An empty line leaves them for later.
func (a *app) ask(t *teaching) error {
	for {
		if err := a.saveTaught(t); err != nil {
			return err
		}
		open := t.sheet.Open()
		if len(open) == 0 {
			return nil
		}
		fmt.Fprintf(a.stderr, "Look at %s. What do these show?\n%s> ", t.pagePath(), groupWords(t.sheet, open))
		if !t.asks.Scan() || t.asks.Text() == "" {
			return t.asks.Err()
		}
		if err := t.sheet.Answer(t.asks.Text()); err != nil {
			fmt.Fprintf(a.stderr, "%s\n", oneLine(err.Error()))
		}
	}
}

// answerFrom reads the answers of a file.
func (a *app) answerFrom(t *teaching) error {
	in := a.in
	if t.answers != "-" {
		f, err := os.Open(t.answers)
		if err != nil {
			return fmt.Errorf("cannot read the answers: %w", reasonOf(err))
		}
		defer f.Close()
		in = f
	}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		if err := t.sheet.Answer(lines.Text()); err != nil {
			return fmt.Errorf("%s, line %d: %w", t.answers, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("cannot read the answers: %w", err)
	}
	return a.saveTaught(t)
}

// saveTaught saves the set, and the page that shows it.
func (a *app) saveTaught(t *teaching) error {
	if err := a.keepDice(t.sheet.Set, t.path); err != nil {
		return err
	}
	return writeDicePage(t.pagePath(), t.sheet)
}
