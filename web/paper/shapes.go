package paper

import (
	"math"
	"sync"

	"codeberg.org/go-pdf/fpdf"
)

type point struct{ x, y float64 } // millimeters from the page's upper left corner

// Colors and line widths of everything printed.
const (
	black  = "#000000"
	ink    = "#20242a"
	soft   = "#6b7078"
	faint  = "#c9c4b8"
	white  = "#ffffff"
	hair   = 0.2
	line   = 0.5
	strong = 0.9
)

// style is how a shape looks; empty colors are not drawn.
type style struct {
	fill, stroke string
	width        float64 // of the stroke, millimeters
	dash         float64 // length of dashes, millimeters; 0: none
}

// shape is one of: a polygon (or a line of two points), a circle, a text.
type shape struct {
	style
	points []point
	open   bool    // a polygon that is not closed
	radius float64 // a circle's, around points[0]; or of a rectangle's rounded corners
	round  bool    // points are the two corners of a rounded rectangle
	text   string  // at points[0], its base line
	size   float64 // of the text, millimeters
	bold   bool
	anchor string // start, middle or end
}

func (s *Sheet) polygon(st style, points ...point) {
	s.shapes = append(s.shapes, shape{style: st, points: points})
}

func (s *Sheet) line(st style, points ...point) {
	s.shapes = append(s.shapes, shape{style: st, points: points, open: true})
}

func (s *Sheet) rect(st style, x, y, w, h float64) {
	s.polygon(st, point{x, y}, point{x + w, y}, point{x + w, y + h}, point{x, y + h})
}

func (s *Sheet) rounded(st style, x, y, w, h, radius float64) {
	s.shapes = append(s.shapes, shape{style: st, points: []point{{x, y}, {x + w, y + h}}, round: true, radius: radius})
}

func (s *Sheet) circle(st style, x, y, radius float64) {
	s.shapes = append(s.shapes, shape{style: st, points: []point{{x, y}}, radius: radius})
}

// write writes a text; size is that of its letters in millimeters.
func (s *Sheet) write(x, y, size float64, bold bool, anchor, color, text string) {
	s.shapes = append(s.shapes, shape{style: style{fill: color}, points: []point{{x, y}}, text: text, size: size, bold: bold, anchor: anchor})
}

// paragraph writes a text within a width and returns where the next line goes.
func (s *Sheet) paragraph(x, y, width, size float64, bold bool, color, text string) float64 {
	for _, l := range wrap(text, width, size, bold) {
		s.write(x, y, size, bold, "start", color, l)
		y += size * 1.4
	}
	return y
}

// die draws a die's face, of an edge in millimeters around a middle.
func (s *Sheet) die(x, y, edge float64, face int, fill, pip string) {
	s.rounded(style{fill: fill, stroke: ink, width: line}, x-edge/2, y-edge/2, edge, edge, edge/6)
	for _, at := range pips[face] {
		s.circle(style{fill: pip}, x+at.x*edge*0.27, y+at.y*edge*0.27, edge*0.09)
	}
}

var pips = [7][]point{
	1: {{0, 0}},
	2: {{-1, -1}, {1, 1}},
	3: {{-1, -1}, {0, 0}, {1, 1}},
	4: {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}},
	5: {{-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}},
	6: {{-1, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {1, 1}},
}

// arc is a part of a circle as points, from one angle to another (degrees, clockwise from east).
func arc(x, y, radius, from, to float64) []point {
	const steps = 24
	var points []point
	for i := range steps + 1 {
		a := (from + (to-from)*float64(i)/steps) * math.Pi / 180
		points = append(points, point{x + radius*math.Cos(a), y + radius*math.Sin(a)})
	}
	return points
}

// measure tells widths of texts in the PDF's own font; it is one document for all.
var measure struct {
	sync.Mutex
	doc   *fpdf.Fpdf
	latin func(string) string
}

// textWidth is in millimeters.
func textWidth(text string, size float64, bold bool) float64 {
	measure.Lock()
	defer measure.Unlock()
	if measure.doc == nil {
		measure.doc = fpdf.New("P", "mm", "A4", "")
		measure.latin = measure.doc.UnicodeTranslatorFromDescriptor("")
	}
	measure.doc.SetFont("Helvetica", fontStyle(bold), size*pointsPerMM)
	return measure.doc.GetStringWidth(measure.latin(text))
}

// wrap breaks a text into lines no wider than width.
func wrap(text string, width, size float64, bold bool) []string {
	var lines []string
	now := ""
	for _, word := range splitWords(text) {
		next := word
		if now != "" {
			next = now + " " + word
		}
		if now != "" && textWidth(next, size, bold) > width {
			lines = append(lines, now)
			next = word
		}
		now = next
	}
	return append(lines, now)
}
