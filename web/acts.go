package web

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"diceref/match"
	"diceref/rules"
)

// Judge is a Match that can say what is legal, for playing by tapping.
type Judge interface {
	// Legal lists legal acts whose notation has every one of the words.
	Legal(with []string, from, limit int) match.Acts
	// Why judges an act without playing it.
	Why(act string) (match.Judgment, error)
	// Hints points out possible acts.
	Hints() match.Hints
	// Hint lists good acts for the player whose turn it is, whose card it may need.
	Hint(card string) ([]rules.Suggestion, error)
}

// Limits of one answer about acts.
const (
	manyActs = 200  // where no number is asked for
	mostActs = 1000 // at once
	mostWith = 6    // words of a filter
)

// judge is the match as one that judges, or nil after the request was answered.
func (s *Server) judge(c *gin.Context) Judge {
	j, ok := s.cfg.Match.(Judge)
	if !ok {
		fail(c, http.StatusServiceUnavailable, "no-judge", "this table cannot say which moves are legal")
		return nil
	}
	return j
}

// legal lists the legal acts of the moment, page by page: ?with= words of their
// notation (a die, a square, what is done), ?from= and ?limit=.
func (s *Server) legal(c *gin.Context) {
	j := s.judge(c)
	if j == nil {
		return
	}
	with := c.QueryArray("with")
	from, err1 := strconv.ParseUint(c.DefaultQuery("from", "0"), 10, 20)
	limit, err2 := strconv.ParseUint(c.DefaultQuery("limit", strconv.Itoa(manyActs)), 10, 20)
	if err1 != nil || err2 != nil || limit > mostActs || len(with) > mostWith {
		fail(c, http.StatusBadRequest, "query", "from and limit must be numbers, with a limit of at most "+strconv.Itoa(mostActs)+", and at most "+strconv.Itoa(mostWith)+" words in with")
		return
	}
	c.JSON(http.StatusOK, j.Legal(with, int(from), int(limit)))
}

// why judges the act ?act= without playing it.
func (s *Server) why(c *gin.Context) {
	j := s.judge(c)
	if j == nil {
		return
	}
	answer, err := j.Why(c.Query("act"))
	if err != nil {
		fail(c, http.StatusBadRequest, "act", plain(err))
		return
	}
	c.JSON(http.StatusOK, answer)
}

// hints points out what the player whose turn it is can do, as the rules alone tell.
func (s *Server) hints(c *gin.Context) {
	if j := s.judge(c); j != nil {
		c.JSON(http.StatusOK, j.Hints())
	}
}

// hint lists good acts for the player whose turn it is, with ?card= as the card that only
// that player knows. One is thought about at a time.
func (s *Server) hint(c *gin.Context) {
	j := s.judge(c)
	if j == nil {
		return
	}
	select {
	case s.thinking <- struct{}{}:
		defer func() { <-s.thinking }()
	default:
		slowDown(c, "another suggestion is being worked out; try again in a moment")
		return
	}
	list, err := j.Hint(c.Query("card"))
	if err != nil {
		turnDown(c, err)
		return
	}
	c.JSON(http.StatusOK, gin.H{"hints": list})
}

// illegal is the body of the answer to an act that the rules do not allow.
type illegal struct {
	problem
	Ruling *match.Refusal `json:"ruling"`
}
