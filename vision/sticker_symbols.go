package vision

import (
	"image"
	"image/color"
	"math"
	"sync"

	"gocv.io/x/gocv"

	"diceref/table"
)

// What is printed on a sticker tells its kind where its color is in doubt: a 2 on the upgrades, +1 on
// the bonus, rings on the center.

const (
	signTwo = iota
	signPlusOne
	signRings
	signKinds
)

const (
	holeSamples  = 15  // either way, over a hole's floor
	hiddenSample = -1  // of one that is not seen
	signFrom     = 1.0 // how unlikely the bare floor must be, as a logarithm, for signs to be looked for
)

// signShapes are the signs as they may be seen in a hole: in all four turns, in several sizes and places.
var signShapes = sync.OnceValue(func() (shapes [signKinds][][holeSamples * holeSamples]float64) {
	for kind := range shapes {
		for _, size := range [...]float64{0.85, 1, 1.15} {
			for quarter := range 4 {
				drawn := drawSign(kind, size, quarter)
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						shapes[kind] = append(shapes[kind], shifted(&drawn, dx, dy))
					}
				}
				if kind == signRings {
					break
				}
			}
		}
	}
	return shapes
})

// drawSign draws a sign, white on black, as a camera sees it: blurred.
func drawSign(kind int, size float64, quarter int) (out [holeSamples * holeSamples]float64) {
	const n = 120
	img := gocv.NewMatWithSize(n, n, gocv.MatTypeCV8U)
	defer img.Close()
	img.SetTo(gocv.NewScalar(0, 0, 0, 0))
	white := color.RGBA{R: 255, G: 255, B: 255, A: 255}
	at := func(text string, scale float64, thick int) {
		s := gocv.GetTextSize(text, gocv.FontHersheySimplex, scale*size, thick)
		gocv.PutText(&img, text, image.Pt((n-s.X)/2, (n+s.Y)/2), gocv.FontHersheySimplex, scale*size, white, thick)
	}
	switch kind {
	case signTwo:
		at("2", 3.1, 11)
	case signPlusOne:
		at("+1", 2.4, 9)
	case signRings:
		img.SetTo(gocv.NewScalar(255, 0, 0, 0))
		black := color.RGBA{}
		gocv.Circle(&img, image.Pt(n/2, n/2), int(53*size), black, 13)
		gocv.Circle(&img, image.Pt(n/2, n/2), int(18*size), black, -1)
	}
	gocv.GaussianBlur(img, &img, image.Pt(0, 0), 5, 5, gocv.BorderReplicate)
	for i := range holeSamples {
		for j := range holeSamples {
			y, x := i, j
			for range quarter {
				y, x = x, holeSamples-1-y
			}
			out[i*holeSamples+j] = float64(img.GetUCharAt((2*y+1)*n/(2*holeSamples), (2*x+1)*n/(2*holeSamples)))
		}
	}
	return out
}

// shifted moves a shape by samples; its border goes on.
func shifted(a *[holeSamples * holeSamples]float64, dx, dy int) (out [holeSamples * holeSamples]float64) {
	for i := range holeSamples {
		for j := range holeSamples {
			y, x := min(max(i+dy, 0), holeSamples-1), min(max(j+dx, 0), holeSamples-1)
			out[i*holeSamples+j] = a[y*holeSamples+x]
		}
	}
	return out
}

// signEvidence is what is printed in a hole says for the kinds of stickers, as logarithms of odds.
type signEvidence struct{ upgrade, bonus, center float64 }

// What correlations say: those of stickers' own signs are 0.9 and more, seldom down to 0.67; bare floors
// reach 0.68. On a sticker a 2 and +1 differ by 0.15 or more.
const (
	signPresent  = 0.70
	signPlainer  = 60.0  // odds (logarithm) a unit of correlation
	signLess     = -18.0 // at least, where no sign is seen
	signMore     = 5.0   // and at most
	signOther    = 40.0  // odds a unit of the difference between two signs
	ringsPresent = 0.50
	ringsPlainer = 20.0
)

// signsIn reads the signs of a hole.
func signsIn(paper *[holeSamples * holeSamples]float64) signEvidence {
	var seen [signKinds]float64
	for kind, shapes := range signShapes() {
		for i := range shapes {
			seen[kind] = max(seen[kind], correlation(paper, &shapes[i]))
		}
	}
	bounded := func(v float64) float64 { return min(max(v, signLess), signMore) }
	present := bounded((max(seen[signTwo], seen[signPlusOne]) - signPresent) * signPlainer)
	two := bounded((seen[signTwo] - seen[signPlusOne]) * signOther)
	told := func(two float64) float64 { return present + min(two, max(present, 0)) } // no sign speaks for none
	return signEvidence{upgrade: told(two), bonus: told(-two), center: bounded((seen[signRings] - ringsPresent) * ringsPlainer)}
}

// of is what the signs say for a kind of sticker.
func (e signEvidence) of(marker string) float64 {
	switch marker {
	case table.CenterMarker:
		return e.center
	case table.BonusMarker:
		return e.bonus
	}
	return e.upgrade
}

// correlation is how alike a hole's samples and a shape are, -1 to 1, where they are seen.
func correlation(paper, shape *[holeSamples * holeSamples]float64) float64 {
	var n, sa, sb, saa, sbb, sab float64
	for i, a := range paper {
		if a == hiddenSample {
			continue
		}
		b := shape[i]
		n, sa, sb, saa, sbb, sab = n+1, sa+a, sb+b, saa+a*a, sbb+b*b, sab+a*b
	}
	if n == 0 {
		return 0
	}
	va, vb := saa-sa*sa/n, sbb-sb*sb/n
	if va < 1 || vb < 1 {
		return 0
	}
	return (sab - sa*sb/n) / math.Sqrt(va*vb)
}
