package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"syscall"
	"testing"
)

// healthy is a machine on which everything works and one camera is plugged in.
func healthy() machine {
	return machine{
		findEye:   func(string) (string, error) { return "/bin/diceref-eye", nil },
		tryEye:    func(context.Context, string) error { return nil },
		builtFrom: func(string) string { return "commit 1" },
		cameras:   func() []string { return []string{"/dev/video0", "/dev/video1"} },
		camera:    cameraOr(map[string]error{"/dev/video1": errNoCamera}),
		reach:     func(context.Context, *url.URL) error { return nil },
		readable:  func(string) error { return nil },
		listen:    func(string) error { return nil },
		writable:  func(string) error { return nil },
		free:      func(string) (uint64, error) { return 100 << 30, nil },
	}
}

// cameraOr answers for a webcam, or with the error of a path.
func cameraOr(broken map[string]error) func(string) (camera, error) {
	return func(path string) (camera, error) {
		return camera{name: "Webcam", driver: "uvcvideo", formats: []string{"MJPG", "YUYV"}, holder: "zoom (process 7)"}, broken[path]
	}
}

func sends(formats ...string) func(string) (camera, error) {
	return func(string) (camera, error) { return camera{name: "Webcam", driver: "x", formats: formats}, nil }
}

func TestDoctor(t *testing.T) {
	notThere := &fs.PathError{Op: "open", Path: "/dev/video5", Err: syscall.ENOENT}
	notAllowed := &fs.PathError{Op: "open", Path: "/dev/video0", Err: syscall.EACCES}
	tests := []struct {
		name  string
		cfg   Config
		spoil func(*machine)
		fails bool
		want  []string // in what is printed
	}{
		{"all is well", Config{}, func(*machine) {}, false, []string{"ok    eye", "ok    camera  /dev/video0 is free: Webcam (driver uvcvideo, sends MJPG, YUYV)", "ok    port", "ok    data", "ok    disk"}},
		{"the eye is missing", Config{}, func(m *machine) {
			m.findEye = func(string) (string, error) { return "", errors.New("cannot find diceref-eye") }
		}, true, []string{"FAIL  eye     cannot find diceref-eye"}},
		{"the eye lacks OpenCV", Config{}, func(m *machine) {
			m.tryEye = func(context.Context, string) error { return errors.New("error while loading shared libraries: x") }
		}, true, []string{"FAIL  eye", "apt-get install libopencv-dev"}},
		{"the eye does not start", Config{}, func(m *machine) {
			m.tryEye = func(context.Context, string) error { return errors.New("exec format error") }
		}, true, []string{"FAIL  eye     /bin/diceref-eye does not work: exec format error", "run it yourself"}},
		{"the eye is of another version", Config{}, func(m *machine) {
			m.builtFrom = func(program string) string { return "commit of " + program }
		}, false, []string{"note  eye", "built from different sources (commit of /bin/diceref-eye)", "make build"}},
		{
			"no camera at all",
			Config{},
			func(m *machine) { m.cameras = func() []string { return nil } },
			false,
			[]string{"note  camera  no camera found", "diceref serve --lan"},
		},
		{"the camera asked for is not there", Config{Source: "5"}, func(m *machine) {
			m.camera = cameraOr(map[string]error{"/dev/video5": notThere})
		}, true, []string{"FAIL  camera  there is no camera at /dev/video5", "use /dev/video0"}},
		{"not in the video group", Config{Source: "/dev/video0"}, func(m *machine) {
			m.camera = cameraOr(map[string]error{"/dev/video0": notAllowed})
		}, true, []string{"FAIL  camera  no permission", "usermod -aG video"}},
		{"another camera than the one in use is closed to us", Config{}, func(m *machine) {
			m.camera = cameraOr(map[string]error{"/dev/video1": notAllowed})
		}, false, []string{"ok    camera  /dev/video0", "note  camera  no permission to open /dev/video1"}},
		{"busy", Config{Source: "0"}, func(m *machine) {
			m.camera = cameraOr(map[string]error{"/dev/video0": fmt.Errorf("x: %w", errBusy)})
		}, true, []string{"FAIL  camera  /dev/video0 is busy: zoom (process 7) is using it", "close the video call"}},
		{"the node that sends no pictures", Config{Source: "1"}, func(*machine) {}, true, []string{"FAIL  camera  /dev/video1 sends no pictures", "/dev/video0"}},
		{"a codec nobody reads", Config{Source: "0"}, func(m *machine) { m.camera = sends("H264") }, true, []string{"FAIL  camera", "none of these formats can be decoded"}},
		{"a slow codec", Config{Source: "0"}, func(m *machine) { m.camera = sends("YUYV") }, false, []string{"note  camera", "without MJPG"}},
		{"the driver fails", Config{Source: "0"}, func(m *machine) {
			m.camera = cameraOr(map[string]error{"/dev/video0": errors.New("does not answer: i/o error")})
		}, true, []string{"FAIL  camera  /dev/video0: does not answer", "dmesg"}},
		{"a phone that does not answer", Config{Source: "http://user:secret@10.0.0.9:8080/video"}, func(m *machine) {
			m.reach = func(context.Context, *url.URL) error { return errors.New("connection refused") }
		}, true, []string{"FAIL  source  http://10.0.0.9:8080 does not answer"}},
		{"a phone that answers", Config{Source: "rtsp://10.0.0.9/stream"}, func(*machine) {}, false, []string{"ok    source"}},
		{"a URL of nobody", Config{Source: "http:///video"}, func(*machine) {}, true, []string{"is not a URL of a camera"}},
		{"a film that is not there", Config{Source: "game.mp4"}, func(m *machine) {
			m.readable = func(path string) error { return &fs.PathError{Op: "open", Path: path, Err: syscall.ENOENT} }
		}, true, []string{"FAIL  source  open game.mp4: no such file"}},
		{"the demo needs no camera", Config{Source: "demo"}, func(m *machine) { m.cameras = func() []string { return nil } }, false, []string{"ok    source"}},
		{"no camera and no eye are needed to tap", Config{Source: "none"}, func(m *machine) {
			m.cameras = func() []string { return nil }
			m.findEye = func(string) (string, error) { return "", errors.New("cannot find diceref-eye") }
		}, false, []string{"ok    source  no camera: you tap your moves on the page", "note  eye", "do not need it"}},
		{"a phone as the camera", Config{Source: "phone", LAN: true, Listen: "localhost:8080"}, func(*machine) {}, false, []string{"ok    source  the camera is a phone"}},
		{"a phone that may not open the page", Config{Source: "phone"}, func(*machine) {}, false, []string{"note  source  the camera is a phone", "diceref serve --lan"}},
		{"the port is taken", Config{Listen: "localhost:8080"}, func(m *machine) {
			m.listen = func(string) error { return syscall.EADDRINUSE }
		}, true, []string{"FAIL  port    cannot listen on localhost:8080", "already running"}},
		{"the port is not ours", Config{Listen: "localhost:80", LAN: true}, func(m *machine) {
			m.listen = func(string) error { return syscall.EACCES }
		}, true, []string{"FAIL  port    cannot listen on :80", "above 1023"}},
		{"the data folder is closed", Config{Data: "/d"}, func(m *machine) {
			m.writable = func(string) error { return syscall.EACCES }
		}, true, []string{"FAIL  data    cannot write to /d: permission denied", "chown"}},
		{"the disk is nearly full", Config{Data: "/d"}, func(m *machine) {
			m.free = func(string) (uint64, error) { return 500 << 20, nil }
		}, false, []string{"note  disk    0.5 GB free for /d"}},
		{"the disk is full", Config{Data: "/d"}, func(m *machine) {
			m.free = func(string) (uint64, error) { return 0, nil }
		}, true, []string{"FAIL  disk"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := healthy()
			test.spoil(&m)
			if test.cfg.Data == "" {
				test.cfg.Data = "/home/ann/data"
			}
			var out bytes.Buffer
			a := &app{cfg: test.cfg, stdout: &out, settings: newSettings()}
			err := a.examine(t.Context(), m, nil)
			if (err != nil) != test.fails {
				t.Errorf("error is %v, want one: %v", err, test.fails)
			}
			for _, want := range test.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in\n%s", want, &out)
				}
			}
			if failures := strings.Count(out.String(), "FAIL"); (failures > 0) != test.fails || failures > 1 {
				t.Errorf("%d failures in\n%s", failures, &out)
			}
		})
	}
}

func TestDoctorWithoutHome(t *testing.T) {
	if f := checkData(healthy(), ""); f.health != broken || !strings.Contains(f.advice, "--data") {
		t.Errorf("found %+v", f)
	}
}
