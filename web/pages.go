package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"
)

//go:embed static
var static embed.FS

// views are the addresses of pages and the file that each is. The live page
// looks at its address to know which view it is.
var views = map[string]string{
	"/":        "live.html",
	"/tv":      "live.html",
	"/overlay": "live.html",
	"/drop":    "drop.html",
	"/play":    "live.html",
	"/camera":  "camera.html",
	"/trust":   "trust.html",
}

// pages adds the embedded files to the engine: pages at their addresses,
// everything else below /static.
func (s *Server) pages(e *gin.Engine) {
	files := loadFiles(s.cfg.Language)
	for address, name := range views {
		e.GET(address, files[name].serve)
		e.HEAD(address, files[name].serve)
	}
	for name, f := range files {
		if !strings.HasSuffix(name, ".html") {
			e.GET("/static/"+name, f.serve)
		}
	}
	e.GET("/favicon.ico", func(c *gin.Context) { c.Redirect(http.StatusMovedPermanently, "/static/icon.svg") })
}

// file is an embedded file as it is served.
type file struct {
	data []byte
	kind string // media type
	etag string
}

// types of the files that the page is made of; machines differ in what they know.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json; charset=utf-8", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json",
}

// loadFiles reads all embedded files; they are part of the program, so that a
// failure is a mistake in it. Pages are told the language that was set.
func loadFiles(language string) map[string]file {
	files := map[string]file{}
	err := fs.WalkDir(static, "static", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := static.ReadFile(name)
		if err != nil {
			return err
		}
		kind := types[path.Ext(name)]
		if kind == "" {
			kind = mime.TypeByExtension(path.Ext(name))
		}
		data = bytes.Replace(data, []byte(`data-language=""`), []byte(`data-language="`+language+`"`), 1)
		sum := sha256.Sum256(data)
		files[strings.TrimPrefix(name, "static/")] = file{data, kind, `"` + hex.EncodeToString(sum[:8]) + `"`}
		return nil
	})
	if err != nil {
		panic(err)
	}
	return files
}

// serve answers with the file; browsers keep it and ask whether it changed.
func (f file) serve(c *gin.Context) {
	c.Header("Cache-Control", "no-cache")
	c.Header("ETag", f.etag)
	if c.GetHeader("If-None-Match") == f.etag {
		c.Status(http.StatusNotModified)
		return
	}
	c.Data(http.StatusOK, f.kind, f.data)
}
