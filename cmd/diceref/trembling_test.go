package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A whole game takes minutes: go test ./cmd/diceref -run TestWatchTrembling -filmed 100 -v
var filmed = flag.Int("filmed", 10, "how many pictures of each game of zones TestWatchTrembling makes a video of")

// A picture of a sequence lies on the table for so many frames of a video, 25 a second, after an arm was over what it changes.
const (
	armFrames  = 12
	heldFrames = 16
)

// film writes the first pictures of a sequence as a video by a camera that trembles by a pixel at 800 across,
// while a soft shadow crosses the table and an arm comes between two pictures; and what the players say at its frames.
func (s *sequence) film(t *testing.T, steps int) (video, declare string) {
	t.Helper()
	video, declare = filepath.Join(t.TempDir(), "game.mjpeg"), filepath.Join(t.TempDir(), "declare.jsonl")
	var out bytes.Buffer
	frame := 0
	shoot := func(picture *image.RGBA) {
		at := float64(frame) / 25
		dx, dy := math.Sin(2*math.Pi*2.3*at), 0.8*math.Sin(2*math.Pi*2.9*at+1)
		shadow := float64(picture.Rect.Dx()) * (0.5 + 0.6*math.Sin(2*math.Pi*at/17))
		if err := jpeg.Encode(&out, disturbed(picture, dx, dy, shadow), &jpeg.Options{Quality: 90}); err != nil {
			t.Fatal(err)
		}
		frame++
	}
	var before *image.RGBA
	for _, step := range s.Steps[:steps] {
		picture := loadedPicture(t, filepath.Join(s.dir, step.Picture))
		for i := range armFrames {
			seen, away := before, 40*math.Abs(float64(i)-(armFrames-1)/2.0) // it comes, changes what it covers, and leaves
			if i >= armFrames/2 || before == nil {
				seen = picture
			}
			if x, y, changed := changedAt(before, picture); changed {
				seen = underArm(seen, x+away/4, y+away)
			}
			shoot(seen)
		}
		for range heldFrames {
			shoot(picture)
		}
		before = picture
	}
	if err := os.WriteFile(video, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	s.sayLater(t, declare, steps)
	return video, declare
}

// sayLater writes what the players say with the frames of the video in place of the numbers of the pictures.
func (s *sequence) sayLater(t *testing.T, name string, steps int) {
	t.Helper()
	f, err := os.Open(filepath.Join(s.dir, "declare.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var d map[string]any
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		picture := int(d["frame"].(float64))
		if picture >= steps {
			break
		}
		d["frame"] = picture*(armFrames+heldFrames) + armFrames + heldFrames/2
		line, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s\n", line)
	}
	if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func loadedPicture(t *testing.T, name string) *image.RGBA {
	t.Helper()
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return pictureOf(t, file)
}

// pictureOf decodes a JPEG into pixels that can be painted.
func pictureOf(t *testing.T, file []byte) *image.RGBA {
	t.Helper()
	img, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	rgba := image.NewRGBA(img.Bounds())
	draw.Draw(rgba, rgba.Rect, img, img.Bounds().Min, draw.Src)
	return rgba
}

// changedAt is the middle of what differs between two pictures.
func changedAt(before, after *image.RGBA) (x, y float64, changed bool) {
	if before == nil {
		return 0, 0, false
	}
	n := 0.0
	for i := 0; i < len(after.Pix); i += 4 {
		for c := range 3 {
			if d := int(before.Pix[i+c]) - int(after.Pix[i+c]); d > 60 || d < -60 {
				x, y, n = x+float64(i%after.Stride/4), y+float64(i/after.Stride), n+1
			}
		}
	}
	return x / n, y / n, n > 0
}

// underArm is a picture with an arm over it that reaches from the lower edge to a place, and its shadow beside it.
func underArm(p *image.RGBA, x, y float64) *image.RGBA {
	const (
		wide  = 34.0 // half of it, pixels
		hand  = 90.0 // how long the hand is, the rest is sleeve
		lean  = 0.25 // to the right
		shade = 14.0 // how far aside its shadow lies
	)
	out := image.NewRGBA(p.Rect)
	copy(out.Pix, p.Pix)
	// off is how far a place is from the arm's middle, in halves of its width, and how far along it.
	off := func(u, v float64) (far, along float64) {
		along = max(((u-x)*lean+(v-y))/math.Hypot(lean, 1), 0)
		return math.Hypot(u-x-along*lean/math.Hypot(lean, 1), v-y-along/math.Hypot(lean, 1)) / wide, along
	}
	for i := 0; i < len(out.Pix); i += 4 {
		u, v := float64(i%out.Stride/4), float64(i/out.Stride)
		if v < y-2*wide {
			continue
		}
		far, along := off(u, v)
		to := out.Pix[i : i+3]
		switch shadow, _ := off(u-shade, v-shade); {
		case far < 1:
			color := [3]float64{210, 165, 138}
			if along > hand {
				color = [3]float64{62, 84, 112}
			}
			for c := range to {
				to[c] = byte(color[c] * (1 - 0.4*far*far))
			}
		case shadow < 1.4:
			for c := range to {
				to[c] = byte(float64(to[c]) * (0.75 + 0.25*max(shadow-0.6, 0)/0.8))
			}
		}
	}
	return out
}

// disturbed is a picture moved by a part of a pixel, and darker by a third right of a soft edge.
func disturbed(p *image.RGBA, dx, dy, shadow float64) *image.RGBA {
	w, h := p.Rect.Dx(), p.Rect.Dy()
	out := image.NewRGBA(p.Rect)
	light := make([]float64, w)
	for x := range light {
		light[x] = 1 - 0.35/(1+math.Exp(-(float64(x)-shadow)/(0.075*float64(w))))
	}
	ix, iy := int(math.Floor(dx)), int(math.Floor(dy))
	fx, fy := dx-float64(ix), dy-float64(iy)
	row := func(y int) []byte { return p.Pix[min(max(y, 0), h-1)*p.Stride:] }
	for y := range h {
		above, below, to := row(y-iy-1), row(y-iy), out.Pix[y*out.Stride:]
		for x := range w {
			left, right := 4*min(max(x-ix-1, 0), w-1), 4*min(max(x-ix, 0), w-1)
			for c := range 3 {
				v := fy*(fx*float64(above[left+c])+(1-fx)*float64(above[right+c])) +
					(1-fy)*(fx*float64(below[left+c])+(1-fx)*float64(below[right+c]))
				to[4*x+c] = byte(v*light[x] + 0.5)
			}
			to[4*x+3] = 255
		}
	}
	return out
}

// TestWatchTrembling: games of zones, filmed by a camera that trembles while a shadow passes and arms reach over the table. Every act is told, none
// is invented, and at most one question is asked too many.
func TestWatchTrembling(t *testing.T) {
	for _, game := range []string{"dicecreams", "fromage"} {
		t.Run(game, func(t *testing.T) {
			s := sequenceOf(t, game)
			steps := min(*filmed, len(s.Steps))
			want, odd := s.truth(t, steps)
			video, declare := s.film(t, steps)
			got := s.watch(t, video, declare)
			if diff := cmp.Diff(want, got.events); diff != "" {
				t.Errorf("told otherwise (-want +got):\n%s", diff)
			}
			if len(got.questions) > odd+1 {
				t.Errorf("%d questions, %d are right: %q", len(got.questions), odd, got.questions)
			}
			if whole := steps == len(s.Steps); whole {
				if diff := cmp.Diff(s.Scores, got.scores) + cmp.Diff(s.Winners, got.winners); diff != "" {
					t.Errorf("the end (-want +got):\n%s", diff)
				}
			}
			t.Logf("%d pictures, %d events, %d questions", steps, len(want), len(got.questions))
		})
	}
}
