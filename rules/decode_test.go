package rules

import (
	"encoding/json"
	"strings"
	"testing"
)

type decoded struct {
	Shop  int              `json:"shop"`
	Who   *Seat            `json:"who"`
	Hands map[string][]int `json:"hands"`
	Lines []*struct {
		At []Seat `json:"at"`
	} `json:"lines"`
}

func TestDecodeNamesTheField(t *testing.T) {
	var v decoded
	if err := Decode("state", json.RawMessage(`{"shop":3,"who":"A","hands":{"A":[1]},"more":{}}`), &v); err != nil || v.Shop != 3 {
		t.Fatalf("%+v, %v", v, err)
	}
	for text, want := range map[string]string{
		`[]`:           "state: expected an object, not []",
		`{`:            "state: expected an object",
		`{"shop":"3"}`: "state: shop: expected a whole number, not string",
		`{"shop":1.5}`: "state: shop: expected a whole number, not number 1.5",
		`{"who":{}}`:   "state: who: {} is not a player",
		`{"lines":[{"at":[1]},null,{"at":["A",[]]}]}`: "state: lines[2].at[1]: [] is not a player",
		`{"lines":[7]}`:         "state: lines[0]: expected an object, not number",
		`{"hands":[]}`:          "state: hands: expected an object, not array",
		`{"hands":{"A":["x"]}}`: "state: hands.A[0]: expected a whole number, not string",
	} {
		var v decoded
		if err := Decode("state", json.RawMessage(text), &v); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
