package calibration

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"diceref/table"
)

func TestZonesForEveryTable(t *testing.T) {
	for _, game := range []table.Game{table.FromageATrois, table.DiceCreams} {
		for n := game.Kit().Players[0]; n <= game.Kit().Players[1]; n++ {
			p := &Profile{Game: game, Zones: ZonesFor(game, n)}
			path := filepath.Join(t.TempDir(), "zones.json")
			if err := p.Save(path); err != nil {
				t.Fatal(err)
			}
			got, err := Load(path)
			if err != nil {
				t.Fatalf("%s for %d: %v", game, n, err)
			}
			if d := cmp.Diff(p, got, cmpopts.EquateApprox(0, 1e-4)); d != "" {
				t.Errorf("%s for %d: loaded profile differs (-saved +loaded):\n%s", game, n, d)
			}
			if err := CheckZones(game, n, got.Zones); err != nil {
				t.Errorf("%s for %d: %v", game, n, err)
			}
			apart(t, got.Zones)
		}
	}
	if z := ZonesFor(table.DiceBox, 2); z != nil {
		t.Errorf("Dice Box has zones %v, but its board tells places", z)
	}
}

// apart wants that no place is in two zones.
func apart(t *testing.T, zones []Zone) {
	t.Helper()
	for x := 0.005; x < 1; x += 0.01 {
		for y := 0.005; y < 1; y += 0.01 {
			in := 0
			for i := range zones {
				if zones[i].Holds(table.Point{X: x, Y: y}) {
					in++
				}
			}
			if in > 1 {
				t.Fatalf("(%.3f, %.3f) lies in %d zones", x, y, in)
			}
		}
	}
}

func TestSmallerZoneWins(t *testing.T) {
	zones := []Zone{
		{Name: "tray", Outline: box(0.4, 0.4, 0.6, 0.6)},
		{Name: "table", Outline: box(0, 0, 1, 1)},
		{Name: "corner", Outline: box(0, 0, 0.1, 0.1)},
	}
	for at, want := range map[table.Point]int{{X: 0.5, Y: 0.5}: 0, {X: 0.05, Y: 0.05}: 2, {X: 0.2, Y: 0.8}: 1, {X: 1.2, Y: 0.5}: -1} {
		if got := ZoneOf(zones, at); got != want {
			t.Errorf("%v lies in zone %d, want %d", at, got, want)
		}
	}
}

func TestZonesAreChecked(t *testing.T) {
	good := ZonesFor(table.FromageATrois, 3)
	if err := CheckZones(table.FromageATrois, 4, good); err == nil || !strings.Contains(err.Error(), "place 4") {
		t.Errorf("zones for three do for four: %v, want an error that names place 4", err)
	}
	if err := CheckZones(table.FromageATrois, 3, good[1:]); err != nil {
		t.Errorf("a table whose shop lies out of view is refused: %v", err)
	}
	for what, spoil := range map[string]func(zones []Zone){
		`"shop" and "cart" overlap`: func(zones []Zone) { // in any order
			for i := range zones[1].Outline {
				zones[1].Outline[i].X -= 0.1
			}
		},
		`"cart" has no kind`: func(zones []Zone) { zones[1].Kind = "" },
		`"cart" has no area`: func(zones []Zone) { zones[1].Outline = []table.Point{{X: .1, Y: .1}, {X: .2, Y: .2}, {X: .3, Y: .3}} },
	} {
		zones := ZonesFor(table.FromageATrois, 3)
		spoil(zones)
		err := CheckZones(table.FromageATrois, 3, zones)
		if err == nil || !strings.Contains(err.Error(), strings.Replace(what, `"shop" and "cart"`, `"cart" and "shop"`, 1)) && !strings.Contains(err.Error(), what) {
			t.Errorf("error %v, want one that says %s", err, what)
		}
	}
	within := append(ZonesFor(table.FromageATrois, 3), Zone{Name: "tray", Kind: ZoneTray, Outline: box(0.6, 0.4, 0.7, 0.5)})
	if err := CheckZones(table.FromageATrois, 3, within); err != nil {
		t.Errorf("a tray within the cart is refused: %v", err)
	}
	bad := map[string]string{
		`[{"name":"a","kind":"cellar","outline":[[0,0],[1,0],[1,1]]}]`:                            "cellar",
		`[{"name":"a","kind":"cart","outline":[[0,0],[1,0],[1,1.5]]}]`:                            "is outside the picture",
		`[{"name":"a","kind":"cart","seat":-1,"outline":[[0,0],[1,0],[1,1]]}]`:                    "seat",
		`[{"name":"a","kind":"cart","outline":[[0,0],[1,0]]}]`:                                    "corners",
		`[{"name":"a","outline":[[0,0],[1,0],[1,1]]},{"name":"a","outline":[[0,0],[1,0],[1,1]]}]`: "two zones",
		`[{"name":"a","outline":["x"]}]`:                                                          "zone",
	}
	for text, want := range bad {
		path := filepath.Join(t.TempDir(), "p.json")
		if err := os.WriteFile(path, []byte(`{"game":"fromage-a-trois","zones":`+text+`}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "p.json") {
			t.Errorf("%s: error %v, want one that says %q and names the file", text, err, want)
		}
	}
}
