//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match"
	"diceref/scoring"
	"diceref/table"
	"diceref/vision/owned"
)

// playedGame is a rendered game with what happened in it.
type playedGame struct {
	Steps []playedStep
}

type playedStep struct {
	truthStep
	First int `json:"first_frame"`
	Last  int `json:"last_frame"`
}

// resting follows the dice of a film from still to still: a die that lies where it lay shows what it showed.
func (g *playedGame) resting(t *testing.T, f film) (dice []restingDie) {
	t.Helper()
	var now []restingDie // that lay in the step before
	end := 0
	for k, s := range g.Steps {
		at := s.Last
		for f.read[at] == nil {
			if at--; at < s.First {
				t.Fatalf("nothing was read from frame %d to %d", s.First, s.Last)
			}
		}
		var next []restingDie
		for _, r := range f.read[at] {
			i := slices.IndexFunc(now, func(d restingDie) bool {
				return distance(d.top[0], r.Outline[0])+distance(d.top[2], r.Outline[2]) < 5 && d.face == r.Face
			})
			if i >= 0 {
				next = append(next, now[i])
				now = slices.Delete(now, i, i+1)
				continue
			}
			d := restingDie{face: r.Face, first: end, seen: at}
			for c := range r.Outline { // whichever way up the die came to lie, however many others were read
				d.top[(c+k+r.Face)%4] = r.Outline[c]
			}
			next = append(next, d)
		}
		for _, d := range now {
			d.last = s.First
			dice = append(dice, d)
		}
		now, end = next, s.Last
		if k == len(g.Steps)-1 {
			for _, d := range now {
				d.last = math.MaxInt
				dice = append(dice, d)
			}
		}
	}
	return dice
}

func center(top [4]table.Point) (c table.Point) {
	for _, p := range top {
		c.X, c.Y = c.X+p.X/4, c.Y+p.Y/4
	}
	return c
}

// iconFilm is the demo played with icons in place of pips. It tells how many frames there are.
func iconFilm(t *testing.T, g *playedGame, f film, path string) int {
	t.Helper()
	dice := g.resting(t, f)
	patches := make([]patch, len(dice))
	for i, d := range dice {
		patches[i] = paintDie(t, pictureOf(t, f.pictures[d.seen]), d.top, d.face)
	}
	frames := make([][]byte, len(f.pictures))
	var size image.Point
	var work sync.WaitGroup
	for worker := range 2 {
		work.Go(func() {
			for n := worker; n < len(frames); n += 2 {
				img := pictureOf(t, f.pictures[n])
				for i, d := range dice {
					if n >= d.first && n <= d.last {
						patches[i].on(img)
					}
				}
				frames[n] = jpegOf(t, img)
				if n == 0 {
					size = img.Rect.Size()
				}
			}
		})
	}
	work.Wait()
	saveFilm(t, path, frames, size.X, size.Y, 10)
	return len(frames)
}

// iconThrow is the table before the game with the same dice, of which each shows another face. It tells which one is where.
func iconThrow(t *testing.T, f film, g *playedGame, throw int, path string) (shown []restingDie) {
	t.Helper()
	at := g.Steps[0].Last
	for f.read[at] == nil {
		at--
	}
	img := pictureOf(t, f.pictures[at])
	for i, r := range f.read[at] {
		die := restingDie{face: 1 + (r.Face+2*throw+i)%6}
		for k := range r.Outline {
			die.top[(k+i+throw)%4] = r.Outline[k]
		}
		p := paintDie(t, img, die.top, die.face)
		p.on(img)
		shown = append(shown, die)
	}
	if err := os.WriteFile(path, jpegOf(t, img), 0o600); err != nil {
		t.Fatal(err)
	}
	return shown
}

// says runs the program and tells what it printed.
func says(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != exitDone {
		t.Fatalf("%s: exit %d: %s", strings.Join(args, " "), code, &errs)
	}
	return out.Bytes()
}

// namesOf are the answers of an owner who looks at the groups: what most of a group's pictures show is its name, and those
// that show something else are split off.
func namesOf(t *testing.T, groups []taughtGroup, picture string, dice []restingDie) (answers []string) {
	t.Helper()
	var split []string
	next := 'A' + rune(len(groups))
	name := func(letter string, face int) string {
		if face == 0 {
			return letter + " " + string(owned.NoDie)
		}
		return fmt.Sprintf("%s %d %s", letter, face, strings.Join(onFace[face], "+"))
	}
	for _, g := range groups {
		var shows [7][]int // the numbers of pictures, by face
		for n, p := range g.Seen {
			face := 0
			for _, d := range dice {
				if p.Picture == picture && distance(center(d.top), p.At) < distance(d.top[0], d.top[2])/3 {
					face = d.face
				}
			}
			shows[face] = append(shows[face], g.Tops-len(g.Seen)+n+1)
		}
		most := slices.IndexFunc(onFace[:], func(icons []string) bool { return len(icons) > 0 && iconName(icons) == g.Name })
		if g.Name == "" {
			most = 0
			for face := range shows {
				if len(shows[face]) > len(shows[most]) {
					most = face
				}
			}
			answers = append(answers, name(g.Letter, most))
		}
		for face, list := range shows {
			if face == most || len(list) == 0 {
				continue
			}
			t.Logf("%s, called %q, has %d pictures of other things", g.Letter, g.Name, len(list))
			if g.Tops < len(g.Seen) || list[0] < 1 {
				continue // nobody knows which ones were kept
			}
			if len(shows[most])+len(list) < len(g.Seen) {
				t.Fatalf("%s shows three kinds of faces", g.Letter)
			}
			split = append(split, fmt.Sprintf("split %s %s", g.Letter, strings.Trim(fmt.Sprint(list), "[]")), name(string(next), face))
			next++
		}
	}
	return append(split, answers...)
}

func iconName(icons []string) owned.Name {
	return owned.Name(strings.Join(slices.Sorted(slices.Values(icons)), "+"))
}

// showIcons has an owner show the dice in three throws and name what they show, and tells what is known then.
func showIcons(t *testing.T, f film, g *playedGame, dir string, with ...string) (taught taughtLine) {
	t.Helper()
	teach := func(args ...string) {
		taught = taughtLine{}
		args = slices.Concat([]string{"teach", "dessert-dice", "--dice", "ours", "--json"}, with, args)
		if err := json.Unmarshal(says(t, args...), &taught); err != nil {
			t.Fatal(err)
		}
	}
	names := filepath.Join(dir, "names.txt")
	for i := range 3 {
		path := filepath.Join(dir, fmt.Sprintf("throw%d.jpg", i))
		dice := iconThrow(t, f, g, i, path)
		teach(path)
		answers := namesOf(t, taught.Groups, path, dice)
		if err := os.WriteFile(names, []byte(strings.Join(answers, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		teach("--answers", names)
	}
	return taught
}

// TestIconGame shows dice with dessert icons in three throws, names the groups, and has a whole rendered game with such dice
// watched: every act is told, in order, with the face that its owner has numbered, and nothing else; the icons make the clusters, and the
// secret cards the winner.
func TestIconGame(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "match", "testdata", "dessert-dice.json"))
	if err != nil {
		t.Fatal(err)
	}
	var game playedGame
	if err := json.Unmarshal(text, &game); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	with := []string{"--eye", builtEye(t), "--data", dir}
	f := watchDemo(t, builtEye(t), table.DessertDice)
	if taught := showIcons(t, f, &game, dir, with...); len(taught.Missing) > 0 {
		t.Errorf("of six faces that were shown %v are missing", taught.Missing)
	}
	path := filepath.Join(dir, "game.avi")
	frames := iconFilm(t, &game, f, path)
	cards := filepath.Join(dir, "cards.jsonl")
	var said string
	for i, card := range "PIJ" {
		said += fmt.Sprintf(`{"frame":%d,"say":"card","player":"%c","card":"%c"}`+"\n", frames-3+i, 'A'+i, card)
	}
	if err := os.WriteFile(cards, []byte(said), 0o600); err != nil {
		t.Fatal(err)
	}
	told := says(t, append(with, "watch", "--json", "--game", "dessert-dice", "--players", "A,B,C", "--dice", "ours", "--source", path, "--declare", cards)...)
	var want []string
	var got [4][]string // by how the grid is turned: it may be numbered from any corner
	for _, s := range game.Steps {
		if line := s.said(string(rune('A'+s.Player)), 0); line != "" {
			want = append(want, line)
		}
	}
	questions := 0
	var last match.Event
	for line := range strings.Lines(string(told)) {
		last = match.Event{}
		var step struct {
			Type, Player string
			Move         truthStep
			Legal        bool
		}
		if err := json.Unmarshal([]byte(line), &last); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(line), &step); err != nil {
			t.Fatal(err)
		}
		switch {
		case step.Type == match.TypeDoubt:
			questions++
			t.Log(last.Ask)
		case step.Move.Action != "card" && step.Type != match.TypeEnd && step.Type != match.TypeStart:
			step.Move.Kind, step.Move.Legal = step.Type, step.Legal
			for quarters := range got {
				got[quarters] = append(got[quarters], step.Move.said(step.Player, quarters))
			}
		}
	}
	best := slices.MaxFunc(got[:], func(a, b []string) int { return inCommon(want, a) - inCommon(want, b) })
	if diff := cmp.Diff(want, best); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
	const events = 50 // to one question
	if allowed := 1 + len(want)/events; questions > allowed {
		t.Errorf("%d questions, want %d at most", questions, allowed)
	}
	clusters := clustersOf(t, text)
	if diff := cmp.Diff(clusters, last.Clusters) + cmp.Diff(map[string]int{"A": clusters["P"], "B": clusters["I"], "C": clusters["J"]}, last.Scores) + cmp.Diff([]string{"B"}, last.Winners); diff != "" {
		t.Errorf("the end (-want +got):\n%s", diff)
	}
}

// clustersOf are the clusters of the desserts on the board at the end of a played game.
func clustersOf(t *testing.T, game []byte) map[string]int {
	t.Helper()
	var is struct {
		Steps []struct{ State map[string][2]any }
	}
	if err := json.Unmarshal(game, &is); err != nil {
		t.Fatal(err)
	}
	var board [table.Size * table.Size]table.Die
	for at, die := range is.Steps[len(is.Steps)-1].State {
		var sq table.Square
		if _, err := fmt.Sscanf(at, "%d,%d", &sq.Row, &sq.Col); err != nil {
			t.Fatal(err)
		}
		color, err := table.ParseColor(die[0].(string))
		if err != nil {
			t.Fatal(err)
		}
		board[sq.Index()] = table.Die{Color: color, Face: int(die[1].(float64))}
	}
	faces := map[string]any{}
	for face, icons := range onFace {
		letters := ""
		for _, icon := range icons {
			letters += dessertLetters[icon]
		}
		if face > 0 {
			faces[fmt.Sprint(face)] = letters
		}
	}
	profile, err := scoring.ParseProfile(map[string]any{"*": faces})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for i, points := range scoring.Clusters(&board, profile, scoring.ClusterRule{}) {
		out[scoring.DessertLetters[i:i+1]] = points
	}
	return out
}
