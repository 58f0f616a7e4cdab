package vision

import (
	"math"
	"slices"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/net"
	"diceref/vision/pixels"
)

// Where a lamp bleaches an orange top to yellow, its sides are orange still, and what is beside
// it says what light there is. The surround network sees all that: the dice of a picture and
// what lies about them, as pixels. It is asked only where the color network and the dice together
// leave a question, since it costs more than reading the faces does.

const (
	// How plainly a color must be told for the surround network not to be asked. Some that would pass
	// for sure are wrong: it has a word on them as well.
	beyondQuestion = 0.998
	// How much the color network's word counts where there is a question, and the surround network's.
	ownWeight, surroundWeight = 0.4, 0.9
	likelyBefore              = 0.9 // how likely the color it makes sure of must have been without it
	// How plainly a color must be told on a grid, where dice are dyed in few colors, for it not to be asked.
	hardlyQuestion = 0.98
	// Geometric mean of both words below which a color is not sure that may be one that it runs into.
	betweenEnough = 0.94
)

// questioned says whether a die's color is not beyond question.
func questioned(p [colorKinds]float64) bool { return slices.Max(p[:]) < beyondQuestion }

// settleColors has the dice of a picture agree on their colors. Where that leaves a question about loose dice
// they agree again, those in question by the word of the surround network, too. On a board it may only confirm what
// they agreed on: there the color network is hardly ever in doubt, and what lies about the dice is the board, whose
// colors run into theirs in a poor video. heed brings in what players corrected.
func (s *scene) settleColors(vs []*verdict, bodies []body, q *question, heed func(k int, colors *[colorKinds]float64)) error {
	alone := colorsOfAll(vs)
	agree(vs, bodies)
	onGrid := s.kit.Layout != table.Loose
	asked := questioned
	if onGrid {
		asked = hardlyQuestioned
	}
	before := colorsOfAll(vs)
	if s.obs.Game == table.FromageATrois || !slices.ContainsFunc(before, asked) { // there colors do not matter
		return nil
	}
	words, err := s.r.reader.about(s.px, q, s.kit)
	if err != nil {
		return err
	}
	if onGrid {
		for k, v := range vs {
			if asked(before[k]) {
				heed(k, &words[k])
				v.confirm(before[k], words[k])
			}
		}
		return nil
	}
	for k, v := range vs {
		if asked(before[k]) {
			heed(k, &words[k])
			blend(&alone[k], &words[k], ownWeight, surroundWeight)
		}
		v.recolor(before[k], alone[k])
	}
	agree(vs, bodies)
	for k, v := range vs {
		c := v.die.Color
		v.unlikely = before[k][c-1] < likelyBefore || asked(before[k]) && inBetween(c, &before[k], &words[k])
	}
	return nil
}

// betweens are colors that makers' dyes run into each other: a die that is dyed in between looks to either network like
// the same wrong one.
var betweens = []table.Color{table.Red, table.Orange, table.Yellow}

// inBetween says whether a color's most likely rival is one that it runs into, and the words on it together, which
// count for no more than one there, leave it in doubt.
func inBetween(c table.Color, own, word *[colorKinds]float64) bool {
	rival, most := table.NoColor, 0.0
	for i := range own {
		if p := own[i] * word[i]; i != int(c)-1 && p >= most {
			rival, most = table.Color(i+1), p
		}
	}
	return slices.Contains(betweens, c) && slices.Contains(betweens, rival) && own[c-1]*word[c-1] < betweenEnough*betweenEnough
}

// hardlyQuestioned says whether a die's color was likely without the surround network, and is surer with its word.
func hardlyQuestioned(p [colorKinds]float64) bool {
	most := slices.Max(p[:])
	return most >= likelyBefore && most < hardlyQuestion
}

// confirm makes a color surer that the surround network names, too; another that it names counts for nothing.
func (v *verdict) confirm(before, word [colorKinds]float64) {
	c := v.die.Color - 1
	if after := before; word[c] == slices.Max(word[:]) {
		blend(&after, &word, ownWeight, surroundWeight)
		if after[c] > before[c] {
			v.recolor(before, after)
		}
	}
}

func colorsOfAll(vs []*verdict) [][colorKinds]float64 {
	out := make([][colorKinds]float64, len(vs))
	for k, v := range vs {
		out[k] = v.colors()
	}
	return out
}

// blend joins probabilities and another word, which count that much each: 1 in all is their geometric
// mean, 2 what two would say that know nothing of each other.
func blend(p, word *[colorKinds]float64, own, weight float64) {
	var sum float64
	for c := range p {
		p[c] = math.Pow(p[c], own) * math.Pow(word[c], weight)
		sum += p[c]
	}
	for c := range p {
		p[c] /= max(sum, 1e-300)
	}
}

// question is what the surround network is told of a picture's dice: where they are, how their
// tops look, and the picture's mean and 6-norm.
type question struct {
	outlines [][4]table.Point
	tints    []tint
	light    [2]rgb
}

// about tells the colors of a picture's dice by what lies about them, too. They are seen as they are
// and upside down, so that it does not matter which way up the picture is.
func (r *reader) about(p *pixels.Picture, q *question, kit table.Kit) ([][colorKinds]float64, error) {
	const own = sideFrom + tintSize - edgesFrom // a tint but its side: that is seen in the crop, whichever way it lies
	const row = own + 6 + colorKinds
	dice, data, err := net.Blob(len(q.tints), row)
	if err != nil {
		return nil, err
	}
	defer dice.Close()
	shared := slices.Concat(q.light[0][:], q.light[1][:], kitColors(kit))
	for i := range q.tints {
		copy(data[i*row:], q.tints[i][:sideFrom])
		copy(data[i*row+sideFrom:], q.tints[i][edgesFrom:])
		copy(data[i*row+own:], shared)
	}
	upright, err := r.aboutTurned(p, q.outlines, 0, dice)
	if err != nil {
		return nil, err
	}
	turned, err := r.aboutTurned(p, q.outlines, 2, dice)
	for i := range turned {
		blend(&upright[i], &turned[i], 0.5, 0.5)
	}
	return upright, err
}

// aboutTurned is what the surround network says of crops turned by so many quarters.
func (r *reader) aboutTurned(p *pixels.Picture, outlines [][4]table.Point, quarters int, dice gocv.Mat) ([][colorKinds]float64, error) {
	crops, _, err := p.Crops(surroundFraming, pixels.InTurns(outlines, quarters), nil)
	if err != nil {
		return nil, err
	}
	defer crops.Close()
	return colorsOf(r.surround, len(outlines), net.Input{Name: "crops", Blob: crops}, net.Input{Name: "dice", Blob: dice})
}
