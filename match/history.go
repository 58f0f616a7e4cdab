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

// Summary describes a match in the journal.
type Summary struct {
	ID      string     `json:"id"`
	Game    table.Game `json:"game"`
	Began   time.Time  `json:"began"`
	Ended   time.Time  `json:"ended"`             // when the last event happened
	Phase   string     `json:"phase"`             // over, paused or open
	Follows string     `json:"follows,omitempty"` // the match of which this one is the rematch
	Table   string     `json:"table,omitempty"`   // of a hall, at which it was played
	Events  int        `json:"events"`
	Players []Result   `json:"players"` // in turn order
	Title   string     `json:"title,omitempty"`
	Deleted bool       `json:"deleted,omitempty"` // it no longer counts, and can be restored
	Empty   bool       `json:"empty,omitempty"`   // it has no moves and does not count
	// Lost is the number of last events that were lost when a damaged journal was saved.
	Lost int `json:"lost,omitempty"`
	// Unsettled is a match that ended without a winner: it was stopped early, or the cards that
	// decide were not turned over. Its points do not count.
	Unsettled bool `json:"unsettled,omitempty"`
	// Trouble is why the match cannot be replayed, for example because the rules changed.
	Trouble string `json:"trouble,omitempty"`
}

// PhaseOpen is a match in the journal that is neither over nor paused.
const PhaseOpen = "open"

// Result is one player's result in one match.
type Result struct {
	Name      string `json:"name"`
	Points    int    `json:"points"`
	Won       bool   `json:"won"`
	Acts      int    `json:"acts"`      // in force
	Illegal   int    `json:"illegal"`   // of them
	Takebacks int    `json:"takebacks"` // acts taken back on the table
	Misses    int    `json:"misses"`    // flicks that landed in no hole
}

// HistoryQuery picks matches; empty fields pick all.
type HistoryQuery struct {
	Game   table.Game
	Player string
	From   int // how many of the newest to skip
	Limit  int // at most this many; 0: MostMatches
	// Deleted picks the deleted matches instead of the others.
	Deleted bool
}

// MostMatches is the most matches in one answer.
const MostMatches = 100

// History is a page of past matches, newest first, and the total number.
type History struct {
	Total   int       `json:"total"`
	Matches []Summary `json:"matches"`
	// Deleted is the number of deleted matches.
	Deleted int `json:"deleted,omitempty"`
	// Damaged are the files of damaged journals that were set aside. Everything readable in them is here.
	Damaged []string `json:"damaged,omitempty"`
}

// History lists the matches in the journal.
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
	return j.summariesOf(func(Setting) bool { return true })
}

// summariesOf is summaries of the matches that are wanted.
func (j *Journal) summariesOf(wanted func(Setting) bool) ([]Summary, error) {
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
	list := make([]Summary, 0, len(settings))
	for _, s := range settings {
		if !wanted(s) {
			continue
		}
		known, ok := j.summed[s.ID]
		if !ok || known.seq != last[s.ID] {
			known = summed{last[s.ID], j.summary(s)}
			j.summed[s.ID] = known
		}
		list = append(list, known.Summary)
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
		told := Summary{ID: s.ID, Game: s.Game, Began: s.Created, Ended: s.Created, Follows: s.Follows, Table: s.Table, Phase: PhaseOpen, Players: named(s.Players), Lost: s.Lost, Trouble: err.Error()}
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
	s := Summary{ID: m.setting.ID, Game: m.setting.Game, Began: m.setting.Created, Ended: m.lastAt, Follows: m.setting.Follows, Table: m.setting.Table, Events: len(m.log), Phase: PhaseOpen, Players: named(m.setting.Players), Title: m.title, Deleted: m.deleted, Lost: m.setting.Lost}
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

// Past is a match in the journal with every step, to replay it.
type Past struct {
	Match Summary `json:"match"`
	From  int     `json:"from"`  // number of the first step, from 0
	Total int     `json:"total"` // steps in all
	Steps []Step  `json:"steps"`
}

// Step is one event and the state after it.
type Step struct {
	At     time.Time       `json:"at"`
	Event  EventView       `json:"event"`
	ToMove int             `json:"to_move"`
	Sheets []scoring.Sheet `json:"sheets"`
	State  any             `json:"state"`
}

// MostSteps is the most steps in one answer.
const MostSteps = 500

// Past returns a match step by step: at most limit steps (0: MostSteps), starting at from.
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

// Unfinished is the latest match in the journal if it can be continued; ErrNoMatch if it is over.
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
