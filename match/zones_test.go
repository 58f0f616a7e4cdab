package match

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"diceref/calibration"
	"diceref/match/internal/readings"
	"diceref/rules"
	"diceref/rules/fromage"
	"diceref/scoring"
	"diceref/table"
)

// lyingDie is one die of a played table.
type lyingDie struct {
	table.Die
	at   zoneKey
	slot int // place in its zone
}

// zoneTable is a table of Fromage á Trois, or of another game by zones, that is played
// with real dice: they lie where they were put until somebody moves them.
type zoneTable struct {
	game  table.Game
	zones []calibration.Zone
	dice  []lyingDie
	frame int
}

var (
	cartKey, shopKey  = zoneKey{kind: calibration.ZoneCart}, zoneKey{kind: calibration.ZoneShop}
	fridgeKey         = zoneKey{kind: calibration.ZoneFridge}
	asideKey, trayKey = zoneKey{kind: calibration.ZoneSupply}, zoneKey{kind: calibration.ZoneTray}
)

func placeKey(p rules.Player) zoneKey { return zoneKey{calibration.ZonePlace, int(p)} }

func newFromageTable(players int) *zoneTable {
	t := &zoneTable{game: table.FromageATrois, zones: calibration.ZonesFor(table.FromageATrois, players)}
	for i := range fromage.Dice {
		t.dice = append(t.dice, lyingDie{table.Die{Color: table.White, Face: 1 + i%6}, shopKey, i})
	}
	return t
}

// free is a slot of a zone in which nothing lies.
func (t *zoneTable) free(at zoneKey) int {
	used := map[int]bool{}
	for _, d := range t.dice {
		if d.at == at {
			used[d.slot] = true
		}
	}
	for i := 0; ; i++ {
		if !used[i] {
			return i
		}
	}
}

// move takes a die that shows a face from one zone to another, where it shows to; 0: what it showed.
func (t *zoneTable) move(from zoneKey, face int, at zoneKey, to int) {
	for i := range t.dice {
		if d := &t.dice[i]; d.at == from && (d.Face == face || face == 0) {
			d.slot, d.at = t.free(at), at
			if to != 0 {
				d.Face = to
			}
			return
		}
	}
	panic(fmt.Sprintf("no %d lies in %v", face, from))
}

func (t *zoneTable) moveAll(from zoneKey, dice scoring.Faces, at zoneKey) {
	for _, f := range dice.List() {
		t.move(from, f, at, 0)
	}
}

// play moves the dice as an act does.
func (t *zoneTable) play(s *fromage.State, mv fromage.Move) {
	mine := placeKey(mv.Seat)
	switch mv.Kind {
	case fromage.Roll:
		for _, f := range mv.Dice.List() {
			t.move(shopKey, 0, cartKey, f)
		}
	case fromage.Keep, fromage.Compensate:
		t.moveAll(cartKey, mv.Dice, mine)
	case fromage.Steal:
		t.moveAll(placeKey(mv.From), mv.Dice, mine)
	case fromage.Fromage:
		for _, k := range mv.Takes[:mv.NTake] {
			t.move(placeKey(k.From), k.Face, mine, 0)
		}
		t.moveAll(mine, mv.Dice, shopKey)
	case fromage.End:
		back, _ := scoring.FromageSets(s.Hand(mv.Seat))
		if mv.Returned {
			back = mv.Dice
		}
		t.moveAll(mine, back, shopKey)
		t.moveAll(cartKey, s.Cart(), shopKey)
	}
}

// outline is the zone of a key.
func (t *zoneTable) outline(at zoneKey) []table.Point {
	for _, z := range t.zones {
		if z.Kind == at.kind && (z.Seat == at.seat || z.Kind != calibration.ZonePlace) {
			return z.Outline
		}
	}
	panic(fmt.Sprintf("no zone %v", at))
}

const tableWidth, tableHeight = 1600, 1200

// point is where a slot of a zone lies in the picture.
func (t *zoneTable) point(at zoneKey, slot int) table.Point {
	const pitch, side = 44.0, 24.0
	o := t.outline(at)
	left, top, right := o[0].X*tableWidth, o[0].Y*tableHeight, o[2].X*tableWidth
	row := int((right - left - side) / pitch)
	return table.Point{X: left + side + pitch*float64(slot%row), Y: top + side + pitch*float64(slot/row)}
}

// view is a perfect reading of the table.
func (t *zoneTable) view() table.Observation {
	obs := table.Observation{
		Game: t.game, Frame: t.frame, T: float64(t.frame) / 10, Width: tableWidth, Height: tableHeight, Look: table.LookStill, Read: true,
	}
	for _, d := range t.dice {
		obs.Dice = append(obs.Dice, readings.Sure(d.Die, nil, t.point(d.at, d.slot)))
	}
	return obs
}

// faces is what a camera can tell of the table: how many dice are in the shop, and
// what the others show.
func (t *zoneTable) faces() (list []string) {
	for _, d := range t.dice {
		if d.at == shopKey {
			d.Face = 0
		}
		list = append(list, fmt.Sprint(d.at, d.Face))
	}
	slices.Sort(list)
	return list
}

// doubtfully reads a die as another one although it is more or less likely what it was.
func doubtfully(r *table.Reading, face int, likely float64) {
	was := r.Face
	r.Face, r.Sure, r.Confidence = face, false, 1-likely
	r.Faces = [7]float64{}
	r.Faces[was], r.Faces[face] = likely, 1-likely
}

// change spoils a view on its way to the match.
type change func(*table.Observation)

// show lets the match see a hand and then the table as it lies for a while.
func (t *zoneTable) show(m *Match, changes ...change) { t.showFor(m, 8, changes...) }

// showFor is the same for so many frames.
func (t *zoneTable) showFor(m *Match, frames int, changes ...change) {
	for range 3 {
		t.frame++
		m.See(table.Observation{Game: t.game, Frame: t.frame, T: float64(t.frame) / 10, Width: tableWidth, Height: tableHeight, Look: table.LookHand})
	}
	for range frames {
		t.frame++
		obs := t.view()
		for _, c := range changes {
			c(&obs)
		}
		m.See(obs)
	}
}

func (t *zoneTable) match(tb testing.TB, options map[string]any) *Match {
	names := []string{"A", "B", "C", "D", "E"}
	players := 0
	for _, z := range t.zones {
		if z.Kind == calibration.ZonePlace {
			players++
		}
	}
	m, err := New(Config{Game: t.game, Players: names[:players], Options: options, Zones: t.zones})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// toldActs is what a match told, one line an act, and what it asked.
func toldActs(m *Match) []string {
	var list []string
	for _, e := range m.Events() {
		switch e.Type {
		case TypeMove:
			text := fmt.Sprint(e.Move)
			if !*e.Legal {
				text += " " + e.Code
			}
			list = append(list, text)
		case TypeDoubt:
			list = append(list, "doubt")
		case TypeTakeback:
			list = append(list, "takeback "+e.Player)
		case TypeEnd:
			list = append(list, fmt.Sprint("end ", e.Scores))
		}
	}
	return list
}

// TestZonesDrawnAnew: zones that are changed in the middle of a match count at once, and are
// kept; a die that is in another zone by them has not been moved.
func TestZonesDrawnAnew(t *testing.T) {
	j := openTestJournal(t, filepath.Join(t.TempDir(), "journal.db"))
	c := keptCheese(t, j)
	c.play("A roll 11356")
	c.show()
	c.tells("A roll 11356")
	zones := slices.Clone(c.tab.zones)
	at := func(kind string) int {
		return slices.IndexFunc(zones, func(z calibration.Zone) bool { return z.Kind == kind && z.Seat == 0 })
	}
	cart, place := at(calibration.ZoneCart), at(calibration.ZonePlace)
	zones[cart].Outline, zones[place].Outline = zones[place].Outline, zones[cart].Outline
	if err := c.m.SetZones(zones[:1]); err == nil {
		t.Error("zones without a Cart are accepted")
	}
	if err := c.m.SetZones(zones); err != nil {
		t.Fatal(err)
	}
	c.show() // by the new zones the roll lies in A's place
	c.tells("A roll 11356")
	c.tab.zones = zones
	c.show() // it is pushed to where the Cart is now
	c.tells("A roll 11356")
	var err error
	if c.m, err = Resume(j, "one", nil); err != nil {
		t.Fatal(err)
	}
	c.play("A keep 11")
	c.show()
	if got := position(c.m); digest(got) != digest(c.s) {
		t.Errorf("A holds %v, want %v", got.Hand(0), c.s.Hand(0))
	}
}

// parse reads an act of Fromage á Trois.
func parse(tb testing.TB, text string) fromage.Move {
	mv, err := fromage.Game.ParseMove(text)
	if err != nil {
		tb.Fatal(err)
	}
	return mv.(fromage.Move)
}

// position is where the match stands.
func position(m *Match) *fromage.State { return m.line.now().(*fromage.State) }

var _ rules.Move = fromage.Move{}
