package rules

import (
	"errors"
	"strings"
	"testing"
)

var defs = []HouseRule{
	{Name: "wrap", Default: false, Values: []any{false, true}},
	{Name: "colors", Default: 1, Values: []any{1, 2}},
	{Name: "supply", Default: 20, Values: []any{20, "unlimited"}},
	{Name: "profile", Default: "pairs"},
	{Name: "limit", Default: 3},
	{Name: "faces", Default: "pips", Check: func(v any) error {
		if v != "icons" {
			return errors.New("faces cannot be that (expected icons)")
		}
		return nil
	}},
}

func TestResolve(t *testing.T) {
	o, err := Resolve(defs, map[string]any{
		"wrap": "true", "colors": 2.0, "supply": "unlimited", "profile": map[string]any{"*": nil}, "limit": "7", "faces": "icons",
	})
	if err != nil {
		t.Fatal(err)
	}
	if !o.Bool("wrap") || o.Int("colors") != 2 || o.Text("supply") != "unlimited" || o.Int("limit") != 7 {
		t.Errorf("got %v", o.All())
	}
	if _, ok := o.Value("profile").(map[string]any); !ok {
		t.Errorf("profile = %v, want the object as given", o.Value("profile"))
	}
	o, err = Resolve(defs, map[string]any{"supply": "20"})
	if err != nil || o.Bool("wrap") || o.Int("colors") != 1 || o.Int("supply") != 20 || o.Text("profile") != "pairs" {
		t.Errorf("got %v, %v", o.All(), err)
	}
}

func TestResolveRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		want  string
	}{
		{"wrapp", true, "unknown house rule \"wrapp\" (did you mean wrap?)"},
		{"gravity", true, "unknown house rule \"gravity\" (expected one of wrap, colors"},
		{"wrap", 1.0, "house rule wrap cannot be 1 (expected false or true)"},
		{"wrap", "yes", "expected false or true"},
		{"colors", 3.0, "expected 1 or 2"},
		{"colors", 1.5, "expected 1 or 2"},
		{"colors", true, "expected 1 or 2"},
		{"supply", "many", "expected 20 or unlimited"},
		{"limit", "x", "expected a value like 3"},
		{"profile", nil, "cannot be null"},
		{"wrap", map[string]any{"on": nil}, "cannot be {\"on\":null} (expected"},
		{"faces", "dots", "house rule faces cannot be that (expected icons)"},
	} {
		_, err := Resolve(defs, map[string]any{c.name: c.value})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%v: %v, want %q", c.name, c.value, err, c.want)
		}
	}
}
