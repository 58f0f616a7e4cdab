package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
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
		return fmt.Errorf("%s: expected an object, not %.40s", name, data)
	}
	path, wrong := badValue(reflect.TypeOf(into).Elem(), data)
	if wrong == nil {
		wrong = err
	}
	if path = strings.TrimPrefix(path, "."); path != "" {
		name += ": " + path
	}
	return fmt.Errorf("%s: %w", name, plainError(wrong))
}

// badValue finds the innermost value that does not fit its Go type: its path, such as
// ".hands.A[0]", and the error that reading it alone gives.
func badValue(t reflect.Type, data json.RawMessage) (string, error) {
	err := json.Unmarshal(data, reflect.New(t).Interface())
	if err == nil {
		return "", nil
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return "", err // it knows best
	}
	part := func(name string, t reflect.Type, data json.RawMessage) (string, error) {
		path, err := badValue(t, data)
		return name + path, err
	}
	var object map[string]json.RawMessage
	var list []json.RawMessage
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		if json.Unmarshal(data, &object) != nil {
			return "", err
		}
	case reflect.Slice:
		if json.Unmarshal(data, &list) != nil {
			return "", err
		}
	}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if value, there := object[key]; there {
				if path, err := part("."+key, t.Field(i).Type, value); err != nil {
					return path, err
				}
			}
		}
		return "", err
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if path, err := part(fmt.Sprintf(".%.20s", key), t.Elem(), object[key]); err != nil {
			return path, err
		}
	}
	for i, value := range list {
		if path, err := part(fmt.Sprintf("[%d]", i), t.Elem(), value); err != nil {
			return path, err
		}
	}
	return "", err
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
		return fmt.Errorf("%s: expected %s, not %s", t.Field, want, t.Value)
	}
	return fmt.Errorf("expected %s, not %s", want, t.Value)
}
