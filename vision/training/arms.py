"""Arms and hands, roughly drawn, that reach over a view: grids are to be found under them too."""
import cv2
import numpy as np

from prints import ink

SKINS = np.float32([[150, 190, 235], [110, 150, 205], [70, 105, 165], [45, 65, 105], [35, 45, 70]])  # BGR


def away(p, angle, r):
    return p + r * np.array([np.cos(angle), np.sin(angle)])


def limb(mask, p, q, wide):
    a, b = (tuple(int(v) for v in np.round(x)) for x in (p, q))
    cv2.line(mask, a, b, 255, max(2, int(wide)), cv2.LINE_AA)


def shape(size, side, rng):
    """Where the bare arm and its sleeve are (0 to 255), and how wide the hand is, pixels; side: of the dice."""
    bare, sleeve = np.zeros((size, size), np.uint8), np.zeros((size, size), np.uint8)
    at, a, wide = rng.uniform(0.15, 0.85, 2) * size, rng.uniform(0, 2 * np.pi), side * rng.uniform(2.2, 4.5)
    limb(bare, at, away(at, a, 3 * size), wide * 0.75)
    limb(bare, at, away(at, a, wide * 0.2), wide)
    for b in np.linspace(-0.55, 0.55, 4) * rng.uniform(0.2, 1):
        limb(bare, away(at, a + np.pi + 1.3 * b, wide * 0.4), away(at, a + np.pi + b, wide * rng.uniform(0.7, 1.3)), wide * 0.22)
    if rng.random() < 0.8:
        thumb = a + np.pi + rng.choice([-1, 1]) * rng.uniform(0.8, 1.4)
        limb(bare, at, away(at, thumb, wide * rng.uniform(0.6, 0.9)), wide * 0.25)
    limb(sleeve, away(at, a, wide * rng.uniform(1, 4)), away(at, a, 3 * size), wide * 0.95)
    return bare, sleeve, wide


def soft(mask, sigma):
    return cv2.GaussianBlur(mask, (0, 0), sigma).astype(np.float32)[..., None] / 255


def reached(img, side, rng):
    """The view with an arm over it, and where nobody knows any more what can be seen (0 or 255)."""
    size = img.shape[0]
    bare, sleeve, wide = shape(size, side, rng)
    skin = ink(rng) if rng.random() < 0.1 else SKINS[rng.integers(len(SKINS))] * rng.uniform(0.5, 1.15)
    mottled = cv2.resize(rng.normal(0, 14, (9, 9)).astype(np.float32), (size, size))[..., None]
    round_ = max(1.0, 0.12 * wide)  # limbs are darker to their edges
    both = cv2.max(bare, sleeve)
    shadow = np.roll(both, [int(v) for v in rng.normal(0, 0.5 * side, 2)], (0, 1))
    out = img * (1 - rng.uniform(0.1, 0.5) * soft(shadow, rng.uniform(0.2, 1) * side))
    for mask, paint in ((bare, skin * (0.45 + 0.55 * soft(bare, round_)) + mottled), (sleeve, ink(rng) * (0.5 + 0.5 * soft(sleeve, round_)))):
        k = soft(mask, rng.uniform(0.5, 1.2))
        out = out * (1 - k) + paint * k
    return np.clip(out, 0, 255).astype(np.uint8), cv2.dilate(both, np.ones((2 * int(0.75 * side) + 1,) * 2, np.uint8))
