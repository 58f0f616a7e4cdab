package measure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"diceref/table"
)

const boardAnswer = `{"game":"dice-box","tier":"easy","tags":[],"image":"a.jpg","width":1280,"height":720,
"board":{"corners_px":[[100,100],[600,100],[600,600],[100,600]]},
"dice":[
 {"color":"red","face":3,"top_px":[[120,120],[180,120],[180,180],[120,180]],"in_frame":true,"row":0,"col":0},
 {"color":"blue","face":5,"top_px":[[420,220],[480,220],[480,280],[420,280]],"in_frame":true,"row":1,"col":3},
 {"color":"white","face":1,"top_px":[[10,10],[60,10],[60,60],[10,60]],"in_frame":true},
 {"color":"black","face":2,"top_px":[[-20,300],[20,300],[20,340],[-20,340]],"in_frame":false}]}`

func boardPicture(t *testing.T) *Picture {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.json"), []byte(boardAnswer), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Load(dir)
	if err != nil || len(p) != 1 {
		t.Fatalf("Load: %d pictures, %v", len(p), err)
	}
	return &p[0]
}

func die(c table.Color, face int, x, y float64, sq *table.Square, sure bool) table.Reading {
	return table.Reading{Die: table.Die{Color: c, Face: face}, At: table.Point{X: x, Y: y}, Square: sq, Sure: sure}
}

func board(dice ...table.Reading) table.Observation {
	return table.Observation{
		Width: 1280, Height: 720, Dice: dice,
		Grid: &table.Grid{Found: true, Rows: 5, Cols: 5, Corners: [4]table.Point{{X: 100, Y: 100}, {X: 600, Y: 100}, {X: 600, Y: 600}, {X: 100, Y: 600}}},
	}
}

func TestCompareBoards(t *testing.T) {
	sq := func(r, c int) *table.Square { return &table.Square{Row: r, Col: c} }
	good := []table.Reading{die(table.Red, 3, 150, 150, sq(0, 0), true), die(table.Blue, 5, 450, 250, sq(1, 3), true)}
	turned := board(good...)
	c := turned.Grid.Corners
	turned.Grid.Corners = [4]table.Point{c[1], c[2], c[3], c[0]}
	noGrid := board(good...)
	noGrid.Grid = &table.Grid{}
	cases := []struct {
		name                               string
		o                                  table.Observation
		allRight                           bool
		right, missed, invented, sure, bad int
	}{
		{"all right", board(good...), true, 2, 0, 0, 2, 0},
		{"a loose die beside it, and one cut by the frame", board(append(good[:2:2], die(table.White, 1, 35, 35, nil, false), die(table.Black, 2, 5, 320, nil, true))...), true, 2, 0, 0, 2, 0},
		{"squares that do not go with the corners", turned, false, 0, 0, 0, 2, 2},
		{"a wrong face that is sure", board(good[0], die(table.Blue, 4, 450, 250, sq(1, 3), true)), false, 1, 0, 0, 2, 1},
		{"a wrong color that is not", board(good[0], die(table.Black, 5, 450, 250, sq(1, 3), false)), false, 1, 0, 0, 1, 0},
		{"a wrong square", board(good[0], die(table.Blue, 5, 450, 250, sq(1, 2), false)), false, 1, 0, 0, 1, 0},
		{"one missed", board(good[0]), false, 1, 1, 0, 1, 0},
		{"one invented on the board", board(append(good[:2:2], die(table.Red, 1, 350, 450, sq(3, 2), true))...), false, 2, 0, 1, 2, 1},
		{"one invented beside the board", board(append(good[:2:2], die(table.Red, 1, 1000, 450, nil, false))...), true, 2, 0, 1, 2, 0},
		{"no grid", noGrid, false, 2, 0, 0, 2, 0},
	}
	for _, c := range cases {
		m := Compare(boardPicture(t), c.o)
		if m.AllRight != c.allRight || m.Right != c.right || m.Missed != c.missed || m.Invented != c.invented || m.Sure != c.sure || m.Wrong != c.bad {
			t.Errorf("%s: all right %v, right %d, missed %d, invented %d, sure %d, wrong %d; want %v %d %d %d %d %d (%v)", c.name,
				m.AllRight, m.Right, m.Missed, m.Invented, m.Sure, m.Wrong, c.allRight, c.right, c.missed, c.invented, c.sure, c.bad, m.Faults)
		}
	}
}

func TestCompareKnowsTurnedNumbering(t *testing.T) {
	sq := func(r, c int) *table.Square { return &table.Square{Row: r, Col: c} }
	// Numbered from the second corner: old (row, col) is new (4-col, row).
	o := board(die(table.Red, 3, 150, 150, sq(4, 0), false), die(table.Blue, 5, 450, 250, sq(1, 1), false))
	c := o.Grid.Corners
	o.Grid.Corners = [4]table.Point{c[1], c[2], c[3], c[0]}
	if m := Compare(boardPicture(t), o); !m.AllRight {
		t.Errorf("not all right: %v", m.Faults)
	}
}

func TestReportSumsUp(t *testing.T) {
	var out strings.Builder
	p := boardPicture(t)
	if err := Report(&out, []Mark{Compare(p, board()), Compare(p, board())}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, "easy all 2 100.00% 0.00% 4 0.00% - - 4 0 0.00% 0") {
		t.Errorf("report lacks the sum of two empty readings:\n%s", out.String())
	}
}

func TestLoadNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("an empty folder: %v, want an error that names it", err)
	}
	bad := filepath.Join(dir, "x.json")
	if err := os.WriteFile(bad, []byte(`{"image":"x.jpg","dice":[{"color":"mauve"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "mauve") || !strings.Contains(err.Error(), bad) {
		t.Errorf("an unknown color: %v, want an error that names it and the file", err)
	}
}

// TestLoadCutOut: a die that players corrected, cut out of a picture, is an answer too.
func TestLoadCutOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corrected")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a.json": `{"image":"a.jpg","game":"dice-box","width":80,"height":80,"dice":[{"color":"red","face":3}]}`,
		"b.json": `{"image":"b.jpg","game":"dice-box","width":80,"height":80,"dice":[{"color":"red","face":3,"top_px":[[20,20],[60,20],[60,60],[20,60]]}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pictures, err := Load(dir)
	if err != nil || len(pictures) != 2 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	for i := range pictures {
		o := table.Observation{Game: table.DiceBox, Width: 80, Height: 80, Grid: &table.Grid{}, Dice: []table.Reading{die(table.Red, 3, 43, 38, nil, true)}}
		if m := Compare(&pictures[i], o); !m.AllRight || m.Dice != 1 || m.Sure != 1 || m.Picture.Group != "corrected" {
			t.Errorf("%s: all right %v, %d dice, %d sure, group %q: %v", pictures[i].Path, m.AllRight, m.Dice, m.Sure, m.Picture.Group, m.Faults)
		}
	}
}

// TestMarkersAndBeside counts the stickers of an arena and the dice beside a grid.
func TestMarkersAndBeside(t *testing.T) {
	p := boardPicture(t)
	p.markers = []table.MarkerReading{{Row: 0, Col: 0, Marker: table.BlueMarker}, {Row: 2, Col: 2, Marker: table.CenterMarker}, {Row: 4, Col: 1, Marker: table.GreenMarker}, {Row: 3, Col: 3, Marker: table.BonusMarker}}
	o := board(die(table.White, 1, 35, 35, nil, false)) // [0,0] is covered by a die that was not read
	o.Markers = []table.MarkerReading{{Row: 2, Col: 2, Marker: table.CenterMarker}, {Row: 4, Col: 1, Marker: table.BlueMarker}}
	m := Compare(p, o)
	if m.Markers != 3 || m.MarkersRight != 1 || m.MarkersWrong != 1 {
		t.Errorf("%d of %d markers right, %d wrong; want 1 of 3 and 1", m.MarkersRight, m.Markers, m.MarkersWrong)
	}
	if m.Beside != 1 || m.BesideSeen != 1 {
		t.Errorf("%d of %d dice beside the grid, want 1 of 1", m.BesideSeen, m.Beside)
	}
}
