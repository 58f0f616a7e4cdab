package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/internal/readings"
	"diceref/match/internal/tableplan"
	"diceref/table"
)

// turn is one thing that a match is shown or told: a picture, or what a player says.
type turn struct {
	see *table.Observation
	say *Declaration
}

// eventful is a game in which much is misread, and much is said: before it is seen, in doubt,
// and about what no camera sees. It is the same every time.
func eventful(t testing.TB, game table.Game, seed uint64) (c Config, turns []turn) {
	rng := rand.New(rand.NewPCG(seed, 8))
	add := func(d Declaration) { turns = append(turns, turn{say: &d}) }
	show := func(o table.Observation) {
		turns = append(turns, turn{see: &o})
		switch rng.IntN(40) {
		case 0:
			add(Declaration{Say: SayUndo})
		case 1:
			add(Declaration{Say: SayUndo})
			add(Declaration{Say: SayRedo})
		case 2:
			add(Declaration{Say: SayAnswer, Choice: GoOn})
		case 3:
			add(Declaration{Say: SayPause})
			add(Declaration{Say: SayResume})
		case 4:
			c.Players[0] = fmt.Sprint("A", rng.IntN(100))
			add(Declaration{Say: SayNames, Names: slices.Clone(c.Players)})
		case 5:
			add(Declaration{Say: SaySeats, Names: append(slices.Clone(c.Players[1:]), c.Players[0])})
		case 6:
			if len(o.Dice) > 0 && o.Dice[0].Square != nil {
				d := o.Dice[rng.IntN(len(o.Dice))]
				add(Declaration{Say: SayCorrect, Square: d.Square, Color: d.Color, Face: 1 + rng.IntN(6)})
			}
		case 7:
			add(Declaration{Say: SayAnswer, Choice: "the first"})
		}
	}
	if game.Kit().Layout != table.Loose {
		s := loadScript(t, string(game))
		c = Config{Game: game, Players: []string{"A", "B", "C", "D"}[:s.Players], Owners: s.Colors}
		says := s.Declare
		for _, o := range spoiled(rng, s.frames(), flaws[seed%uint64(len(flaws))], 1./4) {
			show(o)
			for len(says) > 0 && *says[0].Frame <= o.Frame {
				d := says[0]
				d.Frame = nil
				add(d)
				says = says[1:]
			}
		}
		return c, turns
	}
	l := layOut(t, game, seed)
	c = Config{Game: game, Players: slices.Clone(l.Truth.Players), Zones: l.zones}
	f := tableplan.Flaws[1+seed%uint64(len(tableplan.Flaws)-1)]
	for i, o := range l.views {
		if i > 0 && rng.IntN(4) == 0 {
			o.Dice = slices.Clone(o.Dice)
			f.Spoil(rng, l.zones, &o)
		}
		for _, e := range l.Truth.Steps[i].Events {
			if e.Type == TypeMove && rng.IntN(2) == 0 {
				add(Declaration{Say: SayPlay, Move: e.Text})
			}
		}
		show(o)
		for _, s := range l.Says {
			if s.Frame == i {
				add(Declaration{Say: s.Say, Move: s.Move, Choice: s.Choice})
			}
		}
	}
	return c, turns
}

// take has a match see or hear what comes next. What makes no sense then is refused.
func (x turn) take(m *Match) error {
	if x.see != nil {
		m.See(*x.see)
		return m.Err()
	}
	d := *x.say
	if d.Say == SayAnswer && d.Choice == "the first" {
		if list := m.Snapshot().Choices; len(list) > 0 {
			d.Choice = list[0]
		}
	}
	_ = m.Declare(d)
	return m.Err()
}

// essence is what a match must know after a restart.
func essence(m *Match) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	fmt.Fprintln(&b, m.seq, digest(m.line.now()), m.line.paused, m.ended, m.setting.Players, m.seats, len(m.line.undone))
	for _, s := range m.line.said {
		fmt.Fprintln(&b, "waits:", s.said.Say, s.said.Move)
	}
	for _, e := range m.log {
		fmt.Fprintln(&b, e.Seq, e.Type, e.Text, e.Undone)
	}
	fmt.Fprintln(&b, m.factsNow().gist())
	return b.String()
}

// TestEverythingIsKept: whenever a match has answered, what it knows by what was said is on
// the disk: a match that goes on from the journal knows the same. More games: -stresses.
func TestEverythingIsKept(t *testing.T) {
	for _, game := range table.Games {
		t.Run(string(game), func(t *testing.T) {
			waited, known, opened := 0, 0, 0
			for seed := uint64(1); seed <= uint64(max(1, *stresses/3)); seed++ {
				j := openTestJournal(t, newJournal(t))
				c, turns := eventful(t, game, seed)
				c.Journal, c.ID = j, "one"
				if *stresses <= 3 { // the short form: doubts by zones take long to think about
					turns = turns[:len(turns)/3]
				}
				m, err := New(c)
				if err != nil {
					t.Fatal(err)
				}
				last := int64(0)
				for i, x := range turns {
					if err := x.take(m); err != nil {
						t.Fatal(err)
					}
					if m.seq == last && x.say == nil {
						continue
					}
					last = m.seq
					again, err := Reread(j, "one")
					if err != nil {
						t.Fatal(err)
					}
					if got, want := essence(again), essence(m); got != want {
						t.Fatalf("seed %d: after %s a restart knows\n%s\nwant\n%s", seed, nameOf(turns[i]), got, want)
					}
					if len(m.line.said) > 0 {
						waited++
					}
					if m.kept != nothingKnown {
						known++
					}
					if m.keptQuestion() != nil {
						opened++
					}
				}
			}
			t.Logf("acts waited %d times, facts were known %d times, questions about what was told %d times", waited, known, opened)
			if known == 0 || game.Kit().Layout == table.Loose && waited == 0 {
				t.Error("nothing was there to be lost")
			}
		})
	}
}

// TestKeptAfterARestart: what a match knows that has itself gone on from the journal is kept, too, as when
// something is said about what is not clear yet.
func TestKeptAfterARestart(t *testing.T) {
	const sitting = 7 // turns before the restart
	for _, seed := range []uint64{11, 13} {
		j := openTestJournal(t, newJournal(t))
		c, turns := eventful(t, table.DiceCreams, seed)
		c.Journal, c.ID = j, "one"
		m, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		var lies table.Observation // how the table looked last
		for i, x := range turns[:16] {
			if err := x.take(m); err != nil {
				t.Fatal(err)
			}
			if x.see != nil {
				lies = *x.see
			}
			if i+1 == sitting {
				if m, err = Resume(j, "one", nil); err != nil {
					t.Fatal(err)
				}
				m.See(lies)
			}
			again, err := Reread(j, "one")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(essence(m), essence(again)); diff != "" {
				t.Fatalf("seed %d: after %s a restart knows otherwise:\n%s", seed, nameOf(x), diff)
			}
		}
	}
}

// nothingKnown is what the journal knows of a table that nobody has seen.
var nothingKnown = facts{}.gist()

func nameOf(x turn) string {
	if x.see != nil {
		return fmt.Sprint("picture ", x.see.Frame)
	}
	return asJSON(x.say)
}

// TestFactsOfBefore: a journal of an earlier version, which knew less, still opens.
func TestFactsOfBefore(t *testing.T) {
	const text = `{"diceref_match":1,"setting":{"id":"old","created":"2026-01-02T03:04:05Z","game":"dessert-dice","players":["A","B"]},"records":[
		{"seq":1,"at":"2026-01-02T03:04:05Z","by":"referee","frame":0,"t":0,"act":{},"event":{"frame":0,"t":0,"type":"start"},"text":"The game begins."},
		{"seq":2,"at":"2026-01-02T03:04:06Z","by":"camera","frame":9,"t":0.9,"act":{"kind":"facts","facts":{"corners":[[1,1],[9,1],[9,9],[1,9]]}}}]}`
	m, err := ReadExport(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if !m.anchor.set || m.anchor.corners[2] != (table.Point{X: 9, Y: 9}) || len(m.line.said) > 0 || m.ask != "" {
		t.Errorf("known of it: %s", essence(m))
	}
}

// TestRestartBeforeTheSameTable: after a restart the table as it lies is not told again
// where an act was undone, and a die that was corrected is read right.
func TestRestartBeforeTheSameTable(t *testing.T) {
	begin := func(game string, frames []table.Observation) (*script, *Match, *Journal) {
		s, j := loadScript(t, game), openTestJournal(t, newJournal(t))
		m, err := New(Config{ID: "one", Game: s.Game, Players: []string{"A", "B", "C"}[:s.Players], Owners: s.Colors, Journal: j})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range frames {
			m.See(o)
		}
		return s, m, j
	}
	again := func(j *Journal, frames []table.Observation) *Match {
		m, err := Resume(j, "one", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range frames {
			m.See(o)
		}
		return m
	}
	inForce := func(m *Match) (list []string) {
		for _, e := range m.Events() {
			if e.Type == TypeMove && !e.Undone {
				list = append(list, told(e.Event))
			}
		}
		return list
	}
	frames := loadScript(t, "dessert-dice").frames()
	s, m, j := begin("dessert-dice", frames[:52]) // the start and two moves
	declare(t, m, Declaration{Say: SayUndo})
	m = again(j, frames[44:52])
	if got := inForce(m); !slices.Equal(got, s.want()[1:2]) {
		t.Errorf("after an undo and a restart are told %q, want %q", got, s.want()[1:2])
	}
	declare(t, m, Declaration{Say: SayRedo})
	if got := inForce(m); !slices.Equal(got, s.want()[1:3]) {
		t.Errorf("said again are %q, want %q", got, s.want()[1:3])
	}

	sq := table.Square{Row: 2, Col: 3}
	frames = loadScript(t, "dice-box").frames()
	for i := range frames {
		if frames[i].Frame < 24 || !frames[i].Read {
			continue
		}
		frames[i].Dice = slices.Clone(frames[i].Dice)
		for k := range frames[i].Dice {
			if r := &frames[i].Dice[k]; r.Square != nil && *r.Square == sq {
				*r = readings.Sure(table.Die{Color: table.Red, Face: 5}, r.Square, r.At) // in truth 2
			}
		}
	}
	s, m, j = begin("dice-box", frames[:30])
	declare(t, m, Declaration{Say: SayCorrect, Square: &sq, Face: 2})
	m = again(j, frames[28:])
	m.Finish()
	var got []string
	for _, e := range m.Events() {
		if e.Type != TypeDoubt && e.Type != TypeCorrect {
			got = append(got, told(e.Event))
		}
	}
	if d := cmp.Diff(s.want(), got); d != "" {
		t.Errorf("after a correction and a restart (- wanted, + told):\n%s", d)
	}
}

// TestRestartByZones: a match by zones that goes on after a restart in the middle of a game tells and
// asks what it would have told and asked without, also where dice are not seen.
func TestRestartByZones(t *testing.T) {
	for _, c := range []struct {
		what    string
		game    table.Game
		seed    uint64
		restart int // before that picture
	}{
		{"dice are hidden in the shop", table.FromageATrois, 2, 33},
		{"a question is open", table.FromageATrois, 3, 13},
		{"another die is hidden than before", table.FromageATrois, 50059, 78},
	} {
		t.Run(c.what, func(t *testing.T) {
			l := layOut(t, c.game, c.seed)
			rng := rand.New(rand.NewPCG(c.seed, 3))
			flaw := tableplan.FlawOf("a die not seen")
			for i := 1; i < len(l.views); i++ {
				if rng.IntN(6) == 0 {
					l.views[i].Dice = slices.Clone(l.views[i].Dice)
					flaw.Spoil(rng, l.zones, &l.views[i])
				}
			}
			l.compareRestart(t, l.views, c.restart)
		})
	}
}

// compareRestart does so of a game that is seen like this, with a restart before a picture.
func (l *laidOut) compareRestart(t *testing.T, views []table.Observation, restart int) {
	t.Helper()
	var turns []turn
	before := 0
	for i, o := range views {
		if i == restart {
			before = len(turns)
		}
		turns = append(turns, turn{see: &o})
		for _, s := range l.Says {
			if s.Frame == i {
				turns = append(turns, turn{say: &Declaration{Say: s.Say, Move: s.Move, Choice: s.Choice}})
			}
		}
	}
	compareRestart(t, Config{Game: l.Game, Players: l.Truth.Players, Zones: l.zones}, turns, before, false)
}

// TestRestartOnABoard: the same of games with a board, or an arena.
func TestRestartOnABoard(t *testing.T) {
	for _, c := range []struct {
		what    string
		game    string
		frames  func(t testing.TB, game string) []table.Observation
		restart int // before that frame
		cut     bool
	}{
		{"dice beside the board are rolled", "dice-box", scripted, 313, false},
		{"the same, as it was recorded", "dice-box", loadSeen, 313, false},
		{"dice beside the board tell what was placed", "dice-box", loadSeen, 456, false},
		{"the roll was told, and its view not kept", "dice-box", scripted, 335, true},
		{"what was taken back is in the journal, and what came after it in doubt", "dessert-dice", noisy, 543, false},
		{"nothing lies in the arena yet", "dice-flick", loadSeen, 16, false},
		{"dice have left the arena", "dice-flick", loadSeen, 46, false},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := loadScript(t, c.game)
			says := s.Declare
			var turns []turn
			before := 0
			for _, o := range c.frames(t, c.game) {
				if o.Frame == c.restart {
					before = len(turns)
				}
				turns = append(turns, turn{see: &o})
				for len(says) > 0 && *says[0].Frame <= o.Frame {
					d := says[0]
					d.Frame = nil
					turns = append(turns, turn{say: &d})
					says = says[1:]
				}
			}
			compareRestart(t, Config{Game: s.Game, Players: []string{"A", "B", "C"}[:s.Players], Owners: s.Colors}, turns, before, c.cut)
		})
	}
}

// TestRestartAfterTheNext: the program stops at once when it has told an act, and goes on when the next one is done: that is a
// die that was placed, though it is not surely read, and not print on the board.
func TestRestartAfterTheNext(t *testing.T) {
	const stops, goesOn = 117, 134 // frames
	seen := loadSeen(t, "dessert-dice")
	c := Config{ID: "one", Game: table.DessertDice, Players: []string{"Ann", "Ben", "Cleo"}, Journal: openTestJournal(t, newJournal(t))}
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range seen[:stops] {
		m.See(o)
	}
	if m, err = Resume(cutJournal(t, m, c.Journal), "one", nil); err != nil {
		t.Fatal(err)
	}
	for _, o := range seen[goesOn:] {
		m.See(o)
	}
	home, err := New(Config{Game: table.DessertDice, Players: c.Players})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range seen {
		home.See(o)
	}
	if diff := cmp.Diff(toldTexts(home), toldTexts(m)); diff != "" {
		t.Errorf("(- at home, + told):\n%s", diff)
	}
}

func toldTexts(m *Match) (list []string) {
	for _, e := range m.Events() {
		list = append(list, e.Text)
	}
	return list
}

func scripted(t testing.TB, game string) []table.Observation { return loadScript(t, game).frames() }

// noisy is a scripted game of which some views are misread.
func noisy(t testing.TB, game string) []table.Observation {
	return spoiled(rand.New(rand.NewPCG(2, 8)), loadScript(t, game).frames(), flaws[2], 1./4)
}

// compareRestart compares what a match tells and asks that goes on from its journal before a turn with
// one that never stopped. With cut the journal ends at what was told last.
func compareRestart(t *testing.T, c Config, turns []turn, before int, cut bool) {
	t.Helper()
	run := func(before int) (told []string) {
		c.ID, c.Journal = "one", openTestJournal(t, newJournal(t))
		m, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range turns {
			if i == before {
				j := c.Journal
				if cut {
					j = cutJournal(t, m, j)
				}
				if m, err = Resume(j, "one", nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := x.take(m); err != nil {
				t.Fatal(err)
			}
		}
		m.Finish()
		for _, e := range m.Events() {
			told = append(told, e.Text)
		}
		return told
	}
	if d := cmp.Diff(run(len(turns)), run(before)); d != "" {
		t.Errorf("(- wanted, + told):\n%s", d)
	}
}

// cutJournal is the journal of a match that stopped at once when it had told its last event.
func cutJournal(t *testing.T, m *Match, j *Journal) *Journal {
	t.Helper()
	records, err := j.Records("one")
	if err != nil {
		t.Fatal(err)
	}
	short := openTestJournal(t, newJournal(t))
	if err := short.begin(m.Setting()); err != nil {
		t.Fatal(err)
	}
	last := m.Events()[len(m.Events())-1].Seq
	t.Logf("it stops at %d of %d records: %s", last, len(records), records[last-1].Text)
	for _, r := range records[:last] {
		if err := short.append("one", r); err != nil {
			t.Fatal(err)
		}
	}
	return short
}
