package league

import (
	"cmp"
	"slices"
	"time"
)

// Place is a table of the room, for who plays at it.
type Place struct{ ID, Name string }

// Next pairs the next round: everybody plays once or has a bye, nobody meets somebody again before it must be. The tables
// get places in order; those for whom there is none play where one is free.
func (l *League) Next(at time.Time, places []Place) (Round, error) {
	r := Round{Number: len(l.Rounds) + 1, At: at}
	switch {
	case len(l.Rounds) > 0 && slices.ContainsFunc(l.Rounds[len(l.Rounds)-1].Tables, func(t Table) bool { return !t.Done() }):
		return r, ErrOpen
	case r.Number > MostRounds:
		return r, ErrOver
	}
	met := l.met()
	var tables [][]string
	var err error
	switch {
	case l.fixed():
		tables, r.Byes, err = l.circle()
	case l.Format == RoundRobin:
		tables, r.Byes, err = l.everybody(met)
	default:
		tables, r.Byes, err = l.swiss(met)
	}
	if err != nil {
		return r, err
	}
	for i, players := range tables {
		t := Table{Players: l.seated(players)}
		if i < len(places) {
			t.ID, t.Name = places[i].ID, places[i].Name
		}
		r.Tables = append(r.Tables, t)
	}
	return r, nil
}

// sizes is how many players sit at each table, the largest first, so that as few as possible have a bye, at as few
// tables as possible, and tables differ by at most one.
func sizes(players, least, most int) (tables []int, byes int) {
	for ; players-byes >= least; byes++ {
		n := players - byes
		k := (n + most - 1) / most
		if n/k < least {
			continue
		}
		for i := range k {
			size := n / k
			if i < n%k {
				size++
			}
			tables = append(tables, size)
		}
		return tables, byes
	}
	return nil, players
}

// pair is two players, whichever first.
type pair struct{ a, b string }

func pairOf(a, b string) pair { return pair{min(a, b), max(a, b)} }

// met is how often players were paired with each other.
func (l *League) met() map[pair]int {
	met := map[pair]int{}
	for _, r := range l.Rounds {
		for _, t := range r.Tables {
			for i, a := range t.Players {
				for _, b := range t.Players[:i] {
					met[pairOf(a, b)]++
				}
			}
		}
	}
	return met
}

// swiss seats those together who stand next to each other.
func (l *League) swiss(met map[pair]int) (tables [][]string, byes []string, err error) {
	var order []string
	for _, t := range l.ranked() {
		if !t.out {
			order = append(order, t.name)
		}
	}
	return l.split(order, func(a, b string) int { return met[pairOf(a, b)] }, true)
}

// everybody seats those together who have not met yet: as many of them as can be found.
func (l *League) everybody(met map[pair]int) (tables [][]string, byes []string, err error) {
	open := map[string]int{} // how many each has not met
	var order []string
	left := 0
	for _, p := range l.Players {
		if p.Out {
			continue
		}
		for _, o := range order {
			if met[pairOf(p.Name, o)] == 0 {
				open[p.Name]++
				open[o]++
				left++
			}
		}
		order = append(order, p.Name)
	}
	if left == 0 && len(order) >= l.Least {
		return nil, nil, ErrOver
	}
	slices.SortFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(open[b], open[a]), cmp.Compare(l.lot(a), l.lot(b)))
	})
	return l.split(order, func(a, b string) int { return min(met[pairOf(a, b)], 1) }, false)
}

// split makes tables of players in their order. Byes go to the last ones of those who had the fewest.
func (l *League) split(order []string, again func(a, b string) int, near bool) (tables [][]string, byes []string, err error) {
	size, n := sizes(len(order), l.Least, l.Most)
	if size == nil {
		return nil, nil, ErrFew
	}
	had := l.byes()
	for range n {
		k := len(order) - 1
		for i := k; i >= 0; i-- {
			if had[order[i]] < had[order[k]] {
				k = i
			}
		}
		byes = append(byes, order[k])
		order = slices.Delete(order, k, k+1)
	}
	for _, seats := range draw(size, len(order), func(a, b int) int { return again(order[a], order[b]) }, near) {
		names := make([]string, len(seats))
		for i, p := range seats {
			names[i] = order[p]
		}
		tables = append(tables, names)
	}
	return tables, byes, nil
}

func (l *League) byes() map[string]int {
	had := map[string]int{}
	for _, r := range l.Rounds {
		for _, name := range r.Byes {
			had[name]++
		}
	}
	return had
}

// circle is the next round of a round robin of two at a table, by the circle method: one player stays, the others move on
// by one place. Whose opponent has left the league has a bye.
func (l *League) circle() (tables [][]string, byes []string, err error) {
	players := slices.Clone(l.Players)
	slices.SortFunc(players, func(a, b Player) int { return cmp.Compare(l.lot(a.Name), l.lot(b.Name)) })
	if len(players)%2 == 1 {
		players = append(players, Player{Out: true})
	}
	n, round := len(players), len(l.Rounds)
	if n < 2 {
		return nil, nil, ErrFew
	}
	if round >= n-1 {
		return nil, nil, ErrOver
	}
	at := func(i int) Player { return players[(i+round)%(n-1)] }
	for i := range n / 2 {
		a, b := at(i), at(n-2-i)
		if i == n/2-1 {
			a, b = at(i), players[n-1]
		}
		switch {
		case !a.Out && !b.Out:
			tables = append(tables, []string{a.Name, b.Name})
		case !a.Out:
			byes = append(byes, a.Name)
		case !b.Out:
			byes = append(byes, b.Name)
		}
	}
	return tables, byes, nil
}

// seated is the turn order at a table: who has begun the fewest times begins, and who sat early before sits late.
func (l *League) seated(players []string) []string {
	begun, early := map[string]int{}, map[string]int{}
	for _, r := range l.Rounds {
		for _, t := range r.Tables {
			begun[t.Players[0]]++
			for i, p := range t.Players {
				early[p] += len(t.Players) - 1 - 2*i
			}
		}
	}
	players = slices.Clone(players)
	slices.SortStableFunc(players, func(a, b string) int {
		return cmp.Or(cmp.Compare(begun[a], begun[b]), cmp.Compare(early[a], early[b]), cmp.Compare(l.lot(a), l.lot(b)))
	})
	return players
}
