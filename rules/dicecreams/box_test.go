package dicecreams

import (
	"encoding/json"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/table"
)

const spot3 = `[{"colour":"green","bonus":null},{"colour":null,"bonus":"sprinkle"},{"colour":null,"bonus":"draw"}]`

func cardsJSON(extra ...string) string {
	list := append([]string{}, extra...)
	for _, id := range []string{"a", "b", "c", "d", "e", "f"}[min(len(extra), 6):] {
		list = append(list, `{"id":"`+id+`","fame":3,"spots":`+spot3+`,"completion":"second_token"}`)
	}
	return `{"label":"test","icecreams":[` + strings.Join(list, ",") + `]}`
}

func TestReadCards(t *testing.T) {
	label, cards, err := ReadCards([]byte(cardsJSON()))
	if err != nil || label != "test" || len(cards) != 6 {
		t.Fatalf("%s, %d cards, %v", label, len(cards), err)
	}
	c := cards[1]
	if c.ID != "b" || c.Fame != 3 || c.Completion != SecondToken || c.Spots[0].Color != table.Green ||
		c.Spots[1] != (Spot{Bonus: GetSprinkle}) || c.Spots[2] != (Spot{Bonus: DrawDie}) {
		t.Errorf("read %+v", c)
	}
}

func TestReadCardsRefuses(t *testing.T) {
	card := func(replace, with string) string {
		return cardsJSON(strings.Replace(`{"id":"a1","fame":3,"spots":`+spot3+`,"completion":null}`, replace, with, 1))
	}
	for _, c := range []struct{ data, want string }{
		{`[]`, "cards.json: expected an object"},
		{`{`, "cards.json: expected an object"},
		{`{"icecreams":[]}`, "cards.json: label is missing"},
		{`{"label":1,"icecreams":[]}`, "cards.json: label: expected a text"},
		{`{"label":"x","icecreams":[]}`, "cards.json: icecreams: expected a list of 6 to 30"},
		{`{"label":"x","icecreams":[],"more":1}`, `cards.json: unknown field "more"`},
		{card(`"a1"`, `"a b"`), `cards.json: icecreams[0]: id: "a b" is not an id`},
		{card(`"a1"`, `"none"`), `cards.json: icecreams[0]: id`},
		{card(`"a1"`, `"b"`), `cards.json: icecreams[1]: id: "b" is used twice`},
		{card(`3`, `"3"`), `cards.json: icecreams[0]: fame: expected a whole number from 0 to 99`},
		{card(`3`, `-1`), `cards.json: icecreams[0]: fame`},
		{card(`3`, `null`), `cards.json: icecreams[0]: fame`},
		{card(`"fame":3,`, ``), `cards.json: icecreams[0]: fame is missing`},
		{card(`"green"`, `"red"`), `cards.json: icecreams[0]: spots[0]: colour: expected one of [green blue yellow black orange] or null, not "red"`},
		{card(`"sprinkle"`, `"second_token"`), `cards.json: icecreams[0]: spots[1]: bonus`},
		{card(`"completion":null`, `"completion":"fame"`), `cards.json: icecreams[0]: completion`},
		{card(`{"colour":null,"bonus":"draw"}`, `{"colour":null}`), `cards.json: icecreams[0]: spots[2]: bonus is missing`},
		{card(`,{"colour":null,"bonus":"draw"}`, ``), `cards.json: icecreams[0]: spots: expected a list of 3`},
	} {
		if _, _, err := ReadCards([]byte(c.data)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

const customers3 = `{"label":"x","customers":[
 {"id":"C1","sides":[{"requirement":"even","fame":2},{"requirement":"sum15","fame":[4,3]}],"up":1},
 {"id":"C2","sides":[{"requirement":"same","fame":2},{"requirement":"sum15","fame":1}]},
 {"id":"C3","sides":[{"requirement":"sequence","fame":2},{"requirement":"sum15","fame":1}]}]}`

func TestReadCustomers(t *testing.T) {
	_, up, err := ReadCustomers([]byte(customers3))
	if err != nil || len(up) != 3 {
		t.Fatal(up, err)
	}
	c := up[0]
	if c.ID != "C1" || c.Requirement != "sum15" || c.fameOf(0) != 4 || c.fameOf(1) != 3 || c.fameOf(5) != 3 || up[1].Requirement != "same" {
		t.Errorf("read %+v", up)
	}
	for _, c := range []struct{ from, to, want string }{
		{`"up":1`, `"up":2`, "customers.json: customers[0]: up"},
		{`"even"`, `"odd"`, "customers.json: customers[0]: sides[0]: requirement"},
		{`[4,3]`, `[]`, "customers.json: customers[0]: sides[1]: fame: expected a list"},
		{`[4,3]`, `[4,"3"]`, "customers.json: customers[0]: sides[1]: fame: entry"},
		{`[4,3]`, `{}`, "customers.json: customers[0]: sides[1]: fame"},
		{`"C2"`, `"C1"`, `customers.json: customers[1]: id: "C1" is used twice`},
		{`,{"requirement":"sum15","fame":1}]},`, `]},`, "customers.json: customers[1]: sides: expected a list of 2"},
	} {
		if _, _, err := ReadCustomers([]byte(strings.Replace(customers3, c.from, c.to, 1))); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.to, err, c.want)
		}
	}
}

func TestDemoDeckIsLabeled(t *testing.T) {
	box, err := newBox(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(box.CardsLabel, "invented") || !strings.Contains(box.CustomersLabel, "invented") || len(box.Cards) != maxCards {
		t.Errorf("labels %q and %q, %d cards", box.CardsLabel, box.CustomersLabel, len(box.Cards))
	}
}

func TestNewTakesFiles(t *testing.T) {
	files := map[string]json.RawMessage{CardsFile: json.RawMessage(cardsJSON()), CustomersFile: json.RawMessage(customers3)}
	s, err := Game.New(rules.Setup{Players: 2, Files: files})
	if err != nil {
		t.Fatal(err)
	}
	if v := s.Show(0).(View); v.Deck != 6 || v.Customers[0].Requirement != "sum15" || v.Cards != "test" {
		t.Errorf("shows %+v", v)
	}
	for name, text := range map[string]string{CardsFile: `{}`, CustomersFile: `{}`, "x.json": `{}`} {
		if _, err := Game.New(rules.Setup{Players: 2, Files: map[string]json.RawMessage{name: json.RawMessage(text)}}); err == nil {
			t.Errorf("%s with %s is accepted", name, text)
		}
	}
	if _, err := Game.New(rules.Setup{Players: 5}); err == nil {
		t.Error("five players are accepted")
	}
}

func FuzzReadBox(f *testing.F) {
	f.Add([]byte(cardsJSON()))
	f.Add([]byte(customers3))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, cards, err := ReadCards(data)
		if err == nil && (len(cards) < minCards || cards[0].ID == "") {
			t.Errorf("accepted %q", data)
		}
		if _, up, err := ReadCustomers(data); err == nil && (len(up) != customers || len(up[0].Fame) == 0) {
			t.Errorf("accepted %q", data)
		}
	})
}
