package eye

import (
	"errors"
	"image"
)

var errCodec = errors.New("damaged: the picture's own data cannot be decoded")

// bitReader reads numbers bit by bit; failed is set once there is nothing left.
type bitReader struct {
	data   []byte
	at     int // bits
	failed bool
}

func (r *bitReader) bits(n int) (v uint64) {
	for range n {
		if r.at >= 8*len(r.data) {
			r.failed = true
			return 0
		}
		v = v<<1 | uint64(r.data[r.at/8]>>(7-r.at%8)&1)
		r.at++
	}
	return v
}

func (r *bitReader) flag() bool { return r.bits(1) == 1 }

// golomb reads a number whose length stands before it in zeros (ue(v), uvlc).
func (r *bitReader) golomb() uint64 {
	zeros := 0
	for !r.flag() {
		if zeros++; zeros > 32 || r.failed {
			r.failed = true
			return 0
		}
	}
	return 1<<zeros - 1 + r.bits(zeros)
}

// Kinds of NAL units of HEVC (ITU-T H.265 table 7-1).
const (
	nalLastSlice = 31
	nalSPS       = 33
)

// hevcSizes are the sizes that an HEVC picture tells in its configuration and in its data, which must be one
// picture alone.
func hevcSizes(config, data []byte) ([]image.Point, error) {
	const head = 22
	if len(config) <= head || config[21]&3 != 3 { // decoders want lengths of four bytes
		return nil, errCodec
	}
	var sizes []image.Point
	pictures := 0
	unit := func(nal []byte) error {
		if len(nal) < 3 {
			return errCodec
		}
		kind, layer := nal[0]>>1&63, int(nal[0]&1)<<5|int(nal[1]>>3)
		switch {
		case layer > 0: // of another view: decoders leave it out
		case kind <= nalLastSlice && nal[2]&0x80 != 0: // the first slice of a picture
			pictures++
		case kind == nalSPS:
			size, ok := hevcSize(nal[2:])
			if !ok {
				return errCodec
			}
			sizes = append(sizes, size)
		}
		return nil
	}
	r := bytesReader{data: config[head:]}
	for range r.uint(1) {
		r.take(1)
		for range r.uint(2) {
			nal := r.take(int(r.uint(2)))
			if r.failed {
				return nil, errCodec
			}
			if err := unit(nal); err != nil {
				return nil, err
			}
		}
	}
	for r := (bytesReader{data: data}); len(r.data) > 0; {
		nal := r.take(int(r.uint(4)))
		if r.failed {
			return nil, errCodec
		}
		if err := unit(nal); err != nil {
			return nil, err
		}
	}
	if pictures != 1 {
		return nil, errCodec
	}
	return sizes, nil
}

// hevcSize reads a sequence parameter set up to the size (H.265 7.3.2.2).
func hevcSize(nal []byte) (image.Point, bool) {
	plain := make([]byte, 0, min(len(nal), 128)) // the size stands at its start
	for i := 0; i < len(nal) && len(plain) < cap(plain); i++ {
		if nal[i] == 3 && i >= 2 && nal[i-1] == 0 && nal[i-2] == 0 {
			continue // keeps the data from looking like a start
		}
		plain = append(plain, nal[i])
	}
	r := bitReader{data: plain}
	r.bits(4)
	layers := int(r.bits(3))
	const profile, level = 88, 8
	r.bits(1 + profile + level)
	var profiles, levels int
	for range layers {
		profiles += int(r.bits(1))
		levels += int(r.bits(1))
	}
	if layers > 0 {
		r.bits(2 * (8 - layers))
	}
	r.bits(profiles*profile + levels*level)
	r.golomb()
	if r.golomb() == 3 {
		r.bits(1)
	}
	w, h := r.golomb(), r.golomb()
	return image.Pt(int(w), int(h)), !r.failed && w <= 1<<16 && h <= 1<<16
}

// Kinds of AV1's units (AV1 specification 6.2.2).
const (
	obuSequence = 1
	obuFrameHdr = 3
	obuFrame    = 6
)

// av1Sizes are the sizes that an AV1 picture tells in its configuration and in its data, which must be one
// picture alone, in a few layers.
func av1Sizes(config, data []byte) ([]image.Point, error) {
	if len(config) < 4 {
		return nil, errCodec
	}
	var sizes []image.Point
	frames := 0
	for _, units := range [][]byte{config[4:], data} {
		for len(units) > 0 {
			kind, body, rest, ok := av1Unit(units)
			if !ok {
				return nil, errCodec
			}
			units = rest
			switch kind {
			case obuFrame, obuFrameHdr:
				frames++
			case obuSequence:
				size, ok := av1Size(body)
				if !ok {
					return nil, errCodec
				}
				sizes = append(sizes, size)
			}
		}
	}
	if frames < 1 || frames > maxFrames {
		return nil, errCodec
	}
	return sizes, nil
}

// av1Unit takes the first unit of some.
func av1Unit(units []byte) (kind byte, body, rest []byte, ok bool) {
	r := bytesReader{data: units}
	head := byte(r.uint(1))
	if head&4 != 0 {
		r.take(1)
	}
	n := uint64(len(r.data))
	if head&2 != 0 {
		n = 0
		for i := range 8 {
			b := r.uint(1)
			n |= b & 0x7f << (7 * i)
			if b&0x80 == 0 {
				break
			}
		}
	}
	if r.failed || n > uint64(len(r.data)) {
		return 0, nil, nil, false
	}
	body = r.take(int(n))
	return head >> 3 & 15, body, r.data, true
}

// av1Size reads a sequence header up to the size (AV1 specification 5.5.1).
func av1Size(body []byte) (image.Point, bool) {
	r := bitReader{data: body}
	r.bits(3 + 1)
	if r.flag() { // a still alone
		r.bits(5)
	} else {
		av1Timing(&r)
	}
	wBits, hBits := 1+int(r.bits(4)), 1+int(r.bits(4))
	w, h := 1+int(r.bits(wBits)), 1+int(r.bits(hBits))
	return image.Pt(w, h), !r.failed
}

// av1Timing skips what a sequence header says of time.
func av1Timing(r *bitReader) {
	decoderTimes := 0 // bits of each
	if r.flag() {
		r.bits(32 + 32)
		if r.flag() {
			r.golomb()
		}
		if r.flag() {
			decoderTimes = 1 + int(r.bits(5))
			r.bits(32 + 5 + 5)
		}
	}
	delays := r.flag()
	for range 1 + r.bits(5) {
		r.bits(12)
		if r.bits(5) > 7 {
			r.bits(1)
		}
		if decoderTimes > 0 && r.flag() {
			r.bits(2*decoderTimes + 1)
		}
		if delays && r.flag() {
			r.bits(4)
		}
	}
}
