package register

import "math"

// lay gives the frame as the reference's camera would have seen it, in the reference's light.
func (r *Register) lay() {
	t := &r.view.Thumb
	r.view.Shown = overlay(&r.small, r.burnt, &r.motion, t, &r.thumb)
	r.light.fit(r.thumb.Pix, t.Pix, t.Known, t.Width)
	r.relight(t)
}

const (
	// bright is the gray level above which a camera tells no difference: a color of a pixel is burnt there.
	bright = 245
	// mixed is for pixels that soften mixes with a burnt one: a color above it is burnt, too. A lower level overlooks
	// the pips of white dice, a higher one takes the edges of such dice for moving under a lamp that flickers.
	mixed = 200
)

// burnt tells in which of its colors each pixel of a picture is burnt or touches one that is. It uses the memory of list.
func (p *Picture) burnt(list []Colors) []Colors {
	list = sized(list, p.Width*p.Height)
	clear(list)
	for i := 0; i < len(p.Pix); i += 3 {
		if max(p.Pix[i], p.Pix[i+1], p.Pix[i+2]) <= bright {
			continue // as most are, which this finds out fastest
		}
		is := colorsAbove(p.Pix[i:i+3:i+3], bright)
		x, y := i/3%p.Width, i/3/p.Width
		for ny := max(y-1, 0); ny <= min(y+1, p.Height-1); ny++ {
			for nx := max(x-1, 0); nx <= min(x+1, p.Width-1); nx++ {
				list[ny*p.Width+nx] |= is
			}
		}
	}
	return list
}

// colorsAbove is the colors of a pixel above a gray level.
func colorsAbove(pix []byte, level byte) (c Colors) {
	for i, v := range pix {
		if v > level {
			c |= 1 << i
		}
	}
	return c
}

// overlay samples a picture where the motion has the places of a reference of the same size. What it does not
// show is as in the reference. It tells which share of the reference it shows.
func overlay(p *Picture, burnt []Colors, m *Motion, t *Thumb, ref *Picture) float64 {
	w, h, shown := p.Width, p.Height, 0
	fw := float64(w)
	for y := range h {
		py := (float64(y) + 0.5 - float64(h)/2) / fw
		// What apply does, with what a row's places have in common worked out once.
		rowX, rowY, rowZ := m[1]*py+m[2], m[4]*py+m[5], m[7]*py+m[8]
		for x := range w {
			px := (float64(x) + 0.5 - fw/2) / fw
			z := fw / (m[6]*px + rowZ)
			fx, fy := (m[0]*px+rowX)*z+fw/2-0.5, (m[3]*px+rowY)*z+float64(h)/2-0.5
			i := y*w + x
			out := t.Pix[3*i : 3*i+3 : 3*i+3]
			if !(fx > -0.5 && fy > -0.5 && fx < fw-0.5 && fy < float64(h)-0.5) {
				t.Known[i], t.Burnt[i] = false, 0
				copy(out, ref.Pix[3*i:3*i+3])
				continue
			}
			fx, fy = min(max(fx, 0), fw-1.001), min(max(fy, 0), float64(h)-1.001)
			x0, y0 := int(fx), int(fy)
			ax, ay := int32((fx-float64(x0))*256+0.5), int32((fy-float64(y0))*256+0.5)
			k := 3 * (y0*w + x0)
			a, b := p.Pix[k:k+6:k+6], p.Pix[k+3*w:k+3*w+6:k+3*w+6]
			for c := range out {
				up := int32(a[c])<<8 + ax*(int32(a[c+3])-int32(a[c]))
				down := int32(b[c])<<8 + ax*(int32(b[c+3])-int32(b[c]))
				out[c] = byte((up<<8 + ay*(down-up) + 1<<15) >> 16)
			}
			t.Known[i] = true
			t.Burnt[i] = burnt[y0*w+x0] | burnt[y0*w+x0+1] | burnt[(y0+1)*w+x0] | burnt[(y0+1)*w+x0+1]
			if t.Burnt[i] != 0 {
				t.Burnt[i] &= colorsAbove(out, mixed)
			}
			shown++
		}
	}
	return float64(shown) / float64(w*h)
}

// relight divides the light out of a thumb.
func (r *Register) relight(t *Thumb) {
	for y := range t.Height {
		by := r.light.unlitRow(y, t.Width, t.Height)
		known := t.Known[y*t.Width : (y+1)*t.Width]
		row := t.Pix[3*y*t.Width : 3*(y+1)*t.Width]
		for x, is := range known {
			if !is {
				continue
			}
			out, g := row[3*x:3*x+3:3*x+3], by[3*x:3*x+3:3*x+3]
			for c := range out {
				out[c] = byte(min(float32(out[c])*g[c]+0.5, 255))
			}
		}
	}
}

// unlitRow is what the pixels of a row are to be multiplied by. It is worked out at each cell's middle and half way to
// the next, and in a straight line between.
func (l *light) unlitRow(y, width, height int) []float32 {
	l.row(y, width, height)
	last := 2 * (l.shade.cols - 1)
	l.knots = sized(l.knots, last+1)
	for k := range l.knots {
		a, b := &l.line[k/2], &l.line[(k+1)/2]
		for c := range a {
			l.knots[k][c] = unlit((a[c] + b[c]) / 2)
		}
	}
	l.unlit = sized(l.unlit, 3*width)
	for x := range width {
		k, at := 2*l.left[x], 2*l.share[x]
		if at >= 1 {
			k, at = k+1, at-1
		}
		a, b, out := &l.knots[k], &l.knots[k+1], l.unlit[3*x:3*x+3:3*x+3]
		for c := range out {
			out[c] = a[c] + at*(b[c]-a[c])
		}
	}
	return l.unlit
}

// unlit is 1 over the gain of which g is the logarithm.
func unlit(g float32) float32 {
	// e^-g by its series where it is near 0, as it mostly is.
	if g > -0.2 && g < 0.2 {
		return 1 - g*(1-g*(0.5-g*(1.0/6-g*(1.0/24))))
	}
	return float32(math.Exp(-float64(g)))
}

// Learn takes the frame that was seen last into the reference where take says so, by pixels of the thumb.
func (r *Register) Learn(take []bool) {
	if r.view.Lost {
		return
	}
	t := &r.view.Thumb
	changed := false
	for i, is := range take {
		if is && t.Known[i] {
			changed = true
			copy(r.thumb.Pix[3*i:3*i+3], t.Pix[3*i:3*i+3])
		}
	}
	if !changed {
		return
	}
	w, h := float64(r.width), float64(r.height)
	var g [3]float32
	for y := range r.height {
		ty := min(y/2, t.Height-1)
		for x := range r.width {
			tx := min(x/2, t.Width-1)
			if k := ty*t.Width + tx; !take[k] || !t.Known[k] {
				continue
			}
			u, v := apply(&r.motion, (float64(x)+0.5-w/2)/w, (float64(y)+0.5-h/2)/w)
			fx, fy := u*w+w/2-0.5, v*w+h/2-0.5
			if !(fx >= 0 && fy >= 0 && fx < w-1 && fy < h-1) {
				continue
			}
			r.light.at(tx, ty, t.Width, t.Height, &g)
			x0, y0 := int(fx), int(fy)
			ax, ay := float32(fx-float64(x0)), float32(fy-float64(y0))
			k := 3 * (y0*r.width + x0)
			for c := range 3 {
				a, b := float32(r.frame.Pix[k+c]), float32(r.frame.Pix[k+3+c])
				p, q := float32(r.frame.Pix[k+3*r.width+c]), float32(r.frame.Pix[k+3*r.width+3+c])
				up, down := a+ax*(b-a), p+ax*(q-p)
				r.fine[3*(y*r.width+x)+c] = byte(min((up+ay*(down-up))*unlit(g[c])+0.5, 255))
			}
		}
	}
	r.remake()
}
