package paper

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

// SVG writes a sheet at its real size, so that it can be printed true to size.
func SVG(s Sheet) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%smm" height="%smm" viewBox="0 0 %s %s" font-family="Helvetica, Arial, sans-serif">`,
		num(s.Width), num(s.Height), num(s.Width), num(s.Height))
	fmt.Fprintf(&out, `<rect width="%s" height="%s" fill="#ffffff"/>`, num(s.Width), num(s.Height))
	for _, each := range s.shapes {
		drawSVG(&out, each)
	}
	out.WriteString("</svg>\n")
	return out.Bytes()
}

func drawSVG(out *bytes.Buffer, s shape) {
	at := s.points[0]
	switch {
	case s.text != "":
		weight := ""
		if s.bold {
			weight = ` font-weight="bold"`
		}
		// Whatever font there is, the text is as long as it was measured.
		fmt.Fprintf(out, `<text x="%s" y="%s" font-size="%s"%s text-anchor="%s" textLength="%s" lengthAdjust="spacingAndGlyphs" fill="%s">`,
			num(at.x), num(at.y), num(s.size), weight, s.anchor, num(textWidth(s.text, s.size, s.bold)), s.fill)
		_ = xml.EscapeText(out, []byte(s.text)) // a buffer takes everything
		out.WriteString("</text>")
	case s.round:
		fmt.Fprintf(out, `<rect x="%s" y="%s" width="%s" height="%s" rx="%s"%s/>`, num(at.x), num(at.y), num(s.points[1].x-at.x), num(s.points[1].y-at.y), num(s.radius), s.look())
	case s.radius > 0:
		fmt.Fprintf(out, `<circle cx="%s" cy="%s" r="%s"%s/>`, num(at.x), num(at.y), num(s.radius), s.look())
	default:
		out.WriteString(`<path d="M`)
		for i, p := range s.points {
			if i > 0 {
				out.WriteString("L")
			}
			out.WriteString(num(p.x) + " " + num(p.y))
		}
		if !s.open {
			out.WriteString("z")
		}
		fmt.Fprintf(out, `"%s/>`, s.look())
	}
}

// look is a style as attributes.
func (s shape) look() string {
	fill := s.fill
	if fill == "" || s.open {
		fill = "none"
	}
	look := ` fill="` + fill + `"`
	if s.stroke != "" {
		look += fmt.Sprintf(` stroke="%s" stroke-width="%s" stroke-linejoin="round"`, s.stroke, num(s.width))
	}
	if s.dash > 0 {
		look += fmt.Sprintf(` stroke-dasharray="%s"`, num(s.dash))
	}
	return look
}

// num writes millimeters to a hundredth of one.
func num(v float64) string {
	text := strings.TrimRight(fmt.Sprintf("%.3f", v), "0")
	return strings.TrimSuffix(text, ".")
}
