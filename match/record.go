package match

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"diceref/rules"
)

// Who reported it.
const (
	ByCamera  = "camera"
	ByPlayer  = "player"
	ByReferee = "referee"
	ByRules   = "rules" // follows from the rules alone: a forced pass, the end
)

// The kinds of acts: what a record does to the match.
const (
	actNone     = ""         // nothing: a doubt, a note, the start, the end
	actPlay     = "play"     // moves are applied, legal or not
	actTakeback = "takeback" // the last play is taken back at the table
	actUndo     = "undo"     // the last act in force is undone by declaration
	actRedo     = "redo"     // the last undone act is in force again
	actCorrect  = "correct"  // the moves of the act Ref were others
	actFacts    = "facts"    // what was learned of the table: numbering, markers
	actSaid     = "said"     // Said waits for the view that shows it
	actUnheard  = "unheard"  // what was said came to nothing
	actNames    = "names"    // the players are called Names
	actOrder    = "order"    // turns go by Order, before the first act
	actSeats    = "seats"    // the players sit by Order
	actEnd      = "end"      // the players stop before the rules end the game
	actPause    = "pause"
	actResume   = "resume"
)

// Act is what a record does to the match, in a form that can be replayed.
type Act struct {
	Kind  string   `json:"kind,omitempty"`
	Moves []string `json:"moves,omitempty"` // in the game's notation
	Ref   int64    `json:"ref,omitempty"`   // the record that a correction is about; of an undo or redo: the correction
	// Through is the last record that the correction replaces, if there are several.
	Through int64 `json:"through,omitempty"`
	// Each says that the moves go to the records from Ref through Through one by one, the
	// last of them all that are left; else all go to the first.
	Each bool `json:"each,omitempty"`
	// Loose drops later acts that become impossible after a correction.
	Loose bool `json:"loose,omitempty"`
	// Said is an act that a player declared and that the camera has not seen yet.
	Said *Declaration `json:"said,omitempty"`
	// Whole makes a redo also restore what was learned after the act.
	Whole bool `json:"whole,omitempty"`
	// Along means that the previous act caused this one: they are undone and redone together.
	Along bool `json:"along,omitempty"`
	// Heard says that the first of those that wait does so no longer: this record tells of it.
	Heard bool            `json:"heard,omitempty"`
	Facts json.RawMessage `json:"facts,omitempty"`
	Names []string        `json:"names,omitempty"`
	Title string          `json:"title,omitempty"`
	Order []int           `json:"order,omitempty"` // who, by turn order before
}

// Record is one entry of the journal. Entries are appended and never changed.
type Record struct {
	Seq    int64     `json:"seq"`
	At     time.Time `json:"at"`
	By     string    `json:"by"`
	Frame  int       `json:"frame"`
	T      float64   `json:"t"`
	Act    Act       `json:"act"`
	Event  *Event    `json:"event,omitempty"` // what was told; nil: nothing
	Text   string    `json:"text,omitempty"`  // in words
	Shown  *Shown    `json:"shown,omitempty"` // by then; nil: no more than before
	Before string    `json:"before,omitempty"`
	After  string    `json:"after,omitempty"` // digests of the position
	Source
}

// entry is an act in force.
type entry struct {
	seq   int64
	kind  string
	moves []rules.Move
	told  bool          // a player said so, who may take it back
	along bool          // brought about by the act before it
	stack []rules.State // the positions that can be taken back to; the last is the present one
	said  Declaration   // of actSaid
	at    int           // once undone: how many acts were in force before it,
	rest  []entry       // and those from it on
	was   []entry       // of actCorrect: what was in force before the correction
}

// wordsOf is moves as a record has them.
func wordsOf(moves []rules.Move) (words []string) {
	for _, mv := range moves {
		words = append(words, mv.String())
	}
	return words
}

// words is what was said.
func (e entry) words() string { return strings.TrimSpace(e.said.Say + " " + e.said.Move) }

// timeline is the position of a match and how it came about: the start, and the acts in force.
type timeline struct {
	game   rules.Game
	setup  rules.Setup
	start  rules.State
	acts   []entry
	undone []entry
	fixed  []entry // the corrections in force, the oldest first
	said   []entry // acts that were said and wait for the view that shows them, the oldest first
	facts  json.RawMessage
	// factsAt is the record of the facts.
	factsAt int64
	paused  bool
}

// stack is the positions since the start that no takeback has removed.
func (t *timeline) stack() []rules.State {
	if n := len(t.acts); n > 0 {
		return t.acts[n-1].stack
	}
	return []rules.State{t.start}
}

// now is the present position.
func (t *timeline) now() rules.State { s := t.stack(); return s[len(s)-1] }

// apply does what the record says. An error leaves the timeline as it was.
func (t *timeline) apply(r Record) error {
	if err := t.act(r); err != nil {
		return err
	}
	if r.Act.Heard && len(t.said) > 0 {
		t.said = t.said[1:]
	}
	return nil
}

func (t *timeline) act(r Record) error {
	switch r.Act.Kind {
	case actPlay:
		moves, err := parseMoves(t.game, r.Act.Moves)
		if err != nil {
			return err
		}
		return t.push(entry{seq: r.Seq, kind: actPlay, moves: moves, told: r.By == ByPlayer, along: r.Act.Along})
	case actEnd:
		return t.push(entry{seq: r.Seq, kind: actEnd})
	case actTakeback:
		return t.push(entry{seq: r.Seq, kind: actTakeback})
	case actUndo:
		if r.Act.Ref > 0 {
			return t.uncorrect(r.Act.Ref)
		}
		return t.undo()
	case actRedo:
		return t.redo(r.Act.Whole)
	case actCorrect:
		return t.correct(r)
	case actSaid:
		if r.Act.Said == nil {
			return fmt.Errorf("match: event %d says nothing", r.Seq)
		}
		t.wait(entry{seq: r.Seq, kind: actSaid, said: *r.Act.Said})
	case actFacts:
		t.facts, t.factsAt = r.Act.Facts, r.Seq
	case actOrder:
		return t.reorder(r.Act.Order)
	case actPause:
		t.paused = true
	case actResume:
		t.paused = false
	}
	return nil
}

// reorder begins the game again with the players in another order. What was found on the
// table stays.
func (t *timeline) reorder(order []int) error {
	if len(order) != t.setup.Players {
		return fmt.Errorf("match: an order of %d for %d players", len(order), t.setup.Players)
	}
	setup := t.setup
	setup.Owners = ordered(setup.Owners, order)
	start, err := t.game.New(setup)
	if err != nil {
		return err
	}
	again := timeline{game: t.game, setup: setup, start: start, said: t.said, facts: t.facts, factsAt: t.factsAt, paused: t.paused}
	for _, e := range t.acts {
		if err := again.push(e); err != nil {
			return err
		}
	}
	*t = again
	return nil
}

// wait adds an act that was said to those that no view has shown yet.
func (t *timeline) wait(e entry) {
	t.said = append(t.said[:len(t.said):len(t.said)], e)
	t.undone = nil
}

// nature says whether the act only says what was found on the table.
func (e entry) nature() bool {
	for _, m := range e.moves {
		if m.Actor() != rules.Nature {
			return false
		}
	}
	return e.kind == actPlay
}

// push makes an act the last one in force.
func (t *timeline) push(e entry) error {
	stack, err := after(t.stack(), e)
	if err != nil {
		return err
	}
	e.stack = stack
	t.acts = append(t.acts, e)
	t.undone = nil
	return nil
}

// after is the stack of positions once the act has happened.
func after(stack []rules.State, e entry) ([]rules.State, error) {
	n := len(stack)
	if e.kind == actTakeback {
		if n < 2 {
			return nil, reject("nothing-to-take-back")
		}
		return stack[: n-1 : n-1], nil
	}
	s := stack[n-1]
	for _, m := range e.moves {
		next, err := s.Apply(m)
		if err != nil {
			return nil, rejected("impossible", err)
		}
		s = next
	}
	if e.nature() {
		n-- // nothing that could be taken back
	}
	return append(stack[:n:n], s), nil
}

// correct replaces the moves of an earlier act and plays everything after it again.
func (t *timeline) correct(r Record) error {
	moves, err := parseMoves(t.game, r.Act.Moves)
	if err != nil {
		return err
	}
	acts := append([]entry{}, t.acts...)
	last := max(r.Act.Ref, r.Act.Through)
	share := shares(moves, acts, r.Act.Ref, last, r.Act.Each)
	stack := []rules.State{t.start}
	for i := range acts {
		if seq := acts[i].seq; seq >= r.Act.Ref && seq <= last {
			acts[i] = entry{seq: seq, kind: actPlay, moves: share[seq], told: acts[i].told, along: acts[i].along}
		}
		next, err := after(stack, acts[i])
		if err != nil && r.Act.Loose && acts[i].seq > last {
			acts[i] = entry{seq: acts[i].seq, kind: actPlay} // it cannot have happened
			next, err = after(stack, acts[i])
		}
		if err != nil {
			return blocked(acts[i].seq > r.Act.Ref, err)
		}
		stack, acts[i].stack = next, next
	}
	if share == nil {
		return reject("no-such-move")
	}
	t.fixed = append(t.fixed[:len(t.fixed):len(t.fixed)], entry{seq: r.Seq, kind: actCorrect, was: t.acts})
	t.acts, t.undone = acts, nil
	return nil
}

// blocked is the rejection of a correction after which an act could not have happened: the corrected one, or a later one.
func blocked(later bool, err error) *Rejection {
	if later {
		return rejected("blocks-later", err)
	}
	return rejected("cannot-have-been", err)
}

// shares gives moves to the plays from one record to another, one by one or all to the
// first; the last gets what is left, and those for which nothing is get nothing. nil
// where the first is not a play in force.
func shares(moves []rules.Move, acts []entry, first, last int64, each bool) map[int64][]rules.Move {
	var plays []int64
	for _, e := range acts {
		if e.seq >= first && e.seq <= last && e.kind == actPlay && (e.seq == first || len(e.moves) > 0) {
			plays = append(plays, e.seq)
		}
	}
	if len(plays) == 0 || plays[0] != first {
		return nil
	}
	share := map[int64][]rules.Move{}
	for i, seq := range plays {
		if !each || i == len(plays)-1 || len(moves) <= 1 {
			share[seq] = moves
			break
		}
		n := 1
		for n < len(moves) && standsIn(moves[n-1]) && len(moves)-n >= len(plays)-i { // a turn that nobody saw goes with the act after it
			n++
		}
		share[seq], moves = moves[:n], moves[n:]
	}
	return share
}

// inForce says which records' acts count now.
func (t *timeline) inForce() map[int64]bool {
	m := map[int64]bool{}
	for _, e := range t.acts {
		if e.kind != actPlay || len(e.moves) > 0 { // else a correction has emptied it
			m[e.seq] = true
		}
	}
	return m
}

func parseMoves(g rules.Game, notation []string) ([]rules.Move, error) {
	moves := make([]rules.Move, len(notation))
	for i, n := range notation {
		m, err := g.ParseMove(n)
		if err != nil {
			return nil, reject("unreadable", "why", err.Error())
		}
		moves[i] = m
	}
	return moves, nil
}
