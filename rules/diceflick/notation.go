package diceflick

import (
	"fmt"
	"strconv"
	"strings"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// letters are the written colors of this game (rules/cases): P is pink here.
var letters = map[table.Color]byte{table.Blue: 'B', table.Yellow: 'Y', table.Green: 'G', table.White: 'W', table.Pink: 'P'}

func letterOf(c table.Color) byte {
	if l, ok := letters[c]; ok {
		return l
	}
	return '?'
}

func colorOf(letter byte) table.Color {
	switch letter {
	case 'B':
		return table.Blue
	case 'Y':
		return table.Yellow
	case 'G':
		return table.Green
	case 'W':
		return table.White
	case 'P':
		return table.Pink
	}
	return table.NoColor
}

// dieOf turns a written die into one of this game's: a blast die has no face.
func dieOf(t rules.Token) (table.Die, error) {
	if t.Empty() {
		return table.Die{}, nil
	}
	d := table.Die{Color: colorOf(t.Letter), Face: t.Face}
	switch {
	case d.Color == table.NoColor:
		return d, fmt.Errorf("%v: DICE Flick has no dice of color %c (expected B, Y, G, W or P)", t, t.Letter)
	case d.Color == table.Pink:
		d.Face = 0
	case d.Face == 0:
		return d, fmt.Errorf("%v: only a pink die has no face", t)
	}
	return d, nil
}

func dieText(d table.Die) string {
	if d.Color == table.NoColor {
		return ".."
	}
	face := d.Face
	if d.Color == table.Pink {
		face = 0
	}
	return rules.Token{Letter: letterOf(d.Color), Face: face}.String()
}

// isDie says whether the set has such dice with such a face.
func isDie(d table.Die) bool {
	if d.Color == table.Pink {
		return d.Face == 0
	}
	return letters[d.Color] != 0 && d.Face >= 1 && d.Face <= 6
}

// ParseArena reads five rows of five written dice.
func ParseArena(rows []string) (dice [25]table.Die, err error) {
	tokens, err := rules.ParseBoard(rows)
	if err != nil {
		return dice, err
	}
	for i, t := range tokens {
		if dice[i], err = dieOf(t); err != nil {
			return dice, fmt.Errorf("row %d, column %d: %w", i/table.Size, i%table.Size, err)
		}
	}
	return dice, nil
}

func rowsOf(dice [25]table.Die) (rows [table.Size]string) {
	for r := range rows {
		var row [table.Size]string
		for c := range row {
			row[c] = dieText(dice[r*table.Size+c])
		}
		rows[r] = strings.Join(row[:], " ")
	}
	return rows
}

// ParseMove reads what the moves' String writes.
func ParseMove(text string) (rules.Move, error) {
	words := strings.Fields(text)
	m, err := parseMove(words)
	if err != nil {
		return nil, fmt.Errorf("cannot read the move %.80q: %w", text, err)
	}
	return m, nil
}

func parseMove(words []string) (rules.Move, error) {
	if len(words) > 0 && words[0] == "markers" {
		return parseMarkers(words[1:])
	}
	if len(words) > 0 && words[0] == "arena" {
		dice, err := ParseArena(strings.Split(strings.Join(words[1:], " "), "/"))
		return Arrange{dice}, err
	}
	if len(words) > 0 && words[0] == "pad" {
		return parseAmend(words[1:])
	}
	if len(words) < 3 {
		return nil, fmt.Errorf("expected a player, then draw, flick, miss or score and what it is about")
	}
	by, err := rules.ParsePlayer(words[0])
	if err != nil {
		return nil, err
	}
	switch words[1] {
	case "draw":
		n, err := strconv.Atoi(words[2])
		if err != nil || n < 0 || n > Dice || len(words) != 3 {
			return nil, fmt.Errorf("expected the number of dice in front of the player after draw")
		}
		return Draw{by, n}, nil
	case "flick", "miss":
		return parseFlick(by, words[1] == "flick", words[2:])
	case "score":
		return parseScore(by, words[2:])
	}
	return nil, fmt.Errorf("%.20q is not one of draw, flick, miss, score", words[1])
}

func parseAmend(words []string) (rules.Move, error) {
	if len(words) != 3 {
		return nil, fmt.Errorf("expected a player, a round and a score or empty after pad")
	}
	by, err := rules.ParsePlayer(words[0])
	if err != nil {
		return nil, err
	}
	m := Amend{Player: by}
	if m.Round, err = strconv.Atoi(words[1]); err != nil || m.Round < 1 || m.Round > Rounds {
		return nil, fmt.Errorf("%.20q is not a round (expected 1 to %d)", words[1], Rounds)
	}
	if words[2] != "empty" {
		n, err := parsePoints(words[2])
		if err != nil {
			return nil, fmt.Errorf("%w or empty", err)
		}
		m.Score = &n
	}
	return m, nil
}

// mostPoints is more than any turn can score with the twenty dice there are.
const mostPoints = 999

func parsePoints(word string) (int, error) {
	n, err := strconv.Atoi(word)
	if err != nil || n > mostPoints || n < -mostPoints {
		return 0, fmt.Errorf("%.20q is not a score: expected a number up to %d", word, mostPoints)
	}
	return n, nil
}

func parseFlick(by rules.Player, rests bool, words []string) (rules.Move, error) {
	m := Flick{By: by, Rests: rests}
	if rests {
		if len(words) < 2 {
			return nil, fmt.Errorf("expected a die and a hole after flick")
		}
		t, err := rules.ParseToken(words[0])
		if err != nil {
			return nil, err
		}
		if m.Die, err = dieOf(t); err != nil || t.Empty() {
			return nil, fmt.Errorf("%.12q is not a die of DICE Flick", words[0])
		}
		if m.To, err = rules.ParseSquare(words[1]); err != nil {
			return nil, err
		}
		words = words[1:]
	} else if m.Die.Color = colorOf(words[0][0]); len(words[0]) != 1 || m.Die.Color == table.NoColor && words[0] != "?" {
		return nil, fmt.Errorf("%.12q is not a color (expected B, Y, G, W, P or ?)", words[0])
	}
	for _, w := range words[1:] {
		from, to, shifted := strings.Cut(w, ">")
		switch {
		case w == "kept":
			m.Kept = true
		case w == "base="+BaseShifted:
			m.Base = BaseShifted
		case shifted:
			s, err := parseShift(from, to)
			if err != nil {
				return nil, err
			}
			m.Shifts = append(m.Shifts, s)
		default:
			return nil, fmt.Errorf("%.20q is not one of kept, base=%s, b2>b3=5, b2>off", w, BaseShifted)
		}
	}
	return m, nil
}

func parseShift(from, to string) (s Shift, err error) {
	if s.From, err = rules.ParseSquare(from); err != nil {
		return s, err
	}
	if to == "off" {
		s.Off = true
		return s, nil
	}
	hole, face, _ := strings.Cut(to, "=")
	if s.To, err = rules.ParseSquare(hole); err != nil {
		return s, err
	}
	if s.Face, err = strconv.Atoi(face); err != nil || s.Face < 0 || s.Face > 6 {
		return s, fmt.Errorf("%.20q: expected the face after = (0 for a blast die)", to)
	}
	return s, nil
}

func parseScore(by rules.Player, words []string) (rules.Move, error) {
	m := Score{By: by}
	if words[0] != "?" {
		n, err := parsePoints(words[0])
		if err != nil {
			return nil, fmt.Errorf("%w or ?", err)
		}
		m.Told, m.Written = true, n
	}
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		var err error
		switch key {
		case "took":
			m.Seen = true
			m.Removed, err = parseHoles(value)
		case "claim":
			m.Claim, err = parseClaim(value)
		case "between":
			m.Between = true
		default:
			err = fmt.Errorf("%.20q is not one of took=, claim=, between", w)
		}
		if err != nil {
			return nil, err
		}
	}
	return m, nil
}

func parseHoles(text string) (scoring.Holes, error) {
	var h scoring.Holes
	if text == "none" {
		return 0, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		sq, err := rules.ParseSquare(name)
		if err != nil || !sq.On() {
			return 0, fmt.Errorf("%.20q is not a hole (expected a1 to e5)", name)
		}
		h |= scoring.HoleSet(sq)
	}
	return h, nil
}

func parseClaim(text string) ([]scoring.Scoring, error) {
	claim := []scoring.Scoring{}
	if text == "none" {
		return claim, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		kind, rest, _ := strings.Cut(part, ":")
		s := scoring.Scoring{Kind: kind}
		switch kind {
		case scoring.Combo:
			for name := range strings.SplitSeq(rest, "+") {
				item, err := parseItem(name)
				if err != nil {
					return nil, err
				}
				s.Cells = append(s.Cells, item)
			}
		case scoring.Blast:
			die, line, _ := strings.Cut(rest, "/")
			var err error
			if s.Die, err = rules.ParseSquare(die); err != nil {
				return nil, err
			}
			s.Line = line
		}
		if err := s.Check(); err != nil {
			return nil, err
		}
		claim = append(claim, s)
	}
	return claim, nil
}

func parseItem(name string) (scoring.Item, error) {
	if color, ok := strings.CutPrefix(name, "@"); ok {
		for _, c := range scoring.Upgrades {
			if c.String() == color {
				return scoring.Item{Marker: c}, nil
			}
		}
		return scoring.Item{}, fmt.Errorf("%.20q is not an upgrade marker (expected @blue, @yellow or @green)", name)
	}
	sq, err := rules.ParseSquare(name)
	return scoring.Item{Square: sq}, err
}

func parseMarkers(words []string) (rules.Move, error) {
	var seen []table.MarkerReading
	for _, w := range words {
		name, hole, _ := strings.Cut(w, "=")
		sq, err := rules.ParseSquare(hole)
		if err != nil {
			return nil, err
		}
		seen = append(seen, table.MarkerReading{Row: sq.Row, Col: sq.Col, Marker: name})
	}
	return MarkersSeen(seen)
}

// markerOf is the place in m of the marker of that name.
func markerOf(m *scoring.Markers, name string) *scoring.Holes {
	switch name {
	case table.CenterMarker:
		return &m.Center
	case table.BonusMarker:
		return &m.Bonus
	case table.BlueMarker:
		return &m.Upgrade[0]
	case table.YellowMarker:
		return &m.Upgrade[1]
	case table.GreenMarker:
		return &m.Upgrade[2]
	}
	return nil
}

var markerNames = [...]string{table.CenterMarker, table.BonusMarker, table.BlueMarker, table.YellowMarker, table.GreenMarker}

// MarkersSeen turns the stickers seen in an arena into the move that makes them
// known; the center's hole is taken to be the middle where it was not seen.
func MarkersSeen(seen []table.MarkerReading) (Markers, error) {
	var m scoring.Markers
	for _, r := range seen {
		sq := table.Square{Row: r.Row, Col: r.Col}
		at := markerOf(&m, r.Marker)
		if at == nil {
			return Markers{}, fmt.Errorf("%.20q is not a marker (expected center, bonus, blue, yellow or green)", r.Marker)
		}
		if !sq.On() {
			return Markers{}, fmt.Errorf("the %s marker cannot be at %v: that is not a hole", r.Marker, sq)
		}
		*at = scoring.HoleSet(sq)
	}
	if m.Center == 0 {
		m.Center = scoring.DefaultMarkers().Center
	}
	return Markers{m}, m.Check()
}

// readings lists the markers that are known, the center first.
func readings(m scoring.Markers) []table.MarkerReading {
	list := []table.MarkerReading{}
	for _, name := range markerNames {
		for _, sq := range markerOf(&m, name).Squares() {
			list = append(list, table.MarkerReading{Row: sq.Row, Col: sq.Col, Marker: name})
		}
	}
	return list
}
