// Package web is the page at the table and its API: the live picture with the dice as they
// were read, the scores, the moves and their verdicts. It knows neither rules nor cameras; it
// shows a match and a feed of pictures.
package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"diceref/calibration"
	"diceref/match"
	"diceref/table"
	"diceref/vision/owned"
)

// Match is the match on the table, as the page needs it. Its methods are called
// from several goroutines at once.
type Match interface {
	// Snapshot is the current state of the match.
	Snapshot() match.Snapshot
	// Changed is closed at the next change. Take it before the snapshot, so
	// that no change is missed.
	Changed() <-chan struct{}
	// Declare applies what a player said or tapped.
	Declare(match.Declaration) error
}

// Reader reads one photo. The context carries the time limit. If show is set, it also returns
// the photo as an upright JPEG the size of a screen.
type Reader interface {
	Read(ctx context.Context, game table.Game, picture []byte, show bool) (seen table.Observation, shown []byte, err error)
}

// Config is what a Server shows and how it is protected. Match and Feed are required;
// every other zero value has a working default.
type Config struct {
	Match   Match
	Feed    *Feed
	Reader  Reader                       // nil: photos cannot be read, and the page says so
	Host    Host                         // nil: nothing can be set up from the page
	History History                      // nil: no journal is kept
	Leagues Leagues                      // nil: likewise
	Dice    *owned.Shelf                 // nil: no sets of dice are kept
	Faces   func() *owned.Set            // the dice by whose pictures pages draw; nil, or none: they have pips
	Whole   func(context.Context) []byte // the camera's picture in its own size, for dice that are shown; nil: the live one
	// Card tells which secret card is in the frame of a picture, by its letter; empty where that is not sure. nil: none can be told.
	Card     func(ctx context.Context, picture []byte) (string, error)
	Code     string        // the table's code, which other machines need to make changes; empty: they may not change anything
	Hosts    []string      // names besides localhost and IP addresses under which the page is reached
	Language string        // en or de; empty or "auto": the browser's
	Version  string        // shown by /api/v1/version
	ReadTime time.Duration // for one photo; 0: 20 s
	Log      *slog.Logger  // nil: none

	// In a hall, where a table is one of many:
	Root    string                         // where its pages are, such as /t/window; empty: at home
	Referee func(code string) string       // who of the hall's referees has a code; empty: nobody
	Help    func(wanted bool) error        // asks for a referee
	Token   string                         // of the table's camera, which is elsewhere
	Push    func(Pushed) (Taken, error)    // takes what that camera sees
	Draw    func([]calibration.Zone) error // takes the zones that it sees

	Addresses func() []string // host:port at which other devices can open the page now; nil: never
	Authority func() []byte   // certificate (DER) of the authority behind HTTPS; nil, or none: only HTTP
	Open      func() error    // allows other devices from now on; nil: the page cannot do that
}

// Server serves the page and the API.
type Server struct {
	cfg      Config
	log      *slog.Logger
	engine   *gin.Engine
	guard    *guard
	phone    *phone
	telling  telling           // of the match, to open event streams
	crowd    crowd             // open event and picture streams
	uploads  crowd             // photos that come, and those that are read
	reading  chan struct{}     // one token for every photo being read
	spare    chan struct{}     // one more, for the table's own machine
	thinking chan struct{}     // one token for the hint that is thought about
	closing  chan struct{}     // closed when the server stops: ends the streams
	doors    chan net.Listener // opened while the server runs

	heartbeat time.Duration // between two signs of life on a quiet event stream
	sending   time.Duration // that a photo may take to come
	idle      time.Duration // that a connection may stay without a request
}

// Limits of what one server does at a time and of what it accepts.
const (
	maxReadings    = 2
	maxUploads     = 8        // that wait or come, each of which is kept whole
	maxBody        = 64 << 10 // bytes of a declaration
	maxUpload      = 32 << 20 // bytes of a photo
	defaultReading = 20 * time.Second
	uploadTime     = 20 * time.Second // for the body of a photo
	bodyTime       = 10 * time.Second // for any other
)

// Limits of requests that stay open: pages that look on, and pictures that are waited for.
const (
	maxStreams = 256 // a page has two: what happens, and the picture
	maxOfOne   = 48  // of one address of the network, so that nobody can shut the others out
	maxSpare   = 32  // for the table's own machine, and as many for those with the code
)

// New creates a server; Serve runs it.
func New(cfg Config) *Server {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Language != "en" && cfg.Language != "de" {
		cfg.Language = "auto"
	}
	if cfg.ReadTime == 0 {
		cfg.ReadTime = defaultReading
	}
	s := &Server{
		cfg:      cfg,
		log:      cfg.Log,
		guard:    newGuard(cfg),
		phone:    newPhone(cfg.Feed),
		crowd:    crowd{places: maxStreams, here: maxSpare, friends: maxSpare, each: maxOfOne, network: 2 * maxOfOne},
		uploads:  crowd{places: maxUploads, here: 2, friends: 2, each: maxReadings, network: maxReadings},
		reading:  make(chan struct{}, maxReadings),
		spare:    make(chan struct{}, 1),
		thinking: make(chan struct{}, 1),
		closing:  make(chan struct{}),
		doors:    make(chan net.Listener),

		heartbeat: heartbeat,
		sending:   uploadTime,
		idle:      idleTime,
	}
	s.engine = s.routes()
	return s
}

// Handler is the server as an http.Handler, for tests and for other servers.
func (s *Server) Handler() http.Handler { return s.engine }

// Serve answers on the listeners (of http and https) until the context ends, then
// lets running requests finish for a moment. It may be called once.
func (s *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	srv := newHTTP(s.engine, s.idle, s.log)
	done := make(chan error, len(listeners))
	for _, ln := range listeners {
		go func() { done <- srv.Serve(ln) }()
	}
	for open := true; open; {
		select {
		case err := <-done:
			return fmt.Errorf("web: %w", err)
		case ln := <-s.doors:
			go s.answer(srv, ln)
		case <-ctx.Done():
			open = false
		}
	}
	close(s.closing)
	return shut(srv)
}

// newHTTP is a server with limits for what it takes.
func newHTTP(handler http.Handler, idle time.Duration, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second, // streams set their own, write by write
		IdleTimeout:       idle,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// shut lets running requests finish for a moment.
func shut(srv *http.Server) error {
	last, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := srv.Shutdown(last); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("web: cannot stop: %w", err)
	}
	return nil
}

// Answer makes a running server answer on one more listener. If that listener fails, for
// example because its network goes away, the others continue.
func (s *Server) Answer(ln net.Listener) error {
	select {
	case s.doors <- ln:
		return nil
	case <-s.closing:
		return errors.Join(errors.New("web: the server has stopped"), ln.Close())
	}
}

func (s *Server) answer(srv *http.Server, ln net.Listener) {
	if err := srv.Serve(ln); err != nil && !errors.Is(err, http.ErrServerClosed) {
		s.log.Warn("other devices can no longer open the page", "address", ln.Addr().String(), "error", err)
	}
}

// routes builds the engine. Everything passes the guard first.
func (s *Server) routes() *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.HandleMethodNotAllowed = true
	if err := e.SetTrustedProxies(nil); err != nil {
		panic(err) // an empty list is always right
	}
	m := newMetrics(s)
	e.Use(m.count, s.recover, headers, s.guard.check)
	e.NoRoute(func(c *gin.Context) { fail(c, http.StatusNotFound, "not-found", "there is nothing at this address") })
	e.NoMethod(func(c *gin.Context) {
		fail(c, http.StatusMethodNotAllowed, "method", "this address does not answer to "+c.Request.Method)
	})
	s.pages(e)

	api := e.Group("/api/v1")
	api.GET("/state", s.state)
	api.GET("/events", s.events)
	api.GET("/observation", s.observation)
	api.GET("/preview.jpg", s.preview)
	api.GET("/stream", s.stream)
	api.GET("/healthz", s.health)
	api.GET("/version", s.version)
	api.GET("/openapi.json", s.openapi)
	api.GET("/history", s.guard.expensive, s.history)
	api.GET("/history/:id", s.guard.expensive, s.past)
	api.GET("/history/:id/export", s.guard.expensive, s.exported)
	api.PATCH("/history/:id", s.amend)
	api.DELETE("/history/:id", s.purge)
	api.POST("/players/rename", s.renamePlayer)
	api.GET("/statistics", s.guard.expensive, s.statistics)
	leagues := &leaguePages{leagues: s.cfg.Leagues, log: s.log, expensive: s.guard.expensive, closing: s.closing, enter: func(r *http.Request, cancel func()) (func(), bool) {
		return s.crowd.enter(s.guard.visiting(r), cancel)
	}}
	leagues.routes(api)
	api.GET("/setup", s.setup)
	api.GET("/cameras/:number/thumb.jpg", s.thumbnail)
	api.POST("/setup", s.begin)
	api.POST("/setup/camera", s.look)
	api.POST("/setup/done", s.settle)
	api.GET("/join", s.join)
	api.POST("/join", s.letIn)
	api.GET("/join.svg", s.guard.expensive, s.joinCode)
	api.GET("/trusted", s.trusted)
	api.GET("/print/:file", s.guard.expensive, s.print)
	api.POST("/phone/frame", s.phoneFrame)
	api.GET("/legal", s.guard.expensive, s.legal)
	api.GET("/why", s.guard.expensive, s.why)
	api.GET("/hint", s.guard.expensive, s.hint)
	api.GET("/hints", s.guard.expensive, s.hints)
	api.POST("/read", s.read)
	s.diceRoutes(api)
	api.POST("/declare", s.declare)
	api.POST("/undo", s.say("undo"))
	api.POST("/redo", s.say("redo"))
	api.POST("/correct", s.say("correct"))
	if s.cfg.Help != nil {
		api.POST("/help", s.help)
	}
	if s.cfg.Push != nil {
		api.POST("/observations", s.pushed)
	}
	if s.cfg.Draw != nil {
		api.POST("/zones", s.drawn)
	}
	e.GET("/trust/diceref.crt", s.authority)
	e.GET("/healthz", s.health)
	e.GET("/metrics", m.serve)
	return e
}

// recover turns a panic of a handler into an answer; the page goes on.
func (s *Server) recover(c *gin.Context) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a request failed", "path", c.Request.URL.Path, "panic", p)
			if !c.Writer.Written() {
				fail(c, http.StatusInternalServerError, "internal", "something went wrong; see the log")
			}
			c.Abort()
		}
	}()
	c.Next()
}

// problem is the body of every answer that is an error.
type problem struct {
	Code  string            `json:"code"`
	Error string            `json:"error"`
	About map[string]string `json:"about,omitempty"` // what is wrong, for sentences in other languages
	Says  *match.Phrase     `json:"says,omitempty"`  // the error, for sentences in other languages
}

// fail ends a request with an error in one clear sentence.
func fail(c *gin.Context, status int, code, message string) {
	c.AbortWithStatusJSON(status, problem{Code: code, Error: message})
}
