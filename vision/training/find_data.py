"""Samples for the find network: a random view of a picture, and the maps it should give."""
import collections

import cv2
import numpy as np
import torch
from torch.utils.data import IterableDataset

from arms import reached
from grounds import relaid
from tables import lattice, recolor, symmetric
from tokens import strewn

STRIDE = 4
USUAL, CHANGED, UNTOLD = KINDS = range(3)  # a view as a rendered picture has it, or laid on another ground, or one that no older network knows well
SIZES = 6.0, 80.0  # half diagonals of tops that are learned, network pixels
HARD = 2.0  # how much more often hard pictures come up
RIM = {"board": 0.5, "arena": 2.0}  # squares beyond the grid that are the board's, or the arena's


def usual(t):
    """Half a top's diagonal, pixels."""
    return np.exp(np.median(symmetric(t.tops)[:, 0])) if len(t.tops) else 0.03 * t.image.shape[1]


def random_view(t, size, rng):
    """A 3x3 matrix from picture pixels to a size x size view: turned, scaled, mirrored, a little tilted."""
    h, w = t.image.shape[:2]
    any_scale = rng.random() < (0.6 if t.group else 0.25)
    s = usual(t)
    if t.group and len(t.tops):  # dice of unlike sizes lie side by side there
        s = np.exp(symmetric(t.tops[[rng.integers(len(t.tops))]])[0, 0])
    scale = 640.0 / max(w, h) * np.exp(rng.uniform(-0.55, 0.5))
    scale = np.exp(rng.uniform(*np.log(SIZES))) / s if any_scale else np.clip(scale, 6.5 / s, 46 / s)
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.1)
    if len(t.tops) and rng.random() < 0.75:
        at = t.tops[rng.integers(len(t.tops))].mean(0) + rng.normal(0, 0.2 * size / scale, 2)
    else:
        at = rng.uniform(0, 1, 2) * (w, h)
    if t.corners is not None and rng.random() < 0.4:
        at = t.corners.mean(0) + rng.normal(0, 0.1 * size / scale, 2)
    c, sn = scale * np.cos(angle), scale * np.sin(angle)
    m = np.array([[c, -sn, 0], [sn, c, 0], [0, 0, 1]])
    if rng.random() < 0.5:
        m = np.diag([-1, 1, 1]) @ m
    stretch = np.eye(3)
    if rng.random() < 0.3:
        stretch[0, 0], stretch[1, 1] = np.exp(rng.uniform(-0.15, 0.15, 2))
        stretch[2, :2] = rng.uniform(-1, 1, 2) * 0.25 / size
    m = stretch @ m
    q = m @ np.array([at[0], at[1], 1.0])
    m = np.array([[1, 0, size / 2 - q[0] / q[2]], [0, 1, size / 2 - q[1] / q[2]], [0, 0, 1]]) @ m
    return m


def splat(heat, x, y, sigma):
    """Draws a Gaussian peak at (x, y), in cells, keeping the larger value."""
    r = int(3 * sigma + 1)
    n = heat.shape[0]
    x0, x1, y0, y1 = max(0, int(x) - r), min(n, int(x) + r + 1), max(0, int(y) - r), min(n, int(y) + r + 1)
    if x0 >= x1 or y0 >= y1:
        return
    yy, xx = np.mgrid[y0:y1, x0:x1]
    g = np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * sigma**2))
    g[g > g.max() - 1e-6] = 1.0
    heat[y0:y1, x0:x1] = np.maximum(heat[y0:y1, x0:x1], g)


def targets(t, m, size):
    """heat, heat weight, shape (7), shape weight, lattice heat, mask; each at size/STRIDE."""
    n = size // STRIDE
    heat, weight = np.zeros((n, n), np.float32), np.ones((n, n), np.float32)
    shape, sweight = np.zeros((7, n, n), np.float32), np.zeros((n, n), np.float32)
    lat, mask = np.zeros((n, n), np.float32), np.zeros((n, n), np.float32)
    if len(t.tops):
        tops = cv2.perspectiveTransform(t.tops.reshape(1, -1, 2).astype(np.float64), m).reshape(-1, 4, 2)
        p, q, r, s = (tops[:, i] for i in range(4))  # the center is where the diagonals cross
        d1, d2, off = r - p, s - q, q - p
        den = d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0]
        k = (off[:, 0] * d2[:, 1] - off[:, 1] * d2[:, 0]) / np.where(np.abs(den) < 1e-6, 1, den)
        centers = p + k[:, None] * d1
        sym = symmetric(tops)
        for i in range(len(tops)):
            x, y = centers[i] / STRIDE - 0.5
            ls = np.exp(sym[i, 0])
            if not (-4 < x < n + 4 and -4 < y < n + 4):
                continue
            rad = ls / STRIDE
            out = tops[i].min() < 1 or tops[i].max() > size - 2 
            if out or not t.seen[i]:
                cv2.circle(weight, (int(round(x)), int(round(y))), int(rad + 1), 0.0, -1)
            if not t.seen[i] or not (0 <= x < n - 1 and 0 <= y < n - 1):
                continue
            if not out:
                splat(heat, round(x), round(y), np.clip(rad * 0.22, 0.6, 3.0))
            cx, cy = int(round(x)), int(round(y))
            for yy in range(max(0, cy - 1), min(n, cy + 2)):
                for xx in range(max(0, cx - 1), min(n, cx + 2)):
                    w = 1.0 if (xx, yy) == (cx, cy) else 0.5
                    if w > sweight[yy, xx]:
                        sweight[yy, xx] = w
                        shape[:, yy, xx] = (x - xx, y - yy, *sym[i])
    for x0, y0, x1, y1 in t.ignore:
        quad = cv2.perspectiveTransform(np.float64([[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]]), m)[0] / STRIDE - 0.5
        cv2.fillPoly(weight, [np.round(quad).astype(np.int32)], 0.0)
    if t.corners is not None:
        pts = cv2.perspectiveTransform(lattice(t.corners)[None].astype(np.float64), m)[0]
        for x, y in pts / STRIDE - 0.5:
            splat(lat, x, y, 1.0)
        quad = cv2.perspectiveTransform(t.corners[None].astype(np.float64), m)[0] / STRIDE - 0.5
        cv2.fillPoly(mask, [np.round(quad * 16).astype(np.int32)], 1.0, cv2.LINE_8, 4)
    return heat, weight, shape, sweight, lat, mask


def standing(t, m, size, rng):
    """What of a view stands on the table, 0 to 1: dice, their sides, the board. Its edges are told more or less
    well, and now and then bits of bare table are left standing in the shape of dice: no such bit is one."""
    stand = [*t.tops, *t.sides, *([around(t.corners, RIM[t.kind])] if t.corners is not None else [])]
    if rng.random() < 0.4 and len(t.tops):
        h, w = t.image.shape[:2]
        some = rng.integers(len(t.tops), size=rng.integers(1, 9))
        stand += [t.tops[i] - t.tops[i].mean(0) + rng.uniform(0, 1, 2) * (w, h) for i in some]
    mask = np.zeros((size, size), np.uint8)
    for q in stand:
        q = cv2.perspectiveTransform(q.reshape(1, -1, 2).astype(np.float64), m)[0]
        cv2.fillPoly(mask, [np.int32(np.clip(np.round(q * 16), -1e6, 1e6))], 255, cv2.LINE_AA, 4)
    if rng.random() < 0.6:
        mask = cv2.dilate(mask, np.ones((3, 3)))
    if rng.random() < 0.5:
        mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.4, 1.2))
    return mask.astype(np.float32) / 255


def around(corners, squares):
    """A grid's corners moved outwards by so many squares."""
    h = cv2.getPerspectiveTransform(np.float32([[0, 0], [5, 0], [5, 5], [0, 5]]), corners)
    a, b = -squares, 5 + squares
    return cv2.perspectiveTransform(np.float32([[[a, a], [b, a], [b, b], [a, b]]]), h)[0]


def sample(t, size, rng, share=0, strewing=0):
    """A view, its targets, and what it is: one of KINDS. A share of the tables is laid on another
    ground, over half as many grids an arm reaches, and round things are strewn on a share of all."""
    m = random_view(t, size, rng)
    fill = [int(v) for v in rng.integers(0, 255, 3)]
    mode = cv2.BORDER_CONSTANT if rng.random() < 0.6 else cv2.BORDER_REPLICATE
    scale = np.sqrt(abs(np.linalg.det(m[:2, :2])))
    img = t.image
    if scale < 0.7:  # no aliasing
        img = cv2.GaussianBlur(img, (0, 0), 0.35 / scale)
    img = cv2.warpPerspective(img, m, (size, size), flags=cv2.INTER_LINEAR, borderMode=mode, borderValue=fill)
    side = usual(t) * scale * np.sqrt(2)
    other = rng.random() < share and t.relayable
    if other:
        img = relaid(img, standing(t, m, size, rng), side, rng)
    aims = targets(t, m, size)
    strew = rng.random() < strewing and (t.relayable or bool(t.group))
    if strew:
        img = strewn(img, standing(t, m, size, rng), side, rng)
    covered = t.relayable and rng.random() < share * (0.5 if t.corners is not None else 0.2)
    if covered:
        img, under = reached(img, side, rng)
        under = cv2.resize(under, (size // STRIDE,) * 2, interpolation=cv2.INTER_AREA) > 0
        _, weight, _, sweight, _, _ = aims
        weight[under] = sweight[under] = 0  # its dice neither count for nor against; the grid stays where it is
    img = recolor(img, rng, coarse=0.4 if t.group else 0.2)  # a finer level than the picture's own is a blurred one
    x = torch.from_numpy(np.ascontiguousarray(img[..., ::-1].transpose(2, 0, 1))).float() / 255
    return (x, *[torch.from_numpy(v) for v in aims], UNTOLD if t.group or strew or covered else CHANGED if other else USUAL)


class Views(IterableDataset):
    """Views without end; pictures with a hand come up so many times as often as others. So many of all are of the
    photographs, of each set by the root of its pictures: most pictures of a large set are of one table."""

    def __init__(self, tables, size, seed, share=0, hands=1.0, photographs=None, strewing=0):
        self.tables, self.size, self.seed, self.share, self.hands, self.photographs, self.strewing = tables, size, seed, share, hands, photographs, strewing

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        cv2.setNumThreads(1)
        often = np.array([(self.hands if t.hand and t.seen.any() else 1.0) * (HARD if t.tier == "hard" else 1.0) for t in self.tables])
        if self.photographs is not None:
            count = collections.Counter(t.group for t in self.tables)
            real = np.array([bool(t.group) for t in self.tables])
            often[real] = [count[t.group] ** -0.5 for t in self.tables if t.group]
            for those, part in ((real, self.photographs), (~real, 1 - self.photographs)):
                often[those] *= part / often[those].sum()
        often /= often.sum()
        while True:
            yield sample(self.tables[rng.choice(len(self.tables), p=often)], self.size, rng, self.share, self.strewing)
