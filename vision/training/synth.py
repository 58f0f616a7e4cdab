"""Draws single dice, squared up, of every maker there might be: a cheap and endless supply of crops.

Path-traced tables look right but are slow to make; these are rough, but no two are alike: marbled and
clear bodies, pips of any color and size, numerals, worn edges, lamps, neighbors, any background.
"""
import colorsys

import cv2
import numpy as np

SIZE = 120  # a crop is drawn at three times its size
COLORS = ["red", "yellow", "green", "blue", "purple", "orange", "white", "black", "pink"]
# hue in degrees, saturation, value: what people call by the name
RANGES = {
    "red": ((-10, 8), (0.65, 1), (0.35, 1)), "yellow": ((43, 62), (0.5, 1), (0.65, 1)), "green": ((85, 168), (0.35, 1), (0.2, 0.85)),
    "blue": ((196, 242), (0.5, 1), (0.25, 1)), "purple": ((262, 305), (0.35, 1), (0.2, 0.75)), "orange": ((15, 34), (0.7, 1), (0.7, 1)),
    "white": ((20, 70), (0, 0.12), (0.78, 1)), "black": ((0, 360), (0, 0.35), (0.02, 0.18)), "pink": ((312, 348), (0.3, 0.75), (0.8, 1)),
}
PIPS = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)], 4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
        5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)], 6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)]}


def bgr(h, s, v):
    return np.array(colorsys.hsv_to_rgb((h % 360) / 360, s, v)[::-1]) * 255


def color_of(name, rng):
    (h0, h1), s, v = RANGES[name]
    return bgr(rng.uniform(h0, h1), rng.uniform(*s), rng.uniform(*v))


def any_color(rng):
    return bgr(rng.uniform(0, 360), rng.random() ** 0.7, rng.uniform(0.05, 1))


def luma(c):
    return c @ np.array([0.114, 0.587, 0.299])


def pip_color(body, rng):
    """White, black, gold or any color that stands out by luma or, more rarely, by hue alone."""
    if rng.random() < 0.15:  # red on black, blue on red: as bright as the body, but of another hue
        for _ in range(20):
            c = bgr(rng.choice([0, 0, 0, 220, 120, 55, 30]) + rng.normal(0, 8), rng.uniform(0.7, 1), rng.uniform(0.3, 1))
            if 15 < abs(luma(c) - luma(body)) < 75 and np.abs(c - body).max() > 60:
                return c
    for _ in range(40):
        k = rng.random()
        c = (np.array([240, 243, 245.0]) if k < 0.4 else np.array([20, 18, 18.0]) if k < 0.7 else np.array([80, 180, 215.0]) if k < 0.78 else any_color(rng))
        if abs(luma(c) - luma(body)) > 60 or (np.abs(c - body).max() > 130 and rng.random() < 0.5):
            return c
    return np.array([245, 245, 245.0]) if luma(body) < 128 else np.array([15, 15, 15.0])


def noise(rng, n, cells):
    return cv2.resize(rng.normal(0, 1, (cells, cells)).astype(np.float32), (n, n), interpolation=cv2.INTER_CUBIC)


class Maker:
    """What the dice of one maker have in common."""

    def __init__(self, rng, color):
        self.body = color_of(color, rng)
        self.pip = pip_color(self.body, rng)
        self.radius = rng.uniform(0.13, 0.27)
        self.spread = rng.uniform(0.40, 0.64)
        self.round = rng.uniform(0.08, 0.75)
        self.big_one = rng.random() < 0.2
        self.style = "pips" if rng.random() < 0.93 else "numeral"
        self.swirl = rng.uniform(0.2, 0.8) if rng.random() < 0.35 else 0
        self.second = any_color(rng) if rng.random() < 0.5 else self.body * rng.uniform(0.3, 1.6)
        self.speckle = rng.uniform(10, 50) if rng.random() < 0.15 else 0
        self.clear = rng.random() < 0.15

    def face(self, value, rng, n=SIZE):
        """The texture of one face, n x n, and where it is pip."""
        img = np.broadcast_to(self.body, (n, n, 3)).astype(np.float32).copy()
        if self.swirl:
            w = (0.5 + 0.5 * np.sin(noise(rng, n, int(rng.integers(3, 7))) * rng.uniform(2, 6)))[..., None] * self.swirl
            img = img * (1 - w) + self.second * w
        if self.clear:  # light gathers in the middle or at one edge, the far side shows through
            img *= np.exp(noise(rng, n, 3) * 0.3)[..., None]
        if self.speckle:
            img += rng.normal(0, self.speckle, (n // 3, n // 3, 1)).repeat(3, 0).repeat(3, 1)
        m = np.zeros((n, n), np.float32)
        if value == 0:
            k, r = int(rng.integers(5, 11)), rng.uniform(0.3, 0.46)
            a = np.arange(2 * k) * np.pi / k + rng.uniform(0, 1)
            rad = np.where(np.arange(2 * k) % 2 == 0, r, r * rng.uniform(0.35, 0.65)) * n
            cv2.fillPoly(m, [np.int32(np.stack([n / 2 + rad * np.cos(a), n / 2 + rad * np.sin(a)], 1))], 1, cv2.LINE_AA)
        elif self.style == "numeral":
            f, t = int(rng.choice([cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX])), max(2, int(n * rng.uniform(0.04, 0.09)))
            (w, h), _ = cv2.getTextSize(str(value), f, n / 40, t)
            drawn = np.zeros((n, n), np.uint8)
            cv2.putText(drawn, str(value), ((n - w) // 2, (n + h) // 2), f, n / 40, 255, t, cv2.LINE_AA)
            m = drawn.astype(np.float32) / 255
        else:
            for x, y in PIPS[value]:
                r = self.radius * (1.5 if value == 1 and self.big_one else 1) * n / 2
                c = (n / 2 + x * self.spread * n / 2 + rng.normal(0, 0.8), n / 2 + y * self.spread * n / 2 + rng.normal(0, 0.8))
                cv2.circle(m, (int(c[0] * 16), int(c[1] * 16)), int(r * 16), 1, -1, cv2.LINE_AA, 4)
        dent = cv2.GaussianBlur(m, (0, 0), n * 0.02)
        gx, gy = cv2.Sobel(dent, cv2.CV_32F, 1, 0), cv2.Sobel(dent, cv2.CV_32F, 0, 1)
        a = rng.uniform(0, 6.28)
        pip = self.pip * (1 + rng.uniform(-0.15, 0.1))
        if rng.random() < 0.1:  # a ring, or paint that has worn off
            m = m * np.clip(noise(rng, n, 8) * 0.5 + rng.uniform(0.6, 1.2), 0, 1)
        img = img * (1 - m[..., None]) + pip * m[..., None]
        img *= (1 + rng.uniform(0, 0.8) * (gx * np.cos(a) + gy * np.sin(a)))[..., None]
        if value and rng.random() < 0.5:
            img = np.rot90(img)
        return np.ascontiguousarray(np.clip(img, 0, 255).astype(np.float32))


def paste(canvas, tex, quad, light, rounding=0.0):
    """Warps a face onto the canvas."""
    n = tex.shape[0]
    h = cv2.getPerspectiveTransform(np.float32([[0, 0], [n, 0], [n, n], [0, n]]), np.float32(quad))
    m = np.full((n, n), 1, np.float32)
    if rounding > 0:
        m[:] = 0
        r = int(rounding * n / 2)
        cv2.rectangle(m, (r, 0), (n - r, n), 1, -1)
        cv2.rectangle(m, (0, r), (n, n - r), 1, -1)
        for x in (r, n - r):
            for y in (r, n - r):
                cv2.circle(m, (x, y), r, 1, -1)
    s = canvas.shape[0]
    w = cv2.warpPerspective(tex * light, h, (s, s), flags=cv2.INTER_LINEAR)
    m = cv2.warpPerspective(m, h, (s, s), flags=cv2.INTER_LINEAR)[..., None]
    canvas *= 1 - m
    canvas += w * m


def cube(canvas, maker, value, center, side, yaw, lean, rng, lights):
    """Draws a cube whose top is square in the crop and whose foot lies off by lean (in sides)."""
    c, s = np.cos(yaw), np.sin(yaw)
    top = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2 @ np.array([[c, s], [-s, c]]) + center
    foot = (top - center) * rng.uniform(0.82, 0.97) + center + lean * side
    others = [v for v in range(1, 7) if v not in (value, 7 - value)] if value else [1, 2, 3, 4]
    for i in range(4):
        a, b = top[i], top[(i + 1) % 4]
        outward = (a + b) / 2 - center
        if outward @ lean > 0.02 * side * side * 0 + 1e-9:
            paste(canvas, maker.face(int(rng.choice(others)), rng, 60), [a, b, foot[(i + 1) % 4], foot[i]], lights[i])
    edge = np.broadcast_to(maker.body, (30, 30, 3)).astype(np.float32)
    paste(canvas, edge, top, rng.uniform(0.6, 1.3), maker.round * 0.5)
    grow = 1 - 0.16 * maker.round * rng.uniform(0.2, 1)
    paste(canvas, maker.face(value, rng), (top - center) * grow + center, 1.0, maker.round)


def background(rng, patches):
    n = SIZE
    if len(patches) and rng.random() < 0.6:
        p = patches[rng.integers(len(patches))]
        img = cv2.resize(p, (n, n)).astype(np.float32)
    else:
        img = np.broadcast_to(any_color(rng), (n, n, 3)).astype(np.float32).copy()
        if rng.random() < 0.6:
            w = np.clip(noise(rng, n, int(rng.integers(2, 40))) * rng.uniform(0.1, 0.6) + 0.5, 0, 1)[..., None]
            img = img * (1 - w) + any_color(rng) * w
    if rng.random() < 0.5:
        for _ in range(rng.integers(1, 3)):
            p = rng.uniform(0, n, (2, 2)).astype(int)
            cv2.line(img, tuple(int(v) for v in p[0]), tuple(int(v) for v in p[1] + (p[1] - p[0]) * 3), any_color(rng).tolist(), int(rng.integers(1, 10)), cv2.LINE_AA)
    return img


def polish(rng):
    """Lamps mirrored in the polish: spots, streaks, rings and arcs, and windows."""
    m = np.zeros((SIZE, SIZE), np.float32)
    for _ in range(rng.integers(1, 4)):
        at = tuple(int(v) for v in rng.uniform(0.25, 0.75, 2) * SIZE)
        k = rng.random()
        if k < 0.4:
            cv2.ellipse(m, at, (int(rng.uniform(3, 22)), int(rng.uniform(2, 12))), rng.uniform(0, 180), 0, 360, 1, -1, cv2.LINE_AA)
        elif k < 0.8:
            begin, r = rng.uniform(0, 360), rng.uniform(6, 40)
            cv2.ellipse(m, at, (int(r), int(r * rng.uniform(0.6, 1))), rng.uniform(0, 180), begin, begin + rng.uniform(40, 360), 1, int(rng.uniform(1, 7)), cv2.LINE_AA)
        else:
            q = cv2.boxPoints((at, (rng.uniform(6, 50), rng.uniform(3, 20)), rng.uniform(0, 180)))
            cv2.fillPoly(m, [np.int32(q)], 1, cv2.LINE_AA)
    return np.minimum(cv2.GaussianBlur(m, (0, 0), rng.uniform(0.6, 6)) * 1.3, 1)


def draw(rng, patches=(), color=None, value=None):
    """A crop (SIZE x SIZE, BGR), its face (0 blast, 1..6) and its color's name."""
    color = color or COLORS[rng.integers(len(COLORS))]
    value = (int(rng.integers(1, 7)) if rng.random() < 0.96 else 0) if value is None else value
    img = background(rng, patches)
    maker, side = Maker(rng, color), SIZE / 1.5
    a, far = rng.uniform(0, 6.28), rng.uniform(0, 0.95) if rng.random() < 0.8 else rng.uniform(0, 0.15)
    lean = np.array([np.cos(a), np.sin(a)]) * far
    lights = rng.uniform(0.25, 1.15, 4)
    center = np.array([SIZE / 2, SIZE / 2])
    for _ in range(rng.choice([0, 0, 1, 2, 4])):
        b = rng.uniform(0, 6.28)
        at = center + np.array([np.cos(b), np.sin(b)]) * side * rng.uniform(1.25, 1.6)
        other = maker if rng.random() < 0.4 else Maker(rng, COLORS[rng.integers(len(COLORS))])
        cube(img, other, int(rng.integers(1, 7)), at, side * rng.uniform(0.9, 1.1), rng.uniform(-0.4, 0.4), lean, rng, lights)
    cube(img, maker, value, center, side, 0.0, lean, rng, lights)
    img *= np.exp(noise(rng, SIZE, 3) * rng.uniform(0, 0.25))[..., None]
    if rng.random() < 0.4:
        img += polish(rng)[..., None] * rng.uniform(40, 230)
    return np.clip(img, 0, 255).astype(np.uint8), value, color
