package eye

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// part is an item of a HEIF file that is made for a test; it is numbered from 1 in order.
type part struct {
	kind        string
	data        []byte
	properties  [][]byte // boxes
	madeOf      []uint16
	auxiliaryOf []uint16
}

func boxOf(kind string, body ...[]byte) []byte {
	whole := slices.Concat(body...)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(whole))), kind...), whole...)
}

// be is numbers of so many bytes, big end first.
func be(n int, values ...int) []byte {
	var out []byte
	for _, v := range values {
		for i := n - 1; i >= 0; i-- {
			out = append(out, byte(v>>(8*i)))
		}
	}
	return out
}

// heifOf is a file of these items, the first of which is the picture.
func heifOf(parts ...part) []byte {
	ftyp := boxOf("ftyp", []byte("heic"), be(4, 0), []byte("mif1heic"))
	var infos, places, all, given, refs []byte
	n, data := 0, []byte(nil)
	for i, p := range parts {
		id := i + 1
		infos = append(infos, boxOf("infe", be(4, 2<<24), be(2, id, 0), []byte(p.kind), []byte{0})...)
		places = append(places, be(2, id, 0, 1)...)
		places = append(places, be(4, len(data), len(p.data))...) // corrected below
		data = append(data, p.data...)
		given = append(append(given, be(2, id)...), byte(len(p.properties)))
		for _, box := range p.properties {
			n++
			all, given = append(all, box...), append(given, be(2, n)...)
		}
		for kind, to := range map[string][]uint16{"dimg": p.madeOf, "auxl": p.auxiliaryOf} {
			if len(to) > 0 {
				ref := be(2, id, len(to))
				for _, t := range to {
					ref = binary.BigEndian.AppendUint16(ref, t)
				}
				refs = append(refs, boxOf(kind, ref)...)
			}
		}
	}
	meta := func() []byte {
		return boxOf("meta", be(4, 0),
			boxOf("hdlr", be(4, 0, 0), []byte("pict"), be(4, 0, 0, 0), []byte{0}),
			boxOf("pitm", be(4, 0), be(2, 1)),
			boxOf("iloc", be(4, 0), []byte{0x44, 0}, be(2, len(parts)), places),
			boxOf("iinf", be(4, 0), be(2, len(parts)), infos),
			boxOf("iref", be(4, 0), refs),
			boxOf("iprp", boxOf("ipco", all), boxOf("ipma", be(4, 1), be(4, len(parts)), given)))
	}
	start := len(ftyp) + len(meta()) + 8
	for i := range parts {
		at := places[14*i+6:]
		binary.BigEndian.PutUint32(at, binary.BigEndian.Uint32(at)+uint32(start))
	}
	return slices.Concat(ftyp, meta(), boxOf("mdat", data))
}

func sized(width, height int) []byte { return boxOf("ispe", be(4, 0, width, height)) }

// gridOf is the data of a grid.
func gridOf(rows, cols, width, height int) []byte {
	return slices.Concat([]byte{0, 1, byte(rows - 1), byte(cols - 1)}, be(4, width, height))
}

// uploaded reads a picture of those that are sent for a test.
func uploaded(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "cmd", "diceref-eye", "testdata", "uploads", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// coded is the configuration and the data of a HEIC's or AVIF's picture, or its first tile.
func coded(t testing.TB, file []byte) (config heifBox, data []byte) {
	t.Helper()
	f, err := readHeif(file)
	if err != nil {
		t.Fatal(err)
	}
	it := f.items[f.primary]
	if it.kind == "grid" {
		it = f.items[it.madeOf[0]]
	}
	if data, err = f.content(it); err != nil {
		t.Fatal(err)
	}
	for _, p := range it.properties {
		if p.kind == "hvcC" || p.kind == "av1C" {
			return p, data
		}
	}
	t.Fatal("a picture without its configuration")
	return
}

// TestHeif: HEIC and AVIF are what they say, and nothing that a decoder would take far more time or memory for
// than its size tells passes.
func TestHeif(t *testing.T) {
	config, data := coded(t, uploaded(t, "table.heic"))
	avif, obus := coded(t, uploaded(t, "table.avif"))
	const w, h = 960, 540
	hvcC, av1C := boxOf("hvcC", config.body), boxOf("av1C", avif.body)
	tile := part{kind: "hvc1", data: data, properties: [][]byte{sized(w, h), hvcC}}
	with := func(p part, properties ...[]byte) part {
		p.properties = slices.Concat(p.properties, properties)
		return p
	}
	grid := func(rows, cols, width, height int) part {
		return part{
			kind: "grid", data: gridOf(rows, cols, width, height), properties: [][]byte{sized(width, height)},
			madeOf: slices.Repeat([]uint16{2}, rows*cols),
		}
	}
	frames := 0
	for rest := obus; len(rest) > 0; frames++ {
		_, _, rest, _ = av1Unit(rest)
	}
	irot, imir := boxOf("irot", []byte{1}), boxOf("imir", []byte{1})
	clap := boxOf("clap", be(4, 400, 1, 300, 1, -10, 1, 20, 1))
	for name, c := range map[string]struct {
		file []byte
		want Header
		err  string
	}{
		"a HEIC":                         {heifOf(tile), header("heic", w, h, 1), ""},
		"an AVIF":                        {heifOf(part{kind: "av01", data: obus, properties: [][]byte{sized(w, h), av1C}}), header("avif", w, h, 1), ""},
		"more behind it":                 {append(heifOf(tile), "PK\x03\x04 and more"...), header("heic", w, h, 1), ""},
		"turned":                         {heifOf(with(tile, irot)), header("heic", w, h, 8), ""},
		"mirrored":                       {heifOf(with(tile, imir)), header("heic", w, h, 2), ""},
		"turned and mirrored":            {heifOf(with(tile, irot, imir)), header("heic", w, h, 7), ""},
		"tiles":                          {heifOf(grid(2, 3, 2880, 1000), tile), header("heic", 2880, 1000, 1), ""},
		"1024 tiles":                     {heifOf(grid(32, 32, 8000, 8000), tile), Header{}, "too large"},
		"65025 tiles":                    {heifOf(grid(255, 255, 8000, 8000), tile), Header{}, "tiles are too many"},
		"a grid too large":               {heifOf(grid(20, 20, 20_000, 10_000), tile), Header{}, "too many"},
		"tiles too small":                {heifOf(grid(2, 2, 4000, 1000), tile), Header{}, "damaged"},
		"a tile that is missing":         {heifOf(grid(2, 2, 1900, 1000)), Header{}, "damaged"},
		"a grid of grids":                {heifOf(grid(2, 2, 1900, 1000), grid(2, 2, 1900, 1000), tile), Header{}, "not supported"},
		"too large":                      {heifOf(part{kind: "hvc1", data: data, properties: [][]byte{sized(20_000, 10_000), hvcC}}), Header{}, "too many"},
		"larger inside than outside":     {heifOf(part{kind: "hvc1", data: data, properties: [][]byte{sized(64, 64), hvcC}}), Header{}, "damaged"},
		"smaller inside than outside":    {heifOf(part{kind: "hvc1", data: data, properties: [][]byte{sized(2*w, h), hvcC}}), Header{}, "damaged"},
		"AVIF, larger inside":            {heifOf(part{kind: "av01", data: obus, properties: [][]byte{sized(64, 64), av1C}}), Header{}, "damaged"},
		"two sizes":                      {heifOf(with(tile, sized(64, 64))), Header{}, "damaged"},
		"two pictures in one":            {heifOf(part{kind: "hvc1", data: slices.Repeat(data, 2), properties: tile.properties}), Header{}, "damaged"},
		"a thousand frames":              {heifOf(part{kind: "av01", data: slices.Repeat(obus, 1000), properties: [][]byte{sized(w, h), av1C}}), Header{}, "damaged"},
		"how transparent, far too large": {heifOf(tile, part{kind: "hvc1", data: data, auxiliaryOf: []uint16{1}, properties: [][]byte{sized(30_000, 30_000), hvcC}}), Header{}, "damaged"},
		"of another codec":               {heifOf(part{kind: "jpeg", data: data, properties: [][]byte{sized(w, h)}}), Header{}, "not supported"},
		"one laid over others":           {heifOf(part{kind: "iovl", data: data, properties: [][]byte{sized(w, h)}, madeOf: []uint16{2}}, tile), Header{}, "not supported"},
		"no picture":                     {heifOf(), Header{}, "damaged"},
		"no size":                        {heifOf(part{kind: "hvc1", data: data, properties: [][]byte{hvcC}}), Header{}, "damaged"},
		"cut to nothing":                 {heifOf(with(tile, boxOf("clap", be(4, 0, 1, 300, 1, 0, 1, 0, 1)))), Header{}, "damaged"},
		"cut beyond its sides":           {heifOf(with(tile, boxOf("clap", be(4, 400, 1, 300, 1, 900, 1, 0, 1)))), Header{}, "damaged"},
	} {
		got, err := CheckPicture(c.file)
		switch {
		case c.err == "" && (err != nil || got != c.want):
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %+v, error %v, want one with %q", name, got, err, c.err)
		}
	}
	if got, err := CheckPicture(heifOf(with(tile, clap, irot))); err != nil || got.Crop.String() != "(270,140)-(670,440)" || got.Orientation != 8 {
		t.Errorf("cut and turned: %+v, %v", got, err)
	}
}

// TestManyBoxes: a file made of nothing but boxes, references and places is refused quickly.
func TestManyBoxes(t *testing.T) {
	config, data := coded(t, uploaded(t, "table.heic"))
	tile := part{kind: "hvc1", data: data, properties: [][]byte{sized(960, 540), boxOf("hvcC", config.body)}}
	begun := time.Now()
	if _, err := CheckPicture(heifOf(slices.Repeat([]part{tile}, 3_000)...)); err == nil {
		t.Error("3000 items pass")
	}
	t.Log(time.Since(begun))
}
