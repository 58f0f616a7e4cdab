package vision

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"testing"

	"gocv.io/x/gocv"
)

// TestVersion holds what the eye says of itself to the models that it has.
func TestVersion(t *testing.T) {
	sum := sha256.New()
	names, err := fs.Glob(models, "model/*.onnx") // sorted
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := models.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(data))
		sum.Write(data)
	}
	want := fmt.Sprintf("OpenCV %s, models %x", gocv.OpenCVVersion(), sum.Sum(nil)[:4])
	if got := Version(); got != want {
		t.Errorf("the eye says %q, and has %q: correct MODELS in note.c", got, want)
	}
}
