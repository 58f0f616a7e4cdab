"""Samples for the find network: a random view of a picture, and the maps it should give."""
import collections

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import IterableDataset

import augment
from tables import lattice, symmetric

STRIDE = 4
SIZES = 6.0, 80.0  # half diagonals of tops that are learned, network pixels
HARD, HANDS = 3.0, 4.0  # how much more often hard pictures come up, and those with hands
RIM = {"board": 0.5, "arena": 2.0}  # squares beyond the grid that are the board's, or the arena's


def usual(t):
    """Half a top's diagonal, pixels."""
    return np.exp(np.median(symmetric(t.tops)[:, 0])) if len(t.tops) else 0.03 * t.image.shape[1]


def random_view(t, size, rng):
    """A 3x3 matrix from picture pixels to a size x size view: turned, scaled, mirrored, a little tilted."""
    h, w = t.image.shape[:2]
    any_scale = rng.random() < (0.4 if t.group else 0.25)
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


class Views(IterableDataset):
    """Batches without end of views to be made (see scenes): where they are cut, what they should give, what befalls them.
    Pictures with a hand and hard ones come up more often. So many of all are of the photographs, of each set by the root
    of its pictures: most pictures of a large set are of one table."""

    def __init__(self, tables, a):
        self.tables, self.a = tables, a

    def often(self):
        often = np.array([(HANDS if t.hand and t.seen.any() else 1.0) * (HARD if t.tier == "hard" else 1.0) for t in self.tables])
        real = np.array([bool(t.group) for t in self.tables])
        if real.any():
            count = collections.Counter(t.group for t in self.tables)
            often[real] = [count[t.group] ** -0.5 for t in self.tables if t.group]
            for those, part in ((real, self.a.real), (~real, 1 - self.a.real)):
                often[those] *= part / often[those].sum()
        return often / often.sum()

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.a.seed, info.id if info else 0])
        cv2.setNumThreads(1)
        often = self.often()
        while True:
            some = [self.plan(i, rng) for i in rng.choice(len(self.tables), self.a.batch, p=often)]
            plans = {k: np.stack([p[k] for p in some]) for k in some[0]}
            yield plans | {k: torch.from_numpy(plans[k]) for k in ("stand", "aims")}  # the large ones by shared memory

    def plan(self, i, rng):
        """A view of a picture. A share of the tables is laid on another ground, some of them on a photograph; over half as
        many grids an arm reaches, and round things are strewn on a share of all."""
        t, a, u = self.tables[i], self.a, rng.random(4)
        m = random_view(t, a.size, rng)
        heat, weight, shape, sweight, lat, mask = targets(t, m, a.size)
        if t.group:
            sweight *= 0.3  # outlines told by a network
        happens = [t.relayable and u[0] < a.relaid, t.relayable and a.relaid < u[0] < a.relaid + a.onto,
                   u[2] < a.strewn and (t.relayable or bool(t.group)), t.relayable and u[3] < a.relaid * (0.5 if t.corners is not None else 0.2)]
        stand = np.uint8(standing(t, m, a.size, rng) * 255) if any(happens[:3]) else np.zeros((a.size, a.size), np.uint8)
        return dict(which=i, back=np.linalg.inv(m), fill=rng.integers(0, 255, 3), replicate=rng.random() > 0.6, stand=stand, happens=np.array(happens), photograph=bool(t.group),
                    side=usual(t) * np.sqrt(2 * abs(np.linalg.det(m[:2, :2]))), aims=np.stack([heat, weight, *shape, sweight, lat, mask]).astype(np.float16))


def scenes(plans, pictures, drawn, rng):
    """Views (n,3,size,size), and their aims: heat, its weight, shape (7), its weight, lattice, mask."""
    size, device = plans["stand"].shape[-1], pictures.device
    x = pictures.views(plans["which"], plans["back"], size, plans["replicate"], plans["fill"])
    aims = plans["aims"].to(device).float()
    stand = plans["stand"].to(device)[:, None].float() / 255
    relay, onto, strew, cover = (np.flatnonzero(plans["happens"][:, k]) for k in range(4))
    real, at = np.flatnonzero(plans["photograph"]), lambda i: torch.from_numpy(i).to(device)
    if len(relay):
        x[at(relay)] = augment.patterned(x[at(relay)], stand[at(relay)], drawn, rng)
    if len(onto) and len(real):
        i, j = at(onto), at(real[rng.integers(len(real), size=len(onto))])
        x[i] = augment.relaid(x[i], stand[i], x[j], rng, 1.0)
        aims[i] = together(aims[i], aims[j], stand[i])
    if len(strew):
        i = at(strew)
        x[i] = augment.strewn(x[i], stand[i], plans["side"][strew], drawn, rng)
    if len(cover):
        i = at(cover)
        x[i], under = augment.reached(x[i], plans["side"][cover], drawn, rng)
        aims[i] = unknown(aims[i], F.max_pool2d(under, STRIDE) > 0)
    return augment.otherwise(x, rng), aims


def unknown(aims, where):
    """Aims that neither count for nor against dice there; the grid stays where it is."""
    aims[:, [1, 9]] = aims[:, [1, 9]] * ~where
    return aims


def together(mine, theirs, stand):
    """Aims of a view whose standing things were put onto another: the other's dice count where nothing stands on or near them."""
    stand = F.max_pool2d(stand, STRIDE)
    near = F.max_pool2d(stand, 9, 1, 4) > 0.1
    out = mine.clone()
    hidden = near[:, 0] & ((theirs[:, 0] > 0) | (theirs[:, 1] < 1)) & (mine[:, 0] == 0)
    free = ~near[:, 0]
    out[:, 0] = torch.where(free, torch.maximum(mine[:, 0], theirs[:, 0]), mine[:, 0])
    out[:, 1] = torch.where(free, torch.minimum(mine[:, 1], theirs[:, 1]), torch.where(hidden, 0.0, mine[:, 1]))
    other = free & (theirs[:, 9] > mine[:, 9])
    out[:, 2:10] = torch.where(other[:, None], theirs[:, 2:10], mine[:, 2:10])
    return out
