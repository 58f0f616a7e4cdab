package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSayDifferences: answers say in what they differ, and stay unlike each other.
func TestSayDifferences(t *testing.T) {
	for _, c := range []struct{ stories, want []string }{
		{[]string{"A, then B, then C", "A, then D, then C"}, []string{"B", "D"}},
		{[]string{"A, then B", "A"}, []string{"B", "nothing more"}},
		{[]string{"A, then B", "B, then A"}, []string{"A, then B", "B, then A"}},
		{[]string{"A, then B, then C", "B, then C"}, []string{"A", "nothing more"}},
		{[]string{"A"}, []string{"A"}},
	} {
		var offers []offer
		for _, s := range c.stories {
			offers = append(offers, offer{says: Phrase{Kind: kindActs, text: s}})
		}
		sayDifferences(offers)
		var got []string
		for _, o := range offers {
			got = append(got, o.says.String())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.stories, diff)
		}
	}
	mixed := []offer{{says: phrase("nothing-changed")}, {says: Phrase{Kind: kindActs, text: "A"}}}
	if sayDifferences(mixed); mixed[0].says.Kind != "nothing-changed" || mixed[1].says.text != "A" {
		t.Errorf("other answers were changed: %v", mixed)
	}
}
