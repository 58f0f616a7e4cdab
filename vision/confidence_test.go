package vision

import "testing"

// TestEvidenceSpeaksFor: no evidence counts against what it speaks for, and what nothing speaks for is never sure.
func TestEvidenceSpeaksFor(t *testing.T) {
	for k, w := range evidenceWeights[1:] {
		if w < 0 {
			t.Errorf("%s counts %.3f", evidenceNames[k+1], w)
		}
	}
	none := evidence{1}
	if p := none.probability(); p >= sureFrom {
		t.Errorf("without any evidence a reading is right by %.3f", p)
	}
}
