package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"path/filepath"
	"time"

	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/owned"
	"diceref/web"
)

// shelf is the sets of dice in a data folder; nil: there is none.
func shelf(data string) *owned.Shelf {
	if data == "" {
		return nil
	}
	return &owned.Shelf{Folder: filepath.Join(data, "dice")}
}

// findDice finds the set of dice that a sight names.
func (s *sight) findDice(sets *owned.Shelf) error {
	switch {
	case s.Dice == "":
		return nil
	case sets == nil:
		return &web.Refused{Code: owned.FaultGone, Text: "there is no data folder, and so no sets of dice"}
	}
	set, err := sets.Load(s.Dice)
	if f := (*owned.Fault)(nil); errors.As(err, &f) {
		return &web.Refused{Code: f.Code, Text: f.Text}
	}
	if err == nil && !set.For(s.game) {
		return &web.Refused{Code: owned.FaultGame, Text: fmt.Sprintf("the set of dice %q is for %s, not for %s", s.Dice, set.Game, s.game)}
	}
	s.dice = set
	return err
}

// shelf is the host's, on which dice are shown where there is an eye.
func (h *host) shelf() *owned.Shelf {
	s := shelf(h.data)
	if s != nil && h.base.Path != "" {
		s.Look, s.Sign = h.lookAtTops, h.sign
	}
	return s
}

// lookAtTops reads a picture for a set of dice, with an eye of its own.
func (h *host) lookAtTops(ctx context.Context, game table.Game, picture []byte) (table.Observation, error) {
	r := eye.NewReader(h.base.Path)
	defer r.Close()
	r.Limit = time.Minute
	seen, err := r.ReadTops(ctx, game, picture)
	if err != nil && !errors.Is(err, eye.ErrDied) && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", web.ErrUnreadable, err)
	}
	return seen, err
}

// ownDice is the set of dice that the table is played with; nil: they have pips.
func (h *host) ownDice() *owned.Set {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now != nil && h.now.dice != nil {
		return h.now.dice
	}
	return h.given
}

// drawnDice is the set by whose pictures pages draw dice; nil: they have pips.
func (h *host) drawnDice() *owned.Set {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now == nil {
		return nil
	}
	s := h.now.sight
	if h.now.trying {
		s = h.back
	}
	set := s.dice
	if set == nil {
		set = h.given
	}
	if set == nil || s.Source == web.SourceDemo || !set.For(h.cfg.Game) {
		return nil
	}
	return set
}

// readCard tells which secret card is held before the camera: its letter, or nothing where that is not sure.
func (h *host) readCard(ctx context.Context, picture []byte) (string, error) {
	set := h.drawnDice()
	if set == nil || len(set.Cards) == 0 {
		return "", &owned.Fault{Code: owned.FaultGone, Text: "no secret cards were shown with the dice in use"}
	}
	name, err := set.ReadCard(ctx, h.sign, picture)
	return dessertLetters[string(name)], err
}

// sign has a set signed by the eye's network.
func (h *host) sign(ctx context.Context, s *owned.Set) (*owned.Set, error) {
	r := eye.NewReader(h.base.Path)
	defer r.Close()
	return r.Signed(ctx, s)
}

// wholeTime is how long a picture of the camera's own size is waited for.
const wholeTime = 1500 * time.Millisecond

// wholePicture is what the camera sees now, as large as it is: the live picture is made smaller, and the tops of dice want every pixel.
// It is nil if there is none.
func (h *host) wholePicture(ctx context.Context) []byte {
	h.mu.Lock()
	var client *eye.Client
	if h.now != nil {
		client = h.now.pupil.client
	}
	h.mu.Unlock()
	if client == nil {
		return h.feed.Picture()
	}
	client.Preview(eye.View{On: true})
	defer client.Preview(h.base.View)
	ctx, stop := context.WithTimeout(ctx, wholeTime)
	defer stop()
	for {
		next, picture := h.feed.Next()
		if size, err := jpeg.DecodeConfig(bytes.NewReader(picture)); err == nil && size.Width > h.base.View.Width {
			return picture
		}
		select {
		case <-next:
		case <-ctx.Done(): // the camera's own size is no larger
			return h.feed.Picture()
		}
	}
}
