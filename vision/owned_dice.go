package vision

import (
	"crypto/sha256"
	"fmt"
	"image"
	"slices"
	"sync"

	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/detect"
	"diceref/vision/owned"
)

// Where the owner has shown the dice, their tops are read by what was shown, and by nothing else: the face network knows
// pips, and takes an icon for whatever is least unlike it.

// ownedCloser is how much larger than by the first look they are looked at.
const ownedCloser = 1.5

// ownedDice is what is known of a table's dice, and wanted.
type ownedDice struct {
	set  *owned.Set // nil: they have pips
	tops bool       // have the tops pictured
}

// none says that dice are read by their pips.
func (o *ownedDice) none() bool { return o.set == nil && !o.tops }

// lookForOwned looks for dice without pips again, closer: the find network recognizes icons less well, but better in more pixels, and the network for
// anybody's dice finds others. That costs several times the first look. So in a watched game only the places where a die may have been missed are
// looked at; while dice are shown, and in a picture by itself, everything is.
func (s *scene) lookForOwned(tops []detect.Top, k *Known) ([]detect.Top, error) {
	if s.owned.none() {
		return tops, nil
	}
	region := s.whole()
	if k.AsItLies && !s.owned.tops {
		region = s.mayMiss(tops, k.BoardOnly)
	}
	if region.Empty() {
		return tops, nil
	}
	anybodys, err := s.r.anyFinder.get()
	if err != nil {
		return nil, err
	}
	all := slices.Clone(tops)
	for _, finder := range slices.Compact([]*detect.Finder{s.finder, anybodys}) {
		more, err := s.lookInParts(finder, region, s.maps.Scale*ownedCloser)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return detect.Once(all), nil
}

// mayMiss is the region in which a die may have been missed; empty if none was. If fewer dice are seen than the game has, the others may just be
// in the bag. So once it is known how a board looks when it is empty, only squares that look different and show no die are in the region.
func (s *scene) mayMiss(tops []detect.Top, boardOnly bool) image.Rectangle {
	switch {
	case !s.fewer(tops):
		return image.Rectangle{}
	case boardOnly && s.ground != nil:
		return s.unexplained(tops)
	}
	return s.whole()
}

// unexplained is the smallest region with all squares in view that look different from when they were empty, and show no plain top.
func (s *scene) unexplained(tops []detect.Top) (region image.Rectangle) {
	taken := map[table.Square]bool{}
	for i := range tops {
		if tops[i].Score >= shownScore {
			taken[s.squareUnder(tops[i].At)] = true
		}
	}
	hidden, _ := s.coveredPlaces()
	for i := range table.Size * table.Size {
		q := table.SquareAt(i)
		if asEver, _ := s.emptyAsEver(q); !asEver && !taken[q] && !slices.Contains(hidden, q) {
			region = region.Union(s.regionOf(q))
		}
	}
	return region.Intersect(s.whole())
}

// regionOf is where a square and the top of a die on it may be seen.
func (s *scene) regionOf(q table.Square) (region image.Rectangle) {
	for corner := range 8 {
		x, y, z := corner%2, corner/2%2, float64(corner/4)*topHeight(s.kit.Layout, usualSide(s.kit.Layout))
		p := s.grid.Camera.Project(float64(q.Col+x), float64(q.Row+y), z)
		at := image.Pt(int(p.X), int(p.Y))
		region = region.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
	}
	return region
}

// fewer says whether there are fewer plain tops, with those beside the grid that are remembered, than the game has dice.
func (s *scene) fewer(tops []detect.Top) bool {
	dice := -len(s.beside)
	for _, n := range s.kit.Dice {
		dice += n
	}
	for i := range tops {
		if tops[i].Score >= shownScore {
			dice--
		}
	}
	return dice > 0
}

// ownTop is what the owned network says about one top.
type ownTop struct {
	match owned.Match
	look  *owned.Top // signed where that is asked for
}

const (
	// ownedUnlike is the most that the face network's doubt that something is a die at all counts of a top that the set
	// does not know: it doubts icons, too.
	ownedUnlike = 0.5
	// shownStands is how much more plainly a top stands (logarithm of odds) that shows what was shown: the stand networks doubt icons, and
	// print hardly ever looks like them.
	shownStands = 3.0
	// ownedSure is how likely a top must show what it is taken for to be sure: there are more things that were never shown than
	// the odds that were fitted know.
	ownedSure = 0.99
	// shownScore is the score of the find network from which a top is shown to the owner, who says what is no die.
	shownScore = 0.5
)

// markShown tells of tops how much more plainly they stand because of what they show.
func (s *scene) markShown(tops []*detect.Top, outlines [][4]table.Point) error {
	if s.owned.none() {
		return nil
	}
	matches, _, err := s.matchOwned(outlines, make([]int, len(tops)))
	for i, t := range tops {
		if t.Shown = 0; err == nil && (matches == nil && t.Score >= shownScore || matches != nil && matches[i].Known()) {
			t.Shown = shownStands
		}
	}
	return err
}

// matchOwned tells by the set what tops show, which plainly have so many pips, and how they look; nil where there is none.
func (s *scene) matchOwned(outlines [][4]table.Point, pips []int) (matches []owned.Match, pictures []*owned.Picture, err error) {
	if s.owned.set == nil {
		return nil, nil, nil
	}
	signer, err := s.r.signer.get()
	if err != nil {
		return nil, nil, err
	}
	set, err := s.r.ownedSet(s.owned.set)
	if err != nil {
		return nil, nil, err
	}
	pictures = signer.Pictures(s.px, outlines)
	vectors, err := signer.Sign(pictures)
	if err != nil {
		return nil, nil, err
	}
	matches = make([]owned.Match, len(outlines))
	for i, p := range pictures {
		if p != nil {
			matches[i] = set.index.Match(&vectors[i], pips[i])
		}
	}
	return matches, pictures, nil
}

// readOwned reads the tops by the owner's set of dice, and has them signed where that is asked for.
func (s *scene) readOwned(dice []placed, glances []classify.Glance) error {
	if s.owned.none() {
		return nil
	}
	outlines, pips := make([][4]table.Point, len(dice)), make([]int, len(dice))
	for i := range dice {
		outlines[i], pips[i] = dice[i].Outline, plainPips(&glances[i])
	}
	matches, pictures, err := s.matchOwned(outlines, pips)
	if err != nil {
		return err
	}
	s.own = make([]ownTop, len(dice))
	for i := range glances {
		if matches != nil {
			s.own[i].match = matches[i]
		}
		if pictures != nil && pictures[i] != nil {
			s.own[i].look = &owned.Top{Picture: pictures[i], Pips: pips[i]}
		}
		s.r.owned.tell(s.own[i].match, &glances[i].Faces)
	}
	if s.owned.tops {
		return s.pictureOwned(outlines, pips)
	}
	return nil
}

// plainPips is how many pips a top plainly has; 0: none, or that is in doubt.
func plainPips(g *classify.Glance) int {
	if f := g.Face(); f > 0 && g.Faces[f] >= sureEnough {
		return f
	}
	return 0
}

// pictureOwned pictures and signs the tops for a set.
func (s *scene) pictureOwned(outlines [][4]table.Point, pips []int) error {
	signer, err := s.r.signer.get()
	if err != nil {
		return err
	}
	pictures := signer.Pictures(s.px, outlines)
	signatures, err := signer.SignAround(pictures)
	if err != nil {
		return err
	}
	for i, p := range pictures {
		if p != nil {
			s.own[i].look = &owned.Top{Picture: p, Signature: &signatures[i], Pips: pips[i]}
		}
	}
	return nil
}

// tell turns what a top is taken for into probabilities of faces. One that was never shown may have any; one that was has the most likely,
// or, as far as that is in doubt, most likely the second.
func (o *ownedSet) tell(m owned.Match, faces *[classify.FaceKinds]float64) {
	const most = 0.9 // of that doubt is about the second
	none, doubt, strange := min(faces[classify.NoDie], ownedUnlike), m.Shown-m.P, 1-m.Shown
	for f := range faces {
		faces[f] = (1 - most) * doubt / classify.FaceKinds
		if f == classify.NoDie {
			faces[f] += strange * none
		} else {
			faces[f] += strange * (1 - none) / classify.NoDie
		}
	}
	if m.Name != "" {
		faces[o.kind(m.Name)] += m.P
		faces[o.kind(m.Other)] += most * doubt
	}
}

// kind is what a name is among the face network's answers.
func (o *ownedSet) kind(n owned.Name) int {
	if face, ok := o.faces[n]; ok {
		return face
	}
	return classify.NoDie
}

// nameOwned adds to a reading what the owner's set says about the top.
func (s *scene) nameOwned(i int, r *table.Reading) {
	if s.own == nil {
		return
	}
	r.Top = s.own[i].look.Told()
	if m := s.own[i].match; m.Known() {
		r.Name = string(m.Name)
		r.Sure = r.Sure && m.P >= ownedSure
	} else if m.Name != "" {
		r.Unknown, r.Sure = true, false
	}
}

// ownedSet is an owner's set of dice, made ready.
type ownedSet struct {
	set   *owned.Set
	index *owned.Index
	faces map[owned.Name]int
}

// ownedSet makes a set ready, and keeps it until there is another.
func (r *Recognizer) ownedSet(s *owned.Set) (*ownedSet, error) {
	if r.owned != nil && r.owned.set == s {
		return r.owned, nil
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	signed, err := r.signed(s)
	if err != nil {
		return nil, err
	}
	faces, err := s.Faces()
	if err != nil {
		return nil, err
	}
	r.owned = &ownedSet{s, owned.NewIndex(signed), faces}
	return r.owned, nil
}

// Signed is a set of dice as this recognizer's network signs its pictures.
func (r *Recognizer) Signed(s *owned.Set) (*owned.Set, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.signed(s)
}

func (r *Recognizer) signed(s *owned.Set) (*owned.Set, error) {
	signer, err := r.signer.get()
	if err != nil || s.Model == ownedModel() {
		return s, err
	}
	return s.Signed(ownedModel(), signer.SignAround)
}

// ownedModel names the network that signs pictures: a set keeps whose signatures it has.
var ownedModel = sync.OnceValue(func() string {
	model, err := models.ReadFile("model/owned.onnx")
	if err != nil {
		return "" // loading it says so
	}
	return fmt.Sprintf("%x", sha256.Sum256(model))[:8]
})
