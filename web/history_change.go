package web

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"diceref/match"
)

// amendment is what is to change about a match that is kept; what is left out stays.
type amendment struct {
	Title   *string  `json:"title"`
	Players []string `json:"players"` // all of them, in turn order
	Deleted *bool    `json:"deleted"` // false: restored
}

// amend changes what a kept match is called, who played, or whether it is shown and counts.
func (s *Server) amend(c *gin.Context) {
	var a amendment
	if !s.hasHistory(c) || !decodeJSON(c, &a) {
		return
	}
	id, kept := c.Param("id"), s.cfg.History
	var err error
	if a.Title != nil {
		err = kept.Rename(id, *a.Title)
	}
	if a.Players != nil && err == nil {
		err = kept.RenamePlayers(id, a.Players)
	}
	switch {
	case a.Deleted == nil || err != nil:
	case *a.Deleted:
		err = kept.Delete(id)
	default:
		err = kept.Restore(id)
	}
	if err != nil {
		s.refused(c, err)
		return
	}
	c.JSON(http.StatusOK, gin.H{"id": id})
}

// purge erases a kept match forever.
func (s *Server) purge(c *gin.Context) {
	if !s.hasHistory(c) {
		return
	}
	if err := s.cfg.History.Purge(c.Param("id")); err != nil {
		s.refused(c, err)
		return
	}
	c.JSON(http.StatusOK, gin.H{"id": c.Param("id")})
}

// renamePlayer gives a player another name in all matches.
func (s *Server) renamePlayer(c *gin.Context) {
	var names struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	if !s.hasHistory(c) || !decodeJSON(c, &names) {
		return
	}
	done, err := s.cfg.History.RenamePlayer(names.From, names.To)
	if err != nil {
		s.refused(c, err)
		return
	}
	c.JSON(http.StatusOK, done)
}

// refused answers why a kept match stays as it is.
func (s *Server) refused(c *gin.Context, err error) {
	if errors.Is(err, match.ErrNoMatch) {
		s.told(c, nil, err)
		return
	}
	turnDown(c, err)
}
