package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Leagues are kept beside the matches and like them: a set-up, and events that are only ever added, each sealed together
// with all before it. So they are in both engines, in every backup, and among what is saved from a damaged journal. What
// the events say is the business of package league.

// leagueKind is the kind of a league's set-up.
const leagueKind = "league"

// Limits of what a journal takes of a league.
const (
	MostLeagues      = 1000
	mostLeagueEvents = 20_000
	mostLeagueEvent  = 256 << 10 // bytes
)

// ErrNoLeague: the journal has no such league.
var ErrNoLeague = errors.New("match: no such league")

// leagueEvent is an event of a league as a record.
type leagueEvent struct {
	Seq   int64           `json:"seq"`
	Event json.RawMessage `json:"event"`
}

func leagueText(seq int64, event json.RawMessage) (string, error) {
	text, err := json.Marshal(leagueEvent{seq, event})
	if err != nil {
		return "", fmt.Errorf("match: cannot write an event of a league: %w", err)
	}
	if len(text) > mostLeagueEvent {
		return "", fmt.Errorf("match: an event of a league has at most %d kB", mostLeagueEvent>>10)
	}
	return string(text), nil
}

// BeginLeague notes a new league with its first event.
func (j *Journal) BeginLeague(id string, at time.Time, first json.RawMessage) error {
	if !plainID.MatchString(id) {
		return fmt.Errorf("match: a league cannot be called %.60q (expected letters, digits, dots and dashes)", id)
	}
	all, err := j.Leagues()
	if err != nil {
		return err
	}
	if len(all) >= MostLeagues {
		return fmt.Errorf("match: a journal holds at most %d leagues", MostLeagues)
	}
	setup, err := json.Marshal(Setting{ID: id, Created: at, Kind: leagueKind, Players: []string{}})
	if err != nil {
		return fmt.Errorf("match: cannot write the set-up: %w", err)
	}
	text, err := leagueText(1, first)
	if err != nil {
		return err
	}
	return j.enter(entered{id: id, setup: string(setup), records: []sealedText{{text: text}}})
}

// AddToLeague notes event seq of a league, and returns when it is on the disk; ErrBehind: there is one of that number.
func (j *Journal) AddToLeague(id string, seq int64, event json.RawMessage) error {
	if _, err := j.league(id); err != nil {
		return err
	}
	if seq > mostLeagueEvents {
		return fmt.Errorf("match: a league has at most %d events", mostLeagueEvents)
	}
	text, err := leagueText(seq, event)
	if err != nil {
		return err
	}
	return j.appendTexts(id, seq, []string{text})
}

// league finds a league as it was set up.
func (j *Journal) league(id string) (e entered, err error) {
	list, err := readMatches(j.db, id)
	if err != nil {
		return e, j.explain(err)
	}
	if id != "" && len(list) > 0 {
		if s, err := j.setting(list[0]); err != nil || s.Kind == leagueKind {
			return list[0], err
		}
	}
	return e, fmt.Errorf("%w: %.60q", ErrNoLeague, id)
}

// League is all that happened in a league, in order.
func (j *Journal) League(id string) ([]json.RawMessage, error) {
	if _, err := j.league(id); err != nil {
		return nil, err
	}
	e, err := j.entered(id)
	if err != nil {
		return nil, err
	}
	events := make([]json.RawMessage, len(e.records))
	for i, r := range e.records {
		var l leagueEvent
		if err := json.Unmarshal([]byte(r.text), &l); err != nil {
			return nil, fmt.Errorf("match: journal %s: cannot read event %d: %w", j.path, r.seq, err)
		}
		events[i] = l.Event
	}
	return events, nil
}

// Leagues is the names of all leagues, in the order in which they began.
func (j *Journal) Leagues() ([]string, error) {
	entries, err := readMatches(j.db, "")
	if err != nil {
		return nil, j.explain(err)
	}
	var ids []string
	for _, e := range entries {
		if s, err := j.setting(e); err == nil && s.Kind == leagueKind {
			ids = append(ids, e.id)
		}
	}
	return ids, nil
}

// Since is the matches that began at a time or later and are wanted, the newest first. Each is replayed once, and again
// when it has gone on.
func (j *Journal) Since(at time.Time, wanted func(Setting) bool) ([]Summary, error) {
	return j.summariesOf(func(s Setting) bool { return !s.Created.Before(at) && wanted(s) })
}
