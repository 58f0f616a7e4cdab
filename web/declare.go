package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"diceref/match"
)

// declare takes whatever a player says: the body is a match.Declaration.
func (s *Server) declare(c *gin.Context) {
	var d match.Declaration
	if decodeJSON(c, &d) {
		s.tell(c, d)
	}
}

// say is declare for one thing to say; the body holds the rest and may be empty.
func (s *Server) say(what string) gin.HandlerFunc {
	return func(c *gin.Context) {
		var d match.Declaration
		if c.Request.ContentLength != 0 && !decodeJSON(c, &d) {
			return
		}
		if d.Say != "" && d.Say != what {
			fail(c, http.StatusBadRequest, "declaration", "this address is for "+what+", not for "+clip(d.Say))
			return
		}
		d.Say = what
		s.tell(c, d)
	}
}

// maxKey is how long the key of a declaration may be.
const maxKey = 64

// ErrNotNow: what was asked for cannot be done at the moment, and can be asked for again.
var ErrNotNow = errors.New("not now")

// tell hands a declaration to the match and answers with the number of the last
// event. What follows from it comes with the events.
func (s *Server) tell(c *gin.Context, d match.Declaration) {
	if d.Frame != nil || d.T != nil {
		fail(c, http.StatusBadRequest, "declaration", "declarations on the page are for now: leave out frame and t")
		return
	}
	if err := d.Check(); err != nil {
		fail(c, http.StatusBadRequest, "declaration", plain(err))
		return
	}
	if d.Key = c.GetHeader("Idempotency-Key"); len(d.Key) > maxKey {
		fail(c, http.StatusBadRequest, "declaration", "an Idempotency-Key has at most "+strconv.Itoa(maxKey)+" letters")
		return
	}
	d.Who = c.GetString(whoKey)
	if err := s.cfg.Match.Declare(d); err != nil {
		s.undeclared(c, err)
		return
	}
	c.JSON(http.StatusOK, gin.H{"seq": s.cfg.Match.Snapshot().Seq})
}

// undeclared answers why the match does not take a declaration.
func (s *Server) undeclared(c *gin.Context, err error) {
	var refusal *match.Refusal
	switch {
	case errors.As(err, &refusal):
		c.AbortWithStatusJSON(http.StatusConflict, illegal{problem{Code: "illegal", Error: plain(err)}, refusal})
	case errors.Is(err, ErrNotNow):
		fail(c, http.StatusServiceUnavailable, "not-now", plain(err))
	default:
		turnDown(c, err)
	}
}

// turnDown answers why what somebody wants of the match or the journal is not done.
func turnDown(c *gin.Context, err error) {
	p := problem{Code: "journal", Error: plain(err)} // all else is of the match's own making
	var rejection *match.Rejection
	var name *match.NameError
	switch {
	case errors.As(err, &rejection):
		p.Code, p.Says = "refused", &rejection.Says
	case errors.As(err, &name):
		r := nameRefused(name)
		p.Code, p.About = r.Code, r.About
	case errors.Is(err, match.ErrPlayed):
		p.Code = "on-the-table"
	case errors.Is(err, match.ErrKept):
		p.Code = "not-deleted"
	}
	c.AbortWithStatusJSON(http.StatusConflict, p)
}

// plain is an error's sentence without the name of the package.
func plain(err error) string {
	text := err.Error()
	for _, prefix := range []string{"match: ", "league: "} {
		if rest, ok := strings.CutPrefix(text, prefix); ok && rest != "" {
			return rest
		}
	}
	return text
}
