package match

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"diceref/match/belief"
	"diceref/table"
)

var moreSeen = flag.String("recordings", "", "more recordings of the games in testdata that TestBoardReadings counts: GAME-ANYTHING.seen.jsonl.gz")

// readCounts counts how dice on the squares of a board were read, and what was read on empty ones.
type readCounts struct {
	dice, missed, sure, sureWrong, unsure, unsureWrong, empty, phantom int
	// told is how many of all that were read show another face by what the reader says of each, and sharper how many by the model.
	told, sharper float64
}

func (n *readCounts) count(s *script, frames []table.Observation) {
	scaled := *s
	for _, o := range frames {
		if scale := float64(o.Width) / 800; scale > 0 {
			for i := range scaled.Corners {
				scaled.Corners[i].X, scaled.Corners[i].Y = s.Corners[i].X*scale, s.Corners[i].Y*scale
			}
			break
		}
	}
	quarters := scaled.numbering(frames)
	for _, o := range frames {
		at := slices.IndexFunc(s.Steps, func(st step) bool { return st.First <= o.Frame && o.Frame <= st.Last })
		if o.Look != table.LookStill || !o.Read || at < 0 {
			continue
		}
		board, read := map[table.Square]table.Die{}, map[table.Square]table.Reading{}
		for sq, d := range s.Steps[at].board() {
			board[turnSquare(sq, quarters)] = d
		}
		for _, r := range o.Dice {
			if r.Square != nil {
				read[*r.Square] = r
			}
		}
		for k := range table.Size * table.Size {
			d, lies := board[table.SquareAt(k)]
			r, seen := read[table.SquareAt(k)]
			n.one(d, lies, r, seen)
		}
	}
}

func (n *readCounts) one(d table.Die, lies bool, r table.Reading, seen bool) {
	add := func(to *int, is bool) {
		if is {
			*to++
		}
	}
	add(&n.dice, lies)
	add(&n.missed, lies && !seen)
	add(&n.empty, !lies)
	add(&n.phantom, !lies && seen)
	add(&n.sure, lies && seen && r.Sure)
	add(&n.sureWrong, lies && seen && r.Sure && r.Die != d)
	add(&n.unsure, lies && seen && !r.Sure)
	add(&n.unsureWrong, lies && seen && !r.Sure && r.Die != d)
	if lies && seen {
		n.told += 1 - r.Faces[r.Face]
		n.sharper += 1 - belief.Observations().Sharpened(r.Faces[:], r.Face)
	}
}

// TestBoardReadings counts how often the eye errs in recordings with known answers, by game, so that one can be fitted and the other
// tells whether that holds. The observation model of boards may not trust the eye more than they do.
func TestBoardReadings(t *testing.T) {
	for _, game := range []string{"dessert-dice", "dice-box"} {
		s, n := loadScript(t, game), readCounts{}
		n.count(s, loadSeen(t, game))
		for _, path := range strings.Fields(*moreSeen) {
			if strings.HasPrefix(filepath.Base(path), game) {
				n.count(s, readSeen(t, path))
			}
		}
		t.Logf("%s: %+v", game, n)
		m := belief.Observations()
		rate := func(k, of int) float64 { return float64(k) / float64(max(of, 1)) }
		if rate(n.missed, n.dice) > m.Missed || rate(n.phantom, n.empty) > m.Phantom || rate(n.sureWrong, n.sure) > m.SurelyWrong || float64(n.sureWrong+n.unsureWrong) > n.sharper {
			t.Errorf("%s: the model of the eye takes it for better than it is", game)
		}
	}
}

func readSeen(t *testing.T, path string) (list []table.Observation) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for dec := json.NewDecoder(z); ; {
		var o table.Observation
		if err := dec.Decode(&o); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
}

// calibrated counts acts by how likely they were when they were told, and how many of them have never happened.
type calibrated struct{ told, wrong [4]int }

var calibratedAt = [4]float64{0, enoughAtLast, beyondDoubt, .999}

// play counts the acts of a game until one is told that has never happened: what follows from it is no mistake of its own.
func (c *calibrated) play(t *testing.T, s *script, frames []table.Observation) {
	m, want, right := s.match(t), s.want(), 1
	defer m.Close()
	for _, o := range frames {
		m.See(o)
		got := inForceNow(m)
		if len(got) <= right {
			continue
		}
		b := &m.course
		p, at := b.set.Began(b.acts()), 0
		for i, limit := range calibratedAt {
			if p >= limit {
				at = i
			}
		}
		c.told[at] += len(got) - right
		if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
			c.wrong[at]++
			return
		}
		right = len(got)
	}
}

// TestBoardCalibration: of the acts that are told with a probability of at least 0.99 no more than one in a hundred has never happened,
// in games of which the readings are spoilt.
func TestBoardCalibration(t *testing.T) {
	t.Parallel()
	var c calibrated
	for _, game := range []table.Game{table.DessertDice, table.DiceBox} {
		for k, f := range flaws {
			for i := range uint64(*spoilt) / 2 {
				seed := *spoiltStart + 700 + i*uint64(len(flaws)) + uint64(k)
				s := playBoard(t, game, seed)
				c.play(t, s, spoiled(rand.New(rand.NewPCG(seed, 3)), s.frames(), f, 1./6))
			}
		}
	}
	for i, limit := range calibratedAt {
		t.Logf("told at %.3f or more: %4d acts, %3d wrong", limit, c.told[i], c.wrong[i])
	}
	told, wrong := c.told[2]+c.told[3], c.wrong[2]+c.wrong[3]
	if told < 200 || wrong*100 > told {
		t.Errorf("of %d acts that were told at 0.99 or more %d have never happened", told, wrong)
	}
}
