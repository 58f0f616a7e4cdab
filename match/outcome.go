package match

import (
	"fmt"
	"slices"

	"diceref/rules"
)

// Declarations about the end.
const (
	SayEnd  = "end"  // the players stop before the rules do: nobody wins
	SayCard = "card" // Dessert Dice, at the end: Player turns Card over
)

// How a match can end, for Outcome.How.
const (
	EndedByRules = "rules"
	EndedEarly   = "stopped" // the players stopped
	EndedUnseen  = "unseen"  // the recording stopped before the game did
)

// Outcome is how a match ended.
type Outcome struct {
	How string `json:"how"` // one of the Ended constants
	// Winners are the winning seats; several share the win. Empty: nobody wins, or the cards decide.
	Winners []int `json:"winners"`
	// Cards are the seats whose secret cards are still face down and decide who wins.
	Cards []int `json:"cards,omitempty"`
}

// outcome is nil while the match goes on.
func (m *Match) outcome() *Outcome {
	now := m.line.now()
	switch {
	case !m.ended:
		return nil
	case m.line.stopped():
		return &Outcome{How: EndedEarly, Winners: []int{}}
	case now.ToMove() != rules.Nobody:
		return &Outcome{How: EndedUnseen, Winners: []int{}}
	}
	o := &Outcome{How: EndedByRules, Winners: []int{}}
	if c, ok := now.(rules.Concealer); ok {
		for _, p := range c.Concealed() {
			o.Cards = append(o.Cards, int(p))
		}
	}
	for _, p := range m.winners() {
		o.Winners = append(o.Winners, int(p))
	}
	return o
}

// winners is who has won; nobody while that is not known.
func (m *Match) winners() []rules.Player {
	now := m.line.now()
	if w, ok := now.(rules.Winner); ok && now.ToMove() == rules.Nobody && !m.line.stopped() {
		return w.Winners()
	}
	return nil
}

// stopped says whether the players have ended the match before the rules did.
func (t *timeline) stopped() bool {
	return slices.ContainsFunc(t.acts, func(e entry) bool { return e.kind == actEnd })
}

// stop ends the match before the rules do. It can be undone like an act.
func (m *Match) stop(d Declaration) error {
	e := m.ending()
	no := false
	e.Over = &no
	if err := m.emit(d.by(), Act{Kind: actEnd}, &e, "The players stop early: nobody wins."); err != nil {
		return err
	}
	m.forget()
	m.setPhase(m.restPhase())
	return nil
}

// sayCard turns a player's card over, as players say or as it was held before a camera.
func (m *Match) sayCard(d Declaration) error {
	seat := slices.Index(m.setting.Players, d.Player)
	if seat < 0 {
		return reject("no-such-player", "player", d.Player)
	}
	if _, ok := m.line.now().(rules.Concealer); !ok {
		return reject("no-cards", "game", m.setting.Game.Kit().Title)
	}
	return m.sayAct(Declaration{Say: SayAct, By: d.By, Source: d.Source, Move: fmt.Sprintf("%s card %s", rules.Player(seat), d.Card)})
}

// markEnds says of every end that was told whether it still counts: not once the match goes on, and
// of those that name winners only the last, as long as they are those.
func (m *Match) markEnds() {
	var win []string
	for _, p := range m.winners() {
		win = append(win, m.name(p))
	}
	later := map[bool]bool{} // by whether winners are named
	for i := len(m.log) - 1; i >= 0; i-- {
		e := &m.log[i]
		if e.Type != TypeEnd {
			continue
		}
		named := len(e.Winners) > 0
		e.Undone = !m.ended || later[named] || named && !slices.Equal(e.Winners, win)
		later[named] = true
	}
}
