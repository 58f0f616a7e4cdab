package match

import (
	"cmp"
	"slices"

	"diceref/match/league"
	"diceref/table"
)

// Statistics adds up all matches in a journal. Points and wins only count for matches that
// somebody won.
type Statistics struct {
	Matches int                `json:"matches"`
	Players []PlayerStatistics `json:"players"` // by name
	Games   []GameStatistics   `json:"games"`
}

// PlayerStatistics is one player's record, over all games and by game.
type PlayerStatistics struct {
	Name string `json:"name"`
	Tally
	Games []GameTally `json:"games"`
}

// GameTally is a player's record in one game.
type GameTally struct {
	Game table.Game `json:"game"`
	Tally
}

// Tally counts. Points of different games cannot be compared, so Best and Mean are per game only.
type Tally struct {
	Played    int     `json:"played"`
	Over      int     `json:"over"`
	Won       int     `json:"won"`
	Best      int     `json:"best,omitempty"`
	Mean      float64 `json:"mean,omitempty"` // points a match
	Acts      int     `json:"acts"`
	Illegal   int     `json:"illegal"`
	Takebacks int     `json:"takebacks"`
	Misses    int     `json:"misses"`
	// Rating is how well the player plays, against whomever and at whatever table, see league.Rate; 0: not known yet.
	Rating int `json:"rating,omitempty"`
}

// GameStatistics is one game's record.
type GameStatistics struct {
	Game    table.Game `json:"game"`
	Matches int        `json:"matches"`
	Over    int        `json:"over"`
	Minutes float64    `json:"minutes"` // a match that is over, on average
	Mean    float64    `json:"mean"`    // points of a player
	Best    *TopScore  `json:"best,omitempty"`
}

// TopScore is the most points that anybody had.
type TopScore struct {
	Player string `json:"player"`
	Points int    `json:"points"`
	Match  string `json:"match"`
}

// Statistics adds up all matches in the journal.
func (j *Journal) Statistics() (Statistics, error) {
	all, err := j.summaries()
	if err != nil {
		return Statistics{}, err
	}
	return statistics(all), nil
}

// counts says whether the points of a match count.
func (s Summary) counts() bool { return s.Phase == PhaseOver && !s.Unsettled }

func statistics(all []Summary) Statistics {
	s := Statistics{Players: []PlayerStatistics{}, Games: []GameStatistics{}}
	for _, m := range all {
		if m.Deleted || m.Empty || m.Game == "" {
			continue
		}
		s.Matches++
		s.game(m.Game).add(m)
		for _, p := range m.Players {
			who := s.player(p.Name)
			who.add(p, m.counts())
			who.Best, who.Mean = 0, 0
			who.game(m.Game).add(p, m.counts())
		}
	}
	s.rate(all)
	slices.SortFunc(s.Players, func(a, b PlayerStatistics) int { return cmp.Compare(a.Name, b.Name) })
	return s
}

// rate rates the players by all matches that count, in the order in which they ended, over all games and by game.
func (s *Statistics) rate(all []Summary) {
	counted := slices.DeleteFunc(slices.Clone(all), func(m Summary) bool { return m.Deleted || m.Empty || m.Game == "" || !m.counts() || len(m.Players) < 2 })
	slices.SortStableFunc(counted, func(a, b Summary) int { return a.Ended.Compare(b.Ended) })
	type of struct {
		name string
		game table.Game // empty: all
	}
	ratings := map[of]league.Rating{}
	for _, m := range counted {
		for _, game := range []table.Game{"", m.Game} {
			before := make([]league.Rating, len(m.Players))
			for i, p := range m.Players {
				r, known := ratings[of{p.Name, game}]
				if !known {
					r = league.FirstRating()
				}
				before[i] = r
			}
			for i, r := range league.Rate(before, m.Places()) {
				ratings[of{m.Players[i].Name, game}] = r
			}
		}
	}
	for who, r := range ratings {
		if p := s.player(who.name); who.game == "" {
			p.Rating = r.Shown()
		} else {
			p.game(who.game).Rating = r.Shown()
		}
	}
}

// Places is the places of the players: who has won comes first, the others follow by their points.
func (s Summary) Places() []int {
	points, won := make([]int, len(s.Players)), make([]bool, len(s.Players))
	for i, p := range s.Players {
		points[i], won[i] = p.Points, p.Won
	}
	return league.Places(points, won)
}

func (s *Statistics) game(g table.Game) *GameStatistics {
	return listed(&s.Games, GameStatistics{Game: g}, func(x GameStatistics) bool { return x.Game == g })
}

func (s *Statistics) player(name string) *PlayerStatistics {
	return listed(&s.Players, PlayerStatistics{Name: name}, func(x PlayerStatistics) bool { return x.Name == name })
}

func (p *PlayerStatistics) game(g table.Game) *GameTally {
	return listed(&p.Games, GameTally{Game: g}, func(x GameTally) bool { return x.Game == g })
}

// listed is the one of a list that is meant, begun afresh where it is not there yet.
func listed[T any](list *[]T, fresh T, meant func(T) bool) *T {
	i := slices.IndexFunc(*list, meant)
	if i < 0 {
		i = len(*list)
		*list = append(*list, fresh)
	}
	return &(*list)[i]
}

func (g *GameStatistics) add(m Summary) {
	g.Matches++
	if !m.counts() || len(m.Players) == 0 {
		return
	}
	g.Over++
	n := float64(g.Over)
	g.Minutes += (m.Ended.Sub(m.Began).Minutes() - g.Minutes) / n
	sum := 0
	for _, p := range m.Players {
		sum += p.Points
		if g.Best == nil || p.Points > g.Best.Points {
			g.Best = &TopScore{p.Name, p.Points, m.ID}
		}
	}
	g.Mean += (float64(sum)/float64(len(m.Players)) - g.Mean) / n
}

func (t *Tally) add(r Result, over bool) {
	t.Played++
	t.Acts += r.Acts
	t.Illegal += r.Illegal
	t.Takebacks += r.Takebacks
	t.Misses += r.Misses
	if !over {
		return
	}
	t.Over++
	if r.Won {
		t.Won++
	}
	t.Best = max(t.Best, r.Points)
	t.Mean += (float64(r.Points) - t.Mean) / float64(t.Over)
}
