package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the README lists is what there is: every command, every key,
// and the pictures and files that it points to.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	readme := string(text)
	known := map[string]bool{}
	for _, cmd := range newRootCommand(&app{settings: newSettings()}).Commands() {
		known[cmd.Name()] = true
		if !strings.Contains(readme, "\n    diceref "+cmd.Name()+" ") {
			t.Errorf("the README does not list diceref %s", cmd.Name())
		}
	}
	for _, line := range strings.Split(readme, "\n") {
		if words := strings.Fields(line); strings.HasPrefix(line, "    diceref ") && !known[words[1]] {
			t.Errorf("the README lists diceref %s, which there is not", words[1])
		}
	}
	for _, k := range keys {
		row := ""
		for _, line := range strings.Split(readme, "\n") {
			if strings.HasPrefix(line, "| ") && strings.Contains(line, "`"+k.name+"`") {
				row = line
				break
			}
		}
		if row == "" {
			t.Errorf("the README does not list the key %s", k.name)
		}
	}
	for _, link := range strings.Split(readme, "](")[1:] {
		target, _, _ := strings.Cut(link, ")")
		if strings.Contains(target, "://") {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, target)); err != nil {
			t.Errorf("the README points to %s: %v", target, err)
		}
	}
}
