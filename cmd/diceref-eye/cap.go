package main

import "runtime"

// An eye at work takes up to 1.1 GB for pictures of 64 megapixels, the largest that are read, and 0.3 GB
// for usual ones. Whatever wants plainly more is a decoder led astray by a damaged or hostile file: the
// eye ends rather than the machine, and is started again.
const (
	mostData  = 2 << 30  // bytes
	perThread = 16 << 20 // bytes of stacks; there are about two threads for every processor
)

// dataCap is how much memory this eye may write to, in bytes.
func dataCap() uint64 { return mostData + perThread*uint64(runtime.NumCPU()) }
