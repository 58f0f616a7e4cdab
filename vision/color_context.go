package vision

import (
	"slices"

	"diceref/table"
	"diceref/vision/classify"
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
func questioned(p [classify.ColorKinds]float64) bool { return slices.Max(p[:]) < beyondQuestion }

// settleColors has the dice of a picture agree on their colors. Where that leaves a question about loose dice
// they agree again, those in question by the word of the surround network, too. On a board it may only confirm what
// they agreed on: there the color network is hardly ever in doubt, and what lies about the dice is the board, whose
// colors run into theirs in a poor video. heed brings in what players corrected.
func (s *scene) settleColors(vs []*verdict, bodies []body, q *classify.Question, heed func(k int, colors *[classify.ColorKinds]float64)) error {
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
	words, err := s.r.reader.About(s.px, q, s.kit)
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
			classify.Blend(&alone[k], &words[k], ownWeight, surroundWeight)
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
func inBetween(c table.Color, own, word *[classify.ColorKinds]float64) bool {
	rival, most := table.NoColor, 0.0
	for i := range own {
		if p := own[i] * word[i]; i != int(c)-1 && p >= most {
			rival, most = table.Color(i+1), p
		}
	}
	return slices.Contains(betweens, c) && slices.Contains(betweens, rival) && own[c-1]*word[c-1] < betweenEnough*betweenEnough
}

// doubtLoneShades makes orange and yellow unsure where dice may be of any color, and not both are plainly in view: amber and
// ivory dice are told apart from yellow ones only beside them.
func doubtLoneShades(vs []*verdict, kit table.Kit) {
	if kit.Dice != nil {
		return
	}
	seen := func(c table.Color) bool {
		return slices.ContainsFunc(vs, func(v *verdict) bool { return v.die.Color == c && v.p >= likelyBefore })
	}
	both := seen(table.Orange) && seen(table.Yellow)
	for _, v := range vs {
		if c := v.die.Color; c == table.Orange || c == table.Yellow {
			v.unlikely = v.unlikely || !both
		}
	}
}

// hardlyQuestioned says whether a die's color was likely without the surround network, and is surer with its word.
func hardlyQuestioned(p [classify.ColorKinds]float64) bool {
	most := slices.Max(p[:])
	return most >= likelyBefore && most < hardlyQuestion
}

// confirm makes a color surer that the surround network names, too; another that it names counts for nothing.
func (v *verdict) confirm(before, word [classify.ColorKinds]float64) {
	c := v.die.Color - 1
	if after := before; word[c] == slices.Max(word[:]) {
		classify.Blend(&after, &word, ownWeight, surroundWeight)
		if after[c] > before[c] {
			v.recolor(before, after)
		}
	}
}

func colorsOfAll(vs []*verdict) [][classify.ColorKinds]float64 {
	out := make([][classify.ColorKinds]float64, len(vs))
	for k, v := range vs {
		out[k] = v.colors()
	}
	return out
}
