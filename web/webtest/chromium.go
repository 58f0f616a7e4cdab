// Package webtest starts a Chromium for the browser tests.
package webtest

import (
	"context"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// names of Chromium and its like; .dev/install looks for the same. The headless builds come first: they draw no window
// around a page, and take half of the time.
var names = []string{
	"chromium-headless-shell", "headless_shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
}

// Chromium is the path of the machine's Chromium. Without one the test fails: make test
// installs one, or says that it skips the browser tests.
func Chromium(t testing.TB) string {
	t.Helper()
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		// Ubuntu's chromium-browser may be a note that tells to use snap.
		if exec.Command(path, "--version").Run() == nil {
			return path
		}
	}
	t.Fatal("no Chromium on this machine: install it (.dev/install browser), or run the tests with make test, which leaves these out")
	return ""
}

// Options start the Chromium at path with a profile folder of its own and further flags.
func Options(path, profile string, flags map[string]any) []chromedp.ExecAllocatorOption {
	options := slices.Concat(chromedp.DefaultExecAllocatorOptions[:], []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(profile),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("lang", "en-US"),
		chromedp.WSURLReadTimeout(60 * time.Second),
	})
	for name, value := range flags {
		options = append(options, chromedp.Flag(name, value))
	}
	return options
}

// Phone opens a tab of the size of a phone in a Chromium of its own, with further flags. It may film without asking.
// It is closed at the test's end, or after the time given.
func Phone(t testing.TB, flags map[string]any, limit time.Duration) context.Context {
	t.Helper()
	ctx, stop := chromedp.NewExecAllocator(context.Background(), Options(Chromium(t), t.TempDir(), flags)...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	films := chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		return target.Call(ctx, "Browser.grantPermissions", map[string]any{"permissions": []string{"videoCapture"}}, nil)
	})
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844), films); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithTimeout(ctx, limit)
	t.Cleanup(end)
	return ctx
}
