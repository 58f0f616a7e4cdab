package main

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"diceref/match"
)

var allDamaged = flag.Bool("damaged", false, "read both games by zones in all their damaged forms, not one alone")

// damages are what bad cameras, light and bumps make of the pictures of a game.
var damages = []struct {
	name    string
	quality int // of the JPEG
	change  func(i, n int, img image.Image) image.Image
}{
	{"encoded hard", 25, func(_, _ int, img image.Image) image.Image { return img }},
	{"half the size", 90, func(_, _ int, img image.Image) image.Image {
		return redrawn(img.Bounds().Dx()/2, img.Bounds().Dy()/2, func(x, y int) color.Color {
			var sum [3]uint32
			for k := range 4 {
				r, g, b, _ := img.At(2*x+k%2, 2*y+k/2).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+r/4, sum[1]+g/4, sum[2]+b/4
			}
			return color.RGBA64{R: uint16(sum[0]), G: uint16(sum[1]), B: uint16(sum[2]), A: math.MaxUint16}
		})
	}},
	{"light that drifts", 90, func(i, _ int, img image.Image) image.Image {
		light := 1 + 0.3*math.Sin(float64(i)/4)
		return redrawn(img.Bounds().Dx(), img.Bounds().Dy(), func(x, y int) color.Color {
			r, g, b, _ := img.At(x, y).RGBA()
			lit := func(v uint32) uint16 { return uint16(min(math.MaxUint16, light*float64(v))) }
			return color.RGBA64{R: lit(r), G: lit(g), B: lit(b), A: math.MaxUint16}
		})
	}},
	{"turned and shifted half way", 90, func(i, n int, img image.Image) image.Image {
		if i < n/2 {
			return img
		}
		const degree, shift = math.Pi / 180, 10.0
		sin, cos := math.Sincos(degree)
		w, h := img.Bounds().Dx(), img.Bounds().Dy()
		return redrawn(w, h, func(x, y int) color.Color {
			dx, dy := float64(x)-shift-float64(w)/2, float64(y)-shift-float64(h)/2
			from := image.Pt(int(dx*cos-dy*sin+float64(w)/2), int(dx*sin+dy*cos+float64(h)/2))
			return img.At(max(0, min(w-1, from.X)), max(0, min(h-1, from.Y)))
		})
	}},
}

func redrawn(w, h int, at func(x, y int) color.Color) image.Image {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			out.Set(x, y, at(x, y))
		}
	}
	return out
}

// TestDamagedGameByZones reads the whole games in damaged pictures: all is told in order,
// or a question comes before what is told wrongly, and there is at most one question for
// five events.
func TestDamagedGameByZones(t *testing.T) {
	for _, name := range []string{"fromage", "dicecreams"} {
		for i, d := range damages {
			if !*allDamaged && (i > 0 || name != "fromage") {
				continue
			}
			t.Run(name+"/"+d.name, func(t *testing.T) {
				dir := filepath.Join("..", "..", "match", "testdata", name)
				game := playedIn(t, dir)
				pics := pictures(t, dir)
				names, err := filepath.Glob(filepath.Join(pics, "*.jpg"))
				if err != nil {
					t.Fatal(err)
				}
				for k, file := range names {
					damage(t, file, d.quality, func(img image.Image) image.Image { return d.change(k, len(names), img) })
				}
				judge(t, &game, followPictures(t, &game, dir, pics))
			})
		}
	}
}

func damage(t *testing.T, name string, quality int, change func(image.Image) image.Image) {
	t.Helper()
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	img, err := jpeg.Decode(in)
	in.Close()
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := jpeg.Encode(out, change(img), &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
}

// judge holds what a match told of a damaged game against the truth.
func judge(t *testing.T, game *played, m *match.Match) {
	t.Helper()
	const reach, share = 4, 5 // events for which a question holds; events to one question
	var want []string
	asked := 0
	for _, s := range game.Steps {
		if s.Doubt {
			asked--
		}
		for _, e := range s.Events {
			want = append(want, line(e.Type, e.Player, e.Text, e.Code))
		}
	}
	at, since, wrong := 0, reach+1, false
	for _, e := range m.Events() {
		told := ""
		switch e.Type {
		case match.TypeDoubt:
			asked++
			since = 0
			continue
		case match.TypeMove:
			told = line(e.Type, e.Player, fmt.Sprint(e.Move), e.Code)
		case match.TypeTakeback:
			told = line(e.Type, e.Player)
		default:
			continue
		}
		since++
		switch {
		case wrong:
		case at < len(want) && told == want[at]:
			at++
		case since > reach:
			t.Fatalf("event %d is told as %q without a question, want %q", at, told, strings.Join(want[at:min(at+1, len(want))], ""))
		default:
			wrong = true
		}
	}
	t.Logf("%d of %d events told in order, %d questions beyond those that are right", at, len(want), max(0, asked))
	if share*asked > len(want) {
		t.Errorf("%d questions for %d events", asked, len(want))
	}
}
