package vision

import (
	"image"
	"math"
	"runtime"
	"slices"
	"sync"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/pixels"
)

// secondChance is how plainly a top must be read not to be looked at in another turn too.
const secondChance = 0.97

// plainDoubt is how plainly it must be read then not to be looked at in all turns.
const plainDoubt = 0.9

// examine looks at all tops: at what is around them, their faces, their surfaces, and the
// light on them all. No network fills two cores by itself, so that they work side by side.
func (s *scene) examine(dice []placed) (glances []classify.Glance, tops []surface, light [2]classify.RGB, err error) {
	var beside sync.WaitGroup
	var besideErr error
	if !s.judged() {
		beside.Go(func() { besideErr = s.markStanding(dice) })
	}
	beside.Go(func() {
		tops = surfaces(s.px, dice)
		light, s.colorless = s.pictureLight()
	})
	outlines := make([][4]table.Point, len(dice))
	for i := range dice {
		outlines[i] = dice[i].Outline
	}
	glances, err = s.faces.Read(s.px, outlines)
	beside.Wait()
	if err == nil {
		err = besideErr
	}
	if err == nil {
		err = s.lookAgain(dice, outlines, glances)
	}
	if err == nil && s.judged() {
		markJudged(dice, glances)
		err = s.markUnbacked(dice)
	}
	return glances, tops, light, err
}

// lookAgain reads the tops in doubt once more turned by a quarter, and what is plainly in doubt then in the two other
// turns: an outline's corners are told in no order. On a board it is the judge who looks again, for another opinion.
func (s *scene) lookAgain(dice []placed, outlines [][4]table.Point, glances []classify.Glance) error {
	inDoubt := func(i int, least float64) bool {
		g := &glances[i]
		return slices.Max(g.Faces[:classify.NoDie]) < least || dieOdds(g, dice[i].Score, s.prior(&dice[i])) < least
	}
	again := func(which []int, quarters ...int) ([]classify.Glance, error) {
		if len(which) == 0 {
			return nil, nil
		}
		other, err := s.secondReader()
		if err != nil {
			return nil, err
		}
		some := make([][4]table.Point, len(which))
		for k, i := range which {
			some[k] = outlines[i]
		}
		return other.Read(s.px, pixels.InTurns(some, quarters...))
	}
	var first, second []int
	for i := range glances {
		if inDoubt(i, secondChance) {
			first = append(first, i)
		}
	}
	left, err := again(first, 1)
	if err != nil {
		return err
	}
	for k, i := range first {
		if glances[i] = classify.Both(glances[i], left[k]); inDoubt(i, plainDoubt) {
			second = append(second, i)
		}
	}
	rest, err := again(second, 2, 3)
	if err != nil {
		return err
	}
	for k, i := range second {
		glances[i] = classify.Both(glances[i], classify.Both(rest[k], rest[len(second)+k]))
	}
	return nil
}

// secondReader reads what is in doubt after the first look: on a board the judge. Without a grid nothing is sure, whoever looks, and
// with a set of the owner's dice the set tells later what tops show.
func (s *scene) secondReader() (faceReader, error) {
	if s.grid == nil || !s.owned.none() {
		return s.faces, nil
	}
	return s.r.judge.get()
}

// pictureLight is the mean and the 6-norm of the whole picture's pixels, made small; and
// whether the picture has no color at all.
func (s *scene) pictureLight() (light [2]classify.RGB, colorless bool) {
	small := gocv.NewMat()
	defer small.Close()
	gocv.Resize(s.px.Smallest().Mat, &small, image.Pt(pixels.LeastHalfWidth, pixels.LeastHalfHeight), 0, 0, gocv.InterpolationArea)
	data, err := small.DataPtrUint8()
	if err != nil {
		return light, false
	}
	var sum, high [3]float64
	colored := 0
	for i, v := range data {
		x := float64(v) / 255
		sum[2-i%3] += x // blue, green, red as red, green, blue
		high[2-i%3] += x * x * x * x * x * x
		if i%3 == 2 && max(data[i-2], data[i-1], v)-min(data[i-2], data[i-1], v) > grayMost {
			colored++
		}
	}
	n := float64(len(data) / 3)
	for c := range 3 {
		light[0][c], light[1][c] = float32(sum[c]/n), float32(math.Pow(high[c]/n, 1.0/6))
	}
	runtime.KeepAlive(small)
	return light, float64(colored) < grayShare*n
}
