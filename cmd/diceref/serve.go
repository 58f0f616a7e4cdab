package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"diceref/match"
	"diceref/table"
	"diceref/vision/eye"
	"diceref/web"
)

func newServeCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show the table, its moves and scores on a web page",
		Long: `serve follows a table and shows it on a web page: the live picture with what was
read drawn over it, whose turn it is, the moves and their verdicts, the scores.

Without a camera, or before a game is chosen, it plays a demo: a recorded game
that goes the way of a camera's pictures. With --lan other devices may look on;
to change anything they need the table's code, which is printed at the start.`,
		Example: `  diceref serve
  diceref serve --game dice-box --players Ann,Ben --source 0 --lan`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context()) },
	}
	a.settings.flags(cmd.Flags(), "listen", "lan", "source", "camera-width", "camera-height", "game", "players",
		"option", "profile", "calibration", "journal", "preview-width", "preview-fps", "language")
	return cmd
}

// demoSource is the recorded game that the eye brings along.
const demoSource = "demo"

// demoRest is how long the end of the demo stays on the page.
const demoRest = 12 * time.Second

// openTime is how long a source may take before the page is served without it.
const openTime = 3 * time.Second

// serve shows the table until the context ends.
func (a *app) serve(ctx context.Context) error {
	a.setTable()
	if a.cfg.Game == "" || a.cfg.Game == string(table.Any) {
		return usagef("serve needs a --game to watch %s (dessert-dice, dice-box, fromage-a-trois, dicecreams or dice-flick)", a.cfg.Source)
	}
	cfg, err := a.matchConfig()
	if err != nil {
		return err
	}
	profile, err := a.profilePath()
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", listenAddress(a.cfg))
	if err != nil {
		return listenError(listenAddress(a.cfg), err)
	}
	defer ln.Close()
	path, err := eye.Find(a.cfg.Eye)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	journal, err := a.openJournal()
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	if journal != nil {
		defer journal.Close()
		cfg.Journal = journal
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &showing{
		cfg: cfg, feed: web.NewFeed(), changed: make(chan struct{}), opened: make(chan struct{}), log: a.log.Warn, demo: a.cfg.Source == demoSource,
		eye: eye.Config{
			Path: path, Game: cfg.Game, Source: a.cfg.Source, Calibration: profile, Realtime: true, Restart: true,
			Width: a.cfg.CameraWidth, Height: a.cfg.CameraHeight, Log: a.log,
			View: eye.View{On: true, Width: a.cfg.PreviewWidth, EveryMS: 1000 / a.cfg.PreviewFPS},
		},
	}
	if err := t.begin(); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer t.end()
	watched := make(chan error, 1)
	go func() {
		err := t.follow(ctx)
		if err != nil {
			cancel() // a source that never was there ends the program
		}
		watched <- err
	}()
	// A source that cannot be opened is told before an address is printed; one
	// that takes its time is waited for on the page.
	select {
	case <-t.opened:
	case <-ctx.Done():
	case <-time.After(openTime):
	}
	if ctx.Err() == nil {
		err = a.servePage(ctx, ln, t, path)
	}
	cancel()
	return errors.Join(<-watched, err)
}

// servePage answers on the listener until the context ends.
func (a *app) servePage(ctx context.Context, ln net.Listener, t *showing, path string) error {
	host, port, err := net.SplitHostPort(a.cfg.Listen)
	if err != nil {
		return err
	}
	code := web.NewCode()
	server := web.New(web.Config{
		Match: t, Feed: t.feed, Reader: stills{path}, Code: code, Hosts: []string{host},
		Language: a.cfg.Language, Version: version, Log: a.log,
	})
	if _, real, err := net.SplitHostPort(ln.Addr().String()); err == nil {
		port = real
	}
	fmt.Fprintf(a.stdout, "diceref is at http://%s\n", net.JoinHostPort("localhost", port))
	if addr, ok := ln.Addr().(*net.TCPAddr); ok && !addr.IP.IsLoopback() {
		for _, ip := range lanAddresses() {
			fmt.Fprintf(a.stdout, "on other devices: http://%s/#code=%s\n", net.JoinHostPort(ip, port), code)
		}
		fmt.Fprintf(a.stdout, "the table's code is %s\n", code)
	}
	return server.Serve(ctx, ln)
}

// setTable fills in what the configuration leaves open: a camera if there is one
// and it is known what is played, else the demo; players by number.
func (a *app) setTable() {
	if a.cfg.Source == "" {
		a.cfg.Source = demoSource
		cameras := theMachine.cameras()
		switch {
		case len(cameras) > 0 && a.cfg.Game != "":
			a.cfg.Source = cameras[0]
		case len(cameras) > 0:
			a.log.Info("there is a camera, but no --game was given: playing the demo", "camera", cameras[0])
		}
	}
	if a.cfg.Game == "" && a.cfg.Source == demoSource {
		a.cfg.Game = string(table.DessertDice)
	}
	if len(a.cfg.Players) > 0 {
		return
	}
	if a.cfg.Source == demoSource {
		a.cfg.Players = demoPlayers(table.Game(a.cfg.Game))
		return
	}
	for i := range table.Game(a.cfg.Game).Kit().Players[0] {
		a.cfg.Players = append(a.cfg.Players, fmt.Sprintf("Player %d", i+1))
	}
}

// demoPlayers are those of the recorded games.
func demoPlayers(game table.Game) []string {
	if game == table.DessertDice {
		return []string{"Ada", "Ben", "Cleo"}
	}
	return []string{"Ada", "Ben"}
}

// openJournal opens the journal of a real table; a demo is not kept.
func (a *app) openJournal() (*match.Journal, error) {
	file := a.cfg.Journal
	if file == "" {
		if a.cfg.Source == demoSource || a.cfg.Data == "" {
			return nil, nil
		}
		if err := os.MkdirAll(a.cfg.Data, 0o755); err != nil {
			return nil, fmt.Errorf("cannot create the data folder: %w", err)
		}
		file = filepath.Join(a.cfg.Data, "journal.db")
	}
	return match.OpenJournal(file)
}

// listenError says what to do about an address that cannot be had.
func listenError(address string, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("serve: the port of %s is taken by another program (stop it, or choose another with --listen localhost:8081)", address)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("serve: not allowed to listen on %s (choose a port above 1023 with --listen)", address)
	}
	return fmt.Errorf("serve: cannot listen on %s: %w", address, err)
}

// lanAddresses are this machine's addresses in local networks.
func lanAddresses() []string {
	var list []string
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast() {
			list = append(list, n.IP.String())
		}
	}
	return list
}

// stills reads photographs, each with an eye of its own.
type stills struct{ path string }

// Read makes stills a web.Reader.
func (s stills) Read(ctx context.Context, game table.Game, _ string, picture []byte) (table.Observation, error) {
	seen, err := eye.ReadStill(ctx, s.path, game, picture, time.Minute)
	if err != nil && !errors.Is(err, eye.ErrDied) && ctx.Err() == nil {
		return seen, fmt.Errorf("%w: %w", web.ErrUnreadable, err)
	}
	return seen, err
}

// showing is the table as the page shows it: the match of the moment and what
// the eye tells. The demo starts over with a new match each time.
type showing struct {
	cfg  match.Config
	eye  eye.Config
	demo bool
	feed *web.Feed
	log  func(msg string, args ...any)

	first   sync.Once
	opened  chan struct{} // closed once the source gives pictures
	mu      sync.Mutex
	match   *match.Match
	changed chan struct{}
	gone    chan struct{} // closed when match is no longer shown
}

// begin continues the unfinished match of the journal if it is the same game
// with the same players, else it begins a new one.
func (t *showing) begin() error {
	m, err := t.unfinished()
	if m == nil && err == nil {
		m, err = match.New(t.cfg)
	}
	if err != nil {
		return err
	}
	t.show(m)
	return nil
}

// unfinished is the journal's latest match if it can go on; a recording starts
// at its own beginning, so that none of its matches can.
func (t *showing) unfinished() (*match.Match, error) {
	if t.cfg.Journal == nil || t.demo || recording(t.eye.Source) {
		return nil, nil
	}
	all, err := t.cfg.Journal.Matches()
	if err != nil || len(all) == 0 {
		return nil, err
	}
	last := slices.MaxFunc(all, func(x, y match.Setting) int { return x.Created.Compare(y.Created) })
	if last.Game != t.cfg.Game || !slices.Equal(last.Players, t.cfg.Players) {
		return nil, nil
	}
	m, err := match.Resume(t.cfg.Journal, last.ID, nil)
	if err != nil {
		return nil, err
	}
	if m.Snapshot().Phase == match.PhaseOver {
		return nil, m.Close()
	}
	return m, nil
}

// recording says whether a source is a file or a folder.
func recording(source string) bool {
	info, err := os.Stat(source)
	return err == nil && (info.Mode().IsRegular() || info.IsDir())
}

// show puts a match on the page, in place of the one before.
func (t *showing) show(m *match.Match) {
	gone := make(chan struct{})
	t.mu.Lock()
	old, leave := t.match, t.gone
	t.match, t.gone = m, gone
	t.mu.Unlock()
	if old != nil {
		close(leave)
		if err := old.Close(); err != nil {
			t.log("a match was not closed", "error", err)
		}
	}
	go func() {
		for {
			next := m.Changed()
			t.wake()
			select {
			case <-next:
			case <-gone:
				return
			}
		}
	}()
}

func (t *showing) wake() {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.changed)
	t.changed = make(chan struct{})
}

// end closes the match; the journal has all of it.
func (t *showing) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.gone)
	if err := t.match.Close(); err != nil {
		t.log("the match was not closed", "error", err)
	}
}

func (t *showing) now() *match.Match {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.match
}

// Snapshot, Changed and Declare make showing a web.Match.
func (t *showing) Snapshot() match.Snapshot { return t.now().Snapshot() }

// Changed is closed at the next change, also when another match is shown.
func (t *showing) Changed() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changed
}

// Declare hands on what a player says.
func (t *showing) Declare(d match.Declaration) error { return t.now().Declare(d) }

// follow follows the source; the demo again and again. The error is that of a
// source that cannot be opened.
func (t *showing) follow(ctx context.Context) error {
	for {
		if err := t.once(ctx); err != nil || !t.demo || ctx.Err() != nil {
			return err
		}
		select {
		case <-time.After(demoRest):
		case <-ctx.Done():
			return nil
		}
		m, err := match.New(t.cfg)
		if err != nil {
			return err
		}
		t.show(m)
	}
}

// once follows the source to its end, or until the context ends.
func (t *showing) once(ctx context.Context) error {
	client, err := eye.Start(ctx, t.eye)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer client.Close()
	m, ran := t.now(), false
	for msg := range client.Frames() {
		switch {
		case msg.Observation != nil:
			t.feed.ShowObservation(*msg.Observation)
			m.See(*msg.Observation)
		case msg.Picture != nil:
			t.feed.ShowPicture(msg.Picture.JPEG)
		case msg.Status != nil:
			t.feed.ShowStatus(web.Status{State: string(msg.Status.State), Reason: msg.Status.Reason})
			if msg.Status.State == eye.Running && !ran {
				ran = true
				t.first.Do(func() { close(t.opened) })
			}
			if msg.Status.State == eye.Failed && !ran {
				return fmt.Errorf("serve: %s", msg.Status.Reason)
			}
			if msg.Status.State == eye.Ended {
				m.Finish()
			}
		}
	}
	return nil
}
