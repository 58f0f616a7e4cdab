package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"diceref/table"
)

// schema is the part of a JSON schema that the description uses.
type schema struct {
	Ref        string            `json:"$ref"`
	Type       any               `json:"type"`
	Required   []string          `json:"required"`
	Properties map[string]schema `json:"properties"`
	Additional *bool             `json:"additionalProperties"`
	Items      *schema           `json:"items"`
	Enum       []any             `json:"enum"`
	AnyOf      []schema          `json:"anyOf"`
	MinItems   int               `json:"minItems"`
}

// described is the description, as far as it is checked.
type described struct {
	Paths map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]struct{ Schema *schema }
		}
	}
	Components struct{ Schemas map[string]schema }
}

func description(t *testing.T) described {
	t.Helper()
	var d described
	if err := json.Unmarshal(openAPI, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// check says where a value is not as the schema says.
func (d described) check(s schema, v any, at string) error {
	if s.Ref != "" {
		name := strings.TrimPrefix(s.Ref, "#/components/schemas/")
		known, ok := d.Components.Schemas[name]
		if !ok {
			return fmt.Errorf("%s: no schema %s", at, name)
		}
		return d.check(known, v, at)
	}
	if len(s.AnyOf) > 0 {
		var err error
		for _, each := range s.AnyOf {
			if err = d.check(each, v, at); err == nil {
				return nil
			}
		}
		return err
	}
	if !hasType(s.Type, v) {
		return fmt.Errorf("%s: %v is no %v", at, v, s.Type)
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
		return fmt.Errorf("%s: %v is not one of %v", at, v, s.Enum)
	}
	switch v := v.(type) {
	case []any:
		if len(v) < s.MinItems {
			return fmt.Errorf("%s: %d items", at, len(v))
		}
		for i, item := range v {
			if s.Items != nil {
				if err := d.check(*s.Items, item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
					return err
				}
			}
		}
	case map[string]any:
		return d.checkObject(s, v, at)
	}
	return nil
}

func (d described) checkObject(s schema, v map[string]any, at string) error {
	for _, key := range s.Required {
		if _, ok := v[key]; !ok {
			return fmt.Errorf("%s: %s is missing", at, key)
		}
	}
	for key, value := range v {
		known, ok := s.Properties[key]
		if !ok {
			if s.Additional != nil && !*s.Additional {
				return fmt.Errorf("%s: %s is not described", at, key)
			}
			continue
		}
		if err := d.check(known, value, at+"."+key); err != nil {
			return err
		}
	}
	return nil
}

func hasType(want, v any) bool {
	switch want := want.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(want, func(w any) bool { return hasType(w, v) })
	case string:
		switch v := v.(type) {
		case nil:
			return want == "null"
		case bool:
			return want == "boolean"
		case string:
			return want == "string"
		case float64:
			return want == "number" || want == "integer" && v == float64(int64(v))
		case []any:
			return want == "array"
		case map[string]any:
			return want == "object"
		}
	}
	return false
}

// parameter is a part of a route that is not fixed.
var parameter = regexp.MustCompile(`:(\w+)`)

func TestDescriptionHasEveryRoute(t *testing.T) {
	s, _, _ := served(nil)
	d := description(t)
	routes := map[string]bool{}
	for _, r := range s.engine.Routes() {
		if path, ok := strings.CutPrefix(r.Path, "/api/v1"); ok {
			routes[r.Method+" "+parameter.ReplaceAllString(path, "{$1}")] = true
		}
	}
	for path, methods := range d.Paths {
		for method := range methods {
			route := strings.ToUpper(method) + " " + path
			if !routes[route] {
				t.Errorf("described, but not there: %s", route)
			}
			delete(routes, route)
		}
	}
	for route := range routes {
		t.Errorf("not described: %s", route)
	}
}

func TestAnswersAreAsDescribed(t *testing.T) {
	var long strings.Builder
	long.WriteString(`{"say":"`)
	long.WriteString(strings.Repeat("x", maxBody))
	tests := []struct {
		method, path, body string
		edit               func(*http.Request)
		empty              bool // before anything was seen
	}{
		{method: "GET", path: "/state"},
		{method: "GET", path: "/observation"},
		{method: "GET", path: "/observation", empty: true},
		{method: "GET", path: "/preview.jpg"},
		{method: "GET", path: "/preview.jpg", empty: true},
		{method: "GET", path: "/healthz"},
		{method: "GET", path: "/version"},
		{method: "GET", path: "/openapi.json"},
		{method: "POST", path: "/read?game=any", body: string(tablePicture)},
		{method: "POST", path: "/read?game=chess", body: string(tablePicture)},
		{method: "POST", path: "/read", body: "text"},
		{method: "POST", path: "/read", body: string(tablePicture), edit: with("Origin", "http://evil.example")},
		{method: "POST", path: "/declare", body: `{"say":"next"}`},
		{method: "POST", path: "/declare", body: `{"say":"never"}`},
		{method: "POST", path: "/declare", body: long.String()},
		{method: "POST", path: "/declare", body: `{}`, edit: with("Content-Type", "text/plain")},
		{method: "POST", path: "/undo"},
		{method: "POST", path: "/redo", edit: from("10.1.1.1:1")},
		{method: "POST", path: "/correct", body: `{"square":[0,0],"color":"red","face":1}`},
	}
	d := description(t)
	for _, test := range tests {
		s, m, feed := served(fakeReader{})
		play(m)
		if !test.empty {
			feed.ShowPicture(tablePicture)
			feed.ShowObservation(seenTable())
		}
		a := call(t, s.Handler(), test.method, "/api/v1"+test.path, test.body, test.edit)
		path, _, _ := strings.Cut(test.path, "?")
		response, ok := d.Paths[path][strings.ToLower(test.method)].Responses[fmt.Sprint(a.status)]
		if !ok {
			t.Errorf("%s %s: %d is not described: %.200s", test.method, test.path, a.status, a.body)
			continue
		}
		kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
		content, ok := response.Content[kind]
		if !ok {
			t.Errorf("%s %s: %d comes as %s", test.method, test.path, a.status, kind)
			continue
		}
		if content.Schema == nil {
			continue
		}
		var v any
		if err := json.Unmarshal([]byte(a.body), &v); err != nil {
			t.Errorf("%s %s: %v", test.method, test.path, err)
			continue
		}
		if err := d.check(*content.Schema, v, "body"); err != nil {
			t.Errorf("%s %s: %v", test.method, test.path, err)
		}
	}
}

func TestStreamIsAsDescribed(t *testing.T) {
	ts, m, feed := eventServer(t)
	play(m)
	feed.ShowObservation(seenTable())
	next, stop := subscribe(t, ts.URL, "", "")
	defer stop()
	d := description(t)
	for _, want := range []struct{ event, schema string }{{"match", "Snapshot"}, {"camera", "Camera"}, {"seen", "Drawing"}} {
		e := next()
		var v map[string]any
		if err := json.Unmarshal([]byte(e.data), &v); err != nil || e.event != want.event {
			t.Fatalf("%s: %v", e.event, err)
		}
		delete(v, "reset")
		delete(v, "undone")
		if err := d.check(schema{Ref: "#/components/schemas/" + want.schema}, v, want.event); err != nil {
			t.Error(err)
		}
	}
}

// TestDescribedColors holds the list of colors to the vocabulary.
func TestDescribedColors(t *testing.T) {
	var want []any
	for _, c := range table.Colors {
		want = append(want, c.String())
	}
	if got := description(t).Components.Schemas["Color"].Enum; !slices.Equal(got, want) {
		t.Errorf("colors %v, want %v", got, want)
	}
}
