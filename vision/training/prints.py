"""Print that looks like dice, drawn over what lies about in pictures: flat, in the light that is there, without sides or shadow."""
import cv2
import numpy as np

from face_data import squared
from rounded import rounded

OVER = 4  # times the pixels of a patch that print is drawn at
PIPS = {1: ["11"], 2: ["00", "22"], 3: ["00", "11", "22"], 4: ["00", "02", "20", "22"], 5: ["00", "02", "11", "20", "22"], 6: ["00", "01", "02", "20", "21", "22"]}


def grounds(table, margin, size, rng, count):
    """Surroundings (size pixels, margin sides of a top) of places where no die stands, as they would be cropped for one."""
    out = []
    h, w = table.image.shape[:2]
    tops = [t for t, whole in zip(table.tops, table.whole) if whole]
    if not tops:
        return out
    taken = np.concatenate([table.tops.mean(1), *[s.mean(0)[None] for s in table.sides]])
    for _ in range(count * 4):
        top = tops[rng.integers(len(tops))]
        side = np.sqrt(abs(cv2.contourArea(top))) + 1
        place = rng.uniform((side, side), (w - side, h - side))
        if np.linalg.norm(taken - place, axis=1).min() > 1.5 * side and len(out) < count:
            out.append(squared(table.image, (top - top.mean(0) + place).astype(np.float32), margin, size))
    return out


def ink(rng):
    """Any color (BGR, 0 to 255), the plain ones more often."""
    if rng.random() < 0.35:
        return np.full(3, rng.choice([15.0, 40, 230, 250])) + rng.normal(0, 4, 3)
    hsv = np.uint8([[[rng.integers(180), int(255 * rng.random() ** 0.5), rng.integers(50, 256)]]])
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(float)


def on(body, rng):
    """A color that shows on another."""
    while True:
        c = ink(rng)
        if abs(c @ (0.11, 0.59, 0.3) - body @ (0.11, 0.59, 0.3)) > 60:
            return c


def square(img, mask, x, y, q, radius, color, thick=-1):
    points = rounded(x, y, q, radius)
    for picture, ink_ in ((img, color), (mask, 255)):
        if thick < 0:
            cv2.fillPoly(picture, points, ink_, cv2.LINE_AA)
        else:
            cv2.polylines(picture, points, True, ink_, thick, cv2.LINE_AA)


def face(img, mask, value, x, y, q, body, pip, look):
    """A flat face around (x, y); look: how round, how wide the pips are set, how large they are, filled, its line's width."""
    radius, spread, dot, filled, line = look
    if filled:
        square(img, mask, x, y, q, q * radius, body)
    if line:
        square(img, mask, x, y, q, q * radius, pip, max(1, int(q * line)))
    for a, b in PIPS[value]:
        at = (int(x + (int(a) - 1) * spread * q), int(y + (int(b) - 1) * spread * q))
        for picture, ink_ in ((img, pip), (mask, 255)):
            cv2.circle(picture, at, max(1, int(q * dot)), ink_, -1, cv2.LINE_AA)


def printed(patch, rng, side, middle=True):
    """The patch with print over it: a face of side pixels in the middle and often others about; not middle: about what stands there."""
    n = patch.shape[0]
    img, mask = np.zeros((n * OVER, n * OVER, 3), np.float32), np.zeros((n * OVER, n * OVER), np.float32)
    q, c = side * OVER * np.exp(rng.normal(0, 0.05)), n * OVER / 2
    if middle and rng.random() < 0.6:  # a card, a page
        w, h = rng.uniform(0.7, 4, 2) * q
        x, y = c + rng.uniform(-0.5, 0.5, 2) * (np.array([w, h]) - q * 1.1)
        corners = cv2.boxPoints(((x, y), (w + q * 0.3, h + q * 0.3), rng.normal(0, 8)))
        paper = tuple(ink(rng) if rng.random() < 0.5 else rng.uniform(200, 255, 3))
        cv2.fillPoly(img, [np.int32(corners)], paper, cv2.LINE_AA)
        cv2.fillPoly(mask, [np.int32(corners)], 255, cv2.LINE_AA)
    body = ink(rng)
    pip = on(body, rng)
    look = (rng.uniform(0, 0.3), rng.uniform(0.2, 0.29), rng.uniform(0.05, 0.13), rng.random() < 0.85, rng.choice([0, 0, 0.03, 0.06]))
    gap, alone, lean = q * rng.uniform(1.08 if middle else 1.6, 2), middle and rng.random() < 0.35, rng.normal(0, 0.05)
    for i in range(-2, 3):
        for j in range(-2, 3):
            if middle and (i, j) == (0, 0) or (i, j) != (0, 0) and not alone and rng.random() < 0.7:
                if (i, j) != (0, 0) and rng.random() < 0.4:
                    body = ink(rng)
                    pip = on(body, rng)
                face(img, mask, rng.integers(1, 7), c + gap * (i - lean * j), c + gap * (j + lean * i), q, tuple(body), tuple(pip), look)
    img, mask = (cv2.resize(a, (n, n), interpolation=cv2.INTER_AREA) for a in (img, mask / 255))
    soft = rng.uniform(0.3, 1.1)
    img, mask = cv2.GaussianBlur(img, (0, 0), soft), cv2.GaussianBlur(mask, (0, 0), soft)[..., None]
    ground = patch.astype(np.float32)
    slow, fine = cv2.GaussianBlur(ground, (0, 0), n / 6), ground - cv2.GaussianBlur(ground, (0, 0), 1.2)
    light = slow.mean(2, keepdims=True) / slow.mean() * rng.uniform(0.55, 1.1)
    return np.clip(ground * (1 - mask) + img * mask * light + fine * mask * rng.uniform(0.5, 1), 0, 255).astype(np.uint8)
