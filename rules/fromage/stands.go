package fromage

import (
	"fmt"
	"strconv"
	"strings"

	"diceref/rules"
	"diceref/scoring"
)

// Stands says how the table stands where nothing explains how it came to: play goes on from there.
// What sets and Fromages have scored meanwhile is not known. Nature's move.
type Stands struct {
	Cart   scoring.Faces
	Hands  [maxSeats]scoring.Faces
	Points [maxSeats]int // that players said they take
	Next   rules.Player  // whose turn it is
	Acted  bool          // they have kept dice, or stolen some
}

// Afresh implements rules.Afresh.
func (m Stands) Afresh() rules.Player { return m.Next }

// Actor implements rules.Move.
func (m Stands) Actor() rules.Player { return rules.Nature }

const (
	standsWord = "stands"
	actedWord  = "acted"
)

// String writes "stands 245 A:11 C:3+2 next=B acted": the Cart, hands with points that were said.
func (m Stands) String() string {
	words := []string{standsWord, digits(m.Cart)}
	for p, h := range m.Hands {
		word := rules.Player(p).String() + ":" + digits(h)
		if n := m.Points[p]; n > 0 {
			word += "+" + strconv.Itoa(n)
		} else if h.Len() == 0 {
			continue
		}
		words = append(words, word)
	}
	words = append(words, "next="+m.Next.String())
	if m.Acted {
		words = append(words, actedWord)
	}
	return strings.Join(words, " ")
}

// parseStands reads what Stands.String writes; ok is false for other acts.
func parseStands(text string) (m Stands, ok bool, err error) {
	w := strings.Fields(text)
	if len(w) < 2 || w[0] != standsWord {
		return m, false, nil
	}
	m.Next = rules.Nobody
	if m.Cart, err = parseDigits(w[1]); err != nil {
		return m, true, err
	}
	for _, word := range w[2:] {
		who, is := strings.CutPrefix(word, "next=")
		switch {
		case is:
			m.Next, err = rules.ParsePlayer(who)
		case word == actedWord:
			m.Acted = true
		default:
			err = m.parseHand(word)
		}
		if err != nil {
			return m, true, err
		}
	}
	return m, true, nil
}

func (m *Stands) parseHand(word string) error {
	who, hand, _ := strings.Cut(word, ":")
	p, err := rules.ParsePlayer(who)
	if err != nil || p < 0 || p >= maxSeats {
		return fmt.Errorf("%.30q is not a player's hand (expected one such as A:11)", word)
	}
	dice, points, scored := strings.Cut(hand, "+")
	if scored {
		if m.Points[p], err = strconv.Atoi(points); err != nil || m.Points[p] < 1 || m.Points[p] > Dice {
			return fmt.Errorf("%.20q is not a number of points", points)
		}
	}
	m.Hands[p], err = parseDigits(dice)
	return err
}

// checkStands refuses a table that the game's dice cannot make, and a player whom it has not.
func (s *State) checkStands(m Stands) error {
	n := m.Cart.Len()
	for p, h := range m.Hands {
		if n += h.Len(); p >= s.seats && h.Len()+m.Points[p] > 0 {
			return fmt.Errorf("fromage: %s is not at this table", rules.Player(p))
		}
	}
	switch {
	case n > Dice:
		return fmt.Errorf("fromage: %d dice, but the game has %d", n, Dice)
	case m.Next < 0 || int(m.Next) >= s.seats:
		return fmt.Errorf("fromage: %v is not at this table", m.Next)
	case s.over:
		return fmt.Errorf("fromage: the game is over")
	}
	return nil
}

// stand is the position after the table was taken as it lies.
func (s *State) stand(m Stands) *State {
	next := *s
	next.cart, next.hands, next.shop = m.Cart, m.Hands, Dice-m.Cart.Len()
	for p, h := range m.Hands {
		next.shop -= h.Len()
		next.score[p].answers += m.Points[p]
	}
	next.turn, next.owed = int(m.Next), [maxSeats]debt{}
	next.rolled, next.kept, next.stole, next.fromage = notRolled, m.Acted, false, false
	if n := m.Cart.Len(); n > 0 || m.Acted {
		next.rolled = n
	}
	return &next
}
