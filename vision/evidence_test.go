package vision

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"diceref/vision/measure"
)

// TestEvidence writes what vision/training/confidence.py fits the confidence to: a line for every reading of the loose dice in the folders of
// $DICEREF_EVIDENCE, a list as a path is, with what it was worth, whether it may be sure and all evidence.
func TestEvidence(t *testing.T) {
	dirs := os.Getenv("DICEREF_EVIDENCE")
	if dirs == "" {
		t.Skip("only to gather evidence")
	}
	out, err := os.Create(os.Getenv("DICEREF_EVIDENCE_TO"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	r := opened(t)
	fmt.Fprintf(out, "part\tpicture\toutcome\tmay\tconfidence\t%s\n", strings.Join(evidenceNames[:], "\t"))
	for _, dir := range filepath.SplitList(dirs) {
		pictures, err := measure.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i := range pictures {
			if p := &pictures[i]; p.Corners == nil && p.Part() != "judge" {
				writeEvidence(t, r, p, out)
			}
		}
	}
}

func writeEvidence(t *testing.T, r *Recognizer, p *measure.Picture, out *os.File) {
	t.Helper()
	img := gocv.IMRead(p.Path, gocv.IMReadColor)
	defer img.Close()
	type known struct {
		evidence
		may bool
	}
	of := map[float64]known{}
	recordEvidence = func(confidence float64, may bool, e *evidence) { of[confidence] = known{*e, may} }
	defer func() { recordEvidence = nil }()
	o, err := r.Read(img, p.Game)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range measure.Compare(p, o).Outcomes {
		k, ok := of[o.Dice[i].Confidence]
		if w == measure.Excused || !ok {
			continue
		}
		fmt.Fprintf(out, "%s\t%s\t%d\t%v\t%.4f", p.Part(), filepath.Base(p.Path), w, k.may, o.Dice[i].Confidence)
		for _, x := range k.evidence {
			fmt.Fprintf(out, "\t%.4f", x)
		}
		fmt.Fprintln(out)
	}
}
