package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"diceref/web/hooks"
)

// tellWebhooks tells the addresses of the configuration what happens, until the
// context ends; then the channel is closed.
func (a *app) tellWebhooks(ctx context.Context, m hooks.Match) (<-chan struct{}, error) {
	done := make(chan struct{})
	if len(a.cfg.Webhooks) == 0 {
		close(done)
		return done, nil
	}
	secret, err := a.hookSecret()
	if err != nil {
		return nil, err
	}
	h := hooks.New(hooks.Config{Addresses: a.cfg.Webhooks, Secret: []byte(secret), Match: m, Log: a.log})
	go func() {
		defer close(done)
		h.Run(ctx)
	}()
	return done, nil
}

// hookSecret is the secret that was set, or the one kept in the data folder, which is
// made at the first need.
func (a *app) hookSecret() (string, error) {
	if a.cfg.HookSecret != "" {
		return a.cfg.HookSecret, nil
	}
	if a.cfg.Data == "" {
		return "", errors.New("webhooks need a secret: set webhook-secret (there is no data folder to store one)")
	}
	file := filepath.Join(a.cfg.Data, "webhook.secret")
	kept, err := os.ReadFile(file)
	if secret := strings.TrimSpace(string(kept)); err == nil && secret != "" {
		return secret, nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("cannot read the webhooks' secret: %w", err)
	}
	if err := makePrivate(a.cfg.Data); err != nil {
		return "", err
	}
	secret := rand.Text()
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("cannot save the webhooks' secret: %w", err)
	}
	a.log.Info("created a secret for webhooks; use it to check their signatures", "file", file)
	return secret, nil
}
