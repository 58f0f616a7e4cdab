package hall

import (
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"diceref/calibration"
	"diceref/match"
	"diceref/table"
)

// The kinds of requests.
const (
	askDeclare = "declare"
	askBegin   = "begin"
	askSee     = "see"
	askDraw    = "draw"
)

// request is what is said about a table, as it is handed from process to process.
type request struct {
	Declaration  *match.Declaration  `json:"declaration,omitempty"`
	Setup        *Setup              `json:"setup,omitempty"`
	Zones        []calibration.Zone  `json:"zones,omitempty"`
	Observations []table.Observation `json:"observations,omitempty"`
	Camera       string              `json:"camera,omitempty"` // whose observations they are
	First        int64               `json:"first,omitempty"`  // the number of the first of them
	Kept         int64               `json:"kept,omitempty"`   // the number of the first that the camera still has
	match.Source
}

// answer is what became of a request.
type answer struct {
	Error     string         `json:"error,omitempty"`
	Rejection *match.Phrase  `json:"rejection,omitempty"`
	Refusal   *match.Refusal `json:"refusal,omitempty"`
	Progress
}

// Progress is how far a table has taken in what its camera sends. Zero in answers to anything else.
type Progress struct {
	Next int64 `json:"next,omitempty"` // the number of what the camera goes on with
	Keep int64 `json:"keep,omitempty"` // what is before this number is in the journal, and need not be sent again
}

func answerTo(err error) (a answer) {
	if err == nil {
		return a
	}
	a.Error = err.Error()
	var rejection *match.Rejection
	switch {
	case errors.As(err, &a.Refusal):
	case errors.As(err, &rejection):
		a.Rejection = &rejection.Says
	}
	return a
}

func (a answer) err() error {
	switch {
	case a.Refusal != nil:
		return a.Refusal
	case a.Rejection != nil:
		return &match.Rejection{Says: *a.Rejection}
	case a.Error != "":
		return errors.New(a.Error)
	}
	return nil
}

// Declare applies what somebody says, here or at the process that has the table. When it returns nil, it is committed. It
// is applied once, however often it is sent with the same key.
func (t *Table) Declare(d match.Declaration) error {
	if err := d.Check(); err != nil {
		return err
	}
	_, err := t.ask(askDeclare, request{Declaration: &d, Source: d.Source})
	return err
}

// Begin begins a new match in place of the present one.
func (t *Table) Begin(s Setup, from match.Source) error {
	if err := match.Possible(s.config()); err != nil {
		return err
	}
	_, err := t.ask(askBegin, request{Setup: &s, Source: from})
	return err
}

// See shows the match what a camera has seen: observations whose numbers go on from request to request. Each of
// them is shown once and in order, however often it is sent. What the journal does not tell yet is lost with the process that has
// the table, so the camera keeps it, from number kept on, and goes back when the next one asks for it.
func (t *Table) See(camera string, first, kept int64, list []table.Observation) (Progress, error) {
	key := fmt.Sprintf("%s:%d:%d:%d", camera, first, kept, len(list))
	return t.ask(askSee, request{Camera: camera, First: first, Kept: kept, Observations: list, Source: match.Source{Key: key}})
}

// see is See at the owner's.
func (t *Table) see(m *match.Match, r request) (Progress, error) {
	last, settled := m.ShownOf(r.Camera)
	if want := max(last+1, r.Kept); want < r.First {
		return Progress{want, settled + 1}, nil
	}
	for i, o := range r.Observations {
		fresh, err := m.SeeOnce(match.Shown{Camera: r.Camera, Number: r.First + int64(i)}, o)
		if err != nil {
			return Progress{}, err
		}
		if fresh {
			t.look(m.Warned(o))
		}
	}
	_, settled = m.ShownOf(r.Camera)
	return Progress{r.First + int64(len(r.Observations)), settled + 1}, nil
}

// atLeast is how often the other processes are told what a camera sees, though it is the same.
const atLeast = 4 * time.Second

// look notes what the camera sees, and has it told if a page would draw it otherwise.
func (t *Table) look(o table.Observation) {
	t.mu.Lock()
	news := t.told == nil || !alike(*t.told, o) || time.Since(t.toldAt) > atLeast
	t.seen = &o
	t.shows++
	if news {
		t.told, t.toldAt = &o, time.Now()
	}
	t.mu.Unlock()
	if news {
		t.poke(t.saw)
	}
}

// alike says whether two observations show the same: dice tremble a little from frame to frame.
func alike(a, b table.Observation) bool {
	if a.Look != b.Look || len(a.Dice) != len(b.Dice) || len(a.Warnings) != len(b.Warnings) || (a.Grid == nil) != (b.Grid == nil) {
		return false
	}
	const still = 6 // pixels
	for i, d := range a.Dice {
		o := b.Dice[i]
		if d.Die != o.Die || d.Sure != o.Sure || math.Abs(d.At.X-o.At.X) > still || math.Abs(d.At.Y-o.At.Y) > still {
			return false
		}
	}
	return true
}

// AskForHelp asks for a referee, or says that none is needed any more.
func (t *Table) AskForHelp(wanted bool) error {
	_, err := t.hall.db.Exec("UPDATE hall_tables SET help = CASE WHEN $1 THEN COALESCE(help, now()) END WHERE n = $2", wanted, t.n)
	if err != nil {
		return t.hall.explain(err)
	}
	return t.hall.notify("table", fmt.Sprint(t.n))
}

// apply does what is asked at the process that has the table; handled is false where that is not this one.
func (t *Table) apply(kind string, r request) (p Progress, handled bool, err error) {
	t.applying.Lock()
	defer t.applying.Unlock()
	for tries := 0; ; tries++ {
		t.mu.Lock()
		m := t.owned
		t.mu.Unlock()
		if m == nil {
			return p, false, nil
		}
		p, err := t.applyTo(m, kind, r)
		if !errors.Is(err, match.ErrBehind) && !errors.Is(err, match.ErrClosed) || tries == 2 {
			return p, true, err
		}
		if !t.locked() {
			return p, false, nil
		}
		if err := t.resumeNow(); err != nil {
			return p, true, err
		}
	}
}

func (t *Table) applyTo(m *match.Match, kind string, r request) (Progress, error) {
	switch kind {
	case askBegin:
		return Progress{}, t.beginNow(*r.Setup, r.Key, r.Source)
	case askSee:
		return t.see(m, r)
	case askDraw:
		return Progress{}, t.draw(m, r.Zones)
	}
	return Progress{}, t.declare(m, r)
}

// declare is Declare at the owner's. What follows from it may be another match.
func (t *Table) declare(m *match.Match, r request) error {
	d := *r.Declaration
	d.Source = r.Source
	if err := m.Declare(d); err != nil {
		return err
	}
	next := m.Next()
	if next == nil || next.Setting().ID == t.now().match {
		return nil
	}
	s := t.Setup()
	s.Players = next.Setting().Players
	return t.setMatch(next, s, r.Key)
}

// How long whoever asks waits for an answer, and how often it looks whether there is one if nobody tells.
const (
	askTime = 10 * time.Second
	askLook = 500 * time.Millisecond
	seeLook = 2 * time.Second // what a camera sees is left there again, which is dearer
)

// ask has something done by the process that has the table, and waits until it is. The request lies in the database: if
// that process dies, the next one finds it there.
func (t *Table) ask(kind string, r request) (Progress, error) {
	if r.Key == "" {
		r.Key = rand.Text()
	}
	if p, handled, err := t.apply(kind, r); handled {
		return p, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return Progress{}, err
	}
	told := t.hall.await(t.n, r.Key)
	defer t.hall.forget(t.n, r.Key, told)
	if err := t.leaveRequest(kind, r.Key, string(text)); err != nil {
		return Progress{}, err
	}
	often := askLook
	if kind == askSee {
		often = seeLook
	}
	look := time.NewTicker(often)
	defer look.Stop()
	late := time.NewTimer(askTime)
	defer late.Stop()
	for {
		over := false
		select {
		case a := <-told:
			return a.Progress, a.err()
		case <-look.C: // it may have been told while nobody listened
		case <-late.C:
			over = true
			// What nobody has begun is not done later, when nobody expects it any more.
			_, _ = t.hall.db.Exec("UPDATE hall_requests SET answer = $1 WHERE n = $2 AND key = $3 AND answer IS NULL AND NOT taken", late503, t.n, r.Key)
		case <-t.ctx.Done():
			return Progress{}, errNobody
		}
		a, found, err := t.lookFor(r.Key)
		switch {
		case err == nil && a != nil:
			return a.Progress, a.err()
		case over:
			return Progress{}, errors.Join(errNobody, err)
		case err == nil && !found: // it was done and forgotten: to do it again does nothing
			if err := t.leaveRequest(kind, r.Key, string(text)); err != nil {
				return Progress{}, err
			}
		}
	}
}

// leaveRequest leaves a request where the process that has the table finds it. What a camera has seen need not outlast a
// crash of the database: the camera sends it again, and only what its table's journal makes of it is acknowledged.
func (t *Table) leaveRequest(kind, key, text string) error {
	flush := "on"
	if kind == askSee {
		flush = "off"
	}
	_, err := t.hall.db.Exec(`WITH left_there AS (
		INSERT INTO hall_requests (n, key, kind, body) VALUES ($1, $2, $3, $4) ON CONFLICT (n, key) DO UPDATE SET key = excluded.key RETURNING n)
		SELECT pg_notify('`+channel+`', 'ask ' || n), set_config('synchronous_commit', $5, true) FROM left_there`, t.n, key, kind, text, flush)
	if err != nil {
		return t.hall.explain(err)
	}
	return nil
}

// lookFor looks whether a request has an answer, and is there at all.
func (t *Table) lookFor(key string) (a *answer, found bool, err error) {
	var text sql.NullString
	err = t.hall.db.QueryRow("SELECT answer FROM hall_requests WHERE n = $1 AND key = $2", t.n, key).Scan(&text)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil || !text.Valid:
		return nil, err == nil, err
	}
	return a, true, json.Unmarshal([]byte(text.String), &a)
}

// late503 is the answer to what was asked in vain.
var late503 = string(func() []byte {
	text, err := json.Marshal(answerTo(errNobody))
	if err != nil {
		panic(err) // it is a text
	}
	return text
}())

// mostAsked is how many requests are taken from the database at once.
const mostAsked = 32

// taken is what was asked at another process.
type taken struct {
	no              int64
	key, kind, body string
}

// takeAsked are the next requests, in order. What a camera has seen is large, and is sent again if nothing comes of it: it is
// not kept.
func (t *Table) takeAsked() (list []taken, err error) {
	rows, err := t.hall.db.Query(`WITH next AS (
		SELECT no, kind FROM hall_requests WHERE n = $1 AND answer IS NULL ORDER BY no LIMIT $2),
	seen AS (
		DELETE FROM hall_requests r USING next WHERE r.no = next.no AND next.kind = $3 RETURNING r.no, r.key, r.kind, r.body),
	said AS (
		UPDATE hall_requests r SET taken = true FROM next WHERE r.no = next.no AND next.kind <> $3 RETURNING r.no, r.key, r.kind, r.body)
	SELECT * FROM seen UNION ALL SELECT * FROM said ORDER BY no`, t.n, mostAsked, askSee)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r taken
		if err := rows.Scan(&r.no, &r.key, &r.kind, &r.body); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// answer does what was asked at other processes, in order, if this one has the table.
func (t *Table) answer() error {
	for t.Owned() {
		list, err := t.takeAsked()
		if err != nil {
			return t.hall.explain(err)
		}
		for _, q := range list {
			var r request
			var p Progress
			handled := true
			err := json.Unmarshal([]byte(q.body), &r)
			if err == nil {
				p, handled, err = t.apply(q.kind, r)
			}
			if !handled {
				return nil // the next owner's
			}
			a := answerTo(err)
			a.Progress = p
			if err := t.tellAnswer(q.kind, q.key, a); err != nil {
				return err
			}
		}
		if len(list) < mostAsked { // whatever comes later is told
			return nil
		}
	}
	return nil
}

// told is an answer as it is told to all processes; where it is too long, they have to look for it.
type told struct {
	N      int     `json:"n"`
	Key    string  `json:"key"`
	Answer *answer `json:"answer,omitempty"`
}

// longestTold is less than what PostgreSQL takes for a notification: 8000 bytes.
const longestTold = 7000

// tellAnswer tells an answer, and keeps it if the request is kept.
func (t *Table) tellAnswer(kind, key string, a answer) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	news, err := json.Marshal(told{t.n, key, &a})
	if err == nil && len(news) > longestTold {
		news, err = json.Marshal(told{N: t.n, Key: key})
	}
	if err != nil {
		return err
	}
	if kind == askSee {
		return t.hall.notify("answer", string(news))
	}
	if _, err := t.hall.db.Exec("WITH done AS (UPDATE hall_requests SET answer = $4 WHERE n = $1 AND key = $2 RETURNING key) SELECT pg_notify('"+channel+"', $3) FROM done",
		t.n, key, "answer "+string(news), string(text)); err != nil {
		return t.hall.explain(err)
	}
	return nil
}

// asking is a request that somebody waits for.
type asking struct {
	n   int
	key string
}

// await is told the answer to a request.
func (h *Hall) await(n int, key string) chan answer {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := make(chan answer, 1)
	h.waiting[asking{n, key}] = append(h.waiting[asking{n, key}], c)
	return c
}

func (h *Hall) forget(n int, key string, c chan answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := asking{n, key}
	h.waiting[at] = slices.DeleteFunc(h.waiting[at], func(o chan answer) bool { return o == c })
	if len(h.waiting[at]) == 0 {
		delete(h.waiting, at)
	}
}

// answered tells those who wait for an answer that there is one.
func (h *Hall) answered(text string) {
	var news told
	if json.Unmarshal([]byte(text), &news) != nil || news.Answer == nil {
		return // they look for it themselves
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.waiting[asking{news.N, news.Key}] {
		select {
		case c <- *news.Answer:
		default:
		}
	}
}
