package match

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"diceref/match/internal/readings"
	"diceref/rules"
	"diceref/table"
)

// script is a played game: what lay on the table in which frames, and what happened.
type script struct {
	Game    table.Game      `json:"game"`
	Players int             `json:"players"`
	Colors  [][]table.Color `json:"colours"`
	Tally   []int           `json:"tally"`
	Corners [4]table.Point  `json:"corners_px"`
	Markers [][3]any        `json:"markers"`
	Notepad [][]int         `json:"notepad"`
	Totals  []int           `json:"totals"`
	Frames  int             `json:"frames"`
	Steps   []step          `json:"steps"`
	Declare []Declaration   `json:"declare"`
	hands   [][][]table.Die // by step and player: the dice beside a Dice Box board
}

type step struct {
	Kind    string            `json:"kind"`
	Player  int               `json:"player"`
	Action  string            `json:"action"`
	From    *table.Square     `json:"from"`
	To      *table.Square     `json:"to"`
	Color   table.Color       `json:"color"`
	Face    *int              `json:"face"`
	Legal   *bool             `json:"legal"`
	Miss    bool              `json:"miss"`
	Round   int               `json:"round"`
	Score   int               `json:"score"`
	Removed []table.Square    `json:"removed"`
	Unseen  bool              `json:"unseen"`
	State   map[string][2]any `json:"state"`
	First   int               `json:"first_frame"`
	Last    int               `json:"last_frame"`
}

func loadScript(t testing.TB, name string) *script {
	b, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	s := new(script)
	if err := json.Unmarshal(b, s); err != nil {
		t.Fatal(err)
	}
	if s.Game == table.DiceBox {
		s.dealHands()
	}
	return s
}

// dealHands gives each player of Dice Box the dice that the game needs: what will be
// placed before the next roll shows what it will be placed as, the rest anything.
func (s *script) dealHands() {
	rng := rand.New(rand.NewPCG(7, 7))
	left := make([][]table.Color, s.Players)
	for p := range left {
		for _, c := range []table.Color{table.Red, table.Yellow, table.Blue, table.White} {
			left[p] = append(left[p], c, c, c)
		}
	}
	roll := func(p, from int) []table.Die {
		colors := append([]table.Color{}, left[p]...)
		var dice []table.Die
		unfit := map[int]bool{} // values that no square takes when the dice are rolled next
		for i, st := range s.Steps[from:] {
			if st.Kind != "move" || st.Player != p {
				continue
			}
			if st.Action == "reroll" {
				unfit = s.unfit(from + i - 1)
				break
			}
			for i, c := range colors {
				if c == st.Color {
					dice = append(dice, table.Die{Color: c, Face: *st.Face})
					colors = append(colors[:i:i], colors[i+1:]...)
					break
				}
			}
		}
		for _, c := range colors {
			face := 1 + rng.IntN(6)
			for len(unfit) > 0 && !unfit[face] {
				face = 1 + rng.IntN(6)
			}
			dice = append(dice, table.Die{Color: c, Face: face})
		}
		return dice
	}
	hands := [][]table.Die{roll(0, 1), roll(1, 1)}
	for i, st := range s.Steps {
		switch {
		case st.Kind == "takeback":
			hands = cloneHands(s.hands[i-2])
			left[st.Player] = append(left[st.Player], s.Steps[i-1].Color)
		case st.Action == "place":
			hands = cloneHands(hands)
			h := hands[st.Player]
			for k, d := range h {
				if d == (table.Die{Color: st.Color, Face: *st.Face}) {
					hands[st.Player] = append(h[:k:k], h[k+1:]...)
					break
				}
			}
			for k, c := range left[st.Player] {
				if c == st.Color {
					left[st.Player] = append(left[st.Player][:k:k], left[st.Player][k+1:]...)
					break
				}
			}
		case st.Action == "reroll" && !st.Unseen:
			hands = cloneHands(hands)
			for was := fmt.Sprint(hands[st.Player]); fmt.Sprint(hands[st.Player]) == was; {
				hands[st.Player] = roll(st.Player, i+1) // else no camera could tell
			}
		}
		s.hands = append(s.hands, hands)
	}
}

// unfit is the values that fit on no square of Dice Box after step i.
func (s *script) unfit(i int) map[int]bool {
	board, unfit := s.Steps[i].board(), map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true}
	for k := range 25 {
		sq := table.SquareAt(k)
		if _, filled := board[sq]; filled {
			continue
		}
		fits := map[int]int{}
		around := 0
		for _, n := range rules.Neighbors(k) {
			if d, ok := board[table.SquareAt(n)]; ok {
				around++
				fits[d.Face-1]++
				fits[d.Face+1]++
			}
		}
		for v, n := range fits {
			if around > 0 && n == around {
				delete(unfit, v)
			}
		}
	}
	return unfit
}

func cloneHands(h [][]table.Die) [][]table.Die {
	out := make([][]table.Die, len(h))
	for i := range h {
		out[i] = append([]table.Die{}, h[i]...)
	}
	return out
}

// at is the place of a spot of the board (in squares, 0 to 5) in the picture.
func (s *script) at(row, col float64) table.Point {
	c, u, v := s.Corners, col/5, row/5
	return table.Point{
		X: c[0].X + u*(c[1].X-c[0].X) + v*(c[3].X-c[0].X),
		Y: c[0].Y + u*(c[1].Y-c[0].Y) + v*(c[3].Y-c[0].Y),
	}
}

// view is a perfect reading of the table after step i.
func (s *script) view(i, frame int) table.Observation {
	st := s.Steps[i]
	obs := table.Observation{
		Game: s.Game, Frame: frame, T: float64(frame) / 10, Width: 800, Height: 600, Look: table.LookStill, Read: true,
		Grid: &table.Grid{Found: true, Rows: 5, Cols: 5, Corners: s.Corners},
	}
	board := st.board()
	for k := range 25 {
		sq := table.SquareAt(k)
		if d, ok := board[sq]; ok {
			obs.Dice = append(obs.Dice, readings.Sure(d, &sq, s.at(float64(sq.Row)+.5, float64(sq.Col)+.5)))
		}
	}
	for _, m := range s.Markers {
		sq := table.Square{Row: int(m[0].(float64)), Col: int(m[1].(float64))}
		if _, covered := board[sq]; !covered {
			obs.Markers = append(obs.Markers, table.MarkerReading{Row: sq.Row, Col: sq.Col, Marker: m[2].(string)})
		}
	}
	if s.hands != nil {
		for p, h := range s.hands[i] {
			for k, d := range h {
				if d.Color == table.NoColor {
					continue // a place that a die has left
				}
				row := []float64{-1.5, 6.5}[p]
				obs.Dice = append(obs.Dice, readings.Sure(d, nil, s.at(row+.6*float64(k/6)*float64(2*p-1), float64(k%6)*.9)))
			}
		}
	}
	return obs
}

func (st step) board() map[table.Square]table.Die {
	b := map[table.Square]table.Die{}
	for key, v := range st.State {
		r, c, _ := strings.Cut(key, ",")
		row, _ := strconv.Atoi(r)
		col, _ := strconv.Atoi(c)
		color, _ := table.ParseColor(v[0].(string))
		face, _ := v[1].(float64)
		b[table.Square{Row: row, Col: col}] = table.Die{Color: color, Face: int(face)}
	}
	return b
}

// views shows a match a board or an arena, view by view, each after a hand was over it.
type views struct {
	m        *Match
	frame    int
	pictures int // of a view; 0: five
	sooner   []table.Sooner
	warnings []table.Warning
	covered  []table.Square // something lies over; dice there are not read
	pushed   table.Point    // by how much the camera has the table elsewhere; dice out of the picture are not read
}

// longView is the pictures of a view that stands for longer than a second.
const longView = 12

// see shows a view of so many pictures; dice are the readings of each.
func (v *views) see(dice func(picture int) []table.Reading) {
	obs := table.Observation{Game: v.m.setting.Game, Width: 800, Height: 600, Look: table.LookHand}
	show := func() {
		obs.Frame, obs.T = v.frame, float64(v.frame)/10
		v.frame++
		v.m.See(obs)
	}
	show()
	obs.Look, obs.Read, obs.Sooner, obs.Warnings, obs.Hidden = table.LookStill, true, v.sooner, v.warnings, v.covered
	obs.Grid = &table.Grid{Found: true, Rows: 5, Cols: 5, Corners: [4]table.Point{{X: 200, Y: 100}, {X: 600, Y: 100}, {X: 600, Y: 500}, {X: 200, Y: 500}}}
	for i := range obs.Grid.Corners {
		obs.Grid.Corners[i].X += v.pushed.X
		obs.Grid.Corners[i].Y += v.pushed.Y
	}
	for k := range cmp.Or(v.pictures, 5) {
		obs.Dice = slices.DeleteFunc(v.inPicture(dice(k)), func(r table.Reading) bool {
			place := table.Square{Row: int(math.Floor((r.At.Y - 100) / 80)), Col: int(math.Floor((r.At.X - 200) / 80))}
			return slices.Contains(v.covered, place)
		})
		show()
	}
}

// inPicture is the readings of a camera that was pushed.
func (v *views) inPicture(dice []table.Reading) []table.Reading {
	const half = 18 // of a die
	if v.pushed == (table.Point{}) {
		return dice
	}
	var list []table.Reading
	for _, r := range dice {
		r.At = table.Point{X: r.At.X + v.pushed.X, Y: r.At.Y + v.pushed.Y}
		if r.At.X >= half && r.At.Y >= half && r.At.X <= 800-half && r.At.Y <= 600-half {
			list = append(list, r)
		}
	}
	return list
}

// onBoard is the middle of a square of the board that views shows.
func onBoard(sq table.Square) table.Point {
	return table.Point{X: 240 + 80*float64(sq.Col), Y: 140 + 80*float64(sq.Row)}
}

// frames are the observations of the whole game: hands between the steps, as the eye tells them.
func (s *script) frames() []table.Observation {
	var list []table.Observation
	next := 0
	for i, st := range s.Steps {
		for ; next < st.First; next++ {
			list = append(list, table.Observation{Game: s.Game, Frame: next, T: float64(next) / 10, Width: 800, Height: 600, Look: table.LookHand})
		}
		for ; next <= st.Last; next++ {
			obs := s.view(i, next)
			if next == st.First && i > 0 && !st.Unseen && !(st.Kind == "flick" && st.Miss) {
				obs.Look, obs.Read = table.LookMoving, false
			}
			list = append(list, obs)
		}
	}
	return list
}

func (s *script) match(t testing.TB) *Match {
	names := []string{"A", "B", "C", "D"}[:s.Players]
	m, err := New(Config{Game: s.Game, Players: names, Owners: s.Colors})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range s.Declare {
		if err := m.Declare(d); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (s *script) play(t testing.TB, frames []table.Observation) *Match {
	m := s.match(t)
	for _, obs := range frames {
		m.See(obs)
	}
	m.Finish()
	return m
}

// want is what the events of the game should be, one line each.
func (s *script) want() []string {
	var list []string
	name := func(p int) string { return string(rune('A' + p)) }
	for _, st := range s.Steps {
		switch {
		case st.Kind == "start":
			list = append(list, "start")
		case st.Kind == "takeback":
			list = append(list, "takeback "+name(st.Player))
		case st.Kind == "pass":
			list = append(list, "pass "+name(st.Player))
		case st.Kind == "flick" && st.Miss:
			list = append(list, "miss "+name(st.Player))
		case st.Kind == "flick":
			list = append(list, fmt.Sprintf("flick %s %v %v %s", name(st.Player), *st.To, st.Color, faceText(st.Face)))
		case st.Kind == "score":
			list = append(list, fmt.Sprintf("score %s round %d: %d %v", name(st.Player), st.Round, st.Score, st.Removed))
		case st.Action == "reroll":
			list = append(list, fmt.Sprintf("reroll %s", name(st.Player)))
		default:
			list = append(list, fmt.Sprintf("%s %s %v %v %v %s legal=%v", st.Action, name(st.Player), squareText(st.From), squareText(st.To), st.Color, faceText(st.Face), *st.Legal))
		}
	}
	return append(list, "end")
}

func faceText(f *int) string {
	if f == nil {
		return "-"
	}
	return strconv.Itoa(*f)
}

func squareText(s *table.Square) string {
	if s == nil {
		return "-"
	}
	return s.String()
}

// told is an event in the words of want.
func told(e Event) string {
	switch e.Type {
	case TypeTakeback, TypeMiss, TypePass:
		return e.Type + " " + e.Player
	case TypeFlick:
		return fmt.Sprintf("flick %s %v %v %s", e.Player, *e.To, e.Color, faceText(e.Face))
	case TypeScore:
		return fmt.Sprintf("score %s round %d: %d %v", e.Player, e.Round, *e.Score, e.Removed)
	case TypeMove:
		var a struct {
			act
			Face *int `json:"face"`
		}
		b, _ := json.Marshal(e.Move)
		if err := json.Unmarshal(b, &a); err != nil {
			return err.Error()
		}
		if a.Action == "reroll" {
			return "reroll " + e.Player
		}
		return fmt.Sprintf("%s %s %v %v %v %s legal=%v", a.Action, e.Player, squareText(a.From), squareText(a.To), a.Color, faceText(a.Face), *e.Legal)
	case TypeDoubt:
		return strings.TrimSpace("doubt " + e.Ask + " " + strings.Join(e.Choices, " | "))
	}
	return e.Type
}
