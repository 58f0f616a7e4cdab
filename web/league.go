package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"diceref/match"
	"diceref/match/book"
	"diceref/match/league"
)

// Leagues are the leagues of a table, or of a hall, as the page needs them. Whoever changes something is named in the
// words of the journal. Its methods are called from several goroutines at once.
type Leagues interface {
	List() ([]book.Headline, error)
	View(id string) (book.View, error)
	// Write writes a league in one of its forms.
	Write(id, form string, w io.Writer) error
	New(who string, w book.Wanted) (string, error)
	// Round pairs round number, and assigns the tables that there are.
	Round(id, who string, number int) error
	Enter(id, who string, e league.Entry) error
	Turn(id, who string, p league.Player) error
	// Begin begins the match of a table of the last round; ErrNoTable: it has to be begun where it is played.
	Begin(id, who string, table int) error
}

// ErrNoTable: that cannot be done from here.
var ErrNoTable = errors.New("league: this match has to be begun at its table")

// leaguePages is the part of a server that is about leagues.
type leaguePages struct {
	leagues   Leagues // nil: no journal is kept
	log       *slog.Logger
	expensive gin.HandlerFunc
	enter     func(r *http.Request, cancel func()) (leave func(), ok bool) // a place for a page that looks on
	closing   <-chan struct{}

	mu    sync.Mutex
	texts map[string]leagueText
}

// leagueText is a league as JSON, which all pages share for a moment.
type leagueText struct {
	at   time.Time
	text []byte
	err  error
}

// leagueGap is how often a page looks for news of a league.
const leagueGap = time.Second

func (p *leaguePages) routes(api *gin.RouterGroup) {
	p.texts = map[string]leagueText{}
	g := api.Group("/leagues", p.there)
	g.GET("", p.expensive, p.list)
	g.POST("", p.begin)
	g.GET("/:id", p.expensive, p.one)
	g.GET("/:id/events", p.expensive, p.events)
	g.GET("/:id/export", p.expensive, p.export)
	g.POST("/:id/rounds", p.round)
	g.POST("/:id/results", p.result)
	g.POST("/:id/players", p.player)
	g.POST("/:id/matches", p.match)
}

func (p *leaguePages) there(c *gin.Context) {
	if p.leagues == nil {
		fail(c, http.StatusServiceUnavailable, "no-journal", "this server has no journal")
	}
}

func (p *leaguePages) list(c *gin.Context) {
	list, err := p.leagues.List()
	if err != nil {
		p.refuse(c, err)
		return
	}
	c.JSON(http.StatusOK, gin.H{"leagues": list})
}

func (p *leaguePages) one(c *gin.Context) {
	text, err := p.text(c.Param("id"))
	if err != nil {
		p.refuse(c, err)
		return
	}
	c.Data(http.StatusOK, "application/json; charset=utf-8", text)
}

// text is a league as JSON. However many pages ask, it is made once in a while.
func (p *leaguePages) text(id string) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	known, ok := p.texts[id]
	if !ok || now.Sub(known.at) > leagueGap/2 {
		known = leagueText{at: now}
		var v book.View
		if v, known.err = p.leagues.View(id); known.err == nil {
			known.text, known.err = json.Marshal(v)
		}
		if len(p.texts) > match.MostLeagues {
			clear(p.texts)
		}
		p.texts[id] = known
	}
	return known.text, known.err
}

// events is the stream of a league's page: "league" has all of it whenever it has changed.
func (p *leaguePages) events(c *gin.Context) {
	ctx, cancel := context.WithCancel(c.Request.Context())
	defer cancel()
	leave, ok := p.enter(c.Request, cancel)
	if !ok {
		slowDown(c, "too many pages are open; close some")
		return
	}
	defer leave()
	if _, err := p.text(c.Param("id")); err != nil {
		p.refuse(c, err)
		return
	}
	c.Header("Content-Type", "text/event-stream")
	c.Header("X-Accel-Buffering", "no")
	c.Status(http.StatusOK)
	out := newListener(c.Writer, "")
	look, beat := time.NewTicker(leagueGap), time.NewTicker(heartbeat)
	defer look.Stop()
	defer beat.Stop()
	out.raw("retry: 1000\n\n")
	var sent []byte
	for {
		// What cannot be read now is sent when it can.
		if text, err := p.text(c.Param("id")); err == nil && !bytes.Equal(text, sent) {
			out.send("league", "", text)
			sent = text
		}
		if out.flush() != nil {
			return
		}
		select {
		case <-look.C:
		case <-beat.C:
			out.raw("event: here\ndata: {}\n\n")
		case <-ctx.Done():
			return
		case <-p.closing:
			return
		}
	}
}

// export is a league as a file.
func (p *leaguePages) export(c *gin.Context) {
	form := c.DefaultQuery("form", book.FormJSON)
	kind := map[string]string{
		book.FormJSON: "application/json", book.FormStandings: "text/csv; charset=utf-8", book.FormRounds: "text/csv; charset=utf-8", book.FormMeetings: "text/csv; charset=utf-8",
	}[form]
	if kind == "" {
		fail(c, http.StatusBadRequest, "form", "form must be json, csv, rounds or meetings")
		return
	}
	var b bytes.Buffer
	if err := p.leagues.Write(c.Param("id"), form, &b); err != nil {
		p.refuse(c, err)
		return
	}
	name := map[string]string{book.FormJSON: "league.json", book.FormStandings: "standings.csv"}[form]
	if name == "" {
		name = form + ".csv"
	}
	c.Header("Content-Disposition", `attachment; filename="diceref-`+name+`"`)
	c.Data(http.StatusOK, kind, b.Bytes())
}

func (p *leaguePages) begin(c *gin.Context) {
	var w book.Wanted
	if !decodeJSON(c, &w) {
		return
	}
	id, err := p.leagues.New(c.GetString(whoKey), w)
	p.done(c, id, err)
}

func (p *leaguePages) round(c *gin.Context) {
	var want struct {
		Number int `json:"number"` // of the round that is to be paired
	}
	if !decodeJSON(c, &want) {
		return
	}
	if want.Number < 1 {
		fail(c, http.StatusBadRequest, "league-changed", "number is the round that is to be paired, from 1")
		return
	}
	p.done(c, c.Param("id"), p.leagues.Round(c.Param("id"), c.GetString(whoKey), want.Number))
}

func (p *leaguePages) result(c *gin.Context) {
	var e league.Entry
	if decodeJSON(c, &e) {
		p.done(c, c.Param("id"), p.leagues.Enter(c.Param("id"), c.GetString(whoKey), e))
	}
}

func (p *leaguePages) player(c *gin.Context) {
	var who league.Player
	if decodeJSON(c, &who) {
		p.done(c, c.Param("id"), p.leagues.Turn(c.Param("id"), c.GetString(whoKey), who))
	}
}

func (p *leaguePages) match(c *gin.Context) {
	var want struct {
		Table int `json:"table"` // of the last round, from 0
	}
	if decodeJSON(c, &want) {
		p.done(c, c.Param("id"), p.leagues.Begin(c.Param("id"), c.GetString(whoKey), want.Table))
	}
}

// done answers to a change.
func (p *leaguePages) done(c *gin.Context, id string, err error) {
	if err != nil {
		p.refuse(c, err)
		return
	}
	p.mu.Lock()
	delete(p.texts, id)
	p.mu.Unlock()
	c.JSON(http.StatusOK, gin.H{"id": id})
}

// leagueRefusals are the errors of leagues that the page says in its own words.
var leagueRefusals = []struct {
	err  error
	code string
}{
	{league.ErrOpen, "league-open"},
	{league.ErrOver, "league-over"},
	{league.ErrFew, "league-few"},
	{league.ErrPlaces, "league-places"},
	{league.ErrRound, "league-changed"},
	{book.ErrConflict, "league-changed"},
	{ErrNoTable, "league-table"},
	{league.ErrTwice, "league-twice"},
	{league.ErrFixed, "league-fixed"},
	{league.ErrSeats, "league-seats"},
	{league.ErrName, "league-name"},
}

// refuse answers why something is not as it was asked for.
func (p *leaguePages) refuse(c *gin.Context, err error) {
	for _, r := range leagueRefusals {
		if errors.Is(err, r.err) {
			fail(c, http.StatusConflict, r.code, plain(err))
			return
		}
	}
	var name *match.NameError
	var broken *league.Refusal
	switch {
	case errors.Is(err, match.ErrNoLeague):
		fail(c, http.StatusNotFound, "no-league", "there is no such league")
	case errors.As(err, &name):
		turnDown(c, err)
	case errors.As(err, &broken):
		fail(c, http.StatusConflict, "league-refused", plain(err))
	default:
		p.log.Warn("a league could not be read or changed", "error", err)
		fail(c, http.StatusInternalServerError, "journal", plain(err))
	}
}
