package belief

import (
	"cmp"
	"slices"

	"diceref/table"
)

// KeptSight is what a view tells of the one after it: what a match that goes on after a restart needs of the last one.
type KeptSight struct {
	Corners *[4]table.Point `json:"corners,omitempty"` // of the board in the picture; nil: it was not found
	Squares []KeptLook      `json:"squares,omitempty"`
	Spares  []KeptSpare     `json:"spares,omitempty"`  // the dice beside the board
	Known   [10]int         `json:"known"`             // by color: how many dice were in view at once
	Misread *[10]float64    `json:"misread,omitempty"` // by color: how likely the face of one beside the board is another
}

// KeptLook is what was read on a square.
type KeptLook struct {
	Square table.Square `json:"square"`
	table.Die
	Sure   bool `json:"sure,omitempty"`
	Streak int  `json:"streak,omitempty"`
}

// KeptSpare is a die beside the board; those that are not away come first.
type KeptSpare struct {
	table.Die
	U      float64 `json:"u"`
	V      float64 `json:"v"`
	Side   int     `json:"side"`
	Sure   bool    `json:"sure,omitempty"`
	Again  bool    `json:"again,omitempty"`
	Views  float64 `json:"views,omitempty"`
	Back   float64 `json:"back,omitempty"`
	Shy    float64 `json:"shy,omitempty"`
	Away   int     `json:"away,omitempty"`
	Beyond bool    `json:"beyond,omitempty"`
	Blink  float64 `json:"blink,omitempty"`
	Dim    bool    `json:"dim,omitempty"`
}

// Kept is what the next view needs of this one, but for what is printed on the board; nil: this is none.
func (s *Sight) Kept() *KeptSight {
	if s == nil || s.unlooked {
		return nil
	}
	k := &KeptSight{Known: s.known, Misread: &s.misread}
	if s.corners != nil && s.corners.Found {
		k.Corners = &s.corners.Corners
	}
	for i := range s.Squares {
		if l := &s.Squares[i]; l.read() {
			k.Squares = append(k.Squares, KeptLook{table.SquareAt(i), l.Die, l.wrong == model.SurelyWrong, s.streak[i]})
		}
	}
	for i, d := range s.spares {
		n := KeptSpare{Die: d.die, U: d.u, V: d.v, Sure: d.sure, Views: d.views, Back: d.back, Shy: d.shy, Away: d.away, Beyond: d.beyond, Blink: d.blink, Dim: d.dim}
		if d.away == 0 {
			n.Side, n.Again = s.sides[i], s.again[i]
		}
		k.Spares = append(k.Spares, n)
	}
	return k
}

// Sight is the view again, as far as the next one needs it.
func (k *KeptSight) Sight(g table.Game, prints []Print) *Sight {
	s := (&Sight{Game: g, kinds: kindsOf(g), known: k.Known}).Printed(prints)
	if k.Corners != nil {
		s.corners = &table.Grid{Found: true, Corners: *k.Corners}
	}
	if k.Misread != nil {
		s.misread = *k.Misread
	}
	for c, n := range g.Kit().Dice {
		s.kit[c] = n
	}
	for _, q := range k.Squares {
		l := &s.Squares[q.Square.Index()]
		l.Die, l.wrong, l.There = q.Die, model.Wrong, 1-model.Phantom
		if q.Sure {
			l.wrong, l.There = model.SurelyWrong, 1-model.SurePhantom
		}
		s.streak[q.Square.Index()] = q.Streak
	}
	for _, d := range k.Spares {
		s.spares = append(s.spares, spare{die: d.Die, u: d.U, v: d.V, sure: d.Sure, views: d.Views, back: d.Back, shy: d.Shy, away: d.Away, beyond: d.Beyond, blink: d.Blink, dim: d.Dim})
		if d.Away == 0 {
			s.Beside = append(s.Beside, table.Reading{Die: d.Die, At: inPicture(s.corners, d.U, d.V), Sure: d.Sure})
			s.sides, s.again = append(s.sides, d.Side), append(s.again, d.Again)
		}
	}
	return s
}

// Gist is which dice are seen, and how surely, but not where exactly, and how often.
func (k *KeptSight) Gist() *KeptSight {
	if k == nil {
		return nil
	}
	g := &KeptSight{Known: k.Known}
	for _, q := range k.Squares {
		g.Squares = append(g.Squares, KeptLook{Square: q.Square, Die: q.Die, Sure: q.Sure})
	}
	for _, d := range k.Spares {
		g.Spares = append(g.Spares, KeptSpare{Die: d.Die, Side: d.Side, Sure: d.Sure, Away: min(d.Away, 1), Beyond: d.Beyond})
	}
	slices.SortFunc(g.Spares, func(a, b KeptSpare) int {
		bit := func(is bool) int {
			if is {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(a.Color, b.Color), a.Face-b.Face, a.Side-b.Side, a.Away-b.Away, bit(a.Sure)-bit(b.Sure), bit(a.Beyond)-bit(b.Beyond))
	})
	return g
}

// Unlooked is before the first view of a table of which it is known what is printed on its board.
func Unlooked(prints []Print) *Sight {
	s := (&Sight{}).Printed(prints)
	s.unlooked = true
	return s
}
