package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"diceref/table"
)

// readLine is the answer for one picture, as `diceref read --json` prints it.
type readLine struct {
	Image    string                `json:"image"`
	Width    int                   `json:"width"`
	Height   int                   `json:"height"`
	Board    *boardLine            `json:"board"` // nil for games without one
	Dice     []dieLine             `json:"dice"`
	Markers  []table.MarkerReading `json:"markers,omitzero"` // not nil for an arena
	Warnings []table.Warning       `json:"warnings"`
	MS       table.Timing          `json:"ms"`
}

type boardLine struct {
	Found   bool          `json:"found"`
	Rows    int           `json:"rows"`
	Cols    int           `json:"cols"`
	Corners []table.Point `json:"corners"`
}

// dieLine has every key for every die.
type dieLine struct {
	Color      table.Color `json:"color"`
	Face       *int        `json:"face"` // nil: a blast die, or not known
	Row        *int        `json:"row"`  // nil: beside the grid
	Col        *int        `json:"col"`
	X          float64     `json:"x"` // center of the top face, pixels
	Y          float64     `json:"y"`
	Confidence float64     `json:"confidence"`
	Sure       bool        `json:"sure"`
	// With a set of dice: what it shows; false if that was never shown.
	Shows *string `json:"shows,omitempty"`
	Known *bool   `json:"known,omitempty"`
}

func newReadLine(image string, o table.Observation) readLine {
	l := readLine{
		Image: image, Width: o.Width, Height: o.Height,
		Dice: []dieLine{}, Warnings: []table.Warning{}, MS: o.MS,
	}
	layout := o.Game.Kit().Layout
	if layout != table.Loose {
		l.Board = &boardLine{Rows: table.Size, Cols: table.Size, Corners: []table.Point{}}
		if o.Grid != nil && o.Grid.Found {
			l.Board = &boardLine{true, o.Grid.Rows, o.Grid.Cols, o.Grid.Corners[:]}
		}
	}
	if layout == table.Arena {
		l.Markers = append([]table.MarkerReading{}, o.Markers...)
	}
	for _, d := range o.Dice {
		l.Dice = append(l.Dice, newDieLine(d))
	}
	l.Warnings = append(l.Warnings, o.Warnings...)
	return l
}

func newDieLine(d table.Reading) dieLine {
	l := dieLine{
		Color: d.Color, X: round(d.At.X, 10), Y: round(d.At.Y, 10),
		Confidence: round(d.Confidence, 1000), Sure: d.Sure,
	}
	if d.Face != 0 && !d.Unknown {
		l.Face = &d.Face
	}
	if known := !d.Unknown; d.Unknown || d.Name != "" {
		l.Shows, l.Known = &d.Name, &known
	}
	if d.Square != nil {
		l.Row, l.Col = &d.Square.Row, &d.Square.Col
	}
	return l
}

// round keeps so many parts of one.
func round(v, parts float64) float64 { return math.Round(v*parts) / parts }

// writeReading prints the answer for one picture for people.
func writeReading(w io.Writer, image string, o table.Observation) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d×%d pixels, %s, %s\n", image, o.Width, o.Height, boardWords(o), diceWords(o.Dice))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, d := range o.Dice {
		place := "loose"
		if o.Game.Kit().Layout != table.Loose {
			place = "beside"
		}
		if d.Square != nil {
			place = d.Square.String()
		}
		face, sure := "blast", ""
		switch {
		case d.Unknown:
			face = "not known"
		case d.Name != "":
			face = d.Name
		case d.Face != 0:
			face = fmt.Sprint(d.Face)
		}
		if !d.Sure {
			sure = "not sure"
		}
		fmt.Fprintf(t, "  %s\t%v\t%s\t%.1f %%\t%s\n", place, d.Color, face, 100*d.Confidence, sure)
	}
	t.Flush()
	for _, m := range o.Markers {
		fmt.Fprintf(&b, "  sticker %s at %v\n", m.Marker, table.Square{Row: m.Row, Col: m.Col})
	}
	for _, warning := range o.Warnings {
		fmt.Fprintf(&b, "  %s: %s\n", warning.Code, warning.Text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func boardWords(o table.Observation) string {
	name := map[table.Layout]string{table.Board: "board", table.Arena: "arena"}[o.Game.Kit().Layout]
	switch {
	case name == "":
		return "no board needed"
	case o.Grid == nil || !o.Grid.Found:
		return "no " + name + " found"
	}
	return name + " found"
}

func diceWords(dice []table.Reading) string {
	sure := 0
	for _, d := range dice {
		if d.Sure {
			sure++
		}
	}
	switch {
	case len(dice) == 0:
		return "no dice"
	case sure == len(dice):
		return table.Count(sure, "die", "dice")
	}
	return fmt.Sprintf("%s, %d of them sure", table.Count(len(dice), "die", "dice"), sure)
}
