"""Arms and hands, roughly drawn, that reach over a view: grids are to be found under them too."""
import cv2
import numpy as np

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
