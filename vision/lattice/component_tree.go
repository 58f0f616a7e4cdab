package lattice

import (
	"image"
	"math"
	"runtime"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/pixels"
)

// A board of tiles has no lines, but each of its tiles is a plain patch of the picture with edges all
// around, however little lighter or darker what lies between them is. They are found at every height of
// edges at once: a picture of edges is flooded from its plainest places up, and where two waters meet,
// each may have been a tile until then.

const (
	tileView    = 960 // pixels: the longer side of the view that tiles are looked for in, at most
	tileBlur    = 1.0 // pixels, of a picture's noise
	edgeAbout   = 5   // pixels across, in which a pixel's edge is told: a narrow gap is one edge, not two with a leak between
	edgeHeights = 2.0 // for a difference of 1 in colors of middle brightness; there are 256
	leastTile   = 64  // pixels that a tile fills
	mostTile    = 0.05
	tributary   = 0.2  // share of a water below which what joins it is a speck of it
	leastDam    = 5.0  // heights by which the edges about a tile are higher
	damOver     = 1.25 // than those within, and how many times as high
	leastFilled = 0.5  // share of its outline's inside that a tile fills: print on it does not
	mostFilled  = 1.12
	mostSlender = 2.4  // long side over short side
	alikeSize   = 1.8  // of tiles of one board, one over the other
	alikeColor  = 0.16 // share by which a tile is lit otherwise than another
)

// tile is a plain part of a view that is about as wide as high.
type tile struct {
	at    table.Point
	size  float64 // what its outline encloses, pixels
	color [3]float32
}

// alike says whether two tiles may be of one board.
func (t *tile) alike(o *tile) bool {
	if t.size > alikeSize*o.size || o.size > alikeSize*t.size {
		return false
	}
	for c := range t.color {
		if d := t.color[c] - o.color[c]; max(d, -d) > alikeColor*(max(t.color[c], o.color[c])+32) {
			return false
		}
	}
	return true
}

// view is a picture without noise that is no larger than it need be. Close it.
type view struct {
	mat           gocv.Mat
	data          []uint8
	width, height int
	far           float64 // pixels of the picture that one of its own is wide
}

func NewView(px *pixels.Picture) (v *view, ok bool) {
	far := 1.0
	for max(px.Width, px.Height) > tileView && px.Half != nil {
		px, far = px.Half, 2*far
	}
	m, err := gocv.NewMatFromBytes(px.Height, px.Width, gocv.MatTypeCV8UC3, px.Data)
	if err != nil {
		return nil, false
	}
	defer m.Close()
	v = &view{mat: gocv.NewMat(), width: px.Width, height: px.Height, far: far}
	gocv.GaussianBlur(m, &v.mat, image.Pt(0, 0), tileBlur, tileBlur, gocv.BorderReplicate)
	runtime.KeepAlive(px.Data)
	v.data = v.mat.ToBytes()
	return v, true
}

func (v *view) Close() { v.mat.Close() }

// edges is how much colors differ about each pixel.
func (v *view) edges() []uint8 {
	about := gocv.GetStructuringElement(gocv.MorphEllipse, image.Pt(edgeAbout, edgeAbout))
	high, low := gocv.NewMat(), gocv.NewMat()
	defer about.Close()
	defer high.Close()
	defer low.Close()
	gocv.Dilate(v.mat, &high, about)
	gocv.Erode(v.mat, &low, about)
	h, l := high.ToBytes(), low.ToBytes()
	out := make([]uint8, v.width*v.height)
	for i := range out {
		sum := 0.0
		for c := 3 * i; c < 3*i+3; c++ {
			d := steady[h[c]] - steady[l[c]]
			sum += d * d
		}
		out[i] = uint8(min(math.Sqrt(sum)*edgeHeights, 255))
	}
	return out
}

// steady are brightnesses of which a camera's noise is the same in the dark and in the light.
var steady = func() (t [256]float64) {
	for i := range t {
		t[i] = 256 * math.Sqrt(float64(i+8)/128)
	}
	return t
}()

// water is what is flooded from one place.
type water struct {
	n, x, y, xx, xy, yy float64    // moments
	color               [3]float32 // summed
	ashore              bool       // it touches the view's border
	rose                [20]uint8
	doubled             int   // times; rose says how high it stood then
	into                int32 // the water that it has flowed into
}

func (w *water) add(o *water, height uint8) {
	w.n, w.x, w.y, w.xx, w.xy, w.yy = w.n+o.n, w.x+o.x, w.y+o.y, w.xx+o.xx, w.xy+o.xy, w.yy+o.yy
	for c := range w.color {
		w.color[c] += o.color[c]
	}
	w.ashore = w.ashore || o.ashore
	for ; w.doubled < len(w.rose) && w.n >= float64(int(2)<<w.doubled); w.doubled++ {
		w.rose[w.doubled] = height
	}
}

// tile says what a water looks like at a height; false if no tile does.
func (w *water) tile(most float64, height uint8) (tile, bool) {
	within := w.rose[max(w.doubled-2, 0)] // when it had between half and a quarter of its size
	if w.ashore || w.n < leastTile || w.n > most || float64(height) < leastDam+damOver*float64(within) {
		return tile{}, false
	}
	x, y := w.x/w.n, w.y/w.n
	a, b, c := w.xx/w.n-x*x, w.xy/w.n-x*y, w.yy/w.n-y*y
	size := 12 * math.Sqrt(max(a*c-b*b, 0)) // of a parallelogram with these moments
	half, apart := (a+c)/2, math.Hypot((a-c)/2, b)
	if w.n < leastFilled*size || w.n > mostFilled*size || half+apart > mostSlender*mostSlender*(half-apart) {
		return tile{}, false
	}
	t := tile{at: table.Point{X: x + 0.5, Y: y + 0.5}, size: size}
	for i := range t.color {
		t.color[i] = w.color[i] / float32(w.n)
	}
	return t, true
}

// flood is a view under water.
type flood struct {
	v      *view
	waters []water
	first  []int32 // of each pixel, one more than the water that reached it first; 0: dry
	tiles  []tile
}

// tiles floods the view.
func (v *view) tiles() []tile {
	edges := v.edges()
	var from [257]int32
	for _, e := range edges {
		from[int(e)+1]++
	}
	for i := 1; i < len(from); i++ {
		from[i] += from[i-1]
	}
	order := make([]int32, len(edges)) // of the pixels, the plainest first
	for i, e := range edges {
		order[from[e]] = int32(i)
		from[e]++
	}
	f := &flood{v: v, first: make([]int32, len(edges))}
	for _, i := range order {
		f.reach(i, edges[i])
	}
	return f.tiles
}

// reach floods a pixel.
func (f *flood) reach(i int32, height uint8) {
	w, h := f.v.width, f.v.height
	x, y := int(i)%w, int(i)/w
	fx, fy := float64(x), float64(y)
	drop := water{n: 1, x: fx, y: fy, xx: fx * fx, xy: fx * fy, yy: fy * fy, ashore: x == 0 || y == 0 || x == w-1 || y == h-1}
	for c := range drop.color {
		drop.color[c] = float32(f.v.data[3*int(i)+c])
	}
	here := int32(-1)
	for k, n := range [4]int32{i - 1, i + 1, i - int32(w), i + int32(w)} {
		if k == 0 && x == 0 || k == 1 && x == w-1 || k == 2 && y == 0 || k == 3 && y == h-1 || f.first[n] == 0 {
			continue
		}
		there := f.flown(f.first[n] - 1)
		switch here {
		case -1:
			f.waters[there].add(&drop, height)
			here = there
		case there:
		default:
			here = f.meet(here, there, height)
		}
	}
	if here < 0 {
		here = int32(len(f.waters))
		drop.into = here
		f.waters = append(f.waters, drop)
	}
	f.first[i] = here + 1
}

// flown is the water that a water has become part of.
func (f *flood) flown(k int32) int32 {
	for f.waters[k].into != k {
		f.waters[k].into = f.waters[f.waters[k].into].into
		k = f.waters[k].into
	}
	return k
}

// meet joins two waters, and keeps what were tiles.
func (f *flood) meet(a, b int32, height uint8) int32 {
	less, more := &f.waters[a], &f.waters[b]
	if less.n > more.n {
		less, more, b = more, less, a
	}
	if less.n >= leastTile {
		most := mostTile * float64(f.v.width*f.v.height)
		if t, ok := less.tile(most, height); ok {
			f.tiles = append(f.tiles, t)
		}
		if t, ok := more.tile(most, height); ok && less.n >= tributary*more.n {
			f.tiles = append(f.tiles, t)
		}
	}
	more.add(less, height)
	less.into = b
	return b
}
