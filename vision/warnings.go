package vision

import (
	"math"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
	"diceref/vision/pixels"
)

// Limits of what people at the table are asked to mend.
const (
	darkBelow  = 38.0  // middle brightness of the place of play, 0..255
	glareAbove = 250   // a pixel so bright shows nothing
	glareShare = 0.12  // of a die's top, that is so bright
	leastSide  = 15.0  // of a die's top, pixels
	blurBelow  = 0.2   // edge steepness over contrast, see sharpness
	fewDice    = 4     // fewer do not say how sharp a picture is
	softBelow  = 0.12  // the picture's steepest edges over its contrast, see softness
	flatBelow  = 40    // contrast, of 255, of a picture that has no edges to judge by
	softWidth  = 1280  // pixels: larger pictures are no sharper for that
	extremes   = 0.005 // share of a picture that is darker, and brighter, than its contrast tells: a few dice on a plain table are little of it
	flatTop    = 0.4   // of a top as it is seen, its shorter axis over its longer one: the camera looks at its sides
)

// helps is what people at the table are asked to mend, by the code of a warning.
var helps = map[string]string{
	"no-board":      "no 5×5 grid found: show the whole board",
	"board-cut-off": "part of the board is outside the picture: move the camera back",
	"dark":          "it is too dark: turn on a light",
	"glare":         "there is glare on the dice: move the lamp or the camera",
	"blurred":       "the picture is blurry: hold the camera still and let it focus",
	"hand":          "something is covering the board",
	"too-far":       "the dice look very small: move the camera closer",
	"too-close":     "the dice are not wholly in the picture: move the camera back",
	"too-flat":      "the camera looks at the dice from the side: look at them from above",
	"moved":         "the camera or the board has moved: check the picture",
	"no-dice":       "no dice can be read: show them whole and from above, in good light",
}

// warn looks for what makes reading hard and tells it: of the dice that are told, and where none of those is certain to be one,
// of all that may be tops.
func (s *scene) warn(px *pixels.Picture, m *detect.Maps, dice, tops []placed, certain bool) error {
	say := func(code string) {
		s.obs.Warnings = append(s.obs.Warnings, table.Warning{Code: code, Text: helps[code]})
	}
	if s.kit.Layout != table.Loose && s.grid == nil {
		say("no-board")
	}
	if s.grid != nil && (s.grid.Cut || cutOff(s.grid.Camera.Corners(), s.width, s.height)) {
		say("board-cut-off")
	}
	if s.grid != nil && s.grid.Moved {
		say("moved")
	}
	if s.brightness(px) < darkBelow {
		say("dark")
	}
	if side := middleSide(dice); side > 0 && side < leastSide {
		say("too-far")
	}
	glaring, blurred := 0, 0
	for i := range dice {
		if dice[i].blown > glareShare {
			glaring++
		}
		if dice[i].sharp < blurBelow {
			blurred++
		}
	}
	if glaring > 0 && glaring*6 >= len(dice) {
		say("glare")
	}
	if len(dice) >= 2 && blurred*2 > len(dice) || (len(dice) < fewDice || blurred > 0) && softness(px) < softBelow {
		say("blurred")
	}
	if s.handSeen = s.handSeen || m != nil && s.covered(m, dice); s.handSeen {
		say("hand")
	}
	if certain || len(s.beside) > 0 || s.grid != nil { // on a board that is seen, no dice are an answer
		return nil
	}
	code, err := s.whyNone(tops, len(dice) > 0)
	if code != "" {
		say(code)
	}
	return err
}

// whyNone tells why nothing could be read where dice may lie, or nothing that is certain; "": the table is empty, or why has been told.
func (s *scene) whyNone(tops []placed, some bool) (code string, err error) {
	if code = whyNothing(tops); code == "no-dice" && some {
		code = ""
	}
	switch {
	case code != "" && code != "no-dice":
		return code, nil
	case len(s.obs.Warnings) > 0:
		return "", nil
	case code == "":
		return s.missed()
	}
	return code, nil
}

// whyNothing tells why none of what may be dice could be read, by the one that is likeliest; "": nothing may be one.
func whyNothing(tops []placed) (code string) {
	var best *placed
	for i := range tops {
		if t := &tops[i]; !t.side && t.Score >= sureScore && (best == nil || t.Score > best.Score) {
			best = t
		}
	}
	switch {
	case best == nil:
		return ""
	case best.Cut:
		return "too-close"
	case best.Size*math.Sqrt2 < leastSide:
		return "too-far"
	case flatness(&best.Outline) < flatTop:
		return "too-flat"
	}
	return "no-dice"
}

// flatness is how aslant a top is seen: its shorter axis over its longer one, 1 from straight above.
func flatness(outline *[4]table.Point) float64 {
	xx, xy, yy := spread(outline)
	mean, off := (xx+yy)/2, math.Hypot((xx-yy)/2, xy)
	return math.Sqrt(math.Max(mean-off, 0) / (mean + off))
}

func cutOff(q [4]table.Point, width, height int) bool {
	for _, p := range q {
		if p.X < 0 || p.Y < 0 || p.X > float64(width) || p.Y > float64(height) {
			return true
		}
	}
	return false
}

// middleSide is the median side of the tops in pixels.
func middleSide(dice []placed) float64 {
	var v []float64
	for _, d := range dice {
		v = append(v, d.Size*math.Sqrt2)
	}
	return geometry.Median(v)
}

// brightness is the upper quarter's bound of the green of the place of play, as the camera saw it: the
// grid where there is one, else the middle of the picture.
func (s *scene) brightness(px *pixels.Picture) float64 {
	x0, y0, x1, y1 := px.Width/5, px.Height/5, px.Width*4/5, px.Height*4/5
	if s.grid != nil {
		if _, box, ok := s.region(nil); ok {
			x0, y0, x1, y1 = box.Min.X, box.Min.Y, box.Max.X, box.Max.Y
		}
	}
	var count [256]int
	total := 0
	for y := y0; y < y1; y += 1 + (y1-y0)/64 {
		for x := x0; x < x1; x += 1 + (x1-x0)/64 {
			count[px.Data[(y*px.Width+x)*3+1]]++
			total++
		}
	}
	seen := 0
	for v := 255; v >= 0; v-- {
		if seen += count[v]; seen*4 >= total {
			return float64(v) / s.r.gain
		}
	}
	return 0
}

// topLook says which share of a top is blown out, and how steep its steepest
// edges are: the largest step between neighboring samples, over the top's whole contrast.
func topLook(p *pixels.Picture, outline [4]table.Point) (blown, sharp float64) {
	const n = 24
	var g [n][n]float64
	low, high, white := 255.0, 0.0, 0
	for i := range n {
		for j := range n {
			u, v := 0.05+0.9*(float64(j)+0.5)/n, 0.05+0.9*(float64(i)+0.5)/n
			x := (1-u)*(1-v)*outline[0].X + u*(1-v)*outline[1].X + u*v*outline[2].X + (1-u)*v*outline[3].X
			y := (1-u)*(1-v)*outline[0].Y + u*(1-v)*outline[1].Y + u*v*outline[2].Y + (1-u)*v*outline[3].Y
			var pb, pg, pr float64
			p.Add(x, y, &pb, &pg, &pr)
			g[i][j] = (pb + 2*pg + pr) / 4
			low, high = min(low, g[i][j]), max(high, g[i][j])
			if pb >= glareAbove && pg >= glareAbove && pr >= glareAbove {
				white++
			}
		}
	}
	steep := 0.0
	for i := range n {
		for j := 1; j < n; j++ {
			steep = max(steep, math.Abs(g[i][j]-g[i][j-1]), math.Abs(g[j][i]-g[j-1][i]))
		}
	}
	return float64(white) / (n * n), steep / max(high-low, 12)
}

// softness is how steep a picture's steepest edges are: the largest step but for one in a
// thousand, over the contrast of the whole. A picture with nothing to see is not soft.
func softness(p *pixels.Picture) float64 {
	step := max(1, (max(p.Width, p.Height)+softWidth/2)/softWidth)
	var values, steps [256]int
	total := 0
	for y := 0; y+step < p.Height; y += 4 * step {
		for x := 0; x+step < p.Width; x += step {
			i := (y*p.Width+x)*3 + 1 // green
			v, right, down := p.Data[i], p.Data[i+3*step], p.Data[i+3*step*p.Width]
			values[v]++
			steps[max(v, right, down)-min(v, right, down)]++
			total++
		}
	}
	above := func(count *[256]int, share float64) int {
		left := int(share * float64(total))
		for v := 255; v > 0; v-- {
			if left -= count[v]; left < 0 {
				return v
			}
		}
		return 0
	}
	contrast := above(&values, extremes) - above(&values, 1-extremes)
	if contrast < flatBelow {
		return 1
	}
	return float64(above(&steps, 0.001)) / float64(contrast)
}
