package match

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"diceref/match/belief"
	"diceref/match/internal/readings"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// flickTable plays a whole game of DICE Flick before a camera: people flick, miss, knock dice about,
// take dice out as they score, take their time, and say what they have done, or forget to.
type flickTable struct {
	rng     *rand.Rand
	t       testing.TB
	m       *Match
	truth   *diceflick.State
	start   *diceflick.State
	frame   int
	at      float64                        // seconds
	said    float64                        // the share of misses and ends of turns that are declared
	answers bool                           // the players answer what is asked
	flick   float64                        // seconds that a flick takes
	turn    float64                        // seconds more between two turns
	spread  float64                        // of both, as a logarithm
	misses  float64                        // the share of flicks that miss
	shakes  float64                        // the share of dice that come to rest aslant, so that the arena is shaken
	looks   map[table.Square]table.Reading // how a die is read as long as it lies
	clean   bool                           // everything is read as it lies
	asked   int                            // questions
	unfit   int                            // of them without the answer that is true
	strayed bool                           // what has happened in truth is not among what is believed
	lost    int                            // so often it came to that
	moves   []string                       // of the truth
	ended   scored                         // the last turn in truth
	rested  int                            // dice that have come to rest in truth
	scores  []taking                       // of the truth that are not 0, in their order
	cells   []string                       // of the truth
	traced  int                            // events that were printed
	watcher *watcher                       // follows the game beside the match; nil: nobody does
}

// newFlickTable begins a game of that seed.
func newFlickTable(t testing.TB, seed uint64, said float64, answers, clean bool) *flickTable {
	rng := rand.New(rand.NewPCG(seed, 35))
	f := &flickTable{rng: rng, t: t, said: said, answers: answers, clean: clean, looks: map[table.Square]table.Reading{}}
	players := 2 + rng.IntN(3)
	if rng.IntN(2) == 0 {
		players = 2
	}
	m, err := New(Config{Game: table.DiceFlick, Players: []string{"A", "B", "C", "D"}[:players]})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	f.m = m
	f.flick, f.spread = 3+5*rng.Float64(), .25+.25*rng.Float64()
	f.turn = f.flick * (1 + 3*rng.Float64())
	f.misses = .15 + .2*rng.Float64()
	start, err := diceflick.Game.New(rules.Setup{Players: players})
	if err != nil {
		t.Fatal(err)
	}
	f.truth = start.(*diceflick.State)
	f.start = f.truth
	holes := rng.Perm(24)
	for i, h := range holes {
		if h >= 12 {
			holes[i]++ // not the center
		}
	}
	k := scoring.DefaultMarkers()
	k.Bonus = 1 << holes[0]
	for i := range k.Upgrade {
		k.Upgrade[i] = 1 << holes[i+1]
	}
	f.play(diceflick.Markers{Markers: k})
	return f
}

// play makes a move in truth.
func (f *flickTable) play(mv rules.Move) {
	f.t.Helper()
	next, err := f.truth.Apply(mv)
	if err != nil {
		f.t.Fatalf("%v: %v", mv, err)
	}
	if s, is := mv.(diceflick.Score); is {
		f.ended = scored{s.By, f.truth.Round(), f.truth.Points(s)}
	}
	if s, is := mv.(diceflick.Score); is && f.truth.Points(s) > 0 {
		f.scores = append(f.scores, taking{scored: scored{s.By, f.truth.Round(), f.truth.Points(s)}, took: s.Removed, rested: f.rested})
	}
	if mv, is := mv.(diceflick.Flick); is && mv.Rests {
		f.rested++
	}
	f.truth = next.(*diceflick.State)
	f.moves = append(f.moves, mv.String())
	f.trace("in truth %s", mv)
}

// trace prints what was told since, and what happens in truth, where one game is looked at.
func (f *flickTable) trace(format string, args ...any) {
	if !testing.Verbose() || *flickGames > 1 {
		return
	}
	events := f.m.Events()
	for _, e := range events[f.traced:] {
		f.t.Logf("      told %6.1f %s %s %q %s", e.T, e.By, e.Text, e.Choices, e.Code)
	}
	f.traced = len(events)
	f.t.Logf(format, args...)
}

// traceWrong prints cells that are told otherwise than in truth while nothing is asked.
func (f *flickTable) traceWrong() {
	got, want := padOf(f.m.line.now().(*diceflick.State)), padOf(f.truth)
	for i := range got {
		if got[i] != "-" && got[i] != want[i] && f.m.ask == "" {
			f.trace("wrong: told %q\n  in truth %q", got, want)
			return
		}
	}
}

// traceLost counts how often what has happened in truth is not among what is believed any more, and prints it where one game is
// looked at.
func (f *flickTable) traceLost() {
	p, as := f.m.turns.set.Chance(f.true), "again"
	if strayed := p == 0; strayed != f.strayed {
		if f.strayed = strayed; strayed {
			as = "lost"
			f.lost++
		}
		f.trace("the truth is %s: %.3g of %d, ask %q", as, p, len(f.m.turns.set.Hypotheses()), f.m.ask)
	}
}

// true says whether a way in which the turns may have gone has come to the same notepad and turn as in truth.
func (f *flickTable) true(h belief.Hypothesis[diceflick.View]) bool {
	s := arenaOf(h).State()
	must, may := s.FlicksLeft()
	wantMust, wantMay := f.truth.FlicksLeft()
	return s.ToMove() == f.truth.ToMove() && must == wantMust && may == wantMay && slices.Equal(padOf(s), padOf(f.truth))
}

// wait lets about so many seconds pass.
func (f *flickTable) wait(seconds float64) {
	if f.rng.Float64() < .04 {
		seconds *= 2 + 4*f.rng.Float64() // somebody talks
	}
	f.at += seconds * math.Exp(f.spread*f.rng.NormFloat64())
}

// look shows frames of the table, with a hand in view first.
func (f *flickTable) look() {
	obs := table.Observation{Game: table.DiceFlick, Width: 800, Height: 600, Look: table.LookHand}
	show := func() {
		f.at += .1
		f.frame = max(f.frame+1, int(f.at*10))
		obs.Frame, obs.T = f.frame, f.at
		f.m.See(obs)
	}
	show()
	obs.Look = table.LookMoving
	show()
	obs = f.view()
	for range 4 {
		show()
	}
	f.watcher.see(f, &obs, "")
	f.hear()
}

// view is a frame in which nothing moves.
func (f *flickTable) view() table.Observation {
	obs := table.Observation{Game: table.DiceFlick, Width: 800, Height: 600, Look: table.LookStill, Read: true}
	obs.Grid = &table.Grid{Found: true, Rows: 5, Cols: 5, Corners: [4]table.Point{{X: 200, Y: 100}, {X: 600, Y: 100}, {X: 600, Y: 500}, {X: 200, Y: 500}}}
	obs.Dice, obs.Markers = f.readings(), f.markers()
	return obs
}

// markers is the stickers in view.
func (f *flickTable) markers() (list []table.MarkerReading) {
	a := f.truth.Arena()
	add := func(h scoring.Holes, name string) {
		for _, sq := range h.Squares() {
			if a.Dice[sq.Index()].Color == table.NoColor && f.rng.Float64() < .9 {
				list = append(list, table.MarkerReading{Row: sq.Row, Col: sq.Col, Marker: name})
			}
		}
	}
	add(a.Markers.Center, table.CenterMarker)
	add(a.Markers.Bonus, table.BonusMarker)
	for i, c := range scoring.Upgrades {
		add(a.Markers.Upgrade[i], c.String())
	}
	return list
}

// readings is how a view of the arena is read: nearly always as it lies, and now and then a die is
// not seen, or doubtfully read, or there seems to be one where none lies.
func (f *flickTable) readings() (list []table.Reading) {
	dice := f.truth.Arena().Dice
	for i, d := range dice {
		sq := table.SquareAt(i)
		if d.Color == table.NoColor {
			delete(f.looks, sq)
			if !f.clean && f.rng.Float64() < .0003 {
				r := readings.Sure(table.Die{Color: table.Yellow, Face: 1 + f.rng.IntN(6)}, &sq, onBoard(sq))
				r.Sure, r.Confidence = false, .3+.4*f.rng.Float64()
				list = append(list, r)
				f.trace("phantom %v on %v", r.Die, sq)
			}
			continue
		}
		if !f.clean && f.rng.Float64() < .001 {
			f.trace("unseen %v on %v", d, sq)
			continue // not seen
		}
		r, known := f.looks[sq]
		if !known || f.lies(r) != d {
			r = f.readAs(d, sq)
			f.looks[sq] = r
		}
		if r.Sure && !f.clean && f.rng.Float64() < .01 {
			r.Sure, r.Confidence = false, .9
		}
		list = append(list, r)
	}
	return list
}

// lies is the die that a remembered reading is of.
func (f *flickTable) lies(r table.Reading) table.Die {
	return table.Die{Color: r.Color, Face: int(r.At.X) % 10}
}

// readAs is how a die is read where it has come to rest.
func (f *flickTable) readAs(d table.Die, sq table.Square) table.Reading {
	at := onBoard(sq)
	at.X = math.Floor(at.X/10)*10 + float64(d.Face)
	r := readings.Sure(d, &sq, at)
	if d.Face == 0 || f.clean || f.rng.Float64() >= .04 {
		return r
	}
	p := .6 + .37*f.rng.Float64() // that it shows what it shows
	if f.rng.Float64() < .1 {
		p = 1 - p
	}
	other := 1 + (d.Face+f.rng.IntN(5))%6
	r.Sure, r.Confidence = false, max(p, 1-p)
	r.Faces = [7]float64{}
	r.Faces[d.Face], r.Faces[other] = p, 1-p
	f.trace("misread %v on %v: %.2f, %d %.2f", d, sq, p, other, 1-p)
	if p < .5 {
		r.Face = other
	}
	return r
}

// declare says a word, or forgets to.
func (f *flickTable) declare(word string) {
	if f.rng.Float64() < f.said {
		f.trace("says %s", word)
		if err := f.m.Declare(Declaration{Say: word}); err != nil {
			f.trace("%s is refused: %v", word, err)
		}
		f.watcher.see(f, nil, word)
		f.hear()
	}
}

// whole plays the game to its end.
func (f *flickTable) whole() {
	f.look()
	for f.truth.ToMove() != rules.Nobody {
		f.oneTurn()
	}
	f.look()
	f.still(restful + 5)
	f.m.Finish()
	for _, e := range f.m.Events() {
		if e.Type == TypeDoubt {
			f.asked++
		}
	}
	f.cells = padOf(f.truth)
}

// still shows the table for so many seconds in which nothing moves.
func (f *flickTable) still(seconds float64) {
	obs := f.view()
	for until := f.at + seconds; f.at < until; {
		f.at++
		f.frame = max(f.frame+1, int(f.at*10))
		obs.Frame, obs.T = f.frame, f.at
		f.m.See(obs)
		f.hear()
	}
}

// oneTurn flicks, takes out what scores, and passes on.
func (f *flickTable) oneTurn() {
	by := f.truth.ToMove()
	for {
		must, may := f.truth.FlicksLeft()
		if may == 0 || must == 0 && f.rng.Float64() < .1 {
			break
		}
		f.wait(f.flick)
		mv := f.aimed(by)
		f.play(mv)
		if mv.Rests || len(mv.Shifts) > 0 || f.rng.Float64() < .3 {
			f.look()
		}
		if f.shakes > 0 && mv.Rests && f.rng.Float64() < f.shakes {
			f.shake()
		}
		if mv.Rests {
			f.traceLost()
		}
		if !mv.Rests {
			f.declare(SayMiss)
		}
	}
	taken := f.scored()
	if taken != 0 {
		f.wait(f.turn / 2)
		parts := []scoring.Holes{taken}
		if squares := taken.Squares(); len(squares) > 1 && f.rng.Float64() < .15 {
			first := scoring.HoleSet(squares[:1+f.rng.IntN(len(squares)-1)]...)
			parts = []scoring.Holes{first, taken &^ first}
		}
		whole := f.truth
		for _, part := range parts[:len(parts)-1] {
			dice := f.truth.Arena().Dice
			for _, sq := range part.Squares() {
				dice[sq.Index()] = table.Die{}
			}
			next, _ := f.truth.Apply(diceflick.Arrange{Dice: dice})
			f.truth = next.(*diceflick.State)
			hush := f.answers
			f.answers = false // in truth nothing is over yet
			f.look()
			f.answers = hush
			f.at += 1.5
		}
		f.truth = whole
	}
	f.play(diceflick.Score{By: by, Seen: true, Removed: taken})
	if taken != 0 {
		f.look()
	}
	f.declare(SayNext)
	f.traceWrong()
	f.wait(f.turn / 2)
}

// shake has somebody shake the arena gently: some dice come to lie in a hole beside theirs, or on another face.
func (f *flickTable) shake() {
	dice := f.truth.Arena().Dice
	for _, at := range squaresWith(dice) {
		d := dice[at.Index()]
		if f.rng.Float64() > .3 {
			continue
		}
		to := table.Square{Row: at.Row + f.rng.IntN(3) - 1, Col: at.Col + f.rng.IntN(3) - 1}
		if to.On() && dice[to.Index()].Color == table.NoColor {
			dice[at.Index()], at = table.Die{}, to
		}
		if d.Face > 0 && f.rng.Float64() < .5 {
			d.Face = 1 + f.rng.IntN(6)
		}
		dice[at.Index()] = d
	}
	f.at += 2
	f.play(diceflick.Arrange{Dice: dice})
	f.look()
}

// scored is the dice that a player takes out: nearly always the best that can be.
func (f *flickTable) scored() scoring.Holes {
	best := f.truth.Best()
	switch p := f.rng.Float64(); {
	case best.Score == 0 || p < .02:
		return 0
	case p < .04:
		for _, step := range best.Steps {
			var holes scoring.Holes
			for _, it := range step.Cells {
				if it.Marker == table.NoColor {
					holes |= scoring.HoleSet(it.Square)
				}
			}
			if holes != 0 && f.truth.Explain(holes).Legal() {
				return holes
			}
		}
	}
	return best.Removed
}

// aimed is a flick as chance has it.
func (f *flickTable) aimed(by rules.Player) diceflick.Flick {
	arena := f.truth.Arena()
	mv := diceflick.Flick{By: by}
	var pool []table.Color
	for c, n := range table.DiceFlick.Kit().Dice {
		for _, d := range arena.Dice {
			if d.Color == c {
				n--
			}
		}
		for range n {
			pool = append(pool, c)
		}
	}
	slices.Sort(pool)
	mv.Die = table.Die{Color: pool[f.rng.IntN(len(pool))]}
	if mv.Die.Color != table.Pink {
		mv.Die.Face = 1 + f.rng.IntN(6)
	}
	knock := func(sq table.Square) {
		shift := diceflick.Shift{From: sq, Off: true}
		d := arena.Dice[sq.Index()]
		to := table.Square{Row: sq.Row + f.rng.IntN(3) - 1, Col: sq.Col + f.rng.IntN(3) - 1}
		if f.rng.Float64() < .6 && to.On() && to != mv.To && arena.Dice[to.Index()].Color == table.NoColor {
			shift = diceflick.Shift{From: sq, To: to, Face: d.Face}
			if d.Face > 0 && f.rng.Float64() < .6 {
				shift.Face = 1 + f.rng.IntN(6)
			}
		}
		mv.Shifts = append(mv.Shifts, shift)
	}
	if f.rng.Float64() < f.misses {
		mv.Die = table.Die{}
		mv.To = table.Square{Row: -1}
		if on := squaresWith(arena.Dice); len(on) > 0 && f.rng.Float64() < .05 {
			knock(on[f.rng.IntN(len(on))])
		}
		return mv
	}
	mv.Rests, mv.To = true, table.SquareAt(f.rng.IntN(25))
	for arena.Dice[mv.To.Index()].Color != table.NoColor && f.rng.Float64() < .6 {
		mv.To = table.SquareAt(f.rng.IntN(25))
	}
	if arena.Dice[mv.To.Index()].Color != table.NoColor {
		knock(mv.To)
	} else if f.rng.Float64() < .08 {
		near := slices.DeleteFunc(squaresWith(arena.Dice), func(sq table.Square) bool { return max(abs(sq.Row-mv.To.Row), abs(sq.Col-mv.To.Col)) > 1 })
		if len(near) > 0 {
			knock(near[f.rng.IntN(len(near))])
		}
	}
	return mv
}

func squaresWith(dice [25]table.Die) (list []table.Square) {
	for i, d := range dice {
		if d.Color != table.NoColor {
			list = append(list, table.SquareAt(i))
		}
	}
	return list
}
