package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"diceref/match"
	"diceref/table"
)

// History reads and changes past matches: their titles, their players, and which of them
// count. A *match.Journal is one; see there.
type History interface {
	History(match.HistoryQuery) (match.History, error)
	Past(id string, from, limit int) (match.Past, error)
	Statistics() (match.Statistics, error)
	// Write writes a match in a given form: export, csv or text.
	Write(id, form string, w io.Writer) error

	Rename(id, title string) error
	RenamePlayers(id string, names []string) error
	RenamePlayer(from, to string) (match.Renamed, error)
	Delete(id string) error
	Restore(id string) error
	Purge(id string) error
}

// history is the matches that a game or a player may narrow down, page by page.
func (s *Server) history(c *gin.Context) {
	from, limit, ok := page(c, match.MostMatches)
	if !ok || !s.hasHistory(c) {
		return
	}
	q := match.HistoryQuery{Game: table.Game(c.Query("game")), Player: c.Query("player"), From: from, Limit: limit, Deleted: c.Query("deleted") == "true"}
	if q.Game != "" {
		if _, err := table.ParseGame(string(q.Game)); err != nil {
			fail(c, http.StatusBadRequest, "game", err.Error())
			return
		}
	}
	answer, err := s.cfg.History.History(q)
	s.told(c, answer, err)
}

// past is one match with all of its steps.
func (s *Server) past(c *gin.Context) {
	from, limit, ok := page(c, match.MostSteps)
	if !ok || !s.hasHistory(c) {
		return
	}
	answer, err := s.cfg.History.Past(c.Param("id"), from, limit)
	s.told(c, answer, err)
}

func (s *Server) statistics(c *gin.Context) {
	if s.hasHistory(c) {
		answer, err := s.cfg.History.Statistics()
		s.told(c, answer, err)
	}
}

// exported is one match as a file: whole, its score pad, or its acts in notation.
func (s *Server) exported(c *gin.Context) {
	if !s.hasHistory(c) {
		return
	}
	form := c.DefaultQuery("form", "export")
	kind, ending := map[string]string{"export": "application/json", "csv": "text/csv; charset=utf-8", "text": "text/plain; charset=utf-8"}[form], form
	switch form {
	case "export":
		ending = "json"
	case "text":
		ending = "txt"
	case "csv":
	default:
		fail(c, http.StatusBadRequest, "form", "form must be export, csv or text")
		return
	}
	var b bytes.Buffer
	if err := s.cfg.History.Write(c.Param("id"), form, &b); err != nil {
		s.told(c, nil, err)
		return
	}
	c.Header("Content-Disposition", `attachment; filename="diceref-match.`+ending+`"`)
	c.Data(http.StatusOK, kind, b.Bytes())
}

func (s *Server) hasHistory(c *gin.Context) bool {
	if s.cfg.History == nil {
		fail(c, http.StatusServiceUnavailable, "no-journal", "this server has no journal")
		return false
	}
	return true
}

// told answers with what the journal tells, or why it does not.
func (s *Server) told(c *gin.Context, answer any, err error) {
	switch {
	case err == nil:
		c.JSON(http.StatusOK, answer)
	case errors.Is(err, match.ErrNoMatch):
		fail(c, http.StatusNotFound, "no-match", "there is no such match")
	default:
		s.log.Warn("the journal could not be read", "error", err)
		fail(c, http.StatusInternalServerError, "journal", plain(err))
	}
}

// page reads how many to leave out and how many to tell.
func page(c *gin.Context, most int) (from, limit int, ok bool) {
	for _, p := range []struct {
		name  string
		to    *int
		least int
		most  int
	}{{"from", &from, 0, 1 << 30}, {"limit", &limit, 1, most}} {
		text := c.Query(p.name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < p.least || n > p.most {
			fail(c, http.StatusBadRequest, p.name, fmt.Sprintf("%s: expected a number from %d to %d", p.name, p.least, p.most))
			return 0, 0, false
		}
		*p.to = n
	}
	return from, limit, true
}
