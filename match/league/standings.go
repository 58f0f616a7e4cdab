package league

import (
	"cmp"
	"slices"
)

// Standing is where one player stands. What decides comes first; each of the others decides among those who are equal in
// everything before it. Whoever is equal in all of them shares the rank.
type Standing struct {
	Rank   int    `json:"rank"`
	Player string `json:"player"`
	// Points is the share of the opponents at a table whom the player has beaten, added up over the rounds: 1 for the
	// first, 0 for the last, one half of an opponent where two share a place. With two at a table these are the points
	// of chess, and they mean the same at tables of every size.
	// A bye counts 1 in Swiss (FIDE Handbook C.04.1, "as many points as for a win"), and 0 in a round robin, where
	// everybody has one in turn.
	Points float64 `json:"points"`
	// Direct is the direct encounter (FIDE Handbook C.07): the share of those with equal points whom the player has
	// beaten. It counts only if all of them have played each other.
	Direct *float64 `json:"direct,omitempty"`
	// Opponents is Buchholz (FIDE Handbook C.07): the points of the opponents, on average over a table and added up over
	// the rounds. In a round that a player did not play, his own points stand for an opponent's.
	Opponents float64 `json:"opponents"`
	// Beaten is Sonneborn-Berger (FIDE Handbook C.07): the same, but of the opponents whom the player has beaten, and
	// half of those with an equal place.
	Beaten float64 `json:"beaten"`
	Wins   int     `json:"wins"` // tables at which the player was first, alone or not

	Played int  `json:"played"`
	Byes   int  `json:"byes"`
	Out    bool `json:"out,omitempty"`
	Rating int  `json:"rating"` // see Rate
}

// Points are counted in whole parts, so that equal ones are equal: every share of up to seven opponents, and half of it,
// is a number of parts.
const part = 840

// half is how much of an opponent somebody has beaten, in halves: whoever was not there has lost.
func half(mine, theirs int) int {
	switch {
	case mine == 0:
		return 0
	case theirs == 0 || mine < theirs:
		return 2
	case mine == theirs:
		return 1
	}
	return 0
}

// tally is what the standings of one player are made of.
type tally struct {
	name                      string
	points, opponents, beaten int // in parts
	direct                    int // in parts, -1: it does not count
	wins, played, byes        int
	idle                      int // finished rounds without a table
	out                       bool
}

// tallies adds up what counts first, by player.
func (l *League) tallies() (list []*tally, by map[string]*tally) {
	by = map[string]*tally{}
	for _, p := range l.Players {
		t := &tally{name: p.Name, out: p.Out, direct: -1}
		list, by[p.Name] = append(list, t), t
	}
	for _, r := range l.Rounds {
		sits := map[string]bool{}
		for _, t := range r.Tables {
			for i, name := range t.Players {
				sits[name] = true
				if t.Done() {
					by[name].add(t.Places, i)
				}
			}
		}
		for _, t := range list {
			if !sits[t.name] {
				t.idle++
			}
		}
		for _, name := range r.Byes {
			by[name].byes++
			if l.Format == Swiss {
				by[name].points += part
			}
		}
	}
	return list, by
}

func (t *tally) add(places []int, i int) {
	beaten := 0
	for k, p := range places {
		if k != i {
			beaten += half(places[i], p)
		}
	}
	t.points += beaten * part / (2 * (len(places) - 1))
	if places[i] > 0 {
		t.played++
	}
	if places[i] == 1 {
		t.wins++
	}
}

// weigh adds up what the points of the opponents say.
func (l *League) weigh(by map[string]*tally) {
	for _, r := range l.Rounds {
		for _, t := range r.Tables {
			for i, name := range t.Players {
				me := by[name]
				for k, other := range t.Players {
					if k == i || !t.Done() {
						continue
					}
					share := by[other].points * (part / 2) / (len(t.Players) - 1)
					me.opponents += 2 * share
					me.beaten += half(t.Places[i], t.Places[k]) * share
				}
			}
		}
	}
	for _, t := range by {
		t.opponents += t.idle * t.points * part
	}
}

// Meetings is how often one player has met another at a table with a result, and how often beaten.
type Meetings struct {
	Times  int     `json:"times"`
	Beaten float64 `json:"beaten"` // a shared place is one half
}

// HeadToHead is what the players have done against each other.
func (l *League) HeadToHead() map[string]map[string]Meetings {
	all := map[string]map[string]Meetings{}
	for _, r := range l.Rounds {
		for _, t := range r.Tables {
			for i, a := range t.Players {
				for k, b := range t.Players {
					if i == k || !t.Done() {
						continue
					}
					if all[a] == nil {
						all[a] = map[string]Meetings{}
					}
					m := all[a][b]
					all[a][b] = Meetings{m.Times + 1, m.Beaten + float64(half(t.Places[i], t.Places[k]))/2}
				}
			}
		}
	}
	return all
}

// encounter decides among players with equal points by what they did against each other, if all of them have met.
func encounter(group []*tally, met map[string]map[string]Meetings) {
	for _, a := range group {
		for _, b := range group {
			if a != b && met[a.name][b.name].Times == 0 {
				return
			}
		}
	}
	for _, a := range group {
		a.direct = 0
		for _, b := range group {
			if a == b {
				continue
			}
			m := met[a.name][b.name] // Beaten is in halves, and so twice that is whole
			a.direct += int(2*m.Beaten) * part / (2 * m.Times)
		}
	}
}

// order sorts by what decides; 0: equal.
func order(a, b *tally) int {
	return cmp.Or(cmp.Compare(b.points, a.points), cmp.Compare(b.direct, a.direct), cmp.Compare(b.opponents, a.opponents),
		cmp.Compare(b.beaten, a.beaten), cmp.Compare(b.wins, a.wins))
}

// ranked is all players in order; lots decide between equals.
func (l *League) ranked() []*tally {
	list, by := l.tallies()
	l.weigh(by)
	slices.SortFunc(list, func(a, b *tally) int {
		return cmp.Or(cmp.Compare(b.points, a.points), cmp.Compare(l.lot(a.name), l.lot(b.name)))
	})
	met := l.HeadToHead()
	for i := 0; i < len(list); {
		k := i + 1
		for k < len(list) && list[k].points == list[i].points {
			k++
		}
		if k-i > 1 {
			encounter(list[i:k], met)
		}
		i = k
	}
	slices.SortStableFunc(list, order)
	return list
}

// Standings is where everybody stands.
func (l *League) Standings() []Standing {
	list := l.ranked()
	slices.SortStableFunc(list, func(a, b *tally) int { return cmp.Or(order(a, b), cmp.Compare(a.name, b.name)) })
	ratings := l.Ratings()
	out := make([]Standing, len(list))
	for i, t := range list {
		s := Standing{
			Rank: i + 1, Player: t.name, Points: float64(t.points) / part, Opponents: float64(t.opponents) / part / part, Beaten: float64(t.beaten) / part / part,
			Wins: t.wins, Played: t.played, Byes: t.byes, Out: t.out, Rating: ratings[t.name].Shown(),
		}
		if t.direct >= 0 {
			direct := float64(t.direct) / part
			s.Direct = &direct
		}
		if i > 0 && order(list[i-1], t) == 0 {
			s.Rank = out[i-1].Rank
		}
		out[i] = s
	}
	return out
}
