package rulestest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/table"
)

// Suite says how a game is put through the conformance suite.
type Suite struct {
	// Setups are played one after the other; every number of players should be among them.
	Setups []rules.Setup
	// Opening lists acts to begin with, for what only people or a camera can tell
	// (which dice are in the supply); may be nil.
	Opening func(s rules.State, r *rand.Rand) []rules.Move
	// Games is the number of random games per set-up, 3 if 0; Acts the most acts in one, 300 if 0.
	Games, Acts int
	// Seed makes the random games repeatable; it is printed with every failure.
	Seed uint64
	// Unseen are verbs (a word of the notation) of legal acts that leave no trace, or
	// no clear one, on the table, so that Reconcile cannot recover them.
	Unseen []string
}

// Run puts a game through the whole suite: the playthrough files of dir (a game
// without *.play and *_fail.play files fails) and random play, in which
//   - Legal is sorted by notation, without doubles, the same every time, and lists
//     exactly what Check accepts (where it says that it is complete);
//   - Apply leaves its receiver alone, and so does everything else;
//   - every act that Hints points out is legal;
//   - notation round-trips, moves and states marshal, a match replays from its notation;
//   - every legal act that changes the grid is recovered by Reconcile from the picture of its own result.
func Run(t *testing.T, g rules.Game, dir string, suite Suite) {
	t.Helper()
	t.Run("playthroughs", func(t *testing.T) { Playthroughs(t, g, dir) })
	for i, setup := range suite.Setups {
		for n := range max(suite.Games, 1+2*boolInt(suite.Games == 0)) {
			seed := suite.Seed + uint64(1000*i+n)
			t.Run(fmt.Sprintf("random/%d-players/seed-%d", setup.Players, seed), func(t *testing.T) {
				p := &player{t: t, g: g, suite: suite, setup: setup, r: rand.New(rand.NewPCG(seed, 1)), known: map[string]rules.Move{}}
				p.play()
			})
		}
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// player plays one random game.
type player struct {
	t     *testing.T
	g     rules.Game
	suite Suite
	setup rules.Setup
	r     *rand.Rand
	log   []string
	known map[string]rules.Move // acts of players that were legal at some moment
}

func (p *player) fatalf(format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf("%s\nafter %d acts:\n%s", fmt.Sprintf(format, args...), len(p.log), strings.Join(p.log, "\n"))
}

func (p *player) play() {
	s, err := p.g.New(p.setup)
	if err != nil {
		p.t.Fatal(err)
	}
	if p.suite.Opening != nil {
		for _, m := range p.suite.Opening(s, p.r) {
			s = p.apply(s, m)
		}
	}
	limit := p.suite.Acts
	if limit == 0 {
		limit = 300
	}
	for range limit {
		p.checkSheets(s)
		if s.ToMove() == rules.Nobody {
			if moves, _ := s.Legal(); len(moves) > 0 {
				p.fatalf("the game is over, but %s is listed as legal", moves[0])
			}
			break
		}
		moves := p.checkLegal(s)
		p.checkHints(s)
		p.recover(s, moves)
		s = p.apply(s, p.choose(s, moves))
	}
	p.checkReplay(s)
}

func (p *player) choose(s rules.State, moves []rules.Move) rules.Move {
	if c, ok := s.(rules.Chancer); ok && s.ToMove() == rules.Nature {
		return c.Chance(p.r)
	}
	if len(moves) == 0 {
		p.fatalf("%s is to act, but no act is legal", s.ToMove())
	}
	return moves[p.r.IntN(len(moves))]
}

// apply plays an act and checks that nothing but the result changed.
func (p *player) apply(s rules.State, m rules.Move) rules.State {
	before := p.picture(s)
	if err := s.Check(m); err != nil {
		p.fatalf("%s is not accepted: %v", m, err)
	}
	next, err := s.Apply(m)
	if err != nil {
		p.fatalf("cannot apply %s: %v", m, err)
	}
	if after := p.picture(s); after != before {
		p.fatalf("Apply(%s) changed its receiver\nfrom %s\nto   %s", m, before, after)
	}
	back, err := p.g.ParseMove(m.String())
	if err != nil || back.String() != m.String() || back.Actor() != m.Actor() {
		p.fatalf("%q comes back as %v (%v)", m.String(), back, err)
	}
	if _, err := json.Marshal(m); err != nil {
		p.fatalf("%s cannot be written as JSON: %v", m, err)
	}
	p.log = append(p.log, m.String())
	return next
}

// picture is all that a state shows.
func (p *player) picture(s rules.State) string {
	var b strings.Builder
	for who := rules.Nobody; int(who) < p.setup.Players; who++ {
		if who == rules.Nature {
			continue
		}
		text, err := json.Marshal(s.Show(who))
		if err != nil {
			p.fatalf("what %s sees cannot be written as JSON: %v", who, err)
		}
		b.Write(text)
	}
	moves, complete := s.Legal()
	fmt.Fprintf(&b, " to move %v score %v legal %v %v view %s hints %v", s.ToMove(), s.Score(), words(moves), complete, viewText(s.Expect()), hints(s))
	return b.String()
}

func words(moves []rules.Move) []string {
	w := make([]string, len(moves))
	for i, m := range moves {
		w[i] = m.String()
	}
	return w
}

func viewText(v table.View) string {
	board := rules.ExpectedBoard(v)
	loose := make([]string, len(v.Loose))
	for i, d := range v.Loose {
		loose[i] = fmt.Sprint(d)
	}
	slices.Sort(loose)
	return fmt.Sprint(board, loose, v.LooseKnown)
}

func (p *player) checkSheets(s rules.State) {
	sheets := s.Score()
	if len(sheets) != p.setup.Players {
		p.fatalf("%d score sheets for %d players", len(sheets), p.setup.Players)
	}
	for seat, sheet := range sheets {
		if sheet.Player != seat {
			p.fatalf("sheet %d is of player %d: want seat order", seat, sheet.Player)
		}
	}
}

// checkLegal compares the list of legal acts with Check, over every act that was legal at some moment of the game.
func (p *player) checkLegal(s rules.State) []rules.Move {
	moves, complete := s.Legal()
	list := words(moves)
	if again, _ := s.Legal(); !slices.Equal(list, words(again)) {
		p.fatalf("Legal gives another list the second time")
	}
	for i, w := range list {
		if i > 0 && list[i-1] >= w {
			p.fatalf("Legal is not sorted by notation, or has doubles: %q before %q (rules.SortMoves)", list[i-1], w)
		}
		if len(p.known) < 500 && moves[i].Actor() >= 0 {
			p.known[w] = moves[i]
		}
		if err := s.Check(moves[i]); err != nil {
			p.fatalf("%s is listed as legal: %v", w, err)
		}
	}
	if !complete {
		return moves
	}
	for w, m := range p.known {
		if _, listed := slices.BinarySearch(list, w); !listed && s.Check(m) == nil {
			p.fatalf("%s is accepted but not listed as legal", w)
		}
	}
	return moves
}

// recover lets Reconcile look at the result of some legal acts.
func (p *player) recover(s rules.State, moves []rules.Move) {
	for range min(len(moves), 4) {
		m := moves[p.r.IntN(len(moves))]
		if p.unseen(m) {
			continue
		}
		after, err := s.Apply(m)
		if err != nil {
			p.fatalf("cannot apply %s: %v", m, err)
		}
		want := after.Expect()
		if rules.Compare(rules.ExpectedBoard(s.Expect()), rules.ExpectedBoard(want)).Count() == 0 {
			continue // nothing on the grid tells of it
		}
		got := rules.Reconcile(s, Picture(p.g.Name(), want), rules.ReconcileOptions{Earlier: nil})
		if got.Verdict != rules.Explained || len(got.Line) != 1 || got.Line[0].String() != m.String() {
			p.fatalf("the picture of %s is reconciled as %s: %s (margin %.1f) %s", m, got.Verdict, got.Story, got.Margin, got.Ask)
		}
	}
}

func (p *player) unseen(m rules.Move) bool {
	for _, word := range strings.Fields(m.String()) {
		if slices.Contains(p.suite.Unseen, word) {
			return true
		}
	}
	return false
}

// Picture is an exact observation of a view.
func Picture(g table.Game, v table.View) table.Observation {
	seen := table.Observation{Game: g, Look: table.LookStill, Read: true}
	if g.Kit().Layout != table.Loose {
		seen.Grid = &table.Grid{Found: true, Rows: table.Size, Cols: table.Size}
	}
	for i, d := range rules.ExpectedBoard(v) {
		if d.Color != table.NoColor {
			sq := table.SquareAt(i)
			seen.Dice = append(seen.Dice, table.Reading{Die: d, Square: &sq, Confidence: 1, Sure: true})
		}
	}
	for _, d := range v.Loose {
		seen.Dice = append(seen.Dice, table.Reading{Die: d, Confidence: 1, Sure: true})
	}
	return seen
}

// checkReplay plays the game again from its notation.
func (p *player) checkReplay(s rules.State) {
	again, err := rules.Replay(p.g, p.setup, p.log)
	if err != nil {
		p.fatalf("cannot replay: %v", err)
	}
	if got, want := p.picture(again), p.picture(s); got != want {
		p.fatalf("the replay differs:\n%s\n%s", got, want)
	}
}
