package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"diceref/rules/judge"
)

func newJudgeCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "judge FILE...",
		Short: "Answer test cases: is this move legal, what is this worth",
		Long: `judge answers test cases in order, with one line of JSON each. A file has one case,
or one per line; - reads them from standard input. The answer to a case that cannot
be read is {"id":...,"error":"..."}.`,
		Example: `  diceref judge case.json
  diceref judge - < cases.jsonl`,
		Args:        takes("file with cases..."),
		Annotations: noConfig,
		RunE: func(_ *cobra.Command, files []string) error {
			bad := 0
			for _, name := range files {
				if err := a.judgeFile(name); err != nil {
					var broken *os.PathError
					if !errors.As(err, &broken) && !errors.Is(err, errCases) {
						return exitError{exitBad, err} // standard output is gone
					}
					fmt.Fprintln(a.stderr, "diceref: "+oneLine(err.Error()))
					bad++
				}
			}
			if bad > 0 {
				return exitError{exitBad, nil}
			}
			return nil
		},
	}
}

// errCases says that some of a file's cases could not be read.
var errCases = errors.New("cannot be read")

// judgeFile answers the cases of one file, or of standard input for "-".
func (a *app) judgeFile(name string) error {
	result, err := a.judgeCases(name)
	if err != nil {
		return fmt.Errorf("judge: %w", err)
	}
	if result.Failed > 0 {
		return fmt.Errorf("judge %s: %d of %d cases %w: %w", name, result.Failed, result.Cases, errCases, result.First)
	}
	return nil
}

func (a *app) judgeCases(name string) (judge.Result, error) {
	if name == "-" {
		return judge.Stream(a.in, a.stdout)
	}
	f, err := os.Open(name)
	if err != nil {
		return judge.Result{}, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > judge.MaxCase {
		return judge.Stream(f, a.stdout)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return judge.Result{}, err
	}
	return judge.File(text, a.stdout)
}
