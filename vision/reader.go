package vision

import (
	"errors"
	"math"

	"diceref/table"
	"gocv.io/x/gocv"
)

// Answers of the face network: faces 0 (blast) to 6 and noDie; colors in the
// order of table.Colors.
const (
	noDie      = 7
	faceKinds  = 8
	colorKinds = len(table.Colors)
)

// glance is what the face network says about one crop, as probabilities.
type glance struct {
	faces  [faceKinds]float64
	colors [colorKinds]float64
}

// reader runs the face network over crops, all of a picture in one go.
type reader struct {
	net gocv.Net
}

func newReader(model []byte) (*reader, error) {
	net, err := gocv.ReadNetFromONNXBytes(model)
	if err != nil || net.Empty() {
		return nil, errors.New("vision: cannot load the face model; the program's build is damaged")
	}
	return &reader{net: net}, nil
}

func (r *reader) close() { r.net.Close() }

// read looks at every outline in the given quarter turn.
func (r *reader) read(p *pixels, outlines [][4]table.Point, quarter int) ([]glance, error) {
	if len(outlines) == 0 {
		return nil, nil
	}
	blob := gocv.NewMatWithSizes([]int{len(outlines), 3, cropSize, cropSize}, gocv.MatTypeCV32F)
	defer blob.Close()
	data, err := blob.DataPtrFloat32()
	if err != nil {
		return nil, errors.New("vision: cannot get at the crops' memory")
	}
	const each = 3 * cropSize * cropSize
	usable := make([]bool, len(outlines))
	for i, o := range outlines {
		usable[i] = p.crop(o, quarter, data[i*each:(i+1)*each])
		if !usable[i] {
			clear(data[i*each : (i+1)*each])
		}
	}
	r.net.SetInput(blob, "crops")
	outs := r.net.ForwardLayers([]string{"faces", "colors"})
	defer func() {
		for i := range outs {
			outs[i].Close()
		}
	}()
	faces, err1 := outs[0].DataPtrFloat32()
	colors, err2 := outs[1].DataPtrFloat32()
	if err1 != nil || err2 != nil || len(faces) != len(outlines)*faceKinds || len(colors) != len(outlines)*colorKinds {
		return nil, errors.New("vision: the face model answers in an unknown form")
	}
	out := make([]glance, len(outlines))
	for i := range out {
		softmax(faces[i*faceKinds:(i+1)*faceKinds], out[i].faces[:])
		softmax(colors[i*colorKinds:(i+1)*colorKinds], out[i].colors[:])
		if !usable[i] {
			out[i].faces = [faceKinds]float64{noDie: 1}
		}
	}
	return out, nil
}

// coolness flattens the networks' answers, which are surer of themselves than
// they are right.
const coolness = 1.0

func softmax(logits []float32, out []float64) {
	top := float64(logits[0])
	for _, v := range logits {
		top = math.Max(top, float64(v))
	}
	var sum float64
	for i, v := range logits {
		out[i] = math.Exp((float64(v) - top) / coolness)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
}

// mean is the geometric mean of two glances at the same die, which lets either say no.
func mean(a, b glance) glance {
	join := func(x, y, out []float64) {
		var sum float64
		for i := range out {
			out[i] = math.Sqrt(x[i] * y[i])
			sum += out[i]
		}
		for i := range out {
			out[i] /= math.Max(sum, 1e-300)
		}
	}
	var g glance
	join(a.faces[:], b.faces[:], g.faces[:])
	join(a.colors[:], b.colors[:], g.colors[:])
	return g
}
