package web

import (
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"diceref/calibration"
	"diceref/table"
)

// TokenHeader carries the token of a table's camera, which may send what it sees and nothing else.
const TokenHeader = "X-Table-Token"

// observationsPath is where a camera elsewhere sends what it sees.
const observationsPath = "/api/v1/observations"

// zonesPath is where it says which zones it sees.
const zonesPath = "/api/v1/zones"

// cameraPath says whether a camera elsewhere may send something there.
func cameraPath(path string) bool { return path == observationsPath || path == zonesPath }

// Pushed is what a camera elsewhere has seen: observations with numbers that go on from request to request.
type Pushed struct {
	Camera string `json:"camera"` // names the stream; a camera that starts again has another name
	First  int64  `json:"first"`  // the number of the first observation, from 1
	// Kept is the number of the first observation that the camera still has; 0: First.
	Kept         int64               `json:"kept,omitempty"`
	Observations []table.Observation `json:"observations"`
}

// Taken is the answer to Pushed: how far the table has taken in what its camera sends.
type Taken struct {
	// Next is the number of what the camera goes on with: the last one and one, or less where another server goes on with the
	// table and has to be shown again what was not in the journal yet.
	Next int64 `json:"next"`
	Keep int64 `json:"keep"` // what is before this number is in the journal, and need not be kept
}

// Limits of one request with observations.
const (
	mostPushed   = 200
	maxPushed    = 4 << 20 // bytes
	longestNamed = 64      // letters of a camera's name
)

func (p Pushed) check() error {
	switch {
	case p.Camera == "" || len(p.Camera) > longestNamed:
		return fmt.Errorf("camera must have 1 to %d letters", longestNamed)
	case p.First < 1:
		return fmt.Errorf("first must be 1 or more")
	case p.Kept < 0 || p.Kept > p.First:
		return fmt.Errorf("kept must be 1 to first")
	case len(p.Observations) == 0 || len(p.Observations) > mostPushed:
		return fmt.Errorf("send 1 to %d observations at once", mostPushed)
	}
	return nil
}

// checkToken lets a camera pass with the table's token alone; false: it has been answered. Guesses are slowed down like those of
// codes; a token has 130 bits.
func (g *guard) checkToken(c *gin.Context, v visitor) bool {
	given := c.GetHeader(TokenHeader)
	if g.token != "" && subtle.ConstantTimeCompare([]byte(given), []byte(g.token)) == 1 {
		return true
	}
	if !g.guesses.allow(v) {
		slowDown(c, "too many wrong tokens; wait a minute")
		return false
	}
	fail(c, http.StatusForbidden, "token", "that is not the token of this table's camera")
	return false
}

// pushed takes what a camera elsewhere has seen. The answer says up to which number all has arrived.
func (s *Server) pushed(c *gin.Context) {
	text, ok := body(c, maxPushed, s.sending)
	if !ok {
		return
	}
	var p Pushed
	if err := json.Unmarshal(text, &p); err != nil {
		fail(c, http.StatusBadRequest, "json", "cannot understand the request: "+clip(err.Error()))
		return
	}
	if err := p.check(); err != nil {
		fail(c, http.StatusBadRequest, "observations", err.Error())
		return
	}
	if p.Kept == 0 {
		p.Kept = p.First
	}
	taken, err := s.cfg.Push(p)
	if err != nil {
		fail(c, http.StatusServiceUnavailable, "not-now", plain(err))
		return
	}
	c.JSON(http.StatusOK, taken)
}

// Drawn is what a camera elsewhere sees of a table without a board.
type Drawn struct {
	Zones []calibration.Zone `json:"zones"`
}

// drawn takes the zones of a camera elsewhere.
func (s *Server) drawn(c *gin.Context) {
	var d Drawn
	if !decodeJSON(c, &d) {
		return
	}
	now := s.cfg.Match.Snapshot()
	if now.Game.Kit().Layout != table.Loose {
		fail(c, http.StatusConflict, "zones", now.Game.Kit().Title+" has a board: it needs no zones")
		return
	}
	if err := calibration.CheckZones(now.Game, len(now.Players), d.Zones); err != nil {
		fail(c, http.StatusConflict, "zones", plain(err))
		return
	}
	if err := s.cfg.Draw(d.Zones); err != nil {
		fail(c, http.StatusServiceUnavailable, "not-now", plain(err))
		return
	}
	c.JSON(http.StatusOK, gin.H{"zones": len(d.Zones)})
}
