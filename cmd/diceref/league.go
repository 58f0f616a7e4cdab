package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"diceref/match"
	"diceref/match/book"
	"diceref/match/hall"
	"diceref/match/league"
	"diceref/table"
)

func newLeagueCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "league",
		Short: "Run a league or a tournament: rounds, standings, export",
		Long: `A league is rounds in which everybody plays once, at tables of two to eight. With
--pairing swiss, those who stand alike play each other; with round-robin, everybody
plays everybody. Nobody meets somebody again before it must be.

What was played at the assigned table by its players counts, once it is over. A referee
can correct a result, or enter one. In a hall (--journal postgres://...), each round
gets the hall's tables; /league on every page shows who plays where, and the standings.

LEAGUE is a name, or the ID that new prints; of several with one name, it is the newest.`,
		Example: `  diceref league new Spring --players Ann,Ben,Cleo,Dora,Emil --game dice-box --seats 2-4
  diceref league round Spring
  diceref league result Spring 1 2 1,2,2
  diceref league standings Spring
  diceref league export Spring --as csv > spring.csv`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	add := func(use, short string, args cobra.PositionalArgs, run func(args []string) error, settings ...string) *cobra.Command {
		sub := &cobra.Command{Use: use, Short: short, Args: args, RunE: func(_ *cobra.Command, args []string) error { return run(args) }}
		a.settings.flags(sub.Flags(), append(settings, "journal")...)
		cmd.AddCommand(sub)
		return sub
	}
	var n newLeague
	begin := add("new NAME", "Begin a league, and print its ID", takes("name"), func(args []string) error { return a.newLeague(args[0], n) })
	begin.Flags().StringVar(&n.players, "players", "", "everybody who takes part, separated by commas (`names`)")
	begin.Flags().StringVar(&n.game, "game", "", "only matches of this `game` count; empty: of any")
	begin.Flags().StringVar(&n.pairing, "pairing", league.Swiss, "swiss or round-robin (`format`)")
	begin.Flags().StringVar(&n.seats, "seats", "", "players at a table, such as 2-4 or 3 (`number`; as many as the game has, at most 4)")
	var tables string
	round := add("round LEAGUE", "Pair the next round, and print who plays where", takes("league"), func(args []string) error { return a.leagueRound(args[0], tables) })
	round.Flags().StringVar(&tables, "tables", "", "the tables of the hall that are free, separated by commas (`names`; all)")
	add("result LEAGUE ROUND TABLE PLACES", "Enter a table's places in the order of its players, such as 2,1,3; 0 is for somebody who was not there, and match takes what the match says",
		takes("league", "round", "table", "places"), a.leagueResult)
	add("join LEAGUE PLAYER", "Let somebody join, or come back", takes("league", "player"), func(args []string) error { return a.turn(args, false) })
	add("leave LEAGUE PLAYER", "Let somebody leave", takes("league", "player"), func(args []string) error { return a.turn(args, true) })
	asJSON := false
	standings := add("standings [LEAGUE]", "Print who stands where, and the last round", takes("[league]"), func(args []string) error { return a.standings(args, asJSON) })
	standings.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	form := ""
	export := add("export LEAGUE", "Write a league to a file", takes("league"), func(args []string) error {
		return a.readLeague(args[0], func(b *book.Book, id string) error { return b.Write(id, form, a.stdout) })
	})
	export.Flags().StringVar(&form, "as", book.FormJSON, "`form`: json (everything), csv (the standings), rounds (all tables, as CSV) or meetings (who has beaten whom)")
	return cmd
}

// newLeague is what the command that begins a league is told.
type newLeague struct{ players, game, pairing, seats string }

func (a *app) newLeague(name string, n newLeague) error {
	w := book.Wanted{Name: name, Format: n.pairing, Game: n.game, Players: listOf(n.players)}
	if n.seats != "" {
		from, to, ok := strings.Cut(n.seats, "-")
		if !ok {
			to = from
		}
		var err, err2 error
		w.Least, err = strconv.Atoi(from)
		w.Most, err2 = strconv.Atoi(to)
		if errors.Join(err, err2) != nil {
			return usagef("--seats: expected a number or two, such as 2-4, not %.20q", n.seats)
		}
	}
	return a.writeLeague(func(b *book.Book) error {
		id, err := b.New("", w)
		if err == nil {
			fmt.Fprintln(a.stdout, id)
		}
		return err
	})
}

// listOf is a list that was written with commas.
func listOf(list string) (names []string) {
	for _, name := range strings.Split(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// writeLeague changes a league.
func (a *app) writeLeague(do func(*book.Book) error) error {
	if a.cfg.Journal == "" {
		if err := makePrivate(a.cfg.Data); err != nil {
			return fmt.Errorf("league: %w", err)
		}
	}
	j, err := openJournal(a.journalFile(), a.log)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return errors.New("league: the journal is in use by another program: use its page (/league), or stop it first")
	case err != nil:
		return fmt.Errorf("league: %w", err)
	}
	return errors.Join(do(book.Open(j)), j.Close())
}

// readLeague shows something of a league.
func (a *app) readLeague(name string, show func(*book.Book, string) error) error {
	j, err := a.readJournal()
	if err != nil {
		return fmt.Errorf("league: %w", err)
	}
	b := book.Open(j)
	id, err := b.Find(name)
	if err == nil {
		err = show(b, id)
	}
	return errors.Join(err, j.Close())
}

// places is the tables of the hall that a round may have: those of these names, or all. At home there are none.
func (a *app) places(names string) (places []league.Place, err error) {
	if !match.IsAddress(a.cfg.Journal) {
		if names != "" {
			return nil, usagef("--tables are those of a hall: it needs --journal with the address of its database")
		}
		return nil, nil
	}
	err = a.inHall(func(h *hall.Hall) error {
		all := placesOf(h)
		if names == "" {
			places = all
			return nil
		}
		for _, name := range listOf(names) {
			i := indexOfPlace(all, name)
			if i < 0 {
				return fmt.Errorf("league: the hall has no table called %.40q (diceref hall list)", name)
			}
			places = append(places, all[i])
		}
		return nil
	})
	return places, err
}

func indexOfPlace(places []league.Place, name string) int {
	for i, p := range places {
		if p.ID == name || strings.EqualFold(p.Name, name) {
			return i
		}
	}
	return -1
}

// placesOf is the tables of a hall.
func placesOf(h *hall.Hall) (places []league.Place) {
	for _, t := range h.Tables() {
		places = append(places, league.Place{ID: t.ID(), Name: t.Name()})
	}
	return places
}

func (a *app) leagueRound(name, tables string) error {
	places, err := a.places(tables)
	if err != nil {
		return err
	}
	return a.writeLeague(func(b *book.Book) error {
		id, err := b.Find(name)
		if err != nil {
			return err
		}
		if _, err := b.Round(id, "", 0, places); err != nil {
			return err
		}
		v, err := b.View(id)
		if err != nil {
			return err
		}
		return a.printRound(v)
	})
}

func (a *app) leagueResult(args []string) error {
	var e league.Entry
	var err, err2 error
	e.Round, err = strconv.Atoi(args[1])
	e.Table, err2 = strconv.Atoi(args[2])
	if errors.Join(err, err2) != nil {
		return usagef("league result: round and table are numbers, as diceref league standings prints them")
	}
	e.Table--
	if args[3] != "match" {
		for _, text := range listOf(args[3]) {
			place, err := strconv.Atoi(text)
			if err != nil {
				return usagef("league result: expected places such as 2,1,3, or match, not %.40q", args[3])
			}
			e.Places = append(e.Places, place)
		}
	}
	return a.writeLeague(func(b *book.Book) error {
		id, err := b.Find(args[0])
		if err != nil {
			return err
		}
		return b.Enter(id, "", e)
	})
}

func (a *app) turn(args []string, out bool) error {
	return a.writeLeague(func(b *book.Book) error {
		id, err := b.Find(args[0])
		if err != nil {
			return err
		}
		return b.Turn(id, "", league.Player{Name: args[1], Out: out})
	})
}

func (a *app) standings(args []string, asJSON bool) error {
	return a.readLeague(strings.Join(args, ""), func(b *book.Book, id string) error {
		if asJSON {
			return b.Write(id, book.FormJSON, a.stdout)
		}
		v, err := b.View(id)
		if err != nil {
			return err
		}
		if err := a.printRound(v); err != nil {
			return err
		}
		t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "rank\tplayer\tpoints\topponents\tbeaten\twins\tplayed\trating")
		for _, s := range v.Standings {
			name := s.Player
			if s.Out {
				name += " (left)"
			}
			fmt.Fprintf(t, "%d\t%s\t%.2f\t%.2f\t%.2f\t%d\t%d\t%d\n", s.Rank, name, s.Points, s.Opponents, s.Beaten, s.Wins, s.Played, s.Rating)
		}
		return flushed(t)
	})
}

// flushed ends a table that was printed.
func flushed(t *tabwriter.Writer) error {
	if err := t.Flush(); err != nil {
		return exitError{exitBad, err}
	}
	return nil
}

// printRound prints who plays where in the last round.
func (a *app) printRound(v book.View) error {
	if len(v.Rounds) == 0 {
		return a.nothing(v.Name + ": " + table.Count(len(v.Standings), "player", "players") + ", no round yet")
	}
	r := v.Rounds[len(v.Rounds)-1]
	fmt.Fprintf(a.stdout, "%s, round %d\n", v.Name, r.Number)
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for n, each := range r.Tables {
		players := make([]string, len(each.Players))
		for i, p := range each.Players {
			if players[i] = p; i < len(each.Places) {
				players[i] = fmt.Sprintf("%s (%d)", p, each.Places[i])
			}
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", n+1, each.Name, each.State, strings.Join(players, ", "))
	}
	for _, p := range r.Byes {
		fmt.Fprintf(t, "\t\tbye\t%s\n", p)
	}
	return flushed(t)
}
