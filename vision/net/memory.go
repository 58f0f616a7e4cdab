package net

/*
#include <malloc.h>

// Before the first thread begins: heaps that are there stay.
__attribute__((constructor)) static void keep_heap_small(void) {
#ifdef M_ARENA_MAX
	mallopt(M_ARENA_MAX, 2);
#endif
}

static void keep_blocks_small(int large) {
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, large);
#endif
}

static void give_back(void) {
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}
*/
import "C"

// The C library gives threads heaps of their own, up to eight for each core, and what a network freed in
// one is of no use in another. Two cores need no more than two: that saves some 20 MB.
//
// Of the size of a large block on, memory comes from the system and goes back to it when it is freed. Left to itself
// the C library raises that size to 32 MB once such a block was freed, and pictures and layers leave gaps that differ
// from run to run. A smaller size takes less memory and more time: 2 MB saves 10 to 15 MB where the machine is busy,
// and costs about 5 % of a reading; 1 MB saves a few more and costs the same or more.
func init() { C.keep_blocks_small(largeBlock) }

// largeBlock is the size of a large block, bytes: a frame of a 720p camera is one.
const largeBlock = 2 << 20

// GiveBack gives memory that C has freed back to the system: pictures and layers of all sizes leave gaps
// between what stays, so that an eye that begins watch after watch would grow by 0.2 MB with each.
func GiveBack() { C.give_back() }
