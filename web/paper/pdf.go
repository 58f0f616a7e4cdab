package paper

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

const pointsPerMM = 72 / 25.4

func fontStyle(bold bool) string {
	if bold {
		return "B"
	}
	return ""
}

func splitWords(text string) []string { return strings.Fields(text) }

// PDF writes sheets (at least one, all of the same size) as one document. The same sheets give the same bytes.
func PDF(sheets []Sheet, title string) ([]byte, error) {
	doc := fpdf.NewCustom(&fpdf.InitType{OrientationStr: "P", UnitStr: "mm", Size: fpdf.SizeType{Wd: sheets[0].Width, Ht: sheets[0].Height}})
	doc.SetTitle(title, true)
	doc.SetCreator("diceref", true)
	doc.SetCreationDate(time.Unix(0, 0))
	doc.SetModificationDate(time.Unix(0, 0))
	doc.SetCatalogSort(true)
	doc.SetAutoPageBreak(false, 0)
	doc.SetMargins(0, 0, 0)
	latin := doc.UnicodeTranslatorFromDescriptor("")
	for _, s := range sheets {
		doc.AddPage()
		for _, each := range s.shapes {
			drawPDF(doc, latin, each)
		}
	}
	var out bytes.Buffer
	if err := doc.Output(&out); err != nil {
		return nil, fmt.Errorf("paper: cannot write the PDF: %w", err)
	}
	return out.Bytes(), nil
}

func drawPDF(doc *fpdf.Fpdf, latin func(string) string, s shape) {
	how := ""
	if s.fill != "" {
		r, g, b := rgb(s.fill)
		doc.SetFillColor(r, g, b)
		doc.SetTextColor(r, g, b)
		how += "F"
	}
	if s.stroke != "" {
		doc.SetDrawColor(rgb(s.stroke))
		doc.SetLineWidth(s.width)
		doc.SetLineJoinStyle("round")
		if s.dash > 0 {
			doc.SetDashPattern([]float64{s.dash, s.dash}, 0)
		} else {
			doc.SetDashPattern(nil, 0)
		}
		how += "D"
	}
	at := s.points[0]
	switch {
	case s.text != "":
		doc.SetFont("Helvetica", fontStyle(s.bold), s.size*pointsPerMM)
		text := latin(s.text)
		switch s.anchor {
		case "middle":
			at.x -= doc.GetStringWidth(text) / 2
		case "end":
			at.x -= doc.GetStringWidth(text)
		}
		doc.Text(at.x, at.y, text)
	case s.round:
		doc.RoundedRect(at.x, at.y, s.points[1].x-at.x, s.points[1].y-at.y, s.radius, "1234", how)
	case s.radius > 0:
		doc.Circle(at.x, at.y, s.radius, how)
	case s.open:
		doc.MoveTo(at.x, at.y)
		for _, p := range s.points[1:] {
			doc.LineTo(p.x, p.y)
		}
		doc.DrawPath("D")
	default:
		points := make([]fpdf.PointType, len(s.points))
		for i, p := range s.points {
			points[i] = fpdf.PointType{X: p.x, Y: p.y}
		}
		doc.Polygon(points, how)
	}
}

// rgb reads #rrggbb, as all colors here are written.
func rgb(color string) (r, g, b int) {
	v, err := strconv.ParseUint(strings.TrimPrefix(color, "#"), 16, 32)
	if err != nil {
		panic(err) // a constant of this package
	}
	return int(v >> 16 & 255), int(v >> 8 & 255), int(v & 255)
}
