package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
)

//go:embed static
var static embed.FS

//go:embed parts/*.html
var parts embed.FS

// reload is in every page itself, as it is for when other files do not arrive.
//
//go:embed parts/reload.js
var reload string

// views are the addresses of pages and the file that each is. The live page
// looks at its address to know which view it is.
var views = map[string]string{
	"/":        "live.html",
	"/tv":      "live.html",
	"/overlay": "live.html",
	"/drop":    "drop.html",
	"/dice":    "dice.html",
	"/setup":   "setup.html",
	"/play":    "live.html",
	"/camera":  "camera.html",
	"/trust":   "trust.html",
	"/print":   "print.html",
	"/history": "history.html",
	"/stream":  "stream.html",
	"/league":  "league.html",
}

// hallViews are the pages of a table in a hall: its camera is elsewhere, and leagues are the hall's.
var hallViews = without(views, "/camera", "/trust", "/drop", "/dice", "/league")

func without(all map[string]string, names ...string) map[string]string {
	rest := maps.Clone(all)
	for _, name := range names {
		delete(rest, name)
	}
	return rest
}

// pages adds the embedded files to the engine: pages at their addresses,
// everything else below /static.
func (s *Server) pages(e *gin.Engine) {
	there := views
	if s.cfg.Root != "" {
		there = hallViews
	}
	files := loadFiles(s.cfg.Language, there)
	for address, name := range there {
		serve := files[name].serve
		if address == "/" {
			serve = s.front(files[name])
		}
		e.GET(address, serve)
		e.HEAD(address, serve)
	}
	for name, f := range files {
		if !strings.HasSuffix(name, ".html") {
			e.GET("/static/"+name, f.serve)
		}
	}
	e.GET("/favicon.ico", func(c *gin.Context) { c.Redirect(http.StatusMovedPermanently, "/static/icon.svg") })
}

// front is the live page, which leads to the wizard where nothing was ever set up.
func (s *Server) front(page file) gin.HandlerFunc {
	first := newFile(bytes.Replace(page.data, []byte("<html "), []byte(`<html data-fresh="true" `), 1), page.kind)
	return func(c *gin.Context) {
		if s.cfg.Host != nil && s.cfg.Host.Fresh() {
			first.serve(c)
			return
		}
		page.serve(c)
	}
}

// file is an embedded file as it is served.
type file struct {
	data   []byte
	kind   string        // media type
	sum    string        // of the data
	packed func() []byte // the data gzipped; nil where that gains little
}

func newFile(data []byte, kind string) file {
	sum := sha256.Sum256(data)
	return file{data, kind, hex.EncodeToString(sum[:8]), sync.OnceValue(func() []byte { return pack(data) })}
}

// pack is the data gzipped, or nil where that gains less than a tenth. Only embedded files are
// packed: they hold no secret that their length could tell.
func pack(data []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil || 10*b.Len() > 9*len(data) {
		return nil
	}
	return b.Bytes()
}

// unpacks says whether whoever asks takes gzipped answers.
func unpacks(r *http.Request) bool {
	for each := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(each, " ", "")), ";")
		if name == "gzip" {
			q, err := strconv.ParseFloat(strings.TrimPrefix(weight, "q="), 64)
			return weight == "" || err == nil && q > 0
		}
	}
	return false
}

// types of the files that the page is made of; machines differ in what they know.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json; charset=utf-8", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json",
}

// loaded are the files of loadFiles, which all tables of a hall share.
var loaded sync.Map

// loadFiles is all embedded files, for pages that know which others there are.
func loadFiles(language string, there map[string]string) map[string]file {
	pages := strings.Join(slices.Sorted(maps.Keys(there)), " ")
	files, ok := loaded.Load(language + " " + pages)
	if !ok {
		files, _ = loaded.LoadOrStore(language+" "+pages, readFiles(language, pages))
	}
	return files.(map[string]file)
}

// readFiles reads all embedded files; they are part of the program, so that a
// failure is a mistake in it.
func readFiles(language, pages string) map[string]file {
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
		if path.Ext(name) == ".html" {
			if data, err = written(data, language, pages); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		files[strings.TrimPrefix(name, "static/")] = newFile(data, kind)
		return nil
	})
	if err != nil {
		panic(err)
	}
	return files
}

// written is a page with the parts that all pages share in their places. It is told the
// language that was set, and which other pages there are.
func written(page []byte, language, pages string) ([]byte, error) {
	t, err := template.New("parts").Funcs(template.FuncMap{"reload": func() template.JS { return template.JS(reload) }}).ParseFS(parts, "parts/*.html")
	if err == nil {
		t, err = t.New("page").Parse(string(page))
	}
	var out bytes.Buffer
	if err == nil {
		err = t.Execute(&out, struct{ Language, Pages string }{language, pages})
	}
	if err != nil {
		return nil, err
	}
	return named(out.Bytes(), language)
}

// Where a page says which words name an element: by its label, or, where it can be pressed, by its text.
var (
	labeled = regexp.MustCompile(`data-t-label="([^"]+)"`)
	pressed = regexp.MustCompile(`<(?:button|a|summary)\b[^>]*\bdata-t="([^"]+)"[^>]*>`)
)

// named gives what can be pressed, and every part of a page, its name from the start, so that a
// screen reader that looks before the page's words have come finds no nameless button. Words in
// another language replace them when they come.
func named(page []byte, language string) ([]byte, error) {
	data, err := static.ReadFile("static/lang/" + language + ".json")
	if err != nil { // as the browser has it, which the server does not know
		data, err = static.ReadFile("static/lang/en.json")
	}
	words := map[string]string{}
	if err == nil {
		err = json.Unmarshal(data, &words)
	}
	label := func(key string) string { return ` aria-label="` + template.HTMLEscapeString(words[key]) + `"` }
	text := labeled.ReplaceAllStringFunc(string(page), func(m string) string { return m + label(labeled.FindStringSubmatch(m)[1]) })
	text = pressed.ReplaceAllStringFunc(text, func(m string) string {
		if strings.Contains(m, "aria-label=") {
			return m
		}
		return strings.TrimSuffix(m, ">") + label(pressed.FindStringSubmatch(m)[1]) + ">"
	})
	return []byte(text), err
}

// serve answers with the file, gzipped for whoever takes that; browsers keep it and ask
// whether it changed.
func (f file) serve(c *gin.Context) {
	h, data, etag := c.Writer.Header(), f.data, f.sum
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	packed := []byte(nil)
	if unpacks(c.Request) {
		packed = f.packed()
	}
	if packed != nil {
		data, etag = packed, f.sum+"-gzip"
	}
	etag = strconv.Quote(etag)
	h.Set("ETag", etag)
	if c.GetHeader("If-None-Match") == etag {
		c.Status(http.StatusNotModified)
		return
	}
	if packed != nil {
		h.Set("Content-Encoding", "gzip")
	}
	c.Data(http.StatusOK, f.kind, data)
}
