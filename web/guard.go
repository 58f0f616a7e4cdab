package web

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
)

// CodeHeader carries the table's code on changes from other machines.
const CodeHeader = "X-Table-Code"

// codeLetters leaves out what people confuse: 0 and O, 1, I and L.
const codeLetters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

// NewCode makes a table's code: 8 random letters and digits.
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
	hosts   []string
	origin  *http.CrossOriginProtection
	guesses *limiter // wrong codes
	uploads *limiter
	changes *limiter
	setups  *limiter // each may start a camera
	frames  *limiter // pictures of a phone that is the camera
}

func newGuard(code string, hosts []string) *guard {
	g := &guard{
		code:    code,
		hosts:   []string{"localhost"},
		origin:  http.NewCrossOriginProtection(),
		guesses: newLimiter(5, 12*time.Second),
		uploads: newLimiter(6, 2*time.Second),
		changes: newLimiter(40, 100*time.Millisecond),
		frames:  newLimiter(30, 70*time.Millisecond),
		setups:  newLimiter(20, 2*time.Second),
	}
	if name, err := os.Hostname(); err == nil {
		hosts = append(slices.Clone(hosts), name, name+".local")
	}
	for _, h := range hosts {
		g.hosts = append(g.hosts, strings.ToLower(h))
	}
	return g
}

// contentPolicy allows what the page itself brings and nothing else. Pictures
// that were dropped on the page are blobs.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; " +
	"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// headers sets what every answer carries.
func headers(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
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
		fail(c, http.StatusMisdirectedRequest, "host", "this is diceref, but it is not known under the name "+clip(r.Host))
		return
	}
	if strings.HasPrefix(r.URL.Path, "/api/v1/cameras/") {
		g.checkPeek(c)
		return
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions {
		return
	}
	if err := g.origin.Check(r); err != nil || strings.EqualFold(r.Header.Get("Origin"), "null") {
		fail(c, http.StatusForbidden, "origin", "changes are taken from diceref's own page only")
		return
	}
	from := client(r)
	if r.URL.Path == "/api/v1/read" {
		if !g.uploads.allow(from) {
			slowDown(c, "too many photographs at once; wait a moment")
		}
		return
	}
	limit, many := g.changes, "too many changes at once; wait a moment"
	if phonePath(r.URL.Path) {
		limit, many = g.frames, "too many pictures a second; wait a moment"
	}
	if !limit.allow(from) {
		slowDown(c, many)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/api/v1/setup") && !g.setups.allow(from) {
		slowDown(c, "the table is being set up too often; wait a moment")
		return
	}
	if !local(r) {
		g.checkCode(c, from)
	}
}

// checkPeek guards the cameras that do not look at the table: switching one on is
// as good as a change, though it is asked for by GET.
func (g *guard) checkPeek(c *gin.Context) {
	r, from := c.Request, client(c.Request)
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		fail(c, http.StatusForbidden, "origin", "the cameras are shown on diceref's own page only")
		return
	}
	if !g.changes.allow(from) {
		slowDown(c, "too many pictures at once; wait a moment")
		return
	}
	if !local(r) {
		g.checkCode(c, from)
	}
}

// checkCode lets a request from another machine pass only with the table's code.
func (g *guard) checkCode(c *gin.Context, from string) {
	given := strings.ToUpper(strings.TrimSpace(c.GetHeader(CodeHeader)))
	switch {
	case g.code == "":
		fail(c, http.StatusForbidden, "code", "changes are taken from the table's own machine only")
	case given == "":
		fail(c, http.StatusForbidden, "code", "the table's code is needed; it is shown where diceref was started")
	case !g.guesses.left(from):
		slowDown(c, "too many wrong codes; wait a minute")
	case subtle.ConstantTimeCompare([]byte(given), []byte(g.code)) != 1:
		g.guesses.allow(from)
		fail(c, http.StatusForbidden, "code", "this is not the table's code")
	}
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

// local says whether a request comes from this machine. Behind a proxy every
// request does, so one that a proxy forwarded never counts as local.
func local(r *http.Request) bool {
	for _, h := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if r.Header.Get(h) != "" {
			return false
		}
	}
	addr, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && addr.Addr().Unmap().IsLoopback()
}

// client names who asks, for limits: an address, or a network of IPv6.
func client(r *http.Request) string {
	addr, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	a := addr.Addr().Unmap().WithZone("")
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}

// clip shortens what a stranger sent before it is repeated.
func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// limiter is a bucket of tokens for each client: burst at once, then one every
// interval. It remembers a bounded number of clients.
type limiter struct {
	mu    sync.Mutex
	burst float64
	every time.Duration
	now   func() time.Time
	who   map[string]bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

const maxClients = 4096

func newLimiter(burst int, every time.Duration) *limiter {
	return &limiter{burst: float64(burst), every: every, now: time.Now, who: map[string]bucket{}}
}

// allow takes a token if there is one.
func (l *limiter) allow(who string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(who)
	ok := b.tokens >= 1
	if ok {
		b.tokens--
	}
	l.who[who] = b
	return ok
}

// left says whether there is a token, and leaves it there.
func (l *limiter) left(who string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bucket(who).tokens >= 1
}

func (l *limiter) bucket(who string) bucket {
	now := l.now()
	b, known := l.who[who]
	if !known {
		if len(l.who) >= maxClients {
			l.forget(now)
		}
		return bucket{l.burst, now}
	}
	b.tokens = min(l.burst, b.tokens+float64(now.Sub(b.at))/float64(l.every))
	b.at = now
	return b
}

// forget drops the clients whose buckets are full again; if none is, all.
func (l *limiter) forget(now time.Time) {
	for who, b := range l.who {
		if b.tokens+float64(now.Sub(b.at))/float64(l.every) >= l.burst {
			delete(l.who, who)
		}
	}
	if len(l.who) >= maxClients {
		clear(l.who)
	}
}
