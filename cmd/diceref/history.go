package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"diceref/match"
	"diceref/table"
)

// looking back: what only the history command is told.
type historyFlags struct {
	players  bool
	json     bool
	deleted  bool
	player   string
	limit    int
	from     int
	importer string
	salvage  string
}

func newHistoryCommand(a *app) *cobra.Command {
	var h historyFlags
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List the saved matches, or statistics about players",
		Long: `history lists the matches in the journal, newest first: when they began, who
played, and how they ended. With --players it prints statistics for each player and
game: matches, wins, best and average points, illegal moves. With --import it adds
a match that was exported with diceref replay MATCH --as export.

It works while diceref serve is running, and on a read-only backup. If the journal
is damaged, it lists what can be read and says which matches are damaged; --salvage
saves them to a new journal.

Use the commands below to rename matches and players and to delete matches (or use
the page while diceref serve is running). A deleted match can be restored until it
is purged.`,
		Example: `  diceref history --game dice-box --player Ann
  diceref history --players --json
  diceref history --import game.json
  diceref history --salvage saved.db
  diceref history rename-player Anna Ann
  diceref history delete 2026-11-21-31b37fcf`,
		Args: takes(),
		RunE: func(*cobra.Command, []string) error { return a.history(h) },
	}
	a.settings.flags(cmd.Flags(), "journal", "game")
	cmd.Flags().BoolVar(&h.players, "players", false, "print statistics by player and game")
	cmd.Flags().BoolVar(&h.json, "json", false, "one JSON object")
	cmd.Flags().BoolVar(&h.deleted, "deleted", false, "list the deleted matches instead")
	cmd.Flags().StringVar(&h.player, "player", "", "list only matches with the player of this `name`")
	cmd.Flags().IntVar(&h.from, "from", 0, "skip this many of the newest matches")
	cmd.Flags().IntVar(&h.limit, "limit", match.MostMatches, "list at most this many matches")
	cmd.Flags().StringVar(&h.importer, "import", "", "add the match in this exported `file`")
	cmd.Flags().StringVar(&h.salvage, "salvage", "", "save what can be read of a damaged journal to this new `file`")
	a.addAmendments(cmd)
	return cmd
}

// addAmendments adds the commands that change something about the matches that are kept.
func (a *app) addAmendments(history *cobra.Command) {
	yes := false
	add := func(use, short string, args cobra.PositionalArgs, do func(j *match.Journal, args []string) error) *cobra.Command {
		cmd := &cobra.Command{Use: use, Short: short, Args: args, RunE: func(_ *cobra.Command, args []string) error { return a.amend(args, do) }}
		a.settings.flags(cmd.Flags(), "journal")
		history.AddCommand(cmd)
		return cmd
	}
	add("rename MATCH [TITLE]", "Give a match a title, or remove its title", takes("match", "[title]"), func(j *match.Journal, args []string) error {
		return j.Rename(args[0], strings.Join(args[1:], ""))
	})
	add("rename-player OLD NEW", "Rename a player in every match, for example to merge two spellings", takes("old name", "new name"), func(j *match.Journal, args []string) error {
		r, err := j.RenamePlayer(args[0], args[1])
		if err == nil {
			fmt.Fprintf(a.stdout, "%s is now called %s in %s\n", args[0], args[1], matches(r.Matches))
		}
		if len(r.Kept) > 0 {
			a.log.Warn("not renamed in these matches, which already have a player with that name", "matches", strings.Join(r.Kept, " "))
		}
		return err
	})
	add("rename-players MATCH NAME...", "Rename all players of one match, in turn order", takes("match", "names..."), func(j *match.Journal, args []string) error {
		return j.RenamePlayers(args[0], args[1:])
	})
	add("delete MATCH", "Delete a match from the history; it can be restored", takes("match"), func(j *match.Journal, args []string) error {
		return j.Delete(args[0])
	})
	add("restore MATCH", "Restore a deleted match", takes("match"), func(j *match.Journal, args []string) error {
		return j.Restore(args[0])
	})
	purge := add("purge MATCH", "Delete a match forever; it must be deleted already, or empty", takes("match"), func(j *match.Journal, args []string) error {
		if !yes {
			return usagef("purge deletes %s forever: add --yes to confirm", args[0])
		}
		return j.Purge(args[0])
	})
	purge.Flags().BoolVar(&yes, "yes", false, "confirm: the match cannot be restored")
}

// amend changes something about a match that is kept.
func (a *app) amend(args []string, do func(*match.Journal, []string) error) error {
	j, err := a.writeJournal()
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return errors.New("history: the journal is in use by another program: use its page to rename and delete, or stop it first")
	case err != nil:
		return fmt.Errorf("history: %w", err)
	}
	defer j.Close()
	err = do(j, args)
	switch {
	case errors.Is(err, match.ErrNoMatch):
		return fmt.Errorf("history: there is no match %q (diceref history lists them)", args[0])
	case errors.Is(err, match.ErrKept):
		return fmt.Errorf("history: delete the match first (diceref history delete %s)", args[0])
	case err != nil:
		return fmt.Errorf("history: %w", err)
	}
	return nil
}

// matches is a number of matches in words.
func matches(n int) string { return table.Count(n, "match", "matches") }

// history lists matches, adds them up, adds one, or saves them.
func (a *app) history(h historyFlags) error {
	if h.importer != "" {
		return a.importMatch(h.importer)
	}
	if h.limit < 1 || h.limit > match.MostMatches || h.from < 0 {
		return usagef("--limit must be from 1 to %d, and --from 0 or more", match.MostMatches)
	}
	j, err := a.readJournal()
	if errors.Is(err, fs.ErrNotExist) && h.salvage == "" && a.cfg.Journal == "" {
		return a.noHistory(h)
	}
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	defer j.Close()
	switch {
	case h.salvage != "":
		return a.salvage(j, h.salvage)
	case h.players:
		s, err := j.Statistics()
		if err != nil {
			return fmt.Errorf("history: %w", err)
		}
		return a.tellPlayers(s, h)
	}
	page, err := j.History(match.HistoryQuery{Game: table.Game(a.cfg.Game), Player: h.player, From: h.from, Limit: h.limit, Deleted: h.deleted})
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	for _, name := range page.Damaged {
		a.log.Warn("a damaged journal was set aside; what could be read is in this one", "file", name)
	}
	return a.tellMatches(page, h)
}

// noHistory tells of a journal that is not there yet.
func (a *app) noHistory(h historyFlags) error {
	if h.players {
		return a.tellPlayers(match.Statistics{Players: []match.PlayerStatistics{}, Games: []match.GameStatistics{}}, h)
	}
	return a.tellMatches(match.History{Matches: []match.Summary{}}, h)
}

func (a *app) tellPlayers(s match.Statistics, h historyFlags) error {
	switch {
	case h.json:
		return json.NewEncoder(a.stdout).Encode(s)
	case len(s.Players) == 0:
		return a.nothing("No matches yet. Play one: diceref serve")
	}
	return a.listPlayers(s)
}

func (a *app) tellMatches(page match.History, h historyFlags) error {
	switch {
	case h.json:
		return json.NewEncoder(a.stdout).Encode(page)
	case len(page.Matches) > 0:
		return a.listMatches(page)
	case page.Total > 0:
		return a.nothing("There are no more: " + matches(page.Total) + " in all.")
	case h.player != "" || a.cfg.Game != "":
		return a.nothing("No matches found.")
	case h.deleted:
		return a.nothing("No deleted matches.")
	case page.Deleted > 0:
		return a.nothing("All matches are deleted: list them with --deleted.")
	}
	return a.nothing("No matches yet. Play one: diceref serve")
}

// nothing says in a line why there is nothing to list.
func (a *app) nothing(line string) error {
	if _, err := fmt.Fprintln(a.stdout, line); err != nil {
		return exitError{exitBad, err}
	}
	return nil
}

// salvage writes what can be read of a journal to a new one.
func (a *app) salvage(j *match.Journal, file string) error {
	if err := j.Save(file); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	h, err := j.History(match.HistoryQuery{})
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	if s := j.Salvaged(); s != nil {
		fmt.Fprintf(a.stdout, "%s: %s\n", file, s)
		return nil
	}
	fmt.Fprintf(a.stdout, "%s: nothing is damaged; everything was saved (%s)\n", file, matches(h.Total+h.Deleted))
	return nil
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
	title := ""
	if s.Title != "" {
		title = s.Title + ": "
	}
	if s.Trouble != "" {
		return title + oneLine(s.Trouble)
	}
	parts := make([]string, len(s.Players))
	for i, p := range s.Players {
		parts[i] = fmt.Sprintf("%s %d", p.Name, p.Points)
		if p.Won {
			parts[i] += " (won)"
		}
	}
	text := title + strings.Join(parts, ", ")
	switch {
	case s.Lost > 0:
		text += " (damaged: " + table.Count(s.Lost, "event", "events") + " lost)"
	case s.Empty:
		text += " (nothing played)"
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
	fmt.Fprintln(t, "player\tgame\tplayed\tover\twon\tbest\tmean\tacts\tillegal\ttaken back\trating")
	for _, p := range s.Players {
		for _, g := range p.Games {
			fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%.1f\t%d\t%d\t%d\t%s\n", p.Name, g.Game.Kit().Title, g.Played, g.Over, g.Won, g.Best, g.Mean, g.Acts, g.Illegal, g.Takebacks, orDash(g.Rating))
		}
	}
	if err := t.Flush(); err != nil {
		return exitError{exitBad, err}
	}
	return nil
}

// orDash is a number that is not known where it is 0.
func orDash(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// importMatch adds an exported match to the journal, which is made if there is none.
func (a *app) importMatch(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	defer f.Close()
	if a.cfg.Journal == "" {
		if err := makePrivate(a.cfg.Data); err != nil {
			return fmt.Errorf("history: %w", err)
		}
	}
	j, err := openJournal(a.journalFile(), a.log)
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
