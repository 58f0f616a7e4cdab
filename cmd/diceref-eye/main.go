// Command diceref-eye is the eye of diceref, and the only program that links OpenCV.
// diceref starts it and talks to it over its standard input and output. It ends when
// its input closes. It knows no rules.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"golang.org/x/sys/unix"

	"diceref/vision"
	"diceref/vision/eye"
)

// garbage is by how many percent the heap may grow before it is collected, where GOGC does not say. Pictures are large and soon
// done with: next to the usual 100 it saves 10 MB of an eye at work, of 250.
const garbage = 50

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	level := slog.LevelWarn
	flag.TextVar(&level, "log-level", level, "least `level` that is logged: debug, info, warn or error")
	version := flag.Bool("version", false, "print the versions of OpenCV and of the models, and exit")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "diceref-eye is started by diceref and takes its commands on standard input.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *version {
		fmt.Println(vision.Version())
		return
	}
	capMemory()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	slog.SetDefault(log)
	out, err := ownOutput()
	if err != nil {
		log.Error("cannot keep standard output for the protocol", "err", err)
		os.Exit(1)
	}
	// A client that went away is seen as an error of writing, and its terminal's
	// interrupt is for it to handle: it will close our input.
	signal.Ignore(syscall.SIGPIPE, os.Interrupt)
	// FFmpeg's chatter is not a log of ours.
	if os.Getenv("OPENCV_FFMPEG_LOGLEVEL") == "" {
		os.Setenv("OPENCV_FFMPEG_LOGLEVEL", "-8")
	}
	recordings, err := fs.Sub(demos, "demo")
	if err != nil {
		log.Error("cannot find the recorded games", "err", err)
		os.Exit(1)
	}
	voice := eye.NewVoice(out)
	if err := eye.Serve(os.Stdin, voice, vision.NewWatcher(voice, log, recordings)); err != nil {
		log.Error("stopped", "err", err)
		os.Exit(1)
	}
	// No cleaning up: a camera that is stuck in its driver would keep us, and the
	// system takes everything back from a process that is gone.
}

// ownOutput keeps standard output to the protocol: whatever a library prints goes
// to standard error from now on.
func ownOutput() (*os.File, error) {
	fd, err := unix.Dup(1)
	if err != nil {
		return nil, err
	}
	unix.CloseOnExec(fd)
	if err := unix.Dup2(2, 1); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "stdout"), nil
}
