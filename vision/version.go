package vision

import (
	"crypto/sha256"
	"fmt"
	"io/fs"

	"gocv.io/x/gocv"
)

// Version names the OpenCV in use and the models, as the start of a checksum:
// readings of different versions need not agree.
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
