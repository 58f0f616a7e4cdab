package rules

import (
	"strings"
	"testing"
)

func TestParseToken(t *testing.T) {
	for s, want := range map[string]Token{
		"..": {}, "R3": {'R', 3, 0}, "R1/5": {'R', 1, 5}, "P*": {'P', 0, 0},
	} {
		got, err := ParseToken(s)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v", s, got, err)
		}
		if got.String() != s {
			t.Errorf("%s comes back as %s", s, got)
		}
	}
	for _, s := range []string{"", ".", "R", "R7", "R0", "r3", "R33", "R1/", "R1-5", "R1/7", "R1/1", "R1/6", "P*/2", "é3", "R1/55"} {
		if got, err := ParseToken(s); err == nil {
			t.Errorf("%q was read as %v", s, got)
		}
	}
}

func TestParseBoard(t *testing.T) {
	b, err := ParseBoard([]string{"R1 .. .. .. K6", ".. .. .. .. ..", ".. .. S3 .. ..", ".. .. .. .. ..", "P* .. .. .. Y2/3"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]Token{0: {'R', 1, 0}, 4: {'K', 6, 0}, 12: {'S', 3, 0}, 20: {'P', 0, 0}, 24: {'Y', 2, 3}, 7: {}} {
		if b[i] != want {
			t.Errorf("square %d: %v, want %v", i, b[i], want)
		}
	}
	for _, c := range []struct {
		want string
		rows []string
	}{
		{"5 rows, not 1", []string{".. .. .. .. .."}},
		{"row 1 has 4 squares", []string{".. .. .. .. ..", ".. .. .. ..", "", "", ""}},
		{"row 0 has more than 5", []string{".. .. .. .. .. ..", "", "", "", ""}},
		{"row 0, column 2: \"R9\"", []string{".. .. R9 .. ..", "", "", "", ""}},
	} {
		if _, err := ParseBoard(c.rows); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func FuzzParseToken(f *testing.F) {
	for _, s := range []string{"..", "R3", "R1/5", "P*", "x", "R1/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if tok, err := ParseToken(s); err == nil && tok.String() != s {
			t.Errorf("%q comes back as %q", s, tok)
		}
	})
}
