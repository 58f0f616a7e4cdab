package vision

import (
	"fmt"
	"math"

	"gocv.io/x/gocv"

	"diceref/vision/classify"
)

const (
	// castPower is how much more bright places tell of the light's color than dark ones: by that power of their light
	// (shades of gray, Finlayson and Trezzi 2004). With 1 a red cloth is taken for a red lamp, with infinity one lamp in
	// view for the light.
	castPower = 6
	// mostCast is how much a light may be colored: the logarithm of red or of blue over green. The networks have
	// learned from lights up to there. Less takes colored tables for colored light.
	mostCast = 1.0
	// mostCold is how much bluer a light may be, the logarithm of blue over red: lamps are far warmer than daylight, but hardly
	// anything is colder. Of 1,241 pictures 99 of 100 have less than 0.42. A camera that is set to a bulb sees daylight so.
	mostCold = 0.6
	// castAcross is how many places are asked along a picture.
	castAcross = 160
	// brightShare of a picture, as pips and the tops of a few dice are, tells how bright it is, of 255. The networks know
	// pictures of knownBright; one of dimBright or less is made as bright as well exposed ones are. In between it changes by
	// degrees, so that a camera's noise makes no other picture of it. mostGain bounds what is made of one of the dark.
	brightShare = 0.0005
	knownBright = 100.0
	dimBright   = 80.0
	wellBright  = 160.0
	mostGain    = 4.0
)

// colorCast is the logarithms of blue and of red over green in the light of a picture. It is the same whichever way up
// that is: the places that are asked lie alike from all its sides.
func colorCast(pix []byte, width, height int) (blue, red float64) {
	step := max(width, height)/castAcross | 1
	first := func(n int) int { return (n - 1) * (step + 1) / 2 % step } // as far from one side as the last from the other
	var sum [3]int
	n := 0
	for y := first(height); y < height; y += step {
		for x := first(width); x < width; x += step {
			for c, v := range pix[3*(y*width+x) : 3*(y*width+x)+3] {
				sum[c] += castLevel[v]
			}
			n++
		}
	}
	var tone [3]float64
	for c := range sum {
		tone[c] = math.Log(math.Pow(float64(sum[c])/float64(n)/castWhole, 1.0/castPower) + castDark)
	}
	return tone[0] - tone[1], tone[2] - tone[1]
}

// castDark keeps a black picture from having a color, of 1.
const castDark = 0.01

// castWhole is what white tells of the light; in whole numbers, so that a sum is the same in any order.
const castWhole = 1 << 40

// castLevel is by how much a value tells of the light.
var castLevel = func() (t [256]int) {
	for v := range t {
		t[v] = int(castWhole * math.Pow(toLinear(float64(v)), castPower))
	}
	return t
}()

// gainOf is how many times as bright a picture must be to be well exposed, if it is too dark for the networks; else 1.
func gainOf(pix []byte) float64 {
	var count [256]int
	for i := 1; i < len(pix); i += 3 { // green
		count[pix[i]]++
	}
	left, v := int(brightShare*float64(len(pix)/3)), 255
	for ; v > 1; v-- {
		if left -= count[v]; left < 0 {
			break
		}
	}
	dim := min(max((knownBright-float64(v))/(knownBright-dimBright), 0), 1)
	return 1 + dim*(min(wellBright/float64(v), mostGain)-1)
}

// balanced is a picture in a light that the networks know: where its color is beyond that, so much of it is taken out, and where
// there is little, it is made brighter.
func (r *Recognizer) balanced(img gocv.Mat) (gocv.Mat, error) {
	pix, err := img.DataPtrUint8()
	if err != nil {
		return gocv.Mat{}, fmt.Errorf("vision: cannot look at the picture: %w", err)
	}
	blue, red := colorCast(pix, img.Cols(), img.Rows())
	excess := excessOf(blue, red)
	r.excess, r.gain = max(math.Abs(excess[0]), math.Abs(excess[2])), gainOf(pix)
	if r.excess == 0 && r.gain == 1 {
		return img, nil
	}
	lut := gocv.NewMatWithSize(1, 256, gocv.MatTypeCV8UC3)
	defer lut.Close()
	to, err := lut.DataPtrUint8()
	if err != nil {
		return gocv.Mat{}, fmt.Errorf("vision: cannot balance the picture: %w", err)
	}
	for c, e := range excess {
		by := r.gain * math.Exp(-e/gamma)
		for v := range 256 {
			to[3*v+c] = uint8(min(float64(v)*by+0.5, 255))
		}
	}
	gocv.LUT(img, lut, &r.plain)
	return r.plain, nil
}

// temper makes the colors as doubtful as the light was foreign: of what a lamp does not shine, dice have nothing to
// show, and a camera clips what it shines most.
func (r *Recognizer) temper(colors [][classify.ColorKinds]float64) {
	if r.excess == 0 {
		return
	}
	for k := range colors {
		sum := 0.0
		for c, p := range colors[k] {
			colors[k][c] = math.Pow(p, 1/(1+r.excess))
			sum += colors[k][c]
		}
		for c := range colors[k] {
			colors[k][c] /= max(sum, 1e-300)
		}
	}
}

// excessOf is what of a light is more than the networks know, by channel, if blue and red are so much more than green in it.
func excessOf(blue, red float64) [3]float64 {
	b, r := min(max(blue, -mostCast), mostCast), min(max(red, -mostCast), mostCast)
	if cold := (b - r - mostCold) / 2; cold > 0 {
		b, r = b-cold, r+cold
	}
	return [3]float64{0: blue - b, 2: red - r}
}
