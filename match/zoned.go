package match

import (
	"fmt"
	"slices"
	"strings"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/fromage"
	"diceref/table"
)

// A game by zones is followed by hypotheses as one on a board is (boards.go): only what is observed differs, and that players say
// what no camera sees.

// oddView is how well the likeliest way must fit a view, as a logarithm, that anything is believed by it: one that fits less says that a
// die was surely misread, or that something lies over several. It is believed if the one before was odd, too.
const oddView = -8.0

// believedByZones are the games by zones that are told by belief.
var believedByZones = []table.Game{table.FromageATrois}

// followsZones says whether a game is told by what is believed of its zones.
func (m *Match) followsZones() bool {
	return len(m.setting.Zones) > 0 && slices.Contains(believedByZones, m.setting.Game)
}

// hasZones says whether a camera follows the zones of the table.
func (m *Match) hasZones() bool { return m.followsZones() || m.byZones() != nil }

// zonesNow is the world in which a match is as it was told, up to a record; 0: as of now.
func (m *Match) zonesNow(before int64) *belief.Zones {
	w := belief.InZones(m.line.start.(rules.Zoned))
	for _, e := range m.line.acts {
		if before > 0 && e.seq >= before {
			break
		}
		moves := e.moves
		if e.kind == actTakeback {
			moves = []rules.Move{belief.TakenBack{}}
		}
		next, err := w, error(nil)
		for _, mv := range moves {
			if next, err = replayZones(next, mv); err != nil {
				break
			}
		}
		if is := e.stack[len(e.stack)-1].(rules.Zoned); err != nil || next.State().Key() != is.Key() {
			next = belief.InZones(is)
		}
		w = next
	}
	return w.Rested()
}

// replayZones is a world once a move was made that the rules alone may have demanded after the one before, and made already.
func replayZones(w *belief.Zones, mv rules.Move) (*belief.Zones, error) {
	if w.Has(mv) {
		return w, nil
	}
	next, _, err := w.After(mv)
	if err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	return next, nil
}

// syncZones takes what is told for what has happened.
func (m *Match) syncZones() {
	b := &m.course
	now := m.zonesNow(0)
	if b.on {
		now = now.Knowing(b.best().World.(*belief.Zones))
	}
	b.beginAt(belief.New[*belief.Layout](now))
	if b.lain == nil && m.seen.ok {
		b.lain = m.layout([]table.Observation{m.seen.obs}, nil)
		b.lies = b.lain
	}
}

// layout is what readings show by zone.
func (m *Match) layout(reads []table.Observation, before *belief.Layout) *belief.Layout {
	return belief.LayoutOf(reads, m.seatedZones(), m.line.start.(rules.Zoned), before)
}

func layoutsOf(s belief.Beliefs) belief.Set[*belief.Layout] {
	set, _ := s.(belief.Set[*belief.Layout])
	return set
}

// lastLayout is the last view by which something is believed; nil: there was none.
func (b *course) lastLayout() *belief.Layout {
	if b.read > 0 && !b.lost {
		return b.lies
	}
	return b.lain
}

// concludeByZones says what happened in a view of zones, if the votes tell. It reports whether that accounts for it.
func (m *Match) concludeByZones(final bool) bool {
	obs, b := m.ballot.count(), &m.course
	m.syncCourse()
	if d := m.zones.dismiss; d != nil {
		if sameLoose(obs, *d) {
			b.lies, b.read = m.layout(m.ballot.reads, b.lain), len(m.ballot.reads)
			m.seen = seen{true, obs}
			return true // what an undo has put out of force is not told again
		}
		m.zones.dismiss = nil
	}
	if why, many := m.foreignDice(obs); many {
		return m.doubtful(why, nil)
	}
	if b.tellsMore(m.ballot.reads) {
		m.observeZones()
	}
	if b.lost {
		return m.doubtful(m.zonesUnexplained(), nil)
	}
	if !m.tellOrAsk(final) {
		return false
	}
	m.seen = seen{true, obs}
	if b.made() >= beyondDoubt*b.set.Began(b.acts()) {
		m.unheardOf()
	}
	return m.trouble == nil
}

// observeZones takes in a view with all of its readings, and then what was said and could not have happened before.
func (m *Match) observeZones() {
	b := &m.course
	lies := m.layout(m.ballot.reads, b.lain)
	set, ok := layoutsOf(b.earlier).Observe(lies)
	if b.read == 0 {
		b.since, b.netted = len(b.acts()), false
	}
	b.lies, b.read = lies, len(m.ballot.reads)
	if b.lost = !ok || set.Best().Fits < lostTrack || !b.odd && set.Best().Fits < oddView; b.lost {
		old := b.set
		b.set = set
		m.zdebug("lost")
		b.set = old
		return
	}
	b.set = set
	told := b.acts()
	if net := b.set.Net(b.since); b.netted || len(b.set.Next(told, beyondDoubt)) == 0 && len(net.Next(told, beyondDoubt)) > 0 {
		b.set, b.netted = net, true // nothing hangs on what was taken back before anything was told of it
	}
	m.zdebug("observed")
	for _, s := range m.waiting()[min(b.words, len(m.line.said)):] {
		if set, ok := layoutsOf(b.set).Observe(&belief.Layout{Said: wordOf(s.mean)}); ok {
			b.set = set
		}
	}
}

// misreadBefore says in words which readings of the view that shows a move last the rules have put right.
func (b *course) misreadBefore(mv rules.Move) string {
	told := b.acts()
	w, ok := belief.LikeliestWay(b.set, append(told[:len(told):len(told)], mv))
	zones, is := w.World.(*belief.Zones)
	if !ok || !is || len(belief.Acts(w.Line)) > len(told)+1 {
		return ""
	}
	var parts []string
	for _, s := range zones.Slips() {
		if s.Read != nil && s.Is != (table.Die{}) && s.N == 0 && s.Is.Face != s.Read.Face {
			parts = append(parts, fmt.Sprintf("%s read as %s", looseWords(s.Is), looseWords(*s.Read)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (By the rules: " + strings.Join(parts, ", ") + ".)"
}

// standsAnew tells that play goes on from how the table stands.
func (m *Match) standsAnew(mv fromage.Stands) error {
	e := &Event{Type: TypeStands, Player: m.name(mv.Next)}
	text := fmt.Sprintf("I missed how this happened. The game goes on from what is on the table, and it is %s's turn.", e.Player)
	return m.emit(ByCamera, Act{Kind: actPlay, Moves: []string{mv.String()}}, e, text)
}

// foreignDice tells of a conservation law that a view breaks: more dice, surely read, than the game has.
func (m *Match) foreignDice(obs table.Observation) (why Phrase, many bool) {
	all, most := 0, 0
	for _, r := range obs.Dice {
		if r.Sure {
			all++
		}
	}
	for _, p := range m.line.now().(rules.Zoned).Piles() {
		most += len(p.Dice)
	}
	return phrase("foreign-dice", "count", all, "of", most), all > most
}

// zonesUnexplained says what is in each zone that ought not to be.
func (m *Match) zonesUnexplained() Phrase {
	const enough = 5
	b, parts, most := &m.course, []Phrase{}, 0
	for _, p := range m.line.now().(rules.Zoned).Piles() {
		if most += len(p.Dice); !b.lies.Drawn[p.At] || p.Heap {
			continue
		}
		left, where := slices.Clone(p.Dice), m.placeOf(zoneKey{p.At.Kind, p.At.Seat})
		for _, r := range b.lies.In[p.At] {
			k := slices.IndexFunc(left, func(d table.Die) bool {
				return d.Face == r.Face && (d.Color == table.NoColor || d.Color == r.Color)
			})
			if k < 0 {
				parts = append(parts, phrase("zone-found", "die", r.Die, "zone", where))
			} else {
				left = slices.Delete(left, k, k+1)
			}
		}
		for _, d := range left {
			parts = append(parts, phrase("zone-lost", "die", d, "zone", where))
		}
	}
	if b.lies.Total < most {
		parts = append(parts, phrase("seen-of", "count", b.lies.Total, "of", most))
	}
	if n := len(b.lies.Out); n > 0 {
		parts = append(parts, phrase("outside", "count", n))
	}
	return phrase("not-explained", "parts", few(parts, enough))
}

// dismissView has a view ignored for as long as the table looks like it.
func (m *Match) dismissView(obs table.Observation) { m.zones.dismiss = &obs }
