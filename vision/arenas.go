package vision

/*
#include <malloc.h>

static void keep_arenas_few(void) {
#ifdef M_ARENA_MAX
	mallopt(M_ARENA_MAX, 2);
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
func init() { C.keep_arenas_few() }

// giveBack gives memory that C has freed back to the system: pictures and layers of all sizes leave gaps
// between what stays, so that an eye that begins watch after watch would grow by 0.2 MB with each.
func giveBack() { C.give_back() }
