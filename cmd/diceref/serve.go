package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"diceref/match"
	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/owned"
	"diceref/web"
)

func newServeCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Watch the table and show it on a web page",
		Long: `serve watches the table and shows it on a web page: the live picture with the dice
as they were read, whose turn it is, whether each move was allowed, and the scores.

The first time, the page asks for the game, the players and the camera, and
remembers them for the next time (flags, environment and file override them). Until
then it shows a demo: a recorded game, read exactly like a camera's pictures.

With --source none there is no camera, and you tap your moves on the page.

With --lan, or when you allow it on the page, other devices can open the page, too.
To change anything they need the table's code, which is printed and shown there.

With --hall, the journal is a PostgreSQL database that any number of programs share, on
one machine or many, and the page shows all tables (see diceref hall).

With --open, the page opens in the browser; if diceref is running already, only that.`,
		Example: `  diceref serve
  diceref serve --game dice-box --players Ann,Ben --source 0 --lan
  diceref serve --hall --journal postgres://diceref@db.example/hall --lan`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			open, err := cmd.Flags().GetBool("open")
			hall, err2 := cmd.Flags().GetBool("hall")
			if err := errors.Join(err, err2); err != nil {
				return err
			}
			if hall {
				return a.serveHall(cmd.Context())
			}
			return a.serve(cmd.Context(), open)
		},
	}
	cmd.Flags().Bool("open", false, "open the page in the browser")
	cmd.Flags().Bool("hall", false, "serve the tables of a hall (see diceref hall)")
	a.settings.flags(cmd.Flags(), "listen", "lan", "source", "camera-width", "camera-height", "game", "players",
		"option", "profile", "calibration", "dice", "journal", "preview-width", "preview-fps", "language", "learn", "webhooks", "webhook-secret")
	return cmd
}

// demoSource is the recorded game that the eye brings along.
const demoSource = web.SourceDemo

// openTime is how long a source may take before the page's address is told without it.
const openTime = 3 * time.Second

// serve shows the table until the context ends, and opens the page in the browser if asked to.
func (a *app) serve(ctx context.Context, open bool) error {
	first, err := a.firstTable()
	if err != nil {
		return err
	}
	a.pipsOfDemo()
	dice, err := a.ownedDice(table.Any)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	ln, err := listen(listenAddress(a.cfg))
	if open && errors.Is(err, syscall.EADDRINUSE) {
		if url := localURL(portOf(a.cfg.Listen)); isRunning(url) {
			fmt.Fprintln(a.stdout, "diceref is already at "+url)
			return openPage(url)
		}
	}
	if err != nil {
		return listenError(listenAddress(a.cfg), err)
	}
	defer ln.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	h := newHost(ctx, eye.Config{
		Path: first.eye, Width: a.cfg.CameraWidth, Height: a.cfg.CameraHeight, Log: a.log,
		View: eye.View{On: true, Width: a.cfg.PreviewWidth, EveryMS: 1000 / a.cfg.PreviewFPS},
	}, a.cfg.Data, a.cfg.Journal, a.log)
	if a.cfg.Learn && a.cfg.Data != "" {
		h.learned = filepath.Join(a.cfg.Data, "learned")
	}
	h.fresh, h.fixed, h.files = first.fresh, first.flags, a.ownerFiles
	h.sets = h.shelf()
	if dice != nil {
		path, _ := a.dicePath(a.cfg.Dice) // it was read from there
		h.giveDice(dice, path)
	}
	server, err := a.newServer(h, ln)
	if err != nil {
		return err
	}
	h.phoneURL = server.PhoneURL
	if err := h.open(first.match, first.sight, true); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer h.close()
	told, err := a.tellWebhooks(ctx, h)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer func() {
		cancel()
		<-told
	}()
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, server.listeners...) }()
	if err := a.awaitSource(ctx, h, first); err != nil {
		cancel()
		return errors.Join(err, <-served)
	}
	server.tell()
	if open {
		if err := openPage(localURL(server.port)); err != nil {
			a.log.Warn("cannot open a browser; open the address yourself", "error", err)
		}
	}
	return <-served
}

// localURL is where the page is on this machine.
func localURL(port string) string { return "http://" + net.JoinHostPort("localhost", port) }

// portOf is the port of a valid address to listen on.
func portOf(listen string) string { return listen[strings.LastIndex(listen, ":")+1:] }

// awaitSource waits for a source that was named at the start: a file or a device that cannot be
// opened is told before an address is printed. The page is there meanwhile, and tells of
// whatever takes its time; a camera of the network may be switched on later.
func (a *app) awaitSource(ctx context.Context, h *host, first firstTable) error {
	l := h.now
	if isAddress(l.Source) {
		return nil
	}
	select {
	case <-l.opened:
		if l.failed != nil && first.flags {
			return fmt.Errorf("serve: %w", l.failed)
		}
	case <-ctx.Done():
	case <-time.After(openTime):
	}
	return nil
}

// firstTable is the table that the program starts with.
type firstTable struct {
	match match.Config
	sight sight
	eye   string // path of diceref-eye; empty: there is none, and none is needed
	flags bool   // flags, environment or file say what it is
	fresh bool   // nothing was ever set up: the page begins with its wizard
}

// firstTable finds out what to start with: what flags, environment and file say, else
// the set-up of last time, else the demo.
func (a *app) firstTable() (firstTable, error) {
	var first firstTable
	for _, name := range []string{"source", "game", "players", "option", "profile", "calibration"} {
		first.flags = first.flags || a.settings.origins[name] != "default"
	}
	path, missing := eye.Find(a.cfg.Eye)
	first.eye = path
	if !first.flags {
		last, ok, err := kept(a.cfg.Data)
		if err != nil {
			a.log.Warn("starting without it", "error", err)
		}
		if ok {
			return a.lastTable(first, last)
		}
		first.fresh = true
		if missing != nil && a.cfg.Eye != "" {
			return first, fmt.Errorf("serve: %w", missing)
		}
		if missing != nil { // nothing that needs a camera then
			a.cfg.Source, a.cfg.Game = web.SourceNone, string(table.DiceFlick)
		}
	}
	a.setTable()
	if a.cfg.Game == "" || a.cfg.Game == string(table.Any) {
		return first, usagef("serve needs --game to watch %s (dessert-dice, dice-box, fromage-a-trois, dicecreams or dice-flick)", eye.Shown(a.cfg.Source))
	}
	if err := missingSource(theMachine, a.cfg.Source, table.Game(a.cfg.Game)); err != nil {
		return first, fmt.Errorf("serve: %w", err)
	}
	cfg, err := a.matchConfig()
	if err != nil {
		return first, err
	}
	profile, err := a.profilePath()
	if err != nil {
		return first, err
	}
	if missing != nil && a.cfg.Source != web.SourceNone {
		return first, fmt.Errorf("serve: %w", missing)
	}
	if cfg.Zones, err = zonesOf(cfg.Game, len(cfg.Players), profile); err != nil {
		return first, err
	}
	first.match = cfg
	first.sight = sight{game: cfg.Game, Sight: web.Sight{Source: a.cfg.Source}, profile: profile}
	if a.cfg.Source == demoSource {
		first.sight.Zones, first.sight.profile = demoOf[cfg.Game].Zones, ""
	}
	return first, nil
}

// lastTable is the table as it was set up last time. Its camera may be away: the page
// says so, and can choose another.
func (a *app) lastTable(first firstTable, last web.Setup) (firstTable, error) {
	files, err := a.ownerFiles(last.Game)
	if err != nil {
		return first, err
	}
	first.match = match.Config{
		Game: last.Game, Players: last.Players, Options: last.Options, Owners: last.Owners, Files: files, Zones: last.Zones, Program: version,
	}
	first.sight = sight{game: last.Game, Sight: last.Sight}
	if err := first.sight.findDice(shelf(a.cfg.Data)); err != nil {
		a.log.Warn("starting without the set of dice of last time", "dice", last.Dice, "error", err)
		first.sight.Dice = ""
	}
	first.match.Options, err = withIcons(last.Options, first.sight.dice)
	return first, err
}

// ownerFiles are the owner's cards of a game, as the configuration names them.
func (a *app) ownerFiles(game table.Game) (ownerOptions, error) {
	files := ownerOptions{}
	for name, value := range a.cfg.Option {
		file, ok := ownerFile(game, name)
		if !ok {
			continue
		}
		data, err := readOwnerFile(name, fmt.Sprint(value))
		if err != nil {
			return nil, err
		}
		files[file] = data
	}
	return files, nil
}

// pageServer is the page with the ways to it.
type pageServer struct {
	*web.Server
	listeners []net.Listener // of http, and of https where others may open the page
	network   *network
	code      string
	port      string
	out       io.Writer
}

// tell prints where the page is.
func (p pageServer) tell() {
	fmt.Fprintln(p.out, "diceref is at "+localURL(p.port))
	if addresses := p.network.Addresses(); len(addresses) > 0 {
		p.invite(addresses)
	}
}

// invite prints how other devices get to the page.
func (p pageServer) invite(addresses []string) {
	text := ""
	for _, address := range addresses {
		text += fmt.Sprintf("on other devices: http://%s/#code=%s\n", address, p.code)
	}
	fmt.Fprint(p.out, text+"the table's code is "+p.code+"\n")
}

// newServer makes the page for a listener.
func (a *app) newServer(h *host, ln net.Listener) (pageServer, error) {
	name, port, err := net.SplitHostPort(a.cfg.Listen)
	if err != nil {
		return pageServer{}, err
	}
	if _, real, err := net.SplitHostPort(ln.Addr().String()); err == nil {
		port = real
	}
	n, listeners := a.newNetwork(ln)
	p := pageServer{listeners: listeners, network: n, code: web.NewCode(), port: port, out: a.stdout}
	p.Server = web.New(web.Config{
		Match: h, Feed: h.feed, Reader: stills{h.base.Path, h.ownDice}, Host: h, History: past{h}, Leagues: &homeLeagues{past: past{h}}, Code: p.code, Hosts: []string{name},
		Language: a.cfg.Language, Version: version, Log: a.log, Dice: h.sets, Whole: h.wholePicture, Faces: h.drawnDice, Card: h.readCard, Addresses: n.Addresses, Authority: n.Authority, Open: n.Open,
	})
	n.answer, n.tell = p.Answer, p.invite
	return p, nil
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
			a.log.Info("there is a camera, but no --game: showing the demo until you set up the table on the page", "camera", cameras[0])
		}
	}
	if a.cfg.Game == "" && a.cfg.Source == demoSource {
		a.cfg.Game = string(table.DessertDice)
	}
	if len(a.cfg.Players) > 0 {
		return
	}
	if recorded := demoOf[table.Game(a.cfg.Game)]; a.cfg.Source == demoSource && recorded != nil {
		a.cfg.Players = recorded.Players
		return
	}
	for i := range table.Game(a.cfg.Game).Kit().Players[0] {
		a.cfg.Players = append(a.cfg.Players, fmt.Sprintf("Player %d", i+1))
	}
}

// listen opens an address to listen on. A bare container may have no /etc/hosts; localhost is this machine there, too (RFC 6761).
func listen(address string) (net.Listener, error) {
	ln, err := net.Listen("tcp", address)
	var unknown *net.DNSError
	if host, port, _ := net.SplitHostPort(address); host == "localhost" && errors.As(err, &unknown) {
		return net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
	}
	return ln, err
}

// listenError says what to do about an address that cannot be had.
func listenError(address string, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("serve: another program is using the port of %s (stop it, or choose another port: --listen localhost:8081)", address)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("serve: not allowed to listen on %s (use --listen with a port above 1023)", address)
	}
	return fmt.Errorf("serve: cannot listen on %s: %w", address, err)
}

// stills reads photos, each with an eye of its own.
type stills struct {
	path string
	dice func() *owned.Set // that the table is played with; nil: they have pips
}

// Read makes stills a web.Reader.
func (s stills) Read(ctx context.Context, game table.Game, picture []byte, show bool) (seen table.Observation, shown []byte, err error) {
	r := eye.NewReader(s.path)
	defer r.Close()
	r.Limit = time.Minute
	if dice := s.dice(); dice != nil && dice.For(game) {
		r.Own(dice)
	}
	if show {
		const screen = 1600 // pixels
		seen, shown, err = r.ReadShown(ctx, game, picture, screen)
	} else {
		seen, err = r.Read(ctx, game, picture)
	}
	if err != nil && !errors.Is(err, eye.ErrDied) && ctx.Err() == nil {
		return seen, nil, fmt.Errorf("%w: %w", web.ErrUnreadable, err)
	}
	return seen, shown, err
}
