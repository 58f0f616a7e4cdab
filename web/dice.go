package web

import (
	"bytes"
	"context"
	"errors"
	"mime"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"diceref/match"
	"diceref/table"
	"diceref/vision/owned"
)

// diceRoutes are those of sets of dice that their owner shows.
func (s *Server) diceRoutes(api *gin.RouterGroup) {
	api.GET("/faces", s.faces)
	api.GET("/faces/:picture", s.facePicture)
	api.POST("/card", s.card)
	dice := api.Group("/dice", s.hasDice)
	dice.GET("", s.guard.expensive, s.diceSets)
	dice.GET("/:set", s.guard.expensive, s.diceSet)
	dice.POST("/:set", s.diceBegin)
	dice.DELETE("/:set", s.diceDelete)
	dice.POST("/:set/throw", s.diceThrow)
	dice.POST("/:set/card", s.diceCard)
	dice.POST("/:set/change", s.diceChange)
	dice.GET("/:set/pictures/:picture", s.dicePicture)
	dice.GET("/:set/export", s.guard.expensive, s.diceExport)
	dice.POST("/:set/import", s.diceImport)
}

// faces are the pictures by which pages draw what is on the dice in use, where that is no number.
func (s *Server) faces(c *gin.Context) {
	faces, cards := []owned.Drawn{}, false
	if set := s.facesOf(); set != nil {
		faces, cards = set.Drawn(), len(set.Cards) > 0 && s.cfg.Card != nil
	}
	c.JSON(http.StatusOK, gin.H{"faces": faces, "cards": cards})
}

func (s *Server) facesOf() *owned.Set {
	if s.cfg.Faces == nil {
		return nil
	}
	return s.cfg.Faces()
}

// facePicture is one picture of the dice in use. It never changes.
func (s *Server) facePicture(c *gin.Context) {
	if set := s.facesOf(); set != nil {
		if p := set.Picture(c.Param("picture")); p != nil {
			pictureTold(c, p.PNG())
			return
		}
	}
	fail(c, http.StatusNotFound, owned.FaultGone, "the dice in use have no such picture")
}

func pictureTold(c *gin.Context, png []byte) {
	c.Header("Cache-Control", "private, max-age=86400, immutable")
	c.Data(http.StatusOK, "image/png", png)
}

func (s *Server) hasDice(c *gin.Context) {
	if s.cfg.Dice == nil {
		fail(c, http.StatusServiceUnavailable, "no-dice", "no sets of dice are kept here: there is no data folder")
	}
}

// diceSets lists the sets, and says whether the camera has a picture of a throw.
func (s *Server) diceSets(c *gin.Context) {
	c.JSON(http.StatusOK, gin.H{"sets": s.cfg.Dice.List(), "camera": s.cfg.Feed.Picture() != nil && s.cfg.Dice.Look != nil && !s.recorded()})
}

// recorded says whether what is seen is the demo, and nobody's table.
func (s *Server) recorded() bool {
	if s.cfg.Host == nil {
		return false
	}
	now := s.cfg.Host.Setup()
	return now.Now.Source == SourceDemo && !now.Trying
}

func (s *Server) diceSet(c *gin.Context) {
	state, err := s.cfg.Dice.State(c.Request.Context(), c.Param("set"))
	s.diceTold(c, state, err)
}

// diceBegin begins to show a set, or goes on with one.
func (s *Server) diceBegin(c *gin.Context) {
	var want struct {
		Game table.Game `json:"game"`
	}
	if !decodeJSON(c, &want) {
		return
	}
	game, err := table.ParseGame(string(want.Game))
	if err == nil {
		err = owned.CheckName(c.Param("set"))
	} else {
		err = &owned.Fault{Code: "game", Text: err.Error()}
	}
	if err != nil {
		s.diceRefused(c, err)
		return
	}
	state, err := s.cfg.Dice.Begin(c.Request.Context(), c.Param("set"), game)
	s.diceTold(c, state, err)
}

// formTypes are what a form of another site can send.
var formTypes = []string{"application/x-www-form-urlencoded", "multipart/form-data", "text/plain"}

// diceThrow shows a throw: the photo in the body or, where that is empty, what the camera sees now.
func (s *Server) diceThrow(c *gin.Context) {
	s.withPicture(c, s.cfg.Dice.Look != nil, func(ctx context.Context, picture []byte) error {
		state, err := s.cfg.Dice.Throw(ctx, c.Param("set"), picture)
		return s.diceSeen(c, state, err)
	})
}

// diceSeen answers with the set once a picture was looked at, and returns what was wrong with the picture itself.
func (s *Server) diceSeen(c *gin.Context, state owned.State, err error) error {
	if f := (*owned.Fault)(nil); err != nil && !errors.As(err, &f) {
		return err
	}
	s.diceTold(c, state, err)
	return nil
}

// withPicture does something with the photo in the body or, where that is empty, with what the camera sees now.
func (s *Server) withPicture(c *gin.Context, able bool, do func(context.Context, []byte) error) {
	if slices.Contains(formTypes, mediaType(c.Request)) {
		fail(c, http.StatusUnsupportedMediaType, "not-a-picture", "send a picture, or nothing")
		return
	}
	if !able {
		noEye(c)
		return
	}
	ctx, cancel := context.WithCancel(c.Request.Context())
	defer cancel()
	picture := s.cfg.Feed.Picture()
	switch {
	case c.Request.ContentLength != 0:
		sent, leave, ok := s.receive(c, cancel)
		if !ok {
			return
		}
		defer leave()
		picture = sent
	case picture == nil:
		fail(c, http.StatusConflict, "no-picture", "there is no picture yet")
		return
	case s.cfg.Whole != nil:
		picture = s.cfg.Whole(ctx)
	}
	s.readPhoto(ctx, c, func(ctx context.Context) error { return do(ctx, picture) })
}

// diceCard shows a secret card that is held into the frame of a picture.
func (s *Server) diceCard(c *gin.Context) {
	s.withPicture(c, s.cfg.Dice.Sign != nil, func(ctx context.Context, picture []byte) error {
		state, err := s.cfg.Dice.ShowCard(ctx, c.Param("set"), c.Query("session"), c.Query("shows"), picture)
		return s.diceSeen(c, state, err)
	})
}

// card turns over the secret card that a player holds into the frame of the picture, if it is surely known.
func (s *Server) card(c *gin.Context) {
	s.withPicture(c, s.cfg.Card != nil, func(ctx context.Context, picture []byte) error {
		letter, err := s.cfg.Card(ctx, picture)
		if f := (*owned.Fault)(nil); errors.As(err, &f) {
			s.diceRefused(c, err)
			return nil
		}
		switch {
		case err != nil:
			return err
		case letter == "":
			c.JSON(http.StatusOK, gin.H{"card": nil})
			return nil
		}
		d := match.Declaration{Say: match.SayCard, Player: c.Query("player"), Card: letter}
		d.Who, d.Camera = c.GetString(whoKey), true
		if err := s.cfg.Match.Declare(d); err != nil {
			s.undeclared(c, err)
			return nil
		}
		c.JSON(http.StatusOK, gin.H{"card": letter})
		return nil
	})
}

// diceChange names, merges, splits or drops groups.
func (s *Server) diceChange(c *gin.Context) {
	var want owned.Change
	if !decodeJSON(c, &want) {
		return
	}
	state, err := s.cfg.Dice.Change(c.Request.Context(), c.Param("set"), want)
	s.diceTold(c, state, err)
}

// dicePicture is one picture of a set. It never changes.
func (s *Server) dicePicture(c *gin.Context) {
	png, err := s.cfg.Dice.Picture(c.Request.Context(), c.Param("set"), c.Param("picture"))
	if err != nil {
		s.diceRefused(c, err)
		return
	}
	pictureTold(c, png)
}

func (s *Server) diceExport(c *gin.Context) {
	var b bytes.Buffer
	if err := s.cfg.Dice.Export(c.Param("set"), &b); err != nil {
		s.diceRefused(c, err)
		return
	}
	c.Header("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": c.Param("set") + ".json"}))
	c.Data(http.StatusOK, "application/json", b.Bytes())
}

// maxSet is what a file may have; the set itself is held to less.
const maxSet = 3 << 20 // bytes

func (s *Server) diceImport(c *gin.Context) {
	if mediaType(c.Request) != "application/json" {
		fail(c, http.StatusUnsupportedMediaType, "json", "send JSON (Content-Type: application/json)")
		return
	}
	file, ok := body(c, maxSet, s.sending)
	if !ok {
		return
	}
	if err := s.cfg.Dice.Import(c.Param("set"), bytes.NewReader(file)); err != nil {
		s.diceRefused(c, err)
		return
	}
	c.JSON(http.StatusOK, gin.H{"set": c.Param("set")})
}

func (s *Server) diceDelete(c *gin.Context) {
	if err := s.cfg.Dice.Delete(c.Param("set")); err != nil {
		s.diceRefused(c, err)
		return
	}
	c.JSON(http.StatusOK, gin.H{"set": c.Param("set")})
}

func (s *Server) diceTold(c *gin.Context, state owned.State, err error) {
	if err != nil {
		s.diceRefused(c, err)
		return
	}
	c.JSON(http.StatusOK, state)
}

// diceRefused answers with what is wrong. What is not the request's fault is in the log.
func (s *Server) diceRefused(c *gin.Context, err error) {
	var f *owned.Fault
	if !errors.As(err, &f) {
		s.log.Warn("a set of dice could not be used", "error", err)
		fail(c, http.StatusInternalServerError, "dice", plain(err))
		return
	}
	status := http.StatusUnprocessableEntity
	switch f.Code {
	case owned.FaultGone:
		status = http.StatusNotFound
	case owned.FaultThere, owned.FaultStale:
		status = http.StatusConflict
	}
	fail(c, status, f.Code, f.Text)
}
