// Package judge answers worked cases: JSON documents that hold a position of a
// game with an act to validate or a question. It knows the envelope; the games
// know the rest.
package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"diceref/rules/dessertdice"
	"diceref/rules/dicebox"
	"diceref/rules/dicecreams"
	"diceref/rules/diceflick"
	"diceref/rules/fromage"
	"diceref/table"
)

// judges are the games' own answers, by name.
var judges = map[table.Game]func(options map[string]any, state, action, query json.RawMessage) (any, error){
	table.DessertDice:   dessertdice.Judge,
	table.DiceBox:       dicebox.Judge,
	table.FromageATrois: fromage.Judge,
	table.DiceCreams:    dicecreams.Judge,
	table.DiceFlick:     diceflick.Judge,
}

// envelope is what all cases share; other fields are left alone.
type envelope struct {
	ID      json.RawMessage `json:"id"`
	Game    string          `json:"game"`
	Options map[string]any  `json:"options"`
	State   json.RawMessage `json:"state"`
	Action  json.RawMessage `json:"action"`
	Query   json.RawMessage `json:"query"`
}

// Append answers one case and appends the answer as one line, without the line
// feed: {"id":...,<the keys of the answer>}, or {"id":...,"error":"..."} where the
// case cannot be read. The error is then returned too.
func Append(dst, doc []byte) ([]byte, error) {
	id, answer, err := judge(doc)
	if err == nil {
		var text []byte
		if text, err = json.Marshal(answer); err == nil && (len(text) < 2 || text[0] != '{') {
			err = fmt.Errorf("the answer is not an object")
		}
		if err == nil {
			dst = append(append(dst, `{"id":`...), id...)
			if len(text) > 2 {
				dst = append(dst, ',')
			}
			return append(dst, text[1:]...), nil
		}
	}
	message, _ := json.Marshal(err.Error())
	dst = append(append(dst, `{"id":`...), id...)
	dst = append(append(dst, `,"error":`...), message...)
	return append(dst, '}'), err
}

// judge returns the case's id as JSON (null if there is none) and the answer.
func judge(doc []byte) (id json.RawMessage, answer any, err error) {
	id = json.RawMessage("null")
	defer func() {
		if p := recover(); p != nil { // one broken case must not end the stream
			answer, err = nil, fmt.Errorf("internal error: %v", p)
		}
	}()
	var e envelope
	if err := json.Unmarshal(doc, &e); err != nil {
		id, field := salvage(doc)
		return id, nil, broken(field, err)
	}
	if e.ID != nil {
		if e.ID[0] == '{' || e.ID[0] == '[' {
			return id, nil, errors.New("id: cannot be a list or an object (expected a text or a number)")
		}
		id = e.ID
	}
	game, ok := judges[table.Game(e.Game)]
	if !ok {
		return id, nil, unknownGame(e.Game)
	}
	action, query := given(e.Action), given(e.Query)
	if (action == nil) == (query == nil) {
		return id, nil, errors.New("a case has either an action or a query")
	}
	answer, err = game(e.Options, given(e.State), action, query)
	if err != nil {
		return id, nil, explain(err)
	}
	return id, answer, nil
}

// given is the part of a case, nil where it is missing or null.
func given(part json.RawMessage) json.RawMessage {
	if string(part) == "null" {
		return nil
	}
	return part
}

func unknownGame(name string) error {
	if name == "" {
		return errors.New("game: missing (the game by name, such as dice-box)")
	}
	return fmt.Errorf("game: %w", table.Unknown("game", name, table.Games[:]))
}

// explain puts the JSON library's errors in the words of a case: the field, and what it cannot be.
func explain(err error) error {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	text := err.Error()
	before, _, _ := strings.Cut(text, "json: ")
	switch {
	case errors.As(err, &wrong) && strings.Contains(text, "json: "):
		field := strings.TrimSuffix(before, ": ")
		if wrong.Field != "" {
			field = strings.TrimPrefix(field+"."+wrong.Field, ".")
		}
		if field == "" {
			field = "a case"
		}
		return fmt.Errorf("%s: cannot be a JSON %.40s", field, wrong.Value)
	case errors.As(err, &syntax):
		return broken(strings.TrimSuffix(before, ": "), err)
	}
	if len(text) > maxMessage {
		return errors.New(text[:maxMessage] + " ...")
	}
	return err
}

// maxMessage bounds an error's text in bytes.
const maxMessage = 400

// broken is the error of a document, or of a field of it, that is not JSON.
func broken(field string, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return explain(err)
	}
	if field != "" {
		field += ": "
	}
	if strings.Contains(syntax.Error(), "max depth") {
		return fmt.Errorf("%snested too deeply", field)
	}
	return fmt.Errorf("%snot JSON at byte %d: %.120s", field, syntax.Offset, syntax.Error())
}

// salvage finds the id in the beginning of a document that is not JSON throughout,
// and the field in which the beginning, or the JSON, ends.
func salvage(doc []byte) (id json.RawMessage, field string) {
	const beginning = 1 << 16
	id = json.RawMessage("null")
	d := json.NewDecoder(bytes.NewReader(doc[:min(len(doc), beginning)]))
	d.UseNumber()
	depth := 0
	for isKey := false; ; {
		token, err := d.Token()
		if err != nil {
			return id, field
		}
		switch t := token.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				depth++
			} else {
				depth--
			}
			if depth == 0 {
				if int(d.InputOffset()) < len(doc) {
					field = "" // what follows is in none
				}
				return id, field
			}
			isKey = depth == 1
			continue
		case string:
			if depth == 1 && isKey {
				field, isKey = brief(t), false
				continue
			}
		}
		if depth == 1 {
			if field == "id" {
				id, _ = json.Marshal(token)
			}
			isKey = true
		}
	}
}

// brief keeps a name that somebody made up from filling the screen.
func brief(name string) string {
	if len(name) > 40 {
		return name[:40] + "..."
	}
	return name
}
