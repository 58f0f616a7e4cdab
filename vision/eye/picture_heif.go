package eye

import (
	"errors"
	"fmt"
	"image"
	"slices"

	"diceref/table"
)

// Limits of HEIC and AVIF files. A phone's photo of 48 megapixels has about 200 tiles, 300 items and 1,000 boxes.
const (
	maxBoxes  = 4_000
	maxTiles  = 1_024
	maxDecode = 4 * MaxPixels // of all that is decoded for one picture: its tiles, and how transparent it is
	maxFrames = 4             // layers of an AVIF
)

var errHeif = errors.New("damaged: the parts of this HEIC or AVIF do not fit together")

// heifPicture is what a HEIF file (ISO/IEC 23008-12) tells of its picture, on the way to a Header.
type heifPicture struct {
	*heifFile
	coded   string // "hvc1" or "av01"
	decoded int    // pixels so far
}

// heifHeader finds the picture of a HEIC or AVIF. All that a decoder would go through for it is looked at: the
// sizes that each tile tells outside and inside, how many there are, and where their data lies.
func heifHeader(data []byte) (Header, error) {
	h := Header{Format: "heic", Orientation: 1}
	f, err := readHeif(data)
	if err != nil {
		return h, err
	}
	p := heifPicture{heifFile: f}
	h.Width, h.Height, err = p.picture(f.primary)
	switch {
	case h.TooLarge():
		return h, nil
	case err != nil:
		return h, err
	}
	for id, it := range f.items { // how transparent it is, how far its parts are
		if slices.Contains(it.auxiliaryOf, f.primary) {
			if _, _, err := p.picture(id); err != nil {
				return h, err
			}
		}
	}
	if p.coded == "av01" {
		h.Format = "avif"
	}
	return h, h.transform(f.items[f.primary].properties)
}

// picture is the size of an item that shows something: coded as a whole, or as a grid of tiles.
func (p *heifPicture) picture(id uint32) (width, height int, err error) {
	it := p.items[id]
	if it == nil {
		return 0, 0, errHeif
	}
	if it.kind != "grid" {
		return p.codedItem(it)
	}
	if width, height, err = it.size(); err != nil {
		return width, height, err
	}
	layout, err := p.content(it)
	if err != nil || len(layout) < 8 {
		return 0, 0, errHeif
	}
	rows, cols := 1+int(layout[2]), 1+int(layout[3])
	r := bytesReader{data: layout[4:]}
	sideBytes := 2 + 2*int(layout[1]&1)
	w, t := int(r.uint(sideBytes)), int(r.uint(sideBytes))
	switch {
	case r.failed || w != width || t != height || len(it.madeOf) != rows*cols:
		return 0, 0, errHeif
	case rows*cols > maxTiles:
		return 0, 0, fmt.Errorf("%d tiles are too many (at most %d): save the picture as JPEG", rows*cols, maxTiles)
	}
	for _, tile := range it.madeOf {
		part := p.items[tile]
		if part == nil {
			return 0, 0, errHeif
		}
		w, t, err := p.codedItem(part)
		if err != nil {
			return 0, 0, err
		}
		if w*cols < width || t*rows < height {
			return 0, 0, errHeif
		}
	}
	return width, height, nil
}

// codedItem is the size of an item that is coded by itself.
func (p *heifPicture) codedItem(it *heifItem) (width, height int, err error) {
	if width, height, err = it.size(); err != nil {
		return width, height, err
	}
	data, err := p.content(it)
	if err != nil {
		return 0, 0, err
	}
	if p.coded == "" {
		p.coded = it.kind
	}
	var inside []image.Point
	switch it.kind {
	case "hvc1":
		inside, err = hevcSizes(it.property("hvcC"), data)
	case "av01":
		inside, err = av1Sizes(it.property("av1C"), data)
	default:
		return 0, 0, fmt.Errorf("this kind of HEIC or AVIF (%q) is not supported: save it as JPEG or PNG", it.kind)
	}
	if err != nil || len(inside) == 0 {
		return 0, 0, errHeif
	}
	const padding = 128 // to whole blocks
	for _, in := range inside {
		if in.X < width || in.Y < height || in.X > width+padding || in.Y > height+padding {
			return 0, 0, errHeif
		}
	}
	if p.decoded += width * height; p.decoded > maxDecode {
		return 0, 0, errors.New("the parts of this HEIC or AVIF are too large to read: save it as JPEG")
	}
	return width, height, nil
}

// transform takes from a picture's properties how it is cut and turned. Its EXIF data do not count beside them.
func (h *Header) transform(properties []heifBox) error {
	turn := table.Unturned(h.Width, h.Height)
	turned := false
	for _, p := range properties {
		switch {
		case p.kind == "clap":
			if h.Crop != (image.Rectangle{}) || turned {
				return errHeif
			}
			if err := h.crop(p.body); err != nil {
				return err
			}
			turn = table.Unturned(h.Crop.Dx(), h.Crop.Dy())
		case p.kind == "irot" && len(p.body) > 0: // counterclockwise
			turn, turned = turn.Turned(-int(p.body[0]&3)), true
		case p.kind == "imir" && len(p.body) > 0: // 0: top and bottom are exchanged, 1: left and right
			mirror := table.Turn{Mirrored: true, Quarters: 2 * int(1-p.body[0]&1)}
			turn, turned = turn.Then(mirror), true
		}
	}
	for o := 1; o <= 8; o++ {
		if table.Upright(turn.Width, turn.Height, o) == turn {
			h.Orientation = o
		}
	}
	return nil
}

// crop reads a clean aperture: its size and how far its middle lies from the picture's, as fractions.
func (h *Header) crop(body []byte) error {
	r := bytesReader{data: body}
	var v [4]float64
	for i := range v {
		n, d := int32(r.uint(4)), int32(r.uint(4))
		if r.failed || d <= 0 {
			return errHeif
		}
		v[i] = float64(n) / float64(d)
	}
	w, t := int(v[0]), int(v[1])
	left, top := int((float64(h.Width)-v[0])/2+v[2]), int((float64(h.Height)-v[1])/2+v[3])
	h.Crop = image.Rect(left, top, left+w, top+t)
	if w < 1 || t < 1 || !h.Crop.In(image.Rect(0, 0, h.Width, h.Height)) {
		return errHeif
	}
	return nil
}
