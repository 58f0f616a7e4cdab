package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"diceref/table"
	"diceref/vision/eye"
	"diceref/web"
)

// checkSource turns what a page asks for into what an eye opens. From other machines
// (not here) files are refused, and addresses that only this machine should reach.
func (h *host) checkSource(source string, here bool) (string, error) {
	refuse := func(code, text string) (string, error) { return "", &web.Refused{Code: code, Text: text} }
	switch source {
	case web.SourceNone, web.SourceDemo:
		return source, nil
	case web.SourcePhone:
		if h.phoneURL == nil {
			return refuse("source-phone", "a phone cannot be the camera here")
		}
		return source, nil
	}
	if device, ok := deviceOf(source); ok {
		if !slices.Contains(h.find.cameras(), device) {
			return refuse("source-device", fmt.Sprintf("the machine that runs diceref has no camera %s", device))
		}
		return device, nil
	}
	if strings.Contains(source, "://") || isAddress(source) { // http:user:password@... is a slip, and as secret
		return checkAddress(source, here)
	}
	if !here {
		return refuse("source-file", "only the machine that runs diceref can choose files; from here, choose a camera or an address that starts with http, https or rtsp")
	}
	path, err := filepath.Abs(source)
	if err != nil {
		return refuse("source-missing", err.Error())
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return "", &web.Refused{Code: "source-missing", Text: fmt.Sprintf("the machine that runs diceref has no file, folder or camera called %q", eye.Shown(source)), About: map[string]string{"name": eye.Shown(source)}}
	}
	return path, nil
}

// missingSource says what is wrong with a source of which it can be told without opening it.
func missingSource(m machine, source string, game table.Game) error {
	if source == web.SourceDemo && demoOf[game] == nil {
		return fmt.Errorf("there is no demo of %s (play it without a camera: source none)", game)
	}
	if device, ok := deviceOf(source); ok {
		if f := checkCamera(m, device); f.health == broken {
			return fmt.Errorf("%s (%s)", f.text, f.advice)
		}
		return nil
	}
	if slices.Contains([]string{web.SourceNone, web.SourceDemo, web.SourcePhone}, source) || strings.Contains(source, "://") {
		return nil
	}
	if _, err := os.Stat(source); err != nil {
		return fmt.Errorf("cannot open %s: %w", source, errors.Unwrap(err))
	}
	return nil
}

// deviceOf is the device file of a camera that is named by number or file.
func deviceOf(source string) (string, bool) {
	if n, err := strconv.ParseUint(source, 10, 8); err == nil {
		return fmt.Sprintf("/dev/video%d", n), true
	}
	return source, strings.HasPrefix(source, "/dev/")
}

// isCamera says whether a source may work later though it does not now, and has no end, as
// no recording does.
func isCamera(source string) bool {
	_, device := deviceOf(source)
	return device || isAddress(source) || source == web.SourcePhone
}

// isAddress says whether a source is in the network.
func isAddress(source string) bool {
	u, err := url.Parse(source)
	return err == nil && slices.Contains(schemes, u.Scheme)
}

// schemes of network cameras.
var schemes = []string{"http", "https", "rtsp", "rtsps"}

// checkAddress refuses what is no address of a network camera. Who asks from another
// machine may not have this one look into itself or into what only its neighbor on
// the wire answers.
func checkAddress(source string, here bool) (string, error) {
	refuse := func(code, text string) (string, error) { return "", &web.Refused{Code: code, Text: text} }
	u, err := url.Parse(source)
	switch {
	case err != nil || u.Opaque != "":
		return refuse("source-address", "that is not an address (expected one such as http://192.168.1.20:8080/video)")
	case !slices.Contains(schemes, u.Scheme):
		return refuse("source-scheme", "camera addresses start with http, https or rtsp, not with "+u.Scheme)
	case u.Hostname() == "":
		return refuse("source-host", "that address names no machine (expected one such as http://192.168.1.20:8080/video)")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return refuse("source-host", "the address needs a port from 1 to 65535 after the colon")
		}
	}
	if here {
		return u.String(), nil
	}
	own, err := ownAddress(u.Hostname())
	switch {
	case err != nil: // it may be another spelling of an address of this machine, such as 127.1
		return refuse("source-unknown", "no machine with that name was found: use the camera's number address, such as 192.168.1.20")
	case own:
		return refuse("source-own", "only the machine that runs diceref can choose its own addresses")
	}
	return u.String(), nil
}

// lookupTime is how long the name of a camera may take to be found.
const lookupTime = 2 * time.Second

// ownAddress says whether a name means this machine, or one that only it reaches.
func ownAddress(name string) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lookupTime)
	defer cancel()
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", strings.TrimSuffix(name, "."))
	if err != nil {
		return false, fmt.Errorf("cannot find %s: %w", name, err)
	}
	return slices.ContainsFunc(found, eye.ThisMachine), nil
}

// cameras lists the cameras of this machine.
func (h *host) cameras() []web.CameraChoice {
	list := []web.CameraChoice{}
	h.mu.Lock()
	mine := ""
	if h.now != nil {
		mine = h.now.Source
	}
	h.mu.Unlock()
	for _, path := range h.find.cameras() {
		number, err := strconv.Atoi(strings.TrimPrefix(path, "/dev/video"))
		if err != nil {
			continue
		}
		found, err := h.find.camera(path)
		c := web.CameraChoice{Number: number, Source: path, Name: found.name}
		switch {
		case path == mine:
			c.Busy = "here"
		case errors.Is(err, errBusy):
			if c.Busy = found.holder; c.Busy == "" {
				c.Busy = "another program"
			}
		case err != nil:
			continue // no camera, or one that does not answer
		}
		if c.Name == "" {
			c.Name = filepath.Base(path)
		}
		list = append(list, c)
	}
	return list
}

// thumbWidth is the width of a camera's small picture, pixels.
const thumbWidth = 320

// Thumbnail takes a picture with a camera, using a separate eye. For the camera in use it is
// the picture that everybody sees. Only one is taken at a time.
func (h *host) Thumbnail(ctx context.Context, number int) ([]byte, error) {
	path := fmt.Sprintf("/dev/video%d", number)
	if !slices.Contains(h.find.cameras(), path) {
		return nil, &web.Refused{Code: "source-device", Text: "that camera is not there"}
	}
	h.mu.Lock()
	mine := h.now != nil && h.now.Source == path
	h.mu.Unlock()
	if mine {
		if picture := h.feed.Picture(); picture != nil {
			return picture, nil
		}
		return nil, web.ErrBusy
	}
	select {
	case h.thumbing <- struct{}{}:
		defer func() { <-h.thumbing }()
	default:
		return nil, web.ErrBusy
	}
	return h.picture(ctx, path)
}

// picture takes the second picture of a source: the first of many cameras is dark.
func (h *host) picture(ctx context.Context, source string) ([]byte, error) {
	if h.base.Path == "" {
		return nil, errors.New("there is no diceref-eye on this machine")
	}
	cfg := h.base
	cfg.Game, cfg.Source, cfg.Realtime = table.Any, source, true
	cfg.View = eye.View{On: true, Width: thumbWidth}
	client, err := eye.Start(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	var last []byte
	for msg := range client.Frames() {
		switch {
		case msg.Picture != nil && last != nil:
			return msg.Picture.JPEG, nil
		case msg.Picture != nil:
			last = msg.Picture.JPEG
		case msg.Status != nil && msg.Status.State == eye.Failed:
			return nil, msg.Status.Err()
		}
	}
	if last == nil {
		err = errors.Join(errors.New("the camera sends no picture"), ctx.Err())
	}
	return last, err
}
