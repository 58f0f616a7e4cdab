package owned

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"slices"

	"diceref/table"
)

// Secret cards are held before the camera so that what is on them fills a frame in the middle of the picture. Each is shown once, and
// told from then on by the same look as dice; whatever was not shown is not known.

const (
	// CardFrame is the side of the frame, of the picture's shorter side.
	CardFrame = 0.5
	// cardSure is how likely a card must be the one that it is taken for.
	cardSure = 0.99
)

// Nobody holds a card exactly into a frame: its symbol is looked for there, by how far places are from the paper's color, and pictured as on a
// die, a little larger and smaller, and turned a little (radians).
var (
	cardSizes = []float64{1, 0.87, 1.15}
	cardTurns = []float64{0, -0.2, 0.2}
)

const (
	inkLeast = 0.35 // of how far the symbol is from the paper, from which a place is of it
	inkSide  = 3.5  // of the root of its places' mean square distance from their middle: the side of a top that bears it
)

// HasCards says whether each player of a game has a secret card with one of its icons.
func HasCards(game table.Game) bool { return game == table.DessertDice }

// checkCards refuses what are no cards of the set's game.
func (s *Set) checkCards() error {
	if len(s.Cards) > 0 && !HasCards(s.Game) {
		return fmt.Errorf("%s has no secret cards", s.Game)
	}
	var names []Name
	for i := range s.Cards {
		c := &s.Cards[i]
		if err := c.check(s.Game); err != nil {
			return err
		}
		if c.Face != 0 || slices.Contains(names, c.Name) || !slices.Contains(icons[s.Game], string(c.Name)) {
			return errors.New("each secret card has one of the game's icons")
		}
		names = append(names, c.Name)
	}
	return nil
}

// cardViews pictures the symbol in the frame.
func cardViews(img image.Image) (views []*Picture) {
	b := img.Bounds()
	x, y, side := float64(b.Min.X+b.Max.X)/2, float64(b.Min.Y+b.Max.Y)/2, CardFrame*float64(min(b.Dx(), b.Dy()))
	off, size := squareOf(img, x, y, side, 0).symbol()
	for _, larger := range cardSizes {
		for _, turn := range cardTurns {
			views = append(views, squareOf(img, x+off[0]*side, y+off[1]*side, larger*size*side, turn))
		}
	}
	return views
}

// symbol tells where on a picture of paper a symbol is, from its middle, and how large a top would be that bears it, both of the picture's side.
func (p *Picture) symbol() (off [2]float64, size float64) {
	far := p.far(p.median(0, Side))
	sorted := slices.Sorted(slices.Values(far))
	unit := max(sorted[int(farthest*float64(len(sorted)-1))], leastFar)
	var sum, x, y, square float64
	for i, f := range far {
		ink := max(f/unit-inkLeast, 0)
		u, v := (float64(i%Side)+0.5)/Side-0.5, (float64(i/Side)+0.5)/Side-0.5
		sum, x, y, square = sum+ink, x+ink*u, y+ink*v, square+ink*(u*u+v*v)
	}
	if sum == 0 {
		return off, 1
	}
	x, y = x/sum, y/sum
	return [2]float64{x, y}, min(inkSide*math.Sqrt(max(square/sum-x*x-y*y, 0)), 1)
}

// squareOf pictures a square of an image around a point, turned by an angle (radians); each of its pixels is the mean of places all over it.
func squareOf(img image.Image, x, y, side, turn float64) *Picture {
	p, b := new(Picture), img.Bounds()
	fine := max(int(math.Ceil(side/Side)), 1) // places across a pixel
	cos, sin := math.Cos(turn), math.Sin(turn)
	for i := range Side * Side {
		var sum [3]uint32
		for n := range fine * fine {
			u := side * ((float64(i%Side)+(float64(n%fine)+0.5)/float64(fine))/Side - 0.5)
			v := side * ((float64(i/Side)+(float64(n/fine)+0.5)/float64(fine))/Side - 0.5)
			at := image.Pt(int(x+cos*u-sin*v), int(y+sin*u+cos*v))
			red, green, blue, _ := img.At(min(max(at.X, b.Min.X), b.Max.X-1), min(max(at.Y, b.Min.Y), b.Max.Y-1)).RGBA()
			sum[0], sum[1], sum[2] = sum[0]+red>>8, sum[1]+green>>8, sum[2]+blue>>8
		}
		for c := range sum {
			p[3*i+c] = uint8(sum[c] / uint32(fine*fine))
		}
	}
	return p
}

// Signer has the pictures of a set signed by the network in force.
type Signer func(context.Context, *Set) (*Set, error)

// tops has pictures signed, and the cards that they are compared with.
func (sign Signer) tops(ctx context.Context, pictures []*Picture, cards *Set) (tops []Top, signed *Set, err error) {
	set := NewSet(cards.Game, "")
	set.Cards, set.Groups = cards.Cards, []Group{{}}
	for _, p := range pictures {
		set.Groups[0].Tops = append(set.Groups[0].Tops, Top{Picture: p, Signature: new(Signature)})
	}
	if signed, err = sign(ctx, set); err != nil {
		return nil, nil, err
	}
	return signed.Groups[0].Tops, signed, nil
}

// lookAt pictures what is in the frame of a JPEG.
func lookAt(picture []byte) ([]*Picture, error) {
	img, err := jpeg.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, fault(FaultNone, "the picture cannot be read: send a JPEG")
	}
	return cardViews(img), nil
}

// ReadCard tells which of the cards of a set is in the frame of a picture; empty where that is not sure.
func (s *Set) ReadCard(ctx context.Context, sign Signer, picture []byte) (Name, error) {
	views, err := lookAt(picture)
	if err != nil {
		return "", err
	}
	tops, signed, err := sign.tops(ctx, views, s)
	if err != nil {
		return "", err
	}
	return signed.card(tops), nil
}

// card tells which card the views of a frame show; empty where none surely does, or where they contradict each other.
func (s *Set) card(views []Top) Name {
	x := new(Index)
	for _, c := range s.Cards {
		x.add(c.Name, c.Tops)
	}
	var best Match
	for i := range views {
		m := x.Match(&views[i].Signature[0], 0)
		if m.P < cardSure {
			continue
		}
		if best.Name != "" && best.Name != m.Name {
			return ""
		}
		best = m
	}
	return best.Name
}

// ShowCard learns how the card with an icon looks that is in the frame of a picture, in place of what was known of it.
func (s *Shelf) ShowCard(ctx context.Context, set, session, icon string, picture []byte) (State, error) {
	before, err := s.State(ctx, set)
	if err != nil {
		return State{}, err
	}
	name, err := ParseName(before.Game, icon)
	if err != nil || !HasCards(before.Game) || !slices.Contains(icons[before.Game], string(name)) {
		return State{}, fault(FaultFace, "no secret card has that icon")
	}
	views, err := lookAt(picture)
	if err != nil {
		return State{}, err
	}
	tops, _, err := Signer(s.Sign).tops(ctx, views, NewSet(before.Game, ""))
	if err != nil {
		return State{}, err
	}
	return s.change(ctx, set, session, func(o *showing) error {
		cards := slices.DeleteFunc(slices.Clone(o.sheet.Set.Cards), func(g Group) bool { return g.Name == name })
		o.sheet.Set.Cards = append(cards, Group{Name: name, Tops: tops})
		return nil
	})
}
