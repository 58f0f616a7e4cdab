package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"diceref/match"
	"diceref/table"
)

// looking back: what only the history command is told.
type historyFlags struct {
	players  bool
	json     bool
	player   string
	limit    int
	from     int
	importer string
}

func newHistoryCommand(a *app) *cobra.Command {
	var h historyFlags
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List the matches that the journal keeps, or what they tell of players",
		Long: `history lists the matches of the journal, the newest first: when they began,
who played, and how they ended. With --players it adds them up: matches,
victories, best and mean points, illegal acts, by player and game. With --import
it adds a match that diceref replay MATCH --as export wrote to the journal.`,
		Example: `  diceref history --game dice-box --player Ann
  diceref history --players --json
  diceref history --import game.json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.history(h) },
	}
	a.settings.flags(cmd.Flags(), "journal", "game")
	cmd.Flags().BoolVar(&h.players, "players", false, "statistics by player and game")
	cmd.Flags().BoolVar(&h.json, "json", false, "one JSON object")
	cmd.Flags().StringVar(&h.player, "player", "", "only matches with this `name`")
	cmd.Flags().IntVar(&h.from, "from", 0, "leave so many of the newest out")
	cmd.Flags().IntVar(&h.limit, "limit", match.MostMatches, "list at most so many")
	cmd.Flags().StringVar(&h.importer, "import", "", "add the match that this `file` holds")
	return cmd
}

// existingJournal opens the journal that is there; it creates none.
func (a *app) existingJournal() (*match.Journal, error) {
	file := a.journalFile()
	if _, err := os.Stat(file); err != nil {
		return nil, fmt.Errorf("no journal yet: %w", err)
	}
	return match.OpenJournal(file)
}

func (a *app) journalFile() string {
	if a.cfg.Journal != "" {
		return a.cfg.Journal
	}
	return filepath.Join(a.cfg.Data, "journal.db")
}

// history lists matches, adds them up, or adds one.
func (a *app) history(h historyFlags) error {
	if h.importer != "" {
		return a.importMatch(h.importer)
	}
	if h.limit < 1 || h.limit > match.MostMatches || h.from < 0 {
		return usagef("--limit wants 1 to %d, --from 0 or more", match.MostMatches)
	}
	j, err := a.existingJournal()
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	defer j.Close()
	if h.players {
		s, err := j.Statistics()
		if err != nil {
			return fmt.Errorf("history: %w", err)
		}
		if h.json {
			return json.NewEncoder(a.stdout).Encode(s)
		}
		return a.listPlayers(s)
	}
	page, err := j.History(match.HistoryQuery{Game: table.Game(a.cfg.Game), Player: h.player, From: h.from, Limit: h.limit})
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	if h.json {
		return json.NewEncoder(a.stdout).Encode(page)
	}
	return a.listMatches(page)
}

func (a *app) listMatches(page match.History) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, s := range page.Matches {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", s.ID, s.Began.Local().Format("2006-01-02 15:04"), s.Game.Kit().Title, result(s))
	}
	if err := t.Flush(); err != nil {
		return exitError{exitBad, err}
	}
	if rest := page.Total - len(page.Matches); rest > 0 {
		a.log.Info("there are more", "matches", page.Total)
	}
	return nil
}

// result is the players with their points, and who won.
func result(s match.Summary) string {
	if s.Trouble != "" {
		return oneLine(s.Trouble)
	}
	parts := make([]string, len(s.Players))
	for i, p := range s.Players {
		parts[i] = fmt.Sprintf("%s %d", p.Name, p.Points)
		if p.Won {
			parts[i] += " (won)"
		}
	}
	text := strings.Join(parts, ", ")
	switch {
	case s.Phase == match.PhasePaused:
		text += " (paused)"
	case s.Phase == match.PhaseOpen:
		text += " (not over)"
	case s.Unsettled:
		text += " (no result)"
	}
	return text
}

func (a *app) listPlayers(s match.Statistics) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "player\tgame\tplayed\tover\twon\tbest\tmean\tacts\tillegal\ttaken back")
	for _, p := range s.Players {
		for _, g := range p.Games {
			fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%.1f\t%d\t%d\t%d\n", p.Name, g.Game.Kit().Title, g.Played, g.Over, g.Won, g.Best, g.Mean, g.Acts, g.Illegal, g.Takebacks)
		}
	}
	if err := t.Flush(); err != nil {
		return exitError{exitBad, err}
	}
	return nil
}

// importMatch adds an exported match to the journal, which is made if there is none.
func (a *app) importMatch(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	defer f.Close()
	j, err := match.OpenJournal(a.journalFile())
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	defer j.Close()
	m, err := j.Import(f)
	if err != nil {
		return fmt.Errorf("history: %s: %w", name, err)
	}
	fmt.Fprintln(a.stdout, m.Setting().ID)
	return m.Close()
}
