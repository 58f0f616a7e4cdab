package web

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserInstallable: a browser finds nothing that keeps it from installing the page.
func TestBrowserInstallable(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, _, _ := tableServer(t)
	var found struct {
		Errors []struct {
			ID string `json:"errorId"`
		} `json:"installabilityErrors"`
	}
	var manifest struct {
		URL    string `json:"url"`
		Errors []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	run(t, ctx, chromedp.Navigate(ts.URL), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if err := target.Call(ctx, "Page.getAppManifest", map[string]any{}, &manifest); err != nil {
			return err
		}
		return target.Call(ctx, "Page.getInstallabilityErrors", map[string]any{}, &found)
	}))
	for _, e := range found.Errors {
		t.Errorf("cannot be installed: %s", e.ID)
	}
	for _, e := range manifest.Errors {
		t.Errorf("the manifest: %s", e.Message)
	}
	if manifest.URL != ts.URL+"/static/manifest.webmanifest" {
		t.Errorf("the manifest is %q", manifest.URL)
	}
}
