package main

import (
	"fmt"
	"io"
	"sync"

	"diceref/match"
	"diceref/match/book"
	"diceref/match/hall"
	"diceref/match/league"
	"diceref/table"
	"diceref/web"
)

// homeLeagues are the leagues in the journal of a host, as the page asks for them; before the first match there may be no
// journal, and so none.
type homeLeagues struct {
	past
	mu   sync.Mutex
	of   *match.Journal
	kept *book.Book
}

var _ web.Leagues = &homeLeagues{}

// in is the book of a journal.
func (l *homeLeagues) in(j *match.Journal) *book.Book {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of != j {
		l.of, l.kept = j, book.Open(j)
	}
	return l.kept
}

// book is the book of the journal that is there.
func (l *homeLeagues) book() (*book.Book, error) {
	j, err := l.journal()
	if err == nil && j == nil {
		err = match.ErrNoLeague
	}
	if err != nil {
		return nil, err
	}
	return l.in(j), nil
}

// List makes homeLeagues a web.Leagues.
func (l *homeLeagues) List() ([]book.Headline, error) {
	j, err := l.journal()
	if err != nil || j == nil {
		return []book.Headline{}, err
	}
	return l.in(j).List()
}

// View is a league with all that its matches tell.
func (l *homeLeagues) View(id string) (book.View, error) {
	b, err := l.book()
	if err != nil {
		return book.View{}, err
	}
	return b.View(id)
}

// Write writes a league in one of its forms.
func (l *homeLeagues) Write(id, form string, w io.Writer) error {
	b, err := l.book()
	if err != nil {
		return err
	}
	return b.Write(id, form, w)
}

// New begins a league, in a new journal if there is none.
func (l *homeLeagues) New(who string, w book.Wanted) (string, error) {
	j, err := l.h.journalFor(sight{Sight: web.Sight{Source: web.SourceNone}})
	if err != nil {
		return "", err
	}
	if j == nil {
		return "", league.Refused("no journal is kept")
	}
	return l.in(j).New(who, w)
}

// Round pairs a round. At home there is one table, at which all of them play.
func (l *homeLeagues) Round(id, who string, number int) error {
	b, err := l.book()
	if err == nil {
		_, err = b.Round(id, who, number, nil)
	}
	return err
}

// Enter enters a result.
func (l *homeLeagues) Enter(id, who string, e league.Entry) error {
	b, err := l.book()
	if err != nil {
		return err
	}
	return b.Enter(id, who, e)
}

// Turn has a player come or go.
func (l *homeLeagues) Turn(id, who string, p league.Player) error {
	b, err := l.book()
	if err != nil {
		return err
	}
	return b.Turn(id, who, p)
}

// Begin is refused: the table at home is set up with its camera.
func (l *homeLeagues) Begin(string, string, int) error { return web.ErrNoTable }

// hallLeagues are the leagues of a hall.
type hallLeagues struct {
	*book.Book
	hall *hall.Hall
}

var _ web.Leagues = hallLeagues{}

// Round pairs a round, and assigns the hall's tables.
func (l hallLeagues) Round(id, who string, number int) error {
	_, err := l.Book.Round(id, who, number, placesOf(l.hall))
	return err
}

// Begin begins the match of a table of the last round, in place of what is played there.
func (l hallLeagues) Begin(id, who string, n int) error {
	rules, r, err := l.Last(id)
	if err != nil {
		return err
	}
	if n < 0 || n >= len(r.Tables) {
		return web.ErrNoTable
	}
	at := l.hall.Table(r.Tables[n].ID)
	if at == nil {
		return web.ErrNoTable
	}
	s := at.Setup()
	if rules.Game != "" && string(s.Game) != rules.Game {
		s = hall.Setup{Game: table.Game(rules.Game)}
	}
	s.Players, s.Owners = r.Tables[n].Players, nil
	key := fmt.Sprintf("%s-%d-%d", id, r.Number, n)
	if err := at.Begin(s, match.Source{Key: key, Who: who}); err != nil {
		return league.Refused("%s", err)
	}
	return nil
}
