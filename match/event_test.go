package match

import (
	"encoding/json"
	"testing"

	"diceref/table"
)

func TestEventJSON(t *testing.T) {
	yes, four, nought := true, 4, 0
	for _, c := range []struct {
		e    Event
		want string
	}{
		{
			Event{Frame: 5, T: .5, Type: TypeFlick, Player: "A", To: &table.Square{Row: 0, Col: 2}, Color: table.Pink},
			`{"frame":5,"t":0.5,"type":"flick","player":"A","to":[0,2],"color":"pink","face":null}`,
		},
		{
			Event{Frame: 5, T: .5, Type: TypeFlick, Player: "A", To: &table.Square{Row: 2, Col: 2}, Color: table.White, Face: &four},
			`{"frame":5,"t":0.5,"type":"flick","player":"A","to":[2,2],"color":"white","face":4}`,
		},
		{
			Event{Frame: 86, T: 8.6, Type: TypeScore, Player: "B", Round: 1, Score: &nought},
			`{"frame":86,"t":8.6,"type":"score","player":"B","round":1,"score":0,"removed":[]}`,
		},
		{
			Event{Frame: 323, T: 32.3, Type: TypeMove, Player: "A", Move: json.RawMessage(`{"action":"reroll"}`), Legal: &yes},
			`{"frame":323,"t":32.3,"type":"move","player":"A","move":{"action":"reroll"},"legal":true}`,
		},
		{
			Event{Type: TypeStart, Game: table.DiceFlick, Players: []string{"A", "B"}},
			`{"frame":0,"t":0,"type":"start","game":"dice-flick","players":["A","B"]}`,
		},
	} {
		b, err := json.Marshal(c.e)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if json.Unmarshal(b, &got) != nil || json.Unmarshal([]byte(c.want), &want) != nil {
			t.Fatalf("not JSON: %s", b)
		}
		if g, w := canon(got), canon(want); g != w {
			t.Errorf("got %s\nwant %s", g, w)
		}
		var back Event
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		again, _ := json.Marshal(back)
		if string(again) != string(b) {
			t.Errorf("read back: %s, was %s", again, b)
		}
		v := EventView{Seq: 7, Event: c.e, Text: "words", By: "camera"}
		vb, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var w EventView
		if err := json.Unmarshal(vb, &w); err != nil || w.Seq != 7 || w.Text != "words" || w.Type != c.e.Type {
			t.Errorf("view %s came back as %+v (%v)", vb, w, err)
		}
	}
}

func canon(v any) string { b, _ := json.Marshal(v); return string(b) }
