// Package measure holds the answers of pictures against what was read in them: it
// tells how good the program is, in the command eval and in the tests alike.
package measure

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"diceref/table"
)

// Die is one die of a picture with answers.
type Die struct {
	color    table.Color   // NoColor: not known
	face     int           // 0: a blast die, or not known
	square   *table.Square // nil: loose
	at       table.Point   // middle of the top face, or of the die where only a box is known
	reach    float64       // how far off a reading's middle may lie, pixels
	optional bool          // cut by the frame, or doubtful: need not be read
	outline  []table.Point
}

// Picture is a picture with answers.
type Picture struct {
	Path    string
	Game    table.Game
	Group   string        // its tier, or the set it comes from
	Hand    bool          // something lies over the table: not everything need be read
	Corners []table.Point // of the grid; nil where there is none
	dice    []Die
	markers []table.MarkerReading
}

// Load lists the pictures with answers in a folder: one JSON file beside
// each picture, or an index.jsonl of boxes.
func Load(dir string) ([]Picture, error) {
	if _, err := os.Stat(filepath.Join(dir, "index.jsonl")); err == nil {
		return loadIndex(dir)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var out []Picture
	for _, name := range names {
		p, ok, err := loadScene(name)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no pictures with answers in %s (want NAME.jpg with NAME.json, or index.jsonl)", dir)
	}
	return out, nil
}

// sceneAnswer is the form of a rendered picture's answers.
type sceneAnswer struct {
	Game    table.Game            `json:"game"`
	Tier    string                `json:"tier"`
	Tags    []string              `json:"tags"`
	Image   string                `json:"image"`
	Width   int                   `json:"width"`
	Height  int                   `json:"height"`
	Markers []table.MarkerReading `json:"markers"`
	Board   *struct {
		Corners []table.Point `json:"corners_px"`
	} `json:"board"`
	Dice []struct {
		Color   table.Color   `json:"color"`
		Face    *int          `json:"face"`
		Top     []table.Point `json:"top_px"`
		InFrame *bool         `json:"in_frame"` // nil: it is
		Row     *int          `json:"row"`
		Col     *int          `json:"col"`
	} `json:"dice"`
}

// loadScene reads one picture's answers; false for a JSON file that is something else.
func loadScene(name string) (Picture, bool, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return Picture{}, false, err
	}
	var a sceneAnswer
	if err := json.Unmarshal(b, &a); err != nil {
		return Picture{}, false, fmt.Errorf("%s: %w", name, err)
	}
	if a.Image == "" {
		return Picture{}, false, nil
	}
	p := Picture{
		Path: filepath.Join(filepath.Dir(name), a.Image), Game: a.Game, Group: a.Tier,
		Hand: slices.Contains(a.Tags, "hand"), markers: a.Markers,
	}
	if p.Group == "" { // what players put right has no tier
		p.Group = filepath.Base(filepath.Dir(name))
	}
	if a.Board != nil {
		p.Corners = a.Board.Corners
	}
	for _, d := range a.Dice {
		if len(d.Top) == 0 && len(a.Dice) == 1 && a.Width > 0 && a.Height > 0 { // a die cut out: all of it
			w, h := float64(a.Width), float64(a.Height)
			d.Top = []table.Point{{X: w / 4, Y: h / 4}, {X: 3 * w / 4, Y: h / 4}, {X: 3 * w / 4, Y: 3 * h / 4}, {X: w / 4, Y: 3 * h / 4}}
		}
		if len(d.Top) != 4 {
			return Picture{}, false, fmt.Errorf("%s: top_px of a die must have four corners", name)
		}
		k := Die{color: d.Color, outline: d.Top, optional: d.InFrame != nil && !*d.InFrame}
		if d.Face != nil {
			k.face = *d.Face
		}
		if d.Row != nil && d.Col != nil {
			k.square = &table.Square{Row: *d.Row, Col: *d.Col}
		}
		for _, c := range d.Top {
			k.at.X += c.X / 4
			k.at.Y += c.Y / 4
		}
		k.reach = 0.3 * math.Hypot(d.Top[0].X-d.Top[2].X, d.Top[0].Y-d.Top[2].Y)
		if k.optional && k.reach > 0.1*float64(max(a.Width, a.Height)) {
			continue // behind the camera, where a projection means nothing: it would excuse whatever is read
		}
		p.dice = append(p.dice, k)
	}
	return p, true, nil
}

// loadIndex reads the answers of photographs: boxes around dice, their faces, and where they
// are certain and among the nine, their colors.
func loadIndex(dir string) ([]Picture, error) {
	f, err := os.Open(filepath.Join(dir, "index.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Picture
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var a struct {
			Image string `json:"image"`
			Dice  []struct {
				Face      int        `json:"face"`
				Box       [4]float64 `json:"box"`
				Color     string     `json:"color"`
				ColorSure *bool      `json:"color_sure"` // nil: it is
				Doubtful  bool       `json:"doubtful"`
			} `json:"dice"`
		}
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", f.Name(), n, err)
		}
		p := Picture{Path: filepath.Join(dir, a.Image), Game: table.Any, Group: filepath.Base(dir)}
		for _, d := range a.Dice {
			k := Die{face: d.Face, optional: d.Doubtful}
			if c, err := table.ParseColor(d.Color); err == nil && (d.ColorSure == nil || *d.ColorSure) {
				k.color = c
			}
			k.at = table.Point{X: (d.Box[0] + d.Box[2]) / 2, Y: (d.Box[1] + d.Box[3]) / 2}
			k.reach = 0.5 * max(d.Box[2]-d.Box[0], d.Box[3]-d.Box[1])
			k.outline = []table.Point{{X: d.Box[0], Y: d.Box[1]}, {X: d.Box[2], Y: d.Box[1]}, {X: d.Box[2], Y: d.Box[3]}, {X: d.Box[0], Y: d.Box[3]}}
			p.dice = append(p.dice, k)
		}
		out = append(out, p)
	}
	return out, lines.Err()
}

// Turned returns the answers of the picture after a turn.
func (p Picture) Turned(turn table.Turn) Picture {
	p.dice = slices.Clone(p.dice)
	for i := range p.dice {
		d := &p.dice[i]
		d.at = turn.Point(d.at)
		d.outline = slices.Clone(d.outline)
		for k := range d.outline {
			d.outline[k] = turn.Point(d.outline[k])
		}
	}
	p.Corners = slices.Clone(p.Corners)
	for k := range p.Corners {
		p.Corners[k] = turn.Point(p.Corners[k])
	}
	return p
}
