package vision

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/camera"
	"diceref/vision/geometry"
)

// shown is a picture and where its dice are.
type shown struct {
	name string
	game table.Game
	img  gocv.Mat
	dice [][]table.Point // the corners of their tops
}

// showings are some pictures of a folder of testdata, each as it is and cut to stand upright.
func showings(t *testing.T, dir string, want func(name string) bool) []shown {
	t.Helper()
	var out []shown
	for _, p := range picturesOf(t, dir, 1) {
		name := strings.TrimSuffix(filepath.Base(p.Path), ".jpg")
		if !want(name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join("testdata", dir, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var truth struct {
			Dice []struct {
				Top []table.Point `json:"top_px"`
			}
		}
		if err := json.Unmarshal(text, &truth); err != nil {
			t.Fatal(err)
		}
		whole := shown{name: dir + "/" + name, game: p.Game, img: gocv.IMRead(p.Path, gocv.IMReadColor)}
		mid := table.Point{}
		for _, d := range truth.Dice {
			whole.dice = append(whole.dice, d.Top)
			mid.X += d.Top[0].X / float64(len(truth.Dice))
		}
		out = append(out, whole, whole.cut(mid.X))
	}
	if len(out) == 0 {
		t.Fatalf("%s: no pictures", dir)
	}
	return out
}

// cut is the part of a picture about there that is four fifths as wide as high.
func (s shown) cut(x float64) shown {
	w := s.img.Rows() * 4 / 5
	left := min(max(int(x)-w/2, 0), s.img.Cols()-w)
	part := s.img.Region(image.Rect(left, 0, left+w, s.img.Rows()))
	defer part.Close()
	out := shown{name: s.name + " cut", game: s.game, img: part.Clone()}
	for _, d := range s.dice {
		moved := slices.Clone(d)
		for k := range moved {
			moved[k].X -= float64(left)
		}
		out.dice = append(out.dice, moved)
	}
	return out
}

// stored is a PNG that shows a picture once it is turned as its orientation says.
func stored(t testing.TB, img gocv.Mat, orientation int) []byte {
	t.Helper()
	w, h := table.Upright(img.Cols(), img.Rows(), orientation).Size() // as it is stored
	as := camera.Turned(img, table.Upright(w, h, orientation).Back())
	defer as.Close()
	buf, err := gocv.IMEncodeWithParams(gocv.PNGFileExt, as, []int{gocv.IMWritePngCompression, 1})
	if err != nil {
		t.Fatal(err)
	}
	defer buf.Close()
	body := append([]byte("eXIfMM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"), byte(orientation), 0, 0, 0, 0, 0, 0)
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(body)-4)), body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(body))
	const afterHeader = 33
	png := buf.GetBytes()
	return slices.Concat(png[:afterHeader], chunk, png[afterHeader:])
}

// TestEveryWayIn: whatever a picture's layout, however it lies and however it was stored, what is told of it
// is told where it is in the picture that people see: after its EXIF turn, and no other.
func TestEveryWayIn(t *testing.T) {
	r := opened(t)
	var all []shown
	for dir, want := range map[string]func(string) bool{
		"easy":    func(n string) bool { return strings.HasSuffix(n, "102") }, // every game
		"leaning": func(n string) bool { return strings.HasSuffix(n, "700") },
		"between": func(n string) bool { return strings.Contains(n, "hard") },
	} {
		all = append(all, showings(t, dir, want)...)
	}
	slices.SortFunc(all, func(a, b shown) int { return strings.Compare(a.name, b.name) })
	dice := 0
	for i, s := range all {
		for _, game := range []table.Game{s.game, table.Any} {
			var first table.Observation
			for quarters := range 4 {
				if game == table.Any && quarters != 0 && quarters != 1+i%3 {
					continue // as a game's own it is read by each
				}
				orientation := 1 + (3*i+quarters)%8
				turn := table.Unturned(s.img.Cols(), s.img.Rows()).Turned(quarters)
				o := s.read(t, r, game, turn, orientation)
				if quarters == 0 {
					first = o
					dice += s.check(t, o)
				} else {
					sameAnswer(t, s.name, first, o)
				}
			}
		}
		s.img.Close()
	}
	if dice < 100 {
		t.Errorf("only %d dice were compared", dice)
	}
}

// read reads the picture as it was turned and stored, and says what was read of it as it is.
func (s *shown) read(t *testing.T, r *Recognizer, game table.Game, turn table.Turn, orientation int) table.Observation {
	t.Helper()
	turned := camera.Turned(s.img, turn)
	defer turned.Close()
	img, err := camera.Decode(stored(t, turned, orientation))
	if err != nil {
		t.Fatal(err)
	}
	defer img.Close()
	if !samePixels(img, turned) {
		t.Fatalf("%s, %+v: stored with orientation %d it is another picture", s.name, turn, orientation)
	}
	o, err := r.Read(img, game)
	if err != nil {
		t.Fatal(err)
	}
	if w, h := turn.Size(); o.Width != w || o.Height != h {
		t.Errorf("%s as %s, %+v, orientation %d: told to have %d×%d pixels", s.name, game, turn, orientation, o.Width, o.Height)
	}
	return turn.Back().Observation(o)
}

// check counts the dice that are told surely and where there is one, and fails the test if there is none.
func (s *shown) check(t *testing.T, o table.Observation) (dice int) {
	t.Helper()
	for _, d := range o.Dice {
		near := math.Inf(1)
		for _, top := range s.dice {
			mid := table.Point{X: (top[0].X + top[2].X) / 2, Y: (top[0].Y + top[2].Y) / 2}
			near = min(near, geometry.Distance(mid, d.At)/geometry.Distance(top[0], top[2]))
		}
		if !d.Sure {
			continue
		}
		if dice++; near > 0.3 {
			t.Errorf("%s as %s: a %v is told at %v, where none lies", s.name, o.Game, d.Die, d.At)
		}
	}
	return dice
}

func samePixels(a, b gocv.Mat) bool {
	if a.Rows() != b.Rows() || a.Cols() != b.Cols() || a.Type() != b.Type() {
		return false
	}
	return gocv.NormWithMats(a, b, gocv.NormInf) == 0
}
