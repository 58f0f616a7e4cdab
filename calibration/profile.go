package calibration

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"diceref/table"
)

// Profile is what is known of a table before a picture of it is read.
type Profile struct {
	Game    table.Game            `json:"game"`
	Camera  Camera                `json:"camera"`
	Markers []table.MarkerReading `json:"markers,omitempty"` // an arena's, learned while it was empty
	Zones   []Zone                `json:"zones,omitempty"`
	Lessons []table.Lesson        `json:"lessons,omitempty"` // colors that players corrected, oldest first
}

// mostLessons is how many corrections of colors are remembered; older ones are let go.
const mostLessons = 64

// Learn remembers a correction of a color.
func (p *Profile) Learn(l table.Lesson) {
	p.Lessons = append(p.Lessons, l)
	p.Lessons = p.Lessons[max(len(p.Lessons)-mostLessons, 0):]
}

// gridded says whether places are squares of a grid. A profile that names no game has one.
func (p *Profile) gridded() bool { return p.Game == "" || p.Game.Kit().Layout != table.Loose }

// FromGrid makes a profile of a grid that was found, or that somebody drew:
// corners clockwise from that of [0,0], in pixels of a picture of that size.
func FromGrid(game table.Game, width, height int, corners [4]table.Point) (*Profile, error) {
	cam, err := FromQuad(width, height, corners)
	if err != nil {
		return nil, fmt.Errorf("calibration: the grid's four corners do not form a quadrilateral: %w", err)
	}
	var sights []Sight
	at := [4][2]float64{{0, 0}, {table.Size, 0}, {table.Size, table.Size}, {0, table.Size}}
	for i, c := range corners {
		sights = append(sights, Sight{X: at[i][0], Y: at[i][1], At: c, Sigma: 1})
	}
	const trusting = 1000 // all four corners count, whatever camera they ask for
	p := &Profile{Game: game, Camera: refineAt(cam, sights, trusting)}
	return p, p.Check()
}

// Check refuses what cannot be a camera over a grid, and zones that are none. A game
// without a grid needs no camera: its zones lie in the picture itself.
func (p *Profile) Check() error {
	if err := p.checkZones(); err != nil {
		return err
	}
	c := &p.Camera
	if !p.gridded() && *c == (Camera{}) {
		return nil
	}
	if !(c.Width > 0 && c.Height > 0 && c.F > 0) {
		return errors.New("calibration: the camera's width, height and f must be above zero")
	}
	for _, q := range c.Corners() {
		if math.IsNaN(q.X) || math.IsNaN(q.Y) || math.IsInf(q.X, 0) || math.IsInf(q.Y, 0) {
			return errors.New("calibration: the grid is behind the camera")
		}
	}
	for _, l := range p.Lessons {
		if sum := l.Look[0] + l.Look[1] + l.Look[2]; l.Color == table.NoColor || math.IsNaN(sum) || math.IsInf(sum, 0) {
			return errors.New("calibration: a lesson needs a color and how a die looks")
		}
	}
	for _, m := range p.Markers {
		if !(table.Square{Row: m.Row, Col: m.Col}).On() {
			return fmt.Errorf("calibration: marker %s is off the grid, at [%d,%d]", m.Marker, m.Row, m.Col)
		}
	}
	return nil
}

// Save writes the profile; a reader never sees half of it.
func (p *Profile) Save(path string) error {
	b, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fmt.Errorf("calibration: cannot save %s: %w", path, err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".profile-*")
	if err != nil {
		return fmt.Errorf("calibration: cannot save %s: %w", path, err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(append(b, '\n'))
	if err == nil {
		err = tmp.Sync() // before it takes the other's place
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("calibration: cannot save %s: %w", path, err)
	}
	return nil
}

// Load reads a profile that Save wrote.
func Load(path string) (*Profile, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("calibration: cannot read the profile: %w", err)
	}
	p := new(Profile)
	if err := json.Unmarshal(b, p); err != nil {
		return nil, fmt.Errorf("calibration: %s is not a profile: %w", path, err)
	}
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("%w (in %s)", err, path)
	}
	return p, nil
}
