package net

/*
#cgo pkg-config: opencv4
#cgo CXXFLAGS: -O3 -Wall

#include <stdbool.h>

bool useConvolution(int bits);
void leaveConvolution(void);
*/
import "C"

import "sync"

// widest is as many bits as any processor's vectors have.
const widest = 512

// convolveFast has OpenCV's networks that are read from now on compute their convolutions in about half
// the time that OpenCV 4.6 takes, where the processor has vectors of 256 or 512 bits. The answers
// are the same but for the last digits. Where that is not faster it does nothing.
var convolveFast = sync.OnceFunc(func() { convolveWith(widest) })

// convolveWith allows for vectors of at most so many bits; false if there are none of use.
func convolveWith(bits int) bool { return bool(C.useConvolution(C.int(bits))) }

// convolvePlainly undoes convolveWith.
func convolvePlainly() { C.leaveConvolution() }
