package match

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/rules/dicebox"
	"diceref/table"
)

// boardGame plays games on a board as people do who mostly keep to the rules: the script of it is what lies on the
// table after each act, the dice beside the board included, and what is to be told.
type boardGame struct {
	*script
	t      testing.TB
	rng    *rand.Rand
	past   []rules.State // positions, the present one last
	beside []spots       // the dice beside the board after each step
	frame  int
}

// spots is dice beside the board, by player; a place that a die has left is a die without color.
type spots [][]table.Die

// The share of acts against the rules, of them that are taken back, and of legal acts that are.
const (
	shareIllegal = .06
	shareRedress = .7
	shareRegret  = .03
)

// playBoard plays the game of a seed to its end.
func playBoard(t testing.TB, game table.Game, seed uint64) *script {
	t.Helper()
	g := &boardGame{script: &script{Game: game}, t: t, rng: rand.New(rand.NewPCG(seed, 38))}
	top := map[table.Game]float64{table.DessertDice: 280, table.DiceBox: 150}[game]
	g.Corners = [4]table.Point{{X: 250, Y: top}, {X: 550, Y: top}, {X: 550, Y: top + 300}, {X: 250, Y: top + 300}}
	g.begin()
	g.write(step{Kind: "start"}, 20)
	for again := 0; g.now().ToMove() >= 0; {
		st := g.act()
		if st.Kind == "pass" {
			g.write(st, 0)
			continue
		}
		if st.Action != "reroll" {
			again = 0
		} else if again++; again > 4 {
			break // nobody can place anything
		}
		g.write(st, 12)
		if by := rules.Player(st.Player); g.regrets(st) {
			g.past, g.beside = g.past[:len(g.past)-1], append(g.beside, g.beside[len(g.beside)-2])
			g.write(step{Kind: "takeback", Player: int(by)}, 12)
		}
	}
	for _, b := range g.beside {
		g.hands = append(g.hands, b)
	}
	return g.script
}

func (g *boardGame) now() rules.State { return g.past[len(g.past)-1] }

// regrets says whether the act that was just made is taken back. Rolls are not.
func (g *boardGame) regrets(st step) bool {
	share := shareRegret
	if !*st.Legal {
		share = shareRedress
	}
	return st.Action != "reroll" && g.now().ToMove() >= 0 && g.rng.Float64() < share
}

func (g *boardGame) apply(mv rules.Move) {
	g.t.Helper()
	next, err := g.now().Apply(mv)
	if err != nil {
		g.t.Fatalf("%v: %v", mv, err)
	}
	g.past = append(g.past, next)
}

// begin sets the game up: all dice are rolled and lie beside the board.
func (g *boardGame) begin() {
	players := 2 + g.rng.IntN(2)
	setup := rules.Setup{Players: players}
	book := dessertdice.Game
	if g.Game == table.DiceBox {
		book, setup.Players = dicebox.Game, 2
		g.Colors = [][]table.Color{{table.Red, table.Yellow}, {table.Blue, table.White}}
		setup.Owners = g.Colors
	}
	g.Players = setup.Players
	start, err := book.New(setup)
	if err != nil {
		g.t.Fatal(err)
	}
	g.past = []rules.State{start}
	if g.Game == table.DiceBox {
		g.apply(dicebox.Act{By: rules.Nature, Kind: dicebox.Seed, Die: table.Die{Color: table.Black, Face: 1 + g.rng.IntN(6)}, To: table.Square{Row: 2, Col: 2}})
		b := make(spots, g.Players)
		for p := range b {
			for _, c := range []table.Color{table.Red, table.Yellow, table.Blue, table.White} {
				b[p] = append(b[p], table.Die{Color: c}, table.Die{Color: c}, table.Die{Color: c})
			}
			g.roll(b[p])
			g.tellHand(rules.Player(p), b[p])
		}
		g.beside = []spots{b}
		return
	}
	b := make(spots, 1)
	for _, c := range []table.Color{table.Red, table.Yellow, table.Green, table.Purple} {
		for range 6 {
			b[0] = append(b[0], table.Die{Color: c})
		}
	}
	b[0] = append(b[0], table.Die{Color: table.Black})
	g.roll(b[0])
	var supply dessertdice.Dice
	for _, d := range b[0] {
		supply[slices.Index([]table.Color{table.Red, table.Yellow, table.Green, table.Purple, table.Black}, d.Color)][d.Face]++
	}
	g.apply(dessertdice.Act{By: rules.Nature, Kind: dessertdice.Supply, Supply: supply})
	g.beside = []spots{b}
}

// roll rolls the dice of a player.
func (g *boardGame) roll(dice []table.Die) {
	for i := range dice {
		if dice[i].Color != table.NoColor {
			dice[i].Face = 1 + g.rng.IntN(6)
		}
	}
}

func (g *boardGame) tellHand(p rules.Player, dice []table.Die) {
	g.apply(dicebox.Act{By: rules.Nature, Kind: dicebox.Hand, Of: p, Dice: boxDice(dice)})
}

func boxDice(dice []table.Die) (n dicebox.Dice) {
	for _, d := range dice {
		if c := slices.Index([]table.Color{table.Red, table.Yellow, table.Blue, table.White}, d.Color); c >= 0 {
			n[c][d.Face]++
		}
	}
	return n
}

// act makes the next act.
func (g *boardGame) act() (st step) {
	moves, _ := g.now().Legal()
	by := g.now().ToMove()
	mv := moves[g.rng.IntN(len(moves))]
	if a, is := mv.(dicebox.Act); is && a.Kind == dicebox.Pass {
		g.apply(mv)
		g.beside = append(g.beside, g.beside[len(g.beside)-1])
		return step{Kind: "pass", Player: int(by)}
	}
	legal := true
	if wrong := g.breach(); wrong != nil && g.rng.Float64() < shareIllegal {
		mv, legal = wrong, false
	}
	st = step{Kind: "move", Player: int(by), Legal: &legal}
	last := g.beside[len(g.beside)-1]
	next := make(spots, len(last))
	for p := range last {
		next[p] = slices.Clone(last[p])
	}
	switch a := mv.(type) {
	case dessertdice.Act:
		st.To, st.Color, st.Face = &a.To, a.Die.Color, &a.Die.Face
		if st.Action = "place"; a.Kind == dessertdice.Tip {
			st.Action, st.From = "move", &a.From
		} else {
			take(next[0], a.Die)
		}
	case dicebox.Act:
		if a.Kind == dicebox.Reroll {
			for was := fmt.Sprint(next[by]); fmt.Sprint(next[by]) == was; { // else no camera could tell
				g.roll(next[by])
			}
			a.Known, a.Dice, mv = true, boxDice(next[by]), nil
			g.apply(a)
			st.Action = "reroll"
			break
		}
		st.Action, st.To, st.Color, st.Face = "place", &a.To, a.Die.Color, &a.Die.Face
		take(next[by], a.Die)
	}
	if mv != nil {
		g.apply(mv)
	}
	g.beside = append(g.beside, next)
	return st
}

// take takes a die from those beside the board.
func take(dice []table.Die, d table.Die) { dice[slices.Index(dice, d)] = table.Die{} }

// breach is an act against the rules: a die that is placed where it does not fit, or moved where it cannot go. nil: none was found.
func (g *boardGame) breach() rules.Move {
	board, by := g.now().Expect().Squares, g.now().ToMove()
	var full, empty []table.Square
	for i := range table.Size * table.Size {
		if sq := table.SquareAt(i); board[sq].Color == table.NoColor {
			empty = append(empty, sq)
		} else {
			full = append(full, sq)
		}
	}
	for range 20 {
		to := empty[g.rng.IntN(len(empty))]
		var mv rules.Move
		if g.Game == table.DiceBox {
			own := g.beside[len(g.beside)-1][by]
			d := own[g.rng.IntN(len(own))]
			if d.Color == table.NoColor {
				continue
			}
			mv = dicebox.Act{By: by, Kind: dicebox.Place, Die: d, To: to}
		} else {
			if len(full) == 0 {
				return nil
			}
			from := full[g.rng.IntN(len(full))]
			if abs(from.Row-to.Row)+abs(from.Col-to.Col) != 1 {
				continue // two moves may lead to where the dice lie then
			}
			mv = dessertdice.Act{By: by, Kind: dessertdice.Tip, Die: table.Die{Color: board[from].Color, Face: 1 + g.rng.IntN(6)}, From: from, To: to}
		}
		var why rules.Illegal
		if errors.As(g.now().Check(mv), &why) && why.Code() != "DD-UNDO" { // which would look as if the last one was taken back
			return mv
		}
	}
	return nil
}

// write adds a step that shows for so many frames, after a hand was over the table.
func (g *boardGame) write(st step, frames int) {
	if len(g.Steps) > 0 && frames > 0 {
		g.frame += 4
	}
	st.State = map[string][2]any{}
	for sq, d := range g.now().Expect().Squares {
		st.State[fmt.Sprintf("%d,%d", sq.Row, sq.Col)] = [2]any{d.Color.String(), float64(d.Face)}
	}
	st.First = g.frame
	g.frame += frames
	st.Last = g.frame - 1
	g.Steps = append(g.Steps, st)
}

// TestPlayedBoards: whole games that are seen well are told as they were played.
func TestPlayedBoards(t *testing.T) {
	for _, game := range []table.Game{table.DessertDice, table.DiceBox} {
		doubts, acts := 0, 0
		for i := range uint64(*spoilt) {
			seed := *spoiltStart + i
			s := playBoard(t, game, seed)
			got, want := events(s.play(t, s.frames())), s.want()
			told := slices.DeleteFunc(slices.Clone(got), isDoubt)
			doubts, acts = doubts+len(got)-len(told), acts+len(want)
			if diff := cmp.Diff(want, told); diff != "" {
				t.Errorf("%s %d: told otherwise (-want +got):\n%s", game, seed, diff)
			}
		}
		if t.Logf("%s: %d doubts for %d events", game, doubts, acts); 50*doubts > acts {
			t.Error("that is more than one in fifty")
		}
	}
}
