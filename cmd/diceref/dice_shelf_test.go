package main

import (
	"log/slog"
	"path/filepath"
	"testing"

	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/owned"
	"diceref/web"
)

// TestDiceOfASetup: the set that a set-up names is what the eye reads by and what its icons count by; one that is not there, or for
// another game, is refused.
func TestDiceOfASetup(t *testing.T) {
	h := newHost(t.Context(), eye.Config{Path: "diceref-eye"}, t.TempDir(), "", slog.New(slog.DiscardHandler))
	h.sets = shelf(h.data)
	file := filepath.Join(h.data, "dice", "ours.json")
	save := func(names ...owned.Name) {
		t.Helper()
		set := owned.NewSet(table.DessertDice, "")
		for _, name := range names {
			set.Groups = append(set.Groups, owned.Group{Name: name, Tops: []owned.Top{{Picture: new(owned.Picture), Signature: new(owned.Signature)}}})
		}
		if err := makePrivate(filepath.Dir(file)); err != nil {
			t.Fatal(err)
		}
		if err := set.Save(file); err != nil {
			t.Fatal(err)
		}
	}
	save("popsicle")
	sight := web.Sight{Source: web.SourceNone, Dice: "ours"}
	first, err := h.sightOf(table.DessertDice, sight, true)
	if err != nil {
		t.Fatal(err)
	}
	if cfg, err := h.eyeConfig(first); err != nil || cfg.Dice == nil || cfg.Dice.Groups[0].Name != "popsicle" {
		t.Errorf("the eye reads by %+v, %v", cfg.Dice, err)
	}
	if again, err := h.sightOf(table.DessertDice, sight, true); err != nil || !again.same(first) {
		t.Errorf("the same set asks for another eye, %v", err)
	}
	save("popsicle", "ice cream")
	if taught, err := h.sightOf(table.DessertDice, sight, true); err != nil || taught.same(first) {
		t.Errorf("a set that was shown more of keeps the eye that knows less, %v", err)
	}
	for game, want := range map[table.Game]string{table.DiceBox: owned.FaultGame, table.DessertDice: ""} {
		if _, err := h.sightOf(game, sight, true); code(err) != want {
			t.Errorf("%s: %v, want %q", game, err, want)
		}
	}
	for name, want := range map[string]string{"nobody's": owned.FaultGone, "../ours": owned.FaultName} {
		if _, err := h.sightOf(table.DessertDice, web.Sight{Source: web.SourceNone, Dice: name}, true); code(err) != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}

	if err := h.Begin(web.Setup{Game: table.DessertDice, Players: []string{"Ada", "Ben"}, Sight: sight}, web.Asker{Here: true}); err != nil {
		t.Fatal(err)
	}
	defer h.close()
	if h.cfg.Options[profileRule] == nil {
		t.Error("the icons of the dice do not count")
	}
	if drawn := h.drawnDice(); drawn == nil || len(drawn.Drawn()) != 2 {
		t.Errorf("pages draw by %+v", drawn)
	}
	h.mu.Lock()
	h.now.Source = web.SourceDemo
	h.mu.Unlock()
	if h.drawnDice() != nil {
		t.Error("the demo's dice are drawn as the owner's")
	}
	h.mu.Lock()
	h.now.Source = web.SourceNone
	h.mu.Unlock()
	if now := h.Setup().Now; now.Dice != "ours" || now.Options[profileRule] != nil {
		t.Errorf("the set-up in force is %+v", now)
	}
	last, ok, err := kept(h.data)
	if err != nil || !ok || last.Dice != "ours" || last.Options[profileRule] != nil {
		t.Errorf("kept for next time: %+v, %v", last, err)
	}
}
