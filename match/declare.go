package match

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"diceref/table"
)

// What can be declared.
const (
	SayNext    = "next"    // my turn is over
	SayMiss    = "miss"    // a flick that put no die into the arena
	SayReroll  = "reroll"  // rerolled, and the dice show the same faces
	SayBonus   = "bonus"   // the player has earned one more flick
	SayPass    = "pass"    // no action; Fromage á Trois: take nothing for the lost dice
	SayPoints  = "points"  // Fromage á Trois: take points for the lost dice
	SayPlay    = "play"    // Move is played
	SayCorrect = "correct" // the act of event Seq was Move; or the die on Square is Color and Face
	SayUndo    = "undo"
	SayRedo    = "redo"
	SayKeep    = "keep"   // keep the illegal act
	SayAnswer  = "answer" // answer a question with Choice
	SayPause   = "pause"
	SayResume  = "resume"
)

// GoOn is the Choice that ends any question without changing anything.
const GoOn = "go on"

// Declaration is something a player says that no camera can see. With a Frame (or T) it is
// about everything up to and including that frame; without one, it is about now.
type Declaration struct {
	Frame  *int          `json:"frame,omitempty"`
	T      *float64      `json:"t,omitempty"` // seconds, instead of Frame
	Say    string        `json:"say"`
	By     string        `json:"by,omitempty"`     // player (if empty) or referee
	Seq    int64         `json:"seq,omitempty"`    // correct: the event's number; undo, redo: back to before it, or on to it
	Move   string        `json:"move,omitempty"`   // play, correct: in the game's notation
	Square *table.Square `json:"square,omitempty"` // correct: where a die was misread
	Color  table.Color   `json:"color,omitempty"`
	Face   int           `json:"face,omitempty"`
	Score  *int          `json:"score,omitempty"`  // next: the points written down
	Player string        `json:"player,omitempty"` // first, stands, card: a player's name
	Card   string        `json:"card,omitempty"`   // card: its letter
	Names  []string      `json:"names,omitempty"`  // names, seats
	Choice string        `json:"choice,omitempty"` // answer
	Ask    string        `json:"ask,omitempty"`    // answer: the question that it answers; if it is left out, the one that is open
	Keep   bool          `json:"keep,omitempty"`   // act: even if it is illegal; correct: drop later acts that become impossible
	Round  int           `json:"round,omitempty"`  // answer something else: the round of the score, from 1
	Count  int           `json:"count,omitempty"`  // roll: how many dice, if there is a choice

	Source `json:"-"`
}

// Source is where a declaration comes from. It is no part of what is said, but of the records that follow from it.
type Source struct {
	Who string `json:"who,omitempty"` // who said it, where several have different rights
	// Key names the declaration, so that one that is sent again is not applied again.
	Key string `json:"key,omitempty"`
	// Camera: nobody said it, a camera has seen it.
	Camera bool `json:"-"`
}

// Check returns an error if the declaration is not valid.
func (d Declaration) Check() error {
	if d.By != "" && d.By != ByPlayer && d.By != ByReferee {
		return fmt.Errorf("match: cannot be said by %.40q (expected player or referee)", d.By)
	}
	switch d.Say {
	case SayNext, SayMiss, SayReroll, SayBonus, SayPass, SayPoints, SayUndo, SayRedo, SayKeep, SayPause, SayResume, SayStands, SayRematch, SayEnd:
	case SayCard:
		if d.Player == "" || d.Card == "" {
			return fmt.Errorf("match: card needs a player and a card (J, S, P or I)")
		}
	case SayPlay, SayAct:
		if d.Move == "" {
			return fmt.Errorf("match: %s needs a move", d.Say)
		}
	case SayRoll:
	case SayFirst, SayNames, SaySeats:
		return d.checkPeople()
	case SayCorrect:
		if d.Move == "" && d.Square == nil {
			return fmt.Errorf("match: correct needs seq and move, or square, color and face")
		}
		if d.Square != nil && !d.Square.On() {
			return fmt.Errorf("match: cannot correct %v: no such square", d.Square)
		}
		if d.Square != nil && (d.Face < 0 || d.Face > 6) {
			return fmt.Errorf("match: cannot correct %v: face %d is not from 1 to 6", d.Square, d.Face)
		}
	case SayAnswer:
		if d.Choice == "" {
			return fmt.Errorf("match: answer needs a choice")
		}
	default:
		return fmt.Errorf("match: cannot understand %.40q (say next, miss, reroll, bonus, pass, points, play, act, roll, correct, undo, redo, keep, answer, stands, first, names, seats, card, end, rematch, pause or resume)", d.Say)
	}
	return nil
}

// ReadDeclarations reads one JSON object a line, as in `watch --declare FILE`;
// empty lines are skipped. Errors name the line.
func ReadDeclarations(r io.Reader) ([]Declaration, error) {
	var list []Declaration
	scan := bufio.NewScanner(r)
	for n := 1; scan.Scan(); n++ {
		line := strings.TrimSpace(scan.Text())
		if line == "" {
			continue
		}
		dec := json.NewDecoder(strings.NewReader(line))
		dec.DisallowUnknownFields()
		var d Declaration
		if err := dec.Decode(&d); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if dec.More() {
			return nil, fmt.Errorf("line %d: more than one JSON object", n)
		}
		if err := d.Check(); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if d.Frame == nil && d.T == nil {
			return nil, fmt.Errorf("line %d: needs a frame or a t (seconds)", n)
		}
		list = append(list, d)
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("cannot read the declarations: %w", err)
	}
	return list, nil
}

// onward is the declaration with its frame or time counted like those of the match.
func (d Declaration) onward(frame int, t float64) Declaration {
	if d.Frame != nil {
		n := *d.Frame + frame
		d.Frame = &n
	}
	if d.T != nil {
		s := *d.T + t
		d.T = &s
	}
	return d
}

// before says whether the declaration holds for an earlier moment than another. A frame and a
// time cannot be compared.
func (d Declaration) before(o Declaration) bool {
	return d.Frame != nil && o.Frame != nil && *d.Frame < *o.Frame || d.T != nil && o.T != nil && *d.T < *o.T
}

// acts says whether the declaration is of something that is done in the game.
func (d Declaration) acts() bool {
	switch d.Say {
	case SayAct, SayRoll, SayPlay, SayPass, SayPoints, SayNext, SayMiss, SayReroll, SayBonus:
		return true
	}
	return false
}

// due says whether the declaration belongs before the given frame.
func (d Declaration) due(frame int, t float64) bool {
	switch {
	case d.Frame != nil:
		return *d.Frame < frame
	case d.T != nil:
		return *d.T < t
	}
	return true
}
