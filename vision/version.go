package vision

import (
	"crypto/sha256"
	"fmt"
	"io/fs"

	"gocv.io/x/gocv"
)

// Version names the OpenCV version and the models (the start of a checksum).
// Readings of different versions may differ.
func Version() string {
	sum := sha256.New()
	names, _ := fs.Glob(models, "model/*.onnx") // sorted; the pattern is right
	for _, name := range names {
		data, _ := models.ReadFile(name) // it is part of the program
		fmt.Fprintf(sum, "%s %d\n", name, len(data))
		sum.Write(data)
	}
	return fmt.Sprintf("OpenCV %s, models %x", gocv.OpenCVVersion(), sum.Sum(nil)[:4])
}
