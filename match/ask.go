package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"diceref/calibration"
	"diceref/rules"
	"diceref/table"
)

// Phrase is a question, an answer or a part of one, in a form that can be put into any
// language: its kind names the sentence, and the values are what it is about. In JSON the values
// are next to "kind": a die is {"color":"red","face":3}, a square [row,col], a zone
// {"zone":"cart"} or {"zone":"place","player":"Ann"}, acts {"back":1,"events":[...]}; the
// rest are numbers, names, colors, and lists of these or of phrases.
type Phrase struct {
	Kind   string
	Values map[string]any
	text   string // the sentence itself, for phrases that say what happened
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

// Sentences maps every kind of phrase to English; {name} stands for the value with that name.
func Sentences() map[string]string { return maps.Clone(sentences) }

var sentences = map[string]string{
	kindActs: "",
	// Questions about a board.
	"which":         "What happened: {parts}?",
	"unexplained":   "What happened: {parts}?",
	"beside":        "What happened next to the board?",
	"no-board":      "I cannot see the board.",
	"too-many":      "I see {count} {color} dice, but the game has {of}. Did I misread one?",
	"taken-back":    "The board has changed: {parts}. Was the last move taken back?",
	"at-once":       "Several things happened at once: {acts}. Is that right?",
	"played-unseen": "{die} is gone. Did {player} play it?",
	"lay-unseen":    "{die} is gone, and now: {acts}. Was it moved first?",
	// About an arena.
	"who-scored":  "Who scored {count, plural, one {the # point} other {the # points}}?",
	"scored-what": "How many points did {player} score in round {round}?",
	"scored-die":  "The score depends on the die on {square}. Which die was it?",
	"is-it-over":  "Is the game over?",
	// About zones.
	"not-explained": "What happened? Did I misread a die, or did somebody move one? {parts}.",
	"foreign-dice":  "I see {count, plural, one {# die} other {# dice}}, but the game has {of}. Is there a die that does not belong?",
	"dice-unseen":   "I cannot see {count} of the dice: {acts}. Is that right?",
	"fridge-count":  "I see {count, plural, one {# die} other {# dice}} on the Fridge, but there should be {of}. Is one too many, missing or hidden?",
	"which-card":    "Which IceCream was revealed? Please choose it first: the camera cannot read cards.",
	"turn-unseen":   "I missed a whole turn, so I filled in the roll from the dice that were kept.",
	"much-unseen":   "I missed a lot, so I filled in the roll from what the table shows now.",
	"take-unseen":   "I did not see which die was taken; {die} fits, so I wrote that.",
	"roll-unseen":   "I did not see the roll in the Cart, so I filled it in from the dice that were kept.",
	// About any table.
	"covered":     "Something covers the table, so I cannot follow. Was the camera or the board moved?",
	"out-of-view": "I could not see the table when the turn ended.",
	"refused":     "You said \"{say}\", but: {why}",
	// Why something that was said cannot be done.
	"is-over":              "the match is over",
	"is-paused":            "the match is paused; resume it first",
	"is-closed":            "this match has been put away",
	"impossible":           "that is not possible: {why}",
	"unreadable":           "I cannot read that move: {why}",
	"cannot-have-been":     "it cannot have been that: {why}",
	"blocks-later":         "if it was that, a later move is impossible: {why}",
	"not-the-answer":       "that cannot be the answer: {why}",
	"no-such-move":         "there is no such move; it may have been undone already",
	"nothing-to-undo":      "there is nothing to undo",
	"nothing-to-redo":      "there is nothing to redo",
	"nothing-to-take-back": "there is no move to take back",
	"nothing-to-take-over": "no board is in view",
	"no-question":          "there is no question to answer",
	"not-a-choice":         "that is not one of the answers",
	"other-question":       "something else is asked now",
	"no-roll":              "nobody has to roll now",
	"no-pass":              "nobody may pass now",
	"no-roll-or-pass":      "nobody may roll or pass now",
	"no-use":               "\"{say}\" has no use in {game}",
	"no-cards":             "{game} has no cards to turn over",
	"no-hint":              "no suggestion: {why}",
	"no-hints":             "there are no suggestions for {game}",
	"no-such-player":       "nobody called {player} is playing",
	"no-seat-for":          "nobody called {player} is playing, or {player} already has a seat",
	"names-for":            "{count, plural, one {# name} other {# names}} for {of, plural, one {# player} other {# players}}",
	"unknown-player":       "no player is called {player}",
	"long-title":           "the title is too long: use at most {count, plural, one {# letter} other {# letters}}",
	"odd-title":            "the title has a character that cannot be shown",
	"has-begun":            "the match has already begun; undo the moves first, or start a rematch",
	"rematch-has-begun":    "the rematch has already begun",
	"not-in-hall":          "in a hall, past matches are changed with diceref history",
	"only-fromage":         "that is only for Fromage á Trois",
	"nothing-owed":         "nobody is owed dice or points",
	"put-by-none":          "no known move put {die} on {square}; enter that move, or correct an earlier one",
	"not-on-bonus":         "no die of this turn landed on the bonus sticker, which is in hole {square}",
	"no-flick-for-bonus":   "no die that was flicked last can be on the bonus sticker",
	"other-sticker":        "another sticker is in hole {square}, where the die lies that was flicked last",
	// Answers.
	"yes":             "yes",
	"no":              "no",
	"no-go-on":        "no, go on",
	"yes-all-right":   "yes, and the notepad is right",
	"nothing-changed": "nothing has changed",
	"nothing-more":    "nothing more",
	"die-on":          "{die} on {square}",
	"nothing-on":      "nothing on {square}",
	"then-die":        "{die} on {square}: {acts}",
	"then-nothing":    "nothing on {square}: {acts}",
	"yes-die":         "yes, {die} on {square}",
	"scored-in":       "{player} in round {round}: {count}",
	"nobody-scored":   "nobody, the dice were knocked out",
	// Parts of questions.
	"unseen":     "{die} has left {square}",
	"seen":       "{die} is on {square}",
	"shows":      "{square} shows {die} instead of {was}",
	"more":       "and {count} more",
	"zone-lost":  "{die} has left {zone}",
	"zone-found": "{die} is new in {zone}",
	"seen-of":    "I see {count} of {of, plural, one {# die} other {# dice}}",
	"outside":    "{count, plural, one {# is} other {# are}} outside every zone",
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
	return strings.NewReplacer(pairs...).Replace(p.counted(sentences[p.Kind]))
}

// A word that depends on a number, as in ICU messages: {count, plural, one {a die} other {# dice}}.
var plural = regexp.MustCompile(`\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}`)

// counted chooses the form of each word that depends on a number.
func (p Phrase) counted(text string) string {
	return plural.ReplaceAllStringFunc(text, func(word string) string {
		parts := plural.FindStringSubmatch(word)
		n, form := fmt.Sprint(p.Values[parts[1]]), parts[3]
		if n == "1" {
			form = parts[2]
		}
		return strings.ReplaceAll(form, "#", n)
	})
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

// MarshalJSON writes the kind and the values as one object.
func (p Phrase) MarshalJSON() ([]byte, error) {
	all := maps.Clone(p.Values)
	if all == nil {
		all = map[string]any{}
	}
	all["kind"] = p.Kind
	return json.Marshal(all)
}

// UnmarshalJSON reads what MarshalJSON wrote. The values are generic JSON values, good only
// for writing them again.
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

// partsOf lists the differences between what should be on the grid and what was seen, a few of them.
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
func (m *Match) deedsOf(stories ...rules.Story) deeds { return m.deedsFrom(m.line.stack(), stories...) }

// deedsFrom is the same from other positions, the last of which is where they begin.
func (m *Match) deedsFrom(stack []rules.State, stories ...rules.Story) deeds {
	d := deeds{Events: []Event{}}
	var words []string
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
