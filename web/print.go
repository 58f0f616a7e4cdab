package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"diceref/table"
	"diceref/web/paper"
)

// print makes a sheet to print: its name is that of the file, board.pdf or board.svg.
func (s *Server) print(c *gin.Context) {
	kind, format, _ := strings.Cut(c.Param("file"), ".")
	o := paper.Options{Kind: kind, Paper: c.Query("paper"), Game: table.Game(c.Query("game")), Language: c.Query("language")}
	page := 1
	var err error
	number := func(name string, to *int) {
		if text := c.Query(name); text != "" && err == nil {
			if *to, err = strconv.Atoi(text); err != nil {
				err = &paper.Error{Field: name, Text: "expected a whole number"}
			}
		}
	}
	number("players", &o.Players)
	number("page", &page)
	if text := c.Query("square"); text != "" && err == nil {
		if o.Square, err = strconv.ParseFloat(text, 64); err != nil {
			err = &paper.Error{Field: "square", Text: "expected a number of millimeters"}
		}
	}
	var sheets []paper.Sheet
	if err == nil {
		sheets, err = paper.Make(o)
	}
	var wrong *paper.Error
	switch {
	case errors.As(err, &wrong):
		fail(c, http.StatusBadRequest, "sheet", clip(wrong.Error()))
	case err != nil:
		s.log.Error("cannot make a sheet", "error", err)
		fail(c, http.StatusInternalServerError, "internal", "the sheet could not be made")
	case format == "svg" && (page < 1 || page > len(sheets)):
		fail(c, http.StatusNotFound, "not-found", "there is no such page")
	case format == "svg":
		c.Header("X-Pages", strconv.Itoa(len(sheets)))
		c.Data(http.StatusOK, "image/svg+xml", paper.SVG(sheets[page-1]))
	case format == "pdf":
		s.printPDF(c, kind, sheets)
	default:
		fail(c, http.StatusNotFound, "not-found", "a sheet is either .pdf or .svg")
	}
}

func (s *Server) printPDF(c *gin.Context, kind string, sheets []paper.Sheet) {
	data, err := paper.PDF(sheets, "diceref "+kind)
	if err != nil {
		s.log.Error("cannot make a PDF", "error", err)
		fail(c, http.StatusInternalServerError, "internal", "the PDF could not be made")
		return
	}
	c.Header("Content-Disposition", `attachment; filename="diceref-`+kind+`.pdf"`)
	c.Data(http.StatusOK, "application/pdf", data)
}
