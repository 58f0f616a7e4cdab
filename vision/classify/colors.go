package classify

import (
	"math"
	"slices"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/net"
	"diceref/vision/pixels"
)

// OffFrom is by which share of it a color differs from another.
func (c RGB) OffFrom(o RGB) float64 {
	var diff, sum float64
	for i := range c {
		diff += float64((c[i] - o[i]) * (c[i] - o[i]))
		sum += float64(o[i] * o[i])
	}
	return math.Sqrt(diff / max(sum, 1))
}

// Tint is how a die's top and its widest side look: of either the logarithms of red over
// green, of blue over green and of the brightness, in linear light; the share of the top that
// is clipped; 1 if a side is seen; and its area in shares of the top's. Then how the darkest of the
// top's edges looks and what share of it is clipped, at edgeInset and at bodyInset, and how the brightest looks.
// Zeros where nothing is seen. vision/training/tints.py takes the same.
type Tint [tintSize]float32

const (
	tintSize  = 20
	SideFrom  = 4 // numbers before those of the side
	EdgesFrom = 9 // numbers before those of the edges
)

// Blend joins probabilities and another word, which count that much each: 1 in all is their geometric
// mean, 2 what two would say that know nothing of each other.
func Blend(p, word *[ColorKinds]float64, own, weight float64) {
	var sum float64
	for c := range p {
		p[c] = math.Pow(p[c], own) * math.Pow(word[c], weight)
		sum += p[c]
	}
	for c := range p {
		p[c] /= max(sum, 1e-300)
	}
}

// Question is what the surround network is told of a picture's dice: where they are, how their
// tops look, and the picture's mean and 6-norm.
type Question struct {
	Outlines [][4]table.Point
	Tints    []Tint
	Light    [2]RGB
}

// About tells the colors of a picture's dice by what lies about them, too. They are seen as they are
// and upside down, so that it does not matter which way up the picture is.
func (r *Reader) About(p *pixels.Picture, q *Question, kit table.Kit) ([][ColorKinds]float64, error) {
	const own = SideFrom + tintSize - EdgesFrom // a tint but its side: that is seen in the crop, whichever way it lies
	const row = own + 6 + ColorKinds
	dice, data, err := net.Blob(len(q.Tints), row)
	if err != nil {
		return nil, err
	}
	defer dice.Close()
	shared := slices.Concat(q.Light[0][:], q.Light[1][:], kitColors(kit))
	for i := range q.Tints {
		copy(data[i*row:], q.Tints[i][:SideFrom])
		copy(data[i*row+SideFrom:], q.Tints[i][EdgesFrom:])
		copy(data[i*row+own:], shared)
	}
	upright, err := r.aboutTurned(p, q.Outlines, 0, dice)
	if err != nil {
		return nil, err
	}
	turned, err := r.aboutTurned(p, q.Outlines, 2, dice)
	for i := range turned {
		Blend(&upright[i], &turned[i], 0.5, 0.5)
	}
	return upright, err
}

// aboutTurned is what the surround network says of crops turned by so many quarters.
func (r *Reader) aboutTurned(p *pixels.Picture, outlines [][4]table.Point, quarters int, dice gocv.Mat) ([][ColorKinds]float64, error) {
	crops, _, err := p.Crops(surroundFraming, pixels.InTurns(outlines, quarters), nil)
	if err != nil {
		return nil, err
	}
	defer crops.Close()
	return colorsOf(r.surround, len(outlines), net.Input{Name: "crops", Blob: crops}, net.Input{Name: "dice", Blob: dice})
}

// Colors tells the colors of a picture's dice: from how each looks, how all of
// them look, the light, and which colors the game has. picture is the mean and the
// 6-norm of the whole picture's pixels.
func (r *Reader) Colors(dice []Glance, tints []Tint, picture [2]RGB, kit table.Kit) ([][ColorKinds]float64, error) {
	if len(dice) == 0 {
		return nil, nil
	}
	const own = LookSize + tintSize
	const row = own + 12 + ColorKinds
	blob, data, err := net.Blob(len(dice), row)
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	shared := append(common(dice, picture), kitColors(kit)...)
	for i := range dice {
		copy(data[i*row:], dice[i].Look[:])
		copy(data[i*row+LookSize:], tints[i][:])
		copy(data[i*row+own:], shared)
	}
	return colorsOf(r.color, len(dice), net.Input{Name: "dice", Blob: blob})
}

// colorsOf runs a network that tells the colors of n dice.
func colorsOf(by *net.Net, n int, in ...net.Input) ([][ColorKinds]float64, error) {
	logits, err := by.Run(in, net.Output{Name: "colors", Size: n * ColorKinds})
	if err != nil {
		return nil, err
	}
	out := make([][ColorKinds]float64, n)
	for i := range out {
		softmax(logits[0][i*ColorKinds:(i+1)*ColorKinds], out[i][:])
	}
	return out, nil
}

// common is the light: the picture's mean and 6-norm, and the crops' mean and brightest 8-norm.
func common(dice []Glance, picture [2]RGB) []float32 {
	var mean, bright RGB
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
	out := make([]float32, ColorKinds)
	for i, c := range table.Colors {
		if kit.Dice == nil || kit.Dice[c] > 0 {
			out[i] = 1
		}
	}
	return out
}
