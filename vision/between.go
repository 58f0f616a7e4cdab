package vision

import (
	"math"
	"slices"

	"diceref/table"
	"diceref/vision/geometry"
	"diceref/vision/motion"
	"diceref/vision/register"
)

// Between two views that are read hands lie over the table, and two dice may come in that time.
// Which came first is often in sight all the same: one already lies there in a frame in which
// the other's square is still as it was.

const (
	mostBetween = 48   // frames that are kept; more of them are thinned out
	sameFrame   = 0.5  // mean difference of two frames, of 255, up to which one of them tells enough
	leastChange = 6.0  // mean difference of the two views where a die lies, of 255
	looksLike   = 0.25 // share of it up to which a frame looks as one of them does
)

// between follows the table from one view to the next by thumbnails.
type between struct {
	width    int
	frames   [][]byte // since the table was last free
	was, now seenView // the view before and the present one
	passed   [][]byte // the frames between them
}

// seenView is a view as it was read.
type seenView struct {
	pix    []byte
	dice   []table.Reading
	hidden []table.Square
}

// note takes in a frame that was laid on the reference, and what the judge says of it.
func (b *between) note(t *register.Thumb, v motion.Verdict) {
	pix, width := t.Pix, t.Width
	if width != b.width || len(b.now.pix) > 0 && len(b.now.pix) != len(pix) {
		*b = between{width: width}
	}
	if v.Look != table.LookStill {
		if n := len(b.frames); n > 0 && meanDifference(b.frames[n-1], pix) <= sameFrame {
			return
		}
		if b.frames = append(b.frames, append([]byte(nil), pix...)); len(b.frames) > mostBetween {
			b.thinOut()
		}
		return
	}
	if v.Read && v.New {
		b.was, b.passed, b.frames = b.now, b.frames, nil
	}
}

// thinOut lets every second frame go.
func (b *between) thinOut() {
	n := 0
	for i := 0; i < len(b.frames); i += 2 {
		b.frames[n] = b.frames[i]
		n++
	}
	b.frames = b.frames[:n]
}

// read takes in what was read in a frame with this thumbnail, across pixels wide in full, and tells which of the squares that look otherwise than in
// the view before did so first.
func (b *between) read(dice []table.Reading, hidden []table.Square, t *register.Thumb, across int) (list []table.Sooner) {
	pix := t.Pix
	b.now = seenView{append([]byte(nil), pix...), dice, hidden}
	if len(pix) == 0 || len(b.was.pix) != len(pix) {
		return nil
	}
	spots := b.changed(float64(b.width) / float64(across))
	for i := range spots {
		for j := range spots {
			if i == j {
				continue
			}
			came, plain := b.before(spots[i], spots[j])
			if other, _ := b.before(spots[j], spots[i]); came && !other {
				list = append(list, table.Sooner{First: spots[i].square, Then: spots[j].square, Plain: plain})
			}
		}
	}
	return list
}

// spot is the part of a thumbnail that a die covers, and how much it differs between the views.
type spot struct {
	square         table.Square
	x0, y0, x1, y1 int
	change         float64
}

// changed lists the squares on which other dice lie than in the view before; scale is a
// thumbnail's in shares of the picture.
func (b *between) changed(scale float64) (list []spot) {
	was, now := onSquares(b.was.dice), onSquares(b.now.dice)
	for i := range table.Size * table.Size {
		sq := table.SquareAt(i)
		if slices.Contains(b.was.hidden, sq) || slices.Contains(b.now.hidden, sq) {
			continue
		}
		die, there := now[sq]
		if before, full := was[sq]; there == full && die.Die == before.Die {
			continue
		} else if !there {
			die = before
		}
		a := b.spot(sq, &die, scale)
		if a.change = b.differs(b.was.pix, b.now.pix, a); a.change >= leastChange {
			list = append(list, a)
		}
	}
	return list
}

func onSquares(dice []table.Reading) map[table.Square]table.Reading {
	on := map[table.Square]table.Reading{}
	for _, r := range dice {
		if r.Square != nil {
			on[*r.Square] = r
		}
	}
	return on
}

func (b *between) spot(sq table.Square, r *table.Reading, scale float64) spot {
	o, height := &r.Outline, len(b.now.pix)/(3*b.width)
	half := math.Sqrt(math.Abs(geometry.Cross(o[0], o[2], o[1], o[3]))/2) / 2 * scale
	x, y := r.At.X*scale, r.At.Y*scale
	return spot{square: sq, x0: max(int(x-half), 0), y0: max(int(y-half), 0), x1: min(int(x+half)+1, b.width), y1: min(int(y+half)+1, height)}
}

// before says whether a frame between shows one square as it is now and the other not so yet, and
// whether the other is plainly as it was then: it is seen so, or the hands that hide it were never
// over it while the first was as it was, and are too far from that to have hidden both.
func (b *between) before(first, then spot) (came, plain bool) {
	as := func(view, frame []byte, a spot) bool { return b.differs(frame, view, a) <= looksLike*a.change }
	rows, cols := first.square.Row-then.square.Row, first.square.Col-then.square.Col
	apart := max(rows, -rows, cols, -cols) > 1
	for _, f := range b.passed {
		switch {
		case as(b.now.pix, f, first):
			came = came || !as(b.now.pix, f, then)
			plain = plain || as(b.was.pix, f, then)
		case as(b.was.pix, f, first):
			apart = apart && as(b.was.pix, f, then)
		}
	}
	return came, plain || came && apart
}

// differs is the mean difference of two thumbnails in a part of them, 0 to 255.
func (b *between) differs(p, q []byte, a spot) float64 {
	if a.x0 >= a.x1 {
		return 0
	}
	sum, n := 0.0, 0
	for y := a.y0; y < a.y1; y++ {
		from, to := 3*(y*b.width+a.x0), 3*(y*b.width+a.x1)
		sum += meanDifference(p[from:to], q[from:to])
		n++
	}
	return sum / float64(max(n, 1))
}

func meanDifference(p, q []byte) float64 {
	sum := 0
	for i := range p {
		sum += max(int(p[i])-int(q[i]), int(q[i])-int(p[i]))
	}
	return float64(sum) / float64(max(len(p), 1))
}
