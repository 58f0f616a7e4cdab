package eye

import (
	"errors"
	"fmt"
	"os"
	"testing"
)

// TestKindOf: a fault keeps its kind through whatever is said around it, and no other error is taken for one.
func TestKindOf(t *testing.T) {
	_, gone := os.Stat("/nowhere/game.mp4")
	for _, c := range []struct {
		err  error
		want Kind
	}{
		{nil, ""},
		{errors.New("who knows"), ""},
		{Faultf(Busy, "the camera %d is busy", 0), Busy},
		{fmt.Errorf("cannot open 0: %w", Faultf(WebPage, "a page")), WebPage},
		{Faultf(Damaged, "damaged: %w", Faultf(HungUp, "cut")), Damaged},
		{fmt.Errorf("cannot save table.json: %w", gone), ""}, // no fault of the camera
		{Status{State: Failed, Kind: NoDevice, Reason: "there is no such device"}.Err(), NoDevice},
		{ErrHungUp, HungUp},
	} {
		if got := KindOf(c.err); got != c.want {
			t.Errorf("%v: got %q, want %q", c.err, got, c.want)
		}
	}
}
