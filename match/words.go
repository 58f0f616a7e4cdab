package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sort"
	"strings"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/dicecreams"
	"diceref/rules/diceflick"
	"diceref/rules/fromage"
	"diceref/table"
)

// eventOf reports a move as an event, judged by the rules, and in words.
func (m *Match) eventOf(mv rules.Move) (*Event, string) {
	return m.eventAt(m.line.now(), mv)
}

// storyWords says in a few words what a story tells, with the players' names.
func (m *Match) storyWords(s rules.Story) string { return m.wordsFrom(m.line.stack(), s) }

// wordsFrom is storyWords from a position, the latest of those that can be taken back to.
func (m *Match) wordsFrom(stack []rules.State, s rules.Story) string {
	var parts []string
	switch s.Back {
	case 0:
	case 1:
		parts = append(parts, "the last move was taken back")
	default:
		parts = append(parts, fmt.Sprintf("the last %d moves were taken back", s.Back))
	}
	now := stack[max(len(stack)-1-s.Back, 0)]
	for _, mv := range s.Line {
		if u, unseen := mv.(belief.Unseen); unseen {
			parts = append(parts, fmt.Sprintf("%s plays %s where I do not see it", m.name(u.Actor()), looseWords(unseenDie(u, now))))
			mv = m.written(mv)
		} else if mv.Actor() != rules.Nature { // what is drawn or rolled is not an act of anybody's
			_, text := m.told(now, mv)
			text = strings.TrimSuffix(text, ".")
			if why := reasonsOf(now.Check(mv)); why != nil {
				text += " (" + why.Code() + ")"
			}
			parts = append(parts, text)
		}
		if next, err := now.Apply(mv); err == nil {
			now = next
		}
	}
	if len(parts) == 0 {
		return "nothing has changed"
	}
	return strings.Join(parts, thenWord)
}

// asked is an offer of a story in words. A die that nobody has played lies where it does now.
func (m *Match) asked(s rules.Story) offer {
	if len(s.Line) == 1 && s.Back == 0 && s.Line[0].Actor() == rules.Nature {
		if a := actOf(s.Line[0]); a.To != nil {
			return offer{says: phrase("die-on", "die", table.Die{Color: a.Color, Face: a.Face}, "square", *a.To), story: s}
		}
	}
	return offer{says: Phrase{Kind: kindActs, text: m.storyWords(s)}, story: s}
}

// eventAt reports a move as an event of a position, judged.
func (m *Match) eventAt(now rules.State, mv rules.Move) (*Event, string) {
	return m.judgedAt(now, mv, m.mayAccuse())
}

// judgedAt is the same where it is known whether a breach may be told as one.
func (m *Match) judgedAt(now rules.State, mv rules.Move, accuse bool) (*Event, string) {
	e, text := m.told(now, mv)
	if why := reasonsOf(now.Check(mv)); why != nil {
		text += e.judge(why, accuse)
	} else if e.Type == TypeMove {
		yes := true
		e.Legal = &yes
	}
	return e, text
}

// told reports a move as an event of a position, and in words.
func (m *Match) told(now rules.State, mv rules.Move) (*Event, string) {
	e := &Event{Player: m.name(mv.Actor())}
	text := ""
	switch v := mv.(type) {
	case diceflick.Flick:
		text = m.flickEvent(e, v)
	case diceflick.Score:
		text = m.scoreEvent(e, now.(*diceflick.State), v)
	case fromage.Move:
		text = m.fromageEvent(e, v)
	case dicecreams.Move:
		text = m.creamEvent(e, v)
	default:
		text = moveEvent(e, mv)
	}
	return e, text
}

// reasonsOf is why a move is illegal; nil for a legal one.
func reasonsOf(err error) rules.Illegal {
	var why rules.Illegal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &why) && len(why) > 0:
		return why
	}
	why.Add("", "%v", err)
	return why
}

func (m *Match) flickEvent(e *Event, f diceflick.Flick) string {
	if f.Missed() {
		e.Type = TypeMiss
		return e.Player + " misses."
	}
	to := f.To
	e.Type, e.To, e.Color = TypeFlick, &to, f.Die.Color
	if f.Die.Face > 0 {
		face := f.Die.Face
		e.Face = &face
	}
	return fmt.Sprintf("%s flicks %s into %v.", e.Player, dieWords(f.Die), to)
}

func (m *Match) scoreEvent(e *Event, s *diceflick.State, v diceflick.Score) string {
	points := s.Points(v)
	e.Type, e.Round, e.Score, e.Removed = TypeScore, s.Round(), &points, v.Removed.Squares()
	return fmt.Sprintf("%s scores %d in round %d.", e.Player, points, e.Round)
}

// act is what every game's moves have in common in their JSON.
type act struct {
	Action string        `json:"action"`
	From   *table.Square `json:"from"`
	To     *table.Square `json:"to"`
	Color  table.Color   `json:"color"`
	Face   int           `json:"face"`
}

func actOf(mv rules.Move) act {
	var a act
	if b, err := json.Marshal(mv); err == nil {
		if json.Unmarshal(b, &a) != nil {
			return act{}
		}
	}
	return a
}

func moveEvent(e *Event, mv rules.Move) string {
	a := actOf(mv)
	if a.Action == "pass" {
		e.Type = TypePass
		return e.Player + " passes."
	}
	e.Type, e.Move = TypeMove, mv
	d := dieWords(table.Die{Color: a.Color, Face: a.Face})
	switch {
	case a.Action == "place" && a.To != nil:
		return fmt.Sprintf("%s places %s on %v.", e.Player, d, a.To)
	case a.Action == "move" && a.From != nil && a.To != nil:
		return fmt.Sprintf("%s moves %s from %v to %v.", e.Player, d, a.From, a.To)
	case a.Action == "reroll":
		return e.Player + " rerolls all their dice."
	case a.Action == "turn" && a.To != nil:
		return fmt.Sprintf("%s turns the die on %v to %s.", e.Player, a.To, d)
	}
	if e.Player == "" {
		return mv.String() + "."
	}
	return fmt.Sprintf("%s: %s.", e.Player, mv)
}

// dieWords names a die: "red 3", "the pink die".
func dieWords(d table.Die) string {
	switch {
	case d.Color == table.NoColor:
		return "a die"
	case d.Face == 0:
		return "the " + d.Color.String() + " die"
	}
	return fmt.Sprintf("%s %d", d.Color, d.Face)
}

// likely lists what a doubtful reading may be of the dice that a game has, the most likely
// first, three at most, and at last what it was read as.
func likely(kit table.Kit, r table.Reading) []table.Die {
	const least = 0.02 // of all that it may be
	type guess struct {
		die table.Die
		p   float64
	}
	var list []guess
	all := 0.0
	for c, pc := range r.Colors {
		for f, pf := range r.Faces {
			if d := (table.Die{Color: table.Color(c), Face: f}); kit.Has(d) {
				list = append(list, guess{d, pc * pf})
				all += pc * pf
			}
		}
	}
	list = slices.DeleteFunc(list, func(g guess) bool { return g.p <= least*all })
	sort.SliceStable(list, func(i, j int) bool { return list[i].p > list[j].p })
	var dice []table.Die
	for _, g := range list[:min(3, len(list))] {
		dice = append(dice, g.die)
	}
	if read := r.Die; !slices.Contains(dice, read) && len(dice) < 3 {
		dice = append(dice, read)
	}
	return dice
}

// digest is a short name for a position, to say whether a replay leads to the same one.
func digest(s rules.State) string {
	h := fnv.New64a()
	b, err := json.Marshal(struct {
		Show  any
		Score any
	}{s.Show(rules.Nobody), s.Score()})
	if err != nil {
		return ""
	}
	_, _ = h.Write(b) // never fails
	return fmt.Sprintf("%016x", h.Sum64())
}

func abs(n int) int { return max(n, -n) }
