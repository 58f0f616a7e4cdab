package vision

import (
	"math"

	"diceref/table"
	"diceref/vision/classify"
)

// What players corrected about colors is remembered as examples of how dice look at
// this table. One that is wrong must not spoil the reading of dice that are plainly
// something else, and two that contradict each other count for nothing.
const (
	lessonHue    = 0.13 // how alike the hues of two dice of one color are
	lessonBright = 0.5  // and the logarithms of their brightness
	lessonWeight = 3.0  // what one lesson about just this look is worth, as a logarithm of odds
	lessonFloor  = 1e-3 // one changes little where the network is sure, three of them much
	mostWeight   = 3.0  // so many lessons' worth at most
)

// lessons are all that the table and the dice in use were taught.
func (k *Known) lessons() []table.Lesson {
	var all []table.Lesson
	if k.Profile != nil {
		all = append(all, k.Profile.Lessons...)
	}
	all = append(all, k.Lessons...)
	if k.Dice != nil { // in any light: one speaks only for dice that look so
		all = append(all, k.Dice.ColorLessons()...)
	}
	return all
}

// look is how the top's body looks in the light of its picture, which has that mean.
func (t *surface) look(light classify.RGB) table.Look3 {
	if !t.ok {
		return table.Look3{}
	}
	of := newBody(255*float64(light[0]), 255*float64(light[1]), 255*float64(light[2]))
	return table.Look3{t.hue.r - of.hue.r, t.hue.b - of.hue.b, t.bright - of.bright}
}

// heed changes the probabilities of a die's colors by what was learned of its looks.
func heed(colors *[classify.ColorKinds]float64, look table.Look3, lessons []table.Lesson) {
	if len(lessons) == 0 || look == (table.Look3{}) {
		return
	}
	var speaks [classify.ColorKinds]float64
	for _, l := range lessons {
		dr, db, dl := (look[0]-l.Look[0])/lessonHue, (look[1]-l.Look[1])/lessonHue, (look[2]-l.Look[2])/lessonBright
		if l.Color != table.NoColor && int(l.Color) <= classify.ColorKinds {
			speaks[l.Color-1] += math.Exp(-(dr*dr + db*db + dl*dl) / 2)
		}
	}
	best, second := 0, 0.0
	for c := range speaks {
		if speaks[c] > speaks[best] {
			best = c
		}
	}
	for c := range speaks {
		if c != best {
			second = max(second, speaks[c])
		}
	}
	odds := math.Exp(lessonWeight * min(speaks[best]-second, mostWeight))
	colors[best] = max(colors[best]*odds, lessonFloor*(odds-1)) // however sure the network is of another
	var sum float64
	for _, p := range colors {
		sum += p
	}
	for c := range colors {
		colors[c] /= sum
	}
}
