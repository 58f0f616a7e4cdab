package eye

import (
	"bytes"
	"slices"
)

// heifBox is a box of a file made of boxes (ISO/IEC 14496-12).
type heifBox struct {
	kind string
	body []byte
}

// heifItem is one of a file's items: a picture, a tile, or something about them.
type heifItem struct {
	kind        string
	properties  []heifBox
	extents     [][2]uint64 // from where, and how many bytes
	inside      bool        // of the file's own item data, rather than the file
	known       bool        // where its data lies
	madeOf      []uint32    // tiles, in order
	auxiliaryOf []uint32
}

// heifFile is what a HEIF file tells of its items.
type heifFile struct {
	data    []byte
	idat    []byte
	primary uint32
	items   map[uint32]*heifItem
	boxes   int
	cut     bool // data are said to lie behind the end
}

// bytesReader reads numbers, big end first; failed is set once there is nothing left.
type bytesReader struct {
	data   []byte
	failed bool
}

func (r *bytesReader) take(n int) []byte {
	if n > len(r.data) {
		r.failed, r.data = true, nil
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

// uint reads a number of so many bytes, at most 8.
func (r *bytesReader) uint(n int) (v uint64) {
	for _, b := range r.take(n) {
		v = v<<8 | uint64(b)
	}
	return v
}

// full reads what is at the start of many boxes.
func (r *bytesReader) full() (version byte, flags uint32) {
	v := r.uint(4)
	return byte(v >> 24), uint32(v) & 0xffffff
}

// children are the boxes one after the other in some bytes; with an error, those before it.
func (f *heifFile) children(data []byte) ([]heifBox, error) {
	var out []heifBox
	for len(data) > 0 {
		r := bytesReader{data: data}
		n, kind := r.uint(4), string(r.take(4))
		head := uint64(8)
		switch n {
		case 0: // to the end
			n = uint64(len(data))
		case 1:
			n, head = r.uint(8), 16
		}
		if r.failed || n > uint64(len(data)) {
			return out, errTruncated
		}
		if f.boxes++; n < head || f.boxes > maxBoxes {
			return out, errHeif
		}
		out = append(out, heifBox{kind, data[head:n]})
		data = data[n:]
	}
	return out, nil
}

// only is the one box of a kind; nil if there is none, or more than one.
func only(boxes []heifBox, kind string) []byte {
	var found []byte
	n := 0
	for _, b := range boxes {
		if b.kind == kind {
			found = b.body
			n++
		}
	}
	if n != 1 {
		return nil
	}
	return found
}

// readHeif reads what a file tells of its items.
func readHeif(data []byte) (*heifFile, error) {
	f := &heifFile{data: data, items: map[uint32]*heifItem{}}
	top, err := f.children(data) // what cameras append behind the boxes is left alone
	meta := only(top, "meta")
	switch {
	case err != nil && countOf(top, "meta") == 0:
		return nil, err
	case len(meta) < 4:
		return nil, errHeif
	}
	boxes, err := f.children(meta[4:])
	if err != nil {
		return nil, err
	}
	for _, kind := range []string{"pitm", "iinf", "iloc", "iprp", "iref", "idat"} {
		if n := countOf(boxes, kind); n > 1 { // which of them a decoder goes by, nobody knows
			return nil, errHeif
		}
	}
	f.idat = only(boxes, "idat")
	ok := f.readPrimary(only(boxes, "pitm")) && f.readKinds(only(boxes, "iinf")) && f.readPlaces(only(boxes, "iloc")) &&
		f.readProperties(only(boxes, "iprp")) && f.readReferences(only(boxes, "iref"))
	switch {
	case f.cut:
		return nil, errTruncated
	case !ok:
		return nil, errHeif
	}
	return f, nil
}

func countOf(boxes []heifBox, kind string) (n int) {
	for _, b := range boxes {
		if b.kind == kind {
			n++
		}
	}
	return n
}

func (f *heifFile) readPrimary(body []byte) bool {
	r := bytesReader{data: body}
	version, _ := r.full()
	f.primary = uint32(r.uint(idBytes(version > 0)))
	return !r.failed
}

func idBytes(long bool) int {
	if long {
		return 4
	}
	return 2
}

// readKinds makes the items.
func (f *heifFile) readKinds(body []byte) bool {
	r := bytesReader{data: body}
	version, _ := r.full()
	r.take(idBytes(version > 0)) // how many there are shows
	entries, err := f.children(r.data)
	if err != nil || r.failed {
		return false
	}
	for _, e := range entries {
		r := bytesReader{data: e.body}
		version, _ := r.full()
		if e.kind != "infe" || version < 2 {
			continue
		}
		id := uint32(r.uint(idBytes(version > 2)))
		r.take(2)
		kind := string(r.take(4))
		if r.failed || f.items[id] != nil {
			return false
		}
		f.items[id] = &heifItem{kind: kind}
	}
	return true
}

// readPlaces says where the items' data lies.
func (f *heifFile) readPlaces(body []byte) bool {
	r := bytesReader{data: body}
	version, _ := r.full()
	sizes := r.uint(2)
	offsetBytes, lengthBytes, baseBytes, indexBytes := int(sizes>>12), int(sizes>>8&15), int(sizes>>4&15), int(sizes&15)
	if version == 0 {
		indexBytes = 0
	}
	if max(offsetBytes, lengthBytes, baseBytes, indexBytes) > 8 {
		return false
	}
	n := r.uint(idBytes(version > 1))
	for range n {
		it := f.items[uint32(r.uint(idBytes(version > 1)))]
		method := uint64(0)
		if version > 0 {
			method = r.uint(2) & 15
		}
		elsewhere := r.uint(2)
		base := r.uint(baseBytes)
		extents := r.uint(2)
		if r.failed || it != nil && it.known {
			return false
		}
		if it == nil { // nobody knows what it is
			it = &heifItem{}
		}
		it.known, it.inside = method < 2 && elsewhere == 0, method == 1
		for range extents {
			r.take(indexBytes)
			it.extents = append(it.extents, [2]uint64{base + r.uint(offsetBytes), r.uint(lengthBytes)})
			if r.failed {
				return false
			}
		}
		if it.known && !f.fits(it) {
			return false
		}
	}
	return true
}

// fits says whether an item's data lies in the file, and is no more than that has.
func (f *heifFile) fits(it *heifItem) bool {
	whole := uint64(len(f.data))
	if it.inside {
		whole = uint64(len(f.idat))
	}
	sum := uint64(0)
	for _, e := range it.extents {
		if e[0] > whole || e[1] > whole-e[0] {
			f.cut = !it.inside
			return false
		}
		if sum += e[1]; e[1] == 0 || sum > whole {
			return false
		}
	}
	return true
}

// content is an item's data.
func (f *heifFile) content(it *heifItem) ([]byte, error) {
	from := f.data
	if it.inside {
		from = f.idat
	}
	if !it.known || len(it.extents) == 0 {
		return nil, errHeif
	}
	parts := make([][]byte, len(it.extents))
	for i, e := range it.extents {
		parts[i] = from[e[0] : e[0]+e[1]]
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return bytes.Join(parts, nil), nil
}

// readProperties gives each item its properties, in order.
func (f *heifFile) readProperties(body []byte) bool {
	boxes, err := f.children(body)
	if err != nil || countOf(boxes, "ipco") != 1 {
		return false
	}
	all, err := f.children(only(boxes, "ipco"))
	if err != nil {
		return false
	}
	given := map[uint32]bool{}
	for _, b := range boxes {
		if b.kind != "ipma" {
			continue
		}
		r := bytesReader{data: b.body}
		version, flags := r.full()
		n := r.uint(4)
		for range n {
			id := uint32(r.uint(idBytes(version > 0)))
			count := r.uint(1)
			if r.failed || given[id] {
				return false
			}
			given[id] = true
			for range count {
				k := r.uint(1 + int(flags&1))
				k &= 1<<(7+8*(flags&1)) - 1 // without the mark of what is essential
				if r.failed || k > uint64(len(all)) {
					return false
				}
				if it := f.items[id]; it != nil && k > 0 {
					it.properties = append(it.properties, all[k-1])
				}
			}
		}
	}
	return true
}

// readReferences says which items are made of others, or add to them.
func (f *heifFile) readReferences(body []byte) bool {
	if body == nil {
		return true
	}
	r := bytesReader{data: body}
	version, _ := r.full()
	refs, err := f.children(r.data)
	if err != nil || r.failed {
		return false
	}
	for _, ref := range refs {
		r := bytesReader{data: ref.body}
		from := f.items[uint32(r.uint(idBytes(version > 0)))]
		n := int(r.uint(2))
		to := make([]uint32, 0, min(n, len(ref.body)))
		for range n {
			to = append(to, uint32(r.uint(idBytes(version > 0))))
			if r.failed {
				return false
			}
		}
		switch {
		case from == nil:
		case ref.kind == "dimg" && from.madeOf != nil:
			return false
		case ref.kind == "dimg":
			from.madeOf = to
		case ref.kind == "auxl":
			from.auxiliaryOf = append(from.auxiliaryOf, to...)
		}
	}
	return true
}

// property is the one property of a kind; nil if there is none, or more than one.
func (it *heifItem) property(kind string) []byte { return only(it.properties, kind) }

// size is what an item says of its size, in pixels.
func (it *heifItem) size() (width, height int, err error) {
	r := bytesReader{data: it.property("ispe")}
	r.full()
	width, height = int(r.uint(4)), int(r.uint(4))
	switch {
	case r.failed || width == 0 || height == 0:
		return 0, 0, errHeif
	case Header{Width: width, Height: height}.TooLarge():
		return width, height, errHeif
	}
	return width, height, nil
}

// heifBrands are the brands of files that hold a HEIC or AVIF picture.
var heifBrands = []string{"heic", "heix", "heim", "heis", "mif1", "mif2", "miaf", "avif", "MA1A", "MA1B"}

// isHeif says whether a file's first box names one of these brands.
func isHeif(data []byte) bool {
	r := bytesReader{data: data}
	n := r.uint(4)
	if string(r.take(4)) != "ftyp" || n < 16 || n > uint64(len(data)) || n > 1<<10 {
		return false
	}
	for at := uint64(8); at+4 <= n; at += 4 {
		if at != 12 && slices.Contains(heifBrands, string(data[at:at+4])) { // at 12 is a version
			return true
		}
	}
	return false
}
