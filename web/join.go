package web

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"rsc.io/qr"
)

// joinable are the pages that a QR code may lead to.
var joinable = []string{"/play", "/camera", "/trust"}

// joining is how other devices come to the table.
type joining struct {
	Code      string   `json:"code"`      // the table's code
	Addresses []string `json:"addresses"` // host:port, the most likely first; empty: no other device can
	Secure    bool     `json:"secure"`    // whether the same addresses answer to https
	MayOpen   bool     `json:"may_open"`  // whether whoever asks may let other devices in, by POST
}

func (s *Server) addresses() []string {
	if s.cfg.Addresses == nil {
		return []string{}
	}
	return append([]string{}, s.cfg.Addresses()...)
}

// invited says whether somebody may see the table's code: whoever sits at this
// machine, and whoever knows it. It has answered if it returns false.
func (s *Server) invited(c *gin.Context) bool {
	v := s.guard.visiting(c.Request)
	return v.here || s.guard.checkCode(c, v)
}

func (s *Server) join(c *gin.Context) {
	if s.invited(c) {
		c.JSON(http.StatusOK, joining{s.cfg.Code, s.addresses(), s.certificate() != nil, s.cfg.Open != nil && local(c.Request)})
	}
}

// certificate is that of the authority behind https; nil: there is only http.
func (s *Server) certificate() []byte {
	if s.cfg.Authority == nil {
		return nil
	}
	return s.cfg.Authority()
}

// letIn lets other devices open the page from now on. Only whoever sits at this machine
// may: the code is for playing, not for opening the machine to a network.
func (s *Server) letIn(c *gin.Context) {
	switch {
	case !local(c.Request):
		fail(c, http.StatusForbidden, "lan-here", "only the machine that runs diceref can allow other devices")
		return
	case s.cfg.Open == nil:
		fail(c, http.StatusServiceUnavailable, "lan-fixed", "other devices cannot be allowed from the page here")
		return
	}
	if err := s.cfg.Open(); err != nil {
		refuse(c, err)
		return
	}
	s.join(c)
}

// joinCode is a QR code that leads a phone to a page, with the table's code.
func (s *Server) joinCode(c *gin.Context) {
	if !s.invited(c) {
		return
	}
	to := c.DefaultQuery("to", "/play")
	addresses := s.addresses()
	switch {
	case !slices.Contains(joinable, to):
		fail(c, http.StatusNotFound, "not-found", "a code leads to one of "+strings.Join(joinable, ", "))
		return
	case len(addresses) == 0:
		fail(c, http.StatusNotFound, "no-lan", "other devices cannot open this page: allow them on the page, or start diceref with --lan")
		return
	}
	picture, err := qrSVG("http://" + addresses[0] + s.cfg.Root + to + "#code=" + s.cfg.Code)
	if err != nil {
		fail(c, http.StatusInternalServerError, "internal", "the QR code could not be drawn")
		return
	}
	c.Data(http.StatusOK, "image/svg+xml", picture)
}

// qrSVG draws a text as a QR code, black on white with its quiet zone.
func qrSVG(text string) ([]byte, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return nil, fmt.Errorf("web: cannot make a QR code: %w", err)
	}
	const quiet = 4 // modules
	var out bytes.Buffer
	side := code.Size + 2*quiet
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path d="`, side, side, side, side)
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			if !code.Black(x, y) {
				continue
			}
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			fmt.Fprintf(&out, "M%d %dh%dv1h-%dz", quiet+from, quiet+y, x-from, x-from)
		}
	}
	out.WriteString(`"/></svg>`)
	return out.Bytes(), nil
}

// authority is the certificate that phones are asked to trust.
func (s *Server) authority(c *gin.Context) {
	certificate := s.certificate()
	if certificate == nil {
		fail(c, http.StatusNotFound, "no-https", "HTTPS is only on when other devices may open the page: allow them on the page, or start diceref with --lan")
		return
	}
	// No attachment: iPhones would put it among the files instead of offering to install it.
	c.Data(http.StatusOK, "application/x-x509-ca-cert", certificate)
}

// trusted tells a page that was opened over http, by being answered at all, that the browser
// trusts the certificate here. There is nothing in it that another site could use.
func (s *Server) trusted(c *gin.Context) {
	c.Header("Cross-Origin-Resource-Policy", "cross-origin")
	c.Status(http.StatusNoContent)
}
