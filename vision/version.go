package vision

/*
#cgo pkg-config: opencv4
extern const char diceref_eye[];
static const char *version(void) { return diceref_eye; }
*/
import "C"

// Version names the OpenCV version and the models (the start of a checksum).
// Readings of different versions may differ.
func Version() string { return C.GoString(C.version()) }
