// Package net loads and runs ONNX networks, with convolutions of its own where those are faster than OpenCV's. It
// knows nothing of what the networks are asked, and nothing of dice.
package net

import (
	"fmt"

	"gocv.io/x/gocv"
)

// Net is a network that is ready to run. It holds memory outside Go, so Close it. It runs for one caller at a time.
type Net struct {
	net  gocv.Net
	name string
}

// Load reads a network in ONNX format; name stands in errors.
func Load(model []byte, name string) (*Net, error) {
	convolveFast()
	net, err := gocv.ReadNetFromONNXBytes(model)
	if err != nil || net.Empty() {
		net.Close()
		return nil, fmt.Errorf("vision: cannot load the model %s; the program's build is damaged", name)
	}
	return &Net{net: net, name: name}, nil
}

// Close frees the network's memory.
func (n *Net) Close() { n.net.Close() }

// Input is what a network is told by a name.
type Input struct {
	Name string
	Blob gocv.Mat
}

// Output is an answer of a network: its name, and how many numbers it must have.
type Output struct {
	Name string
	Size int
}

// Run runs the network, and returns its outputs in the order asked for.
func (n *Net) Run(in []Input, want ...Output) ([][]float32, error) {
	names := make([]string, len(want))
	for i, w := range want {
		names[i] = w.Name
	}
	for _, i := range in {
		n.net.SetInput(i.Blob, i.Name)
	}
	mats := n.net.ForwardLayers(names)
	defer func() {
		for i := range mats {
			mats[i].Close()
		}
	}()
	out := make([][]float32, len(want))
	for i, w := range want {
		data, err := mats[i].DataPtrFloat32()
		if err != nil || len(data) != w.Size {
			return nil, fmt.Errorf("vision: the %s model answers in an unknown format", n.name)
		}
		out[i] = append(out[i], data...)
	}
	return out, nil
}

// Blob is room for a network's input, which the caller closes, and its numbers.
func Blob(shape ...int) (gocv.Mat, []float32, error) {
	blob := gocv.NewMatWithSizes(shape, gocv.MatTypeCV32F)
	data, err := blob.DataPtrFloat32()
	if err != nil {
		blob.Close()
		return gocv.Mat{}, nil, fmt.Errorf("vision: cannot get at the memory of a network's input: %w", err)
	}
	return blob, data, nil
}
