package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"diceref/table"
)

// key is one thing that can be set. Its type is that of its default.
type key struct {
	name  string
	def   any // string, bool, int, []string or map[string]any
	usage string
	check func(any) error // of a value that has the right type already; nil: anything goes
}

// global are the keys whose flags every command has.
var global = map[string]bool{"log-level": true, "eye": true, "data": true}

// settings finds the value of every key and remembers where it came from.
type settings struct {
	v       *viper.Viper
	file    string            // the file that was read; empty: none
	values  map[string]any    // by key
	origins map[string]string // by key: in words
}

func newSettings() *settings {
	s := &settings{v: viper.New(), values: map[string]any{}, origins: map[string]string{}}
	for _, k := range keys {
		s.v.SetDefault(k.name, k.def)
	}
	return s
}

// flags declares the flags of some keys on a command. What is given there is
// in a.cfg when the command runs. It panics on a name that is not a key.
func (s *settings) flags(set *pflag.FlagSet, names ...string) {
	for _, name := range names {
		k := findKey(name)
		if k == nil {
			panic("no key of the configuration: " + name)
		}
		switch def := k.def.(type) {
		case string:
			set.String(name, def, k.usage)
		case bool:
			set.Bool(name, def, k.usage)
		case int:
			set.Int(name, def, k.usage)
		case []string:
			set.String(name, strings.Join(def, ","), k.usage)
		case map[string]any:
			set.StringArray(name, nil, k.usage)
		}
	}
}

func findKey(name string) *key {
	i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return &keys[i]
}

// envName is the environment variable of a key.
func envName(key string) string {
	return "DICEREF_" + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
}

// load reads file, environment and flags, in rising order of precedence.
func (s *settings) load(flags *pflag.FlagSet) (Config, error) {
	var cfg Config
	if err := s.checkEnvironment(); err != nil {
		return cfg, err
	}
	if err := s.readFile(flags); err != nil {
		return cfg, err
	}
	for _, k := range keys {
		if err := s.v.BindEnv(k.name, envName(k.name)); err != nil {
			return cfg, err
		}
		if f := flags.Lookup(k.name); f != nil {
			if err := s.v.BindPFlag(k.name, f); err != nil {
				return cfg, err
			}
		}
	}
	for _, k := range keys {
		origin, code := s.origin(k.name, flags)
		value, err := k.value(s.v.Get(k.name))
		if err != nil {
			return cfg, exitError{code, fmt.Errorf("%s: %w", origin, err)}
		}
		s.values[k.name], s.origins[k.name] = value, origin
	}
	s.mergeOptions()
	for name, value := range s.values {
		s.v.Set(name, value)
	}
	if err := s.v.Unmarshal(&cfg); err != nil {
		return cfg, fmt.Errorf("config: %w", err)
	}
	return cfg, nil
}

// origin says in words which place won for a key, and the exit code of a
// mistake there.
func (s *settings) origin(name string, flags *pflag.FlagSet) (string, int) {
	switch {
	case flags.Changed(name):
		return "flag --" + name, exitUsage
	case os.Getenv(envName(name)) != "":
		return "environment " + envName(name), exitBad
	case s.v.InConfig(name):
		return "file " + s.file + ": " + name, exitBad
	}
	return "default", exitBad
}

// unsaved are the environment variables that are no settings: a file of settings cannot name itself, and should not hold a secret.
var unsaved = []string{"DICEREF_CONFIG", tokenVariable}

// checkEnvironment refuses DICEREF_ variables that set nothing: they are
// misspelled, and would be passed over in silence.
func (s *settings) checkEnvironment() error {
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, "DICEREF_") || slices.Contains(unsaved, name) {
			continue
		}
		if !slices.ContainsFunc(keys, func(k key) bool { return envName(k.name) == name }) {
			return fmt.Errorf("environment %s: no such setting%s", name, didYouMean(name, func(k key) string { return envName(k.name) }))
		}
	}
	return nil
}

// readFile reads the configuration file, if there is one, and checks that it
// holds nothing but known keys.
func (s *settings) readFile(flags *pflag.FlagSet) error {
	file, err := configFile(flags)
	if err != nil || file == "" {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("cannot read the configuration: %w", err)
	}
	s.file = file
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return fmt.Errorf("file %s: not YAML: %w", file, err)
	}
	if err := checkFile(&doc); err != nil {
		return fmt.Errorf("file %s, %w", file, err)
	}
	s.v.SetConfigType("yaml")
	if err := s.v.ReadConfig(bytes.NewReader(text)); err != nil {
		return fmt.Errorf("file %s: %w", file, err)
	}
	return nil
}

// configFile names the file to read: the one that was asked for, else the
// first diceref.yaml there is; empty for none.
func configFile(flags *pflag.FlagSet) (string, error) {
	if f := flags.Lookup("config"); f != nil && f.Changed {
		return f.Value.String(), nil
	}
	if file := os.Getenv("DICEREF_CONFIG"); file != "" {
		return file, nil
	}
	places := []string{"diceref.yaml"}
	if dir, err := os.UserConfigDir(); err == nil {
		places = append(places, filepath.Join(dir, "diceref", "diceref.yaml"))
	}
	for _, place := range places {
		_, err := os.Stat(place)
		if err == nil {
			return place, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("cannot read the configuration: %w", err)
		}
	}
	return "", nil
}

// checkFile refuses keys that are unknown, given twice, or of the wrong type.
// The YAML tree is used for it as it alone knows the lines.
func checkFile(doc *yaml.Node) error {
	if len(doc.Content) == 0 {
		return nil
	}
	top := doc.Content[0]
	if top.Kind == yaml.ScalarNode && top.Tag == "!!null" {
		return nil
	}
	if top.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: expected keys and values, for example listen: localhost:8080", top.Line)
	}
	for i := 0; i+1 < len(top.Content); i += 2 {
		name, node := top.Content[i], top.Content[i+1]
		k := findKey(name.Value)
		if k == nil {
			return fmt.Errorf("line %d: unknown key %q%s", name.Line, name.Value, didYouMean(name.Value, func(k key) string { return k.name }))
		}
		var value any
		if err := node.Decode(&value); err != nil {
			return fmt.Errorf("line %d: %s: %w", node.Line, k.name, err)
		}
		if err := k.typed(value); err != nil {
			return fmt.Errorf("line %d: %s: %w", node.Line, k.name, err)
		}
	}
	return nil
}

// typed refuses a value of the file that has not the type of the key. Names of
// players and house rules may look like numbers.
func (k *key) typed(value any) error {
	ok := false
	switch k.def.(type) {
	case string:
		switch value.(type) {
		case string, int: // source: 0
			ok = true
		}
	case bool:
		_, ok = value.(bool)
	case int:
		_, ok = value.(int)
	case []string:
		switch v := value.(type) {
		case string:
			ok = true
		case []any:
			ok = !slices.ContainsFunc(v, func(e any) bool { return !isScalar(e) })
		}
	case map[string]any:
		var m map[string]any
		m, ok = value.(map[string]any)
		for _, v := range m {
			ok = ok && isScalar(v)
		}
	}
	if !ok {
		return fmt.Errorf("expected %s, not %v", k.kind(), value)
	}
	return nil
}

// kind names the type of a key in words.
func (k *key) kind() string {
	switch k.def.(type) {
	case bool:
		return "true or false"
	case int:
		return "a whole number"
	case []string:
		return "a list of names"
	case map[string]any:
		return "names with values (name: value, or name=value on the command line)"
	}
	return "a text"
}

func isScalar(v any) bool {
	switch v.(type) {
	case string, int, bool, float64:
		return true
	}
	return false
}

// value turns what viper found into the key's type and checks it. From the
// environment and from flags everything comes as text.
func (k *key) value(found any) (any, error) {
	value, err := k.convert(found)
	if err == nil && k.check != nil {
		err = k.check(value)
	}
	return value, err
}

func (k *key) convert(found any) (any, error) {
	text, isText := found.(string)
	wrong := fmt.Errorf("expected %s, not %q", k.kind(), text)
	switch k.def.(type) {
	case string:
		return fmt.Sprint(found), nil
	case bool:
		if !isText {
			return found, nil
		}
		v, err := strconv.ParseBool(text)
		if err != nil {
			return nil, wrong
		}
		return v, nil
	case int:
		if !isText {
			return found, nil
		}
		v, err := strconv.Atoi(text)
		if err != nil {
			return nil, wrong
		}
		return v, nil
	case []string:
		return nameList(found), nil
	}
	return optionMap(found)
}

// nameList reads a list: one text with commas, or one text each.
func nameList(found any) []string {
	list := []string{}
	switch v := found.(type) {
	case string:
		if v != "" {
			list = strings.Split(v, ",")
		}
	case []string:
		list = append(list, v...)
	case []any:
		for _, e := range v {
			list = append(list, fmt.Sprint(e))
		}
	}
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// optionMap reads house rules: a map, name=value each, or (the environment)
// name=value separated by semicolons or line ends. A value is taken whole, commas included.
func optionMap(found any) (map[string]any, error) {
	var pairs []string
	switch v := found.(type) {
	case map[string]any:
		return v, nil
	case []string:
		pairs = v
	case string:
		pairs = strings.FieldsFunc(v, func(r rune) bool { return r == ';' || r == '\n' })
	}
	options := make(map[string]any, len(pairs))
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, fmt.Errorf("expected name=value, not %q", pair)
		}
		if _, twice := options[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		options[name] = value
	}
	return options, nil
}

// mergeOptions adds the file's house rules to those of flags or environment
// that do not set the same one: one rule on the command line must not switch
// all others off.
func (s *settings) mergeOptions() {
	origin := s.origins["option"]
	if !s.v.InConfig("option") || strings.HasPrefix(origin, "file ") {
		return
	}
	given := s.values["option"].(map[string]any)
	added := false
	for name, value := range s.fileOptions() {
		if _, set := given[name]; !set {
			given[name], added = value, true
		}
	}
	if added {
		s.origins["option"] = origin + ", and file " + s.file
	}
}

// fileOptions reads the house rules of the file alone.
func (s *settings) fileOptions() map[string]any {
	alone := viper.New()
	alone.SetConfigFile(s.file)
	alone.SetConfigType("yaml")
	if err := alone.ReadInConfig(); err != nil {
		return nil // it was read a moment ago; gone now means no house rules
	}
	return alone.GetStringMap("option")
}

// didYouMean suggests the key whose name is most like the given one, if any is close.
func didYouMean(given string, name func(key) string) string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = name(k)
	}
	if meant := table.Closest(given, names); meant != "" {
		return " (did you mean " + meant + "?)"
	}
	return " (diceref config lists them all)"
}
