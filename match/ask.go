package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"diceref/calibration"
	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Phrase is a question, an answer or a part of one, in a form that can be said in any
// language: its kind names the sentence, the values what it is about. In JSON the values
// stand beside "kind": a die is {"color":"red","face":3}, a square [row,col], a zone
// {"zone":"cart"} or {"zone":"place","player":"Ann"}, acts {"back":1,"events":[...]}; the
// rest are numbers, names, colors, and lists of these or of phrases.
type Phrase struct {
	Kind   string
	Values map[string]any
	text   string // the sentence itself, of phrases that say what has happened
}

// phrase is a sentence about pairs of a name and a value.
func phrase(kind string, about ...any) Phrase {
	p := Phrase{Kind: kind, Values: make(map[string]any, len(about)/2)}
	for i := 0; i+1 < len(about); i += 2 {
		p.Values[about[i].(string)] = about[i+1]
	}
	return p
}

// kindActs is the kind of an answer that is told by what has happened then.
const kindActs = "acts"

// Sentences is every kind of phrase in English; {name} stands for the value of that name.
func Sentences() map[string]string { return maps.Clone(sentences) }

var sentences = map[string]string{
	kindActs: "",
	// Questions about a board.
	"which":         "What happened: {parts}?",
	"unexplained":   "What happened: {parts}?",
	"beside":        "What happened beside the board?",
	"no-board":      "The board is not in view.",
	"too-many":      "{count} {color} dice were read, but the game has {of}. Is a die misread?",
	"taken-back":    "The board has changed: {parts}. Was the last move taken back?",
	"at-once":       "Several things happened at once: {acts}. Is that right?",
	"misread":       "Is the die misread? {acts}.",
	"is-that":       "Is that {die} on {square}?",
	"does-it-lie":   "Does {die} lie on {square}?",
	"who-placed":    "Who has placed the die?",
	"played-unseen": "{die} has left its place and is seen nowhere since. Has {player} played it?",
	"lay-unseen":    "{die} has left its place and is seen nowhere since, and now it seems: {acts}. Had it come to another square before?",
	"who-rolled":    "Dice beside the board show other faces, and it is the turn of {player}. Who has rolled?",
	"roll-fits":     "{player} seems to have rolled, though {die} seems to fit on {square}. Is that so?",
	"rolled-after":  "{player} has placed a die, and the other dice seem to show other faces. Were they rolled as well?",
	// About an arena.
	"before-first":      "{die} on {square} was there before the first flick. Is it a sticker, or left over?",
	"which-first":       "{count} dice have come into the arena since it was last seen at rest. Which was flicked first?",
	"which-die":         "Which die came to rest on {square}?",
	"who-flicked":       "Who flicked {die} to {square}?",
	"who-scored":        "Who has scored {count}?",
	"dice-scored":       "Which dice did {player} score?",
	"cannot-be":         "{die} on {square} cannot be: is a die misread?",
	"all-along":         "Has {die} on {square} lain there all along?",
	"flicked-or-lay":    "Was {die} on {square} flicked, or has it lain there all along?",
	"which-flicked":     "Two {color} dice lie otherwise than before. Which was flicked?",
	"was-it-a-flick":    "Before {die} on {square} came in, {hole} changed. Was that a flick?",
	"moved-or-flicked":  "One flick missed, and {die} lies on {square}, where nothing lay. Was it flicked there before?",
	"turned-or-flicked": "One flick missed, and {square} shows {die} now. Was it flicked there before?",
	"unseen-or-flicked": "{player} ends the turn with a flick that was not seen, and {square} shows {die} now. Was it flicked there?",
	"knocked-or-scored": "{was} on {hole} left when {die} on {square} came in. Was it knocked out, or scored?",
	"still-there":       "Is the die on {hole} still there?",
	"changed-there":     "{hole} changed, and nothing was flicked there. Which dice were scored?",
	"which-scored":      "No scoring takes just the dice that left. Which dice were scored?",
	"scored-die":        "The score hangs on the die on {square}. Which was it?",
	"left-since":        "Dice have left the arena since the last turn ended. Were they scored, or knocked out just now?",
	"one-more":          "One more flick than a turn has: did a die land on the bonus marker?",
	"flicks-unseen":     "{player} ends the turn, but {count} of its flicks were not seen.",
	// About zones.
	"not-explained": "What happened? Is a die misread, or has somebody moved one? {parts}.",
	"foreign-dice":  "{count} dice were read, but the game has {of}. Does one lie there that is not of the game?",
	"dice-unseen":   "{count} of the dice are not seen: {acts}. Is that right?",
	"fridge-count":  "{count} dice are seen on the Fridge, but {of} are drawn. Is one too many or too few, or is one hidden?",
	"which-card":    "Which IceCream was turned up? Say so first: no camera reads the cards.",
	"other-faces":   "{dice} left the Cart, but {others} came to a player. Was a die turned, or is one misread?",
	"turn-unseen":   "A whole turn was played out of view: the roll is told by what was kept of it.",
	"much-unseen":   "Much happened out of view: the roll is told by what the table shows now.",
	"take-unseen":   "Nobody saw which die was taken: it is told as {die}, as that fits.",
	"roll-unseen":   "The roll was not seen in the Cart: it is told by what was kept of it.",
	// About any table.
	"covered":     "Something seems to lie over the table all the time, so that nothing is told. Was the camera or the board moved?",
	"out-of-view": "The table was not in view when the turn ended.",
	"refused":     "\"{say}\" was declared, but: {why}",
	// Answers.
	"yes":             "yes",
	"no":              "no",
	"no-go-on":        "no, go on",
	"nothing-changed": "nothing has changed",
	"nothing-there":   "nothing lies there",
	"nothing-more":    "nothing more",
	"die":             "{die}",
	"die-on":          "{die} on {square}",
	"nothing-on":      "nothing on {square}",
	"then-die":        "{die} on {square}: {acts}",
	"then-nothing":    "nothing on {square}: {acts}",
	"rolled":          "{player} has rolled",
	"rolled-both":     "{player} has rolled, then {next}",
	"rolled-none-fit": "{player} has rolled, and no die did fit",
	"rolled-did-fit":  "{player} has rolled, though {die} did fit",
	"nobody-rolled":   "nobody has rolled",
	"die-flicked":     "{die} on {square} was flicked",
	"no-flicked":      "no, it was flicked",
	"flicked":         "flicked",
	"lay-there":       "it lay there",
	"yes-die":         "yes, {die} on {square}",
	"die-into":        "{die} into {square}",
	"by":              "{player}",
	"by-after":        "{player}, after {who} scored {count}",
	"in-round":        "{player}, in round {round}",
	"no-missed":       "no, one missed and moved a die",
	"knocked-out":     "knocked out",
	"holes-scored":    "scored: {holes}: {count}",
	"holes":           "{holes}: {count}",
	"no-holes":        "none: {count}",
	// Parts of questions.
	"unseen":     "{die} is no longer seen on {square}",
	"seen":       "{die} is seen on {square}",
	"shows":      "{square} shows {die} instead of {was}",
	"more":       "and {count} more",
	"zone-lost":  "{die} is gone from {zone}",
	"zone-found": "{die} came to {zone}",
	"seen-of":    "{count} of {of} dice are seen",
	"outside":    "{count} lie outside every zone",
}

// deeds is what has happened, as events of its own and in English.
type deeds struct {
	Back   int     `json:"back,omitempty"` // acts taken back first
	Events []Event `json:"events"`
	words  string
}

// where is a zone of the table.
type where struct {
	Zone   string `json:"zone"`             // its kind, one of calibration's
	Player string `json:"player,omitempty"` // whose place it is
	name   string
}

// String is the phrase in English.
func (p Phrase) String() string {
	if p.text != "" {
		return p.text
	}
	between := "; "
	if p.Kind == "which" {
		between = ", or "
	}
	var pairs []string
	for name, v := range p.Values {
		pairs = append(pairs, "{"+name+"}", inEnglish(v, between))
	}
	return strings.NewReplacer(pairs...).Replace(sentences[p.Kind])
}

// inEnglish is a value of a phrase in words, the items of a list with between between them.
func inEnglish(v any, between string) string {
	switch v := v.(type) {
	case table.Die:
		return looseWords(v)
	case []Phrase:
		parts := make([]string, len(v))
		for i, p := range v {
			parts[i] = p.String()
		}
		return strings.Join(parts, between)
	case []table.Die:
		parts := make([]string, len(v))
		for i, d := range v {
			parts[i] = fmt.Sprint(d.Face)
		}
		return strings.Join(parts, " ")
	case deeds:
		return v.words
	case where:
		return v.name
	}
	return fmt.Sprint(v)
}

// MarshalJSON writes the kind and the values beside each other.
func (p Phrase) MarshalJSON() ([]byte, error) {
	all := maps.Clone(p.Values)
	if all == nil {
		all = map[string]any{}
	}
	all["kind"] = p.Kind
	return json.Marshal(all)
}

// UnmarshalJSON reads what MarshalJSON wrote; the values are what encoding/json makes of
// them, to be written again.
func (p *Phrase) UnmarshalJSON(b []byte) error {
	var all map[string]any
	if err := json.Unmarshal(b, &all); err != nil {
		return fmt.Errorf("match: cannot read a phrase: %w", err)
	}
	kind, ok := all["kind"].(string)
	if !ok {
		return errors.New("match: a phrase without a kind")
	}
	delete(all, "kind")
	*p = Phrase{Kind: kind, Values: all}
	return nil
}

// partsOf lists the differences between what ought to lie on the grid and what was seen, a few of them.
func partsOf(want, got boardMap) []Phrase {
	const enough = 4
	parts := []Phrase{}
	for _, sq := range differing([]boardMap{want, got}) {
		w, had := want[sq]
		g, has := got[sq]
		switch {
		case !has:
			parts = append(parts, phrase("unseen", "die", w, "square", sq))
		case !had:
			parts = append(parts, phrase("seen", "die", g, "square", sq))
		default:
			parts = append(parts, phrase("shows", "square", sq, "die", g, "was", w))
		}
	}
	return few(parts, enough)
}

// few is the first of many phrases, and how many more there are.
func few(parts []Phrase, enough int) []Phrase {
	if n := len(parts); n > enough {
		return append(parts[:enough:enough], phrase("more", "count", n-enough))
	}
	return parts
}

// unexplained asks about a board that nothing explains.
func unexplained(want boardMap, obs table.Observation) Phrase {
	if obs.Grid != nil && !obs.Grid.Found {
		return phrase("no-board")
	}
	if parts := partsOf(want, boardOf(obs)); len(parts) > 0 {
		return phrase("unexplained", "parts", parts)
	}
	return phrase("beside")
}

// whichOf asks which of several stories is true.
func whichOf(offers []offer) Phrase {
	parts := make([]Phrase, len(offers))
	for i, o := range offers {
		parts[i] = o.says
	}
	return phrase("which", "parts", parts)
}

// ifItIs is the answer that the die on a square is really d, or that there is none, and
// that therefore the story has happened.
func (m *Match) ifItIs(d table.Die, at table.Square, s rules.Story) Phrase {
	changed := s.Verdict != rules.Unchanged
	switch {
	case d.Color == table.NoColor && changed:
		return phrase("then-nothing", "square", at, "acts", m.deedsOf(s))
	case d.Color == table.NoColor:
		return phrase("nothing-on", "square", at)
	case changed:
		return phrase("then-die", "die", d, "square", at, "acts", m.deedsOf(s))
	}
	return phrase("die-on", "die", d, "square", at)
}

// deedsOf is what stories tell, one after the other from the present position.
func (m *Match) deedsOf(stories ...rules.Story) deeds {
	d := deeds{Events: []Event{}}
	var words []string
	stack := m.line.stack()
	for _, s := range stories {
		words = append(words, m.wordsFrom(stack, s))
		d.Back += s.Back
		stack = stack[:max(len(stack)-s.Back, 1)]
		for _, mv := range s.Line {
			now := stack[len(stack)-1]
			if mv.Actor() != rules.Nature {
				e, _ := m.eventAt(now, mv)
				d.Events = append(d.Events, *e)
			}
			if next, err := now.Apply(mv); err == nil {
				stack = append(stack[:len(stack):len(stack)], next)
			}
		}
	}
	d.words = strings.Join(words, thenWord)
	return d
}

// placeOf is what the players call the zones of a key.
func (m *Match) placeOf(at zoneKey) where {
	if at.kind == calibration.ZonePlace {
		name := m.name(rules.Player(at.seat))
		return where{at.kind, name, name + "'s place"}
	}
	for _, z := range m.setting.Zones {
		if z.Kind == at.kind {
			return where{Zone: at.kind, name: "the " + z.Name}
		}
	}
	return where{Zone: at.kind, name: "the " + at.kind}
}

// facesOf is dice of which only the faces count.
func facesOf(f scoring.Faces) []table.Die {
	dice := []table.Die{}
	for _, face := range f.List() {
		dice = append(dice, table.Die{Face: face})
	}
	return dice
}
