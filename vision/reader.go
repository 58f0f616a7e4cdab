package vision

import (
	"math"
	"slices"

	"diceref/table"
	"diceref/vision/net"
	"diceref/vision/pixels"
)

// Answers of the networks: faces 0 (blast) to 6 and noDie; colors in the order
// of table.Colors.
const (
	noDie      = 7
	faceKinds  = 8
	colorKinds = len(table.Colors)
	lookSize   = 48 // numbers that say how a crop looks
)

// glance is what the face network says about one crop.
type glance struct {
	faces [faceKinds]float64 // probabilities
	look  [lookSize]float32  // what the color network wants to know of it

	mean, bright rgb // the crop's pixels: their mean, and their 8-norm
}

type rgb [3]float32

// reader runs the face network over crops, all of a picture in one go, the color network
// over what it says, and where that leaves doubts the surround network.
type reader struct {
	face, color, surround *net.Net
}

func (r *reader) close() {
	r.face.Close()
	r.color.Close()
	r.surround.Close()
}

// read looks at every outline.
func (r *reader) read(p *pixels.Picture, outlines [][4]table.Point) ([]glance, error) {
	if len(outlines) == 0 {
		return nil, nil
	}
	out := make([]glance, len(outlines))
	blob, usable, err := p.Crops(faceFraming, outlines, func(i int, crop []float32) {
		for c := range 3 {
			out[i].mean[c], out[i].bright[c] = light(crop[c*len(crop)/3 : (c+1)*len(crop)/3])
		}
	})
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	said, err := r.face.Run([]net.Input{{Name: "crops", Blob: blob}},
		net.Output{Name: "faces", Size: len(outlines) * faceKinds}, net.Output{Name: "look", Size: len(outlines) * lookSize})
	if err != nil {
		return nil, err
	}
	faces, looks := said[0], said[1]
	for i := range out {
		softmax(faces[i*faceKinds:(i+1)*faceKinds], out[i].faces[:])
		copy(out[i].look[:], looks[i*lookSize:(i+1)*lookSize])
		if !usable[i] {
			out[i].faces = [faceKinds]float64{noDie: 1}
		}
	}
	return out, nil
}

// light is the mean of a crop's plane and its 8-norm, which the brightest pixels rule.
func light(plane []float32) (mean, bright float32) {
	var sum, high float64
	for _, v := range plane {
		x := float64(v)
		sum += x
		x *= x
		x *= x
		high += x * x
	}
	n := float64(len(plane))
	return float32(sum / n), float32(math.Pow(high/n, 1.0/8))
}

// colors tells the colors of a picture's dice: from how each looks, how all of
// them look, the light, and which colors the game has. picture is the mean and the
// 6-norm of the whole picture's pixels.
func (r *reader) colors(dice []glance, tints []tint, picture [2]rgb, kit table.Kit) ([][colorKinds]float64, error) {
	if len(dice) == 0 {
		return nil, nil
	}
	const own = lookSize + tintSize
	const row = own + 12 + colorKinds
	blob, data, err := net.Blob(len(dice), row)
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	shared := append(common(dice, picture), kitColors(kit)...)
	for i := range dice {
		copy(data[i*row:], dice[i].look[:])
		copy(data[i*row+lookSize:], tints[i][:])
		copy(data[i*row+own:], shared)
	}
	return colorsOf(r.color, len(dice), net.Input{Name: "dice", Blob: blob})
}

// colorsOf runs a network that tells the colors of n dice.
func colorsOf(by *net.Net, n int, in ...net.Input) ([][colorKinds]float64, error) {
	logits, err := by.Run(in, net.Output{Name: "colors", Size: n * colorKinds})
	if err != nil {
		return nil, err
	}
	out := make([][colorKinds]float64, n)
	for i := range out {
		softmax(logits[0][i*colorKinds:(i+1)*colorKinds], out[i][:])
	}
	return out, nil
}

// common is the light: the picture's mean and 6-norm, and the crops' mean and brightest 8-norm.
func common(dice []glance, picture [2]rgb) []float32 {
	var mean, bright rgb
	for i := range dice {
		for c := range 3 {
			mean[c] += dice[i].mean[c] / float32(len(dice))
			bright[c] = max(bright[c], dice[i].bright[c])
		}
	}
	return slices.Concat(picture[0][:], picture[1][:], mean[:], bright[:])
}

// kitColors is 1 for each color that the game has, all where any may be.
func kitColors(kit table.Kit) []float32 {
	out := make([]float32, colorKinds)
	for i, c := range table.Colors {
		if kit.Dice == nil || kit.Dice[c] > 0 {
			out[i] = 1
		}
	}
	return out
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

// both joins two glances at the same die: the geometric mean, which lets either say no.
func both(a, b glance) glance {
	var sum float64
	for i := range a.faces {
		a.faces[i] = math.Sqrt(a.faces[i] * b.faces[i])
		sum += a.faces[i]
	}
	for i := range a.faces {
		a.faces[i] /= math.Max(sum, 1e-300)
	}
	for i := range a.look {
		a.look[i] = (a.look[i] + b.look[i]) / 2
	}
	return a
}
