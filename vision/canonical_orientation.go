package vision

import (
	"sort"

	"gocv.io/x/gocv"
)

// A picture of which nothing is known rests on a longer side, the busier half below: dice that are
// near show more. So a picture and the same one turned by quarters are read from the same pixels, and
// nothing that is told of them can differ.

// readAtRest reads a picture turned to rest. However often it is turned until it is read, here what was
// read is told of the picture as it is, and nowhere else. Where something is known of the table, that
// says how the picture lies.
func (s *scene) readAtRest(k Known) (*scene, error) {
	rest := s
	if quarters := s.quartersToRest(k); quarters != 0 {
		rest = s.turned(quarters)
		defer rest.img.Close()
	}
	u, err := rest.readUpright(k)
	if err != nil || u == s {
		return u, err
	}
	u.obs = u.toldOf(s)
	if u.overhead() && len(u.marks) == 0 { // nothing but the picture says where its numbers begin
		numberFrom(&u.obs, u.turn.Quarters)
	}
	sort.SliceStable(u.obs.Dice, func(i, k int) bool { return before(&u.obs.Dice[i], &u.obs.Dice[k]) })
	return u, nil
}

// quartersToRest is by how many quarters clockwise the picture must be turned to rest; 0 where what is
// known of it counts.
func (s *scene) quartersToRest(k Known) int {
	if k.Profile != nil || k.AsItLies {
		return 0
	}
	quarters := s.onLongSide()
	right, below := s.busier()
	if quarters == 1 { // its right comes to lie below, its top on the right
		right, below = -below, right
	}
	if below < 0 || below == 0 && right < 0 {
		quarters += 2
	}
	return quarters
}

// busier is how far to the right of the picture's middle, and below it, its edges lie in common: times a
// number that is the same for all turns, and exact.
func (s *scene) busier() (right, below float64) {
	gray, edges := gocv.NewMat(), gocv.NewMat()
	defer gray.Close()
	defer edges.Close()
	gocv.CvtColor(s.img, &gray, gocv.ColorBGRToGray)
	gocv.Laplacian(gray, &edges, gocv.MatTypeCV8U, 1, 1, 0, gocv.BorderDefault)
	m := gocv.Moments(edges, false)
	return 2*m["m10"] - m["m00"]*float64(s.width-1), 2*m["m01"] - m["m00"]*float64(s.height-1)
}
