package net

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"
)

// network is one of the program's, and how to ask it.
type network struct {
	model, input string
	outputs      []string
	shapes       [][]int
	beside       int // numbers a row that are told beside, as "dice"
}

// All kinds of convolutions that the program has, over maps wide and narrow, odd and even, in strips and at once.
var networks = []network{
	{"find.onnx", "image", []string{"maps"}, [][]int{{1, 3, 384, 640}, {1, 3, 32, 32}, {1, 3, 96, 64}, {2, 3, 64, 224}, {1, 3, 352, 416}, {1, 3, 288, 416}}, 0},
	{"face.onnx", "crops", []string{"faces", "look"}, [][]int{{1, 3, 40, 40}, {3, 3, 40, 40}, {25, 3, 40, 40}}, 0},
	{"stand.onnx", "surroundings", []string{"stands"}, [][]int{{1, 3, 56, 56}, {5, 3, 56, 56}}, 0},
	{"top.onnx", "tops", []string{"faces"}, [][]int{{1, 3, 72, 72}, {5, 3, 72, 72}}, 0},
	{"top.onnx", "tops", []string{"faces"}, [][]int{{1, 3, 72, 72}, {5, 3, 72, 72}}, 0},
	{"surround.onnx", "crops", []string{"colors"}, [][]int{{1, 3, 40, 40}, {3, 3, 40, 40}, {25, 3, 40, 40}}, 30},
}

// TestConvolutions holds the networks' answers against those that OpenCV's own layers give.
func TestConvolutions(t *testing.T) {
	convolvePlainly()
	defer convolveWith(widest) // as the networks of other tests may be read after this
	for _, n := range networks {
		t.Run(n.model, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			plain := n.load(t)
			for _, bits := range []int{256, widest} {
				if !convolveWith(bits) {
					t.Logf("no vectors of %d bits here, or OpenCV's own layers are as fast", bits)
					continue
				}
				ours := n.load(t)
				convolvePlainly()
				for _, shape := range n.shapes {
					blob := gocv.NewMatWithSizes(shape, gocv.MatTypeCV32F)
					defer blob.Close()
					for data, i := values(t, blob), 0; i < len(data); i++ {
						data[i] = rng.Float32()
					}
					n.compare(t, bits, shape, n.ask(t, plain, blob), n.ask(t, ours, blob))
				}
			}
		})
	}
}

func (n *network) load(t *testing.T) *gocv.Net {
	model, err := os.ReadFile(filepath.Join("..", "model", n.model))
	if err != nil {
		t.Fatal(err)
	}
	net, err := gocv.ReadNetFromONNXBytes(model)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { net.Close() })
	return &net
}

func (n *network) ask(t *testing.T, net *gocv.Net, blob gocv.Mat) (out [][]float32) {
	net.SetInput(blob, n.input)
	if n.beside > 0 {
		rows := gocv.NewMatWithSizes([]int{blob.Size()[0], n.beside}, gocv.MatTypeCV32F)
		defer rows.Close()
		rows.SetTo(gocv.NewScalar(0.5, 0, 0, 0))
		net.SetInput(rows, "dice")
	}
	answers := net.ForwardLayers(n.outputs)
	for i := range answers {
		out = append(out, append([]float32(nil), values(t, answers[i])...))
		answers[i].Close()
	}
	return out
}

func (n *network) compare(t *testing.T, bits int, shape []int, want, got [][]float32) {
	for i, name := range n.outputs {
		if len(want[i]) == 0 || len(got[i]) != len(want[i]) {
			t.Fatalf("%d bits, %v: %d numbers of %s, want %d", bits, shape, len(got[i]), name, len(want[i]))
		}
		var most, off float64
		for k, v := range want[i] {
			most = max(most, math.Abs(float64(v)))
			off = max(off, math.Abs(float64(got[i][k]-v)))
		}
		if !(off <= 1e-5*most) {
			t.Errorf("%d bits, %v: %s is off by %g where the most is %g", bits, shape, name, off, most)
		}
	}
}

func values(t *testing.T, m gocv.Mat) []float32 {
	t.Helper()
	data, err := m.DataPtrFloat32()
	if err != nil {
		t.Fatal(err)
	}
	return data
}
