package match

import "testing"

// TestAnswersBringBack: nobody declares anything, and what has happened is pruned: a die came to rest where one just like it had just been
// scored. The answers to what is asked then bring it back, and nothing is told wrongly in silence.
func TestAnswersBringBack(t *testing.T) {
	f := newFlickTable(t, 63002, 0, true, true)
	f.look()
	for f.truth.Round() < 4 {
		f.oneTurn()
	}
	f.look()
	f.cells = padOf(f.truth)
	if f.lost == 0 {
		t.Error("what has happened was never pruned")
	}
	if v := f.verdict(); v.silent > 0 || v.accused > 0 || f.strayed {
		t.Errorf("%+v, strayed in the end: %t", v, f.strayed)
	}
}
