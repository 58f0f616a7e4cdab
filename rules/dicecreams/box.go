package dicecreams

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"diceref/scoring"
	"diceref/table"
)

// Bonus is what a spot or a completed IceCream gives.
type Bonus string

// The bonuses (RULES.md 4.1). A spot gives a Sprinkle or a draw; completing can give any.
const (
	NoBonus      Bonus = ""
	GetSprinkle  Bonus = "sprinkle"
	DrawDie      Bonus = "draw"
	SecondToken  Bonus = "second_token"
	OrangeCounts Bonus = "orange_sprinkles"
)

// Card is an IceCream.
type Card struct {
	ID         string      `json:"id"`
	Fame       int         `json:"fame"`
	Spots      [spots]Spot `json:"spots"`
	Completion Bonus       `json:"completion,omitempty"`
}

// Spot is a place for one die.
type Spot struct {
	Color table.Color `json:"colour,omitempty"` // NoColor: any
	Bonus Bonus       `json:"bonus,omitempty"`
}

// Customer is one side of a Customer, the one that is up.
type Customer struct {
	ID          string `json:"id"`
	Requirement string `json:"requirement"`
	// Fame of a token by order of arrival; the last number holds for all later ones.
	Fame []int `json:"fame"`
}

// fameOf is the Fame of the n-th token, from 0.
func (c Customer) fameOf(n int) int { return c.Fame[min(n, len(c.Fame)-1)] }

// Box is what the printed parts of a set say: the IceCreams and the Customers.
type Box struct {
	Cards     []Card
	Customers []Customer
	// Labels of the two files, for people: the demo deck says that it is invented.
	CardsLabel, CustomersLabel string
}

// How many there may be. A set has 30 IceCreams; a few may be lost.
const (
	minCards, maxCards = 6, 30
	customers          = 3
	maxFame            = 99
)

//go:embed demo/cards.json demo/customers.json
var demo embed.FS

// newBox reads the owner's files; the demo deck stands in for what is not given.
func newBox(cards, customers []byte) (*Box, error) {
	if cards == nil {
		cards = mustRead("demo/cards.json")
	}
	if customers == nil {
		customers = mustRead("demo/customers.json")
	}
	var b Box
	var err error
	if b.CardsLabel, b.Cards, err = ReadCards(cards); err != nil {
		return nil, err
	}
	b.CustomersLabel, b.Customers, err = ReadCustomers(customers)
	return &b, err
}

func mustRead(name string) []byte {
	data, err := demo.ReadFile(name)
	if err != nil {
		panic(err) // embedded
	}
	return data
}

// ReadCards reads the file of IceCreams and refuses anything but this form:
//
//	{"label": "whose deck this is",
//	 "icecreams": [
//	  {"id": "lemon-1", "fame": 3,
//	   "spots": [{"colour": "green", "bonus": null},
//	             {"colour": null, "bonus": "sprinkle"},
//	             {"colour": null, "bonus": "draw"}],
//	   "completion": "second_token"}]}
//
// colour is one of green, blue, yellow, black, orange, or null for any; the bonus of a
// spot is sprinkle, draw or null; completion is sprinkle, draw, second_token,
// orange_sprinkles or null. An id is made of letters, digits and dashes and is
// used once. Errors name the field.
func ReadCards(data []byte) (label string, cards []Card, err error) {
	top, err := parse(CardsFile, data)
	if err != nil {
		return "", nil, err
	}
	top.keys("label", "icecreams")
	label = top.text("label")
	list := top.list("icecreams", minCards, maxCards)
	seen := map[string]bool{}
	for i := range list {
		n := list[i].object()
		n.keys("id", "fame", "spots", "completion")
		c := Card{
			ID: n.id("id", seen), Fame: n.number("fame", 0, maxFame),
			Completion: Bonus(n.choice("completion", true, string(GetSprinkle), string(DrawDie), string(SecondToken), string(OrangeCounts))),
		}
		for j, s := range n.list("spots", spots, spots) {
			o := s.object()
			o.keys("colour", "bonus")
			name := o.choice("colour", true, flavourNames()...)
			c.Spots[j].Bonus = Bonus(o.choice("bonus", true, string(GetSprinkle), string(DrawDie)))
			if name != "" {
				c.Spots[j].Color, _ = table.ParseColor(name) // one of the five
			}
		}
		cards = append(cards, c)
	}
	if top.fail.err != nil {
		return "", nil, top.fail.err
	}
	return label, cards, nil
}

// ReadCustomers reads the file of Customers and refuses anything but this form:
//
//	{"label": "whose Customers these are",
//	 "customers": [
//	  {"id": "C1", "up": 0,
//	   "sides": [{"requirement": "even", "fame": 2},
//	             {"requirement": "sum15", "fame": [4, 3, 2]}]}]}
//
// There are three Customers of two sides; up (0 or 1; may be left out) is the side in play.
// requirement is even, same, sequence or sum15; fame is that of every token, or a
// list by order of arrival whose last number holds for all later tokens.
func ReadCustomers(data []byte) (label string, up []Customer, err error) {
	top, err := parse(CustomersFile, data)
	if err != nil {
		return "", nil, err
	}
	top.keys("label", "customers")
	label = top.text("label")
	seen := map[string]bool{}
	for _, e := range top.list("customers", customers, customers) {
		n := e.object()
		n.keys("id", "sides", "?up")
		c := Customer{ID: n.id("id", seen)}
		side := 0
		if _, there := n.fields["up"]; there {
			side = n.number("up", 0, 1)
		}
		for i, s := range n.list("sides", 2, 2) {
			o := s.object()
			o.keys("requirement", "fame")
			requirement := o.choice("requirement", false, scoring.Requirements[:]...)
			fame := o.numbers("fame", 0, maxFame)
			if i == side {
				c.Requirement, c.Fame = requirement, fame
			}
		}
		up = append(up, c)
	}
	if top.fail.err != nil {
		return "", nil, top.fail.err
	}
	return label, up, nil
}

func flavourNames() []string {
	var names []string
	for _, c := range scoring.Flavours {
		names = append(names, c.String())
	}
	return names
}

// node is a value of a data file with the way to it. The first thing that is wrong
// is kept in fail, and what is read after that does not matter.
type node struct {
	path   string
	raw    json.RawMessage
	fields map[string]json.RawMessage
	fail   *failure
}

type failure struct{ err error }

func (n node) wrong(format string, args ...any) {
	if n.fail.err == nil {
		n.fail.err = fmt.Errorf("%s: %s", n.path, fmt.Sprintf(format, args...))
	}
}

// parse reads a file whose top is an object.
func parse(name string, data []byte) (node, error) {
	n := node{path: name, raw: data, fail: &failure{}}
	n = n.object()
	n.path = name
	return n, n.fail.err
}

func (n node) object() node {
	if json.Unmarshal(n.raw, &n.fields) != nil || n.fields == nil {
		n.wrong("expected an object, not %.40s", n.raw)
	}
	return n
}

// keys refuses other keys and missing ones; a name that starts with ? may be missing.
func (n node) keys(names ...string) {
	var given []string
	for key := range n.fields {
		given = append(given, key)
	}
	sort.Strings(given)
	for _, key := range given {
		if !slices.Contains(names, key) && !slices.Contains(names, "?"+key) {
			n.wrong("unknown field %.40q (expected %v)", key, names)
		}
	}
	for _, key := range names {
		if _, there := n.fields[key]; !there && key[0] != '?' {
			n.wrong("%s is missing", key)
		}
	}
}

func (n node) field(key string) node {
	return node{path: n.path + ": " + key, raw: n.fields[key], fail: n.fail}
}

func (n node) text(key string) (s string) {
	if f := n.field(key); json.Unmarshal(f.raw, &s) != nil {
		f.wrong("expected a text, not %.40s", f.raw)
	}
	return s
}

// id reads a name that is used once.
func (n node) id(key string, seen map[string]bool) string {
	s := n.text(key)
	f := n.field(key)
	if !validID(s) {
		f.wrong("%.40q is not an id (expected 1 to 24 letters, digits and dashes)", s)
	}
	if seen[s] {
		f.wrong("%q is used twice", s)
	}
	seen[s] = true
	return s
}

func validID(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return len(s) > 0 && len(s) <= 24 && s != "none" && s != "aside"
}

func (n node) number(key string, least, most int) (v int) {
	f := n.field(key)
	if json.Unmarshal(f.raw, &v) != nil || string(f.raw) == "null" || v < least || v > most {
		f.wrong("expected a whole number from %d to %d, not %.40s", least, most, f.raw)
	}
	return v
}

// numbers reads one number or a list of them.
func (n node) numbers(key string, least, most int) []int {
	f := n.field(key)
	if len(f.raw) == 0 || f.raw[0] != '[' {
		return []int{n.number(key, least, most)}
	}
	var list []int
	for _, e := range n.list(key, 1, tokenMax*maxSeats) {
		one := node{path: f.path, fields: map[string]json.RawMessage{"entry": e.raw}, fail: n.fail}
		list = append(list, one.number("entry", least, most))
	}
	return list
}

// choice reads one of some texts, or null where that is allowed ("").
func (n node) choice(key string, null bool, allowed ...string) string {
	f := n.field(key)
	if string(f.raw) == "null" && null {
		return ""
	}
	var s string
	if json.Unmarshal(f.raw, &s) != nil || !slices.Contains(allowed, s) {
		or := ""
		if null {
			or = " or null"
		}
		f.wrong("expected one of %v%s, not %.40s", allowed, or, f.raw)
	}
	return s
}

func (n node) list(key string, least, most int) []node {
	f := n.field(key)
	var raw []json.RawMessage
	if json.Unmarshal(f.raw, &raw) != nil || len(raw) < least || len(raw) > most {
		if least == most {
			f.wrong("expected a list of %d, not %.40s", least, f.raw)
		} else {
			f.wrong("expected a list of %d to %d, not %d: %.40s", least, most, len(raw), f.raw)
		}
		return nil
	}
	list := make([]node, len(raw))
	for i := range raw {
		list[i] = node{path: fmt.Sprintf("%s: %s[%d]", n.path, key, i), raw: raw[i], fail: n.fail}
	}
	return list
}
