package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"diceref/match"
	"diceref/vision/eye"
	"diceref/web"
)

// health says how much a finding matters.
type health int

const (
	fine    health = iota
	caution        // it works, but less well than it could
	broken         // it keeps the program from working
)

func (h health) String() string { return [...]string{"ok", "note", "FAIL"}[h] }

// finding is what one check found, in a sentence, and what to do about it.
type finding struct {
	health health
	about  string
	text   string
	advice string
}

func newDoctorCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look for common problems and say how to fix them",
		Long: `doctor looks for common problems and says how to fix them.

It checks the configuration, the eye, the cameras, the port of the page, the data
folder and the disk, and reads the whole journal. The exit status is 1 if something
would keep diceref from working with the current configuration.`,
		Args:        takes(),
		Annotations: noConfig, // a bad configuration is one of the findings
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.examine(cmd.Context(), theMachine, a.loadConfig(cmd))
		},
	}
	a.settings.flags(cmd.Flags(), "listen", "lan", "source", "journal")
	return cmd
}

// examine runs all checks, prints what they found, and fails if something is broken.
func (a *app) examine(ctx context.Context, m machine, configError error) error {
	findings := []finding{checkConfig(a.settings.file, configError)}
	if configError == nil {
		findings = append(findings, checkEye(ctx, m, a.cfg))
		findings = append(findings, checkSource(ctx, m, a.cfg)...)
		findings = append(findings, checkPort(m, a.cfg), checkData(m, a.cfg.Data), checkJournal(a.journalFile()), checkDisk(m, a.cfg.Data))
	}
	failed := 0
	for _, f := range findings {
		fmt.Fprintf(a.stdout, "%-4s  %-7s %s\n", f.health, f.about, f.text)
		if f.advice != "" {
			fmt.Fprintf(a.stdout, "%-4s  %-7s -> %s\n", "", "", f.advice)
		}
		if f.health == broken {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("doctor: %d of %d checks failed", failed, len(findings))
	}
	return nil
}

func checkConfig(file string, err error) finding {
	switch {
	case err != nil:
		return finding{broken, "config", oneLine(err.Error()), "fix it; diceref config prints the current configuration"}
	case file == "":
		return finding{fine, "config", "no file; using the defaults, flags and environment", ""}
	}
	return finding{fine, "config", "read from " + file, ""}
}

func checkEye(ctx context.Context, m machine, cfg Config) finding {
	f := examineEye(ctx, m, cfg)
	if f.health == broken && cfg.Source == web.SourceNone {
		f.health, f.advice = caution, "you do not need it without a camera"
	}
	return f
}

func examineEye(ctx context.Context, m machine, cfg Config) finding {
	path, err := m.findEye(cfg.Eye)
	if err != nil {
		return finding{broken, "eye", err.Error(), ""}
	}
	if err := m.tryEye(ctx, path); err != nil {
		advice := "run it yourself to see more: " + path
		if strings.Contains(err.Error(), "shared libraries") {
			advice = "OpenCV, libheif or libjpeg is missing: run apt-get install libopencv-dev libheif-dev libjpeg-dev (or .dev/install in the source tree)"
		}
		return finding{broken, "eye", fmt.Sprintf("%s does not work: %s", path, oneLine(err.Error())), advice}
	}
	ours, its := m.builtFrom(""), m.builtFrom(path)
	if ours != its && strings.HasPrefix(ours, "commit ") && strings.HasPrefix(its, "commit ") {
		return finding{
			caution, "eye", fmt.Sprintf("%s works, but was built from different sources (%s) than diceref (%s)", path, its, ours),
			"build both with: make build",
		}
	}
	return finding{fine, "eye", path + " starts and reads a picture", ""}
}

// checkSource looks at what is to be watched, and at every camera where
// nothing is said.
func checkSource(ctx context.Context, m machine, cfg Config) []finding {
	source := cfg.Source
	switch {
	case source == web.SourceDemo:
		return []finding{{fine, "source", "the demo table needs no camera", ""}}
	case source == web.SourceNone:
		return []finding{{fine, "source", "no camera: you tap your moves on the page", ""}}
	case source == web.SourcePhone && !cfg.LAN:
		return []finding{{caution, "source", "the camera is a phone, but other devices are not allowed to open the page", "allow them: diceref serve --lan"}}
	case source == web.SourcePhone:
		return []finding{{fine, "source", "the camera is a phone: scan the code on the page with it", ""}}
	case source == "":
		return checkCameras(m)
	case strings.Contains(source, "://"):
		return []finding{checkURL(ctx, m, source)}
	}
	if _, err := strconv.Atoi(source); err == nil {
		source = "/dev/video" + source
	}
	if strings.HasPrefix(source, "/dev/") {
		f := checkCamera(m, source)
		if f.health == caution && f.advice == "" { // a second node of a camera that sends no pictures
			f = finding{broken, "camera", source + " sends no pictures", "choose another one: " + strings.Join(m.cameras(), ", ")}
		}
		return []finding{f}
	}
	if err := m.readable(source); err != nil {
		return []finding{{broken, "source", oneLine(err.Error()), "check the path of --source"}}
	}
	return []finding{{fine, "source", source + " can be read", ""}}
}

func checkURL(ctx context.Context, m machine, source string) finding {
	u, err := url.Parse(source)
	if err != nil || u.Host == "" {
		return finding{broken, "source", eye.Shown(source) + " is not a URL of a camera", "use one such as http://192.168.1.20:8080/video or rtsp://camera/stream"}
	}
	if err := m.reach(ctx, u); err != nil {
		return finding{
			broken, "source", fmt.Sprintf("%s does not answer: %s", eye.Shown(source), eye.Hide(oneLine(err.Error()), source)),
			"check that the phone's camera app is running and both are on the same network; open the URL in a browser to test it",
		}
	}
	return finding{fine, "source", eye.Shown(source) + " answers", ""}
}

func checkCameras(m machine) []finding {
	all := m.cameras()
	var found []finding
	for _, path := range all {
		f := checkCamera(m, path)
		if f.health == caution && f.advice == "" {
			continue
		}
		// With no source set, one broken camera is not what the program depends on.
		f.health = min(f.health, caution)
		found = append(found, f)
	}
	if len(found) == 0 {
		found = append(found, finding{
			caution, "camera", "no camera found, so diceref serve shows the demo table",
			"plug one in (in a container: --device /dev/video0), or use a phone: diceref serve --lan, then scan the code on the page",
		})
	}
	return found
}

// checkCamera looks at one device. A note without advice is a device that is
// there but is not a camera: webcams have a second one for their other data.
func checkCamera(m machine, path string) finding {
	c, err := m.camera(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		here := "no camera is plugged in"
		if all := m.cameras(); len(all) > 0 {
			here = "use " + strings.Join(all, " or ")
		}
		return finding{broken, "camera", "there is no camera at " + path, here}
	case errors.Is(err, fs.ErrPermission):
		return finding{broken, "camera", "no permission to open " + path, "join the video group: sudo usermod -aG video $USER; then log out and back in"}
	case errors.Is(err, errBusy):
		by := "another program"
		if c.holder != "" {
			by = c.holder
		}
		return finding{broken, "camera", fmt.Sprintf("%s is busy: %s is using it", path, by), "close the video call or camera program that uses it"}
	case errors.Is(err, errNoCamera):
		return finding{health: caution, about: "camera", text: path + " is not a camera"}
	case err != nil:
		return finding{broken, "camera", fmt.Sprintf("%s: %s", path, oneLine(err.Error())), "unplug it and plug it in again; if that does not help, look at dmesg"}
	}
	what := fmt.Sprintf("%s is free: %s (driver %s, sends %s)", path, c.name, c.driver, strings.Join(c.formats, ", "))
	switch {
	case !slices.ContainsFunc(c.formats, func(f string) bool { return slices.Contains(decoded, f) }):
		return finding{broken, "camera", what, "none of these formats can be decoded (expected one of " + strings.Join(decoded, ", ") + "): use another camera"}
	case !slices.Contains(c.formats, "MJPG"):
		return finding{caution, "camera", what, "without MJPG, most cameras send only a few pictures per second; try a smaller --camera-width and --camera-height"}
	}
	return finding{fine, "camera", what, ""}
}

// decoded are the formats of cameras that OpenCV turns into pictures.
var decoded = []string{"MJPG", "JPEG", "YUYV", "UYVY", "YV12", "YU12", "NV12", "NV21", "BGR3", "RGB3", "GREY"}

func checkPort(m machine, cfg Config) finding {
	if err := m.listen(listenAddress(cfg)); err != nil {
		advice := "if diceref is already running, use that one; otherwise choose another port: --listen localhost:8081"
		if !errors.Is(err, syscall.EADDRINUSE) {
			advice = "use an address of this machine and a port above 1023: --listen localhost:8080"
		}
		return finding{broken, "port", fmt.Sprintf("cannot listen on %s: %s", listenAddress(cfg), oneLine(err.Error())), advice}
	}
	return finding{fine, "port", listenAddress(cfg) + " is free", ""}
}

func checkData(m machine, dir string) finding {
	if dir == "" {
		return finding{broken, "data", "no folder for journals and profiles, because the user has no home folder", "set --data"}
	}
	if err := m.writable(dir); err != nil {
		return finding{broken, "data", "cannot write to " + dir + ": " + oneLine(err.Error()), "make yourself the owner (chown), or choose another folder with --data"}
	}
	return finding{fine, "data", dir + " can be written", ""}
}

// checkJournal reads the journal, all of it, and changes nothing.
func checkJournal(file string) finding {
	j, err := match.ReadJournal(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && match.IsAddress(file):
		return finding{fine, "journal", "the database answers, and has no matches yet", ""}
	case errors.Is(err, fs.ErrNotExist):
		return finding{fine, "journal", "none yet; the first match creates it", ""}
	case err != nil:
		return finding{broken, "journal", oneLine(err.Error()), ""}
	}
	defer j.Close()
	if s := j.Salvaged(); s != nil {
		return finding{
			broken, "journal", fmt.Sprintf("%s is damaged (%s): %s", file, oneLine(s.Why), s),
			"diceref serve sets it aside and continues with what can be read; to save that to a new file: diceref history --salvage saved.db",
		}
	}
	file = j.Name()
	h, err := j.History(match.HistoryQuery{Limit: 1})
	damage, err2 := j.Damage()
	switch {
	case err != nil || err2 != nil:
		return finding{broken, "journal", oneLine(cmp.Or(err, err2).Error()), ""}
	case len(damage) > 0:
		return finding{broken, "journal", file + " is damaged: " + oneLine(strings.Join(damage, "; ")), "the other matches are fine; restore the journal from a backup"}
	case j.Emptied:
		return finding{caution, "journal", file + " is an empty file", "if it used to have matches, restore it from a backup"}
	case len(h.Damaged) > 0:
		return finding{
			caution, "journal", fmt.Sprintf("%s is fine (%s); there is also a damaged one: %s", file, matches(h.Total+h.Deleted), strings.Join(h.Damaged, ", ")),
			"everything readable was moved to the new journal; delete the damaged file when nothing is missing",
		}
	}
	return finding{fine, "journal", fmt.Sprintf("%s is fine (%s)", file, matches(h.Total+h.Deleted)), ""}
}

// Less than these many bytes on the data's disk is little, or too little for a game.
const (
	littleSpace  = 1 << 30
	tooFewToPlay = 50 << 20
)

func checkDisk(m machine, dir string) finding {
	free, err := m.free(dir)
	text := fmt.Sprintf("%.1f GB free for %s", float64(free)/1e9, dir)
	switch {
	case err != nil:
		return finding{caution, "disk", "cannot find out how much space is free: " + oneLine(err.Error()), "check with: df -h " + dir}
	case free < tooFewToPlay:
		return finding{broken, "disk", text, "free some space, or choose a folder on another disk with --data"}
	case free < littleSpace:
		return finding{caution, "disk", text, "free some space soon"}
	}
	return finding{fine, "disk", text, ""}
}

// listenAddress is where the page is served: with lan set, on every interface.
func listenAddress(cfg Config) string {
	if cfg.LAN {
		return cfg.Listen[strings.LastIndex(cfg.Listen, ":"):]
	}
	return cfg.Listen
}

// existingFolder is the folder itself, or the nearest one above it that is there.
func existingFolder(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || filepath.Dir(dir) == dir {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}
