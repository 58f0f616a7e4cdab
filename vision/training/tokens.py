"""Round things that lie on game tables and look like dice to a network that learned of none: number tokens, coins,
buttons, chips and drawn hexagons, thrown over a view where no die stands."""
import functools
import glob

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from prints import ink, on

FINE = 96  # pixels that a thing is drawn at
WORDS = [*"0123456789", "10", "11", "12", *"AEXO?+", "6.", "9."]


@functools.lru_cache(None)
def fonts():
    """The fonts of this machine, or else one that PIL finds by itself."""
    return sorted(glob.glob("/usr/share/fonts/**/*.[to]tf", recursive=True)) or ["DejaVuSans.ttf"]


@functools.lru_cache(4096)
def written(word, font, tall):
    """A word in a font, 0 to 255, in the middle of FINE pixels."""
    sheet = Image.new("L", (FINE, FINE))
    ImageDraw.Draw(sheet).text((FINE / 2, FINE / 2), word, 255, ImageFont.truetype(font, tall), anchor="mm")
    return np.array(sheet)


def word(rng):
    """What is printed on a token, 0 to 1: a number as a rule, with a row of dots under it as often as not."""
    m = written(str(rng.choice(WORDS)), fonts()[rng.integers(len(fonts()))], int(rng.choice([36, 48, 60]))).copy()
    if rng.random() < 0.4:
        k, low = int(rng.integers(1, 6)), int(FINE * rng.uniform(0.72, 0.8))
        for i in range(k):
            cv2.circle(m, (int(FINE / 2 + (i - (k - 1) / 2) * 8), low), int(rng.integers(2, 4)), 255, -1, cv2.LINE_AA)
    return m.astype(np.float32)[..., None] / 255


def outline(rng):
    """Round, or six-sided or eight-sided: 0 to 255."""
    m, c = np.zeros((FINE, FINE), np.uint8), FINE / 2
    if rng.random() < 0.75:
        cv2.circle(m, (FINE // 2,) * 2, FINE // 2 - 3, 255, -1, cv2.LINE_AA)
    else:
        n = int(rng.choice([6, 6, 8]))
        a = 2 * np.pi * np.arange(n) / n + rng.uniform(0, 1)
        cv2.fillPoly(m, [np.int32(np.stack([c + (c - 3) * np.cos(a), c + (c - 3) * np.sin(a)], 1))], 255, cv2.LINE_AA)
    return m


def ring(m, part, thick):
    cv2.circle(m, (FINE // 2,) * 2, int(FINE / 2 * part), 255, thick, cv2.LINE_AA)


def thing(rng):
    """One thing (BGR, 0 to 255) and where it is (0 to 1)."""
    body, there = ink(rng), outline(rng)
    mark = on(body, rng)
    img = np.empty((FINE, FINE, 3), np.float32)
    img[:] = body
    drawn = np.zeros((FINE, FINE), np.uint8)
    kind = rng.random()
    if kind < 0.6:  # a number token, often with a rim
        if rng.random() < 0.4:
            ring(drawn, rng.uniform(0.75, 0.92), int(rng.integers(1, 4)))
        k = np.maximum(word(rng), drawn[..., None] / 255)
    elif kind < 0.75:  # a coin: struck, not painted
        ring(drawn, 0.88, int(rng.integers(2, 6)))
        k = np.maximum(word(rng), drawn[..., None] / 255)
        mark = body * rng.uniform(0.55, 1.4)
    elif kind < 0.88:  # a button: two or four holes
        ring(drawn, rng.uniform(0.6, 0.8), int(rng.integers(1, 5)))
        r, n, a = FINE * rng.uniform(0.08, 0.16), int(rng.choice([2, 4])), rng.uniform(0, np.pi)
        for i in range(n):
            b = a + 2 * np.pi * i / n
            cv2.circle(drawn, (int(FINE / 2 + r * np.cos(b)), int(FINE / 2 + r * np.sin(b))), int(FINE * rng.uniform(0.03, 0.06)), 255, -1, cv2.LINE_AA)
        k = drawn[..., None] / 255 * np.float32(1)
    else:  # a chip: a striped rim
        n = int(rng.integers(4, 10))
        for i in range(n):
            cv2.ellipse(drawn, (FINE // 2,) * 2, (int(FINE * 0.43),) * 2, 360 * i / n, 0, 180 / n, 255, int(FINE * 0.1))
        ring(drawn, rng.uniform(0.55, 0.75), int(rng.integers(1, 4)))
        k = np.maximum(drawn[..., None] / 255, word(rng) * (rng.random() < 0.5))
    img = img * (1 - k) + mark * k
    y, x = np.mgrid[-1:1:FINE * 1j, -1:1:FINE * 1j]
    a = rng.uniform(0, 2 * np.pi)
    return img * (1 + rng.uniform(0, 0.25) * (x * np.cos(a) + y * np.sin(a)))[..., None].astype(np.float32), there
