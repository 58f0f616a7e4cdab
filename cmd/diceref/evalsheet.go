package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"

	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/measure"
)

// The contact sheet: one tile a fault, the place in the picture large and what
// was wrong beneath.
const (
	tileSize    = 160
	tileText    = 24
	tilesAcross = 10
	tilesAtMost = 300
)

// showFunc decodes a picture as it was read: the right way up. It is nil where that cannot be.
type showFunc func(picture []byte) image.Image

// showing has the eye decode pictures, which knows all kinds of them.
func showing(ctx context.Context, reader *eye.Reader) showFunc {
	return func(picture []byte) image.Image {
		_, shown, err := reader.ReadShown(ctx, table.Any, picture, eye.MaxSide)
		if err != nil {
			return nil
		}
		img, err := jpeg.Decode(bytes.NewReader(shown))
		if err != nil {
			return nil
		}
		return img
	}
}

// writeSheet draws the faults of all marks; without any it draws one empty tile.
func writeSheet(path string, marks []measure.Mark, show showFunc) error {
	type entry struct {
		m *measure.Mark
		f measure.Fault
	}
	var all []entry
	for i := range marks {
		for _, f := range marks[i].Faults {
			if len(all) < tilesAtMost {
				all = append(all, entry{&marks[i], f})
			}
		}
	}
	rows := max((len(all)+tilesAcross-1)/tilesAcross, 1)
	sheet := image.NewRGBA(image.Rect(0, 0, tilesAcross*tileSize, rows*(tileSize+tileText)))
	draw.Draw(sheet, sheet.Bounds(), image.NewUniform(color.RGBA{24, 24, 28, 255}), image.Point{}, draw.Src)
	var last string
	var img image.Image
	for i, e := range all {
		if e.m.Picture.Path != last {
			b, err := os.ReadFile(e.m.Picture.Path)
			if err != nil {
				return err
			}
			if img = show(b); img == nil {
				img = image.NewGray(image.Rect(0, 0, 1, 1))
			}
			last = e.m.Picture.Path
		}
		at := image.Pt(i%tilesAcross*tileSize, i/tilesAcross*(tileSize+tileText))
		drawTile(sheet, at, img, e.m, e.f)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, sheet); err != nil {
		return fmt.Errorf("cannot write the sheet: %w", err)
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// drawTile draws the surroundings of a fault, five times its size across.
func drawTile(sheet *image.RGBA, at image.Point, img image.Image, m *measure.Mark, f measure.Fault) {
	half := max(f.Size*4, 30)
	scale := 2 * half / (tileSize - 4)
	b := img.Bounds()
	for y := 0; y < tileSize-4; y++ {
		for x := 0; x < tileSize-4; x++ {
			p := image.Pt(int(f.At.X-half+(float64(x)+0.5)*scale), int(f.At.Y-half+(float64(y)+0.5)*scale))
			if p.In(b) {
				sheet.Set(at.X+x, at.Y+y, img.At(p.X, p.Y))
			}
		}
	}
	place := func(p table.Point) (float64, float64) {
		return float64(at.X) + (p.X-f.At.X+half)/scale, float64(at.Y) + (p.Y-f.At.Y+half)/scale
	}
	clip := image.Rect(at.X, at.Y, at.X+tileSize-4, at.Y+tileSize-4)
	outline := func(p []table.Point, c color.RGBA) {
		for i := range p {
			x0, y0 := place(p[i])
			x1, y1 := place(p[(i+1)%len(p)])
			drawLine(sheet, clip, x0, y0, x1, y1, c)
		}
	}
	for _, r := range m.Seen.Dice {
		outline(r.Outline[:], color.RGBA{90, 220, 255, 255})
	}
	if g := m.Seen.Grid; g != nil && g.Found {
		outline(g.Corners[:], color.RGBA{255, 220, 60, 255})
	}
	drawText(sheet, at.X+1, at.Y+tileSize, filepath.Base(m.Picture.Path), color.RGBA{150, 150, 160, 255})
	drawText(sheet, at.X+1, at.Y+tileSize+10, f.Text, color.RGBA{255, 255, 255, 255})
}

func drawLine(img *image.RGBA, clip image.Rectangle, x0, y0, x1, y1 float64, c color.RGBA) {
	n := int(math.Hypot(x1-x0, y1-y0)) + 1
	if n > 4000 {
		return
	}
	for i := 0; i <= n; i++ {
		t := float64(i) / float64(n)
		if p := image.Pt(int(x0+t*(x1-x0)), int(y0+t*(y1-y0))); p.In(clip) {
			img.SetRGBA(p.X, p.Y, c)
		}
	}
}
