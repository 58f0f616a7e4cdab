// Package vision turns frames into observations. It opens sources, decides which pictures are
// worth reading, and finds the grid and the dice in them. Nothing but this and the
// packages it is made of links OpenCV, and none of them knows any rules.
package vision

import (
	"embed"
	"errors"
	"fmt"
	"image"
	"math"
	"runtime"
	"sync"
	"time"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/detect"
	"diceref/vision/geometry"
	"diceref/vision/lattice"
	"diceref/vision/net"
	"diceref/vision/owned"
	"diceref/vision/pixels"
)

//go:embed model
var models embed.FS

// RecognizerOptions are a recognizer's settings; the zero value is what the
// program uses.
type RecognizerOptions struct {
	Find, Patterned, AnyFind, Top, Stand, FineStand, Face, Color, Surround []byte // ONNX models to use instead of the embedded ones
}

// Recognizer reads the dice in pictures. It remembers nothing from one picture to the
// next. It holds memory outside Go, so Close it. Several goroutines may call its methods;
// it reads one picture at a time.
type Recognizer struct {
	mu        sync.Mutex
	finder    *detect.Finder
	patterned lazy[*detect.Finder]    // see lookTwice
	anyFinder lazy[*detect.Finder]    // of anybody's dice
	judge     lazy[*classify.Judge]   // see judge.go
	fine      lazy[*classify.Stander] // see askFinely
	signer    lazy[*classify.Signer]  // of the owner's dice
	stander   *classify.Stander
	reader    *classify.Reader
	owned     *ownedSet // that was used last
	buffer    gocv.Mat  // the picture in three channels, where it came in another form
	plain     gocv.Mat  // the picture in plainer light, see balanced,
	excess    float64   // how much was taken out of its light,
	gain      float64   // and how many times as bright it was made
	halves    pixels.Memory
}

// NewRecognizer loads the models that every table needs.
func NewRecognizer(opts RecognizerOptions) (*Recognizer, error) {
	var nets []*net.Net
	for _, m := range []struct {
		given []byte
		name  string
	}{
		{opts.Find, "find"},
		{opts.Stand, "stand"},
		{opts.Face, "face"},
		{opts.Color, "color"},
		{opts.Surround, "surround"},
	} {
		loaded, err := loadModel(m.given, m.name)
		if err != nil {
			for _, n := range nets {
				n.Close()
			}
			return nil, err
		}
		nets = append(nets, loaded)
	}
	reader := classify.NewReader(nets[2], nets[3], nets[4])
	return &Recognizer{
		finder:    detect.NewFinder(nets[0], leastTop),
		patterned: lazily(opts.Patterned, "patterned", func(n *net.Net) *detect.Finder { return detect.NewFinder(n, leastTop) }),
		anyFinder: lazily(opts.AnyFind, "any_find", func(n *net.Net) *detect.Finder { return detect.NewFinder(n, leastProposed) }),
		judge:     lazily(opts.Top, "top", func(n *net.Net) *classify.Judge { return classify.NewJudge(reader, n) }),
		fine:      lazily(opts.FineStand, "fine_stand", func(n *net.Net) *classify.Stander { return classify.NewStander(n, classify.FineFraming) }),
		signer:    lazily(nil, "owned", classify.NewSigner),
		stander:   classify.NewStander(nets[1], classify.StandFraming),
		reader:    reader,
		buffer:    gocv.NewMat(),
		plain:     gocv.NewMat(),
	}, nil
}

// loadModel loads a model that was given, or where none was, the embedded one of that name.
func loadModel(given []byte, name string) (*net.Net, error) {
	if given == nil {
		var err error
		if given, err = models.ReadFile("model/" + name + ".onnx"); err != nil {
			return nil, fmt.Errorf("vision: the program was built without its model %s: run make model", name)
		}
	}
	return net.Load(given, name)
}

// Close frees the recognizer's memory.
func (r *Recognizer) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finder.Close()
	r.patterned.close()
	r.anyFinder.close()
	r.judge.close()
	r.fine.close()
	r.signer.close()
	r.stander.Close()
	r.reader.Close()
	r.buffer.Close()
	r.plain.Close()
	r.halves.Close()
}

// Read reads a picture of which nothing is known but the game. A picture that
// shows nothing is no error.
func (r *Recognizer) Read(img gocv.Mat, game table.Game) (table.Observation, error) {
	return r.ReadWith(img, game, nil)
}

// ReadWith reads a picture of a table whose grid is known, and what is beside it; cal
// may be nil.
func (r *Recognizer) ReadWith(img gocv.Mat, game table.Game, cal *calibration.Profile) (table.Observation, error) {
	return r.ReadKnown(img, game, Known{Profile: cal})
}

// Known is what is known about a table before a picture of it is read.
type Known struct {
	Profile *calibration.Profile // of its grid, and of what was learned there; nil: nothing
	// BoardOnly has only the known grid be read. What is beside it is told as an earlier
	// reading of the same view, Before, has it.
	BoardOnly bool
	Before    []table.Reading
	Lessons   []table.Lesson // more than the profile's
	Dice      *owned.Set     // as their owner has shown them; nil: they have pips
	Tops      bool           // have the tops pictured, for a set of dice
	Ground    *Ground        // how the grid looked in earlier pictures; this one is added. nil: each picture is read for itself
	// AsItLies reads the picture without first turning it upright: it is one of many of a table.
	AsItLies bool
	// Over says whether something rests over a place of the picture, which may hide what is there, and whether that moves;
	// nil: nothing does.
	Over func(table.Point) (covers, moves bool)
}

// elsewhere is what is known wherever the grid lies.
func (k *Known) elsewhere() Known {
	return Known{Lessons: k.Lessons, AsItLies: k.AsItLies, Dice: k.Dice, Tops: k.Tops, Over: k.Over}
}

// ReadKnown reads a picture of a table about which something is known.
func (r *Recognizer) ReadKnown(img gocv.Mat, game table.Game, k Known) (table.Observation, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	start := time.Now()
	if img.Empty() {
		return table.Observation{}, errors.New("vision: there is no picture to read")
	}
	img, err := r.threeChannels(img)
	if err == nil {
		img, err = r.balanced(img)
	}
	if err != nil {
		return table.Observation{}, err
	}
	if err := r.loadFor(game); err != nil {
		return table.Observation{}, err
	}
	s := newScene(r, img, game)
	switch {
	case min(s.width, s.height) >= leastPicture:
		if s, err = s.readAtRest(k); err != nil {
			return table.Observation{}, err
		}
	default:
		if s.kit.Layout != table.Loose {
			s.obs.Grid = &table.Grid{Rows: table.Size, Cols: table.Size}
		}
		s.obs.Warnings = []table.Warning{{Code: "too-far", Text: "the picture is too small to show dice: take it with more pixels"}}
	}
	runtime.KeepAlive(img)
	s.obs.MS.Read = float64(time.Since(start).Microseconds()) / 1000
	return s.obs, nil
}

// leastPicture is the shorter side, in pixels, below which no die can be read.
const leastPicture = 24

// threeChannels returns the picture as blue, green, red bytes without gaps.
func (r *Recognizer) threeChannels(img gocv.Mat) (gocv.Mat, error) {
	switch {
	case img.Type() == gocv.MatTypeCV8UC3 && img.IsContinuous():
		return img, nil
	case img.Type() == gocv.MatTypeCV8UC3:
		img.CopyTo(&r.buffer)
	case img.Type() == gocv.MatTypeCV8UC1:
		gocv.CvtColor(img, &r.buffer, gocv.ColorGrayToBGR)
	case img.Type() == gocv.MatTypeCV8UC4:
		gocv.CvtColor(img, &r.buffer, gocv.ColorBGRAToBGR)
	default:
		return gocv.Mat{}, errors.New("vision: a picture must have one, three or four channels of 8 bits")
	}
	return r.buffer, nil
}

// scene is one picture on its way to an observation.
type scene struct {
	r             *Recognizer
	finder        *detect.Finder // that looks at it, see lookTwice
	faces         faceReader     // what reads its tops
	img           gocv.Mat
	px            *pixels.Picture
	width, height int
	turn          table.Turn // of the picture as it is, which made img of it
	kit           table.Kit
	obs           table.Observation
	grid          *lattice.Grid
	maps          *detect.Maps                           // of the first look
	finer         *[]detect.Top                          // what the next finer level shows; nil: not looked at
	handSeen      bool                                   // something lies over the grid
	over          func(table.Point) (covers, moves bool) // see Known
	side          float64                                // of the dice, in squares; with a grid only
	offMiddle     float64                                // how far dice stand off the middles of their squares, in common
	colorless     bool                                   // the picture is gray
	down          table.Point                            // where down is in a picture, as its dice tell
	doubtDown     bool                                   // they plainly lean, but not which way
	beyondDoubt   bool                                   // everything in it was read surely
	doubtUpright  bool                                   // the grid is fitted upright, but the dice seem to hang
	beside        []table.Reading                        // dice beside the grid that were read before
	marks         []fiducial                             // of a printed board, as they were seen
	ground        *Ground                                // how the grid looked in earlier pictures
	above         []float32                              // and how it looks now, as if seen from above
	owned         ownedDice                              // by which its dice are read
	own           []ownTop                               // what the owner's set says about the tops; nil: there is none
}

func newScene(r *Recognizer, img gocv.Mat, game table.Game) *scene {
	finder, faces, kit := r.finder, faceReader(r.reader), game.Kit()
	if kit.Layout == table.Loose {
		faces = r.judge.loaded
	}
	if game == table.Any {
		finder = r.anyFinder.loaded
	}
	return &scene{
		r: r, finder: finder, faces: faces, img: img, width: img.Cols(), height: img.Rows(), kit: kit,
		turn: table.Unturned(img.Cols(), img.Rows()),
		obs:  table.Observation{Game: game, Width: img.Cols(), Height: img.Rows(), Look: table.LookStill, Read: true, Dice: []table.Reading{}},
	}
}

// Sizes of tops, as half diagonals in network pixels: within these the find
// network is at its best; outside of them it looks again at another scale.
const (
	firstLong    = 640
	idealTop     = 17.0
	leastTopSeen = 13.0
	leastTop     = 0.2 // height of a peak that is looked at any further
	mostTopSeen  = 40.0
	mostBlownUp  = 2.0 // network pixels a picture pixel is made into at most: more show no more
)

func (s *scene) read(k Known) error {
	tops, err := s.look(&k)
	if err != nil {
		return err
	}
	return s.readTops(tops, k)
}

// look finds the grid and the tops of dice. k becomes more if the board tells its grid by its marks.
func (s *scene) look(k *Known) (tops []detect.Top, err error) {
	if s.px, err = s.r.halves.Of(s.img); err != nil {
		return nil, err
	}
	if k.Profile == nil && s.kit.Layout == table.Board {
		k.Profile = s.byFiducials()
	}
	if k.Profile != nil && s.kit.Layout != table.Loose {
		return s.lookTwice(func() ([]detect.Top, error) { return s.lookAround(*k) })
	}
	tops, err = s.lookTwice(s.lookFor)
	s.numberByFiducials()
	return tops, err
}

// readTops reads the dice that were found.
func (s *scene) readTops(tops []detect.Top, k Known) (err error) {
	s.owned, s.over = ownedDice{k.Dice, k.Tops}, k.Over
	if s.grid != nil {
		s.ground = k.Ground
	}
	if tops, err = s.lookForOwned(tops, &k); err != nil {
		return err
	}
	if s.kit.Layout == table.Loose {
		if tops, err = s.lookCloser(tops); err != nil {
			return err
		}
	}
	tops = s.withoutFiducials(tops)
	if s.kit.Layout == table.Loose { // people's own dice may be of unlike sizes; the odd ones are told, but are never sure
		detect.MarkOdd(tops, nil)
	} else {
		tops = detect.Alike(tops, s.sizedFor(tops))
	}
	dice := unplaced(tops)
	if s.kit.Layout != table.Loose {
		s.obs.Grid = &table.Grid{Rows: table.Size, Cols: table.Size}
	}
	if s.grid != nil {
		if err = s.askStanding(len(tops), func(i int) *detect.Top { return &tops[i] }); err != nil {
			return err
		}
		tops = s.hide(tops)
		s.markCame(tops)
		s.markRepeated(tops)
		dice = s.placeTops(tops)
		s.obs.Grid.Found = true
		s.obs.Grid.Corners = s.grid.Camera.Corners()
		s.obs.Grid.Unsure = !s.grid.Sure()
	}
	return s.readDice(dice, k)
}

// unplaced is the dice of tops before it is known where on a grid they lie.
func unplaced(tops []detect.Top) []placed {
	dice := make([]placed, len(tops))
	for i, t := range tops {
		dice[i].Top = t
	}
	return dice
}

// lookFor searches the whole picture for the grid and the dice, and looks at it
// again where the dice came out too small or too large.
func (s *scene) lookFor() ([]detect.Top, error) {
	tops, err := s.lookScaled()
	if err != nil || s.kit.Layout != table.Loose {
		return tops, err
	}
	if tops, err = s.lookFiner(tops); err != nil {
		return nil, err
	}
	return s.lookCoarser(tops)
}

func (s *scene) lookScaled() ([]detect.Top, error) {
	whole := s.whole()
	m, err := s.finder.Look(s.px, whole, s.firstLong())
	if err != nil {
		return nil, err
	}
	s.maps = m
	tops := m.Peaks(s.width, s.height)
	if s.anybodys() {
		if tops, err = s.lookSmaller(tops); err != nil {
			return nil, err
		}
	}
	if s.kit.Layout != table.Loose {
		if g, ok := lattice.FindGrid(m, s.width, s.height, fitting(tops)); ok || s.confirmed(&g, tops) {
			s.grid = &g
		}
		if s.kit.Layout == table.Board && (s.grid == nil || !s.grid.Sure()) {
			if g, ok := lattice.ByTiles(s.px); ok && fitsDice(&g.Camera, tops) && !s.contradicted(&g, tops) {
				s.grid = &g
			}
		}
	}
	size, box, ok := s.region(tops)
	if !ok {
		return tops, nil
	}
	seen := size * m.Scale
	if seen >= leastTopSeen && seen <= mostTopSeen {
		return tops, nil
	}
	scale := idealTop / size
	long := int(math.Round(float64(max(box.Dx(), box.Dy())) * scale))
	if long = min(max(long, 96), 800); math.Abs(math.Log(float64(long)/float64(max(box.Dx(), box.Dy()))/m.Scale)) < 0.15 {
		return tops, nil
	}
	m, err = s.finder.Look(s.px, box, long)
	if err != nil {
		return nil, err
	}
	return s.merge(tops, m.Peaks(s.width, s.height), box), nil
}

// firstLong is the longer side of the first look, in network pixels: small
// pictures are not blown up much.
func (s *scene) firstLong() int {
	return min(firstLong, max(int(mostBlownUp*float64(max(s.width, s.height))), 64))
}

// region tells the usual size of the tops (half diagonal, picture pixels) and the
// part of the picture that a second look should read.
func (s *scene) region(tops []detect.Top) (size float64, box image.Rectangle, ok bool) {
	var q []table.Point
	if s.grid != nil {
		cam := &s.grid.Camera
		for _, at := range [4][2]float64{{-1, -1}, {6, -1}, {6, 6}, {-1, 6}} {
			q = append(q, cam.Project(at[0], at[1], 0), cam.Project(at[0], at[1], 1))
		}
		size = s.topOnGrid()
	} else {
		size = middleSize(tops)
		for _, t := range tops {
			if t.Score < 0.5 {
				continue
			}
			for _, d := range [2]float64{-3, 3} {
				q = append(q, table.Point{X: t.At.X + d*t.Size, Y: t.At.Y + d*t.Size})
			}
		}
	}
	if len(q) == 0 || size < 1 {
		return 0, image.Rectangle{}, false
	}
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range q {
		if math.IsNaN(p.X) {
			return size, s.whole(), true
		}
		x0, y0, x1, y1 = math.Min(x0, p.X), math.Min(y0, p.Y), math.Max(x1, p.X), math.Max(y1, p.Y)
	}
	clamp := func(v float64, most int) int { return int(min(max(v, 0), float64(most))) }
	box = image.Rect(clamp(x0, s.width), clamp(y0, s.height), clamp(x1+1, s.width), clamp(y1+1, s.height))
	return size, box, box.Dx() >= 16 && box.Dy() >= 16
}

// middleSize is the median size of the tops that are sure enough.
func middleSize(tops []detect.Top) float64 {
	var sizes []float64
	for _, t := range tops {
		if t.Score >= 0.4 && !t.Cut {
			sizes = append(sizes, t.Size)
		}
	}
	return geometry.Median(sizes)
}

// merge takes the second look's tops inside its box, the first look's outside.
func (s *scene) merge(first, second []detect.Top, box image.Rectangle) []detect.Top {
	out := append([]detect.Top(nil), second...)
	for _, t := range first {
		if s.beyond(t.At, t.Size, box) {
			out = append(out, t)
		}
	}
	return detect.Once(out)
}

// beyond says whether a top of that size cannot be seen well by a look at the box.
func (s *scene) beyond(at table.Point, size float64, box image.Rectangle) bool {
	inner := box.Inset(int(1.5 * size))
	if box.Min.X == 0 {
		inner.Min.X = 0
	}
	if box.Min.Y == 0 {
		inner.Min.Y = 0
	}
	if box.Max.X == s.width {
		inner.Max.X = s.width
	}
	if box.Max.Y == s.height {
		inner.Max.Y = s.height
	}
	return !image.Pt(int(at.X), int(at.Y)).In(inner)
}
