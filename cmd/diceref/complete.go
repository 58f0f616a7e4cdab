package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"diceref/match"
	"diceref/rules"
	"diceref/table"
	"diceref/web"
	"diceref/web/paper"
)

// offers are what a shell may complete a word with, and what else it may then do.
type offers = []cobra.Completion

// completer finds what can stand for an argument, or for the value of a flag.
type completer func(a *app, cmd *cobra.Command, args []string, typed string) (offers, cobra.ShellCompDirective)

// flagWords are the values that flags can have, by the flag's name. Other flags with a value have none to offer.
var flagWords = map[string]completer{
	"game":        games,
	"option":      houseRules,
	"source":      sources,
	"profile":     profiles,
	"language":    words("auto", "en", "de"),
	"log-level":   words("debug", "info", "warn", "error"),
	"as":          forms,
	"pairing":     words("swiss", "round-robin"),
	"paper":       words("a4", "letter"),
	"format":      words("pdf", "svg"),
	"card":        words("J", "S", "P", "I"),
	"resume":      matchesOr("last"),
	"player":      playersOfOld,
	"calibration": files("json"),
	"config":      files("yaml", "yml"),
	"declare":     files("jsonl"),
	"import":      files("json"),
	"journal":     files("db"),
	"out":         files("pdf", "svg"),
	"salvage":     files("db"),
	"sheet":       files("png"),
	"eye":         anyFile,
	"data":        folders,
}

// argumentWords are what the arguments of commands can be, in order; the last one may stand several times
// where the command takes many.
var argumentWords = map[string][]completer{
	"eval":    {folders},
	"judge":   {files("json", "jsonl")},
	"man":     {folders},
	"print":   {words(paper.Kinds...)},
	"read":    {anyFile},
	"replay":  {matchesOrFiles},
	"rules":   {games},
	"suggest": {games, anyFile},

	"delete":         {matchesOr()},
	"purge":          {deletedMatches},
	"rename":         {matchesOr(), words()},
	"rename-player":  {playersOfOld, playersOfOld},
	"rename-players": {matchesOr(), playersOfOld},
	"restore":        {deletedMatches},
}

// takesManyWords are the commands whose last argument may stand several times.
var takesManyWords = map[string]bool{"eval": true, "judge": true, "read": true, "rename-players": true}

// complete tells the shell what can be typed, for every command and flag.
func (a *app) complete(cmd *cobra.Command) {
	for _, child := range cmd.Commands() {
		a.complete(child)
	}
	list := argumentWords[cmd.Name()]
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) (offers, cobra.ShellCompDirective) {
		i := len(args)
		if takesManyWords[cmd.Name()] {
			i = min(i, len(list)-1)
		}
		if i >= len(list) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return list[i](a, cmd, args, typed)
	}
	offer := func(f *pflag.Flag) {
		find := flagWords[f.Name]
		if find == nil {
			find = words()
		}
		// It fails only for a flag that is not there, or has words already.
		_ = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, args []string, typed string) (offers, cobra.ShellCompDirective) {
			return find(a, cmd, args, typed)
		})
	}
	cmd.Flags().VisitAll(offer)
	cmd.PersistentFlags().VisitAll(offer)
}

func words(list ...string) completer {
	return func(*app, *cobra.Command, []string, string) (offers, cobra.ShellCompDirective) {
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// forms are what a match, or a league, can be written as.
func forms(_ *app, cmd *cobra.Command, _ []string, _ string) (offers, cobra.ShellCompDirective) {
	if cmd.Parent().Name() == "league" {
		return offers{"json", "csv", "rounds", "meetings"}, cobra.ShellCompDirectiveNoFileComp
	}
	return offers{"words", "json", "text", "csv", "export"}, cobra.ShellCompDirectiveNoFileComp
}

func files(extensions ...string) completer {
	return func(*app, *cobra.Command, []string, string) (offers, cobra.ShellCompDirective) {
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

func anyFile(*app, *cobra.Command, []string, string) (offers, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func folders(*app, *cobra.Command, []string, string) (offers, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func games(_ *app, cmd *cobra.Command, _ []string, _ string) (offers, cobra.ShellCompDirective) {
	list := offers{}
	for _, g := range table.Games {
		list = append(list, cobra.CompletionWithDesc(string(g), g.Kit().Title))
	}
	if cmd.Name() == "read" {
		list = append(list, cobra.CompletionWithDesc(string(table.Any), "loose dice of any color"))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

func sources(_ *app, _ *cobra.Command, _ []string, _ string) (offers, cobra.ShellCompDirective) {
	list := offers{
		cobra.CompletionWithDesc(web.SourceDemo, "a recorded game"),
		cobra.CompletionWithDesc(web.SourceNone, "no camera"),
		cobra.CompletionWithDesc(web.SourcePhone, "a phone, through the page"),
	}
	for _, device := range theMachine.cameras() {
		list = append(list, cobra.CompletionWithDesc(device, "a camera"))
	}
	return list, cobra.ShellCompDirectiveDefault // it may be a file
}

// houseRules offers the rules of the game that was named, and the values of a rule that was begun.
func houseRules(a *app, cmd *cobra.Command, args []string, typed string) (offers, cobra.ShellCompDirective) {
	const done = cobra.ShellCompDirectiveNoFileComp
	game := a.gameNamed(cmd, args)
	if game == nil {
		return nil, done
	}
	list := offers{}
	name, _, begun := strings.Cut(typed, "=")
	for _, r := range game.HouseRules() {
		switch {
		case !begun:
			list = append(list, cobra.CompletionWithDesc(r.Name+"=", r.Text))
		case r.Name == name && len(r.Values) == 0:
			list = append(list, fmt.Sprintf("%s=%v", name, r.Default))
		case r.Name == name:
			for _, v := range r.Values {
				list = append(list, fmt.Sprintf("%s=%v", name, v))
			}
		}
	}
	if begun {
		return list, done
	}
	if game.Name() == table.DiceBox {
		list = append(list, cobra.CompletionWithDesc("owners=", "who owns which colors, such as Ann:RY,Ben:BW"))
	}
	for option := range ownerFiles {
		if _, ok := ownerFile(game.Name(), option); ok {
			list = append(list, cobra.CompletionWithDesc(option+"=", "file with your own cards"))
		}
	}
	return list, done | cobra.ShellCompDirectiveNoSpace
}

// gameNamed is the game that a half-typed command line or the configuration names; nil: none.
func (a *app) gameNamed(cmd *cobra.Command, args []string) rules.Game {
	name := ""
	if err := a.loadConfig(cmd); err == nil {
		name = a.cfg.Game
	}
	if f := cmd.Flags().Lookup("game"); f == nil && len(args) > 0 {
		name = args[0]
	}
	game, err := rulebook(name)
	if err != nil {
		return nil
	}
	return game
}

// profiles offers the saved calibrations.
func profiles(a *app, cmd *cobra.Command, _ []string, _ string) (offers, cobra.ShellCompDirective) {
	list := offers{}
	if err := a.loadConfig(cmd); err == nil {
		found, _ := filepath.Glob(filepath.Join(a.cfg.Data, "profiles", "*.json")) // the pattern is right
		for _, file := range found {
			list = append(list, strings.TrimSuffix(filepath.Base(file), ".json"))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// matchesOr offers the matches of the journal, and some words.
func matchesOr(extra ...string) completer {
	return func(a *app, cmd *cobra.Command, _ []string, _ string) (offers, cobra.ShellCompDirective) {
		list := append(offers{}, extra...)
		for _, s := range a.matchesOfOld(cmd, false) {
			list = append(list, matchOffer(s))
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

func matchesOrFiles(a *app, cmd *cobra.Command, args []string, typed string) (offers, cobra.ShellCompDirective) {
	list, _ := matchesOr()(a, cmd, args, typed)
	return list, cobra.ShellCompDirectiveDefault
}

func deletedMatches(a *app, cmd *cobra.Command, _ []string, _ string) (offers, cobra.ShellCompDirective) {
	list := offers{}
	for _, s := range a.matchesOfOld(cmd, true) {
		list = append(list, matchOffer(s))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

func matchOffer(s match.Summary) cobra.Completion {
	names := make([]string, len(s.Players))
	for i, p := range s.Players {
		names[i] = p.Name
	}
	return cobra.CompletionWithDesc(s.ID, s.Game.Kit().Title+": "+strings.Join(names, ", "))
}

// playersOfOld offers everybody who played a match of the journal.
func playersOfOld(a *app, cmd *cobra.Command, _ []string, _ string) (offers, cobra.ShellCompDirective) {
	list := offers{}
	for _, s := range a.matchesOfOld(cmd, false) {
		for _, p := range s.Players {
			if !slices.Contains(list, p.Name) {
				list = append(list, p.Name)
			}
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// matchesOfOld are the newest matches of the journal, or those that were deleted; none where it cannot be read.
func (a *app) matchesOfOld(cmd *cobra.Command, deleted bool) []match.Summary {
	if err := a.loadConfig(cmd); err != nil {
		return nil
	}
	j, err := match.ReadJournal(a.journalFile())
	if err != nil {
		return nil
	}
	defer j.Close()
	page, _ := j.History(match.HistoryQuery{Deleted: deleted}) // none, then
	return page.Matches
}
