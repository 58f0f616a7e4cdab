package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/internal/readings"
	"diceref/table"
)

// A disturbance is what a camera or a reader does to the frames of a game.
type disturbance struct {
	name   string
	exact  bool // every event is still to be told; else the first wrong one must come after a doubt
	doubts int  // at most, for one game
	change func(rng *rand.Rand, frames []table.Observation) []table.Observation
}

var disturbances = []disturbance{
	{"every second frame", true, 0, every(2)},
	{"every third frame", true, 0, every(3)},
	{"numbered from any corner", true, 0, eachRead(func(rng *rand.Rand, o table.Observation) table.Observation {
		if o.Frame == 0 {
			return o // it sets the numbering
		}
		return turned(o, rng.IntN(4))
	})},
	{"camera nudged half way", true, 0, func(rng *rand.Rand, frames []table.Observation) []table.Observation {
		return shift(frames, len(frames)/2, 12, -9)
	}},
	{"nudged under every hand", true, 0, func(rng *rand.Rand, frames []table.Observation) []table.Observation {
		for i := 1; i < len(frames); i++ {
			if frames[i].Look == table.LookHand && frames[i-1].Look != table.LookHand {
				frames = shift(frames, i, 4*rng.NormFloat64(), 4*rng.NormFloat64())
			}
		}
		return frames
	}},
	{"light that flickers", true, 0, func(_ *rand.Rand, frames []table.Observation) []table.Observation {
		for i := range frames {
			if o := &frames[i]; o.Look == table.LookStill && o.Frame%5 == 4 {
				o.Look, o.Read = table.LookMoving, false
			}
		}
		return frames
	}},
	{"doubtful faces", true, 3, eachRead(func(rng *rand.Rand, o table.Observation) table.Observation {
		return misreadOne(rng, o, .62)
	})},
	{"dice beside the board misread", true, 3, eachRead(func(rng *rand.Rand, o table.Observation) table.Observation {
		for i := range o.Dice {
			if o.Dice[i].Square == nil && rng.IntN(12) == 0 {
				readings.Doubt(&o.Dice[i], rng.IntN(6)+1, .5)
			}
		}
		return o
	})},
	{"one read in eight without a die", true, 2, eachRead(func(rng *rand.Rand, o table.Observation) table.Observation {
		if len(o.Dice) > 0 && rng.IntN(8) == 0 {
			i := rng.IntN(len(o.Dice))
			o.Dice = slices.Delete(o.Dice, i, i+1)
		}
		return o
	})},
	{"two reads a view", true, 0, twoReads},
	{"hands taken for a still table", false, 6, handsStill},
	{"whole steps not seen", false, 12, func(rng *rand.Rand, frames []table.Observation) []table.Observation {
		return slices.DeleteFunc(frames, func(o table.Observation) bool { return o.Frame%160 > 140 })
	}},
}

func every(n int) func(*rand.Rand, []table.Observation) []table.Observation {
	return func(_ *rand.Rand, frames []table.Observation) []table.Observation {
		return slices.DeleteFunc(frames, func(o table.Observation) bool { return o.Frame%n != 0 })
	}
}

func eachRead(f func(*rand.Rand, table.Observation) table.Observation) func(*rand.Rand, []table.Observation) []table.Observation {
	return func(rng *rand.Rand, frames []table.Observation) []table.Observation {
		for i, o := range frames {
			if o.Read {
				o.Dice = slices.Clone(o.Dice)
				frames[i] = f(rng, o)
			}
		}
		return frames
	}
}

func shift(frames []table.Observation, from int, dx, dy float64) []table.Observation {
	for i := from; i < len(frames); i++ {
		o := &frames[i]
		if o.Grid == nil {
			continue
		}
		g := *o.Grid
		for k := range g.Corners {
			g.Corners[k].X += dx
			g.Corners[k].Y += dy
		}
		o.Grid = &g
		o.Dice = slices.Clone(o.Dice)
		for k := range o.Dice {
			o.Dice[k].At.X += dx
			o.Dice[k].At.Y += dy
		}
	}
	return frames
}

// misreadOne takes one die on the grid for another face, doubtfully.
func misreadOne(rng *rand.Rand, o table.Observation, p float64) table.Observation {
	if len(o.Dice) == 0 {
		return o
	}
	r := &o.Dice[rng.IntN(len(o.Dice))]
	if r.Square != nil && r.Face > 0 && rng.IntN(3) == 0 {
		readings.Doubt(r, r.Face%6+1, p)
	}
	return o
}

// twoReads keeps the first two readings of every view, as an eye does that is sure of them.
func twoReads(_ *rand.Rand, frames []table.Observation) []table.Observation {
	n := 0
	for i := range frames {
		if frames[i].Look != table.LookStill {
			n = 0
			continue
		}
		if n++; n > 2 {
			frames[i].Read = false
		}
	}
	return frames
}

// handsStill shows hands as still frames in which they hide some of the dice.
func handsStill(rng *rand.Rand, frames []table.Observation) []table.Observation {
	var last table.Observation
	hidden := 0
	for i, o := range frames {
		if o.Look == table.LookStill {
			last = o
			continue
		}
		if o.Look != table.LookHand || last.Grid == nil {
			continue
		}
		if i > 0 && frames[i-1].Frame != last.Frame && hidden == 0 {
			continue
		}
		still := last
		still.Frame, still.T = o.Frame, o.T
		still.Dice = nil
		hidden = rng.IntN(25)
		for _, r := range last.Dice {
			if r.Square == nil || r.Square.Index() != hidden {
				still.Dice = append(still.Dice, r)
			}
		}
		frames[i] = still
	}
	return frames
}

// anyOrder sorts the flicks of a turn that come one after the other: which of two dice that were seen at once came first makes no
// difference.
func anyOrder(events []string) {
	for i := 0; i < len(events); i++ {
		k := i
		for k < len(events) && strings.HasPrefix(events[k], "flick ") && events[k][:7] == events[i][:min(7, len(events[i]))] {
			k++
		}
		if k > i {
			slices.Sort(events[i:k])
			i = k - 1
		}
	}
}

func TestDisturbed(t *testing.T) {
	const seed = 5
	for _, game := range []string{"dessert-dice", "dice-box", "dice-flick"} {
		for _, d := range disturbances {
			t.Run(game+"/"+d.name, func(t *testing.T) {
				s := loadScript(t, game)
				m := s.play(t, d.change(rand.New(rand.NewPCG(seed, seed)), s.frames()))
				var got []string
				doubts, first := 0, -1
				for _, e := range events(m) {
					if strings.HasPrefix(e, "doubt") {
						if doubts++; first < 0 {
							first = len(got)
						}
						t.Log(e)
						continue
					}
					got = append(got, e)
				}
				want := s.want()
				if !d.exact {
					anyOrder(got)
					anyOrder(want)
				}
				wrong := 0
				for wrong < min(len(got), len(want)) && got[wrong] == want[wrong] {
					wrong++
				}
				switch {
				case cmp.Equal(got, want):
				case d.exact:
					t.Errorf("seed %d: events differ (- wanted, + told):\n%s", seed, cmp.Diff(want, got))
				case first < 0 || first > wrong:
					t.Errorf("seed %d: silently wrong from event %d on (- wanted, + told):\n%s", seed, wrong, cmp.Diff(want, got))
				}
				if doubts > d.doubts {
					t.Errorf("%d doubts, at most %d expected", doubts, d.doubts)
				}
			})
		}
	}
}

// TestNeverFree: where from some moment on every view seems to have a hand in it, nothing more
// can be told, and that is said, once and soon.
func TestNeverFree(t *testing.T) {
	for _, game := range []string{"dessert-dice", "dice-box"} {
		s := loadScript(t, game)
		frames := s.frames()
		half := len(frames) / 2
		for i := half; i < len(frames); i++ {
			if o := &frames[i]; o.Look == table.LookStill {
				o.Look, o.Read = table.LookHand, false
			}
		}
		var told []EventView
		for _, e := range s.play(t, frames).Events() {
			if e.Type == TypeDoubt {
				told = append(told, e)
			}
		}
		if len(told) != 1 || told[0].Question.Kind != "covered" || told[0].Frame > half+200 {
			t.Errorf("%s: from frame %d on hands are in view: %+v, want that said once, within 20 seconds", game, half, told)
		}
	}
}

// TestFrameRates: a camera may send more pictures per second than the games were drawn with.
func TestFrameRates(t *testing.T) {
	for _, game := range []string{"dessert-dice", "dice-box", "dice-flick"} {
		for _, times := range []int{3, 6} {
			t.Run(fmt.Sprintf("%s/%d a second", game, 10*times), func(t *testing.T) {
				s := loadScript(t, game)
				var frames []table.Observation
				for _, o := range s.frames() {
					for k := range times {
						each := o
						each.Frame, each.T = o.Frame*times+k, o.T+float64(k)/float64(10*times)
						frames = append(frames, each)
					}
				}
				for i, d := range s.Declare {
					n := *d.Frame*times + times - 1
					s.Declare[i].Frame = &n
				}
				if diff := cmp.Diff(s.want(), events(s.play(t, frames))); diff != "" {
					t.Errorf("events differ (- wanted, + told):\n%s", diff)
				}
			})
		}
	}
}
