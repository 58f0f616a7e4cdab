package dicecreams

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/table"
)

// The optional abilities that this game has.
var (
	_ rules.Winner       = (*State)(nil)
	_ rules.Chancer      = (*State)(nil)
	_ rules.LooseWatcher = (*State)(nil)
)

// testCards are cards whose bonuses are known by their names.
const testCards = `{"label":"test","icecreams":[
 {"id":"plain","fame":2,"spots":[{"colour":null,"bonus":null},{"colour":null,"bonus":null},{"colour":null,"bonus":null}],"completion":null},
 {"id":"second","fame":3,"spots":[{"colour":null,"bonus":null},{"colour":null,"bonus":null},{"colour":null,"bonus":null}],"completion":"second_token"},
 {"id":"orange","fame":1,"spots":[{"colour":null,"bonus":null},{"colour":null,"bonus":null},{"colour":null,"bonus":null}],"completion":"orange_sprinkles"},
 {"id":"draws","fame":1,"spots":[{"colour":null,"bonus":"draw"},{"colour":null,"bonus":"draw"},{"colour":null,"bonus":"draw"}],"completion":"draw"},
 {"id":"sweet","fame":1,"spots":[{"colour":null,"bonus":"sprinkle"},{"colour":null,"bonus":"sprinkle"},{"colour":null,"bonus":"sprinkle"}],"completion":"sprinkle"},
 {"id":"green","fame":1,"spots":[{"colour":"green","bonus":null},{"colour":"green","bonus":null},{"colour":"green","bonus":null}],"completion":null},
 {"id":"spare-1","fame":1,"spots":[{"colour":"green","bonus":null},{"colour":"green","bonus":null},{"colour":"green","bonus":null}],"completion":null},
 {"id":"spare-2","fame":1,"spots":[{"colour":"green","bonus":null},{"colour":"green","bonus":null},{"colour":"green","bonus":null}],"completion":null},
 {"id":"spare-3","fame":1,"spots":[{"colour":"green","bonus":null},{"colour":"green","bonus":null},{"colour":"green","bonus":null}],"completion":null},
 {"id":"spare-4","fame":1,"spots":[{"colour":"green","bonus":null},{"colour":"green","bonus":null},{"colour":"green","bonus":null}],"completion":null}]}`

// sides: even 4,3,2; same 5; sequence 6.
const testSides = `{"label":"test","customers":[
 {"id":"Even","sides":[{"requirement":"even","fame":[4,3,2]},{"requirement":"even","fame":1}]},
 {"id":"Same","sides":[{"requirement":"same","fame":5},{"requirement":"even","fame":1}]},
 {"id":"Seq","sides":[{"requirement":"sequence","fame":6},{"requirement":"even","fame":1}]}]}`

// atDraft is a position of the draft with the given Fridge; cards go where put says
// ("plain:A=blue3,-,- second:A" — an owner's dice by spot; "x:done-A"; others stay in
// the deck), the display is spare-1 and spare-2.
func atDraft(t *testing.T, players int, options map[string]any, fridge, put string) *State {
	t.Helper()
	g, err := Game.New(rules.Setup{
		Players: players, Options: options,
		Files: map[string]json.RawMessage{CardsFile: json.RawMessage(testCards), CustomersFile: json.RawMessage(testSides)},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := g.(*State).clone()
	s.todo, s.phase = nil, drafting
	s.creams[s.cardIndex("spare-1")].place = displayed
	s.creams[s.cardIndex("spare-2")].place = displayed
	if s.opt.deckTop {
		s.creams[s.cardIndex("spare-3")].place = displayed
	}
	take := func(text string) table.Die {
		d, err := parseDie(text)
		if err != nil {
			t.Fatal(err)
		}
		s.draw([]table.Die{d})
		return d
	}
	for _, w := range strings.Fields(fridge) {
		s.fridge = append(s.fridge, take(w))
	}
	for _, w := range strings.Fields(put) {
		card, where, _ := strings.Cut(w, ":")
		c := &s.creams[s.cardIndex(card)]
		if who, ok := strings.CutPrefix(where, "done-"); ok {
			*c = cream{place: completed, owner: int(who[0] - 'A')}
			continue
		}
		*c = cream{place: started, owner: int(where[0] - 'A')}
		if len(where) > 2 {
			for i, d := range strings.Split(where[2:], ",") {
				if d != "-" {
					c.dice[i] = take(d)
				}
			}
		}
	}
	return s
}

// play plays legal acts; a line "... ! CODES" is refused for these reasons.
func play(t *testing.T, s *State, lines ...string) *State {
	t.Helper()
	for _, line := range lines {
		text, codes, illegal := strings.Cut(line, " ! ")
		m, err := Game.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		err = s.Check(m)
		if illegal {
			why, _ := err.(rules.Illegal)
			if got := strings.Join(why.Codes(), " "); got != codes {
				t.Fatalf("%s: reasons %q, want %q", text, got, codes)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		next, err := s.Apply(m)
		if err != nil {
			t.Fatal(err)
		}
		s = next.(*State)
	}
	return s
}

func totals(s *State) string {
	var n []int
	for _, sheet := range s.Score() {
		n = append(n, sheet.Total)
	}
	return fmt.Sprint(n)
}

// TestAuthorsExample follows RULES.md 4.10: Joan, Paul and Martin are A, B and C.
func TestAuthorsExample(t *testing.T) {
	s := atDraft(t, 3, nil, "green4 blue4 black3 green1 yellow1 yellow5", "sweet:A=-,yellow2,- second:B=green3,black3,- plain:C")
	s.sprinkles[1], s.supply = 1, s.supply-1
	s = play(t, s,
		"A take green4 sweet.0", "A gain 1", "A done",
		"B take blue4 second.2 -1", "B serve Same", "B away second", "B second Same",
		"C take black3 plain.0",
		"A melt sweet.0=3 sweet.1=- plain.0=3",
		"A clean B")
	if got := totals(s); got != "[0 13 0]" { // 3 for the card, twice 5
		t.Errorf("scores %s", got)
	}
	if s.ToMove() != rules.Nature || s.lead != 1 {
		t.Errorf("%v is to move, %d leads", s.ToMove(), s.lead)
	}
}

func TestFifthIceCream(t *testing.T) {
	put := "plain:A=blue1,blue2,- spare-3:done-A spare-4:done-A green:done-A orange:done-A"
	s := atDraft(t, 2, nil, "black1 black2 black4 black6 orange1", put)
	s = play(t, s, "A take black4 plain.2", "A away plain", "B discard black6", "B done",
		"A melt", "A clean B", "A done ! DC-OVER", "nature draw black1 ! DC-OVER")
	if s.ToMove() != rules.Nobody || fmt.Sprint(s.Winners()) != "[A]" {
		t.Errorf("%v to move, %v win", s.ToMove(), s.Winners())
	}
	s = atDraft(t, 2, map[string]any{"final_turn": "finish_draft_step_only"}, "black1 black2 black4 black6 orange1", put)
	if s = play(t, s, "A take black4 plain.2", "A away plain"); !s.over {
		t.Error("the game goes on after the draft step")
	}
}

func TestOrangeBonus(t *testing.T) {
	put := "orange:A=orange1,blue2,-"
	s := play(t, atDraft(t, 1, nil, "orange4 black2 black4 black6", put), "A take orange4 orange.2", "A away orange",
		"A gain 1 ! DC-BONUS", "A gain 2")
	if s.sprinkles[0] != 2 {
		t.Errorf("%d Sprinkles for two orange dice", s.sprinkles[0])
	}
	s = atDraft(t, 1, map[string]any{"orange_bonus": "each_time_placed"}, "orange4 black2 black4 black6", put)
	s = play(t, s, "A take orange4 orange.2", "A gain 1", "A away orange")
	if s.sprinkles[0] != 1 || len(s.todo) > 0 {
		t.Errorf("%d Sprinkles, still to do %v", s.sprinkles[0], s.todo)
	}
}

func TestComponentsRunOut(t *testing.T) {
	s := atDraft(t, 1, nil, "blue4 black2 black4 black6", "sweet:A")
	s.supply = 0
	s = play(t, s, "A take blue4 sweet.0")
	if s.sprinkles[0] != 0 || s.phase != melting {
		t.Errorf("gained %d of no Sprinkles", s.sprinkles[0])
	}
	s = atDraft(t, 1, nil, "blue4 black2 black4 black6", "second:A=blue2,blue6,-")
	s.pouring[0] = 0
	s = play(t, s, "A take blue4 second.2", "A serve Even ! DC-TOKEN-REQ DC-COMPLETE", "A away second")
	if len(s.todo) > 0 {
		t.Errorf("still to do without tokens: %v", s.todo)
	}
	s = atDraft(t, 1, nil, "blue4 black2 black4 black6", "second:A=blue2,blue6,-")
	s.pouring[0] = 1
	s = play(t, s, "A take blue4 second.2", "A serve Even", "A away second")
	if len(s.todo) > 0 || totals(s) != "[7]" {
		t.Errorf("a second token without any left: %v, %s", s.todo, totals(s))
	}
	s = atDraft(t, 1, nil, "blue4 black2 black4 black6", "draws:A")
	s.pouch, s.aside = [5]int{}, [5]int{}
	if s = play(t, s, "A take blue4 draws.0"); s.phase != melting {
		t.Error("a draw from nothing is still due")
	}
}

// TestNestedCompletion fills the card whose bonus is being resolved.
func TestNestedCompletion(t *testing.T) {
	s := atDraft(t, 1, nil, "blue4 black2 black4 black6", "draws:A=-,blue2,- green:A")
	s = play(t, s, "A take blue4 draws.0", "nature roll yellow6", "A set aside ! DC-MUSTPLACE", "A set draws.2",
		"nature roll orange1", // spot 2 draws too: nothing but green is left
		"A set green.0 ! DC-COLOUR", "A set draws.0 ! DC-SPOT-TAKEN DC-FINISHED", "A set aside",
		"A done ! DC-TOKEN-MISSING", "A serve Even", "A away draws", "nature roll green2", "A set green.1")
	if s.phase != melting || len(s.todo) > 0 {
		t.Errorf("phase %s, to do %v", phaseNames[s.phase], s.todo)
	}
}

func TestBonusAgainAfterMelting(t *testing.T) {
	s := atDraft(t, 1, nil, "blue4 black1 black4 black6", "sweet:A=black2,-,-")
	s = play(t, s, "A discard blue4", "A done", "A melt sweet.0=-", "A clean A",
		"nature draw green1,green2,green3,green4", "A take green4 sweet.0", "A gain 1", "A done")
	if s.sprinkles[0] != 2 {
		t.Errorf("%d Sprinkles, want one of the discard and one of the spot", s.sprinkles[0])
	}
}

// TestFullCardIsNoLongerUnfinished starts a third card with the die that the last
// spot of the first one draws.
func TestFullCardIsNoLongerUnfinished(t *testing.T) {
	s := atDraft(t, 1, nil, "blue4 black1 black4 black6", "draws:A=black2,-,blue2 green:A")
	play(t, s, "A take blue4 draws.1", "nature roll green5", "A set spare-1.0", "nature reveal plain", "A serve Even", "A away draws")
}

func TestEmptyIceCreams(t *testing.T) {
	for option, reveal := range map[string]string{"discard_pile_reshuffled": "[plain sweet]", "bottom_of_deck": "[sweet]", "out_of_game": "[]"} {
		s := atDraft(t, 1, map[string]any{"discarded_cards": option}, "blue4 black1 black4 black6", "sweet:A plain:A")
		for _, c := range []string{"second", "orange", "draws", "green", "spare-3", "spare-4"} {
			s.creams[s.cardIndex(c)].place = outOfGame
		}
		s = play(t, s, "A discard blue4", "A done", "A toss sweet ! DC-DISCARD-IC", "A melt", "A toss sweet", "A toss plain")
		var names []string
		for _, i := range s.revealable() {
			names = append(names, s.box.Cards[i].ID)
		}
		slices.Sort(names)
		if got := fmt.Sprint(names); got != reveal {
			t.Errorf("%s: next in the deck %s, want %s", option, got, reveal)
		}
	}
}

func TestWindows(t *testing.T) {
	put := "plain:A=blue3,-,- second:B=blue3,-,-"
	s := atDraft(t, 2, nil, "black1 black2 black4 black6 orange1", put)
	s.sprinkles = [maxSeats]int{5, 5}
	s = play(t, s, "B bump second.0 +1 ! DC-WINDOW", "A bump second.0 +1 ! DC-TARGET", "A bump plain.0 +3", "A discard black1",
		"A bump plain.0 -1", "A done", "A bump plain.0 -1", "A buy ! DC-NOSPRINKLE", "B buy", "B bump second.0 +1 ! DC-WINDOW DC-BONUS",
		"nature roll green1", "B set second.1 +1", "B discard black2", "B done", "B bump second.0 -1 ! DC-WINDOW", "A bump plain.0 +1",
		"A melt plain.0=5 second.0=3 second.1=2", "A bump plain.0 +1 ! DC-WINDOW DC-NOSPRINKLE")
	if s.sprinkles != [maxSeats]int{0, 3} {
		t.Errorf("Sprinkles %v", s.sprinkles)
	}
	s = atDraft(t, 2, map[string]any{"sprinkle_window": "own_draft_step", "sprinkle_targets": "any"}, "black1 black2 black4 black6 orange1", put)
	s.sprinkles = [maxSeats]int{5, 5}
	play(t, s, "A bump second.0 +1", "A discard black1", "A done", "A bump plain.0 +1 ! DC-WINDOW")
}

func TestPouchRefill(t *testing.T) {
	for option, want := range map[string][2]int{"immediately": {21, 0}, "when_needed": {0, 21}} {
		s := atDraft(t, 1, map[string]any{"refill_pouch": option}, "", "plain:A")
		s.phase = drawing
		s.pouch, s.aside = [5]int{1, 1, 1, 1, 0}, [5]int{4, 4, 4, 4, 5}
		s = play(t, s, "nature draw green1,blue1,yellow1,orange1 ! DC-DRAWCOUNT", "nature draw green1,blue1,yellow1,black1")
		if got := [2]int{sum(s.pouch), sum(s.aside)}; got != want {
			t.Errorf("%s: pouch and set aside %v, want %v", option, got, want)
		}
	}
	s := atDraft(t, 1, nil, "", "plain:A")
	s.phase = drawing
	s.pouch, s.aside = [5]int{1, 1, 0, 0, 0}, [5]int{4, 4, 5, 5, 5}
	s = play(t, s, "nature draw green1,green1,green1,orange1 ! DC-DRAWCOUNT", "nature draw green1,green1,blue1,orange1")
	if sum(s.pouch) != 21 || sum(s.aside) != 0 {
		t.Errorf("after drawing on: pouch %v, aside %v", s.pouch, s.aside)
	}
}

func sum(n [5]int) (total int) {
	for _, k := range n {
		total += k
	}
	return total
}

func TestDeckTop(t *testing.T) {
	s := atDraft(t, 1, map[string]any{"deck_top_available": true}, "green4 black1 black4 black6", "")
	s = play(t, s, "A take green4 spare-3.0", "A discard black1 ! DC-TURN DC-REFILL", "nature reveal plain")
	if s.count(displayed, -1) != 3 {
		t.Errorf("%d cards can be chosen", s.count(displayed, -1))
	}
}

func TestDrawnDieMayBeSetAside(t *testing.T) {
	s := atDraft(t, 1, map[string]any{"extra_die_must_place": false}, "green4 black1 black4 black6", "draws:A")
	s = play(t, s, "A take green4 draws.0", "nature roll blue2", "A set aside +1 ! DC-TARGET", "A set aside")
	if s.phase != melting {
		t.Error("something is still due")
	}
}

func TestSequenceInSpotOrder(t *testing.T) {
	for inOrder, codes := range map[bool]string{false: "", true: "DC-TOKEN-REQ DC-COMPLETE"} {
		s := atDraft(t, 1, map[string]any{"sequence_in_spot_order": inOrder}, "green4 black1 black4 black6", "plain:A=blue5,blue3,-")
		line := "A serve Seq"
		if codes != "" {
			line += " ! " + codes
		}
		play(t, s, "A take green4 plain.2", line)
	}
}

func TestProposeLoose(t *testing.T) {
	see := func(text string) (list []table.Reading) {
		for _, w := range strings.Fields(text) {
			d, err := parseDie(w)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, table.Reading{Die: d, Confidence: 1})
		}
		return list
	}
	words := func(moves []rules.Move) string {
		var w []string
		for _, m := range moves {
			w = append(w, m.String())
		}
		return strings.Join(w, "; ")
	}
	s := atDraft(t, 1, nil, "", "plain:A")
	s.phase = drawing
	if got := words(s.ProposeLoose(nil, see("blue4 green2 black1 green1"))); got != "nature draw green1,green2,blue4,black1" {
		t.Errorf("a filled Fridge is proposed as %q", got)
	}
	s = atDraft(t, 1, nil, "blue4 black1 black4 black6", "plain:A=blue1,blue1,- green:A")
	if got := words(picks(s, see("black1 black6 black4"))); got != "A discard blue4; A take blue4 plain.2" {
		t.Errorf("a die gone from the Fridge is proposed as %q", got)
	}
	if got := words(picks(s, see("black1 black6 black5"))); got != "" {
		t.Errorf("another Fridge is proposed as %q", got)
	}
}

func TestChanceIsFair(t *testing.T) {
	s := atDraft(t, 1, nil, "", "plain:A")
	s.phase, s.pouch, s.aside = drawing, [5]int{0, 0, 3, 0, 0}, [5]int{5, 5, 2, 5, 5}
	for seed := range uint64(50) {
		m := s.Chance(rand.New(rand.NewPCG(seed, 0))).(Move)
		if err := s.Check(m); err != nil {
			t.Fatalf("seed %d: %v: %v", seed, m, err)
		}
		if n := strings.Count(m.List, "yellow"); n < 3 {
			t.Fatalf("seed %d: the pouch held three yellow dice: %v", seed, m)
		}
	}
}

func TestNotation(t *testing.T) {
	for _, text := range []string{
		"nature draw green4,blue1", "A take green4 mint-1.0 +1 =5", "A take green4", "A discard blue1", "A bump mint-1.0 -1",
		"A buy", "nature roll green4", "A set mint-1.0", "A set aside", "nature reveal mint-1", "A gain 1", "A serve Ada,Ben", "A away mint-1",
		"A second none", "A done", "A melt", "A melt mint-1.0=3 mint-1.1=-", "A toss mint-1", "A clean B",
	} {
		m, err := Game.ParseMove(text)
		if err != nil || m.String() != text {
			t.Errorf("%s comes back as %v (%v)", text, m, err)
		}
	}
	for _, text := range []string{
		"", "A", "A sing", "z done", "A take", "A take red4", "A take green7", "A take green4 mint", "A take green4 mint-1.x",
		"A take green4 mint-1.0 5", "A take green4 mint-1.0 +x", "A gain x", "A clean", "A clean 7", "nature draw green4,", "A done now",
	} {
		if m, err := Game.ParseMove(text); err == nil {
			t.Errorf("%q is read as %v", text, m)
		}
	}
}

// TestReconcileDraft lets a Fridge be filled, and a die leave it for one of two places.
func TestReconcileDraft(t *testing.T) {
	view := func(text string) table.Observation {
		seen := table.Observation{Game: table.DiceCreams, Look: table.LookStill, Read: true}
		for _, w := range strings.Fields(text) {
			d, err := parseDie(w)
			if err != nil {
				t.Fatal(err)
			}
			seen.Dice = append(seen.Dice, table.Reading{Die: d, Confidence: 0.999, Sure: true})
		}
		return seen
	}
	s := atDraft(t, 1, nil, "", "plain:A")
	s.phase = drawing
	got := rules.Reconcile(s, view("blue4 green2 black1 green1"), rules.ReconcileOptions{})
	if got.Verdict != rules.Explained || got.Line[0].String() != "nature draw green1,green2,blue4,black1" {
		t.Errorf("a filled Fridge: %s %s", got.Verdict, got.Story)
	}
	s = atDraft(t, 1, nil, "blue4 black1 black4 black6", "plain:A=blue1,blue1,- green:A")
	got = rules.Reconcile(s, view("black1 black4 black6"), rules.ReconcileOptions{})
	var stories []string
	for _, story := range got.Stories {
		stories = append(stories, story.String())
	}
	if got.Verdict != rules.Ambiguous || !slices.Contains(stories, "A discard blue4") || !slices.Contains(stories, "A take blue4 plain.2") {
		t.Errorf("a die gone: %s %v", got.Verdict, stories)
	}
}
