package owned

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"diceref/table"
)

// heldCard is a picture of a table with a card of a gray in the middle, on which a bar lies that wide and high, of the frame.
func heldCard(t *testing.T, wide, high float64) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 320, 240))
	for y := range 240 {
		for x := range 320 {
			u, v := (float64(x)-160)/60, (float64(y)-120)/60
			c := color.RGBA{90, 60, 30, 255}
			if max(u, -u, v, -v) < 1.4 {
				c = color.RGBA{230, 225, 215, 255}
			}
			if max(u, -u) < wide && max(v, -v) < high {
				c = color.RGBA{30, 30, 60, 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// inkSigner signs pictures by where their ink is, in place of a network.
func inkSigner(_ context.Context, s *Set) (*Set, error) {
	return s.Signed("ink", func(pictures []*Picture) ([]Signature, error) {
		out := make([]Signature, len(pictures))
		for i, p := range pictures {
			var numbers [Dim]float32
			for at := range Side * Side {
				cell := at/Side*6/Side*8 + at%Side*8/Side
				numbers[cell] += 150 - float32(p[3*at])
			}
			for turn := range out[i] {
				out[i][turn] = VectorOf(numbers[:])
			}
		}
		return out, nil
	})
}

// TestCards shows two secret cards: each is known from then on, a third one and the bare table are not; a card that is shown anew looks
// as it was shown last.
func TestCards(t *testing.T) {
	shelf := &Shelf{Folder: t.TempDir(), Sign: inkSigner}
	state, err := shelf.Begin(t.Context(), "ours", table.DessertDice)
	if err != nil {
		t.Fatal(err)
	}
	flat, tall, cross, none := heldCard(t, 0.8, 0.2), heldCard(t, 0.2, 0.8), heldCard(t, 0.5, 0.5), heldCard(t, 0, 0)
	for icon, picture := range map[string][]byte{"popsicle": tall, "ice cream": flat} {
		if state, err = shelf.ShowCard(t.Context(), "ours", state.Session, icon, picture); err != nil {
			t.Fatal(err)
		}
	}
	if len(state.Cards) != 4 || state.Cards[0].Picture != "" || state.Cards[2].Picture == "" || state.Cards[3].Picture == "" {
		t.Errorf("the cards are %+v", state.Cards)
	}
	if png, err := shelf.Picture(t.Context(), "ours", state.Cards[2].Picture); err != nil || len(png) == 0 {
		t.Errorf("the picture of a card: %v", err)
	}
	read := func(picture []byte) Name {
		t.Helper()
		set, err := shelf.Load("ours")
		if err != nil {
			t.Fatal(err)
		}
		name, err := set.ReadCard(t.Context(), inkSigner, picture)
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, test := range []struct {
		what    string
		picture []byte
		want    Name
	}{{"tall", tall, "popsicle"}, {"flat", flat, "ice cream"}, {"never shown", cross, ""}, {"bare", none, ""}} {
		if got := read(test.picture); got != test.want {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
	if _, err = shelf.ShowCard(t.Context(), "ours", state.Session, "popsicle", cross); err != nil {
		t.Fatal(err)
	}
	if got, now := read(tall), read(cross); got == "popsicle" || now != "popsicle" {
		t.Errorf("shown anew: the old one is %q, the new one %q", got, now)
	}
	if _, err := shelf.ShowCard(t.Context(), "ours", state.Session, "3", tall); err == nil {
		t.Error("a card with a number is taken")
	}
	if _, err := shelf.ShowCard(t.Context(), "ours", state.Session, "popsicle", []byte("no picture")); err == nil {
		t.Error("what is no picture is taken")
	}
}

// TestBadCards: cards that the game does not have are refused.
func TestBadCards(t *testing.T) {
	top := []Top{{Picture: new(Picture), Signature: new(Signature)}}
	for what, cards := range map[string][]Group{
		"two of one icon": {{Name: "popsicle", Tops: top}, {Name: "popsicle", Tops: top}},
		"two icons":       {{Name: "jello tart+popsicle", Tops: top}},
		"a number":        {{Name: "3", Tops: top}},
		"no name":         {{Tops: top}},
		"no pictures":     {{Name: "popsicle"}},
	} {
		set := NewSet(table.DessertDice, "")
		set.Cards = cards
		if set.Check() == nil {
			t.Errorf("a set with a card with %s is taken", what)
		}
	}
	set := NewSet(table.DiceBox, "")
	set.Cards = []Group{{Name: "3", Tops: top}}
	if set.Check() == nil {
		t.Error("cards of a game that has none are taken")
	}
}
