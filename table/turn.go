package table

import "slices"

// Turn is how a picture becomes another one: mirrored left to right if Mirrored says so, and then turned
// clockwise by quarters. It knows how large the picture was, so that whatever was turned, again and again,
// can be told where it is in the picture at the start.
type Turn struct {
	Width, Height int // of the picture before, pixels
	Mirrored      bool
	Quarters      int // 0 to 3
}

// Unturned is a picture left as it is.
func Unturned(width, height int) Turn { return Turn{Width: width, Height: height} }

// Upright is the turn that puts a picture the right way up whose EXIF orientation is 1 to 8 (CIPA DC-008,
// tag 274). Any other number leaves it as it is.
func Upright(width, height, orientation int) Turn {
	t := Unturned(width, height)
	if orientation < 1 || orientation > 8 {
		return t
	}
	t.Mirrored = slices.Contains([]int{2, 4, 5, 7}, orientation)
	t.Quarters = [...]int{0, 0, 2, 2, 3, 1, 1, 3}[orientation-1]
	return t
}

// Turned turns the picture further, clockwise by quarters.
func (t Turn) Turned(quarters int) Turn {
	t.Quarters = (t.Quarters + quarters%4 + 4) % 4
	return t
}

// Then does one turn after the other. The second one's picture is what the first one makes.
func (t Turn) Then(next Turn) Turn {
	if next.Mirrored { // what is turned clockwise before goes the other way round in the mirror
		t.Mirrored, t.Quarters = !t.Mirrored, -t.Quarters
	}
	return t.Turned(next.Quarters)
}

// Back undoes the turn.
func (t Turn) Back() Turn {
	back := t
	back.Width, back.Height = t.Size()
	if !t.Mirrored {
		back.Quarters = (4 - t.Quarters) % 4
	}
	return back
}

// Size is that of the picture afterwards.
func (t Turn) Size() (width, height int) {
	if t.Quarters%2 == 1 {
		return t.Height, t.Width
	}
	return t.Width, t.Height
}

// Point is where a place of the picture lies afterwards.
func (t Turn) Point(p Point) Point {
	w, h := float64(t.Width), float64(t.Height)
	if t.Mirrored {
		p.X = w - p.X
	}
	switch t.Quarters {
	case 1:
		return Point{X: h - p.Y, Y: p.X}
	case 2:
		return Point{X: w - p.X, Y: h - p.Y}
	case 3:
		return Point{X: p.Y, Y: w - p.X}
	}
	return p
}

// Observation is what was seen in the picture, told of the picture afterwards. The given one stays as it is.
func (t Turn) Observation(o Observation) Observation {
	o.Width, o.Height = t.Size()
	o.Dice = slices.Clone(o.Dice)
	for i := range o.Dice {
		d := &o.Dice[i]
		d.At = t.Point(d.At)
		for k := range d.Outline {
			d.Outline[k] = t.Point(d.Outline[k])
		}
	}
	if o.Grid != nil && o.Grid.Found {
		grid := *o.Grid
		for k := range grid.Corners {
			grid.Corners[k] = t.Point(grid.Corners[k])
		}
		o.Grid = &grid
	}
	return o
}
