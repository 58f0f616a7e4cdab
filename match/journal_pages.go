package match

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// image is the pages of a journal as they are in its file, with what was committed to the file
// beside it (the WAL). It is read without a lock and without writing anything, so that a journal
// can be looked at while another program writes it, and where nothing can be written at all.
// https://sqlite.org/fileformat2.html describes both files.
type image struct {
	bytes []byte
	page  int // bytes of a page

	alone []byte // the file without the WAL, where that had something to add
	stray bool   // the WAL is that of another file, and is left out
}

const (
	walHeader   = 32
	frameHeader = 24
	usualPage   = 4096
	mostTries   = 200 // of a journal that is written all the while
)

// magic is what every SQLite file begins with.
const magic = "SQLite format 3\x00"

// readImage reads a journal as its last commit left it. What changes in the file itself meanwhile is in
// the WAL too, as long as that was not begun again: then all is read again.
func readImage(path string) (image, error) {
	for range mostTries {
		before, err := readWAL(path)
		if err != nil {
			return image{}, err
		}
		file, err := os.ReadFile(path)
		if err != nil {
			return image{}, fmt.Errorf("match: cannot read the journal: %w", err)
		}
		after, err := readWAL(path)
		if err != nil {
			return image{}, err
		}
		if beginning(before) == beginning(after) {
			return overlay(file, after), nil
		}
	}
	return image{}, fmt.Errorf("match: journal %s is busy: try again", path)
}

func readWAL(path string) ([]byte, error) {
	wal, err := os.ReadFile(path + "-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("match: cannot read the journal: %w", err)
	}
	return wal, nil
}

// beginning is the head of a WAL, with the salt that changes when it is begun again.
func beginning(wal []byte) string { return string(wal[:min(walHeader, len(wal))]) }

// overlay puts the committed pages of a WAL over those of the file.
func overlay(file, wal []byte) image {
	im := image{bytes: file, page: pageSize(file)}
	pages, count := committed(wal)
	if len(pages) == 0 {
		return im
	}
	im.page = int(binary.BigEndian.Uint32(wal[8:]))
	out := make([]byte, count*im.page)
	copy(out, file)
	for n, page := range pages {
		if n >= 1 && n <= count {
			copy(out[(n-1)*im.page:], page)
		}
	}
	im.bytes, im.alone = out, file
	if file == nil {
		im.alone = []byte{}
	}
	return im
}

// pageSize is how large the file says that its pages are, if that can be.
func pageSize(file []byte) int {
	if len(file) < 100 {
		return usualPage
	}
	n := int(binary.BigEndian.Uint16(file[16:]))
	if n == 1 {
		n = 1 << 16
	}
	if !possiblePage(n) {
		return usualPage
	}
	return n
}

func possiblePage(n int) bool { return n >= 512 && n <= 1<<16 && n&(n-1) == 0 }

// committed is the pages that a WAL has committed, by number, and how many the journal has then.
func committed(wal []byte) (pages map[int][]byte, count int) {
	if len(wal) < walHeader {
		return nil, 0
	}
	var order binary.ByteOrder = binary.BigEndian
	switch binary.BigEndian.Uint32(wal) {
	case 0x377f0683:
	case 0x377f0682:
		order = binary.LittleEndian
	default:
		return nil, 0
	}
	size := int(binary.BigEndian.Uint32(wal[8:]))
	sum := walSum{order: order}
	sum.add(wal[:24])
	if !possiblePage(size) || !sum.is(wal[24:]) {
		return nil, 0
	}
	pages, open := map[int][]byte{}, map[int][]byte{}
	for rest := wal[walHeader:]; len(rest) >= frameHeader+size; rest = rest[frameHeader+size:] {
		page := rest[frameHeader : frameHeader+size]
		sum.add(rest[:8])
		sum.add(page)
		if string(rest[8:16]) != string(wal[16:24]) || !sum.is(rest[16:]) {
			break // of an earlier time, or never written to its end
		}
		open[int(binary.BigEndian.Uint32(rest))] = page
		if n := int(binary.BigEndian.Uint32(rest[4:])); n > 0 {
			for k, p := range open {
				pages[k] = p
			}
			clear(open)
			count = n
		}
	}
	return pages, count
}

// walSum is the checksum that runs through a WAL.
type walSum struct {
	order binary.ByteOrder
	a, b  uint32
}

func (s *walSum) add(data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		s.a += s.order.Uint32(data) + s.b
		s.b += s.order.Uint32(data[4:]) + s.a
	}
}

func (s *walSum) is(stored []byte) bool {
	return s.a == binary.BigEndian.Uint32(stored) && s.b == binary.BigEndian.Uint32(stored[4:])
}

// row is one row of whatever table, as a page holds it.
type row struct {
	number  int64 // of a table's row; 0 for one of an index
	columns []any // nil, int64, float64, string or []byte
}

// The kinds of pages that hold rows. A table without row numbers is an index, whose inner pages
// hold rows too.
const (
	innerIndex = 0x02
	leafIndex  = 0x0a
	leafTable  = 0x0d
)

// rows tells every row that any page holds, each page by itself: it does not matter which page
// leads to it, or whether that one is damaged.
func (im image) rows(tell func(row)) {
	for at := 0; at < len(im.bytes); at += im.page {
		page := im.bytes[at:min(at+im.page, len(im.bytes))]
		head := 0
		if at == 0 {
			head = 100
		}
		if len(page) < head+12 {
			continue
		}
		kind, cells := page[head], int(binary.BigEndian.Uint16(page[head+3:]))
		list := head + 8
		switch kind {
		case innerIndex:
			list += 4
		case leafIndex, leafTable:
		default:
			continue
		}
		for i := 0; i < cells && list+2*i+2 <= len(page); i++ {
			if r, ok := im.cell(kind, page, int(binary.BigEndian.Uint16(page[list+2*i:]))); ok {
				tell(r)
			}
		}
	}
}

// cell reads one row of a page.
func (im image) cell(kind byte, page []byte, at int) (r row, ok bool) {
	if kind == innerIndex {
		at += 4
	}
	if at >= len(page) {
		return r, false
	}
	rest := page[at:]
	size, rest, ok := varint(rest)
	if !ok || size < 0 || size > int64(len(im.bytes)) {
		return r, false
	}
	if kind == leafTable {
		if r.number, rest, ok = varint(rest); !ok {
			return r, false
		}
	}
	payload, ok := im.payload(kind, rest, int(size))
	if !ok {
		return r, false
	}
	r.columns, ok = columns(payload)
	return r, ok
}

// payload is the bytes of a row, of which a page holds the beginning alone where there are many.
func (im image) payload(kind byte, rest []byte, size int) ([]byte, bool) {
	most, least := (im.page-12)*64/255-23, (im.page-12)*32/255-23
	if kind == leafTable {
		most = im.page - 35
	}
	if size <= most {
		if len(rest) < size {
			return nil, false
		}
		return rest[:size], true
	}
	here := least + (size-least)%(im.page-4)
	if here > most {
		here = least
	}
	if len(rest) < here+4 {
		return nil, false
	}
	out := append(make([]byte, 0, size), rest[:here]...)
	next := int(binary.BigEndian.Uint32(rest[here:]))
	for len(out) < size {
		at := (next - 1) * im.page
		if next < 1 || at+im.page > len(im.bytes) {
			return nil, false
		}
		page := im.bytes[at : at+im.page]
		next = int(binary.BigEndian.Uint32(page))
		out = append(out, page[4:min(im.page, 4+size-len(out))]...)
	}
	return out, true
}

// columns reads the values of a row.
func columns(payload []byte) (list []any, ok bool) {
	size, rest, ok := varint(payload)
	first := len(payload) - len(rest)
	if !ok || size < int64(first) || size > int64(len(payload)) {
		return nil, false
	}
	kinds, data := payload[first:size], payload[size:]
	for len(kinds) > 0 {
		var kind int64
		if kind, kinds, ok = varint(kinds); !ok {
			return nil, false
		}
		v, n, ok := value(kind, data)
		if !ok {
			return nil, false
		}
		list, data = append(list, v), data[n:]
	}
	return list, true
}

// value reads one value, and says how many bytes it takes.
func value(kind int64, data []byte) (v any, size int, ok bool) {
	switch {
	case kind == 0:
		return nil, 0, true
	case kind == 8 || kind == 9:
		return kind - 8, 0, true
	case kind >= 1 && kind <= 6:
		size = []int{1, 2, 3, 4, 6, 8}[kind-1]
	case kind >= 12:
		size = int(kind-12) / 2
	default: // a broken number, which no journal has, or no kind at all
		return nil, 0, false
	}
	if size < 0 || size > len(data) {
		return nil, 0, false
	}
	switch {
	case kind < 12:
		n := int64(int8(data[0]))
		for _, b := range data[1:size] {
			n = n<<8 | int64(b)
		}
		return n, size, true
	case kind%2 == 0:
		return append([]byte{}, data[:size]...), size, true
	}
	return string(data[:size]), size, true
}

// varint reads a number of one to nine bytes.
func varint(data []byte) (n int64, rest []byte, ok bool) {
	for i, b := range data {
		if i == 8 {
			return n<<8 | int64(b), data[9:], true
		}
		n = n<<7 | int64(b&0x7f)
		if b < 0x80 {
			return n, data[i+1:], true
		}
	}
	return 0, nil, false
}
