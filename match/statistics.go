package match

import (
	"cmp"
	"slices"

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
	slices.SortFunc(s.Players, func(a, b PlayerStatistics) int { return cmp.Compare(a.Name, b.Name) })
	return s
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
