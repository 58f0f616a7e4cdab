package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/owned"
)

// fakeEye is an eye that the tests start in place of the real one, which wants
// OpenCV: every picture shows the same two dice, and one with "kill" in it kills it;
// what it watches is a file of what an eye once told.
func fakeEye() {
	if err := eye.Serve(os.Stdin, eye.NewVoice(os.Stdout), fakeReader{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type fakeReader struct{}

func (fakeReader) Dice(*owned.Set) {}

func (fakeReader) Top(sq table.Square) (*table.Top, error) { return fakeTop(sq.Col).Told(), nil }

func (fakeReader) Sign(s *owned.Set) (*owned.Set, error) { return s, nil }

func (fakeReader) Preview(eye.View)   {}
func (fakeReader) Teach(table.Lesson) {}
func (fakeReader) Read(q eye.StillRequest, picture []byte) (table.Observation, []byte, error) {
	if bytes.Contains(picture, []byte("kill")) {
		fmt.Fprintln(os.Stderr, "terminate called after throwing\n  what():  an exception in C++")
		os.Exit(134)
	}
	o := table.Observation{
		Game: q.Game, Width: 24, Height: 16, Look: table.LookStill, Read: true, MS: table.Timing{Decode: 1.5, Read: 2},
		Dice: []table.Reading{
			{Die: table.Die{Color: table.Red, Face: 3}, Square: &table.Square{Row: 0, Col: 4}, At: table.Point{X: 5.5, Y: 6}, Confidence: 0.99712, Sure: true},
			{Die: table.Die{Color: table.Pink}, At: table.Point{X: 9, Y: 1}, Confidence: 0.5},
		},
	}
	if q.Tops {
		for i := range o.Dice {
			o.Dice[i].Top = fakeTop(i + len(picture)).Told()
		}
	}
	switch q.Game.Kit().Layout {
	case table.Loose:
		o.Dice[0].Square = nil
	case table.Arena:
		o.Markers = []table.MarkerReading{{Row: 2, Col: 2, Marker: table.CenterMarker}}
		fallthrough
	default:
		o.Grid = &table.Grid{Found: true, Rows: 5, Cols: 5, Corners: [4]table.Point{{X: 1, Y: 2}, {X: 3, Y: 2}, {X: 3, Y: 4}, {X: 1, Y: 4}}}
		o.Warnings = []table.Warning{{Code: "glare", Text: "a lamp is reflected"}}
	}
	return o, nil, nil
}

// fakeTop is a made-up top: tops of even numbers show the same, and those of odd ones.
func fakeTop(n int) *owned.Top {
	var numbers [owned.Turns][owned.Dim]float32
	for turn := range numbers {
		numbers[turn][n%2*owned.Turns+turn] = 1
	}
	top := &owned.Top{Picture: new(owned.Picture), Signature: new(owned.Signature)}
	for turn := range numbers {
		top.Signature[turn] = owned.VectorOf(numbers[turn][:])
	}
	return top
}

// pictures makes a folder with pictures and other files in it.
func pictures(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 24, 16)), nil); err != nil {
		t.Fatal(err)
	}
	good := b.Bytes()
	killer := append([]byte("\xff\xd8\xff\xfe\x00\x06kill"), good[2:]...)
	huge := bytes.Clone(good)
	at := bytes.Index(huge, []byte{0xff, 0xc0})
	copy(huge[at+5:], []byte{10000 >> 8, 10000 & 0xff, 10000 >> 8, 10000 & 0xff})
	for name, data := range map[string][]byte{
		"good.jpg": good, "kill.jpg": killer, "text.jpg": []byte("just words"), "cut.jpg": good[:len(good)/2], "huge.jpg": huge, "empty.png": nil,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// diceref runs a command line in this process, with the fake eye.
func diceref(t *testing.T, in string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("HOME", t.TempDir()) // no configuration of this machine's user
	t.Setenv("XDG_CONFIG_HOME", "")
	var out, errs strings.Builder
	code = run(t.Context(), append(args, "--eye", "fake-eye"), strings.NewReader(in), &out, &errs)
	return code, out.String(), errs.String()
}

// TestReadKeepsGoing reads good files among all sorts of bad ones.
func TestReadKeepsGoing(t *testing.T) {
	dir := pictures(t)
	t.Chdir(dir)
	code, stdout, stderr := diceref(t, "", "read", "--game", "dice-box", "--json",
		"good.jpg", "none.jpg", "text.jpg", "cut.jpg", "kill.jpg", "huge.jpg", "empty.png", ".", "good.jpg")
	line := `{"image":"good.jpg","width":24,"height":16,` +
		`"board":{"found":true,"rows":5,"cols":5,"corners":[[1.0,2.0],[3.0,2.0],[3.0,4.0],[1.0,4.0]]},` +
		`"dice":[{"color":"red","face":3,"row":0,"col":4,"x":5.5,"y":6,"confidence":0.997,"sure":true},` +
		`{"color":"pink","face":null,"row":null,"col":null,"x":9,"y":1,"confidence":0.5,"sure":false}],` +
		`"warnings":[{"code":"glare","text":"a lamp is reflected"}],"ms":{"decode":1.5,"read":2}}` + "\n"
	if diff := cmp.Diff(line+line, stdout); diff != "" {
		t.Errorf("standard output (- want, + got):\n%s", diff)
	}
	want := `diceref: cannot read none.jpg: no such file or directory
diceref: cannot read text.jpg: not a JPEG, PNG, WebP, HEIC or AVIF picture
diceref: cannot read cut.jpg: truncated: the file ends before the picture does
diceref: cannot read kill.jpg: the eye crashed on this picture (exit status 134: what(): an exception in C++)
diceref: cannot read huge.jpg: 10000×10000 pixels are too many (at most 64 megapixels and 20000 pixels a side): make it smaller
diceref: cannot read empty.png: the file is empty
diceref: cannot read .: it is a folder (give the pictures in it: *.jpg)
`
	if diff := cmp.Diff(want, stderr); diff != "" {
		t.Errorf("standard error (- want, + got):\n%s", diff)
	}
	if code != exitBad {
		t.Errorf("exit code %d, want %d", code, exitBad)
	}
}

// TestReadForms reads as every kind of game.
func TestReadForms(t *testing.T) {
	t.Chdir(pictures(t))
	for game, want := range map[string]struct{ board, markers string }{
		"dessert-dice": {"true", ""},
		"dice-flick":   {"true", `[{"row":2,"col":2,"marker":"center"}]`},
		"dicecreams":   {"null", ""},
		"any":          {"null", ""},
	} {
		code, stdout, stderr := diceref(t, "", "read", "--game", game, "--json", "good.jpg")
		var line map[string]json.RawMessage
		if err := json.Unmarshal([]byte(stdout), &line); err != nil || code != exitDone || stderr != "" {
			t.Fatalf("%s: exit code %d, %v, standard error %q", game, code, err, stderr)
		}
		if board := string(line["board"]); (board == "null") != (want.board == "null") {
			t.Errorf("%s: the board is %s", game, board)
		}
		if got := string(line["markers"]); got != want.markers {
			t.Errorf("%s: the markers are %s, want %s", game, got, want.markers)
		}
		if game == "any" && string(line["warnings"]) != "[]" {
			t.Errorf("no warnings are told as %s", line["warnings"])
		}
	}
}

func TestReadForPeople(t *testing.T) {
	t.Chdir(pictures(t))
	picture, err := os.ReadFile("good.jpg")
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := diceref(t, string(picture), "read", "--game", "dice-flick", "-")
	want := `-: 24×16 pixels, arena found, 2 dice, 1 of them sure
  e1      red   3      99.7 %  
  beside  pink  blast  50.0 %  not sure
  sticker center at c3
  glare: a lamp is reflected
`
	if diff := cmp.Diff(want, stdout); diff != "" || code != exitDone || stderr != "" {
		t.Errorf("exit code %d, standard error %q, standard output (- want, + got):\n%s", code, stderr, diff)
	}
}

func TestReadUsage(t *testing.T) {
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"read --game dice-box", exitUsage, "no pictures given"},
		{"read x.jpg", exitUsage, "--game"},
		{"read --game chess x.jpg", exitUsage, `unknown game "chess"`},
		{"read --game any --eye /nonexistent/eye x.jpg", exitBad, "/nonexistent/eye"},
	} {
		var out, errs strings.Builder
		t.Setenv("HOME", t.TempDir())
		code := run(t.Context(), strings.Fields(test.args), strings.NewReader(""), &out, &errs)
		if code != test.code || !strings.Contains(errs.String(), test.want) || strings.Count(errs.String(), "\n") != 1 || out.Len() > 0 {
			t.Errorf("%s: exit code %d, standard output %q, standard error %q; want %d and one line with %q", test.args, code, out.String(), errs.String(), test.code, test.want)
		}
	}
}
