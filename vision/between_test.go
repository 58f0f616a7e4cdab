package vision

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
	"diceref/vision/motion"
	"diceref/vision/register"
)

// lookDown is a thumbnail of a table with a board of 20 pixels a square: red dice, and hands over
// squares.
func lookDown(dice, hands []table.Square) *register.Thumb {
	const thumbWidth = register.Width / 2
	pix := make([]byte, 3*thumbWidth*120)
	for i := range pix {
		pix[i] = 90
	}
	paint := func(sq table.Square, margin int, bgr [3]byte) {
		for y := 20*sq.Row + margin; y < 20*(sq.Row+1)-margin; y++ {
			for x := 20*sq.Col + margin; x < 20*(sq.Col+1)-margin; x++ {
				copy(pix[3*(y*thumbWidth+x):], bgr[:])
			}
		}
	}
	for _, sq := range dice {
		paint(sq, 4, [3]byte{30, 30, 200})
	}
	for _, sq := range hands {
		paint(sq, 0, [3]byte{140, 170, 220})
	}
	return &register.Thumb{Pix: pix, Width: thumbWidth, Height: 120}
}

// readingsOn is the readings of such dice, in a picture ten times as wide.
func readingsOn(dice []table.Square) (list []table.Reading) {
	for _, sq := range dice {
		x, y := 200*float64(sq.Col)+100, 200*float64(sq.Row)+100
		list = append(list, table.Reading{
			Die: table.Die{Color: table.Red, Face: 5}, Square: &sq, At: table.Point{X: x, Y: y},
			Outline: [4]table.Point{{X: x - 60, Y: y - 60}, {X: x + 60, Y: y - 60}, {X: x + 60, Y: y + 60}, {X: x - 60, Y: y + 60}},
		})
	}
	return list
}

// Which of two dice came first is seen where one is there while nothing is on the other's square.
func TestSooner(t *testing.T) {
	type squares = []table.Square
	old, a, b, far := table.Square{Row: 4}, table.Square{Row: 1, Col: 1}, table.Square{Row: 1, Col: 2}, table.Square{Row: 4, Col: 4}
	aside := table.Square{Row: 4, Col: 2}
	type frame struct{ dice, hands squares }
	tests := []struct {
		name   string
		frames []frame
		came   squares
		bumped bool
		want   []table.Sooner
	}{
		{"one lies there, and nothing yet where the other will", []frame{{nil, squares{a, aside}}, {squares{a}, squares{aside}}, {squares{a}, squares{b}}}, squares{a, b}, false, []table.Sooner{{First: a, Then: b, Plain: true}}},
		{"the other way round", []frame{{squares{b}, squares{aside}}}, squares{a, b}, false, []table.Sooner{{First: b, Then: a, Plain: true}}},
		{"the hand is over its neighbor", []frame{{nil, squares{a, b}}, {squares{a}, squares{b}}}, squares{a, b}, false, []table.Sooner{{First: a, Then: b}}},
		{"the hand is far away, where none has been before", []frame{{nil, squares{a}}, {nil, squares{aside}}, {squares{a}, squares{far}}}, squares{a, far}, false, []table.Sooner{{First: a, Then: far, Plain: true}}},
		{"a hand was there before", []frame{{nil, squares{far}}, {squares{a}, squares{far}}}, squares{a, far}, false, []table.Sooner{{First: a, Then: far}}},
		{"hands over both, then both lie there", []frame{{nil, squares{a, b}}, {squares{a, b}, squares{aside}}}, squares{a, b}, false, nil},
		{"nothing between", nil, squares{a, b}, false, nil},
		{"one die", []frame{{squares{a}, squares{aside}}}, squares{a}, false, nil},
		{"the camera was pushed", []frame{{squares{a}, squares{aside}}}, squares{a, b}, true, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s between
			still := motion.Verdict{Look: table.LookStill, Read: true, New: true}
			before := lookDown(squares{old}, nil)
			s.note(before, still)
			s.read(readingsOn(squares{old}), nil, before, 10*register.Width/2)
			for _, f := range tt.frames {
				for range 3 {
					s.note(lookDown(append(squares{old}, f.dice...), f.hands), motion.Verdict{Look: table.LookHand})
				}
			}
			after := append(squares{old}, tt.came...)
			if tt.bumped { // and nothing is known to be where it was
				s = between{}
			}
			s.note(lookDown(after, nil), still)
			for range 2 { // each reading of the view tells it
				got := s.read(readingsOn(after), nil, lookDown(after, nil), 10*register.Width/2)
				if d := cmp.Diff(tt.want, got); d != "" {
					t.Errorf("told otherwise (-want +got):\n%s", d)
				}
			}
		})
	}
}

// However long hands stay, what is kept of them has an end, and the first frames count as well as the last.
func TestSoonerOfManyFrames(t *testing.T) {
	a, b := table.Square{Row: 1, Col: 1}, table.Square{Row: 3, Col: 3}
	both := []table.Square{a, b}
	var s between
	still := motion.Verdict{Look: table.LookStill, Read: true, New: true}
	empty := lookDown(nil, nil)
	s.note(empty, still)
	s.read(nil, nil, empty, 10*register.Width/2)
	for i := range 1000 {
		dice := both[:1]
		if i >= 100 {
			dice = both
		}
		s.note(lookDown(dice, []table.Square{{Row: i % 2, Col: 4}}), motion.Verdict{Look: table.LookMoving})
	}
	if len(s.frames) > mostBetween {
		t.Errorf("%d frames are kept, want at most %d", len(s.frames), mostBetween)
	}
	s.note(lookDown(both, nil), still)
	want := []table.Sooner{{First: a, Then: b, Plain: true}}
	if d := cmp.Diff(want, s.read(readingsOn(both), nil, lookDown(both, nil), 10*register.Width/2)); d != "" {
		t.Errorf("told otherwise (-want +got):\n%s", d)
	}
}
