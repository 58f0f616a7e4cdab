package match

import (
	"fmt"
	"slices"
	"strings"

	"diceref/calibration"
	"diceref/rules"
	"diceref/table"
)

// Declarations about the people at the table.
const (
	SayFirst   = "first"   // Player starts; the others follow in the order they sit
	SayNames   = "names"   // the players are called Names, in turn order
	SaySeats   = "seats"   // the players sit as Names tells, seat by seat; turns and scores stay theirs
	SayRematch = "rematch" // the same people play once more, see Match.Next
)

// checkPeople refuses what cannot be understood of a declaration about people.
func (d Declaration) checkPeople() error {
	switch {
	case d.Say == SayFirst && d.Player == "":
		return fmt.Errorf("match: first needs a player")
	case (d.Say == SayNames || d.Say == SaySeats) && len(d.Names) == 0:
		return fmt.Errorf("match: %s needs names", d.Say)
	}
	return nil
}

// sayPeople applies a declaration about the people; ok is false for other words.
func (m *Match) sayPeople(d Declaration) (ok bool, err error) {
	switch d.Say {
	case SayFirst:
		return true, m.sayFirst(d)
	case SayNames:
		if len(d.Names) != len(m.setting.Players) {
			return true, reject("names-for", "count", len(d.Names), "of", len(m.setting.Players))
		}
		if err := CheckNames(d.Names); err != nil {
			return true, err
		}
		e := Event{Type: TypeNames, Players: d.Names}
		return true, m.emit(d.by(), Act{Kind: actNames, Names: d.Names}, &e, "The players are "+list(d.Names)+".")
	case SaySeats:
		seats, err := m.seatsOf(d.Names)
		if err != nil {
			return true, err
		}
		e := Event{Type: TypeSeats, Players: d.Names}
		return true, m.emit(d.by(), Act{Kind: actSeats, Order: seats}, &e, "Around the table sit "+list(d.Names)+".")
	case SayRematch:
		return true, m.rematch(d)
	}
	return false, nil
}

func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// sayFirst turns the order of play so that it begins with a player, before anybody has acted.
func (m *Match) sayFirst(d Declaration) error {
	k := slices.Index(m.setting.Players, d.Player)
	if k < 0 {
		return reject("no-such-player", "player", d.Player)
	}
	if slices.ContainsFunc(m.line.acts, func(e entry) bool { return !e.nature() }) {
		return reject("has-begun")
	}
	order := make([]int, len(m.setting.Players))
	for i := range order {
		order[i] = (i + k) % len(order)
	}
	e := Event{Type: TypeFirst, Player: d.Player, Players: ordered(m.setting.Players, order)}
	return m.emit(d.by(), Act{Kind: actOrder, Order: order}, &e, d.Player+" starts.")
}

// seatsOf is who (by turn order) sits on which seat, from the names seat by seat.
func (m *Match) seatsOf(names []string) ([]int, error) {
	if len(names) != len(m.setting.Players) {
		return nil, reject("names-for", "count", len(names), "of", len(m.setting.Players))
	}
	seats := make([]int, len(names))
	for i, n := range names {
		k := slices.Index(m.setting.Players, n)
		if k < 0 || slices.Contains(seats[:i], k) {
			return nil, reject("no-seat-for", "player", n)
		}
		seats[i] = k
	}
	return seats, nil
}

func ordered[T any](list []T, order []int) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(order))
	for i, k := range order {
		out[i] = list[k]
	}
	return out
}

// checkMeeting refuses a record that does not name each of the players once.
func (m *Match) checkMeeting(a Act) error {
	n := len(m.setting.Players)
	switch a.Kind {
	case actNames:
		if len(a.Names) != n {
			return fmt.Errorf("match: %s for %s", table.Count(len(a.Names), "name", "names"), table.Count(n, "player", "players"))
		}
	case actOrder, actSeats:
		if order := slices.Sorted(slices.Values(a.Order)); !slices.Equal(order, seated(n)) {
			return fmt.Errorf("match: %v is not an order of %d players", a.Order, n)
		}
	}
	return nil
}

// meet follows what a record says about the people. It is part of replaying a journal.
func (m *Match) meet(r Record) {
	m.entitle(r.Act)
	switch r.Act.Kind {
	case actNames:
		m.rename(r.Act.Names)
		m.revision = r.Seq
	case actOrder:
		m.setting.Players = ordered(m.setting.Players, r.Act.Order)
		m.setting.Owners = ordered(m.setting.Owners, r.Act.Order)
		if m.seats == nil {
			m.seats = seated(len(r.Act.Order))
		}
		for i, k := range m.seats {
			m.seats[i] = slices.Index(r.Act.Order, k)
		}
	case actSeats:
		m.seats = slices.Clone(r.Act.Order)
	}
}

func seated(n int) []int {
	seats := make([]int, n)
	for i := range seats {
		seats[i] = i
	}
	return seats
}

// sits is the player who sits on a seat.
func (m *Match) sits(seat int) rules.Player {
	if seat < 0 || seat >= len(m.seats) {
		return rules.Player(seat)
	}
	return rules.Player(m.seats[seat])
}

// rename gives the players other names, also in what was told.
func (m *Match) rename(names []string) {
	for i := range m.log {
		m.log[i].rename(m.setting.Players, names)
	}
	m.setting.Players = slices.Clone(names)
}

// rename has an event tell of players by their new names.
func (v *EventView) rename(was, names []string) {
	now := func(name string) string {
		if i := slices.Index(was, name); i >= 0 {
			return names[i]
		}
		return name
	}
	if name := now(v.Player); name != v.Player {
		if rest, ok := strings.CutPrefix(v.Text, v.Player); ok {
			v.Text = name + rest
			v.Event.Text = v.Text
		}
		v.Player = name
	}
	if v.Scores != nil {
		scores := map[string]int{}
		for p, n := range v.Scores {
			scores[now(p)] = n
		}
		v.Scores = scores
	}
	v.Players, v.Winners = renamed(v.Players, now), renamed(v.Winners, now)
}

func renamed(list []string, now func(string) string) []string {
	out := slices.Clone(list)
	for i := range out {
		out[i] = now(out[i])
	}
	return out
}

// rematch ends the match and begins another one with the same people and house rules.
func (m *Match) rematch(d Declaration) error {
	if m.next != nil {
		return reject("rematch-has-begun")
	}
	s := m.setting
	next, err := New(Config{
		Game: s.Game, Rules: m.game, Players: s.Players, Options: s.Options, Owners: s.Owners, Files: s.Files, Zones: s.Zones,
		Journal: m.journal, Clock: m.clock, Patience: m.patience, Program: s.Program, Model: s.Model, Follows: s.ID, Table: s.Table,
		Shown: m.cameras.last,
	})
	if err != nil {
		return err
	}
	if m.seats != nil {
		if err := next.emit(d.by(), Act{Kind: actSeats, Order: slices.Clone(m.seats)}, nil, ""); err != nil {
			return err
		}
	}
	next.anchor, next.frame, next.t, next.began = m.anchor, m.frame, m.t, m.began
	next.queue, m.queue, next.before = m.queue, nil, m.before
	next.clearing = true
	if next.keepFacts(); next.trouble != nil {
		return next.trouble
	}
	m.next = next
	if !m.ended {
		return m.stop(d)
	}
	m.wake()
	return nil
}

// Next is the rematch; nil if none was declared.
func (m *Match) Next() *Match {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.next
}

// cleared says whether a board or arena has been cleared for a new match: until it is,
// nothing that is there counts. A Seed may lie there already.
func (m *Match) cleared(board boardMap) bool {
	if !m.clearing {
		return true
	}
	for _, d := range board {
		if d.Color != seedOf(m.setting.Game) {
			return false
		}
	}
	m.clearing = false
	return true
}

// seatedZones are the zones of the table with the players to whom they belong now.
func (m *Match) seatedZones() []calibration.Zone {
	if m.seats == nil {
		return m.setting.Zones
	}
	zones := slices.Clone(m.setting.Zones)
	for i := range zones {
		if k := zones[i].Kind; k == calibration.ZonePlace || k == calibration.ZoneCart {
			zones[i].Seat = int(m.sits(zones[i].Seat))
		}
	}
	return zones
}
