package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"diceref/calibration"
	"diceref/match"
	"diceref/table"
)

// Sources that are not a device, an address or a file.
const (
	SourceNone  = "none"  // no camera: players tap everything
	SourceDemo  = "demo"  // the recorded game
	SourcePhone = "phone" // what a phone sends
)

// Host starts and ends matches and cameras while the server runs. Its methods are
// called from several goroutines at once. Errors about the request are a *Refused.
type Host interface {
	// Setup is what is in force and what is possible.
	Setup() SetupState
	// Fresh reports whether nothing has been set up yet.
	Fresh() bool
	// Begin starts a new match in place of the current one, which stays in the journal.
	// The table's own machine (here) may do more than others.
	Begin(s Setup, by Asker) error
	// Look tries another camera while the current match waits.
	Look(game table.Game, c Sight, here bool) error
	// Settle ends the trial: the match continues with the camera that was tried (use), or
	// with the previous one.
	Settle(use bool) error
	// Thumbnail is a small picture (JPEG) of a camera of the machine, by its number.
	Thumbnail(ctx context.Context, number int) ([]byte, error)
}

// Asker is who asks for something.
type Asker struct {
	Here         bool // it comes from the table's own machine
	match.Source      // in a hall: who it is, and how what is asked is known again
}

// Setup is the set-up of a table: game, players and camera.
type Setup struct {
	Game    table.Game      `json:"game"`
	Players []string        `json:"players"`           // names in turn order
	Options map[string]any  `json:"options,omitempty"` // house rules by name
	Owners  [][]table.Color `json:"owners,omitempty"`  // Dice Box: the colors of each seat
	Sight
}

// Sight is the camera and what is known about the table in its picture.
type Sight struct {
	Source  string                `json:"source"`            // a Source constant, a device, an address or a file; empty: no change
	Picture [2]int                `json:"picture,omitzero"`  // size in pixels of the picture that Corners are in
	Corners *[4]table.Point       `json:"corners,omitempty"` // of the grid, clockwise from that of [0,0]; nil: found again
	Zones   []calibration.Zone    `json:"zones,omitempty"`   // of games without a grid
	Markers []table.MarkerReading `json:"markers,omitempty"` // of an arena; empty: learned while it is empty
	Dice    string                `json:"dice,omitempty"`    // the set of dice that they are read by; empty: they have pips
}

// SetupState is the answer of GET /api/v1/setup.
type SetupState struct {
	Fresh   bool           `json:"fresh"`         // nothing has been set up yet
	Trying  bool           `json:"trying"`        // a camera is being tried; the match waits
	Eye     string         `json:"eye,omitempty"` // why no camera can be used at all
	Now     Setup          `json:"now"`           // in force; the source without password and folder
	Games   []GameChoice   `json:"games"`
	Cameras []CameraChoice `json:"cameras"`
	Phone   bool           `json:"phone"` // a phone can be the camera
}

// GameChoice is a game that can be played.
type GameChoice struct {
	Name    table.Game    `json:"name"`
	Title   string        `json:"title"`
	Players [2]int        `json:"players"` // least and most
	Layout  string        `json:"layout"`  // board, arena or loose
	Colors  []table.Color `json:"colors"`  // of its dice; empty: any
	Demo    []string      `json:"demo"`    // the players of its recorded game; empty: there is none
	Rules   []RuleChoice  `json:"rules"`
	// DemoZones are the zones of the demo, for a game without a grid.
	DemoZones []calibration.Zone `json:"demo_zones,omitempty"`
	// Zones are a first layout of zones for each number of players, for a game without a grid;
	// the first one is for the smallest number.
	Zones [][]calibration.Zone `json:"zones,omitempty"`
}

// RuleChoice is a house rule.
type RuleChoice struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"` // switch, number, choice or text
	Default any    `json:"default"`
	Values  []any  `json:"values,omitempty"` // of a choice
	Text    string `json:"text"`             // what it changes, in English
}

// CameraChoice is a camera of the machine that runs the program.
type CameraChoice struct {
	Number int    `json:"number"`
	Source string `json:"source"` // as Sight takes it
	Name   string `json:"name"`
	Busy   string `json:"busy,omitempty"` // who is using it, in words; "here": this program
}

// Refused says what is wrong with a request. The page has words for the Code in its
// language; others use Text.
type Refused struct {
	Code, Text string
	About      map[string]string // the parts of the sentence by name; nil: there are none
}

func (r *Refused) Error() string { return r.Text }

// setup says what is in force and what is possible.
func (s *Server) setup(c *gin.Context) {
	if s.cfg.Host == nil {
		noHost(c)
		return
	}
	c.JSON(http.StatusOK, s.inForce(c))
}

// inForce is the set-up for whoever asks: what programs run here is nobody else's business.
func (s *Server) inForce(c *gin.Context) SetupState {
	state := s.cfg.Host.Setup()
	state.Cameras = slices.Clone(state.Cameras)
	for i := range state.Cameras {
		if busy := &state.Cameras[i].Busy; *busy != "" && *busy != "here" && !local(c.Request) {
			*busy = "another program"
		}
	}
	return state
}

func noHost(c *gin.Context) {
	fail(c, http.StatusServiceUnavailable, "no-host", "the table cannot be set up from here")
}

// begin sets up a new match.
func (s *Server) begin(c *gin.Context) {
	var want Setup
	if !decodeJSON(c, &want) {
		return
	}
	if err := want.Check(); err != nil {
		refuse(c, err)
		return
	}
	s.arrange(c, func(h Host) error { return h.Begin(want, asker(c)) })
}

func asker(c *gin.Context) Asker {
	return Asker{local(c.Request), match.Source{Who: c.GetString(whoKey), Key: c.GetHeader("Idempotency-Key")}}
}

// look tries a camera.
func (s *Server) look(c *gin.Context) {
	var want struct {
		Game table.Game `json:"game"`
		Sight
	}
	if !decodeJSON(c, &want) {
		return
	}
	if err := errors.Join(checkGame(want.Game), want.Sight.check()); err != nil {
		refuse(c, err)
		return
	}
	s.arrange(c, func(h Host) error { return h.Look(want.Game, want.Sight, local(c.Request)) })
}

// settle ends the trying.
func (s *Server) settle(c *gin.Context) {
	var want struct {
		Use bool `json:"use"`
	}
	if decodeJSON(c, &want) {
		s.arrange(c, func(h Host) error { return h.Settle(want.Use) })
	}
}

// arrange has the host do something and answers with the set-up that is in force then.
func (s *Server) arrange(c *gin.Context, do func(Host) error) {
	if s.cfg.Host == nil {
		noHost(c)
		return
	}
	if err := do(s.cfg.Host); err != nil {
		refuse(c, err)
		return
	}
	c.JSON(http.StatusOK, s.inForce(c))
}

// refuse answers with what is wrong with a set-up.
func refuse(c *gin.Context, err error) {
	var r *Refused
	if errors.As(err, &r) {
		c.AbortWithStatusJSON(http.StatusUnprocessableEntity, problem{Code: r.Code, Error: r.Text, About: r.About})
		return
	}
	fail(c, http.StatusInternalServerError, "setup", plain(err))
}

// ErrBusy: another thumbnail is being taken.
var ErrBusy = errors.New("another camera is being checked")

// thumbnailTime is how long a camera may take for one picture.
const thumbnailTime = 12 * time.Second

// thumbnail is a small live picture of a camera.
func (s *Server) thumbnail(c *gin.Context) {
	number, err := strconv.ParseUint(c.Param("number"), 10, 8)
	if err != nil || s.cfg.Host == nil {
		fail(c, http.StatusNotFound, "not-found", "that camera is not there")
		return
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), thumbnailTime)
	defer cancel()
	picture, err := s.cfg.Host.Thumbnail(ctx, int(number))
	var r *Refused
	switch {
	case err == nil:
		c.Data(http.StatusOK, "image/jpeg", picture)
	case errors.Is(err, ErrBusy):
		slowDown(c, "another camera is being checked; wait a moment")
	case errors.As(err, &r):
		fail(c, http.StatusNotFound, r.Code, r.Text)
	case ctx.Err() != nil:
		fail(c, http.StatusGatewayTimeout, "too-slow", "the camera sends no picture")
	default:
		fail(c, http.StatusBadGateway, "camera", err.Error())
	}
}
