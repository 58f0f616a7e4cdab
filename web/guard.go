package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// CodeHeader carries the table's code on changes from other machines.
const CodeHeader = "X-Table-Code"

// codeLetters leaves out what people confuse: 0 and O, 1, I and L.
const codeLetters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

// NewCode creates a table's code: 8 random letters and digits.
func NewCode() string {
	code := make([]byte, 8)
	for i := range code {
		// Bytes that would make the first letters likelier are drawn again.
		for {
			var b [1]byte
			rand.Read(b[:])
			if int(b[0]) < 256/len(codeLetters)*len(codeLetters) {
				code[i] = codeLetters[int(b[0])%len(codeLetters)]
				break
			}
		}
	}
	return string(code)
}

// guard refuses what must not be answered: requests for other hosts (a name
// that was pointed at this machine), changes that come from other sites, and
// changes from other machines without the table's code.
type guard struct {
	code    string
	token   string              // of a camera elsewhere; empty: there is none
	hall    bool                // a table among many: nobody sits at the server
	referee func(string) string // who of the hall's referees has a code; nil: there are none
	hosts   []string
	origin  *http.CrossOriginProtection
	friends *friends
	guesses *limiter // wrong codes
	uploads *limiter
	changes *limiter
	setups  *limiter // each may start a camera
	frames  *limiter // pictures of a phone that is the camera
	costly  *limiter // what takes a while to answer, though it changes nothing
	// rest waits before a code is answered, where too many were wrong.
	rest func(context.Context, time.Duration)
}

func newGuard(cfg Config) *guard {
	g := &guard{
		code:    cfg.Code,
		token:   cfg.Token,
		hall:    cfg.Root != "",
		referee: cfg.Referee,
		hosts:   []string{"localhost"},
		origin:  http.NewCrossOriginProtection(),
		friends: newFriends(),
		guesses: newLimiter(5, 12*time.Second),
		uploads: newLimiter(6, 2*time.Second),
		changes: newLimiter(40, 100*time.Millisecond),
		frames:  newLimiter(30, 70*time.Millisecond),
		setups:  newLimiter(20, 2*time.Second),
		costly:  newLimiter(30, 200*time.Millisecond),
		rest:    rest,
	}
	hosts := slices.Clone(cfg.Hosts)
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name, name+".local")
	}
	for _, h := range hosts {
		g.hosts = append(g.hosts, strings.ToLower(h))
	}
	return g
}

// contentPolicy allows what the page itself brings and nothing else. Pictures
// that were dropped on the page are blobs.
var contentPolicy = "default-src 'none'; script-src 'self' 'sha256-" + sumOf(reload) + "'; style-src 'self'; img-src 'self' blob:; " +
	"connect-src 'self'; manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "

// sumOf names a script that is in a page itself, as the policy does.
func sumOf(script string) string {
	sum := sha256.Sum256([]byte(script))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// framed is who may show a page within another one: for the overlay, which has nothing to tap,
// the page that makes it; else nobody.
func framed(path string) (ancestors, option string) {
	if path == "/overlay" {
		return "'self'", "SAMEORIGIN"
	}
	return "'none'", "DENY"
}

// headers sets what every answer carries.
func headers(c *gin.Context) {
	h := c.Writer.Header()
	ancestors, option := framed(c.Request.URL.Path)
	h.Set("Content-Security-Policy", contentPolicy+ancestors)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", option)
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", permissions(c.Request.URL.Path))
	h.Set("Cache-Control", "no-store")
}

// permissions lets the one page that is a camera ask for it.
func permissions(path string) string {
	if path == "/camera" {
		return "camera=(self), geolocation=(), microphone=()"
	}
	return "camera=(), geolocation=(), microphone=()"
}

// check is the guard as gin calls it.
func (g *guard) check(c *gin.Context) {
	r := c.Request
	if !g.known(r.Host) {
		fail(c, http.StatusMisdirectedRequest, "host", "this is diceref, but it does not go by the name "+clip(r.Host))
		return
	}
	if strings.HasPrefix(r.URL.Path, "/api/v1/cameras/") {
		g.checkPeek(c)
		return
	}
	v := g.visiting(r)
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions {
		g.meet(r, v)
		return
	}
	if err := g.origin.Check(r); err != nil || strings.EqualFold(r.Header.Get("Origin"), "null") {
		fail(c, http.StatusForbidden, "origin", "only diceref's own page can make changes")
		return
	}
	if r.URL.Path == "/api/v1/read" {
		g.meet(r, v)
		if !g.uploads.allow(g.visiting(r)) {
			slowDown(c, "too many photos at once; wait a moment")
		}
		return
	}
	if cameraPath(r.URL.Path) {
		if g.checkToken(c, v) && !g.frames.allow(v) {
			slowDown(c, "too many observations at once; wait a moment")
		}
		return
	}
	// Those without the code take nothing from those who have it.
	if !v.here && !g.checkCode(c, v) {
		return
	}
	limit, many := g.changes, "too many changes at once; wait a moment"
	if phonePath(r.URL.Path) {
		limit, many = g.frames, "too many pictures per second; wait a moment"
	}
	v = g.visiting(r)
	if !limit.allow(v) {
		slowDown(c, many)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/api/v1/setup") && !g.setups.allow(v) {
		slowDown(c, "too many set-ups at once; wait a moment")
	}
}

// checkPeek guards the cameras that do not look at the table: switching one on is
// as good as a change, though it is asked for by GET.
func (g *guard) checkPeek(c *gin.Context) {
	r, v := c.Request, g.visiting(c.Request)
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		fail(c, http.StatusForbidden, "origin", "only diceref's own page can show the cameras")
		return
	}
	if !v.here && !g.checkCode(c, v) {
		return
	}
	if !g.changes.allow(v) {
		slowDown(c, "too many pictures at once; wait a moment")
	}
}

// expensive stands before what takes a while to answer.
func (g *guard) expensive(c *gin.Context) {
	if v := g.visiting(c.Request); !v.here && !g.costly.allow(v) {
		slowDown(c, "too many questions at once; wait a moment")
	}
}

// guessTime is how long the answer to a code takes where too many were wrong, whether it is right or not.
const guessTime = time.Second

// rest waits, for as long as somebody waits for the answer.
func rest(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// checkCode lets a request from another machine pass only with the table's code; false: it has
// been answered. The right code always passes, whatever others at the same address did: it has 39
// bits, and who guesses gets one answer a second over each of a bounded number of connections: with
// 64 of them all evening (six hours) one code in 400,000, and the next evening has another code.
func (g *guard) checkCode(c *gin.Context, v visitor) bool {
	given := givenCode(c.Request)
	switch {
	case g.code == "" && g.referee == nil:
		fail(c, http.StatusForbidden, "code", "only the table's own machine can make changes")
		return false
	case given == "":
		fail(c, http.StatusForbidden, "code", "enter the table's code; it is shown where diceref was started")
		return false
	}
	who, right := g.who(given)
	switch {
	case right && g.guesses.left(v):
	case !right && g.guesses.allow(v):
		fail(c, http.StatusForbidden, "code", "that is not the table's code")
		return false
	default:
		g.rest(c.Request.Context(), guessTime)
	}
	if !right {
		slowDown(c, "too many wrong codes; wait a minute")
		return false
	}
	g.friends.add(v.address)
	c.Set(whoKey, who)
	return true
}

// whoKey is where a request keeps who sent it, in a hall.
const whoKey = "who"

// who says what right a code gives, in the words of the journal. At home there is one right, and the words are empty.
func (g *guard) who(given string) (words string, right bool) {
	switch {
	case g.code != "" && subtle.ConstantTimeCompare([]byte(given), []byte(g.code)) == 1:
		if g.hall {
			words = "player"
		}
		return words, true
	case g.referee != nil:
		if name := g.referee(given); name != "" {
			return "referee " + name, true
		}
	}
	return "", false
}

// meet notes who has the table's code where none is needed. A wrong one is nothing to be told.
func (g *guard) meet(r *http.Request, v visitor) {
	given := givenCode(r)
	if v.here || v.friend || g.code == "" && g.referee == nil || given == "" || !g.guesses.left(v) {
		return
	}
	if _, right := g.who(given); right {
		g.friends.add(v.address)
	} else {
		g.guesses.allow(v)
	}
}

func givenCode(r *http.Request) string {
	return strings.ToUpper(strings.TrimSpace(r.Header.Get(CodeHeader)))
}

func slowDown(c *gin.Context, message string) {
	c.Header("Retry-After", "5")
	fail(c, http.StatusTooManyRequests, "slow-down", message)
}

// known says whether the page is reached under this Host: an IP address cannot
// have been pointed here by somebody else's name server, names are listed.
func (g *guard) known(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return slices.Contains(g.hosts, strings.TrimSuffix(host, "."))
}

// clip shortens what a stranger sent before it is repeated.
func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
