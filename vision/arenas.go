package vision

/*
#include <malloc.h>

static void keep_arenas_few(void) {
#ifdef M_ARENA_MAX
	mallopt(M_ARENA_MAX, 2);
#endif
}
*/
import "C"

// The C library gives threads heaps of their own, up to eight for each core, and what a network freed in
// one is of no use in another. Two cores need no more than two: that saves some 20 MB.
func init() { C.keep_arenas_few() }
