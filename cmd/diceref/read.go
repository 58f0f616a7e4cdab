package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"diceref/table"
	"diceref/vision/eye"
)

func newReadCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "read --game GAME FILE...",
		Short: "Read the dice in photos",
		Long: `read finds the board and the dice in photos (JPEG, PNG, WebP, HEIC or AVIF; - is
standard input). It answers in the order of the files. If a file cannot be read, it
says so on standard error, continues with the next one, and exits with status 1.

The game is dessert-dice, dice-box, fromage-a-trois, dicecreams, dice-flick or any
(loose dice of any color, without a board).`,
		Args: func(cmd *cobra.Command, files []string) error {
			if len(files) == 0 {
				return usagef("no pictures given (usage: diceref read --game GAME FILE...)")
			}
			if game := cmd.Flags().Lookup("game"); game.Changed {
				if _, err := table.ParseGame(game.Value.String()); err != nil {
					return usagef("%w", err)
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			game, err := table.ParseGame(a.cfg.Game)
			if err != nil {
				return usagef("no game given: choose one with --game (dessert-dice, dice-box, fromage-a-trois, dicecreams, dice-flick or any)")
			}
			return a.read(cmd.Context(), game, files, asJSON)
		},
	}
	a.settings.flags(cmd.Flags(), "game", "dice")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON line per picture")
	return cmd
}

// read answers the files one after the other.
func (a *app) read(ctx context.Context, game table.Game, files []string, asJSON bool) error {
	path, err := eye.Find(a.cfg.Eye)
	if err != nil {
		return err
	}
	reader := eye.NewReader(path)
	reader.Log = a.log
	defer reader.Close()
	dice, err := a.ownedDice(game)
	if err != nil {
		return err
	}
	reader.Own(dice)

	out := bufio.NewWriter(a.stdout)
	errs, step, finish := a.progress(ctx, len(files))
	failed := false
	for _, name := range files {
		o, err := readFile(ctx, reader, game, name, a.in)
		switch {
		case ctx.Err() != nil:
			finish()
			return errors.New("interrupted")
		case err != nil:
			fmt.Fprintf(errs, "diceref: cannot read %s: %s\n", name, oneLine(err.Error()))
			failed, err = true, nil
		case asJSON:
			err = json.NewEncoder(out).Encode(newReadLine(name, o))
		default:
			err = writeReading(out, name, o)
		}
		if err == nil {
			err = out.Flush() // each answer as soon as it is there
		}
		if err != nil {
			finish()
			return fmt.Errorf("cannot write the answer for %s: %w", name, err)
		}
		step()
	}
	finish()
	if failed {
		return exitError{code: exitBad}
	}
	return nil
}

// maxPicture is the largest file that is taken into memory, bytes; the reader refuses it then.
const maxPicture = 257 << 20

// readFile reads one picture; the error does not repeat its name.
func readFile(ctx context.Context, reader *eye.Reader, game table.Game, name string, in io.Reader) (table.Observation, error) {
	data, err := load(ctx, name, in)
	if err != nil {
		return table.Observation{}, err
	}
	return reader.Read(ctx, game, data)
}

func load(ctx context.Context, name string, in io.Reader) ([]byte, error) {
	if name != "-" {
		f, err := open(ctx, name)
		if err != nil {
			return nil, reasonOf(err)
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return nil, errors.New("it is a folder (give the pictures in it: " + filepath.Join(name, "*.jpg") + ")")
		}
		defer context.AfterFunc(ctx, func() { f.Close() })()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxPicture))
	return data, reasonOf(err)
}

// pipeWait is how long a named pipe may have nobody who writes to it.
const pipeWait = 5 * time.Second

// open opens a file. A named pipe that nobody writes to must not keep the other files waiting for ever.
func open(ctx context.Context, name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return os.Open(name)
	}
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(name)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.f, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(pipeWait):
		return nil, errors.New("it is a pipe that nobody writes to")
	}
}

// reasonOf strips the operation and the path from an error of package os.
func reasonOf(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// progress shows how far a long run has come, where that does not disturb anybody. What
// is written to the returned writer stays readable beside it.
func (a *app) progress(ctx context.Context, total int) (errs io.Writer, step, finish func()) {
	if total < 2 || !isTerminal(a.stderr) || isTerminal(a.stdout) {
		return a.stderr, func() {}, func() {}
	}
	bars := mpb.NewWithContext(ctx, mpb.WithOutput(a.stderr))
	bar := bars.AddBar(int64(total),
		mpb.PrependDecorators(decor.Name("reading "), decor.CountersNoUnit("%d/%d")),
		mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO)), mpb.BarRemoveOnComplete())
	return bars, func() { bar.Increment() }, func() { bar.Abort(true); bars.Wait() }
}
