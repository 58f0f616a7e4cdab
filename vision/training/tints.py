"""How a die's top, its widest side and its edges look, as ../tints.go takes it for the color network."""
import cv2
import numpy as np

from face_net import TINT
from tables import upright

CLIPPED, LEAST_SIDE, MOST_SIDE, LEAST_SEEN = 250, 0.12, 1.5, 12
RIM = np.linspace(0.15, 0.85, 11)
INSIDE, ROUNDED = 0.08, 0.03  # sides inside the outline: the plain part of a top, and where its edges are rounded
EDGES = 9  # numbers before those of the edges
COLORS_AT, CLIPPED_AT = (0, 4, 9, 13, 17), ((0, 3), (9, 12), (13, 16))  # numbers of a row: where RGB is, and RGB with the share clipped
ALONG, DOWN = np.linspace(0.12, 0.88, 9), (0.15, 0.3, 0.45, 0.6, 0.75)


def seen(image, points):
    """The picture's pixels (BGR) at those places that are in it."""
    p = np.floor(points).astype(int)
    h, w = image.shape[:2]
    p = p[(p[:, 0] >= 0) & (p[:, 1] >= 0) & (p[:, 0] < w) & (p[:, 1] < h)]
    return image[p[:, 1], p[:, 0]].astype(np.float32)


def edge(image, top, k, inset):
    """Samples along one of a top's edges."""
    a, b, c = top[k], top[(k + 1) % 4], top[(k + 2) % 4]
    return seen(image, a + RIM[:, None] * (b - a) + inset * (c - b))


def rim(image, top):
    """Samples just inside a top's edges."""
    return np.concatenate([edge(image, top, k, INSIDE) for k in range(4)])


def looks(rgb):
    """RGB of samples, and the share of them that is clipped."""
    return np.append(np.median(rgb, 0)[::-1] / 255, (rgb >= CLIPPED).any(1).mean())


def edges(image, top):
    """How the darkest edge looks, at edge and inside, and the brightest."""
    out = []
    for inset in (ROUNDED, INSIDE):
        every = [looks(rgb) for rgb in (edge(image, top, k, inset) for k in range(4)) if len(rgb)]
        every.sort(key=lambda e: (e[:3] ** 2.2).sum())
        if not every:
            return np.zeros(11)
        out.append(every[0])
    return np.concatenate([*out, every[-1][:3]])


def hidden(points, tops):
    """Which places lie under one of the outlines."""
    out = np.zeros(len(points), bool)
    for t in tops:
        left = [np.cross(t[(k + 1) % 4] - t[k], points - t[k]) > 0 for k in range(4)]
        out |= np.all(left, 0) | ~np.any(left, 0)
    return out


def raw(table, rng=None):
    """Of every die that is whole: RGB of its top, the share of it that is clipped, RGB of its widest side, 1 if it is seen,
    its area in shares of the top's; and of the edges what edges tells. rng moves outlines about as a find network does."""
    h, w = table.image.shape[:2]
    out = []
    for i in np.flatnonzero(table.whole):
        top = table.tops[i]
        area = abs(cv2.contourArea(top)) + 1e-3
        off = lambda much: 0 if rng is None else rng.normal(0, much * np.sqrt(area), (1, 2))
        at = (top + (0 if rng is None else rng.normal(0, 0.03 * np.sqrt(area), (4, 2))) + off(0.02)).astype(np.float32)
        row = np.zeros(TINT, np.float32)
        rgb = rim(table.image, at)
        if len(rgb):
            row[:4] = looks(rgb)
        row[EDGES:] = edges(table.image, at)
        sides = [] if table.camera is None or table.holed[i] else upright(top, w, h, table.camera)
        if sides:
            head_i, head_j, foot_j, foot_i = max(sides, key=lambda q: abs(cv2.contourArea(q)))
            foot = (foot_j + foot_i - head_j - head_i) / 2
            if rng is not None:  # how dice lean is not told exactly
                foot = foot * (1 + rng.normal(0, 0.12)) + rng.normal(0, 0.08, 2) * np.linalg.norm(foot)
            share = abs(np.cross(head_j - head_i, foot)) / area
            places = np.array([head_i + u * (head_j - head_i) + v * foot for v in DOWN for u in ALONG]) + off(0.03)
            rgb = seen(table.image, places[~hidden(places, np.delete(table.tops, i, 0))])
            if share >= LEAST_SIDE and len(rgb) >= LEAST_SEEN:
                row[4:7], row[7], row[8] = np.median(rgb, 0)[::-1] / 255, 1, min(share, MOST_SIDE)
        out.append(row)
    return np.stack(out)


def cast(rows, gain, power):
    """The rows of raw in another light: gain RGB, one for all or one a die."""
    out = rows.copy()
    for k, share in CLIPPED_AT:
        out[:, share] = np.maximum(out[:, share], (rows[:, k:k + 3] * gain >= 0.98).any(1))
    for k in COLORS_AT:
        out[:, k:k + 3] = np.clip(rows[:, k:k + 3] * gain, 0, 1) ** power
    out[:, 4:7] *= rows[:, 7:8]
    return out


def tint(rows):
    """What the network is told: of top, side and edges the logarithms of red over green, of blue over green and of the
    brightness, in linear light."""
    out = rows.copy()
    for k in COLORS_AT:
        r, g, b = (rows[:, k:k + 3].T ** 2.2)
        out[:, k:k + 3] = np.stack([np.log((r + 0.02) / (g + 0.02)), np.log((b + 0.02) / (g + 0.02)), np.log((r + g + b) / 3 + 0.02)], 1)
    out[:, 4:7] *= rows[:, 7:8]
    return out
