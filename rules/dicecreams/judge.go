package dicecreams

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// The form of worked cases, as far as it concerns this game.
type caseState struct {
	Players   *headCount               `json:"players"`
	Fridge    []caseDie                `json:"fridge"`
	Display   map[string]caseCard      `json:"display"`
	DeckTop   map[string]caseCard      `json:"deck_top"`
	Mine      map[string]caseCard      `json:"mine"`
	Sprinkles int                      `json:"sprinkles"`
	Order     []rules.Seat             `json:"order"`
	Lead      *rules.Seat              `json:"lead"`
	Drafting  *rules.Seat              `json:"drafting"`
	Turn      *rules.Seat              `json:"turn"`    // the same as drafting
	ToMove    *rules.Seat              `json:"to_move"` // the same
	Completed map[rules.Seat]headCount `json:"completed"`
	Placed    json.RawMessage          `json:"placed"`
	Over      bool                     `json:"over"`
}

type caseCard struct {
	Spots perSpot[caseColor] `json:"spots"`
	Dice  perSpot[caseDie]   `json:"dice"`
	Done  bool               `json:"done"`
}

// perSpot is a list with one entry a spot.
type perSpot[T any] [spots]T

func (p *perSpot[T]) UnmarshalJSON(b []byte) error {
	var list []T
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	if list != nil && len(list) != spots {
		return fmt.Errorf("an IceCream has %d spots, not %d", spots, len(list))
	}
	copy(p[:], list)
	return nil
}

type caseAct struct {
	Type   string      `json:"type"`
	Player *rules.Seat `json:"player"`
	Die    caseDie     `json:"die"`
	To     *caseSpot   `json:"to"`
	Delta  int         `json:"sprinkle_delta"`
	Top    *int        `json:"top"`
}

type caseQuery struct {
	Type        string                    `json:"type"`
	Left        []caseColor               `json:"left"`
	Requirement string                    `json:"requirement"`
	Values      []int                     `json:"values"`
	Players     map[rules.Seat]caseResult `json:"players"`
}

type caseResult struct {
	Creams    []int `json:"icecream_fame"`
	TokenFame []int `json:"token_fame"`
	Tokens    *int  `json:"tokens"`
	Sprinkles int   `json:"sprinkles"`
}

// headCount is a number, or a list whose entries are counted.
type headCount int

func (h *headCount) UnmarshalJSON(b []byte) error {
	var list []json.RawMessage
	if json.Unmarshal(b, (*int)(h)) == nil && *h >= 0 {
		return nil
	}
	if json.Unmarshal(b, &list) != nil {
		return fmt.Errorf("expected a number or a list, not %.40s", b)
	}
	*h = headCount(len(list))
	return nil
}

// caseDie reads "green4"; null and an absent die are none.
type caseDie struct{ table.Die }

func (d *caseDie) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	if len(b) < 3 || b[0] != '"' {
		return fmt.Errorf("expected a die such as \"green4\" or null, not %.40s", b)
	}
	die, err := parseDie(string(b[1 : len(b)-1]))
	d.Die = die
	return err
}

// caseColor reads a color's name, or a die of which only the color counts; null is any.
type caseColor struct{ table.Color }

func (c *caseColor) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	if len(b) < 3 || b[0] != '"' {
		return fmt.Errorf("expected a color or null, not %.40s", b)
	}
	name := string(b[1 : len(b)-1])
	for _, f := range scoring.Flavours {
		if f.String() == name {
			c.Color = f
			return nil
		}
	}
	die, err := parseDie(name)
	if err != nil {
		return fmt.Errorf("%.20q is not a color of a Flavour (expected one of %v)", name, scoring.Flavours)
	}
	c.Color = die.Color
	return nil
}

// caseSpot reads ["M",2].
type caseSpot struct {
	card string
	spot int
}

func (s *caseSpot) UnmarshalJSON(b []byte) error {
	var pair []json.RawMessage
	if json.Unmarshal(b, &pair) != nil || len(pair) != 2 ||
		json.Unmarshal(pair[0], &s.card) != nil || s.card == "" || json.Unmarshal(pair[1], &s.spot) != nil {
		return fmt.Errorf("a spot is a card and a number from 0, not %.40s", b)
	}
	return nil
}

// Judge answers a worked case: whether an act is legal, or a question. States may be
// partial; what is not told is not judged.
func Judge(optionValues map[string]any, state, action, query json.RawMessage) (any, error) {
	opt, err := resolve(optionValues)
	if err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	var c caseState
	if len(state) > 0 {
		if err := rules.Decode("state", state, &c); err != nil {
			return nil, err
		}
	}
	if action != nil {
		return c.judge(opt, action)
	}
	var q caseQuery
	if err := rules.Decode("query", query, &q); err != nil {
		return nil, err
	}
	return c.answer(opt, &q)
}

// judge answers an act of the draft.
func (c *caseState) judge(opt *options, raw json.RawMessage) (any, error) {
	var a caseAct
	if err := rules.Decode("action", raw, &a); err != nil {
		return nil, err
	}
	if a.Type != "take" && a.Type != "discard" {
		return nil, fmt.Errorf("action: type: %.40q is unknown (expected take or discard)", a.Type)
	}
	if a.Die.Color == table.NoColor {
		return nil, fmt.Errorf("action: die: a %s needs one", a.Type)
	}
	if a.Top != nil && (*a.Top < 1 || *a.Top > 6) {
		return nil, fmt.Errorf("action: top: %d is not a face from 1 to 6", *a.Top)
	}
	if c.Sprinkles < 0 {
		return nil, fmt.Errorf("state: sprinkles: %d is not possible", c.Sprinkles)
	}
	var r rules.Illegal
	if c.Over {
		r.Add("DC-OVER", "The game is over.")
	}
	if turn := c.drafter(); turn != nil && a.Player != nil && *a.Player != *turn {
		r.Add("DC-TURN", "It is %s's draft step.", *turn)
	}
	if !slices.Contains(c.Fridge, a.Die) {
		r.Add("DC-NOTFRIDGE", "There is no %s on the Fridge.", dieText(a.Die.Die))
	}
	if a.Type == "take" && a.To == nil {
		r.Add("DC-MUSTPLACE", "A die you take must be placed right away: %s.", dieText(a.Die.Die))
	}
	if a.Type == "take" {
		c.judgePlacing(opt, &a, &r)
	}
	return r.Ruling(), nil
}

// drafter is the player whose draft step it is, nil where that is not told.
func (c *caseState) drafter() *rules.Seat {
	return cmp.Or(c.Drafting, c.Turn, c.ToMove)
}

func (c *caseState) judgePlacing(opt *options, a *caseAct, r *rules.Illegal) {
	p := placing{die: a.Die.Die, delta: a.Delta, sprinkles: c.Sprinkles, unfinished: c.unfinished()}
	if a.Top != nil {
		p.top = *a.Top
	}
	if a.To != nil {
		p.to = c.target(opt, *a.To)
		p.checkTarget(r)
	}
	p.checkPips(opt, r)
}

// unfinished counts the player's IceCreams with fewer than three dice.
func (c *caseState) unfinished() (n int) {
	for _, m := range c.Mine {
		if !m.Done && m.count() < spots {
			n++
		}
	}
	return n
}

func (k *caseCard) count() (n int) {
	for _, d := range k.Dice {
		if d.Color != table.NoColor {
			n++
		}
	}
	return n
}

// target is the spot as the player sees it.
func (c *caseState) target(opt *options, to caseSpot) target {
	t := target{card: to.card, spot: to.spot}
	card, there := c.Mine[to.card]
	if there {
		t.where, t.finished = own, card.Done
	} else if card, there = c.Display[to.card]; there {
		t.where = onDisplay
	} else if card, there = c.DeckTop[to.card]; there && opt.deckTop {
		t.where = onDisplay
	}
	for i := range spots {
		t.colors[i], t.dice[i] = card.Spots[i].Color, card.Dice[i].Die
	}
	return t
}

// canTake says whether any die of the Fridge can be placed.
func (c *caseState) canTake(opt *options) bool {
	under := c.unfinished()
	fitsOn := func(cards map[string]caseCard) bool {
		for name := range cards {
			for spot := range spots {
				t := c.target(opt, caseSpot{name, spot})
				for _, d := range c.Fridge {
					if d.Color != table.NoColor && fits(d.Color, t, under) {
						return true
					}
				}
			}
		}
		return false
	}
	return fitsOn(c.Mine) || fitsOn(c.Display) || fitsOn(c.DeckTop)
}

// answer answers a question.
func (c *caseState) answer(opt *options, q *caseQuery) (any, error) {
	switch q.Type {
	case "draw_count":
		n := len(c.Order)
		if c.Players != nil {
			n = int(*c.Players)
		}
		if n < 1 || n > maxSeats {
			return nil, fmt.Errorf("state: players: expected 1 to %d, not %d", maxSeats, n)
		}
		return map[string]any{"draw": n + leftover}, nil
	case "melt":
		return c.melt(q)
	case "customer":
		return customer(opt, q)
	case "can_take":
		return map[string]any{"can_take": c.canTake(opt)}, nil
	case "final":
		return final(q)
	case "end_check":
		return c.endCheck(opt)
	}
	return nil, fmt.Errorf("query: type: %.40q is unknown (expected draw_count, melt, customer, can_take, final or end_check)", q.Type)
}

func customer(opt *options, q *caseQuery) (any, error) {
	if !slices.Contains(scoring.Requirements[:], q.Requirement) {
		return nil, fmt.Errorf("query: requirement: %.40q is unknown (expected one of %v)", q.Requirement, scoring.Requirements)
	}
	if len(q.Values) != spots {
		return nil, fmt.Errorf("query: values: an IceCream has 3, not %d", len(q.Values))
	}
	for _, v := range q.Values {
		if v < 1 || v > 6 {
			return nil, fmt.Errorf("query: values: %d is not a value from 1 to 6", v)
		}
	}
	return map[string]any{"ok": scoring.Satisfied(q.Requirement, [3]int(q.Values), opt.inOrder)}, nil
}

// melt answers with every placed die after melting, and those that went, in the
// order in which the case lists them.
func (c *caseState) melt(q *caseQuery) (any, error) {
	if q.Left == nil {
		return nil, fmt.Errorf("query: left: the colors of the dice left on the Fridge are needed")
	}
	var left [5]int
	for _, l := range q.Left {
		if i := scoring.FlavourIndex(l.Color); i >= 0 {
			left[i]++
		}
	}
	owners, err := readPlaced(c.Placed)
	if err != nil {
		return nil, fmt.Errorf("state: placed: %w", err)
	}
	placed := make(map[string][]*string, len(owners))
	removed := []string{}
	for _, o := range owners {
		after := make([]*string, len(o.dice))
		for i, d := range o.dice {
			if d.Color == table.NoColor {
				continue
			}
			v := scoring.Melted(d.Die, left)
			if v == 0 {
				removed = append(removed, dieText(d.Die))
				continue
			}
			text := dieText(table.Die{Color: d.Color, Face: v})
			after[i] = &text
		}
		placed[o.name] = after
	}
	return map[string]any{"placed": placed, "removed": removed}, nil
}

type placedDice struct {
	name string
	dice []caseDie
}

// readPlaced reads an object of lists of dice and keeps its order.
func readPlaced(raw json.RawMessage) (owners []placedDice, err error) {
	if len(raw) == 0 {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("expected an object of lists of dice, not %.40s", raw)
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name := t.(string) // a key of an object
		var dice []caseDie
		if err := dec.Decode(&dice); err != nil {
			return nil, fmt.Errorf("%.40s: %w", name, err)
		}
		owners = append(owners, placedDice{name, dice})
	}
	return owners, nil
}

// mostFame bounds the numbers of a case, so that their sum is one too.
const mostFame = 1_000_000

// final answers with the scores at the end of the game (RULES.md 4.9).
func final(q *caseQuery) (any, error) {
	if len(q.Players) == 0 {
		return nil, fmt.Errorf("query: players: nobody is there")
	}
	var names []rules.Seat
	for name := range q.Players {
		names = append(names, name)
	}
	slices.Sort(names)
	scores := map[rules.Seat]int{}
	fame, tokens := make([]int, len(names)), make([]int, len(names))
	for i, name := range names {
		p := q.Players[name]
		if p.Sprinkles < 0 || p.Sprinkles > mostFame {
			return nil, fmt.Errorf("query: players: %s: sprinkles: %d is not possible", name, p.Sprinkles)
		}
		for _, list := range [][]int{p.Creams, p.TokenFame} {
			for _, n := range list {
				if n < -mostFame || n > mostFame {
					return nil, fmt.Errorf("query: players: %s: a Fame of %d is not possible", name, n)
				}
				fame[i] += n
			}
		}
		fame[i] += p.Sprinkles / scoring.SprinklesPerFame
		tokens[i] = len(p.TokenFame)
		if p.Tokens != nil {
			tokens[i] = *p.Tokens
		}
		if tokens[i] < 0 {
			return nil, fmt.Errorf("query: players: %s: tokens: %d is not possible", name, tokens[i])
		}
		scores[name] = fame[i]
	}
	winners := []rules.Seat{}
	for _, i := range scoring.CreamWinners(fame, tokens) {
		winners = append(winners, names[i])
	}
	return map[string]any{"scores": scores, "winners": winners}, nil
}

// endCheck answers whether the game ends, when, and who drafts before that.
func (c *caseState) endCheck(opt *options) (any, error) {
	drafter := c.drafter()
	if len(c.Order) == 0 || drafter == nil {
		return nil, fmt.Errorf("state: order and drafting: both are needed")
	}
	at := slices.Index(c.Order, *drafter)
	lead := 0
	if c.Lead != nil {
		lead = slices.Index(c.Order, *c.Lead)
	}
	if at < 0 || lead < 0 {
		return nil, fmt.Errorf("state: drafting or lead: not in order")
	}
	remaining := []rules.Seat{}
	for i := (at + 1) % len(c.Order); i != lead; i = (i + 1) % len(c.Order) {
		remaining = append(remaining, c.Order[i])
	}
	end := "no"
	for _, n := range c.Completed {
		if n < lastCream {
			continue
		}
		end = "after_turn"
		if !opt.wholeTurn {
			end, remaining = "after_draft_step", remaining[:0]
		}
		break
	}
	return map[string]any{"end": end, "remaining_drafts": remaining}, nil
}
