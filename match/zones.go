package match

import (
	"slices"

	"diceref/calibration"
	"diceref/rules"
	"diceref/table"
)

// zoneGame is a game that is played by zones of the table. The machine here turns a
// settled view into dice by zone, searches short lines of the game's acts whose
// outcome looks like it, and tells the most likely if it stands out; else it asks.
type zoneGame interface {
	// where is what a zone of the table is to this game; false: nothing.
	where(z calibration.Zone) (zoneKey, bool)
	// piles says what should be where in a position. A zone in which nothing ought
	// to lie has an empty pile. Every die that may be in view is in one of them.
	piles(s rules.State) []pile
	// toward lists legal acts that may lead from a position toward what is seen. Each is
	// tried, and acts after it; a list that is too long costs time, one too short stories.
	toward(s rules.State, seen *spread) []rules.Move
	// astray lists illegal acts that would explain what is seen.
	astray(s rules.State, seen *spread) []rules.Move
	// halfway lists what the table may look like in the middle of what the player on
	// turn may do next; each is what there is before and after a movement of dice.
	halfway(s rules.State, seen *spread) []movement
	// early says whether a view in which a story fits may also be the middle of less.
	early(now rules.State, s rules.Story) bool
	// unfinished says whether a story is to be told only once more has happened, and what there is to ask meanwhile.
	unfinished(s rules.Story) (ask Phrase, is bool)
	// price is how unlikely an act is in itself beyond others, as -ln.
	price(s rules.State, mv rules.Move) float64
	// instead is how unlikely an act is beyond others in place of one that was taken back,
	// which was illegal or not.
	instead(undone rules.Move, wrong bool, mv rules.Move, seen *spread) float64
	// blind says what of a story no picture has shown, and nobody has said; empty: nothing.
	blind(s rules.Story, said []rules.Move) (says Phrase, any bool)
	// counts says whether a story that begins at a position depends on so many more dice being seen.
	counts(begin rules.State, s rules.Story, short int) bool
	// unseen is the act that is bound to come next and changes nothing on the table; nil: none.
	unseen(s rules.State) rules.Move
	// stands says whether an act can no longer be taken back (RULES.md 0.3).
	stands(mv rules.Move) bool
	// unrolled says whether dice are to be rolled that no view has shown: whoever says more has seen them.
	unrolled(s rules.State) bool
}

// zoneGames are the games that are played by zones.
var zoneGames = map[table.Game]zoneGame{
	table.DiceCreams: creamZones{},
}

// zoneMemory is what a match by zones remembers from view to view.
type zoneMemory struct {
	hidden  [10]int            // dice of heaps that did not show, by color if that is known
	dismiss *table.Observation // a view that an undo, or the word to go on, has put out of force
	halfway *spread            // the view in the middle of an act that was seen last
	veiled  bool               // in the picture before dice were hidden, and nothing else was new
	held    *Phrase            // what would have been asked of a picture in which dice were hidden
	agreed  rules.State        // the position that the last view agreed with
	maybe   []hypothesis       // what may have happened in the doubtful views before this one
	next    []hypothesis       // the same with this view
	from    rules.State        // the position that all of it goes on from
	lost    []lostDie          // dice that are not seen, but were asked about
	faint   []faintDie         // dice that were hardly seen in the last view that was accounted for
	known   []knownDie
	short   [10]int         // dice that are not seen in the present view, by color if that is known,
	counted [10]int         // and were not in the one before
	since   int             // frame at which the present view began,
	frame   int             // the last frame that was looked at,
	posed   bool            // which was a picture taken on purpose
	last    []table.Reading // its dice, and those of the view before
	was     []table.Reading

	explained explained // see explain

	most, shown [10]int         // dice of each color in the view that showed the most, and in the last
	heaps       []table.Reading // the dice of heaps in the view that led to maybe, or that was accounted for last,
	nextHeaps   []table.Reading // and in the one that led to next
}

// look notes the dice of a view that began at a frame.
func (z *zoneMemory) look(obs table.Observation, since int) {
	if since != z.since {
		z.since, z.was, z.counted = since, z.last, z.short
	}
	z.last, z.frame, z.posed = obs.Dice, obs.Frame, obs.Posed
}

// miss notes how many dice are not seen. As many of the same colors as in another view before
// are hidden forever.
func (z *zoneMemory) miss(g zoneGame, s rules.State, seen *spread) {
	seen.hidden, seen.faint = z.hiddenIn(g.piles(s), seen), z.faint
	var short, want [10]int
	heap := false
	for _, p := range g.piles(s) {
		heap = heap || p.heap && seen.drawn[p.at]
		for c, k := range p.count() {
			want[c] += k
		}
	}
	if all := sum(want); heap && want[table.NoColor] == all && sum(z.most) == all {
		want = z.most // a view has shown them all
	}
	if heap {
		short = missing(want, seen.colors())
	}
	if z.short = short; short == z.counted {
		seen.short = sum(short)
	}
	dice := heapedDice(g.piles(s), seen)
	if seen.hidden > 0 {
		seen.come = newcomers(dice, z.heaps, seen.reach)
	}
	if seen.short > 0 {
		seen.justCome = newcomers(dice, z.was, seen.reach)
	}
}

// seenBefore says whether all dice have been seen where a position has them: nothing has
// been said since that no view has shown yet.
func (z *zoneMemory) seenBefore(g zoneGame, now rules.State) bool {
	return z.agreed == nil || z.agreed == now || samePiles(g.piles(z.agreed), g.piles(now))
}

// allDice is how many dice a game has in sight.
func allDice(piles []pile) (n int) {
	for _, p := range piles {
		n += len(p.dice)
	}
	return n
}

// concludeZones compares a settled view with what should be in each zone, and
// records what happened.
func (m *Match) concludeZones(obs table.Observation) bool {
	g := m.byZones()
	if g == nil {
		return true
	}
	if d := m.zones.dismiss; d != nil {
		if sameLoose(obs, *d) {
			return true
		}
		m.zones.dismiss = nil
	}
	obs = m.zones.put(obs)
	seen := spreadOut(g, m.seatedZones(), obs)
	m.zones.look(obs, m.ballot.first)
	seen.was, seen.reach = append(slices.Clone(m.seen.obs.Dice), m.zones.was...), reachOf(obs)
	m.zones.miss(g, m.line.now(), seen)
	passed := obs
	passed.Dice = passing(m.zones.was, append(slices.Clone(m.seen.obs.Dice), obs.Dice...), seen.reach)
	seen.passed = spreadOut(g, m.seatedZones(), passed)
	if why, many := m.tooManyLoose(obs); many {
		return m.doubtful(why, nil)
	}
	r := m.explain(g, seen)
	if (r.Why != nil || r.Verdict == rules.Unexplained && !r.changed || r.begin != nil && g.early(r.begin, r.Story)) && m.underway(g, seen) {
		m.zones.halfway = seen
		return true
	}
	veiled := r.Verdict == rules.Unexplained && m.ask == "" && veils(g.piles(m.line.now()), seen) && m.zones.seenBefore(g, m.line.now())
	if veiled, m.zones.veiled = veiled && obs.Posed && !m.zones.veiled, veiled; veiled {
		return true // a hand, most likely: the next picture will tell
	}
	if r.Verdict == rules.Unexplained && obs.Posed && m.ask == "" && m.zones.held == nil && !r.tired {
		if t, is := m.laidOver(g, seen); is {
			m.zones.held = &r.ask
			m.leaveTales(g, seen, r.all(t))
			return true // the same, over what has changed
		}
	}
	if r.Verdict != rules.Unexplained && (len(r.lost) > len(m.zones.lost) || r.skips || r.guessed() || m.stillUnseen(g, seen, &r)) {
		m.askHeld() // they are hidden still, or it did not say what came before
	}
	done, ask, offers := m.tellZones(g, seen, obs, &r)
	if done || m.trouble != nil {
		return done
	}
	m.doubtful(ask, offers)
	if m.ask != "" {
		m.leaveTales(g, seen, r.all())
	}
	return false
}

// leaveTales keeps what may have happened in a view for the next to tell.
func (m *Match) leaveTales(g zoneGame, seen *spread, tales []hypothesis) {
	m.zones.next, m.zones.from = tales, m.line.now()
	m.zones.nextHeaps = heapedDice(g.piles(m.line.now()), seen)
}

// tellZones acts on the outcome of a search, or says what to ask.
func (m *Match) tellZones(g zoneGame, seen *spread, obs table.Observation, r *ruling) (done bool, ask Phrase, offers []offer) {
	seen.lost = r.lost
	switch r.Verdict {
	case rules.Unchanged, rules.Explained, rules.TakenBack, rules.IllegalAct:
		yes := offer{says: phrase("yes"), story: r.Story, before: r.before}
		if r.doubtful(g, seen) {
			return false, phrase("at-once", "acts", m.deedsOf(r.whole()...)), []offer{yes, {says: phrase("no")}}
		}
		if ask, is := m.diceUnseen(g, seen, r); is {
			return false, ask, []offer{yes}
		}
		if ask, unfinished := g.unfinished(r.Story); unfinished {
			return false, ask, nil
		}
		return m.liveTale(g, seen, obs, r), ask, nil
	}
	if r.stands() {
		return m.liveTale(g, seen, obs, r), ask, nil
	}
	for i, says := range differences(r.tales) {
		offers = append(offers, offer{says: says, story: r.tales[i].Story, before: r.tales[i].before})
	}
	if alikeTales(g, r.tales) { // no later view will tell
		if !m.liveAll(r.before, ByCamera) || m.playAsking(ByCamera, r.ask, offers) != nil {
			return false, ask, nil
		}
		m.acceptZones(g, seen, obs, nil)
		return true, ask, nil
	}
	return false, r.ask, offers
}

// doubtful says whether the most likely tale is not told unasked. Nobody is accused of several acts that were seen
// at once where it depends on dice that are not seen, wherever they most likely lie.
func (r *ruling) doubtful(g zoneGame, seen *spread) bool {
	unseen := allDice(g.piles(r.After)) - seen.total - len(r.lost)
	unclear := r.lead < leastLead || r.Misfit > clearly || unseen > 0 && g.counts(r.start, r.Story, unseen)
	wrong := r.Verdict == rules.IllegalAct && (len(r.Line) > 1 && !r.plain && unclear || r.dim && g.counts(r.start, r.Story, len(r.lost)))
	return wrong || r.accuses() && !r.borneOut() || r.against && len(r.Line) > 1
}

// liveTale records what a tale tells, and takes the view for accounted for.
func (m *Match) liveTale(g zoneGame, seen *spread, obs table.Observation, r *ruling) bool {
	wrong := misread(g, r.After, seen)
	if len(r.whole()) > 0 {
		m.aside = asideOf(wrong)
	}
	if !m.liveBefore(&r.hypothesis) {
		return false
	}
	why, blind := g.blind(r.since(), seen.said)
	asked := m.question != nil && m.question.Kind == why.Kind
	if blind && !asked && m.remark(why) != nil {
		return false
	}
	if !m.live(r.Story, ByCamera) {
		return false
	}
	m.acceptZones(g, seen, obs, wrong)
	return true
}

// liveAll records stories of views before this one. What the rules alone demand comes after the last:
// where another goes on from it, that tells it itself.
func (m *Match) liveAll(stories []rules.Story, by string) bool {
	for _, s := range stories {
		if !m.liveStory(s, by) {
			return false
		}
	}
	return true
}

// alikeTales says whether tales go on from the same view in ways that leave the same
// dice in the same places, so that no camera can tell them apart. Those that accuse somebody wait.
func alikeTales(g zoneGame, stories []hypothesis) bool {
	for _, s := range stories {
		if len(s.before) != len(stories[0].before) {
			return false
		}
		if s.Back > 0 || s.Why != nil || s.accuses() || s.Misfit > leastGain || !samePiles(g.piles(s.After), g.piles(stories[0].After)) {
			return false
		}
	}
	return len(stories) > 1
}

func samePiles(a, b []pile) bool {
	return slices.EqualFunc(a, b, func(x, y pile) bool { return x.at == y.at && x.unseen == y.unseen && slices.Equal(x.dice, y.dice) })
}

// byZones is the game's way to be followed by zones; nil where acts are declared.
func (m *Match) byZones() zoneGame {
	if len(m.setting.Zones) == 0 || m.followsZones() {
		return nil
	}
	return zoneGames[m.setting.Game]
}

// playUnseen records what is bound to follow and cannot be seen.
func (m *Match) playUnseen() error {
	if !m.hasZones() || m.ended {
		return nil
	}
	const most = 12 // one after the other
	for range most {
		mv := m.forcedByZones()
		if mv == nil {
			return nil
		}
		if err := m.playOne(ByRules, mv); err != nil {
			return err
		}
	}
	return nil
}

// forcedByZones is the act that the rules alone demand next; nil: none.
func (m *Match) forcedByZones() rules.Move {
	if m.followsZones() {
		return m.line.now().(rules.Zoned).Forced()
	}
	return m.byZones().unseen(m.line.now())
}

// doubtless forgets what may have happened: it is known, and has led to this position.
func (z *zoneMemory) doubtless(now rules.State) {
	z.halfway, z.maybe, z.next, z.held, z.agreed = nil, nil, nil, nil, now
}

// undecided says whether the last view was left for the next one to say what happened.
func (z *zoneMemory) undecided() bool { return z.halfway != nil || z.veiled || z.held != nil }

// openTales is what may have happened and nobody knows yet; nil where all is known.
func (m *Match) openTales() []hypothesis {
	z := &m.zones
	if z.from != m.line.now() { // something else is known by now
		z.maybe, z.next = nil, nil
	}
	if z.next != nil {
		return z.next
	}
	return z.maybe
}

// clear says whether the first of several tales is much likelier than the others, and
// accuses nobody of what was not clearly seen, unless that was borne out since.
func (t hypothesis) clear(list []hypothesis) bool {
	lead := float64(rules.DefaultMargin)
	if t.shaky() {
		lead = leastLead
	}
	for _, o := range list[min(1, len(list)):] {
		if o.sofar-t.sofar < lead {
			return false
		}
	}
	return !t.shaky() || t.borne >= enoughBorne
}

// finishZones goes on with what most likely happened in the last view although that
// was asked about, if it is much likelier than all else: no other view will tell.
func (m *Match) finishZones() {
	m.askHeld()
	if m.byZones() == nil {
		return
	}
	list := m.openTales()
	if len(list) > 0 && list[0].clear(list) && m.liveBefore(&list[0]) && m.followUp() == nil {
		m.zones.doubtless(m.line.now())
	}
}

// askHeld asks what was not asked of a picture as the next one was to tell.
func (m *Match) askHeld() {
	if ask := m.zones.held; ask != nil && m.ask == "" {
		m.askNow(*ask, nil)
	}
}

// another begins a new view.
func (z *zoneMemory) another() {
	if z.next != nil {
		z.maybe, z.next, z.heaps = z.next, nil, z.nextHeaps
	}
}

// acceptZones takes a view for accounted for.
func (m *Match) acceptZones(g zoneGame, seen *spread, obs table.Observation, wrong []misplaced) {
	m.unheard()
	m.zones.doubtless(m.line.now())
	piles := g.piles(m.line.now())
	m.zones.hidden, m.zones.lost, m.zones.faint = unshown(piles, seen), seen.lost, append(seen.overlooked(piles), faintOnes(seen)...)
	m.zones.heaps, m.zones.nextHeaps = heapedDice(piles, seen), nil
	m.zones.remember(obs, wrong)
	if m.setting.Game.Kit().Dice != nil {
		return // dice come and go
	}
	m.zones.shown = seen.colors()
	if allDice(g.piles(m.line.now())) == seen.total {
		m.zones.most = m.zones.shown
	}
}

// answeredZones takes a view for what the players say it is: readings that are wrong
// then are so until the dice move, and dice that are missing lie where no camera sees them.
func (m *Match) answeredZones(obs table.Observation) {
	g := m.byZones()
	if g == nil {
		return
	}
	seen := spreadOut(g, m.seatedZones(), m.zones.put(obs))
	z := zoneSearch{g: g, seen: seen}
	seen.lost = z.lost(m.line.now())
	var wrong []misplaced
	const anything = 100
	fitZones(g.piles(m.line.now()), seen, anything, &wrong)
	for i := range wrong { // what was not read surely may yet come to show just that
		wrong[i].sure = slices.ContainsFunc(obs.Dice, func(r table.Reading) bool { return r.Sure && r.Die == wrong[i].read && r.At == wrong[i].at })
	}
	m.acceptZones(g, seen, obs, wrong)
}

// tooManyLoose tells of a conservation law that a view breaks: more dice than the game has.
func (m *Match) tooManyLoose(obs table.Observation) (why Phrase, many bool) {
	count, all := map[table.Color]int{}, 0
	for _, r := range obs.Dice {
		if r.Sure {
			count[r.Color]++
			all++
		}
	}
	kit := m.setting.Game.Kit().Dice
	for _, c := range table.Colors {
		if kit != nil && count[c] > kit[c] {
			return phrase("too-many", "count", count[c], "color", c, "of", kit[c]), true
		}
	}
	if kit == nil {
		if most := allDice(m.byZones().piles(m.line.now())); all > most {
			return phrase("foreign-dice", "count", all, "of", most), true
		}
	}
	return why, false
}

// dismissZones takes a view for accounted for although acts that it showed are out of force.
func (m *Match) dismissZones(obs table.Observation) {
	m.zones.doubtless(m.line.now())
	m.outOfForce(obs)
}

// outOfForce has a view that does not fit the position ignored for as long as the table looks like it.
func (m *Match) outOfForce(obs table.Observation) {
	g := m.byZones()
	if g == nil {
		if m.followsZones() {
			m.dismissView(obs)
		}
		return
	}
	seen := spreadOut(g, m.seatedZones(), m.zones.put(obs))
	seen.hidden = m.zones.hiddenIn(g.piles(m.line.now()), seen)
	if misfitZones(g.piles(m.line.now()), seen, maxMisfit) > maxMisfit {
		m.zones.dismiss = &obs
	}
}
