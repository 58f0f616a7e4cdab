package eye

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Program is the name of the eye's binary.
const Program = "diceref-eye"

// Find returns the path of the eye's binary: the configured one, or the one next to the
// running program, or the first on the PATH.
func Find(configured string) (string, error) {
	if configured != "" {
		path, err := exec.LookPath(configured)
		if err != nil {
			return "", fmt.Errorf("cannot start the eye %s: %w", configured, reasonOf(err))
		}
		return path, nil
	}
	name := Program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
			return path, nil
		}
	}
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	return "", fmt.Errorf("cannot find %s: it must be next to diceref or on the PATH (run make build, or set eye in the configuration)", Program)
}

// reasonOf strips what a caller's message says already.
func reasonOf(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err
}

// Crowded says whether an eye could not be started because this machine has too much to do just
// now: too many files are open, too many programs run, too little memory is left.
func Crowded(err error) bool {
	for _, why := range []error{syscall.EMFILE, syscall.ENFILE, syscall.EAGAIN, syscall.ENOMEM} {
		if errors.Is(err, why) {
			return true
		}
	}
	return false
}

// pid is the process's id; 0 of none.
func (p *process) pid() int {
	if p == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// closeGrace is how long an eye that was told to stop may take before it is killed.
const closeGrace = 2 * time.Second

// process is a running eye. It ends when its standard input closes, so that none
// is left behind when this program is killed.
type process struct {
	cmd   *exec.Cmd
	stdin io.Closer
	to    writer
	out   *bufio.Reader
	pipe  *os.File // under out
	met   bool     // it has said which protocol it speaks
	words *lastWords
	done  chan struct{} // closed when the process is gone and reaped
	err   error         // how it ended; valid after done
}

// startProcess starts an eye that is to look at a source; what it says names no secret of that.
func startProcess(path, source string, log *slog.Logger) (*process, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("cannot start the eye: %w", err)
	}
	cmd := exec.Command(path)
	// OpenCV reads it before anything of ours runs. What is larger was refused before: see CheckPicture.
	cmd.Env = append(os.Environ(), fmt.Sprintf("OPENCV_IO_MAX_IMAGE_PIXELS=%d", MaxPixels))
	p := &process{cmd: cmd, out: bufio.NewReaderSize(r, 1<<16), pipe: r, words: &lastWords{log: log, source: source}, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = w, p.words
	cmd.WaitDelay = time.Second
	dieWithParent(cmd)
	stdin, err := cmd.StdinPipe()
	if err == nil {
		p.stdin, p.to.w = stdin, stdin
		started := make(chan error)
		go p.run(started)
		err = <-started
	}
	w.Close()
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("cannot start the eye %s: %w", path, reasonOf(err))
	}
	return p, nil
}

// hear returns the next message. The first has to say that the eye speaks this protocol; otherwise the error is an OtherEye.
func (p *process) hear() (Message, error) {
	if !p.met {
		m, err := receive(p.out)
		if err != nil {
			return Message{}, err
		}
		var h hello
		if m.kind == kindHello { // before there were versions, an eye began otherwise
			if err := m.decode(&h); err != nil {
				return Message{}, err
			}
		}
		if h.Protocol != protocol {
			age := "an older"
			if h.Protocol > protocol {
				age = "a newer"
			}
			return Message{}, Faultf(OtherEye, "%s is of %s version than diceref: install both from one package, or run make build", p.cmd.Path, age)
		}
		p.met = true
	}
	return Hear(p.out)
}

// run starts the process and waits for its end on one thread that stays its own:
// Linux sends the signal that dieWithParent asks for when the thread that forked ends.
func (p *process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.err = p.cmd.Wait()
	close(p.done)
}

// close ends the process: it asks, and kills after a while. It returns when the process is gone.
func (p *process) close(grace time.Duration) {
	p.stdin.Close()
	if grace > 0 {
		select {
		case <-p.done:
		case <-time.After(grace):
		}
	}
	p.cmd.Process.Kill() // a process that is gone already is not hurt
	<-p.done
	p.pipe.Close()
}

// ending says in a line how the process ended; to be called after close.
func (p *process) ending() string {
	how := "it stopped"
	if p.err != nil {
		how = p.err.Error()
	}
	if last := p.words.said(); last != "" {
		how += ": " + last
	}
	return how
}

// lastWords takes an eye's standard error: it goes to the log, and what explains a
// death is kept.
type lastWords struct {
	log    *slog.Logger
	source string
	mu     sync.Mutex
	line   []byte
	why    string
	// quiet is set by a crash: the stacks that follow explain nothing to anybody at the table.
	quiet bool
}

// Write collects the output line by line.
func (l *lastWords) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range b {
		if c != '\n' {
			if len(l.line) < 500 {
				l.line = append(l.line, c)
			}
			continue
		}
		l.take(strings.TrimSpace(string(l.line)))
		l.line = l.line[:0]
	}
	return len(b), nil
}

func (l *lastWords) take(line string) {
	if line == "" {
		return
	}
	line = Hide(line, l.source)
	if l.log != nil {
		l.log.Debug("the eye says", "line", line)
	}
	for _, sign := range []string{"what():", "panic:", "fatal error:", "SIGABRT", "SIGSEGV", "error while loading shared libraries", "level=ERROR"} {
		if !l.quiet && strings.Contains(line, sign) {
			l.why = line
			l.quiet = sign != "level=ERROR"
		}
	}
}

func (l *lastWords) said() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.why
}

// sleep waits; false: the context ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
