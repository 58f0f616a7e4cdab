package owned

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"diceref/table"
)

// symbol is a made-up symbol: a direction for each quarter turn.
type symbol Signature

func newSymbol(rng *rand.Rand) (s symbol) {
	for i := range s {
		s[i] = direction(rng)
	}
	return s
}

func direction(rng *rand.Rand) Vector {
	var v [Dim]float32
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return VectorOf(v[:])
}

// top is a look at a symbol, in any quarter turn, so many parts of it noise.
func (s symbol) top(rng *rand.Rand, noise float64) Top {
	var sig Signature
	turn := rng.IntN(Turns)
	for i := range sig {
		other := direction(rng)
		var v [Dim]float32
		for k := range v {
			v[k] = float32((1-noise)*float64(s[(i+turn)%Turns][k]) + noise*float64(other[k]))
		}
		sig[i] = VectorOf(v[:])
	}
	p := new(Picture)
	for i := range p {
		p[i] = uint8(rng.IntN(256))
	}
	return Top{Picture: p, Signature: &sig}
}

const little = 0.12 // noise of a usual look

// throw is so many tops of symbols, and which they are.
func throw(rng *rand.Rand, symbols []symbol, n int) (tops []Top, of []int) {
	for i := range n {
		k := i % len(symbols)
		tops, of = append(tops, symbols[k].top(rng, little)), append(of, k)
	}
	return tops, of
}

// TestShown shows a set in two throws: the first is grouped by symbols, the second asks about the new symbol alone, and then every top
// is read, whatever way up it lies, but one that was never shown.
func TestShown(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		symbols := []symbol{newSymbol(rng), newSymbol(rng), newSymbol(rng), newSymbol(rng), newSymbol(rng)}
		s := NewSet(table.Any, "mine")
		tops, of := throw(rng, symbols[:4], 25)
		groups, fresh, err := s.Sort(tops)
		if err != nil || fresh != 0 || len(s.Groups) != 4 {
			t.Fatalf("seed %d: %d groups, the first new one is %d, %v; want 4 and 0", seed, len(s.Groups), fresh, err)
		}
		for i := range groups {
			if groups[i] != groups[of[i]] {
				t.Errorf("seed %d: top %d of symbol %d is in group %d, others of it in %d", seed, i, of[i], groups[i], groups[of[i]])
			}
		}
		tops, of = throw(rng, symbols[:4], 20)
		tops = append(tops, symbols[4].top(rng, little))
		again, fresh, err := s.Sort(tops)
		if err != nil || fresh != 4 || len(s.Groups) != 5 || again[20] != 4 {
			t.Fatalf("seed %d: a second throw makes %d groups, from %d, %v; want 5 and the last new", seed, len(s.Groups), fresh, err)
		}
		for i := range of {
			if again[i] != groups[of[i]] {
				t.Errorf("seed %d: top %d of symbol %d is in group %d now, it was %d", seed, i, of[i], again[i], groups[of[i]])
			}
		}
		for i := range s.Groups {
			s.Rename(i, Name(fmt.Sprint(i+1)), 0)
		}
		x := NewIndex(s)
		for k, symbol := range symbols {
			top := symbol.top(rng, little)
			want := Name(fmt.Sprint(5))
			if k < 4 {
				want = Name(fmt.Sprint(groups[k] + 1))
			}
			if m := x.Match(&top.Signature[0], 0); m.Name != want || m.P < surelySame {
				t.Errorf("seed %d: symbol %d is read as %+v, want %s surely", seed, k, m, want)
			}
		}
		stranger := newSymbol(rng).top(rng, 0)
		if m := x.Match(&stranger.Signature[0], 0); m.Known() {
			t.Errorf("seed %d: what was never shown is read as %+v", seed, m)
		}
	}
}

// TestAlike: a symbol that is another the other way up is told while it is shown, and is never surely read.
func TestAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	six, other := newSymbol(rng), newSymbol(rng)
	nine := symbol{six[2], six[3], six[0], six[1]}
	s := NewSet(table.Any, "")
	for name, symbol := range map[Name]symbol{"6": six, "9x": nine, "1": other} {
		s.Groups = append(s.Groups, Group{Name: name, Tops: []Top{symbol.top(rng, little), symbol.top(rng, little)}})
	}
	pairs := s.Alike()
	if len(pairs) != 1 || !slices.Contains(pairs[0][:], "6") || !slices.Contains(pairs[0][:], "9x") {
		t.Errorf("alike are %v, want 6 and 9x", pairs)
	}
	x := NewIndex(s)
	for range 50 {
		top := six.top(rng, little)
		if m := x.Match(&top.Signature[0], 0); m.P >= surelySame {
			t.Errorf("a 6 that may be a 9 is read as %+v", m)
		}
	}
	if top := other.top(rng, little); x.Match(&top.Signature[0], 0).P < surelySame {
		t.Error("the 1 is not sure any more")
	}
}

// TestPips: tops that look alike but plainly have another number of pips are in groups of their own, and are told apart.
func TestPips(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	dots := newSymbol(rng)
	var tops []Top
	for i := range 12 {
		top := dots.top(rng, little)
		top.Pips = 4 + i%3
		tops = append(tops, top)
	}
	s := NewSet(table.DiceBox, "")
	groups, _, err := s.Sort(tops)
	if err != nil || len(s.Groups) != 3 {
		t.Fatalf("%d groups, %v, want 3", len(s.Groups), err)
	}
	for i, g := range groups {
		want := Name(fmt.Sprint(tops[i].Pips))
		if got := s.Suggest(g); got != want {
			t.Errorf("%s pips may be %q", want, got)
		}
		s.Rename(g, want, 0)
	}
	for _, top := range tops {
		if m := NewIndex(s).Match(&top.Signature[0], top.Pips); m.Name != Name(fmt.Sprint(top.Pips)) || m.P < surelySame {
			t.Errorf("%d pips are read as %+v", top.Pips, m)
		}
	}
	if m := NewIndex(s).Match(&tops[0].Signature[0], 0); m.P >= surelySame {
		t.Errorf("dots that nobody counted are read as %+v", m)
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct {
		game table.Game
		text string
		want Name
		face int
		err  string
	}{
		{table.Any, "3", "3", 0, ""},
		{table.Any, " Skull ", "skull", 0, ""},
		{table.Any, "2 skull", "skull", 2, ""},
		{table.DiceFlick, "blast", "burst", 0, ""},
		{table.Any, "no die", "none", 0, ""},
		{table.DessertDice, "sweet + jello, s", "jello tart+sweet roll", 0, ""},
		{table.DessertDice, "5 pop", "popsicle", 5, ""},
		{table.FromageATrois, "Brie", "brie", 0, ""},
		{table.DessertDice, "pudding", "", 0, `unknown icon "pudding"`},
		{table.Any, "7", "", 0, "from 1 to 6"},
		{table.Any, "2 3", "", 0, "only icons"},
		{table.Any, "", "", 0, "say what it shows"},
		{table.Any, "<script>", "", 0, "no name for an icon"},
		{table.Any, "a+b+c+d+e", "", 0, "1 to 4 icons"},
		{table.Any, "+", "", 0, "1 to 4 icons"},
	} {
		name, face, err := ParseFace(test.game, test.text)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%q: %v, want an error with %q", test.text, err, test.err)
			}
		} else if err != nil || name != test.want || face != test.face {
			t.Errorf("%q is %q on %d, %v; want %q on %d", test.text, name, face, err, test.want, test.face)
		}
	}
}

// TestFaces: numbers are what they are, and icons are on what is left.
func TestFaces(t *testing.T) {
	group := func(name Name, face int) Group { return Group{Name: name, Face: face} }
	s := &Set{Game: table.DessertDice, Groups: []Group{group("jello tart", 0), group("popsicle", 1), group("2", 0), group(NoDie, 0), group("", 0), group("ice cream", 0)}}
	faces, err := s.Faces()
	if diff := cmp.Diff(map[Name]int{"jello tart": 3, "popsicle": 1, "2": 2, "ice cream": 4}, faces); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if s.Numbered() {
		t.Error("it is not known which face the jello tart is on, but the set says that it is")
	}
	if got, want := s.Missing(), []Name{"5", "6"}; !slices.Equal(got, want) {
		t.Errorf("missing are %v, want %v, as one face is a number and three have icons", got, want)
	}
	s.Groups[2].Name = "sweet roll"
	if got := s.Missing(); len(got) != 0 {
		t.Errorf("missing are %v, want none", got)
	}
	s.Groups = append(s.Groups, group("ice cream+jello tart", 0), group("ice cream+popsicle", 0), group("ice cream+sweet roll", 0))
	if _, err := s.Faces(); err == nil {
		t.Error("seven faces are no error")
	}
	cheese := &Set{Game: table.FromageATrois, Groups: []Group{group("brie", 0), group("gouda", 0)}}
	if faces, err := cheese.Faces(); err != nil || faces["brie"] != 6 || faces["gouda"] != 1 || !cheese.Numbered() {
		t.Errorf("cheeses are on %v, %v", faces, err)
	}
}

// TestSaved: a set comes back from its file as it was, and bad ones are one clear error each.
func TestSaved(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	s := NewSet(table.DessertDice, "Grandma's")
	s.Model = "abc"
	s.Groups = []Group{
		{Name: "popsicle", Face: 2, Tops: []Top{newSymbol(rng).top(rng, 0)}},
		{Tops: []Top{newSymbol(rng).top(rng, 0), newSymbol(rng).top(rng, 0)}},
	}
	file := filepath.Join(t.TempDir(), "dice.json")
	if err := s.Save(file); err != nil {
		t.Fatal(err)
	}
	back, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, back); diff != "" {
		t.Error(diff)
	}
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, from, to, err string }{
		{"another file", string(good), `{"game":"dice-box","camera":{}}`, "this is no set of dice"},
		{"no JSON", string(good), "GIF89a", "no set of dice, or it is damaged"},
		{"a later version", `"dice_set":1`, `"dice_set":2`, "a later version"},
		{"an unknown game", `"game":"dessert-dice"`, `"game":"chess"`, "unknown game"},
		{"a hostile name", `"name":"popsicle"`, `"name":"<img src=x>"`, "unknown icon"},
		{"a name written otherwise", `"name":"popsicle"`, `"name":"Popsicle"`, "written"},
		{"a title of two lines", `Grandma's`, `a\nb`, "one line"},
		{"no pictures", `"tops":[`, `"tops":[],"was":[`, "1 to 12 pictures"},
		{"a seventh face", `"face":2`, `"face":7`, "face from 1 to 6"},
		{"a picture that is none", `"picture":"`, `"picture":"AAAA`, "a PNG of 40 by 40"},
		{"a signature cut short", `"signature":"`, `"signature":"AAAA`, "a signature has 192 bytes"},
		{"more pips than six", `{"picture"`, `{"pips":7,"picture"`, "at most six pips"},
		{"a top of nothing", `{"picture"`, `null,{"picture"`, "a picture and a signature"},
	} {
		bad := strings.Replace(string(good), test.from, test.to, 1)
		if bad == string(good) {
			t.Fatalf("%s: nothing was changed", test.name)
		}
		if _, err := Parse(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), test.err) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with %q", test.name, err, test.err)
		}
	}
	if _, err := Parse(bytes.NewReader(append(good, make([]byte, mostFile)...))); err == nil || !strings.Contains(err.Error(), "at most 2 MB") {
		t.Errorf("a huge file: %v", err)
	}
	for n := range len(good) / 64 {
		if _, err := Parse(bytes.NewReader(good[:64*n])); err == nil {
			t.Errorf("a file of %d bytes of %d is no error", 64*n, len(good))
		}
	}
	s.Groups[0].Face = 9
	if err := s.Save(file); err == nil {
		t.Error("a bad set is saved")
	} else if now, _ := os.ReadFile(file); !bytes.Equal(now, good) {
		t.Error("the file that was there is lost")
	}
}

// TestLarge: the largest set is a file that can be read again.
func TestLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	s := NewSet(table.Any, "")
	for i := range 30 {
		tops, _ := throw(rng, []symbol{newSymbol(rng)}, 15)
		if _, _, err := s.Sort(tops); err != nil {
			t.Fatalf("throw %d: %v", i, err)
		}
	}
	if n := s.Pictures(); n > mostAll || len(s.Groups) != 30 {
		t.Errorf("the set has %d pictures in %d groups", n, len(s.Groups))
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(s); err != nil || b.Len() > mostFile {
		t.Errorf("the set has %d bytes, %v; pictures of noise are the largest there can be", b.Len(), err)
	}
	tops, _ := throw(rng, []symbol{newSymbol(rng), newSymbol(rng), newSymbol(rng)}, 3)
	if _, _, err := s.Sort(tops); err == nil {
		t.Error("more groups than a set may have are no error")
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

// TestChanged: whatever is named, merged, split and dropped, the set stays one that can be saved, and no top is in two groups.
func TestChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		symbols := []symbol{newSymbol(rng), newSymbol(rng), newSymbol(rng)}
		s := NewSet(table.Any, "")
		at := func() int { return rapid.IntRange(0, len(s.Groups)-1).Draw(t, "group") }
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch step := rapid.IntRange(0, 4).Draw(t, "step"); {
			case step == 0 || len(s.Groups) == 0:
				tops, _ := throw(rng, symbols, rapid.IntRange(1, 9).Draw(t, "tops"))
				if _, _, err := s.Sort(tops); err != nil {
					t.Fatal(err)
				}
			case step == 1:
				s.Rename(at(), rapid.SampledFrom([]Name{"1", "burst", "none", "skull", ""}).Draw(t, "name"), 0)
			case step == 2:
				if into, from := at(), at(); into != from {
					s.Merge(into, from)
				}
			case step == 3:
				i := at()
				n := s.Pictures()
				err := s.Split(i, []int{rapid.IntRange(0, len(s.Groups[i].Tops)).Draw(t, "top")})
				if s.Pictures() != n {
					t.Fatalf("a split (%v) leaves %d of %d pictures", err, s.Pictures(), n)
				}
			default:
				s.Drop(at())
			}
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			seen := map[*Picture]bool{}
			for _, g := range s.Groups {
				for _, top := range g.Tops {
					if seen[top.Picture] {
						t.Fatal("a top is in two groups")
					}
					seen[top.Picture] = true
				}
			}
			s.Alike()
			s.Missing()
		}
	})
}

// TestInput: neither the light nor the colors of die and ink change much of what the network sees.
func TestInput(t *testing.T) {
	draw := func(body, ink, light float64) []float32 {
		p := new(Picture)
		for i := range Side * Side {
			v := body
			if x, y := i%Side, i/Side; x > 14 && x < 24 && y > 10 && y < 30 {
				v = ink
			}
			for c := range 3 {
				p[3*i+c] = uint8(v * light)
			}
		}
		in := make([]float32, Inputs)
		p.Input(in)
		return in
	}
	const plane = Side * Side
	dark, light, inverse := draw(200, 20, 0.6), draw(200, 20, 1.2), draw(20, 200, 1)
	for i := range plane {
		if d := dark[i] - light[i]; d > 0.02 || d < -0.02 {
			t.Fatalf("place %d is %v in the dark and %v in the light", i, dark[i], light[i])
		}
		if d := dark[i] - inverse[i]; d > 0.02 || d < -0.02 {
			t.Fatalf("place %d is %v of dark ink and %v of light ink", i, dark[i], inverse[i])
		}
		if d := dark[plane+i] + inverse[plane+i]; d > 0.02 || d < -0.02 {
			t.Fatalf("place %d is not as much brighter as it was darker: %v, %v", i, dark[plane+i], inverse[plane+i])
		}
	}
}

// TestTurned: four quarter turns are none, and one takes the top left corner to the top right.
func TestTurned(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := newSymbol(rng).top(rng, 0).Picture
	q := p.Turned()
	if [3]uint8(q[3*(Side-1):]) != [3]uint8(p[:3]) {
		t.Error("the corner is not where it belongs")
	}
	if back := q.Turned().Turned().Turned(); *back != *p {
		t.Error("four quarter turns change the picture")
	}
	again, err := ParsePicture(p.PNG())
	if err != nil || *again != *p {
		t.Errorf("a picture is another after it was saved: %v", err)
	}
}

// FuzzParse throws bytes at the reader of sets: what it accepts can be saved, and is the same then.
func FuzzParse(f *testing.F) {
	rng := rand.New(rand.NewPCG(5, 5))
	s := NewSet(table.Any, "x")
	s.Groups = []Group{{Name: "skull", Tops: []Top{newSymbol(rng).top(rng, 0)}}}
	text, _ := json.Marshal(s)
	f.Add(text)
	f.Add([]byte(`{"dice_set":1,"game":"any","groups":[{"name":"none","tops":[{}]}]}`))
	f.Add([]byte(`{"dice_set":1,"game":"any","groups":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(bytes.NewReader(data))
		if err != nil {
			return
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("what was accepted is refused when it was saved: %v", err)
		}
		if diff := cmp.Diff(s, again); diff != "" {
			t.Error(diff)
		}
	})
}
