package rules

import (
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"diceref/table"
)

// Options are a game's house rules as they are in force: every rule has a value.
// The zero Options has none.
type Options struct {
	rules  []HouseRule
	values []any
}

// Resolve fills in the defaults and checks what was given. Numbers may come as
// float64 (JSON) or as text (the command line), booleans as text. Unknown names
// and wrong values are refused by name, with what is allowed. A rule without
// Values takes any value of its default's type; where the default is text, any
// value at all that its Check accepts.
func Resolve(defs []HouseRule, given map[string]any) (Options, error) {
	o := Options{rules: defs, values: make([]any, len(defs))}
	for i := range defs {
		o.values[i] = defs[i].Default
	}
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	sort.Strings(names) // the same error every time
	for _, name := range names {
		i := o.index(name)
		if i < 0 {
			return Options{}, table.Unknown("house rule", name, ruleNames(defs))
		}
		v, ok := accept(defs[i], given[name])
		if !ok {
			return Options{}, fmt.Errorf("house rule %s cannot be %s (expected %s)", name, brief(given[name]), allowed(defs[i]))
		}
		if check := defs[i].Check; check != nil {
			if err := check(v); err != nil {
				return Options{}, fmt.Errorf("house rule %w", err)
			}
		}
		o.values[i] = v
	}
	return o, nil
}

// Value is the value in force, of the type of the rule's allowed values; it
// panics on a name that the game does not define, which is a slip in the game.
func (o Options) Value(name string) any {
	i := o.index(name)
	if i < 0 {
		panic("rules: no house rule " + name)
	}
	return o.values[i]
}

// Bool is the value of a switch; false if the value is of another type.
func (o Options) Bool(name string) bool { v, _ := o.Value(name).(bool); return v }

// Int is the value of a number; 0 if the value is of another type.
func (o Options) Int(name string) int { v, _ := o.Value(name).(int); return v }

// Text is the value of a choice; "" if the value is of another type.
func (o Options) Text(name string) string { v, _ := o.Value(name).(string); return v }

// All is every rule in force by name: what a match keeps.
func (o Options) All() map[string]any {
	m := make(map[string]any, len(o.rules))
	for i, r := range o.rules {
		m[r.Name] = o.values[i]
	}
	return m
}

func (o Options) index(name string) int {
	for i := range o.rules {
		if o.rules[i].Name == name {
			return i
		}
	}
	return -1
}

// accept turns a given value into the rule's own type.
func accept(r HouseRule, given any) (any, bool) {
	if len(r.Values) == 0 {
		switch r.Default.(type) {
		case bool, int:
			return convert(r.Default, given)
		}
		return given, given != nil
	}
	for _, want := range r.Values {
		if v, ok := convert(want, given); ok && v == want {
			return v, true
		}
	}
	return nil, false
}

// convert reads given as a value of like's type.
func convert(like, given any) (any, bool) {
	switch like.(type) {
	case bool:
		switch v := given.(type) {
		case bool:
			return v, true
		case string:
			return v == "true", v == "true" || v == "false"
		}
	case int:
		switch v := given.(type) {
		case int:
			return v, true
		case float64:
			return int(v), v == math.Trunc(v) && math.Abs(v) <= 1e9
		case string:
			n, err := strconv.Atoi(v)
			return n, err == nil
		}
	case string:
		v, ok := given.(string)
		return v, ok
	}
	return nil, false
}

// Resolver makes a game's own form of its house rules with build; those of a match
// without any are made once, for the many cases that have none.
func Resolver[T any](build func(given map[string]any) (*T, error)) func(map[string]any) (*T, error) {
	defaults, err := build(nil)
	if err != nil {
		panic(err) // the defaults of house rules are among their values
	}
	return func(given map[string]any) (*T, error) {
		if len(given) == 0 {
			return defaults, nil
		}
		return build(given)
	}
}

func ruleNames(defs []HouseRule) []string {
	s := make([]string, len(defs))
	for i := range defs {
		s[i] = defs[i].Name
	}
	return s
}

func allowed(r HouseRule) string {
	if len(r.Values) == 0 {
		return fmt.Sprintf("a value like %v", r.Default)
	}
	s := make([]string, len(r.Values))
	for i, v := range r.Values {
		s[i] = fmt.Sprint(v)
	}
	return strings.Join(s, " or ")
}

// brief shows a value in an error without letting it fill the screen.
func brief(v any) string {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%.40q", s)
	}
	text, _ := json.Marshal(v) // what is no text came as JSON
	return fmt.Sprintf("%.40s", text)
}
