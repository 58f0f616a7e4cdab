package web

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// newHallMetrics is what a hall's /metrics tells: of this server, and of every table.
func newHallMetrics(h *Hall) *metrics {
	m := &metrics{requests: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "diceref_http_requests_total", Help: "Requests for the hall's own pages, by path and status.",
	}, []string{"path", "status"})}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.requests, &hallCollector{h},
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "diceref_hall_pages_open", Help: "Pages that show the hall."}, func() float64 { return float64(h.crowd.size()) }))
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

// hallCollector tells of the tables at the moment when it is asked.
type hallCollector struct{ hall *Hall }

// tableMetrics are what is told of every table.
var tableMetrics = []struct {
	about *prometheus.Desc
	kind  prometheus.ValueType
	value func(seat Seat, pages int) float64
}{
	{describe("diceref_table_owned", "1 where this server has the table's match."), prometheus.GaugeValue, func(s Seat, _ int) float64 { return oneIf(s.Owned) }},
	{describe("diceref_table_records", "Records in the table's match."), prometheus.GaugeValue, func(s Seat, _ int) float64 { return float64(s.Live.Seq) }},
	{describe("diceref_table_observations_total", "Observations of the table's camera that this server has shown to the match."), prometheus.CounterValue, func(s Seat, _ int) float64 { return float64(s.Observations) }},
	{describe("diceref_table_question", "1 while a question is open."), prometheus.GaugeValue, func(s Seat, _ int) float64 { return oneIf(s.Live.Ask != "") }},
	{describe("diceref_table_trouble", "1 while something stops the match."), prometheus.GaugeValue, func(s Seat, _ int) float64 { return oneIf(s.Live.Trouble != "") }},
	{describe("diceref_table_help", "1 while the players ask for a referee."), prometheus.GaugeValue, func(s Seat, _ int) float64 { return oneIf(!s.Help.IsZero()) }},
	{describe("diceref_table_streams_open", "Pages and programs connected to the table at this server."), prometheus.GaugeValue, func(_ Seat, pages int) float64 { return float64(pages) }},
}

func describe(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, []string{"table"}, nil)
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Describe makes hallCollector a prometheus.Collector.
func (c *hallCollector) Describe(to chan<- *prometheus.Desc) {
	for _, m := range tableMetrics {
		to <- m.about
	}
}

// Collect makes hallCollector a prometheus.Collector.
func (c *hallCollector) Collect(to chan<- prometheus.Metric) {
	pages := map[string]int{}
	c.hall.mu.Lock()
	for id, s := range c.hall.tables {
		pages[id] = s.crowd.size()
	}
	c.hall.mu.Unlock()
	for _, seat := range c.hall.cfg.Tables.List() {
		for _, m := range tableMetrics {
			to <- prometheus.MustNewConstMetric(m.about, m.kind, m.value(seat, pages[seat.ID]), seat.ID)
		}
	}
}
