package rules

import (
	"fmt"

	"diceref/table"
)

// Token is one square of a written board: a color letter and the top face. Which
// letters there are is each game's own business (P is purple in one and pink in another).
type Token struct {
	Letter byte // 0: empty
	Face   int  // 1 to 6; 0 for a face that does not count ("P*")
	North  int  // the face on the north side, 0 if not known
}

// Empty says whether nothing is there.
func (t Token) Empty() bool { return t.Letter == 0 }

// String writes the token as ParseToken reads it.
func (t Token) String() string {
	switch {
	case t.Letter == 0:
		return ".."
	case t.Face == 0:
		return string([]byte{t.Letter, '*'})
	case t.North == 0:
		return string([]byte{t.Letter, '0' + byte(t.Face)})
	}
	return string([]byte{t.Letter, '0' + byte(t.Face), '/', '0' + byte(t.North)})
}

// ParseToken reads "..", "R3", "R1/5" (red, 1 up, 5 facing north) or "P*".
func ParseToken(s string) (Token, error) {
	if s == ".." {
		return Token{}, nil
	}
	if len(s) != 2 && len(s) != 4 || s[0] < 'A' || s[0] > 'Z' {
		return Token{}, fmt.Errorf("%.12q is not a die (expected a letter and a face such as R3, R1/5 with the north face, or .. for empty)", s)
	}
	t := Token{Letter: s[0]}
	if s[1] == '*' && len(s) == 2 {
		return t, nil
	}
	if t.Face = face(s[1]); t.Face == 0 {
		return Token{}, fmt.Errorf("%.12q has no face from 1 to 6", s)
	}
	if len(s) == 2 {
		return t, nil
	}
	if t.North = face(s[3]); t.North == 0 || s[2] != '/' {
		return Token{}, fmt.Errorf("%.12q has no north face from 1 to 6 after a slash", s)
	}
	if t.North == t.Face || t.North == 7-t.Face {
		return Token{}, fmt.Errorf("%.12q cannot be: with %d up, neither %d nor %d can face north", s, t.Face, t.Face, 7-t.Face)
	}
	return t, nil
}

// ParseBoard reads five rows of five tokens, north first. Errors name the row and the column, from 0.
func ParseBoard(rows []string) ([table.Size * table.Size]Token, error) {
	var b [table.Size * table.Size]Token
	if len(rows) != table.Size {
		return b, fmt.Errorf("a board has %d rows, not %d", table.Size, len(rows))
	}
	for r, row := range rows {
		col := 0
		for i := 0; i < len(row); {
			if row[i] == ' ' {
				i++
				continue
			}
			j := i
			for j < len(row) && row[j] != ' ' {
				j++
			}
			if col == table.Size {
				return b, fmt.Errorf("row %d has more than %d squares", r, table.Size)
			}
			t, err := ParseToken(row[i:j])
			if err != nil {
				return b, fmt.Errorf("row %d, column %d: %w", r, col, err)
			}
			b[r*table.Size+col] = t
			col++
			i = j
		}
		if col != table.Size {
			return b, fmt.Errorf("row %d has %s, not %d", r, table.Count(col, "square", "squares"), table.Size)
		}
	}
	return b, nil
}

func face(c byte) int {
	if c < '1' || c > '6' {
		return 0
	}
	return int(c - '0')
}
