package register

import (
	"math"

	"diceref/calibration"
)

// Lamps flicker, a hundred or a hundred and twenty times a second, and most cameras expose a picture row by row: rows come out
// brighter and darker by turns, in bands that wander from frame to frame. So the light has a wave along the rows, too. It is the
// same all over the picture, which an arm that lies along some rows is not.

const (
	// fewestBands and mostBands are how often the light may come and go over a picture's height, bandStep how finely that is searched.
	fewestBands, mostBands, bandStep = 0.4, 8.0, 0.1
	// rowDoubt is how far the logarithm of a row's gain may be off the wave before it counts little.
	rowDoubt = 0.04
	// evenRow is the logarithm of a row's gain that is none to speak of: two or three gray levels.
	evenRow = 0.02
	// waveRounds is how often it is told anew which rows count.
	waveRounds = 4
	// clearlyBetter is by how many times more of a frame a change of the light must explain to be believed.
	clearlyBetter = 1.1
)

// rowGain is by how much a row is brighter than the light over the picture, as logarithms; at is how far down it is, 0 to 1.
type rowGain struct {
	at float64
	by [3]float32
}

// wave is a gain that comes and goes along the rows: its logarithm is steady + cosine·cos(2π·bands·at) + sine·sin(2π·bands·at).
type wave struct {
	bands                float64
	steady, cosine, sine [3]float64
}

func (w *wave) gain(at float64) (g [3]float32) {
	sin, cos := math.Sincos(2 * math.Pi * w.bands * at)
	for c := range g {
		g[c] = float32(w.steady[c] + w.cosine[c]*cos + w.sine[c]*sin)
	}
	return g
}

// findBands finds the wave along a frame's rows, if that explains clearly more of it.
func (l *light) findBands(ref, now []byte, known []bool, width int) {
	rows := l.rowGains(ref, now, known, width)
	if !uneven(rows, len(l.bands)/lightStep) {
		return
	}
	plain := l.tells(ref, now, known, width, [3]float32{})
	w := waveOf(rows)
	for y := range l.bands {
		l.bands[y] = w.gain((float64(y) + 0.5) / float64(len(l.bands)))
	}
	if l.tells(ref, now, known, width, [3]float32{}) <= clearlyBetter*plain {
		clear(l.bands)
	}
}

// uneven says whether a wave may be looked for: most of the rows that were asked for are known, and a quarter of them differ.
func uneven(rows []rowGain, asked int) bool {
	differ := 0
	for _, r := range rows {
		if max(absolute(r.by[0]), absolute(r.by[1]), absolute(r.by[2])) > evenRow {
			differ++
		}
	}
	return 2*len(rows) > asked && 4*differ > len(rows)
}

// rowGains takes each row that is asked for as bright as the median of its pixels tells.
func (l *light) rowGains(ref, now []byte, known []bool, width int) (rows []rowGain) {
	var h medians
	height := len(l.bands)
	l.each(width, height, func(i, _ int, g *[3]float32) {
		if known[i] && usable(ref[3*i:], now[3*i:]) {
			h.add(ref[3*i:], now[3*i:], g)
		}
		if i%width+lightStep >= width { // the row's last
			if int(h.n) >= width/lightStep/4 {
				rows = append(rows, rowGain{(float64(i/width) + 0.5) / float64(height), h.middle()})
			}
			h = medians{}
		}
	})
	return rows
}

// waveOf is the wave that most rows agree on.
func waveOf(rows []rowGain) (best wave) {
	most := 0.0
	try := func(bands float64) {
		if w, agree := waveWith(bands, rows); agree > most {
			best, most = w, agree
		}
	}
	for bands := fewestBands; bands <= mostBands; bands += bandStep {
		try(bands)
	}
	for step := bandStep / 2; step > bandStep/10; step /= 2 {
		at := best.bands
		try(at - step)
		try(at + step)
	}
	return best
}

// waveWith is the wave of so many bands, by least squares over the rows, those that are off by much counting little; agree is
// how many rows agree.
func waveWith(bands float64, rows []rowGain) (w wave, agree float64) {
	w.bands = bands
	for round := range waveRounds {
		var a [9]float64    // row by row
		var b [3][3]float64 // by color
		agree = 0
		for _, r := range rows {
			sin, cos := math.Sincos(2 * math.Pi * bands * r.at)
			base := [3]float64{1, cos, sin}
			weight := 1.0
			if round > 0 {
				off := 0.0
				for c, g := range r.by {
					off = max(off, math.Abs(float64(g)-w.steady[c]-w.cosine[c]*cos-w.sine[c]*sin))
				}
				weight = 1 / (1 + off*off/(rowDoubt*rowDoubt))
				weight *= weight
			}
			agree += weight
			for i := range base {
				for j := range base {
					a[3*i+j] += weight * base[i] * base[j]
				}
				for c, g := range r.by {
					b[c][i] += weight * base[i] * float64(g)
				}
			}
		}
		for i := range 3 {
			a[4*i] += 1e-3 // so that few rows make no waves
		}
		for c := range b {
			left := a // Solve writes over it
			if !calibration.Solve(left[:], b[c][:]) {
				return w, 0
			}
			w.steady[c], w.cosine[c], w.sine[c] = b[c][0], b[c][1], b[c][2]
		}
	}
	return w, agree
}
