//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"diceref/table"
)

// How well recorded games are followed is measured with: make followed VIDEOS="game.mp4 ...", each with game.json
// beside it for the truth, and game.declare.jsonl for what the players said. With -diceref another build is
// measured. Nothing is held to a bar.
var followedVideos = flag.String("videos", "", "rendered games to follow, separated by spaces")

// truthStep is what happened in a rendered game, and act what a program tells of it.
type truthStep struct {
	Kind, Action, Color string
	Player, Round       int
	From, To            *table.Square
	Face                *int
	Legal, Miss         bool
	Score               int
	Removed             []table.Square
}

// said is an act in words, its squares turned by so many quarters.
func (s truthStep) said(player string, quarters int) string {
	square := func(sq *table.Square) string {
		if sq == nil {
			return "-"
		}
		q := *sq
		for range quarters {
			q = table.Square{Row: table.Size - 1 - q.Col, Col: q.Row}
		}
		return q.String()
	}
	face := 0
	if s.Face != nil {
		face = *s.Face
	}
	switch {
	case s.Kind == "move" && s.Action == "reroll":
		return fmt.Sprint("reroll ", player, s.Legal)
	case s.Kind == "move":
		return fmt.Sprint(s.Action, " ", player, square(s.From), square(s.To), s.Color, face, s.Legal)
	case s.Kind == "takeback":
		return "takeback " + player
	case s.Kind == "flick" && s.Miss, s.Kind == "miss":
		return "miss " + player
	case s.Kind == "flick":
		return fmt.Sprint("flick ", player, square(s.To), s.Color, face)
	case s.Kind == "score":
		list := map[string]bool{}
		for _, sq := range s.Removed {
			list[square(&sq)] = true
		}
		return fmt.Sprint("score ", player, s.Round, " ", s.Score, list)
	}
	return ""
}

func TestFollowed(t *testing.T) {
	for _, video := range strings.Fields(*followedVideos) {
		base := strings.TrimSuffix(video, filepath.Ext(video))
		var tr struct {
			Game    string
			Players int
			Colors  [][]string `json:"colours"`
			Steps   []truthStep
		}
		data, err := os.ReadFile(base + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &tr); err != nil {
			t.Fatalf("%s: %v", base, err)
		}
		var want []string
		for _, s := range tr.Steps {
			if line := s.said(string(rune('A'+s.Player)), 0); line != "" {
				want = append(want, line)
			}
		}
		told, doubts, troubles := followed(t, tr.Game, tr.Players, tr.Colors, video, base)
		right, wrong := 0, 0
		for quarters := range 4 { // the numbering may begin at any corner
			var got []string
			for _, s := range told {
				got = append(got, s.step.said(s.player, quarters))
			}
			if n := inCommon(want, got); n >= right {
				right, wrong = n, len(got)-n
			}
		}
		t.Logf("%s: of %d events %d right, %d wrong, %d missed; %d doubts, %d troubles", filepath.Base(video), len(want), right, wrong, len(want)-right, doubts, troubles)
	}
}

type toldStep struct {
	step   truthStep
	player string
}

// followed is what watch tells of a video.
func followed(t *testing.T, game string, players int, colors [][]string, video, base string) (told []toldStep, doubts, troubles int) {
	t.Helper()
	args := []string{"watch", "--game", game, "--players", strings.Join([]string{"A", "B", "C", "D"}[:players], ","), "--source", video, "--json"}
	if info, err := os.Stat(base + ".declare.jsonl"); err == nil && info.Size() > 0 {
		args = append(args, "--declare", base+".declare.jsonl")
	}
	if len(colors) > 0 {
		var owners []string
		for i, list := range colors {
			letters := ""
			for _, c := range list {
				letters += strings.ToUpper(c[:1])
			}
			owners = append(owners, fmt.Sprintf("%c:%s", 'A'+i, letters))
		}
		args = append(args, "--option", "owners="+strings.Join(owners, ","))
	}
	cmd := exec.Command(*figureBinary, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", video, err)
	}
	in := bufio.NewScanner(bytes.NewReader(out))
	for in.Scan() {
		var e struct {
			Type, Player string
			Move         *truthStep
			truthStep
		}
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			t.Fatalf("%s: %s: %v", video, in.Text(), err)
		}
		s := e.truthStep
		if e.Move != nil {
			legal := s.Legal
			s = *e.Move
			s.Legal = legal
		}
		s.Kind = e.Type
		switch e.Type {
		case "doubt":
			doubts++
		case "trouble":
			troubles++
		case "move", "takeback", "flick", "miss", "score":
			told = append(told, toldStep{s, e.Player})
		}
	}
	return told, doubts, troubles
}

// inCommon is the length of the longest common subsequence.
func inCommon(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			before = above
		}
	}
	return row[len(b)]
}
