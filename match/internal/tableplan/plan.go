// Package tableplan plays seeded games of Fromage á Trois and DiceCreams! by the rules,
// with planted mistakes, and says where every die lies after each step and what a
// referee should tell of it.
package tableplan

import (
	"fmt"
	"math"
	"math/rand/v2"

	"diceref/rules"
	"diceref/table"
)

// Plan is what the renderer draws, and the truth about it.
type Plan struct {
	Game    table.Game `json:"game"`
	Seed    uint64     `json:"seed"`
	DieSize float64    `json:"die_mm"`
	Zones   []*zone    `json:"zones"`
	Dice    []dieLook  `json:"dice"`
	Steps   []drawing  `json:"steps"`
	Clutter []clutter  `json:"clutter"`
	Truth   truth      `json:"truth"`
	Says    []said     `json:"declare"`
	Left    []string   `json:"-"` // mistakes for which the game gave no chance

	top   *tabletop
	names []string
	open  []event // told of since the last picture
}

// clutter is a thing beside the zones that no rule knows: what it is, and where.
type clutter [3]any

type dieLook struct {
	Color table.Color `json:"color"`
	Left  bool        `json:"left_handed"`
}

// drawing is one picture.
type drawing struct {
	Dice [][]float64 `json:"dice"`
	// Hand is the place of a finger tip and the direction, in degrees, of its arm.
	Hand []float64 `json:"hand,omitempty"`
}

// truth is the file truth.json beside the pictures.
type truth struct {
	Game    table.Game     `json:"game"`
	Players []string       `json:"players"`
	Options map[string]any `json:"options,omitempty"`
	Steps   []step         `json:"steps"`
	Scores  map[string]int `json:"scores"`
	Winners []string       `json:"winners"`
}

// step is what one picture shows and what had happened since the one before, and what
// the players say once they have seen it.
type step struct {
	Picture string                 `json:"picture"`
	Note    string                 `json:"note"`
	Hand    bool                   `json:"hand,omitempty"`
	Doubt   bool                   `json:"doubt,omitempty"` // nothing legal or illegal explains it: asking is right
	Events  []event                `json:"events"`
	Zones   map[string][]table.Die `json:"zones"`
}

type event struct {
	Type   string     `json:"type"`
	Player string     `json:"player,omitempty"`
	Move   rules.Move `json:"move,omitempty"`
	Text   string     `json:"text,omitempty"` // the move in the game's notation
	Legal  *bool      `json:"legal,omitempty"`
	Code   string     `json:"code,omitempty"`
	Codes  []string   `json:"codes,omitempty"`
	Said   bool       `json:"said,omitempty"` // a player says so: no camera sees it
}

// said is a line of declare.jsonl.
type said struct {
	Frame int    `json:"frame"`
	Say   string `json:"say"`
	Move  string `json:"move,omitempty"`
	// Choice is the answer to what the referee asks.
	Choice string `json:"choice,omitempty"`
}

// Play plays the game of a seed to its end. The error says that it does not end, or that
// there is no plan for the game.
func Play(game table.Game, seed uint64) (*Plan, error) {
	p := &Plan{Game: game, Seed: seed, DieSize: dieSize}
	p.top = &tabletop{rng: rand.New(rand.NewPCG(seed, 20))}
	var err error
	switch p.Game {
	case table.FromageATrois:
		err = playFromage(p)
	case table.DiceCreams:
		err = playCreams(p)
	default:
		err = fmt.Errorf("no plan for %.20q", game)
	}
	if err != nil {
		return nil, err
	}
	p.Zones = p.top.zones
	for _, q := range p.top.pieces {
		p.Dice = append(p.Dice, dieLook{q.color, q.left})
	}
	p.Truth.Game, p.Truth.Players = p.Game, p.names
	return p, nil
}

func (p *Plan) name(who rules.Player) string {
	if who < 0 {
		return ""
	}
	return p.names[who]
}

// judged is an act as a referee tells it.
func (p *Plan) judged(s rules.State, m rules.Move) event {
	e := event{Type: "move", Player: p.name(m.Actor()), Move: m, Text: m.String()}
	ruling, err := rules.Judged(s.Check(m))
	if err != nil {
		panic(err)
	}
	e.Legal, e.Code, e.Codes = &ruling.Legal, ruling.Code, ruling.Codes
	return e
}

// snap takes a picture of the table as it lies.
func (p *Plan) snap(note string) *step {
	d := drawing{}
	zones := map[string][]table.Die{}
	for _, q := range p.top.pieces {
		d.Dice = append(d.Dice, q.pose())
		if q.zone != "" {
			zones[q.zone] = append(zones[q.zone], table.Die{Color: q.color, Face: q.face})
		}
	}
	p.Steps = append(p.Steps, d)
	events := p.open
	if events == nil {
		events = []event{}
	}
	p.open = nil
	p.Truth.Steps = append(p.Truth.Steps, step{Picture: pictureName(len(p.Steps) - 1), Note: note, Events: events, Zones: zones})
	return &p.Truth.Steps[len(p.Truth.Steps)-1]
}

func pictureName(i int) string {
	return string([]byte{'0' + byte(i/100%10), '0' + byte(i/10%10), '0' + byte(i%10)}) + ".jpg"
}

// reach is a picture with a player's hand over a die of a zone.
func (p *Plan) reach(zone, note string, own *zone) {
	p.snap(note).Hand = true
	angle := math.Atan2(own.Y, own.X)*180/math.Pi + p.top.rng.NormFloat64()*10
	for _, q := range p.top.pieces {
		if q.zone == zone {
			p.Steps[len(p.Steps)-1].Hand = []float64{q.x, q.y, angle}
			return
		}
	}
	p.Steps[len(p.Steps)-1].Hand = []float64{0, 0, angle}
}

// say is what a player says of the last picture.
func (p *Plan) say(s rules.State, m rules.Move) {
	last := len(p.Truth.Steps) - 1
	p.Says = append(p.Says, said{Frame: last, Say: "play", Move: m.String()})
	e := p.judged(s, m)
	e.Said = true
	p.Truth.Steps[last].Events = append(p.Truth.Steps[last].Events, e)
}

// finish tells the end.
func (p *Plan) finish(s rules.State) {
	p.Truth.Scores = map[string]int{}
	for _, sheet := range s.Score() {
		p.Truth.Scores[p.names[sheet.Player]] = sheet.Total
	}
	for _, w := range s.(rules.Winner).Winners() {
		p.Truth.Winners = append(p.Truth.Winners, p.names[w])
	}
}
