package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diceref/calibration"
	"diceref/match"
	"diceref/scoring"
	"diceref/table"
	"diceref/vision/eye"
)

func newWatchCommand(a *app) *cobra.Command {
	var w watching
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Watch the table and print what happens",
		Long: `watch prints what happens on the table: the moves, whether they are legal, the scores,
and how it ends. The source is a camera, a video file, a folder of pictures, an MJPEG
or RTSP address, or demo. Files are read as fast as possible.

Use --declare FILE for what a camera cannot see. Each line is a JSON object such as
{"frame":36,"say":"miss"}; you can say next, miss, reroll, bonus, pass, undo, redo,
first, names, rematch and more. Use --resume to continue a match from the --journal.

DiceCreams! uses a demo deck unless you describe your own cards with --option
cards=FILE and --option customers=FILE.

Fromage á Trois and DiceCreams! have no board. The camera follows them by zones on the
table (shop, cart, each player's place), described in --calibration FILE. If you change
the zones or the board's corners in that file, watch uses them right away.

With --push, watch prints nothing: it sends what the camera sees to a table of a hall
(see diceref hall), which knows the game and the players. If the network or a server
fails, it keeps everything for an hour and sends it when it can.`,
		Example: `  diceref watch --game dice-box --players Ann,Ben --option owners=Ann:RY,Ben:BW --source game.mp4
  diceref watch --game dice-flick --players Ann,Ben --source 0 --json
  diceref watch --push https://hall.example/t/window --token TOKEN --source 0`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if w.push != "" {
				return a.push(cmd.Context(), w.push, cmp.Or(w.token, os.Getenv(tokenVariable)))
			}
			return a.watch(cmd.Context(), w)
		},
	}
	a.settings.flags(cmd.Flags(), "game", "players", "source", "option", "profile", "calibration", "dice", "journal", "camera-width", "camera-height")
	cmd.Flags().StringVar(&w.declare, "declare", "", "`file` with what the players say, one JSON object per line")
	cmd.Flags().BoolVar(&w.json, "json", false, "print one JSON object per event")
	cmd.Flags().StringVar(&w.push, "push", "", "send what the camera sees to the table of a hall at this `address`, such as https://hall.example/t/window")
	cmd.Flags().StringVar(&w.token, "token", "", "the `token` of that table's camera (better: the environment variable "+tokenVariable+")")
	cmd.Flags().StringVar(&w.resume, "resume", "", "continue this `match` from the journal; last: the latest unfinished one")
	return cmd
}

// watching is what only the watch command is told.
type watching struct {
	declare string
	json    bool
	resume  string
	push    string
	token   string

	calibration string // path of the one in use; empty: none
}

// watch follows the source to its end, or to the end of the game.
func (a *app) watch(ctx context.Context, w watching) error {
	cfg, says, done, err := a.played(&w)
	if err != nil {
		return err
	}
	defer done()
	if a.cfg.Source == "" {
		return usagef("watch needs --source (a camera such as 0, a file, a folder, a URL, or demo)")
	}
	path, err := eye.Find(a.cfg.Eye)
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	if a.cfg.Journal != "" {
		j, err := openJournal(a.cfg.Journal, a.log)
		if err != nil {
			return fmt.Errorf("watch: %w", err)
		}
		defer j.Close()
		cfg.Journal, cfg.Model = j, readBy(ctx, path)
	}
	m, err := beginOrResume(cfg, w.resume)
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	defer m.Close()
	for _, d := range says {
		if err := m.Declare(d); err != nil {
			return fmt.Errorf("watch: %s: %w", w.declare, err)
		}
	}
	dice, err := a.ownedDice(cfg.Game)
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	client, err := eye.Start(ctx, eye.Config{
		Path: path, Game: cfg.Game, Source: a.cfg.Source, Calibration: w.calibration, Dice: dice, Restart: true,
		Width: a.cfg.CameraWidth, Height: a.cfg.CameraHeight, Log: a.log,
	})
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	defer client.Close()
	return a.follow(client, m, w)
}

// played is the match that is watched, and what is said in it from the beginning; done removes what was laid down for it.
func (a *app) played(w *watching) (cfg match.Config, says []match.Declaration, done func(), err error) {
	done = func() {}
	if a.pipsOfDemo() {
		a.cfg.Dice = ""
	}
	if cfg, err = a.matchConfig(); err != nil {
		return cfg, nil, nil, err
	}
	if says, err = declarations(w.declare); err != nil {
		return cfg, nil, nil, err
	}
	if w.calibration, err = a.profilePath(); err != nil {
		return cfg, nil, nil, err
	}
	if cfg.Zones, err = zonesOf(cfg.Game, len(cfg.Players), w.calibration); err != nil {
		return cfg, nil, nil, err
	}
	if recorded := demoOf[cfg.Game]; a.cfg.Source == demoSource && recorded != nil {
		if err := recorded.set(&cfg); err != nil {
			return cfg, nil, nil, fmt.Errorf("watch: %w", err)
		}
		says = append(says, recorded.says(cfg.Players)...)
		if w.calibration, done, err = recorded.layout(cfg.Game); err != nil {
			return cfg, nil, nil, fmt.Errorf("watch: %w", err)
		}
	}
	return cfg, says, done, nil
}

// beginOrResume begins a match, or goes on with one of the journal: the named one, or
// the last. One that was paused goes on.
func beginOrResume(cfg match.Config, resume string) (*match.Match, error) {
	if resume == "" {
		return match.New(cfg)
	}
	if cfg.Journal == nil {
		return nil, usagef("--resume needs --journal, to find the match")
	}
	if resume == "last" {
		last, err := cfg.Journal.Unfinished()
		if err != nil {
			return nil, err
		}
		resume = last
	}
	m, err := match.Resume(cfg.Journal, resume, nil)
	if err != nil {
		return nil, err
	}
	if got := m.Setting().Game; got != cfg.Game {
		return nil, fmt.Errorf("%s is a match of %s", resume, got)
	}
	if m.Snapshot().Phase == match.PhasePaused {
		err = m.Declare(match.Declaration{Say: match.SayResume})
	}
	if err == nil && len(cfg.Zones) > 0 && !sameZones(cfg.Zones, m.Setting().Zones) {
		err = m.SetZones(cfg.Zones)
	}
	return m, err
}

// readBy is the version of the eye and its models, for the journal; empty if it does not say.
func readBy(ctx context.Context, path string) string {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "-version").Output()
	if err != nil {
		return ""
	}
	return oneLine(string(out))
}

// follow shows the match every observation and prints what it tells. Nothing is
// printed before there is a picture: a source that cannot be opened is an error alone.
func (a *app) follow(client *eye.Client, m *match.Match, w watching) error {
	told := hear(m)
	seen := false
	file := newTableFile(w.calibration)
	trouble := ""
	for msg := range client.Frames() {
		switch {
		case msg.Observation != nil:
			seen = true
			if err := file.follow(m, client.Again); err != nil {
				a.log.Warn("the calibration was changed", "error", err)
			}
			m.See(*msg.Observation)
			if err := m.Err(); err != nil {
				return fmt.Errorf("watch: %w", err)
			}
			err := a.print(told, w)
			if err == nil {
				trouble, err = a.printTrouble(*msg.Observation, m.Stuck(), trouble, w)
			}
			if next := m.Next(); next != nil && err == nil {
				m, told = next, hear(next)
				defer next.Close()
				err = a.print(told, w)
			}
			if err != nil || m.Done() {
				return err
			}
		case msg.Markers != nil:
			if err := keepMarkers(w.calibration, msg.Markers); err != nil {
				a.log.Warn("cannot save the arena's stickers", "error", err)
			}
		case msg.Status != nil && msg.Status.State == eye.Failed:
			return fmt.Errorf("watch: %s", msg.Status.Reason)
		case msg.Status != nil && msg.Status.State == eye.Restarting:
			a.log.Warn("restarting the camera", "reason", msg.Status.Reason)
		}
	}
	if !seen {
		return fmt.Errorf("watch: %s shows no picture", eye.Shown(a.cfg.Source))
	}
	m.Finish()
	return errors.Join(a.print(told, w), m.Err())
}

// hearing is a match whose events are printed as they are told.
type hearing struct {
	match *match.Match
	told  *match.Subscription
	last  int64 // the number of the last event that was printed
}

func hear(m *match.Match) *hearing { return &hearing{match: m, told: m.Subscribe(0)} }

// print writes the events told by now.
func (a *app) print(h *hearing, w watching) error {
	for {
		select {
		case e, ok := <-h.told.C:
			switch {
			case ok:
			case h.told.Dropped(): // more at once than it holds for a listener
				h.told = h.match.Subscribe(h.last)
				continue
			default:
				return nil
			}
			if err := a.printEvent(e, w); err != nil {
				return exitError{exitBad, err} // standard output is gone
			}
			h.last = e.Seq
		default:
			return nil
		}
	}
}

// printTrouble tells what keeps the table from being followed, the eye or the match, once as long as it is the same, and
// returns its code.
func (a *app) printTrouble(seen table.Observation, stuck *table.Warning, told string, w watching) (string, error) {
	why := cmp.Or(seen.Trouble, stuck)
	if why == nil {
		return "", nil
	}
	if why.Code == told {
		return told, nil
	}
	e := match.EventView{Event: match.Event{Frame: seen.Frame, T: seen.T, Type: match.TypeTrouble, Code: why.Code, Why: why.Text}}
	e.Text = "Trouble: " + e.Why + "."
	if err := a.printEvent(e, w); err != nil {
		return told, exitError{exitBad, err} // standard output is gone
	}
	return e.Code, nil
}

func (a *app) printEvent(e match.EventView, w watching) error {
	if !w.json {
		_, err := fmt.Fprintf(a.stdout, "%7.1f s  %s%s\n", e.T, e.Text, choicesText(e)+scoreText(e))
		return err
	}
	line, err := json.Marshal(e.Event)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", line)
	return err
}

// choicesText is what a question can be answered with.
func choicesText(e match.EventView) string {
	if len(e.Choices) == 0 {
		return ""
	}
	return " (" + strings.Join(e.Choices, " / ") + ")"
}

// scoreText is the result that an end tells, in words.
func scoreText(e match.EventView) string {
	if e.Type != match.TypeEnd {
		return ""
	}
	var b strings.Builder
	for _, s := range e.Ranking() {
		fmt.Fprintf(&b, " %s %d.", s.Name, s.Points)
	}
	if len(e.Winners) > 0 {
		fmt.Fprintf(&b, " Winner: %s.", strings.Join(e.Winners, ", "))
	}
	return b.String()
}

// matchConfig is the match that the configuration asks for.
func (a *app) matchConfig() (match.Config, error) {
	game, err := table.ParseGame(a.cfg.Game)
	if err != nil || game == table.Any {
		return match.Config{}, usagef("watch needs --game (one of dessert-dice, dice-box, fromage-a-trois, dicecreams, dice-flick)")
	}
	if len(a.cfg.Players) == 0 {
		return match.Config{}, usagef("watch needs --players with names separated by commas")
	}
	cfg := match.Config{Game: game, Players: a.cfg.Players, Options: map[string]any{}, Program: version}
	for name, value := range a.cfg.Option {
		if name == "owners" {
			if cfg.Owners, err = owners(fmt.Sprint(value), cfg.Players); err != nil {
				return cfg, usagef("--option owners: %w", err)
			}
			continue
		}
		if file, ok := ownerFile(game, name); ok {
			data, err := readOwnerFile(name, fmt.Sprint(value))
			if err != nil {
				return cfg, err
			}
			if cfg.Files == nil {
				cfg.Files = map[string]json.RawMessage{}
			}
			cfg.Files[file] = data
			continue
		}
		cfg.Options[name] = value
	}
	return cfg, a.setIcons(&cfg)
}

// setIcons has the icons of the owner's dice count, unless a house rule says which icons do.
func (a *app) setIcons(cfg *match.Config) error {
	dice, err := a.ownedDice(cfg.Game)
	if err != nil {
		return err
	}
	_, said := cfg.Options[profileRule]
	if cfg.Options, err = withIcons(cfg.Options, dice); err != nil || said || cfg.Options[profileRule] == nil {
		return err
	}
	if !dice.Numbered() {
		a.log.Warn("it is not known which faces of these dice are opposite, so that a tip may be judged wrong: number the faces (see diceref teach --help)")
	}
	return nil
}

// owners reads who owns which colors of Dice Box: A:RY,B:BW.
func owners(text string, players []string) ([][]table.Color, error) {
	const letters = "RYBW" // in the order of scoring.BoxColors
	list := make([][]table.Color, len(players))
	for _, part := range strings.Split(text, ",") {
		i := strings.LastIndexByte(part, ':')
		if i < 0 {
			return nil, fmt.Errorf("expected NAME:COLORS for each player, for example %s:RY, not %q", players[0], part)
		}
		seat := -1
		for p, name := range players {
			if name == strings.TrimSpace(part[:i]) {
				seat = p
			}
		}
		if seat < 0 {
			return nil, fmt.Errorf("%q is not one of the players (%s)", part[:i], strings.Join(players, ", "))
		}
		for _, l := range strings.TrimSpace(part[i+1:]) {
			k := strings.IndexRune(letters, l)
			if k < 0 {
				return nil, fmt.Errorf("%q is not a color of Dice Box (expected letters of RYBW)", l)
			}
			list[seat] = append(list[seat], scoring.BoxColors[k])
		}
	}
	return list, nil
}

// declarations reads the --declare file, if one is given.
func declarations(name string) ([]match.Declaration, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("watch: cannot read the declarations: %w", err)
	}
	defer f.Close()
	list, err := match.ReadDeclarations(f)
	if err != nil {
		return nil, fmt.Errorf("watch: %s: %w", name, err)
	}
	return list, nil
}

// zonesOf is the zones of the table that a calibration tells, checked for so many
// players; nil for games with a board, and if there is none.
func zonesOf(game table.Game, players int, path string) ([]calibration.Zone, error) {
	if path == "" || game.Kit().Layout != table.Loose {
		return nil, nil
	}
	p, err := calibration.Load(path)
	if err != nil {
		return nil, err
	}
	if p.Game != "" && p.Game != game {
		return nil, fmt.Errorf("calibration %s is for %s, not for %s", path, p.Game.Kit().Title, game.Kit().Title)
	}
	if err := calibration.CheckZones(game, players, p.Zones); err != nil {
		return nil, fmt.Errorf("%w (in %s)", err, path)
	}
	return p.Zones, nil
}

// profilePath is the calibration to use: a file, or a saved profile's; checked, so
// that a wrong one is told before a camera is opened. Empty: none.
func (a *app) profilePath() (string, error) {
	path := a.cfg.Calibration
	if a.cfg.Profile != "" {
		if path != "" {
			return "", usagef("give either --profile or --calibration, not both")
		}
		if a.cfg.Profile != filepath.Base(a.cfg.Profile) {
			return "", usagef("--profile %q is not a plain name (use --calibration for a file)", a.cfg.Profile)
		}
		path = filepath.Join(a.cfg.Data, "profiles", a.cfg.Profile+".json")
	}
	if path == "" {
		return "", nil
	}
	if _, err := calibration.Load(path); err != nil {
		return "", err
	}
	return path, nil
}
