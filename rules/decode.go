package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Decode reads a JSON object into the struct that into points to; name is what
// errors call the object. An error names the field that is wrong, also where the
// field has its own UnmarshalJSON, which encoding/json does not tell.
func Decode(name string, data json.RawMessage, into any) error {
	err := json.Unmarshal(data, into)
	if err == nil {
		return nil
	}
	var raw map[string]json.RawMessage
	if json.Unmarshal(data, &raw) != nil {
		return fmt.Errorf("%s: want an object, not %.40s", name, data)
	}
	fields := reflect.TypeOf(into).Elem()
	for i := range fields.NumField() {
		f := fields.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		value, there := raw[key]
		if !there {
			continue
		}
		if err := json.Unmarshal(value, reflect.New(f.Type).Interface()); err != nil {
			return fmt.Errorf("%s: %s: %w", name, key, plainError(err))
		}
	}
	return fmt.Errorf("%s: %w", name, plainError(err))
}

// plainError says what was found and what was wanted without Go's own names.
func plainError(err error) error {
	var t *json.UnmarshalTypeError
	if !errors.As(err, &t) {
		return err
	}
	want := map[reflect.Kind]string{
		reflect.Int: "a whole number", reflect.String: "a text", reflect.Bool: "true or false",
		reflect.Slice: "a list", reflect.Map: "an object", reflect.Struct: "an object",
	}[t.Type.Kind()]
	if want == "" {
		want = "another kind of value"
	}
	if t.Field != "" {
		return fmt.Errorf("%s: want %s, not %s", t.Field, want, t.Value)
	}
	return fmt.Errorf("want %s, not %s", want, t.Value)
}
