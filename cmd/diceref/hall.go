package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"diceref/match"
	"diceref/match/book"
	"diceref/match/hall"
	"diceref/table"
	"diceref/web"
)

func newHallCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hall",
		Short: "Set up a hall: many tables on many servers, with one journal",
		Long: `A hall is many tables: a games café, a school, a convention. Their matches are in one
PostgreSQL database (--journal postgres://...), which any number of servers share:

  diceref serve --hall --journal postgres://diceref@db.example/hall --lan

None of them leads. If one fails, the others take its tables over within seconds. Every
server shows every table at /t/NAME, and all of them at /hall.

Whoever plays at a table needs its code; a referee has a code that works at every table;
everybody else may watch.`,
		Example: `  diceref hall add Window --game dice-box --players Ann,Ben
  diceref hall referee Ina
  diceref hall list
  diceref hall import ~/.local/share/diceref/journal.db`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	add := &cobra.Command{
		Use: "add NAME", Short: "Add a table, and print its address and its code", Args: takes("name"),
		RunE: func(_ *cobra.Command, args []string) error { return a.addTable(args[0]) },
	}
	a.settings.flags(add.Flags(), "journal", "game", "players", "option")
	referee := &cobra.Command{
		Use: "referee NAME", Short: "Make somebody a referee of the hall, and print the code; an earlier code no longer works", Args: takes("name"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.inHall(func(h *hall.Hall) error {
				code := web.NewCode()
				if err := h.AddReferee(args[0], code); err != nil {
					return err
				}
				fmt.Fprintf(a.stdout, "%s's code is %s\n", args[0], code)
				return nil
			})
		},
	}
	list := &cobra.Command{
		Use: "list", Short: "List the tables with their codes and their cameras' tokens", Args: takes(),
		RunE: func(*cobra.Command, []string) error { return a.inHall(a.listTables) },
	}
	bring := &cobra.Command{
		Use: "import FILE...", Short: "Copy the matches and leagues of other journals into the hall's", Args: takes("file..."),
		RunE: func(_ *cobra.Command, args []string) error { return a.importJournals(args) },
	}
	for _, sub := range []*cobra.Command{referee, list, bring} {
		a.settings.flags(sub.Flags(), "journal")
	}
	cmd.AddCommand(add, referee, list, bring)
	return cmd
}

// inHall does something in the hall that the configuration names.
func (a *app) inHall(do func(*hall.Hall) error) error {
	if !match.IsAddress(a.cfg.Journal) {
		return usagef("hall needs --journal with the address of a PostgreSQL database, such as postgres://diceref@localhost/hall")
	}
	h, err := hall.Open(hall.Config{Address: a.cfg.Journal, LooksOn: true, Log: a.log})
	if err != nil {
		return fmt.Errorf("hall: %w", err)
	}
	return errors.Join(do(h), h.Close())
}

// addTable sets up a table, and prints what gives rights at it.
func (a *app) addTable(name string) error {
	cfg, err := a.matchConfig()
	if err != nil {
		return err
	}
	return a.inHall(func(h *hall.Hall) error {
		added, err := h.Add(name, web.NewCode(), hall.Setup{Game: cfg.Game, Players: cfg.Players, Options: cfg.Options, Owners: cfg.Owners, Files: cfg.Files})
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s is at /t/%s\nits code is %s\nits camera's token is %s\n", name, added.ID, added.Code, added.Token)
		return nil
	})
}

func (a *app) listTables(h *hall.Hall) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, each := range h.Tables() {
		s := each.Setup()
		fmt.Fprintf(t, "%s\t/t/%s\t%s\t%s\t%s\n", each.Name(), each.ID(), each.Code(), each.Token(), s.Game.Kit().Title)
	}
	if err := t.Flush(); err != nil {
		return exitError{exitBad, err}
	}
	return nil
}

// importJournals copies the matches of journals, the oldest first. Those that are in the hall already stay as they are.
func (a *app) importJournals(names []string) error {
	if !match.IsAddress(a.cfg.Journal) {
		return usagef("hall import needs --journal with the address of a PostgreSQL database, such as postgres://diceref@localhost/hall")
	}
	to, err := openJournal(a.cfg.Journal, a.log)
	if err != nil {
		return fmt.Errorf("hall import: %w", err)
	}
	defer to.Close()
	for _, name := range names {
		copied, left, err := copyMatches(name, to)
		if err != nil {
			return fmt.Errorf("hall import: %s: %w", name, err)
		}
		fmt.Fprintf(a.stdout, "%s: %s copied, %d already there\n", name, matches(copied.good), copied.there)
		if copied.leagues > 0 {
			fmt.Fprintf(a.stdout, "%s: %s copied\n", name, table.Count(copied.leagues, "league", "leagues"))
		}
		for _, why := range left {
			a.log.Warn("not copied", "match", why)
		}
	}
	return nil
}

// copies is what became of the matches of a journal, and how many leagues were copied, or parts of them.
type copies struct{ good, there, leagues int }

// copyMatches copies the matches of a journal into another one; left are those that could not be, with the reason.
func copyMatches(name string, to *match.Journal) (n copies, left []string, err error) {
	from, err := match.ReadJournal(name)
	if err != nil {
		return n, nil, err
	}
	defer from.Close()
	list, err := from.Matches()
	if err != nil {
		return n, nil, err
	}
	for _, s := range slices.Backward(list) {
		if _, err := to.Setting(s.ID); err == nil {
			n.there++
			continue
		} else if !errors.Is(err, match.ErrNoMatch) {
			return n, left, err
		}
		var file bytes.Buffer
		err := from.Export(s.ID, &file)
		if err == nil {
			_, err = to.Import(&file)
		}
		if err != nil {
			left = append(left, s.ID+": "+oneLine(err.Error()))
			continue
		}
		n.good++
	}
	n.leagues, err = copyLeagues(from, to)
	return n, left, err
}

// copyLeagues copies the leagues of a journal into another one. Of one that is there already, what is missing is added.
func copyLeagues(from, to *match.Journal) (copied int, err error) {
	ids, err := from.Leagues()
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		events, err := from.League(id)
		if err != nil {
			return copied, err
		}
		there, err := to.League(id)
		if err != nil && !errors.Is(err, match.ErrNoLeague) {
			return copied, err
		}
		for i := len(there); i < len(events); i++ {
			if i == 0 {
				err = to.BeginLeague(id, time.Now().UTC(), events[0])
			} else {
				err = to.AddToLeague(id, int64(i+1), events[i])
			}
			if err != nil {
				return copied, err
			}
		}
		if len(there) < len(events) {
			copied++
		}
	}
	return copied, nil
}

// serveHall serves the tables of a hall until the context ends.
func (a *app) serveHall(ctx context.Context) error {
	if !match.IsAddress(a.cfg.Journal) {
		return usagef("serve --hall needs --journal with the address of a PostgreSQL database, such as postgres://diceref@localhost/hall")
	}
	ln, err := listen(listenAddress(a.cfg))
	if err != nil {
		return listenError(listenAddress(a.cfg), err)
	}
	defer ln.Close()
	h, err := hall.Open(hall.Config{Address: a.cfg.Journal, Program: version, Log: a.log})
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	name, _, err := net.SplitHostPort(a.cfg.Listen)
	if err != nil {
		return errors.Join(err, h.Close())
	}
	n, listeners := a.newNetwork(ln)
	pages := web.NewHall(web.HallConfig{Tables: newHallTables(h), Leagues: hallLeagues{book.Open(h.Journal()), h}, Hosts: []string{name}, Language: a.cfg.Language, Version: version, Log: a.log, Addresses: n.Addresses})
	fmt.Fprintln(a.stdout, "the hall is at "+localURL(n.port)+"/hall")
	for _, address := range n.Addresses() {
		fmt.Fprintf(a.stdout, "on other devices: http://%s/hall\n", address)
	}
	return errors.Join(pages.Serve(ctx, listeners...), h.Close())
}
