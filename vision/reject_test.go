package vision

import (
	"math"
	"testing"

	"diceref/table"
)

func TestReadAsDie(t *testing.T) {
	tests := []struct {
		name                 string
		isDie, p, fits, size float64
		want                 bool
	}{
		{"a die", 0.99, 0.99, 1, 0.05, true},
		{"one that hardly stands, read plainly", 0.6, 0.999, 1, 0.05, true},
		{"one that stands, read hardly", 0.999, 0.5, 1, 0.05, true},
		{"one whose size nothing tells", 0.9, 0.9, 1, math.Inf(1), true},
		{"one far off, seen larger than the others tell", 0.999, 0.97, 1, 0.4, true},
		{"a flower: neither face nor color is plain", 0.8, 0.5, 1, 0.05, false},
		{"a number in a color that the game has not", 0.97, 0.9, 0, 0.05, false},
		{"a small flower that stands out", 0.97, 0.5, 0.9, 0.4, false},
	}
	for _, tt := range tests {
		v := verdict{isDie: tt.isDie, p: tt.p, fits: tt.fits}
		if got := v.readAsDie(tt.size); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// On a board's square nothing is left out, however it is read; beside it, what is left out is not beyond doubt.
func TestWithoutIllegible(t *testing.T) {
	s, on := &scene{beyondDoubt: true}, table.Square{Row: 1, Col: 2}
	dice := []placed{{square: &on}, {}, {}}
	plain, hardly := &verdict{isDie: 0.99, p: 0.99, fits: 1}, &verdict{isDie: 0.6, p: 0.3, fits: 1}
	told, vs := s.withoutIllegible(dice, []int{0, 1}, []*verdict{hardly, plain})
	if len(told) != 2 || len(vs) != 2 || !s.beyondDoubt {
		t.Fatalf("%v of %d: want both, beyond doubt %v", told, len(vs), s.beyondDoubt)
	}
	if told, vs = s.withoutIllegible(dice, []int{0, 1, 2}, []*verdict{plain, hardly, plain}); len(told) != 2 || told[1] != 2 || vs[1] != plain || s.beyondDoubt {
		t.Errorf("%v, beyond doubt %v: want the second left out, and a doubt", told, s.beyondDoubt)
	}
}
