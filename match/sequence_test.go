package match

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/calibration"
	"diceref/match/internal/readings"
	"diceref/table"
)

// sequence is a whole game of testdata, played with planted mistakes by
// internal/tableplan: what lay in each zone after every step, and what is to be told.
type sequence struct {
	Game    table.Game
	Players []string
	Steps   []struct {
		Picture, Note string
		Hand          bool // somebody's hand is over the table
		Doubt         bool // no rule explains it: a question is right
		Events        []struct {
			Type, Player, Text, Code string
		}
		Zones map[string][]table.Die
	}
	Scores  map[string]int
	Winners []string
	profile *calibration.Profile
	says    []Declaration
}

func readSequence(t *testing.T, name string) *sequence {
	t.Helper()
	dir := filepath.Join("testdata", name)
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	s := new(sequence)
	if err := json.Unmarshal(data, s); err != nil {
		t.Fatal(err)
	}
	if s.profile, err = calibration.Load(filepath.Join(dir, "calibration.json")); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "declare.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if s.says, err = ReadDeclarations(f); err != nil {
		t.Fatal(err)
	}
	return s
}

// told is what the sequence is to be told as, a line an act.
func (s *sequence) told() (list []string) {
	for _, step := range s.Steps {
		for _, e := range step.Events {
			list = append(list, strings.Join(strings.Fields(e.Type+" "+e.Text+" "+e.Code), " "))
		}
	}
	return list
}

// doubts is how many steps there are of which no rule knows an explanation.
func (s *sequence) doubts() (n int) {
	for _, step := range s.Steps {
		if step.Doubt {
			n++
		}
	}
	return n
}

// pictures reads the steps as a camera would whose readings noise spoils.
func (s *sequence) pictures(noise func(step int, dice []table.Reading) []table.Reading) (list []table.Observation) {
	const width, height = 1600, 1200
	for i, step := range s.Steps {
		obs := table.Observation{Game: s.Game, Frame: i, T: float64(i), Width: width, Height: height, Look: table.LookStill, Read: true, Posed: true}
		for _, z := range s.profile.Zones {
			c := middleOf(z.Outline)
			for k, d := range step.Zones[z.Name] {
				// along the zone's longer side, a little off its middle line
				along := (float64(k) + 0.5) / float64(len(step.Zones[z.Name]))
				a, b := z.Outline[0], z.Outline[1]
				if long := z.Outline[3]; dist(long, a) > dist(b, a) {
					b = long
				}
				at := table.Point{X: c.X + (along-0.5)*(b.X-a.X)*0.9, Y: c.Y + (along-0.5)*(b.Y-a.Y)*0.9}
				obs.Dice = append(obs.Dice, readings.Sure(d, nil, table.Point{X: at.X * width, Y: at.Y * height}))
			}
		}
		obs.Dice = noise(i, obs.Dice)
		list = append(list, obs)
	}
	return list
}

func middleOf(outline []table.Point) (c table.Point) {
	for _, p := range outline {
		c.X += p.X / float64(len(outline))
		c.Y += p.Y / float64(len(outline))
	}
	return c
}

// watch shows the pictures to a match and lists what it told, and how often it asked.
func (s *sequence) watch(t *testing.T, pictures []table.Observation) (told, asked []string, end EventView) {
	t.Helper()
	m, err := New(Config{Game: s.Game, Players: s.Players, Zones: s.profile.Zones})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range s.says {
		if err := m.Declare(d); err != nil {
			t.Fatal(err)
		}
	}
	for _, obs := range pictures {
		m.See(obs)
	}
	m.Finish()
	for _, e := range m.Events() {
		switch e.Type {
		case TypeMove, TypeTakeback, TypePass:
			text := e.Type
			if e.Move != nil {
				text += " " + fmt.Sprint(e.Move)
			}
			told = append(told, strings.Join(strings.Fields(text+" "+e.Code), " "))
		case TypeDoubt:
			asked = append(asked, fmt.Sprintf("picture %d: %s", e.Frame, e.Ask))
		case TypeEnd:
			end = e
		}
	}
	return told, asked, end
}

// TestSequence: a whole game of DiceCreams! with planted mistakes is told as it was, from
// perfect readings and from such as a webcam gives.
func TestSequence(t *testing.T) {
	const seed = 5
	s := readSequence(t, "dicecreams")
	for _, c := range []struct {
		name  string
		spoil float64 // share of the readings that are doubtful, half of them wrong
		more  int     // questions beyond those about what no rule explains
	}{{"perfect", 0, 0}, {"doubtful", 0.08, len(s.Steps) / 5}} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			t.Logf("seed %d", seed)
			told, asked, end := s.watch(t, s.pictures(func(step int, dice []table.Reading) []table.Reading {
				if s.Steps[step].Hand {
					return slices.Delete(slices.Clone(dice), 0, 2)
				}
				for i := range dice {
					if r := &dice[i]; rng.Float64() < c.spoil {
						readings.Waver(r, rng)
					}
				}
				return dice
			}))
			want := s.told()
			if c.spoil > 0 { // what was misread, asked about and corrected by a later picture is no mistake
				want, told = lasting(want), lasting(told)
			}
			if diff := cmp.Diff(want, told); diff != "" {
				t.Errorf("told otherwise (-want +got):\n%s", diff)
			}
			if n := len(asked); n > s.doubts()+c.more {
				t.Errorf("%d questions, of which %d are right:\n%s", n, s.doubts(), strings.Join(asked, "\n"))
			}
			if diff := cmp.Diff(s.Scores, end.Scores); diff != "" || !slices.Equal(end.Winners, s.Winners) {
				t.Errorf("scores (-want +got):\n%s%v won, want %v", diff, end.Winners, s.Winners)
			}
		})
	}
}

// lasting leaves out legal acts that were taken back at once.
func lasting(told []string) (list []string) {
	for _, act := range told {
		n := len(list)
		if act == TypeTakeback && n > 0 && !strings.Contains(list[n-1], " DC-") {
			list = list[:n-1]
			continue
		}
		list = append(list, act)
	}
	return list
}
