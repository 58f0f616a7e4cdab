package eye

import (
	"strings"
	"testing"
)

func TestShown(t *testing.T) {
	for source, want := range map[string]string{
		"rtsp://user:secret@192.168.1.30/stream":      "rtsp://192.168.1.30",
		"http://192.168.1.20:8080/video?key=abcd":     "http://192.168.1.20:8080",
		"http://token@[fd00::7]:80/t0ken/x.mjpg":      "http://[fd00::7]:80",
		"http://ann:hunter2@cam:99999999999/x?y=z":    "http://cam:99999999999",
		"http://ann:hun%zzter2@cam/x":                 "http://…",
		"ftp://ann:hunter2@cam/x":                     "ftp://cam",
		"http:ann:hunter2@cam/x?pwd=hunter2":          "http://…",
		"/home/ann/films/game.mp4":                    "game.mp4",
		"/dev/video0":                                 "/dev/video0",
		"demo":                                        "demo",
		"":                                            "",
		"http://cam.local/snap.jpg?user=a&pwd=secret": "http://cam.local",
	} {
		if got := Shown(source); got != want {
			t.Errorf("%s is shown as %s, want %s", source, got, want)
		}
	}
}

// TestHide: whatever part of an address a library names, it is left out.
func TestHide(t *testing.T) {
	const source = "http://camuser:HUNTER2@10.66.99.99:9/PATHSECRET/video.cgi?user=adm&pwd=QUERYSECRET"
	for text, want := range map[string]string{
		"cannot open " + source + ": refused":                                  "cannot open http://10.66.99.99:9: refused",
		"Get \"http://camuser:xxxxx@10.66.99.99:9/PATHSECRET/video.cgi\": EOF": "Get \"http://…10.66.99.99:9…\": EOF",
		"GET /PATHSECRET/video.cgi?user=adm&pwd=QUERYSECRET: 401":              "GET …: 401",
		"not allowed: QUERYSECRET, HUNTER2":                                    "not allowed: …, …",
		"dial tcp 10.66.99.99:9: connection refused":                           "dial tcp 10.66.99.99:9: connection refused",
	} {
		if got := Hide(text, source); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
	if got := Hide("cannot read /home/ann/pics/3.jpg", "/home/ann/pics"); got != "cannot read pics/3.jpg" {
		t.Error(got)
	}
	if got := Hide("the camera sends no pictures", "http://u:p@cam/"); !strings.HasSuffix(got, "sends no pictures") {
		t.Error(got)
	}
}
