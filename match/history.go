package match

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Summary is a match of the journal in a few words.
type Summary struct {
	ID      string     `json:"id"`
	Game    table.Game `json:"game"`
	Began   time.Time  `json:"began"`
	Ended   time.Time  `json:"ended"`             // when the last event was told
	Phase   string     `json:"phase"`             // over, paused or open
	Follows string     `json:"follows,omitempty"` // the match that this one is the rematch of
	Events  int        `json:"events"`
	Players []Result   `json:"players"` // in turn order
	Title   string     `json:"title,omitempty"`
	Deleted bool       `json:"deleted,omitempty"` // it counts no more, and can be restored
	Empty   bool       `json:"empty,omitempty"`   // nothing was played: it counts for nothing
	// Lost is how many events at its end could not be read when a damaged journal was saved.
	Lost int `json:"lost,omitempty"`
	// Unsettled is a match that ended before anybody had won: it was broken off, or the cards that
	// tell were never turned over. Its points do not count.
	Unsettled bool `json:"unsettled,omitempty"`
	// Trouble says why the match cannot be played again, for example other rules.
	Trouble string `json:"trouble,omitempty"`
}

// PhaseOpen is a match of the journal that is neither over nor paused.
const PhaseOpen = "open"

// Result is what one player brought about in one match.
type Result struct {
	Name      string `json:"name"`
	Points    int    `json:"points"`
	Won       bool   `json:"won"`
	Acts      int    `json:"acts"`      // in force
	Illegal   int    `json:"illegal"`   // of them
	Takebacks int    `json:"takebacks"` // acts taken back at the table
	Misses    int    `json:"misses"`    // flicks that came to rest nowhere
}

// HistoryQuery picks matches; empty fields pick all.
type HistoryQuery struct {
	Game   table.Game
	Player string
	From   int // how many of the newest to leave out
	Limit  int // at most so many; 0: MostMatches
	// Deleted picks the deleted matches instead of the others.
	Deleted bool
}

// MostMatches is how many matches one answer tells at most.
const MostMatches = 100

// History is a page of past matches, the newest first, and how many there are in all.
type History struct {
	Total   int       `json:"total"`
	Matches []Summary `json:"matches"`
	// Deleted is how many deleted matches there are.
	Deleted int `json:"deleted,omitempty"`
	// Damaged are the files that damaged journals were put aside in: what could be read of them is here.
	Damaged []string `json:"damaged,omitempty"`
}

// History tells of the matches in the journal.
func (j *Journal) History(q HistoryQuery) (History, error) {
	h := History{Matches: []Summary{}, Damaged: j.Asides()}
	limit := q.Limit
	if limit <= 0 || limit > MostMatches {
		limit = MostMatches
	}
	all, err := j.summaries()
	if err != nil {
		return h, err
	}
	for _, s := range all {
		if s.Deleted {
			h.Deleted++
		}
		if s.Deleted != q.Deleted || q.Game != "" && s.Game != q.Game || q.Player != "" && !s.has(q.Player) {
			continue
		}
		if h.Total++; h.Total > q.From && len(h.Matches) < limit {
			h.Matches = append(h.Matches, s)
		}
	}
	return h, nil
}

func (s Summary) has(player string) bool {
	for _, p := range s.Players {
		if strings.EqualFold(p.Name, player) {
			return true
		}
	}
	return false
}

// summaries is every match, the newest first. What was told once is remembered until
// the match goes on.
func (j *Journal) summaries() ([]Summary, error) {
	settings, err := j.Matches()
	if err != nil {
		return nil, err
	}
	last, err := j.lengths()
	if err != nil {
		return nil, err
	}
	j.told.Lock()
	defer j.told.Unlock()
	if j.summed == nil {
		j.summed = map[string]summed{}
	}
	list := make([]Summary, len(settings))
	for i, s := range settings {
		known, ok := j.summed[s.ID]
		if !ok || known.seq != last[s.ID] {
			known = summed{last[s.ID], j.summary(s)}
			j.summed[s.ID] = known
		}
		list[i] = known.Summary
	}
	return list, nil
}

// summed is a summary and the number of the last record that it knows.
type summed struct {
	seq int64
	Summary
}

// summary replays a match. One that cannot be replayed is told with the reason.
func (j *Journal) summary(s Setting) Summary {
	m, err := Reread(j, s.ID)
	if err != nil {
		told := Summary{ID: s.ID, Game: s.Game, Began: s.Created, Ended: s.Created, Follows: s.Follows, Phase: PhaseOpen, Players: named(s.Players), Lost: s.Lost, Trouble: err.Error()}
		if records, err := j.Records(s.ID); err == nil {
			told.Title, told.Deleted = titleBy(records), deletedBy(records)
		}
		return told
	}
	return m.summary()
}

func named(names []string) []Result {
	list := make([]Result, len(names))
	for i, n := range names {
		list[i].Name = n
	}
	return list
}

// summary is the match in a few words.
func (m *Match) summary() Summary {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.line.now()
	s := Summary{ID: m.setting.ID, Game: m.setting.Game, Began: m.setting.Created, Ended: m.lastAt, Follows: m.setting.Follows, Events: len(m.log), Phase: PhaseOpen, Players: named(m.setting.Players), Title: m.title, Deleted: m.deleted, Lost: m.setting.Lost}
	s.Empty = s.Lost == 0 && !slices.ContainsFunc(m.log, EventView.played)
	switch {
	case m.ended:
		s.Phase = PhaseOver
	case m.line.paused:
		s.Phase = PhasePaused
	}
	for _, sheet := range now.Score() {
		s.Players[sheet.Player].Points = sheet.Total
	}
	if w, ok := now.(rules.Winner); ok && now.ToMove() == rules.Nobody {
		for _, p := range w.Winners() {
			s.Players[p].Won = true
		}
	}
	s.Unsettled = m.ended && !slices.ContainsFunc(s.Players, func(r Result) bool { return r.Won })
	for i := range s.Players {
		s.Players[i].count(m.log)
	}
	return s
}

// played says whether the event is something that happened in the game.
func (v EventView) played() bool {
	switch v.Type {
	case TypeMove, TypeFlick, TypeScore, TypePass, TypeMiss, TypeTakeback:
		return v.Player != ""
	}
	return v.Type == TypeStands || v.Type == TypeCorrect
}

// count counts what a player did.
func (r *Result) count(log []EventView) {
	for _, e := range log {
		if e.Player != r.Name || e.Undone {
			continue
		}
		switch e.Type {
		case TypeMove, TypeFlick, TypeScore, TypePass:
			r.Acts++
		case TypeMiss:
			r.Acts++
			r.Misses++
		case TypeTakeback:
			r.Takebacks++
		}
		if e.Legal != nil && !*e.Legal {
			r.Illegal++
		}
	}
}

// Past is a match of the journal with every step, to look at it again.
type Past struct {
	Match Summary `json:"match"`
	From  int     `json:"from"`  // number of the first step told, from 0
	Total int     `json:"total"` // steps in all
	Steps []Step  `json:"steps"`
}

// Step is one event and what it led to, as it stood then.
type Step struct {
	At     time.Time       `json:"at"`
	Event  EventView       `json:"event"`
	ToMove int             `json:"to_move"`
	Sheets []scoring.Sheet `json:"sheets"`
	State  any             `json:"state"`
}

// MostSteps is how many steps one answer tells at most.
const MostSteps = 500

// Past tells a match step by step, at most limit of them (0: MostSteps) from a number on.
func (j *Journal) Past(id string, from, limit int) (Past, error) {
	if limit <= 0 || limit > MostSteps {
		limit = MostSteps
	}
	p := Past{From: from, Steps: []Step{}}
	s, err := j.Setting(id)
	if err != nil {
		return p, err
	}
	records, err := j.Records(id)
	if err != nil {
		return p, err
	}
	m, err := prepare(s.config())
	if err != nil {
		return p, err
	}
	m.setting = s
	for _, r := range records {
		was := m.setting.Players
		if err := m.relive(r); err != nil {
			return p, err
		}
		if r.Act.Kind == actNames { // whoever looks back looks for those names
			for i := range p.Steps {
				p.Steps[i].Event.rename(was, r.Act.Names)
			}
		}
		if r.Event == nil {
			continue
		}
		if p.Total++; p.Total <= from || len(p.Steps) >= limit {
			continue
		}
		now := m.line.now()
		p.Steps = append(p.Steps, Step{At: r.At, Event: m.log[len(m.log)-1], ToMove: int(now.ToMove()), Sheets: now.Score(), State: now.Show(rules.Nobody)})
	}
	p.Match = m.summary()
	return p, nil
}

// Unfinished is the latest match of the journal if it can go on; ErrNoMatch if it is over.
func (j *Journal) Unfinished() (string, error) {
	last, err := j.Latest()
	if errors.Is(err, ErrNoMatch) { // nothing but matches from elsewhere
		last, err = j.latest(true)
	}
	if err != nil {
		return "", err
	}
	switch s := j.summary(last); {
	case s.Trouble != "":
		return "", errors.New(s.Trouble)
	case s.Phase == PhaseOver:
		return "", fmt.Errorf("%w to continue: the last one is over", ErrNoMatch)
	}
	return last.ID, nil
}
