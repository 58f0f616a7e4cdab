package rules

import "testing"

// dear is a word that counts how often it is made.
type dear struct{ made *int }

func (d dear) String() string {
	*d.made++
	return "it"
}

// TestSentencesWhenRead: most reasons are noted by a search that asks only whether an act is legal.
func TestSentencesWhenRead(t *testing.T) {
	made := 0
	var why Illegal
	why.Add("BX-VALUE", "A %d does not go there, as %v shows.", 3, dear{&made})
	why.Add("BX-VALUE", "Of each code %v is the first that counts.", dear{&made})
	if made > 0 || why.Code() != "BX-VALUE" || len(why.Codes()) != 1 {
		t.Errorf("%q before anybody has read it, %d words made", why.Codes(), made)
	}
	if got, want := why.Error(), "A 3 does not go there, as it shows."; got != want || made != 1 {
		t.Errorf("%q with %d words made, want %q", got, made, want)
	}
}
