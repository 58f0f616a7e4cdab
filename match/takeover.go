package match

import (
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/table"
)

// SayStands takes the board over as it lies: what no story explains is so all the same,
// and play goes on from there. Player, if given, is on turn.
const SayStands = "stands"

// AsItStands is the Choice that confirms the board.
const AsItStands = "this is how it stands"

type boardMap = map[table.Square]table.Die

// seedOf is the color that is on a board from the start; NoColor: none does.
func seedOf(g table.Game) table.Color {
	if g.Kit().Layout == table.Board {
		return table.Black
	}
	return table.NoColor
}

// stands is the move that takes the board over as it is seen; nil where nothing was
// seen, or the game has no board.
func (m *Match) stands(next rules.Player) rules.Move {
	obs := m.seen.obs
	if len(m.ballot.reads) > 0 {
		obs = m.ballot.count()
	} else if !m.seen.ok {
		return nil
	}
	switch m.setting.Game.Kit().Layout {
	case table.Board:
		return rules.Stands{Dice: rules.SeenBoard(obs), Next: next}
	case table.Arena:
		return diceflick.Arrange{Dice: diceflick.SeenArena(obs)}
	}
	return nil
}

// sayStands takes the board over.
func (m *Match) sayStands(d Declaration) error {
	next := rules.Nobody
	if d.Player != "" {
		k := slices.Index(m.setting.Players, d.Player)
		if k < 0 {
			return reject("no-such-player", "player", d.Player)
		}
		next = rules.Player(k)
	}
	mv := m.stands(next)
	if mv == nil {
		return reject("nothing-to-take-over")
	}
	if err := m.line.now().Check(mv); err != nil && reasonsOf(err) == nil {
		return err
	}
	e := Event{Type: TypeStands, Player: d.Player}
	if err := m.emit(d.by(), Act{Kind: actPlay, Moves: []string{mv.String()}}, &e, "The players confirm this position."); err != nil {
		return err
	}
	m.clearing = false
	m.forget()
	m.settled = true
	if len(m.ballot.reads) > 0 {
		m.accept(m.ballot.count(), true)
	}
	return m.followUp()
}
