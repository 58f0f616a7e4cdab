package league

import "math"

// Rating is how well somebody plays, as far as the results tell: a normal distribution.
type Rating struct{ Mean, Deviation float64 }

// What is assumed of somebody who has not played yet, and how much a good player's luck varies: the values of Weng and Lin.
const (
	firstMean      = 25.0
	firstDeviation = firstMean / 3
	luck           = firstDeviation / 2
	leastShrink    = 0.0001 // a result never makes the variance smaller than this part of it
)

// FirstRating is the rating of somebody who has not played yet.
func FirstRating() Rating { return Rating{firstMean, firstDeviation} }

// Shown is the rating in one number that is very likely not too high: it begins at 1500, and grows with what is known.
func (r Rating) Shown() int {
	const scale = 200 / firstDeviation
	return int(math.Round(1500 + scale*(r.Mean-3*r.Deviation)))
}

// Rate is the ratings of players after they have played at one table, by their places: the Plackett-Luce model, which is
// for any number of players and for ties. R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online
// Ranking", Journal of Machine Learning Research 12 (2011), algorithm 4.
func Rate(before []Rating, places []int) []Rating {
	sum := 0.0
	for _, r := range before {
		sum += r.Deviation*r.Deviation + luck*luck
	}
	c := math.Sqrt(sum)
	strength, behind, shared := make([]float64, len(before)), make([]float64, len(before)), make([]float64, len(before))
	for i, r := range before {
		strength[i] = math.Exp(r.Mean / c)
	}
	for q := range before {
		for i := range before {
			if places[i] >= places[q] {
				behind[q] += strength[i]
			}
			if places[i] == places[q] {
				shared[q]++
			}
		}
	}
	after := make([]Rating, len(before))
	for i, r := range before {
		gain, certainty := 0.0, 0.0
		for q := range before {
			if places[q] > places[i] {
				continue
			}
			p := strength[i] / behind[q]
			certainty += p * (1 - p) / shared[q]
			if q == i {
				gain += (1 - p) / shared[q]
			} else {
				gain -= p / shared[q]
			}
		}
		variance := r.Deviation * r.Deviation
		certainty *= variance / (c * c) * r.Deviation / c
		after[i] = Rating{r.Mean + gain*variance/c, r.Deviation * math.Sqrt(max(1-certainty, leastShrink))}
	}
	return after
}

// Ratings is the rating of every player after all results, round by round. Who was not there is not rated.
func (l *League) Ratings() map[string]Rating {
	all := map[string]Rating{}
	for _, p := range l.Players {
		all[p.Name] = FirstRating()
	}
	for _, r := range l.Rounds {
		for _, t := range r.Tables {
			var names []string
			var before []Rating
			var places []int
			for i, p := range t.Places {
				if p > 0 {
					names, before, places = append(names, t.Players[i]), append(before, all[t.Players[i]]), append(places, p)
				}
			}
			if len(names) < 2 {
				continue
			}
			for i, r := range Rate(before, places) {
				all[names[i]] = r
			}
		}
	}
	return all
}
