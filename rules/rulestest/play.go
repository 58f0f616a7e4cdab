package rulestest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"diceref/rules"
)

// Playthroughs plays every *.play file of a folder. A file holds, one per line:
//
//	# a comment
//	players 3
//	option chirality=western      a house rule
//	owners A:RY,B:BW              who owns which colors (R, Y, B, W)
//	A place R3 e1                 an act in the game's notation
//	A pass ! DD-PASS              an illegal act with its reasons, the first one first; not played
//	A pass !! DD-PASS             the same, and the players keep it
//	score 3 0 4                   every player's total
//	winners A C                   who wins now; winners alone: nobody
//	to-move B                     a seat, nature or nobody
//
// Files named *_fail.play hold illegal acts, the others none. A folder without both kinds fails.
func Playthroughs(t *testing.T, g rules.Game, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.play"))
	if err != nil {
		t.Fatal(err)
	}
	isFail := func(f string) bool { return strings.HasSuffix(f, "_fail.play") }
	if !slices.ContainsFunc(files, isFail) || !slices.ContainsFunc(files, func(f string) bool { return !isFail(f) }) {
		t.Errorf("%s needs playthrough files: at least one *.play and one *_fail.play", dir)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			p := playthrough{t: t, g: g, setup: rules.Setup{Players: g.Name().Kit().Players[0], Options: map[string]any{}}}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(text), "\n") {
				p.at = fmt.Sprintf("%s:%d", filepath.Base(file), i+1)
				line, _, _ = strings.Cut(line, "#")
				if line = strings.TrimSpace(line); line != "" {
					p.line(line)
				}
			}
			if (p.failed > 0) != isFail(file) {
				t.Errorf("%s holds %d illegal acts", filepath.Base(file), p.failed)
			}
		})
	}
}

type playthrough struct {
	t      *testing.T
	g      rules.Game
	setup  rules.Setup
	s      rules.State // nil before the first act
	at     string
	failed int
}

func (p *playthrough) line(line string) {
	p.t.Helper()
	if isSetup, err := p.setup.Line(line); isSetup {
		if err != nil || p.s != nil {
			p.t.Fatalf("%s: %v (the set-up comes before the first act)", p.at, err)
		}
		return
	}
	p.start()
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "score":
		var totals []string
		for _, sheet := range p.s.Score() {
			totals = append(totals, fmt.Sprint(sheet.Total))
		}
		p.expect("score", strings.Join(totals, " "), rest)
	case "winners":
		w, ok := p.s.(rules.Winner)
		if !ok {
			p.t.Fatalf("%s: the game cannot tell winners", p.at)
		}
		var names []string
		for _, seat := range w.Winners() {
			names = append(names, seat.String())
		}
		p.expect("winners", strings.Join(names, " "), rest)
	case "to-move":
		p.expect("to-move", p.s.ToMove().String(), rest)
	default:
		p.act(line)
	}
}

func (p *playthrough) expect(what, got, want string) {
	p.t.Helper()
	if got != strings.TrimSpace(want) {
		p.t.Errorf("%s: %s is %q, want %q", p.at, what, got, want)
	}
}

func (p *playthrough) start() {
	p.t.Helper()
	if p.s != nil {
		return
	}
	var err error
	if p.s, err = p.g.New(p.setup); err != nil {
		p.t.Fatalf("%s: %v", p.at, err)
	}
}

func (p *playthrough) act(line string) {
	p.t.Helper()
	text, codes, illegal := strings.Cut(line, "!")
	kept := strings.HasPrefix(codes, "!")
	codes = strings.TrimSpace(strings.TrimPrefix(codes, "!"))
	m, err := p.g.ParseMove(strings.TrimSpace(text))
	if err != nil {
		p.t.Fatalf("%s: %v", p.at, err)
	}
	err = p.s.Check(m)
	if illegal {
		p.failed++
		var why rules.Illegal
		if !errors.As(err, &why) {
			p.t.Fatalf("%s: %s is judged %v, want %s", p.at, m, err, codes)
		}
		p.expect("reasons", strings.Join(why.Codes(), " "), codes)
		if !kept {
			return
		}
	} else if err != nil {
		p.t.Fatalf("%s: %v", p.at, err)
	}
	if p.s, err = p.s.Apply(m); err != nil {
		p.t.Fatalf("%s: %v", p.at, err)
	}
}
