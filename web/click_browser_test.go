package web

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/chromedp"
)

// middleOf is the expression of where the middle of what a selector finds lies.
func middleOf(selector string) string {
	return fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector)
}

// middle clicks the middle of what a selector finds, once it is at rest: what comes late may
// push it away, and a click that missed it for that is made again.
func middle(selector string) step {
	where := chromedp.Evaluate[[2]float64](middleOf(selector))
	hit := chromedp.Evaluate[bool](`window.pressed !== false`)
	aim := chromedp.Evaluate[bool](fmt.Sprintf(`window.pressed = false, addEventListener('pointerdown', (e) => { window.pressed = e.target.closest(%q) !== null; }, { capture: true, once: true }), true`, selector))
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for {
			at, err := restingPlace(ctx, target, where)
			if err != nil {
				return err
			}
			if _, err := aim(ctx, target); err != nil {
				return err
			}
			if _, err := chromedp.MouseClickXY(at[0], at[1])(ctx, target); err != nil {
				return err
			}
			if pressed, err := hit(ctx, target); err != nil || pressed {
				return nil // an error: the click led to another page
			}
			if now, err := where(ctx, target); err != nil || now == at {
				return nil
			}
		}
	})
}

// restingPlace is where something is that has not moved for a moment.
func restingPlace(ctx context.Context, target *chromedp.Target, where chromedp.Action[[2]float64]) ([2]float64, error) {
	at, err := where(ctx, target)
	for before := [2]float64{-1, -1}; err == nil && at != before; {
		before = at
		time.Sleep(30 * time.Millisecond)
		at, err = where(ctx, target)
	}
	return at, err
}
