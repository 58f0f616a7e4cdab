package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/measure"
)

// evalFlags are the settings of the eval command alone.
type evalFlags struct {
	sheet   string
	only    string
	part    string
	faults  bool
	asJSON  bool
	atMost  int
	anyGame bool
	known   bool
}

func newEvalCommand(a *app) *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval DIR...",
		Short: "Measure how well pictures with known answers are read",
		Long: `Reads every picture of the folders and compares it with its answers: NAME.json
beside NAME.jpg, or index.jsonl with boxes. Prints, for each tier and game, the
grids found, the pictures that were all right (every die on the grid, or every
loose die), the dice right (color, face and square), and how many readings were
called sure and were wrong; also how many of an arena's uncovered stickers and of
the dice beside a grid were read. A folder of dice cut out of pictures will do too.`,
		Args: takes("folder of pictures..."),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if f.part != "" && f.part != allParts && !slices.Contains(measure.Parts, f.part) {
				return exitError{exitUsage, fmt.Errorf("no part of the photographs is called %q: choose one of %s or %s", f.part, strings.Join(measure.Parts, ", "), allParts)}
			}
			return a.eval(cmd.Context(), dirs, f)
		},
	}
	cmd.Flags().StringVar(&f.sheet, "sheet", "", "write a contact sheet of the failures to this PNG `file`")
	cmd.Flags().StringVar(&f.only, "only", "", "read only pictures whose name contains this `text`")
	cmd.Flags().StringVar(&f.part, "part", "", "read only the photographs of this `part` (learn, choose, judge or all) and print a line a set")
	cmd.Flags().BoolVar(&f.faults, "faults", false, "list what went wrong, picture by picture")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON line a picture instead of the table")
	cmd.Flags().IntVar(&f.atMost, "limit", 0, "read at most so many pictures, spread over the folders")
	cmd.Flags().BoolVar(&f.known, "known", false, "give it the corners of the grids, as a table that stays where it is has them")
	cmd.Flags().BoolVar(&f.anyGame, "any", false, "read every picture as loose dice of any color")
	return cmd
}

func (a *app) eval(ctx context.Context, dirs []string, f evalFlags) error {
	var known []measure.Picture
	for _, dir := range dirs {
		p, err := measure.Load(dir)
		if err != nil {
			return exitError{exitBad, err}
		}
		known = append(known, p...)
	}
	known = f.choose(known)
	if len(known) == 0 {
		return exitError{exitBad, f.noneChosen()}
	}
	path, err := eye.Find(a.cfg.Eye)
	if err != nil {
		return exitError{exitBad, err}
	}
	reader := eye.NewReader(path)
	defer reader.Close()
	marks, err := evaluate(ctx, known, a.stderr, f.reading(reader))
	if err != nil {
		return exitError{exitBad, err}
	}
	return a.tellMarks(marks, f, showing(ctx, reader))
}

// noneChosen tells why there is nothing to read.
func (f *evalFlags) noneChosen() error {
	if f.part != "" && f.only == "" {
		return fmt.Errorf("no picture of these folders is in the part %q (vision/measure/photographs.tsv lists them)", f.part)
	}
	return fmt.Errorf("no picture's name contains %q", f.only)
}

// choose picks the pictures that are asked for.
func (f *evalFlags) choose(known []measure.Picture) []measure.Picture {
	var out []measure.Picture
	for _, p := range known {
		if strings.Contains(filepath.Base(p.Path), f.only) && f.inPart(&p) {
			if f.anyGame {
				p.Game, p.Corners = table.Any, nil
			}
			out = append(out, p)
		}
	}
	if f.atMost <= 0 || len(out) <= f.atMost {
		return out
	}
	spread := make([]measure.Picture, f.atMost)
	for i := range spread {
		spread[i] = out[i*len(out)/f.atMost]
	}
	return spread
}

// allParts is the part that all photographs are in.
const allParts = "all"

// inPart says whether a picture is in the part that is asked for.
func (f *evalFlags) inPart(p *measure.Picture) bool {
	return f.part == "" || f.part == allParts || p.Part() == f.part
}

// readFunc reads one picture's bytes.
type readFunc func(ctx context.Context, p *measure.Picture, picture []byte) (table.Observation, error)

// reading is how pictures are read: with or without their grids known.
func (f *evalFlags) reading(reader *eye.Reader) readFunc {
	return func(ctx context.Context, p *measure.Picture, picture []byte) (table.Observation, error) {
		if !f.known || len(p.Corners) != 4 {
			return reader.Read(ctx, p.Game, picture)
		}
		corners := [4]table.Point(p.Corners)
		return reader.ReadKnown(ctx, p.Game, &corners, picture)
	}
}

// evaluate reads all pictures and marks them; a picture that cannot be read is a failure among others.
func evaluate(ctx context.Context, known []measure.Picture, progress io.Writer, read readFunc) ([]measure.Mark, error) {
	bars := mpb.NewWithContext(ctx, mpb.WithOutput(progress), mpb.WithAutoRefresh())
	if !isTerminal(progress) {
		bars = mpb.NewWithContext(ctx, mpb.WithOutput(io.Discard))
	}
	bar := bars.AddBar(int64(len(known)),
		mpb.PrependDecorators(decor.Name("reading "), decor.CountersNoUnit("%d/%d")),
		mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO)), mpb.BarRemoveOnComplete())
	marks := make([]measure.Mark, 0, len(known))
	for i := range known {
		p := &known[i]
		picture, err := os.ReadFile(p.Path)
		if err != nil {
			bar.Abort(true)
			return nil, err
		}
		o, err := read(ctx, p, picture)
		if ctx.Err() != nil {
			bar.Abort(true)
			return nil, errors.New("stopped")
		}
		m := measure.Compare(p, o)
		if m.Failed = err; err != nil {
			m.Faults = append(m.Faults, measure.Fault{Text: err.Error()})
		}
		marks = append(marks, m)
		bar.Increment()
	}
	bars.Wait()
	return marks, nil
}

// isTerminal says whether a person looks at the stream.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

func (a *app) tellMarks(marks []measure.Mark, f evalFlags, show showFunc) error {
	if f.faults {
		for i := range marks {
			for _, x := range marks[i].Faults {
				fmt.Fprintf(a.stdout, "%s\t(%.0f,%.0f)\t%s\n", filepath.Base(marks[i].Picture.Path), x.At.X, x.At.Y, x.Text)
			}
		}
	}
	if f.asJSON {
		if err := writeMarks(a.stdout, marks); err != nil {
			return err
		}
	} else if err := f.report(a.stdout, marks); err != nil {
		return err
	}
	if f.sheet != "" {
		if err := writeSheet(f.sheet, marks, show); err != nil {
			return exitError{exitBad, err}
		}
	}
	return nil
}

// report prints the table that suits what was read.
func (f *evalFlags) report(w io.Writer, marks []measure.Mark) error {
	if f.part != "" {
		return measure.ReportSets(w, marks)
	}
	return measure.Report(w, marks)
}

// writeMarks prints one line a picture, for programs.
func writeMarks(w io.Writer, marks []measure.Mark) error {
	enc := json.NewEncoder(w)
	for i := range marks {
		m := &marks[i]
		faults := []string{}
		for _, f := range m.Faults {
			faults = append(faults, f.Text)
		}
		err := enc.Encode(map[string]any{
			"image": filepath.Base(m.Picture.Path), "game": m.Picture.Game, "tier": m.Picture.Group, "hand": m.Picture.Hand,
			"grid": m.GridOK, "all_right": m.AllRight, "dice": m.Dice, "right": m.Right, "missed": m.Missed, "invented": m.Invented,
			"sure": m.Sure, "sure_wrong": m.Wrong,
			"markers": m.Markers, "markers_right": m.MarkersRight, "markers_wrong": m.MarkersWrong, "beside": m.Beside, "beside_right": m.BesideSeen,
			"ms": m.Seen.MS, "faults": faults, "warnings": m.Seen.Warnings,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
