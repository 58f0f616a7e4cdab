package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"diceref/match"
)

// Tables are the tables of a hall, as its pages need them. Its methods are called from several goroutines at once.
type Tables interface {
	// List is all tables in the order in which they are shown.
	List() []Seat
	// Changed is closed at the next change of any table.
	Changed() <-chan struct{}
	// Table is what a table's own pages are made of; false: there is no such table.
	Table(id string) (Config, bool)
	// Referee is who has a referee's code; empty: nobody.
	Referee(code string) string
	// Ready returns why this server cannot serve now; nil: it can.
	Ready(ctx context.Context) error
}

// Seat is one table in the list of all.
type Seat struct {
	ID, Name string
	Owned    bool // this server has its match
	Help     time.Time
	Live     match.Snapshot // without events and state
	// Observations is how many observations this server has shown to the match.
	Observations int64
}

// HallConfig is what a Hall shows. Tables is required.
type HallConfig struct {
	Tables   Tables
	Leagues  Leagues  // nil: there are none
	Hosts    []string // names besides localhost and IP addresses under which the pages are reached
	Language string
	Version  string
	Log      *slog.Logger

	Addresses func() []string // host:port at which other devices can open the pages; nil: never
}

// Hall serves the pages of many tables: each has its own below /t/NAME, and /hall shows all of them.
type Hall struct {
	cfg     HallConfig
	log     *slog.Logger
	engine  *gin.Engine
	guard   *guard
	crowd   crowd
	closing chan struct{}
	handler *http.ServeMux

	mu     sync.Mutex
	tables map[string]*Server

	listing sync.Mutex
	listed  []listedSeat // all tables, as they were
	at      time.Time    // then
}

// listedSeat is a table in the list, with its JSON.
type listedSeat struct {
	id   string
	text json.RawMessage
}

// NewHall makes the pages of a hall.
func NewHall(cfg HallConfig) *Hall {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Language != "en" && cfg.Language != "de" {
		cfg.Language = "auto"
	}
	h := &Hall{
		cfg: cfg, log: cfg.Log, guard: newGuard(Config{Root: "/", Referee: cfg.Tables.Referee, Hosts: cfg.Hosts}),
		crowd:   crowd{places: 2 * maxStreams, here: maxSpare, friends: maxSpare, each: maxOfOne, network: 2 * maxOfOne},
		closing: make(chan struct{}), handler: http.NewServeMux(), tables: map[string]*Server{},
	}
	h.engine = h.routes()
	h.handler.Handle("/", h.engine)
	h.handler.HandleFunc("/t/{table}/", h.table)
	h.handler.HandleFunc("/t/{table}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path+"/", http.StatusFound) })
	return h
}

// Handler is the hall as an http.Handler.
func (h *Hall) Handler() http.Handler { return h.handler }

// table hands a request on to the pages of its table.
func (h *Hall) table(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("table")
	s := h.server(id)
	if s == nil {
		h.engine.ServeHTTP(w, r) // it says that nothing is there
		return
	}
	http.StripPrefix("/t/"+id, s.Handler()).ServeHTTP(w, r)
}

// server is the pages of a table, made when somebody first asks for them; nil: there is no such table.
func (h *Hall) server(id string) *Server {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.tables[id]; s != nil {
		return s
	}
	cfg, ok := h.cfg.Tables.Table(id)
	if !ok {
		return nil
	}
	cfg.Root, cfg.Referee, cfg.Addresses = "/t/"+id, h.cfg.Tables.Referee, h.cfg.Addresses
	cfg.Hosts, cfg.Language, cfg.Version, cfg.Log = h.cfg.Hosts, h.cfg.Language, h.cfg.Version, h.log
	s := New(cfg)
	h.tables[id] = s
	return s
}

// Serve answers on the listeners until the context ends, then lets running requests finish for a moment.
func (h *Hall) Serve(ctx context.Context, listeners ...net.Listener) error {
	srv := newHTTP(h.handler, idleTime, h.log)
	done := make(chan error, len(listeners))
	for _, ln := range listeners {
		go func() { done <- srv.Serve(ln) }()
	}
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
	}
	close(h.closing)
	h.mu.Lock()
	for _, s := range h.tables {
		close(s.closing)
	}
	h.mu.Unlock()
	return errors.Join(err, shut(srv))
}

// routes builds the engine of what is not one table's.
func (h *Hall) routes() *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	if err := e.SetTrustedProxies(nil); err != nil {
		panic(err) // an empty list is always right
	}
	m := newHallMetrics(h)
	e.Use(m.count, headers, h.guard.check)
	e.NoRoute(func(c *gin.Context) { fail(c, http.StatusNotFound, "not-found", "there is nothing at this address") })
	files := loadFiles(h.cfg.Language, map[string]string{"/hall": "hall.html", "/league": "league.html"})
	for name, f := range files {
		if !strings.HasSuffix(name, ".html") {
			e.GET("/static/"+name, f.serve)
		}
	}
	e.GET("/hall", files["hall.html"].serve)
	e.GET("/league", files["league.html"].serve)
	e.GET("/", func(c *gin.Context) { c.Redirect(http.StatusFound, "/hall") })
	e.GET("/favicon.ico", func(c *gin.Context) { c.Redirect(http.StatusMovedPermanently, "/static/icon.svg") })
	e.GET("/healthz", h.health)
	e.GET("/metrics", m.serve)
	api := e.Group("/api/v1")
	api.GET("/healthz", h.health)
	api.GET("/hall", func(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"tables": texts(h.list())}) })
	api.GET("/hall/events", h.events)
	leagues := &leaguePages{leagues: h.cfg.Leagues, log: h.log, expensive: h.guard.expensive, closing: h.closing, enter: func(r *http.Request, cancel func()) (func(), bool) {
		return h.crowd.enter(h.guard.visiting(r), cancel)
	}}
	leagues.routes(api)
	api.POST("/hall/referee", func(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"who": c.GetString(whoKey)}) })
	return e
}

// health tells a load balancer whether to send anybody here.
func (h *Hall) health(c *gin.Context) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), 2*time.Second)
	defer cancel()
	if err := h.cfg.Tables.Ready(ctx); err != nil {
		fail(c, http.StatusServiceUnavailable, "not-now", plain(err))
		return
	}
	c.JSON(http.StatusOK, gin.H{"status": "ok"})
}

// seatView is a table as the hall's page shows it.
type seatView struct {
	ID       string              `json:"id"`
	Name     string              `json:"name"`
	Game     string              `json:"game"`
	Title    string              `json:"title"` // of the game
	Players  []string            `json:"players"`
	ToMove   int                 `json:"to_move"`
	Points   []int               `json:"points"`
	Phase    string              `json:"phase"`
	Winners  []int               `json:"winners,omitempty"`
	Ask      string              `json:"ask,omitempty"`
	Question *match.Phrase       `json:"question,omitempty"`
	Choices  []string            `json:"choices,omitempty"`
	Possible []match.Possibility `json:"possible,omitempty"`
	Trouble  string              `json:"trouble,omitempty"`
	Help     *time.Time          `json:"help,omitempty"` // since when its players ask for a referee
	Seq      int64               `json:"seq"`
}

// list is all tables. However many pages ask, it is made once in a while.
func (h *Hall) list() []listedSeat {
	h.listing.Lock()
	defer h.listing.Unlock()
	if now := time.Now(); now.Sub(h.at) > hallGap/2 {
		h.listed, h.at = nil, now
		for _, v := range viewsOf(h.cfg.Tables.List()) {
			if text, err := json.Marshal(v); err == nil { // else the others
				h.listed = append(h.listed, listedSeat{v.ID, text})
			}
		}
	}
	return h.listed
}

func texts(list []listedSeat) []json.RawMessage {
	all := make([]json.RawMessage, len(list))
	for i, s := range list {
		all[i] = s.text
	}
	return all
}

func viewsOf(seats []Seat) []seatView {
	list := make([]seatView, len(seats))
	for i, s := range seats {
		v := seatView{
			ID: s.ID, Name: s.Name, Game: string(s.Live.Game), Players: s.Live.Players, ToMove: s.Live.ToMove, Points: []int{}, Phase: s.Live.Phase,
			Ask: s.Live.Ask, Question: s.Live.Question, Choices: s.Live.Choices, Possible: s.Live.Possible, Trouble: s.Live.Trouble, Seq: s.Live.Seq,
		}
		if s.Live.Game != "" {
			v.Title = s.Live.Game.Kit().Title
		}
		if v.Players == nil {
			v.Players = []string{}
		}
		for _, sheet := range s.Live.Sheets {
			v.Points = append(v.Points, sheet.Total)
		}
		if s.Live.Outcome != nil {
			v.Winners = s.Live.Outcome.Winners
		}
		if !s.Help.IsZero() {
			v.Help = &s.Help
		}
		list[i] = v
	}
	return list
}

// hallGap is the least time between two things that the hall's page is told.
const hallGap = 200 * time.Millisecond

// events is the stream of the hall's page: "tables" has those that have changed, whole, and the names of all in order.
func (h *Hall) events(c *gin.Context) {
	ctx, cancel := context.WithCancel(c.Request.Context())
	defer cancel()
	leave, ok := h.crowd.enter(h.guard.visiting(c.Request), cancel)
	if !ok {
		slowDown(c, "too many pages are open; close some")
		return
	}
	defer leave()
	c.Header("Content-Type", "text/event-stream")
	c.Header("X-Accel-Buffering", "no")
	c.Status(http.StatusOK)
	out := newListener(c.Writer, "")
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	out.raw("retry: 1000\n\n")
	sent := map[string][]byte{}
	var order []string
	for {
		changed := h.cfg.Tables.Changed()
		order = out.seats(h.list(), sent, order)
		if out.flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-beat.C:
			out.raw("event: here\ndata: {}\n\n")
		case <-ctx.Done():
			return
		case <-h.closing:
			return
		}
		time.Sleep(hallGap) // longer than a list is kept
	}
}

// seats sends the tables that are not as they were sent, and returns the names of all.
func (l *listener) seats(list []listedSeat, sent map[string][]byte, before []string) []string {
	news := []json.RawMessage{}
	order := make([]string, len(list))
	for i, s := range list {
		order[i] = s.id
		if !bytes.Equal(s.text, sent[s.id]) {
			sent[s.id] = s.text
			news = append(news, s.text)
		}
	}
	if len(news) > 0 || before == nil || !slices.Equal(order, before) {
		l.send("tables", "", inJSON(gin.H{"tables": news, "order": order}))
	}
	return order
}

// help asks for a referee, or says that none is needed any more.
func (s *Server) help(c *gin.Context) {
	var want struct {
		Wanted bool `json:"wanted"`
	}
	if !decodeJSON(c, &want) {
		return
	}
	if err := s.cfg.Help(want.Wanted); err != nil {
		fail(c, http.StatusServiceUnavailable, "not-now", plain(err))
		return
	}
	c.JSON(http.StatusOK, gin.H{"wanted": want.Wanted})
}
