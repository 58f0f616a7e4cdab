package match

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	mathrand "math/rand/v2"
	"slices"
	"sync"
	"time"

	"diceref/calibration"
	"diceref/rules"
	"diceref/table"
)

// Config sets up a match. Game and Players are needed.
type Config struct {
	ID      string // empty: a new one is created
	Game    table.Game
	Rules   rules.Game // nil: the rules of Game
	Players []string   // names in turn order, each one once
	Options map[string]any
	Owners  [][]table.Color // Dice Box: the colors of each seat; nil: the game's default
	// Zones of the table, in fractions of the picture, for a game without a board; nil:
	// players declare everything. See calibration.ZonesFor.
	Zones []calibration.Zone
	// Files are what the owner filled in for the game, see rules.Setup.
	Files   map[string]json.RawMessage
	Journal *Journal // nil: the match is only in memory
	Clock   func() time.Time
	// Patience is how many seconds an unexplained view must last before the players are
	// asked; 0: 0.3.
	Patience float64
	Program  string // version of the program, for the journal
	Model    string // version of the recognizer and its models, for the journal
	Follows  string // the match of which this one is the rematch
	Table    string // of a hall, at which it is played
	From     Source // who set it up
	Shown    Shown  // at this table, before
}

// The phases of a match, for Snapshot.Phase.
const (
	PhaseWaiting = "waiting" // nothing has been read yet, or the table is not set up
	PhaseMoving  = "moving"  // something moves
	PhaseHand    = "hand"    // a hand is in view
	PhaseStill   = "still"   // the view is still and is being read
	PhaseRead    = "read"    // everything on the table is known and explained
	PhaseDoubt   = "doubt"   // what was read cannot be explained, so the players are asked
	PhasePaused  = "paused"
	PhaseOver    = "over"
)

// Match is one live match. Its methods may be called from several goroutines.
type Match struct {
	mu      sync.Mutex
	setting Setting
	game    rules.Game
	journal *Journal
	clock   func() time.Time

	line  timeline
	seq   int64 // of the last record
	log   []EventView
	ended bool

	anchor  anchor
	ballot  ballot
	settled bool                // what the ballot holds has been concluded on
	leaving bool                // the view has ended: this is what is left of it
	rivals  []table.Observation // readings since then that say otherwise
	seen    seen                // what the camera said last
	fix     map[table.Square]fix
	dismiss map[table.Square]table.Die // a board that an undo has put out of force
	turns   turns
	course  course
	zones   zoneView
	redrawn []calibration.Zone // zones drawn again since the start; nil: none
	kept    string             // what the journal knows of the table
	aside   string             // to be told with the next move
	cover   cover              // what has lain over the table since it was last free
	stuck   stuck
	frame   int
	still   int // the last frame of a view that was accounted for
	t       float64
	before  struct { // frames and seconds of the sources before this one
		frame int
		t     float64
	}
	began    bool // a frame has been seen
	inFull   bool // what is being told is an act that a player has declared move by move
	phase    string
	patience float64
	ask      string  // the open question; empty: there is none
	question *Phrase // the same
	offers   []offer
	about    int64     // the question is about what was told up to this record; 0: about what is seen
	stale    bool      // the view that the question is about has ended
	lastAt   time.Time // of the last record of its course
	title    string
	deleted  bool
	revision int64 // the last record that changed what had been told before
	seats    []int // who sits where, by turn order; nil: as they take turns
	next     *Match
	clearing bool // the table still holds the dice of the match before
	queue    []Declaration
	saying   Source          // of the declaration that is being applied
	applied  map[string]bool // the keys of the declarations that were applied
	cameras  cameras
	rng      *mathrand.Rand // what the program rolls itself; nil before the first roll
	trouble  error
	changed  chan struct{}
	audience []*Subscription
	closed   bool
}

// seen is the last view that was concluded on.
type seen struct {
	ok  bool
	obs table.Observation
}

// fix is a correction of a reading: where one of From is read (no color: nothing), To lies.
// That nothing is there holds as long as the reading does: a die may come there that
// looks like what was misread.
type fix struct {
	From []table.Die
	To   table.Die
	sure bool // it holds against a sure reading as well: a player said so, or it is a sticker
	told bool // a player's answer says so
	idle bool // the view under way does not show what it corrects
	lies bool // what is misread is part of the table, such as a sticker, and stays
}

// corrects says whether the correction is about a reading.
func (f fix) corrects(r table.Reading) bool {
	return slices.Contains(f.From, r.Die) && (f.sure || !r.Sure || f.To.Color != table.NoColor)
}

// noteFixes notes which corrections a reading, as it came, has to do with.
func (m *Match) noteFixes(obs table.Observation) {
	at := map[table.Square]table.Reading{}
	for _, r := range obs.Dice {
		if r.Square != nil {
			at[*r.Square] = r
		}
	}
	for sq, f := range m.fix {
		if f.corrects(at[sq]) {
			f.idle = false
			m.fix[sq] = f
		}
	}
}

// New starts a match and emits its start event.
func New(c Config) (*Match, error) {
	if err := CheckNames(c.Players); err != nil {
		return nil, err
	}
	m, err := prepare(c)
	if err != nil {
		return nil, err
	}
	if m.journal != nil {
		if err := m.journal.begin(m.setting); err != nil {
			return nil, err
		}
	}
	m.cameras.note(c.Shown)
	m.saying = c.From
	defer func() { m.saying = Source{} }()
	start := Event{Type: TypeStart, Game: c.Game, Players: m.setting.Players}
	if err := m.emit(ByReferee, Act{}, &start, "The game begins."); err != nil {
		return nil, err
	}
	if m.journal != nil {
		m.journal.attend(m)
	}
	return m, nil
}

// Possible returns why a match cannot be set up like that; nil: it can.
func Possible(c Config) error {
	if err := CheckNames(c.Players); err != nil {
		return err
	}
	_, err := prepare(c)
	return err
}

// Reread loads a match from the journal for reading; nothing is written.
func Reread(j *Journal, id string) (*Match, error) {
	m, err := reread(j, id, nil)
	if err != nil {
		return nil, err
	}
	m.journal = nil
	return m, nil
}

// Resume continues a match from the journal where it stopped.
func Resume(j *Journal, id string, clock func() time.Time) (*Match, error) {
	m, err := reread(j, id, clock)
	if err != nil {
		return nil, err
	}
	if !m.ended { // it may have stopped between a move and what follows from it
		if err := m.followUp(); err != nil {
			return nil, err
		}
	}
	j.attend(m)
	return m, nil
}

func reread(j *Journal, id string, clock func() time.Time) (*Match, error) {
	s, err := j.Setting(id)
	if err != nil {
		return nil, err
	}
	records, err := j.Records(id)
	if err != nil {
		return nil, err
	}
	m, err := prepare(s.config())
	if err != nil {
		return nil, err
	}
	m.setting, m.journal = s, j
	if clock != nil {
		m.clock = clock
	}
	if err := m.replay(records); err != nil {
		return nil, fmt.Errorf("%w (restore %s from a backup, or choose another file)", err, j.path)
	}
	return m, nil
}

// prepare checks a configuration and sets up everything but the journal.
func prepare(c Config) (*Match, error) {
	g := c.Rules
	if g == nil {
		if g = games[c.Game]; g == nil {
			return nil, fmt.Errorf("match: there are no rules for %q", c.Game)
		}
	}
	if len(c.Zones) > 0 {
		if err := calibration.CheckZones(c.Game, len(c.Players), c.Zones); err != nil {
			return nil, fmt.Errorf("match: %w", err)
		}
	}
	setup := rules.Setup{Players: len(c.Players), Options: c.Options, Owners: c.Owners, Files: c.Files}
	start, err := g.New(setup)
	if err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.ID == "" {
		c.ID = newID(c.Clock())
	}
	if c.Patience == 0 {
		c.Patience = defaultPatience
	}
	return &Match{
		kept:     facts{}.gist(),
		patience: c.Patience,
		setting:  Setting{ID: c.ID, Created: c.Clock(), Game: c.Game, Players: append([]string{}, c.Players...), Options: c.Options, Owners: c.Owners, Files: c.Files, Zones: c.Zones, Program: c.Program, Model: c.Model, Follows: c.Follows, Table: c.Table},
		game:     g, journal: c.Journal, clock: c.Clock,
		line:  timeline{game: g, setup: setup, start: start},
		phase: PhaseWaiting, changed: make(chan struct{}), applied: map[string]bool{}, fix: map[table.Square]fix{},
	}, nil
}

// newID names a match by its day and four random bytes.
func newID(now time.Time) string {
	b := make([]byte, 4)
	_, _ = rand.Read(b) // never fails
	return now.UTC().Format("2006-01-02-") + hex.EncodeToString(b)
}

// replay plays the records of a journal again.
func (m *Match) replay(records []Record) error {
	for _, r := range records {
		if err := m.relive(r); err != nil {
			return err
		}
	}
	m.recall()
	return nil
}

// relive plays one record of a journal again.
func (m *Match) relive(r Record) error {
	err := m.checkMeeting(r.Act)
	if err == nil {
		err = m.line.apply(r)
	}
	if err != nil {
		return fmt.Errorf("match: cannot replay event %d: %w", r.Seq, err)
	}
	if r.After != "" && digest(m.line.now()) != r.After {
		return fmt.Errorf("match: event %d now leads to a different position: the journal is damaged, or was written by a version with different rules", r.Seq)
	}
	m.remember(r)
	m.frame, m.t = r.Frame, r.T
	return nil
}

// remember keeps a record's event for snapshots and subscribers.
func (m *Match) remember(r Record) {
	m.seq = r.Seq
	if r.Key != "" {
		m.applied[r.Key] = true
	}
	if r.Shown != nil {
		m.cameras.note(*r.Shown)
		m.cameras.kept = *r.Shown
	}
	if !r.Act.afterwards() {
		m.lastAt = r.At
	}
	m.meet(r)
	if r.Event == nil {
		return
	}
	e := *r.Event
	e.Seq, e.Text = r.Seq, r.Text
	view := EventView{Seq: r.Seq, Event: e, Text: r.Text, By: r.By}
	if r.Act.Kind == actPlay {
		view.Acts = r.Act.Moves
	}
	m.log = append(m.log, view)
	switch e.Type {
	case TypeEnd:
		m.ended = true
	case TypeUndo, TypeRedo, TypeCorrect:
		m.ended = m.line.stopped() || m.ended && m.line.now().ToMove() == rules.Nobody
	}
	if r.Act.Kind != actNone {
		m.mark()
	}
	if e.Type == TypeEnd || r.Act.Kind != actNone {
		m.markEnds()
	}
	if r.Act.Ref > 0 { // a correction, or one that is undone or in force again
		for i := range m.log {
			if m.log[i].Seq == r.Act.Ref && r.Act.Kind != actCorrect {
				m.log[i].Undone = r.Act.Kind == actUndo
			}
		}
		m.rejudge()
		m.rewrite()
		m.revision = r.Seq
	}
}

// mark says of every event whether it is still in force.
func (m *Match) mark() {
	in := m.line.inForce()
	for i := range m.log {
		switch m.log[i].Type {
		case TypeMove, TypeTakeback, TypePass, TypeFlick, TypeMiss, TypeScore, TypeStands:
			m.log[i].Undone = !in[m.log[i].Seq]
		case TypeCorrect:
			if m.log[i].Acts != nil { // a number of the notepad; of others remember notes it
				m.log[i].Undone = !in[m.log[i].Seq]
			}
		}
	}
}

// emit appends a record, makes it last on the disk, and then tells everybody.
// If it cannot be written, nothing has happened.
func (m *Match) emit(by string, act Act, e *Event, text string) error {
	r := Record{Seq: m.seq + 1, At: m.clock().UTC(), By: by, Frame: m.frame, T: m.t, Act: act, Event: e, Text: text, Shown: m.cameras.news(), Source: m.saying}
	if e != nil {
		e.Frame, e.T, e.Seq, e.Text = m.frame, math.Round(m.t*1000)/1000, r.Seq, text
	}
	r.Act.Heard = r.Act.Heard || m.hears(act)
	next := m.line
	before := next.now()
	if err := next.apply(r); err != nil {
		return err
	}
	if m.journal != nil {
		r.Before, r.After = digest(before), digest(next.now())
		if err := m.journal.append(m.setting.ID, r); err != nil {
			m.trouble = err
			m.cameras.spoilt = true
			m.wake()
			return err
		}
	}
	m.trouble = nil
	m.cameras.kept = m.cameras.last
	m.line = next
	m.noteTurns(r, before)
	m.noteCourse(r)
	m.remember(r)
	if e != nil {
		m.publish(m.log[len(m.log)-1])
	}
	m.wake()
	return nil
}

// ErrOver: the match is over and accepts only undo and corrections.
var ErrOver error = reject("is-over")

// ErrPaused: the match is paused, and nothing can be played until it is resumed.
var ErrPaused error = reject("is-paused")

// ErrClosed: the match was closed.
var ErrClosed error = reject("is-closed")

// Close ends the subscriptions. The journal stays open, because the caller owns it.
func (m *Match) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
	for _, s := range m.audience {
		s.end()
	}
	m.audience = nil
	if m.journal != nil {
		m.journal.leave(m)
	}
	m.wake()
	return nil
}

// Err is what stops the match, for example a full disk; nil if nothing does.
func (m *Match) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.trouble
}

// Setting is how the match was set up, with the players' current names.
func (m *Match) Setting() Setting {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.setting
}

// Events is all events so far.
func (m *Match) Events() []EventView {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]EventView{}, m.log...)
}

// Snapshot returns the current state of the match.
func (m *Match) Snapshot() Snapshot {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.line.now()
	s := Snapshot{
		ID: m.setting.ID, Seq: m.seq, Revision: m.revision, Seats: slices.Clone(m.seats), Game: m.setting.Game, Players: append([]string{}, m.setting.Players...),
		ToMove: int(now.ToMove()), Phase: m.phase, Ask: m.ask, Question: m.question,
		Sheets: now.Score(), State: now.Show(rules.Nobody), Events: append([]EventView{}, m.log...),
		CanUndo: m.line.next(SayUndo, 0) != nil, CanRedo: len(m.line.undone) > 0,
	}
	if m.ask != "" {
		s.Choices, s.Possible = m.choices(m.offers), m.possible()
	}
	s.Provisional = m.provisional()
	s.Waiting, s.Outcome = m.stillWaiting(), m.outcome()
	s.Clear = m.clearing && m.began && m.setting.Game.Kit().Layout != table.Loose
	switch {
	case m.ended:
		s.Phase = PhaseOver
	case m.line.paused:
		s.Phase = PhasePaused
	}
	if m.trouble != nil {
		s.Trouble = m.trouble.Error()
	}
	return s
}

func words(offers []offer) []string {
	var list []string
	for _, o := range offers {
		list = append(list, o.says.String())
	}
	return list
}

// Changed returns a channel that is closed when anything in the Snapshot changes.
func (m *Match) Changed() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.changed
}

// wake tells those who wait on Changed.
func (m *Match) wake() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// setPhase notes a phase and tells of it if it is new.
func (m *Match) setPhase(p string) {
	if m.phase != p {
		m.phase = p
		m.wake()
	}
}

// name is the name of a seat; Nature and Nobody have none.
func (m *Match) name(p rules.Player) string {
	if p < 0 || int(p) >= len(m.setting.Players) {
		return ""
	}
	return m.setting.Players[p]
}
