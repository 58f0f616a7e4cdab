package web

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what /metrics tells, in a registry of the server's own.
type metrics struct {
	requests *prometheus.CounterVec
	handler  http.Handler
}

func newMetrics(s *Server) *metrics {
	m := &metrics{requests: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "diceref_http_requests_total", Help: "Requests answered, by path and status.",
	}, []string{"path", "status"})}
	registry := prometheus.NewRegistry()
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	counter := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value)
	}
	registry.MustRegister(m.requests,
		gauge("diceref_streams_open", "Pages and programs connected.", func() float64 { return float64(s.crowd.size()) }),
		counter("diceref_pictures_total", "Live pictures received from the eye.", func() float64 { return float64(s.cfg.Feed.state().number) }),
		counter("diceref_views_total", "Changes seen on the table.", func() float64 { return float64(s.cfg.Feed.state().views) }),
		gauge("diceref_camera_up", "1 while the camera is running.", func() float64 {
			if s.cfg.Feed.state().status.State == CameraRunning {
				return 1
			}
			return 0
		}),
		gauge("diceref_read_seconds", "Time to decode and read the latest picture.", func() float64 {
			if seen := s.cfg.Feed.state().seen; seen != nil {
				return (seen.MS.Decode + seen.MS.Read) / 1000
			}
			return 0
		}),
		counter("diceref_match_records_total", "Records in the match on the table.", func() float64 { return float64(s.cfg.Match.Snapshot().Seq) }),
	)
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

// count counts a request under its route, so that strangers' addresses cannot
// make the list grow.
func (m *metrics) count(c *gin.Context) {
	c.Next()
	path := c.FullPath()
	if path == "" {
		path = "other"
	}
	m.requests.WithLabelValues(path, strconv.Itoa(c.Writer.Status())).Inc()
}

func (m *metrics) serve(c *gin.Context) { m.handler.ServeHTTP(c.Writer, c.Request) }
