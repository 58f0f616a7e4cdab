package match

import (
	"encoding/json"
	"slices"

	"diceref/calibration"
	"diceref/match/belief"
	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// facts is what a match has learned of the table, or was told of it, and is not an act of the
// game. It goes into the journal whenever it has changed, whole, so that a match that goes
// on after a restart knows it too.
type facts struct {
	Corners [4]table.Point     `json:"corners"`         // all 0: no grid was found yet
	Zones   []calibration.Zone `json:"zones,omitempty"` // drawn again since the start
	// Fixes are readings that were corrected and stay so while their dice lie.
	Fixes  []keptFix   `json:"fixes,omitempty"`
	Prints []keptPrint `json:"prints,omitempty"` // what is printed on a board
	// Board and View are what lay on the table when it was taken as it is.
	Board []keptDie `json:"board,omitempty"`
	View  *keptView `json:"view,omitempty"`
	// Seen is the view of a board that was accounted for last. Sides are whose dice are beside it, in journals of before: it is
	// part of Boards.
	Seen  *keptView                `json:"seen,omitempty"`
	Sides *[4]map[rules.Player]int `json:"sides,omitempty"`
	// Turn is the dice that had left the arena in a turn of DICE Flick, in journals of before: it is part of Turns.
	Turn     *keptTurn `json:"turn,omitempty"`
	Clearing bool      `json:"clearing,omitempty"` // the table still holds the dice of the match before
	Open     *keptOpen `json:"open,omitempty"`
	// Boards is what may have happened on a board.
	Boards *keptBoards    `json:"boards,omitempty"`
	Sight  *keptBoardView `json:"sight,omitempty"` // the last view of a board or an arena by which something is believed
	// Turns is what may have happened in the turns of DICE Flick.
	Turns *keptTurns `json:"turns,omitempty"`
}

type keptDie struct {
	Square table.Square `json:"square"`
	table.Die
}

type keptFix struct {
	Square table.Square `json:"square"`
	From   []table.Die  `json:"from"`
	To     table.Die    `json:"to"`
	Sure   bool         `json:"sure,omitempty"`
	Lies   bool         `json:"lies,omitempty"`
}

type keptPrint struct {
	Square table.Square `json:"square"`
	X      float64      `json:"x"` // on the board, in squares
	Y      float64      `json:"y"`
	Dice   []table.Die  `json:"dice"` // what it is taken for
}

func first(dice []table.Die) (d table.Die) {
	if len(dice) > 0 {
		d = dice[0]
	}
	return d
}

// keptOpen is a question about what was told, whose first answer is in force.
type keptOpen struct {
	Ask    keptPhrase  `json:"ask"`
	Offers []keptOffer `json:"offers"`
}

type keptOffer struct {
	Says  keptPhrase `json:"says"`
	First int64      `json:"first"`
	Last  int64      `json:"last"`
	Moves []string   `json:"moves"`
}

type keptPhrase struct {
	Phrase Phrase `json:"phrase"`
	Words  string `json:"words"`
}

// keepPhrase is a phrase as reading it back gives it.
func keepPhrase(p Phrase) keptPhrase {
	k := keptPhrase{p, p.String()}
	if b, err := json.Marshal(p); err == nil {
		_ = k.Phrase.UnmarshalJSON(b) // of its own form
	}
	return k
}

func (k keptPhrase) phrase() Phrase {
	p := k.Phrase
	p.text = k.Words
	return p
}

// factsNow is what a match knows of the table.
func (m *Match) factsNow() facts {
	f := facts{Zones: m.redrawn, Clearing: m.clearing, Open: m.keptQuestion()}
	if m.anchor.set {
		f.Corners = m.anchor.corners
	}
	for sq, x := range m.fix {
		if x.sure || x.told {
			f.Fixes = append(f.Fixes, keptFix{sq, x.From, x.To, x.sure, x.lies})
		}
	}
	slices.SortFunc(f.Fixes, func(a, b keptFix) int { return a.Square.Index() - b.Square.Index() })
	for sq, d := range m.dismiss {
		f.Board = append(f.Board, keptDie{sq, d})
	}
	slices.SortFunc(f.Board, func(a, b keptDie) int { return a.Square.Index() - b.Square.Index() })
	if d := m.zones.dismiss; d != nil {
		f.View = keepView(*d)
		for i := range f.View.Dice {
			f.View.Dice[i].Doubt = nil // as it was read it is dismissed
		}
	}
	m.keepSeen(&f)
	f.Prints, f.Sight = m.keptPrints(), m.keptBoardView()
	f.Turns, f.Boards = m.keptTurns(), m.keptBoards()
	return f
}

// keptQuestion is the open question if it is about what was told last and every answer
// says what was otherwise; nil: another view says what there is to ask.
func (m *Match) keptQuestion() *keptOpen {
	if m.ask == "" || m.about == 0 || m.about != m.seq || m.question == nil {
		return nil
	}
	open := &keptOpen{Ask: keepPhrase(*m.question)}
	for _, o := range m.offers {
		if o.amend == nil {
			return nil
		}
		open.Offers = append(open.Offers, keptOffer{Says: keepPhrase(o.says), First: o.amend.first, Last: o.amend.last, Moves: wordsOf(o.amend.moves)})
	}
	return open
}

// text is the facts as they are written.
func (f facts) text() []byte {
	b, err := json.Marshal(f)
	if err != nil {
		panic("match: " + err.Error()) // numbers and names alone
	}
	return b
}

// gist is the facts but for where exactly all lies, and how likely just all is, which is never quite the same.
func (f facts) gist() string {
	f.Corners = [4]table.Point{}
	f.Seen, f.Boards, f.Sight, f.Turns = f.Seen.gist(), f.Boards.gist(), f.Sight.gist(), f.Turns.gist()
	return string(f.text())
}

// keepFacts writes down what the match knows of the table, if that has changed, or if what it believes was written down before the last
// record: a restart would take that for something which it does not know of.
func (m *Match) keepFacts() {
	if m.course.on {
		m.syncCourse()
	}
	if f := m.factsNow(); f.gist() != m.kept || f.Boards.open() && m.line.factsAt != m.seq {
		m.writeFacts(f)
	}
}

// noteFacts writes down what the match knows of the table.
func (m *Match) noteFacts() { m.writeFacts(m.factsNow()) }

// writeFacts writes down facts as they are now.
func (m *Match) writeFacts(f facts) {
	about := m.about > 0 && m.about == m.seq
	if err := m.emit(ByCamera, Act{Kind: actFacts, Facts: f.text()}, nil, ""); err != nil {
		m.trouble = err
		return
	}
	m.kept = f.gist()
	if about { // nothing was told since
		m.about = m.seq
	}
}

// recall takes up what a resumed match knew.
func (m *Match) recall() {
	var f facts
	if len(m.line.facts) > 0 && json.Unmarshal(m.line.facts, &f) == nil {
		m.take(f)
	}
	m.askAgain()
	m.setPhase(m.restPhase())
}

// askAgain takes up the question by zones that was told last, if nothing was told since: the next view
// brings its answers, or ends it.
func (m *Match) askAgain() {
	n := len(m.log)
	if n == 0 || m.ask != "" || m.ended || !m.followsZones() {
		return
	}
	if last := m.log[n-1]; last.Type == TypeDoubt && last.By == ByCamera && last.Question != nil {
		m.putQuestion(*last.Question, nil, 0)
		m.ask, m.stale = last.Ask, true
	}
}

func (m *Match) take(f facts) {
	if f.Corners != [4]table.Point{} {
		m.anchor = anchor{set: true, corners: f.Corners}
	}
	if f.Zones != nil {
		m.setting.Zones, m.redrawn = f.Zones, f.Zones
	}
	for _, k := range f.Fixes {
		m.fix[k.Square] = fix{From: k.From, To: k.To, sure: k.Sure, told: true, idle: true, lies: k.Lies}
	}
	if len(f.Board) > 0 {
		m.dismiss = boardMap{}
	}
	for _, d := range f.Board {
		m.dismiss[d.Square] = d.Die
	}
	if f.View != nil {
		d := f.View.seen(m.setting.Game)
		m.zones.dismiss = &d
	}
	m.clearing = f.Clearing
	m.takeSeen(f)
	if f.Open != nil && m.line.factsAt == m.seq {
		m.reopen(f.Open)
	}
	var prints []belief.Print
	for _, k := range f.Prints {
		prints = append(prints, belief.Print{Square: k.Square, At: table.Point{X: k.X, Y: k.Y}, As: first(k.Dice)})
	}
	if f.Boards == nil && f.Sides != nil {
		f.Boards = &keptBoards{Owners: ownersOf(*f.Sides)}
	}
	m.takeBoards(f.Boards, m.takeSight(f.Sight), f.Sight != nil, prints)
	var gone scoring.Holes
	if f.Turn != nil {
		gone = f.Turn.Gone
	}
	m.takeTurns(f.Turns, m.takeSight(f.Sight), prints, gone)
	m.kept = m.factsNow().gist()
}

// reopen asks again what was asked when the match stopped.
func (m *Match) reopen(k *keptOpen) {
	var offers []offer
	for _, o := range k.Offers {
		moves, err := parseMoves(m.game, o.Moves)
		if err != nil {
			return
		}
		offers = append(offers, offer{says: o.Says.phrase(), story: rules.Story{Line: moves}, amend: &amendment{o.First, o.Last, moves}})
	}
	m.putQuestion(k.Ask.phrase(), offers, m.seq)
}
