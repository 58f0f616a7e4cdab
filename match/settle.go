package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// A view that has been read quickReads times or more over this many seconds, and
// cannot be explained, is asked about, unless Config.Patience says otherwise.
const defaultPatience = 0.3

// See takes in what the eye tells of one frame. Declarations for earlier frames
// are applied first. Nothing is concluded while something moves or a hand is in
// view; the way out of both is a still view that was read.
func (m *Match) See(obs table.Observation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.see(obs)
}

// see is See; m.mu is held.
func (m *Match) see(obs table.Observation) {
	if m.closed {
		return
	}
	defer func() {
		m.followTurns()
		m.askOver()
		m.keepFacts()
	}()
	obs = m.onward(obs)
	m.applyDue(obs.Frame, obs.T)
	m.began, m.frame, m.t = true, obs.Frame, obs.T
	if m.line.paused || m.ended {
		m.ballot.clear()
		m.setPhase(m.restPhase())
		return
	}
	switch {
	case obs.Look == table.LookMoving:
		m.noteBusy(obs.T)
		m.unsettle(PhaseMoving)
		m.cover.holds = false
	case obs.Look == table.LookHand || warned(obs, "hand") && !m.allInView(obs):
		m.noteBusy(obs.T)
		m.unsettle(PhaseHand)
		m.covered(obs)
	case obs.Posed:
		m.unsettle(PhaseStill)
		m.cover = m.cover.over(obs.T, true)
		m.vote(obs)
		m.settled = len(m.ballot.reads) > 0 && m.conclude(true)
		m.setPhase(m.restPhase())
	default:
		m.cover = m.cover.over(obs.T, m.ballot.still == 0)
		m.lookStill(obs)
	}
}

// cover is what has lain over the table since it was last free.
type cover struct {
	views int     // still views one after the other over which a hand seemed to lie
	hands int     // times that a hand held still, with something moving in between
	since float64 // when the table was last free, seconds
	still bool    // the last frame with a hand was a still view
	holds bool    // the frame before was of a hand that holds still
	asked bool
	lay   float64 // for how many seconds something lay there before this view
}

// over is that a table is free; first: it was not before.
func (c cover) over(t float64, first bool) cover {
	if first {
		c.lay = t - c.since
	}
	return cover{since: t, lay: c.lay}
}

// covered asks about a table that is never free: view after view stands still, and in each a
// hand seems to lie over it, or hands come and go for long, and never is there a view without
// one. More likely the camera or the light has changed.
func (m *Match) covered(obs table.Observation) {
	const tooMany, tooOften, tooLong = 3, 5, 15.0
	c := &m.cover
	still := obs.Look == table.LookStill
	if still && !c.still {
		c.views++
	}
	if !still && !c.holds {
		c.hands++
	}
	c.still, c.holds = still, !still
	if still {
		m.stuck.note(stuckHidden, obs.T)
	}
	if !c.asked && (c.views >= tooMany || c.hands >= tooOften && obs.T-c.since >= tooLong) {
		c.asked = true
		if err := m.remark(phrase("covered")); err != nil {
			m.trouble = err
		}
	}
}

// onward counts the frames of a source that began again on from the last one of the match
// that goes on with it, so that its events never go back in time.
func (m *Match) onward(obs table.Observation) table.Observation {
	if !m.began && obs.Frame < m.frame {
		m.before.frame, m.before.t = m.frame+1-obs.Frame, m.t
		for i, d := range m.queue {
			m.queue[i] = d.onward(m.before.frame, m.before.t)
		}
	}
	obs.Frame += m.before.frame
	obs.T += m.before.t
	return obs
}

func warned(obs table.Observation, code string) bool {
	for _, w := range obs.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}

// unsettle ends a still view: what it showed and was not concluded on yet is now or never.
func (m *Match) unsettle(phase string) {
	m.flush()
	m.course.nextView()
	m.nextSight()
	m.ballot.clear()
	m.settled, m.rivals, m.stale = false, nil, true
	for sq, f := range m.fix {
		f.idle = true
		m.fix[sq] = f
	}
	if m.ended {
		phase = PhaseOver
	}
	m.setPhase(phase)
}

// flush concludes on the votes there are, at the frame of the last of them.
func (m *Match) flush() {
	if m.settled || len(m.ballot.reads) == 0 || m.ended || m.line.paused {
		return
	}
	frame, t := m.frame, m.t
	last := m.ballot.reads[len(m.ballot.reads)-1]
	m.frame, m.t = max(last.Frame, m.lastFrame()), last.T
	m.leaving = true
	m.conclude(true)
	m.frame, m.t, m.leaving = frame, t, false
}

// lastFrame is the frame of the last event: events never go back in time.
func (m *Match) lastFrame() int {
	if n := len(m.log); n > 0 {
		return m.log[n-1].Frame
	}
	return 0
}

// lookStill adds a still frame to the votes and concludes once there are enough.
func (m *Match) lookStill(obs table.Observation) {
	m.ballot.still++
	if obs.Read {
		m.vote(obs)
	}
	if !m.settled && m.ballot.ripe(m.likelySquares()) {
		m.settled = m.conclude(false)
	}
	if m.settled {
		m.still = m.frame
	}
	m.setPhase(m.restPhase())
}

// restPhase is the phase of a view that does not move.
func (m *Match) restPhase() string {
	switch {
	case m.ended:
		return PhaseOver
	case m.line.paused:
		return PhasePaused
	case m.ask != "":
		return PhaseDoubt
	case m.settled:
		return PhaseRead
	case !m.seen.ok && len(m.ballot.reads) == 0:
		return PhaseWaiting
	}
	return PhaseStill
}

// vote adds a reading, in the match's numbering and with the players' corrections.
func (m *Match) vote(obs table.Observation) {
	if m.setting.Game.Kit().Layout != table.Loose {
		was := m.anchor
		known := m.line.now().Expect().Squares
		o, ok := m.anchor.turn(obs, known)
		if !ok && len(m.line.acts) == 0 && len(known) == 0 { // nothing was told of any square yet: begin anew with the grid that is seen now
			m.anchor = anchor{}
			m.ballot.clear()
			o, ok = m.anchor.turn(obs, known)
		}
		if !ok { // no grid, or one that cannot be told from another: as if not read
			if obs.Grid != nil && obs.Grid.Found {
				m.stuck.note(stuckNumbers, obs.T)
			}
			return
		}
		if !was.set {
			m.noteFacts()
		}
		obs = o
	}
	m.stuck.found()
	if n := len(m.ballot.reads); n > 0 && !slices.Equal(m.ballot.reads[n-1].Hidden, obs.Hidden) { // another part of the table is in view
		m.unsettle(PhaseStill)
		m.ballot.still = 1
	}
	obs = m.withHidden(obs)
	m.noteFixes(obs)
	obs = m.corrected(obs)
	if m.settled {
		m.doubleCheck(obs)
		return
	}
	m.ballot.add(obs)
}

// withHidden has the dice on squares over which something lies as they were when they were seen last.
func (m *Match) withHidden(obs table.Observation) table.Observation {
	if len(obs.Hidden) == 0 {
		return obs
	}
	hidden := func(r table.Reading) bool { return r.Square != nil && slices.Contains(obs.Hidden, *r.Square) }
	obs.Dice = slices.DeleteFunc(slices.Clone(obs.Dice), hidden)
	for _, r := range m.seen.obs.Dice {
		if hidden(r) {
			obs.Dice = append(obs.Dice, r)
		}
	}
	return obs
}

// doubleCheck looks at a reading of a view that is accounted for. Two in a row that
// agree with each other but not with what was concluded reopen it: something
// changed too slowly to be noticed as movement.
func (m *Match) doubleCheck(obs table.Observation) {
	if sameBoard(obs, m.seen.obs) {
		m.rivals = nil
		return
	}
	m.rivals = append(m.rivals, obs)
	if n := len(m.rivals); n >= quickReads && sameBoard(m.rivals[n-1], m.rivals[n-2]) {
		m.course.nextView()
		m.nextSight()
		m.ballot = ballot{reads: m.rivals[n-2:], still: 1}
		m.settled, m.rivals = false, nil
	}
}

// corrected applies the players' corrections of readings, and forgets those whose die is gone.
func (m *Match) corrected(obs table.Observation) table.Observation {
	if len(m.fix) == 0 {
		return obs
	}
	obs.Dice = append([]table.Reading{}, obs.Dice...)
	present := map[table.Square]bool{}
	for i := range obs.Dice {
		r := &obs.Dice[i]
		if r.Square == nil {
			continue
		}
		if f, ok := m.fix[*r.Square]; ok {
			present[*r.Square] = true
			if f.corrects(*r) {
				*r = certain(*r, f.To)
			}
		}
	}
	obs.Dice = slices.DeleteFunc(obs.Dice, func(r table.Reading) bool { return r.Square != nil && r.Color == table.NoColor }) // invented
	for sq, f := range m.fix {
		if slices.Contains(f.From, table.Die{}) && !present[sq] && f.To.Color != table.NoColor { // a die that the camera does not see
			sq := sq
			obs.Dice = append(obs.Dice, certain(table.Reading{Square: &sq}, f.To))
		}
	}
	return obs
}

// conclude says what happened since the last conclusion, if the votes tell. It
// reports whether the view is accounted for. With final the view has ended and
// there will be no more votes.
func (m *Match) conclude(final bool) bool {
	if m.setting.Game.Kit().Layout == table.Board {
		return m.concludeBoard(final)
	}
	if m.followsZones() {
		return m.concludeByZones(final)
	}
	obs := m.ballot.count()
	if m.dismiss != nil {
		if equalBoards(boardOf(obs), m.dismiss) {
			m.seen.ok, m.seen.obs = true, obs
			return true // what an undo has put out of force is not told again
		}
		m.dismiss = nil
	}
	if !m.cleared(boardOf(obs)) {
		m.seen.ok, m.seen.obs = true, obs
		return true // what is there is of the match before
	}
	var done bool
	switch why, many := m.tooMany(obs); {
	case m.setting.Game.Kit().Layout == table.Arena:
		done = m.concludeFlick()
	case many:
		return m.doubtful(why, m.rereadings(obs))
	default:
		done = true // a game by zones that no camera follows is told by players
	}
	if done {
		if m.about != m.seq && !m.turns.open { // a question about what has just been told stays
			m.leaveUnanswered()
			m.forget()
		}
		m.accept(obs, false)
	}
	return done
}

// concludeBoard says what happened on a board, if the votes tell.
func (m *Match) concludeBoard(final bool) bool {
	obs := m.ballot.count()
	looks := boardOf(obs)
	switch {
	case !m.cleared(looks):
		return true // what lies there is of the match before, and tells nothing of the board
	case m.dismiss != nil && equalBoards(looks, m.dismiss):
		m.course.passOver(m.ballot.reads)
	case !m.believe(obs, final):
		return false
	}
	if !equalBoards(looks, m.dismiss) {
		m.dismiss = nil
	}
	m.seen.ok, m.seen.obs = true, obs
	want := m.line.now().Expect().Squares
	for sq, f := range m.fix {
		if want[sq] != f.To || f.To.Color == table.NoColor && f.idle && !f.lies {
			delete(m.fix, sq)
		}
	}
	return true
}

// accept takes a view for accounted for. A reading that the rules overruled is
// not held against the position again as long as it stays the same: a doubtful one,
// or any if the answer to a doubt overruled it.
func (m *Match) accept(obs table.Observation, answered bool) {
	m.seen.ok, m.seen.obs = true, obs
	want := m.line.now().Expect().Squares
	for sq, f := range m.fix {
		if want[sq] != f.To || f.To.Color == table.NoColor && f.idle && !f.lies {
			delete(m.fix, sq)
		}
	}
	if m.setting.Game == table.DiceFlick {
		return
	}
	for _, r := range obs.Dice {
		if r.Square == nil || r.Sure && !answered {
			continue
		}
		if w, ok := want[*r.Square]; (ok || answered && !r.Sure) && w != r.Die {
			f := m.fix[*r.Square]
			f.From, f.To, f.idle, f.told = append(f.From[:len(f.From):len(f.From)], r.Die), w, false, f.told || answered
			m.fix[*r.Square] = f
		}
	}
}

// tooMany tells of a conservation law that a reading breaks: more dice of a color than there are.
func (m *Match) tooMany(obs table.Observation) (why Phrase, many bool) {
	kit := m.setting.Game.Kit()
	if kit.Dice == nil {
		return why, false
	}
	count := map[table.Color]int{}
	for _, r := range onGrid(obs).Dice {
		c := r.Color
		count[c]++
	}
	for _, c := range table.Colors {
		if count[c] > kit.Dice[c] {
			return phrase("too-many", "count", count[c], "color", c, "of", kit.Dice[c]), true
		}
	}
	return why, false
}

// play records moves of one line, each an event of its own, and what the rules make of them.
func (m *Match) play(by string, line []rules.Move) bool {
	for _, mv := range line {
		if m.playOne(by, mv) != nil {
			return false
		}
	}
	return m.followUp() == nil
}

// playOne records one move, judged.
func (m *Match) playOne(by string, mv rules.Move) error {
	act := Act{Kind: actPlay, Moves: []string{mv.String()}}
	if mv.Actor() == rules.Nature {
		return m.emit(by, act, nil, "")
	}
	e, text := m.eventOf(mv)
	text, m.aside = text+m.aside, ""
	return m.emit(by, act, e, text)
}

// followUp does what the rules alone demand: forced passes, and the end.
func (m *Match) followUp() error {
	if err := m.playForced(); err != nil {
		return err
	}
	for range m.setting.Players {
		p, ok := m.line.now().(rules.Passer)
		if !ok {
			break
		}
		mv, must := p.MustPass()
		if !must {
			break
		}
		e := Event{Type: TypePass, Player: m.name(mv.Actor())}
		if err := m.emit(ByRules, Act{Kind: actPlay, Moves: []string{mv.String()}}, &e, e.Player+" has to pass."); err != nil {
			return err
		}
	}
	if m.line.now().ToMove() == rules.Nobody && !m.ended {
		return m.end(true)
	}
	return nil
}

// allInView says whether just the dice of a game with a board are seen, on it and beside it: whatever
// seems to lie over it hides none, and is not a hand with a die in it.
func (m *Match) allInView(obs table.Observation) bool {
	kit := m.setting.Game.Kit()
	if kit.Layout != table.Board || obs.Grid == nil || !obs.Grid.Found {
		return false
	}
	seen := append(onGrid(obs).Dice, besideAll(obs)...)
	return !slices.ContainsFunc(table.Colors[:], func(c table.Color) bool { return len(ofColor(seen, c)) != kit.Dice[c] })
}

// live records a story: what was taken back, and what was played.
func (m *Match) live(s rules.Story, by string) bool {
	return m.liveStory(s, by) && m.followUp() == nil
}

// liveStory records a story alone.
func (m *Match) liveStory(s rules.Story, by string) bool {
	for range s.Back {
		if m.takeBack(by) != nil {
			return false
		}
	}
	for _, mv := range s.Line {
		if m.playOne(by, mv) != nil {
			return false
		}
	}
	return true
}
