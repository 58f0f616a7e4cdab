package match

import (
	crand "crypto/rand"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/rules/dicebox"
	"diceref/rules/diceflick"
	"diceref/rules/fromage"
	"diceref/table"
)

// What players tap when there is no camera.
const (
	SayAct  = "act"  // Move is checked first: an illegal one is refused unless Keep is set
	SayRoll = "roll" // the program rolls, draws or reveals what is due; Count dice if there is a choice
)

// Refusal is the error of an act that the rules do not allow. Nothing has happened.
type Refusal struct {
	rules.Ruling
	// Keepable reports whether the players may keep the act anyway. A die can never be
	// on top of another one, whatever they say.
	Keepable bool `json:"keepable"`
}

// Error is the reason, in the words of the rule.
func (r *Refusal) Error() string { return "match: " + r.Why }

// Judgment is what the match would say about an act: its event, with a verdict, in words.
// Nothing is played.
type Judgment struct {
	Act      string    `json:"act"`      // in the game's notation
	Event    EventView `json:"event"`    // without a number
	Keepable bool      `json:"keepable"` // an illegal act that may be kept anyway
	rules.Ruling
}

// Acts is a page of the acts that are legal now.
type Acts struct {
	Seq      int64     `json:"seq"`      // of the last event: the list is valid until the next one
	ToMove   int       `json:"to_move"`  // seat; -1: the dice; -2: over
	Complete bool      `json:"complete"` // false if not every legal act can be listed
	Total    int       `json:"total"`    // number of acts that match the filter
	Acts     []ActView `json:"acts"`
}

// ActView is one act.
type ActView struct {
	Act    string     `json:"act"` // in the game's notation: what a declaration's move says
	Player string     `json:"player,omitempty"`
	Move   rules.Move `json:"move"`
}

// Legal lists the acts that are legal now, see LegalBefore.
func (m *Match) Legal(with []string, from, limit int) Acts {
	return m.LegalBefore(0, with, from, limit)
}

// LegalBefore lists the acts that were legal before the event of that number (0: now), which
// is to be corrected, and whose notation has every one of
// these words (a die, a square, what is done), in a fixed order; at most limit of
// them from that number on.
func (m *Match) LegalBefore(seq int64, with []string, from, limit int) Acts {
	m.mu.Lock()
	now, list := m.line.now(), Acts{Seq: m.seq, Acts: []ActView{}}
	if seq > 0 {
		stack := m.line.before(seq)
		now = stack[len(stack)-1]
	}
	m.mu.Unlock()
	list.ToMove = int(now.ToMove())
	moves, complete := now.Legal()
	list.Complete = complete
	for _, mv := range moves {
		words := strings.Fields(mv.String())
		if slices.ContainsFunc(with, func(w string) bool { return !slices.Contains(words, w) }) {
			continue
		}
		if list.Total++; list.Total > from && len(list.Acts) < limit {
			list.Acts = append(list.Acts, ActView{Act: mv.String(), Player: m.name(mv.Actor()), Move: mv})
		}
	}
	return list
}

// Why judges an act without playing it. The error is for acts that make no sense.
func (m *Match) Why(act string) (Judgment, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	mv, err := m.parse(act)
	if err != nil {
		return Judgment{}, err
	}
	mv = m.witnessed(mv)
	j := Judgment{Act: mv.String()}
	if j.Ruling, err = m.judge(mv); err != nil {
		return Judgment{}, err
	}
	_, impossible := m.line.now().Apply(mv)
	j.Keepable = !j.Legal && !m.ended && impossible == nil
	e, text := m.tappedEvent(mv)
	j.Event = EventView{Event: *e, Text: text, By: ByPlayer}
	return j, nil
}

func (m *Match) parse(act string) (rules.Move, error) {
	mv, err := m.game.ParseMove(act)
	if err != nil {
		return nil, reject("unreadable", "why", err.Error())
	}
	return mv, nil
}

// judge is the ruling on an act; the error is for one that makes no sense.
func (m *Match) judge(mv rules.Move) (rules.Ruling, error) {
	ruling, err := rules.Judged(m.line.now().Check(mv))
	if err != nil {
		return ruling, rejected("impossible", errors.Unwrap(err))
	}
	return ruling, nil
}

// sayAct plays a tapped act if it is legal, or if it is to be kept all the same.
func (m *Match) sayAct(d Declaration) error {
	mv, err := m.parse(d.Move)
	if err != nil {
		return err
	}
	mv = m.witnessed(mv)
	ruling, err := m.judge(mv)
	if err != nil {
		return err
	}
	_, impossible := m.line.now().Apply(mv)
	switch {
	case ruling.Legal && impossible != nil:
		return rejected("impossible", impossible)
	case m.ended && (!ruling.Legal || m.line.now().ToMove() != rules.Nobody):
		return ErrOver
	case !ruling.Legal && (!d.Keep || impossible != nil):
		return &Refusal{Ruling: ruling, Keepable: impossible == nil}
	}
	return m.tapped(d.by(), mv, false)
}

// tapped records one tapped act and what the rules make of it; along: the act before it brought it about.
func (m *Match) tapped(by string, mv rules.Move, along bool) error {
	if !m.began { // no eye counts the time
		m.t = m.clock().Sub(m.setting.Created).Seconds()
	}
	e, text := m.tappedEvent(mv)
	if err := m.emit(by, Act{Kind: actPlay, Moves: []string{mv.String()}, Along: along}, e, text); err != nil {
		return err
	}
	m.forget()
	if m.ended { // cards are turned over at the end, and numbers corrected
		return m.tellResult()
	}
	if err := m.followUp(); err != nil {
		return err
	}
	m.setPhase(m.restPhase())
	return nil
}

// tellResult says who has won, again if it changed, once that is known.
func (m *Match) tellResult() error {
	now, win := m.line.now(), m.winners()
	if len(win) == 0 {
		return nil
	}
	e := Event{Type: TypeEnd, Scores: map[string]int{}}
	for _, s := range now.Score() {
		e.Scores[m.name(rules.Player(s.Player))] = s.Total
	}
	for _, p := range win {
		e.Winners = append(e.Winners, m.name(p))
	}
	if c, ok := now.(rules.Clusterer); ok {
		e.Clusters = c.Clusters()
	}
	for i := len(m.log) - 1; i >= 0; i-- {
		if was := m.log[i]; was.Type == TypeEnd {
			if maps.Equal(was.Scores, e.Scores) && slices.Equal(was.Winners, e.Winners) && maps.Equal(was.Clusters, e.Clusters) {
				return nil
			}
			break
		}
	}
	return m.emit(ByRules, Act{}, &e, "The game is over.")
}

// tappedEvent reports an act as an event, also what dice and deck decided, which a
// camera's events leave out: somebody who only taps sees it nowhere else.
func (m *Match) tappedEvent(mv rules.Move) (*Event, string) {
	e, text := m.eventOf(mv)
	if mv.Actor() != rules.Nature {
		return e, text
	}
	if pad, ok := mv.(diceflick.Amend); ok {
		return m.padEvent(e, pad)
	}
	if a, ok := mv.(dicebox.Act); ok && a.Kind == dicebox.Hand {
		e.Player = m.name(a.Of)
	}
	text = "Told: " + strings.TrimPrefix(mv.String(), rules.Nature.String()+" ") + "."
	if e.Why != "" {
		text += " That is not allowed: " + e.Why
	}
	return e, text
}

// padEvent reports a number on the notepad: the score of the turn, or an earlier one corrected.
func (m *Match) padEvent(e *Event, pad diceflick.Amend) (*Event, string) {
	state, ok := m.line.now().(*diceflick.State)
	if !ok {
		return e, ""
	}
	e.Move, e.Player, e.Round, e.Score = nil, m.name(pad.Player), pad.Round, pad.Score
	if e.Legal != nil && *e.Legal {
		e.Legal = nil
	}
	e.Type = TypeCorrect
	text := fmt.Sprintf("Round %d of %s is empty.", e.Round, e.Player)
	if pad.Score != nil {
		text = fmt.Sprintf("%s has %d in round %d.", e.Player, *pad.Score, e.Round)
		if state.ToMove() == pad.Player && state.Round() == pad.Round {
			e.Type, e.Removed = TypeScore, []table.Square{}
			text = fmt.Sprintf("%s scores %d in round %d.", e.Player, *pad.Score, e.Round)
		}
	}
	if e.Why != "" {
		text += " That is not allowed: " + e.Why
	}
	return e, text
}

// sayRoll lets the program's own dice decide what is awaited: the same kind of roll
// as often as it is due. All of it is undone as one.
func (m *Match) sayRoll(d Declaration) error {
	if m.ended {
		return ErrOver
	}
	if m.rng == nil {
		var seed [32]byte
		crand.Read(seed[:])
		m.rng = rand.New(rand.NewChaCha8(seed))
	}
	mv, err := m.roll(d.Count)
	for along := false; err == nil && mv != nil; along = true {
		if err = m.tapped(d.by(), mv, along); err == nil {
			mv = m.rollOn(actOf(mv).Action)
		}
	}
	return err
}

// roll is what fair dice would show now; count is how many are rolled where one may choose.
func (m *Match) roll(count int) (rules.Move, error) {
	now := m.line.now()
	if c, ok := now.(rules.Chancer); ok && now.ToMove() == rules.Nature {
		return c.Chance(m.rng), nil
	}
	var mv rules.Move
	switch s := now.(type) {
	case *fromage.State:
		mv = s.Throw(min(max(count, 0), fromage.Dice), m.rng)
	case *dessertdice.State:
		mv = s.Throw(m.rng)
	case *dicebox.State: // none of the dice fits
		if p := s.ToMove(); p >= 0 && s.Must(p) == "reroll" {
			mv = dicebox.Act{By: p, Kind: dicebox.Reroll}
		}
	}
	if mv == nil {
		return nil, reject("no-roll")
	}
	ruling, err := m.judge(mv)
	if err == nil && !ruling.Legal {
		err = &Refusal{Ruling: ruling}
	}
	return mv, err
}

// rollOn is the roll that follows one of that kind at once; nil if none does. Who has
// the Seed of Dice Box rolled by the program has all dice rolled by it, and who has one's own
// rolled again is told how they came up.
func (m *Match) rollOn(action string) rules.Move {
	now, leads := m.line.now(), action == "seed" || action == "reroll"
	c, ok := now.(rules.Chancer)
	if !ok || now.ToMove() != rules.Nature && action != "seed" {
		return nil
	}
	mv := c.Chance(m.rng)
	if next := actOf(mv).Action; next != action && !leads {
		return nil
	}
	return mv
}
