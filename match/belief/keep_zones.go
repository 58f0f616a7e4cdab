package belief

import (
	"diceref/rules"
	"diceref/table"
)

// KeptSlip is an error of the reader in the last view, as a match that goes on after a restart needs it.
type KeptSlip struct {
	Zone string      `json:"zone,omitempty"` // none: in no zone
	Seat int         `json:"seat,omitempty"`
	Is   table.Die   `json:"is"` // no die: there is none
	Read *table.Die  `json:"read,omitempty"`
	At   table.Point `json:"at"`
	Sure bool        `json:"sure,omitempty"`
	N    int         `json:"n,omitempty"` // in so many views before
	Cost float64     `json:"cost,omitempty"`
}

// Slips is the errors that the reader has made in the last view.
func (z *Zones) Slips() (list []KeptSlip) {
	for _, s := range z.slips {
		k := KeptSlip{Zone: s.at.Kind, Seat: s.at.Seat, Is: s.is, N: s.n, Cost: s.cost}
		if s.read != unread {
			k.Read, k.At, k.Sure = &s.read.Die, s.read.At, s.read.Sure
		}
		list = append(list, k)
	}
	return list
}

// Slipped is the world in which the reader has made these.
func (z *Zones) Slipped(list []KeptSlip) *Zones {
	next := *z
	next.slips = nil
	for _, k := range list {
		s := slip{at: rules.Zone{Kind: k.Zone, Seat: k.Seat}, is: k.Is, read: unread, n: k.N, cost: k.Cost}
		if k.Read != nil {
			s.read = &table.Reading{Die: *k.Read, At: k.At, Sure: k.Sure}
		}
		next.slips = append(next.slips, s)
	}
	return &next
}
