package main

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/pkg/browser"
)

// openPage opens an address in the browser.
func openPage(url string) error {
	browser.Stdout = nil // standard output is for our results
	return browser.OpenURL(url)
}

// isRunning tells whether a running diceref serves the page at this address.
func isRunning(url string) bool {
	client := http.Client{Timeout: 2 * time.Second}
	got, err := client.Get(url + "/healthz")
	if err != nil {
		return false
	}
	defer got.Body.Close()
	var health struct {
		Status string
		Camera *string // only diceref tells one
	}
	err = json.NewDecoder(http.MaxBytesReader(nil, got.Body, 1<<12)).Decode(&health)
	return err == nil && got.StatusCode == http.StatusOK && health.Status == "ok" && health.Camera != nil
}
