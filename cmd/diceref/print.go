package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"diceref/table"
	"diceref/web/paper"
)

// printing is what print's own flags say.
type printing struct {
	paper.Options
	game   string
	format string
	out    string
}

func newPrintCommand(a *app) *cobra.Command {
	var p printing
	cmd := &cobra.Command{
		Use:   "print board|arena|zones|reference|notepad",
		Short: "Make boards, mats, rule sheets and notepads to print, as PDF or SVG",
		Long: `print makes a sheet true to size, on A4 or Letter paper:

  board      the 5×5 board for Dessert Dice and Dice Box, with marks in the corners
             that help the camera find it quickly
  arena      a template of the DICE Flick box with its holes, and the stickers
  zones      a mat with a place for everything in Fromage á Trois or DiceCreams!
  reference  the rules of a game on one page (--game)
  notepad    ten rounds of DICE Flick, four pads per page

Print at 100 %, not "fit to page".`,
		Example: `  diceref print board
  diceref print board --square 24 --paper letter -o board.svg
  diceref print zones --game dicecreams --players 3`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && !slices.Contains(paper.Kinds, args[0]) {
				return exitError{exitUsage, fmt.Errorf("print: %w", table.Unknown("sheet", args[0], paper.Kinds))}
			}
			if len(args) == 0 {
				return usagef("print: expected one of %s", strings.Join(paper.Kinds, ", "))
			}
			return takes("sheet")(cmd, args)
		},
		Annotations: noConfig,
		RunE: func(_ *cobra.Command, args []string) error {
			p.Kind, p.Game = args[0], table.Game(p.game)
			return a.printSheets(p)
		},
	}
	f := cmd.Flags()
	f.StringVar(&p.Paper, "paper", "a4", "paper `size`: a4 or letter")
	f.Float64Var(&p.Square, "square", paper.DefaultSquare, "size of the board's squares in `mm`")
	f.StringVar(&p.game, "game", "", "the `game`, for zones and references")
	f.IntVar(&p.Players, "players", 0, "`number` of players, for zones and notepads; 0: the most that can play")
	f.StringVar(&p.Language, "language", "en", "`language`: en or de")
	f.StringVar(&p.format, "format", "", "pdf or svg; default: from the name given with --out, or pdf")
	f.StringVarP(&p.out, "out", "o", "", "`file` to write, or - for standard output; default: diceref-SHEET.pdf")
	return cmd
}

// printSheets writes the sheets and says where.
func (a *app) printSheets(p printing) error {
	if p.format == "" {
		p.format = "pdf"
		if strings.HasSuffix(strings.ToLower(p.out), ".svg") {
			p.format = "svg"
		}
	}
	if p.format != "pdf" && p.format != "svg" {
		return usagef("print: format: expected pdf or svg, not %q", p.format)
	}
	sheets, err := paper.Make(p.Options)
	var wrong *paper.Error
	switch {
	case errors.As(err, &wrong):
		return usagef("print: %w", err)
	case err != nil:
		return err
	}
	name := p.out
	if name == "" {
		name = "diceref-" + p.Kind + "." + p.format
	}
	if p.format == "pdf" {
		data, err := paper.PDF(sheets, "diceref "+p.Kind)
		if err != nil {
			return err
		}
		return a.writeSheet(name, data)
	}
	for i, s := range sheets { // an SVG has one page
		if err := a.writeSheet(numbered(name, i), paper.SVG(s)); err != nil {
			return err
		}
	}
	return nil
}

// numbered is the name of the i-th file, from 0: x.svg, x-2.svg and so on.
func numbered(name string, i int) string {
	if i == 0 || name == "-" {
		return name
	}
	base, ext := name, ""
	if dot := strings.LastIndexByte(name, '.'); dot > strings.LastIndexByte(name, '/') {
		base, ext = name[:dot], name[dot:]
	}
	return fmt.Sprintf("%s-%d%s", base, i+1, ext)
}

// writeSheet writes a file and prints its name, or writes to standard output.
func (a *app) writeSheet(name string, data []byte) error {
	if name == "-" {
		_, err := a.stdout.Write(data)
		return err
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		return fmt.Errorf("print: cannot write %s: %w", name, errors.Unwrap(err))
	}
	fmt.Fprintln(a.stdout, name)
	return nil
}
